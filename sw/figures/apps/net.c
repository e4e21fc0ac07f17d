// SPDX-License-Identifier: Apache-2.0
#include "net.h"

#include <sluice/cut.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/rng.h"
#include "../../compiler/compiler.h"
#include "../../driver/image/image.h"
#include "../../base/status.h"
#include "../../live/tag.h"
#include "../../reaction/meter.h"
#include "../../session/session.h"

enum { FRAME = 2048, DEFAULT_VID = 5, STEP = 64 };

struct held {
  struct held *next;
  uint64_t due;
  size_t len;
  uint8_t frame[];
};

struct end {
  struct active_link link;
  struct active_net *net;
  struct end *next;
  unsigned port;
  struct held *first;  // for the host
};

struct active_net {
  struct active_net_options options;
  struct sluice_transport own, *to;
  struct reaction_meter meter;
  struct session session;
  bool counts;  // the chip counts its cycles
  struct sluice_chip *chip;
  struct sluice_controller *controller;
  struct sluice_rng rng;
  unsigned vid, ports;
  uint64_t now;
  struct end *ends;
  struct held *entering[64];  // late, by port
  struct held *asked;         // for the controller, which is busy
  bool busy;
  struct active_net_change change;
  uint32_t cycles_before;
  uint64_t cycles;
  struct sluice_error failed;
  enum sluice_status status;  // what a link could not say
};

// ---- frames -------------------------------------------------------------------------------------

static bool happens(struct active_net *n, double share) {
  return share > 0 && sluice_rng_unit(&n->rng) < share;
}

// Behind those that are due no later: the order is kept, but for what is late.
static void push(struct held **list, const uint8_t *frame, size_t len, uint64_t due) {
  struct held *h = malloc(sizeof *h + len);
  if (!h) abort();
  h->due = due;
  h->len = len;
  memcpy(h->frame, frame, len);
  while (*list && (*list)->due <= due) list = &(*list)->next;
  h->next = *list;
  *list = h;
}
static struct held *pop(struct held **list, uint64_t now) {
  struct held *h = *list;
  if (!h || h->due > now) return NULL;
  *list = h->next;
  return h;
}
static void drop_all(struct held **list) {
  for (struct held *h; (h = *list); free(h)) *list = h->next;
}

// What a bad line makes of a frame: not at all, twice, late.
static void pass(struct active_net *n, struct held **list, const uint8_t *frame, size_t len) {
  if (happens(n, n->options.lose)) return;
  for (int times = happens(n, n->options.twice) ? 2 : 1; times; times--)
    push(list, frame, len,
         n->now + (happens(n, n->options.late) && n->options.late_by
                       ? sluice_rng_below(&n->rng, n->options.late_by)
                       : 0));
}

static void into_chip(struct active_net *n, unsigned port, const uint8_t *frame, size_t len) {
  if (n->status) return;
  n->status = session_put(&n->session, port, frame, len, &n->failed);
}

static bool link_send(void *self, const uint8_t *frame, size_t len) {
  struct end *e = self;
  uint8_t tagged[FRAME];
  size_t all;
  const struct live_vlan access = {.vid = e->net->vid};
  if (live_enter(&access, frame, len, tagged, sizeof tagged, &all) != LIVE_FITS) return false;
  pass(e->net, &e->net->entering[e->port], tagged, all);
  for (struct held *h; (h = pop(&e->net->entering[e->port], e->net->now)); free(h))
    into_chip(e->net, e->port, h->frame, h->len);
  return true;
}

static size_t link_receive(void *self, uint8_t *frame, size_t room) {
  struct end *e = self;
  struct held *h;
  while ((h = pop(&e->first, e->net->now))) {
    const size_t len = h->len;
    const bool fits = len <= room;
    if (fits) memcpy(frame, h->frame, len);
    free(h);
    if (fits) return len;
  }
  return 0;
}

static void answered(void *user, const uint8_t *frame, size_t len) {
  struct active_net *n = user;
  into_chip(n, n->ports - 1, frame, len);
}

// The controller: one frame at a time. While it changes the chip, packets go on (`let`), and frames
// for it wait.
static void control(struct active_net *n, const uint8_t *bytes, size_t len) {
  struct sluice_error why;
  const struct reaction_traffic before = n->meter.traffic;
  const uint64_t began = active_net_cycles(n);
  n->busy = true;
  n->meter.on = reaction_bus_is(&n->meter.bus);
  // A frame that makes no sense ends nothing.
  const enum sluice_status status =
      sluice_controller_frame(n->controller, bytes, len, n->now, answered, n, &why);
  n->meter.on = n->busy = false;
  const struct reaction_traffic *t = &n->meter.traffic;
  const uint64_t ended = active_net_cycles(n);
  // Polls change nothing.
  if (t->writes != before.writes || t->transfers != before.transfers)
    n->change = (struct active_net_change){began,
                                           ended,
                                           t->reads - before.reads,
                                           t->writes - before.writes,
                                           t->transfers - before.transfers,
                                           t->answers - before.answers};
  if (status && status != SLUICE_ERR_FORMAT && !n->status) {
    n->status = status;
    n->failed = why;
  }
}

static enum sluice_status left(void *user, struct sluice_packet_out *p,
                               struct sluice_error *error) {
  struct active_net *n = user;
  const struct live_vlan access = {.vid = n->vid};
  const uint8_t *start;
  (void)error;
  if (p->port == n->ports - 1) {
    push(&n->asked, p->bytes, p->len, 0);
    return SLUICE_OK;
  }
  if (live_leave(&access, p->bytes, &p->len, &start) != LIVE_FITS) return SLUICE_OK;
  for (struct end *e = n->ends; e; e = e->next)
    if (e->port == p->port) pass(n, &e->first, start, p->len);
  return SLUICE_OK;
}

static enum sluice_status feed(void *user, uint64_t cycles, struct sluice_error *error) {
  struct active_net *n = user;
  (void)error;
  n->now += cycles;
  for (unsigned port = 0; port < n->ports; port++)
    for (struct held *h; (h = pop(&n->entering[port], n->now)); free(h))
      into_chip(n, port, h->frame, h->len);
  return SLUICE_OK;
}

// The time of the bus.
static enum sluice_status let(void *user, uint64_t cycles, struct sluice_error *error) {
  struct active_net *n = user;
  enum sluice_status status = SLUICE_OK;
  for (uint64_t here; cycles && !status; cycles -= here) {
    here = cycles < STEP ? cycles : STEP;
    status = session_pass(&n->session, here, error);
    if (n->options.meanwhile) n->options.meanwhile(n->options.user, n);
  }
  return status;
}

enum sluice_status active_net_turn(struct active_net *n, uint64_t cycles,
                                   struct sluice_error *error) {
  enum sluice_status status = session_pass(&n->session, cycles, error);
  if (status || n->busy) return status;
  for (struct held *h; (h = pop(&n->asked, n->now)); free(h)) control(n, h->frame, h->len);
  n->busy = true;
  n->meter.on = reaction_bus_is(&n->meter.bus);
  status = sluice_controller_tick(n->controller, n->now, answered, n, error);
  n->meter.on = n->busy = false;
  if (!status && n->status) {
    status = sluice_fail(error, n->status, "%s", n->failed.text);
    n->status = SLUICE_OK;
  }
  return status ? status : session_collect(&n->session, error);
}

unsigned active_net_size(struct active_net *n) {
  struct sluice_image_array array;
  return sluice_chip_get_array(n->chip, n->vid, 0, &array) ? array.size : 0;
}

static enum sluice_status read_stage(struct active_net *n, unsigned stage, bool cut, unsigned num,
                                     uint32_t *values, struct sluice_error *error) {
  char name[24];
  snprintf(name, sizeof name, "memory_%u", stage);
  return cut ? sluice_chip_cut_read(n->chip, n->vid, name, 0, num, values, error)
             : sluice_chip_state_read(n->chip, n->vid, name, 0, num, values, error);
}

enum sluice_status active_net_words(struct active_net *n, unsigned num, uint32_t *values,
                                    struct sluice_error *error) {
  struct sluice_chip_info info;
  sluice_chip_describe(n->chip, &info);
  const unsigned all = (1u << info.back_stages) - 1;
  const bool cut = (info.cut_stages & all) == all;
  if (cut) SLUICE_TRY(sluice_chip_cut_begin(n->chip, &n->vid, 1, NULL, error));
  enum sluice_status status = SLUICE_OK;
  for (unsigned s = 0; s < info.back_stages && !status; s++)
    status = read_stage(n, s, cut, num, values + (size_t)s * num, error);
  const enum sluice_status ended = cut ? sluice_chip_cut_end(n->chip, status ? NULL : error)
                                       : SLUICE_OK;
  return status ? status : ended;
}

uint64_t active_net_cycles(struct active_net *n) {
  uint32_t now;
  if (!n->counts || reaction_meter_now(&n->meter, &now, NULL)) return n->now;
  n->cycles += now - n->cycles_before;  // of 32 bits
  n->cycles_before = now;
  return n->cycles;
}
const struct active_net_change *active_net_last_change(const struct active_net *n) {
  return &n->change;
}

// ---- life ---------------------------------------------------------------------------------------

// A program of one stage, the first: an RTS of an earlier stage than that of the decision would be
// undone by it. (One byte would have to be cut out of two first.)
static enum sluice_status compile(const char *config, struct sluice_image *image,
                                  struct sluice_error *error) {
  static const char text[] = "struct Packet { int dst @ bytes(4, 2); int out @ meta.port_out; };\n"
                             "void f(struct Packet p) { p.out = p.dst; }\n";
  struct sluice_diags diags = {0};
  const struct sluice_compile_options options = {.pin = false};
  struct sluice_program *program = sluice_program_parse("forward.dom", text, strlen(text), &diags);
  enum sluice_status status = SLUICE_ERR_RANGE;
  if (program)
    status = sluice_compile(program, sluice_config_find(config), &options, image, &diags);
  if (status)
    status = sluice_fail(error, SLUICE_ERR_RANGE, "chip '%s' cannot hold the forwarding program",
                         config);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return status;
}

static enum sluice_status start(struct active_net *n, struct sluice_error *error) {
  struct sluice_chip_info info;
  struct sluice_image image = {.num_writes = 0};
  enum sluice_status status = SLUICE_OK;
  if (!n->to) {
    if ((status = sluice_transport_open(&n->own, n->options.chip, NULL, error))) return status;
    n->to = &n->own;
  }
  reaction_meter_init(&n->meter, n->to);
  n->meter.let = let;
  n->meter.user = n;
  if (n->options.bus && (status = reaction_bus_parse(&n->meter.bus, n->options.bus, error)))
    return status;
  n->counts = strcmp(n->to->ops->kind, "model") != 0;
  if ((status = sluice_chip_open(&n->chip, &n->meter.to,
                                 &(struct sluice_chip_options){.chip = n->options.shape}, error)))
    return status;
  sluice_chip_together(n->chip, reaction_bus_is(&n->meter.bus));
  sluice_chip_describe(n->chip, &info);
  n->ports = info.ports;
  n->session = (struct session){.to = n->to,
                                .config = sluice_config_find(info.name),
                                .hooks = {.feed = feed, .left = left},
                                .user = n};
  if ((status = compile(info.name, &image, error))) return status;
  n->options.controller.vid = n->vid;
  status = sluice_controller_new(&n->controller, n->chip, &image, &n->options.controller, error);
  sluice_image_release(&image);
  return status;
}

enum sluice_status active_net_open(struct active_net **out,
                                   const struct active_net_options *options,
                                   struct sluice_error *error) {
  struct active_net *n = sluice_zeroed(NULL, sizeof *n);
  if (!n) return sluice_no_memory(error);
  n->options = *options;
  n->to = options->to;
  n->vid = options->vid ? options->vid : DEFAULT_VID;
  sluice_rng_init(&n->rng, options->seed, "net");
  const enum sluice_status status = start(n, error);
  if (status) active_net_close(n);
  else *out = n;
  return status;
}

void active_net_close(struct active_net *n) {
  if (!n) return;
  for (struct end *e; (e = n->ends); free(e)) {
    n->ends = e->next;
    drop_all(&e->first);
  }
  for (unsigned port = 0; port < 64; port++) drop_all(&n->entering[port]);
  drop_all(&n->asked);
  sluice_controller_free(n->controller);
  sluice_chip_close(n->chip);
  sluice_transport_close(&n->own);
  free(n);
}

struct active_link *active_net_link(struct active_net *n, unsigned port) {
  struct end *e = port < n->ports - 1 ? calloc(1, sizeof *e) : NULL;
  if (!e) return NULL;
  e->link = (struct active_link){e, link_send, link_receive};
  e->net = n;
  e->port = port;
  e->next = n->ends;
  n->ends = e;
  return &e->link;
}

void active_net_address(unsigned port, unsigned host, uint8_t address[6]) {
  const uint8_t a[6] = {2, 0, 0, (uint8_t)host, 0, (uint8_t)port};
  memcpy(address, a, sizeof a);
}

void active_net_controller_address(const struct active_net *n, uint8_t address[6]) {
  active_net_address(n->ports - 1, 0, address);
}

void active_net_links(struct active_net *n, double lose, double twice, double late,
                      uint64_t late_by) {
  n->options.lose = lose;
  n->options.twice = twice;
  n->options.late = late;
  n->options.late_by = late_by;
}

uint64_t active_net_now(const struct active_net *n) { return n->now; }
struct sluice_controller *active_net_controller(struct active_net *n) {
  return n->controller;
}
struct sluice_chip *active_net_chip(struct active_net *n) {
  return n->chip;
}
struct sluice_transport *active_net_transport(struct active_net *n) {
  return n->to;
}
