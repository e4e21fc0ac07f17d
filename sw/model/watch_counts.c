// SPDX-License-Identifier: Apache-2.0
// Monitor of the counters of entries. Which pipeline a packet takes is the chip's choice, so only
// the sum over the pipelines is known; and that only while no packet is inside. An entry that was
// written while packets were inside, or came soon after, is not known until it is written again;
// and the same of all entries of a stage in which entries have changed so: which of two places a
// packet has found, while an entry stood at both, is the chip's choice, too.
#include <stdlib.h>

#include "machine.h"
#include "monitor.h"

static const enum sluice_table tables[] = {SLUICE_TABLE_MATCH_COUNT, SLUICE_TABLE_TERNARY_COUNT,
                                           SLUICE_TABLE_CUCKOO_COUNT};
enum { TABLES = sizeof tables / sizeof tables[0] };

static size_t entries_of(const struct sluice_model *m, enum sluice_table table) {
  return (size_t)m->instances[table] * m->depth[table];
}

static struct monitor_count *count_of(struct sluice_checker *ck, enum sluice_table table,
                                      unsigned stage, unsigned index) {
  const struct sluice_model *m = ck->model;
  size_t at = 0;
  for (unsigned t = 0; tables[t] != table; t++) at += entries_of(m, tables[t]);
  return &ck->counts[at + (size_t)stage * m->depth[table] + index];
}

bool monitor_counts_open(struct sluice_checker *ck) {
  size_t all = 0;
  if (!ck->config->EntryCounters) return true;
  for (unsigned t = 0; t < TABLES; t++) all += entries_of(ck->model, tables[t]);
  ck->counts = calloc(all, sizeof *ck->counts);
  return ck->counts != NULL;
}

void monitor_counts_close(struct sluice_checker *ck) { free(ck->counts); }

bool sluice_checker_is_count(const struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  return ck->config->EntryCounters && model_request(ck->model, bytes, len, &r) && r.legal &&
         r.op == SLUICE_CHAIN_READ && sluice_table_is_count(r.table);
}

static bool is_entry(enum sluice_table table) {
  return table == SLUICE_TABLE_MATCH || table == SLUICE_TABLE_TERNARY ||
         table == SLUICE_TABLE_CUCKOO;
}

static void forget_stage(struct sluice_checker *ck, unsigned stage) {
  for (unsigned t = 0; t < TABLES; t++)
    for (unsigned n = 0; n < ck->model->depth[tables[t]]; n++)
      count_of(ck, tables[t], stage, n)->unknown = true;
}

void monitor_counts_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  if (!ck->config->EntryCounters || !model_request(ck->model, bytes, len, &r) || !r.legal) return;
  if (is_entry(r.table) && r.op != SLUICE_CHAIN_READ && !sluice_checker_idle(ck))
    forget_stage(ck, r.stage);
  if (!sluice_table_is_count(r.table)) return;
  ck->counts_asked = sluice_checker_idle(ck) ? ck->counts_epoch : UINT64_MAX;
  if (r.op != SLUICE_CHAIN_WRITE) return;
  const bool quiet = sluice_checker_idle(ck);
  const unsigned num = model_request_entries(&r, len);
  for (unsigned n = 0; n < num && r.index + n < r.depth; n++)
    *count_of(ck, r.table, r.stage, r.index + n) =
        (struct monitor_count){.unknown = !quiet, .written = ck->now};
  ck->counts_written = ck->now;
}

// The writes that this packet may have met on its way are not known.
static void spoil(struct sluice_checker *ck) {
  size_t all = 0;
  for (unsigned t = 0; t < TABLES; t++) all += entries_of(ck->model, tables[t]);
  for (size_t n = 0; n < all; n++)
    if (ck->counts[n].written && ck->counts[n].written + SLUICE_CHECKER_SETTLE >= ck->now)
      ck->counts[n].unknown = true;
  ck->counts_written = 0;
}

void monitor_counts_arrives(struct sluice_checker *ck) {
  ck->counts_epoch++;
  if (ck->counts_written && ck->counts_written + SLUICE_CHECKER_SETTLE >= ck->now) spoil(ck);
}

static void take(struct sluice_checker *ck, const struct model_request *r, unsigned n,
                 uint64_t value) {
  const unsigned index = r->index + n, pipes = ck->config->NumPipes;
  struct monitor_count *c = count_of(ck, r->table, r->stage, index);
  if (c->epoch != ck->counts_epoch || !c->copies) {
    c->epoch = ck->counts_epoch;
    c->copies = 0;
    c->sum = 0;
  }
  if (c->copies >> r->copy & 1) return;
  c->copies |= 1u << r->copy;
  c->sum = sluice_model_count_sum(c->sum, value);
  if (c->copies != (1u << pipes) - 1) return;
  c->copies = 0;
  if (c->unknown) return;
  const uint64_t expected = reference_count(ck, r->table, r->stage, index);
  ck->report.entry_counts++;
  if (c->sum != expected)
    monitor_differ(
        ck, NULL,
        monitor_text("%s stage %u entry %u, all pipelines", sluice_tables[r->table].name, r->stage,
                     index),
        monitor_text("%llu packets, %llu bytes",
                     (unsigned long long)FIELD(&expected, ENTRY_COUNT, PACKETS),
                     (unsigned long long)FIELD(&expected, ENTRY_COUNT, BYTES)),
        monitor_text("%llu, %llu", (unsigned long long)FIELD(&c->sum, ENTRY_COUNT, PACKETS),
                     (unsigned long long)FIELD(&c->sum, ENTRY_COUNT, BYTES)));
}

void sluice_checker_count_answer(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                                 const uint8_t *answer, size_t answer_len) {
  if (ck->events.to)
    monitor_event(&ck->events, MONITOR_EVENT_COUNT_ANSWER, NULL,
                  (const struct monitor_bytes[]){{bytes, len}, {answer, answer_len}});
  enum { ENTRIES = 64, BLOCK = 64 };
  struct model_request r;
  if (!sluice_checker_is_count(ck, bytes, len) || !model_request(ck->model, bytes, len, &r) ||
      ck->counts_asked != ck->counts_epoch || r.copy >= ck->config->NumPipes)
    return;
  for (unsigned n = 0; n < r.count && ENTRIES + (n + 1) * BLOCK <= answer_len; n++) {
    uint64_t value = 0;
    for (unsigned b = 0; b < 8; b++) value = value << 8 | answer[ENTRIES + n * BLOCK + b];
    if (r.index + n < r.depth) take(ck, &r, n, value);
  }
}
