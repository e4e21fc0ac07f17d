// SPDX-License-Identifier: Apache-2.0
#include "cuckoo.h"

#include <string.h>

unsigned sluice_cuckoo_place(const struct sluice_engine *e, uint64_t hash, unsigned way) {
  return e->words ? sluice_array_entry(hash, way, e->words, e->size)
                  : sluice_cuckoo_entry(hash, way, e->size);
}

unsigned sluice_cuckoo_find(const struct sluice_engine *e, uint32_t id, uint64_t hash) {
  for (unsigned w = 0; w < SLUICE_CUCKOO_WAYS; w++) {
    const unsigned at = sluice_cuckoo_place(e, hash, w);
    if (e->slots[at].id == id) return at;
  }
  return e->size;
}

// A place that the search has reached. What stands at the place of step `from` would move to it.
struct step {
  unsigned at, from;  // from NEW: the new entry would stand here
};
enum { NEW = SLUICE_CUCKOO_SEARCH };
struct search {
  unsigned num;
  struct step steps[SLUICE_CUCKOO_SEARCH];
};

// The places of one hash. True: the last step is a free one.
static bool reach(struct sluice_engine *e, struct search *s, uint64_t hash, unsigned from) {
  for (unsigned w = 0; w < SLUICE_CUCKOO_WAYS && s->num < SLUICE_CUCKOO_SEARCH; w++) {
    const unsigned at = sluice_cuckoo_place(e, hash, w);
    if (e->seen[at] == e->search) continue;
    e->seen[at] = e->search;
    s->steps[s->num++] = (struct step){at, from};
    if (e->slots[at].id == SLUICE_NO_ENTRY) return true;
  }
  return false;
}

static bool find_chain(struct sluice_engine *e, struct search *s, uint64_t hash) {
  if (++e->search == 0) {
    memset(e->seen, 0, (size_t)e->size * sizeof *e->seen);
    e->search = 1;
  }
  bool found = reach(e, s, hash, NEW);
  for (unsigned i = 0; i < s->num && !found; i++)
    found = reach(e, s, e->slots[s->steps[i].at].hash, i);
  return found;
}

enum sluice_status sluice_cuckoo_insert(struct sluice_engine *e, uint32_t id, uint64_t hash,
                                        struct sluice_moves *moves, struct sluice_error *error) {
  const struct sluice_slot new = {.id = id, .hash = hash};
  const size_t before = moves->num;
  struct search s;
  s.num = 0;
  if (!find_chain(e, &s, hash))
    return sluice_fail(error, SLUICE_ERR_FULL,
                       "the %s has no place for it: %u of %u entries are used, and none of the %u "
                       "that were looked at can move",
                       e->words ? "array match" : "cuckoo engine", e->used, e->size, s.num);
  // From the free end: every entry is written at its new place before another one is written over
  // its old one.
  for (unsigned step = s.num - 1; step != NEW; step = s.steps[step].from) {
    const struct step *to = &s.steps[step];
    const struct sluice_slot what = to->from == NEW ? new : e->slots[s.steps[to->from].at];
    if (sluice_engine_put(e, moves, to->at, &what, step != s.num - 1)) continue;
    sluice_engine_undo(e, moves, before);
    return sluice_no_memory(error);
  }
  return SLUICE_OK;
}
