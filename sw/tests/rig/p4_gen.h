// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

/// Random P4-16 programs for v1model, as trees: p4_print.h writes each in two forms that mean the
/// same. All names in a program differ, so that what is inlined hides nothing.

struct gt {  // a type: bool, int<W>, bit<W>
  bool truth, sign;
  unsigned width;
};
enum gx_kind {
  GX_LITERAL,
  GX_NAME,
  GX_INDEX,   // h.st[a].name
  GX_BINARY,  // a op b, of one type
  GX_SHIFT,   // b is bit<8>
  GX_UNARY,
  GX_CAST,
  GX_SLICE,
  GX_CONCAT,
  GX_COND,
  GX_COMPARE,
  GX_LOGIC,
  GX_VALID,
};
struct gx {
  enum gx_kind kind;
  struct gt type;
  const char *op, *name;
  uint64_t value[2];  // low, high
  unsigned high, low;
  struct gx *a, *b, *c;
};

enum gs_kind {
  GS_ASSIGN,    // name = x
  GS_SLICE,     // name[high:low] = x
  GS_COMPOUND,  // name op= x
  GS_INDEX,     // h.st[y].name = x
  GS_IF,
  GS_SWITCH,  // then: GS_CASE, otherwise: of default
  GS_CASE,    // number: its label
  GS_FOR,     // name goes from 0 to number - 1
  GS_BREAK,
  GS_CONTINUE,
  GS_CALL,    // name = function(x, other)
  GS_ACTION,  // action(x, y)
  GS_TABLE,   // then: on a hit, otherwise: on a miss
  GS_VALID,   // name becomes valid, or (number) not
  GS_PUSH,    // push_front(number), or (low) pop_front
  GS_COPY,    // header name = header other
  GS_LIST,    // header name = { x, y }
  GS_READ,    // register number, index x, to name
  GS_WRITE,   // register number, index x, value y
  GS_HASH,    // name from x and y
  GS_DECL,
};
struct gs {
  enum gs_kind kind;
  bool dropped;
  struct gt type;
  const char *name, *other, *op;
  struct gx *x, *y;
  unsigned high, low, number;
  struct gs *then, *otherwise, *next;
};

enum { G_FUNCTIONS = 3, G_ACTIONS = 4, G_TABLES = 3, G_REGISTERS = 3, G_KEYS = 2, G_ENTRIES = 5 };
struct gfunction {  // bit.. f(in p, inout q)
  struct gt result, p, q;
  struct gs *body;
  struct gx *value;
};
struct gaction {  // action a(p, q)
  struct gt p, q;
  struct gs *body;
};
enum gmatch { G_EXACT, G_LPM, G_TERNARY, G_RANGE };
struct gkey {
  struct gx *x;
  enum gmatch match;
};
struct gentry {
  uint64_t a[G_KEYS], b[G_KEYS];  // value; mask, prefix length, upper end
  unsigned action;
  uint64_t p, q;
  bool dropped;
};
struct gtable {
  unsigned num_keys, num_entries, action[2], miss;
  uint64_t miss_p, miss_q;
  bool by_control_plane;
  struct gkey keys[G_KEYS];
  struct gentry entries[G_ENTRIES];
};
struct gcase {  // of a parser's select: key & b == a & b, or a <= key <= b
  bool range;
  uint64_t a, b;
  unsigned to;
};
enum { G_STATES = 4 };  // start, b, c, stack; then accept, reject
struct gstate {
  unsigned num_cases, otherwise;
  struct gcase cases[3];
};
struct gprogram {
  struct gfunction functions[G_FUNCTIONS];
  struct gaction actions[G_ACTIONS];
  struct gtable tables[G_TABLES];
  struct gt registers[G_REGISTERS];
  struct gstate states[G_STATES];
  struct gs *sub, *ingress, *egress;
};

struct gvar {
  const char *name;
  struct gt type;
  bool fixed;  // nothing is written to it
};
struct gen {
  struct sluice_rng rng;
  char *memory;
  size_t used, room;
  struct gvar vars[200];
  unsigned num_vars, names, loops, functions;
  bool headers, tables;
};

static inline uint64_t g_below(struct gen *g, uint64_t n) { return sluice_rng_below(&g->rng, n); }
static inline bool g_one_in(struct gen *g, uint64_t n) { return g_below(g, n) == 0; }
static inline void *g_alloc(struct gen *g, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (g->used + size > g->room) abort();
  void *p = g->memory + g->used;
  g->used += size;
  return memset(p, 0, size);
}
static inline const char *g_name(struct gen *g, const char *stem) {
  char *name = g_alloc(g, 16);
  snprintf(name, 16, "%s%u", stem, ++g->names);
  return name;
}
static inline struct gt g_bits(unsigned width) { return (struct gt){.width = width}; }
static inline bool g_same(struct gt a, struct gt b) {
  return a.truth == b.truth && a.sign == b.sign && a.width == b.width;
}
static inline struct gt g_type(struct gen *g) {
  static const unsigned widths[] = {1, 2, 3, 4, 8, 8, 8, 9, 16, 16, 19, 32, 48, 64, 65, 100};
  struct gt t = {.width = widths[g_below(g, 16)], .sign = g_one_in(g, 5)};
  if (g_one_in(g, 12)) return (struct gt){.truth = true};
  return t;
}
static inline void g_var(struct gen *g, const char *name, struct gt type, bool fixed) {
  if (g->num_vars < 200) g->vars[g->num_vars++] = (struct gvar){name, type, fixed};
}

// ---- expressions --------------------------------------------------------------------------------

static inline struct gx *g_expr(struct gen *g, struct gt type, unsigned depth);

static inline struct gx *g_new(struct gen *g, enum gx_kind kind, struct gt type) {
  struct gx *x = g_alloc(g, sizeof *x);
  x->kind = kind;
  x->type = type;
  return x;
}
static inline struct gx *g_literal(struct gen *g, struct gt type) {
  struct gx *x = g_new(g, GX_LITERAL, type);
  const uint64_t kind = g_below(g, 4);
  for (unsigned i = 0; i < 2; i++)
    x->value[i] = kind == 0   ? UINT64_MAX
                  : kind == 1 ? (i ? 0 : g_below(g, 6))
                              : sluice_rng_next(&g->rng);
  if (type.width < 64) x->value[0] &= ((uint64_t)1 << type.width) - 1;
  if (type.width <= 64) x->value[1] = 0;
  else if (type.width < 128) x->value[1] &= ((uint64_t)1 << (type.width - 64)) - 1;
  if (type.truth) x->value[0] &= 1;
  return x;
}
// One of the program's variables, of this type and in reach; NULL: it has none.
static inline const struct gvar *g_pick(struct gen *g, struct gt type, bool written) {
  const struct gvar *found = NULL;
  unsigned num = 0;
  for (unsigned i = 0; i < g->num_vars; i++)
    if (g_same(g->vars[i].type, type) && !(written && g->vars[i].fixed) && g_one_in(g, ++num))
      found = &g->vars[i];
  return found;
}
static inline struct gx *g_leaf(struct gen *g, struct gt type) {
  const struct gvar *v = g_pick(g, type, false);
  if (v && !g_one_in(g, 4)) {
    struct gx *x = g_new(g, GX_NAME, type);
    x->name = v->name;
    return x;
  }
  if (v || type.truth || g_one_in(g, 3)) return g_literal(g, type);
  const struct gvar *other = &g->vars[g_below(g, g->num_vars)];
  if (other->type.truth || other->type.sign || type.sign) return g_literal(g, type);
  struct gx *x = g_new(g, GX_CAST, type);
  x->a = g_new(g, GX_NAME, other->type);
  x->a->name = other->name;
  return x;
}
static inline struct gx *g_bool(struct gen *g, unsigned depth) {
  static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
  const struct gt type = {.truth = true};
  static const char *const headers[] = {"h.a", "h.b", "h.c", "h.st[0]", "h.st[1]"};
  const uint64_t kind = g_below(g, 8);
  if (!depth || kind == 0) return g_leaf(g, type);
  if (kind == 1 && g->headers) {
    struct gx *x = g_new(g, GX_VALID, type);
    x->name = headers[g_below(g, 5)];
    return x;
  }
  struct gx *x = g_new(g, kind < 4 ? GX_LOGIC : GX_COMPARE, type);
  if (kind == 2) {
    x->kind = GX_UNARY;
    x->op = "!";
    x->a = g_expr(g, type, depth - 1);
    return x;
  }
  const struct gt operand = kind < 4 ? type : g_type(g);
  x->op = kind < 4        ? g_one_in(g, 2) ? "&&" : "||"
          : operand.truth ? compares[g_below(g, 2)]
                          : compares[g_below(g, 6)];
  x->a = g_expr(g, operand, depth - 1);
  x->b = g_expr(g, operand, depth - 1);
  return x;
}
static inline struct gx *g_binary(struct gen *g, struct gt type, unsigned depth) {
  static const char *const ops[] = {"+", "-", "*", "&", "|", "^", "|+|", "|-|", "/", "%"};
  struct gx *x = g_new(g, GX_BINARY, type);
  x->op = ops[g_below(g, type.sign ? 8 : 10)];
  x->a = g_expr(g, type, depth - 1);
  x->b = g_expr(g, type, depth - 1);
  if (strchr("/%", *x->op)) {  // what cannot be 0
    struct gx *odd = g_new(g, GX_BINARY, type), *one = g_literal(g, type);
    one->value[0] = 1;
    one->value[1] = 0;
    odd->op = "|";
    odd->a = x->b;
    odd->b = one;
    x->b = odd;
  }
  return x;
}
static inline struct gx *g_shift(struct gen *g, struct gt type, unsigned depth) {
  struct gx *x = g_new(g, GX_SHIFT, type);
  x->op = g_one_in(g, 2) ? "<<" : ">>";
  x->a = g_expr(g, type, depth - 1);
  x->b = g_expr(g, g_bits(8), depth > 1);
  return x;
}
static inline struct gx *g_cast(struct gen *g, struct gt type, unsigned depth) {
  struct gx *x = g_new(g, GX_CAST, type);
  struct gt from = type;
  if (g_one_in(g, 4)) from.sign = !type.sign;
  else from.width = (unsigned[]){1, 4, 8, 16, 32, 64, 100}[g_below(g, 7)];
  if (type.width == 1 && !type.sign && g_one_in(g, 3)) from = (struct gt){.truth = true};
  x->a = g_expr(g, from, depth - 1);
  return x;
}
static inline struct gx *g_slice(struct gen *g, struct gt type, unsigned depth) {
  struct gx *x = g_new(g, GX_SLICE, type);
  const struct gt from = {.width = type.width + (unsigned)g_below(g, 9), .sign = g_one_in(g, 4)};
  x->low = (unsigned)g_below(g, from.width - type.width + 1);
  x->high = x->low + type.width - 1;
  x->a = g_expr(g, from, depth - 1);
  return x;
}
static inline struct gx *g_concat(struct gen *g, struct gt type, unsigned depth) {
  struct gx *x = g_new(g, GX_CONCAT, type);
  const unsigned left = 1 + (unsigned)g_below(g, type.width - 1);
  x->a = g_expr(g, g_bits(left), depth - 1);
  x->b = g_expr(g, g_bits(type.width - left), depth - 1);
  return x;
}
static inline struct gx *g_expr(struct gen *g, struct gt type, unsigned depth) {
  if (type.truth) return g_bool(g, depth);
  if (!depth || g_one_in(g, 5)) return g_leaf(g, type);
  struct gx *x;
  switch (g_below(g, 10)) {
    case 0: return g_shift(g, type, depth);
    case 1: return g_cast(g, type, depth);
    case 2: return type.sign ? g_cast(g, type, depth) : g_slice(g, type, depth);
    case 3:
      if (type.sign || type.width < 2) return g_binary(g, type, depth);
      return g_concat(g, type, depth);
    case 4:
      x = g_new(g, GX_COND, type);
      x->a = g_bool(g, depth - 1);
      x->b = g_expr(g, type, depth - 1);
      x->c = g_expr(g, type, depth - 1);
      return x;
    case 5:
      x = g_new(g, GX_UNARY, type);
      x->op = g_one_in(g, 2) ? "-" : "~";
      x->a = g_expr(g, type, depth - 1);
      return x;
    case 6:
      if (!g->headers || !g_same(type, g_bits(8))) return g_binary(g, type, depth);
      x = g_new(g, GX_INDEX, type);
      x->name = "x";
      x->a = g_expr(g, g_bits(2), depth - 1);
      return x;
    default: return g_binary(g, type, depth);
  }
}

// ---- statements ---------------------------------------------------------------------------------

static inline struct gs *g_block(struct gen *g, unsigned num, unsigned depth);

static inline const struct gvar *g_target(struct gen *g) {
  for (unsigned i = 0; i < 100; i++) {
    const struct gvar *v = &g->vars[g_below(g, g->num_vars)];
    if (!v->fixed) return v;
  }
  return NULL;
}
// An assignment of one of four kinds.
static inline void g_assign(struct gen *g, struct gs *s) {
  static const char *const ops[] = {"+", "-", "*", "&", "|", "^", "|+|", "|-|"};
  const struct gvar *v = g_target(g);
  if (!v) return;
  s->kind = GS_ASSIGN;
  s->name = v->name;
  s->type = v->type;
  if (!v->type.truth && g_one_in(g, 4)) {
    s->kind = GS_COMPOUND;
    s->op = ops[g_below(g, 8)];
  } else if (!v->type.truth && !v->type.sign && g_one_in(g, 4)) {
    s->kind = GS_SLICE;
    s->low = (unsigned)g_below(g, v->type.width);
    s->high = s->low + (unsigned)g_below(g, v->type.width - s->low);
    s->x = g_expr(g, g_bits(s->high - s->low + 1), 2);
    return;
  }
  s->x = g_expr(g, v->type, 3);
}
static inline void g_switch(struct gen *g, struct gs *s, unsigned depth) {
  s->kind = GS_SWITCH;
  s->x = g_expr(g, g_bits(2), 2);
  struct gs **end = &s->then;
  for (unsigned i = 0; i < 3; i++) {
    if (g_one_in(g, 4)) continue;
    struct gs *c = *end = g_alloc(g, sizeof *c);
    c->kind = GS_CASE;
    c->number = i;
    c->then = g_block(g, 2, depth);
    end = &c->next;
  }
  if (g_one_in(g, 2)) s->otherwise = g_block(g, 2, depth);
}
static inline void g_for(struct gen *g, struct gs *s, unsigned depth) {
  const unsigned vars = g->num_vars;
  s->kind = GS_FOR;
  s->name = g_name(g, "i");
  s->number = 1 + (unsigned)g_below(g, 3);
  g_var(g, s->name, g_bits(8), true);
  g->loops++;
  s->then = g_block(g, 3, depth);
  g->loops--;
  g->num_vars = vars;
}
static inline bool g_call(struct gen *g, struct gs *s, const struct gprogram *p) {
  if (!g->functions) return false;
  s->number = (unsigned)g_below(g, g->functions);
  const struct gfunction *f = &p->functions[s->number];
  const struct gvar *to = g_pick(g, f->result, true), *inout = g_pick(g, f->q, true);
  if (!to || !inout) return false;
  s->kind = GS_CALL;
  s->name = to->name;
  s->other = inout->name;
  s->x = g_expr(g, f->p, 2);
  return true;
}
static inline void g_header(struct gen *g, struct gs *s) {
  static const char *const headers[] = {"h.b", "h.c", "h.st[0]", "h.st[1]", "h.st[2]"};
  switch (g_below(g, 5)) {
    case 0:
      s->kind = GS_PUSH;
      s->low = (unsigned)g_below(g, 2);
      s->number = 1 + (unsigned)g_below(g, 2);
      break;
    case 1:
      s->kind = GS_COPY;
      s->name = g_one_in(g, 2) ? "h.b" : "h.c";
      s->other = s->name[2] == 'b' ? "h.c" : "h.b";
      break;
    case 2:
      s->kind = GS_LIST;
      s->name = headers[g_below(g, 2)];
      s->x = g_expr(g, g_bits(16), 2);
      s->y = g_expr(g, g_bits(8), 2);
      break;
    case 3:
      s->kind = GS_INDEX;
      s->name = "x";
      s->y = g_expr(g, g_bits(2), 1);
      s->x = g_expr(g, g_bits(8), 2);
      break;
    default:
      s->kind = GS_VALID;
      s->name = headers[g_below(g, 5)];
      s->number = (unsigned)g_below(g, 2);
  }
}
static inline bool g_register(struct gen *g, struct gs *s, const struct gprogram *p) {
  s->number = (unsigned)g_below(g, G_REGISTERS);
  const struct gt type = p->registers[s->number];
  const struct gvar *v = g_pick(g, type, true);
  s->x = g_expr(g, g_bits(3), 1);
  s->kind = g_one_in(g, 2) ? GS_WRITE : GS_READ;
  s->type = type;
  if (s->kind == GS_WRITE) s->y = g_expr(g, type, 2);
  else if (v) s->name = v->name;
  return s->kind == GS_WRITE || v;
}
static inline bool g_hash(struct gen *g, struct gs *s) {
  static const char *const ops[] = {"crc16", "crc32", "csum16", "xor16", "identity"};
  const struct gvar *v = g_pick(g, g_bits(32), true);
  if (!v) return false;
  s->kind = GS_HASH;
  s->name = v->name;
  s->op = ops[g_below(g, 5)];
  s->x = g_expr(g, g_bits(9), 1);
  s->y = g_expr(g, g_bits(16), 1);
  return true;
}

static const struct gprogram *g_program_of;  // that is being made

static inline bool g_uses(struct gen *g, struct gs *s, unsigned depth) {
  const struct gprogram *p = g_program_of;
  switch (g_below(g, 6)) {
    case 0: return g_call(g, s, p);
    case 1:
      if (g->headers) g_header(g, s);
      return g->headers;
    case 2: return g->tables && g_register(g, s, p);
    case 3: return g->tables && g_hash(g, s);
    case 4:
      if (!g->tables) return false;
      s->kind = GS_ACTION;
      s->number = (unsigned)g_below(g, G_ACTIONS);
      s->x = g_expr(g, p->actions[s->number].p, 2);
      s->y = g_expr(g, p->actions[s->number].q, 2);
      return true;
    default:
      if (!g->tables || !depth) return false;
      s->kind = GS_TABLE;
      s->number = (unsigned)g_below(g, G_TABLES);
      s->then = g_block(g, 2, depth - 1);
      s->otherwise = g_block(g, 1, depth - 1);
      return true;
  }
}
static inline void g_stmt(struct gen *g, struct gs *s, unsigned depth) {
  const uint64_t kind = g_below(g, 12);
  if (kind < 3 && g_uses(g, s, depth)) return;
  memset(s, 0, sizeof *s);
  if (depth && kind == 3) {
    s->kind = GS_IF;
    s->x = g_bool(g, 3);
    s->then = g_block(g, 2, depth - 1);
    if (g_one_in(g, 2)) s->otherwise = g_block(g, 2, depth - 1);
  } else if (depth && kind == 4) {
    g_switch(g, s, depth - 1);
  } else if (depth && kind == 5) {
    g_for(g, s, depth - 1);
  } else if (kind == 6) {
    s->kind = GS_DECL;
    s->type = g_type(g);
    s->x = g_expr(g, s->type, 2);
    s->name = g_name(g, "v");
    g_var(g, s->name, s->type, false);
  } else if (kind == 7 && g->loops) {
    s->kind = GS_IF;
    s->x = g_bool(g, 1);
    s->then = g_alloc(g, sizeof *s->then);
    s->then->kind = g_one_in(g, 2) ? GS_BREAK : GS_CONTINUE;
  } else {
    g_assign(g, s);
  }
}
static inline struct gs *g_block(struct gen *g, unsigned num, unsigned depth) {
  const unsigned vars = g->num_vars;
  struct gs *first = NULL, **end = &first;
  for (unsigned i = 0; i < num; i++) {
    struct gs *s = g_alloc(g, sizeof *s);
    g_stmt(g, s, depth);
    if (s->kind == GS_ASSIGN && !s->x) continue;
    *end = s;
    end = &s->next;
  }
  g->num_vars = vars;
  return first;
}

// ---- programs -----------------------------------------------------------------------------------

static inline void g_make_function(struct gen *g, struct gprogram *p, unsigned i) {
  struct gfunction *f = &p->functions[i];
  static const char *const names[] = {"f0p", "f0q", "f1p", "f1q", "f2p", "f2q"};
  f->result = g_one_in(g, 2) ? g_bits(8) : g_type(g);
  f->p = g_type(g);
  f->q = g_one_in(g, 2) ? g_bits(16) : g_type(g);
  const unsigned vars = g->num_vars;
  g_var(g, names[2 * i], f->p, true);
  g_var(g, names[2 * i + 1], f->q, false);
  f->body = g_block(g, 3, 2);
  f->value = g_expr(g, f->result, 3);
  g->num_vars = vars;
  g->functions = i + 1;
}
static inline void g_make_action(struct gen *g, struct gprogram *p, unsigned i) {
  static const char *const names[] = {"a0p", "a0q", "a1p", "a1q", "a2p", "a2q", "a3p", "a3q"};
  struct gaction *a = &p->actions[i];
  const unsigned vars = g->num_vars;
  a->p = g_bits((unsigned[]){1, 8, 9, 16}[g_below(g, 4)]);
  a->q = g_bits((unsigned[]){4, 8, 16, 48}[g_below(g, 4)]);
  g_var(g, names[2 * i], a->p, true);
  g_var(g, names[2 * i + 1], a->q, true);
  g->tables = false;
  a->body = g_block(g, 3, 1);
  g->tables = true;
  g->num_vars = vars;
}
static inline uint64_t g_data(struct gen *g, struct gt type) {
  return g_below(g, (uint64_t)1 << (type.width < 16 ? type.width : 16));
}
static inline void g_make_table(struct gen *g, struct gprogram *p, unsigned i) {
  struct gtable *t = &p->tables[i];
  t->num_keys = 1 + (unsigned)g_below(g, G_KEYS);
  t->num_entries = (unsigned)g_below(g, G_ENTRIES + 1);
  t->by_control_plane = g_one_in(g, 2);
  t->action[0] = (unsigned)g_below(g, G_ACTIONS);
  t->action[1] = (t->action[0] + 1) % G_ACTIONS;
  t->miss = t->action[g_below(g, 2)];
  t->miss_p = g_data(g, p->actions[t->miss].p);
  t->miss_q = g_data(g, p->actions[t->miss].q);
  for (unsigned k = 0; k < t->num_keys; k++) {
    const struct gvar *v = &g->vars[g_below(g, g->num_vars)];
    struct gx *x = g_new(g, GX_NAME, v->type);
    while (v->type.truth || v->type.sign || v->type.width < 3)
      v = &g->vars[g_below(g, g->num_vars)];
    x->name = v->name;
    x->type = v->type;
    t->keys[k].x = g_new(g, GX_SLICE, g_bits(3));
    t->keys[k].x->a = x;
    t->keys[k].x->low = (unsigned)g_below(g, v->type.width - 2);
    t->keys[k].x->high = t->keys[k].x->low + 2;
    t->keys[k].match = (enum gmatch)g_below(g, k ? 1 : 4);
  }
  const enum gmatch first = t->keys[0].match;
  if (t->num_keys > 1 && first >= G_TERNARY)
    t->keys[1].match = (enum gmatch[]){G_EXACT, G_TERNARY, G_RANGE}[g_below(g, 3)];
  for (unsigned e = 0; e < t->num_entries; e++) {
    struct gentry *n = &t->entries[e];
    for (unsigned k = 0; k < t->num_keys; k++) {
      n->a[k] = g_below(g, 8);
      n->b[k] = t->keys[k].match == G_RANGE ? n->a[k] + g_below(g, 8 - n->a[k])
                : t->keys[k].match == G_LPM ? g_below(g, 4)
                                            : g_below(g, 8);
      if (t->keys[k].match == G_LPM) n->a[k] &= 7u << (3 - n->b[k]) & 7;
      if (t->keys[k].match == G_TERNARY) n->a[k] &= n->b[k];
    }
    n->action = t->action[g_below(g, 2)];
    n->p = g_data(g, p->actions[n->action].p);
    n->q = g_data(g, p->actions[n->action].q);
    // entries of one key would be refused
    for (unsigned o = 0; o < e; o++)
      if (memcmp(t->entries[o].a, n->a, sizeof n->a) == 0 && first < G_TERNARY) n->dropped = true;
  }
}
static inline void g_make_state(struct gen *g, struct gstate *s) {
  s->num_cases = (unsigned)g_below(g, 4);
  s->otherwise = (unsigned)g_below(g, G_STATES + 2);
  if (s->otherwise == 0) s->otherwise = G_STATES;
  for (unsigned i = 0; i < s->num_cases; i++) {
    struct gcase *c = &s->cases[i];
    c->range = g_one_in(g, 3);
    c->a = g_below(g, 16);
    c->b = c->range ? c->a + g_below(g, 16 - c->a) : g_one_in(g, 2) ? 15 : g_below(g, 16);
    c->to = 1 + (unsigned)g_below(g, G_STATES);
  }
}
static inline struct gprogram *g_program(struct gen *g, uint64_t seed) {
  static const struct gvar shared[] = {
      {"h.a.w", {0, 0, 16}, 0},    {"h.a.n", {0, 0, 8}, 0},     {"h.a.x", {0, 0, 19}, 0},
      {"h.a.y", {0, 1, 4}, 0},     {"h.a.z", {1, 0, 0}, 0},     {"h.b.p", {0, 0, 16}, 0},
      {"h.b.x", {0, 0, 8}, 0},     {"h.c.p", {0, 0, 16}, 0},    {"h.c.x", {0, 0, 8}, 0},
      {"h.st[0].x", {0, 0, 8}, 0}, {"h.st[1].x", {0, 0, 8}, 0}, {"h.st[2].x", {0, 0, 8}, 0},
      {"m.a", {0, 0, 8}, 0},       {"m.b", {0, 0, 32}, 0},      {"m.c", {0, 0, 48}, 0},
      {"m.d", {0, 0, 100}, 0},     {"m.e", {0, 1, 16}, 0},      {"m.f", {0, 0, 1}, 0},
      {"m.g", {0, 0, 64}, 0},      {"m.i", {0, 0, 9}, 0},       {"m.k", {1, 0, 0}, 0}};
  sluice_rng_init(&g->rng, seed, "p4 programs");
  g->used = g->num_vars = g->names = g->loops = g->functions = 0;
  g->headers = g->tables = false;
  struct gprogram *p = g_alloc(g, sizeof *p);
  g_program_of = p;
  for (unsigned i = 0; i < G_FUNCTIONS; i++) g_make_function(g, p, i);
  for (unsigned i = 0; i < sizeof shared / sizeof shared[0]; i++)
    g_var(g, shared[i].name, shared[i].type, false);
  for (unsigned i = 0; i < G_REGISTERS; i++) do
      p->registers[i] = g_type(g);
    while (p->registers[i].truth);
  g->headers = true;
  p->sub = g_block(g, 4, 2);
  for (unsigned i = 0; i < G_ACTIONS; i++) g_make_action(g, p, i);
  for (unsigned i = 0; i < G_TABLES; i++) g_make_table(g, p, i);
  for (unsigned i = 0; i < G_STATES; i++) g_make_state(g, &p->states[i]);
  g->tables = true;
  p->ingress = g_block(g, 8, 3);
  g->tables = false;
  p->egress = g_block(g, 3, 2);
  return p;
}
