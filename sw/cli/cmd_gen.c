// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "../base/number.h"
#include "cli.h"

static const struct cli_usage usage = {
    "gen", "-o FILE [OPTION...] | --stress DIR [OPTION...]",
    "Makes a capture (pcap) of synthetic UDP traffic, or a trace for 'sluice bench study'",
    "The same options give the same bytes on every machine. Where the fields lie is in "
    "docs/cli.md.\n"};

static bool read_vids(const struct cli_list *list, unsigned *vids) {
  for (unsigned i = 0; i < list->count; i++) {
    if (!sluice_unsigned_in(list->items[i], 1, 4094, &vids[i])) {
      cli_error("--vid: '%s' is not a VLAN id from 1 to 4094%s", list->items[i],
                sluice_number_hint(list->items[i]));
      return false;
    }
  }
  return true;
}

int cmd_gen(int argc, char **argv) {
  struct cli_traffic traffic = cli_traffic_defaults();
  struct cli_list vid_list = {0}, rest;
  unsigned vids[CLI_MAX_ARGUMENTS] = {1};
  bool untagged = false;
  struct cli_stress stress = cli_stress_defaults();
  const char *out = NULL;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_WRITE, 'o', "output", "FILE", &out, 0, 0, "capture to write, - for standard output"},
      CLI_TRAFFIC_OPTIONS(traffic),
      {CLI_NUMBER, 0, "load", "SHARE", &traffic.load, 0, 1,
       "time stamps at this share of the rate (1)"},
      {CLI_NUMBER, 0, "rate", "GBPS", &traffic.rate, 0.001, 1e6, "rate of the line in Gb/s (100)"},
      {CLI_FLAG, 0, "random-gaps", NULL, &traffic.random_gaps, 0, 0,
       "exponential gaps instead of even ones"},
      {CLI_LIST, 0, "vid", "VLAN", &vid_list, 0, 0,
       "VLAN id; repeat to spread the flows over several (1)"},
      {CLI_FLAG, 0, "untagged", NULL, &untagged, 0, 0, "no VLAN tags: frames are 4 bytes shorter"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0,
       "A trace whose packets all need state (size 64, load 1 of each pipeline, zipf 0)"},
      {CLI_FOLDER, 0, "stress", "DIR", &stress.dir, 0, 0, "folder for the two files of the trace"},
      {CLI_TEXT, 0, "pattern", "NAME", &stress.pattern, 0, 0,
       "stress, hot-swap: turns of hot indices, burst: of lanes (stress)"},
      {CLI_WHOLE, 0, "pipelines", "K", &stress.pipelines, 1, SLUICE_TRACE_LANES, "pipelines (4)"},
      {CLI_WHOLE, 0, "entries", "N", &stress.entries, 1, SLUICE_TRACE_ENTRIES,
       "indices of each stateful stage (512)"},
      {CLI_WHOLE, 0, "cycles", "N", &stress.cycles, 1, SLUICE_TRACE_PACKETS,
       "cycles in which packets are offered (40000)"},
      {CLI_WHOLE, 0, "turn", "N", &stress.every, 1, SLUICE_TRACE_PACKETS,
       "cycles of a turn of hot-swap and burst (2000)"},
      {CLI_WHOLE, 0, "stages", "N", &stress.stages, 1, SLUICE_TRACE_STAGES, "stages (16)"},
      {CLI_TEXT, 0, "stateful", "LIST", &stress.stateful, 0, 0,
       "stages that each packet has an access at, or none (2,5,9,13)"},
      {CLI_WHOLE, 0, "ports", "N", &stress.ports, 1, SLUICE_TRACE_PORTS, "ports (64)"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  bool both = out && stress.dir, none = !out && !stress.dir;
  if (both || none || rest.count) {
    cli_error("%s; see 'sluice help gen'", both   ? "either -o or --stress"
                                           : none ? "-o is missing"
                                                  : "gen takes options only");
    return CLI_USAGE;
  }
  if (stress.dir) return cli_gen_stress(&stress, &traffic);
  struct sluice_traffic_options o;
  if (!cli_traffic_options(&traffic, &o) || !read_vids(&vid_list, vids)) return CLI_USAGE;
  o.vids = vids;
  o.num_vids = untagged ? 0 : vid_list.count ? vid_list.count : 1;

  struct sluice_error error;
  struct sluice_traffic *source;
  if (sluice_traffic_new(&source, &o, &error)) {
    cli_error("%s", error.text);
    return CLI_USAGE;
  }
  struct sluice_capture_writer *writer;
  if (sluice_capture_create(&writer, out, &error)) {
    cli_error("%s", error.text);
    sluice_traffic_free(source);
    return CLI_WORLD;
  }
  struct sluice_packet packet;
  for (sluice_traffic_next(source, &packet); packet.bytes; sluice_traffic_next(source, &packet))
    sluice_capture_write(writer, packet.bytes, packet.len, packet.time_ns);
  sluice_traffic_free(source);
  if (sluice_capture_finish(writer, &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  return CLI_DONE;
}
