// SPDX-License-Identifier: Apache-2.0
// ir_validate: graphs that the builder makes pass, and each way to break one is told.
#include <string.h>

#include "compiler/compiler.h"
#include "ir/ir.h"
#include "tests/rig/test.h"
#include "tests/rig/compile.h"

static const char text[] = "sluice-ir 1\n"
                           "program count(p)\n"
                           "field sport @ bytes(38, 2)\n"
                           "field ttl @ bytes(26, 2)\n"
                           "state hits[64] = 0\n"
                           "v0 = bytes(38, 2)\n"
                           "v1 = 64\n"
                           "v2 = v0 % v1\n"
                           "v3 = v0 < v1\n"
                           "v4 = v3 && v3\n"
                           "v5 = old hits\n"
                           "v6 = v5 + v1\n"
                           "v7 = v4 ? v6 : v5\n"
                           "access hits[v2] if v3\n"
                           "new hits = v7\n"
                           "output bytes(26, 2) = v6\n";

// What is done to the graph, and what must be told of it.
static void number(struct graph *g) { g->list[2]->id = 3; }
static void late(struct graph *g) { g->list[2]->arg[0] = g->list[6]; }
static void missing(struct graph *g) { g->list[6]->arg[1] = NULL; }
static void operands(struct graph *g) { g->list[6]->num_args = 1; }
static void leaf(struct graph *g) { g->list[0]->num_args = 1, g->list[0]->arg[0] = g->list[0]; }
static void source(struct graph *g) { g->list[0]->index = 7; }
static void state(struct graph *g) { g->list[5]->index = 1; }
static void syntax(struct graph *g) { g->list[3]->op = OP_GT; }
static void truth(struct graph *g) { g->list[4]->arg[1] = g->list[0]; }
static void most(struct graph *g) { g->list[1]->umax = 63; }
static struct node other;
static void output(struct graph *g) { g->output[0].value = &other; }
static void nothing(struct graph *g) { g->output[0].value = NULL; }
static void mention(struct graph *g) { g->mentions->path = &other; }
static void port(struct graph *g) { g->port = &other; }
static void old(struct graph *g) { g->access[0].old = g->list[6]; }
static void updated(struct graph *g) { g->access[0].new_value = &other; }
static void root(struct graph *g) {
  static struct node *at = &other;
  g->root[g->num_roots++] = &at;
}

static const struct {
  void (*fault)(struct graph *g);
  const char *told;
} faults[] = {
    {number, "v3 (%) stands at another number"},
    {late, "v2 (%) stands before its operand"},
    {missing, "v6 (+) has an operand of no graph"},
    {operands, "v6 (+) has not as many operands as it takes"},
    {leaf, "v0 (input) has not as many operands as it takes"},
    {source, "v0 (input) is of something that the program has not"},
    {state, "v5 (old) is of something that the program has not"},
    {syntax, "v3 (>) is of the syntax tree"},
    {truth, "v4 (&&) is of what may be other than 0 and 1"},
    {most, "v1 (const) is above what it says it is at most"},
    {output, "an output refers to v0, which is not of this graph"},
    {nothing, "an output has no value"},
    {mention, "a mention refers to v0, which is not of this graph"},
    {port, "the port refers to v0, which is not of this graph"},
    {old, "the old value of hits is v6, which is another value"},
    {updated, "hits refers to v0, which is not of this graph"},
    {root, "a root refers to v0, which is not of this graph"},
};

TEST(each_fault_of_a_graph_is_told) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_program *program CLOSED_BY(free_program) = parsed("x.ir", text, &diags);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct arena arena CLOSED_BY(arena_release) = {0};
    struct ir_context c = {.arena = &arena, .diags = &diags, .program = program};
    char why[200] = "";
    if (setjmp(arena.escape)) fail_msg("it gave up");
    ir_graph(&c);
    assert_true(ir_validate(&c, why, sizeof why));
    faults[i].fault(c.graph);
    assert_false(ir_validate(&c, why, sizeof why));
    assert_string_equal(why, faults[i].told);
  }
}
