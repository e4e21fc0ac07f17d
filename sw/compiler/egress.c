// SPDX-License-Identifier: Apache-2.0
// The egress function of a program: which arrays and tables are its own, and how its image joins
// that of the program. Between the two it is compiled as a program of its own, for the chip that it
// sees: E stages with state, in one output lane.
#include <string.h>

#include "check.h"
#include "table.h"

// ---- from the text to two programs --------------------------------------------------------------

void egress_function(struct ir_context *c, const struct function *f) {
  struct sluice_program *p = c->program;
  if (p->egress) {
    diag_error(c, f->at, "twice", "a second egress function");
    diag_note(c, p->egress->name_at, "the first one is here");
    return;
  }
  if (f->num_args)
    diag_error(c, f->arg[0].at, "arguments", "an egress function has no parameters but the packet");
  p->egress = NEW(c->arena, struct sluice_program);
  p->egress->name_at = f->at;
  p->egress->name = arena_text(c->arena, f->at->text, f->at->len);
  p->egress->param = f->packet;
  p->egress->body = f->body;
}

static bool same_name(const struct token *a, const struct token *b) {
  return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void used_by(struct ir_context *c, unsigned part, struct stmt *s);

static void state_used(struct ir_context *c, unsigned part, const struct expr *e) {
  const struct sluice_program *p = c->program;
  struct state *s = p->state_list;
  while (s && !same_name(s->at, e->name)) s = s->next;
  if (!s) return;
  const bool before = s->parts & part;
  s->parts |= part;
  if (part == PART_EGRESS && !before && s->parts & PART_INGRESS)
    diag_error(c, e->at, "egress-array",
               "'" TOKEN "' is used by '%s' and by the egress function '%s', whose memories are "
               "two: each array belongs to one of them",
               TOKEN_ARGS(s->at), p->name, p->egress->name);
  if (part == PART_INGRESS && !before && s->egress_at)
    diag_error(c, e->at, "egress-array",
               "'" TOKEN "' is an array of the egress function ('@ egress'), '%s' cannot use it",
               TOKEN_ARGS(s->at), p->name);
}

static void expr_used(struct ir_context *c, unsigned part, const struct expr *e) {
  const struct expr *x = expr_first(e);
  if (x->kind == EXPR_STATE) state_used(c, part, x);
  for (unsigned i = 0; i < x->num_args; i++) expr_used(c, part, x->arg[i]);
  while (x != e) {
    x = x->up;
    if (x->num_args == 2) expr_used(c, part, x->arg[1]);
  }
}

// What an action does, the function does that applies its table.
static void action_used(struct ir_context *c, unsigned part, const struct token *at) {
  struct function *f = c->program->functions;
  while (f && !(f->is_action && same_name(f->at, at))) f = f->next;
  if (!f || f->parts & part) return;
  f->parts |= part;
  if (f->parts == (PART_INGRESS | PART_EGRESS))
    diag_error(c, at, "egress-action",
               "'" TOKEN "' is an action of tables of '%s' and of the egress function '%s': it is "
               "written once for each",
               TOKEN_ARGS(at), c->program->name, c->program->egress->name);
  used_by(c, part, f->body);
}

static void table_used(struct ir_context *c, unsigned part, const struct stmt *s) {
  struct table *t = c->program->table_list;
  while (t && !same_name(t->at, s->name)) t = t->next;
  if (!t) return;
  t->parts |= part;
  if (part == PART_EGRESS && t->parts & PART_INGRESS) {
    diag_error(c, s->at, "egress-table",
               "'" TOKEN
               "' is applied by '%s' and by the egress function '%s': a table is applied once",
               TOKEN_ARGS(s->name), c->program->name, c->program->egress->name);
    return;
  }
  for (unsigned i = 0; i < t->num_actions; i++) action_used(c, part, t->action[i].at);
  if (t->otherwise.at) action_used(c, part, t->otherwise.at);
}

static void used_by(struct ir_context *c, unsigned part, struct stmt *s) {
  for (; s; s = s->next) {
    if (s->target) expr_used(c, part, s->target);
    if (s->value) expr_used(c, part, s->value);
    if (s->kind == STMT_APPLY) table_used(c, part, s);
    used_by(c, part, s->then);
    used_by(c, part, s->otherwise);
    used_by(c, part, s->body);
  }
}

// Moves the elements of a list for which the test holds to another list.
#define MOVE(TYPE, FROM, TO, TEST)       \
  do {                                   \
    TYPE **from = &(FROM), **to = &(TO); \
    while (*from) {                      \
      TYPE *x = *from;                   \
      if (!(TEST)) {                     \
        from = &x->next;                 \
        continue;                        \
      }                                  \
      *from = x->next;                   \
      x->next = NULL;                    \
      *to = x;                           \
      to = &x->next;                     \
    }                                    \
  } while (0)

static size_t num_states(const struct state *s) {
  size_t num = 0;
  for (; s; s = s->next) num++;
  return num;
}

static size_t num_tables(const struct table *t) {
  size_t num = 0;
  for (; t; t = t->next) num++;
  return num;
}

// Two arrays of one name stay together, where their twin is told.
static bool is_alone(const struct sluice_program *p, const struct state *s) {
  for (const struct state *x = p->state_list; x; x = x->next)
    if (x != s && same_name(x->at, s->at)) return false;
  for (const struct state *x = p->egress->state_list; x; x = x->next)
    if (same_name(x->at, s->at)) return false;
  return true;
}

// Fields are parsed again, so the function has each once more.
static void copy_fields(struct ir_context *c, const struct sluice_program *from,
                        struct sluice_program *to) {
  struct field **end = &to->field_list;
  for (const struct field *f = from->field_list; f; f = f->next) {
    *end = NEW(c->arena, struct field);
    **end = *f;
    (*end)->next = NULL;
    end = &(*end)->next;
  }
  to->num_fields = from->num_fields;
}

// Bindings name fields of both, and are told their places by a copy each.
static void copy_bindings(struct ir_context *c, const struct sluice_program *from,
                          struct sluice_program *to) {
  struct field **end = &to->bind_list;
  for (const struct field *f = from->bind_list; f; f = f->next) {
    *end = NEW(c->arena, struct field);
    **end = *f;
    (*end)->next = NULL;
    end = &(*end)->next;
  }
}

void egress_split(struct ir_context *c) {
  struct sluice_program *p = c->program, *q = p->egress;
  const struct state *marked = p->state_list;
  while (marked && !marked->egress_at) marked = marked->next;
  if (!q) {
    if (marked)
      diag_fatal(c, marked->egress_at, "egress-array",
                 "the program has no egress function ('egress void name(struct Packet p)')");
    return;
  }
  used_by(c, PART_INGRESS, p->body);
  used_by(c, PART_EGRESS, q->body);
  give_up_on_errors(c);
  q->outer = p;
  q->file = p->file;
  q->tokens = p->tokens;
  q->num_tokens = p->num_tokens;
  q->struct_at = p->struct_at;
  q->own_lines = p->own_lines;
  q->system = p->system;
  q->num_system = p->num_system;
  q->checksum = p->checksum;
  q->checksum_at = p->checksum_at;
  copy_fields(c, p, q);
  copy_bindings(c, p, q);
  MOVE(struct state, p->state_list, q->state_list,
       (x->parts == PART_EGRESS || x->egress_at) && is_alone(p, x));
  MOVE(struct table, p->table_list, q->table_list, x->parts == PART_EGRESS);
  MOVE(struct function, p->functions, q->functions, x->is_action && x->parts == PART_EGRESS);
  q->num_states = num_states(q->state_list);
  p->num_states -= q->num_states;
  q->num_tables = num_tables(q->table_list);
  p->num_tables -= q->num_tables;
}

// ---- the chip that it sees ----------------------------------------------------------------------

void egress_chip(const struct sluice_config *chip, struct sluice_config *seen) {
  const unsigned before = chip->BackStages + chip->FrontStages;
  *seen = *chip;
  seen->FrontStages = 0;
  seen->BackStages = seen->StateStages = chip->EgressStages;
  // An array is once in each output lane; the function sees one of them.
  seen->StateEntries = sluice_config_slots(chip);
  seen->NumPipes = 1;
  seen->HashUnits = 0;
  seen->ArrayWords = seen->ArrayStages = 0;
  seen->TernaryStages = chip->TernaryStages >> before;
  seen->CuckooStages = chip->CuckooStages >> before;
}

void egress_there(struct ir_context *c) {
  const struct sluice_config *chip = c->config;
  if (chip->EgressStages) return;
  diag_fatal(c, c->program->egress->name_at, "no-egress",
             "'%s' is an egress function, and chip '%s' has no egress stages; see --chip",
             c->program->egress->name, chip->name);
}

// ---- one image of both --------------------------------------------------------------------------

static enum sluice_table table_of(enum sluice_table table) {
  switch (table) {
    case SLUICE_TABLE_PARSER: return SLUICE_TABLE_EGRESS_PARSER;
    case SLUICE_TABLE_DEPARSER: return SLUICE_TABLE_EGRESS_DEPARSER;
    case SLUICE_TABLE_DEPARSE_OPT: return SLUICE_TABLE_EGRESS_OPT;
    default: return table;
  }
}

bool egress_join(struct sluice_image *image, const struct sluice_image *part,
                 const struct sluice_config *chip) {
  const unsigned before = chip->BackStages + chip->FrontStages,
                 tables = (unsigned)image->num_tables;
  for (size_t i = 0; i < part->num_writes; i++) {
    if (part->writes[i].table == SLUICE_TABLE_MODULE) continue;
    struct sluice_write *w = sluice_image_add_write(image);
    if (!w) return false;
    *w = part->writes[i];
    w->table = table_of(w->table);
    if (w->table == part->writes[i].table) w->stage += before;
  }
  for (size_t i = 0; i < part->num_arrays; i++) {
    struct sluice_array *a = sluice_image_add_array(image);
    if (!a) return false;
    *a = part->arrays[i];
    a->stage += before;
  }
  for (size_t i = 0; i < part->num_fields; i++) {
    struct sluice_field *f = sluice_image_add_field(image);
    if (!f) return false;
    *f = part->fields[i];
    f->egress = true;
  }
  for (size_t i = 0; i < part->num_lines; i++) {
    struct sluice_line *l = sluice_image_add_line(image);
    if (!l) return false;
    *l = part->lines[i];
    l->stage += before;
  }
  for (size_t i = 0; i < part->num_tables; i++) {
    struct sluice_image_table *t = sluice_image_add_table(image);
    if (!t) return false;
    *t = part->tables[i];
    t->stage += before;
  }
  for (size_t i = 0; i < part->num_entries; i++) {
    struct sluice_image_entry *e = sluice_image_add_entry(image);
    if (!e) return false;
    *e = part->entries[i];
    e->table += tables;
  }
  if (part->match_rows > image->match_rows) image->match_rows = part->match_rows;
  return true;
}
