// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/domino_gen.h"

/// Random programs with rows, half of them with a lookup of words before: one or two row arrays,
/// words beside them at the same index or another, operations on rows straight and under conditions
/// on the packet, on state and on both. Every one is right by the rules of the language; what is
/// more than one operation on a row does not fit.

static inline void row_condition(struct gen *g) {
  static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="};
  const unsigned kind = gen_below(g, 8);
  if (g->looks_up && gen_below(g, 4) == 0) {
    gen_put(g, gen_below(g, 2) ? "p.f" : "p.f %s %u", relations[gen_below(g, 6)], gen_below(g, 16));
    return;
  }
  if (kind == 0) gen_put(g, "p.a %s p.b", relations[gen_below(g, 6)]);
  else if (kind == 1) gen_put(g, "p.c");
  else if (kind < 5) gen_put(g, "p.a %s %u", relations[gen_below(g, 6)], gen_below(g, 4));
  else if (kind == 5) gen_put(g, "n0[p.i0] %s p.a", relations[gen_below(g, 6)]);
  else if (kind == 6)
    gen_put(g, "n0[p.i0] %s %u && p.b > 2", relations[gen_below(g, 6)], gen_below(g, 4));
  else gen_put(g, "n%u[p.i0] %s %u", gen_below(g, 2), relations[gen_below(g, 6)], gen_below(g, 4));
}

// What becomes of row array `n`.
static inline void row_update(struct gen *g, unsigned n) {
  static const char *const ops[] = {
      "r%u[p.i%u] += p.v;\n",
      "r%u[p.i%u] = p.v;\n",
      "r%u[p.i%u] = 0;\n",
      "r%u[p.i%u] |= p.v;\n",
      "p.t = r%u[p.i%u]; r%u[p.i%u] = p.v; p.v = p.t;\n",
      "p.v = r%u[p.i%u]; r%u[p.i%u] = 0;\n",
      "r%u[p.i%u] = max(r%u[p.i%u], p.v);\n",
      "r%u[p.i%u] = min(p.v, r%u[p.i%u]);\n",
      "r%u[p.i%u] = add_sat(r%u[p.i%u], p.v);\n",
      "r%u[p.i%u] += p.v; p.v = r%u[p.i%u];\n",
      "p.v = r%u[p.i%u];\n",
      "p.t = p.v; p.v = r%u[p.i%u]; r%u[p.i%u] += p.t;\n",
  };
  gen_put(g, ops[gen_below(g, sizeof ops / sizeof ops[0])], n, n, n, n);
}

static inline void row_word(struct gen *g) {
  static const char *const ops[] = {"n%u[p.i0] += 1;\n", "n%u[p.i0] = p.b;\n",
                                    "if (n%u[p.i0] == 3) n%u[p.i0] = 0; else n%u[p.i0] += 1;\n",
                                    "p.b = n%u[p.i0];\n",
                                    "if (p.a > n%u[p.i0]) { n%u[p.i0] = p.a; p.c = 1; }\n"};
  const unsigned n = gen_below(g, 2);
  gen_put(g, ops[gen_below(g, sizeof ops / sizeof ops[0])], n, n, n);
}

static inline void row_stmt(struct gen *g, unsigned n, unsigned depth) {
  const unsigned kind = gen_below(g, 8);
  if (kind == 0) row_word(g);
  else if (kind < 3 || !depth) row_update(g, n);
  else {
    gen_put(g, "if (");
    row_condition(g);
    gen_put(g, ") {\n");
    row_stmt(g, n, depth - 1);
    gen_put(g, "}\n");
    if (kind < 6) return;
    gen_put(g, "else {\n");
    row_stmt(g, n, depth - 1);
    gen_put(g, "}\n");
  }
}

/// A lookup whose keys are often those of packets (rig_value).
static inline void row_lookup(struct gen *g) {
  static const uint32_t keys[] = {0, 1, 2, 3, 7, 8, 255, 0xffff, UINT32_MAX, 0x7fffffff, 11, 12};
  enum { KEYS = sizeof keys / sizeof keys[0] };
  bool more = false;
  gen_put(g, "lookup pairs[64] = {");
  for (unsigned i = 0; i < KEYS; i++) {
    if (gen_below(g, 2)) continue;
    gen_put(g, "%s %u: %d", more ? "," : "", keys[i], (int)gen_below(g, 40) - 20);
    more = true;
  }
  gen_put(g, " };\n");
}

static inline void row_look_up(struct gen *g, unsigned words) {
  const unsigned first = gen_below(g, words), last = first + gen_below(g, words - first);
  gen_put(g, gen_below(g, 5) ? "  p.f = " : "  ");
  gen_put(g, "lookup(pairs, p.v");
  if (gen_below(g, 2)) gen_put(g, "[%u..%u]", first, last);
  gen_put(g, gen_below(g, 3) ? ");\n" : ") or stay;\n");
}

/// Fills g->text with a program drawn from `rng`.
static inline void row_program(struct gen *g, struct sluice_rng *rng) {
  g->rng = rng;
  g->len = 0;
  g->num_arrays = 1 + gen_below(g, 2);
  const unsigned most = g->wide ? 16 : 8, words = gen_below(g, 3) ? most : 1 + gen_below(g, most),
                 offset = 2 * (31 + gen_below(g, (128 - 62 - 4 * words) / 2 + 1)),
                 size = 1 + gen_below(g, 12);
  gen_put(g,
          "struct Packet {\n  int x @ bytes(46, 2);\n  int y @ bytes(48, 2);\n"
          "  int a @ bytes(50, 2);\n  int b @ bytes(52, 4);\n  int o @ bytes(56, 4);\n"
          "  int out @ meta.port_out;\n  int c;\n  int i0;\n  int i1;\n"
          "  int v[%u] @ array(%u);\n  int t[%u];\n",
          words, offset, words);
  const bool sets = gen_below(g, 4) == 0;
  if (sets) gen_put(g, "  int ports @ meta.ports_out;\n");
  g->looks_up = gen_below(g, 2);
  if (g->looks_up) gen_put(g, gen_below(g, 2) ? "  int f @ bytes(60, 2);\n" : "  int f;\n");
  gen_put(g, "};\n");
  if (g->looks_up) row_lookup(g);
  gen_put(g, "int n0[%u] = {%u};\nint n1[%u];\n", size, gen_below(g, 3), size);
  for (unsigned i = 0; i < g->num_arrays; i++) gen_put(g, "int r%u[%u][%u];\n", i, size, words);
  gen_put(g, "void random(struct Packet p) {\n");
  if (g->looks_up) row_look_up(g, words);
  const char *const index[] = {"i0", "y & 3", "f"};
  gen_put(g, "  p.i0 = p.x & 7;\n  p.i1 = p.%s;\n  p.out = 1;\n",
          index[gen_below(g, g->looks_up ? 3 : 2)]);
  for (unsigned n = gen_below(g, 3); n; n--) row_word(g);
  for (unsigned i = 0; i < g->num_arrays; i++) {
    row_stmt(g, i, 2);
    if (gen_below(g, 3) == 0) row_word(g);
  }
  if (gen_below(g, 3) == 0) gen_put(g, "p.v = r%u[p.i%u];\n", g->num_arrays - 1, g->num_arrays - 1);
  if (sets) {
    gen_put(g, "if (");
    row_condition(g);
    gen_put(g, ") p.ports = %u;\n", gen_below(g, 65536));
    if (gen_below(g, 2)) gen_put(g, "else if (p.b == 1) p.ports = %u;\n", gen_below(g, 65536));
  }
  gen_put(g, "p.o = p.b;\n}\n");
}
