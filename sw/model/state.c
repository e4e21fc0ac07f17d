// SPDX-License-Identifier: Apache-2.0
// State: where an index lives, what the order point resolves, what the state unit computes.
#include "machine.h"

struct model_pair *model_slot(const struct sluice_model *m, unsigned stage, unsigned pipe,
                              uint32_t slot) {
  return m->state +
         ((size_t)model_state_stage(m, stage) * m->config.NumPipes + pipe) *
             sluice_config_slots(&m->config) +
         slot;
}

bool model_home(const struct sluice_model *m, unsigned row, unsigned stage, uint64_t index,
                unsigned *pipe, uint32_t *slot) {
  const uint64_t *segment = model_entry(m, SLUICE_TABLE_SEGMENT, stage, row);
  const uint64_t *access = model_entry(m, SLUICE_TABLE_ACCESS, stage, row);
  const unsigned pipes = m->config.NumPipes >> m->sets;  // of the set
  if (index >= FIELD(segment, SEGMENT, RANGE)) return false;
  const uint32_t base = FIELD32(segment, SEGMENT, BASE), i = (uint32_t)index;
  if (model_is_egress(m, stage)) {
    *pipe = 0;  // of every output lane the same slot
    *slot = base + i;
  } else if (FIELD(access, ACCESS, PINNED)) {
    *pipe = FIELD32(access, ACCESS, PIPE) % m->config.NumPipes;
    *slot = base + i;
  } else {
    const unsigned named = FIELD32(access, ACCESS, PIPE) % m->config.NumPipes;
    *pipe = named - named % pipes + i % pipes;
    *slot = base + i / pipes;
  }
  return *slot < sluice_config_slots(&m->config);
}

void model_resolve(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                   struct sluice_model_access *access) {
  const unsigned row = model_row(m, phv);
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_ACCESS, stage, row);
  if (!FIELD(entry, ACCESS, ENABLE)) return;
  const unsigned predicate = FIELD32(entry, ACCESS, PREDICATE);
  if (predicate >> SLUICE_OPERAND_KIND_LSB != SLUICE_TYPE_CONST) {
    const bool set = model_operand(m, phv, predicate) != 0;
    if (set == (FIELD(entry, ACCESS, INVERT) != 0)) return;
  }
  access->pinned = FIELD(entry, ACCESS, PINNED);
  if (access->pinned) {
    access->pipe = (uint8_t)(FIELD32(entry, ACCESS, PIPE) % m->config.NumPipes);
    access->resolved = true;
    return;
  }
  unsigned pipe;
  access->index = model_operand(m, phv, FIELD32(entry, ACCESS, INDEX));
  access->resolved = model_home(m, row, stage, access->index, &pipe, &access->slot);
  access->out_of_bounds = !access->resolved;
  if (access->resolved) access->pipe = (uint8_t)pipe;
  else access->slot = 0;
}

static uint32_t relation(unsigned rel, uint32_t x, uint32_t y) {
  const int32_t sx = (int32_t)x, sy = (int32_t)y;
  switch (rel) {
    case SLUICE_REL_EQ: return sx == sy;
    case SLUICE_REL_NE: return sx != sy;
    case SLUICE_REL_LT: return sx < sy;
    case SLUICE_REL_LE: return sx <= sy;
    case SLUICE_REL_GT: return sx > sy;
    case SLUICE_REL_GE: return sx >= sy;
    case SLUICE_REL_TRUE: return 1;
    default: return 0;
  }
}

// What the fields of a predicate choose from: left of the relation a word of state and one of the
// packet, which are added; right of it one word.
struct choices {
  uint32_t states[4], packets[8], rights[8];
};

static uint32_t predicate_value(uint64_t pred, const struct choices *c) {
  const uint32_t x = c->states[FIELD(&pred, PREDICATE, X_STATE)] +
                     c->packets[FIELD(&pred, PREDICATE, X_PACKET)];
  return relation(FIELD32(&pred, PREDICATE, REL), x, c->rights[FIELD(&pred, PREDICATE, Y)]);
}

static uint32_t update(uint64_t u, const uint32_t k[4], uint32_t p1, uint32_t p2, uint32_t old) {
  const uint32_t terms[8] = {k[0], k[1], k[2], k[3], p1, p2, 0, 0};
  const uint32_t a = terms[FIELD(&u, UPDATE, A)], b = terms[FIELD(&u, UPDATE, B)];
  return (FIELD(&u, UPDATE, KEEP) ? old : 0) + (FIELD(&u, UPDATE, SUB) ? a - b : a + b);
}

// A state instruction on old words. Returns the new ones; predicates go to `pred`, 0 or 1 each.
static struct model_pair model_state_instr(const uint64_t *instr, uint32_t p1, uint32_t p2,
                                           struct model_pair old, uint32_t pred[4]) {
  const uint32_t k[4] = {FIELD32(instr, STATE_INSTR, K0), FIELD32(instr, STATE_INSTR, K1),
                         FIELD32(instr, STATE_INSTR, K2), FIELD32(instr, STATE_INSTR, K3)};
  const struct choices c = {{0, old.s1, old.s2, 0},
                            {0, p1, p2, 0u - p1, 0u - p2, p1 - p2, p2 - p1, 0},
                            {k[0], k[1], k[2], k[3], p1, p2, old.s1, old.s2}};
  pred[0] = predicate_value(FIELD(instr, STATE_INSTR, PRED_1), &c);
  pred[1] = predicate_value(FIELD(instr, STATE_INSTR, PRED_2), &c);
  pred[2] = predicate_value(FIELD(instr, STATE_INSTR, PRED_3), &c);
  pred[3] = predicate_value(FIELD(instr, STATE_INSTR, PRED_4), &c);
  uint64_t u1, u2;
  if (pred[0] && pred[1]) {
    u1 = FIELD(instr, STATE_INSTR, A1), u2 = FIELD(instr, STATE_INSTR, A2);
  } else if (pred[0]) {
    u1 = FIELD(instr, STATE_INSTR, B1), u2 = FIELD(instr, STATE_INSTR, B2);
  } else if (pred[3] && pred[2]) {
    u1 = FIELD(instr, STATE_INSTR, C1), u2 = FIELD(instr, STATE_INSTR, C2);
  } else if (pred[3]) {
    u1 = FIELD(instr, STATE_INSTR, D1), u2 = FIELD(instr, STATE_INSTR, D2);
  } else {
    return old;
  }
  return (struct model_pair){update(u1, k, p1, p2, old.s1), update(u2, k, p1, p2, old.s2)};
}

bool model_state_op(struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                    unsigned action_row, uint64_t slot16, struct sluice_model_access *access,
                    struct model_ext *ext) {
  const uint64_t *instr = model_entry(m, SLUICE_TABLE_STATE_INSTR, stage, action_row);
  const bool instructed = FIELD(instr, STATE_INSTR, VALID);
  const unsigned op = FIELD32(&slot16, INSTR, OP);
  if (!instructed && op != SLUICE_OP_LOAD && op != SLUICE_OP_STORE && op != SLUICE_OP_LOADD)
    return false;

  // The entry: resolved by the order point, or for a pinned access found here.
  const unsigned row = model_row(m, phv);
  const uint64_t *access_entry = model_entry(m, SLUICE_TABLE_ACCESS, stage, row);
  // What the order point resolved must be of the kind that the entry names now.
  bool there = access->resolved &&
               (model_is_egress(m, stage) || access->pinned == FIELD(access_entry, ACCESS, PINNED));
  if (there && access->pinned) {
    unsigned pipe;
    access->index = instructed
                        ? model_operand(m, phv, FIELD32(access_entry, ACCESS, INDEX))
                        : model_container(m, phv, SLUICE_TYPE_B4, FIELD32(&slot16, INSTR, B) & 7u);
    there = model_home(m, row, stage, access->index, &pipe, &access->slot);
  }
  access->executed = true;
  access->refused = !there;

  static const struct model_pair zeros;
  struct model_pair *entry = there ? model_slot(m, stage, access->pipe, access->slot) : NULL;
  const struct model_pair old = there ? *entry : zeros;
  struct model_pair new = old;
  uint32_t pred[4] = {0};
  if (instructed)
    new = model_state_instr(instr, model_operand32(m, phv, FIELD32(instr, STATE_INSTR, P1)),
                            model_operand32(m, phv, FIELD32(instr, STATE_INSTR, P2)), old, pred);
  else if (op == SLUICE_OP_STORE)
    new.s1 = (uint32_t)model_container(m, phv, SLUICE_TYPE_B4, FIELD32(&slot16, INSTR, A) & 7u);
  else if (op == SLUICE_OP_LOADD) new.s1 = old.s1 + 1;
  // whatever an update says: 0 in its field is K0 + K0, not "none"
  if (!m->config.StatePairs) new.s2 = 0;
  if (there) *entry = new;

  ext->value[SLUICE_EXT_OLD_1] = old.s1;
  ext->value[SLUICE_EXT_OLD_2] = old.s2;
  ext->value[SLUICE_EXT_NEW_1] = new.s1;
  ext->value[SLUICE_EXT_NEW_2] = new.s2;
  for (unsigned i = 0; i < 4; i++) ext->value[SLUICE_EXT_PRED_1 + i] = pred[i];
  return !instructed && op != SLUICE_OP_STORE;
}
