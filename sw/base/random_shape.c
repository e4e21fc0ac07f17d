// SPDX-License-Identifier: Apache-2.0
// Random legal shapes: a small named one, in which one to three parameters at a time take other
// values; what configs.def has something against is taken back.
#include <stddef.h>
#include <stdio.h>

#include "layouts.h"
#include "rng.h"

enum { SHAPES = 1000, STEPS = 60, TOGETHER = 3 };

static const struct {
  uint32_t low, high;
  int power;
  size_t at;
} params[] = {
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) \
  {LOW, HIGH, POWER, offsetof(struct sluice_config, NAME)},
#include "../configs.def"
};
enum { NUM_PARAMS = sizeof params / sizeof *params };

// What one simulator and one lint of many can bear.
static int is_small(const struct sluice_config *c) {
  return c->NumPipes <= 4 && c->BackStages <= 5 && c->FrontStages <= 2 && c->MatchEntries <= 32 &&
         c->TernaryEntries <= 64 && c->Window <= 512 && c->StateEntries <= 65536 &&
         c->ActiveIds <= 64 && c->ExtraActions <= 128 && c->BodyCells <= 8192 &&
         c->Relocations <= 16;
}

// Rows of ACTION: with some behind the match rows their number is a power of two.
static void even_rows(struct sluice_config *c) {
  uint32_t rows = 1;
  while (rows < c->MatchEntries + c->ExtraActions) rows *= 2;
  if (c->ExtraActions) c->ExtraActions = rows - c->MatchEntries;
}

static uint32_t power_of_two(struct sluice_rng *rng, uint32_t low, uint32_t high) {
  uint32_t values[33], num = 0;
  if (!low) values[num++] = 0;
  for (uint64_t v = 1; v <= high; v *= 2)
    if (v >= low) values[num++] = (uint32_t)v;
  return values[sluice_rng_below(rng, num)];
}

static uint32_t some_value(struct sluice_rng *rng, unsigned p, uint32_t is) {
  const uint32_t low = params[p].low, legal = params[p].high,
                 high = (uint64_t)is * 8 + 16 < legal ? is * 8 + 16 : legal;
  if (params[p].power) return power_of_two(rng, low, high);
  return low + (uint32_t)sluice_rng_below(rng, (uint64_t)high - low + 1);
}

// One to be changed. TransmitStore is drawn behind all others, by itself: so it changes nothing
// else of a shape.
static unsigned some_param(struct sluice_rng *rng) {
  const unsigned p = (unsigned)sluice_rng_below(rng, NUM_PARAMS - 1);
  return p + (params[p].at >= offsetof(struct sluice_config, TransmitStore));
}

const struct sluice_config *sluice_config_random(unsigned n) {
  static struct sluice_config made[SHAPES];
  static char names[SHAPES][16];
  struct sluice_rng rng;
  char why[200];
  if (n >= SHAPES) return NULL;
  if (made[n].name) return &made[n];
  snprintf(names[n], sizeof names[n], "random.%u", n);
  sluice_rng_init(&rng, n, "shape");
  struct sluice_config c;
  do c = sluice_configs[sluice_rng_below(&rng, sluice_num_configs)];
  while (!is_small(&c));
  c.name = names[n];
  c.doc = "a random legal shape";
  c.TestFaults = c.TransmitStore = 0;
  for (unsigned step = 0; step < STEPS; step++) {
    struct sluice_config next = c;
    for (uint64_t changes = 1 + sluice_rng_below(&rng, TOGETHER); changes; changes--) {
      const unsigned p = some_param(&rng);
      uint32_t *value = (uint32_t *)((char *)&next + params[p].at);
      *value = some_value(&rng, p, *value);
    }
    next.TestFaults = 0;
    even_rows(&next);
    sluice_config_follow(&next);
    if (is_small(&next) && !sluice_config_check(&next, why, sizeof why)) c = next;
  }
  sluice_rng_init(&rng, n, "store");
  c.TransmitStore = !c.FastLanes && sluice_rng_below(&rng, 4) == 0;
  sluice_config_follow(&c);
  made[n] = c;
  return &made[n];
}
