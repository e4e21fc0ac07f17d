// SPDX-License-Identifier: Apache-2.0
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return 16;
}

enum sluice_reading sluice_number_at(const char *text, const char **end, uint64_t *value) {
  const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
                           digit_of(text[2]) < 16;
  const unsigned base = hexadecimal ? 16 : 10;
  const char *at = hexadecimal ? text + 2 : text;
  uint64_t v = 0;
  bool large = false;
  for (; digit_of(*at) < base; at++) {
    const unsigned digit = digit_of(*at);
    large |= v > (UINT64_MAX - digit) / base;
    v = v * base + digit;
  }
  *end = at;
  if (at == text) return SLUICE_NO_NUMBER;
  if (!hexadecimal && text[0] == '0' && at > text + 1) return SLUICE_OCTAL;
  if (large) return SLUICE_TOO_LARGE;
  *value = v;
  return SLUICE_READ;
}

enum sluice_reading sluice_number_len(const char *text, size_t len, uint64_t *value) {
  char copy[40];
  const char *end;
  uint64_t v;
  if (len == 0 || memchr(text, 0, len)) return SLUICE_NO_NUMBER;
  // Longer ones are too large, if they are numbers at all.
  const size_t kept = len < sizeof copy ? len : sizeof copy - 1;
  memcpy(copy, text, kept);
  copy[kept] = 0;
  const enum sluice_reading reading = sluice_number_at(copy, &end, &v);
  if (*end) return SLUICE_NO_NUMBER;
  if (reading == SLUICE_READ && kept < len) return SLUICE_NO_NUMBER;
  if (reading == SLUICE_READ) *value = v;
  return reading;
}

bool sluice_number_next(const char **text, uint64_t low, uint64_t high, uint64_t *value) {
  const char *end;
  uint64_t v;
  if (sluice_number_at(*text, &end, &v) != SLUICE_READ || v < low || v > high) return false;
  *value = v;
  *text = end;
  return true;
}

bool sluice_number_in(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
  uint64_t v;
  if (!sluice_number_next(&text, low, high, &v) || *text) return false;
  *value = v;
  return true;
}

bool sluice_unsigned_in(const char *text, unsigned low, unsigned high, unsigned *value) {
  uint64_t v;
  if (!sluice_number_in(text, low, high, &v)) return false;
  *value = (unsigned)v;
  return true;
}

bool sluice_signed_next(const char **text, int64_t low, int64_t high, int64_t *value) {
  const bool minus = **text == '-';
  const char *at = *text + minus;
  uint64_t v;
  if (!sluice_number_next(&at, 0, minus ? UINT64_C(1) << 63 : INT64_MAX, &v)) return false;
  const int64_t number = minus ? (int64_t)-v : (int64_t)v;
  if (number < low || number > high) return false;
  *value = number;
  *text = at;
  return true;
}

bool sluice_signed_in(const char *text, int64_t low, int64_t high, int64_t *value) {
  int64_t v;
  if (!sluice_signed_next(&text, low, high, &v) || *text) return false;
  *value = v;
  return true;
}

const char *sluice_number_hint(const char *text) {
  const char *end;
  uint64_t v;
  return sluice_number_at(text + (*text == '-'), &end, &v) == SLUICE_OCTAL
             ? " (numbers do not begin with 0)"
             : "";
}

bool sluice_hex_digits(const char *text, size_t num, uint64_t *value) {
  uint64_t v = 0;
  if (num == 0 || num > 16) return false;
  for (size_t i = 0; i < num; i++) {
    const unsigned digit = digit_of(text[i]);
    if (digit > 15) return false;
    v = v << 4 | digit;
  }
  *value = v;
  return true;
}

static bool sluice_real_at(const char *text, const char **end, double *value) {
  const char *at = text + (*text == '-');
  // strtod takes more than fractions: hexadecimal ones, "inf" and spaces in front.
  if (!(at[0] >= '0' && at[0] <= '9') && !(at[0] == '.' && at[1] >= '0' && at[1] <= '9'))
    return false;
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) return false;
  char *stop;
  const double v = strtod(text, &stop);
  if (!isfinite(v)) return false;
  *end = stop;
  *value = v;
  return true;
}

bool sluice_real(const char *text, double *value) {
  const char *end;
  double v;
  if (!sluice_real_at(text, &end, &v) || *end) return false;
  *value = v;
  return true;
}
