// SPDX-License-Identifier: Apache-2.0
// Counters of entries, rates and classes of modules, in a chip that has them.
#include "make.h"

static const enum sluice_table counts[] = {SLUICE_TABLE_MATCH_COUNT, SLUICE_TABLE_TERNARY_COUNT,
                                           SLUICE_TABLE_CUCKOO_COUNT};

// Burst of a bucket that is often empty, sometimes never, and rarely cannot hold a packet.
static void make_rate(struct make *m, const struct make_module *module) {
  const unsigned units = chance(m, 5) ? pick(m, 4) : 16 + pick(m, chance(m, 50) ? 200 : 3000);
  uint8_t *e = make_add(m, SLUICE_TABLE_RATE_LIMIT, 0, module->row)->bytes;
  SLUICE_SETS(e, RATE_LIMIT, (VALID, chance(m, 90)),
              (PACKET_BURST, chance(m, 5) ? pick(m, 2) : 1 + pick(m, 255)),
              (PACKET_RATE, chance(m, 50) ? pick(m, 2048) : 1024 + pick(m, 60000)),
              (BYTE_BURST, units),
              (BYTE_RATE, chance(m, 70) ? pick(m, 1500) : 1024 + pick(m, 60000)));
}

void make_rates(struct make *m) {
  if (!m->config->RateLimits) return;
  m->rng = &m->counts;
  for (unsigned i = 0; i < m->num_modules; i++)
    if (chance(m, 30)) make_rate(m, &m->modules[i]);
}

void make_classes(struct make *m) {
  if (!m->config->OutputClasses) return;
  m->rng = &m->counts;
  for (unsigned i = 0; i < m->num_modules; i++) {
    if (chance(m, 50)) continue;
    uint8_t *e = make_add(m, SLUICE_TABLE_OUTPUT_CLASS, 0, m->modules[i].row)->bytes;
    SLUICE_SETS(e, OUTPUT_CLASS, (VALID, chance(m, 90)), (NUMBER, pick(m, 8)));
  }
  if (chance(m, 50)) m->c->play.set.class_costs = (int)(sluice_rng_next(m->rng) & 0x7fffffff);
  if (chance(m, 30)) m->c->play.set.class_strict = (int)pick(m, 256);
  if (chance(m, 40)) return;
  struct fuzz_play *p = &m->c->play;
  p->num_class_ecn = m->config->OutputClasses;
  for (unsigned i = 0; i < p->num_class_ecn; i++)
    p->class_ecn[i] = (unsigned)PICK(m, 0, 1, 2, 3, 5, 8, m->config->OutputDepth / 4);
}

static void put_count(struct make *m, uint8_t *entry) {
  const unsigned zero = chance(m, 60);
  SLUICE_SETS(entry, ENTRY_COUNT, (PACKETS, zero ? 0 : sluice_rng_next(m->rng) & 0xfffffff),
              (BYTES, zero ? 0 : sluice_rng_next(m->rng) & 0xfffffffffu));
}

// A stage that has the table, most often.
static unsigned pick_stage(struct make *m, enum sluice_table table) {
  const unsigned stages = m->config->BackStages + m->config->FrontStages;
  unsigned stage = pick(m, stages);
  for (unsigned n = 0; n < 8 && !sluice_table_in_stage(table, stage, m->config); n++)
    stage = pick(m, stages);
  return stage;
}

void make_first_counts(struct make *m) {
  if (!m->config->EntryCounters) return;
  m->rng = &m->counts;
  for (unsigned n = pick(m, 20); n; n--) {
    const enum sluice_table table = counts[pick(m, 3)];
    const unsigned stage = pick_stage(m, table), rows = sluice_table_rows(table, m->config);
    if (!sluice_table_in_stage(table, stage, m->config) || !rows) continue;
    put_count(m, make_add(m, table, stage, pick(m, rows))->bytes);
  }
}

static void make_count(struct make *m, struct sluice_frame *frame) {
  const enum sluice_table table = counts[pick(m, 3)];
  const unsigned stage = pick_stage(m, table), rows = sluice_table_rows(table, m->config);
  const unsigned first = chance(m, 3) ? pick(m, 65536) : pick(m, rows ? rows : 1);
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  if (chance(m, 80)) {
    const unsigned count = chance(m, 50) ? 1 : 1 + pick(m, 32);
    sluice_reconfig_read(frame, table, stage, first, first + count > rows ? 1 : count,
                         chance(m, 97) ? pick(m, m->config->NumPipes) : pick(m, 256),
                         pick(m, 65536));
    return;
  }
  put_count(m, entry);
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, table, stage, first);
  sluice_reconfig_append(frame, table, entry);
  sluice_reconfig_finish(frame);
}

void make_counting(struct make *m) {
  if (!m->config->EntryCounters) return;
  m->rng = &m->counts;
  const unsigned num = PICK(m, 0, 10, 60);
  const uint64_t cycles = make_traffic_cycles(m->c);
  struct sluice_frame *frame = &(struct sluice_frame){0};
  uint64_t at = 0;
  for (unsigned n = 0; n < num; n++) {
    at += pick(m, (unsigned)((cycles < 1000000 ? cycles : 1000000) / num) * 2 + 1);
    frame->len = 0;
    make_count(m, frame);
    fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
  }
}
