// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>

#include "../base/json.h"
#include "../session/report.h"
#include "run.h"

json_t *run_read_report(const struct run *run) {
  json_error_t error;
  json_t *report = json_load_file(run->report_path, JSON_REJECT_DUPLICATES, &error);
  struct sluice_error why;
  if (report && !report_check(report, &why)) return report;
  cli_error("'%s': %s", run->report_path, report ? why.text : error.text);
  json_decref(report);
  return NULL;
}

int run_verdict(const json_t *report) {
  const char *verdict = json_string_value(json_object_get(report, "verdict"));
  if (strcmp(verdict, "EQUIVALENT") == 0 || strcmp(verdict, "MODEL") == 0) return CLI_DONE;
  if (strcmp(verdict, "UNTESTED") == 0) return CLI_UNTESTED;
  return strcmp(verdict, "ERROR") == 0 ? CLI_WORLD : CLI_NO;
}

// Drop reasons that belong to one fate of packets, each with its count: "OVERLOAD 2, LANE_FULL 1".
static void print_reasons(FILE *out, const json_t *report, const char *const reasons[]) {
  const json_t *drops = json_object_get(report, "drops");
  const char *comma = " (";
  for (; *reasons; reasons++) {
    if (!sluice_json_int(drops, *reasons)) continue;
    fprintf(
        out, "%s%s %llu%s", comma, *reasons, sluice_json_int(drops, *reasons),
        strcmp(*reasons, "OUTPUT_FULL") == 0 || strcmp(*reasons, "EGRESS") == 0 ? " copies" : "");
    comma = ", ";
  }
  if (*comma == ',') fprintf(out, ")");
}

// Where the packets are: every packet that came in is delivered, lost, discarded or refused.
static void print_packets(FILE *out, const json_t *report) {
  static const char *const lost[] = {"OVERLOAD", "LANE_FULL", "BUFFER_FULL", "OUTPUT_FULL",
                                     "BUDGET",   "RATE",      "GAVE_WAY",    NULL};
  static const char *const discarded[] = {"DISCARD_FRONT", "DISCARD_BACK", "NO_DEST", "EGRESS",
                                          NULL};
  static const char *const refused[] = {"NOT_READY",      "MALFORMED", "OVERSIZED", "NO_VLAN",
                                        "UNKNOWN_MODULE", "RECONFIG",  "BITMAP",    "PROTOCOL",
                                        "FORBIDDEN",      "ROUNDS",    NULL};
  // The report counts each pass of a packet that goes through the chip again.
  const long long again = sluice_json_int(report, "recirculated");
  fprintf(out, "packets          %llu in, ", sluice_json_int(report, "packets") - again);
  if (again) fprintf(out, "%llu passes more, ", again);
  fprintf(out, "%llu left the ports, %llu lost", sluice_json_int(report, "delivered"),
          sluice_json_int(report, "lost"));
  print_reasons(out, report, lost);
  if (sluice_json_int(report, "lost_inside"))
    fprintf(out, ", %llu of them inside the chip", sluice_json_int(report, "lost_inside"));
  fprintf(out, "\n");
  if (sluice_json_int(report, "discarded") ||
      sluice_json_int(json_object_get(report, "drops"), "EGRESS")) {
    fprintf(out, "discarded        %llu by the program", sluice_json_int(report, "discarded"));
    print_reasons(out, report, discarded);
    fprintf(out, "\n");
  }
  if (sluice_json_int(report, "refused")) {
    fprintf(out, "refused          %llu", sluice_json_int(report, "refused"));
    print_reasons(out, report, refused);
    fprintf(out, "\n");
  }
}

static void print_throughput(FILE *out, const json_t *report) {
  const double in = sluice_json_real(report, "packets"), lost = sluice_json_real(report, "lost");
  fprintf(out, "throughput       %.3f packets per cycle, %.1f Gb/s at 1 GHz, %.1f %% of line rate",
          sluice_json_real(report, "packets_per_cycle"),
          sluice_json_real(report, "gigabits_per_second"),
          100.0 * sluice_json_real(report, "share_of_line_rate"));
  if (lost > 0)
    fprintf(out, " up to the deparsers; LOST on the way: %.1f %% of the packets",
            in > 0 ? 100.0 * lost / in : 0.0);
  else if (sluice_json_int(report, "lost_copies"))
    fprintf(out, " up to the deparsers; LOST: %llu copies", sluice_json_int(report, "lost_copies"));
  fprintf(out, "\n");
}

static void print_compared(FILE *out, const json_t *report) {
  const json_t *c = json_object_get(report, "compared");
  fprintf(out, "compared         %llu packets, %llu bytes, %llu state entries, %llu answers",
          sluice_json_int(c, "packets"), sluice_json_int(c, "bytes"),
          sluice_json_int(c, "state_entries"), sluice_json_int(c, "answers"));
  if (sluice_json_int(c, "state_words"))
    fprintf(out, ", %llu words of rows", sluice_json_int(c, "state_words"));
  if (sluice_json_int(c, "entry_counts"))
    fprintf(out, ", %llu counters of entries", sluice_json_int(c, "entry_counts"));
  if (sluice_json_int(c, "marks")) fprintf(out, ", %llu marks", sluice_json_int(c, "marks"));
  if (sluice_json_int(c, "cuts"))
    fprintf(out, ", %llu entries of cuts", sluice_json_int(c, "cuts"));
  fprintf(out, "\n");
}

// The text of a difference is "cycle 1520: packet 52: order: expected 3, got 4", or says something
// else. Only what has not been said is printed.
static void print_moment(FILE *out, const json_t *d, long long packet) {
  const char *all = sluice_json_text(d, "text"), *colon = strstr(all, ": ");
  char said[600], first[40];
  if (!*all) return;
  snprintf(first, sizeof first, "packet %lld: ", packet);
  snprintf(said, sizeof said, "%s%s: expected %s, got %s", packet >= 0 ? first : "",
           sluice_json_text(d, "field"), sluice_json_text(d, "expected"),
           sluice_json_text(d, "got"));
  if (colon && strcmp(colon + 2, said) == 0) fprintf(out, " (%.*s)", (int)(colon - all), all);
  else fprintf(out, " (%s)", all);
}

void run_print_verdict(FILE *out, const json_t *report) {
  const json_t *d = json_object_get(report, "first_difference");
  fprintf(out, "%s", sluice_json_text(report, "verdict"));
  if (json_is_object(d)) {
    long long packet = (long long)json_integer_value(json_object_get(d, "packet"));
    if (packet >= 0) fprintf(out, ": packet %lld", packet);
    else fprintf(out, ": at the end");
    fprintf(out, ", %s: expected %s, got %s", sluice_json_text(d, "field"),
            sluice_json_text(d, "expected"), sluice_json_text(d, "got"));
    print_moment(out, d, packet);
  } else if (*sluice_json_text(report, "error")) {
    fprintf(out, ": %s", sluice_json_text(report, "error"));
  }
  if (*sluice_json_text(report, "stuck"))
    fprintf(out, "%s %s", json_is_object(d) ? ";" : ":", sluice_json_text(report, "stuck"));
  if (strcmp(sluice_json_text(report, "verdict"), "UNTESTED") == 0)
    fprintf(out, ": nothing was compared, %s",
            sluice_json_int(report, "packets") ? "all packets were lost" : "no packet came in");
  if (strcmp(sluice_json_text(report, "verdict"), "MODEL") == 0)
    fprintf(out, ": the reference alone has run; nothing was compared");
  const json_t *faults = json_object_get(report, "faults");
  if (json_array_size(faults) && strcmp(sluice_json_text(report, "verdict"), "EQUIVALENT") == 0) {
    fprintf(out, ": this traffic never met the fault");
    for (size_t i = 0; i < json_array_size(faults); i++)
      fprintf(out, "%s %s",
              i                             ? ","
              : json_array_size(faults) > 1 ? "s"
                                            : "",
              json_string_value(json_array_get(faults, i)));
  }
  fprintf(out, "\n");
}

static long long held(const json_t *report, const char *why) {
  long long sum = 0;
  size_t i;
  json_t *lane;
  json_array_foreach(json_object_get(report, "order"), i, lane) sum += sluice_json_int(lane, why);
  return sum;
}

// What the paper measures of recirculation.
static void print_recirculation(FILE *out, const json_t *r) {
  fprintf(out,
          "recirculation    %llu packets made %llu passes, %.3f each, %llu at most; %llu lost\n",
          sluice_json_int(r, "packets"), sluice_json_int(r, "passes"),
          sluice_json_real(r, "passes_per_packet"), sluice_json_int(r, "most_passes"),
          sluice_json_int(r, "lost"));
  fprintf(out,
          "against one      C1 violated by %llu packets, %.2f %%: a later packet's access came "
          "before; %llu came before an earlier one's\n",
          sluice_json_int(r, "c1_late_packets"), 100.0 * sluice_json_real(r, "c1_late_share"),
          sluice_json_int(r, "c1_early_packets"));
}

// What a run of a trace is for.
static void print_trace(FILE *out, const json_t *report) {
  const json_t *published = json_object_get(report, "as_published");
  const json_t *all = json_object_get(report, "slots");
  static const char *const parts[] = {"issued", "nothing_there", "waiting_for_order",
                                      "waiting_for_credit"};
  double share[4], slots = 0;
  for (int i = 0; i < 4; i++) slots += share[i] = sluice_json_real(all, parts[i]);
  for (int i = 0; i < 4; i++) share[i] *= slots > 0 ? 100.0 / slots : 0.0;
  fprintf(out,
          "as published     last arrival %llu (offered %llu), last departure %llu: %.4f; less "
          "constant latency %.4f\n",
          sluice_json_int(published, "last_arrival"), sluice_json_int(published, "last_offered"),
          sluice_json_int(published, "last_departure"), sluice_json_real(published, "throughput"),
          sluice_json_real(published, "less_constant_latency"));
  fprintf(out,
          "boundaries       issued %.1f %%, nothing there %.1f %%, waiting for order %.1f %%, for "
          "credit %.1f %%\n",
          share[0], share[1], share[2], share[3]);
  fprintf(out,
          "held cycles      pacing %llu, brake %llu, full queue %llu, credit %llu, window %llu\n",
          held(report, "paced"), held(report, "braked"), held(report, "full"),
          held(report, "credit"), held(report, "window"));
  const json_t *recirculation = json_object_get(report, "recirculation");
  if (recirculation) print_recirculation(out, recirculation);
  const json_t *flows = recirculation ? recirculation : report;
  fprintf(out,
          "flows            %llu packets left after a later one of their flow, %llu of one lane\n",
          sluice_json_int(flows, "reordered_in_flows"),
          sluice_json_int(flows, "reordered_in_flows_of_a_lane"));
}

// What a run with cycles has, and one on the model has not.
static void print_cycles(FILE *out, const struct run *run, const json_t *report) {
  const json_t *latency = json_object_get(report, "latency");
  fprintf(out, "cycles           %llu\n", sluice_json_int(report, "cycles"));
  print_throughput(out, report);
  if (sluice_json_int(report, "marked"))
    fprintf(out, "marked           %llu, %llu of them left with CE\n",
            sluice_json_int(report, "marked"), sluice_json_int(report, "marked_ce"));
  if (sluice_json_int(report, "c1_violating_packets"))
    fprintf(out, "C1 violated      by %llu packets, %.1f %%\n",
            sluice_json_int(report, "c1_violating_packets"),
            100.0 * sluice_json_real(report, "c1_violating_share"));
  fprintf(out, "order queues     deepest %llu\n", sluice_json_int(report, "deepest_order_queue"));
  if (run->replays) print_trace(out, report);
  fprintf(out, "latency          min %llu, median %llu, p99 %llu, max %llu cycles",
          sluice_json_int(latency, "min"), sluice_json_int(latency, "median"),
          sluice_json_int(latency, "p99"), sluice_json_int(latency, "max"));
  if (sluice_json_int(latency, "idle"))
    fprintf(out, "; a packet alone %llu", sluice_json_int(latency, "idle"));
  fprintf(out, "\nsimulation       %.0f packets per second\n",
          sluice_json_real(report, "simulated_packets_per_second"));
}

// Rows that are not 0: "sum[5] = 1 2 3 4 5 6 7 8".
static void print_rows(FILE *out, const char *name, const json_t *values) {
  size_t i, w;
  json_t *row, *word;
  json_array_foreach(values, i, row) {
    bool any = false;
    json_array_foreach(row, w, word) any = any || json_integer_value(word) != 0;
    if (!any) continue;
    fprintf(out, "  %s[%zu] =", name, i);
    json_array_foreach(row, w, word) fprintf(out, " %lld", (long long)json_integer_value(word));
    fprintf(out, "\n");
  }
}

// Entries that are not as the source begins them: "count[17] = 5". An array of one entry is written
// without an index.
static void print_values(FILE *out, const char *name, const json_t *values, json_int_t initial) {
  const size_t num = json_array_size(values);
  for (size_t i = 0; i < num; i++) {
    const json_int_t value = json_integer_value(json_array_get(values, i));
    if (num == 1) fprintf(out, "  %s = %lld\n", name, (long long)value);
    else if (value != initial) fprintf(out, "  %s[%zu] = %lld\n", name, i, (long long)value);
  }
}

// Of an egress function the values are those of each output lane.
static void print_array(FILE *out, const char *name, const json_t *array) {
  const json_t *values = json_object_get(array, "values"), *of_lane;
  const json_int_t initial = json_integer_value(json_object_get(array, "initial"));
  size_t l;
  if (json_object_get(array, "words")) {
    print_rows(out, name, values);
    return;
  }
  if (!json_is_array(json_array_get(values, 0))) {
    print_values(out, name, values, initial);
    return;
  }
  json_array_foreach(values, l, of_lane) {
    char full[100];
    snprintf(full, sizeof full, "%.60s@lane %zu", name, l);
    print_values(out, full, of_lane, initial);
  }
}

static void print_state(FILE *out, const json_t *report) {
  const char *module, *name;
  json_t *arrays, *array, *value;
  json_object_foreach(json_object_get(report, "state"), module, arrays) {
    fprintf(out, "state of VLAN %s\n", module + strlen("vid"));
    json_object_foreach(arrays, name, array) print_array(out, name, array);
  }
  json_object_foreach(json_object_get(report, "registers"), name, value)
      fprintf(out, "register         %s = %lld\n", name, (long long)json_integer_value(value));
}

// Limits that were asked for and that this traffic never reached: a run that passes says nothing
// about them. 0 switches a limit off.
static void print_unmet(FILE *out, const struct run *run, const json_t *report) {
  const json_t *drops = json_object_get(report, "drops");
  const struct {
    const char *option, *unmet;
    int64_t limit;
    long long met;
  } limits[] = {
      {"--pace", "held no packet", run->job.set.pace, held(report, "paced")},
      {"--brake", "held no packet", run->job.set.brake, held(report, "braked")},
      {"--lane-limit", "dropped no packet", run->job.set.lane_limit,
       sluice_json_int(drops, "OVERLOAD")},
      {"--output-limit", "dropped no copy",
       run->output_by_default ? JOB_UNSET : run->job.set.output_limit,
       sluice_json_int(drops, "OUTPUT_FULL")},
      {"--ecn-queue", "marked no packet", run->job.set.ecn_queue,
       sluice_json_int(report, "marked")},
      {"--ecn-lane", "marked no packet", run->job.set.ecn_lane, sluice_json_int(report, "marked")}};
  const char *separator = "limits           never met: ";
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    if (limits[i].limit <= 0 || limits[i].met) continue;
    fprintf(out, "%s%s %llu %s", separator, limits[i].option, (unsigned long long)limits[i].limit,
            limits[i].unmet);
    separator = "; ";
  }
  if (*separator == ';') fprintf(out, "\n");
}

// ---- times --------------------------------------------------------------------------------------

static bool reads_arrival(const struct run *run) {
  for (unsigned i = 0; i < run->modules.count; i++) {
    const struct sluice_image *image = &run->modules.items[i].image;
    for (size_t n = 0; n < image->num_fields; n++)
      if (strcmp(image->fields[n].home, "metadata arrival") == 0) return true;
  }
  return false;
}

static void add_notes(const struct run *run, json_t *report) {
  json_t *notes = json_array();
  if (run->model && reads_arrival(run))
    sluice_json_add(notes,
                    json_string("meta.arrival is no time: the model counts a cycle a packet; a "
                                "simulated chip (--chip without model:) has times"));
  else if (run->captures.count && strcmp(run->pace_by, "line") == 0 && reads_arrival(run))
    sluice_json_add(
        notes,
        json_string("meta.arrival does not follow the capture: its time stamps were ignored, "
                    "packets came as fast as --load says; --pace-by time follows them"));
  if (json_array_size(notes)) sluice_json_set(report, "notes", notes);
  else json_decref(notes);
}

bool run_complete_report(const struct run *run, json_t *report) {
  struct sluice_error error;
  add_notes(run, report);
  run_add_origin(run, report);
  if (sluice_json_save(report, RUN_REPORT_FORM, run->report_path, &error)) {
    cli_error("%s", error.text);
    return false;
  }
  return true;
}

void run_warn_of_time(const struct run *run) {
  const double many = 1e7, cycles = (double)run->span_ns / run->job.ns_per_cycle;
  double longer = run->job.ns_per_cycle;
  if (strcmp(run->pace_by, "time") != 0 || cycles < many) return;
  while ((double)run->span_ns / longer > many / 10) longer *= 10;
  cli_warn("the time stamps span %.6g s: %.3g cycles of %g ns, of which a simulator does some "
           "10,000 to 100,000 a second; --ns-per-cycle %g makes them %.3g",
           (double)run->span_ns / 1e9, cycles, run->job.ns_per_cycle, longer,
           (double)run->span_ns / longer);
}

static void print_notes(FILE *out, const json_t *report) {
  size_t i;
  json_t *note;
  json_array_foreach(json_object_get(report, "notes"), i, note)
      fprintf(out, "note             %s\n", json_string_value(note));
}

void run_print_report(FILE *out, const struct run *run, const json_t *report) {
  fprintf(out, "chip             %s%s, seed %llu", run->model ? "reference model of " : "",
          run->config->name, (unsigned long long)run->traffic.seed);
  for (unsigned i = 0; i < run->modules.count; i++) {
    const struct cli_module *m = &run->modules.items[i];
    fprintf(out, "%s%s (VLAN %u", i ? ", " : ", modules ", m->image.program, m->vid);
    if (m->rate >= 0) fprintf(out, ", share %d:%d", m->rate, m->burst);
    if (m->number >= 0) fprintf(out, ", class %d", m->number);
    if (m->limited)
      fprintf(out, ", at a lane %u:%u packets, %u:%u beats in 1,000 cycles", m->lane.packets,
              m->lane.packet_burst, m->lane.beats, m->lane.beat_burst);
    fprintf(out, ")");
  }
  fprintf(out, "\n");
  print_packets(out, report);
  fprintf(out, "bytes            %llu\n", sluice_json_int(report, "bytes"));
  if (run->model)
    fprintf(out, "model            %.0f packets per second\n",
            sluice_json_real(report, "model_packets_per_second"));
  else if (run->live) fprintf(out, "cycles           %llu\n", sluice_json_int(report, "cycles"));
  else print_cycles(out, run, report);
  print_state(out, report);
  if (run->job.state && !json_is_object(json_object_get(report, "state")))
    fprintf(out, "state            not read: the run ended before\n");
  if (!run->model && !run->live && strcmp(sluice_json_text(report, "verdict"), "EQUIVALENT") == 0)
    print_unmet(out, run, report);
  if (run->live) fprintf(out, "compared         %s\n", sluice_json_text(report, "said"));
  else print_compared(out, report);
  reaction_print(out, json_object_get(report, "reactions"));
  print_notes(out, report);
  run_print_verdict(out, report);
}
