// SPDX-License-Identifier: Apache-2.0
// How long writes of another control plane take beside a reaction that is as busy as it can be. Two
// drivers on one chip (the reference model), each with a bus access of its own under way: a
// coroutine each, and a clock that goes on to whoever is next. The bus is `pcie`, its two
// directions apart; answers of several go by turns, 256 bytes each. SLUICE_REACTIONS=N: N times as
// many writes.
//
// Each driver has modules and match engines of its own. It sees what it has sent in
// CHIP.RECONFIG_COUNT, the answers to its questions, and its bits of CHIP.RECALL and CHIP.BITMAP.
// Only one of them flips banks and takes cuts.
#include "tests/rig/test.h"
#include "../dpi/coroutine.h"
#include "base/layouts.h"
#include "base/rng.h"
#include "driver/wire/wire.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/line.h"

enum { READ = 900, TRANSFER = 4, WIDTH = 16, TURN = 16, LOG = 4096, BOX = 64, VID_A = 1 };
enum { VID_B = 2 };
#define CHIP(NAME) (SLUICE_CHIP_BASE + SLUICE_CHIP_##NAME)

// ---- time ---------------------------------------------------------------------------------------

struct fiber {
  struct coroutine *c;
  uint64_t wake;
  bool done;
};
struct share;
struct client {
  struct share *share;
  struct sluice_transport to;
  struct fiber fiber;
  uint32_t effective, recall, bitmap;
  bool asked;
  struct {
    size_t len;
    uint8_t *bytes;
  } box[BOX];
  unsigned head, tail;
};
struct share {
  struct sluice_transport model;
  struct client client[2];
  struct fiber *now_runs;  // NULL: nobody, and time stands still
  uint64_t now, down, up;  // down, up: until when a direction of the bus is taken
  uint8_t owner[LOG], asker[LOG];
  uint32_t sent, counted, asks, answers;  // frames; those that have taken effect; questions
};

static void sleep_until(struct share *s, uint64_t when) {
  if (!s->now_runs || when <= s->now) return;
  s->now_runs->wake = when;
  coroutine_yield(s->now_runs->c);
}

static void transfer(struct share *s, uint64_t *direction, uint64_t num) {
  for (uint64_t n; s->now_runs && num; num -= n) {
    n = num < TURN ? num : TURN;
    if (*direction < s->now) *direction = s->now;
    *direction += n * TRANSFER;
    sleep_until(s, *direction);
  }
}

// Until all have ended, or `only` alone.
static void run(struct share *s, struct client *only) {
  for (;;) {
    struct fiber *next = NULL;
    for (unsigned i = 0; i < 2; i++) {
      struct fiber *f = &s->client[i].fiber;
      if (f->c && !f->done && (!only || f == &only->fiber) && (!next || f->wake < next->wake))
        next = f;
    }
    if (!next) return;
    if (next->wake > s->now) {
      GOOD(s->model.ops->wait(s->model.self, next->wake - s->now, &error));
      s->now = next->wake;
    }
    s->now_runs = next;
    next->done = !coroutine_resume(next->c);
    s->now_runs = NULL;
  }
}

// ---- the line -----------------------------------------------------------------------------------

// Frames take effect in the order in which they were sent: of the first so many, this client's.
static uint32_t own_count(struct client *c, uint32_t counted) {
  struct share *s = c->share;
  for (; s->counted != counted && s->counted != s->sent; s->counted++)
    s->client[s->owner[s->counted % LOG]].effective++;
  return c->effective;
}

static enum sluice_status peek(struct client *c, uint32_t addr, uint32_t *value,
                               struct sluice_error *e) {
  const enum sluice_status status =
      c->share->model.ops->csr_read(c->share->model.self, addr, value, e);
  if (addr == CHIP(RECONFIG_COUNT)) *value = own_count(c, *value);
  if (addr == CHIP(RECALL)) *value = c->recall;
  if (addr == CHIP(BITMAP)) *value = c->bitmap;
  if (addr == CHIP(CUT_STATUS) && c != &c->share->client[0]) *value = 0;
  return status;
}

static enum sluice_status share_read_many(void *self, uint32_t addr, unsigned num, uint32_t *values,
                                          struct sluice_error *e) {
  struct client *c = self;
  transfer(c->share, &c->share->down, 1);
  for (unsigned n = 0; n < num; n++) SLUICE_TRY(peek(c, addr + 4 * n, &values[n], e));
  sleep_until(c->share, c->share->now + READ - TRANSFER);
  transfer(c->share, &c->share->up, 1);
  return SLUICE_OK;
}
static enum sluice_status share_read(void *self, uint32_t addr, uint32_t *value,
                                     struct sluice_error *e) {
  // The clock is looked at by the measurement alone.
  if (addr == CHIP(CYCLES)) return peek(self, addr, value, e);
  return share_read_many(self, addr, 1, value, e);
}
static enum sluice_status share_write(void *self, uint32_t addr, uint32_t value,
                                      struct sluice_error *e) {
  struct client *c = self;
  struct share *s = c->share;
  transfer(s, &s->down, 1);
  if (addr == CHIP(RECALL)) {
    c->recall = value;
    value = s->client[0].recall | s->client[1].recall;
  } else if (addr == CHIP(BITMAP)) {
    c->bitmap = value;
    value = s->client[0].bitmap | s->client[1].bitmap;
  } else if (addr == CHIP(BANK)) {
    assert_ptr_equal(c, &s->client[0]);
  }
  return s->model.ops->csr_write(s->model.self, addr, value, e);
}
static enum sluice_status share_send(void *self, const uint8_t *bytes, size_t len,
                                     struct sluice_error *e) {
  struct client *c = self;
  struct share *s = c->share;
  struct sluice_reconfig p;
  transfer(s, &s->down, (len + WIDTH - 1) / WIDTH);
  const uint8_t me = c != &s->client[0];
  GOOD(sluice_reconfig_decode(&p, bytes, len, &error));
  s->owner[s->sent++ % LOG] = me;
  if (p.op == SLUICE_CHAIN_READ) s->asker[s->asks++ % LOG] = me;
  c->asked = true;
  return s->model.ops->control_send(s->model.self, bytes, len, e);
}
static enum sluice_status share_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                        struct sluice_error *e) {
  static uint8_t answer[SLUICE_ANSWER_MAX];
  struct client *c = self;
  struct share *s = c->share;
  if (c->asked) sleep_until(s, s->now + READ);
  c->asked = false;
  while (c->head == c->tail) {
    size_t got;
    const enum sluice_status status =
        s->model.ops->control_receive(s->model.self, answer, sizeof answer, &got, e);
    *len = 0;
    if (status || !got) return status;
    struct client *to = &s->client[s->asker[s->answers++ % LOG]];
    assert_true(to->tail - to->head < BOX);
    to->box[to->tail % BOX].bytes = memcpy(malloc(got), answer, got);
    to->box[to->tail++ % BOX].len = got;
  }
  *len = c->box[c->head % BOX].len;
  assert_true(*len <= room);
  memcpy(bytes, c->box[c->head % BOX].bytes, *len);
  free(c->box[c->head++ % BOX].bytes);
  transfer(s, &s->up, (*len + WIDTH - 1) / WIDTH);
  return SLUICE_OK;
}
static enum sluice_status share_wait(void *self, uint64_t cycles, struct sluice_error *e) {
  struct client *c = self;
  if (!c->share->now_runs) return c->share->model.ops->wait(c->share->model.self, cycles, e);
  sleep_until(c->share, c->share->now + cycles);
  return SLUICE_OK;
}
static enum sluice_status share_reset(void *self, struct sluice_error *e) {
  struct client *c = self;
  return c->share->model.ops->reset(c->share->model.self, e);
}
static void share_close(void *self) { (void)self; }

static const struct sluice_transport_ops share_ops = {.kind = "share",
                                                      .csr_read = share_read,
                                                      .csr_write = share_write,
                                                      .control_send = share_send,
                                                      .control_receive = share_receive,
                                                      .wait = share_wait,
                                                      .reset = share_reset,
                                                      .close = share_close,
                                                      .csr_read_many = share_read_many};

// ---- the two ------------------------------------------------------------------------------------

// 64 words and one entry in every dialogue.
static const char busy_text[] =
    "struct Packet { int src @ ipv4.src; int out @ meta.port_out; int one @ bytes(46, 2); };\n"
    "int seen[128] = {0};\n"
    "void say(struct Packet p, int what : 16) { p.one = what; }\n"
    "malleable table block { key: p.src: exact; actions: say; size: 64; }\n"
    "reaction r(seen[0..63]) { static int turn; (void)seen; block_set_say(7, ++turn & 4095); }\n"
    "void watch(struct Packet p) { seen[p.src & 127] += 1; apply(block); p.out = 1; }\n";
static const char legacy_text[] =
    "struct Packet { int src @ ipv4.src; int out @ meta.port_out; int one @ bytes(46, 2); };\n"
    "void to(struct Packet p, int what : 16) { p.one = what; }\n"
    "table routes { key: p.src: ternary; actions: to; size: 12; }\n"
    "void route(struct Packet p) { apply(routes); p.out = 1; }\n";

enum { ENTRIES = 8 };
struct scene {
  struct share share;
  struct reaction_meter meter;
  struct sluice_chip *a, *b;
  struct reactions *rs;
  struct sluice_rng rng;
  unsigned writes, num;
  uint64_t *took;
  uint16_t wanted[ENTRIES];
  bool over;
};

static void react(void *context) {
  struct scene *sc = context;
  while (!sc->over) {
    bool ran;
    GOOD(reactions_step(sc->rs, &ran, &error));
  }
}

static struct sluice_table_change entry(unsigned n, unsigned what, enum sluice_table_op op) {
  return (struct sluice_table_change){.op = op,
                                      .vid = VID_B,
                                      .table = "routes",
                                      .action = "to",
                                      .keys = {{n, UINT64_MAX}},
                                      .priority = 1,
                                      .args = {what}};
}

static void write_on(void *context) {
  struct scene *sc = context;
  const struct sluice_table_options straight = {.in_order = true};
  for (sc->num = 0; sc->num < sc->writes; sc->num++) {
    sleep_until(&sc->share, sc->share.now + 1 + sluice_rng_below(&sc->rng, 10000));
    const uint64_t start = sc->share.now;
    const unsigned n = (unsigned)sluice_rng_below(&sc->rng, ENTRIES);
    sc->wanted[n] = (uint16_t)(1 + sc->num % 60000);
    const struct sluice_table_change c = entry(n, sc->wanted[n], SLUICE_TABLE_MODIFY);
    GOOD(sluice_chip_table_change(sc->b, &c, 1, &straight, NULL, &error));
    sc->took[sc->num] = sc->share.now - start;
  }
  sc->over = true;
}

static int by_size(const void *x, const void *y) {
  const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

// What a packet of VLAN 2 with this source gets.
static unsigned routed(struct scene *sc, unsigned src) {
  static struct sluice_packet_out out;
  uint8_t bytes[64] = {0};
  udp_head(bytes, VID_B);
  bytes[33] = (uint8_t)src;
  through(&sc->share.model, 0, bytes, sizeof bytes, &out);
  return out.bytes[46] * 256u + out.bytes[47];
}

static void begin(struct scene *sc, unsigned writes) {
  memset(sc, 0, sizeof *sc);
  struct share *s = &sc->share;
  heard[0] = 0;
  sluice_rng_init(&sc->rng, 5, "legacy");
  sc->writes = writes;
  sc->took = calloc(writes, sizeof *sc->took);
  GOOD(sluice_transport_model(&s->model, "react", NULL, &error));
  for (unsigned i = 0; i < 2; i++) {
    s->client[i].share = s;
    s->client[i].to = (struct sluice_transport){&share_ops, &s->client[i], SLUICE_PACKET_MAX};
  }
  struct sluice_image *busy CLOSED_BY(close_image) = compiled_text(busy_text, "react"),
                            *legacy CLOSED_BY(close_image) = compiled_text(legacy_text, "react");
  assert_true(busy && legacy);
  reaction_meter_init(&sc->meter, &s->client[0].to);
  GOOD(sluice_chip_open(&sc->a, &sc->meter.to, NULL, &error));
  s->sent = s->counted = s->client[0].effective = 0;
  sluice_chip_together(sc->a, true);
  GOOD(sluice_chip_load(sc->a, busy, VID_A, &error));
  GOOD(sluice_chip_load(sc->a, legacy, VID_B, &error));
  for (unsigned n = 0; n < ENTRIES; n++) {
    const struct sluice_table_change c = entry(n, 60000 + n, SLUICE_TABLE_ADD);
    sc->wanted[n] = (uint16_t)(60000 + n);
    GOOD(sluice_chip_table_change(sc->a, &c, 1, NULL, NULL, &error));
  }
  GOOD(reactions_open(&sc->rs, sc->a, &sc->meter,
                      &(struct reactions_options){.say = hear_named, .limit = 5}, &error));
  GOOD(reactions_add(sc->rs, VID_A, busy, NULL, &error));
  // The other driver takes the chip as it is.
  const struct sluice_plan *plan = sluice_chip_plan(sc->a);
  GOOD(sluice_chip_open(&sc->b, &s->client[1].to, &(struct sluice_chip_options){.keep = true},
                        &error));
  sluice_chip_together(sc->b, true);
  GOOD(sluice_chip_adopt(sc->b, &plan, 1, NULL, &error));
}

static void end(struct scene *sc) {
  for (unsigned n = 0; n < ENTRIES; n++) assert_int_equal(routed(sc, n), sc->wanted[n]);
  reactions_close(sc->rs);
  sluice_chip_close(sc->a);
  sluice_chip_close(sc->b);
  sluice_transport_close(&sc->share.model);
  for (unsigned i = 0; i < 2; i++) coroutine_free(sc->share.client[i].fiber.c);
  free(sc->took);
}

struct latency {
  uint64_t median, p99;
};
static struct latency measure(unsigned writes, bool beside) {
  static struct scene sc;
  begin(&sc, writes);
  sc.share.client[0].fiber.c = coroutine_new(react, &sc);
  sc.share.client[1].fiber.c = coroutine_new(write_on, &sc);
  run(&sc.share, beside ? NULL : &sc.share.client[1]);
  struct reaction_info info = {.vid = 0};
  assert_true(reactions_get(sc.rs, 0, &info));
  FIELDS_ARE(&info, (errors, 0), (changes, info.runs));
  assert_true(!beside || info.runs > writes / 4);
  qsort(sc.took, writes, sizeof *sc.took, by_size);
  const struct latency l = {sc.took[writes / 2], sc.took[writes - 1 - writes / 100]};
  print_message("legacy: %u writes %s: median %llu cycles, p99 %llu; %llu dialogues\n", writes,
                beside ? "beside a busy reaction" : "alone", (unsigned long long)l.median,
                (unsigned long long)l.p99, (unsigned long long)info.runs);
  end(&sc);
  return l;
}

TEST(legacy_writes_hardly_wait) {
  const char *n = getenv("SLUICE_REACTIONS");
  const unsigned writes = 400 * (n ? (unsigned)atoi(n) : 1);
  const struct latency alone = measure(writes, false), beside = measure(writes, true);
  const double median = 100.0 * (double)(beside.median - alone.median) / (double)alone.median,
               p99 = 100.0 * (double)(beside.p99 - alone.p99) / (double)alone.p99;
  print_message("legacy: the median grows by %.2f %%, p99 by %.2f %% (the paper: 4.64 and 6.45)\n",
                median, p99);
  assert_true(median < 4.64 && p99 < 6.45);
}
