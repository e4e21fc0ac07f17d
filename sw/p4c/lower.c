// SPDX-License-Identifier: Apache-2.0
// From the six blocks of a V1Switch to one function.
#include <string.h>

#include "inner.h"

enum { PARSER, VERIFY, INGRESS, EGRESS, COMPUTE, DEPARSER, BLOCKS };

static const struct p4_decl *block(const struct p4c *p, unsigned n) {
  if (p->two_blocks && n == INGRESS) n = 1;
  return p->program->main->call->args[n]->type->decl;
}

static void egress(struct p4c *p, const void *x) {
  (void)x;
  static const char *const paths[] = {"hdr", "meta", "sm"};
  const p4c_node zero = p4c_const(p, 0);
  const struct p4c_val port = *p4c_cell(p, "sm.egress_spec", 9);
  *p4c_cell(p, "sm.egress_port", 9) = port;
  *p4c_cell(p, "sm.egress_spec", 9) = (struct p4c_val){zero, zero, 9, true, 0, {0}};
  p4c_block(p, block(p, EGRESS), paths);
}

// Registers that only the second look at a block would find have no line yet.
static void declare_states(struct p4c *p) {
  for (const struct p4c_register *r = p->registers; r; r = r->next) {
    if (!r->num_guards) continue;
    if (r->size == 1) p4c_head(p, "state %s = 0", r->name);
    else p4c_head(p, "state %s[%llu] = 0", r->name, (unsigned long long)r->size);
  }
}

static const char *node_line(struct p4c *p, p4c_node n) {
  const struct p4c_def *d = &p->nodes[n];
  switch (d->op) {
    case P4C_CONST: return p4_format(p->arena, "v%u = %u\n", n, d->number);
    case P4C_TEXT: return p4_format(p->arena, "v%u = %s\n", n, d->text);
    case P4C_UNARY: return p4_format(p->arena, "v%u = %sv%u\n", n, d->text, d->a);
    case P4C_BINARY: return p4_format(p->arena, "v%u = v%u %s v%u\n", n, d->a, d->text, d->b);
    default: return p4_format(p->arena, "v%u = v%u ? v%u : v%u\n", n, d->a, d->b, d->c);
  }
}

static unsigned num_lines(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

static void print(struct p4c *p, const char *tail, struct p4c_result *result) {
  const char *name = block(p, INGRESS)->name;
  const char *head = p4_format(p->arena, "sluice-ir 1\nprogram %s(p)\n%s%s", name,
                               p->checksum ? "option checksum ip\n" : "", p->head);
  size_t len = strlen(head) + strlen(tail);
  const char **lines = P4_NEW_ARRAY(p->arena, const char *, p->num_nodes + 1);
  for (unsigned n = 0; n < p->num_nodes; n++) len += strlen(lines[n] = node_line(p, n));
  char *text = p4_alloc(p->arena, len + 1), *at = text;
  at = stpcpy(at, head);
  const unsigned first = num_lines(head);
  struct p4_place *places =
      P4_NEW_ARRAY(p->arena, struct p4_place, first + p->num_nodes + p->num_tail + 1);
  for (unsigned n = 0; n < p->num_nodes; n++) {
    places[first + 1 + n] = p->nodes[n].place;
    at = stpcpy(at, lines[n]);
  }
  stpcpy(at, tail);
  for (unsigned n = 0; n < p->num_tail; n++) places[first + 1 + p->num_nodes + n] = p->tail[n];
  *result = (struct p4c_result){text, len, places, first + p->num_nodes + p->num_tail, NULL};
}

// Who was dropped does not come to the egress.
static void rest_of_six(struct p4c *p) {
  const p4c_node zero = p4c_const(p, 0);
  const struct p4c_val port = p4c_clean(p, *p4c_cell(p, "sm.egress_spec", 9));
  *p4c_cell(p, "out.port", 9) = port;
  const p4c_node dropped = p4c_drop(p, port.low);
  p4c_cell(p, "out.dropped", 1)->low = dropped;
  if (p4c_statements(block(p, EGRESS))) p4c_branch(p, dropped, NULL, NULL, egress, NULL);
  p->now.exited = p->now.returned = zero;
  for (const struct p4_decl *d = block(p, COMPUTE)->params; d; d = d->next)
    p4c_bind(p, d, d == block(p, COMPUTE)->params ? "hdr" : "meta");
  p4c_compute_checksum(p, block(p, COMPUTE));
  const struct p4_decl *out = block(p, DEPARSER)->params;
  if (out && out->next) p4c_bind(p, out->next, "hdr");
  p4c_emit_block(p, block(p, DEPARSER));
}

// What leaves without a deparser, at `port` and unless `discard`.
static void two_blocks(struct p4c *p) {
  struct p4c_val port = *p4c_cell(p, "sm.port", 32);
  port.clean = true;  // the machine takes 8 bits of it
  *p4c_cell(p, "out.port", 9) = port;
  p4c_cell(p, "out.dropped", 1)->low = p4c_cell(p, "sm.discard", 1)->low;
  p4c_emit_all(p);
}

static void lower(struct p4c *p, struct p4c_result *result) {
  static const char *const parse[] = {NULL, "hdr", "meta", "sm"}, *const control[] = {"hdr", "meta",
                                                                                      "sm"};
  const p4c_node zero = p4c_const(p, 0);
  p->guard = p4c_const(p, 1);
  p->now.exited = p->now.returned = zero;
  const size_t errors = p->messages->num_errors;
  p4c_parser(p, block(p, PARSER), parse);
  if (p->messages->num_errors != errors) return;
  p->now.exited = p->now.returned = zero;
  p4c_block(p, block(p, INGRESS), control);
  p->now.exited = p->now.returned = zero;
  if (p->two_blocks) two_blocks(p);
  else rest_of_six(p);
  if (p->messages->num_errors != errors) return;
  p4c_name_fields(p);
  const char *tail = p4c_outputs(p);
  declare_states(p);
  if (p->messages->num_errors == errors) print(p, tail, result);
}

// Behind what is refused: how far the program came.
static const char *fit_of(struct p4c *p) {
  unsigned headers = 0, tables = 0, registers = 0;
  for (const struct p4c_header *h = p->headers; h; h = h->next) headers++;
  for (const struct p4c_table *t = p->tables; t; t = t->next) tables++;
  for (const struct p4c_register *r = p->registers; r; r = r->next) registers++;
  return p4_format(p->arena,
                   "the fit so far: %u header%s at fixed places, %u table%s, %u array%s of "
                   "registers or counters, %u values; 'sluice p4 run' runs the whole program",
                   headers, headers == 1 ? "" : "s", tables, tables == 1 ? "" : "s", registers,
                   registers == 1 ? "" : "s", p->num_nodes);
}

bool p4c_lower(struct p4_program *program, const struct sluice_config *config,
               struct p4_messages *messages, struct p4c_result *result) {
  const size_t before = messages->num_errors;
  *result = (struct p4c_result){0};
  const bool two_blocks = program->architecture == P4_ARCH_MENSHEN;
  if ((program->architecture != P4_ARCH_V1MODEL && !two_blocks) || !program->main) {
    const struct p4_place place = program->main ? program->main->place : (struct p4_place){0};
    p4_message_add(
        messages, P4_ERROR, place, "architecture",
        "the compiler takes programs of v1model, with a V1Switch named main, and those of "
        "fpga.p4 with an FpgaSwitch");
    return false;
  }
  if (setjmp(program->arena->escape)) {
    p4_messages_sort(messages);
    return false;
  }
  struct p4c *p = P4_NEW(program->arena, struct p4c);
  *p = (struct p4c){.arena = program->arena,
                    .messages = messages,
                    .program = program,
                    .config = config,
                    .head = "",
                    .two_blocks = two_blocks};
  lower(p, result);
  if (messages->num_errors != before) result->fit = fit_of(p);
  p4_messages_sort(messages);
  return messages->num_errors == before && result->ir;
}
