// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "../bringup/bringup.h"
#include "../transport/board.h"
#include "../transport/serial.h"
#include "cli.h"

static const struct cli_usage usage = {
    "bringup", "PROGRAM... | --echo, --device FILE | --sim FILE [OPTION...]",
    "Tries a chip on a board: loads programs, sends packets, compares with the reference",
    "The board is reached over a serial line (docs/fpga.md); --sim starts a simulated one\n"
    "(make fpga-sim). Ends with EQUIVALENT, or says the first difference. --echo tries line and "
    "bridge\n"
    "alone, with the image of 'make fpga-echo' on the board.\n"};

static void show(void *user, const char *text) {
  if (!*(bool *)user) printf("%s\n", text);
  fflush(stdout);
}

// The steps one after the other; a failure of the line ends them.
static enum sluice_status run(struct bringup *b, struct sluice_traffic *traffic, uint64_t packets,
                              struct sluice_error *error) {
  enum sluice_status status = bringup_identify(b, error);
  if (!status) status = bringup_load(b, error);
  for (uint64_t n = 0; !status && n < packets; n++) {
    struct sluice_packet packet;
    sluice_traffic_next(traffic, &packet);
    status = bringup_packet(b, (unsigned)(n % b->config->NumPorts), &packet, error);
  }
  return status ? status : bringup_finish(b, error);
}

static int try_board(struct board *board, const struct cli_modules *modules,
                     const struct sluice_config *config,
                     const struct sluice_traffic_options *options, uint64_t packets, bool quiet) {
  struct sluice_plan plan;
  struct sluice_error error;
  struct sluice_traffic *traffic = NULL;
  enum sluice_status status = SLUICE_OK;
  sluice_plan_init(&plan, config);
  status = cli_modules_plan(modules, &plan, &error);
  if (!status) status = sluice_traffic_new(&traffic, options, &error);
  struct sluice_transport to = {.ops = NULL};
  struct bringup b = {.to = &to,
                      .config = config,
                      .plan = &plan,
                      .patience = board->patience,
                      .said = show,
                      .user = &quiet};
  if (!status) status = sluice_transport_line(&to, &board->line, board->patience, &error);
  if (!status && !(b.model = sluice_model_open(config)))
    status = sluice_fail(&error, SLUICE_ERR_NOMEM, "out of memory");
  if (!status) status = run(&b, traffic, packets, &error);
  const bool differs = b.differences != 0;
  if (status) cli_error("%s", error.text);
  else if (differs) printf("DIFFERENT: %s (%lu in all)\n", b.difference, b.differences);
  else printf("EQUIVALENT\n");
  bringup_release(&b);
  sluice_transport_close(&to);
  sluice_model_close(b.model);
  sluice_traffic_free(traffic);
  sluice_plan_release(&plan);
  return status ? CLI_WORLD : differs ? CLI_NO : CLI_DONE;
}

static int try_echo(struct board *board, uint64_t rounds, uint64_t seed) {
  struct sluice_error error;
  if (bringup_echo(board, (unsigned long)rounds, seed, &error)) {
    cli_error("%s", error.text);
    return CLI_WORLD;
  }
  printf("echo: %llu registers and control packets came back, as many data packets were counted\n",
         (unsigned long long)rounds);
  return CLI_DONE;
}

static int bring_up(struct cli_modules *modules, struct board *board, int argc, char **argv) {
  const char *chip = "tiny", *device = NULL, *simulator = NULL;
  uint64_t baud = 1000000, packets = 32, size = 0, seed = 1;
  double patience = 2;
  bool quiet = false, echo = false;
  struct cli_list with_vid = {0}, sim_options = {0}, rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_PATH, 'd', "device", "FILE", &device, 0, 0, "serial line of the board"},
      {CLI_WHOLE, 'b', "baud", "N", &baud, 9600, 4e6,
       "its rate: 9600, 115200, ... 4000000, as the system has them (1000000)"},
      {CLI_PATH, 0, "sim", "FILE", &simulator, 0, 0, "simulated board to start instead"},
      {CLI_LIST, 0, "sim-option", "TEXT", &sim_options, 0, 0, "an argument for it"},
      {CLI_TEXT, 'c', "chip", "NAME", &chip, 0, 0, "shape of the chip (tiny)"},
      {CLI_MODULES, 'm', "module", "FILE:VID", &with_vid, 0, 0,
       "image or program with its VLAN id"},
      CLI_MODULE_OPTIONS(*modules),
      {CLI_WHOLE, 'n', "packets", "N", &packets, 0, 1e6, "packets to send (32)"},
      {CLI_WHOLE, 0, "size", "BYTES", &size, 64, 9216, "length of all packets (64 to 256)"},
      {CLI_WHOLE, 0, "seed", "N", &seed, 0, 9e15, "seed of the packets (1)"},
      {CLI_NUMBER, 0, "patience", "SECONDS", &patience, 0.01, 600,
       "longest wait for an answer (2)"},
      {CLI_FLAG, 0, "echo", NULL, &echo, 0, 0,
       "no chip: the image of 'make fpga-echo'; packets are rounds"},
      {CLI_FLAG, 'q', "quiet", NULL, &quiet, 0, 0, "only the verdict"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (!device == !simulator || echo == (rest.count || with_vid.count)) {
    cli_error("bringup needs programs or --echo, and --device or --sim; see 'sluice help bringup'");
    return CLI_USAGE;
  }
  const struct sluice_config *config = cli_chip(chip);
  if (!config) return CLI_USAGE;
  struct sluice_error error;
  int code = echo ? CLI_DONE : cli_modules_load(modules, &rest, &with_vid, config);
  if (code == CLI_DONE && modules->merge.lanes) {
    cli_error("--merge-lanes: bringup sends one packet after the other, so there is nothing to "
              "merge: 'sluice serve' merges lanes of a board");
    code = CLI_USAGE;
  }
  if (code == CLI_DONE) {
    unsigned vids[CLI_MAX_MODULES];
    for (unsigned i = 0; i < modules->count; i++) vids[i] = modules->items[i].vid;
    struct sluice_traffic_options traffic = sluice_traffic_defaults();
    traffic.packets = 0;
    traffic.seed = seed;
    traffic.flows = 16;
    traffic.size = SLUICE_SIZE_FIXED;
    traffic.frame_len = size ? (unsigned)size : 200;
    traffic.vids = vids;
    traffic.num_vids = modules->count;
    board->patience = patience;
    if (device ? line_open(&board->line, device, (unsigned)baud, &error)
               : line_simulate(&board->line, simulator, sim_options.items, &error)) {
      cli_error("%s", error.text);
      code = CLI_WORLD;
    } else {
      code = echo ? try_echo(board, packets, seed)
                  : try_board(board, modules, config, &traffic, packets, quiet);
      line_close(&board->line);
    }
  }
  cli_modules_release(modules);
  return code;
}

int cmd_bringup(int argc, char **argv) {
  struct cli_modules *modules = calloc(1, sizeof *modules);
  struct board *board = calloc(1, sizeof *board);
  int code = CLI_WORLD;
  if (modules && board) code = bring_up(modules, board, argc, argv);
  else cli_error("out of memory");
  free(modules);
  free(board);
  return code;
}
