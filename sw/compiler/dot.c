// SPDX-License-Identifier: Apache-2.0
// The program as a picture: its operations, stage by stage, as a graph in the language of Graphviz.
// `dot -Tsvg x.dot` draws it.
#include <stdlib.h>

#include "table.h"

// One line of the IR, without its end, inside the quotes of a label.
static void put_value(const struct compiler *c, const struct node *n, FILE *out) {
  char *text = NULL;
  size_t len = 0;
  FILE *memory = open_memstream(&text, &len);
  if (!memory) arena_give_up(c->arena, ARENA_NO_MEMORY);
  ir_print_value(&c->ir, n, memory);
  if (fclose(memory) != 0) arena_give_up(c->arena, ARENA_NO_MEMORY);
  for (size_t i = 0; i < len && text[i] != '\n'; i++) {
    if (text[i] == '"' || text[i] == '\\') fputc('\\', out);
    fputc(text[i], out);
  }
  free(text);
  // Constants are no operations of their own, mostly.
  for (unsigned i = 0; i < n->num_args; i++)
    if (n->arg[i]->op == OP_CONST) fprintf(out, "\\nv%u = %d", n->arg[i]->id, n->arg[i]->value);
}

static void put_unit(const struct compiler *c, const struct task *t, FILE *out) {
  switch (t->kind) {
    case TASK_HASH: fputs("hash unit", out); return;
    case TASK_MULTIPLY: fputs("multiplier", out); return;
    case TASK_TABLE: fprintf(out, "table %s", c->program->table[t->table]->name); return;
    case TASK_COMPARE: fputs("wide compare", out); return;
    case TASK_PORT: fputs("port", out); return;
    case TASK_DISCARD: fputs("discard", out); return;
    default: break;
  }
  fputs("state unit", out);
  for (unsigned i = 0; i < t->codelet->num_states; i++)
    fprintf(out, "\\n%s", c->program->state[t->codelet->state[i]]->info.name);
}

static void put_task(const struct compiler *c, const struct task *t, FILE *out) {
  static const char *const types[] = {"", "2B", "4B", "6B"};
  const bool value = task_is_value(t);
  fprintf(out, "    t%u [label=\"", t->id);
  if (!value) put_unit(c, t, out);
  else if (t->node) put_value(c, t->node, out);
  else fputs(t->kind == TASK_RESULT ? "result" : "constant or copy", out);
  if (value) fprintf(out, "\\n%s[%u]", types[t->type], t->container);
  fprintf(out, "\"%s];\n", value ? "" : ", style=bold");
}

// A number of a stage as people count them; below the front stages is the parser.
static void put_stage(const struct compiler *c, int stage, FILE *out) {
  if (stage == 0) fputs("parser", out);
  else if (stage <= c->code->front) fprintf(out, "front stage %d", stage - 1);
  else fprintf(out, "%s stage %d", stages_called(c->program), stage - c->code->front - 1);
}

static void put_edges(const struct task *t, FILE *out) {
  for (unsigned i = 0; i < t->num_args; i++)
    if (t->arg[i].task && !t->unit) fprintf(out, "  t%u -> t%u;\n", t->arg[i].task->id, t->id);
  if (t->unit) fprintf(out, "  t%u -> t%u [style=dashed];\n", t->unit->id, t->id);
}

void dot(const struct compiler *c, FILE *out) {
  const struct code *code = c->code;
  fprintf(out, "digraph \"%s\" {\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n",
          c->program->name);
  for (int stage = 0; stage <= code->stages; stage++) {
    fprintf(out, "  subgraph cluster_%d {\n    label=\"", stage);
    put_stage(c, stage, out);
    fputs("\";\n", out);
    for (unsigned i = 0; i < code->num; i++)
      if (code->list[i]->live && code->list[i]->stage == stage) put_task(c, code->list[i], out);
    fputs("  }\n", out);
  }
  fputs("  subgraph cluster_deparser {\n    label=\"deparser\";\n", out);
  for (unsigned i = 0; i < c->graph->num_outputs; i++)
    if (code->output[i])
      fprintf(out, "    o%u [label=\"bytes %u..%u\"];\n", i, c->graph->output[i].offset,
              c->graph->output[i].offset + c->graph->output[i].width - 1);
  fputs("  }\n", out);
  for (unsigned i = 0; i < code->num; i++)
    if (code->list[i]->live) put_edges(code->list[i], out);
  for (unsigned i = 0; i < c->graph->num_outputs; i++)
    if (code->output[i]) fprintf(out, "  t%u -> o%u;\n", code->output[i]->id, i);
  fputs("}\n", out);
}
