// SPDX-License-Identifier: Apache-2.0
// The program after passes that make something else than values, as text for people. Nothing reads
// it back; values are printed as Sluice IR (sw/ir/print.c), which is.
#include "table.h"

void dump_tokens(const struct compiler *c, FILE *out) {
  for (size_t i = 0; i < c->program->num_tokens; i++) {
    const struct token *t = &c->program->tokens[i];
    fprintf(out, "%u:%u\t" TOKEN "\n", t->line, t->column, TOKEN_ARGS(t));
  }
}

// ---- syntax tree --------------------------------------------------------------------------------

static void print_expr(const struct compiler *c, const struct expr *e, FILE *out);

// Of what is no operation.
static void print_leaf(const struct compiler *c, const struct expr *e, FILE *out) {
  switch (e->kind) {
    case EXPR_NUMBER: fprintf(out, "%d", e->value); return;
    case EXPR_FIELD: fprintf(out, "p.%s", c->program->field[e->id]->info.name); return;
    case EXPR_PARAM: fprintf(out, "%s", c->program->malleable[e->id]->name); return;
    case EXPR_ARG: fprintf(out, "%.*s", (int)e->name->len, e->name->text); return;
    case EXPR_HIT: fprintf(out, "%s.hit", c->program->table[e->id]->name); return;
    case EXPR_ACTION:
    case EXPR_RAN: fprintf(out, "%s.action", c->program->table[e->id]->name); return;
    case EXPR_TEMP: fprintf(out, "t%u", e->id); return;
    case EXPR_FOUND: fprintf(out, "found in %s", c->program->word_table->name); return;
    case EXPR_STATE:
      fprintf(out, "%s", c->program->state[e->id]->info.name);
      if (!e->num_args) return;
      fputc('[', out);
      print_expr(c, e->arg[0], out);
      fputc(']', out);
      return;
    case EXPR_CALL: fprintf(out, "%s", builtins[e->id].name); break;
    default: break;
  }
  fputc('(', out);
  for (unsigned i = 0; i < e->num_args; i++) {
    if (i) fputs(e->kind == EXPR_CALL ? ", " : i == 1 ? " ? " : " : ", out);
    print_expr(c, e->arg[i], out);
  }
  fputc(')', out);
}

static void print_expr(const struct compiler *c, const struct expr *e, FILE *out) {
  const struct expr *x;
  for (x = e; x->kind == EXPR_OP; x = x->arg[0])
    fprintf(out, "(%s", x->num_args == 1 ? op_text(x->op) : "");
  print_leaf(c, x, out);
  while (x != e) {
    x = x->up;
    if (x->num_args == 2) {
      fprintf(out, " %s ", op_text(x->op));
      print_expr(c, x->arg[1], out);
    }
    fputc(')', out);
  }
}

static void print_lookup(const struct compiler *c, const struct stmt *s, FILE *out) {
  const struct word_table *t = c->program->word_table;
  if (s->target) {
    print_expr(c, s->target, out);
    fputs(" = ", out);
  }
  fprintf(out, "lookup(%s, p.%s, words 0x%x)%s;\n", t->name, c->program->field[t->field]->info.name,
          t->words, t->stay ? " or stay" : "");
}

static void print_stmt(const struct compiler *c, const struct stmt *s, int depth, FILE *out) {
  for (; s; s = s->next) {
    if (s->kind == STMT_BLOCK) {
      print_stmt(c, s->body, depth, out);
      continue;
    }
    fprintf(out, "%*s", 2 * depth, "");
    if (s->kind == STMT_APPLY) {
      fprintf(out, "apply(%s);\n", c->program->table[s->table]->name);
      continue;
    }
    if (s->kind == STMT_LOOKUP) {
      print_lookup(c, s, out);
      continue;
    }
    if (s->kind == STMT_ASSIGN) {
      print_expr(c, s->target, out);
      fputs(" = ", out);
      print_expr(c, s->value, out);
      fputs(";\n", out);
      continue;
    }
    fputs("if ", out);
    print_expr(c, s->value, out);
    fputs(" {\n", out);
    print_stmt(c, s->then, depth + 1, out);
    if (s->otherwise) {
      fprintf(out, "%*s} else {\n", 2 * depth, "");
      print_stmt(c, s->otherwise, depth + 1, out);
    }
    fprintf(out, "%*s}\n", 2 * depth, "");
  }
}

void dump_tree(const struct compiler *c, FILE *out) {
  char home[SLUICE_NAME_LEN];
  for (size_t i = 0; i < c->program->num_fields; i++) {
    home_text(c->program, &c->program->field[i]->info, home, sizeof home);
    fprintf(out, "int p.%s%s%s;\n", c->program->field[i]->info.name, home[0] ? " @ " : "", home);
  }
  for (size_t i = 0; i < c->program->num_states; i++) {
    const struct sluice_program_state *s = &c->program->state[i]->info;
    fprintf(out, "int %s[%u] = {%d};\n", s->name, s->size, s->init);
  }
  print_stmt(c, c->program->body, 0, out);
}

void dump_flat(const struct compiler *c, FILE *out) {
  for (const struct flat *f = c->flats.first; f; f = f->next) {
    if (!f->target) {
      fprintf(out, "apply(%s);\n", f->table->name);
      continue;
    }
    print_expr(c, f->target, out);
    fputs(" = ", out);
    if (f->path >= 0) fprintf(out, "t%d ? ", f->path);
    print_expr(c, f->value, out);
    if (f->path >= 0) {
      fputs(" : ", out);
      print_expr(c, f->target, out);
    }
    fputs(";\n", out);
  }
}

// ---- codelets -----------------------------------------------------------------------------------

static void print_codelet(const struct compiler *c, unsigned i, FILE *out) {
  const struct codelet *k = &c->codelets.list[i];
  fprintf(out, "codelet %u:", i);
  for (unsigned w = 0; w < k->num_states; w++)
    fprintf(out, " %s", c->program->state[k->state[w]]->info.name);
  if (!k->num_states && !k->row) fprintf(out, " (flow order)");
  if (k->row) fprintf(out, " and rows of %s", c->program->state[k->row - 1]->info.name);
  if (k->index) fprintf(out, ", index v%u", k->index->id);
  if (k->guard) fprintf(out, ", if v%u", k->guard->id);
  fputc('\n', out);
}

void dump_codelets(const struct compiler *c, FILE *out) {
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct codelet *k = &c->codelets.list[i];
    print_codelet(c, i, out);
    for (unsigned w = 0; w < k->num_states; w++)
      fprintf(out, "  %s := v%u\n", c->program->state[k->state[w]]->info.name,
              c->graph->access[k->state[w]].new_value->id);
  }
}

static void print_konst(const struct compiler *c, const struct mapping *m, unsigned i, FILE *out) {
  const struct relocated *r = &m->relocated[i];
  if (!r->param) fprintf(out, "%d", m->konst[i]);
  else if (r->negated) fprintf(out, "(%d - %s)", r->add, c->program->malleable[r->param - 1]->name);
  else if (r->add) fprintf(out, "(%s + %d)", c->program->malleable[r->param - 1]->name, r->add);
  else fputs(c->program->malleable[r->param - 1]->name, out);
}

static void print_predicate(const struct compiler *c, const struct mapping *m, unsigned i,
                            FILE *out) {
  static const char *const packet[] = {"0", "P1", "P2", "-P1", "-P2", "(P1 - P2)", "(P2 - P1)"};
  static const char *const rel[] = {"==", "!=", "<", "<=", ">", ">="};
  static const char *const right[] = {"", "", "", "", "P1", "P2", "S1", "S2"};
  const struct predicate *p = &m->pred[i];
  if (p->rel >= SLUICE_REL_TRUE) {
    fprintf(out, "%s", p->rel == SLUICE_REL_TRUE ? "true" : "false");
    return;
  }
  if (p->state) fprintf(out, "S%u + ", p->state);
  fprintf(out, "%s %s ", packet[p->packet], rel[p->rel]);
  if (p->y < SLUICE_PRED_Y_P1) print_konst(c, m, p->y, out);
  else fputs(right[p->y], out);
}

static void print_arm(const struct compiler *c, const struct mapping *m, unsigned arm, FILE *out) {
  for (unsigned w = 0; w < 2; w++) {
    const struct update *u = &m->arm[arm][w];
    fprintf(out, " S%u' =%s", w + 1, u->keep ? w ? " S2 +" : " S1 +" : "");
    for (int i = 0; i < 2; i++) {
      unsigned x = i ? u->b : u->a;
      if (i) fputs(u->sub ? " -" : " +", out);
      if (x <= SLUICE_ARM_K3) {
        fputc(' ', out);
        print_konst(c, m, x, out);
      } else fputs(x == SLUICE_ARM_P1 ? " P1" : x == SLUICE_ARM_P2 ? " P2" : " 0", out);
    }
    fputc(';', out);
  }
}

static void print_rows(const struct compiler *c, const struct codelet *k, FILE *out) {
  static const char *const ops[] = {"keep", "add", "add_sat", "max", "min", "set", "clear", "or"};
  static const char *const results[] = {"", ", words become the row before",
                                        ", words become the row"};
  if (k->row && k->which) fprintf(out, "  row operation number v%u\n", k->which->id);
  for (unsigned i = 0; k->row && i < k->num_instr; i++) {
    const struct row_operation *o = &k->instr[i];
    fprintf(out, "  row operation %u of %s: ", i, c->program->state[k->row - 1]->info.name);
    if (o->select) fprintf(out, "predicate %u ? %s : ", o->select, ops[o->on_true & 7]);
    fprintf(out, "%s%s\n", ops[(o->select ? o->on_false : o->on_true) & 7], results[o->result % 3]);
  }
}

void dump_mapping(const struct compiler *c, FILE *out) {
  static const char *const arms[] = {"A", "B", "C", "D"};
  for (unsigned i = 0; i < c->codelets.num; i++) {
    const struct mapping *m = c->codelets.list[i].map;
    print_codelet(c, i, out);
    for (int p = 0; p < 2; p++)
      if (m->operand[p]) fprintf(out, "  P%d = v%u\n", p + 1, m->operand[p]->id);
    for (unsigned p = 0; p < 4; p++) {
      fprintf(out, "  predicate %u: ", p + 1);
      print_predicate(c, m, p, out);
      fprintf(out, "\n  arm %s:", arms[p]);
      print_arm(c, m, p, out);
      fputc('\n', out);
    }
    print_rows(c, &c->codelets.list[i], out);
  }
}

// ---- operations ---------------------------------------------------------------------------------

void dump_tasks(const struct compiler *c, FILE *out) {
  static const char *const kinds[] = {
      [TASK_INPUT] = "parse",    [TASK_FOUND] = "found",         [TASK_ALU] = "alu",
      [TASK_HASH] = "hash unit", [TASK_MULTIPLY] = "multiplier", [TASK_STATE] = "state unit",
      [TASK_TABLE] = "lookup",   [TASK_COMPARE] = "compare",     [TASK_RESULT] = "result",
      [TASK_PORT] = "port",      [TASK_DISCARD] = "discard"};
  static const char *const types[] = {"const", "2B", "4B", "6B"};
  for (int stage = 0; stage <= c->code->stages; stage++) {
    if (stage == 0) fprintf(out, "parser:\n");
    else if (stage <= c->code->front) fprintf(out, "front stage %d:\n", stage - 1);
    else fprintf(out, "back stage %d:\n", stage - c->code->front - 1);
    for (unsigned i = 0; i < c->code->num; i++) {
      const struct task *t = c->code->list[i];
      if (!t->live || t->stage != stage) continue;
      fprintf(out, "  #%u %s", t->id, kinds[t->kind]);
      if (t->kind == TASK_ALU) fprintf(out, " op %u.%u imm %d", t->op, t->func, t->imm);
      if (t->relocated.param)
        fprintf(out, " of %s", c->program->malleable[t->relocated.param - 1]->name);
      if (t->kind == TASK_TABLE) fprintf(out, " %s", c->program->table[t->table]->name);
      if (t->unit) fprintf(out, " %u of #%u", t->func, t->unit->id);
      for (unsigned n = 0; n < t->num_args; n++)
        if (t->arg[n].task) fprintf(out, " #%u", t->arg[n].task->id);
        else fprintf(out, " %u", t->arg[n].value);
      if (t->type) fprintf(out, " -> %s[%u]", types[t->type], t->container);
      if (t->node) {
        fputs("   ", out);
        ir_print_value(&c->ir, t->node, out);
      } else {
        fputc('\n', out);
      }
    }
  }
}
