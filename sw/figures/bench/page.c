// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/status.h"

enum { PATH_LEN = PATH_MAX };

const struct page_title page_titles[] = {
    {"fig7a", "Figure 7a: pipelines"},
    {"fig7b", "Figure 7b: stateful stages"},
    {"fig7c", "Figure 7c: register size"},
    {"fig7d", "Figure 7d: packet size"},
    {"fig8-flowlet", "Figure 8: flowlet"},
    {"fig8-conga", "Figure 8: conga"},
    {"fig8-wfq", "Figure 8: wfq"},
    {"fig8-sequencer", "Figure 8: sequencer"},
    {"fig8-programs", "Figure 8 with the programs themselves, compiled"},
    {"steps-table", "Mode MP5, step by step from the published simulator to the chip"},
    {"steps", "The same: all runs"},
    {"principles", "Section 4.3.2: what each principle brings"},
    {"stress", "Stress: every packet accesses four states"},
    {"banks", "Stress: size of the payload banks, and the memory that it costs"},
    {"mechanisms", "Each mechanism switched off"},
    {"speed", "Simulator speed"},
    {NULL, NULL},
};

static const char head[] =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sluice: "
    "evaluation</title><style>\n"
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\n"
    "table{border-collapse:collapse;font-size:13px}td,th{padding:2px 8px;border-bottom:1px solid "
    "#ddd;text-align:right}\n"
    "td:nth-child(-n+3),th:nth-child(-n+3){text-align:left}details{margin:.5em "
    "0}svg{max-width:100%;height:auto}\n"
    "</style></head><body><h1>Sluice: evaluation</h1>\n"
    "<p>Throughput is the paper's: cycles until the last packet has arrived over cycles until the "
    "last has departed. \"Less constant\n"
    "latency\" subtracts from the latter the latency of a lone 64-byte packet through the idle "
    "switch of the same build, because a stage\n"
    "takes eight cycles here and one in the paper's simulator. \"Once\": each trace once; \"ten "
    "times\": ten times in a row (steady state).\n"
    "All chip runs are cycle-accurate RTL; EQUIVALENT means that every packet and the whole final "
    "state equal the reference's.</p>\n";

static void put_text(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<') fputs("&lt;", out);
    else if (*text == '&') fputs("&amp;", out);
    else putc(*text, out);
  }
}

static void put_title(FILE *out, const char *name) {
  for (const struct page_title *t = page_titles; t->name; t++)
    if (strcmp(t->name, name) == 0) name = t->title;
  fprintf(out, "<h2>%s</h2>\n", name);
}

// The picture without what stands before it in a file of its own.
static void put_picture(FILE *out, const char *folder, const char *name) {
  char path[PATH_LEN], line[65536];
  bool inside = false;
  snprintf(path, sizeof path, "%s/%s.svg", folder, name);
  FILE *in = fopen(path, "r");
  while (in && fgets(line, sizeof line, in)) {
    inside |= strncmp(line, "<svg", 4) == 0;
    if (inside) fputs(line, out);
  }
  if (in) fclose(in);
}

// The first column is the figure, which the title says.
static void put_table(FILE *out, const char *name, const struct sheet *s) {
  fprintf(out, "<details><summary>%s.csv</summary><table>\n", name);
  for (size_t row = 0; row <= sheet_rows(s); row++) {
    const char *tag = row == 0 ? "th" : "td";
    fputs("<tr>", out);
    for (unsigned i = 1; i < s->columns; i++) {
      fprintf(out, "<%s>", tag);
      put_text(out, s->cells[row * s->columns + i]);
      fprintf(out, "</%s>", tag);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table></details>\n", out);
}

enum sluice_status page_write(const char *folder, const char *summary,
                              const struct page_figure *figures, struct sluice_error *error) {
  char path[PATH_LEN];
  snprintf(path, sizeof path, "%s/report.html", folder);
  FILE *out = fopen(path, "w");
  if (out) {
    fputs(head, out);
    fputs("<h2>What was to be reached</h2><pre>\n", out);
    put_text(out, summary);
    fputs("</pre>\n", out);
    for (; figures->name; figures++) {
      if (!figures->table || !sheet_rows(figures->table)) continue;
      put_title(out, figures->name);
      put_picture(out, folder, figures->name);
      put_table(out, figures->name, figures->table);
    }
    fputs("</body></html>\n", out);
  }
  const bool good = out && !ferror(out);
  if (out && fclose(out) == 0 && good) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
}
