// SPDX-License-Identifier: Apache-2.0
// Numbers have one reading.

#include "tests/rig/test.h"
#include "base/number.h"

TEST(a_number_is_decimal_or_hexadecimal_or_refused) {
  static const struct {
    const char *text;
    enum sluice_reading reading;
    uint64_t value;
  } rows[] = {{"0", SLUICE_READ, 0},
              {"10", SLUICE_READ, 10},
              {"0x10", SLUICE_READ, 16},
              {"0XfF", SLUICE_READ, 255},
              {"0x010", SLUICE_READ, 16},
              {"18446744073709551615", SLUICE_READ, UINT64_MAX},
              {"0xffffffffffffffff", SLUICE_READ, UINT64_MAX},
              {"18446744073709551616", SLUICE_TOO_LARGE, 0},
              {"0x10000000000000000", SLUICE_TOO_LARGE, 0},
              {"99999999999999999999999999999999999999999999999999", SLUICE_TOO_LARGE, 0},
              {"010", SLUICE_OCTAL, 0},
              {"00", SLUICE_OCTAL, 0},
              {"08", SLUICE_OCTAL, 0},
              {"", SLUICE_NO_NUMBER, 0},
              {" 1", SLUICE_NO_NUMBER, 0},
              {"1 ", SLUICE_NO_NUMBER, 0},
              {"+1", SLUICE_NO_NUMBER, 0},
              {"-1", SLUICE_NO_NUMBER, 0},
              {"12x", SLUICE_NO_NUMBER, 0},
              {"0x", SLUICE_NO_NUMBER, 0},
              {"0xg", SLUICE_NO_NUMBER, 0},
              {"1e3", SLUICE_NO_NUMBER, 0},
              {"1.0", SLUICE_NO_NUMBER, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint64_t value = 77;
    const enum sluice_reading got = sluice_number_len(rows[i].text, strlen(rows[i].text), &value);
    if (got != rows[i].reading || value != (got == SLUICE_READ ? rows[i].value : 77))
      fail_msg("'%s' is %d, %llu", rows[i].text, got, (unsigned long long)value);
    assert_int_equal(sluice_number_in(rows[i].text, 0, UINT64_MAX, &value), got == SLUICE_READ);
  }
}

TEST(bounds_are_kept) {
  uint64_t value = 1;
  unsigned u = 1;
  int64_t s = 1;
  assert_false(sluice_number_in("4294967298", 1, 4094, &value));
  assert_false(sluice_unsigned_in("4294967298", 0, UINT32_MAX, &u));
  assert_true(value == 1 && u == 1);
  assert_true(sluice_unsigned_in("4294967295", 0, UINT32_MAX, &u) && u == UINT32_MAX);
  assert_true(sluice_signed_in("-9223372036854775808", INT64_MIN, INT64_MAX, &s) && s == INT64_MIN);
  assert_true(sluice_signed_in("-0x10", -16, 0, &s) && s == -16);
  assert_false(sluice_signed_in("9223372036854775808", INT64_MIN, INT64_MAX, &s));
  assert_false(sluice_signed_in("-9223372036854775809", INT64_MIN, INT64_MAX, &s));
  assert_false(sluice_signed_in("--1", -5, 5, &s));
  assert_false(sluice_signed_in("-", -5, 5, &s));
  const char *at = "5:010";
  assert_true(sluice_number_next(&at, 0, 9, &value) && value == 5 && *at == ':');
  at++;
  assert_false(sluice_number_next(&at, 0, 99, &value));
  assert_string_equal(sluice_number_hint(at), " (numbers do not begin with 0)");
  assert_string_equal(sluice_number_hint("10"), "");
}

TEST(fractions_and_digits) {
  double real = 0;
  uint64_t value = 0;
  static const char *const good[] = {"0.5", ".5", "1e3", "-2", "5."};
  static const char *const bad[] = {"",   "inf",   "nan", "0x1p3", " 1",
                                    "1 ", "1e999", "+1",  ".",     "1,5"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(sluice_real(good[i], &real));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sluice_real(bad[i], &real)) fail_msg("'%s'", bad[i]);
  assert_true(sluice_hex_digits("0aFf", 4, &value) && value == 0x0aff);
  assert_false(sluice_hex_digits("0a", 4, &value));
  assert_false(sluice_hex_digits("0x12", 4, &value));
}
