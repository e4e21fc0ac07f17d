// SPDX-License-Identifier: Apache-2.0
// Binds names, and checks all that can be said without looking at the chip: sizes, homes, kinds.
// (That an array is used at one address only needs values: addresses() in ssa.c.)
#include <string.h>

#include "internal.h"

enum { HEADER_LEN = 128, MAX_ENTRIES = 65535, MAX_STAGES = 16 };

static char *text_of(struct compiler *c, const struct token *t) {
  return arena_text(c->arena, t->text, t->len);
}

static bool same(const struct token *t, const char *text) {
  return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

// The value of an expression of numbers alone.
static bool constant(struct compiler *c, const struct expr *e, int32_t *value) {
  int32_t x = 0, y = 0, z = 0;
  switch (e->kind) {
    case EXPR_NUMBER: *value = e->value; return true;
    case EXPR_OP:
      if (!constant(c, e->arg[0], &x) || (e->num_args == 2 && !constant(c, e->arg[1], &y)))
        return false;
      *value = op_eval(e->op, x, y);
      return true;
    case EXPR_COND:
      if (!constant(c, e->arg[0], &x) || !constant(c, e->arg[1], &y) || !constant(c, e->arg[2], &z))
        return false;
      *value = x ? y : z;
      return true;
    default: diag_error(c, e->at, "not-constant", "a number must stand here"); return false;
  }
}

static void check_bytes(struct compiler *c, struct field *f) {
  int32_t offset = 0, width = 0;
  if (!constant(c, f->tie_offset, &offset) || !constant(c, f->tie_width, &width)) return;
  if (width != 1 && width != 2 && width != 4 && width != 6)
    diag_error(c, f->tie_at, "field-width", "a field is 1, 2, 4 or 6 bytes wide, not %d", width);
  else if (offset < 0 || offset > HEADER_LEN - width)
    diag_error(c, f->tie_at, "field-offset",
               "bytes %d..%d are not among the first %d, which the parser reaches", offset,
               offset + width - 1, HEADER_LEN);
  f->info.home = SLUICE_HOME_BYTES;
  f->info.offset = (unsigned)offset % HEADER_LEN;
  f->info.width = (unsigned)width;
}

static void check_fields(struct compiler *c) {
  struct sluice_program *p = c->program;
  if (p->num_fields > MAX_FIELDS)
    diag_fatal(c, p->struct_at, "too-many-fields",
               "struct Packet has %zu fields, at most %d are possible", p->num_fields, MAX_FIELDS);
  p->field = NEW_ARRAY(c->arena, struct field *, p->num_fields + 1);
  size_t n = 0;
  for (struct field *f = p->field_list; f; f = f->next) {
    f->info.name = text_of(c, f->at);
    for (size_t i = 0; i < n; i++)
      if (strcmp(p->field[i]->info.name, f->info.name) == 0) {
        diag_error(c, f->at, "twice", "a second packet field '%s'", f->info.name);
        diag_note(c, p->field[i]->at, "the first one is here");
      }
    if (strlen(f->info.name) >= SLUICE_NAME_LEN)
      diag_error(c, f->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
    if (f->tie_offset) check_bytes(c, f);
    else if (f->tie_group &&
             !home_find(&f->info, text_of(c, f->tie_group), text_of(c, f->tie_name)))
      diag_error(c, f->tie_at, "unknown-home",
                 "there is no '%.*s.%.*s'; see docs/programs.md for the list",
                 (int)f->tie_group->len, f->tie_group->text, (int)f->tie_name->len,
                 f->tie_name->text);
    p->field[n++] = f;
  }
}

static void check_states(struct compiler *c) {
  struct sluice_program *p = c->program;
  if (p->num_states > MAX_STATES)
    diag_fatal(c, p->struct_at, "too-many-states",
               "the program has %zu state variables, at most %d are possible", p->num_states,
               MAX_STATES);
  p->state = NEW_ARRAY(c->arena, struct state *, p->num_states + 1);
  size_t n = 0;
  for (struct state *s = p->state_list; s; s = s->next) {
    s->info.name = text_of(c, s->at);
    s->info.scalar = !s->size;
    s->info.size = 1;
    int32_t size = 1;
    for (size_t i = 0; i < n; i++)
      if (strcmp(p->state[i]->info.name, s->info.name) == 0) {
        diag_error(c, s->at, "twice", "a second state variable '%s'", s->info.name);
        diag_note(c, p->state[i]->at, "the first one is here");
      }
    if (strlen(s->info.name) >= SLUICE_NAME_LEN)
      diag_error(c, s->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
    if (s->size && constant(c, s->size, &size)) {
      if (size < 1 || size > MAX_ENTRIES)
        diag_error(c, s->size->at, "array-size", "'%s' has %d entries, 1 to %d are possible",
                   s->info.name, size, MAX_ENTRIES);
      else s->info.size = (unsigned)size;
    }
    if (s->init) constant(c, s->init, &s->info.init);
    int32_t place = 0;
    s->place = ANYWHERE;
    if (s->stage && constant(c, s->stage, &place)) {
      if (place < 0 || place >= MAX_STAGES)
        diag_error(c, s->stage_at, "stage-number", "back stages are counted from 0 to at most %d",
                   MAX_STAGES - 1);
      else s->place = place;
    }
    p->state[n++] = s;
  }
}

static bool find_field(const struct sluice_program *p, const struct token *name, unsigned *id) {
  for (size_t i = 0; i < p->num_fields; i++)
    if (same(name, p->field[i]->info.name)) {
      *id = (unsigned)i;
      return true;
    }
  return false;
}

static void check_flow_order(struct compiler *c) {
  struct flow_order *f = &c->program->flow_order;
  int32_t entries = 0;
  if (!f->size || !constant(c, f->size, &entries)) return;
  if (entries < 1 || entries > MAX_ENTRIES)
    diag_error(c, f->size->at, "array-size", "a flow order has 1 to %d entries, not %d",
               MAX_ENTRIES, entries);
  f->entries = (unsigned)entries;
  for (unsigned i = 0; i < f->num_fields; i++) {
    if (!find_field(c->program, f->name[i], &f->field[i])) {
      diag_error(c, f->name[i], "unknown-field", "struct Packet has no field '%.*s'",
                 (int)f->name[i]->len, f->name[i]->text);
      continue;
    }
    const struct field *field = c->program->field[f->field[i]];
    if (field->info.home != SLUICE_HOME_BYTES && field->info.home != SLUICE_HOME_METADATA)
      diag_error(c, f->name[i], "flow-field",
                 "'%s' is not tied to bytes of the packet, which tell its flow", field->info.name);
  }
}

static void check_expr(struct compiler *c, struct expr *e);

static void check_field(struct compiler *c, struct expr *e) {
  struct sluice_program *p = c->program;
  if (e->base->len != p->param->len || memcmp(e->base->text, p->param->text, e->base->len) != 0) {
    diag_error(c, e->base, "unknown-name", "'%.*s' is not the packet; it is called '%.*s'",
               (int)e->base->len, e->base->text, (int)p->param->len, p->param->text);
    return;
  }
  if (find_field(p, e->name, &e->id)) return;
  diag_error(c, e->name, "unknown-field", "struct Packet has no field '%.*s'", (int)e->name->len,
             e->name->text);
}

static void check_state(struct compiler *c, struct expr *e) {
  struct sluice_program *p = c->program;
  for (size_t i = 0; i < p->num_states; i++)
    if (same(e->name, p->state[i]->info.name)) {
      e->id = (unsigned)i;
      if (p->state[i]->info.scalar && e->num_args)
        diag_error(c, e->at, "not-array", "'%s' is not an array", p->state[i]->info.name);
      if (!p->state[i]->info.scalar && !e->num_args)
        diag_error(c, e->at, "no-index", "'%s' is an array: which entry?", p->state[i]->info.name);
      return;
    }
  diag_error(c, e->at, "unknown-name", "there is no state variable '%.*s'", (int)e->name->len,
             e->name->text);
}

static void check_call(struct compiler *c, struct expr *e) {
  for (unsigned i = 0; i < num_builtins; i++)
    if (same(e->name, builtins[i].name)) {
      e->id = i;
      if (e->num_args < builtins[i].min_args || e->num_args > builtins[i].max_args)
        diag_error(c, e->at, "arguments", "'%s' takes %u%s argument%s, not %u", builtins[i].name,
                   builtins[i].max_args,
                   builtins[i].min_args < builtins[i].max_args ? " or fewer" : "",
                   builtins[i].max_args == 1 ? "" : "s", e->num_args);
      return;
    }
  diag_error(c, e->at, "unknown-function",
             "there is no function '%.*s'; there are hash2, hash3 and hash", (int)e->name->len,
             e->name->text);
}

static void check_expr(struct compiler *c, struct expr *e) {
  if (e->kind == EXPR_FIELD) check_field(c, e);
  if (e->kind == EXPR_STATE) check_state(c, e);
  if (e->kind == EXPR_CALL) check_call(c, e);
  for (unsigned i = 0; i < e->num_args; i++) check_expr(c, e->arg[i]);
}

static void check_stmt(struct compiler *c, struct stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) {
      check_stmt(c, s->body);
    } else if (s->kind == STMT_IF) {
      check_expr(c, s->value);
      check_stmt(c, s->then);
      check_stmt(c, s->otherwise);
    } else {
      size_t errors = c->num_errors;
      check_expr(c, s->target);
      check_expr(c, s->value);
      if (s->target->kind != EXPR_FIELD || c->num_errors > errors) continue;
      struct field *f = c->program->field[s->target->id];
      f->info.assigned = true;
      if (f->info.home == SLUICE_HOME_METADATA) {
        diag_error(c, s->target->at, "read-only", "'%s' is metadata that cannot be changed",
                   f->info.name);
        diag_note(c, f->tie_at, "it is tied here");
      }
    }
  }
}

// Two fields over the same bytes would each change the other; only reading both is harmless.
static void check_overlaps(struct compiler *c) {
  struct sluice_program *p = c->program;
  for (size_t i = 0; i < p->num_fields; i++)
    for (size_t j = i + 1; j < p->num_fields; j++) {
      const struct sluice_program_field *x = &p->field[i]->info, *y = &p->field[j]->info;
      bool both = x->home == y->home && (x->assigned || y->assigned);
      bool bytes = x->home == SLUICE_HOME_BYTES && x->offset < y->offset + y->width &&
                   y->offset < x->offset + x->width;
      if (both && (bytes || x->home > SLUICE_HOME_METADATA)) {
        diag_error(c, p->field[j]->at, "overlap",
                   "'%s' and '%s' lie over each other, and '%s' is assigned", x->name, y->name,
                   x->assigned ? x->name : y->name);
        diag_note(c, p->field[i]->at, "the other one is here");
      }
    }
}

void check(struct compiler *c) {
  check_fields(c);
  check_states(c);
  if (strlen(c->program->name) >= SLUICE_NAME_LEN)
    diag_error(c, c->program->name_at, "long-name", "a name has at most %d characters",
               SLUICE_NAME_LEN - 1);
  check_flow_order(c);
  check_stmt(c, c->program->body);
  check_overlaps(c);
  give_up_on_errors(c);
}
