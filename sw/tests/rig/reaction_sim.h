// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/bytes.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/line.h"
#include "tests/rig/texts.h"

/// A program with reactions on the reference model, traffic that happens at cycles, and a bus: what
/// a dialogue waits for on the bus is the time in which packets come. SLUICE_WHERE: a simulator
/// that serves instead, "unix:PATH" (sw/tests/chip/reaction_uses.sh); packets leave it later.
///
///     sim_open(&s, sim_text("sw/programs/reactions/block.dom", NULL), "react", "pcie", traffic,
///     &mine);
///     ... sim_pass(&s, 1000): events up to 1,000 cycles on; dialogues: sim_run(&s, until) ...
///     sim_close(&s);
///
/// An event is a call of `event` when `now` has reached `next`; it may send packets, and sets
/// `next`.
struct sim {
  struct sluice_transport model, to;
  struct sluice_filter line;
  struct reaction_meter meter;
  struct sluice_chip *chip;
  struct reactions *rs;
  struct sluice_image *image;
  bool remote;    // a simulator
  uint64_t now;   // the chip's cycles
  uint64_t next;  // of the next event
  void (*event)(struct sim *s, void *user);
  /// A packet has left, s->out. On the model within sim_send. NULL: nobody wants to know.
  void (*left)(struct sim *s, void *user);
  void *user;
  uint64_t packets;
  bool inside;  // of an event
  struct sluice_packet_out out;
};

enum { SIM_NOBODY_KNOWS = -2 };

// What has left; the port of the last one, or -1.
static inline int sim_receive(struct sim *s) {
  int left = -1;
  for (;;) {
    GOOD(s->model.ops->packet_receive(s->model.self, &s->out, &error));
    if (!s->out.len) return left;
    left = (int)s->out.port;
    if (s->left) s->left(s, s->user);
    if (!s->remote) return left;
  }
}

// A simulator's clock, which has 32 bits.
static inline void sim_clock(struct sim *s) {
  uint32_t now;
  if (!s->remote) return;
  GOOD(s->model.ops->csr_read(s->model.self, SLUICE_CHIP_BASE + SLUICE_CHIP_CYCLES, &now, &error));
  const int32_t passed = (int32_t)(now - (uint32_t)s->now);
  if (passed > 0) s->now += (uint32_t)passed;
}

// Events up to a cycle.
static inline void sim_events(struct sim *s, uint64_t until) {
  while (!s->inside && s->event && s->next <= until) {
    if (s->next > s->now) {
      GOOD(s->model.ops->wait(s->model.self, s->next - s->now, &error));
      s->now = s->next;
    }
    s->inside = true;
    s->event(s, s->user);
    s->inside = false;
  }
}

static inline void sim_pass(struct sim *s, uint64_t cycles) {
  sim_clock(s);
  const uint64_t until = s->now + cycles;
  sim_events(s, until);
  sim_clock(s);
  if (until > s->now) {
    GOOD(s->model.ops->wait(s->model.self, until - s->now, &error));
    s->now = until;
  }
  if (s->remote) (void)sim_receive(s);
}

/// Sends a packet, and returns the port that it left by; -1: none. What left is s->out. A simulator
/// cannot say yet: SIM_NOBODY_KNOWS.
static inline int sim_send(struct sim *s, unsigned port, const uint8_t *bytes, size_t len) {
  GOOD(s->model.ops->packet_send(s->model.self, port, bytes, len, &error));
  s->now += !s->remote;
  s->packets++;
  const int left = sim_receive(s);
  return s->remote ? SIM_NOBODY_KNOWS : left;
}

/// The head of a UDP packet of VLAN 1; 64 bytes, the rest is 0.
static inline void sim_udp(uint8_t bytes[64], uint32_t src, uint32_t dst, unsigned sport,
                           unsigned dport) {
  memset(bytes, 0, 64);
  udp_from_to(bytes, 1, src, dst);
  sluice_put16(bytes + 38, sport);
  sluice_put16(bytes + 40, dport);
}

// ---- the transport ------------------------------------------------------------------------------

// A register is read in one cycle. What the driver waits is time in which packets come.
static inline bool sim_before(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct sim *s = user;
  s->now += op == SLUICE_FILTER_READ && !s->remote;
  if (s->remote && op != SLUICE_FILTER_WAIT && s->event) {
    sim_clock(s);
    sim_events(s, s->now);
  }
  if (op == SLUICE_FILTER_RESET) s->now = 0;
  if (op != SLUICE_FILTER_WAIT) return true;
  sim_pass(s, cycles);
  return false;
}

/// For the next sim_open: cycles between rounds.
static uint32_t sim_period;

/// The text of a program in which `#define NAME ...` says something else; NULL ends the list.
static inline const char *sim_text(const char *path, const char *const (*defines)[2]) {
  static char text[65536], changed[65536];
  char *whole = text_of(path);
  snprintf(text, sizeof text, "%s", whole);
  free(whole);
  for (; defines && (*defines)[0]; defines++) {
    char line[80];
    snprintf(line, sizeof line, "#define %s ", (*defines)[0]);
    char *at = strstr(text, line);
    if (!at) fail_msg("'%s' has no '%s'", path, line);
    snprintf(changed, sizeof changed, "%.*s%s%s%s", (int)(at - text), text, line, (*defines)[1],
             strchr(at, '\n'));
    strcpy(text, changed);
  }
  return text;
}

// ---- life ---------------------------------------------------------------------------------------

static inline void sim_open(struct sim *s, const char *text, const char *chip, const char *bus,
                            void (*event)(struct sim *s, void *user), void *user) {
  memset(s, 0, sizeof *s);
  heard[0] = 0;
  s->image = compiled_text(text, chip);
  if (!s->image) fail_msg("a program does not compile for '%s':\n%s", chip, text);
  const char *where = getenv("SLUICE_WHERE");
  s->remote = where != NULL;
  if (where) GOOD(sluice_transport_open(&s->model, where, NULL, &error));
  else GOOD(sluice_transport_model(&s->model, chip, NULL, &error));
  sluice_filter_init(&s->line, &s->model, s);
  s->line.before = sim_before;
  s->to = s->line.to;
  reaction_meter_init(&s->meter, &s->to);
  GOOD(sluice_chip_open(&s->chip, &s->meter.to, NULL, &error));
  GOOD(sluice_chip_load(s->chip, s->image, 1, &error));
  GOOD(reaction_bus_parse(&s->meter.bus, bus, &error));
  sluice_chip_together(s->chip, reaction_bus_is(&s->meter.bus));
  GOOD(reactions_open(
      &s->rs, s->chip, &s->meter,
      &(struct reactions_options){.say = hear_named, .limit = 5, .period = sim_period}, &error));
  GOOD(reactions_add(s->rs, 1, s->image, NULL, &error));
  s->event = event;
  s->user = user;
  sim_clock(s);
}

/// Dialogues, one after the other, until a cycle.
static inline void sim_run(struct sim *s, uint64_t until) {
  bool ran;
  while (s->now < until) {
    GOOD(reactions_step(s->rs, &ran, &error));
    if (!ran) sim_pass(s, 1000);
  }
}

static inline struct reaction_info sim_info(struct sim *s) {
  struct reaction_info info = {.vid = 0};
  assert_true(reactions_get(s->rs, 0, &info));
  return info;
}

static inline void sim_close(struct sim *s) {
  GOOD(sluice_chip_audit(s->chip, &error));
  reactions_close(s->rs);
  sluice_chip_close(s->chip);
  sluice_image_close(s->image);
  sluice_transport_close(&s->model);
}
