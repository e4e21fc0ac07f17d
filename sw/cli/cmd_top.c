// SPDX-License-Identifier: Apache-2.0
// A page of what a running switch does, again and again.
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/now.h"
#include "cli.h"
#include "switch.h"
#include "top_page.h"

enum { PATIENCE = 60 };  // seconds

static const struct cli_usage usage = {
    "top", "[OPTION...]",
    "Shows a running switch (sluice serve --control FILE): ports, programs, stages, drops",
    "q ends it. --once prints one page, and needs no terminal.\n"};

struct top {
  const char *path;
  double every;
  bool once;
  struct sluice_switch *sw;
  struct top_moment before, now;
  struct top_page page;
  struct sluice_error error;
};

static void forget(struct top_moment *m) {
  json_decref(m->list);
  json_decref(m->counters);
  json_decref(m->stages);
  *m = (struct top_moment){.time = 0};
}

static bool ask(struct top *top, const char *verb, json_t **answer) {
  json_t *request = json_pack("{s:s}", "do", verb);
  const enum sluice_status status = cli_switch_ask(top->sw, request, answer, NULL, &top->error);
  json_decref(request);
  return !status;
}

// The next page. False: error says why not.
static bool look(struct top *top) {
  forget(&top->before);
  top->before = top->now;
  top->now = (struct top_moment){.time = sluice_now()};
  if (!ask(top, "list", &top->now.list) || !ask(top, "counters", &top->now.counters) ||
      !ask(top, "stages", &top->now.stages))
    return false;
  top_page(&top->page, &top->before, &top->now);
  return true;
}

static bool print_page(struct top *top) {
  const bool good = look(top);
  for (unsigned n = 0; good && n < top->page.num; n++) printf("%s\n", top->page.lines[n]);
  return good;
}

// Until q, or the switch is gone.
static bool show(struct top *top) {
  bool good = true;
  int key = 0;
  initscr();
  cbreak();
  noecho();
  curs_set(0);
  timeout((int)(top->every * 1000));
  while (good && key != 'q' && key != 'Q') {
    good = look(top);
    erase();
    for (unsigned n = 0; good && n < top->page.num && (int)n < LINES; n++) {
      const bool head = n == 0 || (n && !top->page.lines[n - 1][0]);
      if (head) attron(A_BOLD);
      mvaddnstr((int)n, 0, top->page.lines[n], COLS);
      if (head) attroff(A_BOLD);
    }
    refresh();
    key = good ? getch() : 0;
  }
  endwin();
  return good;
}

int cmd_top(int argc, char **argv) {
  struct cli_list rest;
  struct top *top = calloc(1, sizeof *top);
  if (!top) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  top->path = getenv("SLUICE_CONTROL");
  top->every = 2;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_PATH, 's', "control", "FILE", &top->path, 0, 0,
       "control socket of the switch ($SLUICE_CONTROL)"},
      {CLI_NUMBER, 0, "every", "SECONDS", &top->every, 0.1, 3600, "a new page so often (2)"},
      {CLI_FLAG, '1', "once", NULL, &top->once, 0, 0,
       "prints one page and ends; rates are those since the switch started"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  int code = CLI_DONE;
  if (parsed != CLI_GO) {
    code = cli_parsed_exit(parsed);
  } else if (rest.count || !top->path || !*top->path) {
    cli_error("which switch? name its control socket with --control FILE or in $SLUICE_CONTROL");
    code = CLI_USAGE;
  } else if (!top->once && (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))) {
    cli_error("top needs a terminal; --once prints a page");
    code = CLI_USAGE;
  } else if (cli_switch_open(&top->sw, top->path, PATIENCE, &top->error) ||
             !(top->once ? print_page(top) : show(top))) {
    cli_error("%s", top->error.text);
    code = CLI_WORLD;
  }
  forget(&top->before);
  forget(&top->now);
  sluice_switch_close(top->sw);
  free(top);
  return code;
}
