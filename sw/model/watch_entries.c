// SPDX-License-Identifier: Apache-2.0
// Entries of the ternary and cuckoo engines while packets are inside: as with match rows, packets
// that see an entry must not see it change. It may be added, and moved: first it stands at both
// places, then at the new one.
#include <string.h>

#include "../base/cuckoo.h"
#include "machine.h"
#include "monitor.h"

enum { WORDS = (SLUICE_TERNARY_BITS + 63) / 64, MOST = SLUICE_MODEL_MAX_LEN / 64 };
_Static_assert(SLUICE_CUCKOO_BITS <= SLUICE_TERNARY_BITS, "an entry fits");
_Static_assert(SLUICE_TERNARY_VID_LSB < SLUICE_TERNARY_ACTION_LSB &&
                   SLUICE_CUCKOO_VID_LSB < SLUICE_CUCKOO_ACTION_LSB,
               "ACTION, VID, key and data are the lowest bits");

static bool is_ternary(enum sluice_table table) { return table == SLUICE_TABLE_TERNARY; }
static bool is_valid(enum sluice_table table, const uint64_t *e) {
  return is_ternary(table) ? FIELD(e, TERNARY, VALID) : FIELD(e, CUCKOO, VALID);
}
static unsigned vid_of(enum sluice_table table, const uint64_t *e) {
  return is_ternary(table) ? FIELD32(e, TERNARY, VID) : FIELD32(e, CUCKOO, VID);
}
static unsigned action_of(enum sluice_table table, const uint64_t *e) {
  return is_ternary(table) ? FIELD32(e, TERNARY, ACTION) : FIELD32(e, CUCKOO, ACTION);
}
static bool is_for(enum sluice_table table, const uint64_t *e, unsigned bank) {
  return is_valid(table, e) &&
         !((is_ternary(table) ? FIELD(e, TERNARY, NOT_BANK) : FIELD(e, CUCKOO, NOT_BANK)) >> bank &
           1);
}

// All but VALID and NOT_BANK.
static bool is_same(enum sluice_table table, const uint64_t *a, const uint64_t *b) {
  const unsigned bits = (is_ternary(table) ? SLUICE_TERNARY_WIDE_MSB : SLUICE_CUCKOO_WIDE_MSB) + 1;
  for (unsigned at = 0; at < bits; at += 64) {
    const unsigned last = at + 63 < bits ? at + 63 : bits - 1;
    if (model_bits(a, last, at) != model_bits(b, last, at)) return false;
  }
  return true;
}

static uint64_t hash_of(const uint64_t *e) {
  uint64_t key[SLUICE_CUCKOO_KEY_WORDS];
  for (unsigned w = 0; w < SLUICE_CUCKOO_KEY_WORDS; w++) {
    const unsigned lsb = 64 * w, msb = lsb + 63 < SLUICE_KEY_BITS ? lsb + 63 : SLUICE_KEY_BITS - 1;
    key[w] = model_bits(e, SLUICE_CUCKOO_KEY_LSB + msb, SLUICE_CUCKOO_KEY_LSB + lsb);
  }
  return sluice_cuckoo_hash(vid_of(SLUICE_TABLE_CUCKOO, e), key);
}

// Whether packets may find the entry at this place: a cuckoo entry only in one of its four buckets.
static bool is_found(const struct sluice_model *m, enum sluice_table table, unsigned index,
                     const uint64_t *e) {
  if (is_ternary(table)) return true;
  const uint64_t hash = hash_of(e);
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++)
    if (sluice_cuckoo_entry(hash, way, m->config.CuckooEntries) == index) return true;
  return false;
}

// Whether packets of a bank find the same entry at some place.
static bool stands(const struct sluice_model *m, enum sluice_table table, unsigned stage,
                   const uint64_t *e, unsigned bank) {
  const uint64_t hash = is_ternary(table) ? 0 : hash_of(e);
  const unsigned places = is_ternary(table) ? m->config.TernaryEntries : SLUICE_CUCKOO_WAYS;
  for (unsigned n = 0; n < places; n++) {
    const unsigned index =
        is_ternary(table) ? n : sluice_cuckoo_entry(hash, n, m->config.CuckooEntries);
    const uint64_t *at = model_entry(m, table, stage, index);
    if (is_for(table, at, bank) && is_same(table, at, e)) return true;
  }
  return false;
}

bool monitor_entries_control(struct sluice_checker *ck, const struct model_request *r,
                             const uint8_t *bytes, size_t len, struct sluice_model_answer *answer) {
  struct sluice_model *m = ck->model;
  uint64_t before[MOST][WORDS];
  unsigned num = model_request_entries(r, len);
  if (num > r->depth - r->index) num = r->depth - r->index;
  for (unsigned n = 0; n < num; n++)
    memcpy(before[n], model_entry(m, r->table, r->stage, r->index + n),
           m->words[r->table] * sizeof(uint64_t));
  const bool good = reference_control(ck, bytes, len, answer);
  for (unsigned n = 0; n < num; n++) {
    const unsigned index = r->index + n;
    struct monitor_change change = {
        .table = r->table,
        .stage = r->stage,
        .index = index,
        .vid = vid_of(r->table, before[n]),
        .erased = !is_valid(r->table, model_entry(m, r->table, r->stage, index))};
    if (!is_valid(r->table, before[n]) || !is_found(m, r->table, index, before[n])) continue;
    for (change.bank = 0; change.bank < SLUICE_MODEL_BANKS; change.bank++)
      if (is_for(r->table, before[n], change.bank) &&
          !stands(m, r->table, r->stage, before[n], change.bank))
        monitor_bank_changed(ck, &change);
  }
  return good;
}

static void changed_for(struct sluice_checker *ck, struct monitor_change change,
                        enum sluice_table table, unsigned index, const uint64_t *e) {
  if (!is_valid(table, e) || action_of(table, e) != change.index ||
      !is_found(ck->model, table, index, e))
    return;
  change.vid = vid_of(table, e);
  for (change.bank = 0; change.bank < SLUICE_MODEL_BANKS; change.bank++)
    if (is_for(table, e, change.bank)) monitor_bank_changed(ck, &change);
}

void monitor_entries_action(struct sluice_checker *ck, const struct model_request *r,
                            unsigned row) {
  const struct sluice_model *m = ck->model;
  const struct sluice_config *c = &m->config;
  struct monitor_change change = {.table = r->table, .stage = r->stage, .index = row};
  for (unsigned n = 0; c->TernaryStages >> r->stage & 1 && n < c->TernaryEntries; n++)
    changed_for(ck, change, SLUICE_TABLE_TERNARY, n,
                model_entry(m, SLUICE_TABLE_TERNARY, r->stage, n));
  for (unsigned n = 0; c->CuckooStages >> r->stage & 1 && n < c->CuckooEntries; n++)
    changed_for(ck, change, SLUICE_TABLE_CUCKOO, n,
                model_entry(m, SLUICE_TABLE_CUCKOO, r->stage, n));
  for (unsigned n = 0; c->DefaultActions && n < m->rows; n++) {
    const uint64_t *e = model_entry(m, SLUICE_TABLE_DEFAULT_ACTION, r->stage, n);
    if (!FIELD(e, DEFAULT_ACTION, VALID) || FIELD32(e, DEFAULT_ACTION, ACTION) != row) continue;
    change.vid = FIELD32(model_entry(m, SLUICE_TABLE_MODULE, 0, n), MODULE, VID) & 0xff;
    change.bank = n / c->NumModules;
    monitor_bank_changed(ck, &change);
  }
}
