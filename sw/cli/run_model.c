// SPDX-License-Identifier: Apache-2.0
// A run without a simulator: the reference model is the chip. Packets go from capture to capture,
// one after the other, each out before the next comes in. Nothing is compared, and there are no
// cycles to measure.
#include <errno.h>
#include <sluice/chip.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/now.h"
#include "../driver/register.h"
#include "../lib/capture.h"
#include "../lib/deal.h"
#include "../model/model.h"
#include "../session/report.h"
#include "run.h"

enum {
  REASONS = SLUICE_NUM_DROPS,
  COLLECT = 1 << 24,  // packets after which the registers are added up: none of 32 bits wraps twice
};

// What became of the packets of a module, or of all.
struct tally {
  uint64_t packets, delivered, drops[REASONS];
  uint64_t egress;         // packets of which the egress function discarded every copy
  uint32_t egress_copies;  // MODULE.DROP[EGRESS] behind the last packet
  uint32_t seen[REASONS];  // the chip's counters, when they were read last
};

struct on_model {
  struct run *run;
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_capture_writer *out;
  bool comments;  // it takes them
  struct sluice_deal deal;
  struct sluice_packet_out packet;
  uint64_t tickets, bytes, copies, copy_bytes;
  uint32_t control_packets;
  struct tally all, modules[CLI_MAX_MODULES];
  int module_of_vid[4096];           // index in run->modules, -1: none
  char names[CLI_MAX_MODULES][120];  // "module flowlet (VLAN 1)"
  double start;
  double seconds;
};

// ---- the chip -----------------------------------------------------------------------------------

// The capture of --control: every frame, whatever the chip says to it.
static enum sluice_status control(struct on_model *m, struct sluice_error *error) {
  struct sluice_capture *capture;
  struct sluice_packet packet;
  uint8_t answer[SLUICE_PACKET_MAX];
  size_t len;
  SLUICE_TRY(sluice_capture_open(&capture, m->run->control_path, error));
  enum sluice_status status;
  while (!(status = sluice_capture_next(capture, &packet, error)) && packet.bytes) {
    status = m->to.ops->control_send(m->to.self, packet.bytes, packet.len, error);
    if (!status)
      status = m->to.ops->control_receive(m->to.self, answer, sizeof answer, &len, error);
    if (status) break;
  }
  sluice_capture_close(capture);
  return status;
}

static enum sluice_status configure(struct on_model *m, struct sluice_error *error) {
  // a call in one process loses nothing
  const struct sluice_chip_options options = {.chip = m->run->config->name,
                                              .verify = SLUICE_VERIFY_COUNT};
  SLUICE_TRY(sluice_transport_model(&m->to, m->run->config->name, NULL, error));
  reaction_meter_init(&m->run->reactions.meter, &m->to);
  SLUICE_TRY(sluice_chip_open(&m->chip, &m->run->reactions.meter.to, &options, error));
  SLUICE_TRY(cli_modules_apply(&m->run->modules, m->run->config, m->chip, error));
  if (m->run->control) SLUICE_TRY(control(m, error));
  return sluice_chip_read(m->chip, SLUICE_CHIP_BASE + SLUICE_CHIP_RECONFIG_COUNT,
                          &m->control_packets, error);
}

static void name_modules(struct on_model *m) {
  for (unsigned v = 0; v < 4096; v++) m->module_of_vid[v] = -1;
  for (unsigned i = 0; i < m->run->modules.count; i++) {
    const struct cli_module *module = &m->run->modules.items[i];
    m->module_of_vid[module->vid] = (int)i;
    snprintf(m->names[i], sizeof m->names[i], ", module %s (VLAN %u)", module->image.program,
             module->vid);
  }
}

// ---- packets ------------------------------------------------------------------------------------

static void add_drops(struct tally *t, unsigned reason, uint32_t now) {
  t->drops[reason] += (uint32_t)(now - t->seen[reason]);
  t->seen[reason] = now;
}

static enum sluice_status collect(struct on_model *m, struct sluice_error *error) {
  struct sluice_counters counters;
  uint32_t drops[REASONS];
  SLUICE_TRY(sluice_chip_counters(m->chip, &counters, error));
  for (unsigned r = 1; r < REASONS; r++) add_drops(&m->all, r, (uint32_t)counters.drops[r]);
  for (unsigned i = 0; i < m->run->modules.count; i++) {
    SLUICE_TRY(sluice_chip_module_drops(m->chip, m->run->modules.items[i].vid, drops, error));
    for (unsigned r = 1; r < REASONS; r++) add_drops(&m->modules[i], r, drops[r]);
  }
  return SLUICE_OK;
}

static enum sluice_status begin(void *user, bool at_ports, struct sluice_error *error) {
  struct on_model *m = user;
  const struct run *run = m->run;
  (void)at_ports;
  m->start = sluice_now();
  if (!run->out) return SLUICE_OK;
  m->comments = sluice_capture_is_pcapng(run->out_path);
  return m->comments
             ? sluice_capture_create_ports(&m->out, run->out_path, run->config->NumPorts, error)
             : sluice_capture_create(&m->out, run->out_path, error);
}

// A copy that has left. The model takes no time: its time stamp is that of the packet that came in.
static void leave(struct on_model *m, uint64_t time_ns, int module) {
  const struct sluice_packet_out *p = &m->packet;
  m->copies++;
  m->copy_bytes += p->len;
  if (!m->out) return;
  char comment[200] = "";
  if (m->comments)
    snprintf(comment, sizeof comment, "packet %llu, ticket %llu%s",
             (unsigned long long)m->run->num_packets, (unsigned long long)m->tickets,
             module >= 0 ? m->names[module] : "");
  sluice_capture_write_at(m->out, p->bytes, p->len, time_ns, p->port, comment);
}

// What the egress function of a module discarded of the last packet.
static enum sluice_status take_egress(struct on_model *m, int module, struct sluice_error *error) {
  struct tally *t = &m->modules[module];
  uint32_t copies;
  const unsigned row = m->run->modules.items[module].vid % m->run->config->NumModules;
  SLUICE_TRY(sluice_chip_read(
      m->chip,
      SLUICE_MODULE_BASE + row * SLUICE_MODULE_STRIDE + SLUICE_MODULE_DROP + 4 * SLUICE_DROP_EGRESS,
      &copies, error));
  const bool all = copies != t->egress_copies && !m->packet.len;
  t->egress += all;
  m->all.egress += all;
  t->egress_copies = copies;
  return SLUICE_OK;
}

static enum sluice_status take(void *user, const uint8_t *bytes, size_t len, uint64_t time_ns,
                               int port, struct sluice_error *error) {
  struct on_model *m = user;
  const bool sound = len >= SLUICE_MODEL_MIN_LEN && len <= SLUICE_MODEL_MAX_LEN &&
                     bytes[12] == 0x81 && bytes[13] == 0;
  const int module = sound ? m->module_of_vid[(bytes[14] & 15u) << 8 | bytes[15]] : -1;
  m->all.packets++;
  m->bytes += len;
  if (module >= 0) m->modules[module].packets++;
  SLUICE_TRY(m->to.ops->packet_send(m->to.self, sluice_deal_port(&m->deal, port, bytes, len), bytes,
                                    len, error));
  SLUICE_TRY(m->to.ops->packet_receive(m->to.self, &m->packet, error));
  if (m->run->config->EgressStages && module >= 0) SLUICE_TRY(take_egress(m, module, error));
  if (m->packet.len) {
    // The ticket has 32 bits, and copies of one packet have the same.
    m->tickets += (uint32_t)(m->packet.ticket - (uint32_t)m->tickets);
    m->all.delivered++;
    if (module >= 0) m->modules[module].delivered++;
  }
  while (m->packet.len) {
    leave(m, time_ns, module);
    SLUICE_TRY(m->to.ops->packet_receive(m->to.self, &m->packet, error));
  }
  if (m->run->reactions.list) {
    bool ran;
    SLUICE_TRY(reactions_step(m->run->reactions.list, &ran, error));
  }
  return m->all.packets % COLLECT ? SLUICE_OK : collect(m, error);
}

static enum sluice_status end(void *user, struct sluice_error *error) {
  struct on_model *m = user;
  const enum sluice_status status = sluice_capture_finish(m->out, error);
  m->seconds = sluice_now() - m->start;
  return status;
}

// ---- report -------------------------------------------------------------------------------------

// Every packet is delivered, discarded or refused: without load none is lost.
static void add_fates(json_t *to, const struct tally *t) {
  const struct report_fates fates = report_fates_of(t->drops, t->delivered, 0, t->egress, 0);
  report_add_fates(to, &fates, t->drops);
}

// Packets that got a ticket: all but those that lane and front stages dropped.
static uint64_t admitted(const struct tally *t) {
  uint64_t n = t->packets;
  for (unsigned r = 1; r <= SLUICE_DROP_OVERLOAD; r++) n -= t->drops[r];
  return n;
}

static json_t *modules_json(const struct on_model *m) {
  json_t *object = json_object();
  for (unsigned i = 0; i < m->run->modules.count; i++) {
    const struct tally *t = &m->modules[i];
    char key[32];
    snprintf(key, sizeof key, "vid%u", m->run->modules.items[i].vid);
    json_t *module = json_object();
    sluice_json_set_int(module, "admitted", admitted(t));
    sluice_json_set_int(module, "left", admitted(t));
    sluice_json_set_int(module, "dropped", t->packets - admitted(t));
    add_fates(module, t);
    sluice_json_set(object, key, module);
  }
  return object;
}

static enum sluice_status add_array(struct on_model *m, unsigned vid,
                                    const struct sluice_image_array *array, json_t *to,
                                    struct sluice_error *error) {
  const unsigned lanes = array->egress ? m->run->config->NumPipes : 1;
  uint32_t *words = calloc((size_t)array->size * lanes, sizeof *words);
  enum sluice_status status = words ? SLUICE_OK : sluice_no_memory(error);
  for (unsigned l = 0; !status && l < lanes; l++) {
    char name[SLUICE_NAME_LEN + 20];
    snprintf(name, sizeof name, array->egress ? "%s@lane %u" : "%s", array->name, l);
    status = sluice_chip_state_read(m->chip, vid, name, 0, array->size,
                                    words + (size_t)l * array->size, error);
  }
  if (!status)
    report_words(to, array->name, array->stage, array->initial, words, array->size, lanes);
  free(words);
  return status;
}

static enum sluice_status add_rows(struct on_model *m, unsigned vid,
                                   const struct sluice_image_rows *rows, json_t *to,
                                   struct sluice_error *error) {
  uint32_t *words = calloc((size_t)rows->size * rows->words, sizeof *words);
  if (!words) return sluice_no_memory(error);
  const enum sluice_status status =
      sluice_chip_rows_read(m->chip, vid, rows->name, 0, rows->size, words, error);
  if (!status) report_rows(to, rows->name, rows->stage, words, rows->size, rows->words);
  free(words);
  return status;
}

static enum sluice_status state_json(struct on_model *m, json_t *root, struct sluice_error *error) {
  json_t *modules = json_object();
  sluice_json_set(root, "state", modules);
  for (unsigned i = 0; i < m->run->modules.count; i++) {
    const unsigned vid = m->run->modules.items[i].vid;
    struct sluice_image_array array;
    char key[32];
    json_t *arrays = json_object();
    snprintf(key, sizeof key, "vid%u", vid);
    sluice_json_set(modules, key, arrays);
    for (unsigned n = 0; sluice_chip_get_array(m->chip, vid, n, &array); n++)
      SLUICE_TRY(add_array(m, vid, &array, arrays, error));
    struct sluice_image_rows rows;
    for (unsigned n = 0; sluice_chip_get_rows(m->chip, vid, n, &rows); n++)
      SLUICE_TRY(add_rows(m, vid, &rows, arrays, error));
  }
  return SLUICE_OK;
}

static enum sluice_status registers_json(struct on_model *m, json_t *root,
                                         struct sluice_error *error) {
  json_t *object = json_object();
  sluice_json_set(root, "registers", object);
  for (unsigned i = 0; i < m->run->registers.count; i++) {
    uint32_t addr, value;
    SLUICE_TRY(sluice_register_parse(m->run->config, m->run->registers.items[i], &addr, error));
    SLUICE_TRY(sluice_chip_read(m->chip, addr, &value, error));
    sluice_json_set_int(object, m->run->registers.items[i], value);
  }
  return SLUICE_OK;
}

// The keys of a simulator's report, as far as there is something to say; nothing that counts
// cycles.
static enum sluice_status write_report(struct on_model *m, struct sluice_error *error) {
  const struct run *run = m->run;
  json_t *root = json_object(), *compared = json_object();
  sluice_json_set(root, "verdict", json_string("MODEL"));
  sluice_json_set(root, "config", json_string(run->config->name));
  sluice_json_set_int(root, "seed", run->traffic.seed);
  static const char *const nothing[] = {"packets",      "bytes",   "state_entries", "state_words",
                                        "entry_counts", "answers", "marks",         "cuts"};
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
    sluice_json_set_int(compared, nothing[i], 0);
  sluice_json_set(root, "compared", compared);
  sluice_json_set_int(root, "packets", m->all.packets);
  sluice_json_set_int(root, "bytes", m->bytes);
  sluice_json_set_int(root, "admitted", admitted(&m->all));
  sluice_json_set_int(root, "left", admitted(&m->all));
  sluice_json_set_int(root, "copies", m->copies);
  sluice_json_set_int(root, "copy_bytes", m->copy_bytes);
  sluice_json_set_int(root, "control_packets", m->control_packets);
  add_fates(root, &m->all);
  sluice_json_set(root, "modules", modules_json(m));
  sluice_json_set(root, "wall_seconds", json_real(m->seconds));
  sluice_json_set(root, "model_packets_per_second",
                  json_real(m->seconds > 0 ? (double)m->all.packets / m->seconds : 0));
  if (run->reactions.list)
    sluice_json_set(root, "reactions", reaction_report(run->reactions.list, -1, NULL));
  enum sluice_status status = run->registers.count ? registers_json(m, root, error) : SLUICE_OK;
  if (!status && run->state) status = state_json(m, root, error);
  if (!status) status = sluice_json_save(root, RUN_REPORT_FORM, run->report_path, error);
  json_decref(root);
  return status;
}

int run_on_model(struct run *run) {
  struct on_model *m = calloc(1, sizeof *m);
  struct sluice_error error;
  if (!m) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  m->run = run;
  m->deal = (struct sluice_deal){.config = run->config, .hash = strcmp(run->lanes, "hash") == 0};
  name_modules(m);
  enum sluice_status status = configure(m, &error);
  int code = CLI_DONE;
  if (!status) code = cli_reactions_start(&run->reactions, m->chip, &run->modules, NULL, NULL);
  if (!status && code == CLI_DONE) {
    const struct run_sink sink = {m, begin, take, end};
    code = run_play_packets(run, &sink);
    if (code == CLI_DONE) status = collect(m, &error);
    if (code == CLI_DONE && !status) status = write_report(m, &error);
  }
  if (status) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  if (code == CLI_DONE && run->reactions.list && reaction_failed(run->reactions.list))
    run->reaction_failed = true;
  reactions_close(run->reactions.list);
  run->reactions.list = NULL;
  sluice_chip_close(m->chip);
  sluice_transport_close(&m->to);
  free(m);
  return code;
}
