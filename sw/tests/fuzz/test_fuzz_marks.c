// SPDX-License-Identifier: Apache-2.0
// Marks that the fuzzer makes, on a chip made of paper, under the checker: state units that work in
// the order of tickets some cycles behind admission, indices that live away from home, control
// packets at any time. Mutants of the chip are found.
#include "tests/rig/fuzz_rig.h"
#include "tests/rig/environment.h"
#include "base/bytes.h"
#include "tests/rig/paper.h"

#define CASES ((unsigned)from_environment("SLUICE_CASES", 40))
enum { EACH = 12 };

// EARLY: a mark has the tag of the ticket before: it goes before the youngest packet. OPEN: what a
// mark writes comes a packet late. HOME: a mark goes to the home of an entry that is away. OTHER:
// an answer has the values of the READ before. The others: marks that are forgotten, shown twice,
// shown with another ticket; a write that is shown as a read.
enum mutant { NONE, EARLY, OPEN, HOME, OTHER, LOST, TWICE, TICKET, UNWRITTEN, MUTANTS };

// What this test keeps beside the chip.
static struct {
  enum mutant mutant;
  size_t next_mark;
  struct sluice_model_answer answer, before;
  struct model_pair *homes;  // MUTANT HOME: what the homes of entries that are away hold
} own;

// Shows a mark in a cycle, and does it when all older accesses are done. Returns what was read.
static struct model_pair mark(struct paper *p, unsigned stage, const struct model_mark *m) {
  const bool write = m->write && own.mutant != UNWRITTEN;
  sluice_checker_state_mark(p->ck, p->now, stage, m->pipe, m->slot, write,
                            p->ticket + (own.mutant == TICKET));
  if (own.mutant == TWICE && sluice_rng_below(&p->rng, 4) == 0)
    sluice_checker_state_mark(p->ck, p->now, stage, m->pipe, m->slot, write, p->ticket);
  // The mutant reads before the access of the packet before it: as the state units were then.
  struct paper_packet *youngest = p->num_inside ? &p->inside[p->num_inside - 1] : NULL;
  const bool late = youngest && !youngest->done;
  paper_operate_all(p);
  struct model_pair *entry = model_slot(p->model, stage, m->pipe, m->slot);
  struct model_pair old = *entry;
  if (own.mutant == EARLY && late) {
    memcpy(&old, (const uint8_t *)p->undone + ((const uint8_t *)entry - (const uint8_t *)p->model),
           sizeof old);
  }
  if (own.mutant == HOME && paper_away(p, stage, m->pipe, m->slot)) {
    struct model_pair *home = &own.homes[entry - p->model->state];
    old = *home;
    if (write) *home = m->value;
  } else if (write && own.mutant != OPEN) {
    *entry = m->value;
  }
  paper_tick(p);
  if (write && own.mutant == OPEN) {
    // The packets of this cycle have read what was there before.
    paper_operate_all(p);
    *model_slot(p->model, stage, m->pipe, m->slot) = m->value;
  }
  for (unsigned n = (unsigned)sluice_rng_below(&p->rng, EACH); n; n--) paper_tick(p);
  return old;
}

// Whether the youngest packet, which has not had its access, is on its way to the first entry of
// the next mark: then a chip that is a packet early or late with it shows.
static bool is_awaited(const struct paper *p) {
  const struct paper_packet *youngest = p->num_inside ? &p->inside[p->num_inside - 1] : NULL;
  const struct fuzz_frame *f = &p->c->marking.items[own.next_mark];
  struct model_request r;
  struct model_mark m;
  if (!youngest || youngest->done || !model_request(p->model, f->bytes, f->len, &r) ||
      !model_is_marks(p->model, &r) || !model_mark(p->model, &r, f->bytes, 0, &m))
    return false;
  struct sluice_model_access a = {.resolved = false};
  model_resolve(p->model, r.stage, &youngest->phv, &a);
  return a.resolved && a.pipe == m.pipe && (a.pinned || a.slot == m.slot);
}

// Plays a control packet that reads, writes or takes state. The checker hears of the packet, then
// of the mark of each of its entries, in order, then of the answer.
static void send(struct paper *p, const struct fuzz_frame *f) {
  struct model_request r;
  const bool marks = sluice_checker_is_marks(p->ck, f->bytes, f->len);
  const bool good = sluice_checker_control(p->ck, p->now, f->bytes, f->len, NULL);
  p->model->marks_apart = true;
  sluice_checker_counter(p->ck, "good", good,
                         sluice_model_control(p->model, f->bytes, f->len, &own.answer));
  p->model->marks_apart = false;
  if (!marks) return;
  assert_true(model_request(p->model, f->bytes, f->len, &r));
  const bool read = r.op == SLUICE_CHAIN_READ;
  const unsigned num = read ? r.count : model_request_entries(&r, f->len);
  for (unsigned n = 0; n < num; n++) {
    struct model_mark m;
    if (!model_mark(p->model, &r, f->bytes, n, &m)) continue;
    if (own.mutant == LOST && sluice_rng_below(&p->rng, 8) == 0) continue;
    const struct model_pair value = mark(p, r.stage, &m);
    if (!read || n >= own.answer.num) continue;
    sluice_put32(own.answer.bytes + 64 + n * own.answer.stride, value.s1);
    sluice_put32(own.answer.bytes + 64 + n * own.answer.stride + 4, value.s2);
  }
  if (!read) return;
  const bool other = own.mutant == OTHER && own.before.len == own.answer.len;
  sluice_checker_answer(p->ck, p->now, other ? own.before.bytes : own.answer.bytes, own.answer.len);
  own.before = own.answer;
}

static struct sluice_report run(const struct fuzz_case *c, unsigned mutant) {
  static struct paper p;
  paper_open(&p, c);
  own.mutant = (enum mutant)mutant;
  own.next_mark = 0;
  own.before.len = 0;
  own.homes = calloc((size_t)c->config->StateStages * c->config->StateEntries, sizeof *own.homes);
  assert_non_null(own.homes);
  for (size_t i = 0; i < c->control.num; i++) send(&p, &c->control.items[i]);
  p.playing = true;
  while (p.next < c->packets.num || p.num_inside || own.next_mark < c->marking.num) {
    if (own.next_mark < c->marking.num && (is_awaited(&p) || sluice_rng_below(&p.rng, 100) == 0))
      send(&p, &c->marking.items[own.next_mark++]);
    else paper_tick(&p);
  }
  free(own.homes);
  return paper_close(&p);
}

static bool wanted(const struct fuzz_case *c) { return c->marking.num; }

static const struct fuzz_paper play = {
    .chip = "marks", .packets = 2000, .wanted = wanted, .run = run};

TEST(marks_are_compared) {
  unsigned with;
  const struct sluice_report all = fuzz_play(&play, CASES, NONE, &with);
  print_message("%u cases: marks %u, compared %u, written %u, away %u, loaded %u\n", with,
                (unsigned)all.marks, (unsigned)all.marks_compared, (unsigned)all.marks_written,
                (unsigned)all.marks_away, (unsigned)all.marks_loaded);
  assert_in_range(with, CASES / 4, 3 * CASES / 4);
  assert_int_equal(all.differences, 0);
  // A test in which nothing is under way tests nothing.
  assert_true(all.marks_compared > 50 * with);
  assert_true(all.marks_written > 50 * with);
  assert_true(all.marks_away > 5 * with);
  assert_true(all.marks_loaded > with);
}

TEST(mutants_are_found) { fuzz_finds(&play, CASES, MUTANTS, 8); }

TEST(chips_without_have_none) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find("banks"), seed);
    assert_int_equal(c.marking.num, 0);
  }
}

// Fails as long as there is a TAKE.
static bool has_take(void *context, const struct fuzz_case *c, uint64_t *packet) {
  bool found = false;
  (void)context, (void)packet;
  for (size_t i = 0; i < c->marking.num; i++) {
    const uint8_t *b = c->marking.items[i].bytes;
    found = found || sluice_table_find(b[46] & 7u, b[47] & 15u) == SLUICE_TABLE_TAKE;
  }
  return found;
}

static void is_small(const struct fuzz_case *c) {
  assert_int_equal(c->marking.num, 1);
  assert_int_equal(c->num_updates + c->packets.num + c->control.num, 0);
}

TEST(marks_are_made_smaller) { fuzz_made_smaller("marks", CASES, has_take, is_small); }
