// SPDX-License-Identifier: Apache-2.0
// Tenants with programs in packets, which come and go: each asks the controller for memory, reads
// and writes its words by capsules, and leaves. Every word that is read must be the one that was
// written before, or 0 when the tenant has just come.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/load.h"
#include "../apps/net.h"
#include "../../base/rng.h"
#include "../../base/bytes.h"
#include "../../base/status.h"
#include "five.h"

enum {
  TENANTS = 4,
  AT_ONCE = 16,  // capsules that a tenant has on their way
  CONTROLLER = 7,
  BLOCK = 16,  // words
  // Blocks of a tenant: in each pipeline, of one whose words are spread over all; of others in one.
  SPREAD = 2,
  PINNED = 2,
  ROOM = 1024,   // words that a tenant may get
  FRAME = 512,   // bytes
  AGAIN = 8000,  // cycles until a capsule is sent again
  ASK_AGAIN = 8000,
  FIRST = 30000,  // the tenants come one after the other, so many cycles between them
  STAY = 50000,   // they stay so long, up to twice as long, and are away for half of it
};
static const struct active_shape shape = {4, 0, 4, ACTIVE_RULES_CHIP};
static const char folder[] = "sw/programs/active";
enum { READ, WRITE, PROGRAMS };

struct op {
  bool waits, write;
  uint32_t address, value, id;
  uint64_t since;
};
static struct tenant {
  struct five_run *run;
  struct active_client *client;
  struct active_link link;
  struct sluice_rng rng;
  unsigned number, port;
  uint64_t at, next, asked;  // its time; of the next change; of the request
  bool ready;
  uint32_t words, ids;
  uint32_t word[ROOM];  // as they must be
  struct op op[AT_ONCE];
} tenants[TENANTS];

struct asked {
  struct asked *next;
  size_t len;
  uint8_t bytes[];
};
static struct {
  struct sluice_controller *controller;
  struct asked *first, **last;
  struct app_program program[PROGRAMS];
  unsigned long reads, writes, faults, differ, again;
  unsigned num_ready, num_changes, left;
  uint32_t ready[256], change[1024];
} it;

// ---- capsules -----------------------------------------------------------------------------------

static bool send(void *self, const uint8_t *frame, size_t len) {
  struct tenant *t = self;
  uint8_t padded[FRAME] = {0};
  if (len > FRAME) return false;
  memcpy(padded, frame, len);
  five_net_send(t->run->net, FIVE_CAPSULES, t->port, t->at, padded,
                len < SLUICE_PACKET_MIN ? SLUICE_PACKET_MIN : len, 0);
  return true;
}
static size_t receive_nothing(void *self, uint8_t *frame, size_t room) {
  (void)self;
  (void)frame;
  (void)room;
  return 0;
}

static void send_op(struct tenant *t, struct op *o) {
  static const uint8_t ip[20] = {
      0x45, [3] = 20, [8] = 64, [12] = 10, [15] = 1, [16] = 10, [19] = 2};
  const struct active_args args = {{o->address, o->value, o->id}};
  struct sluice_error error;
  o->since = t->at;
  o->waits = !active_client_send(t->client, o->write ? WRITE : READ, &args, ip, sizeof ip, &error);
}

// A word is read, then written; then comes the next word of this place.
static void begin_op(struct tenant *t, struct op *o) {
  const uint32_t place = (uint32_t)(o - t->op);
  if (o->write || !o->id) {
    o->address = (o->address + AT_ONCE) / AT_ONCE * AT_ONCE + place;
    if (o->address >= t->words) o->address = place;
  }
  o->write = o->id && !o->write;
  o->value = o->write ? (uint32_t)sluice_rng_next(&t->rng) : 0;
  o->id = ++t->ids;
  send_op(t, o);
}

static void came(void *user, struct active_client *client, const struct capsule *capsule,
                 const uint8_t *bytes, size_t len) {
  struct tenant *t = user;
  (void)client;
  (void)bytes;
  (void)len;
  for (unsigned i = 0; capsule && t->ready && i < AT_ONCE; i++) {
    struct op *o = &t->op[i];
    if (!o->waits || o->id != capsule->args.data[2]) continue;
    o->waits = false;
    it.faults += (capsule->flags & CAPSULE_FAULT) != 0;
    if (o->write) it.writes++;
    else it.reads++;
    if (o->write) t->word[o->address] = o->value;
    else it.differ += capsule->args.data[3] != t->word[o->address];
    begin_op(t, o);
  }
}

// ---- coming and going ---------------------------------------------------------------------------

static enum sluice_status come(struct tenant *t, struct sluice_error *error) {
  struct active_client_options o = {.fid = (uint16_t)(1 + t->number),
                                    .shape = shape,
                                    .tagged = true,
                                    .tci = FIVE_CAPSULES,
                                    .demand = {t->number % 2 ? PINNED : SPREAD},
                                    .sharded = {t->number % 2 == 0},
                                    .again = ASK_AGAIN,
                                    .link = &t->link,
                                    .on_packet = came,
                                    .user = t};
  active_net_address(t->port, o.fid, o.address);
  active_net_address(t->port ^ 1, o.fid, o.gateway);
  active_net_address(CONTROLLER, 0, o.controller);
  SLUICE_TRY(active_client_new(&t->client, &o, error));
  for (unsigned p = 0; p < PROGRAMS; p++)
    SLUICE_TRY(
        active_client_program(t->client,
                              &(struct active_client_program){.program = &it.program[p].program,
                                                              .preload = it.program[p].preload},
                              error));
  t->asked = t->at;
  return active_client_request(t->client, t->at, error);
}

static void begin(struct tenant *t) {
  struct active_client_range range;
  if (!active_client_range(t->client, 0, &range)) return;
  t->words = range.last - range.first + 1;
  if (t->words > ROOM) t->words = ROOM;
  t->ready = true;
  if (it.num_ready < 256) it.ready[it.num_ready++] = (uint32_t)(t->at - t->asked);
  five_happens(t->run, t->at, "comes");
  memset(t->word, 0, sizeof t->word);
  memset(t->op, 0, sizeof t->op);
  t->next = t->at + STAY + sluice_rng_below(&t->rng, STAY);
  for (unsigned i = 0; i < AT_ONCE; i++) begin_op(t, &t->op[i]);
}

static enum sluice_status step(struct tenant *t, struct sluice_error *error) {
  if (!t->client) return t->at < t->next ? SLUICE_OK : come(t, error);
  active_client_tick(t->client, t->at);
  const enum active_client_state state = active_client_state(t->client);
  if (state == ACTIVE_ACTIVE && !t->ready) begin(t);
  if (t->ready && t->at >= t->next) {
    t->ready = false;
    active_client_release(t->client, t->at);
    five_happens(t->run, t->at, "leaves");
  } else if (state == ACTIVE_RELEASED || state == ACTIVE_REFUSED) {
    if (state == ACTIVE_RELEASED) it.left++;
    active_client_free(t->client);
    t->client = NULL;
    t->next = t->at + STAY / 2;
  }
  for (unsigned i = 0; t->ready && i < AT_ONCE; i++)
    if (t->op[i].waits && t->at - t->op[i].since >= AGAIN) {
      it.again++;
      send_op(t, &t->op[i]);
    }
  return SLUICE_OK;
}

static void receive(struct five_net *n, struct five_flow *f, const struct sluice_packet_out *p,
                    uint64_t at) {
  (void)f;
  if (p->port == CONTROLLER) {
    struct asked *a = malloc(sizeof *a + p->len);
    if (!a) abort();
    *a = (struct asked){.len = p->len};
    memcpy(a->bytes, p->bytes, p->len);
    *it.last = a;
    it.last = &a->next;
    return;
  }
  for (unsigned i = 0; i < TENANTS && at < n->end; i++) {
    if (tenants[i].port != p->port || !tenants[i].client) continue;
    tenants[i].at = at;
    active_client_frame(tenants[i].client, p->bytes, p->len, at);
  }
}

static void tick(struct five_net *n, struct five_flow *f, uint64_t at) {
  (void)f;
  for (unsigned i = 0; i < TENANTS && at < n->end; i++) {
    tenants[i].at = at;
    const enum sluice_status status = step(&tenants[i], &n->failed);
    if (status && !n->status) n->status = status;
  }
}

// ---- the controller -----------------------------------------------------------------------------

static void answered(void *user, const uint8_t *frame, size_t len) {
  struct five_net *n = user;
  five_net_send(n, FIVE_CAPSULES, CONTROLLER, n->now, frame, len, 0);
}

// The first that may be looked at, out of the list.
static struct asked *next_asked(bool may_change) {
  enum { FLAGS = 22 };  // in a tagged frame
  struct asked **at = &it.first, *a;
  while ((a = *at) && !may_change && (sluice_get16(a->bytes + FLAGS) & CAPSULE_REQUEST))
    at = &a->next;
  if (a && !(*at = a->next)) it.last = at;
  return a;
}

enum sluice_status five_tenants_step(struct five_run *run, bool may_change, bool *ran,
                                     struct sluice_error *error) {
  struct five_net *n = run->net;
  struct asked *a = run->has[FIVE_TENANTS] ? next_asked(may_change) : NULL;
  *ran = a != NULL;
  if (!a) return SLUICE_OK;
  const uint64_t began = n->now, flips = n->meter.traffic.writes + n->meter.traffic.transfers;
  n->meter.on = true;
  enum sluice_status status =
      sluice_controller_frame(it.controller, a->bytes, a->len, n->now, answered, n, error);
  if (!status || status == SLUICE_ERR_FORMAT)
    status = sluice_controller_tick(it.controller, n->now, answered, n, error);
  n->meter.on = false;
  free(a);
  if (n->meter.traffic.writes + n->meter.traffic.transfers != flips && it.num_changes < 1024)
    it.change[it.num_changes++] = (uint32_t)(n->now - began);
  return status;
}

enum sluice_status five_tenants_load(struct five_run *run, struct sluice_error *error) {
  // The destination's last byte is the port; decided in the first stage, so that RTS counts.
  static const char text[] = "struct Packet { int dst @ bytes(4, 2); int out @ meta.port_out; };\n"
                             "void forward(struct Packet p) { p.out = p.dst; }\n";
  static const char *const names[PROGRAMS] = {"read_back", "write_back"};
  struct sluice_image image = {.num_writes = 0};
  memset(&it, 0, sizeof it);
  it.last = &it.first;
  if (!run->has[FIVE_TENANTS]) return SLUICE_OK;
  const struct sluice_controller_options options = {
      .vid = FIVE_CAPSULES, .block_words = BLOCK, .words = 128, .from_zero = true};
  for (unsigned p = 0; p < PROGRAMS; p++)
    SLUICE_TRY(app_load(&it.program[p], folder, names[p], APP_PUBLISHED, shape, error));
  enum sluice_status status = five_compile_text(run, &image, "forward.dom", text, error);
  if (!status)
    status = sluice_controller_new(&it.controller, run->net->chip, &image, &options, error);
  sluice_image_release(&image);
  run->net->flow[FIVE_CAPSULES] =
      (struct five_flow){.name = "capsules", .system = FIVE_TENANTS, .receive = receive};
  return status;
}

enum sluice_status five_tenants_start(struct five_run *run, struct sluice_error *error) {
  (void)error;
  if (!run->has[FIVE_TENANTS]) return SLUICE_OK;
  for (unsigned i = 0; i < TENANTS; i++) {
    struct tenant *t = &tenants[i];
    char name[20];
    snprintf(name, sizeof name, "tenant %u", i);
    *t = (struct tenant){.run = run,
                         .link = {t, send, receive_nothing},
                         .number = i,
                         .port = 2 * i,
                         .next = run->start + FIRST / 4 + FIRST * i};
    sluice_rng_init(&t->rng, run->options->seed, name);
  }
  run->net->flow[FIVE_CAPSULES].tick = tick;
  return SLUICE_OK;
}

void five_tenants_finish(struct five_run *run) {
  struct five_result *r = &run->result[FIVE_TENANTS];
  if (!run->has[FIVE_TENANTS]) return;
  five_figure(r, "admissions", it.num_ready, true);
  five_figure(r, "departures", it.left, true);
  five_figure(r, "asked to ready, cycles, median",
              (double)five_quantile(it.ready, it.num_ready, 0.5), false);
  five_figure(r, "change of the chip, cycles, median",
              (double)five_quantile(it.change, it.num_changes, 0.5), true);
  five_figure(r, "words read in 1,000 cycles",
              1000.0 * (double)it.reads / (double)run->options->cycles, true);
  five_figure(r, "words written", (double)it.writes, false);
  five_figure(r, "capsules sent again", (double)it.again, true);
  five_figure(r, "faults", (double)it.faults, true);
  five_figure(r, "words that differ", (double)it.differ, true);
  five_wrong(r, it.differ + it.faults, "words were not what was written, or accesses were faults");
  for (unsigned i = 0; i < TENANTS; i++) active_client_free(tenants[i].client);
  while (it.first) {
    struct asked *a = it.first;
    it.first = a->next;
    free(a);
  }
  sluice_controller_free(it.controller);
}
