// SPDX-License-Identifier: Apache-2.0
// Classes of the output queues: what a plan and a policy make of them, weights as costs, and their
// way to a chip, on the reference model of `queues`, which has four classes.

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/plan.h"
#include "driver/plan/policy.h"
#include "tests/rig/says.h"

// The class that OUTPUT_CLASS gives a row; -1: there is no entry.
static int class_of(const struct sluice_plan *plan, unsigned row) {
  const struct sluice_write *w = sluice_plan_entry(plan, SLUICE_TABLE_OUTPUT_CLASS, 0, row);
  if (!w || !SLUICE_GET(w->bytes, OUTPUT_CLASS, VALID)) return -1;
  return (int)SLUICE_GET(w->bytes, OUTPUT_CLASS, NUMBER);
}

TEST(a_plan_gets_classes) {
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "queues");
  struct sluice_plan *plan CLOSED_BY(close_plan);
  struct sluice_policy *policy;
  GOOD(sluice_plan_open(&plan, "queues", NULL, &error));
  for (unsigned vid = 5; vid < 8; vid++) GOOD(sluice_plan_add(plan, image, vid, &error));
  GOOD(sluice_plan_class(plan, 5, 3, &error));
  GOOD(sluice_plan_class(plan, 5, 2, &error));
  assert_int_equal(class_of(plan, 5), 2);
  assert_int_equal(class_of(plan, 6), -1);
  GOOD(sluice_plan_replace(plan, image, 5, &error));
  assert_int_equal(class_of(plan, 5), 2);
  SAYS(SLUICE_ERR_RANGE, "class of VLAN 5: 4, chip 'queues' has the classes 0 to 3",
       sluice_plan_class(plan, 5, 4, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9", sluice_plan_class(plan, 9, 0, &error));
  uint8_t bytes[1] = {0};
  SAYS(SLUICE_ERR_RANGE, "OUTPUT_CLASS is not a table of entries of a module",
       sluice_plan_entry_set(plan, 5, SLUICE_TABLE_OUTPUT_CLASS, 0, 0, bytes, &error));
  const char text[] = "{\"sluice_policy\": 1, \"modules\": [{\"vid\": 6, \"class\": 0}, {\"vid\": "
                      "\"others\", \"class\": 3}]}";
  GOOD(sluice_policy_parse(&policy, text, strlen(text), "p.json", NULL, &error));
  GOOD(sluice_policy_apply(policy, plan, &error));
  assert_int_equal(class_of(plan, 5), 3);
  assert_int_equal(class_of(plan, 6), 0);
  assert_int_equal(class_of(plan, 7), 3);
  sluice_policy_close(policy);
  GOOD(sluice_plan_remove(plan, 6, &error));
  assert_int_equal(class_of(plan, 6), -1);
}

TEST(a_chip_without_classes_refuses) {
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "tiny");
  struct sluice_plan *plan CLOSED_BY(close_plan);
  GOOD(sluice_plan_open(&plan, "tiny", NULL, &error));
  GOOD(sluice_plan_add(plan, image, 5, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "VLAN 5: chip 'tiny' has no classes in its output queues",
       sluice_plan_class(plan, 5, 0, &error));
}

// What a beat of each class counts.
static void counts(const char *wanted, unsigned num, const unsigned *weights) {
  uint32_t costs;
  char text[64] = "";
  GOOD(sluice_class_costs(weights, num, &costs, &error));
  for (unsigned c = 0; c < num; c++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", c ? " " : "",
             1 + (costs >> 4 * c & 15));
  assert_string_equal(text, wanted);
}

TEST(weights_become_costs) {
  uint32_t costs;
  counts("1 1 1 1", 4, (const unsigned[]){3, 3, 3, 3});
  counts("1 2 4", 3, (const unsigned[]){4, 2, 1});
  counts("15 16", 2, (const unsigned[]){16, 15});
  counts("1 16", 2, (const unsigned[]){16, 1});
  counts("2 3 6", 3, (const unsigned[]){3, 2, 1});
  GOOD(sluice_class_costs((const unsigned[]){2, 1}, 2, &costs, &error));
  assert_int_equal(costs, 0x00000010);
  counts("5 7 12", 3, (const unsigned[]){7, 5, 3});
  // Every list of three weights. The worst is 1, 11 and 16, whose last two count 1 and 1.
  for (unsigned a = 1; a <= 16; a++)
    for (unsigned b = 1; b <= 16; b++)
      for (unsigned c = 1; c <= 16; c++) {
        const unsigned weights[] = {a, b, c};
        GOOD(sluice_class_costs(weights, 3, &costs, &error));
        for (unsigned x = 0; x < 3; x++)
          for (unsigned y = 0; y < 3; y++) {
            const double got = (1.0 + (costs >> 4 * y & 15)) / (1.0 + (costs >> 4 * x & 15)) *
                               weights[y] / weights[x];
            if (got < 1 / 1.455 || got > 1.455) fail_msg("%u %u %u: %08x, %f", a, b, c, costs, got);
          }
      }
  SAYS(SLUICE_ERR_RANGE, "weight of class 1: 17, legal is 1 to 16",
       sluice_class_costs((const unsigned[]){1, 17}, 2, &costs, &error));
  SAYS(SLUICE_ERR_RANGE, "weight of class 0: 0, legal is 1 to 16",
       sluice_class_costs((const unsigned[]){0}, 1, &costs, &error));
  SAYS(SLUICE_ERR_RANGE, "0 weights of classes", sluice_class_costs(NULL, 0, &costs, &error));
}

TEST(a_policy_gives_weights) {
  struct sluice_policy *policy CLOSED_BY(close_policy);
  uint32_t costs, strict;
  bool given;
  const char text[] = "{\"sluice_policy\": 1, \"class_weights\": [4, 2, 1], \"class_strict\": [3, "
                      "0], \"class_ecn\": [16, 0, 2047]}";
  unsigned ecn[SLUICE_CLASSES_MAX];
  GOOD(sluice_policy_parse(&policy, text, strlen(text), "p.json", NULL, &error));
  GOOD(sluice_policy_classes(policy, &given, &costs, &strict, &error));
  assert_true(given);
  assert_int_equal(costs & 0xfff, 0x310);
  assert_int_equal(strict, 9);
  assert_int_equal(sluice_policy_class_ecn(policy, ecn), 3);
  assert_true(ecn[0] == 16 && ecn[1] == 0 && ecn[2] == 2047);
  sluice_policy_close(policy);
  GOOD(sluice_policy_parse(&policy, "{\"sluice_policy\": 1}", 20, "p.json", NULL, &error));
  GOOD(sluice_policy_classes(policy, &given, &costs, &strict, &error));
  assert_false(given);
  assert_int_equal(sluice_policy_class_ecn(policy, ecn), 0);
}

// Entries come to the chip and stay there, as the audit sees, until the module goes.
TEST(a_chip_gets_classes) {
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 0, "queues");
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_plan *plan CLOSED_BY(close_plan);
  GOOD(sluice_transport_open(&to, "model:queues", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  GOOD(sluice_chip_load(chip, image, 5, &error));
  GOOD(sluice_plan_copy(&plan, sluice_chip_plan(chip), &error));
  GOOD(sluice_plan_class(plan, 5, 2, &error));
  GOOD(sluice_chip_apply(chip, plan, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_int_equal(class_of(sluice_chip_plan(chip), 5), 2);
  GOOD(sluice_chip_replace(chip, image, 5, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_int_equal(class_of(sluice_chip_plan(chip), 5), 2);
  GOOD(sluice_chip_remove(chip, 5, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_int_equal(class_of(sluice_chip_plan(chip), 5), -1);
}
