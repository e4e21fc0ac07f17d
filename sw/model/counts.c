// SPDX-License-Identifier: Apache-2.0
// What match entries count (docs/machine.md, Match engines, Counters). Of an entry there is what
// was written last, in its table, and what was counted since then.
#include "machine.h"

static enum sluice_table table_of(unsigned engine) {
  return engine == SLUICE_MODEL_TERNARY  ? SLUICE_TABLE_TERNARY_COUNT
         : engine == SLUICE_MODEL_CUCKOO ? SLUICE_TABLE_CUCKOO_COUNT
                                         : SLUICE_TABLE_MATCH_COUNT;
}

static uint64_t *counted(const struct sluice_model *m, enum sluice_table table, unsigned stage,
                         unsigned index) {
  size_t at = 0;
  for (unsigned t = SLUICE_TABLE_MATCH_COUNT; t < (unsigned)table; t++)
    at += (size_t)m->instances[t] * m->depth[t];
  return m->counted + at + (size_t)stage * m->depth[table] + index;
}
_Static_assert(SLUICE_TABLE_TERNARY_COUNT == SLUICE_TABLE_MATCH_COUNT + 1 &&
                   SLUICE_TABLE_CUCKOO_COUNT == SLUICE_TABLE_MATCH_COUNT + 2,
               "the three tables are neighbours");

// Each field wraps for itself.
uint64_t sluice_model_count_sum(uint64_t a, uint64_t b) {
  const uint64_t bytes = (UINT64_C(1) << (SLUICE_ENTRY_COUNT_BYTES_MSB + 1)) - 1;
  const uint64_t packets = FIELD(&a, ENTRY_COUNT, PACKETS) + FIELD(&b, ENTRY_COUNT, PACKETS);
  return packets << SLUICE_ENTRY_COUNT_PACKETS_LSB | ((a + b) & bytes);
}
_Static_assert(SLUICE_ENTRY_COUNT_BYTES_LSB == 0 && SLUICE_ENTRY_COUNT_PACKETS_MSB == 63 &&
                   SLUICE_ENTRY_COUNT_PACKETS_LSB == SLUICE_ENTRY_COUNT_BYTES_MSB + 1,
               "packets stand above bytes");

void model_counts_hit(const struct sluice_model *m, unsigned stage, unsigned engine, unsigned at,
                      const struct sluice_model_phv *phv) {
  if (!m->config.EntryCounters || *m->mute || engine == SLUICE_MODEL_DEFAULT) return;
  uint64_t *c = counted(m, table_of(engine), stage, at);
  *c = sluice_model_count_sum(*c, UINT64_C(1) << SLUICE_ENTRY_COUNT_PACKETS_LSB | phv->len);
}

void model_counts_written(struct sluice_model *m, enum sluice_table table, unsigned stage,
                          unsigned index) {
  *counted(m, table, stage, index) = 0;
}

uint64_t model_counts_copy(const struct sluice_model *m, enum sluice_table table, unsigned stage,
                           unsigned index, unsigned copy) {
  const uint64_t written = *model_entry(m, table, stage, index);
  return copy == 0 ? sluice_model_count_sum(written, *counted(m, table, stage, index)) : written;
}

uint64_t sluice_model_count(const struct sluice_model *m, enum sluice_table table, unsigned stage,
                            unsigned index) {
  uint64_t total = *counted(m, table, stage, index);
  for (unsigned pipe = 0; pipe < m->config.NumPipes; pipe++)
    total = sluice_model_count_sum(total, *model_entry(m, table, stage, index));
  return total;
}

void sluice_model_mute(struct sluice_model *model, bool mute) { *model->mute = mute; }
