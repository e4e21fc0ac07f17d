// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: State accesses; Guarded flips, Touched; Egress, State.
#include "parts.h"

// ---- State accesses: Resolution -----------------------------------------------------------------

// Sharded: pipeline f + (index modulo k), slot BASE + index / k, in a set of k pipelines from f on.
// Pinned: pipeline PIPE, slot BASE + index.
bool spec_home(const struct sluice_spec *s, unsigned stage, bool pinned, unsigned pipe,
               unsigned base, uint64_t index, unsigned *to_pipe, unsigned *slot) {
  const unsigned k = s->c.NumPipes >> s->sets, named = pipe % s->c.NumPipes, f = named / k * k;
  uint64_t at;
  (void)stage;
  *to_pipe = pinned ? named : f + (unsigned)(index % k);
  at = base + (pinned ? index : index / k);
  *slot = (unsigned)at;
  return at < spec_slots(s);
}

void spec_resolve(const struct sluice_spec *s, unsigned stage, const struct spec_phv *phv,
                  struct sluice_model_access *access) {
  const uint8_t *e = spec_of_row(s, SLUICE_TABLE_ACCESS, stage, phv),
                *segment = spec_of_row(s, SLUICE_TABLE_SEGMENT, stage, phv);
  const unsigned predicate = (unsigned)FIELD(e, ACCESS, PREDICATE),
                 pipe = (unsigned)FIELD(e, ACCESS, PIPE);
  const bool always = predicate >> 3 == SLUICE_TYPE_CONST;
  if (!FIELD(e, ACCESS, ENABLE)) return;
  if (!always && (spec_full(s, phv, predicate) != 0) == FIELD(e, ACCESS, INVERT)) return;
  unsigned to, slot = 0;
  if (FIELD(e, ACCESS, PINNED)) {
    spec_home(s, stage, true, pipe, 0, 0, &to, &slot);
    access->resolved = access->pinned = true;
    access->pipe = (uint8_t)to;
    return;
  }
  const uint64_t index = spec_full(s, phv, (unsigned)FIELD(e, ACCESS, INDEX));
  if (index >= FIELD(segment, SEGMENT, RANGE) ||
      !spec_home(s, stage, false, pipe, (unsigned)FIELD(segment, SEGMENT, BASE), index, &to,
                 &slot)) {
    access->out_of_bounds = true;
    return;
  }
  access->resolved = true;
  access->pipe = (uint8_t)to;
  access->slot = slot;
  access->index = index;
}

// ---- State accesses: Operation ------------------------------------------------------------------

enum { NOT_THERE = -1 };

// Whether the stage has a state instruction, LOAD, STORE or LOADD for the packet.
struct operation {
  const uint8_t *instr;  // NULL: slot 16 decides
  unsigned op, a, b;     // of slot 16: operation and container indices
};

static bool find_operation(const struct sluice_spec *s, unsigned stage, const struct spec_hit *hit,
                           struct operation *o) {
  const uint8_t *action = spec_entry(s, SLUICE_TABLE_ACTION, stage, hit->row);
  const uint32_t word = (uint32_t)spec_field(action, 625, 25 * 16 + 24, 25 * 16);
  o->instr = spec_entry(s, SLUICE_TABLE_STATE_INSTR, stage, hit->row);
  o->op = word >> SLUICE_INSTR_OP_LSB & 15;
  o->a = word >> SLUICE_INSTR_A_LSB & 7;
  o->b = word >> SLUICE_INSTR_B_LSB & 7;
  if (FIELD(o->instr, STATE_INSTR, VALID)) return true;
  o->instr = NULL;
  return o->op == SLUICE_OP_LOAD || o->op == SLUICE_OP_STORE || o->op == SLUICE_OP_LOADD;
}

// Where the entry is, by what the stage has for the packet now: its number in the memory.
static long long find_entry(const struct sluice_spec *s, unsigned stage,
                            const struct spec_phv *before, const struct operation *o,
                            struct sluice_model_access *access) {
  const uint8_t *e = spec_of_row(s, SLUICE_TABLE_ACCESS, stage, before),
                *segment = spec_of_row(s, SLUICE_TABLE_SEGMENT, stage, before);
  const bool egress = spec_is_egress(s, stage);
  // "If that says pinned where the order point resolved a sharded access, or sharded where it
  // resolved a pinned one, then no access was resolved."
  if (!access->resolved || (!egress && access->pinned != FIELD(e, ACCESS, PINNED)))
    return NOT_THERE;
  if (access->pinned) {
    access->index = o->instr ? spec_full(s, before, (unsigned)FIELD(e, ACCESS, INDEX))
                             : spec_full(s, before, SLUICE_TYPE_B4 << 3 | o->b);
    if (access->index >= FIELD(segment, SEGMENT, RANGE)) return NOT_THERE;
    const uint64_t slot = FIELD(segment, SEGMENT, BASE) + access->index;
    if (slot >= spec_slots(s)) return NOT_THERE;
    access->slot = (uint32_t)slot;
  }
  return (long long)spec_place_number(s, stage, access->pipe, access->slot);
}

// Predicates: (X_STATE + X_PACKET) REL Y, on old values
struct operands {
  uint32_t old[2], p1, p2, k[4];
};

static bool predicate(const struct operands *o, unsigned bits) {
  const uint32_t states[4] = {0, o->old[0], o->old[1], 0};
  const uint32_t packets[8] = {0,         o->p1,         o->p2,         0 - o->p1,
                               0 - o->p2, o->p1 - o->p2, o->p2 - o->p1, 0};
  const uint32_t rights[8] = {o->k[0], o->k[1], o->k[2],   o->k[3],
                              o->p1,   o->p2,   o->old[0], o->old[1]};
  const uint32_t x = states[bits >> SLUICE_PREDICATE_X_STATE_LSB & 3] +
                     packets[bits >> SLUICE_PREDICATE_X_PACKET_LSB & 7],
                 y = rights[bits & 7];
  switch (bits >> SLUICE_PREDICATE_REL_LSB & 7) {
    case SLUICE_REL_EQ: return x == y;
    case SLUICE_REL_NE: return x != y;
    case SLUICE_REL_LT: return (int32_t)x < (int32_t)y;
    case SLUICE_REL_LE: return (int32_t)x <= (int32_t)y;
    case SLUICE_REL_GT: return (int32_t)x > (int32_t)y;
    case SLUICE_REL_GE: return (int32_t)x >= (int32_t)y;
    case SLUICE_REL_TRUE: return true;
    default: return false;
  }
}

// An arm: (KEEP ? own old value : 0) + (A +/- B)
static uint32_t updated(const struct operands *o, unsigned bits, uint32_t old) {
  const uint32_t terms[8] = {o->k[0], o->k[1], o->k[2], o->k[3], o->p1, o->p2, 0, 0};
  const uint32_t a = terms[bits >> SLUICE_UPDATE_A_LSB & 7], b = terms[bits & 7];
  return (bits >> SLUICE_UPDATE_KEEP_LSB & 1 ? old : 0) +
         (bits >> SLUICE_UPDATE_SUB_LSB & 1 ? a - b : a + b);
}

static void state_instruction(const struct sluice_spec *s, const struct spec_phv *before,
                              const uint8_t *e, const uint32_t old[2], uint32_t next[2],
                              uint32_t holds[4]) {
  const struct operands o = {
      .old = {old[0], old[1]},
      .p1 = spec_value(s, before, (unsigned)FIELD(e, STATE_INSTR, P1)),
      .p2 = spec_value(s, before, (unsigned)FIELD(e, STATE_INSTR, P2)),
      .k = {(uint32_t)FIELD(e, STATE_INSTR, K0), (uint32_t)FIELD(e, STATE_INSTR, K1),
            (uint32_t)FIELD(e, STATE_INSTR, K2), (uint32_t)FIELD(e, STATE_INSTR, K3)}};
  holds[0] = predicate(&o, (unsigned)FIELD(e, STATE_INSTR, PRED_1));
  holds[1] = predicate(&o, (unsigned)FIELD(e, STATE_INSTR, PRED_2));
  holds[2] = predicate(&o, (unsigned)FIELD(e, STATE_INSTR, PRED_3));
  holds[3] = predicate(&o, (unsigned)FIELD(e, STATE_INSTR, PRED_4));
  // if pred1 {if pred2 arm A else arm B} else if pred4 {if pred3 arm C else arm D}
  uint64_t first, second;
  if (holds[0] && holds[1]) {
    first = FIELD(e, STATE_INSTR, A1);
    second = FIELD(e, STATE_INSTR, A2);
  } else if (holds[0]) {
    first = FIELD(e, STATE_INSTR, B1);
    second = FIELD(e, STATE_INSTR, B2);
  } else if (holds[3] && holds[2]) {
    first = FIELD(e, STATE_INSTR, C1);
    second = FIELD(e, STATE_INSTR, C2);
  } else if (holds[3]) {
    first = FIELD(e, STATE_INSTR, D1);
    second = FIELD(e, STATE_INSTR, D2);
  } else {
    return;
  }
  next[0] = updated(&o, (unsigned)first, old[0]);
  next[1] = s->c.StatePairs ? updated(&o, (unsigned)second, old[1]) : 0;
}

bool spec_state_unit(struct sluice_spec *s, unsigned stage, struct spec_phv *phv,
                     const struct spec_phv *before, const struct spec_hit *hit,
                     struct sluice_model_access *access, uint32_t ext[8], uint32_t *load) {
  struct operation o;
  if (!spec_has_state(s, stage) || !find_operation(s, stage, hit, &o)) return false;
  const long long place = find_entry(s, stage, before, &o, access);
  access->executed = true;
  access->refused = place == NOT_THERE;
  if (access->refused) access->index = access->slot = 0;
  uint32_t old[2] = {0, 0}, holds[4] = {0};
  for (unsigned w = 0; w < 2 && place != NOT_THERE; w++) old[w] = s->state[place][w];
  uint32_t next[2] = {old[0], old[1]};
  if (o.instr) state_instruction(s, before, o.instr, old, next, holds);
  else if (o.op == SLUICE_OP_LOADD) next[0] = old[0] + 1;
  else if (o.op == SLUICE_OP_STORE) next[0] = spec_value(s, before, SLUICE_TYPE_B4 << 3 | o.a);
  for (unsigned w = 0; w < 2 && place != NOT_THERE; w++) s->state[place][w] = next[w];
  const uint8_t *rows = spec_entry(s, SLUICE_TABLE_ARRAY_INSTR, stage, hit->row);
  if (o.instr && FIELD(rows, ARRAY_INSTR, VALID)) {
    access->array = true;
    spec_array_unit(s, place, rows, holds, phv);
  }
  for (unsigned w = 0; w < 2; w++) {
    ext[SLUICE_EXT_OLD_1 + w] = old[w];
    ext[SLUICE_EXT_NEW_1 + w] = next[w];
  }
  for (unsigned p = 0; p < 4; p++) ext[SLUICE_EXT_PRED_1 + p] = holds[p];
  *load = next[0];
  return !o.instr && o.op != SLUICE_OP_STORE;
}

// ---- Guarded flips: Touched ---------------------------------------------------------------------

static bool watched(const struct sluice_spec *s, unsigned stage, unsigned slot) {
  const uint32_t first = s->watch[stage] & 0xffff, last = s->watch[stage] >> 16;
  return slot >= first && slot <= last;
}

void spec_touch(struct sluice_spec *s, unsigned stage, unsigned row,
                const struct sluice_model_access *access) {
  const bool some = (s->watch[stage] & 0xffff) <= s->watch[stage] >> 16;
  if (!(s->flip_rows >> row & 1) || !access->resolved) return;
  if (access->pinned ? some : watched(s, stage, access->slot)) s->touched = true;
}

void spec_touch_place(struct sluice_spec *s, unsigned stage, unsigned slot) {
  if (s->c.FlipGuard && watched(s, stage, slot)) s->touched = true;
}

// ---- Guarded flips ------------------------------------------------------------------------------

// "A write of it ends what is known of accesses, until the next cut."
void sluice_spec_flip_watch(struct sluice_spec *s, unsigned stage, uint32_t slots) {
  if (!s->c.FlipGuard || stage >= s->c.StateStages) return;
  s->watch[stage] = slots;
  s->cut_since = false;
}

uint32_t sluice_spec_flip_watched(const struct sluice_spec *s, unsigned stage) {
  return s->c.FlipGuard && stage < s->c.StateStages ? s->watch[stage] : 0;
}

unsigned sluice_spec_flip_status(const struct sluice_spec *s) {
  return s->cut_since | s->touched << 1;
}

void sluice_spec_flip(struct sluice_spec *s, uint32_t bank) {
  sluice_spec_set_bank(s, bank);
  s->cut_since = false;
}
