// SPDX-License-Identifier: Apache-2.0
// A published trace becomes a program, a capture, and a schedule that says where and when each
// packet of the capture arrives.
#include <errno.h>
#include <string.h>

#include "../lib/trace_shape.h"
#include "run.h"

static int cannot_write(const char *path) {
  cli_error("cannot write '%s': %s", path, strerror(errno));
  return CLI_WORLD;
}

int run_load_trace(struct run *run) {
  struct sluice_trace *t = &run->published;
  struct sluice_error error;
  if (sluice_trace_load(t, run->flows_csv, run->packets_csv, &error) ||
      sluice_trace_repeat(t, (uint32_t)run->repeat, &error) ||
      (strcmp(run->lanes, "flow") == 0 &&
       sluice_trace_lane_per_flow(t, run->config->BeatBytes, &error)) ||
      (strcmp(run->place, "random") == 0 &&
       sluice_trace_place_at_random(t, run->traffic.seed, &error)) ||
      sluice_trace_arrive(t, &error) ||
      sluice_trace_plan(&run->plan, t, run->config, (unsigned)run->flow_order, &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  if (run->recirculates && !run->plan.base) {
    cli_error(
        "recirculate needs an entry for no access: the trace uses all %u of a stage of chip '%s'",
        run->config->StateEntries, run->config->name);
    return CLI_WORLD;
  }
  if (!t->num_packets) {
    cli_error("'%s': no packets in it", run->packets_csv);
    return CLI_WORLD;
  }
  FILE *out = fopen(run->program_path, "w");
  if (!out) return cannot_write(run->program_path);
  sluice_trace_program(&run->plan, out);
  if (fclose(out) != 0) return cannot_write(run->program_path);
  if (run->program_out && !cli_copy_file(run->program_path, run->program_out)) return CLI_WORLD;
  return CLI_DONE;
}

int run_prepare_trace(struct run *run) {
  static uint8_t frame[SLUICE_TRACE_MAX_LEN];
  const struct sluice_trace *t = &run->published;
  struct sluice_capture_writer *writer;
  struct sluice_error error;
  if (sluice_capture_create(&writer, run->input_path, &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  FILE *schedule = fopen(run->schedule_path, "w");
  for (uint32_t n = 0; n < t->num_packets; n++) {
    const struct sluice_trace_packet *p = &t->packets[n];
    unsigned len = sluice_trace_frame(&run->plan, t, n, run->modules.items[0].vid, frame);
    sluice_capture_write(writer, frame, len, p->arrival);
    if (!run_note(run, n + 1, frame, len)) run->told.num_ranges = 0;
    if (schedule)
      fprintf(schedule, "%u %u\n", sluice_trace_port(&run->plan, t, p), (unsigned)p->arrival);
    run->num_beats += sluice_config_beats(run->config, len);
    if (p->arrival > run->span_ns) run->span_ns = p->arrival;
    if ((int64_t)p->time > run->job.last_offered) run->job.last_offered = (int64_t)p->time;
  }
  run->num_packets = t->num_packets;
  run->job.last_offered -= (int64_t)t->packets[0].arrival;
  int code = CLI_DONE;
  if (!schedule || fclose(schedule) != 0) code = cannot_write(run->schedule_path);
  if (sluice_capture_finish(writer, &error)) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  return code;
}
