// SPDX-License-Identifier: Apache-2.0
// Arrays: where packets have them, what is done with rows, and their contents, before and while
// packets come; and a row of tables without packets, whose state control packets alone change, so
// that a FILL has a place among them.
#include "make.h"

enum { WORD_BYTES = 4, HEADER = 128, MOST_ROWS = 128 };

static bool make_has_rows(const struct make *m, unsigned stage) {
  return stage < m->config->StateStages && (m->config->ArrayStages >> stage & 1);
}

void make_array(struct make *m, const struct make_module *module) {
  const unsigned words = m->config->ArrayWords, last = HEADER - WORD_BYTES * words;
  struct sluice_rng *stream = m->rng;
  if (!words) return;
  m->rng = &m->arrays;
  uint8_t *e = make_add(m, SLUICE_TABLE_ARRAY, 0, module->entry)->bytes;
  SLUICE_SET(e, ARRAY, VALID, chance(m, 90));
  // All, some, one, none, more than there are.
  SLUICE_SET(
      e, ARRAY, COUNT,
      chance(m, 50) ? words : PICK(m, 0, 1, words / 2, words - 1, words + 1, 31, pick(m, 32)));
  // Within the shortest packets; behind usual headers, which is behind the end of short packets;
  // the last places of the header, and behind them; anywhere.
  const unsigned offset = chance(m, 55)   ? PICK(m, 32, 30, 28, 24, 20, 46)
                          : chance(m, 40) ? PICK(m, 62, 54, 64)
                          : chance(m, 50) ? pick(m, HEADER)
                                          : PICK(m, 16, 60, last, last + 2, last + 4, 124, 126);
  SLUICE_SET(e, ARRAY, OFFSET, offset);
  if (chance(m, 20)) SLUICE_SET(e, ARRAY, RESERVED_HI, pick(m, 4));
  if (chance(m, 20)) SLUICE_SET(e, ARRAY, RESERVED, 1);
  make_keys(m, module, offset);
  m->rng = stream;
}

// With a state instruction in the same row, or without: then it does nothing.
void make_array_instr(struct make *m, unsigned stage, unsigned row, bool state) {
  struct sluice_rng *stream = m->rng;
  if (!make_has_rows(m, stage)) return;
  m->rng = &m->arrays;
  if (chance(m, state ? 85 : 15)) {
    uint8_t *e = make_add(m, SLUICE_TABLE_ARRAY_INSTR, stage, row)->bytes;
    SLUICE_SETS(e, ARRAY_INSTR, (VALID, chance(m, 92)),
                (SELECT, chance(m, 90) ? pick(m, 5) : pick(m, 8)));
    // Operations that show their history more often than those that end it.
    SLUICE_SETS(e, ARRAY_INSTR,
                (ON_TRUE, chance(m, 30) ? pick(m, 8) : PICK(m, 1, 1, 2, 2, 3, 4, 5, 7)),
                (ON_FALSE, chance(m, 50) ? pick(m, 8) : PICK(m, 0, 1, 1, 2, 3, 4, 5, 7)),
                (RESULT, pick(m, 4)));
    if (chance(m, 20)) SLUICE_SET(e, ARRAY_INSTR, RESERVED, pick(m, 16));
  }
  m->rng = stream;
}

static void put_row(struct make *m, uint8_t *entry) {
  for (unsigned bit = 0; bit < SLUICE_STATE_ROW_BITS; bit += 32)
    sluice_entry_set(entry, SLUICE_STATE_ROW_BITS, bit + 31, bit, pick_value(m));
}

void make_row_values(struct make *m, unsigned row, unsigned stage, unsigned range) {
  struct sluice_rng *stream = m->rng;
  if (!make_has_rows(m, stage)) return;
  m->rng = &m->arrays;
  for (unsigned n = pick(m, 5); n > 0; n--) {
    struct make_write *w = make_add(m, SLUICE_TABLE_STATE_ROW, stage,
                                    chance(m, 95) && range ? pick(m, range) : pick(m, 300));
    w->row = row;
    put_row(m, w->bytes);
  }
  m->rng = stream;
}

// ---- a row of tables without packets ------------------------------------------------------------

void make_quiet(struct make *m, unsigned stage, unsigned *lows, const unsigned *lowests) {
  struct sluice_rng *stream = m->rng;
  if (!make_has_rows(m, stage)) return;
  m->rng = &m->arrays;
  const unsigned pipes = m->config->NumPipes / m->c->sets, slots = 1 + pick(m, 8);
  struct make_segment *s = &m->quiet.segments[stage];
  if (lows[0] + slots <= lowests[0]) {
    *s = (struct make_segment){
        .there = true, .base = lows[0], .range = slots * pipes - pick(m, pipes)};
    lows[0] += slots;
  }
  m->rng = stream;
}

void make_quiet_tables(struct make *m) {
  uint32_t taken = 0;
  unsigned row = 0;
  for (unsigned i = 0; i < m->num_modules; i++) taken |= UINT32_C(1) << m->modules[i].row;
  while (row < m->config->NumModules && (taken >> row & 1)) row++;
  m->quiet.row = m->quiet.entry = row;
  for (unsigned stage = 0; stage < m->config->StateStages; stage++) {
    struct make_segment *s = &m->quiet.segments[stage];
    s->there = s->there && row < m->config->NumModules;
    if (!s->there) continue;
    uint8_t *e = make_add(m, SLUICE_TABLE_SEGMENT, stage, row)->bytes;
    SLUICE_SETS(e, SEGMENT, (RANGE, s->range), (BASE, s->base));
    make_row_values(m, row, stage, s->range);
  }
}

static void quiet_frame(struct make *m, struct sluice_frame *frame, unsigned stage) {
  const struct make_segment *s = &m->quiet.segments[stage];
  const unsigned first = pick(m, s->range), count = 1 + pick(m, s->range - first);
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  const enum sluice_table table = chance(m, 70) ? SLUICE_TABLE_STATE_ROW : SLUICE_TABLE_STATE;
  if (chance(m, 40)) {
    sluice_reconfig_read(frame, table, stage, first, count, 0, 0);
  } else {
    const bool fill = chance(m, 30);
    put_row(m, entry);
    sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, fill ? SLUICE_TABLE_FILL : table, stage,
                          fill ? 0 : first);
    sluice_reconfig_append(frame, fill ? SLUICE_TABLE_FILL : table, entry);
  }
  SLUICE_RECONFIG_SET(frame, ROW, m->quiet.entry);
  sluice_reconfig_finish(frame);
}

bool make_quiet_mark(struct make *m, struct sluice_frame *frame) {
  struct sluice_rng *stream = m->rng;
  const unsigned stages = m->config->StateStages;
  if (!m->config->ArrayWords) return false;
  m->rng = &m->arrays;
  const unsigned first = pick(m, stages);
  bool made = false;
  if (chance(m, 15))
    for (unsigned n = 0; n < stages && !made; n++) {
      const unsigned stage = (first + n) % stages;
      if (!m->quiet.segments[stage].there) continue;
      quiet_frame(m, frame, stage);
      made = true;
    }
  m->rng = stream;
  return made;
}

// ---- under traffic ------------------------------------------------------------------------------

bool make_row_mark(struct make *m, struct sluice_frame *frame, unsigned stage, unsigned row,
                   unsigned first, unsigned count) {
  struct sluice_rng *stream = m->rng;
  if (!make_has_rows(m, stage)) return false;
  m->rng = &m->arrays;
  const bool made = chance(m, 60);
  if (made && chance(m, 60)) {
    sluice_reconfig_read(frame, SLUICE_TABLE_STATE_ROW, stage, first, count,
                         pick(m, m->config->NumPipes), pick(m, 65536));
    SLUICE_RECONFIG_SET(frame, ROW, row);
  } else if (made) {
    sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_STATE_ROW, stage, first);
    SLUICE_RECONFIG_SET(frame, ROW, row);
    for (unsigned n = 0; n < count && n < MOST_ROWS; n++) {
      uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
      put_row(m, entry);
      sluice_reconfig_append(frame, SLUICE_TABLE_STATE_ROW, entry);
    }
    sluice_reconfig_finish(frame);
  }
  m->rng = stream;
  return made;
}
