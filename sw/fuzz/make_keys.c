// SPDX-License-Identifier: Apache-2.0
// Array match: which words are keys, entries at their places and at others, packets whose words are
// few keys, and entries that are written, moved and erased while packets come. Every order of
// these is legal: a packet finds what is there.
#include <string.h>

#include "../base/cuckoo.h"
#include "../base/bytes.h"
#include "make.h"

// Words below this byte are headers that decide what becomes of a packet.
enum { FIRST_BYTE = 28, WORD_BYTES = 4, MOST_AT_A_TIME = 12 };

static struct make_keys *keys_of(struct make *m, const struct make_module *module) {
  return &m->keys_of[module - m->modules];
}

static unsigned place_of(const struct make *m, unsigned vid, uint32_t key, unsigned way) {
  return sluice_array_entry(sluice_array_hash(vid & 0xff, key), way, m->config->ArrayWords,
                            m->config->ArrayEntries);
}

static unsigned bank_of(const struct make *m, unsigned vid, uint32_t key) {
  const unsigned rows = m->config->ArrayEntries / SLUICE_CUCKOO_WAYS / (2 * m->config->ArrayWords);
  return place_of(m, vid, key, 0) / rows;
}

// Keys of a module: few or many, of any size; all in one bank of the table now and then.
static void make_pool(struct make *m, struct make_keys *k, unsigned vid) {
  const bool one_bank = chance(m, 25);
  k->num = PICK(m, 1, 2, 4, 8, 16, MAKE_KEYS);
  for (unsigned n = 0; n < k->num; n++) {
    k->pool[n] = chance(m, 40) ? pick(m, 64) : chance(m, 50) ? pick_value(m) : pick32(m);
    for (unsigned tries = 0; one_bank && n && tries < 400; tries++) {
      if (bank_of(m, vid, k->pool[n]) == bank_of(m, vid, k->pool[0])) break;
      k->pool[n] = pick32(m);
    }
  }
}

static uint32_t pick_key(struct make *m, const struct make_keys *k) {
  // Low numbers are busier.
  return k->pool[pick(m, pick(m, k->num) + 1)];
}

// Every key has a way that it prefers, so that its entries often meet there.
static unsigned pick_way(struct make *m, uint32_t key) {
  return chance(m, 55) ? (key ^ key >> 8) % SLUICE_CUCKOO_WAYS : pick(m, SLUICE_CUCKOO_WAYS);
}

static uint32_t pick_data(struct make *m, const struct make_keys *k, uint32_t key) {
  return chance(m, 70)   ? pick32(m)
         : chance(m, 40) ? pick_key(m, k)
         : chance(m, 20) ? key
                         : pick_value(m);
}

static void fill_entry(struct make *m, const struct make_module *module, uint8_t *e, uint32_t key,
                       unsigned not_bank) {
  SLUICE_SETS(e, ARRAY_MATCH, (VALID, chance(m, 94)), (NOT_BANK, not_bank));
  if (chance(m, 20)) SLUICE_SET(e, ARRAY_MATCH, RESERVED, pick(m, 32));
  // Right place, another module or another key, by one bit.
  SLUICE_SETS(e, ARRAY_MATCH,
              (VID, (chance(m, 96) ? module->vid : module->vid ^ 1u << pick(m, 8)) & 0xff),
              (DATA, pick_data(m, keys_of(m, module), key)),
              (KEY, chance(m, 95) ? key : key ^ UINT32_C(1) << pick(m, 32)));
}

// In another place an entry is never found.
static unsigned pick_place(struct make *m, const struct make_module *module, uint32_t key) {
  const unsigned at = place_of(m, module->vid, key, pick_way(m, key));
  if (chance(m, 92)) return at;
  return chance(m, 50) ? pick(m, m->config->ArrayEntries)
                       : (at ^ 1u << pick(m, 12)) % m->config->ArrayEntries;
}

static unsigned pick_not_bank(struct make *m, const struct make_module *module, bool version) {
  if (version) return chance(m, 85) ? 1u << module->live : 0;
  if (m->updating) return PICK(m, 0, 0, 0, 2, 2, 1);
  return chance(m, 90) ? 0 : pick(m, 4);
}

void make_keys(struct make *m, const struct make_module *module, unsigned offset) {
  struct sluice_rng *stream = m->rng;
  const bool version = m->out == &m->c->updating;
  struct make_keys *k = keys_of(m, module);
  if (!m->config->ArrayEntries) return;
  m->rng = &m->keys;
  if (!k->num) make_pool(m, k, module->vid);
  if (!version) k->offset = offset & ~1u;
  uint8_t *e = make_add(m, SLUICE_TABLE_ARRAY_KEYS, 0, module->entry)->bytes;
  SLUICE_SETS(e, ARRAY_KEYS, (VALID, chance(m, 90)), (STAY, chance(m, 40)),
              (FOUND_VALID, chance(m, 75)), (FOUND, pick_container(m, SLUICE_TYPE_B2)),
              (WORDS, chance(m, 55) ? 0xffff
                                    : PICK(m, pick(m, 65536), pick(m, 65536), 0x0f, 0xf0, 0x55,
                                           0x01, 1u << pick(m, 16), 0)));
  if (chance(m, 20)) SLUICE_SET(e, ARRAY_KEYS, RESERVED, pick(m, 1024));
  for (unsigned n = 0; n < k->num; n++)
    while (chance(m, version ? 35 : 60)) {
      uint8_t *entry =
          make_add(m, SLUICE_TABLE_ARRAY_MATCH, 0, pick_place(m, module, k->pool[n]))->bytes;
      fill_entry(m, module, entry, k->pool[n], pick_not_bank(m, module, version));
    }
  m->rng = stream;
}

// Entries that the idle bank alone saw go.
void make_keys_after(struct make *m, const struct make_module *module) {
  struct sluice_rng *stream = m->rng;
  const struct make_keys *k = keys_of(m, module);
  if (!m->config->ArrayEntries) return;
  m->rng = &m->keys;
  for (unsigned n = 0; n < k->num; n++) {
    if (!chance(m, 40)) continue;
    uint8_t *e = make_add(m, SLUICE_TABLE_ARRAY_MATCH, 0, pick_place(m, module, k->pool[n]))->bytes;
    fill_entry(m, module, e, k->pool[n], 1u << module->bank);
    if (chance(m, 60)) SLUICE_SET(e, ARRAY_MATCH, VALID, 0);
  }
  m->rng = stream;
}

// ---- packets ------------------------------------------------------------------------------------

void make_keys_packet(struct make *m, uint8_t *frame, size_t len, bool finished) {
  struct sluice_rng *stream = m->rng;
  const struct make_keys *k = NULL;
  if (!m->config->ArrayEntries) return;
  m->rng = &m->keys;
  for (unsigned i = 0; i < m->num_modules; i++)
    if (m->modules[i].vid == (sluice_get16(frame + 14) & 0xfffu)) k = &m->keys_of[i];
  if (k && k->num && chance(m, finished ? 60 : 92)) {
    // All equal, two by turns, as they come, and now and then no key at all.
    const unsigned kind = pick(m, 10);
    const uint32_t one = pick_key(m, k), other = pick_key(m, k);
    for (unsigned i = 0; i < m->config->ArrayWords; i++) {
      const size_t at = k->offset + WORD_BYTES * i;
      const uint32_t word = kind < 2   ? one
                            : kind < 3 ? (i % 2 ? one : other)
                            : kind < 9 ? pick_key(m, k)
                                       : k->pool[pick(m, k->num)];
      if (at >= FIRST_BYTE && at + WORD_BYTES <= len)
        sluice_put32(frame + at, kind == 9 && chance(m, 50) ? pick32(m) : word);
    }
  }
  m->rng = stream;
}

// ---- under traffic ------------------------------------------------------------------------------

// Entries one behind the other, the first at a place of a key. `not_valid`: they are erased.
static void write_entries(struct make *m, struct sluice_frame *frame,
                          const struct make_module *module, uint32_t key, unsigned at,
                          bool not_valid) {
  const unsigned num = chance(m, 80) ? 1 : 1 + pick(m, MOST_AT_A_TIME);
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_ARRAY_MATCH, 0, at);
  for (unsigned n = 0; n < num; n++) {
    uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
    fill_entry(m, module, entry, n ? pick_key(m, keys_of(m, module)) : key,
               pick_not_bank(m, module, false));
    if (not_valid) SLUICE_SET(entry, ARRAY_MATCH, VALID, 0);
    sluice_reconfig_append(frame, SLUICE_TABLE_ARRAY_MATCH, entry);
  }
  sluice_reconfig_finish(frame);
}

static void key_frame(struct make *m, struct sluice_frame *frame) {
  const struct make_module *module = &m->modules[pick(m, m->num_modules)];
  const uint32_t key = pick_key(m, keys_of(m, module));
  const unsigned what = pick(m, 100), at = pick_place(m, module, key);
  if (what < 70) write_entries(m, frame, module, key, at, false);
  else if (what < 88) write_entries(m, frame, module, key, at, true);
  else
    sluice_reconfig_read(frame, SLUICE_TABLE_ARRAY_MATCH, 0, at,
                         chance(m, 70) ? 1 : 1 + pick(m, 100), pick(m, m->config->NumPipes),
                         pick(m, 65536));
}

bool make_key_mark(struct make *m, struct sluice_frame *frame) {
  struct sluice_rng *stream = m->rng;
  if (!m->config->ArrayEntries) return false;
  m->rng = &m->keys;
  const bool made = chance(m, 35);
  if (made) key_frame(m, frame);
  m->rng = stream;
  return made;
}

void make_key_marks(struct make *m) {
  const unsigned num = PICK(m, 10, 40, 150, 400), burst = PICK(m, 1, 1, 4, 20);
  const uint64_t cycles = make_traffic_cycles(m->c);
  const unsigned every = (unsigned)((cycles < 1000000 ? cycles : 1000000) / num) + 1;
  struct sluice_frame *frame = &(struct sluice_frame){0};
  uint64_t at = 0;
  for (unsigned n = 0; n < num; n++) {
    if (n % burst == 0) at += pick(m, 2 * every * burst);
    frame->len = 0;
    key_frame(m, frame);
    fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
  }
}
