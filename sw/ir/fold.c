// SPDX-License-Identifier: Apache-2.0
// Simplification of one operation. Operands are already simple, constants stand on the right of
// operators that commute. Each rule holds for all 32-bit values.
#include "ir.h"

static struct node *make(struct ir_context *c, enum op op, struct node *x, struct node *y) {
  return node_make(c, op, x, y, NULL);
}

struct node *node_opposite(struct ir_context *c, struct node *n) {
  switch (n->op) {
    case OP_CONST: return node_const(c, !n->value);
    case OP_EQ: return make(c, OP_NE, n->arg[0], n->arg[1]);
    case OP_NE: return make(c, OP_EQ, n->arg[0], n->arg[1]);
    case OP_LT: return make(c, OP_LE, n->arg[1], n->arg[0]);
    case OP_LE: return make(c, OP_LT, n->arg[1], n->arg[0]);
    default: return NULL;
  }
}

static bool is_not(const struct node *n) {
  return n->op == OP_EQ && node_is(n->arg[1], 0) && node_is_bool(n->arg[0]);
}

// ---- sums that differ by a constant -------------------------------------------------------------

enum { MAX_SUM_TERMS = 8, MAX_SUM_WALK = 24 };
struct linear {
  uint32_t konst;
  unsigned num, walked;
  struct {
    const struct node *node;
    uint32_t times;
  } term[MAX_SUM_TERMS];
};

static bool linear_term(struct linear *x, const struct node *n, uint32_t times) {
  for (unsigned i = 0; i < x->num; i++) {
    if (x->term[i].node != n) continue;
    x->term[i].times += times;
    if (!x->term[i].times) x->term[i] = x->term[--x->num];
    return true;
  }
  if (x->num == MAX_SUM_TERMS) return false;
  x->term[x->num].node = n;
  x->term[x->num++].times = times;
  return true;
}

// x += times * n; false: too much to look at.
static bool linear_add(struct linear *x, const struct node *n, uint32_t times) {
  if (++x->walked > MAX_SUM_WALK) return false;
  switch (n->op) {
    case OP_CONST: x->konst += times * (uint32_t)n->value; return true;
    case OP_ADD: return linear_add(x, n->arg[0], times) && linear_add(x, n->arg[1], times);
    case OP_SUB: return linear_add(x, n->arg[0], times) && linear_add(x, n->arg[1], 0u - times);
    case OP_SHL:
      if (n->arg[1]->op == OP_CONST)
        return linear_add(x, n->arg[0], times << (n->arg[1]->value & 31));
      return linear_term(x, n, times);
    case OP_MUL:
      if (n->arg[1]->op == OP_CONST)
        return linear_add(x, n->arg[0], times * (uint32_t)n->arg[1]->value);
      return linear_term(x, n, times);
    default: return linear_term(x, n, times);
  }
}

static bool is_sum(const struct node *n) {
  return n->op == OP_ADD || n->op == OP_SUB || n->op == OP_SHL || n->op == OP_MUL;
}

// Whether x - y is the same for all packets, e.g. s + 1 - s.
static bool difference(const struct node *x, const struct node *y, uint32_t *konst) {
  struct linear d = {0};
  if (!is_sum(x) && !is_sum(y)) return false;
  bool known = linear_add(&d, x, 1) && linear_add(&d, y, UINT32_MAX) && !d.num;
  *konst = d.konst;
  return known;
}

// ---- operators ----------------------------------------------------------------------------------

static struct node *fold_add(struct ir_context *c, struct node *x, struct node *y) {
  if (node_is(y, 0)) return x;
  if (y->op == OP_CONST && x->op == OP_ADD && x->arg[1]->op == OP_CONST)
    return make(c, OP_ADD, x->arg[0], node_const(c, op_eval(OP_ADD, x->arg[1]->value, y->value)));
  if (y->op == OP_CONST && x->op == OP_SUB && x->arg[0]->op == OP_CONST)
    return make(c, OP_SUB, node_const(c, op_eval(OP_ADD, x->arg[0]->value, y->value)), x->arg[1]);
  if (x->op == OP_SUB && x->arg[1] == y) return x->arg[0];
  return NULL;
}

static struct node *fold_sub(struct ir_context *c, struct node *x, struct node *y) {
  if (y->op == OP_CONST) return make(c, OP_ADD, x, node_const(c, op_eval(OP_NEG, y->value, 0)));
  if (x == y) return node_const(c, 0);
  if (x->op == OP_ADD && x->arg[0] == y) return x->arg[1];
  if (x->op == OP_ADD && x->arg[1] == y) return x->arg[0];
  if (node_is(x, 0) && y->op == OP_SUB) return make(c, OP_SUB, y->arg[1], y->arg[0]);
  uint32_t konst;
  return difference(x, y, &konst) ? node_const(c, (int32_t)konst) : NULL;
}

static struct node *fold_bits(struct ir_context *c, enum op op, struct node *x, struct node *y) {
  if (op == OP_AND) {
    if (node_is(y, 0)) return y;
    if (node_is(y, -1) || x == y) return x;
    // A mask that leaves every bit the value can have.
    if (y->op == OP_CONST && ((uint32_t)y->value & ((uint32_t)y->value + 1)) == 0 &&
        x->umax <= (uint32_t)y->value)
      return x;
    if (y->op == OP_CONST && x->op == OP_AND && x->arg[1]->op == OP_CONST)
      return make(c, OP_AND, x->arg[0], node_const(c, x->arg[1]->value & y->value));
    // A mask that takes off what the sign brought: the high half of a word is one operation.
    if (y->op == OP_CONST && x->op == OP_SRA && x->arg[1]->op == OP_CONST && y->value >= 0 &&
        (uint32_t)y->value <= UINT32_MAX >> (x->arg[1]->value & 31))
      return make(c, OP_AND, make(c, OP_SRL, x->arg[0], x->arg[1]), y);
  } else {
    if (node_is(y, 0)) return x;
    if (op == OP_OR && (node_is(y, -1) || x == y)) return y;
    if (op == OP_XOR && x == y) return node_const(c, 0);
  }
  return NULL;
}

static struct node *fold_shift(struct ir_context *c, enum op op, struct node *x, struct node *y) {
  if (y->op != OP_CONST) return node_is(x, 0) ? x : NULL;
  if ((y->value & 31) == 0) return x;
  if (y->value & ~31) return make(c, op, x, node_const(c, y->value & 31));
  if (op != OP_SHL && x->umax < 1u << (y->value & 31)) return node_const(c, 0);
  return NULL;
}

static struct node *fold_compare(struct ir_context *c, enum op op, struct node *x, struct node *y) {
  bool same = op == OP_EQ || op == OP_LE;  // the answer for equal operands
  uint32_t konst;
  if (x == y) return node_const(c, same);
  if (difference(x, y, &konst)) {
    if (konst == 0) return node_const(c, same);
    if (op == OP_EQ || op == OP_NE) return node_const(c, op == OP_NE);
  }
  if (op == OP_EQ || op == OP_NE) {
    if (y->op != OP_CONST) return NULL;
    if ((uint32_t)y->value > x->umax) return node_const(c, op == OP_NE);
    if (x->op == OP_ADD && x->arg[1]->op == OP_CONST)
      return make(c, op, x->arg[0], node_const(c, op_eval(OP_SUB, y->value, x->arg[1]->value)));
    if (!node_is_bool(x)) return NULL;
    bool straight = (op == OP_NE) == (y->value == 0);
    return straight                       ? x
           : y->value == 0 && op == OP_EQ ? node_opposite(c, x)
                                          : make(c, OP_EQ, x, node_const(c, 0));
  }
  if (x->umax <= INT32_MAX && y->op == OP_CONST) {
    if (y->value < 0 || (y->value == 0 && op == OP_LT)) return node_const(c, 0);
    if ((uint32_t)y->value > x->umax) return node_const(c, 1);
  }
  if (y->umax <= INT32_MAX && x->op == OP_CONST) {
    if (x->value < 0 || (x->value == 0 && op == OP_LE)) return node_const(c, 1);
    if ((uint32_t)x->value > y->umax) return node_const(c, 0);
  }
  return NULL;
}

static struct node *fold_logic(struct ir_context *c, enum op op, struct node *x, struct node *y) {
  bool and = op == OP_LAND;
  if (y->op == OP_CONST) {
    if (and != (y->value != 0)) return node_const(c, !and);
    return node_is_bool(x) ? x : make(c, OP_NE, x, node_const(c, 0));
  }
  if (x == y) return node_is_bool(x) ? x : make(c, OP_NE, x, node_const(c, 0));
  if ((is_not(x) && x->arg[0] == y) || (is_not(y) && y->arg[0] == x) ||
      (node_is_bool(y) && node_opposite(c, y) == x))
    return node_const(c, !and);
  // a && (a && b)
  if (x->op == op && (x->arg[0] == y || x->arg[1] == y)) return x;
  if (y->op == op && (y->arg[0] == x || y->arg[1] == x)) return y;
  // Where x does not decide: what y is then.
  struct node *now = assume(c, y, x, and);
  if (now != y) return make(c, op, x, now);
  now = assume(c, x, y, and);
  return now != x ? make(c, op, now, y) : NULL;
}

static struct node *fold_select(struct ir_context *c, struct node *x, struct node *y,
                                struct node *z) {
  if (x->op == OP_CONST) return x->value ? y : z;
  if (y == z) return y;
  if (is_not(x)) return node_make(c, OP_SELECT, x->arg[0], z, y);
  struct node *const yes = assume(c, y, x, true), *const no = assume(c, z, x, false);
  if (yes != y || no != z) return node_make(c, OP_SELECT, x, yes, no);
  // x != 0 ? y : x
  if (x->op == OP_NE && x->arg[0] == z && node_is(x->arg[1], 0) && z->op != OP_CONST)
    return node_make(c, OP_SELECT, x, y, node_const(c, 0));
  if (node_is_bool(x) && node_is(y, 1) && node_is(z, 0)) return x;
  if (node_is_bool(x) && node_is(y, 0) && node_is(z, 1)) return make(c, OP_EQ, x, node_const(c, 0));
  return NULL;
}

struct node *fold(struct ir_context *c, enum op op, struct node *x, struct node *y,
                  struct node *z) {
  if (op == OP_SELECT) return fold_select(c, x, y, z);
  if (x->op == OP_CONST && (!y || y->op == OP_CONST))
    return node_const(c, op_eval(op, x->value, y ? y->value : 0));
  switch (op) {
    case OP_ADD: return fold_add(c, x, y);
    case OP_SUB: return fold_sub(c, x, y);
    case OP_MUL: return node_is(y, 0) ? y : node_is(y, 1) ? x : NULL;
    case OP_DIV:
      return node_is(y, 0) || node_is(x, 0) ? node_const(c, 0) : node_is(y, 1) ? x : NULL;
    case OP_MOD:
      if (node_is(x, 0) || node_is(y, 0) || node_is(y, 1) || node_is(y, -1))
        return node_const(c, 0);
      if (y->op == OP_CONST && y->value > 0 && x->umax < (uint32_t)y->value) return x;
      return NULL;
    case OP_AND:
    case OP_OR:
    case OP_XOR: return fold_bits(c, op, x, y);
    case OP_SHL:
    case OP_SRA:
    case OP_SRL: return fold_shift(c, op, x, y);
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE: return fold_compare(c, op, x, y);
    case OP_LAND:
    case OP_LOR: return fold_logic(c, op, x, y);
    case OP_NOT: return x->op == OP_NOT ? x->arg[0] : NULL;
    default: return NULL;
  }
}
