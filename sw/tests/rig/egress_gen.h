// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/domino_gen.h"

/// Fills g->text with a program with an egress function drawn from `rng`. The egress function is
/// short: a chip has few egress stages.
static inline void gen_egress_program(struct gen *g, struct sluice_rng *rng) {
  static const struct {
    const char *name, *home;
    bool read_only;
  } homes[] = {{"i0", "bytes(46, 2)", false},   {"i1", "bytes(48, 4)", false},
               {"i2", "bytes(52, 2)", false},   {"i3", "ipv4.ttl", false},
               {"i7", "eth.src", false},        {"o0", "bytes(64, 4)", false},
               {"o1", "bytes(68, 2)", false},   {"o3", "bytes(124, 4)", false},
               {"port", "meta.port_out", true}, {"copy", "meta.copy", true},
               {"din", "meta.depth_in", true},  {"dout", "meta.depth_out", true},
               {"time", "meta.time", true},     {"cycle", "meta.cycle", true},
               {"len", "meta.length", true},    {"drop", "meta.discard", false}};
  enum { NUM_HOMES = sizeof homes / sizeof homes[0], IN_BOTH = 8 };
  bool used[NUM_HOMES] = {false};
  g->rng = rng;
  g->len = 0;
  g->num_fields = 0;
  gen_put(g, "struct Packet {\n");
  for (unsigned i = 0; i < NUM_HOMES; i++) {
    if (gen_below(g, 10) >= (i == NUM_HOMES - 1 ? 3u : 5u)) continue;
    used[i] = true;
    gen_put(g, "  int %s @ %s;\n", homes[i].name, homes[i].home);
    g->read_only[g->num_fields] = homes[i].read_only;
    snprintf(g->field[g->num_fields++], 12, "%s", homes[i].name);
  }
  g->read_only[g->num_fields] = false;
  snprintf(g->field[g->num_fields++], 12, "t0");
  g->num_arrays = gen_below(g, 3);
  g->num_scalars = gen_below(g, 2);
  gen_put(g, "  int t0;\n  int x0;\n  int x1;\n};\nint seen = 0;\n");
  unsigned size[2] = {1 + gen_below(g, 20), 1 + gen_below(g, 20)};
  if (gen_below(g, 3) == 0) size[1] = size[0];
  for (unsigned i = 0; i < g->num_arrays; i++) {
    gen_put(g, "int a%u[%u]", i, size[i]);
    if (gen_below(g, 6) == 0) gen_put(g, " @ stage(%u)", gen_below(g, 3));
    else if (gen_below(g, 2)) gen_put(g, " @ egress");
    gen_put(g, " = {");
    gen_const(g);
    gen_put(g, "};\n");
  }
  for (unsigned i = 0; i < g->num_scalars; i++) gen_put(g, "int c%u = %u;\n", i, gen_below(g, 9));
  gen_put(g, "void main(struct Packet p) {\nseen += 1;\n");
  for (unsigned i = 0; i < IN_BOTH; i++)
    if (used[i] && gen_below(g, 4) == 0) gen_put(g, "p.%s = seen;\n", homes[i].name);
  gen_put(g, "}\negress void random(struct Packet p) {\n");
  for (unsigned i = 0; i < g->num_arrays; i++) {
    const unsigned kind = gen_below(g, 4);
    gen_put(g, "p.x%u = ", i);
    if (i && size[0] == size[1] && gen_below(g, 2)) gen_put(g, "p.x0");
    else if (kind == 0) gen_put(g, "%u", gen_below(g, size[i] + 1));
    else if (kind == 1) gen_field(g), gen_put(g, " & 7");
    else gen_field(g);
    gen_put(g, ";\n");
  }
  for (unsigned n = 1 + gen_below(g, 4); n; n--) gen_stmt(g, 1);
  gen_put(g, "}\n");
}
