// SPDX-License-Identifier: Apache-2.0
// Values of the IR: made once, and computed where they are known.
#include <stdio.h>
#include <string.h>

#include "inner.h"

enum { MOST_NODES = 18000 };

static unsigned hash_of(const struct p4c_def *d) {
  unsigned h = d->op * 31u + d->a * 7u + d->b * 131u + d->c * 1031u + d->number * 2654435761u;
  for (const char *c = d->text ? d->text : ""; *c; c++) h = h * 33 + (unsigned char)*c;
  return h % 1024;
}

static bool same(const struct p4c_def *x, const struct p4c_def *y) {
  return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c && x->number == y->number &&
         (x->text == y->text || (x->text && y->text && strcmp(x->text, y->text) == 0));
}

static p4c_node make(struct p4c *p, struct p4c_def d) {
  const unsigned h = hash_of(&d);
  for (unsigned n = p->buckets[h]; n; n = p->chain[n - 1])
    if (same(&p->nodes[n - 1], &d)) return n - 1;
  if (p->num_nodes == p->room_nodes) {
    const unsigned room = p->room_nodes ? 2 * p->room_nodes : 256;
    struct p4c_def *nodes = NEW_ARRAY(p->arena, struct p4c_def, room);
    unsigned *chain = NEW_ARRAY(p->arena, unsigned, room);
    if (p->num_nodes) {
      memcpy(nodes, p->nodes, p->num_nodes * sizeof *nodes);
      memcpy(chain, p->chain, p->num_nodes * sizeof *chain);
    }
    p->nodes = nodes;
    p->chain = chain;
    p->room_nodes = room;
  }
  if (p->num_nodes == MOST_NODES) {
    p4c_refuse(p, p->place, "too-large",
               "up to here the program computes %d values; the machine "
               "has no room for so many",
               MOST_NODES);
    arena_give_up(p->arena, ARENA_TOLD);
  }
  d.place = p->place;
  p->nodes[p->num_nodes] = d;
  p->chain[p->num_nodes] = p->buckets[h];
  p->buckets[h] = ++p->num_nodes;
  return p->num_nodes - 1;
}

p4c_node p4c_const(struct p4c *p, uint32_t number) {
  return make(p, (struct p4c_def){.op = P4C_CONST, .number = number});
}

p4c_node p4c_text(struct p4c *p, const char *text) {
  return make(p, (struct p4c_def){.op = P4C_TEXT, .text = text});
}

bool p4c_text_bytes(const char *text, unsigned *at, unsigned *bytes) {
  char end;
  return sscanf(text, "bytes(%u, %u%c", at, bytes, &end) == 3 && end == ')';
}

p4c_node p4c_port_in(struct p4c *p) {
  const p4c_node n = p4c_text(p, "meta.port_in");
  p->nodes[n].bits = 8;
  return n;
}

bool p4c_is_const(const struct p4c *p, p4c_node n, uint32_t *number) {
  if (p->nodes[n].op != P4C_CONST) return false;
  *number = p->nodes[n].number;
  return true;
}

// ---- what is known -----------------------------------------------------------------------------

static bool is_op(const struct p4c *p, p4c_node n, const char *op) {
  return p->nodes[n].op == P4C_BINARY && strcmp(p->nodes[n].text, op) == 0;
}

static bool in(const char *op, const char *list) {
  for (; *list; list += strlen(list) + 1)
    if (strcmp(op, list) == 0) return true;
  return false;
}

bool p4c_is_truth(const struct p4c *p, p4c_node n) {
  const struct p4c_def *d = &p->nodes[n];
  if (d->op == P4C_CONST) return d->number < 2;
  if (d->op == P4C_CHOICE) return p4c_is_truth(p, d->b) && p4c_is_truth(p, d->c);
  if (d->op == P4C_TEXT)
    return strlen(d->text) > 4 && strcmp(d->text + strlen(d->text) - 4, ".hit") == 0;
  return d->op == P4C_BINARY && in(d->text, "==\0!=\0<\0<=\0&&\0||\0");
}

// x == 0 of a truth value x.
static bool is_not(const struct p4c *p, p4c_node n, p4c_node *of) {
  uint32_t zero;
  if (!is_op(p, n, "==") || !p4c_is_const(p, p->nodes[n].b, &zero) || zero) return false;
  *of = p->nodes[n].a;
  return p4c_is_truth(p, *of);
}

// Of c ? x : 1 that is not so c is, and x is not.
static void assume_choice(struct p4c *p, struct p4c_def d, bool is) {
  uint32_t arm;
  const bool not_no = p4c_is_const(p, d.c, &arm) && (arm != 0) != is;
  const bool not_yes = !not_no && p4c_is_const(p, d.b, &arm) && (arm != 0) != is;
  if (!not_no && !not_yes) return;
  p4c_assume(p, d.a, not_no);
  p4c_assume(p, not_no ? d.b : d.c, is);
}

void p4c_assume(struct p4c *p, p4c_node truth, bool is) {
  p4c_node of;
  if (p->num_assumed == sizeof p->assumed / sizeof *p->assumed) return;
  p->assumed[p->num_assumed].node = truth;
  p->assumed[p->num_assumed++].is = is;
  if (is_not(p, truth, &of)) p4c_assume(p, of, !is);
  if ((is && is_op(p, truth, "&&")) || (!is && is_op(p, truth, "||"))) {
    const p4c_node a = p->nodes[truth].a, b = p->nodes[truth].b;
    p4c_assume(p, a, is);
    p4c_assume(p, b, is);
  }
  if (p->nodes[truth].op == P4C_CHOICE) assume_choice(p, p->nodes[truth], is);
}

unsigned p4c_assumed(const struct p4c *p) { return p->num_assumed; }
void p4c_forget(struct p4c *p, unsigned assumed) { p->num_assumed = assumed; }

// What a truth value is in the case at hand.
static p4c_node known(struct p4c *p, p4c_node n) {
  for (unsigned i = p->num_assumed; i-- > 0;)
    if (p->assumed[i].node == n) return p4c_const(p, p->assumed[i].is);
  bool is;
  if (p4c_known_rows(p, n, &is)) return p4c_const(p, is);
  return n;
}

// ---- operators ---------------------------------------------------------------------------------

static uint32_t compute(const char *op, uint32_t a, uint32_t b) {
  if (strcmp(op, "+") == 0) return a + b;
  if (strcmp(op, "-") == 0) return a - b;
  if (strcmp(op, "*") == 0) return a * b;
  if (strcmp(op, "&") == 0) return a & b;
  if (strcmp(op, "|") == 0) return a | b;
  if (strcmp(op, "^") == 0) return a ^ b;
  if (strcmp(op, "<<") == 0) return a << (b & 31);
  if (strcmp(op, ">>>") == 0) return a >> (b & 31);
  if (strcmp(op, ">>") == 0) return (uint32_t)((int64_t)(int32_t)a >> (b & 31));
  if (strcmp(op, "==") == 0) return a == b;
  if (strcmp(op, "!=") == 0) return a != b;
  if (strcmp(op, "<") == 0) return (int32_t)a < (int32_t)b;
  if (strcmp(op, "<=") == 0) return (int32_t)a <= (int32_t)b;
  if (strcmp(op, "&&") == 0) return a && b;
  return a || b;
}

// a op b where b is a constant that makes it plain; true: *result is it.
static bool plain(struct p4c *p, const char *op, p4c_node a, uint32_t b, p4c_node *result) {
  p4c_node of;
  if (b == 0 && in(op, "+\0-\0|\0^\0<<\0>>>\0>>\0||\0")) *result = a;
  else if (b == 0 && in(op, "&\0*\0&&\0")) *result = p4c_const(p, 0);
  else if (b == UINT32_MAX && strcmp(op, "&") == 0) *result = a;
  else if (b == 1 && strcmp(op, "&&") == 0) *result = a;
  else if (b == 1 && strcmp(op, "||") == 0) *result = p4c_const(p, 1);
  else if (b == 0 && strcmp(op, "==") == 0 && is_not(p, a, &of) && known(p, of) == of &&
           p->nodes[of].op == P4C_BINARY && in(p->nodes[of].text, "==\0!=\0<\0<=\0&&\0||\0"))
    *result = of;
  else return false;
  return true;
}

// (c ? x : y) == 3 is c ? x == 3 : y == 3: so what is known of the packet is seen.
static bool spread(struct p4c *p, const char *op, p4c_node a, p4c_node b, p4c_node *result) {
  enum { MOST_DEPTH = 8 };
  uint32_t x;
  const bool left = p4c_is_const(p, b, &x);
  if (!p->spread || p->spread > MOST_DEPTH || !in(op, "==\0<\0<=\0")) return false;
  if (!left && !p4c_is_const(p, a, &x)) return false;
  const struct p4c_def d = p->nodes[left ? a : b];
  if (d.op != P4C_CHOICE) return false;
  p->spread++;
  const p4c_node yes = left ? p4c_binary(p, op, d.b, b) : p4c_binary(p, op, a, d.b),
                 no = left ? p4c_binary(p, op, d.c, b) : p4c_binary(p, op, a, d.c);
  p->spread--;
  *result = p4c_choice(p, d.a, yes, no);
  return true;
}

p4c_node p4c_binary(struct p4c *p, const char *op, p4c_node a, p4c_node b) {
  uint32_t x, y;
  p4c_node result;
  if (in(op, "&&\0||\0")) a = known(p, a), b = known(p, b);
  if (strcmp(op, "==") == 0) a = known(p, a);
  const bool ca = p4c_is_const(p, a, &x), cb = p4c_is_const(p, b, &y);
  if (ca && cb) return p4c_const(p, compute(op, x, y));
  if (cb && plain(p, op, a, y, &result)) return result;
  if (ca && in(op, "+\0*\0&\0|\0^\0&&\0||\0==\0!=\0")) return p4c_binary(p, op, b, a);
  if (a == b && in(op, "&\0|\0&&\0||\0")) return a;
  if (a == b && in(op, "==\0<=\0-\0^\0!=\0<\0")) return p4c_const(p, in(op, "==\0<=\0"));
  if (spread(p, op, a, b, &result)) return result;
  const p4c_node n =
      p4c_decided(p, make(p, (struct p4c_def){.op = P4C_BINARY, .text = op, .a = a, .b = b}));
  return in(op, "==\0!=\0<\0<=\0&&\0||\0") ? known(p, n) : n;
}

p4c_node p4c_unary(struct p4c *p, const char *op, p4c_node a) {
  uint32_t x;
  if (p4c_is_const(p, a, &x)) return p4c_const(p, ~x);
  return make(p, (struct p4c_def){.op = P4C_UNARY, .text = op, .a = a});
}

// In the parser a choice between truth values of which one is known is && or ||: so what is known
// of a header being there is known of all that led to it. Elsewhere the compiler does more with
// choices, since rows of actions can be such.
static bool logical(struct p4c *p, p4c_node condition, p4c_node yes, p4c_node no,
                    p4c_node *result) {
  uint32_t known;
  if (!p4c_is_truth(p, condition) || !p4c_is_truth(p, yes) || !p4c_is_truth(p, no)) return false;
  if (p4c_is_const(p, no, &known))
    *result = known ? p4c_or(p, p4c_not(p, condition), yes) : p4c_and(p, condition, yes);
  else if (p4c_is_const(p, yes, &known))
    *result = known ? p4c_or(p, condition, no) : p4c_and(p, p4c_not(p, condition), no);
  else return false;
  return true;
}

// 0, 1, or -1: it is not known in the case at hand.
enum { DEEP = 100, SHALLOW = 92 };
static int truth_of(struct p4c *p, p4c_node n, unsigned depth);

p4c_node p4c_choice(struct p4c *p, p4c_node condition, p4c_node yes, p4c_node no) {
  uint32_t x, y, z;
  condition = known(p, condition);
  if (p4c_is_const(p, condition, &x)) return x ? yes : no;
  const int truth = truth_of(p, condition, SHALLOW);
  if (truth >= 0) return truth ? yes : no;
  if (yes == no) return yes;
  p4c_node of;
  if (is_not(p, condition, &of)) return p4c_choice(p, of, no, yes);
  if (p4c_is_const(p, yes, &y) && p4c_is_const(p, no, &z) && y == 1 && z == 0) return condition;
  p4c_node result;
  if (p->in_parser && logical(p, condition, yes, no, &result)) return result;
  // c ? x : (c ? y : z) is c ? x : z
  if (p->nodes[no].op == P4C_CHOICE && p->nodes[no].a == condition)
    return p4c_choice(p, condition, yes, p->nodes[no].c);
  if (p->nodes[yes].op == P4C_CHOICE && p->nodes[yes].a == condition)
    return p4c_choice(p, condition, p->nodes[yes].b, no);
  return p4c_decided(
      p, make(p, (struct p4c_def){.op = P4C_CHOICE, .a = condition, .b = yes, .c = no}));
}

static unsigned bits_of(const struct p4c *p, p4c_node n, unsigned depth) {
  const struct p4c_def *d = &p->nodes[n];
  unsigned bits = 0;
  if (d->op == P4C_CONST)
    while (bits < 32 && d->number >> bits) bits++;
  if (d->op == P4C_CONST || d->op == P4C_UNARY || depth == 60)
    return d->op == P4C_CONST ? bits : 32;
  if (d->op == P4C_TEXT) return d->bits ? d->bits : 32;
  if (d->op == P4C_BINARY && in(d->text, "==\0!=\0<\0<=\0&&\0||\0")) return 1;
  const bool choice = d->op == P4C_CHOICE;
  const unsigned a = bits_of(p, choice ? d->b : d->a, depth + 1),
                 b = bits_of(p, choice ? d->c : d->b, depth + 1), larger = a > b ? a : b;
  uint32_t by;
  if (choice || in(d->text, "|\0^\0")) return larger;
  if (in(d->text, "&\0")) return a < b ? a : b;
  if (in(d->text, "+\0") && larger < 32) return larger + 1;
  if (!p4c_is_const(p, d->b, &by) || by > 31) return 32;
  if (in(d->text, ">>>\0")) return a > by ? a - by : 0;
  return in(d->text, "<<\0") && a + by < 32 ? a + by : 32;
}

unsigned p4c_bits(const struct p4c *p, p4c_node n) { return bits_of(p, n, 0); }

p4c_node p4c_low(struct p4c *p, p4c_node a, unsigned width) {
  if (width >= 32) return a;
  return p4c_binary(p, "&", a, p4c_const(p, (UINT32_C(1) << width) - 1));
}

// ---- where nobody looks ------------------------------------------------------------------------

static int truth_of(struct p4c *p, p4c_node n, unsigned depth) {
  uint32_t number;
  n = known(p, n);
  if (p4c_is_const(p, n, &number)) return number != 0;
  const struct p4c_def d = p->nodes[n];
  if (depth == DEEP || (d.op != P4C_CHOICE && d.op != P4C_BINARY)) return -1;
  const bool both = d.op == P4C_BINARY && strcmp(d.text, "&&") == 0,
             either = d.op == P4C_BINARY && strcmp(d.text, "||") == 0;
  p4c_node of;
  if (d.op == P4C_BINARY && is_not(p, n, &of)) {
    const int t = truth_of(p, of, depth + 1);
    return t < 0 ? t : !t;
  }
  if (d.op == P4C_BINARY && !both && !either) return -1;
  const int a = truth_of(p, d.a, depth + 1);
  if (d.op == P4C_CHOICE && a >= 0) return truth_of(p, a ? d.b : d.c, depth + 1);
  if ((both && a == 0) || (either && a == 1)) return a;
  const int b = truth_of(p, d.b, depth + 1);
  const int c = d.op == P4C_CHOICE ? truth_of(p, d.c, depth + 1) : a;
  if ((both && b == 0) || (either && b == 1)) return b;
  return b == c ? b : -1;
}

struct pruning {
  p4c_node hidden;
  unsigned budget;
};

static p4c_node prune(struct p4c *p, p4c_node n, struct pruning *q);

// The arm; false: it does not count.
static bool arm(struct p4c *p, struct p4c_def d, bool is, struct pruning *q, p4c_node *to) {
  const unsigned assumed = p4c_assumed(p);
  p4c_assume(p, d.a, is);
  const bool counts = truth_of(p, q->hidden, 0) != 1;
  if (counts) *to = prune(p, is ? d.b : d.c, q);
  p4c_forget(p, assumed);
  return counts;
}

static p4c_node prune(struct p4c *p, p4c_node n, struct pruning *q) {
  const struct p4c_def d = p->nodes[n];
  if (d.op != P4C_CHOICE || !q->budget) return n;
  q->budget--;
  p4c_node yes = d.b, no = d.c;
  if (!arm(p, d, true, q, &yes)) {
    (void)arm(p, d, false, q, &no);
    return no;
  }
  if (!arm(p, d, false, q, &no)) return yes;
  p->place = d.place;
  return p4c_choice(p, d.a, yes, no);
}

p4c_node p4c_prune(struct p4c *p, p4c_node n, p4c_node hidden) {
  struct pruning q = {hidden, 2000};
  return prune(p, n, &q);
}

// ---- the packet --------------------------------------------------------------------------------

p4c_node p4c_packet_bits(struct p4c *p, unsigned at, unsigned width) {
  const unsigned first = at / 8, last = (at + width - 1) / 8;
  const unsigned even = first & ~1u;
  unsigned start = first, bytes = last - first < 2 ? 2 : 4;
  if (last - even < 2) start = even;
  if (last - first >= 4) {  // five bytes
    const unsigned upper = 8 - at % 8;
    const p4c_node high = p4c_packet_bits(p, at, upper);
    const p4c_node low = p4c_packet_bits(p, at + upper, width - upper);
    return p4c_binary(p, "|", p4c_binary(p, "<<", high, p4c_const(p, width - upper)), low);
  }
  if (start + bytes > p->config->HeaderBytes) {
    p4c_refuse(p, p->place, "too-far",
               "this is behind byte %u; the machine sees the first %u bytes "
               "of a frame, a VLAN tag among them",
               start, p->config->HeaderBytes);
    return p4c_const(p, 0);
  }
  p4c_node n = p4c_text(p, arena_format(p->arena, "bytes(%u, %u)", start, bytes));
  p->nodes[n].bits = 8 * bytes;
  const unsigned right = (start + bytes) * 8 - (at + width), left = bytes * 8 - right - width;
  n = p4c_binary(p, ">>>", n, p4c_const(p, right));
  return left ? p4c_low(p, n, width) : n;
}
