// SPDX-License-Identifier: Apache-2.0
// Shapes by their names: those to choose from, those of tests, what is changed of one by parts
// behind its name, and the names that shapes once had.

#include "tests/rig/test.h"
#include "base/layouts.h"

TEST(at_most_ten_are_to_choose_from_and_all_are_legal) {
  char why[300];
  assert_in_range(sluice_num_offered, 1, 10);
  assert_true(sluice_num_configs > sluice_num_offered);
  for (unsigned i = 0; i < sluice_num_configs; i++) {
    if (sluice_config_check(&sluice_configs[i], why, sizeof why)) fail_msg("%s", why);
    assert_ptr_equal(sluice_config_find(sluice_configs[i].name), &sluice_configs[i]);
  }
}

TEST(parts_change_parameters) {
  const struct sluice_config *s2 = sluice_config_find("s2"), *c;
  c = sluice_config_find("s2.StateEntries4096");
  assert_non_null(c);
  assert_string_equal(c->name, "s2.StateEntries4096");
  FIELDS_ARE(c, (StateEntries, 4096), (NumPipes, s2->NumPipes));
  // Asked again, in either form, it is the same one.
  assert_ptr_equal(sluice_config_find("s2.StateEntries4096"), c);
  assert_ptr_equal(sluice_config_find("s2.StateEntries=4096"), c);
  // A parameter whose name has a digit; several; in order, the later one holds.
  assert_int_equal(sluice_config_find("s2.Num2B3")->Num2B, 3);
  c = sluice_config_find("s2.k4.NumPorts12.Num2B3.NumPorts16");
  FIELDS_ARE(c, (NumPipes, 4), (NumPorts, 16), (Num2B, 3), (Window, 2 * s2->Window));
  // Shapes of tests have parts, too.
  assert_int_equal(sluice_config_find("react.Banks1")->Banks, 1);
  // What follows from a parameter changes with it.
  assert_int_equal(sluice_config_find("react")->FlipGuard, 1);
  assert_int_equal(sluice_config_find("react.Banks1")->FlipGuard, 0);
  assert_int_equal(sluice_config_find("tiny.LaneDepth64")->HeaderSlots, 512);
  assert_int_equal(sluice_config_find("tiny.k4.NumPorts2")->FastLanes, 2);
  assert_int_equal(sluice_config_find("tiny.ActiveIds16")->Active, 1);
}

TEST(what_is_wrong_is_told) {
  static const struct {
    const char *name, *says;
  } wrong[] = {
      {"s2.k4.NumPorts3", "NumPorts must be at least NumPipes"},
      {"s2.StateEntries100", "StateEntries is 100; it must be a power of two"},
      {"s2.Ports8", "there is no parameter 'Ports'"},
      {"s2.FlipGuard0", "FlipGuard is no parameter: it is Marks == 1 && Banks == 2 ? 1 : 0"},
      {"tiny.Active1", "Active is no parameter: it is ActiveIds == 0 ? 0 : 1"},
      {"s2.numports8", "there is no parameter 'numports'"},
      {"s2.NumPorts", "a parameter and its value"},
      {"s2.NumPorts=", "a parameter and its value"},
      {"s2.NumPorts08", "a parameter and its value"},
      {"s2.NumPorts8x", "a parameter and its value"},
      {"s2.", "a parameter and its value"},
      {"s2..k4", "a parameter and its value"},
      {"s2.=8", "there is no parameter ''"},
      {"s2.NumPorts99999999999999999999", "not PARAMETER=NUMBER"},
      {"s2.k3", "behind .k stands"},
      {"s2.k", "behind .k stands"},
      {"s2.k44", "behind .k stands"},
      {"s2.NumPorts8.NumPorts8.NumPorts8.NumPorts8.NumPorts8.NumPorts8.k2", "too long"},
      {"s2.AndANameOfAParameterThatIsMuchLongerThanAllNamesThatAreKnownToday8", "value"},
  };
  char why[300];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_null(sluice_config_named(wrong[i].name, why, sizeof why));
    if (!strstr(why, wrong[i].says)) fail_msg("'%s': \"%s\"", wrong[i].name, why);
  }
  static const char *const none[] = {"", ".", ".k4", "s3", "s3.k4", "random.", "random.1000"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    assert_null(sluice_config_named(none[i], why, sizeof why));
    assert_string_equal(why, "");
  }
}

TEST(former_names_tell_those_of_today) {
  static const struct {
    const char *was, *is;
  } former[] = {
#define SLUICE_FORMER(WAS, IS) {#WAS, IS},
#include "configs.def"
  };
  char why[300], says[100], with[60];
  for (size_t i = 0; i < sizeof former / sizeof *former; i++) {
    snprintf(says, sizeof says, "shape '%s' is called '%s' today", former[i].was, former[i].is);
    snprintf(with, sizeof with, "%s.k2", former[i].was);
    assert_null(sluice_config_named(former[i].was, why, sizeof why));
    assert_string_equal(why, says);
    assert_null(sluice_config_named(with, why, sizeof why));
    assert_string_equal(why, says);
    assert_non_null(sluice_config_find(former[i].is));
  }
}
