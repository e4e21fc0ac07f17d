// SPDX-License-Identifier: Apache-2.0
// Monitor of the array match. Which entry a key finds while entries are written is the chip's
// choice, so the chip shows what each packet carries at the order point: a word that was a key must
// be what the table gave at some moment between the arrival of the packet and now, and the
// reference goes on with that. Behind a write that has taken effect only the new entry counts.
//
// Example: the entry of key 17 is DATA 100 and becomes 200. The control packet goes to the chip in
// cycle 1000, and has taken effect by cycle 1040. A packet with key 17 that arrived in cycle 1030
// may carry 100 or 200, one that arrived in cycle 1041 only 200.
#include <stdlib.h>
#include <string.h>

#include "../base/cuckoo.h"
#include "machine.h"
#include "monitor.h"

enum { ENTRY_WORDS = (SLUICE_ARRAY_MATCH_BITS + 63) / 64, CHANGES = 8192 };

// An entry that was written. `until`: a packet that arrives up to this cycle may still find what
// was there before; UINT64_MAX: the write may not have taken effect yet.
struct change {
  uint64_t until;
  unsigned index;
  uint64_t before[ENTRY_WORDS];
};

struct monitor_keys {
  uint64_t num, open;  // changes; of these: the first one that may not have taken effect
  struct change changes[CHANGES];
};

bool monitor_keys_open(struct sluice_checker *ck) {
  if (!ck->config->ArrayEntries) return true;
  ck->keys = calloc(1, sizeof *ck->keys);
  return ck->keys != NULL;
}

void monitor_keys_close(struct sluice_checker *ck) { free(ck->keys); }

bool sluice_checker_is_keys(const struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  return ck->keys && model_request(ck->model, bytes, len, &r) && r.legal &&
         r.op == SLUICE_CHAIN_WRITE && r.table == SLUICE_TABLE_ARRAY_MATCH;
}

void monitor_keys_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len) {
  struct model_request r;
  if (!sluice_checker_is_keys(ck, bytes, len)) return;
  model_request(ck->model, bytes, len, &r);
  const unsigned num = model_request_entries(&r, len);
  for (unsigned n = 0; n < num && r.index + n < r.depth; n++) {
    struct change *c = &ck->keys->changes[ck->keys->num++ % CHANGES];
    *c = (struct change){.until = UINT64_MAX, .index = r.index + n};
    memcpy(c->before, model_entry(ck->model, r.table, 0, c->index), sizeof c->before);
  }
}

void sluice_checker_keys_settled(struct sluice_checker *ck, uint64_t cycle) {
  MONITOR_EVENT(ck, KEYS_SETTLED, cycle);
  struct monitor_keys *k = ck->keys;
  if (!k) return;
  for (; k->open < k->num; k->open++)
    if (k->num - k->open <= CHANGES) k->changes[k->open % CHANGES].until = cycle;
}

void sluice_checker_keys(struct sluice_checker *ck, unsigned lane, const uint32_t *words,
                         const uint16_t *b2) {
  uint8_t held[4 * SLUICE_MODEL_WORDS], halves[2 * 8];
  if (ck->events.to)
    monitor_event(&ck->events, MONITOR_EVENT_KEYS, (const uint64_t[]){lane},
                  (const struct monitor_bytes[]){monitor_words(held, words, ck->config->ArrayWords),
                                                 monitor_halves(halves, b2, ck->config->Num2B)});
  struct monitor_shown *shown = &ck->lane[lane].order.shown;
  if (!ck->keys) return;
  shown->valid = true;
  memcpy(shown->words, words, ck->config->ArrayWords * sizeof *words);
  memcpy(shown->b2, b2, ck->config->Num2B * sizeof *b2);
}

// ---- what a key may have become -----------------------------------------------------------------

// The four places of a key, as they were at some moment.
struct places {
  unsigned index[SLUICE_CUCKOO_WAYS];
  uint64_t entry[SLUICE_CUCKOO_WAYS][ENTRY_WORDS];
};

struct outcome {
  bool found;
  unsigned entry;  // if found
  uint32_t word;
};

static struct outcome outcome_of(const struct places *at, const struct sluice_model_phv *phv,
                                 uint32_t key, bool stay) {
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
    const uint64_t *e = at->entry[way];
    if (FIELD(e, ARRAY_MATCH, VALID) && !(FIELD(e, ARRAY_MATCH, NOT_BANK) >> phv->bank & 1) &&
        FIELD(e, ARRAY_MATCH, VID) == phv->vid && FIELD(e, ARRAY_MATCH, KEY) == key)
      return (struct outcome){true, at->index[way], FIELD32(e, ARRAY_MATCH, DATA)};
  }
  return (struct outcome){.word = stay ? key : 0};
}

static bool is_same(struct outcome a, struct outcome b) {
  return a.word == b.word && a.found == b.found;
}

// All that a key may have become for a packet that arrived in a cycle, the last one first. Returns
// their number: at most `room`, others are left out.
static unsigned outcomes(const struct sluice_checker *ck, const struct sluice_model_phv *phv,
                         uint32_t key, bool stay, uint64_t arrival, struct outcome *all,
                         unsigned room) {
  const struct sluice_config *c = ck->config;
  const uint64_t hash = sluice_array_hash(phv->vid, key);
  struct places at;
  unsigned num = 1;
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
    at.index[way] = sluice_array_entry(hash, way, c->ArrayWords, c->ArrayEntries);
    memcpy(at.entry[way], model_entry(ck->model, SLUICE_TABLE_ARRAY_MATCH, 0, at.index[way]),
           sizeof at.entry[way]);
  }
  all[0] = outcome_of(&at, phv, key, stay);
  const uint64_t kept = ck->keys->num < CHANGES ? ck->keys->num : CHANGES;
  for (uint64_t n = 1; n <= kept; n++) {
    const struct change *change = &ck->keys->changes[(ck->keys->num - n) % CHANGES];
    bool known = false;
    if (change->until < arrival) break;
    for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
      if (at.index[way] != change->index) continue;
      memcpy(at.entry[way], change->before, sizeof at.entry[way]);
      const struct outcome before = outcome_of(&at, phv, key, stay);
      for (unsigned i = 0; i < num; i++) known |= is_same(all[i], before);
      if (!known && num < room) all[num++] = before;
    }
  }
  return num;
}

// ---- what the chip shows ------------------------------------------------------------------------

static struct monitor_text outcome_text(struct outcome o) {
  return o.found ? monitor_text("0x%08x (entry %u)", (unsigned)o.word, o.entry)
                 : monitor_text("0x%08x (no entry)", (unsigned)o.word);
}

static bool bit_of(const struct monitor_shown *shown, unsigned word,
                   struct model_operand container) {
  return shown->b2[container.index] & 1u << word;
}

// Whether the chip shows this of a word. Without a container for FOUND nobody sees the difference
// between two that leave the same word.
static bool shows(const struct monitor_shown *shown, unsigned word, struct model_operand container,
                  struct outcome o) {
  if (shown->words[word] != o.word) return false;
  return container.type != SLUICE_TYPE_B2 || bit_of(shown, word, container) == o.found;
}

enum { OUTCOMES = 16 };

static void take_key(struct sluice_checker *ck, const struct monitor_packet *p,
                     const struct monitor_shown *shown, struct model_operand container,
                     const struct sluice_model_phv *phv, unsigned i,
                     struct sluice_model_keys *keys) {
  struct outcome all[OUTCOMES];
  const uint32_t key = keys->before[i];
  const unsigned num = outcomes(ck, phv, key, keys->stay, p->arrival, all, OUTCOMES);
  unsigned n = 0;
  ck->report.keys++;
  ck->report.keys_either += num > 1;
  while (n < num && !shows(shown, i, container, all[n])) n++;
  if (n < num) {
    keys->after[i] = all[n].word;
    keys->entry[i] = all[n].found ? (int)all[n].entry : -1;
    keys->found &= ~(UINT32_C(1) << i);
    keys->found |= (uint32_t)all[n].found << i;
    ck->report.keys_found += all[n].found;
    ck->report.keys_old += n > 0;
    return;
  }
  const bool bit = container.type == SLUICE_TYPE_B2;
  monitor_differ(
      ck, p,
      monitor_text("word %u of the array, key 0x%08x of VID[7:0] %u", i, (unsigned)key, phv->vid),
      num == 1 ? outcome_text(all[0])
               : monitor_text("%s, or %s", outcome_text(all[0]).s, outcome_text(all[1]).s),
      bit ? monitor_text("0x%08x, bit %u of 2B[%u] is %u", (unsigned)shown->words[i], i,
                         container.index, bit_of(shown, i, container))
          : monitor_text("0x%08x", (unsigned)shown->words[i]));
}

void monitor_keys(struct sluice_checker *ck, const struct monitor_packet *p,
                  const struct sluice_model_packet *packet, const struct monitor_shown *shown,
                  struct sluice_model_phv *phv) {
  const struct model_overlay *overlay = model_overlay(ck->model, model_row(ck->model, phv));
  const struct model_operand container = overlay->keys_found;
  struct sluice_model_keys keys;
  model_keys_ask(ck->model, packet, phv, &keys);
  for (unsigned i = 0; shown->valid && i < ck->config->ArrayWords; i++) {
    if (keys.asked >> i & 1) take_key(ck, p, shown, container, phv, i, &keys);
    else if (shown->words[i] != keys.before[i])
      monitor_differ(ck, p, monitor_text("word %u of the array, no key", i),
                     monitor_text("0x%08x", (unsigned)keys.before[i]),
                     monitor_text("0x%08x", (unsigned)shown->words[i]));
  }
  if (shown->valid && container.type == SLUICE_TYPE_B2 &&
      (shown->b2[container.index] & ~keys.asked))
    monitor_differ(ck, p, monitor_text("2B[%u], what was found", container.index),
                   monitor_text("bits of keys alone, 0x%04x", (unsigned)keys.asked),
                   monitor_text("0x%04x", (unsigned)shown->b2[container.index]));
  model_keys_take(ck->model, &keys, phv);
}
