// SPDX-License-Identifier: Apache-2.0
// Reactions: C functions in the text of a program, which the control plane runs
// (docs/reactions.md). The compiler reads their heads; a body is C, and stays the text that it is.
//
//     reaction guard(bytes[0..63], total, PORT.PACKETS, counters(rules)) { static int last; ... }
#include <string.h>

#include "table.h"

static bool is(const struct token *t, const char *text) {
  return (t->kind == TOKEN_NAME || t->kind == TOKEN_MARK) && t->len == strlen(text) &&
         memcmp(t->text, text, t->len) == 0;
}

static bool same(const struct token *t, const char *text) {
  return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

static bool same_token(const struct token *a, const struct token *b) {
  return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

enum { MAX_INSTANCES = 4096 };  // of a register

// ---- the body -----------------------------------------------------------------------------------

bool reaction_watch(struct reaction_watch *w, const struct token *t) {
  const bool begins = !w->inside;
  if (w->head && is(t, "{")) {
    *w = (struct reaction_watch){.inside = false};
    return true;
  }
  if (begins) w->head = is(t, "reaction");
  if (is(t, "{")) w->braces++;
  if (is(t, "}") && w->braces) w->braces--;
  w->inside = w->braces || !(is(t, ";") || is(t, "}"));
  if (!w->inside) w->head = false;
  return false;
}

// Where in the text of a body we are.
struct body {
  struct ir_context *c;
  const char *at, *end, *line_start;
  unsigned line;
};

static struct token token_at(const struct body *b, const char *at) {
  return (struct token){.text = at,
                        .len = 1,
                        .line = b->line,
                        .column = (unsigned)(at - b->line_start) + 1,
                        .span = 1};
}

static void newline(struct body *b) {
  b->line++;
  b->line_start = b->at + 1;
}

// b->at is behind the `/` and `*`, and in the end on the last `/`.
static void block_comment(struct body *b) {
  const struct token start = token_at(b, b->at - 2);
  for (; b->end - b->at >= 2 && !(b->at[0] == '*' && b->at[1] == '/'); b->at++)
    if (*b->at == '\n') newline(b);
  if (b->end - b->at < 2) diag_fatal(b->c, &start, "open-comment", "this comment is not closed");
  b->at++;
}

// Whether the line ends at b->at, which is put on its last character.
static bool line_end(struct body *b) {
  if (b->end - b->at >= 2 && b->at[0] == '\r' && b->at[1] == '\n') b->at++;
  return b->at < b->end && *b->at == '\n';
}

// To the end of the line; a `\` before it goes on in the next one.
static void line_comment(struct body *b) {
  while (b->at < b->end && *b->at != '\n') {
    const bool on = *b->at++ == '\\' && line_end(b);
    if (!on) continue;
    newline(b);
    b->at++;
  }
  b->at--;
}

// b->at is on the quote, and in the end on the other one.
static void quoted(struct body *b) {
  const char quote = *b->at;
  const struct token start = token_at(b, b->at);
  for (b->at++; b->at < b->end && *b->at != quote && *b->at != '\n'; b->at++)
    if (*b->at == '\\' && b->at + 1 < b->end) {
      b->at++;
      if (line_end(b)) newline(b);
    }
  if (b->at >= b->end || *b->at == '\n')
    diag_fatal(b->c, &start, "open-quote", "this %s is not closed in its line",
               quote == '"' ? "text" : "character constant");
}

const char *reaction_body_end(struct ir_context *c, const struct token *open, const char *text,
                              const char *end) {
  struct body b = {c, text, end, text - open->column, open->line};
  for (unsigned depth = 1; b.at < end; b.at++) {
    if (*b.at == 0) break;
    if (*b.at == '\n') newline(&b);
    else if (*b.at == '"' || *b.at == '\'') quoted(&b);
    else if (*b.at == '/' && b.at + 1 < end && b.at[1] == '*') b.at += 2, block_comment(&b);
    else if (*b.at == '/' && b.at + 1 < end && b.at[1] == '/') b.at += 2, line_comment(&b);
    else if (*b.at == '{') depth++;
    else if (*b.at == '}' && --depth == 0) {
      if (b.at - text > SLUICE_MAX_REACTION_TEXT)
        diag_fatal(c, open, "too-long", "the body of a reaction has at most %d bytes",
                   SLUICE_MAX_REACTION_TEXT);
      return b.at;
    }
  }
  diag_fatal(c, open, "open-body", "the body of this reaction is not closed: a '}' is missing");
}

// ---- the head -----------------------------------------------------------------------------------

struct head {
  struct ir_context *c;
  const struct token *now;
  bool good;
};

static const struct token *expect(struct head *h, const char *text, const char *wanted) {
  if (h->good && is(h->now, text)) return h->now++;
  if (h->good && h->now->kind == TOKEN_END)
    diag_error(h->c, h->now, "syntax", "the text ends where %s should be", wanted);
  else if (h->good)
    diag_error(h->c, h->now, "syntax", "'" TOKEN "' where %s should be", TOKEN_ARGS(h->now),
               wanted);
  h->good = false;
  return h->now;
}

static const struct token *name(struct head *h, const char *wanted) {
  if (h->good && h->now->kind == TOKEN_NAME) return h->now++;
  return expect(h, "", wanted);
}

// number := NUMBER (("+" | "-") NUMBER)*
static int32_t number(struct head *h) {
  int64_t sum = 0;
  int sign = 1;
  for (;;) {
    if (!h->good || h->now->kind != TOKEN_NUMBER) {
      expect(h, "", "a number");
      return 0;
    }
    sum += sign * (int64_t)h->now++->value;
    if (!is(h->now, "+") && !is(h->now, "-")) break;
    sign = is(h->now++, "+") ? 1 : -1;
  }
  return sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : (int32_t)sum;
}

// place := "parser" | "order" | "exit"
static enum last_place place_of(struct head *h) {
  static const char *const places[] = {
      [LAST_PARSER] = "parser", [LAST_ORDER] = "order", [LAST_EXIT] = "exit"};
  for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
    if (h->good && is(h->now, places[i])) {
      h->now++;
      return (enum last_place)i;
    }
  expect(h, "", "'parser', 'order' or 'exit'");
  return LAST_EXIT;
}

// last := "last" "(" name "." name ["," place] ")". In the body it is last_NAME or last_NAME_PLACE.
static void last(struct head *h, struct reaction_argument *a) {
  struct token *made = NEW(h->c->arena, struct token);
  *made = *h->now++;
  expect(h, "(", "'('");
  a->packet = name(h, "the name of the packet");
  expect(h, ".", "'.'");
  a->field = name(h, "the name of a field");
  a->place = LAST_EXIT;
  const struct token *place = NULL;
  if (h->good && is(h->now, ",")) {
    place = ++h->now;
    a->place = place_of(h);
  }
  expect(h, ")", "',' or ')'");
  a->at = made;
  if (!h->good) return;
  const size_t room = sizeof "last__" + a->field->len + (place ? place->len : 0);
  char *text = arena_alloc(h->c->arena, room);
  snprintf(text, room, "last_%.*s%s%.*s", (int)a->field->len, a->field->text, place ? "_" : "",
           place ? (int)place->len : 0, place ? place->text : "");
  made->text = text;
  made->len = (unsigned)strlen(text);
}

// counters := "counters" "(" name ")"
static void counters(struct head *h, struct reaction_argument *a) {
  h->now++;
  expect(h, "(", "'('");
  a->counters = true;
  a->at = name(h, "the name of a table");
  expect(h, ")", "')'");
}

static void argument(struct head *h, struct reaction *r) {
  if (r->num_args == SLUICE_MAX_REACTION_ARGS) {
    diag_error(h->c, h->now, "arguments", "a reaction has at most %d arguments",
               SLUICE_MAX_REACTION_ARGS);
    h->good = false;
    return;
  }
  struct reaction_argument *a = &r->arg[r->num_args++];
  if (h->good && is(h->now, "last") && is(h->now + 1, "(")) {
    last(h, a);
    return;
  }
  if (h->good && is(h->now, "counters") && is(h->now + 1, "(")) {
    counters(h, a);
    return;
  }
  a->at = name(h, "the name of an array or a scalar");
  if (h->good && is(h->now, ".")) {
    h->now++;
    a->of = name(h, "the name of a register");
  }
  if (!is(h->now, "[")) return;
  h->now++;
  a->first_at = h->now;
  a->first = a->last = number(h);
  expect(h, ".", "'..'");
  expect(h, ".", "'..'");
  a->last = number(h);
  expect(h, "]", "']'");
}

// unchanged := "unchanged" "(" NAME ("," NAME)* ")"
static void unchanged(struct head *h, struct reaction *r) {
  expect(h, "unchanged", "'unchanged' or '{'");
  expect(h, "(", "'('");
  while (h->good) {
    const struct token *of = name(h, "the name of an argument");
    if (!h->good) break;
    if (r->num_unchanged == SLUICE_MAX_REACTION_ARGS) {
      diag_error(h->c, of, "arguments", "a reaction has at most %d arguments",
                 SLUICE_MAX_REACTION_ARGS);
      h->good = false;
      return;
    }
    r->unchanged[r->num_unchanged++] = of;
    if (!is(h->now, ",")) break;
    h->now++;
  }
  expect(h, ")", "',' or ')'");
}

const struct token *reaction_parse(struct ir_context *c, const struct token *now) {
  struct head h = {c, now + 1, true};
  struct reaction *r = NEW(c->arena, struct reaction), **end = &c->program->reaction_list;
  r->at = name(&h, "the name of a reaction");
  expect(&h, "(", "'('");
  while (h.good && !is(h.now, ")")) {
    argument(&h, r);
    if (!is(h.now, ",")) break;
    h.now++;
  }
  expect(&h, ")", "',' or ')'");
  if (h.good && h.now->kind != TOKEN_TEXT) unchanged(&h, r);
  if (h.good && h.now->kind != TOKEN_TEXT) expect(&h, "{", "'{'");
  // After an error: behind the body, or the declaration.
  while (h.now->kind != TOKEN_TEXT && h.now->kind != TOKEN_END && !is(h.now, ";")) h.now++;
  if (h.now->kind == TOKEN_END) return h.now;
  if (h.good) {
    r->body = h.now;
    while (*end) end = &(*end)->next;
    *end = r;
    c->program->num_reactions++;
  }
  return h.now + 1;
}

// ---- check --------------------------------------------------------------------------------------

bool reaction_word_of_c(const char *name) {
  static const char *const words[] = {
      "auto",    "default",  "enum",    "extern",   "inline",   "register", "restrict", "signed",
      "union",   "volatile", "bool",    "true",     "false",    "NULL",     "int8_t",   "int16_t",
      "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t", "uint64_t", "typeof",   "asm"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i], name) == 0) return true;
  return name[0] == '_' || strncmp(name, "sluice_", 7) == 0;
}

// Whether the chip has this instance of a register. Instances are numbered from 0 without gaps.
static bool has_register(const struct ir_context *c, const struct reaction_argument *a,
                         unsigned instance) {
  uint32_t addr;
  return sluice_register_find(c->config, arena_text(c->arena, a->at->text, a->at->len), instance,
                              arena_text(c->arena, a->of->text, a->of->len), 0,
                              &addr) == SLUICE_FOUND;
}

// What Mantis has as arguments and the chip does not count: a sentence says what there is instead.
static const char *instead_of(const struct reaction_argument *a) {
  static const char *const depths[] = {"QUEUE", "DEPTH", "QUEUED"};
  for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
    if (same(a->of, depths[i]))
      return "; of how many packets wait there are PORT.QUEUE, now, HIGH_QUEUE, the most, and "
             "CHIP.INSIDE and CHIP.IN_FLIGHT, of the whole chip: see docs/reactions.md, Depths of "
             "queues";
  return "";
}

static void check_register(struct ir_context *c, struct reaction *r, unsigned n) {
  struct reaction_argument *a = &r->arg[n];
  unsigned last = 0;
  for (unsigned i = 0; i < n; i++)
    if (r->arg[i].of && same_token(a->at, r->arg[i].at) && same_token(a->of, r->arg[i].of))
      diag_error(c, a->at, "twice", "'" TOKEN "." TOKEN "' is an argument already",
                 TOKEN_ARGS(a->at), TOKEN_ARGS(a->of));
  if (!has_register(c, a, 0)) {
    diag_error(c, a->at, "unknown-register", "chip '%s' has no register '" TOKEN "." TOKEN "'%s",
               c->config->name, TOKEN_ARGS(a->at), TOKEN_ARGS(a->of), instead_of(a));
    return;
  }
  if (a->at->len + a->of->len + 1 >= SLUICE_NAME_LEN)
    diag_error(c, a->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  while (last < MAX_INSTANCES && has_register(c, a, last + 1)) last++;
  if (!a->first_at) {
    a->last = (int32_t)last;
  } else if (a->first < 0 || a->last < a->first || a->last > (int64_t)last) {
    diag_error(c, a->first_at, "slice", "%d to %d: '" TOKEN "." TOKEN "' has 0 to %u", a->first,
               a->last, TOKEN_ARGS(a->at), TOKEN_ARGS(a->of), last);
  }
}

static void check_unchanged(struct ir_context *c, struct reaction *r) {
  for (unsigned i = 0; i < r->num_unchanged; i++) {
    const struct token *of = r->unchanged[i];
    unsigned n = 0;
    while (n < r->num_args && (r->arg[n].of || r->arg[n].counters || !same_token(r->arg[n].at, of)))
      n++;
    if (n == r->num_args)
      diag_error(c, of, "not-argument",
                 "'" TOKEN "' is no array or scalar among the arguments of this reaction",
                 TOKEN_ARGS(of));
    else if (r->arg[n].unchanged)
      diag_error(c, of, "twice", "'" TOKEN "' is there already", TOKEN_ARGS(of));
    else r->arg[n].unchanged = true;
  }
}

static void check_argument(struct ir_context *c, struct reaction *r, unsigned n) {
  struct sluice_program *p = c->program;
  struct reaction_argument *a = &r->arg[n];
  size_t s = 0;
  if (a->counters) {
    check_counters(c, r, n);
    return;
  }
  for (size_t t = 0; t < p->num_tables; t++)
    if (same(a->at, p->table[t]->name)) {
      diag_error(c, a->at, "table-counters",
                 "'%s' is a table: what its entries have counted is counters(%s)",
                 p->table[t]->name, p->table[t]->name);
      return;
    }
  if (a->of) return;  // which registers there are the chip says: emit_reactions
  while (s < p->num_states && !same(a->at, p->state[s]->info.name)) s++;
  if (s == p->num_states && a->field) return;  // told by check_last
  if (s == p->num_states) {
    const char *hint = "";
    for (size_t i = 0; i < p->num_malleables; i++)
      if (same(a->at, p->malleable[i]->name))
        hint = "; a malleable is read by its name, without being an argument";
    diag_error(c, a->at, "unknown-array", "there is no array or scalar '" TOKEN "'%s",
               TOKEN_ARGS(a->at), hint);
    return;
  }
  const struct sluice_program_state *state = &p->state[s]->info;
  a->state = (unsigned)s;
  for (unsigned i = 0; i < n; i++)
    if (!r->arg[i].of && same_token(a->at, r->arg[i].at))
      diag_error(c, a->at, "twice", "'%s' is an argument already", state->name);
  if (state->words)
    diag_error(c, a->at, "row-value", "'%s' has rows, which reactions do not read", state->name);
  if (reaction_word_of_c(state->name))
    diag_error(c, a->at, "word-of-c",
               "'%s' cannot be an argument: in C it is no name for a variable", state->name);
  if (!a->first_at) {
    a->first = 0;
    a->last = (int32_t)state->size - 1;
  } else if (state->scalar) {
    diag_error(c, a->first_at, "not-array", "'%s' is not an array", state->name);
  } else if (a->first < 0 || a->last < a->first || a->last >= (int64_t)state->size) {
    diag_error(c, a->first_at, "slice", "entries %d to %d: '%s' has 0 to %u", a->first, a->last,
               state->name, state->size - 1);
  }
}

void check_reactions(struct ir_context *c) {
  struct sluice_program *p = c->program;
  unsigned n = 0;
  check_last(c);
  for (struct reaction *r = p->reaction_list; r; r = r->next) {
    r->name = arena_text(c->arena, r->at->text, r->at->len);
    if (n++ == SLUICE_MAX_REACTIONS)
      diag_fatal(c, r->at, "too-many-reactions",
                 "the program has %zu reactions, at most %d are possible", p->num_reactions,
                 SLUICE_MAX_REACTIONS);
    if (r->at->len >= SLUICE_NAME_LEN)
      diag_error(c, r->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
    for (const struct reaction *o = p->reaction_list; o != r; o = o->next)
      if (strcmp(o->name, r->name) == 0) {
        diag_error(c, r->at, "twice", "a second reaction '%s'", r->name);
        diag_note(c, o->at, "the first one is here");
        break;
      }
    for (unsigned i = 0; i < r->num_args; i++) check_argument(c, r, i);
    check_unchanged(c, r);
  }
  if (p->reaction_list && strlen(p->defines) > SLUICE_MAX_REACTION_TEXT)
    diag_error(c, p->reaction_list->at, "too-long",
               "the #define lines of a program with reactions have at most %d bytes",
               SLUICE_MAX_REACTION_TEXT);
  for (size_t i = 0; p->reaction_list && i < p->num_malleables; i++)
    if (reaction_word_of_c(p->malleable[i]->name))
      diag_error(c, p->malleable[i]->at, "word-of-c",
                 "'%s' cannot be a malleable of a program with reactions: in C it is no name for a "
                 "variable",
                 p->malleable[i]->name);
  give_up_on_errors(c);
}

// ---- the image ----------------------------------------------------------------------------------

// The array in the image: whole, and in a stage that is in cuts.
static void check_place(struct ir_context *c, const struct reaction_argument *a,
                        const struct sluice_image *image) {
  const struct sluice_program_state *s = &c->program->state[a->state]->info;
  struct sluice_image_array array;
  unsigned n = 0;
  while (sluice_image_get_array(image, n, &array) && strcmp(array.name, s->name) != 0) n++;
  if (!sluice_image_get_array(image, n, &array))
    diag_error(c, a->at, "unused-array", "no packet uses '%s', so it is not on the chip", s->name);
  else if (array.size != s->size)
    diag_error(c, a->at, "split-array",
               "'%s' has %u entries, and a stage of chip '%s' %u: it is in two stages, which a "
               "reaction cannot read yet",
               s->name, s->size, c->config->name, c->config->StateEntries);
  else if (!(c->config->CutStages >> array.stage & 1))
    diag_warning(c, a->at, "no-cut",
                 "'%s' is in stage %u, and chip '%s' has no shadow memory there (CutStages): the "
                 "reaction cannot run on it",
                 s->name, array.stage, c->config->name);
}

static const char *file_of(const struct ir_context *c) {
  const char *file = c->diags->file ? c->diags->file : "", *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

void emit_reactions(struct ir_context *c, struct sluice_image *image) {
  for (struct reaction *r = c->program->reaction_list; r; r = r->next) {
    struct sluice_reaction *made = sluice_image_add_reaction(image);
    const size_t defines = strlen(c->program->defines);
    if (!made || !sluice_image_add_text(image, c->program->defines, defines, &made->defines) ||
        !sluice_image_add_text(image, r->body->text, r->body->len, &made->text))
      arena_give_up(c->arena, ARENA_NO_MEMORY);
    snprintf(made->name, sizeof made->name, "%s", r->name);
    snprintf(made->file, sizeof made->file, "%s", file_of(c));
    made->line = r->body->line;
    made->column = r->body->column;
    made->num_args = r->num_args;
    for (unsigned i = 0; i < r->num_args; i++) {
      const struct reaction_argument *a = &r->arg[i];
      struct sluice_reaction_arg *m = &made->args[i];
      if (a->of) check_register(c, r, i);
      m->first = (unsigned)a->first;
      m->num = (unsigned)(a->last - a->first) + 1;
      m->unchanged = a->unchanged;
      if (a->counters) {
        m->is_counters = true;
        m->num_keys = c->program->table[a->table]->num_keys;
        snprintf(m->name, sizeof m->name, "%s", c->program->table[a->table]->name);
        continue;
      }
      if (a->of) {
        m->is_register = true;
        m->scalar = !a->first_at && m->num == 1;
        snprintf(m->name, sizeof m->name, TOKEN "." TOKEN, TOKEN_ARGS(a->at), TOKEN_ARGS(a->of));
        continue;
      }
      const struct sluice_program_state *s = &c->program->state[a->state]->info;
      check_place(c, a, image);
      snprintf(m->name, sizeof m->name, "%s", s->name);
      m->scalar = s->scalar;
    }
  }
}
