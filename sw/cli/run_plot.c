// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../base/process.h"
#include "run.h"

enum { PLOT_SECONDS = 300 };

// gnuplot texts are in single quotes: a quote inside is doubled.
static void quote(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'') fputc('\'', out);
    fputc(*text, out);
  }
  fputc('\'', out);
}

// Both pictures from one script: order-queue occupancy above, output rate below. The rate of an
// interval is drawn at its start; `last` holds the cycle of the row before.
static void write_script(FILE *out, const char *prefix, const char *data, const char *title,
                         double line_rate) {
  static const char *const terminals[] = {
      "svg size 900,600 font 'DejaVu Sans,12' background 'white'",
      "pngcairo size 900,600 font 'DejaVu Sans,11'"};
  for (int i = 0; i < 2; i++) {
    char name[RUN_PATH + 8];
    snprintf(name, sizeof name, "%s%s", prefix, run_plot_ends[i]);
    fprintf(out, "reset\nset terminal %s\nset output ", terminals[i]);
    quote(out, name);
    fprintf(out, "\nset multiplot layout 2,1 title ");
    quote(out, title);
    fprintf(out, " noenhanced\nset lmargin 10\nset rmargin 6\nset offsets 0, 0, graph 0.05, 0\nset "
                 "grid lc rgb '#dddddd'\nset key outside top center horizontal\n"
                 "set xlabel 'cycle'\nset yrange [0:*]\nset ylabel 'order queue, packets'\nplot ");
    quote(out, data);
    fprintf(out, " using 1:2 with steps lw 1.5 lc rgb '#d95f02' title 'deepest', ");
    quote(out, data);
    fprintf(out, " using 1:3 with steps lw 1.5 lc rgb '#1b9e77' title 'mean of the deepest'\n"
                 "set ylabel 'packets per cycle'\nlast = NaN\nplot ");
    quote(out, data);
    fprintf(out,
            " using 1:(width = $1 - last, last = $1, $4 / width) with steps lw 1.5 lc rgb "
            "'#7570b3' title 'output rate', %.6f with lines lw 2 dashtype 2 lc rgb '#111111' title "
            "'line rate (%.3f)'\n"
            "unset multiplot\nset output\n",
            line_rate, line_rate);
  }
}

// "flowlet on k4: EQUIVALENT"
static void make_title(const struct run *run, const json_t *report, char *title, size_t size) {
  const char *verdict = json_string_value(json_object_get(report, "verdict"));
  size_t len = 0;
  for (unsigned i = 0; i < run->modules.count && len < size; i++)
    len += (size_t)snprintf(title + len, size - len, "%s%s", i ? ", " : "",
                            run->modules.items[i].image.program);
  if (len < size)
    snprintf(title + len, size - len, "%s%s: %s", len ? " on " : "", run->config->name,
             verdict ? verdict : "");
}

double run_line_rate(const struct run *run) {
  return run->num_beats
             ? (double)run->config->NumPipes * (double)run->num_packets / (double)run->num_beats
             : 0;
}

int run_plot(const struct run *run, const json_t *report) {
  char title[400];
  char data[RUN_PATH + 8], script[RUN_PATH];
  snprintf(data, sizeof data, "%s.tsv", run->plot);
  snprintf(script, sizeof script, "%s/%ld-plot.gp", run->work, (long)getpid());
  if (!cli_copy_file(run->timeline_path, data)) return CLI_WORLD;
  FILE *out = fopen(script, "w");
  if (!out) {
    cli_error("cannot open '%s': %s", script, strerror(errno));
    return CLI_WORLD;
  }
  make_title(run, report, title, sizeof title);
  write_script(out, run->plot, data, title, run_line_rate(run));
  if (fclose(out) != 0) {
    cli_error("cannot write '%s': %s", script, strerror(errno));
    return CLI_WORLD;
  }
  const char *const argv[] = {"gnuplot", script, NULL};
  const struct sluice_process_options options = {.argv = argv};
  struct sluice_error error;
  int code;
  const enum sluice_status status = sluice_process_run(&options, PLOT_SECONDS, &code, &error);
  remove(script);
  if (!status && code == 0) return CLI_DONE;
  if (status) cli_error("%s: is gnuplot installed?", error.text);
  else cli_error("gnuplot failed on '%s'", data);
  return CLI_WORLD;
}
