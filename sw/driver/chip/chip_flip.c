// SPDX-License-Identifier: Apache-2.0
// Flips: one write makes packets take the other bank. A guarded one fails if what is watched was
// accessed since a cut.
#include <sluice/transaction.h>
#include <string.h>

#include "chip.h"
#include "../wire/pack.h"

enum { WATCHING = 1, TOUCHED = 2 };
enum { NOTHING = 1 };  // FLIP.WATCH: the first slot is above the last

// ---- what is watched ----------------------------------------------------------------------------

// Of the slots that the stage watches already and those of the part the hull. The slots of entries
// that share one with a part's entry in another pipeline are in it.
static uint32_t hull(uint32_t word, const struct sluice_segment *s, unsigned first, unsigned num) {
  uint32_t low = sluice_segment_home(s, first).slot,
           high = sluice_segment_home(s, first + num - 1).slot;
  if (word != NOTHING && (word & 0xffff) < low) low = word & 0xffff;
  if (word != NOTHING && word >> 16 > high) high = word >> 16;
  return low | high << 16;
}

enum sluice_status sluice_chip_watch(struct sluice_chip *chip, unsigned vid,
                                     const struct sluice_cut_part *parts, unsigned num,
                                     struct sluice_error *error) {
  uint32_t words[CHIP_WATCHES];
  if (!chip->config->FlipGuard)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "chip '%s' has no guarded flips (FlipGuard): it watches nothing",
                       chip->config->name);
  for (unsigned s = 0; s < CHIP_WATCHES; s++) words[s] = NOTHING;
  for (unsigned i = 0; i < num; i++) {
    const struct sluice_segment *s;
    unsigned word, lane;
    CHIP_TRY(chip_find_array(chip, vid, parts[i].array, parts[i].first, parts[i].num, &s, &word,
                             &lane, error));
    if (parts[i].num) words[s->stage] = hull(words[s->stage], s, parts[i].first, parts[i].num);
  }
  const bool known = chip->watch_known;
  chip->watch_known = false;
  for (unsigned s = 0; s < chip->config->StateStages; s++)
    if (!known || chip->watch[s] != words[s])
      CHIP_TRY(chip->to->ops->csr_write(chip->to->self, CHIP_REG(FLIP, 0, WATCH) + 4 * s, words[s],
                                        error));
  memcpy(chip->watch, words, sizeof words);
  chip->watch_known = true;
  return SLUICE_OK;
}

// ---- the flip -----------------------------------------------------------------------------------

static enum sluice_status read_bank(struct sluice_chip *chip, uint32_t *bank,
                                    struct sluice_error *error) {
  return sluice_chip_read(chip, CHIP_REG(CHIP, 0, BANK), bank, error);
}

static enum sluice_status write_bank(struct sluice_chip *chip, const uint32_t *since,
                                     uint32_t wanted, struct sluice_error *error) {
  const struct sluice_transport_ops *ops = chip->to->ops;
  if (!since) return ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, BANK), wanted, error);
  CHIP_TRY(ops->csr_write(chip->to->self, CHIP_REG(FLIP, 0, SINCE), *since, error));
  return ops->csr_write(chip->to->self, CHIP_REG(FLIP, 0, BANK), wanted, error);
}

// Whether a guarded flip was refused for good: for an access, or because the cut is another one.
static enum sluice_status is_touched(struct sluice_chip *chip, uint32_t since, bool *touched,
                                     struct sluice_error *error) {
  uint32_t status, ticket;
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(FLIP, 0, STATUS), &status, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CUT_TICKET), &ticket, error));
  if (!(status & WATCHING)) chip->watch_known = false;  // as after a reset
  *touched = !(status & WATCHING) || (status & TOUCHED) || ticket != since;
  return SLUICE_OK;
}

enum chip_flip chip_flip(struct sluice_chip *chip, uint32_t rows, const uint32_t *since,
                         struct sluice_error *error) {
  const uint32_t wanted = chip->bank ^ rows;
  enum sluice_status status = SLUICE_OK;
  for (unsigned n = 0; n < chip->options.tries; n++) {
    uint32_t now;
    bool touched = false;
    status = write_bank(chip, since, wanted, error);
    if (read_bank(chip, &now, error)) return CHIP_FLIP_UNKNOWN;
    if (now == wanted) {
      chip->bank = wanted;
      chip->undrained |= rows;
      return CHIP_FLIP_DONE;
    }
    if (now != chip->bank) {
      (void)sluice_fail(error, SLUICE_ERR_IO, "CHIP.BANK is %08x, which nobody here has written",
                        now);
      return CHIP_FLIP_NOT;
    }
    if (since && is_touched(chip, *since, &touched, error)) return CHIP_FLIP_UNKNOWN;
    if (touched) return CHIP_FLIP_TOUCHED;
    if (chip->to->ops->wait(chip->to->self, CHIP_POLL_CYCLES, error)) return CHIP_FLIP_UNKNOWN;
  }
  if (!status)
    (void)sluice_fail(error, SLUICE_ERR_DIFFERS, "CHIP.BANK stays %08x, though %08x was written",
                      chip->bank, wanted);
  return CHIP_FLIP_NOT;
}

bool chip_behind_order(const struct sluice_config *config, const struct sluice_changes *changes) {
  for (size_t i = 0; i < changes->num; i++) {
    const struct sluice_change *c = &changes->list[i];
    if (!sluice_change_is_packet(c)) return false;
    const enum sluice_scope scope = sluice_tables[c->table].scope;
    const bool back = (scope == SLUICE_SCOPE_stage || c->table == SLUICE_TABLE_STATE_INSTR) &&
                      c->stage < config->BackStages;
    if (!back && scope != SLUICE_SCOPE_exit) return false;
  }
  return true;
}
