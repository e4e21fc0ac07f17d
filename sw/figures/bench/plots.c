// SPDX-License-Identifier: Apache-2.0
#include "plots.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "process.h"

// The lines of a plot: a series of the results, or a column of the published ones.
static const struct curve {
  const char *name, *passes, *title;
  bool published;
} curves[] = {
    {"ours", "1", "ours, once", false},    {"ours", "10", "ours, ten times", false},
    {"mp5", "1", "MP5 mode, once", false}, {"study", "1", "study of ours", false},
    {"mp5", "", "MP5 published", true},    {"ideal", "", "MP5 ideal", true},
};
enum { CURVES = sizeof curves / sizeof *curves, PATTERNS = 2, PATH_LEN = PATH_MAX };

static const struct plot {
  const char *figure, *experiment, *xlabel;
  bool linear;
} plots[] = {
    {"fig7a", "pipelines", "pipelines", false},
    {"fig7b", "stateful-stages", "stateful stages", true},
    {"fig7c", "state-size", "register entries", false},
    {"fig7d", "packet-size", "packet size (bytes)", false},
    {"fig8-flowlet", "flowlet", "pipelines (flowlet)", false},
    {"fig8-conga", "conga", "pipelines (conga)", false},
    {"fig8-wfq", "wfq", "pipelines (wfq)", false},
    {"fig8-sequencer", "sequencer", "pipelines (sequencer)", false},
};
static const char *const bars[] = {"fig8-programs", "stress", "principles", "mechanisms"};
static const char *const patterns[PATTERNS] = {"uniform", "heavytail"};
static const char *const titles[PATTERNS] = {"uniform", "skewed"};

static const struct {
  const char *end, *curves;
  double base, row;  // height of bars
} kinds[] = {
    {"svg", "svg size 900,360 font 'sans,11'", 120, 18},
    {"png", "png size 1200,480", 160, 20},
};
enum { KINDS = 2 };

struct point {
  double x, y;
};
static int by_x(const void *a, const void *b) {
  const struct point *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

// A block of data, $NAME, by rising x. False: it has no points, and is not written.
static bool put_points(FILE *out, const struct plot *plot, const struct curve *curve,
                       const char *pattern, unsigned number, const struct sheet *results,
                       const struct sheet *published) {
  const struct sheet *s = curve->published ? published : results;
  const size_t rows = sheet_rows(s);
  struct point *points = calloc(rows + 1, sizeof *points);
  size_t num = 0;
  for (size_t row = 0; points && row < rows; row++) {
    // Published: the mean of the sets, where there are several.
    const bool meant = sheet_is(s, row, "pattern", pattern) &&
                       (curve->published ? sheet_is(s, row, "experiment", plot->experiment) &&
                                               (sheet_is(s, row, "trace_set", "avg") ||
                                                sheet_is(s, row, "trace_set", "single"))
                                         : sheet_is(s, row, "figure", plot->figure) &&
                                               sheet_is(s, row, "series", curve->name) &&
                                               sheet_is(s, row, "passes", curve->passes));
    const double y = sheet_number(s, row, curve->published ? curve->name : "less_constant_latency");
    if (meant && !isnan(y)) points[num++] = (struct point){sheet_number(s, row, "parameter"), y};
  }
  if (num) {
    qsort(points, num, sizeof *points, by_x);
    fprintf(out, "$%s%u << END\n", pattern, number);
    for (size_t i = 0; i < num; i++) fprintf(out, "%.10g %.10g\n", points[i].x, points[i].y);
    fputs("END\n", out);
  }
  free(points);
  return num != 0;
}

static void put_curves(FILE *out, const struct plot *plot, const char *folder,
                       const struct sheet *results, const struct sheet *published) {
  bool there[PATTERNS][CURVES];
  for (int p = 0; p < PATTERNS; p++)
    for (unsigned c = 0; c < CURVES; c++)
      there[p][c] = put_points(out, plot, &curves[c], patterns[p], c, results, published);
  for (int k = 0; k < KINDS; k++) {
    fprintf(out,
            "reset\nset terminal %s background '#ffffff'\nset output '%s/%s.%s'\n"
            "set multiplot layout 1,2\nset xlabel '%s'; set ylabel 'throughput (share of line "
            "rate)'; set yrange [0:1.05]\nset key bottom left; set grid ytics lc '#dddddd'\n%s",
            kinds[k].curves, folder, plot->figure, kinds[k].end, plot->xlabel,
            plot->linear ? "" : "set logscale x 2\n");
    for (int p = 0; p < PATTERNS; p++) {
      fprintf(out, "set title '%s'\nplot ", titles[p]);
      const char *comma = "";
      for (unsigned c = 0; c < CURVES; c++) {
        if (!there[p][c]) continue;
        fprintf(out, "%s$%s%u using 1:2 with linespoints lc %u pt %u title '%s'", comma,
                patterns[p], c, c + 1, c + 1, curves[c].title);
        comma = ", ";
      }
      fputs(*comma ? "\n" : "NaN notitle\n", out);
    }
    fputs("unset multiplot\nset output\n", out);
  }
}

static void put_bars(FILE *out, const char *figure, const char *folder,
                     const struct sheet *results) {
  size_t num = 0;
  fputs("$bars << END\n", out);
  for (size_t row = 0; row < sheet_rows(results); row++) {
    if (!sheet_is(results, row, "figure", figure)) continue;
    fprintf(out, "\"%s %s %s\" %s\n", sheet_at(results, row, "series"),
            sheet_at(results, row, "pattern"), sheet_at(results, row, "parameter"),
            sheet_at(results, row, "less_constant_latency"));
    num++;
  }
  fputs("END\n", out);
  for (int k = 0; k < KINDS; k++) {
    fputs("reset\nset terminal ", out);
    fprintf(out, k == 0 ? "svg size 900,%.0f font 'sans,11'" : "png size 1200,%.0f",
            kinds[k].base + kinds[k].row * (double)num);
    fprintf(out,
            " background '#ffffff'\nset output '%s/%s.%s'\n"
            "set title '%s: throughput less constant latency' noenhanced\n"
            "set style fill solid; set yrange [%zu:-1]; set xrange [0:1.05]\n"
            "set grid xtics lc '#dddddd'; unset key; set lmargin 44\n"
            "plot $bars using ($2/2):0:($2/2):(0.35):yticlabels(1) with boxxyerror lc '#4477aa'\n"
            "set output\n",
            folder, figure, kinds[k].end, figure, num);
  }
}

static bool has(const struct sheet *results, const char *figure) {
  for (size_t row = 0; row < sheet_rows(results); row++)
    if (sheet_is(results, row, "figure", figure)) return true;
  return false;
}

// One script, for one figure.
static enum sluice_status make(const char *folder, const struct plot *plot, const char *bar,
                               const struct sheet *results, const struct sheet *published,
                               struct sluice_error *error) {
  const char *figure = plot ? plot->figure : bar;
  char script[PATH_LEN], log[PATH_LEN];
  if (!has(results, figure)) return SLUICE_OK;
  if (strchr(folder, '\''))
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%s': gnuplot takes no folder with a quote",
                       folder);
  snprintf(script, sizeof script, "%s/plot/%s.gp", folder, figure);
  snprintf(log, sizeof log, "%s/plot/%s.log", folder, figure);
  FILE *out = fopen(script, "w");
  if (out && plot) put_curves(out, plot, folder, results, published);
  if (out && !plot) put_bars(out, bar, folder, results);
  if (!out || fclose(out) != 0)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", script, strerror(errno));
  struct process_words *words = calloc(1, sizeof *words);
  if (!words) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for a command");
  process_split(words, "gnuplot");
  process_word(words, "%s", script);
  const int code = process_run(words, log, log, 0, NULL, NULL);
  free(words);
  if (code == 0) return SLUICE_OK;
  return sluice_fail(
      error, SLUICE_ERR_IO,
      code == 127 ? "cannot run gnuplot: is it installed?%.0s" : "gnuplot failed, see '%s'", log);
}

enum sluice_status plots_make(const char *folder, const struct sheet *results,
                              const struct sheet *published, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  for (size_t i = 0; !status && i < sizeof plots / sizeof *plots; i++)
    status = make(folder, &plots[i], NULL, results, published, error);
  for (size_t i = 0; !status && i < sizeof bars / sizeof *bars; i++)
    status = make(folder, NULL, bars[i], results, published, error);
  return status;
}
