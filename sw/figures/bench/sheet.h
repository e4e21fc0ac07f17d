// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/status.h>
#include <stdbool.h>
#include <stdio.h>

/// A table of texts whose columns have names, which its first row holds:
///
///     id,verdict
///     fig7a-1,EQUIVALENT
///
/// has one row, and sheet_at(s, 0, "verdict") is "EQUIVALENT". Cells hold no separator and no
/// newline, so there are no quotes.
struct sheet {
  unsigned columns;
  size_t count, room;  // cells, the names among them
  char **cells;
  bool nomem;  // an addition has failed
};

/// An empty one; `names` are separated by commas. Additions that fail show at sheet_check.
void sheet_begin(struct sheet *sheet, const char *names);
/// One more cell, in the row that is not full.
void sheet_put(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The same for a number, as short as it can be read back; NAN: an empty cell.
void sheet_put_number(struct sheet *sheet, double value);
/// Whether all additions have succeeded and every row is full.
SLUICE_MUST_CHECK enum sluice_status sheet_check(const struct sheet *sheet,
                                                 struct sluice_error *error);
/// Reads a file; rows must have as many cells as there are names. "-" is standard input.
SLUICE_MUST_CHECK enum sluice_status sheet_read(struct sheet *sheet, const char *path,
                                                char separator, struct sluice_error *error);
SLUICE_MUST_CHECK enum sluice_status sheet_write(const struct sheet *sheet, const char *path,
                                                 char separator, struct sluice_error *error);
size_t sheet_rows(const struct sheet *sheet);
/// Number of a column, or -1.
int sheet_column(const struct sheet *sheet, const char *name);
/// The cell; "" if there is no such column.
const char *sheet_at(const struct sheet *sheet, size_t row, const char *name);
/// The cell as a number; NAN if it is none.
double sheet_number(const struct sheet *sheet, size_t row, const char *name);
/// Whether the cell is `text`.
bool sheet_is(const struct sheet *sheet, size_t row, const char *name, const char *text);
/// The rows of `from` whose cell in `name` is `text`.
void sheet_select(struct sheet *to, const struct sheet *from, const char *name, const char *text);
/// Sorts rows; `compare` gets the cells of two of them.
void sheet_sort(struct sheet *sheet, int (*compare)(const void *a, const void *b));
void sheet_release(struct sheet *sheet);
