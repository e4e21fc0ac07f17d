// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sheet.h"

/// A figure of the page: a plot, FOLDER/NAME.svg, if there is one, and a table.
struct page_figure {
  const char *name;
  const struct sheet *table;  // NULL or without rows: the figure is left out
};

/// Writes FOLDER/report.html: one page that needs nothing else. `figures` ends with a name of NULL;
/// what they are called is known here. `summary`: lines of text at its top.
SLUICE_MUST_CHECK enum sluice_status page_write(const char *folder, const char *summary,
                                                const struct page_figure *figures,
                                                struct sluice_error *error);
/// The figures that a page has, in their order; ends with a name of NULL.
struct page_title {
  const char *name, *title;
};
extern const struct page_title page_titles[];
