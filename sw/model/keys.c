// SPDX-License-Identifier: Apache-2.0
// Array match: words of a packet's array that are keys (docs/machine.md, Array match).
#include <string.h>

#include "../base/cuckoo.h"
#include "machine.h"

int model_keys_find(const struct sluice_model *m, unsigned vid, unsigned bank, uint32_t key) {
  const uint64_t hash = sluice_array_hash(vid, key);
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
    const unsigned at = sluice_array_entry(hash, way, m->config.ArrayWords, m->config.ArrayEntries);
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_ARRAY_MATCH, 0, at);
    if (FIELD(entry, ARRAY_MATCH, VALID) && !(FIELD(entry, ARRAY_MATCH, NOT_BANK) >> bank & 1) &&
        FIELD(entry, ARRAY_MATCH, VID) == vid && FIELD(entry, ARRAY_MATCH, KEY) == key)
      return (int)at;
  }
  return -1;
}

void model_keys_ask(const struct sluice_model *m, const struct sluice_model_packet *packet,
                    const struct sluice_model_phv *phv, struct sluice_model_keys *keys) {
  const struct model_overlay *overlay = model_overlay(m, model_row(m, phv));
  struct model_array array;
  model_array_parse(m, overlay, packet, &array);
  *keys = (struct sluice_model_keys){.asked = overlay->keys & model_array_there(m, overlay, packet),
                                     .stay = overlay->keys_stay};
  memcpy(keys->before, array.words, sizeof keys->before);
  memcpy(keys->after, array.words, sizeof keys->after);
  for (unsigned i = 0; i < m->config.ArrayWords; i++) {
    if (!(keys->asked >> i & 1)) continue;
    keys->entry[i] = model_keys_find(m, phv->vid, phv->bank, keys->before[i]);
    const bool found = keys->entry[i] >= 0;
    keys->found |= (uint32_t)found << i;
    if (found)
      keys->after[i] = FIELD32(
          model_entry(m, SLUICE_TABLE_ARRAY_MATCH, 0, (unsigned)keys->entry[i]), ARRAY_MATCH, DATA);
    else if (!overlay->keys_stay) keys->after[i] = 0;
  }
}

void model_keys_take(const struct sluice_model *m, const struct sluice_model_keys *keys,
                     struct sluice_model_phv *phv) {
  const struct model_overlay *overlay = model_overlay(m, model_row(m, phv));
  memcpy(phv->words, keys->after, sizeof phv->words);
  if (overlay->keys_found.type == SLUICE_TYPE_B2)
    model_write(phv, overlay->keys_found, keys->found);
  if (!m->step || !overlay->keys_valid) return;
  const struct sluice_model_step step = {
      .kind = SLUICE_STEP_KEYS, .row = -1, .engine = -1, .after = phv, .keys = keys};
  model_show(m, &step);
}
