// SPDX-License-Identifier: Apache-2.0
#include "ternary.h"

unsigned sluice_ternary_find(const struct sluice_engine *e, uint32_t id) {
  unsigned at = 0;
  while (at < e->size && e->slots[at].id != id) at++;
  return at;
}

static bool is_free(const struct sluice_engine *e, unsigned at) {
  return e->slots[at].id == SLUICE_NO_ENTRY;
}
static bool in_group(const struct sluice_engine *e, unsigned at, uint32_t group) {
  return !is_free(e, at) && e->slots[at].group == group;
}

// Going up from `from`: the first place of the group with a rank above `rank`; `size`: there is
// none.
static unsigned above(const struct sluice_engine *e, unsigned from, uint32_t group, uint64_t rank) {
  while (from < e->size && !(in_group(e, from, group) && e->slots[from].rank > rank)) from++;
  return from;
}
// Going down from below `from`: the first place + 1 with a rank below `rank`; 0: there is none.
static unsigned below(const struct sluice_engine *e, unsigned from, uint32_t group, uint64_t rank) {
  while (from > 0 && !(in_group(e, from - 1, group) && e->slots[from - 1].rank < rank)) from--;
  return from;
}

// The free place in [low, high) that is nearest to its middle, so that gaps stay on both sides;
// `size`: there is none.
static unsigned free_place(const struct sluice_engine *e, unsigned low, unsigned high) {
  const unsigned middle = low + (high - low) / 2;
  for (unsigned d = 0; d <= high - low; d++) {
    if (middle + d < high && is_free(e, middle + d)) return middle + d;
    if (d <= middle && middle - d >= low && middle - d < high && is_free(e, middle - d))
      return middle - d;
  }
  return e->size;
}

// The places of a chain: the new entry goes to at[0], what stands there to at[1], and so on; at[num
// - 1] is free.
struct chain {
  unsigned num;
  unsigned *at;
};

// Entries at the upper ends of their windows move up, or those at the lower ends down.
static bool up(const struct sluice_engine *e, unsigned high, uint32_t group, struct chain *c) {
  for (c->num = 0; high < e->size;) {
    const unsigned next = above(e, high + 1, group, e->slots[high].rank),
                   place = free_place(e, high + 1, next);
    c->at[c->num++] = high;
    if (place != e->size) {
      c->at[c->num++] = place;
      return true;
    }
    high = next;
  }
  return false;
}
static bool down(const struct sluice_engine *e, unsigned low, uint32_t group, struct chain *c) {
  for (c->num = 0; low > 0;) {
    const unsigned end = low - 1, next = below(e, end, group, e->slots[end].rank),
                   place = free_place(e, next, end);
    c->at[c->num++] = end;
    if (place != e->size) {
      c->at[c->num++] = place;
      return true;
    }
    low = next;
  }
  return false;
}

static bool put_chain(struct sluice_engine *e, const struct chain *c, const struct sluice_slot *new,
                      struct sluice_moves *moves) {
  const size_t before = moves->num;
  for (unsigned n = c->num; n-- > 0;) {
    const struct sluice_slot what = n ? e->slots[c->at[n - 1]] : *new;
    if (sluice_engine_put(e, moves, c->at[n], &what, n + 1 != c->num)) continue;
    sluice_engine_undo(e, moves, before);
    return false;
  }
  return true;
}

enum sluice_status sluice_ternary_insert(struct sluice_engine *e, uint32_t id, uint32_t group,
                                         uint64_t rank, struct sluice_moves *moves,
                                         struct sluice_error *error) {
  const struct sluice_slot new = {.id = id, .group = group, .rank = rank};
  if (e->used == e->size)
    return sluice_fail(error, SLUICE_ERR_FULL, "all %u entries of the ternary engine are used",
                       e->size);
  unsigned *places = sluice_zeroed(&e->alloc, 2 * ((size_t)e->size + 1) * sizeof *places);
  if (!places) return sluice_no_memory(error);
  struct chain upper = {0, places}, lower = {0, places + e->size + 1};
  // The window of the new entry: behind all lower ranks of its group, before all higher ones.
  const unsigned high = above(e, 0, group, rank), low = below(e, e->size, group, rank);
  const unsigned place = free_place(e, low, high);
  bool good;
  if (place != e->size) {
    upper.at[upper.num++] = place;
    good = put_chain(e, &upper, &new, moves);
  } else {
    const bool can_up = up(e, high, group, &upper), can_down = down(e, low, group, &lower);
    good = put_chain(e, can_up && (!can_down || upper.num <= lower.num) ? &upper : &lower, &new,
                     moves);
  }
  sluice_resize(&e->alloc, places, 2 * ((size_t)e->size + 1) * sizeof *places, 0);
  return good ? SLUICE_OK : sluice_no_memory(error);
}
