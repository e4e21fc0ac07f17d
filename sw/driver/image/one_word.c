// SPDX-License-Identifier: Apache-2.0
#include "one_word.h"

/// A field of a layout that stands in a number: a predicate or update of a state instruction, a
/// VLIW slot.
#define PART(WORD, LAYOUT, FIELD)                                   \
  ((unsigned)((WORD) >> SLUICE_##LAYOUT##_##FIELD##_LSB &           \
              ((UINT64_C(2) << (SLUICE_##LAYOUT##_##FIELD##_MSB -   \
                                SLUICE_##LAYOUT##_##FIELD##_LSB)) - \
               1)))

static enum sluice_status two_words(const struct sluice_config *c, const struct sluice_image *image,
                                    const char *what, struct sluice_error *error) {
  return sluice_fail(
      error, SLUICE_ERR_UNSUPPORTED,
      "module '%s' %s second words of state entries, chip '%s' has entries of one word",
      image->program, what, c->name);
}

// Whether an update leaves a second word of 0 at 0. All of it 0 is K0 + K0, but also what the chip
// keeps of any update.
static bool stays_zero(const uint8_t *instr, uint64_t update) {
  const uint32_t konst[4] = {
      (uint32_t)SLUICE_GET(instr, STATE_INSTR, K0), (uint32_t)SLUICE_GET(instr, STATE_INSTR, K1),
      (uint32_t)SLUICE_GET(instr, STATE_INSTR, K2), (uint32_t)SLUICE_GET(instr, STATE_INSTR, K3)};
  const unsigned term[2] = {PART(update, UPDATE, A), PART(update, UPDATE, B)},
                 sub = PART(update, UPDATE, SUB);
  uint32_t value[2];
  if (!update || (sub && term[0] == term[1])) return true;
  for (unsigned i = 0; i < 2; i++) {
    if (term[i] == SLUICE_ARM_P1 || term[i] == SLUICE_ARM_P2) return false;
    value[i] = term[i] <= SLUICE_ARM_K3 ? konst[term[i]] : 0;
  }
  return value[0] == (sub ? value[1] : 0u - value[1]);
}

static enum sluice_status check_state_instr(const struct sluice_config *c,
                                            const struct sluice_image *image, const uint8_t *instr,
                                            struct sluice_error *error) {
  const uint64_t pred[4] = {
      SLUICE_GET(instr, STATE_INSTR, PRED_1), SLUICE_GET(instr, STATE_INSTR, PRED_2),
      SLUICE_GET(instr, STATE_INSTR, PRED_3), SLUICE_GET(instr, STATE_INSTR, PRED_4)};
  const uint64_t second[4] = {
      SLUICE_GET(instr, STATE_INSTR, A2), SLUICE_GET(instr, STATE_INSTR, B2),
      SLUICE_GET(instr, STATE_INSTR, C2), SLUICE_GET(instr, STATE_INSTR, D2)};
  bool maybe[4], always[4];  // that it holds
  for (unsigned i = 0; i < 4; i++) {
    const unsigned rel = PART(pred[i], PREDICATE, REL);
    maybe[i] = rel != SLUICE_REL_FALSE;
    always[i] = rel == SLUICE_REL_TRUE;
    if (i && maybe[i] && !always[i])
      return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                         "module '%s' compares with predicate %u of a state instruction, chip '%s' "
                         "compares with predicate 1 alone",
                         image->program, i + 1, c->name);
  }
  if (maybe[0] && !always[0] &&
      (PART(pred[0], PREDICATE, X_STATE) == SLUICE_PRED_S_S2 ||
       PART(pred[0], PREDICATE, Y) == SLUICE_PRED_Y_S2))
    return two_words(c, image, "compares", error);
  const bool otherwise = !always[0] && always[3];
  const bool runs[4] = {maybe[0] && always[1], maybe[0] && !always[1], otherwise && always[2],
                        otherwise && !always[2]};
  for (unsigned arm = 0; arm < 4; arm++)
    if (runs[arm] && !stays_zero(instr, second[arm])) return two_words(c, image, "changes", error);
  return SLUICE_OK;
}

// EXT of a second word. In a stage without state it is 0 on any chip.
static enum sluice_status check_action(const struct sluice_config *c,
                                       const struct sluice_image *image,
                                       const struct sluice_write *w, struct sluice_error *error) {
  for (unsigned slot = 1; slot <= 24 && w->stage < c->StateStages; slot++) {
    const unsigned lsb = SLUICE_INSTR_BITS * slot;
    const uint64_t word = sluice_entry_get(w->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits,
                                           lsb + SLUICE_INSTR_BITS - 1, lsb);
    const unsigned which = PART(word, INSTR_IMM, IMM) & 15u;
    if (!sluice_config_has_slot(c, slot) || PART(word, INSTR, OP) != SLUICE_OP_EXT) continue;
    if (which == SLUICE_EXT_OLD_2 || which == SLUICE_EXT_NEW_2)
      return two_words(c, image, "reads", error);
  }
  return SLUICE_OK;
}

enum sluice_status sluice_one_word_check(const struct sluice_config *c,
                                         const struct sluice_image *image,
                                         const struct sluice_write *w, struct sluice_error *error) {
  if (w->table == SLUICE_TABLE_ACTION) return check_action(c, image, w, error);
  if (w->table != SLUICE_TABLE_STATE_INSTR || !SLUICE_GET(w->bytes, STATE_INSTR, VALID))
    return SLUICE_OK;
  return check_state_instr(c, image, w->bytes, error);
}
