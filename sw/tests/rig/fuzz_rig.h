// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "fuzz/fuzz.h"
#include "model/checker.h"

/// What tests of random cases share.

/// Three cases of a chip, among the first `cases`, in which `fails` holds are made smaller as long
/// as it does; `small` looks at what is left.
static inline void fuzz_made_smaller(const char *chip, unsigned cases, fuzz_fails *fails,
                                     void (*small)(const struct fuzz_case *c)) {
  const struct fuzz_effort effort = {5000, 60.0};
  unsigned done = 0;
  for (uint64_t seed = 0; seed < cases && done < 3; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    uint64_t packet;
    fuzz_make(&c, sluice_config_find(chip), seed);
    if (fails(NULL, &c, &packet)) {
      fuzz_shrink(&c, &effort, fails, NULL);
      small(&c);
      done++;
    }
  }
  assert_int_equal(done, 3);
}

/// Cases with the seeds 0, 1, .. of a chip, cut to `packets` packets and `marking` control packets
/// under traffic (0: all), those of which `wanted` holds (NULL: all), on a machine on paper.
struct fuzz_paper {
  const char *chip;
  unsigned packets, marking;
  bool (*wanted)(const struct fuzz_case *c);
  struct sluice_report (*run)(const struct fuzz_case *c, unsigned mutant);
};

/// All counts of their reports together; `differences` counts cases. `with`: how many were played.
static inline struct sluice_report fuzz_play(const struct fuzz_paper *play, unsigned cases,
                                             unsigned mutant, unsigned *with) {
  struct sluice_report all = {0};
  enum {
    FIRST = offsetof(struct sluice_report, c1_violations) / sizeof(uint64_t),
    END = offsetof(struct sluice_report, first_beat_in) / sizeof(uint64_t)
  };
  *with = 0;
  for (uint64_t seed = 0; seed < cases; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find(play->chip), seed);
    assert_false(c.nomem);
    if (play->packets && c.packets.num > play->packets) c.packets.num = play->packets;
    if (play->marking && c.marking.num > play->marking) c.marking.num = play->marking;
    if (!play->wanted || play->wanted(&c)) {
      const struct sluice_report r = play->run(&c, mutant);
      if (!mutant && r.differences) print_message("seed %u: %s\n", (unsigned)seed, r.first.text);
      all.differences += r.differences != 0;
      for (unsigned n = FIRST; n < END; n++) ((uint64_t *)&all)[n] += ((const uint64_t *)&r)[n];
      ++*with;
    }
  }
  return all;
}

/// Faults of that machine, from number 1 on: each differs in one of `share` cases at least.
static inline void fuzz_finds(const struct fuzz_paper *play, unsigned cases, unsigned mutants,
                              unsigned share) {
  for (unsigned mutant = 1; mutant < mutants; mutant++) {
    unsigned with;
    const struct sluice_report all = fuzz_play(play, cases, mutant, &with);
    print_message("mutant %u: found in %u of %u\n", mutant, (unsigned)all.differences, with);
    assert_true(all.differences >= with / share);
  }
}
