// SPDX-License-Identifier: Apache-2.0
// One stage: key, match, action. Everything reads the PHV as it was before the stage.
#include <string.h>

#include "capsule.h"
#include "machine.h"

static void put_bits(uint64_t *word, unsigned msb, unsigned lsb, uint64_t value) {
  word[lsb / 64] |= value << lsb % 64;
  if (msb / 64 != lsb / 64) word[msb / 64] |= value >> (64 - lsb % 64);
}

static unsigned compare_operand(const struct sluice_model *m, const struct sluice_model_phv *phv,
                                uint64_t operand) {
  // The comparator numbers container types from 0; 3 is the constant 0.
  static const unsigned types[4] = {SLUICE_TYPE_B2, SLUICE_TYPE_B4, SLUICE_TYPE_B6,
                                    SLUICE_TYPE_CONST};
  if (FIELD(&operand, CMP_OPERAND, IMMEDIATE)) return operand & 0xffu;
  const unsigned type = types[FIELD(&operand, CMP_OPERAND, KIND)];
  if (type == SLUICE_TYPE_CONST) return 0;
  return model_container(m, phv, type, FIELD32(&operand, CMP_OPERAND, IDX)) & 0xffu;
}

static uint64_t compare(const struct sluice_model *m, const struct sluice_model_phv *phv,
                        const uint64_t *extract) {
  const unsigned a = compare_operand(m, phv, FIELD(extract, KEY_EXTRACT, CMP_A));
  const unsigned b = compare_operand(m, phv, FIELD(extract, KEY_EXTRACT, CMP_B));
  switch (FIELD(extract, KEY_EXTRACT, CMP_OP)) {
    case SLUICE_CMP_GT: return a > b;
    case SLUICE_CMP_GE: return a >= b;
    case SLUICE_CMP_EQ: return a == b;
    default: return 1;
  }
}

// The bit of the wide compare: of values of 32 bits.
static uint64_t compare_wide(const struct sluice_model_phv *phv, const struct model_key *key) {
  const uint64_t *entry = &key->wide_entry;
  const uint32_t a = model_read32(phv, key->wide_a), b = FIELD(entry, KEY_COMPARE, IMMEDIATE)
                                                             ? FIELD32(entry, KEY_COMPARE, K)
                                                             : model_read32(phv, key->wide_b);
  switch (FIELD(entry, KEY_COMPARE, OP)) {
    case SLUICE_WIDE_EQ: return a == b;
    case SLUICE_WIDE_GTU: return a > b;
    case SLUICE_WIDE_GEU: return a >= b;
    case SLUICE_WIDE_GT: return (int32_t)a > (int32_t)b;
    case SLUICE_WIDE_GE: return (int32_t)a >= (int32_t)b;
    default: return 0;
  }
}

// The word that is compared with the MATCH entries. It comes zeroed.
static inline void match_word(const struct sluice_model *m, const struct model_key *key,
                              const struct sluice_model_phv *phv, uint64_t word[MODEL_KEY_WORDS]) {
  for (unsigned n = 0; n < key->num_parts; n++)
    put_bits(word, key->parts[n].msb, key->parts[n].lsb, model_read(phv, key->parts[n].from));
  if (key->compares)
    put_bits(word, SLUICE_KEY_PREDICATE_MSB, SLUICE_KEY_PREDICATE_LSB,
             compare(m, phv, &key->extract));
  for (unsigned w = 0; w < MODEL_KEY_WORDS; w++) word[w] &= key->keep[w];
  put_bits(word, SLUICE_MATCH_VID_MSB, SLUICE_MATCH_VID_LSB, phv->vid);
  if (key->wide)
    put_bits(word, SLUICE_MATCH_WIDE_MSB, SLUICE_MATCH_WIDE_LSB, compare_wide(phv, key));
}

// An entry has NOT_BANK beside VID and key; whom it is for is known before (decode.c).
static inline bool equal(const uint64_t word[MODEL_KEY_WORDS], const uint64_t *entry) {
  const uint64_t not_bank = UINT64_C(3) << SLUICE_MATCH_NOT_BANK_LSB % 64;
  return ((word[0] ^ entry[0]) | (word[1] ^ entry[1]) | (word[2] ^ entry[2]) |
          ((word[3] ^ entry[3]) & ~not_bank)) == 0;
}
_Static_assert(SLUICE_MATCH_NOT_BANK_LSB / 64 == 3 &&
                   SLUICE_MATCH_NOT_BANK_MSB == SLUICE_MATCH_NOT_BANK_LSB + 1,
               "NOT_BANK is in the last word of a match entry");

// The exact row that matches, or -1.
static inline int match_exact(const struct sluice_model *m, unsigned stage,
                              const struct model_key *key, const struct sluice_model_phv *phv,
                              const uint64_t word[MODEL_KEY_WORDS]) {
  const uint16_t *next = model_next(m, phv->bank, stage);
  for (unsigned r = key->first; r != MODEL_NO_ROW; r = next[r])
    if (equal(word, model_entry(m, SLUICE_TABLE_MATCH, stage, r))) return (int)r;
  return -1;
}

// The same where not exact rows alone have a say, or bring data.
static int match_all(const struct sluice_model *m, unsigned stage,
                     const struct sluice_model_phv *phv, const struct model_key *key,
                     const uint64_t *word, struct model_found *found) {
  model_engines_find(m, stage, phv, match_exact(m, stage, key, phv, word), key, word, found);
  if (found->action) model_counts_hit(m, stage, found->engine, found->at, phv);
  return found->action ? (int)found->row : -1;
}

// The row of ACTION that a packet finds, or -1. `found` has data words on chips that have them.
// `looked` becomes the word that was compared.
static int match(const struct sluice_model *m, unsigned stage, const struct sluice_model_phv *phv,
                 struct model_found *found, uint64_t looked[MODEL_KEY_WORDS]) {
  const struct model_key *key = model_key(m, stage, model_row(m, phv));
  memset(looked, 0, MODEL_KEY_WORDS * sizeof looked[0]);
  found->entry = true;
  if (!model_looks(key)) return -1;
  match_word(m, key, phv, looked);
  if (key->more || m->config.ActionData) return match_all(m, stage, phv, key, looked, found);
  const int row = match_exact(m, stage, key, phv, looked);
  if (row >= 0) model_counts_hit(m, stage, SLUICE_MODEL_EXACT, (unsigned)row, phv);
  return row;
}

// The same on a chip with exact rows alone, when nobody watches: `looked` and `found` stay as they
// are. The word is nobody else's, and so in registers: most packets of most runs come by here.
static int match_plain(const struct sluice_model *m, unsigned stage,
                       const struct sluice_model_phv *phv) {
  const struct model_key *key = model_key(m, stage, model_row(m, phv));
  uint64_t word[MODEL_KEY_WORDS] = {0};
  if (key->first == MODEL_NO_ROW) return -1;
  match_word(m, key, phv, word);
  return match_exact(m, stage, key, phv, word);
}

static inline uint32_t func(unsigned f, uint32_t a, uint32_t b, uint32_t c) {
  switch (f) {
    case SLUICE_FUNC_AND: return a & b;
    case SLUICE_FUNC_OR: return a | b;
    case SLUICE_FUNC_XOR: return a ^ b;
    case SLUICE_FUNC_NOT: return ~a;
    case SLUICE_FUNC_SHL: return a << (b & 31u);
    case SLUICE_FUNC_SRA: return (uint32_t)((int32_t)a >> (b & 31u));
    case SLUICE_FUNC_SRL: return a >> (b & 31u);
    case SLUICE_FUNC_EQ: return a == b;
    case SLUICE_FUNC_NE: return a != b;
    case SLUICE_FUNC_LT: return (int32_t)a < (int32_t)b;
    case SLUICE_FUNC_LE: return (int32_t)a <= (int32_t)b;
    case SLUICE_FUNC_LTU: return a < b;
    case SLUICE_FUNC_SELECT: return c ? a : b;
    case SLUICE_FUNC_ADD: return a + b;
    case SLUICE_FUNC_SUB: return a - b;
    case SLUICE_FUNC_LAND: return a && b;
    case SLUICE_FUNC_LOR: return a || b;
    case SLUICE_FUNC_MOVE: return a;
    default: return 0;
  }
}

static uint32_t funci(unsigned f, uint32_t a, uint32_t i) {
  switch (f) {
    case SLUICE_FUNCI_AND: return a & i;
    case SLUICE_FUNCI_OR: return a | i;
    case SLUICE_FUNCI_XOR: return a ^ i;
    case SLUICE_FUNCI_SHL: return a << (i & 31u);
    case SLUICE_FUNCI_SRA: return (uint32_t)((int32_t)a >> (i & 31u));
    case SLUICE_FUNCI_SRL: return a >> (i & 31u);
    case SLUICE_FUNCI_EQ: return a == i;
    case SLUICE_FUNCI_NE: return a != i;
    case SLUICE_FUNCI_LT: return (int32_t)a < (int32_t)i;
    case SLUICE_FUNCI_LE: return (int32_t)a <= (int32_t)i;
    case SLUICE_FUNCI_GT: return (int32_t)a > (int32_t)i;
    case SLUICE_FUNCI_GE: return (int32_t)a >= (int32_t)i;
    case SLUICE_FUNCI_ADD: return a + i;
    case SLUICE_FUNCI_RSUB: return i - a;
    case SLUICE_FUNCI_SET: return i;
    default: return 0;
  }
}

// An operand of FUNC with DATA set. A data word is a 6-byte container with the low half of the next
// one above it.
static uint64_t read_data(const struct sluice_model_phv *phv, struct model_operand o,
                          const uint32_t *data) {
  if (o.type != MODEL_TYPE_DATA) return model_read(phv, o);
  return (uint64_t)(data[o.index + 1] & 0xffffu) << 32 | data[o.index];
}
static uint64_t func_data(const struct model_alu *u, const struct sluice_model_phv *phv,
                          const uint32_t *data) {
  const uint64_t a = read_data(phv, u->a, data);
  if (u->f == SLUICE_FUNC_MOVE) return a;
  return func(u->f, (uint32_t)a, (uint32_t)read_data(phv, u->b, data),
              (uint32_t)read_data(phv, u->c, data));
}

// VLIW slots 1..24. Wider than the container is harmless: writing truncates.
static uint64_t alu(const struct model_alu *u, const struct sluice_model_phv *phv,
                    const struct model_ext *ext) {
  switch (u->op) {
    case SLUICE_OP_ADD: return model_read(phv, u->a) + model_read(phv, u->b);
    case SLUICE_OP_SUB: return model_read(phv, u->a) - model_read(phv, u->b);
    case SLUICE_OP_ADDI: return model_read(phv, u->a) + u->imm;
    case SLUICE_OP_SUBI: return model_read(phv, u->a) - u->imm;
    case SLUICE_OP_FUNC:
      return func(u->f, model_read32(phv, u->a), model_read32(phv, u->b), model_read32(phv, u->c));
    case SLUICE_OP_FUNCI: return funci(u->f, model_read32(phv, u->a), u->imm);
    case SLUICE_OP_SETHI: return u->imm << 16 | (model_read32(phv, u->a) & 0xffffu);
    case SLUICE_OP_EXT: return ext->value[u->imm];
    default: return u->imm;  // SET
  }
}

// VLIW slot 0: destination and discard flag.
static void metadata_alu(const struct sluice_model *m, const struct model_action *action,
                         struct sluice_model_phv *phv, const uint32_t *data) {
  const uint64_t slot = action->slot0;
  const uint32_t a = action->port.type == MODEL_TYPE_DATA ? data[action->port.index]
                                                          : model_read32(phv, action->port);
  const uint32_t b = model_operand32(m, phv, FIELD32(&slot, INSTR, B));
  const unsigned port = a & 0xffu;
  uint8_t dest = (uint8_t)port;
  if (m->config.NumPorts <= 8) dest = (uint8_t)(port < 8 ? 1u << port : 0u);
  switch (FIELD(&slot, INSTR, OP)) {
    case SLUICE_OP_PORT: phv->dest = (uint8_t)FIELD(&slot, INSTR_MD, DEST); break;
    case SLUICE_OP_DISCARD: phv->discard = FIELD(&slot, INSTR_MD, DISCARD); break;
    case SLUICE_OP_FUNC: phv->dest = dest; break;
    case SLUICE_OP_FUNCI: phv->discard = a != 0; break;
    case SLUICE_OP_SETHI:
      phv->dest = dest;
      phv->discard = b != 0;
      break;
    default: break;
  }
}

// All slots read the PHV as it was before.
static void act(const struct sluice_model *m, const struct model_action *action,
                const struct model_ext *ext, const struct model_found *found,
                struct sluice_model_phv *phv) {
  uint64_t results[MODEL_ALUS];
  for (unsigned n = 0; n < action->plain; n++) results[n] = alu(&action->alus[n], phv, ext);
  for (unsigned n = action->plain; n < action->num; n++)
    results[n] = func_data(&action->alus[n], phv, found->data);
  // Destination and discard flag are no container: no slot reads them.
  if (action->metadata) metadata_alu(m, action, phv, found->data);
  for (unsigned n = 0; n < action->num; n++) model_write(phv, action->alus[n].to, results[n]);
}

// What EXT gives of the multiplier; without one the table has no entries.
static uint32_t product(const struct sluice_model *m, unsigned stage, unsigned row,
                        const struct sluice_model_phv *phv) {
  if (!m->config.Multipliers) return 0;
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_MULTIPLY, stage, row);
  return model_operand32(m, phv, FIELD32(entry, MULTIPLY, A)) *
         model_operand32(m, phv, FIELD32(entry, MULTIPLY, B));
}

// What gave the row, for who watches: -1 where only exact rows can.
static int engine_of(const struct sluice_model *m, unsigned stage, int row,
                     const struct sluice_model_phv *phv, const struct model_found *found) {
  if (row < 0 || m->plain) return -1;
  const struct model_key *key = model_key(m, stage, model_row(m, phv));
  return key->more || m->config.ActionData ? (int)found->engine : -1;
}

static void front_shown(const struct sluice_model *m, unsigned stage, int row, const uint64_t *key,
                        const struct sluice_model_phv *phv, const struct model_found *found) {
  const int engine = engine_of(m, stage, row, phv, found);
  const struct sluice_model_step step = {.kind = SLUICE_STEP_FRONT,
                                         .stage = stage - m->config.BackStages,
                                         .row = row,
                                         .engine = engine,
                                         .entry = engine < 0 ? 0 : found->at,
                                         .key = key,
                                         .after = phv};
  model_show(m, &step);
}

void model_stage_front(const struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv) {
  uint64_t key[MODEL_KEY_WORDS];
  struct model_found found;
  const int row = m->plain ? match_plain(m, stage, phv) : match(m, stage, phv, &found, key);
  if (row >= 0) {
    struct model_ext ext = {{0}};
    ext.value[SLUICE_EXT_OLD_1] = model_hash(m, stage, phv);
    ext.value[SLUICE_EXT_PRODUCT] = product(m, stage, (unsigned)row, phv);
    act(m, model_action(m, stage, (unsigned)row), &ext, &found, phv);
  }
  if (m->step) front_shown(m, stage, row, key, phv, &found);
}

static void back_shown(const struct sluice_model *m, unsigned stage, int row, const uint64_t *key,
                       const struct model_pair pair[2], const struct sluice_model_phv *phv,
                       const struct sluice_model_access *access, const struct model_found *found,
                       const struct sluice_model_instruction *instruction,
                       const struct model_array *array) {
  const int engine = engine_of(m, stage, row, phv, found);
  const struct model_pair *behind = &pair[!access->refused];
  const bool egress = model_is_egress(m, stage);
  const unsigned before = m->config.BackStages + m->config.FrontStages;
  const struct sluice_model_step step = {.kind = egress ? SLUICE_STEP_EGRESS : SLUICE_STEP_BACK,
                                         .stage = egress ? stage - before : stage,
                                         .row = row,
                                         .engine = engine,
                                         .entry = engine < 0 ? 0 : found->at,
                                         .key = key,
                                         .after = phv,
                                         .access = access,
                                         .state = access->executed,
                                         .before = {pair[0].s1, pair[0].s2},
                                         .behind = {behind->s1, behind->s2},
                                         .instruction = instruction,
                                         .row_before = array ? array->before : NULL,
                                         .row_behind = array ? array->behind : NULL,
                                         .words = array ? array->words : NULL};
  model_show(m, &step);
}

// What the program of the module does. Returns the row of ACTION, or -1: then `ext` is as it was.
// `*array` becomes NULL when there is no operation on it.
static inline int act_back(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                           struct sluice_model_access *access, uint64_t key[MODEL_KEY_WORDS],
                           struct model_ext *ext, struct model_found *found,
                           struct model_array **array) {
  const int row = m->plain ? match_plain(m, stage, phv) : match(m, stage, phv, found, key);
  if (row < 0) {
    *array = NULL;
    return row;
  }
  access->hit = m->plain || found->entry;
  const struct model_action *action = model_action(m, stage, (unsigned)row);
  const uint64_t slot16 = action->slot16;
  *ext = (struct model_ext){{0}};
  // Without state there is no state unit: EXT gives 0, LOAD, STORE and LOADD change nothing. So it
  // is where a memory instruction of a capsule has its place.
  const bool loads = model_holds_state(m, stage) && !access->capsule &&
                     model_state_op(m, stage, phv, (unsigned)row, slot16, access, ext);
  access->array = *array && access->executed &&
                  model_array_op(m, stage, (unsigned)row, access, ext, *array);
  if (!access->array) *array = NULL;
  ext->value[SLUICE_EXT_PRODUCT] = product(m, stage, (unsigned)row, phv);
  act(m, action, ext, found, phv);
  // LOAD gives the old word, LOADD the new one, to the container of slot 16.
  if (loads) {
    const bool loadd = FIELD(&slot16, INSTR, OP) == SLUICE_OP_LOADD;
    model_set_container(m, phv, SLUICE_TYPE_B4, 7,
                        ext->value[loadd ? SLUICE_EXT_NEW_1 : SLUICE_EXT_OLD_1]);
  }
  return row;
}

static void operated(const struct model_ext *ext, struct model_pair pair[2]) {
  pair[0] = (struct model_pair){ext->value[SLUICE_EXT_OLD_1], ext->value[SLUICE_EXT_OLD_2]};
  pair[1] = (struct model_pair){ext->value[SLUICE_EXT_NEW_1], ext->value[SLUICE_EXT_NEW_2]};
}

void model_stage_back(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                      struct sluice_model_access *access, struct model_array *array) {
  uint64_t key[MODEL_KEY_WORDS];
  struct model_ext ext;
  struct model_found found;
  const int row = act_back(m, stage, phv, access, key, &ext, &found, &array);
  if (!m->step) return;
  struct model_pair pair[2] = {{0, 0}, {0, 0}};
  if (row >= 0) operated(&ext, pair);
  back_shown(m, stage, row, key, pair, phv, access, &found, NULL, array);
}

// The destination that an action sets there is nobody's.
void model_stage_egress(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                        struct sluice_model_access *access) {
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_ACCESS, stage, model_row(m, phv));
  access->resolved = access->pinned = FIELD(entry, ACCESS, ENABLE);
  model_stage_back(m, stage, phv, access, NULL);
}

void model_stage_capsule(struct sluice_model *m, unsigned stage, struct sluice_model_phv *phv,
                         struct sluice_model_access *access, struct model_capsule *capsule,
                         struct model_array *array) {
  uint64_t key[MODEL_KEY_WORDS];
  struct model_ext ext;
  struct model_found found;
  const int row = act_back(m, stage, phv, access, key, &ext, &found, &array);
  struct model_pair pair[2] = {{0, 0}, {0, 0}};
  if (row >= 0) operated(&ext, pair);
  struct sluice_model_instruction shown;
  const bool is = m->step && model_capsule_show(capsule, stage, &shown);
  model_capsule_step(m, stage, capsule, phv, access, pair);
  if (!m->step) return;
  if (is) model_capsule_shown(capsule, access, &shown);
  back_shown(m, stage, row, key, pair, phv, access, &found, is ? &shown : NULL, array);
}
