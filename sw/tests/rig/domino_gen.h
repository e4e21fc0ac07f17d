// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/rng.h"

/// Random Domino programs. Every one is right by the rules of the language; many do not fit a chip.
/// State is mostly updated in the forms that the state unit has, so that enough of them do.
struct gen {
  struct sluice_rng *rng;
  char text[1 << 16];
  size_t len;
  unsigned num_fields, num_arrays, num_scalars;
  bool products;  // also products of two values, and with constants of many digits
  // Of row_gen.h: words of the packet's array are looked up; up to 16 words, not 8.
  bool looks_up, wide;
  bool rich;  // also long chains of one operator, chains of else-if, values that are known
  bool read_only[40];
  char field[40][12];
};

static inline unsigned gen_below(struct gen *g, unsigned n) {
  return (unsigned)sluice_rng_below(g->rng, n);
}

static inline void gen_put(struct gen *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(g->text + g->len, sizeof g->text - g->len, format, args);
  va_end(args);
  if (n > 0) g->len += (size_t)n;
  if (g->len >= sizeof g->text) g->len = sizeof g->text - 1;
}

static inline void gen_const(struct gen *g) {
  static const char *const some[] = {
      "0",     "1",     "2",      "3",          "5",          "7",     "8",     "10",
      "255",   "1000",  "2047",   "2048",       "-1",         "-2",    "-2048", "-2049",
      "65535", "65536", "100000", "0x7fffffff", "0x80000000", "-70000"};
  gen_put(g, "%s", some[gen_below(g, sizeof some / sizeof some[0])]);
}

static inline void gen_field(struct gen *g) {
  gen_put(g, "p.%s", g->field[gen_below(g, g->num_fields)]);
}

static inline void gen_state(struct gen *g) {
  unsigned n = gen_below(g, g->num_arrays + g->num_scalars);
  if (n < g->num_arrays) gen_put(g, "a%u[p.x%u]", n, n);
  else gen_put(g, "c%u", n - g->num_arrays);
}

static inline void gen_leaf(struct gen *g, bool state) {
  unsigned kind = gen_below(g, 8);
  if (kind < 2) gen_const(g);
  else if (kind == 2 && state && g->num_arrays + g->num_scalars) gen_state(g);
  else gen_field(g);
}

static inline void gen_expr(struct gen *g, unsigned depth, bool state) {
  static const char *const ops[] = {"+",  "-", "+",  "-",  "&",  "|",  "^", "<",
                                    "<=", ">", ">=", "==", "!=", "&&", "||"};
  unsigned kind = depth ? gen_below(g, 10) : 9;
  gen_put(g, "(");
  if (kind < 4) {
    gen_expr(g, depth - 1, state);
    gen_put(g, " %s ", ops[gen_below(g, sizeof ops / sizeof ops[0])]);
    gen_expr(g, depth - 1, state);
  } else if (kind == 4) {
    gen_put(g, "%s", (const char *[]){"!", "-", "~"}[gen_below(g, 3)]);
    gen_expr(g, depth - 1, state);
  } else if (kind == 5) {
    gen_expr(g, depth - 1, state);
    gen_put(g, " ? ");
    gen_expr(g, depth - 1, state);
    gen_put(g, " : ");
    gen_expr(g, depth - 1, state);
  } else if (kind == 6) {
    gen_expr(g, depth - 1, state);
    gen_put(g, " %s ", gen_below(g, 2) ? "<<" : ">>");
    if (gen_below(g, 3)) gen_put(g, "%u", gen_below(g, 40));
    else gen_field(g);
  } else if (depth && kind >= 7 && g->products && gen_below(g, 2)) {
    static const char *const by[] = {"10000", "-1", "7", "0x55555555", "1000003", "(1 << p.x0)"};
    gen_expr(g, depth - 1, state);
    gen_put(g, " * ");
    if (gen_below(g, 3)) gen_expr(g, depth - 1, state);
    else gen_put(g, "%s", g->num_arrays ? by[gen_below(g, 6)] : by[gen_below(g, 5)]);
  } else if (kind == 7 && gen_below(g, 2) == 0) {
    static const char *const by[] = {"* 3",  "* 10", "* -4", "/ 2", "/ 16",
                                     "/ -8", "% 8",  "% 16", "% -4"};
    gen_expr(g, depth - 1, state);
    gen_put(g, " %s", by[gen_below(g, sizeof by / sizeof by[0])]);
  } else {
    gen_leaf(g, state);
  }
  gen_put(g, ")");
}

// Two to nine terms of one operator, or of sums and differences; some stand there twice.
static inline void gen_chain(struct gen *g) {
  static const char *const ops[] = {"+", "-", "&", "|", "^", "&&", "||"};
  const char *op = ops[gen_below(g, 7)];
  for (unsigned n = 2 + gen_below(g, 8), i = 0; i < n; i++) {
    if (i) gen_put(g, " %s ", *op == '+' && gen_below(g, 3) == 0 ? "-" : op);
    if (gen_below(g, 8) == 0) gen_put(g, "!");
    if (gen_below(g, 6) == 0) gen_expr(g, 1, true);
    else gen_leaf(g, gen_below(g, 4) == 0);
    if (*op == '+' && gen_below(g, 5) == 0) gen_put(g, " * %u", 1 + gen_below(g, 9));
  }
}

static inline void gen_choices(struct gen *g) {
  unsigned field = gen_below(g, g->num_fields), n = 2 + gen_below(g, 3);
  bool state = gen_below(g, 2);
  for (unsigned i = 0; i < n; i++) {
    gen_put(g, "%sif (p.%s %s ", i ? "else " : "", g->field[field], gen_below(g, 4) ? "==" : "<");
    gen_const(g);
    gen_put(g, ") ");
    if (state && g->num_arrays + g->num_scalars) {
      gen_state(g);
      gen_put(g, gen_below(g, 2) ? " += " : " = ");
      gen_leaf(g, false);
      gen_put(g, ";\n");
    } else {
      gen_put(g, "p.t0 = ");
      gen_leaf(g, true);
      gen_put(g, ";\n");
    }
  }
  if (gen_below(g, 2)) gen_put(g, "else p.t0 ^= 5;\n");
}

static inline void gen_assign(struct gen *g) {
  for (;;) {
    unsigned f = gen_below(g, g->num_fields);
    if (g->read_only[f]) continue;
    gen_put(g, "p.%s %s= ", g->field[f],
            gen_below(g, 4) ? "" : (const char *[]){"+", "-", "^", "|"}[gen_below(g, 4)]);
    if (g->rich && gen_below(g, 2)) gen_chain(g);
    else gen_expr(g, 1 + gen_below(g, 2), true);
    gen_put(g, ";\n");
    return;
  }
}

static inline void gen_update(struct gen *g) {
  unsigned kind = gen_below(g, 6);
  if (!g->num_arrays && !g->num_scalars) return;
  gen_state(g);
  if (kind == 0) gen_put(g, " += ");
  else if (kind == 1) gen_put(g, " -= ");
  else gen_put(g, " = ");
  if (kind == 5) gen_expr(g, 1, true);
  else if (kind == 4) gen_field(g), gen_put(g, " + "), gen_const(g);
  else gen_leaf(g, false);
  gen_put(g, ";\n");
}

static inline void gen_stmt(struct gen *g, unsigned depth) {
  unsigned kind = gen_below(g, g->rich ? 12 : 10);
  if (kind >= 10) gen_choices(g);
  else if (kind < 4) gen_assign(g);
  else if (kind < 7 || !depth) gen_update(g);
  else {
    gen_put(g, "if ");
    gen_expr(g, 1, gen_below(g, 2));
    gen_put(g, " {\n");
    gen_stmt(g, depth - 1);
    if (gen_below(g, 2)) gen_stmt(g, depth - 1);
    if (gen_below(g, 2)) {
      gen_put(g, "} else {\n");
      gen_stmt(g, depth - 1);
    }
    gen_put(g, "}\n");
  }
}

/// Fills g->text with a program drawn from `rng`.
static inline void gen_program(struct gen *g, struct sluice_rng *rng) {
  static const struct {
    const char *name, *home;
    bool read_only;
  } homes[] = {{"i0", "bytes(46, 2)", false},   {"i1", "bytes(48, 4)", false},
               {"i2", "bytes(52, 2)", false},   {"i3", "ipv4.ttl", false},
               {"i4", "bytes(61, 1)", false},   {"i5", "meta.arrival", true},
               {"i6", "meta.length", true},     {"i7", "eth.src", false},
               {"o0", "bytes(64, 4)", false},   {"o1", "bytes(68, 2)", false},
               {"o2", "bytes(70, 6)", false},   {"o3", "bytes(124, 4)", false},
               {"out", "meta.port_out", false}, {"drop", "meta.discard", false}};
  enum { NUM_HOMES = sizeof homes / sizeof homes[0] };
  g->rng = rng;
  g->len = 0;
  g->num_fields = 0;
  gen_put(g, "struct Packet {\n");
  for (unsigned i = 0; i < NUM_HOMES; i++) {
    if (gen_below(g, 10) >= (i == NUM_HOMES - 1 ? 1u : 5u)) continue;
    gen_put(g, "  int %s @ %s;\n", homes[i].name, homes[i].home);
    g->read_only[g->num_fields] = homes[i].read_only;
    snprintf(g->field[g->num_fields++], 12, "%s", homes[i].name);
  }
  for (unsigned i = 0; i < 1 + gen_below(g, 3); i++) {
    gen_put(g, "  int t%u;\n", i);
    g->read_only[g->num_fields] = false;
    snprintf(g->field[g->num_fields++], 12, "t%u", i);
  }
  g->num_arrays = gen_below(g, 3);
  g->num_scalars = gen_below(g, 3);
  for (unsigned i = 0; i < g->num_arrays; i++) gen_put(g, "  int x%u;\n", i);
  gen_put(g, "};\n");
  unsigned size[2] = {1 + gen_below(g, 20), 1 + gen_below(g, 20)};
  if (gen_below(g, 3) == 0) size[1] = size[0];
  for (unsigned i = 0; i < g->num_arrays; i++) {
    gen_put(g, "int a%u[%u]", i, size[i]);
    if (gen_below(g, 6) == 0) gen_put(g, " @ stage(%u)", gen_below(g, 8));
    gen_put(g, " = {");
    gen_const(g);
    gen_put(g, "};\n");
  }
  for (unsigned i = 0; i < g->num_scalars; i++) {
    gen_put(g, "int c%u", i);
    if (gen_below(g, 12) == 0) gen_put(g, " @ stage(%u)", gen_below(g, 8));
    gen_put(g, " = ");
    gen_const(g);
    gen_put(g, ";\n");
  }
  if (gen_below(g, 12) == 0) gen_put(g, "option flow_order(%u);\n", 1 + gen_below(g, 100));
  gen_put(g, "void random(struct Packet p) {\n");
  for (unsigned i = 0; i < g->num_arrays; i++) {
    unsigned kind = gen_below(g, 6);
    gen_put(g, "p.x%u = ", i);
    if (i && size[0] == size[1] && gen_below(g, 2)) gen_put(g, "p.x0");
    else if (kind == 0) gen_put(g, "%u", gen_below(g, size[i]));
    else if (kind == 1) gen_field(g);
    else if (kind == 2) gen_field(g), gen_put(g, " & 7");
    else if (kind == 3)
      gen_put(g, "hash2("), gen_field(g), gen_put(g, ", "), gen_field(g),
          gen_put(g, ") %% %u", size[i]);
    else if (kind == 4) gen_put(g, "hash("), gen_field(g), gen_put(g, ") & 15");
    else gen_field(g), gen_put(g, " %% %u", size[i]);
    gen_put(g, ";\n");
  }
  for (unsigned n = 2 + gen_below(g, 6); n; n--) gen_stmt(g, 2);
  gen_put(g, "}\n");
}
