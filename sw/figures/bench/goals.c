// SPDX-License-Identifier: Apache-2.0
#include "goals.h"

#include <string.h>

// The stress goals are those of banks of 32; at K = 4 they are asked of banks of 16, too.
static const struct goal {
  const char *figure, *series;
  const char *pattern, *parameter;  // NULL: all
  const char *passes;
  double least;
} goals[] = {
    {"fig7a", "ours", "uniform", "2", "1", 0.99},
    {"fig7a", "ours", "heavytail", "2", "1", 0.99},
    {"fig7a", "ours", "uniform", "2", "10", 0.997},
    {"fig7a", "ours", "heavytail", "2", "10", 0.997},
    {"fig7a", "ours", "uniform", "4", "1", 0.985},
    {"fig7a", "ours", "heavytail", "4", "1", 0.985},
    {"fig7a", "ours", "uniform", "4", "10", 0.996},
    {"fig7a", "ours", "heavytail", "4", "10", 0.996},
    {"fig7a", "ours", "uniform", "8", "1", 0.975},
    {"fig7a", "ours", "heavytail", "8", "1", 0.975},
    {"fig7a", "ours", "uniform", "8", "10", 0.995},
    {"fig7a", "ours", "heavytail", "8", "10", 0.995},
    {"fig7a", "ours", "uniform", "16", "1", 0.955},
    {"fig7a", "ours", "heavytail", "16", "1", 0.955},
    {"fig7a", "ours", "uniform", "16", "10", 0.992},
    {"fig7a", "ours", "heavytail", "16", "10", 0.992},
    {"fig7b", "ours", "uniform", "10", "1", 0.975},
    {"fig7b", "ours", "heavytail", "10", "1", 0.975},
    {"fig7b", "ours", "uniform", "10", "10", 0.99},
    {"fig7b", "ours", "heavytail", "10", "10", 0.99},
    {"fig7c", "ours", "uniform", "4", "1", 0.94},
    {"fig7c", "ours", "heavytail", "4", "1", 0.51},
    {"fig7c", "ours", "uniform", "16", "1", 0.985},
    {"fig7c", "ours", "heavytail", "16", "1", 0.88},
    {"fig8-flowlet", "ours", NULL, NULL, "1", 0.999},
    {"fig8-conga", "ours", NULL, NULL, "1", 0.999},
    {"fig8-wfq", "ours", NULL, NULL, "1", 0.999},
    {"fig8-sequencer", "ours", NULL, NULL, "1", 0.999},
    {"fig8-programs", "flowlet", NULL, NULL, "1", 0.999},
    {"fig8-programs", "conga", NULL, NULL, "1", 0.999},
    {"fig8-programs", "wfq", NULL, NULL, "1", 0.999},
    {"fig8-programs", "sequencer", NULL, NULL, "1", 0.999},
    {"stress", "wide", "k4", "uniform-512-100", "1", 0.92},
    {"stress", "wide", "k4", "zipf-512-90", "1", 0.985},
    {"stress", "wide", "k4", "zipf-4096-95", "1", 0.96},
    {"stress", "wide", "k4", "uniform-512-100-bank16", "1", 0.92},
    {"stress", "wide", "k4", "zipf-512-90-bank16", "1", 0.985},
    {"stress", "wide", "k4", "zipf-4096-95-bank16", "1", 0.96},
    {"stress", "wide", "k8", "uniform-512-100", "1", 0.93},
    {"stress", "wide", "k8", "zipf-512-90", "1", 0.98},
    {"stress", "wide", "k8", "zipf-4096-95", "1", 0.95},
};

static bool meant(const struct goal *goal, const struct sheet *s, size_t row) {
  return sheet_is(s, row, "figure", goal->figure) && sheet_is(s, row, "series", goal->series) &&
         (!goal->pattern || sheet_is(s, row, "pattern", goal->pattern)) &&
         (!goal->parameter || sheet_is(s, row, "parameter", goal->parameter)) &&
         sheet_is(s, row, "passes", goal->passes);
}

void goals_reach(const struct sheet *s, void (*say)(void *user, const char *sentence), void *user) {
  unsigned reached = 0, missed = 0;
  char text[1000];
  for (size_t row = 0; row < sheet_rows(s); row++)
    for (const struct goal *goal = goals; goal < goals + sizeof goals / sizeof *goals; goal++) {
      if (!meant(goal, s, row)) continue;
      const double share = sheet_number(s, row, "less_constant_latency");
      const bool good = share >= goal->least && sheet_is(s, row, "verdict", "EQUIVALENT");
      snprintf(text, sizeof text, "%s %s %s %s x%s: %.4f (at least %g) %s",
               good ? "reached" : "missed ", goal->figure, sheet_at(s, row, "pattern"),
               sheet_at(s, row, "parameter"), goal->passes, share, goal->least,
               sheet_at(s, row, "verdict"));
      say(user, text);
      if (good) reached++;
      else missed++;
    }
  snprintf(text, sizeof text, "%u reached, %u missed", reached, missed);
  say(user, text);
}

static bool ended_well(const struct sheet *s, size_t row) {
  return sheet_is(s, row, "verdict", "EQUIVALENT") || sheet_is(s, row, "verdict", "STUDY") ||
         (sheet_is(s, row, "series", "no-phantoms") && sheet_is(s, row, "verdict", "DIFFERENT")) ||
         (sheet_is(s, row, "series", "no-escape") && sheet_is(s, row, "verdict", "STUCK"));
}

unsigned goals_verdicts(const struct sheet *s, void (*say)(void *user, const char *sentence),
                        void *user) {
  unsigned wrong = 0;
  char text[1000];
  for (size_t row = 0; row < sheet_rows(s); row++) {
    if (ended_well(s, row)) continue;
    snprintf(text, sizeof text, "wrong   %s %s %s %s x%s: %s", sheet_at(s, row, "figure"),
             sheet_at(s, row, "series"), sheet_at(s, row, "pattern"), sheet_at(s, row, "parameter"),
             sheet_at(s, row, "passes"), sheet_at(s, row, "verdict"));
    say(user, text);
    wrong++;
  }
  return wrong;
}
