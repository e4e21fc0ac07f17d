// SPDX-License-Identifier: Apache-2.0
// Marks that the fuzzer makes, on a chip made of paper, under the checker: state units that work in the order of tickets
// some cycles behind admission, indices that live away from home, control packets at any time. Mutants of the chip are
// found.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "fuzz/fuzz.h"
#include "model/checker.h"
#include "model/machine.h"

enum { CASES = 80, LANES = 2, MOST_INSIDE = 48, WAY = 60, ACCESS = 24, EACH = 12 };

// EARLY: a mark has the tag of the ticket before: it goes before the youngest packet. OPEN: what a mark writes comes a
// packet late. HOME: a mark goes to the home of an entry that is away. OTHER: an answer has the values of the READ before.
// The others: marks that are forgotten, shown twice, shown with another ticket; a write that is shown as a read.
enum mutant { NONE, EARLY, OPEN, HOME, OTHER, LOST, TWICE, TICKET, UNWRITTEN, MUTANTS };

// The chip works with a model of its own, whose state is that of its state units: a packet is admitted there when its
// access happens. `undone` is that model before the access of the youngest packet.
struct packet {
  uint64_t access, gone;  // cycles
  unsigned lane;
  uint32_t ticket;
  bool done;
  const struct fuzz_frame *frame;
  struct sluice_model_packet packet;
  struct sluice_model_phv phv;
  struct sluice_model_result result;
};

struct paper {
  const struct sluice_config *config;
  const struct fuzz_case *c;
  struct sluice_checker *ck;
  struct sluice_model *model;
  size_t size;
  void *undone;              // the model before its last access
  struct sluice_rng rng;
  enum mutant mutant;
  uint64_t now;
  size_t next, next_mark;
  bool playing;            // packets come
  struct packet inside[MOST_INSIDE];
  unsigned num_inside;
  uint32_t ticket;
  struct sluice_model_answer answer, before;
  struct model_pair *homes;  // MUTANT HOME: what the homes of entries that are away hold
};

// An entry is away in three of seven places; where that is does not matter to the monitors but for its number.
static bool away(const struct paper *p, unsigned stage, unsigned pipe, uint32_t slot) {
  return p->config->Relocations && (stage + 3 * pipe + 5 * slot) % 7 < 3;
}

static void arrive(struct paper *p) {
  for (unsigned l = 0; l < LANES; l++) {
    if (!p->playing || p->next == p->c->packets.num || p->num_inside == MOST_INSIDE || !sluice_rng_below(&p->rng, 4)) continue;
    const struct fuzz_frame *f = &p->c->packets.items[p->next++];
    for (size_t at = 0; at < f->len; at += 64) {  // all beats in one cycle: the checker counts them only
      uint8_t beat[64] = {0};
      const size_t here = f->len - at < 64 ? f->len - at : 64;
      memcpy(beat, f->bytes + at, here);
      sluice_checker_rx(p->ck, p->now, l, beat, here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX, at + here == f->len,
                        false, 0, p->next);
    }
    sluice_checker_lane(p->ck, p->now, l, SLUICE_DROP_NONE);
    // Admitted at once: the order of lanes is that of tickets.
    struct packet *k = &p->inside[p->num_inside];
    *k = (struct packet){.access = p->now + ACCESS, .gone = p->now + WAY, .lane = l, .frame = f};
    k->packet = (struct sluice_model_packet){f->bytes, (unsigned)f->len, 0, (uint32_t)p->now, 0};
    unsigned reason =
        sluice_model_classify(sluice_model_filter(p->model), f->bytes, (unsigned)f->len).reason;
    if (reason == SLUICE_DROP_NONE) reason = sluice_model_front(p->model, &k->packet, &k->phv);
    sluice_checker_order(p->ck, p->now, l, reason, p->ticket & (2 * p->config->Window - 1));
    if (reason != SLUICE_DROP_NONE) continue;
    k->ticket = p->ticket++;
    p->num_inside++;
  }
}

static void operate(struct paper *p, struct packet *k) {
  memcpy(p->undone, p->model, p->size);
  sluice_model_admit(p->model, &k->packet, &k->phv, &k->result);
  k->done = true;
  for (unsigned s = 0; s < p->config->StateStages; s++) {
    const struct sluice_model_access *a = &k->result.access[s];
    if (!a->executed) continue;
    unsigned pipe = a->resolved ? a->pipe : 0, slot = a->slot;
    if (!a->refused && away(p, s, pipe, slot)) {
      pipe = (pipe + 1) % p->config->NumPipes;
      if (!sluice_model_same_set(p->model, pipe, a->pipe)) pipe = a->pipe;
      slot = sluice_config_slots(p->config) + slot % p->config->Relocations;
    }
    sluice_checker_state(p->ck, p->now, s, pipe, slot, k->ticket & (2 * p->config->Window - 1), a->refused);
  }
}

// All that was admitted up to now, and is not done, is done first: so it has been when a mark is the head of its queue.
static void operate_all(struct paper *p) {
  for (unsigned i = 0; i < p->num_inside; i++)
    if (!p->inside[i].done) operate(p, &p->inside[i]);
}

static void leave(struct paper *p) {
  bool lanes[LANES] = {false};
  while (p->num_inside && p->inside[0].gone <= p->now && !lanes[p->inside[0].lane]) {
    const struct packet *k = &p->inside[0];
    const struct sluice_model_result *r = &k->result;
    lanes[k->lane] = true;
    sluice_checker_exit(p->ck, p->now, k->lane, r->reason, k->ticket, r->ports, 0);
    for (unsigned port = 0; port < p->config->NumPorts; port++)
      for (size_t at = 0; (r->ports >> port & 1) && at < k->frame->len; at += 64) {
        uint8_t beat[64] = {0};
        const size_t here = k->frame->len - at < 64 ? k->frame->len - at : 64;
        memcpy(beat, (at < SLUICE_MODEL_HEADER ? r->header : k->frame->bytes) + at, here);
        sluice_checker_tx(p->ck, p->now, 0, beat, here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX,
                          at + here == k->frame->len, port, k->ticket);
      }
    p->num_inside--;
    memmove(p->inside, p->inside + 1, p->num_inside * sizeof p->inside[0]);
  }
}

static void tick(struct paper *p) {
  arrive(p);
  for (unsigned i = 0; i < p->num_inside; i++)
    if (!p->inside[i].done && p->inside[i].access <= p->now) operate(p, &p->inside[i]);
  leave(p);
  sluice_checker_cycle(p->ck, p->now++);
}

// Shows a mark in a cycle, and does it when all older accesses are done. Returns what was read.
static struct model_pair mark(struct paper *p, unsigned stage, const struct model_mark *m) {
  const bool write = m->write && p->mutant != UNWRITTEN;
  sluice_checker_state_mark(p->ck, p->now, stage, m->pipe, m->slot, write, p->ticket + (p->mutant == TICKET));
  if (p->mutant == TWICE && sluice_rng_below(&p->rng, 4) == 0)
    sluice_checker_state_mark(p->ck, p->now, stage, m->pipe, m->slot, write, p->ticket);
  // The mutant reads before the access of the packet before it: as the state units were then.
  struct packet *youngest = p->num_inside ? &p->inside[p->num_inside - 1] : NULL;
  const bool late = youngest && !youngest->done;
  operate_all(p);
  struct model_pair *entry = model_slot(p->model, stage, m->pipe, m->slot);
  struct model_pair old = *entry;
  if (p->mutant == EARLY && late) {
    memcpy(&old, (const uint8_t *)p->undone + ((const uint8_t *)entry - (const uint8_t *)p->model), sizeof old);
  }
  if (p->mutant == HOME && away(p, stage, m->pipe, m->slot)) {
    struct model_pair *home = &p->homes[entry - p->model->state];
    old = *home;
    if (write) *home = m->value;
  } else if (write && p->mutant != OPEN) {
    *entry = m->value;
  }
  tick(p);
  if (write && p->mutant == OPEN) {
    // The packets of this cycle have read what was there before.
    operate_all(p);
    *model_slot(p->model, stage, m->pipe, m->slot) = m->value;
  }
  for (unsigned n = (unsigned)sluice_rng_below(&p->rng, EACH); n; n--) tick(p);
  return old;
}

// Whether the youngest packet, which has not had its access, is on its way to the first entry of the next mark: then a
// chip that is a packet early or late with it shows.
static bool is_awaited(const struct paper *p) {
  const struct packet *youngest = p->num_inside ? &p->inside[p->num_inside - 1] : NULL;
  const struct fuzz_frame *f = &p->c->marking.items[p->next_mark];
  struct model_request r;
  struct model_mark m;
  if (!youngest || youngest->done || !model_request(p->model, f->bytes, f->len, &r) || !model_is_marks(p->model, &r) ||
      !model_mark(p->model, &r, f->bytes, 0, &m))
    return false;
  struct sluice_model_access a = {.resolved = false};
  model_resolve(p->model, r.stage, &youngest->phv, &a);
  return a.resolved && a.pipe == m.pipe && (a.pinned || a.slot == m.slot);
}

static void put_word(uint8_t *bytes, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

// Plays a control packet that reads, writes or takes state. The checker hears of the packet, then of the mark of each of its
// entries, in order, then of the answer.
static void send(struct paper *p, const struct fuzz_frame *f) {
  struct model_request r;
  const bool marks = sluice_checker_is_marks(p->ck, f->bytes, f->len);
  const bool good = sluice_checker_control(p->ck, p->now, f->bytes, f->len, NULL);
  p->model->marks_apart = true;
  sluice_checker_counter(p->ck, "good", good, sluice_model_control(p->model, f->bytes, f->len, &p->answer));
  p->model->marks_apart = false;
  if (!marks) return;
  assert_true(model_request(p->model, f->bytes, f->len, &r));
  const bool read = r.op == SLUICE_CHAIN_READ;
  const unsigned num = read ? r.count : model_request_entries(&r, f->len);
  for (unsigned n = 0; n < num; n++) {
    struct model_mark m;
    if (!model_mark(p->model, &r, f->bytes, n, &m)) continue;
    if (p->mutant == LOST && sluice_rng_below(&p->rng, 8) == 0) continue;
    const struct model_pair value = mark(p, r.stage, &m);
    if (!read || n >= p->answer.num) continue;
    put_word(p->answer.bytes + 64 + n * p->answer.stride, value.s1);
    put_word(p->answer.bytes + 64 + n * p->answer.stride + 4, value.s2);
  }
  if (!read) return;
  const bool other = p->mutant == OTHER && p->before.len == p->answer.len;
  sluice_checker_answer(p->ck, p->now, other ? p->before.bytes : p->answer.bytes, p->answer.len);
  p->before = p->answer;
}

static struct sluice_report run(const struct fuzz_case *c, enum mutant mutant) {
  static struct paper p;
  struct sluice_report r;
  p = (struct paper){.config = c->config,
                     .c = c,
                     .ck = sluice_checker_open(c->config, NULL),
                     .model = sluice_model_open(c->config),
                     .size = sluice_model_bytes(c->config),
                     .mutant = mutant};
  p.undone = malloc(p.size);
  p.homes = calloc((size_t)c->config->StateStages * c->config->StateEntries, sizeof *p.homes);
  assert_true(p.ck && p.model && p.undone && p.homes);
  sluice_rng_init(&p.rng, c->seed, "paper");
  sluice_model_set_sets(p.model, (unsigned)__builtin_ctz(c->sets));
  sluice_checker_sets(p.ck, (unsigned)__builtin_ctz(c->sets));
  sluice_checker_moves(p.ck, true);
  sluice_checker_ready(p.ck, 0);
  p.now = 1000;
  for (size_t i = 0; i < c->control.num; i++) send(&p, &c->control.items[i]);
  p.playing = true;
  while (p.next < c->packets.num || p.num_inside || p.next_mark < c->marking.num) {
    if (p.next_mark < c->marking.num && (is_awaited(&p) || sluice_rng_below(&p.rng, 100) == 0)) send(&p, &c->marking.items[p.next_mark++]);
    else tick(&p);
  }
  sluice_checker_finish(p.ck);
  sluice_checker_report(p.ck, &r);
  sluice_checker_close(p.ck);
  sluice_model_close(p.model);
  free(p.undone);
  free(p.homes);
  return r;
}

static struct sluice_report run_cases(enum mutant mutant, unsigned *with) {
  struct sluice_report all = {0};
  *with = 0;
  for (uint64_t seed = 0; seed < CASES; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, sluice_config_find("marks"), seed);
    assert_false(c.nomem);
    if (c.packets.num > 2000) c.packets.num = 2000;
    if (c.marking.num) {
      const struct sluice_report r = run(&c, mutant);
      if (mutant == NONE && r.differences) print_message("seed %u: %s\n", (unsigned)seed, r.first.text);
      all.differences += r.differences != 0;
      all.marks += r.marks;
      all.marks_compared += r.marks_compared;
      all.marks_written += r.marks_written;
      all.marks_away += r.marks_away;
      all.marks_loaded += r.marks_loaded;
      ++*with;
    }
    fuzz_release(&c);
  }
  return all;
}

static void marks_are_compared(void **state) {
  (void)state;
  unsigned with;
  const struct sluice_report all = run_cases(NONE, &with);
  print_message("%u cases: marks %u, compared %u, written %u, away %u, loaded %u\n", with, (unsigned)all.marks,
                (unsigned)all.marks_compared, (unsigned)all.marks_written, (unsigned)all.marks_away,
                (unsigned)all.marks_loaded);
  assert_in_range(with, CASES / 4, 3 * CASES / 4);
  assert_int_equal(all.differences, 0);
  // A test in which nothing is under way tests nothing.
  assert_true(all.marks_compared > 50 * with);
  assert_true(all.marks_written > 50 * with);
  assert_true(all.marks_away > 5 * with);
  assert_true(all.marks_loaded > with);
}

static void mutants_are_found(void **state) {
  (void)state;
  for (int mutant = EARLY; mutant < MUTANTS; mutant++) {
    unsigned with;
    const struct sluice_report all = run_cases((enum mutant)mutant, &with);
    print_message("mutant %d: found in %u of %u\n", mutant, (unsigned)all.differences, with);
    assert_true(all.differences >= with / 8);
  }
}

static void chips_without_have_none(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, sluice_config_find("banks"), seed);
    assert_int_equal(c.marking.num, 0);
    fuzz_release(&c);
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

static void marks_are_made_smaller(void **state) {
  (void)state;
  unsigned done = 0;
  for (uint64_t seed = 0; seed < CASES && done < 3; seed++) {
    struct fuzz_case c;
    uint64_t packet;
    fuzz_make(&c, sluice_config_find("marks"), seed);
    if (c.marking.num > 2 && has_take(NULL, &c, &packet)) {
      const struct fuzz_effort effort = {5000, 60.0};
      fuzz_shrink(&c, &effort, has_take, NULL);
      assert_int_equal(c.marking.num, 1);
      assert_int_equal(c.num_updates + c.packets.num + c.control.num, 0);
      done++;
    }
    fuzz_release(&c);
  }
  assert_int_equal(done, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marks_are_compared),
      cmocka_unit_test(mutants_are_found),
      cmocka_unit_test(chips_without_have_none),
      cmocka_unit_test(marks_are_made_smaller),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
