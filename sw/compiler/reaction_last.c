// SPDX-License-Identifier: Apache-2.0
// Arguments `last(p.field)` of reactions: a field of the last packet before the cut. The compiler
// adds a scalar to the program, and an assignment to it. So the word has its place in the one order
// of packets like any other state, and all such words of a cut are of the same packet.
#include <string.h>

#include "check.h"
#include "table.h"

// ---- where the assignment stands ----------------------------------------------------------------

static bool expr_has_state(const struct expr *e) {
  if (!e) return false;
  const struct expr *x = expr_first(e);
  if (x->kind == EXPR_STATE) return true;
  for (unsigned i = 0; i < x->num_args; i++)
    if (expr_has_state(x->arg[i])) return true;
  while (x != e) {
    x = x->up;
    if (x->num_args == 2 && expr_has_state(x->arg[1])) return true;
  }
  return false;
}

static bool stmts_have_state(const struct ir_context *c, const struct stmt *s);

static bool stmt_has_state(const struct ir_context *c, const struct stmt *s) {
  if (s->kind == STMT_APPLY) {
    const struct table *t = c->program->table[s->table];
    for (unsigned i = 0; i < t->num_actions; i++)
      if (t->action[i].function && stmts_have_state(c, t->action[i].function->body)) return true;
    return false;
  }
  return expr_has_state(s->target) || expr_has_state(s->value) || stmts_have_state(c, s->body) ||
         stmts_have_state(c, s->then) || stmts_have_state(c, s->otherwise);
}

static bool stmts_have_state(const struct ir_context *c, const struct stmt *s) {
  for (; s; s = s->next)
    if (stmt_has_state(c, s)) return true;
  return false;
}

// Where a statement of this place is put in; the list is that of the program alone, without what
// was added here.
static struct stmt **spot(struct ir_context *c, enum last_place place) {
  struct stmt **at = &c->program->body->body;
  if (place == LAST_PARSER) return at;
  while (*at && !(place == LAST_ORDER && stmt_has_state(c, *at))) at = &(*at)->next;
  return at;
}

// ---- the scalar ---------------------------------------------------------------------------------

static struct expr *leaf(struct ir_context *c, enum expr_kind kind, const struct token *at,
                         size_t id) {
  struct expr *e = NEW(c->arena, struct expr);
  e->kind = kind;
  e->at = e->base = e->name = at;
  e->id = (unsigned)id;
  return e;
}

static void add(struct ir_context *c, const struct reaction_argument *a, unsigned field,
                struct stmt **where) {
  struct sluice_program *p = c->program;
  struct state *s = NEW(c->arena, struct state);
  if (p->num_states == MAX_STATES)
    diag_fatal(c, a->at, "too-many-states",
               "with this argument there are more than %d state variables", MAX_STATES);
  s->info.name = check_text(c->arena, a->at);
  s->info.scalar = true;
  s->info.size = 1;
  s->at = a->at;
  s->place = ANYWHERE;
  struct stmt *assign = NEW(c->arena, struct stmt);
  assign->kind = STMT_ASSIGN;
  assign->at = a->at;
  assign->target = leaf(c, EXPR_STATE, a->at, p->num_states);
  assign->value = leaf(c, EXPR_FIELD, a->at, field);
  assign->next = *where;
  *where = assign;
  struct state **grown = NEW_ARRAY(c->arena, struct state *, p->num_states + 2);
  memcpy(grown, p->state, p->num_states * sizeof(struct state *));
  grown[p->num_states++] = s;
  p->state = grown;
}

static bool check_one(struct ir_context *c, const struct reaction_argument *a, unsigned *field) {
  const struct sluice_program *p = c->program;
  if (a->packet->len != p->param->len ||
      memcmp(a->packet->text, p->param->text, a->packet->len) != 0)
    diag_error(c, a->packet, "unknown-name",
               "'" TOKEN "' is not the packet; it is called '" TOKEN "'", TOKEN_ARGS(a->packet),
               TOKEN_ARGS(p->param));
  else if (!check_find_field(p, a->field, field))
    diag_error(c, a->field, "unknown-field", "struct Packet has no field '" TOKEN "'",
               TOKEN_ARGS(a->field));
  else if (p->field[*field]->info.param)
    diag_error(c, a->field, "malleable",
               "'" TOKEN "' is a malleable field: assign it to a field, and take that one's value",
               TOKEN_ARGS(a->field));
  else if (p->field[*field]->info.words)
    diag_error(c, a->field, "row-value", "'" TOKEN "' is an array, and an argument is one word",
               TOKEN_ARGS(a->field));
  else if (p->field[*field]->info.home == SLUICE_HOME_BYTES && p->field[*field]->info.width > 4)
    diag_error(c, a->field, "field-width", "'" TOKEN "' has %u bytes, and an argument is one word",
               TOKEN_ARGS(a->field), p->field[*field]->info.width);
  else if (a->place == LAST_PARSER && p->field[*field]->info.home != SLUICE_HOME_BYTES &&
           p->field[*field]->info.home != SLUICE_HOME_METADATA)
    diag_error(c, a->field, "no-home",
               "'" TOKEN "' does not come with the packet: at the parser it is always 0",
               TOKEN_ARGS(a->field));
  else if (a->at->len >= SLUICE_NAME_LEN)
    diag_error(c, a->at, "long-name", "a name has at most %d characters", SLUICE_NAME_LEN - 1);
  else return true;
  return false;
}

void check_last(struct ir_context *c) {
  struct sluice_program *p = c->program;
  const size_t own = p->num_states;
  struct stmt **where[] = {
      [LAST_PARSER] = spot(c, LAST_PARSER),
      [LAST_ORDER] = spot(c, LAST_ORDER),
      [LAST_EXIT] = spot(c, LAST_EXIT),
  };
  for (struct reaction *r = p->reaction_list; r; r = r->next)
    for (unsigned i = 0; i < r->num_args; i++) {
      const struct reaction_argument *a = &r->arg[i];
      unsigned field;
      size_t s = 0;
      if (!a->field || !check_one(c, a, &field)) continue;
      while (s < p->num_states && !check_same(a->at, p->state[s]->info.name)) s++;
      if (s < own) {
        diag_error(c, a->at, "twice",
                   "'%s' is a state variable, and the name of this argument in the body",
                   p->state[s]->info.name);
        diag_note(c, p->state[s]->at, "it is here");
      }
      for (size_t m = 0; m < p->num_malleables; m++)
        if (check_same(a->at, p->malleable[m]->name)) {
          diag_error(c, a->at, "twice",
                     "'%s' is a malleable, and the name of this argument in the body",
                     p->malleable[m]->name);
          diag_note(c, p->malleable[m]->at, "it is here");
        }
      if (s == p->num_states) add(c, a, field, where[a->place]);
    }
}
