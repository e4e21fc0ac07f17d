// SPDX-License-Identifier: Apache-2.0
// What the language allows and is probably not meant: a field that is read and that nothing gives a
// value, a program that changes neither packets nor state, an output port that nobody sets, an
// order of numbers of which some are negative, bytes that a checksum covers.
#include <string.h>

#include "table.h"

// Which fields have a value that was given to them, on some way to here.
struct given {
  bool field[MAX_FIELDS];
};

static void give_also(struct given *given, const struct given *other) {
  for (unsigned f = 0; f < MAX_FIELDS; f++) given->field[f] |= other->field[f];
}

static void read(struct ir_context *c, const struct given *given, const struct expr *e);

static void read_leaf(struct ir_context *c, const struct given *given, const struct expr *e) {
  for (unsigned i = 0; i < e->num_args; i++) read(c, given, e->arg[i]);
  if (e->kind != EXPR_FIELD || given->field[e->id]) return;
  struct field *f = c->program->field[e->id];
  if (f->info.home != SLUICE_HOME_TEMPORARY || f->warned) return;
  f->warned = true;
  if (f->info.assigned)
    diag_warning(c, e->name, "unset",
                 "'%s' is 0 here: it has no home in the packet ('@'), and is assigned only later",
                 f->info.name);
  else
    diag_warning(c, e->name, "unset",
                 "'%s' is always 0: it has no home in the packet ('@'), and nothing assigns it",
                 f->info.name);
}

// ---- orders -------------------------------------------------------------------------------------

// Numbers have a sign: an address from 128.0.0.0 on is negative, and so is a number from 2^31 on.
static void check_order(struct ir_context *c, const struct expr *x) {
  if (x->op != OP_LT && x->op != OP_LE && x->op != OP_GT && x->op != OP_GE) return;
  for (unsigned i = 0; i < 2; i++) {
    const struct expr *e = x->arg[i];
    if (e->kind == EXPR_NUMBER && e->value < 0) {
      diag_warning(c, e->at, "signed",
                   "this number is %d here: numbers have a sign, and those from 2147483648 on are "
                   "less than 0",
                   e->value);
      return;
    }
    const struct sluice_program_field *f = e->kind == EXPR_FIELD ? &c->program->field[e->id]->info
                                                                 : NULL;
    if (!f || f->home != SLUICE_HOME_BYTES || f->width != 4 || (f->offset != 30 && f->offset != 34))
      continue;
    diag_warning(c, e->at, "signed",
                 "'%s' is an address, and those from 128.0.0.0 on are less than 0 here; compare "
                 "parts ('%s >> 16 & 0xffff'), or look it up in a table with prefixes",
                 f->name, f->name);
    return;
  }
}

static void read(struct ir_context *c, const struct given *given, const struct expr *e) {
  const struct expr *x = expr_first(e);
  read_leaf(c, given, x);
  while (x != e) {
    x = x->up;
    if (x->num_args == 2) {
      check_order(c, x);
      read(c, given, x->arg[1]);
    }
  }
}

// ---- bytes under a checksum ---------------------------------------------------------------------

static bool in_header(const struct field *f, const char *group) {
  return f->tie_group && f->tie_group->len == strlen(group) &&
         memcmp(f->tie_group->text, group, f->tie_group->len) == 0;
}

// Bytes of which a receiver checks a sum. A program that writes a checksum does so for itself.
static void check_sums(struct ir_context *c) {
  static const struct {
    const char *group;
    unsigned at;
  } sums[] = {{"ipv4", 28}, {"udp", 44}, {"tcp", 54}};
  const struct sluice_program *p = c->program;
  for (unsigned k = 0; k < sizeof sums / sizeof sums[0] && !p->checksum; k++) {
    const struct field *written = NULL;
    bool own = false;
    for (size_t i = 0; i < p->num_fields; i++) {
      const struct field *f = p->field[i];
      if (!in_header(f, sums[k].group) || !f->info.assigned) continue;
      own |= f->info.offset == sums[k].at;
      if (!written) written = f;
    }
    if (!written || own) continue;
    diag_warning(c, written->at, "checksum",
                 "'%s' is assigned, and a checksum covers it: receivers drop the packet; write "
                 "'option checksum;'",
                 written->info.name);
    return;
  }
}

static void walk(struct ir_context *c, struct given *given, const struct stmt *s, bool *changes);

// Any of the actions may be what is done.
static void walk_actions(struct ir_context *c, struct given *given, const struct table *t,
                         bool *changes) {
  struct given *after = NEW(c->arena, struct given), *one = NEW(c->arena, struct given);
  *after = *given;
  for (unsigned i = 0; i < t->num_actions; i++) {
    if (!t->action[i].function) continue;
    *one = *given;
    walk(c, one, t->action[i].function->body, changes);
    give_also(after, one);
  }
  *given = *after;
}

static void walk(struct ir_context *c, struct given *given, const struct stmt *s, bool *changes) {
  for (; s; s = s->next) {
    if (s->kind == STMT_APPLY) {
      walk_actions(c, given, c->program->table[s->table], changes);
      continue;
    }
    if (s->kind == STMT_BLOCK) {
      walk(c, given, s->body, changes);
      continue;
    }
    if (s->kind == STMT_LOOKUP) {
      *changes = true;
      if (s->target) given->field[s->target->id] = true;
      continue;
    }
    read(c, given, s->value);
    if (s->kind == STMT_IF) {
      struct given *otherwise = NEW(c->arena, struct given);
      *otherwise = *given;
      walk(c, given, s->then, changes);
      walk(c, otherwise, s->otherwise, changes);
      give_also(given, otherwise);
      continue;
    }
    if (s->target->num_args) read(c, given, s->target->arg[0]);
    *changes |= s->target->kind == EXPR_STATE ||
                c->program->field[s->target->id]->info.home != SLUICE_HOME_TEMPORARY;
    if (s->target->kind == EXPR_FIELD) given->field[s->target->id] = true;
  }
}

void warn(struct ir_context *c) {
  struct given *given = NEW(c->arena, struct given);
  bool changes = false;
  walk(c, given, c->program->body, &changes);
  if (!changes)
    diag_warning(c, c->program->name_at, "no-effect",
                 "the program changes neither state nor packets: what it assigns has no home in "
                 "the packet ('@')");
  check_sums(c);
  bool sets = c->program->outer != NULL;  // the port of a copy is decided
  for (size_t i = 0; i < c->program->num_fields; i++)
    sets |= c->program->field[i]->info.home == SLUICE_HOME_PORTS_OUT;
  for (size_t i = 0; i < c->program->num_fields && !sets; i++) {
    const struct field *f = c->program->field[i];
    if (f->info.home == SLUICE_HOME_PORT_OUT && !f->info.assigned)
      diag_warning(c, f->at, "no-port", "nothing assigns '%s', so packets leave by port 0",
                   f->info.name);
  }
}
