// SPDX-License-Identifier: Apache-2.0
// Runs in which packets are handed to a chip (sw/session), not written into a job: to the reference
// model in this process, and to a simulator that serves, where reactions run meanwhile. On the
// model each packet is out before the next comes in, and there are no cycles. The simulator's
// monitors compare; there are no timelines and stories.
#include <sluice/chip.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../driver/wire/register.h"
#include "../live/simulator.h"
#include "../model/model.h"
#include "../session/report.h"
#include "../session/session.h"
#include "run.h"

enum {
  REASONS = SLUICE_NUM_DROPS,
  COLLECT = 1 << 24,  // packets after which the registers are added up: none of 32 bits wraps twice
  // Cycles between looks at the outputs where no reactions look: each is two answers
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
};

// What became of the packets of a module, or of all.
struct tally {
  uint64_t packets, delivered, drops[REASONS];
  uint64_t egress;         // packets of which the egress function discarded every copy
  uint32_t egress_copies;  // MODULE.DROP[EGRESS] behind the last packet
  uint32_t seen[REASONS];  // the chip's counters, when they were read last
};

struct on_chip {
  struct run *run;
  struct live_simulator simulator;  // of a run that is not on the model
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct session session;
  // Of the model.
  uint64_t tickets;
  uint32_t control_packets;
  struct tally all, modules[CLI_MAX_MODULES];
  int module_of_vid[4096];           // index in run->modules, -1: none
  int module;                        // of the packet at hand
  char names[CLI_MAX_MODULES][120];  // "module flowlet (VLAN 1)"
};

static struct reaction_meter *meter_of(const struct on_chip *c) { return &c->run->reactions.meter; }

// ---- the chip -----------------------------------------------------------------------------------

// The capture of --reconfiguration: every frame, whatever the chip says to it.
static enum sluice_status control(struct on_chip *c, struct sluice_error *error) {
  struct sluice_capture *capture;
  struct sluice_packet packet;
  uint8_t answer[SLUICE_PACKET_MAX];
  size_t len;
  SLUICE_TRY(sluice_capture_open(&capture, c->run->control_path, error));
  enum sluice_status status;
  while (!(status = sluice_capture_next(capture, &packet, error)) && packet.bytes) {
    status = c->to.ops->control_send(c->to.self, packet.bytes, packet.len, error);
    if (!status)
      status = c->to.ops->control_receive(c->to.self, answer, sizeof answer, &len, error);
    if (status) break;
  }
  sluice_capture_close(capture);
  return status;
}

static enum sluice_status set_register(struct on_chip *c, uint32_t reg, int64_t value,
                                       struct sluice_error *error) {
  if (value < 0) return SLUICE_OK;
  return sluice_chip_write(c->chip, SLUICE_CHIP_BASE + reg, (uint32_t)value, error);
}

static enum sluice_status open_chip(struct on_chip *c, struct sluice_error *error) {
  struct run *run = c->run;
  char socket[RUN_PATH];
  struct sluice_chip_options options = {.chip = run->config->name};
  if (run->model) options.verify = SLUICE_VERIFY_COUNT;  // a call in one process loses nothing
  snprintf(socket, sizeof socket, "%s/1-socket", run->work);
  SLUICE_TRY(run->model ? sluice_transport_model(&c->to, run->config->name, NULL, error)
                        : live_simulator_open(&c->simulator, &c->to, run->sim_path,
                                              run->config->name, socket, error));
  reaction_meter_init(meter_of(c), &c->to);
  SLUICE_TRY(sluice_chip_open(&c->chip, &meter_of(c)->to, &options, error));
  SLUICE_TRY(cli_modules_apply(&run->modules, run->config, c->chip, error));
  if (run->model) {
    if (run->control) SLUICE_TRY(control(c, error));
    return sluice_chip_read(c->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_RECONFIG_COUNT,
                            &c->control_packets, error);
  }
  SLUICE_TRY(set_register(c, SLUICE_CHIP_OUTPUT_LIMIT, run->job.set.output_limit, error));
  return set_register(c, SLUICE_CHIP_MOVE_QUOTA, run->job.set.move_quota, error);
}

static enum sluice_status now(void *user, uint32_t *cycle, struct sluice_error *error) {
  return reaction_meter_now(meter_of(user), cycle, error);
}

static enum sluice_status inside(void *user, bool *some, struct sluice_error *error) {
  const struct on_chip *c = user;
  uint32_t num = 0;
  const enum sluice_status status =
      sluice_chip_read(c->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_INSIDE, &num, error);
  *some = num != 0;
  return status;
}

// The time of the bus.
static enum sluice_status let_pass(void *user, uint64_t cycles, struct sluice_error *error) {
  return session_let(&((struct on_chip *)user)->session, cycles, error);
}

static enum sluice_status step(void *user, struct sluice_error *error) {
  const struct on_chip *c = user;
  bool ran;
  return reactions_step(c->run->reactions.list, &ran, error);
}

// ---- packets on the model -----------------------------------------------------------------------

static void name_modules(struct on_chip *c) {
  for (unsigned v = 0; v < 4096; v++) c->module_of_vid[v] = -1;
  for (unsigned i = 0; i < c->run->modules.count; i++) {
    const struct cli_module *module = &c->run->modules.items[i];
    c->module_of_vid[module->vid] = (int)i;
    snprintf(c->names[i], sizeof c->names[i], ", module %s (VLAN %u)", module->image.program,
             module->vid);
  }
}

static void add_drops(struct tally *t, unsigned reason, uint32_t now_counted) {
  t->drops[reason] += (uint32_t)(now_counted - t->seen[reason]);
  t->seen[reason] = now_counted;
}

static enum sluice_status collect(struct on_chip *c, struct sluice_error *error) {
  struct sluice_counters counters;
  uint32_t drops[REASONS];
  SLUICE_TRY(sluice_chip_counters(c->chip, &counters, error));
  for (unsigned r = 1; r < REASONS; r++) add_drops(&c->all, r, (uint32_t)counters.drops[r]);
  for (unsigned i = 0; i < c->run->modules.count; i++) {
    SLUICE_TRY(sluice_chip_module_drops(c->chip, c->run->modules.items[i].vid, drops, error));
    for (unsigned r = 1; r < REASONS; r++) add_drops(&c->modules[i], r, drops[r]);
  }
  return SLUICE_OK;
}

static void comment(void *user, char *text, size_t size) {
  const struct on_chip *c = user;
  snprintf(text, size, "packet %llu, ticket %llu%s", (unsigned long long)c->run->num_packets,
           (unsigned long long)c->tickets, c->module >= 0 ? c->names[c->module] : "");
}

// What the egress function of a module discarded of the last packet.
static enum sluice_status take_egress(struct on_chip *c, bool left, struct sluice_error *error) {
  struct tally *t = &c->modules[c->module];
  uint32_t copies;
  const unsigned row = c->run->modules.items[c->module].vid % c->run->config->NumModules;
  SLUICE_TRY(sluice_chip_read(
      c->chip,
      SLUICE_MODULE_BASE + row * SLUICE_MODULE_STRIDE + SLUICE_MODULE_DROP + 4 * SLUICE_DROP_EGRESS,
      &copies, error));
  const bool all = copies != t->egress_copies && !left;
  t->egress += all;
  c->all.egress += all;
  t->egress_copies = copies;
  return SLUICE_OK;
}

static enum sluice_status fate(void *user, const uint8_t *bytes, size_t len,
                               const struct sluice_packet_out *first, struct sluice_error *error) {
  struct on_chip *c = user;
  const bool sound = len >= SLUICE_MODEL_MIN_LEN && len <= SLUICE_MODEL_MAX_LEN &&
                     bytes[12] == 0x81 && bytes[13] == 0;
  c->module = sound ? c->module_of_vid[(bytes[14] & 15u) << 8 | bytes[15]] : -1;
  struct tally *t = c->module >= 0 ? &c->modules[c->module] : NULL;
  c->all.packets++;
  if (t) t->packets++;
  if (t && c->run->config->EgressStages) SLUICE_TRY(take_egress(c, first->len != 0, error));
  if (first->len) {
    // The ticket has 32 bits, and copies of one packet have the same.
    c->tickets += (uint32_t)(first->ticket - (uint32_t)c->tickets);
    c->all.delivered++;
    if (t) t->delivered++;
  }
  return c->all.packets % COLLECT ? SLUICE_OK : collect(c, error);
}

// ---- packets ------------------------------------------------------------------------------------

static enum sluice_status begin(void *user, bool at_ports, struct sluice_error *error) {
  (void)at_ports;
  return session_begin(&((struct on_chip *)user)->session, error);
}
static enum sluice_status take(void *user, const uint8_t *bytes, size_t len, uint64_t time_ns,
                               int port, struct sluice_error *error) {
  return session_take(&((struct on_chip *)user)->session, bytes, len, time_ns, port, error);
}
static enum sluice_status end(void *user, struct sluice_error *error) {
  return session_end(&((struct on_chip *)user)->session, error);
}

static int start(struct on_chip *c, struct sluice_error *error) {
  struct run *run = c->run;
  struct session *s = &c->session;
  *s = (struct session){
      .to = &c->to,
      .config = run->config,
      .user = c,
      .out = run->out ? run->out_path : NULL,
      .by_flow = strcmp(run->lanes, "hash") == 0,
      .timed = !run->model,
      .load = run->job.load,
      .seed = run->traffic.seed,
      .ns_per_cycle = strcmp(run->pace_by, "time") == 0 ? run->job.ns_per_cycle : 0,
      .limit = (double)run->timeout};
  s->hooks = run->model ? (struct session_hooks){.fate = fate, .comment = comment}
                        : (struct session_hooks){.now = now, .inside = inside};
  if (session_open(s, error)) return CLI_WORLD;
  if (!run->model) {
    meter_of(c)->let = let_pass;
    meter_of(c)->user = c;
  }
  s->ahead = AHEAD;
  const int code = cli_reactions_start(&run->reactions, c->chip, &run->modules, NULL, NULL);
  const bool reacts = run->reactions.list != NULL;
  s->keeps = reaction_bus_is(&meter_of(c)->bus);
  s->ahead = s->keeps ? AHEAD_OF_BUS : reacts ? AHEAD_OF_REACTION : AHEAD;
  s->turn = reacts ? SESSION_TURN : LONG_TURN;
  if (reacts && reactions_run(run->reactions.list)) s->hooks.step = step;
  return code;
}

// ---- report -------------------------------------------------------------------------------------

// Packets that got a ticket: all but those that lane and front stages dropped.
static uint64_t admitted(const struct tally *t) {
  uint64_t n = t->packets;
  for (unsigned r = 1; r <= SLUICE_DROP_OVERLOAD; r++) n -= t->drops[r];
  return n;
}

// Every packet is delivered, discarded or refused: without load none is lost.
static void add_tally(json_t *to, const struct tally *t) {
  const struct report_fates fates = report_fates_of(t->drops, t->delivered, 0, t->egress, 0);
  SLUICE_JSON_INTS(to, ("admitted", admitted(t)), ("left", admitted(t)));
  report_add_fates(to, &fates, t->drops);
}

static json_t *modules_json(const struct on_chip *c) {
  json_t *object = json_object();
  for (unsigned i = 0; i < c->run->modules.count; i++) {
    const struct tally *t = &c->modules[i];
    char key[32];
    snprintf(key, sizeof key, "vid%u", c->run->modules.items[i].vid);
    json_t *module = json_object();
    sluice_json_set_int(module, "dropped", t->packets - admitted(t));
    add_tally(module, t);
    sluice_json_set(object, key, module);
  }
  return object;
}

static enum sluice_status add_array(struct on_chip *c, unsigned vid,
                                    const struct sluice_image_array *array, json_t *to,
                                    struct sluice_error *error) {
  const unsigned lanes = array->egress ? c->run->config->NumPipes : 1;
  uint32_t *words = calloc((size_t)array->size * lanes, sizeof *words);
  enum sluice_status status = words ? SLUICE_OK : sluice_no_memory(error);
  for (unsigned l = 0; !status && l < lanes; l++) {
    char name[SLUICE_NAME_LEN + 20];
    snprintf(name, sizeof name, array->egress ? "%s@lane %u" : "%s", array->name, l);
    status = sluice_chip_state_read(c->chip, vid, name, 0, array->size,
                                    words + (size_t)l * array->size, error);
  }
  if (!status)
    report_words(to, array->name, array->stage, array->initial, words, array->size, lanes);
  free(words);
  return status;
}

static enum sluice_status add_rows(struct on_chip *c, unsigned vid,
                                   const struct sluice_image_rows *rows, json_t *to,
                                   struct sluice_error *error) {
  uint32_t *words = calloc((size_t)rows->size * rows->words, sizeof *words);
  if (!words) return sluice_no_memory(error);
  const enum sluice_status status =
      sluice_chip_rows_read(c->chip, vid, rows->name, 0, rows->size, words, error);
  if (!status) report_rows(to, rows->name, rows->stage, words, rows->size, rows->words);
  free(words);
  return status;
}

static enum sluice_status add_state(struct on_chip *c, json_t *root, struct sluice_error *error) {
  json_t *modules = json_object();
  sluice_json_set(root, "state", modules);
  for (unsigned i = 0; i < c->run->modules.count; i++) {
    const unsigned vid = c->run->modules.items[i].vid;
    struct sluice_image_array array;
    struct sluice_image_rows rows;
    char key[32];
    json_t *arrays = json_object();
    snprintf(key, sizeof key, "vid%u", vid);
    sluice_json_set(modules, key, arrays);
    for (unsigned n = 0; sluice_chip_get_array(c->chip, vid, n, &array); n++)
      SLUICE_TRY(add_array(c, vid, &array, arrays, error));
    for (unsigned n = 0; sluice_chip_get_rows(c->chip, vid, n, &rows); n++)
      SLUICE_TRY(add_rows(c, vid, &rows, arrays, error));
  }
  return SLUICE_OK;
}

static enum sluice_status add_registers(struct on_chip *c, json_t *root,
                                        struct sluice_error *error) {
  json_t *object = json_object();
  sluice_json_set(root, "registers", object);
  for (unsigned i = 0; i < c->run->registers.count; i++) {
    uint32_t addr, value;
    SLUICE_TRY(sluice_register_parse(c->run->config, c->run->registers.items[i], &addr, error));
    SLUICE_TRY(sluice_chip_read(c->chip, addr, &value, error));
    sluice_json_set_int(object, c->run->registers.items[i], value);
  }
  return SLUICE_OK;
}

// Nothing that counts cycles.
static enum sluice_status look_at_model(struct on_chip *c, json_t *root,
                                        struct sluice_error *error) {
  static const char *const nothing[] = {"packets",      "bytes",   "state_entries", "state_words",
                                        "entry_counts", "answers", "marks",         "cuts"};
  const double seconds = c->session.seconds;
  json_t *compared = json_object();
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
    sluice_json_set_int(compared, nothing[i], 0);
  sluice_json_set(root, "compared", compared);
  SLUICE_TRY(collect(c, error));
  sluice_json_set_int(root, "control_packets", c->control_packets);
  add_tally(root, &c->all);
  sluice_json_set(root, "modules", modules_json(c));
  sluice_json_set(root, "model_packets_per_second",
                  json_real(seconds > 0 ? (double)c->all.packets / seconds : 0));
  return SLUICE_OK;
}

static enum sluice_status look_at_simulator(struct on_chip *c, json_t *root,
                                            struct sluice_error *error) {
  struct sluice_counters n;
  SLUICE_TRY(sluice_chip_counters(c->chip, &n, error));
  const uint64_t gone = n.drops[SLUICE_DROP_DISCARD_BACK] + n.drops[SLUICE_DROP_NO_DEST] +
                        n.drops[SLUICE_DROP_FORBIDDEN];
  // By reason, as the checker counts: with further passes `left` counts some packets several times.
  const struct report_fates fates =
      report_fates_of(n.drops, n.left > gone ? n.left - gone : 0, 0, 0, 0);
  SLUICE_JSON_INTS(root, ("cycles", c->session.cycles), ("admitted", n.admitted), ("left", n.left));
  report_add_fates(root, &fates, n.drops);
  return SLUICE_OK;
}

static enum sluice_status look_at_chip(struct on_chip *c, json_t *root,
                                       struct sluice_error *error) {
  struct run *run = c->run;
  sluice_json_set(root, "config", json_string(run->config->name));
  SLUICE_JSON_INTS(root, ("seed", run->traffic.seed), ("packets", c->session.packets),
                   ("bytes", c->session.bytes), ("copies", c->session.copies),
                   ("copy_bytes", c->session.copy_bytes));
  sluice_json_set(root, "wall_seconds", json_real(c->session.seconds));
  SLUICE_TRY(run->model ? look_at_model(c, root, error) : look_at_simulator(c, root, error));
  if (run->reactions.list) {
    sluice_json_set(root, "reactions", reaction_report(run->reactions.list, -1, NULL));
    run->reaction_failed = reaction_failed(run->reactions.list);
  }
  if (run->registers.count) SLUICE_TRY(add_registers(c, root, error));
  return run->job.state ? add_state(c, root, error) : SLUICE_OK;
}

// ---- end ----------------------------------------------------------------------------------------

static void close_chip(struct on_chip *c) {
  session_release(&c->session);
  reactions_close(c->run->reactions.list);
  c->run->reactions.list = NULL;
  sluice_chip_close(c->chip);
  sluice_transport_close(&c->to);
}

// Ends the simulator, which says what its monitors saw.
static void add_verdict(struct on_chip *c, json_t *root) {
  static const char *const verdicts[] = {[LIVE_EQUIVALENT] = "EQUIVALENT",
                                         [LIVE_DIFFERENT] = "DIFFERENT",
                                         [LIVE_UNTESTED] = "UNTESTED",
                                         [LIVE_DIED] = "ERROR"};
  const enum live_verdict verdict = c->simulator.output < 0 ? LIVE_DIED
                                                            : live_simulator_end(&c->simulator);
  const char *colon = strstr(c->simulator.said, ": ");
  sluice_json_set(root, "verdict", json_string(c->run->model ? "MODEL" : verdicts[verdict]));
  if (!c->run->model)
    sluice_json_set(root, "said", json_string(colon ? colon + 2 : c->simulator.said));
}

int run_on_chip(struct run *run) {
  struct on_chip *c = calloc(1, sizeof *c);
  json_t *root = json_object();
  struct sluice_error error = {""};
  if (!c || !root) {
    cli_error("out of memory");
    free(c);
    json_decref(root);
    return CLI_WORLD;
  }
  c->run = run;
  c->simulator.output = -1;
  name_modules(c);
  enum sluice_status status = open_chip(c, &error);
  int code = status ? CLI_WORLD : start(c, &error);
  if (code == CLI_DONE) {
    const struct run_sink sink = {c, begin, take, end};
    code = run_play_packets(run, &sink);
    error.text[0] = 0;
    if (code == CLI_DONE && look_at_chip(c, root, &error)) code = CLI_WORLD;
  }
  close_chip(c);
  add_verdict(c, root);
  if (code == CLI_DONE && sluice_json_save(root, RUN_REPORT_FORM, run->report_path, &error))
    code = CLI_WORLD;
  if (code != CLI_DONE && error.text[0]) cli_error("%s", error.text);
  json_decref(root);
  free(c);
  return code;
}
