// SPDX-License-Identifier: Apache-2.0
// Egress functions that the fuzzer makes, on a chip made of paper, under the checker: queues that
// fill up and serve their source lanes as they like, state of the lanes, control of it while copies
// pass. Mutants of the chip are found.
#include "tests/rig/fuzz_rig.h"
#include "tests/rig/paper.h"

#include "driver/wire/wire.h"

enum { CASES = 40, PACKETS = 1000, PORTS = 8, OUT_LANES = 2, ROOM = 24, WAY = 9, QUEUED = 4096 };

// STALE: a copy has the numbers of the one before it on its lane. KEEP: one in eight that is
// discarded leaves all the same. DEPTH: a copy that came in the same cycle counts as one in front.
// OTHER: a copy uses the state of the other lane. ONE: a WRITE of STATE reaches one lane. MOVES:
// what the deparser of copies writes is not written in one copy of 16. OVERTAKES: now and then the
// second copy of a source lane goes first.
enum mutant { NONE, STALE, KEEP, DEPTH, OTHER, ONE, MOVES, OVERTAKES, MUTANTS };

struct copy {
  unsigned port, number, source, beats, len;
  uint32_t ticket;
  uint64_t a, e, l;
  bool dropped, told, kept;
  struct sluice_model_egressed result;
  struct sluice_model_copy seen;
  uint8_t vid;
  uint8_t *bytes;
};

static struct {
  enum mutant mutant;
  size_t next;
  struct copy *queue[OUT_LANES][QUEUED], *way[OUT_LANES][QUEUED];  // waiting; behind the queues
  unsigned queued[OUT_LANES], passing[OUT_LANES];
  uint64_t free_from[OUT_LANES];
  // Of a port: cycles A and L so far.
  uint64_t *a[PORTS], *l[PORTS];
  unsigned num_a[PORTS], num_l[PORTS];
  struct sluice_model_copy last[OUT_LANES];
  unsigned discarded, full, reads, compared, writes;
} own;

static unsigned before(const uint64_t *cycles, unsigned num, uint64_t cycle) {
  unsigned n = 0;
  while (num && cycles[num - 1] >= cycle) num--;
  n = num;
  return n;
}

static void note(uint64_t *cycles[PORTS], unsigned num[PORTS], unsigned port, uint64_t cycle) {
  cycles[port] = realloc(cycles[port], (num[port] + 1) * sizeof **cycles);
  assert_non_null(cycles[port]);
  cycles[port][num[port]++] = cycle;
}

static void leaves(struct paper *p, const struct paper_packet *k) {
  const struct sluice_model_result *r = &k->result;
  uint64_t accepted = 0, refused = 0;
  for (unsigned port = 0; port < PORTS; port++) {
    if (!(r->ports >> port & 1)) continue;
    if (own.queued[port % OUT_LANES] < ROOM) accepted |= UINT64_C(1) << port;
    else refused |= UINT64_C(1) << port;
  }
  own.full += refused != 0;
  sluice_checker_exit(p->ck, p->now, k->lane, r->reason, k->ticket, accepted, refused);
  unsigned number = 0;
  for (unsigned port = 0; port < PORTS; port++) {
    if (!(accepted >> port & 1)) continue;
    struct copy *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->bytes = malloc(SLUICE_MODEL_MAX_LEN);
    c->len = sluice_model_leave(&k->packet, r, c->bytes);
    c->port = port, c->number = number++, c->source = k->lane, c->ticket = k->ticket;
    c->beats = (c->len + 63) / 64;
    c->a = p->now;
    c->vid = k->frame->bytes[15];
    c->seen.depth_in =
        before(own.a[port], own.num_a[port], own.mutant == DEPTH ? p->now + 1 : p->now) -
        before(own.l[port], own.num_l[port], p->now - 1);
    note(own.a, own.num_a, port, p->now);
    own.queue[port % OUT_LANES][own.queued[port % OUT_LANES]++] = c;
  }
}

// One of the source lanes, by chance; its oldest copy.
static struct copy *choose(struct paper *p, unsigned lane) {
  const unsigned source = (unsigned)sluice_rng_below(&p->rng, 2);
  unsigned at = 0;
  for (unsigned i = own.queued[lane]; i-- > 0;)
    if (own.queue[lane][i]->source == source) at = i;
  if (own.mutant == OVERTAKES && sluice_rng_below(&p->rng, 50) == 0)
    for (unsigned i = own.queued[lane]; i-- > at + 1;)
      if (own.queue[lane][i]->source == own.queue[lane][at]->source &&
          own.queue[lane][i]->port == own.queue[lane][at]->port) {
        at = i;
        break;
      }
  struct copy *c = own.queue[lane][at];
  memmove(&own.queue[lane][at], &own.queue[lane][at + 1],
          (--own.queued[lane] - at) * sizeof own.queue[lane][0]);
  return c;
}

static void enter(struct paper *p, unsigned lane) {
  if (!own.queued[lane] || own.free_from[lane] > p->now || sluice_rng_below(&p->rng, 5) == 0)
    return;
  struct copy *c = choose(p, lane);
  c->e = p->now;
  c->l = p->now + c->beats - 1;
  own.free_from[lane] = c->l + 1;
  own.way[lane][own.passing[lane]++] = c;
  sluice_checker_copy(p->ck, p->now, lane, c->ticket, c->port);
  struct sluice_model_copy m = {
      .bytes = c->bytes,
      .len = c->len,
      .vid = c->vid,
      .lane = own.mutant == OTHER ? !lane : lane,
      .port = c->port,
      .number = c->number,
      .depth_in = c->seen.depth_in,
      .depth_out = before(own.a[c->port], own.num_a[c->port], p->now + 1) -
                   before(own.l[c->port], own.num_l[c->port], p->now) - 1,
      .cycle = (uint32_t)p->now,
      .delay = (uint32_t)(p->now - c->a)};
  const struct sluice_model_copy now = m;
  if (own.mutant == STALE) {
    const struct sluice_model_copy *old = &own.last[lane];
    m.number = old->number, m.depth_in = old->depth_in, m.depth_out = old->depth_out;
    m.delay = old->delay;
  }
  own.last[lane] = now;
  sluice_model_egress(p->model, &m, &c->result);
  const unsigned head = c->len < SLUICE_MODEL_HEADER ? c->len : SLUICE_MODEL_HEADER;
  if (own.mutant == MOVES && sluice_rng_below(&p->rng, 16) == 0)
    memcpy(c->result.header, c->bytes, head);
  c->dropped = c->result.dropped;
  own.discarded += c->dropped;
  c->kept = c->dropped && own.mutant == KEEP && sluice_rng_below(&p->rng, 8) == 0;
  if (!c->dropped) memcpy(c->bytes, c->result.header, head);
}

static void send(struct paper *p, const struct copy *c, unsigned lane) {
  for (size_t at = 0; at < c->len; at += 64) {
    uint8_t beat[64] = {0};
    const size_t here = c->len - at < 64 ? c->len - at : 64;
    memcpy(beat, c->bytes + at, here);
    sluice_checker_tx(p->ck, p->now, lane, beat, here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX,
                      at + here == c->len, c->port, c->ticket);
  }
}

static void works(struct paper *p) {
  for (unsigned lane = 0; lane < OUT_LANES; lane++) {
    enter(p, lane);
    for (unsigned i = 0; i < own.passing[lane]; i++) {
      struct copy *c = own.way[lane][i];
      if (c->l == p->now) {
        sluice_checker_copy_last(p->ck, p->now, lane);
        note(own.l, own.num_l, c->port, p->now);
      }
      if (c->e + WAY != p->now) continue;
      sluice_checker_copy_fate(p->ck, p->now, lane, c->ticket, c->port, c->dropped);
      c->told = true;
    }
    struct copy *c = own.passing[lane] ? own.way[lane][0] : NULL;
    if (!c || !c->told || c->l + WAY + 2 > p->now) continue;
    if (!c->dropped || c->kept) send(p, c, lane);
    free(c->bytes);
    free(c);
    memmove(own.way[lane], own.way[lane] + 1, --own.passing[lane] * sizeof own.way[lane][0]);
  }
}

// A control packet: checker and chip do the same. An answer of state is compared if no packet of
// its row is inside.
static void control(struct paper *p, const struct fuzz_frame *f) {
  static struct sluice_model_answer expected, got;
  struct model_request r;
  uint64_t seen;
  const bool good = sluice_checker_control(p->ck, p->now, f->bytes, f->len, &expected);
  const bool known = model_request(p->model, f->bytes, f->len, &r);
  const bool state = known && r.legal && r.table == SLUICE_TABLE_STATE &&
                     model_is_egress(p->model, r.stage);
  uint32_t kept = 0;
  unsigned pipe, slot = 0;
  const bool one = own.mutant == ONE && state && r.op == SLUICE_CHAIN_WRITE &&
                   model_home(p->model, r.row, r.stage, r.index, &pipe, &slot);
  if (one) kept = model_slot(p->model, r.stage, 1, slot)->s1;
  sluice_checker_counter(p->ck, "good", good,
                         sluice_model_control(p->model, f->bytes, f->len, &got));
  if (one) model_slot(p->model, r.stage, 1, slot)->s1 = kept;
  if (!state) return;
  own.writes += p->playing && r.op == SLUICE_CHAIN_WRITE;
  if (r.op != SLUICE_CHAIN_READ) return;
  own.reads += p->playing;
  if (!sluice_checker_row_still(p->ck, r.row, &seen)) return;
  own.compared += p->playing;
  sluice_checker_counter(p->ck, "answer", 0,
                         sluice_model_answer_compare(&expected, got.bytes, got.len) >= 0);
}

static void compare_state(struct paper *p) {
  for (unsigned row = 0; row < p->config->NumModules; row++)
    for (unsigned s = 0; s < p->config->EgressStages; s++)
      for (unsigned lane = 0; lane < OUT_LANES; lane++)
        for (unsigned i = 0; i < sluice_config_slots(p->config); i++) {
          uint32_t s1, s2;
          if (sluice_model_lane_state(p->model, row, s, lane, i, &s1, &s2))
            sluice_checker_lane_entry(p->ck, row, s, lane, i, s1, s2);
        }
}

static bool busy(void) {
  unsigned left = 0;
  for (unsigned l = 0; l < OUT_LANES; l++) left += own.queued[l] + own.passing[l];
  return left;
}

static struct sluice_report run(const struct fuzz_case *c, unsigned mutant) {
  static struct paper p;
  paper_open(&p, c);
  p.leaves = leaves;
  p.works = works;
  own.mutant = (enum mutant)mutant;
  own.next = 0;
  memset(own.num_a, 0, sizeof own.num_a);
  memset(own.num_l, 0, sizeof own.num_l);
  memset(own.free_from, 0, sizeof own.free_from);
  memset(own.last, 0, sizeof own.last);
  for (size_t i = 0; i < c->control.num; i++) control(&p, &c->control.items[i]);
  p.playing = true;
  while (p.next < c->packets.num || p.num_inside || own.next < c->marking.num || busy()) {
    if (own.next < c->marking.num && sluice_rng_below(&p.rng, 20) == 0)
      control(&p, &c->marking.items[own.next++]);
    paper_tick(&p);
  }
  compare_state(&p);
  return paper_close(&p);
}

static const struct fuzz_paper play = {.chip = "egress", .packets = PACKETS, .run = run};

TEST(copies_are_compared) {
  unsigned with;
  own.discarded = own.full = own.reads = own.compared = own.writes = 0;
  const struct sluice_report all = fuzz_play(&play, CASES, NONE, &with);
  print_message("%u cases: packets %u, delivered %u, discarded as a whole %u; copies %u, changed "
                "%u, discarded %u; operations %u, refused %u, entries %u; under traffic: reads %u, "
                "compared %u, writes %u\n",
                CASES, (unsigned)all.admitted, (unsigned)all.delivered,
                (unsigned)all.discarded_egress, (unsigned)all.egress_copies,
                (unsigned)all.egress_changed, own.discarded, (unsigned)all.egress_ops,
                (unsigned)all.egress_refused, (unsigned)all.egress_entries, own.reads, own.compared,
                own.writes);
  FIELDS_ARE(&all, (differences, 0), (drops[SLUICE_DROP_EGRESS], own.discarded));
  // A test in which nothing happens tests nothing.
  assert_true(all.egress_changed > all.egress_copies / 4);
  assert_true(own.discarded > all.egress_copies / 50);
  assert_true(all.discarded_egress > CASES);
  assert_true(all.egress_ops > all.egress_copies / 8);
  assert_true(all.egress_refused < all.egress_ops * 7 / 8);
  assert_true(own.full > CASES);
  assert_true(own.compared > CASES && own.writes > CASES);
}

TEST(mutants_are_found) { fuzz_finds(&play, CASES / 2, MUTANTS, 8); }

// In a chip without egress stages no case has a legal packet for one, and none is different for
// their being possible.
TEST(chips_without_have_none) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, sluice_config_find("tiny"), seed);
    for (size_t i = 0; i < c.control.num; i++) {
      struct sluice_reconfig p;
      if (sluice_reconfig_decode(&p, c.control.items[i].bytes, c.control.items[i].len, NULL) ||
          p.table == SLUICE_NUM_TABLES)
        continue;
      assert_false(sluice_tables[p.table].scope == SLUICE_SCOPE_egress &&
                   sluice_table_in_stage(p.table, p.stage, c.config));
    }
    assert_int_equal(c.marking.num, 0);
    fuzz_release(&c);
  }
}

static int release(void **state) {
  (void)state;
  for (unsigned p = 0; p < PORTS; p++) free(own.a[p]), free(own.l[p]);
  return 0;
}
TEST_GROUP(NULL, release)
