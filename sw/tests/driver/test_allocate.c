// SPDX-License-Identifier: Apache-2.0
// Finding room, compared with a search of every place.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "driver/plan/allocate.h"

enum { SIZE = 40, SPANS = 6 };

static bool fits(const bool *used, unsigned base, unsigned need) {
  for (unsigned i = base; i < base + need; i++)
    if (i >= SIZE || used[i]) return false;
  return true;
}

TEST(places_are_those_of_an_exhaustive_search) {
  struct sluice_rng rng;
  unsigned found = 0, full = 0;
  sluice_rng_init(&rng, 3, "allocate");
  for (unsigned round = 0; round < 5000; round++) {
    struct sluice_span taken[SPANS];
    bool used[SIZE + 1] = {false};
    const unsigned num = (unsigned)sluice_rng_below(&rng, SPANS + 1),
                   need = 1 + (unsigned)sluice_rng_below(&rng, 12);
    for (unsigned i = 0; i < num; i++) {
      taken[i].base = (unsigned)sluice_rng_below(&rng, SIZE);
      taken[i].len = (unsigned)sluice_rng_below(&rng, SIZE - taken[i].base + 1) / 2;
      for (unsigned n = 0; n < taken[i].len; n++) used[taken[i].base + n] = true;
    }
    unsigned low = SIZE, high = SIZE, room = 0, run = 0, base = 99;
    for (unsigned at = 0; at + need <= SIZE; at++)
      if (fits(used, at, need)) {
        if (low == SIZE) low = at;
        high = at;
      }
    for (unsigned at = 0; at < SIZE; at++) {
      run = used[at] ? 0 : run + 1;
      if (run > room) room = run;
    }
    assert_int_equal(sluice_fit_low(taken, num, SIZE, need, &base), low != SIZE);
    if (low != SIZE) assert_int_equal(base, low);
    assert_int_equal(sluice_fit_high(taken, num, SIZE, need, &base), low != SIZE);
    if (low != SIZE) assert_int_equal(base, high);
    assert_int_equal(sluice_fit_room(taken, num, SIZE), room);
    found += low != SIZE;
    full += low == SIZE;
  }
  assert_true(found > 1000 && full > 100);
}

TEST(more_than_there_is_never_fits) {
  unsigned base;
  assert_false(sluice_fit_low(NULL, 0, 8, 9, &base));
  assert_false(sluice_fit_high(NULL, 0, 8, 9, &base));
  assert_true(sluice_fit_high(NULL, 0, 8, 8, &base));
  assert_int_equal(base, 0);
  assert_int_equal(sluice_fit_room(NULL, 0, 8), 8);
}
