// SPDX-License-Identifier: Apache-2.0
// Sets of 32-bit numbers, as ranges: what is known of a value on a way through a decision tree.
#include <stddef.h>
#include <string.h>

#include "mapper.h"

static struct set *make(struct arena *arena, unsigned num) {
  struct set *s =
      arena_alloc(arena, offsetof(struct set, part) + (num ? num : 1) * sizeof(struct part));
  s->num = num;
  return s;
}

const struct set *set_range(struct arena *arena, uint32_t low, uint32_t high) {
  bool around = low > high && high + 1 != low;
  struct set *s = make(arena, around ? 2 : 1);
  if (around) {
    s->part[0] = (struct part){0, high};
    s->part[1] = (struct part){low, UINT32_MAX};
  } else {
    s->part[0] = low > high ? (struct part){0, UINT32_MAX} : (struct part){low, high};
  }
  return s;
}

const struct set *set_and(struct arena *arena, const struct set *a, const struct set *b) {
  struct set found;
  unsigned i = 0, j = 0;
  found.num = 0;
  while (i < a->num && j < b->num) {
    uint32_t low = a->part[i].low > b->part[j].low ? a->part[i].low : b->part[j].low;
    uint32_t high = a->part[i].high < b->part[j].high ? a->part[i].high : b->part[j].high;
    if (low <= high) {
      if (found.num == MAX_PARTS) return NULL;
      found.part[found.num++] = (struct part){low, high};
    }
    if (a->part[i].high < b->part[j].high) i++;
    else j++;
  }
  struct set *s = make(arena, found.num);
  memcpy(s->part, found.part, found.num * sizeof *s->part);
  return s;
}

const struct set *set_not(struct arena *arena, const struct set *a) {
  struct set found;
  uint32_t low = 0;
  bool end = false;  // the last range goes up to the last number
  found.num = 0;
  for (unsigned i = 0; i < a->num; i++) {
    if (a->part[i].low > low) {
      if (found.num == MAX_PARTS) return NULL;
      found.part[found.num++] = (struct part){low, a->part[i].low - 1};
    }
    end = a->part[i].high == UINT32_MAX;
    low = a->part[i].high + 1;
  }
  if (!end) {
    if (found.num == MAX_PARTS) return NULL;
    found.part[found.num++] = (struct part){low, UINT32_MAX};
  }
  struct set *s = make(arena, found.num);
  memcpy(s->part, found.part, found.num * sizeof *s->part);
  return s;
}

bool set_meets(const struct set *a, const struct set *b) {
  for (unsigned i = 0, j = 0; i < a->num && j < b->num;) {
    if (a->part[i].low <= b->part[j].high && b->part[j].low <= a->part[i].high) return true;
    if (a->part[i].high < b->part[j].high) i++;
    else j++;
  }
  return false;
}

bool set_within(const struct set *a, const struct set *b) {
  unsigned j = 0;
  for (unsigned i = 0; i < a->num; i++) {
    while (j < b->num && b->part[j].high < a->part[i].low) j++;
    if (j == b->num || b->part[j].low > a->part[i].low || b->part[j].high < a->part[i].high)
      return false;
  }
  return true;
}

bool set_equal(const struct set *a, const struct set *b) {
  return a->num == b->num && memcmp(a->part, b->part, a->num * sizeof *a->part) == 0;
}
