// SPDX-License-Identifier: Apache-2.0
// Mantis' use cases, on the reference model with traffic in cycles and a bus (reaction_sim.h): a
// cycle is a nanosecond. What is expected of each is worked out here, not by the reactions. Figures
// are printed; SLUICE_REACTIONS=N takes N times as much of each (make bench-reactions).
#include <dlfcn.h>

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "tests/rig/reaction_sim.h"

static unsigned times(void) {
  const char *n = getenv("SLUICE_REACTIONS");
  return n ? (unsigned)atoi(n) : 1;
}

static bool on_simulator(void) { return getenv("SLUICE_WHERE") != NULL; }

static double more(double a, double b) { return a > b ? a : b; }
static double less(double a, double b) { return a < b ? a : b; }
static double positive(double a) { return a < 0 ? -a : a; }

static int by_size(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// ---- 1: a flood is blocked ----------------------------------------------------------------------

// 250 sources send 2 Gb/s together, in bursts at 10 Gb/s; one sends 25 Gb/s from a random moment
// until it has been blocked for a while. Packets of 550 bytes.
enum {
  SOURCES = 250,
  BURST = 4,
  BENIGN_GAP = 2200,
  BURST_GAP = 440,
  FLOOD_GAP = 176,
  AFTER = 30000,  // a flood goes on so long behind its first blocked packet
  FLOOD_LEAST = 6000,
  FLOOD_LIMIT = 880,  // as in flood_defines
};
static const char *const flood_defines[][2] = {{"LEAST", "6000"}, {"GAP", "880"}, {NULL, NULL}};

// A packet of a flood, or of somebody else.
struct shot {
  uint64_t at;
  bool flood, back;
};
enum { SHOTS = 8192, JUDGED = 4000 };  // JUDGED: cycles after which a simulator has given it back
struct flood {
  struct sluice_rng rng;
  uint64_t next_benign, next_flood, begun, blocked, until;  // blocked: of its first packet, 0: none
  uint64_t crossed;  // when it had sent more than the limit allows in LEAST cycles
  unsigned sent;     // of this flood
  unsigned left;     // packets of the burst
  uint32_t source, attacker;
  bool on;
  unsigned long lost;  // benign packets that were blocked
  struct shot shot[SHOTS];
  uint32_t num, judged;
};

static uint32_t address(unsigned n) { return 0x0a000000u + n * 0x2f3u % 65536u; }

static void shoot(struct sim *s, struct flood *f, bool flood) {
  uint8_t bytes[64];
  sim_udp(bytes, flood ? f->attacker : f->source, 1, 1, 2);
  for (unsigned i = 0; i < 4; i++) bytes[56 + i] = (uint8_t)(f->num >> (24 - 8 * i));
  f->shot[f->num++ % SHOTS] = (struct shot){.at = s->now, .flood = flood};
  (void)sim_send(s, flood, bytes, sizeof bytes);
}

static void shot_left(struct sim *s, void *user) {
  struct flood *f = user;
  uint32_t n = 0;
  for (unsigned i = 0; i < 4; i++) n = n << 8 | s->out.bytes[56 + i];
  f->shot[n % SHOTS].back = true;
}

// What has become of packets that are back, or will never be.
static void judge(struct sim *s, struct flood *f) {
  const uint64_t old = s->remote ? JUDGED : 0;
  for (; f->judged != f->num && f->shot[f->judged % SHOTS].at + old <= s->now; f->judged++) {
    const struct shot *shot = &f->shot[f->judged % SHOTS];
    if (shot->back) continue;
    f->lost += !shot->flood;
    if (!shot->flood || f->blocked) continue;
    f->blocked = shot->at;
    f->until = shot->at + AFTER;
  }
}

static void flood_event(struct sim *s, void *user) {
  struct flood *f = user;
  if (f->on && f->next_flood <= f->next_benign) {
    shoot(s, f, true);
    if (++f->sent == FLOOD_LEAST / FLOOD_LIMIT + 1) f->crossed = s->now;
    f->next_flood += FLOOD_GAP;
  } else {
    if (!f->left) {
      f->source = address((unsigned)sluice_rng_below(&f->rng, SOURCES));
      f->left = 1 + (unsigned)sluice_rng_below(&f->rng, BURST);
    }
    shoot(s, f, false);
    f->left--;
    f->next_benign += f->left ? BURST_GAP : BENIGN_GAP + sluice_rng_below(&f->rng, 2 * BENIGN_GAP);
  }
  judge(s, f);
  if (f->blocked && s->now > f->until) f->on = false;
  s->next = f->on && f->next_flood < f->next_benign ? f->next_flood : f->next_benign;
}

static void flood_open(struct sim *s, struct flood *f, uint64_t seed,
                       const char *const (*defines)[2]) {
  memset(f, 0, sizeof *f);
  sluice_rng_init(&f->rng, seed, "flood");
  sim_open(s, sim_text("sw/programs/reactions/block.dom", defines), "react", "pcie", NULL, NULL);
  f->next_benign = s->next = s->now + 1;
  s->left = shot_left;
  s->event = flood_event;
  s->user = f;
}

// One flood, until it is blocked and has gone on for a while.
static void flood_once(struct sim *s, struct flood *f, unsigned n) {
  f->attacker = 0x0b000000u + n * 0x3b1u % 65536u;
  f->begun = f->next_flood = s->now + sluice_rng_below(&f->rng, 20000);
  f->on = true;
  f->blocked = f->crossed = f->sent = 0;
  sim_run(s, f->begun + 20000);
  for (unsigned k = 0; k < 40 && f->on; k++) sim_run(s, s->now + 5000);
  if (!f->blocked) fail_msg("flood %u is not blocked", n);
}

// A limit that is too low is found: others are blocked.
TEST(a_low_limit_is_found) {
  static const char *const low[][2] = {{"LEAST", "3000"}, {"GAP", "9000"}, {NULL, NULL}};
  struct sim s CLOSED_BY(sim_close);
  static struct flood f;
  flood_open(&s, &f, 7, low);
  sim_run(&s, s.now + 1500000);
  assert_true(f.lost > 0);
}

TEST(floods_are_blocked_and_nobody_else) {
  const unsigned floods = on_simulator() ? 3 : 50 * times();
  struct sim s CLOSED_BY(sim_close);
  static struct flood f;
  uint64_t *took CLOSED_BY(freed) = calloc(floods, sizeof *took), sum = 0;
  unsigned within = 0;
  flood_open(&s, &f, 7, flood_defines);
  sim_run(&s, s.now + 60000);
  for (unsigned n = 0; n < floods; n++) {
    flood_once(&s, &f, n);
    took[n] = f.blocked - f.begun;
    sum += took[n];
    within += took[n] <= 20000;
    // It stops, and is let in again.
    sim_run(&s, s.now + 40000);
    const struct shot *probe = &f.shot[f.num % SHOTS];
    shoot(&s, &f, true);
    if (s.remote) sim_pass(&s, JUDGED);
    if (!probe->back) fail_msg("flood %u stays blocked: %s", n, heard);
    heard[0] = 0;
  }
  qsort(took, floods, sizeof *took, by_size);
  const struct reaction_info r = sim_info(&s);
  print_message(
      "floods: %u, blocked after %llu (least), %llu (median), %llu (most) cycles, mean %llu; %u "
      "within 20,000; %lu benign packets lost of %llu packets; a dialogue: cut to flip %.0f\n",
      floods, (unsigned long long)took[0], (unsigned long long)took[floods / 2],
      (unsigned long long)took[floods - 1], (unsigned long long)(sum / floods), within, f.lost,
      (unsigned long long)s.packets, (double)r.reach / (double)r.changes);
  assert_int_equal(f.lost, 0);
  assert_int_equal(r.errors, 0);
  assert_true(took[floods / 2] <= 20000);
  assert_true(took[floods - 1] <= 30000);
}

// A switch of its own for each: from the packet with which the source has sent more than the limit
// allows, to the first that is dropped.
TEST(a_flood_is_blocked_within_20_microseconds) {
  const unsigned seeds = on_simulator() ? 1 : 5 * times();
  uint64_t *took CLOSED_BY(freed) = calloc(seeds, sizeof *took), first = 0;
  static struct flood f;
  unsigned long benign = 0;
  for (unsigned n = 0; n < seeds; n++) {
    struct sim s CLOSED_BY(sim_close);
    flood_open(&s, &f, 1000 + n, flood_defines);
    sim_run(&s, s.now + 60000);
    flood_once(&s, &f, n);
    took[n] = f.blocked - f.crossed;
    if (f.blocked - f.begun > first) first = f.blocked - f.begun;
    if (f.lost) fail_msg("seed %u: %lu benign packets lost", 1000 + n, f.lost);
    benign += f.num - f.sent;
    assert_int_equal(sim_info(&s).errors, 0);
  }
  qsort(took, seeds, sizeof *took, by_size);
  print_message(
      "floods: %u seeds, blocked %llu (median), %llu (most) cycles behind the packet that crosses "
      "the rate, %llu (most) behind the first one; none of %lu benign packets lost\n",
      seeds, (unsigned long long)took[seeds / 2], (unsigned long long)took[seeds - 1],
      (unsigned long long)first, benign);
  assert_true(took[seeds - 1] <= 20000);
}

// ---- 2: a neighbour fails -----------------------------------------------------------------------

// As reroute.dom says. Beats come with jitter; a link loses some of all packets.
enum { NEIGHBOURS = 16, DESTINATIONS = 32, PERIOD = 1000, DATA_GAP = 150, REROUTED = 30000 };

struct links {
  struct sluice_rng rng;
  uint64_t beat[NEIGHBOURS], data;  // when the next comes
  double lose[NEIGHBOURS];
  uint64_t failed;     // when; 0: all are good
  unsigned bad;        // which
  uint64_t last_bad;   // when a packet was last sent to it
  uint64_t at[SHOTS];  // when each was sent
  uint32_t num;
  unsigned long wrong;  // packets sent to neighbours that they do not belong to
  unsigned long back;   // packets that came back
};

// A packet that does not come back has no number: beats, and none else.
static void link_left(struct sim *s, void *user) {
  struct links *l = user;
  const uint8_t *bytes = s->out.bytes;
  const unsigned d = bytes[37], to = bytes[48] * 256u + bytes[49];
  const unsigned first = d % NEIGHBOURS, second = (d + 5) % NEIGHBOURS;
  uint32_t n = 0;
  if (d == 255) return;
  for (unsigned i = 0; i < 4; i++) n = n << 8 | bytes[56 + i];
  if ((to != first && to != second) || (to == second && !l->failed)) l->wrong++;
  if (l->failed && to == second && first != l->bad) l->wrong++;
  if (l->failed && to == l->bad && l->at[n % SHOTS] > l->last_bad) l->last_bad = l->at[n % SHOTS];
  l->back++;
}

static void links_event(struct sim *s, void *user) {
  struct links *l = user;
  uint8_t bytes[64];
  unsigned n = NEIGHBOURS;
  uint64_t when = l->data;
  for (unsigned i = 0; i < NEIGHBOURS; i++)
    if (l->beat[i] < when) {
      when = l->beat[i];
      n = i;
    }
  if (n < NEIGHBOURS) {
    sim_udp(bytes, n, 255, 1, 7000);
    bytes[47] = (uint8_t)n;
    if (sluice_rng_unit(&l->rng) >= l->lose[n]) (void)sim_send(s, 0, bytes, sizeof bytes);
    l->beat[n] += PERIOD - 200 + sluice_rng_below(&l->rng, 401);
  } else {
    const unsigned d = (unsigned)sluice_rng_below(&l->rng, DESTINATIONS);
    sim_udp(bytes, 1, d, 1, 2);
    for (unsigned i = 0; i < 4; i++) bytes[56 + i] = (uint8_t)(l->num >> (24 - 8 * i));
    l->at[l->num++ % SHOTS] = s->now;
    (void)sim_send(s, 1, bytes, sizeof bytes);
    l->data += DATA_GAP;
  }
  s->next = l->data;
  for (unsigned i = 0; i < NEIGHBOURS; i++)
    if (l->beat[i] < s->next) s->next = l->beat[i];
}

// Links fail one after the other, and come back. *took: from the failure to the last packet there.
static void fail_links(struct sim *s, struct links *l, double lose, unsigned failures,
                       uint64_t *took) {
  for (unsigned n = 0; n < failures; n++) {
    sim_run(s, s->now + 20000 + sluice_rng_below(&l->rng, 10000));
    l->bad = (unsigned)sluice_rng_below(&l->rng, NEIGHBOURS);
    l->failed = l->last_bad = s->now;
    l->lose[l->bad] = lose;
    sim_run(s, s->now + 100000);
    took[n] = l->last_bad - l->failed;
    l->lose[l->bad] = 0.01;
    sim_run(s, s->now + 100000);
    l->failed = 0;
  }
  qsort(took, failures, sizeof *took, by_size);
}

TEST(failed_links_are_left) {
  const unsigned failures = on_simulator() ? 1 : 12 * times();
  struct sim s CLOSED_BY(sim_close);
  static struct links l;
  uint64_t *took CLOSED_BY(freed) = calloc(failures, sizeof *took),
                 *gray CLOSED_BY(freed) = calloc(failures, sizeof *gray);
  sluice_rng_init(&l.rng, 11, "links");
  sim_open(&s, sim_text("sw/programs/reactions/reroute.dom", NULL), "react", "pcie", NULL, NULL);
  // The clock of 32 bits wraps on the way; a simulator would take days until then.
  if (!s.remote) sim_pass(&s, (UINT64_C(1) << 32) - 1500000);
  for (unsigned i = 0; i < NEIGHBOURS; i++) {
    l.beat[i] = s.now + sluice_rng_below(&l.rng, PERIOD);
    l.lose[i] = 0.01;
  }
  l.data = s.now + 50000;
  s.left = link_left;
  s.event = links_event;
  s.user = &l;
  s.next = s.now;
  sim_pass(&s, 3 * PERIOD);
  sim_run(&s, s.now + 50000);
  fail_links(&s, &l, 1, failures, took);
  assert_true(s.remote || s.now > UINT64_C(1) << 32);
  fail_links(&s, &l, 0.8, failures, gray);
  const struct reaction_info r = sim_info(&s);
  print_message("links: %u failures, rerouted after %llu (median), %llu (most) cycles; %u that "
                "lose 80 %%: %llu, %llu; %llu dialogues, %llu packets\n",
                failures, (unsigned long long)took[failures / 2],
                (unsigned long long)took[failures - 1], failures,
                (unsigned long long)gray[failures / 2], (unsigned long long)gray[failures - 1],
                (unsigned long long)r.runs, (unsigned long long)s.packets);
  sim_pass(&s, JUDGED);
  assert_true(l.back + 50 > l.num);
  assert_int_equal(l.wrong, 0);
  assert_int_equal(r.errors, 0);
  assert_true(took[failures - 1] <= REROUTED);
  assert_true(gray[failures - 1] <= 3 * REROUTED);
}

// The body alone, again and again: links that lose 1 % are never left, at any time of the clock.
// One that loses half of all is.
TEST(there_are_no_false_alarms) {
  const unsigned dialogues = 50000 * times();
  struct sluice_image *image CLOSED_BY(close_image) =
      compiled_text(sim_text("sw/programs/reactions/reroute.dom", NULL), "react");
  struct reaction_build built CLOSED_BY(reaction_build_release);
  char *messages;
  GOOD(reaction_build(&built, image, NULL, &messages, &error));
  void *object = dlopen(built.object, RTLD_NOW | RTLD_LOCAL);
  if (!object) fail_msg("%s", dlerror());
  void (*run)(uint32_t, int32_t, const int32_t *, const int32_t *);
  uint32_t (*changes)(const int64_t **);
  *(void **)&run = dlsym(object, "sluice_reaction_run");
  *(void **)&changes = dlsym(object, "sluice_reaction_changes");
  struct sluice_rng rng;
  sluice_rng_init(&rng, 13, "beats");
  uint64_t now = 5000, beat[NEIGHBOURS];
  int32_t words[2 * NEIGHBOURS + 1] = {0};
  const int64_t *changed;
  for (unsigned i = 0; i < NEIGHBOURS; i++) beat[i] = i * PERIOD / NEIGHBOURS;
  unsigned alarms = 0, missed = 0;
  for (unsigned n = 0; n < dialogues + 50; n++) {
    now += 7000 + sluice_rng_below(&rng, 6000);
    uint64_t latest = 0;
    for (unsigned i = 0; i < NEIGHBOURS; i++)
      for (; beat[i] <= now; beat[i] += PERIOD - 200 + sluice_rng_below(&rng, 401)) {
        const bool poor = n >= dialogues && i == 3;
        if (sluice_rng_unit(&rng) < (poor ? 0.75 : 0.01)) continue;
        words[i]++;
        words[NEIGHBOURS + i] = (int32_t)(uint32_t)beat[i];
        if (beat[i] > latest) latest = beat[i];
      }
    words[2 * NEIGHBOURS] = (int32_t)(uint32_t)latest;
    run(0, 0, NULL, words);
    const uint32_t num = changes(&changed);
    if (n && n < dialogues) alarms += num;
    if (n >= dialogues) missed += num;
  }
  print_message("links: %u dialogues over %.1f s, %u false alarms\n", dialogues, (double)now * 1e-9,
                alarms);
  assert_int_equal(alarms, 0);
  assert_true(missed > 0);
  dlclose(object);
}

// ---- 3: all flows go one way --------------------------------------------------------------------

// Flows that a switch before this one has sent here by the same hash of the source, to one server:
// neither source nor destination tells them apart.
enum { FLOWS = 200, PORTS = 4, FLOW_GAP = 10 };

struct paths {
  struct sluice_rng rng;
  uint32_t src[FLOWS], ports[FLOWS];
  unsigned long load[PORTS];
};

static void path_left(struct sim *s, void *user) {
  struct paths *p = user;
  assert_in_range(s->out.port, 0, PORTS - 1);
  p->load[s->out.port]++;
}

static void send_flow(struct sim *s, uint32_t src, uint32_t ports) {
  uint8_t bytes[64];
  sim_udp(bytes, src, 0x0a090909, ports >> 16, ports & 65535);
  (void)sim_send(s, 0, bytes, sizeof bytes);
}

static void paths_event(struct sim *s, void *user) {
  struct paths *p = user;
  const unsigned f = (unsigned)sluice_rng_below(&p->rng, FLOWS);
  send_flow(s, p->src[f], p->ports[f]);
  s->next += FLOW_GAP;
}

// Mean difference from the mean, as a part of it.
static double spread(unsigned long load[PORTS]) {
  double sum = 0, off = 0;
  for (unsigned i = 0; i < PORTS; i++) sum += (double)load[i];
  for (unsigned i = 0; i < PORTS; i++) off += positive((double)load[i] - sum / PORTS);
  memset(load, 0, PORTS * sizeof *load);
  return off / sum;
}

TEST(polarized_flows_are_spread) {
  struct sim s CLOSED_BY(sim_close);
  struct paths p;
  memset(&p, 0, sizeof p);
  sluice_rng_init(&p.rng, 17, "paths");
  sim_open(&s, sim_text("sw/programs/reactions/spread.dom", NULL), "react", "pcie", NULL, NULL);
  s.left = path_left;
  s.user = &p;
  for (unsigned f = 0; f < FLOWS;) {
    p.src[f] = 0x0a000000u + (uint32_t)sluice_rng_below(&p.rng, 65536);
    p.ports[f] = (uint32_t)sluice_rng_next(&p.rng);
    const unsigned long before = p.load[2];
    send_flow(&s, p.src[f], p.ports[f]);
    if (s.remote) sim_pass(&s, 1000);
    f += p.load[2] != before;
  }
  memset(p.load, 0, sizeof p.load);
  s.event = paths_event;
  s.next = s.now;
  sim_pass(&s, 20000);
  const double before = spread(p.load);
  const uint64_t start = s.now;
  struct sluice_param_info key = {.value = 0};
  while (key.value != 2 && s.now < start + 1000000) {
    sim_run(&s, s.now + 1000);
    assert_true(sluice_plan_param(sluice_chip_plan(s.chip), 1, 0, &key));
  }
  const uint64_t took = s.now - start;
  (void)spread(p.load);
  sim_run(&s, s.now + 200000);
  const double after = spread(p.load);
  const struct reaction_info r = sim_info(&s);
  print_message("paths: spread %.3f before, %.3f after two shifts within %llu cycles; %llu "
                "dialogues, %llu changes\n",
                before, after, (unsigned long long)took, (unsigned long long)r.runs,
                (unsigned long long)r.changes);
  FIELDS_ARE(&r, (changes, 2), (errors, 0));
  assert_true(before > 1);
  assert_true(after <= before / 5);
}

// ---- 4: a threshold is learned ------------------------------------------------------------------

// A link of 10 Gb/s, packets of 1,500 bytes, and sources that cut their window by the share of
// marked packets, as DCTCP does (g = 1/16). Two loads take turns: 2 flows with a round trip of 100
// us, which need a deeper queue, and 8 flows with one of 10 us, which do not.
enum { SERVICE = 1200, CAPACITY = 250, MOST_FLOWS = 8, MS = 1000000, PHASE = 10 * MS };

struct flow {
  double window, share;  // of marked packets
  unsigned flying, acked, marked, round;
  bool slow;  // start: no mark has come yet
};
struct waiting {
  unsigned flow;
  bool mark;
};
struct bottleneck {
  struct flow flow[MOST_FLOWS];
  struct waiting queue[256], ack[8192];
  uint64_t ack_at[8192], leaves, phase_at, last_ack;
  unsigned head, tail, ack_head, ack_tail, flows, rtt;
  uint64_t served, depths, arrivals, drops;
};

static unsigned depth(const struct bottleneck *b) { return b->tail - b->head; }

static void mark_left(struct sim *s, void *user) {
  struct bottleneck *b = user;
  if (s->out.bytes[56] == 0) b->queue[s->out.bytes[57]].mark = s->out.bytes[49] != 0;
}

static void arrive(struct sim *s, struct bottleneck *b, unsigned f) {
  uint8_t bytes[64];
  const unsigned here = depth(b);
  sim_udp(bytes, f, 1, 1, 2);
  sluice_put16(bytes + 46, here);
  // Which place in the queue it has; one that is lost has none.
  const unsigned place = here == CAPACITY ? 256 : b->tail % 256;
  sluice_put16(bytes + 56, place);
  if (here < CAPACITY) b->queue[place] = (struct waiting){f, false};
  (void)sim_send(s, 0, bytes, sizeof bytes);
  b->arrivals++;
  b->depths += here;
  if (here == CAPACITY) {
    b->drops++;
    b->flow[f].window = more(1, b->flow[f].window / 2);
    return;
  }
  b->flow[f].flying++;
  if (here == 0) b->leaves = s->now + SERVICE;
  b->tail++;
}

static void send_more(struct sim *s, struct bottleneck *b, unsigned f) {
  for (unsigned n = 0; n < CAPACITY && f < b->flows && b->flow[f].flying < b->flow[f].window; n++)
    arrive(s, b, f);
}

static void leave(struct sim *s, struct bottleneck *b) {
  const uint64_t back = s->now + b->rtt;
  b->last_ack = back > b->last_ack ? back : b->last_ack;
  b->ack_at[b->ack_tail % 8192] = b->last_ack;
  b->ack[b->ack_tail++ % 8192] = b->queue[b->head++ % 256];
  b->served++;
  b->leaves += SERVICE;
}

static void acked(struct sim *s, struct bottleneck *b) {
  const struct waiting w = b->ack[b->ack_head++ % 8192];
  struct flow *f = &b->flow[w.flow];
  f->flying--;
  f->acked++;
  f->marked += w.mark;
  f->slow &= !w.mark;
  f->window += f->slow;
  if (f->acked >= f->round) {  // a round trip
    f->share += (1.0 / 16) * ((double)f->marked / f->acked - f->share);
    f->window = f->marked ? more(1, f->window * (1 - f->share / 2)) : f->window + !f->slow;
    f->acked = f->marked = 0;
    f->round = (unsigned)f->window;
  }
  send_more(s, b, w.flow);
}

static uint64_t next_of(const struct bottleneck *b) {
  uint64_t next = b->phase_at;
  if (depth(b) && b->leaves < next) next = b->leaves;
  if (b->ack_head != b->ack_tail && b->ack_at[b->ack_head % 8192] < next)
    next = b->ack_at[b->ack_head % 8192];
  return next;
}

static void bottleneck_event(struct sim *s, void *user) {
  struct bottleneck *b = user;
  if (b->phase_at <= s->now) {
    const bool few = b->flows != 2;
    b->flows = few ? 2 : MOST_FLOWS;
    b->rtt = few ? 100000 : 10000;
    b->phase_at += PHASE;
    for (unsigned f = 0; f < b->flows; f++) {
      b->flow[f].window = more(1, less(b->flow[f].window, 8));
      b->flow[f].slow = true;
      send_more(s, b, f);
    }
  } else if (depth(b) && b->leaves <= s->now) {
    leave(s, b);
  } else {
    acked(s, b);
  }
  s->next = next_of(b);
}

struct quality {
  double load, depth, reward;
};

// `fixed` 0: it is learned.
static struct quality bottleneck_run(unsigned fixed, unsigned warm_ms, unsigned ms) {
  struct sim s CLOSED_BY(sim_close);
  struct bottleneck *b CLOSED_BY(freed) = calloc(1, sizeof *b);
  sim_period = 50000;
  sim_open(&s, sim_text("sw/programs/reactions/ecn.dom", NULL), "react", "pcie", NULL, NULL);
  sim_period = 0;
  if (fixed) {
    const struct sluice_setting set = {.vid = 1, .name = "threshold", .value = fixed};
    GOOD(sluice_chip_set_params(s.chip, &set, 1, NULL, &error));
    GOOD(reactions_stop(s.rs, 1, "learn", &error));
  }
  for (unsigned f = 0; f < MOST_FLOWS; f++) b->flow[f] = (struct flow){.window = 4, .round = 4};
  b->phase_at = s.now + 1;
  s.left = mark_left;
  s.event = bottleneck_event;
  s.user = b;
  s.next = b->phase_at;
  sim_run(&s, s.now + (uint64_t)warm_ms * MS);
  unsigned n = 0;
  // Reward as the reaction has it, over intervals of 200 us.
  struct quality sum = {0, 0, 0};
  for (const uint64_t end = s.now + (uint64_t)ms * MS; s.now < end; n++) {
    const uint64_t start = s.now, served = b->served, depths = b->depths, arrivals = b->arrivals;
    sim_run(&s, start + 200000);
    const double load = less(1, (double)(b->served - served) * SERVICE / (double)(s.now - start));
    const double mean = b->arrivals > arrivals
                            ? (double)(b->depths - depths) / (double)(b->arrivals - arrivals)
                            : 0;
    sum.load += load;
    sum.depth += mean;
    sum.reward += load + 1 / (1 + mean / 10);
  }
  if (!fixed) assert_int_equal(sim_info(&s).errors, 0);
  return (struct quality){sum.load / n, sum.depth / n, sum.reward / n};
}

TEST(a_threshold_is_learned) {
  if (on_simulator()) {  // a second would take a day
    const struct quality q = bottleneck_run(0, 0, 1);
    print_message("queue: 1 ms: load %.3f, depth %.1f, reward %.3f\n", q.load, q.depth, q.reward);
    assert_true(q.load > 0.4 && q.depth < CAPACITY / 2);
    return;
  }
  static const unsigned levels[] = {1, 2, 4, 8, 16, 32, 64};
  const unsigned ms = 40 * (times() < 5 ? times() : 5);
  struct quality best = {0, 0, 0};
  unsigned best_at = 0;
  const unsigned first = times() == 1 ? 1 : 0, last = times() == 1 ? 4 : 7;
  for (unsigned i = first; i < last; i++) {
    const struct quality q = bottleneck_run(levels[i], 20, ms);
    print_message("queue: threshold %2u: load %.3f, depth %.1f, reward %.3f\n", levels[i], q.load,
                  q.depth, q.reward);
    if (q.reward <= best.reward) continue;
    best = q;
    best_at = levels[i];
  }
  const struct quality q = bottleneck_run(0, 1000, 2 * ms);
  print_message(
      "queue: learned: load %.3f, depth %.1f, reward %.3f; best fixed threshold, %u: %.3f\n",
      q.load, q.depth, q.reward, best_at, best.reward);
  assert_true(q.reward >= 0.97 * best.reward);
}
