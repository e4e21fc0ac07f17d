// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>

/// The page of `sluice top`, as lines of text: what it says follows from the answers of a switch
/// alone, so that it can be tested without a terminal.
enum { TOP_LINES = 160, TOP_COLUMNS = 160 };
struct top_page {
  unsigned num;
  char lines[TOP_LINES][TOP_COLUMNS];
};

/// Answers of the verbs list, counters and stages at one moment.
struct top_moment {
  double time;  // seconds
  json_t *list, *counters, *stages;
};

/// Rates are those from `before` to `now`; `before` with no answers (zeroed): since the start of
/// the switch.
void top_page(struct top_page *page, const struct top_moment *before, const struct top_moment *now);
