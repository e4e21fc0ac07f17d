// SPDX-License-Identifier: Apache-2.0
// Single entries of the store: where they stand, and what the chip holds of them.
#include <string.h>

#include "cuckoo.h"
#include "tables.h"
#include "ternary.h"

static uint32_t word_of(const struct sluice_stored *e) {
  return (uint32_t)sluice_entry_get(e->key, SLUICE_KEY_BITS, 31, 0);
}

uint64_t sluice_stored_hash(const struct sluice_stored *e) {
  if (e->engine == SLUICE_ENGINE_ARRAY) return sluice_array_hash(e->vid & 255u, word_of(e));
  uint64_t words[SLUICE_CUCKOO_KEY_WORDS] = {0};
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit += 64) {
    const unsigned top = bit + 63 < SLUICE_KEY_BITS ? bit + 63 : SLUICE_KEY_BITS - 1;
    words[bit / 64] = sluice_entry_get(e->key, SLUICE_KEY_BITS, top, bit);
  }
  return sluice_cuckoo_hash(e->vid & 255u, words);
}

unsigned sluice_tables_place(const struct sluice_tables *t, uint32_t id) {
  const struct sluice_stored *e = &t->entries[id];
  const struct sluice_engine *engine = t->engines[e->stage][e->engine];
  return e->engine == SLUICE_ENGINE_TERNARY ? sluice_ternary_find(engine, id)
                                            : sluice_cuckoo_find(engine, id, sluice_stored_hash(e));
}

bool sluice_tables_moved(const struct sluice_tables *t, uint32_t id) {
  const struct sluice_stored *e = &t->entries[id];
  return t->steps[e->stage][e->engine][sluice_tables_place(t, id)] >> 32 == t->epoch;
}

uint32_t sluice_tables_at(const struct sluice_tables *t, unsigned stage,
                          enum sluice_engine_kind kind, unsigned at) {
  const struct sluice_engine *engine = t->engines[stage][kind];
  return engine && at < engine->size ? engine->slots[at].id : SLUICE_NO_ID;
}

uint32_t sluice_tables_next(const struct sluice_tables *t, const struct sluice_placed_table *table,
                            uint32_t from) {
  for (; from < t->num_entries; from++) {
    const struct sluice_stored *e = &t->entries[from];
    if ((e->state == STORED_KEPT || e->state == STORED_FRESH) &&
        t->list[e->table].first == table->first)
      return from;
  }
  return SLUICE_NO_ID;
}

// ---- entries of the chip ------------------------------------------------------------------------

static void put_key(uint8_t *bytes, unsigned width, unsigned lsb, const uint8_t *key) {
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit += 64) {
    const unsigned top = bit + 63 < SLUICE_KEY_BITS ? bit + 63 : SLUICE_KEY_BITS - 1;
    const uint64_t value = sluice_entry_get(key, SLUICE_KEY_BITS, top, bit);
    if (value) sluice_entry_set(bytes, width, lsb + top, lsb + bit, value);
  }
}

void sluice_tables_encode(const struct sluice_tables *t, uint32_t id, unsigned not_bank,
                          uint8_t *bytes) {
  memset(bytes, 0, SLUICE_ENTRY_BYTES);
  if (id == SLUICE_NO_ID) return;
  const struct sluice_stored *e = &t->entries[id];
  if (e->state == STORED_GONE || e->state == STORED_FREE) return;
  if (e->engine == SLUICE_ENGINE_CUCKOO) {
    SLUICE_SETS(bytes, CUCKOO, (VALID, 1), (NOT_BANK, not_bank), (ACTION, e->row),
                (VID, e->vid & 255u));
    put_key(bytes, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB, e->key);
    memcpy(bytes + SLUICE_CUCKOO_BITS / 8 - SLUICE_DATA_BYTES, e->data, SLUICE_DATA_BYTES);
  } else if (e->engine == SLUICE_ENGINE_ARRAY) {
    SLUICE_SETS(bytes, ARRAY_MATCH, (VALID, 1), (NOT_BANK, not_bank), (VID, e->vid & 255u),
                (KEY, word_of(e)));
    // The only argument is the first data word.
    SLUICE_SET(bytes, ARRAY_MATCH, DATA,
               sluice_entry_get(e->data, 8 * SLUICE_DATA_BYTES, 8 * SLUICE_DATA_BYTES - 1,
                                8 * SLUICE_DATA_BYTES - 32));
  } else {
    SLUICE_SETS(bytes, TERNARY, (VALID, 1), (NOT_BANK, not_bank), (ACTION, e->row),
                (VID, e->vid & 255u));
    put_key(bytes, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB, e->key);
    put_key(bytes, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB, e->care);
    memcpy(bytes + SLUICE_TERNARY_BITS / 8 - SLUICE_DATA_BYTES, e->data, SLUICE_DATA_BYTES);
  }
}

bool sluice_stored_same(const struct sluice_stored *a, const struct sluice_stored *b) {
  return a->vid == b->vid && a->stage == b->stage && a->engine == b->engine && a->row == b->row &&
         memcmp(a->key, b->key, sizeof a->key) == 0 &&
         memcmp(a->care, b->care, sizeof a->care) == 0 &&
         memcmp(a->data, b->data, sizeof a->data) == 0;
}
