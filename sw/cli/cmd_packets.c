// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "../driver/chip/packets.h"
#include "cli.h"

static const struct cli_usage usage = {
    "packets", "[IMAGE...] -o FILE | --decode FILE", "Makes or decodes reconfiguration packets",
    "Without --decode: writes the packets that load the images (or programs) on a chip fresh from\n"
    "reset, in the order to send them. With --decode: prints the reconfiguration packets of a "
    "capture;\n"
    "others are counted.\n"};

struct sink {
  struct sluice_capture_writer *writer;
  uint64_t time_ns;
};

static bool write_frame(void *context, const struct sluice_frame *frame) {
  struct sink *sink = context;
  sluice_capture_write(sink->writer, frame->bytes, frame->len, sink->time_ns);
  sink->time_ns += 1000;
  return true;
}

static int encode(const struct cli_modules *modules, const struct sluice_config *config,
                  const char *out) {
  struct sluice_plan plan;
  struct sluice_error error;
  struct sink sink = {0};
  enum sluice_status status = SLUICE_OK;
  sluice_plan_init(&plan, config);
  status = cli_modules_plan(modules, &plan, &error);
  if (!status) status = sluice_capture_create(&sink.writer, out, &error);
  if (!status) {
    sluice_reconfig_plan(&plan, write_frame, &sink);
    status = sluice_capture_finish(sink.writer, &error);
  }
  sluice_plan_release(&plan);
  if (!status) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}

static void print_packet(unsigned long number, const struct sluice_packet *packet,
                         const struct sluice_reconfig *r) {
  char text[4096];
  sluice_reconfig_describe(r, text, sizeof text);
  printf("%lu: %s, %zu bytes\n", number, text, packet->len);
  for (unsigned i = 0; r->op != SLUICE_CHAIN_READ && i < r->num_entries; i++) {
    const uint8_t *entry = sluice_reconfig_entry(r, i);
    sluice_entry_describe(r->table, entry, text, sizeof text);
    printf("    [%u] ", r->index + i);
    for (unsigned b = 0; b < sluice_table_bytes(r->table); b++) printf("%02x", entry[b]);
    printf("\n        %s\n", text);
  }
}

static int decode(const char *path) {
  struct sluice_capture *capture;
  struct sluice_packet packet;
  struct sluice_error error;
  unsigned long number = 0, others = 0;
  enum sluice_status status = sluice_capture_open(&capture, path, &error);
  if (status) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  while ((status = sluice_capture_next(capture, &packet, &error)) == SLUICE_OK && packet.bytes) {
    struct sluice_reconfig r;
    number++;
    if (sluice_reconfig_decode(&r, packet.bytes, packet.len, NULL)) others++;
    else print_packet(number, &packet, &r);
  }
  sluice_capture_close(capture);
  if (others) printf("%lu other packets\n", others);
  if (!status) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}

static int packets(struct cli_modules *modules, int argc, char **argv) {
  const char *chip = NULL, *out = NULL, *from = NULL;
  uint64_t sets = 1;
  struct cli_list with_vid = {0}, rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_WRITE, 'o', "output", "FILE", &out, 0, 0, "capture to write, - for standard output"},
      {CLI_MODULES, 'm', "module", "FILE:VID", &with_vid, 0, 0,
       "image or program with its VLAN id; FILE:VID@SET: in a set"},
      {CLI_WHOLE, 0, "sets", "N", &sets, 1, 16, "sets of pipelines: 1, 2, 4... (1)"},
      CLI_MODULE_OPTIONS(*modules),
      {CLI_TEXT, 'c', "chip", "NAME", &chip, 0, 0,
       "shape of the chip (that of an image, else " SLUICE_DEFAULT_SHAPE ")"},
      {CLI_READ, 'd', "decode", "FILE", &from, 0, 0, "capture to print, - for standard input"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  bool any = rest.count || with_vid.count;
  if (from ? any || out : !any || !out) {
    cli_error("packets needs either images and -o, or --decode; see 'sluice help packets'");
    return CLI_USAGE;
  }
  if (from) return decode(from);
  char shape[CLI_SHAPE_NAME];
  if (!chip) chip = cli_default_chip(&rest, &with_vid, shape, sizeof shape);
  const struct sluice_config *config = cli_chip(chip);
  if (!config) return CLI_USAGE;
  modules->sets = (unsigned)sets;
  int code = cli_modules_load(modules, &rest, &with_vid, config);
  if (code == CLI_DONE) code = encode(modules, config, out);
  if (code == CLI_DONE && modules->merge.lanes)
    cli_warn("no packet sets registers: write MERGE.KEY (0x%05x) 0x%x, MERGE.IDLE (0x%05x) %u and "
             "then MERGE.LANES (0x%05x) 0x%x",
             SLUICE_MERGE_BASE + SLUICE_MERGE_KEY, modules->merge.key,
             SLUICE_MERGE_BASE + SLUICE_MERGE_IDLE, modules->merge.idle,
             SLUICE_MERGE_BASE + SLUICE_MERGE_LANES, modules->merge.lanes);
  cli_modules_release(modules);
  return code;
}

int cmd_packets(int argc, char **argv) {
  struct cli_modules *modules = calloc(1, sizeof *modules);
  if (!modules) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  const int code = packets(modules, argc, argv);
  free(modules);
  return code;
}
