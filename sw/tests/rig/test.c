// SPDX-License-Identifier: Apache-2.0
// The tests of a program, as they stand in its file.
#include "test.h"

enum { MOST_TESTS = 200 };

static struct one_test *tests;
static CMFixtureFunction before_all, behind_all;

// Constructors come in no order that C promises, lines do.
void test_add(struct one_test *test) {
  struct one_test **at = &tests;
  while (*at && (*at)->line < test->line) at = &(*at)->next;
  test->next = *at;
  *at = test;
}

void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
  before_all = set_up;
  behind_all = tear_down;
}

int tests_run(void) {
  static struct CMUnitTest list[MOST_TESTS];
  size_t num = 0;
  for (const struct one_test *t = tests; t; t = t->next) {
    if (num == MOST_TESTS) {
      fprintf(stderr, "more than %d tests in one file\n", MOST_TESTS);
      return 1;
    }
    list[num++] = t->test;
  }
  if (getenv("TEST_ONLY")) cmocka_set_test_filter(getenv("TEST_ONLY"));
  // A fault that was put in is only to be noticed (tb/mutants/c): by the first test that fails.
  if (getenv("SLUICE_QUICK") && !before_all && !behind_all) {
    int failed = 0;
    for (size_t i = 0; i < num && !failed; i++)
      failed = _cmocka_run_group_tests("tests", list + i, 1, NULL, NULL);
    return failed;
  }
  return _cmocka_run_group_tests("tests", list, num, before_all, behind_all);
}
