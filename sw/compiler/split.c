// SPDX-License-Identifier: Apache-2.0
// Arrays that are larger than a stage: two arrays in two stages, of which a packet visits one.
//
//     a[i] = f(a[i])   of 10,000 entries, where a stage has 8,192:
//     low = i < 8192;  a[i] = f(a[i]) if low;  b[i - 8192] = f(b[i - 8192]) if !low;  what others
//     see is low ? .. of a : .. of b
//
// The index of the other one is always outside its array (i - 8192, as an unsigned number), so a
// packet that visits it all the same, since the guard is known too late, reads 0 there and writes
// nothing. Arrays of one size and index are split together: they may need each other, and then each
// pair of parts does.
#include <string.h>

#include "internal.h"

struct splitting {
  uint32_t states;             // that are split
  unsigned upper[MAX_STATES];  // their second parts
  const struct graph *from;    // the graph before
  const struct node *index;
  unsigned border;
  struct node *low;       // the index is below the border
  struct node **part[2];  // by node of the old graph: its value if the access is to this part
};
static struct node *copy_of(struct ir_context *c, const struct node *old, struct node **args) {
  if (old->op < OP_ADD) return node_leaf(c, old->op, old->index, old->modulus, args, old->num_args);
  return node_make(c, old->op, args[0], args[1], args[2]);
}

static bool is_new_value(const struct ir_context *c, const struct splitting *s,
                         const struct node *n) {
  for (unsigned i = 0; i < c->program->num_states; i++)
    if (s->states >> i & 1 && s->from->access[i].new_value == n) return true;
  return false;
}

// A node of the old graph in the new one; NULL: as it is, of what its operands became.
static struct node *rewrite(struct ir_context *c, struct node *old, struct node **args,
                            void *user) {
  struct splitting *s = user;
  (void)args;
  if (!(old->states & s->states)) return NULL;
  for (unsigned p = 0; p < 2; p++) {
    struct node *mine[NODE_ARGS] = {NULL};
    for (unsigned i = 0; i < old->num_args; i++) {
      const struct node *arg = old->arg[i];
      mine[i] = arg->states & s->states ? s->part[p][arg->id] : arg->now;
    }
    if (old->op == OP_OLD && s->states >> old->index & 1)
      s->part[p][old->id] = node_leaf(c, OP_OLD, p ? s->upper[old->index] : old->index, 0, NULL, 0);
    else s->part[p][old->id] = copy_of(c, old, mine);
  }
  if (old->op != OP_OLD && !is_new_value(c, s, old)) return NULL;
  if (!s->low) s->low = node_make(c, OP_LT, s->index->now, node_const(c, (int32_t)s->border), NULL);
  return node_make(c, OP_SELECT, s->low, s->part[0][old->id], s->part[1][old->id]);
}

// A state of the program for the entries from the border on. The program is shared with other
// compilations, so it is copied.
static unsigned add_state(struct ir_context *c, unsigned first, unsigned border) {
  struct sluice_program *p = c->program;
  struct state *low = NEW(c->arena, struct state), *high = NEW(c->arena, struct state);
  const size_t len = strlen(p->state[first]->info.name) + 20;
  char *name = arena_alloc(c->arena, len);
  if (p->num_states == MAX_STATES)
    diag_fatal(c, p->state[first]->at, "too-many-states",
               "'%s' takes two stages, and with its second part there are more than %d states",
               p->state[first]->info.name, MAX_STATES);
  *low = *high = *p->state[first];
  snprintf(name, len, "%s_from_%u", low->info.name, border);
  for (size_t i = 0; i < p->num_states; i++)
    if (strcmp(p->state[i]->info.name, name) == 0)
      diag_fatal(c, p->state[i]->at, "state-size",
                 "the second part of '%s' is called so, which takes two stages", low->info.name);
  high->info.name = name;
  high->info.size -= border;
  high->place = ANYWHERE;
  low->info.size = border;
  p->state[first] = low;
  p->state[p->num_states] = high;
  return (unsigned)p->num_states++;
}

static void own_program(struct ir_context *c) {
  struct sluice_program *p = NEW(c->arena, struct sluice_program);
  *p = *c->program;
  p->state = NEW_ARRAY(c->arena, struct state *, MAX_STATES);
  for (size_t i = 0; i < p->num_states; i++) p->state[i] = c->program->state[i];
  c->program = p;
}

// index - border. Below twice a border that is a power of two that bit is taken away, with the
// constant that the comparison has; of all other indices the result is outside the second part, as
// the difference is.
static struct node *upper_index(struct ir_context *c, struct node *index, unsigned border) {
  const bool power = !(border & (border - 1));
  return node_make(c, power ? OP_XOR : OP_SUB, index, node_const(c, (int32_t)border), NULL);
}

static void split_one(struct ir_context *c, unsigned first, unsigned border) {
  struct graph *from = c->graph;
  struct splitting s = {.from = from, .index = from->access[first].index, .border = border};
  const unsigned size = c->program->state[first]->info.size, num = (unsigned)c->program->num_states;
  for (unsigned i = first; i < num; i++)
    if (from->access[i].used && from->access[i].index == s.index &&
        c->program->state[i]->info.size == size && !c->program->state[i]->info.words)
      s.states |= 1u << i;
  for (unsigned i = first; i < num; i++)
    if (s.states >> i & 1) s.upper[i] = add_state(c, i, border);
  for (unsigned p = 0; p < 2; p++) s.part[p] = NEW_ARRAY(c->arena, struct node *, from->num);
  c->program->num_states = num;  // of the old graph
  graph_rebuild(c, rewrite, &s);
  c->program->num_states = num + (unsigned)__builtin_popcount(s.states);
  struct graph *g = c->graph;
  for (unsigned i = first; i < num; i++) {
    if (!(s.states >> i & 1)) continue;
    struct access *a = &g->access[i], *b = &g->access[s.upper[i]];
    const struct access *was = &from->access[i];
    struct node *high = node_make(c, OP_EQ, s.low, node_const(c, 0), NULL);
    *b = *a;
    b->index = upper_index(c, a->index, border);
    b->guard = a->guard ? node_make(c, OP_LAND, a->guard, high, NULL) : high;
    b->old = s.part[1][was->old->id];
    b->new_value = s.part[1][was->new_value->id];
    if (!(was->new_value->states & s.states)) b->new_value = was->new_value->now;
    a->guard = a->guard ? node_make(c, OP_LAND, a->guard, s.low, NULL) : s.low;
    a->old = s.part[0][was->old->id];
    a->new_value = was->new_value->states & s.states ? s.part[0][was->new_value->id]
                                                     : was->new_value->now;
  }
  graph_rebuild(c, NULL, NULL);
}

void split(struct ir_context *c, bool pinned) {
  const unsigned room = pinned ? sluice_config_slots(c->config) : c->config->StateEntries;
  bool own = false;
  for (unsigned i = 0; i < c->program->num_states; i++) {
    const struct access *a = &c->graph->access[i];
    const unsigned size = c->program->state[i]->info.size;
    if (!a->used || !a->index || size <= room || size > 2 * room) continue;
    if (c->program->state[i]->info.words) continue;
    if (!own) own_program(c);
    own = true;
    split_one(c, i, room);
  }
}
