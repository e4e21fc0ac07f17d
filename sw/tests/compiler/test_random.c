// SPDX-License-Identifier: Apache-2.0
// Random programs four ways: interpreted from the text; compiled for a chip, and run by the
// reference model; compiled into the fewest stages for a chip of another shape, mostly with all
// state in one pipeline, and run likewise; compiled for one of all shapes in turn, and run. Same
// packets, same headers, ports, drops and final state.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the programs; SLUICE_WRITE=DIR keeps
// their texts, SLUICE_ONLY_WRITE=1 does no more than that. Run from the root of the tree.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/domino_rig.h"
#include "tests/rig/shapes_all.h"

enum { PACKETS = 60 };

// True if the program compiled.
static bool one_way(const char *text, uint64_t seed, const struct sluice_config *chip, bool pin,
                    bool fewest) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  rig_how.pin = pin;
  rig_how.fewest = fewest;
  sluice_rng_init(&rng, seed, "packets");
  const enum rig_opened opened = rig_open(&rig, text, chip, &diags);
  bool good = opened == RIG_OPEN;
  if (opened == RIG_REJECTED) {
    // The text is right, so only the chip can be the reason.
    good = rig.program && diags.num_errors > 0;
    snprintf(rig.why, sizeof rig.why, "refused by the front end, or without a reason");
  }
  for (unsigned i = 0; good && opened == RIG_OPEN && i < PACKETS; i++)
    good = rig_packet(&rig, &rng);
  if (good && opened == RIG_OPEN) good = rig_state(&rig);
  if (!good) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s\non %s%s: %s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", text, chip->name,
             pin ? ", pinned" : "", rig.why, (unsigned long long)seed);
  }
  rig_close(&rig);
  sluice_diags_release(&diags);
  rig_how.pin = rig_how.fewest = false;
  return opened == RIG_OPEN;
}

static void keep(const char *dir, uint64_t seed, const char *text) {
  char path[400];
  snprintf(path, sizeof path, "%s/random-%llu.dom", dir, (unsigned long long)seed);
  FILE *out = fopen(path, "w");
  if (!out || fputs(text, out) < 0 || fclose(out) != 0) fail_msg("cannot write %s", path);
}

TEST(random_programs_do_the_same_four_ways) {
  static struct gen gen = {.rich = true};
  static const char *const chips[] = {"k4", "k4.k1", "k4.k8", "k4", "tiny", "k16"};
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 60);
  const char *dir = getenv("SLUICE_WRITE");
  const bool only_write = from_environment("SLUICE_ONLY_WRITE", 0);
  uint64_t spread = 0, fewest = 0, others = 0;
  for (uint64_t i = 0; i < num; i++) {
    struct sluice_rng rng;
    sluice_rng_init(&rng, seed + i, "three ways");
    gen_program(&gen, &rng);
    if (dir) keep(dir, seed + i, gen.text);
    if (only_write) continue;
    spread += one_way(gen.text, seed + i, sluice_config_find("k4"), false, false);
    fewest += one_way(gen.text, seed + i, sluice_config_find(chips[(seed + i) % 6]),
                      (seed + i) % 3 != 0, true);
    others += one_way(gen.text, seed + i, shape_of_all(seed + i), false, false);
  }
  if (only_write) return;
  printf("%llu of %llu random programs compiled for k4, %llu into the fewest stages for others, "
         "%llu for one of all shapes; SLUICE_SEED=%llu\n",
         (unsigned long long)spread, (unsigned long long)num, (unsigned long long)fewest,
         (unsigned long long)others, (unsigned long long)seed);
  if (num >= 100) assert_true(spread * 3 > num && fewest * 4 > num && others * 4 > num);
}
