// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>

#include "run.h"

bool run_copy_file(const char *from, const char *to) {
  FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
  char bytes[65536];
  size_t got;
  bool good = in && out;
  while (good && (got = fread(bytes, 1, sizeof bytes, in)) > 0)
    good = fwrite(bytes, 1, got, out) == got;
  if (in && ferror(in)) good = false;
  if (out && fclose(out) != 0) good = false;
  if (!good) cli_error("cannot copy '%s' to '%s': %s", from, to, strerror(errno));
  if (in) fclose(in);
  return good;
}

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
  if (strcmp(verdict, "EQUIVALENT") == 0) return CLI_DONE;
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

static void print_drops(const json_t *report) {
  const char *reason, *comma = "";
  json_t *count;
  printf("drops            ");
  json_object_foreach(json_object_get(report, "drops"), reason, count) {
    if (!json_integer_value(count)) continue;
    printf("%s%s %lld", comma, reason, (long long)json_integer_value(count));
    comma = ", ";
  }
  printf("%s\n", *comma ? "" : "none");
}

void run_print_verdict(const json_t *report) {
  const json_t *d = json_object_get(report, "first_difference");
  printf("%s", text(report, "verdict"));
  if (json_is_object(d)) {
    long long packet = (long long)json_integer_value(json_object_get(d, "packet"));
    if (packet >= 0)
      printf(": packet %lld", packet);
    else
      printf(": at the end");
    printf(", %s: expected %s, got %s", text(d, "field"), text(d, "expected"), text(d, "got"));
    if (*text(d, "text")) printf(" (%s)", text(d, "text"));
  } else if (*text(report, "error")) {
    printf(": %s", text(report, "error"));
  }
  printf("\n");
}

static unsigned long long held(const json_t *report, const char *why) {
  unsigned long long sum = 0;
  size_t i;
  json_t *lane;
  json_array_foreach(json_object_get(report, "order"), i, lane) sum += whole(lane, why);
  return sum;
}

// What the paper measures of recirculation.
static void print_recirculation(const json_t *r) {
  printf("recirculation    %llu packets made %llu passes, %.3f each, %llu at most; %llu lost\n",
         whole(r, "packets"), whole(r, "passes"), real(r, "passes_per_packet"),
         whole(r, "most_passes"), whole(r, "lost"));
  printf("against one      C1 violated by %llu packets, %.2f %%: a later packet's access came before; "
         "%llu came before an earlier one's\n",
         whole(r, "c1_late_packets"), 100.0 * real(r, "c1_late_share"), whole(r, "c1_early_packets"));
}

// What a run of a trace is for.
static void print_trace(const json_t *report) {
  const json_t *published = json_object_get(report, "as_published");
  const json_t *all = json_object_get(report, "slots");
  static const char *const parts[] = {"issued", "nothing_there", "waiting_for_order",
                                      "waiting_for_credit"};
  double share[4], slots = 0;
  for (int i = 0; i < 4; i++) slots += share[i] = real(all, parts[i]);
  for (int i = 0; i < 4; i++) share[i] *= slots > 0 ? 100.0 / slots : 0.0;
  printf("as published     last arrival %llu (offered %llu), last departure %llu: %.4f; less constant "
         "latency %.4f\n",
         whole(published, "last_arrival"), whole(published, "last_offered"), whole(published, "last_departure"),
         real(published, "throughput"), real(published, "less_constant_latency"));
  printf("boundaries       issued %.1f %%, nothing there %.1f %%, waiting for order %.1f %%, for credit "
         "%.1f %%\n",
         share[0], share[1], share[2], share[3]);
  printf("held cycles      pacing %llu, brake %llu, full queue %llu, credit %llu, window %llu\n",
         held(report, "paced"), held(report, "braked"), held(report, "full"),
         held(report, "credit"), held(report, "window"));
  const json_t *recirculation = json_object_get(report, "recirculation");
  if (recirculation) print_recirculation(recirculation);
  const json_t *flows = recirculation ? recirculation : report;
  printf("flows            %llu packets left after a later one of their flow, %llu of one lane\n",
         whole(flows, "reordered_in_flows"), whole(flows, "reordered_in_flows_of_a_lane"));
}

void run_print_report(const struct run *run, const json_t *report) {
  const json_t *latency = json_object_get(report, "latency");
  printf("chip             %s, seed %llu", run->config->name,
         (unsigned long long)run->traffic.seed);
  for (unsigned i = 0; i < run->modules.count; i++)
    printf("%s%s (VLAN %u)", i ? ", " : ", modules ", run->modules.items[i].image.program,
           run->modules.items[i].vid);
  printf("\npackets          %llu in, %llu out\n", whole(report, "packets"), whole(report, "left"));
  printf("bytes            %llu\n", whole(report, "bytes"));
  printf("cycles           %llu\n", whole(report, "cycles"));
  printf("throughput       %.3f packets per cycle, %.1f %% of line rate\n",
         real(report, "packets_per_cycle"), 100.0 * real(report, "share_of_line_rate"));
  print_drops(report);
  if (whole(report, "marked"))
    printf("marked           %llu, %llu of them left with CE\n", whole(report, "marked"),
           whole(report, "marked_ce"));
  if (whole(report, "c1_violating_packets"))
    printf("C1 violated      by %llu packets, %.1f %%\n", whole(report, "c1_violating_packets"),
           100.0 * real(report, "c1_violating_share"));
  printf("order queues     deepest %llu\n", whole(report, "deepest_order_queue"));
  if (run->packets_csv) print_trace(report);
  printf("latency          min %llu, median %llu, p99 %llu, max %llu cycles", whole(latency, "min"),
         whole(latency, "median"), whole(latency, "p99"), whole(latency, "max"));
  if (whole(latency, "idle")) printf("; a packet alone %llu", whole(latency, "idle"));
  printf("\nsimulation       %.0f packets per second\n",
         real(report, "simulated_packets_per_second"));
  run_print_verdict(report);
}
