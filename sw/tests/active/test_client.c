// SPDX-License-Identifier: Apache-2.0
// The client library against the controller, on the reference model as a chip, all in this process:
// programs go where the memory is, answers are lost, doubled and late, memory moves, clients die.
//
// SLUICE_SEED chooses the bad networks.

#include "tests/rig/test.h"
#include "active/assemble.h"
#include "figures/apps/net.h"
#include "base/rng.h"
#include "tests/rig/says.h"

enum { STAGES = 8, BLOCK = 16, CLIENTS = 12, TURN = 20 };
static const struct active_shape shape = {STAGES, 0, STAGES, ACTIVE_RULES_CHIP};

// An application: two words at each index, by programs that read and write them.
struct app {
  struct active_client *client;
  struct active_link *link;
  unsigned fid;
  bool dead;
  unsigned states[ACTIVE_NUM_STATES];
  // What came back.
  unsigned back, faults;
  uint32_t value;
  // Words of snapshots, by access and address.
  unsigned num_words;
  uint32_t words[2][256];
  bool have[2][256];
  bool reads;  // SAVING: it reads its words by programs, then says that it has
};

struct world {
  struct active_net *net;
  struct app app[CLIENTS];
  unsigned num;
};

static const uint8_t inner[20] = {0x45, [3] = 20, [12] = 10, [15] = 1, [16] = 10, [19] = 2};

static void assemble(const char *text, struct active_program *p) {
  static struct active_source source;
  assert_true(active_assemble(text, strlen(text), false, shape, &source));
  *p = source.program;
}

static void changed(void *user, struct active_client *c, enum active_client_state before) {
  struct app *a = user;
  (void)before;
  a->states[active_client_state(c)]++;
}
static void came(void *user, struct active_client *c, const struct capsule *capsule,
                 const uint8_t *bytes, size_t len) {
  struct app *a = user;
  (void)c;
  (void)bytes;
  (void)len;
  if (!capsule) return;
  a->back++;
  a->faults += (capsule->flags & CAPSULE_FAULT) != 0;
  a->value = capsule->args.data[3];
}
static void got_words(void *user, struct active_client *c, const struct active_client_words *w) {
  struct app *a = user;
  (void)c;
  assert_true(w->access < 2);
  for (uint32_t i = 0; i < w->num; i++) {
    assert_true(w->address + i < 256);
    a->words[w->access][w->address + i] = w->values[i];
    a->have[w->access][w->address + i] = true;
    a->num_words++;
  }
}

static void turn(struct world *w, unsigned times) {
  for (; times; times--) {
    for (unsigned i = 0; i < w->num; i++)
      if (!w->app[i].dead) active_client_step(w->app[i].client, active_net_now(w->net));
    GOOD(active_net_turn(w->net, TURN, &error));
  }
}

static void open_world(struct world *w, const struct active_net_options *options) {
  memset(w, 0, sizeof *w);
  struct active_net_options o = *options;
  if (!o.chip) o.chip = "model:capsules";
  o.controller.block_words = BLOCK;
  GOOD(active_net_open(&w->net, &o, &error));
}
static void close_world(struct world *w) {
  for (unsigned i = 0; i < w->num; i++) active_client_free(w->app[i].client);
  active_net_close(w->net);
}

// Accesses at 0 and 2: reads both words; writes one of them.
static const char *const texts[] = {"MEM_READ\nMBR_STORE\nMEM_READ\nMBR_STORE\nRTS\n",
                                    "MEM_READ\nMBR_STORE\nRTS\n", "MEM_READ\nMBR_STORE\nRTS\n",
                                    "MEM_WRITE\nRTS\n", "MEM_WRITE\nRTS\n"};
enum { READ_BOTH, READ_0, READ_1, WRITE_0, WRITE_1 };

static struct app *new_app(struct world *w, struct active_client_options o) {
  struct app *a = &w->app[w->num];
  struct active_program p;
  a->fid = w->num++;
  a->link = active_net_link(w->net, a->fid % 3);
  o.fid = (uint16_t)a->fid;
  o.shape = shape;
  o.link = a->link;
  o.on_state = changed;
  o.on_packet = came;
  o.on_words = got_words;
  o.user = a;
  if (!o.demand[0]) o.demand[0] = o.demand[1] = 1;
  active_net_address(a->fid % 3, a->fid, o.address);
  active_net_address(2, 99, o.gateway);
  active_net_controller_address(w->net, o.controller);
  GOOD(active_client_new(&a->client, &o, &error));
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    assemble(texts[i], &p);
    const struct active_client_program program = {.program = &p,
                                                  .preload = true,
                                                  .num_as = i == READ_BOTH ? 0 : 1,
                                                  .as = {i == READ_1 || i == WRITE_1}};
    GOOD(active_client_program(a->client, &program, &error));
  }
  return a;
}
static void ask(struct world *w, struct app *a) {
  GOOD(active_client_request(a->client, active_net_now(w->net), &error));
}
static struct app *admitted(struct world *w, struct active_client_options o) {
  struct app *a = new_app(w, o);
  ask(w, a);
  turn(w, 20);
  return a;
}

// One program there and back, on good links. False: a fault.
static bool run(struct world *w, struct app *a, unsigned program, uint32_t address, uint32_t value,
                uint32_t *got) {
  const unsigned back = a->back, faults = a->faults;
  GOOD(active_client_send(a->client, program, &(struct active_args){{address, value, 0, 7}}, inner,
                          sizeof inner, &error));
  turn(w, 2);
  assert_int_equal(a->back, back + 1);
  if (got) *got = a->value;
  return a->faults == faults;
}
static uint32_t tag(const struct app *a, unsigned access, uint32_t address) {
  return 0x1000000u * (a->fid + 1) + 0x10000u * (access + 1) + address;
}
// Every word of the client gets a value of its own.
static unsigned fill(struct world *w, struct app *a) {
  struct active_client_range r;
  unsigned num = 0;
  for (unsigned i = 0; active_client_range(a->client, i, &r); i++)
    for (uint32_t at = r.first; at <= r.last; at++, num++)
      assert_true(run(w, a, i ? WRITE_1 : WRITE_0, at, tag(a, i, at), NULL));
  return num;
}
static void check(struct world *w, struct app *a) {
  struct active_client_range r;
  uint32_t got;
  for (unsigned i = 0; active_client_range(a->client, i, &r); i++) {
    assert_false(run(w, a, i ? READ_1 : READ_0, r.last + 1, 0, NULL));
    for (uint32_t at = r.first; at <= r.last; at++) {
      assert_true(run(w, a, i ? READ_1 : READ_0, at, 0, &got));
      assert_int_equal(got, tag(a, i, at));
    }
  }
}

// ---- memory and programs ------------------------------------------------------------------------

TEST(programs_go_where_the_memory_is) {
  struct world w CLOSED_BY(close_world);
  struct sluice_controller_tenant t;
  open_world(&w, &(struct active_net_options){.vid = 5});
  uint32_t seen = 0;
  for (unsigned n = 0; n < 5; n++) {
    struct app *a = admitted(&w, (struct active_client_options){.demand = {2, 2}});
    struct active_client_range r;
    assert_int_equal(active_client_state(a->client), ACTIVE_ACTIVE);
    FIELDS_ARE(a, (states[ACTIVE_REQUESTED], 1), (states[ACTIVE_WAITING], 1));
    assert_true(sluice_controller_find(active_net_controller(w.net), (uint16_t)n, &t));
    for (unsigned i = 0; active_client_range(a->client, i, &r); i++) {
      seen |= 1u << r.stage;
      assert_true(t.range[r.stage].valid && t.range[r.stage].first == r.first &&
                  t.range[r.stage].last == r.last && r.last - r.first + 1 == 2 * BLOCK);
      // All programs reach it where it is.
      unsigned positions[ACTIVE_MAX_INSTRS];
      assert_int_equal(active_accesses(active_client_moved(a->client, 0), positions), 2);
      assert_int_equal(positions[i] % STAGES, r.stage);
      assert_int_equal(
          active_accesses(active_client_moved(a->client, i ? WRITE_1 : WRITE_0), positions), 1);
      assert_int_equal(positions[0] % STAGES, r.stage);
    }
    assert_int_equal(fill(&w, a), 4 * BLOCK);
  }
  for (unsigned n = 0; n < 5; n++) check(&w, &w.app[n]);
  assert_true((seen & (seen - 1)) && seen != 5);  // not all where they are written
  uint32_t first, num;
  active_client_common(w.app[0].client, &first, &num);
  assert_int_equal(num, 2 * BLOCK);
  const struct active_client_counts *counts = active_client_counts(w.app[0].client);
  assert_true(counts->programs > 100 && counts->back == counts->programs && counts->faults == 2);
  active_client_release(w.app[0].client, active_net_now(w.net));
  turn(&w, 5);
  assert_int_equal(active_client_state(w.app[0].client), ACTIVE_RELEASED);
  assert_false(sluice_controller_find(active_net_controller(w.net), 0, &t));
  SAYS(SLUICE_ERR_RANGE, "released",
       active_client_send(w.app[0].client, 0, &(struct active_args){{0}}, inner, 20, &error));
  ask(&w, &w.app[0]);
  turn(&w, 20);
  assert_true(active_client_ready(w.app[0].client));
}

TEST(refusals) {
  struct world w CLOSED_BY(close_world);
  open_world(&w, &(struct active_net_options){.vid = 5});
  struct app *a = admitted(&w, (struct active_client_options){.demand = {9, 9}});
  assert_int_equal(active_client_state(a->client), ACTIVE_REFUSED);
  assert_non_null(strstr(active_client_reason(a->client), "no memory for program 0"));
  assert_non_null(strstr(sluice_controller_reason(active_net_controller(w.net)), "9 blocks"));
  struct active_program p;
  assemble("MEM_READ\n", &p);
  const struct active_client_program beyond = {.program = &p, .num_as = 1, .as = {2}},
                                     few = {.program = &p, .num_as = 2};
  SAYS(SLUICE_ERR_RANGE, "the first program has 2",
       active_client_program(a->client, &beyond, &error));
  SAYS(SLUICE_ERR_RANGE, "1 memory accesses", active_client_program(a->client, &few, &error));
  ask(&w, a);
  SAYS(SLUICE_ERR_RANGE, "asked already", active_client_request(a->client, 0, &error));
  SAYS(SLUICE_ERR_RANGE, "asked for its memory", active_client_program(a->client, &beyond, &error));
  struct active_client *c;
  struct active_client_options none = {.fid = 3, .shape = shape};
  SAYS(SLUICE_ERR_RANGE, "no link", active_client_new(&c, &none, &error));
  none.link = a->link;
  none.shape.stages = 21;
  SAYS(SLUICE_ERR_RANGE, "1 to 20", active_client_new(&c, &none, &error));
}

// A program without memory needs nobody's leave.
TEST(no_memory_no_request) {
  struct world w CLOSED_BY(close_world);
  struct active_program p;
  open_world(&w, &(struct active_net_options){.vid = 5});
  struct app *a = &w.app[0];
  struct active_client_options o = {
      .fid = 3, .shape = shape, .link = active_net_link(w.net, 1), .on_packet = came, .user = a};
  active_net_address(1, 1, o.address);
  active_net_address(2, 1, o.gateway);
  active_net_controller_address(w.net, o.controller);
  GOOD(active_client_new(&a->client, &o, &error));
  w.num = 1;
  assemble("RTS\nRETURN\n", &p);
  GOOD(active_client_program(a->client, &(struct active_client_program){.program = &p}, &error));
  ask(&w, a);
  assert_true(active_client_ready(a->client));
  assert_true(run(&w, a, 0, 0, 0, NULL));
  assert_int_equal(active_client_counts(a->client)->requests, 0);
  active_client_release(a->client, 0);
  assert_int_equal(active_client_state(a->client), ACTIVE_RELEASED);
}

// Accesses that share a stage in the program, one pass apart, share one where they are moved to.
// The answer is made by hand: 20 stages, of which the controller's chip has eight.
struct by_hand {
  struct active_client *c;
  uint8_t sent[2048];
  size_t len;
};
static bool keep(void *self, const uint8_t *frame, size_t len) {
  struct by_hand *b = self;
  memcpy(b->sent, frame, b->len = len);
  return true;
}
static size_t nothing(void *self, uint8_t *frame, size_t room) {
  (void)self;
  (void)frame;
  (void)room;
  return 0;
}
static void hand(struct by_hand *b, unsigned flags, unsigned version, const unsigned *stages,
                 unsigned num) {
  struct capsule a = {.flags = (uint16_t)flags, .fid = 9, .seq = (uint16_t)version};
  uint8_t frame[512];
  size_t len;
  for (unsigned i = 0; i < num; i++) a.ranges[stages[i]] = (struct capsule_range){256, 511, i == 1};
  a.request = (struct capsule_request){.length = 1, .num = 1, .demand = {1}};
  GOOD(capsule_write(&a, NULL, 0, frame, sizeof frame, &len, &error));
  active_client_frame(b->c, frame, len, version);
}
TEST(shared_stages_stay_shared) {
  struct by_hand b = {.len = 0};
  struct active_link link = {&b, keep, nothing};
  const struct active_shape twenty = ACTIVE_SHAPE, published = ACTIVE_SHAPE_PUBLISHED;
  struct active_client_options o = {.fid = 9,
                                    .shape = twenty,
                                    .written = published,
                                    .passes = 2,
                                    .demand = {16, 16, 16, 16, 16, 16},
                                    .sharded = {false, false, true},
                                    .link = &link};
  static char text[4000];
  static struct active_source source;
  FILE *in = fopen("sw/programs/active/heavy_hitter.ap4", "rb");
  assert_non_null(in);
  const size_t len = fread(text, 1, sizeof text, in);
  fclose(in);
  assert_true(active_assemble(text, len, false, published, &source));
  const struct active_preload pre = active_preload(&source.program, published);
  GOOD(active_client_new(&b.c, &o, &error));
  GOOD(active_client_program(
      b.c, &(struct active_client_program){.program = &source.program, .preload = pre.preload},
      &error));
  GOOD(active_client_request(b.c, 0, &error));
  struct capsule q;
  GOOD(capsule_read(&q, b.sent, b.len, &error));
  assert_int_equal(q.flags, CAPSULE_REQUEST | CAPSULE_EXTRA);
  static const unsigned positions[] = {5, 10, 13, 18, 23, 25};
  for (unsigned i = 0; i < 6; i++) {
    FIELDS_ARE(&q.request, (position[i], positions[i]), (sharded[i], i == 2));
  }
  // An answer before the echo is one of before.
  static const unsigned stages[] = {5, 7, 10, 13, 18};
  hand(&b, CAPSULE_POLL | CAPSULE_ALLOCATED, 1, stages, 5);
  assert_int_equal(active_client_state(b.c), ACTIVE_REQUESTED);
  hand(&b, CAPSULE_REQUEST, 1, NULL, 0);
  assert_int_equal(active_client_state(b.c), ACTIVE_WAITING);
  hand(&b, CAPSULE_POLL | CAPSULE_ALLOCATED, 1, stages, 5);
  assert_int_equal(active_client_state(b.c), ACTIVE_ACTIVE);
  struct active_client_range r, s;
  uint32_t set = 0;
  for (unsigned i = 0; active_client_range(b.c, i, &r); i++) {
    set |= 1u << r.stage;
    assert_int_equal(r.sharded, r.stage == 7);
  }
  assert_int_equal(set, 1u << 5 | 1u << 7 | 1u << 10 | 1u << 13 | 1u << 18);
  assert_true(active_client_range(b.c, 2, &r) && active_client_range(b.c, 4, &s));
  assert_int_equal(r.stage, s.stage);
  // A set to which no NOPs lead: the memory is given back, and why.
  static const unsigned wrong[] = {1, 2};
  hand(&b, CAPSULE_POLL | CAPSULE_ALLOCATED, 2, wrong, 2);
  assert_int_equal(active_client_state(b.c), ACTIVE_RELEASING);
  assert_non_null(strstr(active_client_reason(b.c), "the allocation has 2"));
  active_client_free(b.c);
}

// Late, early and wrong answers, one by one.
static void open_hand(struct by_hand *b, struct active_link *link, struct active_client_options o) {
  struct active_program p;
  *link = (struct active_link){b, keep, nothing};
  o.fid = 9;
  o.link = link;
  o.shape = ACTIVE_SHAPE;
  o.demand[0] = o.demand[1] = 1;
  assemble("MEM_READ\nMBR_STORE\nMEM_READ\nMBR_STORE\nRTS\n", &p);
  GOOD(active_client_new(&b->c, &o, &error));
  GOOD(active_client_program(b->c, &(struct active_client_program){.program = &p}, &error));
  GOOD(active_client_request(b->c, 0, &error));
  hand(b, CAPSULE_REQUEST, 0, NULL, 0);
  assert_int_equal(active_client_state(b->c), ACTIVE_WAITING);
}
enum { ANSWER = CAPSULE_POLL | CAPSULE_ALLOCATED };

TEST(answers_at_the_wrong_time) {
  static const unsigned near[] = {2, 5}, other[] = {3, 6};
  struct by_hand b = {.len = 0};
  struct active_link link;
  struct active_client_range r;
  open_hand(&b, &link, (struct active_client_options){.snapshots = true, .again = 10});
  // Two answers that do not know it may be late; the third says so.
  for (unsigned n = 0; n < 2; n++) {
    hand(&b, CAPSULE_POLL, 0, NULL, 0);
    hand(&b, CAPSULE_POLL, 0, NULL, 0);  // the same once more
    assert_int_equal(active_client_state(b.c), ACTIVE_WAITING);
    active_client_tick(b.c, 100 * (n + 1));
  }
  hand(&b, CAPSULE_POLL, 0, NULL, 0);
  assert_int_equal(active_client_state(b.c), ACTIVE_REFUSED);
  // It was admitted after all.
  hand(&b, ANSWER, 5, near, 2);
  assert_int_equal(active_client_state(b.c), ACTIVE_ACTIVE);
  assert_int_equal(active_client_version(b.c), 5);
  hand(&b, ANSWER, 4, other, 2);
  assert_true(active_client_version(b.c) == 5 && active_client_range(b.c, 0, &r) && r.stage == 2);
  // A new version: words of the old one are asked for, from the first place on.
  hand(&b, ANSWER, 6, other, 2);
  assert_int_equal(active_client_state(b.c), ACTIVE_FILLING);
  active_client_tick(b.c, 1000);
  struct capsule q, a;
  uint8_t frame[512];
  size_t len;
  GOOD(capsule_read(&q, b.sent, b.len, &error));
  assert_true(q.kind == CAPSULE_IS_WORDS && q.words.stage == 3 && q.words.first == 0);
  a = q;
  a.flags |= CAPSULE_ALLOCATED;
  a.words = (struct capsule_words){.stage = 3, .version = 5, .first = 64, .total = 100, .num = 36};
  GOOD(capsule_write(&a, NULL, 0, frame, sizeof frame, &len, &error));
  active_client_frame(b.c, frame, len, 1001);
  active_client_tick(b.c, 2000);
  GOOD(capsule_read(&q, b.sent, b.len, &error));
  assert_true(q.words.stage == 3 && q.words.first == 0);
  // Memory that is given back, and a request of before that comes behind it.
  active_client_release(b.c, 3000);
  a = (struct capsule){.flags = CAPSULE_REQUEST, .fid = 9};
  GOOD(capsule_write(&a, NULL, 0, frame, sizeof frame, &len, &error));
  active_client_frame(b.c, frame, len, 3001);
  assert_int_equal(active_client_state(b.c), ACTIVE_RELEASED);
  hand(&b, CAPSULE_REQUEST, 0, NULL, 0);
  assert_int_equal(active_client_state(b.c), ACTIVE_RELEASING);
  active_client_free(b.c);
  // Stages that take a second pass, which the programs may not have.
  static const unsigned around[] = {1, 19};
  struct by_hand two = {.len = 0};
  open_hand(&two, &link, (struct active_client_options){.passes = 1});
  hand(&two, ANSWER, 1, around, 2);
  assert_int_equal(active_client_state(two.c), ACTIVE_RELEASING);
  assert_non_null(strstr(active_client_reason(two.c), "takes 2 passes"));
  active_client_free(two.c);
}

// ---- memory that moves --------------------------------------------------------------------------

static const struct active_client_options elastic = {.alive = 1000, .snapshots = true};

// Clients until one must make room. Returns whether `a` was the last.
static struct app *crowd(struct world *w, struct active_client_options o) {
  for (;;) {
    struct app *a = new_app(w, o);
    ask(w, a);
    turn(w, 6);
    unsigned moved = 0;
    for (unsigned i = 0; i + 1 < w->num; i++) {
      const enum active_client_state s = active_client_state(w->app[i].client);
      moved += active_client_version(w->app[i].client) > 1 || s == ACTIVE_SAVING ||
               s == ACTIVE_MOVING;
    }
    if (moved) return a;
    assert_true(w->num < CLIENTS);
    fill(w, a);
  }
}

TEST(lost_words_come_by_frames) {
  struct world w CLOSED_BY(close_world);
  struct active_client_range r;
  open_world(&w, &(struct active_net_options){.vid = 5});
  struct app *last = crowd(&w, elastic);
  turn(&w, 60);
  unsigned moved = 0;
  assert_true(active_client_ready(last->client));
  for (unsigned i = 0; i + 1 < w.num; i++) {
    struct app *a = &w.app[i];
    assert_true(active_client_ready(a->client));
    if (active_client_version(a->client) == 1) continue;
    moved++;
    // All words of the region, in two frames.
    assert_true(a->num_words >= 8 * BLOCK && active_client_counts(a->client)->moves == 1);
    for (unsigned access = 0; access < 2; access++)
      for (uint32_t at = 0; at < 256; at++)
        if (a->have[access][at]) assert_int_equal(a->words[access][at], tag(a, access, at));
    // What it still has is there, and is its own.
    for (unsigned access = 0; active_client_range(a->client, access, &r); access++)
      for (uint32_t at = r.first; at <= r.last; at++) {
        uint32_t got;
        assert_true(run(&w, a, access ? READ_1 : READ_0, at, 0, &got));
        assert_int_equal(got, tag(a, access, at));
      }
  }
  assert_true(moved);
}

// The published way: residents are told, read their words by programs, and acknowledge.
TEST(residents_save_their_words) {
  struct world w CLOSED_BY(close_world);
  struct active_client_options o = elastic;
  o.saves = o.fills = true;
  o.snapshots = false;
  open_world(&w, &(struct active_net_options){.controller = {.wait = 100000, .dead = 50000}});
  for (;;) {  // who is admitted is FILLING until it says otherwise
    struct app *a = new_app(&w, o);
    ask(&w, a);
    turn(&w, 10);
    const bool waits = sluice_controller_waits(active_net_controller(w.net));
    if (waits) break;
    assert_int_equal(active_client_state(a->client), ACTIVE_FILLING);
    fill(&w, a);
    active_client_filled(a->client, active_net_now(w.net));
    assert_true(active_client_ready(a->client));
  }
  struct app *last = &w.app[w.num - 1];
  assert_int_equal(active_client_state(last->client), ACTIVE_WAITING);
  unsigned saving = 0;
  for (unsigned i = 0; i + 1 < w.num; i++) {
    struct app *a = &w.app[i];
    if (active_client_state(a->client) != ACTIVE_SAVING) continue;
    saving++;
    check(&w, a);  // its programs still reach all of its words
    assert_int_equal(active_client_state(last->client), ACTIVE_WAITING);
  }
  assert_true(saving);
  for (unsigned i = 0; i + 1 < w.num; i++)
    active_client_saved(w.app[i].client, active_net_now(w.net));
  turn(&w, 20);
  assert_int_equal(active_client_state(last->client), ACTIVE_FILLING);
  for (unsigned i = 0; i + 1 < w.num; i++) {
    struct app *a = &w.app[i];
    if (!a->states[ACTIVE_SAVING]) continue;
    assert_int_equal(active_client_state(a->client), ACTIVE_FILLING);
    assert_int_equal(active_client_version(a->client), 2);
    assert_int_equal(a->states[ACTIVE_MOVING], 1);
    fill(&w, a);
    active_client_filled(a->client, active_net_now(w.net));
    check(&w, a);
  }
  // Who wanted the memory gives up while others save: they go on as before.
  struct app *next = new_app(&w, o);
  ask(&w, next);
  turn(&w, 10);
  if (sluice_controller_waits(active_net_controller(w.net))) {
    active_client_release(next->client, active_net_now(w.net));
    turn(&w, 120);
    for (unsigned i = 0; i < w.num - 1; i++)
      assert_int_not_equal(active_client_state(w.app[i].client), ACTIVE_SAVING);
  }
}

// ---- dead clients -------------------------------------------------------------------------------

TEST(a_dead_client) {
  struct world w CLOSED_BY(close_world);
  struct active_client_options o = elastic;
  struct sluice_controller_tenant t;
  o.saves = true;
  open_world(&w, &(struct active_net_options){
                     .controller = {.wait = 100000, .dead = 4000, .expire = 20000}});
  struct app *last = crowd(&w, o);
  struct app *dead = NULL;
  for (unsigned i = 0; i + 1 < w.num; i++) {
    if (active_client_state(w.app[i].client) != ACTIVE_SAVING) continue;
    if (!dead) (dead = &w.app[i])->dead = true;
    else active_client_saved(w.app[i].client, active_net_now(w.net));
  }
  assert_non_null(dead);
  assert_int_equal(active_client_state(last->client), ACTIVE_WAITING);
  turn(&w, 4000 / TURN + 20);
  assert_true(last->states[ACTIVE_ACTIVE]);  // nobody waits for it
  assert_true(sluice_controller_find(active_net_controller(w.net), (uint16_t)dead->fid, &t));
  turn(&w, 20000 / TURN + 20);
  assert_false(sluice_controller_find(active_net_controller(w.net), (uint16_t)dead->fid, &t));
  for (unsigned i = 0; i < w.num; i++)
    if (&w.app[i] != dead)
      assert_true(sluice_controller_find(active_net_controller(w.net), (uint16_t)i, &t));
  // It comes to life again, and hears that it has nothing any more.
  dead->dead = false;
  turn(&w, 100);
  assert_int_equal(active_client_state(dead->client), ACTIVE_LOST);
  assert_non_null(strstr(active_client_reason(dead->client), "does not know program"));
}

// Nobody at the other end.
TEST(a_silent_switch) {
  struct world w CLOSED_BY(close_world);
  open_world(&w, &(struct active_net_options){.vid = 5});
  struct active_client_options o = elastic;
  o.patience = 3000;
  o.alive = 500;
  struct app *a = admitted(&w, o), *b;
  assert_true(active_client_ready(a->client));
  active_net_links(w.net, 1, 0, 0, 0);
  b = new_app(&w, o);
  ask(&w, b);
  turn(&w, 100);
  assert_int_equal(active_client_state(b->client), ACTIVE_REQUESTED);
  assert_true(active_client_counts(b->client)->requests > 10);
  turn(&w, 100);
  assert_int_equal(active_client_state(b->client), ACTIVE_LOST);
  assert_int_equal(active_client_state(a->client), ACTIVE_LOST);
  active_net_links(w.net, 0, 0, 0, 0);
  ask(&w, a);
  turn(&w, 20);
  assert_true(active_client_ready(a->client));
}

// ---- bad networks -------------------------------------------------------------------------------

// Clients come and go at random times while frames are lost, doubled and late; then the network is
// good, and everybody and the controller agree.
static void bad_network(uint64_t seed) {
  struct world w CLOSED_BY(close_world);
  struct sluice_rng rng;
  struct sluice_controller_tenant t;
  struct active_client_range r;
  struct active_client_options o = elastic;
  o.alive = 400;
  sluice_rng_init(&rng, seed, "clients");
  open_world(
      &w, &(struct active_net_options){.seed = seed,
                                       .controller = {.wait = seed % 2 ? 2000 : 0, .expire = 4000},
                                       .lose = 0.2,
                                       .twice = 0.2,
                                       .late = 0.2,
                                       .late_by = 600});
  while (w.num < 8) new_app(&w, o);
  for (unsigned n = 0; n < 40; n++) {
    struct app *a = &w.app[sluice_rng_below(&rng, w.num)];
    switch (active_client_state(a->client)) {
      case ACTIVE_IDLE:
      case ACTIVE_REFUSED:
      case ACTIVE_RELEASED:
      case ACTIVE_LOST: ask(&w, a); break;
      default:
        if (sluice_rng_below(&rng, 2)) active_client_release(a->client, active_net_now(w.net));
    }
    turn(&w, (unsigned)sluice_rng_below(&rng, 40));
  }
  // A request that came behind the release, and whose echo was lost: nobody knows of that memory,
  // so the controller lets it go when it expires.
  active_net_links(w.net, 0, 0, 0, 0);
  turn(&w, 400);
  for (unsigned i = 0; i < w.num; i++) {
    struct app *a = &w.app[i];
    const enum active_client_state s = active_client_state(a->client);
    const bool here = sluice_controller_find(active_net_controller(w.net), (uint16_t)i, &t);
    if (s == ACTIVE_ACTIVE) {
      assert_true(here);
      assert_int_equal(active_client_version(a->client), t.version);
      for (unsigned access = 0; active_client_range(a->client, access, &r); access++)
        assert_true(t.range[r.stage].first == r.first && t.range[r.stage].last == r.last);
      continue;
    }
    if (here ||
        (s != ACTIVE_IDLE && s != ACTIVE_REFUSED && s != ACTIVE_RELEASED && s != ACTIVE_LOST))
      fail_msg("seed %llu: client %u is %s, and the controller has it: %d",
               (unsigned long long)seed, i, active_client_state_name(s), here);
  }
}
TEST(bad_networks) {
  const char *text = getenv("SLUICE_SEED");
  const uint64_t seed = text ? strtoull(text, NULL, 0) : 1;
  print_message("seed %llu\n", (unsigned long long)seed);
  for (uint64_t i = 0; i < 12; i++) bad_network(seed + i);
}
