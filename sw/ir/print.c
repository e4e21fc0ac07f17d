// SPDX-License-Identifier: Apache-2.0
// The graph of values as text (docs/compiler.md). Values are printed in their order, dead ones as
// well, so that the graph that is read back has the same numbers and every choice that depends on
// them falls alike.
#include "ir.h"

// ---- what is declared ---------------------------------------------------------------------------

static void print_home(const struct sluice_program *p, const struct sluice_program_field *f,
                       FILE *out) {
  if (f->home == SLUICE_HOME_BYTES) fprintf(out, " @ bytes(%u, %u)", f->offset, f->width);
  else if (f->home == SLUICE_HOME_ARRAY) fprintf(out, " @ array(%u)", f->offset);
  else if (f->home != SLUICE_HOME_TEMPORARY)
    fprintf(out, " @ meta.%s", home_meta(p, f->home, f->offset, f->width));
}

static void print_head(const struct sluice_program *p, FILE *out) {
  if (!p->outer) fprintf(out, "sluice-ir %d\n", IR_VERSION);
  fprintf(out, "%s %s(%.*s)\n", p->outer ? "egress" : "program", p->name, (int)p->param->len,
          p->param->text);
  if (p->checksum && !p->outer) fprintf(out, "option checksum%s\n", p->only_ip_sum ? " ip" : "");
  if (p->need_ip) fprintf(out, "option require ip\n");
  if (p->need_udp) fprintf(out, "option require udp\n");
  for (size_t i = 0; i < p->num_fields; i++) {
    if (p->field[i]->info.param || p->field[i]->info.home == SLUICE_HOME_ELSEWHERE) continue;
    fprintf(out, "field %s", p->field[i]->info.name);
    if (p->field[i]->info.words) fprintf(out, "[%u]", p->field[i]->info.words);
    print_home(p, &p->field[i]->info, out);
    fputc('\n', out);
  }
  for (size_t i = 0; i < p->num_states; i++) {
    const struct sluice_program_state *s = &p->state[i]->info;
    fprintf(out, "state %s", s->name);
    if (!s->scalar) fprintf(out, "[%u]", s->size);
    if (s->words) fprintf(out, "[%u]", s->words);
    fprintf(out, " = %d", s->init);
    if (p->state[i]->place != ANYWHERE) fprintf(out, " @ stage(%d)", p->state[i]->place);
    fputc('\n', out);
  }
  for (size_t i = 0; i < p->num_malleables; i++) {
    const struct malleable *m = p->malleable[i];
    fprintf(out, "param %s = %d", m->name, m->init);
    for (unsigned k = 0; k < m->num; k++)
      fprintf(out, "%s %s", k ? "," : " among", p->field[m->choice[k]]->info.name);
    if (m->ranged && !m->is_field) fprintf(out, " in %d..%d", m->low, m->high);
    fputc('\n', out);
  }
  ir_print_tables(p, out);
  ir_print_word_table(p, out);
}

// ---- values -------------------------------------------------------------------------------------

static void print_input(const struct sluice_program *p, const struct source *s, FILE *out) {
  if (s->metadata) fprintf(out, "meta.%s", home_meta(p, SLUICE_HOME_METADATA, s->offset, s->width));
  else fprintf(out, "bytes(%u, %u)", s->offset, s->width);
}

static void print_hash(const struct node *n, FILE *out) {
  fprintf(out, "%s(", ir_hash_names[n->index]);
  for (unsigned i = 0; i < n->num_args; i++) fprintf(out, "%sv%u", i ? ", " : "", n->arg[i]->id);
  fputc(')', out);
  if (n->modulus) fprintf(out, " mod %u", n->modulus);
}

void ir_print_value(const struct ir_context *c, const struct node *n, FILE *out) {
  static const char *const results[] = {"old1",       "old2",       "new1",       "new2",
                                        "predicate1", "predicate2", "predicate3", "predicate4"};
  fprintf(out, "v%u = ", n->id);
  if (n->op == OP_CONST) fprintf(out, "%d", n->value);
  else if (n->op == OP_PARAM) fprintf(out, "param %s", c->program->malleable[n->index]->name);
  else if (n->op == OP_INPUT && c->graph->source[n->index].param)
    fprintf(out, "param %s", c->program->malleable[c->graph->source[n->index].param - 1]->name);
  else if (n->op == OP_INPUT) print_input(c->program, &c->graph->source[n->index], out);
  else if (n->op == OP_WORDS || n->op == OP_FOUND) fputs(op_text(n->op), out);
  else if (n->op == OP_MAX || n->op == OP_MIN || n->op == OP_ADDS)
    fprintf(out, "%s(v%u, v%u)", op_text(n->op), n->arg[0]->id, n->arg[1]->id);
  else if (n->op == OP_OLD) fprintf(out, "old %s", c->program->state[n->index]->info.name);
  else if (n->op == OP_EXT) fprintf(out, "result %u.%s", n->index, results[n->modulus & 7]);
  else if (n->op == OP_HASH) print_hash(n, out);
  else if (n->op == OP_TABLE) ir_print_lookup(c->program, n, out);
  else if (n->op == OP_SELECT)
    fprintf(out, "v%u ? v%u : v%u", n->arg[0]->id, n->arg[1]->id, n->arg[2]->id);
  else if (n->num_args == 1) fprintf(out, "%sv%u", op_text(n->op), n->arg[0]->id);
  else fprintf(out, "v%u %s v%u", n->arg[0]->id, op_text(n->op), n->arg[1]->id);
  fputc('\n', out);
}

// ---- what comes of them -------------------------------------------------------------------------

static void print_access(const struct ir_context *c, unsigned state, const struct node *index,
                         const struct node *guard, FILE *out) {
  fprintf(out, "access %s", c->program->state[state]->info.name);
  if (index) fprintf(out, "[v%u]", index->id);
  if (guard) fprintf(out, " if v%u", guard->id);
  fputc('\n', out);
}

// Before addresses() each place of the text, first to last (the list has the last one first);
// behind it one a state.
static void print_accesses(const struct ir_context *c, FILE *out) {
  const struct graph *g = c->graph;
  unsigned num = 0;
  for (const struct mention *m = g->mentions; m; m = m->next) num++;
  const struct mention **list = NEW_ARRAY(c->arena, const struct mention *, num + 1);
  for (const struct mention *m = g->mentions; m; m = m->next) list[--num] = m;
  for (; list[num]; num++)
    print_access(c, list[num]->state, list[num]->index, list[num]->path, out);
  for (unsigned i = 0; i < c->program->num_states; i++) {
    const struct access *a = &g->access[i];
    if (!a->old) continue;
    if (!g->mentions) print_access(c, i, a->index, a->guard, out);
    if (a->new_value != a->old)
      fprintf(out, "new %s = v%u\n", c->program->state[i]->info.name, a->new_value->id);
  }
}

void ir_print(const struct ir_context *c, FILE *out) {
  const struct graph *g = c->graph;
  print_head(c->program, out);
  for (unsigned i = 0; i < g->num; i++) ir_print_value(c, g->list[i], out);
  print_accesses(c, out);
  for (unsigned i = 0; i < g->num_outputs; i++) {
    const struct output *o = &g->output[i];
    if (o->param)
      fprintf(out, "output param %s = v%u\n", c->program->malleable[o->param - 1]->name,
              o->value->id);
    else fprintf(out, "output bytes(%u, %u) = v%u\n", o->offset, o->width, o->value->id);
  }
  if (g->port) fprintf(out, "output port = v%u\n", g->port->id);
  if (g->discard) fprintf(out, "output discard = v%u\n", g->discard->id);
  if (g->words) fprintf(out, "output words = v%u\n", g->words->id);
  if (g->ports) fprintf(out, "output ports = v%u\n", g->ports->id);
  if (g->flow)
    fprintf(out, "output order(%u) = v%u\n", c->program->flow_order.entries, g->flow->id);
}
