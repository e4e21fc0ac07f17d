// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "table_plan.h"

/// Parts of texts of tables (sluice/table.h), for words and for files.

enum table_text {
  TABLE_TEXT_GOOD,
  TABLE_TEXT_NONE,     // neither a number nor an address
  TABLE_TEXT_ADDRESS,  // an address, and the value has not its width
  TABLE_TEXT_LARGE,    // more bits than there are
};
enum table_text table_text_value(const char *text, size_t len, unsigned bits, uint64_t *value);

/// Key `n` of a table.
enum sluice_status table_text_key(const struct sluice_placed_table *table, unsigned n,
                                  const char *text, struct sluice_table_match *match,
                                  struct sluice_error *error);
/// The key of a name, `p.dst` or `dst`; -1: there is none.
int table_text_key_named(const struct sluice_image_table *table, const char *name);
/// Argument `n` of an action.
enum sluice_status table_text_arg(const struct sluice_placed_table *table, unsigned action,
                                  unsigned n, const char *text, uint64_t *value,
                                  struct sluice_error *error);
/// sluice_table_read; `all_new`: a row whose key has an entry in the plan is refused, with its
/// line.
enum sluice_status table_file_read(const struct sluice_plan *plan, unsigned vid, const char *table,
                                   const char *text, size_t len, const char *name, bool all_new,
                                   struct sluice_table_change **changes, unsigned *num,
                                   const struct sluice_alloc *alloc, struct sluice_error *error);
