// SPDX-License-Identifier: Apache-2.0
// Tests every mapped instruction against the values it stands for, at 32 bits, on random and corner
// cases. A difference is an error of the compiler, not of the program.
#include "internal.h"

enum { NUM_TESTS = 4000, NUM_CORNERS = 10, MAX_POOL = 64 };

static int32_t operand(const struct mapping *m, unsigned arm, const int32_t packet[2]) {
  if (arm <= SLUICE_ARM_K3) return m->konst[arm];
  if (arm == SLUICE_ARM_P1 || arm == SLUICE_ARM_P2) return packet[arm - SLUICE_ARM_P1];
  return 0;
}

static bool holds(const struct mapping *m, const struct predicate *p, const int32_t packet[2],
                  const int32_t old[2]) {
  int32_t minus[2] = {op_eval(OP_NEG, packet[0], 0), op_eval(OP_NEG, packet[1], 0)};
  int32_t part[7] = {0,
                     packet[0],
                     packet[1],
                     minus[0],
                     minus[1],
                     op_eval(OP_SUB, packet[0], packet[1]),
                     op_eval(OP_SUB, packet[1], packet[0])};
  int32_t right[8] = {m->konst[0], m->konst[1], m->konst[2], m->konst[3],
                      packet[0],   packet[1],   old[0],      old[1]};
  int32_t x = op_eval(OP_ADD, p->state ? old[p->state - 1] : 0, part[p->packet]), y = right[p->y];
  switch (p->rel) {
    case SLUICE_REL_EQ: return x == y;
    case SLUICE_REL_NE: return x != y;
    case SLUICE_REL_LT: return x < y;
    case SLUICE_REL_LE: return x <= y;
    case SLUICE_REL_GT: return x > y;
    case SLUICE_REL_GE: return x >= y;
    default: return p->rel == SLUICE_REL_TRUE;
  }
}

// The new words, and the predicates, that a mapped instruction computes.
static void mapping_run(const struct mapping *m, const int32_t packet[2], const int32_t old[2],
                        int32_t now[2], bool pred[4]) {
  for (int i = 0; i < 4; i++) pred[i] = holds(m, &m->pred[i], packet, old);
  int arm = pred[0] ? (pred[1] ? 0 : 1) : pred[3] ? (pred[2] ? 2 : 3) : -1;
  for (int w = 0; w < 2; w++) {
    now[w] = old[w];
    if (arm < 0) continue;
    const struct update *u = &m->arm[arm][w];
    int32_t term =
        op_eval(u->sub ? OP_SUB : OP_ADD, operand(m, u->a, packet), operand(m, u->b, packet));
    now[w] = op_eval(OP_ADD, u->keep ? old[w] : 0, term);
  }
}

struct random {
  uint64_t state;
  int32_t pool[MAX_POOL];
  unsigned num;
};

static uint32_t bits(struct random *r) {
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(r->state >> 32);
}

// Often a constant of the program, or one beside it, so that comparisons go both ways.
static int32_t draw(struct random *r) {
  uint32_t kind = bits(r) % 8;
  if (kind < 4) return (int32_t)(uint32_t)(r->pool[bits(r) % r->num]);
  if (kind == 4) return op_eval(OP_ADD, r->pool[bits(r) % r->num], (int32_t)(bits(r) % 5) - 2);
  if (kind == 5) return (int32_t)(bits(r) % 8);
  return (int32_t)bits(r);
}

static void test(const struct ir_context *c, const struct codelets *codelets, struct random *r,
                 int32_t *value) {
  const struct graph *g = c->graph;
  int32_t old_state[MAX_STATES], param[MAX_MALLEABLES];
  for (unsigned i = 0; i < c->program->num_malleables; i++) {
    const struct malleable *m = c->program->malleable[i];
    const uint64_t num = (uint64_t)((int64_t)m->high - m->low) + 1;
    param[i] = (int32_t)(m->low + (int64_t)((uint32_t)draw(r) % num));
  }
  for (unsigned i = 0; i < MAX_STATES; i++) old_state[i] = draw(r);
  for (unsigned i = 0; i < g->num; i++) {
    struct node *n = g->list[i];
    switch (n->op) {
      case OP_OLD: value[i] = old_state[n->index]; break;
      case OP_PARAM: value[i] = param[n->index]; break;
      case OP_WORDS: value[i] = draw(r); break;
      case OP_FOUND: value[i] = draw(r) & (int32_t)n->umax; break;
      case OP_INPUT: value[i] = draw(r) & (g->source[n->index].width == 2 ? 0xffff : -1); break;
      case OP_TABLE:
        value[i] = (int32_t)((uint64_t)(uint32_t)draw(r) % ((uint64_t)n->umax + 1));
        break;
      default: value[i] = node_eval(n, value); break;
    }
  }
  for (unsigned i = 0; i < codelets->num; i++) {
    const struct codelet *k = &codelets->list[i];
    int32_t packet[2] = {0, 0}, old[2] = {0, 0}, now[2];
    bool pred[4];
    struct mapping map = *k->map;
    for (int n = 0; n < 4; n++) {
      const struct relocated *x = &map.relocated[n];
      if (x->param)
        map.konst[n] = op_eval(x->negated ? OP_SUB : OP_ADD, x->add, param[x->param - 1]);
    }
    for (int p = 0; p < 2; p++)
      if (k->map->operand[p]) packet[p] = value[k->map->operand[p]->id];
    for (unsigned w = 0; w < k->num_states; w++) old[w] = old_state[k->state[w]];
    mapping_run(&map, packet, old, now, pred);
    for (unsigned w = 0; w < k->num_states; w++)
      if (now[w] != value[g->access[k->state[w]].new_value->id])
        SLUICE_BUG("a state instruction does not compute its codelet");
    for (int p = 0; p < 4; p++)
      if (k->map->pred_node[p] && pred[p] != (value[k->map->pred_node[p]->id] != 0))
        SLUICE_BUG("a predicate does not compute its condition");
  }
}

void verify(struct ir_context *c, const struct codelets *codelets) {
  static const int32_t corners[NUM_CORNERS] = {
      0, 1, -1, 2, INT32_MAX, INT32_MIN, INT32_MIN + 1, 0xffff, 0x8000, -2};
  struct random r = {.state = 1};
  for (; r.num < NUM_CORNERS; r.num++) r.pool[r.num] = corners[r.num];
  for (unsigned i = 0; i < c->graph->num && r.num < MAX_POOL; i++)
    if (c->graph->list[i]->op == OP_CONST) r.pool[r.num++] = c->graph->list[i]->value;
  int32_t *value = NEW_ARRAY(c->arena, int32_t, c->graph->num + 1);
  for (int i = 0; codelets->num && i < NUM_TESTS; i++) test(c, codelets, &r, value);
}
