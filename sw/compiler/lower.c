// SPDX-License-Identifier: Apache-2.0
// Products, quotients and remainders. Products with constants become shifts and sums where that is
// quick; other products stay, and are done by the multiplier of a stage, if the chip has any and
// the product is not in the cycle of an update. There is no divider: quotients by powers of two
// become shifts; remainders go to the hash unit of a front stage, or by powers of two to masks.
#include "../driver/image/capability.h"
#include "internal.h"

// QUICK_TERMS: of so many shifted copies the sum is there in two levels, and no unit is needed.
enum { MAX_TERMS_OF_PRODUCT = 4, QUICK_TERMS = 2, MAX_DOUBLINGS = 2, MAX_PRODUCTS = 256 };

struct lowering {
  struct ir_context *c;
  const struct plan *plan;
  const struct graph *from;  // the graph before
  const unsigned *uses;      // of its nodes
  unsigned num_products;     // that are left to multipliers
};

static struct node *make(struct ir_context *c, enum op op, struct node *x, struct node *y) {
  return node_make(c, op, x, y, NULL);
}
static struct node *by(struct ir_context *c, enum op op, struct node *x, uint32_t y) {
  return make(c, op, x, node_const(c, (int32_t)y));
}

static unsigned log2_of(uint32_t x) {
  unsigned n = 0;
  while (x >>= 1) n++;
  return n;
}
static bool is_power(uint32_t x) { return x && (x & (x - 1)) == 0; }
static uint32_t magnitude(int32_t x) { return x < 0 ? 0u - (uint32_t)x : (uint32_t)x; }

// A shift to the left. Without shifters a small one is a sum with itself; what is left is refused
// when tasks are known.
static struct node *shift_left(struct ir_context *c, struct node *x, unsigned count) {
  if (c->config->Shifters || count > MAX_DOUBLINGS) return by(c, OP_SHL, x, count);
  while (count--) x = make(c, OP_ADD, x, x);
  return x;
}

// What has to wait for state cannot be computed before the order point either.
static void tell_states(struct ir_context *c, const struct node *n) {
  char text[200] = "";
  size_t len = 0;
  for (unsigned i = 0; i < c->program->num_states && len < 120; i++)
    if (n->states >> i & 1)
      len += (size_t)snprintf(text + len, sizeof text - len, "%s'%s'", len ? ", " : "",
                              c->program->state[i]->info.name);
  if (len) diag_note(c, n->at, "it is computed from the old value of %s", text);
}

// Takes away the lowest of the signed digits of a factor, in the form with fewest digits that are
// not 0; true if it is negative.
static bool next_digit(uint32_t *factor, unsigned *bit) {
  *bit = (unsigned)__builtin_ctz(*factor);
  const bool minus = *bit < 31 && (*factor >> *bit & 3) == 3;
  *factor = minus ? *factor + (1u << *bit) : *factor - (1u << *bit);
  return minus;
}

static unsigned digits(uint32_t factor) {
  unsigned num = 0, bit;
  for (; factor; num++) next_digit(&factor, &bit);
  return num;
}

// Sum of shifted copies.
static struct node *shifted_sum(struct ir_context *c, struct node *x, uint32_t factor) {
  struct node *sum = NULL;
  while (factor) {
    unsigned bit;
    const bool minus = next_digit(&factor, &bit);
    struct node *term = shift_left(c, x, bit);
    if (!sum && minus) sum = make(c, OP_SUB, node_const(c, 0), term);
    else sum = !sum ? term : make(c, minus ? OP_SUB : OP_ADD, sum, term);
  }
  return sum ? sum : node_const(c, 0);
}

// Without shifters a shift that is more than a few sums is no way.
static bool can_shift(const struct ir_context *c, uint32_t factor) {
  bool can = true;
  while (factor && can) {
    unsigned bit;
    next_digit(&factor, &bit);
    can = c->config->Shifters || bit <= MAX_DOUBLINGS;
  }
  return can;
}

static struct node *by_unit(struct lowering *l, const struct node *old, struct node *x,
                            struct node *y) {
  if (++l->num_products > MAX_PRODUCTS)
    diag_fatal(l->c, old->at, "too-long",
               "up to here the program has %d products for multipliers, and no chip has as many",
               MAX_PRODUCTS);
  return make(l->c, OP_MUL, x, y);
}

static void refuse_constant(struct ir_context *c, const struct node *old, int32_t factor) {
  char others[80];
  if (c->config->Multipliers)
    diag_error(
        c, old->at, "no-multiplier",
        "times %d is more than %d shifted sums, and no multiplier works in the cycle of an update",
        factor, MAX_TERMS_OF_PRODUCT);
  else
    diag_error(c, old->at, "no-multiplier",
               "times %d is more than %d shifted sums, and chip '%s' has no multipliers; %s",
               factor, MAX_TERMS_OF_PRODUCT, c->config->name,
               sluice_chips_that_multiply(others, sizeof others));
}

// NULL: refused.
static struct node *constant_product(struct lowering *l, const struct node *old, struct node *x,
                                     int32_t factor) {
  const unsigned terms = digits((uint32_t)factor);
  const bool can = terms <= MAX_TERMS_OF_PRODUCT;
  const bool quick = terms <= QUICK_TERMS && can_shift(l->c, (uint32_t)factor);
  const bool sum = quick || (can && l->plan->sums);
  if (!sum && l->c->config->Multipliers && !in_circle(l->c, l->plan, l->from, old))
    return by_unit(l, old, x, node_const(l->c, factor));
  if (can) return shifted_sum(l->c, x, (uint32_t)factor);
  refuse_constant(l->c, old, factor);
  return NULL;
}

// Of two values: what needs no multiplier, on any chip. A truth value chooses, 1 << n shifts.
static struct node *easy_product(struct ir_context *c, struct node *x, struct node *y) {
  for (int i = 0; i < 2; i++) {
    struct node *a = i ? y : x, *b = i ? x : y;
    if (node_is_bool(a)) return node_make(c, OP_SELECT, a, b, node_const(c, 0));
    if (a->op == OP_SHL && node_is(a->arg[0], 1)) return make(c, OP_SHL, b, a->arg[1]);
  }
  return NULL;
}

static struct node *product(struct lowering *l, const struct node *old, struct node *x,
                            struct node *y) {
  char others[80];
  if (y->op == OP_CONST) return constant_product(l, old, x, y->value);
  struct node *made = easy_product(l->c, x, y);
  if (made) return made;
  if (!l->c->config->Multipliers) {
    diag_error(
        l->c, old->at, "no-multiplier",
        "the product of two values that are not constant, and chip '%s' has no multipliers; %s",
        l->c->config->name, sluice_chips_that_multiply(others, sizeof others));
    if (!note_circle(l->c, l->plan, l->from, old)) tell_states(l->c, old);
    return node_const(l->c, 0);
  }
  if (!in_circle(l->c, l->plan, l->from, old)) return by_unit(l, old, x, y);
  diag_error(l->c, old->at, "product-in-update",
             "the product of two values that are not constant, in the update of a state: a stage "
             "multiplies before or behind its state unit");
  return NULL;
}

// n - 1 for a negative x, else 0: what rounds towards zero.
static struct node *bias(struct ir_context *c, struct node *x, uint32_t n) {
  if (x->umax <= INT32_MAX) return node_const(c, 0);
  if (c->config->Shifters) return by(c, OP_AND, by(c, OP_SRA, x, 31), n - 1);
  return node_make(c, OP_SELECT, by(c, OP_LT, x, 0), node_const(c, (int32_t)(n - 1)),
                   node_const(c, 0));
}

static struct node *quotient(struct ir_context *c, struct node *x, int32_t divisor) {
  uint32_t n = magnitude(divisor);
  if (divisor == INT32_MIN) return by(c, OP_EQ, x, (uint32_t)INT32_MIN);
  if (!is_power(n)) return NULL;
  struct node *q = by(c, OP_SRA, make(c, OP_ADD, x, bias(c, x, n)), log2_of(n));
  return divisor < 0 ? make(c, OP_SUB, node_const(c, 0), q) : q;
}

static struct node *remainder_of(struct ir_context *c, struct node *x, int32_t divisor,
                                 bool alone) {
  uint32_t n = magnitude(divisor);
  // A hash that nobody else wants is reduced where it is computed.
  if (alone && x->op == OP_HASH && x->index != SLUICE_HASH_IDENTITY &&
      (!x->modulus || (x->index == SLUICE_HASH_CRC32 && is_power(n))))
    return node_leaf(c, OP_HASH, x->index, n, x->arg, x->num_args);
  if (is_power(n) && x->umax <= INT32_MAX) return by(c, OP_AND, x, n - 1);
  if (!x->states) return node_leaf(c, OP_HASH, SLUICE_HASH_IDENTITY, n, &x, 1);
  if (!is_power(n)) return NULL;
  struct node *b = bias(c, x, n);
  return make(c, OP_SUB, by(c, OP_AND, make(c, OP_ADD, x, b), n - 1), b);
}

static struct node *rewrite(struct ir_context *c, struct node *old, struct node **x, void *user) {
  struct lowering *l = user;
  const char *what = old->op == OP_DIV ? "quotient" : "remainder";
  struct node *made = NULL;
  if (old->op == OP_SHL && x[1]->op == OP_CONST)
    return shift_left(c, x[0], (uint32_t)x[1]->value & 31);
  if (old->op != OP_MUL && old->op != OP_DIV && old->op != OP_MOD) return NULL;
  made = fold(c, old->op, x[0], x[1], NULL);
  if (made) return made;
  if (old->op == OP_MUL) {
    // Constants stand to the right.
    made = x[0]->op == OP_CONST ? product(l, old, x[1], x[0]) : product(l, old, x[0], x[1]);
    if (!made) note_circle(c, l->plan, l->from, old);
    return made ? made : node_const(c, 0);
  }
  if (x[1]->op != OP_CONST) {
    diag_error(c, old->at, "no-divider",
               "the %s of two values that are not constant: the chip has no divider", what);
    if (!note_circle(c, l->plan, l->from, old)) tell_states(c, old);
    return node_const(c, 0);
  }
  int32_t y = x[1]->value;
  if (old->op == OP_DIV) {
    made = quotient(c, x[0], y);
    if (!made)
      diag_error(c, old->at, "no-divider", "division by %d: the chip divides by powers of two only",
                 y);
  } else {
    made = remainder_of(c, x[0], y, l->uses[old->arg[0]->id] == 1);
    if (!made)
      diag_error(c, old->at, "no-divider",
                 "%% %d of a value that depends on state: the hash units that compute remainders "
                 "stand before the order point; a power of two would do",
                 y);
  }
  if (!made) note_circle(c, l->plan, l->from, old);
  return made ? made : node_const(c, 0);
}

void lower(struct ir_context *c, const struct plan *plan) {
  struct lowering l = {.c = c, .plan = plan, .from = c->graph, .uses = graph_uses(c)};
  graph_rebuild(c, rewrite, &l);
  give_up_on_errors(c);
  graph_rebuild(c, NULL, NULL);
}
