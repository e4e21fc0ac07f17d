// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sheet.h"

/// One plot a figure that has results, FOLDER/FIGURE.svg and .png, by gnuplot: ours beside the
/// published curves, or a bar a run. Scripts with their data stay in FOLDER/plot, which is there.
SLUICE_MUST_CHECK enum sluice_status plots_make(const char *folder, const struct sheet *results,
                                                const struct sheet *published,
                                                struct sluice_error *error);
