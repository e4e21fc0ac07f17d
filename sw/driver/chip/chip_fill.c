// SPDX-License-Identifier: Apache-2.0
// Whether a fill has been done. Reading a segment of 65,535 entries back takes 512 questions, and a
// fill is one packet and one operation of the chip: either all entries of the segment get the value
// or none. So of a long segment the first and the last entries of each pipeline get another value
// before the fill. If they hold the fill's value behind it, it has been done, from the first slot
// to the last of every pipeline. That holds as long as no packet was lost or damaged: under
// suspicion all entries are read.
#include <string.h>

#include "chip.h"

// A fill, and how its segment is read.
struct segment {
  struct sluice_chip *chip;
  unsigned row, stage, range;
  unsigned lanes;        // copies of an entry: of an egress stage
  size_t len;            // bytes of an entry that count
  const uint8_t *words;  // the value
};

static struct segment segment_of(struct sluice_chip *chip, const struct sluice_change *c) {
  return (struct segment){
      .chip = chip,
      .row = c->row,
      .stage = c->stage,
      .range = c->value,
      .lanes = sluice_stage_is_egress(chip->config, c->stage) ? chip->config->NumPipes : 1,
      .len = chip->config->StatePairs ? 8 : 4,
      .words = c->bytes};
}

// *same: entries [first, end) of all lanes are the bytes `words`.
static enum sluice_status compare(const struct segment *s, unsigned first, unsigned end,
                                  const uint8_t *words, bool *same, struct sluice_error *error) {
  const unsigned block = chip_query_max(s->chip, SLUICE_TABLE_STATE);
  struct sluice_reconfig answer;
  for (unsigned at = first; at < end && *same; at += block)
    for (unsigned lane = 0; lane < s->lanes && *same; lane++) {
      const struct chip_query q = {
          SLUICE_TABLE_STATE, s->stage, at, end - at < block ? end - at : block, lane, s->row};
      const enum sluice_status status = chip_query(s->chip, &q, &answer, error);
      // the segment is not there: written again, too
      if (status == SLUICE_ERR_RANGE) *same = false;
      else if (status) return status;
      for (unsigned n = 0; !status && n < q.count; n++)
        *same &= memcmp(sluice_reconfig_entry(&answer, n), words, s->len) == 0;
    }
  return SLUICE_OK;
}

// A fill makes the rows of words beside the entries 0.
static enum sluice_status rows_cleared(const struct segment *s, bool *cleared,
                                       struct sluice_error *error) {
  static const uint8_t zeros[(SLUICE_STATE_ROW_BITS + 7) / 8];
  const unsigned block = chip_query_max(s->chip, SLUICE_TABLE_STATE_ROW);
  struct sluice_reconfig answer;
  if (!sluice_table_in_stage(SLUICE_TABLE_STATE_ROW, s->stage, s->chip->config)) return SLUICE_OK;
  for (unsigned at = 0; at < s->range && *cleared; at += block) {
    const struct chip_query q = {SLUICE_TABLE_STATE_ROW,
                                 s->stage,
                                 at,
                                 s->range - at < block ? s->range - at : block,
                                 0,
                                 s->row};
    CHIP_TRY(chip_query(s->chip, &q, &answer, error));
    for (unsigned n = 0; n < q.count; n++)
      *cleared &= memcmp(sluice_reconfig_entry(&answer, n), zeros, sizeof zeros) == 0;
  }
  return SLUICE_OK;
}

// ---- ends ---------------------------------------------------------------------------------------

// Entries at an end of a segment that are in every pipeline: indices are dealt out in turn.
static unsigned ends(const struct segment *s) { return s->chip->config->NumPipes; }

// Of as many entries as one question asks for all are read.
static bool is_long(const struct segment *s) {
  return s->range > chip_query_max(s->chip, SLUICE_TABLE_STATE) && s->range > 2 * ends(s) &&
         !sluice_table_in_stage(SLUICE_TABLE_STATE_ROW, s->stage, s->chip->config);
}

static enum sluice_status compare_ends(const struct segment *s, const uint8_t *words, bool *same,
                                       struct sluice_error *error) {
  CHIP_TRY(compare(s, 0, ends(s), words, same, error));
  return compare(s, s->range - ends(s), s->range, words, same, error);
}

// One packet an entry: they fit any line.
static enum sluice_status write_ends(const struct segment *s, const uint8_t *words, bool *arrived,
                                     struct sluice_error *error) {
  const uint32_t s1 = (uint32_t)SLUICE_GET(words, STATE_ENTRY, S1),
                 s2 = (uint32_t)SLUICE_GET(words, STATE_ENTRY, S2);
  struct chip_counts before;
  CHIP_TRY(chip_counts(s->chip, &before, error));
  for (unsigned n = 0; n < 2 * ends(s); n++) {
    const unsigned index = n < ends(s) ? n : s->range - 1 - (n - ends(s));
    sluice_reconfig_state_write(&s->chip->frame, s->stage, s->row, index, s1, s2);
    CHIP_TRY(chip_send(s->chip, error));
  }
  return chip_arrive(s->chip, &before, 2 * ends(s), false, arrived, error);
}

enum sluice_status chip_fill_ahead(struct sluice_chip *chip, const struct sluice_change *fill,
                                   bool *ahead, bool *sound, struct sluice_error *error) {
  const struct segment s = segment_of(chip, fill);
  uint8_t other[SLUICE_ENTRY_BYTES] = {0};
  *ahead = false;
  *sound = true;
  if (!is_long(&s)) return SLUICE_OK;
  for (size_t i = 0; i < s.len; i++) other[i] = (uint8_t)~s.words[i];
  CHIP_TRY(write_ends(&s, other, sound, error));
  if (*sound) CHIP_TRY(compare_ends(&s, other, sound, error));
  *ahead = *sound;
  return SLUICE_OK;
}

enum sluice_status chip_filled(struct sluice_chip *chip, const struct sluice_change *fill,
                               bool ahead, bool *filled, struct sluice_error *error) {
  const struct segment s = segment_of(chip, fill);
  *filled = true;
  if (ahead) return compare_ends(&s, s.words, filled, error);
  CHIP_TRY(compare(&s, 0, s.range, s.words, filled, error));
  return *filled ? rows_cleared(&s, filled, error) : SLUICE_OK;
}
