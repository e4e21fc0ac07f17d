// SPDX-License-Identifier: Apache-2.0
// Packets that come by themselves: those of MP5's four programs, and those of the module that is
// updated, which say what version they saw.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/rng.h"
#include "../../base/bytes.h"
#include "../../base/status.h"
#include "five.h"
#include "frames.h"

enum {
  LEN = 64,
  PORTS = 8,
  JITTER = 32,
  // packets of a module in 1,000 cycles, over all ports: 8 % of what four lanes take
  RATE = 320,
  LEAVES = 256,
  FLOWS = 64,
  AT_FIRST = 46,
  AT_NUMBER = 48,
  AT_SECOND = 52,
};

// One module's packets: packet n is due in cycle start + 1,000 n / RATE, and up to JITTER later.
struct stream {
  struct sluice_rng rng;
  uint64_t start, sent;
};
static struct stream streams[FIVE_FLOWS];

// What packets of the updated module have said: [n] is the version of the packet that counted n.
static struct versions {
  uint16_t *seen;
  uint32_t room, most;
  unsigned long mixed, twice;
  unsigned version;  // the last one that was loaded
  unsigned num;      // updates
  uint32_t cycles[1024], drain[1024];
} versions;

static void fields(unsigned vid, struct stream *s, uint8_t bytes[LEN]) {
  switch (vid) {
    case FIVE_CONGA:
      sluice_put32(bytes + 46, (uint32_t)sluice_rng_below(&s->rng, 100));
      sluice_put32(bytes + 50, (uint32_t)sluice_rng_below(&s->rng, 8));
      sluice_put32(bytes + 54, (uint32_t)sluice_rng_below(&s->rng, LEAVES));
      break;
    case FIVE_WFQ: sluice_put32(bytes + 58, (uint32_t)s->sent * 16); break;
    default: break;
  }
}

static void feed(struct five_net *n, struct five_flow *f) {
  const unsigned vid = (unsigned)(f - n->flow);
  struct stream *s = f->user;
  uint8_t bytes[LEN];
  const uint32_t flow = (uint32_t)sluice_rng_below(&s->rng, FLOWS);
  five_udp(bytes, LEN, vid, 0x0a000000 + flow, 0x0a010000 + flow, 1000 + flow, 2000);
  fields(vid, s, bytes);
  five_net_send(n, vid, (unsigned)(s->sent % PORTS), f->next + sluice_rng_below(&s->rng, JITTER),
                bytes, LEN, 0);
  s->sent++;
  f->next = s->start + s->sent * 1000 / RATE;
}

static void of_versions(struct five_net *n, struct five_flow *f, const struct sluice_packet_out *p,
                        uint64_t at) {
  struct versions *v = &versions;
  const unsigned first = sluice_get16(p->bytes + AT_FIRST),
                 second = sluice_get16(p->bytes + AT_SECOND);
  const uint32_t number = sluice_get32(p->bytes + AT_NUMBER);
  (void)f;
  (void)at;
  if (!number || number > n->num) {  // a chip that is broken
    v->mixed++;
    return;
  }
  v->mixed += ((second - number) & 0xffff) != first;
  if (number > v->most) v->most = number;
  if (number >= v->room) {
    const uint32_t room = 2 * number;
    uint16_t *more = realloc(v->seen, room * sizeof *more);
    if (!more) abort();
    memset(more + v->room, 0, (room - v->room) * sizeof *more);
    v->seen = more;
    v->room = room;
  }
  v->twice += v->seen[number] != 0;
  v->seen[number] = (uint16_t)first;
}

// ---- programs -----------------------------------------------------------------------------------

static const char *const smaller[][2] = {{"FLOWLETS", "256"}, {"HOPS", "8"}, {NULL, NULL}};
static const char *const fewer[][2] = {{"FLOWS", "256"}, {NULL, NULL}};
static const struct {
  unsigned vid;
  const char *name, *path;
  const char *const (*defines)[2];
} programs[] = {{FIVE_FLOWLET, "flowlet", "sw/programs/flowlet.dom", smaller},
                {FIVE_CONGA, "conga", "sw/programs/conga.dom", NULL},
                {FIVE_WFQ, "wfq", "sw/programs/wfq.dom", fewer},
                {FIVE_SEQUENCER, "sequencer", "sw/programs/sequencer.dom", NULL}};
enum { PROGRAMS = sizeof programs / sizeof *programs };

// The version is in the first stage's action and in that of a later one.
static enum sluice_status version_image(const struct five_run *run, struct sluice_image *image,
                                        unsigned version, struct sluice_error *error) {
  char text[600];
  snprintf(text, sizeof text,
           "struct Packet { int in @ meta.port_in; int out @ meta.port_out;\n"
           "  int first @ bytes(%d, 2); int number @ bytes(%d, 4); int second @ bytes(%d, 2); };\n"
           "int count = 0;\n"
           "void versioned(struct Packet p) {\n"
           "  p.first = %u; count = count + 1; p.number = count;\n"
           "  p.second = p.number + %u; p.out = p.in ^ 1;\n"
           "}\n",
           AT_FIRST, AT_NUMBER, AT_SECOND, version, version);
  return five_compile_text(run, image, "versioned.dom", text, error);
}

enum sluice_status five_traffic_load(struct five_run *run, struct sluice_error *error) {
  struct sluice_image image = {.num_writes = 0};
  enum sluice_status status = SLUICE_OK;
  for (unsigned i = 0; run->has[FIVE_PROGRAMS] && i < PROGRAMS && !status; i++) {
    status = five_compile(run, &image, programs[i].path, programs[i].defines, error);
    if (!status) status = sluice_chip_load(run->net->chip, &image, programs[i].vid, error);
    sluice_image_release(&image);
    run->net->flow[programs[i].vid] =
        (struct five_flow){.name = programs[i].name, .system = FIVE_PROGRAMS};
  }
  if (status || !run->has[FIVE_UPDATE]) return status;
  free(versions.seen);
  versions = (struct versions){.version = 1};
  status = version_image(run, &image, versions.version, error);
  if (!status) status = sluice_chip_load(run->net->chip, &image, FIVE_VERSIONED, error);
  sluice_image_release(&image);
  run->net->flow[FIVE_VERSIONED] =
      (struct five_flow){.name = "versioned", .system = FIVE_UPDATE, .receive = of_versions};
  return status;
}

void five_traffic_start(struct five_run *run) {
  for (unsigned vid = FIVE_FLOWLET; vid <= FIVE_VERSIONED; vid++) {
    struct five_flow *f = &run->net->flow[vid];
    if (!f->name) continue;
    streams[vid] = (struct stream){.start = run->start};
    sluice_rng_init(&streams[vid].rng, run->options->seed, f->name);
    f->user = &streams[vid];
    f->next = run->start;
    f->feed = feed;
  }
}

enum sluice_status five_traffic_update(struct five_run *run, struct sluice_error *error) {
  struct sluice_image image = {.num_writes = 0};
  struct sluice_update_report report = {.flipped = false};
  struct five_net *n = run->net;
  enum sluice_status status = version_image(run, &image, versions.version + 1, error);
  if (status) return status;
  const uint64_t began = n->now;
  n->meter.on = true;
  n->meter.flipped = false;
  if (run->options->replace) status = sluice_chip_replace(n->chip, &image, FIVE_VERSIONED, error);
  else status = sluice_chip_update(n->chip, &image, FIVE_VERSIONED, &report, error);
  n->meter.on = false;
  sluice_image_release(&image);
  if (status) return status;
  if (!(status = five_net_turn(n, 1, error)) && versions.num < 1024) {
    versions.cycles[versions.num] = (uint32_t)(n->now - began);
    versions.drain[versions.num++] = report.drain_cycles;
  }
  versions.version++;
  five_happens(run, n->meter.flipped ? n->meter.after : n->now, "update");
  return status;
}

void five_traffic_finish(struct five_run *run) {
  struct versions *v = &versions;
  struct five_result *r = &run->result[FIVE_UPDATE];
  unsigned long missing = 0, back = 0, sent = 0, hit;
  if (!run->has[FIVE_UPDATE]) return;
  for (uint32_t n = 1; n <= v->most; n++) {
    missing += v->seen[n] == 0;
    if (n > 1 && v->seen[n] && v->seen[n] < v->seen[n - 1]) back++;
  }
  for (uint32_t i = 1; i <= run->net->num; i++) sent += run->net->packets[i].vid == FIVE_VERSIONED;
  hit = missing + v->mixed + v->twice + back + (sent - v->most);
  five_figure(r, "updates", v->num, true);
  five_figure(r, "cycles of an update, median", (double)five_quantile(v->cycles, v->num, 0.5),
              true);
  five_figure(r, "packets hit by updates", (double)hit, true);
  five_wrong(r, hit, "packets were lost by an update, or saw two versions");
}
