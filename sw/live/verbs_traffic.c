// SPDX-License-Identifier: Apache-2.0
// Packets of a live switch: what was counted, those of the CPU port, ports of groups.
#include <sluice/event.h>
#include <string.h>

#include "../driver/chip/chip.h"
#include "asked.h"

enum { EVENTS_MOST = 256 };

// ---- counters -----------------------------------------------------------------------------------

static enum sluice_status count_chip(struct asked *a) {
  struct sluice_counters c;
  CHIP_TRY(sluice_chip_counters(a->chip, &c, &a->error));
  json_t *chip = json_object();
  answer_whole(chip, "packets", c.packets);
  answer_whole(chip, "accepted", c.accepted);
  answer_whole(chip, "admitted", c.admitted);
  answer_whole(chip, "left", c.left);
  answer_whole(chip, "copies", c.copies);
  answer_whole(chip, "copy_bytes", c.copy_bytes);
  answer_drops(chip, "drops", c.drops);
  answer_put(a->answer, "chip", chip);
  return SLUICE_OK;
}

// Statistics of the system-level module around the program: its scalars, `system.NAME`, those of
// egress functions over all lanes.
static enum sluice_status count_system(struct asked *a, const struct sluice_module *m, json_t *to) {
  static const char prefix[] = "system.";
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  json_t *system = NULL;
  for (size_t n = 0; n < plan->num_segments; n++) {
    const struct sluice_segment *s = &plan->segments[n];
    const bool egress = sluice_stage_is_egress(plan->config, s->stage);
    for (unsigned w = 0; w < 2 && s->row == m->row && s->range == 1; w++) {
      uint32_t value = 0;
      if (strncmp(s->name[w], prefix, sizeof prefix - 1) != 0) continue;
      // Of an egress function each output lane has one.
      for (unsigned lane = 0; lane < (egress ? plan->config->NumPipes : 1); lane++) {
        char name[SLUICE_NAME_LEN + 16];
        uint32_t one;
        snprintf(name, sizeof name, egress ? "%s@lane %u" : "%s", s->name[w], lane);
        CHIP_TRY(sluice_chip_state_read(a->chip, m->vid, name, 0, 1, &one, &a->error));
        value += one;
      }
      if (!system) answer_put(to, "system", system = json_object());
      answer_whole(system, s->name[w] + sizeof prefix - 1, value);
    }
  }
  return SLUICE_OK;
}

static enum sluice_status count_modules(struct asked *a) {
  struct sluice_module m;
  json_t *list = json_array();
  answer_put(a->answer, "modules", list);
  for (unsigned n = 0; sluice_plan_module(sluice_chip_plan(a->chip), n, &m); n++) {
    uint32_t drops[SLUICE_NUM_DROPS];
    uint64_t wide[SLUICE_NUM_DROPS];
    CHIP_TRY(sluice_chip_module_drops(a->chip, m.vid, drops, &a->error));
    for (unsigned r = 0; r < SLUICE_NUM_DROPS; r++) wide[r] = drops[r];
    json_t *module = json_object();
    answer_whole(module, "vid", m.vid);
    answer_text(module, "program", m.program);
    answer_drops(module, "drops", wide);
    answer_append(list, module);
    CHIP_TRY(count_system(a, &m, module));
  }
  return SLUICE_OK;
}

static enum sluice_status count_ports(struct asked *a) {
  json_t *list = json_array();
  answer_put(a->answer, "ports", list);
  for (unsigned p = 0; p < live_config(a->live)->NumPorts; p++) {
    struct live_counts c;
    struct sluice_port_counters port;
    if (!live_counts_of(a->live, p, &c)) continue;
    CHIP_TRY(sluice_chip_port_counters(a->chip, p, &port, &a->error));
    json_t *one = json_object(), *refused = json_object();
    answer_whole(one, "port", p);
    answer_whole(one, "in", c.in);
    answer_whole(one, "in_bytes", c.in_bytes);
    answer_whole(one, "out", c.out);
    answer_whole(one, "out_bytes", c.out_bytes);
    answer_whole(one, "sent", port.packets);
    answer_whole(one, "queue_full", port.drops);
    if (live_config(a->live)->EgressStages) answer_whole(one, "egress", port.egress);
    answer_whole(one, "not_taken", c.not_taken);
    for (unsigned r = LIVE_FITS + 1; r < LIVE_NUM_REFUSALS; r++)
      if (c.refused[r])
        answer_whole(refused, live_refusal_name((enum live_refusal)r), c.refused[r]);
    answer_put(one, "refused", refused);
    answer_append(list, one);
  }
  answer_whole(a->answer, "unconnected", live_unconnected(a->live));
  return SLUICE_OK;
}

enum sluice_status verb_counters(struct asked *a) {
  const struct live_pace pace = live_pace(a->live);
  CHIP_TRY(count_chip(a));
  CHIP_TRY(count_modules(a));
  CHIP_TRY(count_ports(a));
  answer_whole(a->answer, "cycles", pace.cycles);
  answer_put(a->answer, "seconds", json_real(pace.seconds));
  answer_put(a->answer, "age", json_real(live_age(a->live)));
  return SLUICE_OK;
}

// ---- stages -------------------------------------------------------------------------------------

// A register of the boundaries before a back stage, over all pipelines: their sum, or the largest.
static enum sluice_status put_boundaries(struct asked *a, json_t *to, unsigned stage,
                                         const char *name, uint32_t reg, bool largest) {
  uint64_t sum = 0, most = 0;
  for (unsigned pipe = 0; pipe < live_config(a->live)->NumPipes; pipe++) {
    uint32_t value;
    CHIP_TRY(sluice_chip_read(
        a->chip, CHIP_REG(BOUNDARY, 16 * stage + pipe, ISSUED) - SLUICE_BOUNDARY_ISSUED + reg,
        &value, &a->error));
    sum += value;
    most = value > most ? value : most;
  }
  answer_whole(to, name, largest ? most : sum);
  return SLUICE_OK;
}

enum sluice_status verb_stages(struct asked *a) {
  json_t *list = json_array();
  answer_put(a->answer, "stages", list);
  for (unsigned stage = 0; stage < live_config(a->live)->BackStages; stage++) {
    json_t *one = json_object();
    answer_whole(one, "stage", stage);
    answer_append(list, one);
    CHIP_TRY(put_boundaries(a, one, stage, "issued", SLUICE_BOUNDARY_ISSUED, false));
    CHIP_TRY(put_boundaries(a, one, stage, "stateful", SLUICE_BOUNDARY_STATEFUL, false));
    CHIP_TRY(put_boundaries(a, one, stage, "wait_data", SLUICE_BOUNDARY_WAIT_DATA, false));
    CHIP_TRY(put_boundaries(a, one, stage, "wait_credit", SLUICE_BOUNDARY_WAIT_CREDIT, false));
    CHIP_TRY(put_boundaries(a, one, stage, "high_queue", SLUICE_BOUNDARY_HIGH_QUEUE, true));
  }
  return SLUICE_OK;
}

// ---- events -------------------------------------------------------------------------------------

static json_t *event_json(const struct sluice_packet_out *p) {
  static const char digits[] = "0123456789abcdef";
  static char hex[2 * SLUICE_PACKET_MAX];
  json_t *one = json_object();
  for (size_t i = 0; i < p->len; i++) {
    hex[2 * i] = digits[p->bytes[i] >> 4];
    hex[2 * i + 1] = digits[p->bytes[i] & 15];
  }
  if (p->len >= 16) answer_whole(one, "vid", (p->bytes[14] & 15u) << 8 | p->bytes[15]);
  answer_whole(one, "ticket", p->ticket);
  answer_put(one, "bytes", json_stringn(hex, 2 * p->len));
  return one;
}

static bool has_cpu_port(const struct asked *a) {
  for (unsigned p = 0; p < live_config(a->live)->NumPorts; p++) {
    const struct live_spec *spec = live_spec_of(a->live, p);
    if (spec && spec->kind == LIVE_CPU) return true;
  }
  return false;
}

static enum sluice_status need_cpu_port(struct asked *a) {
  if (has_cpu_port(a)) return SLUICE_OK;
  return sluice_fail(&a->error, SLUICE_ERR_UNSUPPORTED,
                     "no port of this switch is the CPU port (serve --port N=cpu)");
}

// Changes of links that nobody has asked for.
static void put_links(struct asked *a, bool wanted) {
  struct live_change change;
  json_t *list = json_array();
  while (wanted && live_next_change(a->live, &change)) {
    json_t *one = json_object();
    answer_whole(one, "port", change.port);
    answer_text(one, "link", live_link_name(change.state));
    answer_whole(one, "cycles", change.cycles);
    answer_append(list, one);
  }
  answer_put(a->answer, "links", list);
}

static bool is_event_there(const struct asked *a) {
  return a->chip->events.head || live_has_change(a->live);
}

enum sluice_status begin_event(struct asked *a) {
  bool waits;
  CHIP_TRY(asked_flag(a, "wait", &waits));
  if (!has_cpu_port(a) && !live_has_links(a->live)) CHIP_TRY(need_cpu_port(a));
  if (waits) a->ready = is_event_there;
  return SLUICE_OK;
}

// Packets that have come to the CPU port, and changes of links: each is told once, to who asks
// first.
enum sluice_status verb_event(struct asked *a) {
  static struct sluice_packet_out packet;
  struct sluice_event_counts counts;
  unsigned most;
  const bool cpu = has_cpu_port(a);
  CHIP_TRY(asked_number_or(a, "count", EVENTS_MOST, EVENTS_MOST, &most));
  json_t *list = json_array();
  answer_put(a->answer, "events", list);
  for (unsigned n = 0; cpu && n < most; n++) {
    CHIP_TRY(sluice_chip_event(a->chip, &packet, &a->error));
    if (!packet.len) break;
    answer_append(list, event_json(&packet));
  }
  sluice_chip_event_counts(a->chip, &counts);
  answer_whole(a->answer, "lost", counts.lost_events);
  put_links(a, most != 0);
  return SLUICE_OK;
}

// A packet of the control plane, in at the CPU port.
enum sluice_status verb_send(struct asked *a) {
  static uint8_t bytes[SLUICE_PACKET_MAX];
  size_t len;
  CHIP_TRY(need_cpu_port(a));
  CHIP_TRY(asked_hex_bytes(a, "bytes", "a packet of at most 9216 bytes in hexadecimal digits",
                           bytes, sizeof bytes, &len));
  return live_cpu_put(a->live, bytes, len, &a->error);
}

// Ports of a group; with the member "ports" it gets them first.
enum sluice_status verb_group(struct asked *a) {
  const json_t *list = json_object_get(a->request, "ports");
  uint64_t ports = 0;
  unsigned row;
  CHIP_TRY(asked_number(a, "row", 255, &row));
  if (list && !json_is_array(list)) return asked_wants(a, "ports", "a list of ports");
  for (size_t n = 0; n < json_array_size(list); n++) {
    const json_t *port = json_array_get(list, n);
    if (!json_is_integer(port) || json_integer_value(port) < 0 || json_integer_value(port) > 63)
      return asked_wants(a, "ports", "a list of ports");
    ports |= UINT64_C(1) << json_integer_value(port);
  }
  if (list) CHIP_TRY(sluice_chip_group_set(a->chip, row, ports, &a->error));
  CHIP_TRY(sluice_chip_group(a->chip, row, &ports, &a->error));
  json_t *answer = json_array();
  for (unsigned p = 0; p < 64; p++)
    if (ports >> p & 1) answer_append(answer, json_integer(p));
  answer_put(a->answer, "ports", answer);
  return SLUICE_OK;
}
