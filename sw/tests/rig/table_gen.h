// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/domino_gen.h"

/// Random programs with tables, right by the rules of the language: `g` is only used for its text.
struct table_gen {
  struct gen g;
  unsigned num_fields, num_tables, num_actions, first_action[4], actions_of[4];
  struct {
    unsigned num_args, width[4];
  } action[16];
  int in_action;  // the action whose body is made, or -1
  bool large;     // tables of more entries than an engine of `tables` holds
  bool applied[4];
};

static const struct {
  const char *name, *home;
  unsigned width;
  bool key, written;
} table_fields[] = {{"dst", "ipv4.dst", 32, true, false},
                    {"src", "ipv4.src", 32, true, false},
                    {"sport", "udp.sport", 16, true, false},
                    {"proto", "ipv4.protocol", 8, true, false},
                    {"mac", "eth.dst", 48, true, true},
                    {"in", "meta.port_in", 16, true, false},
                    {"ttl", "ipv4.ttl", 8, true, true},
                    {"a", "bytes(64, 4)", 32, true, true},
                    {"b", "bytes(68, 2)", 16, true, true},
                    {"c", "bytes(72, 4)", 32, false, true},
                    {"t", NULL, 32, true, true},
                    {"out", "meta.port_out", 32, false, true},
                    {"drop", "meta.discard", 32, false, true}};
enum { NUM_TABLE_FIELDS = sizeof table_fields / sizeof table_fields[0], FIELD_MAC = 4 };

static inline unsigned tg_below(struct table_gen *g, unsigned n) { return gen_below(&g->g, n); }

static inline void tg_leaf(struct table_gen *g) {
  const unsigned kind = tg_below(g, 6);
  if (kind < 3 && g->in_action >= 0 && g->action[g->in_action].num_args) {
    const unsigned n = tg_below(g, g->action[g->in_action].num_args);
    if (g->action[g->in_action].width[n] <= 32) {
      gen_put(&g->g, "x%u", n);
      return;
    }
  }
  if (kind < 2 && tg_below(g, 4) == 0) gen_put(&g->g, "m%u", tg_below(g, 2));
  else if (kind < 2) gen_const(&g->g);
  else gen_put(&g->g, "p.%s", table_fields[tg_below(g, NUM_TABLE_FIELDS)].name);
}

static inline void tg_expr(struct table_gen *g, unsigned depth) {
  static const char *const ops[] = {"+", "-", "&", "|", "^", "<", "==", "&&", "!=", ">="};
  if (!depth || tg_below(g, 3) == 0) {
    tg_leaf(g);
    return;
  }
  gen_put(&g->g, "(");
  tg_expr(g, depth - 1);
  gen_put(&g->g, " %s ", ops[tg_below(g, 10)]);
  tg_leaf(g);
  gen_put(&g->g, ")");
}

static inline void tg_assign(struct table_gen *g) {
  unsigned f;
  do f = tg_below(g, NUM_TABLE_FIELDS);
  while (!table_fields[f].written || (f == FIELD_MAC && g->in_action < 0) ||
         (f == NUM_TABLE_FIELDS - 1 && tg_below(g, 3)));
  gen_put(&g->g, "p.%s = ", table_fields[f].name);
  if (f == FIELD_MAC)
    for (unsigned n = 0; n < g->action[g->in_action].num_args; n++)
      if (g->action[g->in_action].width[n] > 32) {
        gen_put(&g->g, "x%u;\n", n);
        return;
      }
  tg_expr(g, tg_below(g, 3));
  gen_put(&g->g, ";\n");
}

static inline void tg_condition(struct table_gen *g) {
  const unsigned t = tg_below(g, g->num_tables);
  if (g->in_action < 0 && tg_below(g, 2)) {
    if (tg_below(g, 2)) gen_put(&g->g, "%st%u.hit", tg_below(g, 2) ? "!" : "", t);
    else
      gen_put(&g->g, "t%u.action %s f%u", t,
              tg_below(g, 4) ? "==" : "!=", g->first_action[t] + tg_below(g, g->actions_of[t]));
    return;
  }
  gen_put(&g->g, "p.%s %s ", table_fields[tg_below(g, NUM_TABLE_FIELDS)].name,
          tg_below(g, 2) ? "==" : "<");
  gen_const(&g->g);
}

static inline void tg_statement(struct table_gen *g, unsigned depth) {
  const unsigned kind = tg_below(g, 8);
  if (kind == 0 && depth) {
    gen_put(&g->g, "if (");
    tg_condition(g);
    gen_put(&g->g, ") {\n");
    tg_statement(g, depth - 1);
    gen_put(&g->g, "} else {\n");
    tg_statement(g, depth - 1);
    gen_put(&g->g, "}\n");
  } else if (kind == 1) {
    gen_put(&g->g, tg_below(g, 2) ? "hits += 1;\n" : "seen[p.sport] = p.src;\n");
  } else {
    tg_assign(g);
  }
}

static inline void tg_action(struct table_gen *g, unsigned number) {
  static const unsigned widths[] = {1, 8, 9, 16, 17, 31, 32, 32, 48, 40};
  unsigned bits = 0;
  gen_put(&g->g, "void f%u(struct Packet p", number);
  g->action[number].num_args = 0;
  for (unsigned n = tg_below(g, 4); n; n--) {
    const unsigned width = widths[tg_below(g, 10)];
    if ((bits += width > 32 ? 64 : width) > 96) break;
    gen_put(&g->g, ", int x%u : %u", g->action[number].num_args, width);
    g->action[number].width[g->action[number].num_args++] = width;
  }
  gen_put(&g->g, ") {\n");
  g->in_action = (int)number;
  for (unsigned n = tg_below(g, 4); n; n--) tg_statement(g, 1);
  g->in_action = -1;
  gen_put(&g->g, "}\n");
}

static inline void tg_call(struct table_gen *g, unsigned number) {
  gen_put(&g->g, "f%u(", number);
  for (unsigned n = 0; n < g->action[number].num_args; n++)
    gen_put(&g->g, "%s%llu", n ? ", " : "",
            (unsigned long long)(sluice_rng_next(g->g.rng) >> (64 - g->action[number].width[n])));
  gen_put(&g->g, ")");
}

// The first key of the second entry is another value than that of the first: no two are one.
static inline void tg_entry(struct table_gen *g, unsigned keys, const unsigned *kind,
                            const unsigned *width, unsigned number, unsigned first, unsigned num) {
  bool priority = false, prefix = false;
  for (unsigned i = 0; i < keys; i++) {
    const bool plain = kind[i] == 0 || (i == 0 && number);
    const unsigned how = plain ? 0 : tg_below(g, 3), value = i ? tg_below(g, 4) : number;
    const unsigned len = width[i] - tg_below(g, 3);
    gen_put(&g->g, "%s", i ? ", " : "    ");
    if (how == 1) gen_put(&g->g, "_");
    else if (how == 2 && kind[i] == 1) gen_put(&g->g, "%u &&& 0x%x", value, 1 + tg_below(g, 255));
    else if (how == 2) gen_put(&g->g, "%u/%u", value >> (width[i] - len) << (width[i] - len), len);
    else gen_put(&g->g, "%u", value);
    priority |= kind[i] == 1;
    prefix |= kind[i] == 2;
  }
  gen_put(&g->g, ": ");
  tg_call(g, first + tg_below(g, num));
  if (priority && !prefix && tg_below(g, 2)) gen_put(&g->g, " priority %u", tg_below(g, 3));
  gen_put(&g->g, ";\n");
}

static inline void tg_table(struct table_gen *g, unsigned number) {
  static const char *const kinds[] = {"exact", "ternary", "lpm"};
  const unsigned first = g->num_actions, num = 1 + tg_below(g, 3), all_exact = tg_below(g, 2);
  unsigned key_kind[4], key_width[4], keys = 1 + tg_below(g, 4);
  bool taken[NUM_TABLE_FIELDS] = {false}, prefix = false;
  g->first_action[number] = first;
  g->actions_of[number] = num;
  for (unsigned i = 0; i < num; i++) tg_action(g, g->num_actions++);
  gen_put(&g->g, "table t%u {\n  key: ", number);
  for (unsigned i = 0; i < keys; i++) {
    unsigned f, kind = all_exact ? 0 : tg_below(g, 3);
    do f = tg_below(g, NUM_TABLE_FIELDS);
    while (!table_fields[f].key || taken[f] || (f == FIELD_MAC && number));
    taken[f] = true;
    if (kind == 2 && prefix) kind = 1;
    prefix |= kind == 2;
    key_kind[i] = kind;
    key_width[i] = table_fields[f].width;
    gen_put(&g->g, "%sp.%s: %s", i ? ", " : "", table_fields[f].name, kinds[kind]);
    if (g->large && kind == 2) {
      gen_put(&g->g, "(%u", key_width[i]);
      for (unsigned len = key_width[i] - 8; len && tg_below(g, 3); len -= 8)
        gen_put(&g->g, ", %u", len);
      gen_put(&g->g, ")");
    }
  }
  gen_put(&g->g, ";\n  actions: ");
  for (unsigned i = 0; i < num; i++) gen_put(&g->g, "%sf%u", i ? ", " : "", first + i);
  gen_put(&g->g, ";\n  size: %u;\n",
          !g->large   ? 16
          : all_exact ? 231 + tg_below(g, 400)
                      : 17 + tg_below(g, 40));
  if (tg_below(g, 3)) {
    gen_put(&g->g, "  default: ");
    tg_call(g, first + tg_below(g, num));
    gen_put(&g->g, ";\n");
  }
  if (tg_below(g, 2)) {
    gen_put(&g->g, "  entries: {\n");
    for (unsigned n = 0; n < 2; n++) tg_entry(g, keys, key_kind, key_width, n, first, num);
    gen_put(&g->g, "  }\n");
  }
  gen_put(&g->g, "}\n");
}

static inline void tg_apply(struct table_gen *g, unsigned number) {
  if (tg_below(g, 2)) {
    gen_put(&g->g, "if (");
    tg_condition(g);
    gen_put(&g->g, ") ");
  }
  gen_put(&g->g, "apply(t%u);\n", number);
}

static inline void tg_program(struct table_gen *g, struct sluice_rng *rng) {
  g->g.rng = rng;
  g->g.len = 0;
  g->num_actions = 0;
  g->in_action = -1;
  gen_put(&g->g, "struct Packet {\n");
  for (unsigned i = 0; i < NUM_TABLE_FIELDS; i++)
    if (table_fields[i].home)
      gen_put(&g->g, "  int %s @ %s;\n", table_fields[i].name, table_fields[i].home);
    else gen_put(&g->g, "  int %s;\n", table_fields[i].name);
  gen_put(&g->g, "};\nint hits = 0;\nint seen[16] = {7};\n");
  gen_put(&g->g, "malleable int m0 = 5 in 0..100;\nmalleable int m1 = 70000;\n");
  g->num_tables = 1 + (tg_below(g, 3) == 0);
  for (unsigned i = 0; i < g->num_tables; i++) tg_table(g, i);
  gen_put(&g->g, "void program(struct Packet p) {\n");
  for (unsigned n = tg_below(g, 2); n; n--) {
    // Keys of 6 bytes are as they arrived.
    tg_statement(g, 0);
  }
  for (unsigned i = 0; i < g->num_tables; i++) {
    tg_apply(g, i);
    for (unsigned n = tg_below(g, 3); n; n--) tg_statement(g, 1);
  }
  gen_put(&g->g, "}\n");
}
