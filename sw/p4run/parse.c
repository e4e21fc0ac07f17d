// SPDX-License-Identifier: Apache-2.0
// Parsers: states, select, and what packet_in can do.
#include <string.h>

#include "run.h"

static uint64_t error_number(struct p4r_exec *x, const char *name) {
  const struct p4_program *program = x->sw->program;
  for (unsigned i = 0; i < program->num_errors; i++)
    if (strcmp(program->errors[i]->name, name) == 0) return program->errors[i]->number;
  return 0;
}

void p4r_reject_with(struct p4r_exec *x, uint64_t error) {
  x->error = error;
  if (!x->reject) p4r_fail(x, "a packet is read outside of a parser");
  longjmp(*x->reject, 1);
}
void p4r_reject(struct p4r_exec *x, const char *error) {
  p4r_trace_event(x, "reject", "%s", error);
  p4r_reject_with(x, error_number(x, error));
}

// ---- keysets ------------------------------------------------------------------------------------

struct p4r_match p4r_keyset(struct p4r_exec *x, const struct p4_keyset *set) {
  struct p4r_match m = {.kind = P4R_ANY};
  if (set->kind == P4_KEYSET_ANY) return m;
  m.kind = set->kind == P4_KEYSET_MASK    ? P4R_MASK
           : set->kind == P4_KEYSET_RANGE ? P4R_RANGE
                                          : P4R_VALUE;
  if (set->a) m.a = p4r_eval(x, set->a);
  if (set->b) m.b = p4r_eval(x, set->b);
  return m;
}

// Keys that are bool are compared with 0 and 1 of the control plane, too.
static struct p4v as_bits(struct p4v v) {
  if (v.kind == P4V_BOOL) return p4v_bits(1, v.truth);
  if (v.kind == P4V_NUMBER) return p4v_bits(32, v.word);
  return v;
}

bool p4r_matches(const struct p4r_match *m, struct p4v key) {
  struct p4v k = as_bits(key), a = as_bits(m->a), b = as_bits(m->b);
  if (m->kind == P4R_VALUE) return p4v_equal(k, a);
  if (m->kind == P4R_RANGE) return !p4v_less(k, a) && !p4v_less(b, k);
  if (m->kind == P4R_ANY) return true;
  const size_t num = k.width <= 64 ? 1 : (k.width + 63) / 64;
  const uint64_t *kw = k.width > 64 ? k.words : &k.word, *aw = a.width > 64 ? a.words : &a.word;
  const uint64_t *bw = b.width > 64 ? b.words : &b.word;
  for (size_t i = 0; i < num; i++)
    if ((kw[i] ^ aw[i]) & bw[i]) return false;
  return true;
}

// A value set: its members are listed one component behind the other.
static bool in_set(struct p4r_exec *x, const struct p4_decl *decl, const struct p4v *keys,
                   unsigned num) {
  const struct p4r_object *set = p4r_slot(x, decl)->object;
  for (unsigned i = 0; set && i + num <= set->num_members_of_set; i += num) {
    unsigned k = 0;
    while (k < num && p4r_matches(&set->members_of_set[i + k], keys[k])) k++;
    if (k == num) return true;
  }
  return false;
}

static bool case_fits(struct p4r_exec *x, const struct p4_select_case *c, const struct p4v *keys,
                      unsigned num) {
  if (c->whole) {
    if (c->sets[0].kind == P4_KEYSET_VALUE_SET) return in_set(x, c->sets[0].set, keys, num);
    return true;
  }
  for (unsigned i = 0; i < num; i++) {
    if (c->sets[i].kind == P4_KEYSET_VALUE_SET) {
      if (!in_set(x, c->sets[i].set, &keys[i], 1)) return false;
      continue;
    }
    const struct p4r_match m = p4r_keyset(x, &c->sets[i]);
    if (!p4r_matches(&m, keys[i])) return false;
  }
  return true;
}

static const struct p4_decl *select_next(struct p4r_exec *x, const struct p4_state *state) {
  struct p4v *keys = NEW_ARRAY(x->arena, struct p4v, state->num_select + 1);
  unsigned num = 0;
  for (const struct p4_expr *e = state->select; e; e = e->next) keys[num++] = p4r_eval(x, e);
  for (const struct p4_select_case *c = state->cases; c; c = c->next)
    if (case_fits(x, c, keys, num)) return c->target;
  p4r_reject(x, "NoMatch");
}

void p4r_run_parser(struct p4r_exec *x, const struct p4r_object *parser) {
  const struct p4_decl *state = parser->decl->states;
  while (state && strcmp(state->name, "start") != 0) state = state->next;
  while (state && !(state->state && state->state->accept)) {
    p4r_trace_state(x, state);
    if (state->state && state->state->reject) p4r_reject_with(x, x->error);
    if (++x->states > P4R_MOST_STATES) p4r_reject(x, "ParserTimeout");
    p4r_run(x, state->state->body);
    if (state->state->place.line) x->place = state->state->place;
    state = state->state->to ? state->state->to : select_next(x, state->state);
  }
}

// ---- packet_in ----------------------------------------------------------------------------------

static size_t bits_left(const struct p4r_exec *x) { return x->packet->len * 8 - x->cursor; }

static size_t fixed_bits(struct p4r_exec *x, const struct p4_type *type) {
  uint64_t bits = 0;
  if (!p4_type_bits(type, false, &bits)) p4r_fail(x, "this type has no size on the wire");
  return (size_t)bits;
}

// The stack of `stack.next` or `stack.next.member`, or NULL.
static const struct p4_expr *next_stack(const struct p4_expr *e) {
  for (; e->kind == P4_EXPR_MEMBER; e = e->a)
    if (e->member == P4_MEMBER_NEXT) return e->a;
  return NULL;
}

static struct p4v read_header(struct p4r_exec *x, const struct p4_type *type, uint64_t varbits) {
  const struct p4_type *t = p4v_under(type);
  const uint8_t *bytes = x->packet->bytes;
  struct p4v v = p4v_zero(x->arena, type);
  for (unsigned i = 0; i < v.num; i++) {
    struct p4v *item = &v.items[i];
    if (item->kind != P4V_VARBIT) {
      *item = p4v_read(x->arena, t->fields[i].type, bytes, &x->cursor);
      continue;
    }
    struct p4v bits = p4v_read_bits(x->arena, bytes, x->cursor, (unsigned)varbits);
    bits = p4v_resize(x->arena, bits, item->width, false);
    bits.kind = P4V_VARBIT;
    bits.num = (unsigned)varbits;
    bits.type = item->type;
    *item = bits;
    x->cursor += (size_t)varbits;
  }
  v.truth = true;
  return v;
}

static unsigned most_varbits(const struct p4_type *type) {
  for (unsigned i = 0; i < type->num_fields; i++)
    if (p4v_under(type->fields[i].type)->kind == P4_TYPE_VARBIT)
      return p4v_under(type->fields[i].type)->width;
  return 0;
}

// Where a member of the headers came from: what leaves is written there.
static void keep_place(struct p4r_exec *x, const struct p4_expr *header, size_t at) {
  const struct p4_type *t = p4v_under(x->sw->hdr_type);
  const bool member = header->kind == P4_EXPR_MEMBER && header->a->kind == P4_EXPR_NAME;
  unsigned i = 0;
  while (member && i < t->num_fields && strcmp(t->fields[i].name, header->name) != 0) i++;
  if (!member || i == t->num_fields)
    p4r_fail(x, "a header of two blocks is a member of the struct of headers");
  x->packet->places[i] = 1 + at;
}

static void extract(struct p4r_exec *x, const struct p4_call *call) {
  const struct p4_expr *arg = call->args[0];
  const struct p4_type *type = call->num_type_args ? call->type_args[0]
                               : call->param_types ? call->param_types[0]
                                                   : arg->type;
  uint64_t varbits = 0;
  if (call->num_args > 1) {
    const struct p4v n = p4r_eval(x, call->args[1]);
    varbits = p4v_is_small(n) ? p4v_low(n) : UINT32_MAX;
  }
  if (varbits > UINT32_MAX || bits_left(x) < fixed_bits(x, type) + varbits)
    p4r_reject(x, "PacketTooShort");
  if (call->num_args > 1 && varbits > most_varbits(p4v_under(type)))
    p4r_reject(x, "HeaderTooShort");
  if (varbits % 8) p4r_reject(x, "ParserInvalidArgument");
  if (arg->kind == P4_EXPR_ANY) {
    x->cursor += fixed_bits(x, type) + (size_t)varbits;
    return;
  }
  if (x->sw->two_blocks) keep_place(x, arg, x->cursor);
  struct p4r_place place = p4r_locate(x, arg);
  const struct p4_expr *stack = next_stack(arg);
  struct p4v header = read_header(x, type, varbits);
  p4r_trace_event(x, "extract", "%s", p4v_text(x->arena, header));
  p4r_store(x, place, header);
  if (stack) {
    struct p4r_place of = p4r_locate(x, stack);
    if (of.v) of.v->next++;
  }
}

static struct p4v lookahead(struct p4r_exec *x, const struct p4_call *call) {
  const struct p4_type *type = call->type_args[0];
  if (bits_left(x) < fixed_bits(x, type)) p4r_reject(x, "PacketTooShort");
  size_t at = x->cursor;
  return p4v_read(x->arena, type, x->packet->bytes, &at);
}

static void advance(struct p4r_exec *x, const struct p4_call *call) {
  const struct p4v n = p4r_eval(x, call->args[0]);
  if (!p4v_is_small(n) || p4v_low(n) > bits_left(x)) p4r_reject(x, "PacketTooShort");
  if (p4v_low(n) % 8) p4r_reject(x, "ParserInvalidArgument");
  x->cursor += (size_t)p4v_low(n);
}

struct p4v p4r_packet_in(struct p4r_exec *x, const struct p4_call *call) {
  const char *name = call->callee->name;
  if (strcmp(name, "extract") == 0) extract(x, call);
  else if (strcmp(name, "lookahead") == 0) return lookahead(x, call);
  else if (strcmp(name, "advance") == 0) advance(x, call);
  else if (strcmp(name, "length") == 0) return p4v_bits(32, x->packet->len);
  else p4r_fail(x, "packet_in has no method '%s' here", name);
  return (struct p4v){.kind = P4V_NONE};
}
