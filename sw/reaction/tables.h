// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/table.h>
#include <stdio.h>

#include "source.h"

/// Tables of a program as functions of its reactions' C file, and what they wrote down as changes.
///
///     table block { key: p.src: exact; actions: drop(int why: 16); ... }
///
///     block_add_drop(src, 3);      block_modify_drop(src, 4);      block_set_drop(src, 4);
///     block_delete(src);           block_clear();                  block_default_permit();
void reaction_put_tables(FILE *out, const struct sluice_image *image);

/// The change that a body wrote down. SLUICE_ERR_FORMAT: it is none of this program's.
SLUICE_MUST_CHECK enum sluice_status reaction_table_change(
    const struct sluice_image *image, unsigned vid, const int64_t words[REACTION_CHANGE_WORDS],
    struct sluice_table_change *change, struct sluice_error *error);
