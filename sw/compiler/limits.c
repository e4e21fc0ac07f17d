// SPDX-License-Identifier: Apache-2.0
// What no chip could hold, told before the passes that look at values more than once; and how
// messages say what a chip lacks.
#include "internal.h"

// No chip has more than 24 stages, and a state unit takes the place of a few operations. Behind
// balance() a value of more levels is one that is computed step by step.
enum { MAX_LEVELS = 128, CHAIN_SHOWN = 10 };
// Nodes that may become one value of a stage, one update of the state unit: more than ever do.
enum { NODES_OF_VALUE = 4, NODES_OF_STATE = 64 };

const char *see_chip(struct ir_context *c, size_t offset, unsigned needed) {
  // Back stages are to an egress function what egress stages are to a chip.
  if (c->program->outer && (offset == offsetof(struct sluice_config, BackStages) ||
                            offset == offsetof(struct sluice_config, StateStages)))
    offset = offsetof(struct sluice_config, EgressStages);
  unsigned most = 0;
  for (unsigned i = 0; i < sluice_num_configs; i++) {
    const unsigned value = *(const unsigned *)((const char *)&sluice_configs[i] + offset);
    if (value > most) most = value;
  }
  char *text = arena_alloc(c->arena, 100);
  // Which one takes all of the program is for sluice_compile_advise() to say.
  if (most >= needed) snprintf(text, 100, "; see --chip");
  else snprintf(text, 100, "; no chip has more than %u", most);
  return text;
}

void chain_note(struct ir_context *c, const struct token *const *at, unsigned num) {
  char text[300];
  int len = 0;
  c->diags->num_chain = num < SLUICE_MAX_CHAIN ? num : SLUICE_MAX_CHAIN;
  for (unsigned i = 0; i < c->diags->num_chain; i++) c->diags->chain[i] = at[i]->line;
  for (unsigned i = 0; i < num && len < (int)sizeof text - 80; i++) {
    if (i == CHAIN_SHOWN - 2 && num > CHAIN_SHOWN) {
      len += snprintf(text + len, sizeof text - (size_t)len, ", ...");
      i = num - 2;
    }
    len += snprintf(text + len, sizeof text - (size_t)len, "%s%u:%u '%.*s'", i ? ", " : "",
                    at[i]->line, at[i]->column, (int)(at[i]->len > 8 ? 8 : at[i]->len),
                    at[i]->text);
  }
  diag_note(c, at[num - 1], "the longest chain, one operation after the other: %s", text);
}

static void too_deep(struct ir_context *c, const struct node *deepest) {
  const struct token *at[MAX_LEVELS + 1];
  unsigned num = 0;
  const struct sluice_config *chip = c->config;
  diag_error(c, deepest->at, "stages",
             "needs more than %u operations one after the other, chip '%s' has %u stages%s",
             MAX_LEVELS, chip->name, chip->FrontStages + chip->BackStages,
             SEE_CHIP(c, BackStages, MAX_LEVELS));
  for (const struct node *n = deepest; n->level && num <= MAX_LEVELS;) {
    const struct node *next = n->arg[0];
    at[MAX_LEVELS - num++] = n->at;
    for (unsigned i = 1; i < n->num_args; i++)
      if (n->arg[i]->level > next->level) next = n->arg[i];
    n = next;
  }
  chain_note(c, at + (MAX_LEVELS + 1 - num), num);
  arena_give_up(c->arena, ARENA_TOLD);
}

// Without a guard every packet has the access, which costs time and is never wrong.
static void drop_deep_guards(struct ir_context *c) {
  bool dropped = false;
  for (unsigned i = 0; i < MAX_STATES; i++) {
    struct access *a = &c->graph->access[i];
    if (!a->guard || a->guard->level <= MAX_LEVELS) continue;
    a->guard = NULL;
    dropped = true;
  }
  if (dropped) graph_rebuild(c, NULL, NULL);
}

void check_size(struct ir_context *c) {
  drop_deep_guards(c);
  const struct graph *g = c->graph;
  const struct sluice_config *chip = c->config;
  const unsigned stages = chip->FrontStages + chip->BackStages,
                 values = chip->Num2B + chip->Num4B + chip->Num6B;
  const bool *live = graph_live(c);
  unsigned num = 0, most = NODES_OF_VALUE * stages * values;
  for (unsigned i = 0; i < MAX_STATES; i++)
    if (g->access[i].used) most += NODES_OF_STATE;
  for (unsigned i = 0; i < g->num; i++) {
    const struct node *n = g->list[i];
    if (!live[i]) continue;
    if (n->level > MAX_LEVELS) too_deep(c, n);
    if (n->op >= OP_ADD && ++num > most)
      diag_fatal(c, n->at, "too-long",
                 "the program has more operations than chip '%s' could hold, which keeps %u values "
                 "in each of %u stages",
                 chip->name, values, stages);
  }
}
