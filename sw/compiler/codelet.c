// SPDX-License-Identifier: Apache-2.0
// The dependency graph of the states. The new value of a state depends on old values; states that
// depend on each other in a circle (a strongly connected component) must be read and written by one
// stage in one cycle: a codelet. Everything that is not on such a circle is an ordinary operation.
#include "internal.h"

// The parts of a guard that do not depend on state; NULL: the packet must be taken to need the
// access. Saying yes too often is safe: the packet then visits the entry without needing it. Each
// value is looked at once: `part`, by node, keeps what came of those that are `done`.
struct parts {
  struct node **part;
  bool *done;
};
static struct node *part_of(struct compiler *c, struct parts *p, struct node *n) {
  if (!n || !n->states) return n;
  if (p->done[n->id]) return p->part[n->id];
  p->done[n->id] = true;
  if (n->op != OP_LAND && n->op != OP_LOR) return NULL;
  struct node *x = part_of(c, p, n->arg[0]), *y = part_of(c, p, n->arg[1]);
  if (x && y) p->part[n->id] = node_make(&c->ir, n->op, x, y, NULL);
  else if (n->op == OP_LAND) p->part[n->id] = x ? x : y;
  return p->part[n->id];
}

struct node *guard_known(struct compiler *c, struct node *guard) {
  if (c->program->outer) return NULL;  // every copy has the access: nothing is resolved before it
  if (!guard || !guard->states) return guard;
  struct parts p = {NEW_ARRAY(c->arena, struct node *, c->graph->num),
                    NEW_ARRAY(c->arena, bool, c->graph->num)};
  return part_of(c, &p, guard);
}

const char *codelet_name(const struct compiler *c, const struct codelet *k) {
  if (k->num_states) return c->program->state[k->state[0]]->info.name;
  return k->row ? c->program->state[k->row - 1]->info.name : "(flow order)";
}

static const struct token *place_at(const struct compiler *c, const struct codelet *k) {
  const struct state *row = k->row ? c->program->state[k->row - 1] : NULL;
  if (row && row->stage_at) return row->stage_at;
  return k->num_states ? c->program->state[k->state[0]]->stage_at : c->program->flow_order.at;
}

void codelet_place(struct compiler *c, struct codelet *k, const struct state *state) {
  if (state->place == ANYWHERE) return;
  if (k->place != ANYWHERE && k->place != state->place)
    diag_fatal(&c->ir, state->stage_at, "stage-taken",
               "'%s' and '%s' depend on each other, so one stage must hold them, not %d and %d",
               state->info.name, codelet_name(c, k), state->place, k->place);
  if (state->place >= (int)c->config->BackStages)
    diag_fatal(&c->ir, state->stage_at, "stage-number",
               "the %s stages of chip '%s' are 0 to %u; see --chip", stages_called(c->program),
               c->config->name, c->config->BackStages - 1);
  if (state->place >= (int)c->config->StateStages)
    diag_fatal(&c->ir, state->stage_at, "stage-number",
               "back stage %d of chip '%s' holds no state, stages 0 to %u do; see --chip",
               state->place, c->config->name, c->config->StateStages - 1);
  k->place = state->place;
}

static void join(struct compiler *c, struct codelet *k, unsigned s, bool *always) {
  struct access *a = &c->graph->access[s];
  struct state *state = c->program->state[s];
  if (k->num_states == 1 && !c->config->StatePairs)
    diag_fatal(&c->ir, a->at, "codelet-states",
               "'%s' and '%s' depend on each other, so one entry must hold them, and an entry of "
               "chip '%s' is one word; see --chip",
               state->info.name, c->program->state[k->state[0]]->info.name, c->config->name);
  if (k->num_states == 2) {
    diag_error(&c->ir, a->at, "codelet-states",
               "'%s', '%s' and '%s' depend on each other, and a stage holds two words",
               state->info.name, c->program->state[k->state[0]]->info.name,
               c->program->state[k->state[1]]->info.name);
    arena_give_up(c->arena, ARENA_TOLD);
  }
  struct node *guard = guard_known(c, a->guard);
  if (!guard) *always = true;
  if (k->num_states == 0) {
    k->index = a->index;
    k->size = state->info.size;
    k->guard = guard;
  } else {
    const struct state *other = c->program->state[k->state[0]];
    if (a->index != k->index) {
      diag_error(&c->ir, a->at, "codelet-index",
                 "'%s' and '%s' depend on each other, so one stage must hold them, but their "
                 "indices differ",
                 state->info.name, other->info.name);
      diag_note(&c->ir, c->graph->access[k->state[0]].at, "the index of '%s'", other->info.name);
      arena_give_up(c->arena, ARENA_TOLD);
    }
    if (state->info.size != k->size)
      diag_fatal(&c->ir, state->at, "codelet-size",
                 "'%s' and '%s' depend on each other, so they must have the same size",
                 state->info.name, other->info.name);
    if (guard && k->guard) k->guard = node_make(&c->ir, OP_LOR, guard, k->guard, NULL);
  }
  if (*always) k->guard = NULL;
  k->state[k->num_states++] = s;
  codelet_place(c, k, state);
}

// The array of the flow order (MP5, section 3.4): packets pass it in order and leave it as it is.
static void flow_order(struct compiler *c) {
  const struct flow_order *f = &c->program->flow_order;
  if (!f->at) return;
  if (c->codelets.num == MAX_STATES)
    diag_fatal(&c->ir, f->at, "too-many-states", "with the flow order, %d arrays are possible",
               MAX_STATES - 1);
  struct codelet *k = &c->codelets.list[c->codelets.num++];
  *k = (struct codelet){.index = c->graph->flow,
                        .at = f->at,
                        .size = f->entries,
                        .place = (int)c->config->StateStages - 1,
                        .map = NEW(c->arena, struct mapping)};
  for (int i = 0; i < 4; i++) k->map->pred[i].rel = SLUICE_REL_FALSE;
}

void check_places(struct compiler *c) {
  for (unsigned i = 0; i < c->codelets.num; i++)
    for (unsigned j = i + 1; j < c->codelets.num; j++) {
      const struct codelet *x = &c->codelets.list[i], *y = &c->codelets.list[j];
      if (x->place == ANYWHERE || x->place != y->place) continue;
      diag_error(&c->ir, place_at(c, y), "stage-taken",
                 "'%s' and '%s' are both placed at stage %d, and a stage holds one array",
                 codelet_name(c, x), codelet_name(c, y), x->place);
      diag_note(&c->ir, place_at(c, x), "the other one is here");
    }
  give_up_on_errors(&c->ir);
}

// Which states the new value, or the index, of each takes to know, directly or over others.
static void reach_of(const struct plan *plan, const struct graph *g, unsigned num,
                     uint32_t *reach) {
  for (unsigned s = 0; s < num; s++) {
    const struct access *a = &g->access[s];
    reach[s] = a->used ? a->new_value->states | (a->index ? a->index->states : 0) : 0;
  }
  for (unsigned i = 0; i < plan->num_joins; i++) {  // as if each needed the other
    const unsigned a = plan->join[i][0], b = plan->join[i][1];
    reach[a] |= 1u << b;
    reach[b] |= 1u << a;
  }
  for (unsigned via = 0; via < num; via++)
    for (unsigned s = 0; s < num; s++)
      if (reach[s] >> via & 1) reach[s] |= reach[via];
}

// The states that n depends on and that depend on n: bits.
static uint32_t circle_of(struct ir_context *c, const struct plan *plan, const struct graph *g,
                          const struct node *n) {
  unsigned num = (unsigned)c->program->num_states;
  uint32_t reach[MAX_STATES] = {0}, circle = 0;
  if (!n->states) return 0;
  bool *needs = NEW_ARRAY(c->arena, bool, g->num);  // values that take n to know
  needs[n->id] = true;
  for (unsigned i = n->id + 1; i < g->num; i++)
    for (unsigned j = 0; j < g->list[i]->num_args; j++) needs[i] |= needs[g->list[i]->arg[j]->id];
  reach_of(plan, g, num, reach);
  // n stands in the circle of s if it depends on s, and s on it.
  for (unsigned s = 0; s < num; s++)
    for (unsigned t = 0; t < num; t++)
      if (n->states >> s & 1 && g->access[t].used && needs[g->access[t].new_value->id] &&
          (s == t || reach[s] >> t & 1))
        circle |= 1u << s | 1u << t;
  return circle;
}

bool in_circle(struct ir_context *c, const struct plan *plan, const struct graph *g,
               const struct node *n) {
  return circle_of(c, plan, g, n) != 0;
}

bool note_circle(struct ir_context *c, const struct plan *plan, const struct graph *g,
                 const struct node *n) {
  const uint32_t circle = circle_of(c, plan, g, n);
  const unsigned num = (unsigned)c->program->num_states;
  if (!circle) return false;
  char names[200];
  size_t len = 0;
  for (unsigned s = 0; s < num && len + SLUICE_NAME_LEN + 8 < sizeof names; s++)
    if (circle >> s & 1)
      len += (size_t)snprintf(names + len, sizeof names - len, "%s'%s'", len ? ", " : "",
                              c->program->state[s]->info.name);
  diag_note(c, n->at,
            "it stands in the circle of %s: what a state becomes from its own old value must be "
            "done by the state unit in one cycle",
            names);
  return true;
}

bool codelet_pair(struct compiler *c, const struct codelet *a, const struct codelet *b,
                  struct codelet *made) {
  const struct graph *g = c->graph;
  uint32_t reach[MAX_STATES] = {0}, own;
  if (!c->config->StatePairs || a->num_states != 1 || b->num_states != 1 || a->index != b->index ||
      a->size != b->size)
    return false;
  if (a->place != ANYWHERE && b->place != ANYWHERE && a->place != b->place) return false;
  if (a->state[0] > b->state[0]) {
    const struct codelet *other = a;
    a = b;
    b = other;
  }
  own = 1u << a->state[0] | 1u << b->state[0];
  reach_of(c->plan, g, (unsigned)c->program->num_states, reach);
  uint32_t needs = g->access[a->state[0]].new_value->states |
                   g->access[b->state[0]].new_value->states;
  if (a->index) needs |= a->index->states;
  // What they need of other states must be there before them; and the index before both.
  for (unsigned s = 0; s < MAX_STATES; s++)
    if (needs >> s & 1 && !(own >> s & 1) && reach[s] & own) return false;
  if (a->index && a->index->states & own) return false;
  *made = *a;
  made->state[1] = b->state[0];
  made->num_states = 2;
  made->guard = a->guard && b->guard ? node_make(&c->ir, OP_LOR, a->guard, b->guard, NULL) : NULL;
  if (a->place == ANYWHERE) made->place = b->place;
  made->map = NULL;
  return true;
}

void codelets(struct compiler *c) {
  struct graph *g = c->graph;
  unsigned num = (unsigned)c->program->num_states;
  uint32_t reach[MAX_STATES] = {0}, done = 0;
  c->at = c->program->name_at;
  reach_of(c->plan, g, num, reach);
  for (unsigned s = 0; s < num; s++) {
    bool always = false;
    if (!g->access[s].used || done >> s & 1 || c->program->state[s]->info.words) continue;
    struct codelet *k = &c->codelets.list[c->codelets.num++];
    k->place = ANYWHERE;
    for (unsigned t = s; t < num; t++)
      if (t == s || (g->access[t].used && !c->program->state[t]->info.words && reach[s] >> t & 1 &&
                     reach[t] >> s & 1)) {
        join(c, k, t, &always);
        done |= 1u << t;
      }
    uint32_t own = 0;
    for (unsigned i = 0; i < k->num_states; i++) own |= 1u << k->state[i];
    // Such an index would be a second address of the array, which addresses() refuses.
    if (k->index && k->index->states & own) SLUICE_BUG("an index depends on its own array");
    k->scalar = !k->index;
    k->at = g->access[s].at;
  }
  flow_order(c);
  check_places(c);
}
