// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>

#include "run.h"

json_t *run_read_report(const struct run *run) {
  json_error_t error;
  json_t *report = json_load_file(run->report_path, JSON_REJECT_DUPLICATES, &error);
  if (report && json_is_object(report) && json_is_string(json_object_get(report, "verdict")))
    return report;
  cli_error("'%s': %s", run->report_path, report ? "not a report" : error.text);
  json_decref(report);
  return NULL;
}

int run_verdict(const json_t *report) {
  const char *verdict = json_string_value(json_object_get(report, "verdict"));
  if (strcmp(verdict, "EQUIVALENT") == 0 || strcmp(verdict, "MODEL") == 0) return CLI_DONE;
  if (strcmp(verdict, "UNTESTED") == 0) return CLI_UNTESTED;
  return strcmp(verdict, "ERROR") == 0 ? CLI_WORLD : CLI_NO;
}

static unsigned long long whole(const json_t *from, const char *key) {
  return (unsigned long long)json_integer_value(json_object_get(from, key));
}

static double real(const json_t *from, const char *key) {
  return json_number_value(json_object_get(from, key));
}

static const char *text(const json_t *from, const char *key) {
  const char *value = json_string_value(json_object_get(from, key));
  return value ? value : "";
}

// Drop reasons that belong to one fate of packets, each with its count: "OVERLOAD 2, LANE_FULL 1".
static void print_reasons(FILE *out, const json_t *report, const char *const reasons[]) {
  const json_t *drops = json_object_get(report, "drops");
  const char *comma = " (";
  for (; *reasons; reasons++) {
    if (!whole(drops, *reasons)) continue;
    fprintf(
        out, "%s%s %llu%s", comma, *reasons, whole(drops, *reasons),
        strcmp(*reasons, "OUTPUT_FULL") == 0 || strcmp(*reasons, "EGRESS") == 0 ? " copies" : "");
    comma = ", ";
  }
  if (*comma == ',') fprintf(out, ")");
}

// Where the packets are: every packet that came in is delivered, lost, discarded or refused.
static void print_packets(FILE *out, const json_t *report) {
  static const char *const lost[] = {"OVERLOAD", "LANE_FULL", "BUFFER_FULL", "OUTPUT_FULL",
                                     "BUDGET",   "RATE",      NULL};
  static const char *const discarded[] = {"DISCARD_FRONT", "DISCARD_BACK", "NO_DEST", "EGRESS",
                                          NULL};
  static const char *const refused[] = {"NOT_READY",      "MALFORMED", "OVERSIZED", "NO_VLAN",
                                        "UNKNOWN_MODULE", "RECONFIG",  "BITMAP",    "PROTOCOL",
                                        "FORBIDDEN",      "ROUNDS",    NULL};
  // The report counts each pass of a packet that goes through the chip again.
  const unsigned long long again = whole(report, "recirculated");
  fprintf(out, "packets          %llu in, ", whole(report, "packets") - again);
  if (again) fprintf(out, "%llu passes more, ", again);
  fprintf(out, "%llu left the ports, %llu lost", whole(report, "delivered"), whole(report, "lost"));
  print_reasons(out, report, lost);
  if (whole(report, "lost_inside"))
    fprintf(out, ", %llu of them inside the chip", whole(report, "lost_inside"));
  fprintf(out, "\n");
  if (whole(report, "discarded") || whole(json_object_get(report, "drops"), "EGRESS")) {
    fprintf(out, "discarded        %llu by the program", whole(report, "discarded"));
    print_reasons(out, report, discarded);
    fprintf(out, "\n");
  }
  if (whole(report, "refused")) {
    fprintf(out, "refused          %llu", whole(report, "refused"));
    print_reasons(out, report, refused);
    fprintf(out, "\n");
  }
}

static void print_throughput(FILE *out, const json_t *report) {
  const double in = real(report, "packets"), lost = real(report, "lost");
  fprintf(out, "throughput       %.3f packets per cycle, %.1f %% of line rate",
          real(report, "packets_per_cycle"), 100.0 * real(report, "share_of_line_rate"));
  if (lost > 0)
    fprintf(out, " up to the deparsers; LOST on the way: %.1f %% of the packets",
            in > 0 ? 100.0 * lost / in : 0.0);
  else if (whole(report, "lost_copies"))
    fprintf(out, " up to the deparsers; LOST: %llu copies", whole(report, "lost_copies"));
  fprintf(out, "\n");
}

static void print_compared(FILE *out, const json_t *report) {
  const json_t *c = json_object_get(report, "compared");
  fprintf(out, "compared         %llu packets, %llu bytes, %llu state entries, %llu answers",
          whole(c, "packets"), whole(c, "bytes"), whole(c, "state_entries"), whole(c, "answers"));
  if (whole(c, "state_words")) fprintf(out, ", %llu words of rows", whole(c, "state_words"));
  if (whole(c, "entry_counts"))
    fprintf(out, ", %llu counters of entries", whole(c, "entry_counts"));
  if (whole(c, "marks")) fprintf(out, ", %llu marks", whole(c, "marks"));
  if (whole(c, "cuts")) fprintf(out, ", %llu entries of cuts", whole(c, "cuts"));
  fprintf(out, "\n");
}

// The text of a difference is "cycle 1520: packet 52: order: expected 3, got 4", or says something
// else. Only what has not been said is printed.
static void print_moment(FILE *out, const json_t *d, long long packet) {
  const char *all = text(d, "text"), *colon = strstr(all, ": ");
  char said[600], first[40];
  if (!*all) return;
  snprintf(first, sizeof first, "packet %lld: ", packet);
  snprintf(said, sizeof said, "%s%s: expected %s, got %s", packet >= 0 ? first : "",
           text(d, "field"), text(d, "expected"), text(d, "got"));
  if (colon && strcmp(colon + 2, said) == 0) fprintf(out, " (%.*s)", (int)(colon - all), all);
  else fprintf(out, " (%s)", all);
}

void run_print_verdict(FILE *out, const json_t *report) {
  const json_t *d = json_object_get(report, "first_difference");
  fprintf(out, "%s", text(report, "verdict"));
  if (json_is_object(d)) {
    long long packet = (long long)json_integer_value(json_object_get(d, "packet"));
    if (packet >= 0) fprintf(out, ": packet %lld", packet);
    else fprintf(out, ": at the end");
    fprintf(out, ", %s: expected %s, got %s", text(d, "field"), text(d, "expected"),
            text(d, "got"));
    print_moment(out, d, packet);
  } else if (*text(report, "error")) {
    fprintf(out, ": %s", text(report, "error"));
  }
  if (*text(report, "stuck"))
    fprintf(out, "%s %s", json_is_object(d) ? ";" : ":", text(report, "stuck"));
  if (strcmp(text(report, "verdict"), "UNTESTED") == 0)
    fprintf(out, ": nothing was compared, %s",
            whole(report, "packets") ? "all packets were lost" : "no packet came in");
  if (strcmp(text(report, "verdict"), "MODEL") == 0)
    fprintf(out, ": the reference alone has run; nothing was compared");
  const json_t *faults = json_object_get(report, "faults");
  if (json_array_size(faults) && strcmp(text(report, "verdict"), "EQUIVALENT") == 0) {
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

static unsigned long long held(const json_t *report, const char *why) {
  unsigned long long sum = 0;
  size_t i;
  json_t *lane;
  json_array_foreach(json_object_get(report, "order"), i, lane) sum += whole(lane, why);
  return sum;
}

// What the paper measures of recirculation.
static void print_recirculation(FILE *out, const json_t *r) {
  fprintf(out,
          "recirculation    %llu packets made %llu passes, %.3f each, %llu at most; %llu lost\n",
          whole(r, "packets"), whole(r, "passes"), real(r, "passes_per_packet"),
          whole(r, "most_passes"), whole(r, "lost"));
  fprintf(
      out,
      "against one      C1 violated by %llu packets, %.2f %%: a later packet's access came before; "
      "%llu came before an earlier one's\n",
      whole(r, "c1_late_packets"), 100.0 * real(r, "c1_late_share"), whole(r, "c1_early_packets"));
}

// What a run of a trace is for.
static void print_trace(FILE *out, const json_t *report) {
  const json_t *published = json_object_get(report, "as_published");
  const json_t *all = json_object_get(report, "slots");
  static const char *const parts[] = {"issued", "nothing_there", "waiting_for_order",
                                      "waiting_for_credit"};
  double share[4], slots = 0;
  for (int i = 0; i < 4; i++) slots += share[i] = real(all, parts[i]);
  for (int i = 0; i < 4; i++) share[i] *= slots > 0 ? 100.0 / slots : 0.0;
  fprintf(
      out,
      "as published     last arrival %llu (offered %llu), last departure %llu: %.4f; less constant "
      "latency %.4f\n",
      whole(published, "last_arrival"), whole(published, "last_offered"),
      whole(published, "last_departure"), real(published, "throughput"),
      real(published, "less_constant_latency"));
  fprintf(out,
          "boundaries       issued %.1f %%, nothing there %.1f %%, waiting for order %.1f %%, for "
          "credit "
          "%.1f %%\n",
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
          whole(flows, "reordered_in_flows"), whole(flows, "reordered_in_flows_of_a_lane"));
}

// What a run with cycles has, and one on the model has not.
static void print_cycles(FILE *out, const struct run *run, const json_t *report) {
  const json_t *latency = json_object_get(report, "latency");
  fprintf(out, "cycles           %llu\n", whole(report, "cycles"));
  print_throughput(out, report);
  if (whole(report, "marked"))
    fprintf(out, "marked           %llu, %llu of them left with CE\n", whole(report, "marked"),
            whole(report, "marked_ce"));
  if (whole(report, "c1_violating_packets"))
    fprintf(out, "C1 violated      by %llu packets, %.1f %%\n",
            whole(report, "c1_violating_packets"), 100.0 * real(report, "c1_violating_share"));
  fprintf(out, "order queues     deepest %llu\n", whole(report, "deepest_order_queue"));
  if (run->replays) print_trace(out, report);
  fprintf(out, "latency          min %llu, median %llu, p99 %llu, max %llu cycles",
          whole(latency, "min"), whole(latency, "median"), whole(latency, "p99"),
          whole(latency, "max"));
  if (whole(latency, "idle")) fprintf(out, "; a packet alone %llu", whole(latency, "idle"));
  fprintf(out, "\nsimulation       %.0f packets per second\n",
          real(report, "simulated_packets_per_second"));
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

// Entries that are not as at the start: "count[17] = 5". An array of one entry is written without
// an index.
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
    uint64_t limit;
    unsigned long long met;
  } limits[] = {
      {"--pace", "held no packet", run->pace, held(report, "paced")},
      {"--brake", "held no packet", run->brake, held(report, "braked")},
      {"--lane-limit", "dropped no packet", run->lane_limit, whole(drops, "OVERLOAD")},
      {"--output-limit", "dropped no copy", run->output_by_default ? RUN_UNSET : run->output_limit,
       whole(drops, "OUTPUT_FULL")},
      {"--ecn-queue", "marked no packet", run->ecn_queue, whole(report, "marked")},
      {"--ecn-lane", "marked no packet", run->ecn_lane, whole(report, "marked")}};
  const char *separator = "limits           never met: ";
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    if (limits[i].limit == RUN_UNSET || !limits[i].limit || limits[i].met) continue;
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

bool run_add_notes(const struct run *run, json_t *report) {
  json_t *notes = json_array();
  if (run->model && reads_arrival(run))
    json_array_append_new(
        notes, json_string("meta.arrival is no time: the model counts a cycle a packet; a "
                           "simulated chip (--chip without model:) has times"));
  else if (run->captures.count && strcmp(run->pace_by, "line") == 0 && reads_arrival(run))
    json_array_append_new(
        notes, json_string("meta.arrival does not follow the capture: its time stamps were "
                           "ignored, packets came as fast as --load says; --pace-by time follows "
                           "them"));
  if (!json_array_size(notes)) {
    json_decref(notes);
    return true;
  }
  if (json_object_set_new(report, "notes", notes) == 0 &&
      json_dump_file(report, run->report_path, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0)
    return true;
  cli_error("cannot write '%s': %s", run->report_path, strerror(errno));
  return false;
}

void run_warn_of_time(const struct run *run) {
  const double many = 1e7, cycles = (double)run->span_ns / run->ns_per_cycle;
  double longer = run->ns_per_cycle;
  if (strcmp(run->pace_by, "time") != 0 || cycles < many) return;
  while ((double)run->span_ns / longer > many / 10) longer *= 10;
  cli_warn("the time stamps span %.6g s: %.3g cycles of %g ns, of which a simulator does some "
           "10,000 to 100,000 a second; --ns-per-cycle %g makes them %.3g",
           (double)run->span_ns / 1e9, cycles, run->ns_per_cycle, longer,
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
  fprintf(out, "bytes            %llu\n", whole(report, "bytes"));
  if (run->model)
    fprintf(out, "model            %.0f packets per second\n",
            real(report, "model_packets_per_second"));
  else if (run->live) fprintf(out, "cycles           %llu\n", whole(report, "cycles"));
  else print_cycles(out, run, report);
  print_state(out, report);
  if (run->state && !json_is_object(json_object_get(report, "state")))
    fprintf(out, "state            not read: the run ended before\n");
  if (!run->model && !run->live && strcmp(text(report, "verdict"), "EQUIVALENT") == 0)
    print_unmet(out, run, report);
  if (run->live) fprintf(out, "compared         %s\n", text(report, "said"));
  else print_compared(out, report);
  reaction_print(out, json_object_get(report, "reactions"));
  print_notes(out, report);
  run_print_verdict(out, report);
}
