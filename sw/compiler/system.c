// SPDX-License-Identifier: Apache-2.0
// A system-level module: a second text, of the operator, whose statements stand before and behind
// those of the program (docs/isolation.md). The two texts see nothing of each other but what the
// operator's shows:
//
//     int seen @ module.seen;      of the operator: a program reads it as `int x @ system.seen;`
//     int to @ module.port_out;    what the program gives its meta.port_out
//
// All other names that the operator's text declares become `system.NAME`, which no program can
// write, since a name has no dot in it.
#include <string.h>

#include "../base/cuckoo.h"
#include "check.h"
#include "internal.h"
#include "table.h"

static bool same(const struct token *a, const struct token *b) {
  return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static bool is_word(const struct token *t, const char *word) {
  return t->kind == TOKEN_NAME && check_same(t, word);
}

static bool is_mark(const struct token *t, const char *mark) {
  return t->kind == TOKEN_MARK && check_same(t, mark);
}

// ---- names --------------------------------------------------------------------------------------

// `int NAME`, `table NAME`, `lookup NAME`, `void NAME`: but not parameters of actions, which are
// their own.
static bool declares(const struct token *t, const struct token *first, int parentheses) {
  return t > first && t->kind == TOKEN_NAME && !parentheses &&
         (is_word(t - 1, "int") || is_word(t - 1, "table") || is_word(t - 1, "lookup") ||
          is_word(t - 1, "void"));
}

void system_names(struct ir_context *c) {
  struct sluice_program *p = c->program;
  const struct token **names = NEW_ARRAY(c->arena, const struct token *, p->num_system + 1);
  size_t num = 0;
  int parentheses = 0;
  for (const struct token *t = p->system; t->kind != TOKEN_END; t++) {
    parentheses += is_mark(t, "(") - is_mark(t, ")");
    if (is_word(t, "reaction"))
      diag_fatal(c, t, "system-reaction", "a system-level module has no reactions");
    if (!declares(t, p->system, parentheses)) continue;
    struct token *copy = NEW(c->arena, struct token);
    *copy = *t;
    names[num++] = copy;
  }
  for (struct token *t = p->system; t->kind != TOKEN_END; t++) {
    // A home is no name of the text: @ ipv4.dst
    const bool group = t > p->system && is_mark(t - 1, "@");
    const bool home = t > p->system + 2 && is_mark(t - 1, ".") && is_mark(t - 3, "@");
    if (t->kind != TOKEN_NAME || group || home) continue;
    for (size_t i = 0; i < num; i++) {
      if (!same(t, names[i])) continue;
      char *text = arena_alloc(c->arena, t->len + 8);
      t->len = (unsigned)snprintf(text, t->len + 8, "system.%.*s", (int)t->len, t->text);
      t->text = text;
      break;
    }
  }
}

// ---- statements ---------------------------------------------------------------------------------

// The operator's text calls the packet as the program does.
static void one_packet(struct ir_context *c) {
  struct sluice_program *p = c->program;
  const struct token *first = NULL;
  for (const struct function *f = p->functions; f; f = f->next) {
    if (!of_system(p, f->at)) continue;
    if (first && !same(f->packet, first)) {
      diag_error(c, f->packet, "system-packet",
                 "a system-level module calls the packet by one name: '" TOKEN "'",
                 TOKEN_ARGS(first));
      return;
    }
    if (!first) {
      struct token *copy = NEW(c->arena, struct token);
      *copy = *f->packet;
      first = copy;
    }
  }
  for (struct token *t = p->system; first && t->kind != TOKEN_END; t++)
    if (t->kind == TOKEN_NAME && same(t, first)) {
      t->text = p->param->text;
      t->len = p->param->len;
    }
}

static struct stmt *half(struct ir_context *c, const struct function *f) {
  if (!f) return NULL;
  if (f->num_args)
    diag_error(c, f->arg[0].at, "arguments", "before and after have no parameters but the packet");
  return f->body;
}

static void join(struct ir_context *c, struct stmt **body, struct stmt *const *parts,
                 unsigned num) {
  struct stmt *all = NEW(c->arena, struct stmt), **end = &all->body;
  all->kind = STMT_BLOCK;
  all->at = (*body)->at;
  for (unsigned i = 0; i < num; i++) {
    if (!parts[i]) continue;
    *end = parts[i];
    end = &parts[i]->next;
  }
  *body = all;
}

void system_egress(struct ir_context *c, const struct function *f) {
  struct sluice_program *p = c->program;
  if (p->leaves) {
    diag_error(c, f->at, "twice", "a second egress function of the system-level module");
    diag_note(c, p->leaves->at, "the first one is here");
    return;
  }
  p->leaves = f;
}

// Behind the queues the operator has the last word, too: a program acts there only before it.
static void join_egress(struct ir_context *c) {
  struct sluice_program *p = c->program;
  if (!p->leaves) {
    if (p->egress)
      diag_fatal(c, p->egress->name_at, "system-egress",
                 "'%s' would act behind all functions of the system-level module, which has no "
                 "egress function of its own ('egress void name(struct Packet p)')",
                 p->egress->name);
    return;
  }
  if (!p->egress) {
    egress_function(c, p->leaves);
    return;
  }
  if (p->leaves->num_args)
    diag_error(c, p->leaves->arg[0].at, "arguments",
               "an egress function has no parameters but the packet");
  if (!same(p->egress->param, p->param)) {
    diag_error(c, p->egress->param, "system-packet",
               "under a system-level module with an egress function both functions of a program "
               "call the packet by one name: '" TOKEN "'",
               TOKEN_ARGS(p->param));
    return;
  }
  struct stmt *parts[] = {p->egress->body, p->leaves->body};
  join(c, &p->egress->body, parts, 2);
}

void system_join(struct ir_context *c) {
  struct sluice_program *p = c->program;
  if (!p->before && !p->after)
    diag_fatal(c, p->system, "system",
               "a system-level module has a function 'before' or 'after', or both");
  one_packet(c);
  struct stmt *parts[] = {half(c, p->before), p->body, half(c, p->after)};
  join(c, &p->body, parts, 3);
  join_egress(c);
  give_up_on_errors(c);
}

// ---- fields -------------------------------------------------------------------------------------

static bool tied_to(const struct field *f, const char *group, const char *name) {
  return f->tie_group && check_same(f->tie_group, group) &&
         (!name || check_same(f->tie_name, name));
}

// `int to @ module.port_out;`: the program's own destination. Others are shown to programs.
static void module_field(struct ir_context *c, struct field *f) {
  struct sluice_program *p = c->program;
  if (!tied_to(f, "module", "port_out")) {
    f->shown = true;
    return;
  }
  for (size_t i = 0; i < p->num_fields; i++) {
    struct field *other = p->field[i];
    if (of_system(p, other->at) || other->info.home != SLUICE_HOME_PORT_OUT) continue;
    other->info.home = SLUICE_HOME_TEMPORARY;
    other->warned = true;
    f->alias = (unsigned)i + 1;
    return;
  }
  f->warned = true;
}

// `int x @ system.seen;` of a program.
static void system_field(struct ir_context *c, struct field *f) {
  struct sluice_program *p = c->program;
  for (size_t i = 0; i < p->num_fields; i++)
    if (p->field[i]->shown && same(p->field[i]->tie_name, f->tie_name)) {
      f->alias = (unsigned)i + 1;
      return;
    }
  diag_error(c, f->tie_at, "unknown-home",
             "the system-level module shows no '" TOKEN "' to programs", TOKEN_ARGS(f->tie_name));
}

// A field of the operator over the same bytes, or with the same part in metadata, as one of the
// program.
static void same_home(struct ir_context *c, struct field *f) {
  const struct sluice_program *p = c->program;
  const struct sluice_program_field *x = &f->info;
  for (size_t i = 0; i < p->num_fields && x->home != SLUICE_HOME_TEMPORARY; i++) {
    const struct sluice_program_field *y = &p->field[i]->info;
    if (of_system(p, p->field[i]->at) || p->field[i]->alias || x->words || y->words) continue;
    if (x->home != y->home || x->offset != y->offset || x->width != y->width) continue;
    f->alias = (unsigned)i + 1;
    f->info.home = SLUICE_HOME_TEMPORARY;
    return;
  }
}

// Of the egress function: what the texts show each other is not carried behind the queues.
static void egress_fields(struct ir_context *c) {
  struct sluice_program *p = c->program;
  for (size_t i = 0; i < p->num_fields; i++) {
    struct field *f = p->field[i];
    if (tied_to(f, of_system(p, f->at) ? "module" : "system", NULL))
      f->info.home = SLUICE_HOME_ELSEWHERE;
    else if (of_system(p, f->at)) same_home(c, f);
  }
}

void system_fields(struct ir_context *c) {
  struct sluice_program *p = c->program;
  bool ports = false;
  if (p->outer) {
    egress_fields(c);
    return;
  }
  for (size_t i = 0; i < p->num_fields; i++) {
    struct field *f = p->field[i];
    if (!of_system(p, f->at)) continue;
    if (tied_to(f, "module", NULL)) module_field(c, f);
    ports |= f->info.home == SLUICE_HOME_PORT_OUT || f->info.home == SLUICE_HOME_PORTS_OUT;
  }
  for (size_t i = 0; i < p->num_fields; i++) {
    struct field *f = p->field[i];
    if (of_system(p, f->at)) same_home(c, f);
    else if (tied_to(f, "system", NULL)) system_field(c, f);
    else if (ports && f->info.home == SLUICE_HOME_PORTS_OUT)
      diag_error(c, f->tie_at, "system-ports",
                 "sets of ports are the system-level module's: a program has meta.port_out");
  }
}

void sluice_system_name(const struct sluice_text *system, char name[SLUICE_NAME_LEN]) {
  const char *slash = strrchr(system->file, '/');
  snprintf(name, SLUICE_NAME_LEN, "%.40s %016llx", slash ? slash + 1 : system->file,
           (unsigned long long)sluice_crc64((const uint8_t *)system->text, system->len));
}
