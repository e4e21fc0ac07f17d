// SPDX-License-Identifier: Apache-2.0
// Rates of modules at the lanes: what a plan makes of them, and their way to a chip and back, on
// the reference model of `react`, which has 32 modules. The model has full buckets: it drops what
// they can never hold.

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/plan.h"
#include "driver/plan/policy.h"
#include "tests/rig/line.h"

static const struct sluice_lane_rate some = {200, 16, 500, 256};

// Of RATE_LIMIT of row `row`: packets and beats, RATE and BURST. False: there is no entry.
struct buckets {
  unsigned packet_rate, packet_burst, beat_rate, beat_burst;
};
static bool buckets_of(const struct sluice_plan *plan, unsigned row, struct buckets *b) {
  const struct sluice_write *w = sluice_plan_entry(plan, SLUICE_TABLE_RATE_LIMIT, 0, row);
  if (!w || !SLUICE_GET(w->bytes, RATE_LIMIT, VALID)) return false;
  *b = (struct buckets){(unsigned)SLUICE_GET(w->bytes, RATE_LIMIT, PACKET_RATE),
                        (unsigned)SLUICE_GET(w->bytes, RATE_LIMIT, PACKET_BURST),
                        (unsigned)SLUICE_GET(w->bytes, RATE_LIMIT, BYTE_RATE),
                        (unsigned)SLUICE_GET(w->bytes, RATE_LIMIT, BYTE_BURST)};
  return true;
}

TEST(a_plan_rounds_rates_up) {
  static const struct {
    struct sluice_lane_rate rate;
    struct buckets is;
  } cases[] = {
      // 200 in 1,000 are 6.4 in 32, 1,638.4 of 256
      {{200, 16, 500, 256}, {1639, 16 + 7, 4096, 256 + 16}},
      {{1, 0, 1, 144}, {9, 1, 9, 145}},
      {{0, 0, 0, 0}, {0, 0, 0, 0}},
      {{1000, 223, 1000, 65503}, {8192, 255, 8192, 65535}},
      // 7,939 of 256 are 31.01, 254 are 0.99
      {{969, 3, 31, 3}, {7939, 3 + 32, 254, 3 + 1}},
      {{125, 3, 125, 3}, {1024, 7, 1024, 7}},
  };
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "react");
  struct sluice_plan *plan CLOSED_BY(close_plan);
  struct buckets b;
  GOOD(sluice_plan_open(&plan, "react", NULL, &error));
  GOOD(sluice_plan_add(plan, image, 0x145, &error));
  assert_false(buckets_of(plan, 5, &b));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    GOOD(sluice_plan_lane_rate(plan, 0x145, &cases[i].rate, &error));
    assert_true(buckets_of(plan, 5, &b));
    assert_memory_equal(&b, &cases[i].is, sizeof b);
  }
  static const struct sluice_lane_rate wrong[] = {
      {1001, 0, 0, 0}, {0, 224, 0, 0}, {0, 0, 1001, 0}, {0, 0, 0, 65504}};
  const size_t writes = plan->num_writes;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    SAYS(SLUICE_ERR_RANGE, "legal is up to 1000 and 223, 1000 and 65503",
         sluice_plan_lane_rate(plan, 0x145, &wrong[i], &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "has VLAN id 6", sluice_plan_lane_rate(plan, 6, &some, &error));
  assert_int_equal(plan->num_writes, writes);
  // Another program keeps the rate; a module that goes away takes it along.
  GOOD(sluice_plan_replace(plan, image, 0x145, &error));
  assert_true(buckets_of(plan, 5, &b) && b.packet_burst == 7);
  GOOD(sluice_plan_update(plan, image, 0x145, &error));
  assert_true(buckets_of(plan, 5, &b) && b.packet_burst == 7);
  GOOD(sluice_plan_remove(plan, 0x145, &error));
  assert_false(buckets_of(plan, 5, &b));
}

TEST(a_chip_without_rates_refuses) {
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "tiny");
  struct sluice_plan *plan CLOSED_BY(close_plan);
  GOOD(sluice_plan_open(&plan, "tiny", NULL, &error));
  GOOD(sluice_plan_add(plan, image, 5, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "VLAN 5: chip 'tiny' has no rates at its lanes",
       sluice_plan_lane_rate(plan, 5, &some, &error));
  struct sluice_policy *policy CLOSED_BY(close_policy);
  const char text[] = "{\"sluice_policy\": 1, \"modules\": [{\"vid\": \"others\", \"lane_rate\": "
                      "{\"packets\": 1}}]}";
  GOOD(sluice_policy_parse(&policy, text, strlen(text), "p.json", NULL, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "has no rates at its lanes",
       sluice_policy_apply(policy, plan, &error));
}

// A rate decides nothing but when a packet is dropped: it changes while packets go on.
TEST(a_rate_changes_without_blocking) {
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "react");
  struct sluice_plan *plan CLOSED_BY(close_plan), *next CLOSED_BY(close_plan);
  struct sluice_changes changes CLOSED_BY(sluice_changes_release);
  GOOD(sluice_plan_open(&plan, "react", NULL, &error));
  GOOD(sluice_plan_add(plan, image, 5, &error));
  GOOD(sluice_plan_copy(&next, plan, &error));
  GOOD(sluice_plan_lane_rate(next, 5, &some, &error));
  GOOD(sluice_plan_diff(plan, next, &changes, &error));
  FIELDS_ARE(&changes, (num, 1), (list[0].kind, SLUICE_CHANGE_WRITE),
             (list[0].table, SLUICE_TABLE_RATE_LIMIT), (list[0].index, 5));
}

// ---- on a chip ----------------------------------------------------------------------------------

static size_t frame_of(uint8_t *bytes, unsigned vid, size_t len) {
  memset(bytes, 0, len);
  bytes[12] = 0x81;
  bytes[15] = (uint8_t)vid;
  bytes[16] = 0x08;
  return len;
}

// Sends a packet; whether it came out.
static bool passes(struct sluice_transport *to, unsigned vid, size_t len) {
  static uint8_t bytes[1000];
  static struct sluice_packet_out out;
  through(to, 0, bytes, frame_of(bytes, vid, len), &out);
  return out.len != 0;
}

TEST(a_rate_reaches_the_chip_and_comes_back) {
  // Two beats at most: what is longer never passes.
  static const struct sluice_lane_rate two = {10, 4, 10, 1};
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "react");
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_plan *plan CLOSED_BY(close_plan);
  struct sluice_counters counters;
  uint32_t drops[SLUICE_NUM_DROPS];
  GOOD(sluice_transport_open(&to, "model:react", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  GOOD(sluice_chip_load(chip, image, 5, &error));
  GOOD(sluice_chip_load(chip, image, 6, &error));
  assert_true(passes(&to, 5, 300));
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(chip), &error));
  GOOD(sluice_plan_lane_rate(plan, 5, &two, &error));
  GOOD(sluice_chip_apply(chip, plan, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_true(passes(&to, 5, 128));
  assert_false(passes(&to, 5, 129));
  assert_true(passes(&to, 6, 300));
  GOOD(sluice_chip_counters(chip, &counters, &error));
  GOOD(sluice_chip_module_drops(chip, 5, drops, &error));
  assert_int_equal(counters.drops[SLUICE_DROP_RATE], 1);
  assert_int_equal(drops[SLUICE_DROP_RATE], 1);
  // A second version keeps it, an entry that is damaged is found.
  GOOD(sluice_chip_update(chip, image, 5, NULL, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_false(passes(&to, 5, 129));
  // A chip that was reset gets its plan anew, and with it the rate.
  GOOD(to.ops->reset(to.self, &error));
  assert_false(passes(&to, 5, 64));
  SAYS(SLUICE_ERR_IO, "the chip was reset", sluice_chip_replace(chip, image, 6, &error));
  GOOD(sluice_chip_replace(chip, image, 6, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_true(passes(&to, 5, 128));
  assert_false(passes(&to, 5, 129));
  // Without the module the row is as after reset.
  GOOD(sluice_chip_remove(chip, 5, &error));
  GOOD(sluice_chip_audit(chip, &error));
  GOOD(sluice_chip_load(chip, image, 5, &error));
  assert_true(passes(&to, 5, 300));
}
