// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "process.h"

// ---- reports ------------------------------------------------------------------------------------

// The number at "a.b", or the sum of all at "a[].b", in an array or an object. "a|b": the first
// that is there. NAN: none.
static double at(json_t *report, const char *path) {
  char word[80];
  for (;;) {
    const char *end = strchrnul(path, '|');
    json_t *value = report;
    double sum = 0;
    bool some = false, all = false;
    for (const char *c = path; c < end && value && !all;) {
      const size_t len = strcspn(c, ".|[");
      snprintf(word, sizeof word, "%.*s", (int)len, c);
      value = json_object_get(value, word);
      c += len;
      if (*c == '.') c++;
      if (*c != '[') continue;
      all = true;
      c += c[2] == '.' ? 3 : 2;
      snprintf(word, sizeof word, "%.*s", (int)(end - c), c);
      const char *key;
      json_t *item;
      size_t index;
      json_array_foreach(value, index, item) {
        const json_t *number = *word ? json_object_get(item, word) : item;
        if (json_is_number(number)) sum += json_number_value(number), some = true;
      }
      json_object_foreach(value, key, item) if (json_is_number(item))
          sum += json_number_value(item),
          some = true;
    }
    if (some) return sum;
    if (!all && json_is_number(value)) return json_number_value(value);
    if (!*end) return NAN;
    path = end + 1;
  }
}

static double or_zero(double value) { return isnan(value) ? 0 : value; }

// Where the figures of a row are, in a report of a chip and of the study.
static const struct column {
  const char *name, *chip, *study;
  bool zero;  // what is not there is 0
} columns[] = {
    {"throughput", "as_published.throughput|throughput", "throughput", false},
    {"less_constant_latency", "as_published.less_constant_latency|share_of_line_rate",
     "throughput_net", false},
    {"verdict", NULL, NULL, false},
    {"deepest_queue", "deepest_order_queue", "deepest_queue", false},
    {"c1_violating_share", "recirculation.c1_late_share|c1_violating_share", NULL, true},
    {"drops", "drops[]", "dropped", true},
    {"moves", "moves.decided", "moves", true},
    {"packets", "packets", "packets", false},
    {"cycles", "cycles", "cycles", false},
    {"packets_per_second", "simulated_packets_per_second", "", true},
    {"slots_used", "slots.issued", "stages[].used", false},
    {"nothing_there", "slots.nothing_there", "stages[].nothing", false},
    {"waiting_for_order", "slots.waiting_for_order", "stages[].order", false},
    {"waiting_for_credit", "slots.waiting_for_credit", "stages[].credit", false},
    {"held_paced", "order[].paced", "held.pace", false},
    {"held_braked", "order[].braked", "held.brake", false},
};

static void put_row(struct sheet *sheet, const struct plan_run *run, json_t *report) {
  const bool study = strcmp(run->field[PLAN_VERB], "study") == 0;
  for (int i = PLAN_FIGURE; i <= PLAN_PASSES; i++) sheet_put(sheet, "%s", run->field[i]);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    const struct column *c = &columns[i];
    const char *verdict = json_string_value(json_object_get(report, c->name));
    if (strcmp(c->name, "verdict") == 0) {
      sheet_put(sheet, "%s",
                !study                                           ? (verdict ? verdict : "")
                : json_is_true(json_object_get(report, "stuck")) ? "STUCK"
                                                                 : "STUDY");
      continue;
    }
    double value = study ? (c->study ? at(report, c->study) : NAN) : at(report, c->chip);
    if (study && !c->study) {  // the study counts packets
      const double packets = at(report, "packets");
      value = packets > 0 ? or_zero(at(report, "c1_packets")) / packets : 0;
    }
    sheet_put_number(
        sheet, c->zero || (study && strncmp(c->name, "held", 4) == 0) ? or_zero(value) : value);
  }
}

// Figure, series, pattern as text; the parameter as a version, 4 before 16; passes as a number.
static int by_run(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  for (int i = 0; i < 5; i++) {
    const int order = i < 3   ? strcmp(x[i], y[i])
                      : i < 4 ? strverscmp(x[i], y[i])
                              : atoi(x[i]) - atoi(y[i]);
    if (order) return order;
  }
  return 0;
}

void figures_results(struct sheet *sheet, const struct results *results) {
  char names[1000] = "figure,series,pattern,parameter,passes";
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    const size_t len = strlen(names);
    snprintf(names + len, sizeof names - len, ",%s", columns[i].name);
  }
  sheet_begin(sheet, names);
  for (size_t i = 0; i < results->plan->count; i++)
    if (results->of[i])
      put_row(sheet, &results->plan->runs[i], json_object_get(results->of[i], "result"));
  sheet_sort(sheet, by_run);
}

// The row of a run, or -1.
static long find(const struct sheet *all, const char *figure, const char *series,
                 const char *pattern, const char *parameter) {
  for (size_t row = 0; row < sheet_rows(all); row++)
    if (sheet_is(all, row, "figure", figure) && sheet_is(all, row, "series", series) &&
        sheet_is(all, row, "pattern", pattern) && sheet_is(all, row, "parameter", parameter))
      return (long)row;
  return -1;
}

// Its throughput less constant latency, with the verdict if that is not as it must be; or nothing.
static void put_net(struct sheet *sheet, const struct sheet *all, long row) {
  const char *verdict = row < 0 ? "" : sheet_at(all, (size_t)row, "verdict");
  const bool good = strcmp(verdict, "EQUIVALENT") == 0 || strcmp(verdict, "STUDY") == 0;
  if (row < 0) sheet_put(sheet, "%s", "");
  else
    sheet_put(sheet, "%.4f%s%s", sheet_number(all, (size_t)row, "less_constant_latency"),
              good ? "" : " ", good ? "" : verdict);
}

// ---- mode MP5, step by step ---------------------------------------------------------------------

enum { STEPS = 20, CONSTANT_LATENCY = 16 };

// The cycle of the last arrival, as the study of the published results says it.
static double last_arrival(const struct results *results, const char *pattern,
                           const char *parameter) {
  for (size_t i = 0; i < results->plan->count; i++) {
    const char *const *field = results->plan->runs[i].field;
    if (results->of[i] && strcmp(field[PLAN_FIGURE], "steps") == 0 &&
        strcmp(field[PLAN_SERIES], "1-published") == 0 &&
        strcmp(field[PLAN_PATTERN], pattern) == 0 && strcmp(field[PLAN_PARAMETER], parameter) == 0)
      return at(json_object_get(results->of[i], "result"), "last_in");
  }
  return NAN;
}

static void put_published(struct sheet *sheet, const struct sheet *published, const char *set,
                          const char *pattern, const char *parameter, double last) {
  double throughput = NAN;
  for (size_t row = 0; row < sheet_rows(published); row++)
    if (sheet_is(published, row, "experiment", "pipelines") &&
        sheet_is(published, row, "trace_set", set) &&
        sheet_is(published, row, "pattern", pattern) &&
        sheet_is(published, row, "parameter", parameter))
      throughput = sheet_number(published, row, "mp5");
  if (isnan(throughput) || isnan(last)) sheet_put(sheet, "%s", "");
  else sheet_put(sheet, "%.4f", last / (last / throughput - CONSTANT_LATENCY));
}

void figures_steps(struct sheet *sheet, const struct sheet *all, const struct results *results,
                   const struct sheet *published) {
  const char *steps[STEPS], *const patterns[] = {"uniform", "heavytail"};
  char names[1000] = "figure,pipelines,pattern,published mean,published set";
  size_t num = 0;
  // Rows are sorted by series, and those that begin with a digit are the steps.
  for (size_t row = 0; row < sheet_rows(all); row++) {
    const char *series = sheet_at(all, row, "series");
    if (!sheet_is(all, row, "figure", "steps") || series[0] < '0' || series[0] > '9' ||
        series[1] != '-' || num == STEPS || (num && strcmp(steps[num - 1], series) == 0))
      continue;
    const size_t len = strlen(names);
    snprintf(names + len, sizeof names - len, ",study: %s", series + 2);
    steps[num++] = series;
  }
  const size_t len = strlen(names);
  snprintf(names + len, sizeof names - len, ",chip,chip with banks of 64");
  sheet_begin(sheet, names);
  for (unsigned k = 1; k <= 16; k *= 2)
    for (int n = 0; n < 2; n++) {
      char parameter[20], wide[40];
      bool some = false;
      snprintf(parameter, sizeof parameter, "%u", k);
      snprintf(wide, sizeof wide, "%u-banks-of-64", k);
      for (size_t i = 0; i < num; i++)
        some |= find(all, "steps", steps[i], patterns[n], parameter) >= 0;
      if (!some) continue;
      const double last = last_arrival(results, patterns[n], parameter);
      sheet_put(sheet, "steps");
      sheet_put(sheet, "%s", parameter);
      sheet_put(sheet, "%s", patterns[n]);
      put_published(sheet, published, "avg", patterns[n], parameter, last);
      put_published(sheet, published, "0", patterns[n], parameter, last);
      for (size_t i = 0; i < num; i++)
        put_net(sheet, all, find(all, "steps", steps[i], patterns[n], parameter));
      put_net(sheet, all, find(all, "steps", "mp5", patterns[n], parameter));
      put_net(sheet, all, find(all, "steps", "mp5", patterns[n], wide));
    }
}

// ---- banks --------------------------------------------------------------------------------------

static const unsigned bank_slots[] = {8, 16, 32}, bank_pipelines[] = {4, 8};

void figures_bank_bits(double bits[2][3], const char *log) {
  const char *verilator = getenv("VERILATOR"), mark[] = "bits of the banks: ";
  for (int k = 0; k < 2; k++)
    for (int b = 0; b < 3; b++) {
      char chip[20];
      struct process_words *words = calloc(1, sizeof *words);
      bits[k][b] = 0;
      if (!words) continue;
      process_split(words, verilator && *verilator ? verilator : "verilator");
      process_split(words, "--lint-only --top-module bank_bits");
      process_word(words, "-GDepth=%u", bank_slots[b]);
      evaluation_chip(chip, sizeof chip, "b4", bank_pipelines[k]);
      process_word(words, "build/%s/cfg/sluice_cfg_pkg.sv", chip);
      process_split(words, "rtl/sluice_layout_pkg.sv rtl/sluice_pkg.sv rtl/sluice_phv_pkg.sv "
                           "rtl/order/sluice_order_pkg.sv sw/figures/bench/bank_bits.sv");
      process_run(words, log, log, 0, NULL, NULL);
      free(words);
      char line[4096];
      FILE *in = fopen(log, "r");
      while (in && fgets(line, sizeof line, in)) {
        // Verilator shows the line of the source, too.
        const char *found = strstr(line, mark);
        if (found && found[strlen(mark)] != '%') bits[k][b] = strtod(found + strlen(mark), NULL);
      }
      if (in) fclose(in);
    }
}

void figures_banks(struct sheet *sheet, const struct sheet *all, double bits[2][3]) {
  static const char *const shapes[] = {"uniform-512-100", "zipf-4096-95", "zipf-512-90"};
  sheet_begin(sheet, "figure,pipelines,trace,bank,chip,study,mbit_of_banks,more_than_banks_of_8");
  for (int k = 0; k < 2; k++)
    for (int t = 0; t < 3; t++)
      for (int b = 0; b < 3; b++) {
        char pattern[20], study[40], parameter[60];
        snprintf(pattern, sizeof pattern, "k%u", bank_pipelines[k]);
        snprintf(study, sizeof study, "study-bank%u", bank_slots[b]);
        // Banks of 16 are those of the b configurations, banks of 32 of their wide sisters.
        snprintf(parameter, sizeof parameter, "%s%s", shapes[t], b == 1 ? "-bank16" : "");
        const long chip = b == 0 ? -1 : find(all, "stress", "wide", pattern, parameter),
                   model = find(all, "stress", study, pattern, shapes[t]);
        if (chip < 0 && model < 0) continue;
        sheet_put(sheet, "banks");
        sheet_put(sheet, "%u", bank_pipelines[k]);
        sheet_put(sheet, "%s", shapes[t]);
        sheet_put(sheet, "%u", bank_slots[b]);
        put_net(sheet, all, chip);
        put_net(sheet, all, model);
        if (bits[k][b] > 0 && bits[k][0] > 0) {
          sheet_put(sheet, "%.2f", bits[k][b] / 1e6);
          sheet_put(sheet, "%.2f", (bits[k][b] - bits[k][0]) / 1e6);
        } else {
          sheet_put(sheet, "%s", "");
          sheet_put(sheet, "%s", "");
        }
      }
}
