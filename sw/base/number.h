// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Numbers as people write them. They have one reading wherever they stand, in command lines, files
/// and requests: decimal, or hexadecimal behind 0x. A number that begins with 0 is refused, as in
/// programs: 010 would be 8 for some readers and 10 for others. No sign, no space.
enum sluice_reading {
  SLUICE_READ,       // it is a number
  SLUICE_NO_NUMBER,  // it is none
  SLUICE_OCTAL,      // it begins with 0
  SLUICE_TOO_LARGE,  // it does not fit 64 bits
};

/// Reads the digits at `text`, as far as they go; *end is behind them, or `text` if there are none.
enum sluice_reading sluice_number_at(const char *text, const char **end, uint64_t *value);
/// The whole text of `len` bytes.
enum sluice_reading sluice_number_len(const char *text, size_t len, uint64_t *value);
/// Whether the whole text is a number from `low` to `high`; else *value is unchanged.
bool sluice_number_in(const char *text, uint64_t low, uint64_t high, uint64_t *value);
bool sluice_unsigned_in(const char *text, unsigned low, unsigned high, unsigned *value);
/// Whether there is a number from `low` to `high` at *text; then *text is behind it.
bool sluice_number_next(const char **text, uint64_t low, uint64_t high, uint64_t *value);
/// The same with a '-' in front or not.
bool sluice_signed_in(const char *text, int64_t low, int64_t high, int64_t *value);
bool sluice_signed_next(const char **text, int64_t low, int64_t high, int64_t *value);
/// " (numbers do not begin with 0)" where that is what is wrong with the number at `text`, else "":
/// for the end of a message.
const char *sluice_number_hint(const char *text);

/// `num` hexadecimal digits, at most 16. False: other characters.
bool sluice_hex_digits(const char *text, size_t num, uint64_t *value);
/// A decimal fraction, as 0.5 or 1e6; finite. False: it is none.
bool sluice_real(const char *text, double *value);
