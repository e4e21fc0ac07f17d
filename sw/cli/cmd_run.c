// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

// Working files lie in --dir; or in a folder of their own, which is removed: in build/run, beside
// the simulators, or, for a simulator from elsewhere or another user's tree, in the place for
// temporary files.
static bool choose_paths(struct run *run) {
  char above[RUN_PATH];
  snprintf(above, sizeof above, "%s", run->sim_path);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(above, '/');
    if (slash) *slash = 0;
  }
  const bool beside = !run->model && !run->sim && !getenv("SLUICE_SIM") &&
                      strlen(above) + 5 < sizeof above;
  if (beside) strcat(above, "/run");
  if (run->dir ? !cli_make_folder(run->dir) : !cli_work_open(&run->own, beside ? above : NULL))
    return false;
  const char *work = run->dir ? run->dir : run->own.path;
  if ((size_t)snprintf(run->work, sizeof run->work, "%s", work) >= sizeof run->work) {
    cli_error("the path is too long: '%s'", work);
    return false;
  }
  const struct {
    char *path;
    const char *name, *given;  // `given` is the user's, and so the file, unless it is "-"
  } files[] = {{run->input_path, "input.pcap", NULL},
               {run->job_path, "job.json", NULL},
               {run->log_path, "sim.log", NULL},
               {run->report_path, "report.json", NULL},
               {run->timeline_path, "timeline.tsv", run->timeline},
               {run->events_path, "events.txt", run->events},
               {run->schedule_path, "schedule.txt", NULL},
               {run->program_path, "trace.dom", NULL},
               {run->out_path, "out.pcap", run->out},
               {run->stories_path, "stories.json", NULL},
               {run->control_path, "control.pcap", run->control}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    const bool own = !files[i].given || strcmp(files[i].given, "-") == 0;
    const int n = own ? snprintf(files[i].path, RUN_PATH, "%s/%ld-%s", run->work, (long)getpid(),
                                 files[i].name)
                      : snprintf(files[i].path, RUN_PATH, "%s", files[i].given);
    if (n >= 0 && n < RUN_PATH) continue;
    cli_error("the path is too long: '%s'", own ? run->work : files[i].given);
    return false;
  }
  return true;
}

// The two files that --accesses makes in its folder.
static bool name_accesses(const struct run *run) {
  const struct sluice_config *c = run->config;
  const char *const what[] = {"flows", "packets"};
  char path[RUN_PATH + 100];
  for (int i = 0; run->accesses && i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s_%u_%u_%u_%u_%u_0.csv", run->accesses, what[i], c->NumPorts,
             c->NumPipes, c->BackStages, c->StateStages, c->StateEntries);
    if (!cli_writes("accesses", path)) return false;
  }
  return !run->accesses || (cli_make_folder(run->accesses) && cli_named_check() == CLI_GO);
}

// What a run before has left must not pass for the outcome of one that fails.
static void forget_results(const struct run *run) {
  const char *const files[] = {run->out,    run->report,  run->timeline,
                               run->events, run->stories, run->view};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) cli_forget_file(files[i]);
  for (size_t i = 0; run->plot && i < RUN_PLOTS; i++) {
    char path[RUN_PATH + 8];
    snprintf(path, sizeof path, "%s%s", run->plot, run_plot_ends[i]);
    cli_forget_file(path);
  }
}

// What goes to standard output comes there last.
static bool copy_out(const struct run *run) {
  const struct {
    const char *given, *path;
  } files[] = {{run->out, run->out_path},
               {run->timeline, run->timeline_path},
               {run->events, run->events_path}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i].given && strcmp(files[i].given, "-") == 0 && !cli_copy_file(files[i].path, "-"))
      return false;
  return true;
}

static int show(struct run *run) {
  json_t *report = run_read_report(run);
  if (!report) return CLI_WORLD;
  int code = run_complete_report(run, report) ? run_verdict(report) : CLI_WORLD;
  FILE *out = cli_output_taken() ? stderr : stdout;
  if (run->report && !cli_copy_file(run->report_path, run->report)) code = CLI_WORLD;
  if (!copy_out(run)) code = CLI_WORLD;
  if (run->tracing || run->stories || run->view) {
    const int told = run_tell(run);
    if (code == CLI_DONE) code = told;
  }
  if (run->tracing) {
    if (run_verdict(report) != CLI_DONE) run_print_verdict(stderr, report);
  } else if (run->json) {
    json_dumpf(report, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    printf("\n");
  } else if (run->quiet) {
    run_print_verdict(out, report);
  } else {
    run_print_report(out, run, report);
  }
  if (run->view) {
    const int written = run_write_view(run, report);
    if (code == CLI_DONE) code = written;
  }
  if (run->plot) {
    int plotted = run_plot(run, report);
    if (code == CLI_DONE) code = plotted;
  }
  json_decref(report);
  return code;
}

// Everything that the simulator needs lies in files.
static int simulate(struct run *run) {
  int code = cli_modules_save(&run->modules, run->work);
  if (code == CLI_DONE) code = run->replays ? run_prepare_trace(run) : run_prepare_capture(run);
  if (code == CLI_DONE && run->tracing && !run->told.num_ranges) {
    cli_error("none of these packets came in");
    return CLI_NO;
  }
  if (code == CLI_DONE && run->view && !run->tracing && run->num_packets > RUN_VIEW_PACKETS) {
    cli_error("--view: %llu packets, a page holds %d; 'sluice trace PROGRAM 1-100000 --view FILE' "
              "shows some of them",
              (unsigned long long)run->num_packets, RUN_VIEW_PACKETS);
    return CLI_USAGE;
  }
  if (code == CLI_DONE) run_warn_of_time(run);
  if (code == CLI_DONE) code = run_write_job(run);
  return code == CLI_DONE ? run_execute(run) : code;
}

enum verb { RUN, TRACE, REPLAY, RECIRCULATE };

static int run_verb(int argc, char **argv, enum verb verb) {
  struct run *run = calloc(1, sizeof *run);
  if (!run) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  struct cli_list rest, with_vid = {0};
  *run = (struct run){.own.lock = -1,
                      .tracing = verb == TRACE,
                      .replays = verb >= REPLAY,
                      .recirculates = verb == RECIRCULATE,
                      .traffic = cli_traffic_defaults(),
                      .pace_by = "line",
                      .lanes = "spread",
                      .job = job_fresh(),
                      .repeat = 1};
  enum cli_parsed parsed = run_parse(run, argc, argv, &rest, &with_vid);
  if (parsed != CLI_GO || run->read) {
    const int read = parsed == CLI_GO ? run_read_stories(run) : cli_parsed_exit(parsed);
    story_select_release(&run->select);
    view_close(run->page);
    free(run);
    return read;
  }
  int code = CLI_USAGE;
  run->words = (struct run_words){argc, argv, rest, with_vid};
  run->config = cli_chip(run->chip);
  if (run->config && run_names_there(run) && name_accesses(run))
    code = (run->model || run_find_sim(run)) && choose_paths(run) ? CLI_DONE : CLI_WORLD;
  if (code == CLI_DONE) forget_results(run);
  if (code == CLI_DONE && run->control && strcmp(run->control, "-") == 0 &&
      !cli_copy_file("-", run->control_path))
    code = CLI_WORLD;
  if (code == CLI_DONE && run->replays) {
    code = run_load_trace(run);
    rest.items[rest.count++] = run->program_path;
    // It keeps indices at places of the frame that the guard knows nothing of.
    run->modules.trusted_path = run->program_path;
  }
  run->modules.pin = run->job.set.pin >= 0;
  run->modules.pin_pipe = run->modules.pin ? (unsigned)run->job.set.pin : 0;
  run->modules.keep_index = run->no_phantoms;
  run->modules.sets = run->job.set.sets >= 0 ? (unsigned)run->job.set.sets : 0;
  if (code == CLI_DONE) code = cli_modules_load(&run->modules, &rest, &with_vid, run->config);
  run->live = !run->model &&
              (run->over_socket || cli_reactions_wanted(&run->reactions, &run->modules));
  if (code == CLI_DONE && run->live && !run_can_live(run)) code = CLI_USAGE;
  // Several modules: a port takes what the queue of each source lane holds, so that no lane takes
  // another's places (docs/isolation.md).
  if (run->job.set.output_limit == JOB_UNSET && run->modules.count > 1) {
    run->job.set.output_limit = sluice_output_room(run->config);
    run->output_by_default = true;
  }
  // Where a module that fills a lane is dropped as it comes, those within their shares wait.
  if (run->job.set.lane_limit == JOB_UNSET && run->modules.count > 1 && !run->modules.no_shares &&
      run->config->BufferShares)
    run->job.set.lane_limit = 0;
  if (run->job.set.move_quota == JOB_UNSET && run->modules.moves >= 0)
    run->job.set.move_quota = run->modules.moves;
  if (code == CLI_DONE) code = run->model || run->live ? run_on_chip(run) : simulate(run);
  if (code == CLI_DONE) code = show(run);
  if (code == CLI_DONE && run->reaction_failed) code = CLI_NO;
  cli_work_close(&run->own);
  cli_modules_release(&run->modules);
  sluice_trace_release(&run->published);
  story_select_release(&run->select);
  story_select_release(&run->told);
  view_close(run->page);
  free(run);
  return code;
}

int cmd_run(int argc, char **argv) { return run_verb(argc, argv, RUN); }
int cmd_trace(int argc, char **argv) { return run_verb(argc, argv, TRACE); }
int cmd_replay(int argc, char **argv) { return run_verb(argc, argv, REPLAY); }
int cmd_recirculate(int argc, char **argv) { return run_verb(argc, argv, RECIRCULATE); }
