// SPDX-License-Identifier: Apache-2.0
// Binds names, and checks all that can be said without looking at the chip: sizes, homes, kinds.
// (That an array is used at one address only needs values: addresses() in ssa.c.)
#include "check.h"

#include <string.h>

#include "table.h"

// hash2 and hash3 are those of the published programs: all one function, CRC-16/ARC. hash() is
// CRC-32 without its highest bit, so that it is never negative.
const struct builtin builtins[] = {
    {"hash2", 2, 2, SLUICE_HASH_CRC16, 0},  {"hash2a", 2, 2, SLUICE_HASH_CRC16, 0},
    {"hash2b", 2, 2, SLUICE_HASH_CRC16, 0}, {"hash2c", 2, 2, SLUICE_HASH_CRC16, 0},
    {"hash3", 3, 3, SLUICE_HASH_CRC16, 0},  {"hash", 1, 3, SLUICE_HASH_CRC32, 0x80000000u},
};
const unsigned num_builtins = sizeof builtins / sizeof builtins[0];

char *check_text(struct arena *arena, const struct token *t) {
  return arena_text(arena, t->text, t->len);
}

bool check_same(const struct token *t, const char *text) {
  return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

// The same, if it is no operation.
static bool constant_leaf(struct checker *c, const struct expr *e, int32_t *value) {
  int32_t x = 0, y = 0, z = 0;
  if (e->kind == EXPR_COND) {
    if (!check_constant(c, e->arg[0], &x) || !check_constant(c, e->arg[1], &y) ||
        !check_constant(c, e->arg[2], &z))
      return false;
    *value = x ? y : z;
    return true;
  }
  *value = e->value;
  if (e->kind == EXPR_NUMBER && e->above) {
    diag_error(c->ir, e->at, "bad-number", "'" TOKEN "' does not fit 32 bits", TOKEN_ARGS(e->at));
    return false;
  }
  if (e->kind != EXPR_NUMBER) diag_error(c->ir, e->at, "not-constant", "a number must stand here");
  return e->kind == EXPR_NUMBER;
}

// The value of an expression of numbers alone.
bool check_constant(struct checker *c, const struct expr *e, int32_t *value) {
  const struct expr *x = expr_first(e);
  if (!constant_leaf(c, x, value)) return false;
  while (x != e) {
    int32_t right = 0;
    x = x->up;
    if (x->num_args == 2 && !check_constant(c, x->arg[1], &right)) return false;
    *value = op_eval(x->op, *value, right);
  }
  return true;
}

// A name of the operator's text that this text does not declare: what a program declares is not
// meant.
static bool stray(const struct sluice_program *p, const struct token *name) {
  return of_system(p, name) && !memchr(name->text, '.', name->len);
}

bool check_find_field(const struct sluice_program *p, const struct token *name, unsigned *id) {
  if (stray(p, name)) return false;
  for (size_t i = 0; i < p->num_fields; i++)
    if (check_same(name, p->field[i]->info.name)) {
      *id = p->field[i]->alias ? p->field[i]->alias - 1 : (unsigned)i;
      return true;
    }
  return false;
}

static void check_bytes(struct checker *c, struct field *f) {
  int32_t offset = 0, width = 0;
  if (!check_constant(c, f->tie_offset, &offset) || !check_constant(c, f->tie_width, &width))
    return;
  if (width != 1 && width != 2 && width != 4 && width != 6)
    diag_error(c->ir, f->tie_at, "field-width", "a field is 1, 2, 4 or 6 bytes wide, not %d",
               width);
  else if (offset < 0 || offset > HEADER_LEN - width)
    diag_error(c->ir, f->tie_at, "field-offset",
               "bytes %d..%d are not among the first %d, which the parser reaches", offset,
               offset + width - 1, HEADER_LEN);
  f->info.home = SLUICE_HOME_BYTES;
  f->info.offset = (unsigned)offset % HEADER_LEN;
  f->info.width = (unsigned)width;
}

static void check_home(struct checker *c, struct field *f) {
  if (f->tie_array && c->ir->program->outer) f->info.home = SLUICE_HOME_ELSEWHERE;
  else if (f->tie_array) check_array_home(c, f);
  else if (f->tie_offset) check_bytes(c, f);
  else if (f->tie_group &&
           !home_find(c->ir->program, &f->info, check_text(c->ir->arena, f->tie_group),
                      check_text(c->ir->arena, f->tie_name)))
    diag_error(c->ir, f->tie_at, "unknown-home",
               "there is no '" TOKEN "." TOKEN "'; see docs/programs.md for the list",
               TOKEN_ARGS(f->tie_group), TOKEN_ARGS(f->tie_name));
  if (f->info.words && f->tie_at && !f->tie_array)
    diag_error(c->ir, f->tie_at, "array-home",
               "'%s' is an array: its home is 'array(offset)', or it has none", f->info.name);
}

// Homes that are said outside struct Packet.
static void check_bindings(struct checker *c) {
  for (struct field *b = c->ir->program->bind_list; b; b = b->next) {
    unsigned id;
    if (!check_find_field(c->ir->program, b->at, &id)) {
      diag_error(c->ir, b->at, "unknown-field", "struct Packet has no field '" TOKEN "'",
                 TOKEN_ARGS(b->at));
      continue;
    }
    struct field *f = c->ir->program->field[id];
    if (f->tie_at) {
      diag_error(c->ir, b->tie_at, "twice", "a second home of '%s'", f->info.name);
      diag_note(c->ir, f->tie_at, "the other one is here");
      continue;
    }
    f->tie_at = b->tie_at;
    f->tie_group = b->tie_group;
    f->tie_name = b->tie_name;
    f->tie_offset = b->tie_offset;
    f->tie_width = b->tie_width;
    f->tie_array = b->tie_array;
    check_home(c, f);
  }
}

// A field that the texts of a program and of a system-level module share.
static bool between_texts(const struct sluice_program *p, const struct field *f) {
  return p->system && f->tie_group &&
         check_same(f->tie_group, of_system(p, f->at) ? "module" : "system");
}

static void check_fields(struct checker *c) {
  struct sluice_program *p = c->ir->program;
  p->field = NEW_ARRAY(c->ir->arena, struct field *, p->num_fields + MAX_MALLEABLES + 1);
  size_t n = 0;
  for (struct field *f = p->field_list; f; f = f->next) {
    if (n == MAX_FIELDS)
      diag_fatal(c->ir, f->at, "too-many-fields",
                 "struct Packet has %zu fields, at most %d are possible: this is one too many",
                 p->num_fields, MAX_FIELDS);
    f->info.name = check_text(c->ir->arena, f->at);
    for (size_t i = 0; i < n; i++)
      if (strcmp(p->field[i]->info.name, f->info.name) == 0) {
        diag_error(c->ir, f->at, "twice", "a second packet field '%s'", f->info.name);
        diag_note(c->ir, p->field[i]->at, "the first one is here");
      }
    if (strlen(f->info.name) >= SLUICE_NAME_LEN)
      diag_error(c->ir, f->at, "long-name", "a name has at most %d characters",
                 SLUICE_NAME_LEN - 1);
    if (f->words) f->info.words = check_words(c, f->words);
    if (!between_texts(p, f)) check_home(c, f);
    p->field[n++] = f;
  }
  if (p->system) system_fields(c->ir);
}

static void check_states(struct checker *c) {
  struct sluice_program *p = c->ir->program;
  p->state = NEW_ARRAY(c->ir->arena, struct state *, p->num_states + 1);
  size_t n = 0;
  for (struct state *s = p->state_list; s; s = s->next) {
    if (n == MAX_STATES)
      diag_fatal(
          c->ir, s->at, "too-many-states",
          "the program has %zu state variables, at most %d are possible: this is one too many",
          p->num_states, MAX_STATES);
    s->info.name = check_text(c->ir->arena, s->at);
    s->info.scalar = !s->size;
    s->info.size = 1;
    int32_t size = 1;
    for (size_t i = 0; i < n; i++)
      if (strcmp(p->state[i]->info.name, s->info.name) == 0) {
        diag_error(c->ir, s->at, "twice", "a second state variable '%s'", s->info.name);
        diag_note(c->ir, p->state[i]->at, "the first one is here");
      }
    if (strlen(s->info.name) >= SLUICE_NAME_LEN)
      diag_error(c->ir, s->at, "long-name", "a name has at most %d characters",
                 SLUICE_NAME_LEN - 1);
    if (s->size && check_constant(c, s->size, &size)) {
      if (size < 1 || size > MAX_ENTRIES)
        diag_error(c->ir, s->size->at, "array-size", "'%s' has %d entries, 1 to %d are possible",
                   s->info.name, size, MAX_ENTRIES);
      else s->info.size = (unsigned)size;
    }
    if (s->init) check_constant(c, s->init, &s->info.init);
    if (s->words) s->info.words = check_words(c, s->words);
    if (s->words && s->info.init)
      diag_error(c->ir, s->init->at, "row-init", "rows start with 0: '%s' cannot start with %d",
                 s->info.name, s->info.init);
    int32_t place = 0;
    s->place = ANYWHERE;
    if (s->stage && check_constant(c, s->stage, &place)) {
      if (place < 0 || place >= MAX_BACK_STAGES)
        diag_error(c->ir, s->stage_at, "stage-number", "%s stages are counted from 0 to at most %d",
                   stages_called(p), MAX_BACK_STAGES - 1);
      else s->place = place;
    }
    p->state[n++] = s;
  }
}

// ---- malleables ---------------------------------------------------------------------------------

static void check_value(struct checker *c, struct malleable *m) {
  int32_t low = INT32_MIN, high = INT32_MAX;
  if (!check_constant(c, m->init_expr, &m->init)) return;
  if (m->ranged &&
      (!check_constant(c, m->low_expr, &low) || !check_constant(c, m->high_expr, &high)))
    return;
  m->low = low;
  m->high = high;
  if (low > high)
    diag_error(c->ir, m->low_expr->at, "range", "no number is from %d to %d", low, high);
  else if (m->init < low || m->init > high)
    diag_error(c->ir, m->init_expr->at, "range", "'%s' starts with %d, which is not from %d to %d",
               m->name, m->init, low, high);
}

// What the parser can choose among: bytes or metadata of one width, which the program does not
// change by another name.
static bool check_choice(struct checker *c, const struct malleable *m, unsigned i) {
  const struct token *at = m->choice_at[i];
  const struct field *f = c->ir->program->field[m->choice[i]];
  const struct sluice_program_field *first = &c->ir->program->field[m->choice[0]]->info;
  const bool tied = f->info.home == SLUICE_HOME_BYTES || f->info.home == SLUICE_HOME_METADATA;
  if (f->info.param)
    diag_error(c->ir, at, "choice", "'%s' is a malleable field itself", f->info.name);
  else if (!tied)
    diag_error(c->ir, at, "choice",
               "'%s' is not bytes of the packet: the parser, which chooses, does not bring it",
               f->info.name);
  else if (f->info.width == 1)
    diag_error(c->ir, at, "choice",
               "'%s' is one byte, and the parser, which chooses, brings 2, 4 or 6", f->info.name);
  else if (f->info.width != first->width)
    diag_error(c->ir, at, "choice", "'%s' has %u bytes, '%s' has %u: choices must have one width",
               f->info.name, f->info.width, first->name, first->width);
  else return true;
  return false;
}

static void check_field_choices(struct checker *c, struct malleable *m) {
  struct sluice_program *p = c->ir->program;
  bool found = false;
  if (m->packet->len != p->param->len ||
      memcmp(m->packet->text, p->param->text, m->packet->len) != 0) {
    diag_error(c->ir, m->packet, "unknown-name",
               "'" TOKEN "' is not the packet; it is called '" TOKEN "'", TOKEN_ARGS(m->packet),
               TOKEN_ARGS(p->param));
    return;
  }
  for (unsigned i = 0; i < m->num; i++) {
    if (!check_find_field(p, m->choice_at[i], &m->choice[i])) {
      diag_error(c->ir, m->choice_at[i], "unknown-field", "struct Packet has no field '" TOKEN "'",
                 TOKEN_ARGS(m->choice_at[i]));
      return;
    }
    for (unsigned j = 0; j < i; j++)
      if (m->choice[j] == m->choice[i])
        diag_error(c->ir, m->choice_at[i], "twice", "'" TOKEN "' is a choice already",
                   TOKEN_ARGS(m->choice_at[i]));
    if (!check_choice(c, m, i)) return;
    if (check_same(m->first, p->field[m->choice[i]]->info.name)) {
      found = true;
      m->init = (int32_t)i;
    }
  }
  if (!found)
    diag_error(c->ir, m->first, "choice",
               "'" TOKEN "', with which '%s' starts, is not among its choices",
               TOKEN_ARGS(m->first), m->name);
  m->ranged = true;
  m->low = 0;
  m->high = (int32_t)m->num - 1;
}

// The field that a malleable field is for the passes.
static void add_field(struct checker *c, struct malleable *m, unsigned number) {
  struct sluice_program *p = c->ir->program;
  struct field *f = NEW(c->ir->arena, struct field);
  if (p->num_fields == MAX_FIELDS)
    diag_fatal(c->ir, m->at, "too-many-fields", "with this malleable there are more than %d fields",
               MAX_FIELDS);
  if (c->ir->num_errors == 0) f->info = p->field[m->choice[m->init]]->info;
  f->info.name = m->name;
  f->info.assigned = false;
  f->info.param = number + 1;
  f->at = f->tie_at = m->at;
  m->field = (unsigned)p->num_fields;
  p->field[p->num_fields++] = f;
}

static void check_malleables(struct checker *c) {
  struct sluice_program *p = c->ir->program;
  p->malleable = NEW_ARRAY(c->ir->arena, struct malleable *, p->num_malleables + 1);
  size_t n = 0;
  for (struct malleable *m = p->malleable_list; m; m = m->next) {
    if (n == MAX_MALLEABLES)
      diag_fatal(c->ir, m->at, "too-many-malleables",
                 "the program has %zu malleables, at most %d are possible", p->num_malleables,
                 MAX_MALLEABLES);
    m->name = check_text(c->ir->arena, m->at);
    const struct token *twin = NULL;
    for (size_t i = 0; i < n; i++)
      if (strcmp(p->malleable[i]->name, m->name) == 0) twin = p->malleable[i]->at;
    for (size_t i = 0; i < p->num_states; i++)
      if (strcmp(p->state[i]->info.name, m->name) == 0) twin = p->state[i]->at;
    unsigned field;
    if (!twin && m->is_field && check_find_field(p, m->at, &field)) twin = p->field[field]->at;
    if (twin) {
      diag_error(c->ir, m->at, "twice", "a second '%s'", m->name);
      diag_note(c->ir, twin, "the first one is here");
    }
    if (strlen(m->name) >= SLUICE_NAME_LEN)
      diag_error(c->ir, m->at, "long-name", "a name has at most %d characters",
                 SLUICE_NAME_LEN - 1);
    if (m->is_field) {
      check_field_choices(c, m);
      add_field(c, m, (unsigned)n);
    } else {
      check_value(c, m);
    }
    p->malleable[n++] = m;
  }
}

static void check_flow_order(struct checker *c) {
  struct flow_order *f = &c->ir->program->flow_order;
  int32_t entries = 0;
  if (!f->size || !check_constant(c, f->size, &entries)) return;
  if (entries < 1 || entries > MAX_ENTRIES)
    diag_error(c->ir, f->size->at, "array-size", "a flow order has 1 to %d entries, not %d",
               MAX_ENTRIES, entries);
  f->entries = (unsigned)entries;
  for (unsigned i = 0; i < f->num_fields; i++) {
    if (!check_find_field(c->ir->program, f->name[i], &f->field[i])) {
      diag_error(c->ir, f->name[i], "unknown-field", "struct Packet has no field '" TOKEN "'",
                 TOKEN_ARGS(f->name[i]));
      continue;
    }
    const struct field *field = c->ir->program->field[f->field[i]];
    if (field->info.home != SLUICE_HOME_BYTES && field->info.home != SLUICE_HOME_METADATA)
      diag_error(c->ir, f->name[i], "flow-field",
                 "'%s' is not tied to bytes of the packet, which tell its flow", field->info.name);
  }
}

// What only the other function knows.
void check_elsewhere(struct checker *c, const struct field *f, const struct token *at) {
  if (f->info.home != SLUICE_HOME_ELSEWHERE) return;
  if (c->ir->program->outer)
    diag_error(c->ir, at, "egress-field", "'%s' is not there in the egress function: %s",
               f->info.name,
               f->tie_array ? "the array of a packet is not read again"
                            : "the ingress and the choice of ports are behind it");
  else
    diag_error(c->ir, at, "egress-field",
               "'%s' is 'meta.%.*s', which a packet has behind its queue: an egress function can "
               "read it ('egress void name(struct Packet p)')",
               f->info.name, (int)f->tie_name->len, f->tie_name->text);
  diag_note(c->ir, f->tie_at, "it is tied here");
}

static void check_field(struct checker *c, struct expr *e) {
  struct sluice_program *p = c->ir->program;
  // A malleable field, which this has been before: the target of `op=` stands in its value too.
  if (e->base == e->name || check_table_value(c, e)) return;
  const struct token *packet = c->function ? c->function->packet : p->param;
  if (e->base->len != packet->len || memcmp(e->base->text, packet->text, e->base->len) != 0) {
    diag_error(c->ir, e->base, "unknown-name",
               "'" TOKEN "' is not the packet; it is called '" TOKEN "'", TOKEN_ARGS(e->base),
               TOKEN_ARGS(packet));
    return;
  }
  if (check_find_field(p, e->name, &e->id)) {
    check_elsewhere(c, p->field[e->id], e->name);
    const struct token **words = c->function ? &c->function->words_at : &c->words_at;
    if (p->field[e->id]->info.home == SLUICE_HOME_ARRAY && !*words) *words = e->name;
    if (p->field[e->id]->info.param)
      diag_error(c->ir, e->name, "malleable",
                 "'%s' is a malleable field, written without '" TOKEN ".'",
                 p->field[e->id]->info.name, TOKEN_ARGS(p->param));
    return;
  }
  diag_error(c->ir, e->name, "unknown-field", "struct Packet has no field '" TOKEN "'",
             TOKEN_ARGS(e->name));
}

static void check_state(struct checker *c, struct expr *e) {
  struct sluice_program *p = c->ir->program;
  if (check_argument(c, e)) return;
  for (size_t i = 0; i < p->num_states && !stray(p, e->name); i++)
    if (check_same(e->name, p->state[i]->info.name)) {
      e->id = (unsigned)i;
      if (p->state[i]->info.scalar && e->num_args)
        diag_error(c->ir, e->at, "not-array", "'%s' is not an array", p->state[i]->info.name);
      if (!p->state[i]->info.scalar && !e->num_args)
        diag_error(c->ir, e->at, "no-index", "'%s' is an array: which entry?",
                   p->state[i]->info.name);
      return;
    }
  for (size_t i = 0; i < p->num_malleables && !stray(p, e->name); i++) {
    const struct malleable *m = p->malleable[i];
    if (!check_same(e->name, m->name)) continue;
    e->kind = m->is_field ? EXPR_FIELD : EXPR_PARAM;
    e->id = m->is_field ? m->field : (unsigned)i;
    if (e->num_args) diag_error(c->ir, e->at, "not-array", "'%s' is not an array", m->name);
    e->num_args = 0;
    return;
  }
  for (size_t i = 0; p->outer && i < p->outer->num_malleables; i++)
    if (check_same(e->name, p->outer->malleable[i]->name)) {
      diag_error(c->ir, e->at, "egress-malleable",
                 "'%s' is a malleable, which an egress function cannot read",
                 p->outer->malleable[i]->name);
      return;
    }
  diag_error(c->ir, e->at, "unknown-name", "there is no state variable '" TOKEN "'",
             TOKEN_ARGS(e->name));
}

static void check_call(struct checker *c, struct expr *e) {
  if (check_row_call(c, e)) return;
  if (check_same(e->name, "lookup")) {
    diag_error(
        c->ir, e->at, "lookup-value",
        "'lookup' is no part of an expression: 'p.found = lookup(name, p.v);' is a statement");
    e->num_args = 0;
    return;
  }
  for (unsigned i = 0; i < num_builtins; i++)
    if (check_same(e->name, builtins[i].name)) {
      e->id = i;
      if (c->ir->program->outer)
        diag_error(c->ir, e->at, "egress-hash",
                   "'%s' takes a hash unit, and egress stages have none: '%s' can write it into "
                   "the packet",
                   builtins[i].name, c->ir->program->outer->name);
      if (e->num_args < builtins[i].min_args || e->num_args > builtins[i].max_args)
        diag_error(c->ir, e->at, "arguments", "'%s' takes %u%s argument%s, not %u",
                   builtins[i].name, builtins[i].max_args,
                   builtins[i].min_args < builtins[i].max_args ? " or fewer" : "",
                   builtins[i].max_args == 1 ? "" : "s", e->num_args);
      return;
    }
  if (check_same(e->name, "apply")) {
    diag_error(c->ir, e->at, "unknown-function",
               "'apply' is a statement, without a value: let the actions of the table set a field, "
               "and test that");
    e->num_args = 0;
    return;
  }
  diag_error(c->ir, e->at, "unknown-function",
             "there is no function '" TOKEN
             "'; there are hash2, hash3 and hash, and of rows max, min and add_sat",
             TOKEN_ARGS(e->name));
}

void check_expr(struct checker *c, struct expr *e) {
  struct expr *x = expr_first(e);
  if (x->kind == EXPR_FIELD) check_field(c, x);
  if (x->kind == EXPR_STATE) check_state(c, x);
  if (x->kind == EXPR_CALL) check_call(c, x);
  for (unsigned i = 0; i < x->num_args; i++) check_expr(c, x->arg[i]);
  while (x != e) {
    const bool action = x->kind == EXPR_ACTION;
    x = x->up;
    if (action) check_compared(c, x);
    else if (x->num_args == 2) check_expr(c, x->arg[1]);
  }
  if (e->kind == EXPR_ACTION) check_compared(c, e);
}

// A malleable field that is written: all its choices must be bytes.
static void check_written(struct checker *c, const struct expr *target, const struct malleable *m) {
  for (unsigned i = 0; i < m->num; i++) {
    const struct field *f = c->ir->program->field[m->choice[i]];
    if (f->info.home != SLUICE_HOME_METADATA) continue;
    diag_error(c->ir, target->at, "read-only",
               "'%s' may be '%s', which is metadata that cannot be changed", m->name, f->info.name);
    diag_note(c->ir, m->choice_at[i], "it is a choice here");
    return;
  }
}

// What assignments to a field may not do.
static void check_target(struct checker *c, const struct stmt *s) {
  struct field *f = c->ir->program->field[s->target->id];
  f->info.assigned = true;
  if (f->shown && !of_system(c->ir->program, s->target->at))
    diag_error(c->ir, s->target->at, "read-only",
               "'" TOKEN "' is the system-level module's, a program only reads it",
               TOKEN_ARGS(s->target->name));
  if (f->info.param) check_written(c, s->target, c->ir->program->malleable[f->info.param - 1]);
  if (f->info.param && f->info.width == 6 && (c->ifs || c->function))
    diag_error(c->ir, s->target->at, "choice",
               "'%s' is a malleable field of 6 bytes, which is written as a whole: assign it under "
               "no condition",
               f->info.name);
  if (!f->info.param && f->info.home == SLUICE_HOME_METADATA) {
    diag_error(c->ir, s->target->at, "read-only", "'%s' is metadata that cannot be changed",
               f->info.name);
    diag_note(c->ir, f->tie_at, "it is tied here");
  }
}

void check_stmt(struct checker *c, struct stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) {
      check_stmt(c, s->body);
    } else if (s->kind == STMT_IF) {
      check_expr(c, s->value);
      check_single(c, s->value);
      c->ifs++;
      check_stmt(c, s->then);
      check_stmt(c, s->otherwise);
      c->ifs--;
    } else if (s->kind == STMT_APPLY) {
      check_apply(c, s);
    } else if (s->kind == STMT_LOOKUP) {
      const size_t errors = c->ir->num_errors;
      if (check_lookup(c, s) && s->target && c->ir->num_errors == errors) check_target(c, s);
    } else {
      size_t errors = c->ir->num_errors;
      check_expr(c, s->target);
      if (check_whole(c, s)) continue;
      check_expr(c, s->value);
      check_assigned(c, s);
      if (s->target->kind == EXPR_ARG || s->target->kind == EXPR_HIT ||
          s->target->kind == EXPR_ACTION)
        diag_error(c->ir, s->target->at, "read-only", "'" TOKEN "' cannot be assigned",
                   TOKEN_ARGS(s->target->at));
      if (s->target->kind == EXPR_PARAM)
        diag_error(c->ir, s->target->at, "read-only",
                   "'%s' is a malleable value: the control plane gives it, a packet only reads it",
                   c->ir->program->malleable[s->target->id]->name);
      if (s->target->kind != EXPR_FIELD || c->ir->num_errors > errors) continue;
      check_target(c, s);
    }
  }
}

static bool is_bytes(const struct sluice_program_field *f) {
  return f->home == SLUICE_HOME_BYTES || f->home == SLUICE_HOME_ARRAY;
}

static unsigned bytes_end(const struct sluice_program_field *f) {
  return f->offset + (f->words ? 4 * f->words : f->width);
}

static bool same_bytes(const struct sluice_program_field *x, const struct sluice_program_field *y) {
  return is_bytes(x) && is_bytes(y) && x->offset < bytes_end(y) && y->offset < bytes_end(x);
}

// A choice of a malleable field is not assigned by its own name, nor by another field over it; if
// the malleable field is assigned, no other field shares bytes with a choice but the choice itself.
static void check_choices(struct checker *c, const struct malleable *m) {
  const struct sluice_program *p = c->ir->program;
  const bool written = p->field[m->field]->info.assigned;
  for (unsigned i = 0; i < m->num; i++) {
    const struct sluice_program_field *x = &p->field[m->choice[i]]->info;
    for (size_t j = 0; j < p->num_fields; j++) {
      const struct sluice_program_field *y = &p->field[j]->info;
      if (y->param || !same_bytes(x, y) || !(y->assigned || (written && j != m->choice[i])))
        continue;
      diag_error(c->ir, p->field[j]->at, "overlap",
                 y->assigned
                     ? "'%s' is assigned, and the malleable field '%s' may be the same bytes"
                     : "'%s' lies over a choice of the malleable field '%s', which is assigned",
                 y->name, m->name);
      diag_note(c->ir, m->at, "the malleable is here");
      return;
    }
    for (size_t k = 0; k < p->num_malleables && written; k++) {
      const struct malleable *other = p->malleable[k];
      for (unsigned n = 0; other->is_field && other != m && n < other->num; n++)
        if (same_bytes(x, &p->field[other->choice[n]]->info)) {
          diag_error(c->ir, other->at, "overlap",
                     "'%s' and '%s' may be the same bytes, and '%s' is assigned", m->name,
                     other->name, m->name);
          diag_note(c->ir, m->at, "the other one is here");
          return;
        }
    }
  }
}

// Two fields over the same bytes would each change the other; only reading both is harmless.
static void check_overlaps(struct checker *c) {
  struct sluice_program *p = c->ir->program;
  for (size_t i = 0; i < p->num_fields; i++)
    for (size_t j = i + 1; j < p->num_fields; j++) {
      const struct sluice_program_field *x = &p->field[i]->info, *y = &p->field[j]->info;
      bool both = !x->param && !y->param && (x->assigned || y->assigned);
      bool other = x->home == y->home && x->home > SLUICE_HOME_METADATA;
      if (both && (same_bytes(x, y) || other)) {
        diag_error(c->ir, p->field[j]->at, "overlap",
                   "'%s' and '%s' lie over each other, and '%s' is assigned", x->name, y->name,
                   x->assigned ? x->name : y->name);
        diag_note(c->ir, p->field[i]->at, "the other one is here");
      }
    }
}

static void check_program(struct checker *c) {
  check_fields(c);
  check_bindings(c);
  check_arrays(c);
  check_states(c);
  check_malleables(c);
  if (strlen(c->ir->program->name) >= SLUICE_NAME_LEN)
    diag_error(c->ir, c->ir->program->name_at, "long-name", "a name has at most %d characters",
               SLUICE_NAME_LEN - 1);
  check_flow_order(c);
  c->words_at = NULL;
  check_tables(c);
  check_word_table(c);
  check_stmt(c, c->ir->program->body);
  if (c->ir->num_errors == 0) check_widths(c);
  check_applied(c);
  check_looked_up(c);
  check_overlaps(c);
  for (size_t i = 0; i < c->ir->program->num_malleables && c->ir->num_errors == 0; i++)
    if (c->ir->program->malleable[i]->is_field) check_choices(c, c->ir->program->malleable[i]);
  give_up_on_errors(c->ir);
  warn(c->ir);
}

void check(struct ir_context *c) {
  struct sluice_program *p = c->program;
  struct checker k = {.ir = c};
  check_program(&k);
  if (!p->egress) return;
  c->program = p->egress;
  check_program(&k);
  c->program = p;
}
