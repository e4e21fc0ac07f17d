// SPDX-License-Identifier: Apache-2.0
#pragma once

// cmocka.h wants the first four before it.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rig/closed.h"

/// A file of unit tests, sw/tests/ROOM/test_NAME.c, is a program. A test is run because it stands
/// there: there is no list, and no main.
///
///     #include "tests/rig/test.h"
///
///     TEST(two_and_two_are_four) { assert_int_equal(2 + 2, 4); }
///
/// They run in the order of the file. TEST_ONLY=PATTERN in the environment runs those whose name
/// fits (`*` and `?`).
#define TEST(NAME) TEST_WITH(NAME, NULL, NULL)

/// A test with something before and behind it, int (*)(void **state), as in cmocka.
#define TEST_WITH(NAME, SET_UP, TEAR_DOWN)                                                  \
  static void NAME(void **state);                                                           \
  __attribute__((constructor)) static void test_is_##NAME(void) {                           \
    static struct one_test test = {{#NAME, NAME, SET_UP, TEAR_DOWN, NULL}, __LINE__, NULL}; \
    test_add(&test);                                                                        \
  }                                                                                         \
  static void NAME(__attribute__((unused)) void **state)

/// What is done before the first test and behind the last one; NULL: nothing.
#define TEST_GROUP(SET_UP, TEAR_DOWN) \
  __attribute__((constructor)) static void test_has_a_group(void) { test_group(SET_UP, TEAR_DOWN); }

struct one_test {
  struct CMUnitTest test;
  int line;
  struct one_test *next;
};
void test_add(struct one_test *test);
void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);

/// For a program that has a main of its own all the same: runs them, and returns how many failed.
int tests_run(void);
