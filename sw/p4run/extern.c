// SPDX-License-Identifier: Apache-2.0
// The externs of v1model.
#include <string.h>

#include "run.h"

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static const struct p4v nothing = {.kind = P4V_NONE};

static const char *p4r_member_name(const struct p4_type *type, struct p4v v) {
  const struct p4_type *t = type;
  while (t->kind == P4_TYPE_NEW) t = t->element;
  for (const struct p4_decl *m = t->decl ? t->decl->members : NULL; m; m = m->next)
    if (m->number == v.word) return m->name;
  return "";
}

static struct p4v arg(struct p4r_exec *x, const struct p4_call *call, unsigned i) {
  return i < call->num_args && call->args[i] ? p4r_eval(x, call->args[i]) : nothing;
}
static uint64_t number(struct p4r_exec *x, const struct p4_call *call, unsigned i) {
  const struct p4v v = arg(x, call, i);
  return p4v_is_small(v) ? p4v_low(v) : UINT64_MAX;
}

// ---- making -------------------------------------------------------------------------------------

static size_t words_of_cell(const struct p4r_object *o) {
  const struct p4_type *t = o->type->num_args ? p4v_under(o->type->args[0]) : NULL;
  return t && t->kind == P4_TYPE_BITS && t->width > 64 ? (t->width + 63) / 64 : 1;
}

void p4r_make_extern(struct p4r_exec *x, struct p4r_object *o, const struct p4_call *call) {
  const char *name = o->decl->name;
  const bool is_register = is(name, "register");
  if (!call) return;
  if (is(name, "action_selector")) o->algorithm = p4v_copy(&x->sw->own, arg(x, call, 0));
  if (is(name, "meter") || is(name, "direct_meter")) {
    const unsigned at = is(name, "meter") ? 1 : 0;
    const struct p4v type = arg(x, call, at);
    o->counts_bytes = type.kind == P4V_NUMBER && is(p4r_member_name(type.type, type), "bytes");
  }
  if (!is_register && !is(name, "counter") && !is(name, "meter")) return;
  o->size = number(x, call, 0);
  if (o->size > P4R_MOST_CELLS) p4r_fail(x, "%s has more than %d cells", o->name, P4R_MOST_CELLS);
  o->cells = NEW_ARRAY(&x->sw->own, struct p4r_cell, o->size + 1);
  if (!is_register) return;
  const size_t num = words_of_cell(o);
  uint64_t *words = NEW_ARRAY(&x->sw->own, uint64_t, o->size * num + 1);
  for (uint64_t i = 0; i < o->size; i++) o->cells[i].words = words + i * num;
}

// ---- registers ----------------------------------------------------------------------------------

static void read_register(struct p4r_exec *x, const struct p4r_object *o,
                          const struct p4_call *call) {
  struct p4r_place place = p4r_locate(x, call->args[0]);
  const uint64_t i = number(x, call, 1);
  const struct p4_type *type = o->type->args[0], *t = p4v_under(type);
  if (i >= o->size) return;
  const struct p4v zero = p4v_zero(x->arena, type);
  if (p4v_has_items(zero)) {
    p4r_store(x, place, o->cells[i].value ? p4v_copy(x->arena, *o->cells[i].value) : zero);
    return;
  }
  struct p4v v = {.kind = P4V_BITS, .width = t->width, .is_signed = t->is_signed, .type = type};
  const uint64_t *words = o->cells[i].words;
  if (t->kind == P4_TYPE_BOOL) v = p4v_truth(words[0] != 0);
  else if (t->kind != P4_TYPE_BITS) v.kind = P4V_NUMBER, v.word = words[0];
  else if (v.width > 64) v.words = words, v = p4v_copy(x->arena, v);
  else v.word = words[0];
  p4r_store(x, place, v);
}

static void write_value(struct arena *own, struct p4r_cell *cell, struct p4v v) {
  if (cell->value) {
    p4v_assign_words(cell->value, v);
    return;
  }
  cell->value = NEW(own, struct p4v);
  *cell->value = p4v_copy(own, v);
}

static void write_register(struct p4r_exec *x, const struct p4r_object *o,
                           const struct p4_call *call) {
  const uint64_t i = number(x, call, 0);
  const struct p4v v = arg(x, call, 1);
  if (i >= o->size) return;
  if (p4v_has_items(v)) {
    write_value(&x->sw->own, &o->cells[i], v);
    return;
  }
  if (v.kind == P4V_BITS && v.width > 64)
    memcpy(o->cells[i].words, v.words, words_of_cell(o) * sizeof *v.words);
  else o->cells[i].words[0] = p4v_low(v);
}

// loadd of two blocks: adds 1 and gives the sum.
static void count_register(struct p4r_exec *x, const struct p4r_object *o,
                           const struct p4_call *call) {
  const uint64_t i = number(x, call, 1);
  const struct p4_type *t = p4v_under(o->type->args[0]);
  if (t->kind != P4_TYPE_BITS || t->width > 64)
    p4r_fail(x, "loadd counts in registers of up to 64 bits");
  if (i < o->size) {
    const uint64_t all = t->width < 64 ? ((uint64_t)1 << t->width) - 1 : UINT64_MAX;
    o->cells[i].words[0] = (o->cells[i].words[0] + 1) & all;
  }
  read_register(x, o, call);
}

// ---- meters -------------------------------------------------------------------------------------

// Tokens given since the start are a whole number; a bucket gets what is new, up to its burst.
static void fill(struct p4r_meter *m, unsigned i, uint64_t time_us) {
  __extension__ typedef unsigned __int128 wide;
  const uint64_t total = (uint64_t)((wide)time_us * m->rate[i] / 1000000);
  const uint64_t more = total - m->total[i], room = m->burst[i] - m->tokens[i];
  m->total[i] = total;
  m->tokens[i] += more < room ? more : room;
}
unsigned p4r_meter_run(struct p4r_meter *m, uint64_t time_us, uint64_t need) {
  enum { GREEN, YELLOW, RED };
  if (!m->configured) return GREEN;
  fill(m, 0, time_us);
  fill(m, 1, time_us);
  if (m->tokens[1] < need) return RED;
  m->tokens[1] -= need;
  if (m->tokens[0] < need) return YELLOW;
  m->tokens[0] -= need;
  return GREEN;
}
void p4r_meter_set(struct p4r_meter *m, uint64_t time_us, const uint64_t rate[2],
                   const uint64_t burst[2]) {
  __extension__ typedef unsigned __int128 wide;
  m->configured = true;
  for (unsigned i = 0; i < 2; i++) {
    m->rate[i] = rate[i];
    m->burst[i] = m->tokens[i] = burst[i];
    m->total[i] = (uint64_t)((wide)time_us * rate[i] / 1000000);
  }
}

// A value for a place of any width.
static void store_number(struct p4r_exec *x, const struct p4_expr *to, uint64_t value) {
  struct p4r_place place = p4r_locate(x, to);
  struct p4v v = p4v_cast(x->arena, p4v_bits(64, value), to->type);
  p4r_store(x, place, v);
}

// ---- methods ------------------------------------------------------------------------------------

static void count(struct p4r_exec *x, struct p4r_object *o, uint64_t i) {
  if (i >= o->size) return;
  o->cells[i].packets++;
  o->cells[i].bytes += x->packet->len;
}

struct p4v p4r_method(struct p4r_exec *x, const struct p4_call *call) {
  const struct p4_type *type = call->object->type;
  const char *of = type->decl ? type->decl->name : "", *name = call->callee->name;
  if (is(of, "packet_in")) return p4r_packet_in(x, call);
  if (is(of, "packet_out")) {
    if (x->out && is(name, "emit")) p4v_append(x->out, arg(x, call, 0));
    return nothing;
  }
  struct p4r_object *o = p4r_eval(x, call->object).object;
  if (!o) p4r_fail(x, "this extern object is not there");
  if (is(of, "register") && (is(name, "read") || is(name, "load"))) read_register(x, o, call);
  else if (is(of, "register") && is(name, "loadd")) count_register(x, o, call);
  else if (is(of, "register")) write_register(x, o, call);
  else if (is(of, "counter")) count(x, o, number(x, call, 0));
  else if (is(of, "meter")) {
    const uint64_t i = number(x, call, 0);
    if (i < o->size)
      store_number(
          x, call->args[1],
          p4r_meter_run(&o->cells[i].meter, x->sw->time_us, o->counts_bytes ? x->packet->len : 1));
  } else if (is(of, "direct_meter")) store_number(x, call->args[0], x->colour);
  else if (!is(of, "direct_counter")) p4r_fail(x, "the interpreter has no extern '%s'", of);
  return nothing;
}

// ---- hashes and checksums -----------------------------------------------------------------------

uint64_t p4r_hash(struct p4r_exec *x, struct p4v algorithm, const struct p4v_string *s) {
  const char *name = algorithm.type ? p4r_member_name(algorithm.type, algorithm) : "";
  const size_t len = (s->bits + 7) / 8;
  static const uint8_t none[1];
  const uint8_t *bytes = len ? s->bytes : none;
  if (is(name, "crc16") || is(name, "crc16_custom")) return p4r_crc(&p4r_crc16, bytes, len);
  if (is(name, "crc32") || is(name, "crc32_custom")) return p4r_crc(&p4r_crc32, bytes, len);
  if (is(name, "csum16")) return p4r_csum16(bytes, len);
  if (is(name, "xor16")) return p4r_xor16(bytes, len);
  if (is(name, "identity")) return p4r_identity(bytes, len);
  if (is(name, "random")) return sluice_rng_next(&x->sw->rng);
  p4r_fail(x, "there is no hash '%s'", name);
}

static void hash(struct p4r_exec *x, const struct p4_call *call) {
  struct p4r_place place = p4r_locate(x, call->args[0]);
  struct p4v_string s = {.arena = x->arena};
  const struct p4v algorithm = arg(x, call, 1);
  const uint64_t base = p4v_low(arg(x, call, 2));
  p4r_bits_of(x, call->args[3], &s);
  const struct p4v max = arg(x, call, 4);
  uint64_t h = p4r_hash(x, algorithm, &s);
  if (p4v_is_small(max)) h = p4v_low(max) ? h % p4v_low(max) : 0;
  p4r_store(x, place, p4v_cast(x->arena, p4v_bits(64, base + h), call->args[0]->type));
}

// The value of a checksum extern, or false if its condition is false or the field is not there.
static bool checksum(struct p4r_exec *x, const struct p4_call *call, bool payload,
                     struct p4v *sum) {
  if (!arg(x, call, 0).truth) return false;
  struct p4r_place place = p4r_locate(x, call->args[2]);
  if (place.guard && !place.guard->truth) return false;
  struct p4v_string s = {.arena = x->arena};
  p4r_bits_of(x, call->args[1], &s);
  const struct p4r_packet *p = x->packet;
  if (payload) p4v_append_bytes(&s, p->bytes + p->payload, (p->len - p->payload) * 8);
  const uint64_t h = p4r_hash(x, arg(x, call, 3), &s);
  *sum = p4v_cast(x->arena, p4v_bits(64, h), call->args[2]->type);
  return true;
}
static void verify_checksum(struct p4r_exec *x, const struct p4_call *call, bool payload) {
  struct p4v sum;
  if (checksum(x, call, payload, &sum) && !p4v_equal(sum, arg(x, call, 2))) {
    x->checksum_error = true;
    p4r_trace_event(x, "checksum", "wrong, %s was computed", p4v_text(x->arena, sum));
  }
}
static void update_checksum(struct p4r_exec *x, const struct p4_call *call, bool payload) {
  struct p4v sum;
  if (checksum(x, call, payload, &sum)) p4r_store(x, p4r_locate(x, call->args[2]), sum);
}

// ---- the others ---------------------------------------------------------------------------------

static void random_number(struct p4r_exec *x, const struct p4_call *call) {
  const uint64_t low = number(x, call, 1), high = number(x, call, 2);
  if (low > high) return;
  const uint64_t all = high - low + 1;
  const uint64_t r = all ? sluice_rng_below(&x->sw->rng, all) : sluice_rng_next(&x->sw->rng);
  store_number(x, call->args[0], low + r);
}

static void log_msg(struct p4r_exec *x, const struct p4_call *call) {
  struct p4v text = arg(x, call, 0), items = arg(x, call, 1);
  const char *from = text.kind == P4V_TEXT ? text.text : "";
  const char *line = "";
  unsigned next = 0;
  for (; *from; from++) {
    if (from[0] == '{' && from[1] == '}') {
      if (next >= items.num) p4r_fail(x, "log_msg has more {} than values");
      line = arena_format(x->arena, "%s%s", line, p4v_text(x->arena, items.items[next++]));
      from++;
    } else {
      line = arena_format(x->arena, "%s%c", line, *from);
    }
  }
  if (items.kind != P4V_NONE && next != items.num) p4r_fail(x, "log_msg has more values than {}");
  p4r_trace_event(x, "log", "%s", line);
}

static void mark_to_drop(struct p4r_exec *x, const struct p4_call *call) {
  struct p4v *standard = call->num_args ? p4r_locate(x, call->args[0]).v : x->standard;
  const struct p4_type *t = x->sw->standard_type;
  for (unsigned i = 0; standard && i < standard->num; i++) {
    if (is(t->fields[i].name, "egress_spec")) standard->items[i].word = P4R_DROP_PORT;
    else if (is(t->fields[i].name, "mcast_grp")) standard->items[i].word = 0;
  }
}

static void digest(struct p4r_exec *x, const struct p4_call *call) {
  const struct p4_type *type = call->args[1]->type;
  x->asked.digest = true;
  x->asked.digest_name = type->decl ? type->decl->name : "tuple";
  x->asked.digest_value = arg(x, call, 1);
}

// Calls of which the last one counts, at the end of ingress or egress.
static bool asks(struct p4r_exec *x, const struct p4_call *call, const char *name) {
  struct p4r_asked *a = &x->asked;
  if (is(name, "clone") || is(name, "clone3") || is(name, "clone_preserving_field_list")) {
    a->clone = true;
    a->clone_type = arg(x, call, 0).word;
    a->clone_session = number(x, call, 1);
    a->clone_list = is(name, "clone_preserving_field_list");
    a->clone_index = a->clone_list ? number(x, call, 2) : 0;
  } else if (is(name, "resubmit") || is(name, "recirculate")) {
    // no field has so high a number: nothing is kept
    *(is(name, "resubmit") ? &a->resubmit : &a->recirculate) = true;
    a->resubmit_index = a->recirculate_index = UINT64_MAX;
  } else if (is(name, "resubmit_preserving_field_list")) {
    a->resubmit = true;
    a->resubmit_index = number(x, call, 0);
  } else if (is(name, "recirculate_preserving_field_list")) {
    a->recirculate = true;
    a->recirculate_index = number(x, call, 0);
  } else {
    return false;
  }
  return true;
}

struct p4v p4r_function(struct p4r_exec *x, const struct p4_call *call) {
  const char *name = call->callee->name;
  if (asks(x, call, name)) return nothing;
  if (is(name, "verify")) {
    const bool good = arg(x, call, 0).truth;
    const struct p4v error = arg(x, call, 1);
    if (!good) p4r_reject_with(x, error.word);
  } else if (is(name, "mark_to_drop")) mark_to_drop(x, call);
  else if (is(name, "hash")) hash(x, call);
  else if (is(name, "random")) random_number(x, call);
  else if (is(name, "verify_checksum")) verify_checksum(x, call, false);
  else if (is(name, "verify_checksum_with_payload")) verify_checksum(x, call, true);
  else if (is(name, "update_checksum")) update_checksum(x, call, false);
  else if (is(name, "update_checksum_with_payload")) update_checksum(x, call, true);
  else if (is(name, "digest")) digest(x, call);
  else if (is(name, "truncate")) {
    const uint64_t len = number(x, call, 0);
    if (len < x->truncate) x->truncate = (size_t)len;
  } else if (is(name, "assert") || is(name, "assume")) {
    if (!arg(x, call, 0).truth) p4r_fail(x, "%s is false", name);
  } else if (is(name, "log_msg")) log_msg(x, call);
  else if (!is(name, "static_assert")) p4r_fail(x, "the interpreter has no extern '%s'", name);
  return nothing;
}
