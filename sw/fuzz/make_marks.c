// SPDX-License-Identifier: Apache-2.0
// Marks: reads, writes and takes of state at any time, in a chip that has them: of entries that
// packets use and others, one or many at a time, some outside the range.
#include "make.h"

enum { MOST_AT_A_TIME = 128, DRAWS = 6 };

// A segment that the module has, or had, or may have in its other bank.
static const struct make_segment *pick_segment(struct make *m, const struct make_module *module,
                                               unsigned stage) {
  const struct make_segment *first = m->updating ? &module->first_segments[stage]
                                                 : &module->segments[stage];
  return m->updating && module->spare[stage].there && chance(m, 20) ? &module->spare[stage] : first;
}

// The indices that packets name most: a constant, a container that nobody writes, or the small
// words of packets.
static unsigned pick_busy(struct make *m, const struct make_segment *segment) {
  if (segment->index >> SLUICE_OPERAND_KIND_LSB == SLUICE_TYPE_CONST) return segment->index & 7;
  for (unsigned n = chance(m, 70) ? DRAWS : 0; n; n--) {
    const unsigned word = m->words[pick(m, MAKE_WORDS)];
    if (word < segment->range) return word;
  }
  return 0;
}

static unsigned pick_index(struct make *m, const struct make_segment *segment) {
  const unsigned range = segment->range;
  if (range == 0 || chance(m, 3)) return pick(m, 65536);
  if (chance(m, 4)) {
    const unsigned border = range - 1 + pick(m, 3);
    return border < 65536 ? border : 65535;
  }
  return chance(m, 85) ? pick_busy(m, segment) % range : pick(m, range);
}

static unsigned pick_count(struct make *m, unsigned range, unsigned first) {
  const unsigned rest = first < range ? range - first : 1;
  const unsigned count = chance(m, 60)   ? 1
                         : chance(m, 70) ? 1 + pick(m, 12)
                                         : 1 + pick(m, MOST_AT_A_TIME);
  return count > rest && chance(m, 90) ? rest : count;
}

static void put_entry(struct make *m, uint8_t *entry) {
  SLUICE_SETS(entry, STATE_ENTRY, (S1, pick_value(m)), (S2, pick_value(m)));
}

static void make_leave(struct make *m, struct sluice_frame *frame, unsigned stage) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  if (chance(m, 40)) {
    sluice_reconfig_read(frame, SLUICE_TABLE_LEAVE, stage, 0, 1, pick(m, m->config->NumPipes),
                         pick(m, 65536));
    return;
  }
  put_entry(m, entry);
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_LEAVE, stage,
                        chance(m, 95) ? 0 : 1);
  sluice_reconfig_append(frame, SLUICE_TABLE_LEAVE, entry);
  sluice_reconfig_finish(frame);
}

static void make_mark(struct make *m, struct sluice_frame *frame) {
  if (make_quiet_mark(m, frame) || make_key_mark(m, frame)) return;
  const struct make_module *module = &m->modules[pick(m, m->num_modules)];
  unsigned stage = pick(m, m->config->StateStages);
  // A module with state, if one is near.
  for (unsigned n = 0; n < 8 && !pick_segment(m, module, stage)->there; n++) {
    module = &m->modules[pick(m, m->num_modules)];
    stage = pick(m, m->config->StateStages);
  }
  const struct make_segment *segment = pick_segment(m, module, stage);
  unsigned bank = m->updating ? pick(m, 2) : 0;
  // The memory of capsules shows in the entries of a bank that no packet takes.
  if (m->config->Active && m->config->Banks == 2 && !m->updating && module->areas[stage].there &&
      chance(m, 50)) {
    segment = &module->areas[stage];
    bank = 1;
  }
  const unsigned row = bank * m->config->NumModules + module->row;
  const unsigned first = pick_index(m, segment), count = pick_count(m, segment->range, first);
  const unsigned what = pick(m, 100);
  if (make_row_mark(m, frame, stage, row, first, count)) return;
  if (what < 8) {
    make_leave(m, frame, stage);
  } else if (what < 30) {
    sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_STATE, stage, first);
    SLUICE_RECONFIG_SET(frame, ROW, row);
    for (unsigned n = 0; n < count; n++) {
      uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
      put_entry(m, entry);
      sluice_reconfig_append(frame, SLUICE_TABLE_STATE, entry);
    }
    sluice_reconfig_finish(frame);
  } else {
    const bool cut = m->cutting && what >= 70 && sluice_rng_below(&m->cuts, 2) == 0;
    const enum sluice_table table = what < 70 ? SLUICE_TABLE_TAKE
                                    : cut     ? SLUICE_TABLE_CUT
                                              : SLUICE_TABLE_STATE;
    sluice_reconfig_read(frame, table, stage, first, count, pick(m, m->config->NumPipes),
                         pick(m, 65536));
    SLUICE_RECONFIG_SET(frame, ROW, row);
  }
}

void make_marks(struct make *m) {
  const unsigned num = PICK(m, 20, 60, 200, 400), burst = PICK(m, 1, 1, 4, 20);
  const uint64_t cycles = make_traffic_cycles(m->c);
  const unsigned every = (unsigned)((cycles < 1000000 ? cycles : 1000000) / num) + 1;
  uint64_t at = 0;
  struct sluice_frame *frame = &(struct sluice_frame){0};
  if (chance(m, 60)) m->c->play.set.move_period = (int)PICK(m, 30, 40, 64);
  for (unsigned n = 0; n < num; n++) {
    // Spread over the traffic, or several together and then none for a while.
    if (n % burst == 0) at += pick(m, 2 * every * burst);
    frame->len = 0;
    make_mark(m, frame);
    fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
  }
}
