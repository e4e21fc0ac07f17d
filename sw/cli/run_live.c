// SPDX-License-Identifier: Apache-2.0
// A run with reactions, or --socket, on a simulator: it serves, and packets are handed to it as
// fast as its lanes take them, some ahead, so that they come in while a dialogue is under way too.
// The monitors compare; there are no timelines and stories.
#include <errno.h>
#include <sluice/chip.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/now.h"
#include "../lib/capture.h"
#include "../lib/deal.h"
#include "../live/simulator.h"
#include "../session/report.h"
#include "run.h"

enum {
  TURN = 64,  // cycles between looks at the outputs, where reactions look too
  // Where none do: each look is two answers of the simulator
  LONG_TURN = 512,
  // cycles' worth of packets that a lane has waiting outside; the simulator keeps 1,024 packets a
  // lane, and for one more time would pass cycle by cycle
  AHEAD = 1000,
  // where reactions look: packets must come all through a dialogue, which begins with up to 1,000
  // cycles until the last cut has ended; so a lane is full when one begins
  AHEAD_OF_REACTION = 2048,
  // The same with a bus: less than the simulator keeps for a lane, so that handing over takes no
  // cycles.
  AHEAD_OF_BUS = 512,
  QUIET = 4,  // turns without a packet inside, until all have left
  MOST_TURNS = 200000 / TURN,
};

// A packet that has not been handed to the chip yet.
struct kept {
  struct kept *next;
  size_t len;
  unsigned port;
  uint8_t bytes[];
};

struct on_chip {
  struct run *run;
  struct live_simulator simulator;
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_capture_writer *out;
  struct sluice_deal deal;
  struct sluice_packet_out packet;
  struct kept *first, *last;  // with a bus: a dialogue takes longer than what lanes have waiting
  uint64_t backlog[16];       // beats of a wire that had no cycle yet
  uint32_t cycle;             // when they were counted
  uint64_t packets, bytes, copies, copy_bytes, cycles;
  double start;
  double seconds;
};

static enum sluice_status begin_chip(struct on_chip *c, struct sluice_error *error) {
  struct run *run = c->run;
  char socket[RUN_PATH];
  snprintf(socket, sizeof socket, "%s/1-socket", run->work);
  SLUICE_TRY(
      live_simulator_open(&c->simulator, &c->to, run->sim_path, run->config->name, socket, error));
  reaction_meter_init(&run->reactions.meter, &c->to);
  const struct sluice_chip_options options = {.chip = run->config->name};
  SLUICE_TRY(sluice_chip_open(&c->chip, &run->reactions.meter.to, &options, error));
  enum sluice_status status = cli_modules_apply(&run->modules, run->config, c->chip, error);
  if (!status && run->output_limit != RUN_UNSET)
    status = sluice_chip_write(c->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_OUTPUT_LIMIT,
                               (uint32_t)run->output_limit, error);
  if (!status && run->move_quota != RUN_UNSET)
    status = sluice_chip_write(c->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_MOVE_QUOTA,
                               (uint32_t)run->move_quota, error);
  return status ? status : reaction_meter_now(&run->reactions.meter, &c->cycle, error);
}

// ---- packets ------------------------------------------------------------------------------------

static enum sluice_status begin(void *user, bool at_ports, struct sluice_error *error) {
  struct on_chip *c = user;
  const struct run *run = c->run;
  (void)at_ports;
  c->start = sluice_now();
  if (!run->out) return SLUICE_OK;
  return sluice_capture_is_pcapng(run->out_path)
             ? sluice_capture_create_ports(&c->out, run->out_path, run->config->NumPorts, error)
             : sluice_capture_create(&c->out, run->out_path, error);
}

static enum sluice_status take_out(struct on_chip *c, struct sluice_error *error) {
  for (;;) {
    SLUICE_TRY(c->to.ops->packet_receive(c->to.self, &c->packet, error));
    if (!c->packet.len) return SLUICE_OK;
    c->copies++;
    c->copy_bytes += c->packet.len;
    if (c->out)
      sluice_capture_write_at(c->out, c->packet.bytes, c->packet.len, c->cycles, c->packet.port,
                              "");
  }
}

// Cycles that have passed: of the turn, and of what the driver did.
static enum sluice_status count_cycles(struct on_chip *c, struct sluice_error *error) {
  uint32_t now;
  SLUICE_TRY(reaction_meter_now(&c->run->reactions.meter, &now, error));
  const uint32_t passed = now - c->cycle;
  c->cycle = now;
  c->cycles += passed;
  const uint64_t beats = (uint64_t)passed * sluice_wire_lanes(c->run->config);
  for (unsigned w = 0; w < sluice_num_wires(c->run->config); w++)
    c->backlog[w] -= c->backlog[w] < beats ? c->backlog[w] : beats;
  return SLUICE_OK;
}

static enum sluice_status hand_over(struct on_chip *c, unsigned port, const uint8_t *bytes,
                                    size_t len, struct sluice_error *error) {
  const struct sluice_config *config = c->run->config;
  c->packets++;
  c->bytes += len;
  c->backlog[sluice_port_wire(config, port)] += sluice_config_beats(config, len);
  return c->to.ops->packet_send(c->to.self, port, bytes, len, error);
}

static bool has_room(const struct on_chip *c, unsigned port) {
  const unsigned wire = sluice_port_wire(c->run->config, port);
  return c->backlog[wire] < (reaction_bus_is(&c->run->reactions.meter.bus) ? AHEAD_OF_BUS
                             : c->run->reactions.list                      ? AHEAD_OF_REACTION
                                                                           : AHEAD);
}

// Kept packets, in their order, as far as there is room.
static enum sluice_status feed(struct on_chip *c, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  while (!status && c->first && has_room(c, c->first->port)) {
    struct kept *k = c->first;
    status = hand_over(c, k->port, k->bytes, k->len, error);
    c->first = k->next;
    free(k);
  }
  return status;
}

static enum sluice_status keep(struct on_chip *c, unsigned port, const uint8_t *bytes, size_t len,
                               struct sluice_error *error) {
  struct kept *k = malloc(sizeof *k + len);
  if (!k) return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory for packets");
  *k = (struct kept){.len = len, .port = port};
  memcpy(k->bytes, bytes, len);
  if (c->first) c->last->next = k;
  else c->first = k;
  c->last = k;
  return SLUICE_OK;
}

// The time of the bus: packets go on.
static enum sluice_status let_pass(void *user, uint64_t cycles, struct sluice_error *error) {
  struct on_chip *c = user;
  for (uint64_t left = cycles, here; left; left -= here) {
    here = left < TURN ? left : TURN;
    SLUICE_TRY(feed(c, error));
    SLUICE_TRY(c->to.ops->wait(c->to.self, here, error));
    SLUICE_TRY(count_cycles(c, error));
    SLUICE_TRY(take_out(c, error));
  }
  return SLUICE_OK;
}

static enum sluice_status turn(struct on_chip *c, unsigned cycles, struct sluice_error *error) {
  bool ran;
  SLUICE_TRY(feed(c, error));
  const uint64_t most = c->run->timeout;
  if (most && sluice_now() - c->start > (double)most)
    return sluice_fail(error, SLUICE_ERR_IO, "the simulator was stopped after %llu s",
                       (unsigned long long)most);
  SLUICE_TRY(c->to.ops->wait(c->to.self, cycles, error));
  if (c->run->reactions.list) SLUICE_TRY(reactions_step(c->run->reactions.list, &ran, error));
  SLUICE_TRY(count_cycles(c, error));
  return take_out(c, error);
}

static enum sluice_status take(void *user, const uint8_t *bytes, size_t len, uint64_t time_ns,
                               int port, struct sluice_error *error) {
  struct on_chip *c = user;
  const unsigned to = sluice_deal_port(&c->deal, port, bytes, len);
  (void)time_ns;
  if (reaction_bus_is(&c->run->reactions.meter.bus)) return keep(c, to, bytes, len, error);
  while (!has_room(c, to)) SLUICE_TRY(turn(c, c->run->reactions.list ? TURN : LONG_TURN, error));
  return hand_over(c, to, bytes, len, error);
}

// All leave; reactions see the last ones too.
static enum sluice_status end(void *user, struct sluice_error *error) {
  struct on_chip *c = user;
  unsigned quiet = 0;
  while (c->first) SLUICE_TRY(turn(c, TURN, error));
  for (unsigned n = 0; c->chip && quiet < QUIET && n < MOST_TURNS; n++) {
    uint32_t inside;
    uint64_t backlog = 0;
    SLUICE_TRY(turn(c, TURN, error));
    SLUICE_TRY(sluice_chip_read(c->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_INSIDE, &inside, error));
    for (unsigned w = 0; w < sluice_num_wires(c->run->config); w++) backlog += c->backlog[w];
    quiet = inside || backlog ? 0 : quiet + 1;
  }
  c->seconds = sluice_now() - c->start;
  return sluice_capture_finish(c->out, error);
}

// ---- report -------------------------------------------------------------------------------------

static void add_fates(json_t *root, const struct sluice_counters *n) {
  const uint64_t *d = n->drops;
  const uint64_t gone = d[SLUICE_DROP_DISCARD_BACK] + d[SLUICE_DROP_NO_DEST] +
                        d[SLUICE_DROP_FORBIDDEN];
  // By reason, as the checker counts: with further passes `left` counts some packets several times.
  const struct report_fates fates =
      report_fates_of(d, n->left > gone ? n->left - gone : 0, 0, 0, 0);
  sluice_json_set_int(root, "admitted", n->admitted);
  sluice_json_set_int(root, "left", n->left);
  report_add_fates(root, &fates, d);
}

static enum sluice_status write_report(struct on_chip *c, json_t *root, const char *verdict,
                                       struct sluice_error *error) {
  const struct run *run = c->run;
  const char *colon = strstr(c->simulator.said, ": ");
  sluice_json_set(root, "verdict", json_string(verdict));
  sluice_json_set(root, "said", json_string(colon ? colon + 2 : c->simulator.said));
  sluice_json_set(root, "config", json_string(run->config->name));
  sluice_json_set_int(root, "seed", run->traffic.seed);
  sluice_json_set_int(root, "packets", c->packets);
  sluice_json_set_int(root, "bytes", c->bytes);
  sluice_json_set_int(root, "copies", c->copies);
  sluice_json_set_int(root, "copy_bytes", c->copy_bytes);
  sluice_json_set_int(root, "cycles", c->cycles);
  sluice_json_set(root, "wall_seconds", json_real(c->seconds));
  return sluice_json_save(root, RUN_REPORT_FORM, run->report_path, error);
}

static enum sluice_status look_at_chip(struct on_chip *c, json_t *root,
                                       struct sluice_error *error) {
  struct sluice_counters counters;
  SLUICE_TRY(sluice_chip_counters(c->chip, &counters, error));
  add_fates(root, &counters);
  if (!c->run->reactions.list) return SLUICE_OK;
  sluice_json_set(root, "reactions", reaction_report(c->run->reactions.list, -1, NULL));
  c->run->reaction_failed = reaction_failed(c->run->reactions.list);
  return SLUICE_OK;
}

static void close_all(struct on_chip *c) {
  for (struct kept *k = c->first, *next; k; k = next) {
    next = k->next;
    free(k);
  }
  c->first = NULL;
  reactions_close(c->run->reactions.list);
  c->run->reactions.list = NULL;
  sluice_chip_close(c->chip);
  c->chip = NULL;
  sluice_transport_close(&c->to);
}

int run_on_live(struct run *run) {
  static const char *const verdicts[] = {[LIVE_EQUIVALENT] = "EQUIVALENT",
                                         [LIVE_DIFFERENT] = "DIFFERENT",
                                         [LIVE_UNTESTED] = "UNTESTED",
                                         [LIVE_DIED] = "ERROR"};
  struct on_chip *c = calloc(1, sizeof *c);
  json_t *root = json_object();
  struct sluice_error error;
  if (!c || !root) {
    cli_error("out of memory");
    free(c);
    json_decref(root);
    return CLI_WORLD;
  }
  c->run = run;
  c->simulator.output = -1;
  c->deal = (struct sluice_deal){.config = run->config, .hash = strcmp(run->lanes, "hash") == 0};
  enum sluice_status status = begin_chip(c, &error);
  int code = CLI_DONE;
  run->reactions.meter.let = let_pass;
  run->reactions.meter.user = c;
  if (!status) code = cli_reactions_start(&run->reactions, c->chip, &run->modules, NULL, NULL);
  if (!status && code == CLI_DONE) {
    const struct run_sink sink = {c, begin, take, end};
    code = run_play_packets(run, &sink);
    if (code == CLI_DONE) status = look_at_chip(c, root, &error);
  }
  close_all(c);
  const enum live_verdict verdict = c->simulator.output < 0 ? LIVE_DIED
                                                            : live_simulator_end(&c->simulator);
  if (code == CLI_DONE && !status) status = write_report(c, root, verdicts[verdict], &error);
  if (status) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  json_decref(root);
  free(c);
  return code;
}
