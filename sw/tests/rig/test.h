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

#include "base/pairs.h"
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

/// Fields of a structure, each of which must be this number:
///
///     FIELDS_ARE(&report, (packets, 48), (bytes, 4800));
///
/// C does not say which number is worked out first.
#define FIELDS_ARE(POINTER, ...)                                                             \
  test_fields((const struct test_field[]){SLUICE_PAIRS(TEST_FIELD, POINTER, , __VA_ARGS__)}, \
              PAIRS_NUM(__VA_ARGS__), __FILE__, __LINE__)
#define TEST_FIELD(POINTER, UNUSED, FIELD, WANTED) \
  { #FIELD, (uintmax_t)((POINTER)->FIELD), (uintmax_t)(WANTED) }
struct test_field {
  const char *name;
  uintmax_t is, wanted;
};
static inline void test_fields(const struct test_field *fields, unsigned num, const char *file,
                               int line) {
  for (unsigned i = 0; i < num; i++)
    if (fields[i].is != fields[i].wanted) {
      print_error("%s is %#jx, not %#jx\n", fields[i].name, fields[i].is, fields[i].wanted);
      _fail(file, line);
    }
}

/// For a program that has a main of its own all the same: runs them, and returns how many failed.
int tests_run(void);
