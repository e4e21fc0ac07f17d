// SPDX-License-Identifier: Apache-2.0
// From the six blocks of a V1Switch to one function.
#include <string.h>

#include "../compiler/compiler.h"
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
    case P4C_CONST: return arena_format(p->arena, "v%u = %u\n", n, d->number);
    case P4C_TEXT: return arena_format(p->arena, "v%u = %s\n", n, d->text);
    case P4C_UNARY: return arena_format(p->arena, "v%u = %sv%u\n", n, d->text, d->a);
    case P4C_BINARY: return arena_format(p->arena, "v%u = v%u %s v%u\n", n, d->a, d->text, d->b);
    default: return arena_format(p->arena, "v%u = v%u ? v%u : v%u\n", n, d->a, d->b, d->c);
  }
}

static unsigned num_lines(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

// The text of a walk goes behind that of the one before it.
static void print(struct p4c *p, const char *begin, const char *tail, struct p4c_result *result) {
  const struct p4c_result before = *result;
  const char *head = arena_format(p->arena, "%s%s%s", before.ir ? before.ir : "", begin, p->head);
  size_t len = strlen(head) + strlen(tail);
  const char **lines = NEW_ARRAY(p->arena, const char *, p->num_nodes + 1);
  for (unsigned n = 0; n < p->num_nodes; n++) len += strlen(lines[n] = node_line(p, n));
  char *text = arena_alloc(p->arena, len + 1), *at = text;
  at = stpcpy(at, head);
  const unsigned first = num_lines(head), num = first + p->num_nodes + p->num_tail;
  struct p4_place *places = NEW_ARRAY(p->arena, struct p4_place, num + 1);
  memset(places, 0, (num + 1) * sizeof *places);
  if (before.ir) memcpy(places, before.lines, (before.num_lines + 1) * sizeof *places);
  for (unsigned n = 0; n < p->num_nodes; n++) {
    places[first + 1 + n] = p->nodes[n].place;
    at = stpcpy(at, lines[n]);
  }
  stpcpy(at, tail);
  for (unsigned n = 0; n < p->num_tail; n++) places[first + 1 + p->num_nodes + n] = p->tail[n];
  *result = (struct p4c_result){text, len, places, num, NULL};
}

// Who was dropped does not come to the egress.
static void rest_of_six(struct p4c *p) {
  const p4c_node zero = p4c_const(p, 0);
  const struct p4c_val port = p4c_clean(p, *p4c_cell(p, "sm.egress_spec", 9));
  *p4c_cell(p, "out.port", 9) = port;
  const p4c_node dropped = p4c_drop(p, port.low);
  p4c_cell(p, "out.dropped", 1)->low = dropped;
  if (p4c_statements(block(p, EGRESS)) && !p->egress_apart)
    p4c_branch(p, dropped, NULL, NULL, egress, NULL);
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

static const char *const of_parser[] = {NULL, "hdr", "meta", "sm"};
static const char *const of_control[] = {"hdr", "meta", "sm"};

static void begin(struct p4c *p, struct p4c_decision *decision) {
  if (decision) p4c_declare_decision(p, decision);
  const p4c_node zero = p4c_const(p, 0);
  p->guard = p4c_const(p, 1);
  p->now.exited = p->now.returned = zero;
  p4c_parser(p, block(p, PARSER), of_parser);
  p->now.exited = p->now.returned = zero;
}

static void lower(struct p4c *p, struct p4c_decision *decision, struct p4c_result *result) {
  const size_t errors = p->messages->num_errors;
  p->egress_apart = !p->two_blocks && p->config->EgressStages && p4c_asks_queues(block(p, EGRESS));
  begin(p, decision);
  if (p->messages->num_errors != errors) return;
  p4c_block(p, block(p, INGRESS), of_control);
  p->now.exited = p->now.returned = p4c_const(p, 0);
  if (p->two_blocks) two_blocks(p);
  else rest_of_six(p);
  if (p->messages->num_errors != errors) return;
  p4c_name_fields(p);
  const char *tail = p4c_outputs(p);
  declare_states(p);
  if (p->messages->num_errors == errors)
    print(p,
          arena_format(p->arena, "sluice-ir 1\nprogram %s(p)\n%s", block(p, INGRESS)->name,
                       p->checksum ? "option checksum ip\n" : ""),
          tail, result);
}

// ---- an egress behind the queues ----------------------------------------------------------------

// Bits of bytes of the packet that a value looks at; 0: it is none of them.
static uint32_t looked_at(const struct p4c *p, const struct p4c_def *d, p4c_node operand,
                          unsigned *at, unsigned *width) {
  uint32_t number;
  const struct p4c_def *o = &p->nodes[operand];
  if (o->op != P4C_TEXT || !p4c_text_bytes(o->text, at, width)) return 0;
  if (d->op == P4C_BINARY && operand == d->a && p4c_is_const(p, d->b, &number)) {
    if (strcmp(d->text, "&") == 0) return number;
    if (strcmp(d->text, ">>>") == 0 && number < 32) return UINT32_MAX << number;
  }
  return UINT32_MAX;
}

static bool is_written(const struct p4c *before, unsigned at, unsigned width, uint32_t bits,
                       unsigned *first) {
  for (unsigned i = 0; i < before->num_written; i++) {
    const unsigned from = before->written[i].at, end = from + before->written[i].width;
    if (at >= end || from >= at + width) continue;
    *first = from;
    if (from != at || end != at + width || before->written[i].mask & bits) return true;
  }
  return false;
}

// There the packet is parsed again, as it leaves the ingress: so what the parser looks at must be
// as it came.
static void refuse_other_headers(struct p4c *p) {
  for (unsigned n = 0; n < p->num_nodes; n++) {
    const struct p4c_def *d = &p->nodes[n];
    const unsigned operands = d->op == P4C_CHOICE   ? 3
                              : d->op == P4C_BINARY ? 2
                                                    : d->op == P4C_UNARY;
    const p4c_node operand[3] = {d->a, d->b, d->c};
    for (unsigned i = 0; i < operands; i++) {
      unsigned at, width, first;
      const uint32_t bits = looked_at(p, d, operand[i], &at, &width);
      if (!bits || !is_written(p->ingress, at, width, bits, &first)) continue;
      p4c_refuse(p, block(p, EGRESS)->place, "bridge",
                 "the ingress changes bytes from %u on, at which the parser looks; the egress of "
                 "the machine parses the packet again, since which headers there are does not go "
                 "there",
                 first < P4C_TAG_AT ? first : first - P4C_TAG);
      return;
    }
  }
}

static void lower_egress(struct p4c *p, struct p4c_decision *decision, struct p4c_result *result) {
  const size_t errors = p->messages->num_errors;
  begin(p, decision);
  if (!decision) refuse_other_headers(p);
  p4c_block(p, block(p, EGRESS), of_control);
  if (p->messages->num_errors != errors) return;
  p4c_name_fields(p);
  const char *tail = p4c_outputs(p);
  if (p->messages->num_errors == errors)
    print(p, arena_format(p->arena, "egress %s(p)\n", block(p, EGRESS)->name), tail, result);
}

// Behind what is refused: how far the program came.
static const char *fit_of(struct p4c *p) {
  unsigned headers = 0, tables = 0, registers = 0;
  for (const struct p4c_header *h = p->headers; h; h = h->next) headers++;
  for (const struct p4c_table *t = p->tables; t; t = t->next) tables++;
  for (const struct p4c_register *r = p->registers; r; r = r->next) registers++;
  return arena_format(p->arena,
                      "the fit so far: %u header%s at fixed places, %u table%s, %u array%s of "
                      "registers or counters, %u values; 'sluice p4 run' runs the whole program",
                      headers, headers == 1 ? "" : "s", tables, tables == 1 ? "" : "s", registers,
                      registers == 1 ? "" : "s", p->num_nodes);
}

// What a program is walked with and what came of it: [0]: the ingress and all else, [1]: the
// egress, if the chip does it behind its queues.
struct walks {
  bool spread;
  struct p4c_decision *decision[2];
  struct p4c *walked[2];
};

static struct p4c *new_walk(struct p4_program *program, const struct sluice_config *config,
                            struct p4_messages *messages, bool spread) {
  struct p4c *p = NEW(program->arena, struct p4c);
  *p = (struct p4c){.arena = program->arena,
                    .messages = messages,
                    .program = program,
                    .config = config,
                    .head = "",
                    .spread = spread,
                    .two_blocks = program->architecture == P4_ARCH_MENSHEN};
  return p;
}

static bool walk(struct p4_program *program, const struct sluice_config *config,
                 struct p4_messages *messages, struct walks *walks, struct p4c_result *result) {
  const size_t before = messages->num_errors;
  *result = (struct p4c_result){0};
  walks->walked[0] = walks->walked[1] = NULL;
  if (setjmp(program->arena->escape)) {
    p4_messages_sort(messages);
    return false;
  }
  struct p4c *p = walks->walked[0] = new_walk(program, config, messages, walks->spread);
  lower(p, walks->decision[0], result);
  if (messages->num_errors == before && p->egress_apart) {
    struct p4c *q = walks->walked[1] = new_walk(program, config, messages, walks->spread);
    q->is_egress = true;
    q->ingress = p;
    lower_egress(q, walks->decision[1], result);
  }
  if (messages->num_errors != before) result->fit = fit_of(p);
  p4_messages_sort(messages);
  return messages->num_errors == before && result->ir;
}

static bool has_architecture(const struct p4_program *program, struct p4_messages *messages) {
  const bool taken = program->architecture == P4_ARCH_V1MODEL ||
                     program->architecture == P4_ARCH_MENSHEN;
  if (taken && program->main) return true;
  const struct p4_place place = program->main ? program->main->place : (struct p4_place){0};
  p4_message_add(messages, P4_ERROR, place, "architecture",
                 "the compiler takes programs of v1model, with a V1Switch named main, and those of "
                 "fpga.p4 with an FpgaSwitch");
  return false;
}

// Whether the chip has room for it.
static bool fits(const struct p4c_result *ir, const struct sluice_config *config) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_program *program = sluice_program_parse("", ir->ir, ir->len, &diags);
  const bool fits = program && sluice_compile(program, config, NULL, &image, &diags) == SLUICE_OK;
  sluice_image_release(&image);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return fits;
}

static struct p4c_decision *decide(struct p4c *p) {
  if (setjmp(p->arena->escape)) return NULL;
  return p4c_decide(p);
}

// Walks once more. Nothing of it is told, since all that there is to say was told in the first
// walk.
static bool walk_again(struct p4_program *program, const struct sluice_config *config,
                       struct walks *walks, struct p4c_result *result) {
  struct p4_messages unheard = {0};
  const bool taken = walk(program, config, &unheard, walks, result);
  p4_messages_release(&unheard);
  return taken;
}

// The tables of conditions, of ingress and egress: there may be none.
static void decide_both(struct p4_program *program, const struct sluice_config *config,
                        struct p4c_decision *decision[2]) {
  struct walks walks = {.spread = true};
  struct p4c_result unused;
  decision[0] = decision[1] = NULL;
  if (!walk_again(program, config, &walks, &unused)) return;
  for (unsigned i = 0; i < 2; i++)
    if (walks.walked[i]) decision[i] = decide(walks.walked[i]);
}

bool p4c_lower(struct p4_program *program, const struct sluice_config *config,
               struct p4_messages *messages, struct p4c_result *result) {
  struct walks first = {0};
  struct p4c_decision *decision[2];
  *result = (struct p4c_result){0};
  if (!has_architecture(program, messages) || !walk(program, config, messages, &first, result))
    return false;
  if (fits(result, config)) return true;
  // What does not fit may do so with its conditions in keys: of the egress, the ingress, or both.
  decide_both(program, config, decision);
  for (unsigned n = 1; n < 4; n++) {
    struct walks walks = {
        true, {n & 2 ? decision[0] : NULL, n & 1 ? decision[1] : NULL}, {NULL, NULL}};
    struct p4c_result other;
    if ((n & 2 && !decision[0]) || (n & 1 && !decision[1])) continue;
    if (!walk_again(program, config, &walks, &other) || !fits(&other, config)) continue;
    *result = other;
    break;
  }
  return true;
}

bool p4c_lower_in_keys(struct p4_program *program, const struct sluice_config *config,
                       struct p4_messages *messages, struct p4c_result *result) {
  struct walks first = {0}, walks = {.spread = true};
  *result = (struct p4c_result){0};
  if (!has_architecture(program, messages) || !walk(program, config, messages, &first, result))
    return false;
  decide_both(program, config, walks.decision);
  return (walks.decision[0] || walks.decision[1]) && walk_again(program, config, &walks, result);
}
