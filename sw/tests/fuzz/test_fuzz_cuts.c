// SPDX-License-Identifier: Apache-2.0
// Cuts that the fuzzer makes, on a chip made of paper, under the checker: the reference runs ahead
// of the state units, so a cut is there only some cycles behind its ticket. Mutants of the chip are
// found.
#include "tests/rig/fuzz_rig.h"
#include "tests/rig/environment.h"
#include "base/bytes.h"
#include "driver/wire/wire.h"
#include "tests/rig/paper.h"

#define CASES ((unsigned)from_environment("SLUICE_CASES", 20))
enum { WALK = 200 };

// LATE: two packets from the ticket on are in the cut. EARLY: packets on their way when the ticket
// was chosen are not. LOST: entries of odd slots are as they are now. AWAY: of modules with
// indices away what their homes hold is read. TICKET, ROWS: the probe says another one. READY: the
// status says so as the ticket is chosen. OPEN: a cut is taken though one is there. SHUT: a write
// that is legal is refused. FILLED: a FILL is carried out. REFUSES: READs of a cut that is ready
// are refused.
enum mutant {
  NONE,
  LATE,
  EARLY,
  LOST,
  AWAY,
  TICKET,
  ROWS,
  READY,
  OPEN,
  SHUT,
  FILLED,
  REFUSES,
  MUTANTS
};

// What this test keeps beside the chip.
static struct {
  enum mutant mutant;
  uint32_t rows;
  bool asked, shown, ready;  // shown: it has its ticket
  uint32_t ticket;
  uint64_t ask_until, ended;  // cycle of the probe; cycle in which the last one has ended
  size_t next_mark;
  unsigned next_cut;
} own;

static uint32_t all_rows(const struct paper *p) {
  return p->config->NumModules < 32 ? (UINT32_C(1) << p->config->NumModules) - 1 : UINT32_MAX;
}

static void take(struct paper *p) {
  if (own.ready) return;
  own.ready = true;
  sluice_model_cut_take(p->model);
}

// Packets with lower tickets have had their access, and this one is the first that has not.
static void before(struct paper *p, const struct paper_packet *k) {
  if (own.shown && k->ticket >= own.ticket + (own.mutant == LATE ? 2 : 0)) take(p);
}

static bool older_inside(const struct paper *p, uint32_t ticket) {
  for (unsigned i = 0; i < p->num_inside; i++)
    if (!p->inside[i].done && p->inside[i].ticket < ticket) return true;
  return false;
}

// The cut is there when all packets before it have had their access.
static void settle(struct paper *p) {
  const uint32_t first = own.ticket + (own.mutant == LATE ? 2 : 0);
  if (own.shown && p->ticket >= first && !older_inside(p, first)) take(p);
}

static void tick(struct paper *p) {
  if (own.asked && !own.shown && p->now >= own.ask_until) {
    own.shown = true;
    own.ticket = p->ticket;
    sluice_checker_cut(p->ck, p->now, own.mutant == ROWS ? own.rows ^ 1 : own.rows,
                       own.ticket + (own.mutant == TICKET));
    if (own.mutant == EARLY) take(p);
  }
  paper_tick(p);
  settle(p);
  if (own.shown && p->next == p->c->packets.num && !p->num_inside) take(p);
}

static uint32_t status_of(const struct paper *p) {
  const bool ready = own.ready || (own.mutant == READY && own.shown);
  return (ready ? 1 : 0) | (own.asked || p->now < own.ended ? 2 : 0);
}

static uint32_t read_status(struct paper *p) {
  tick(p);
  const uint32_t status = status_of(p);
  sluice_checker_cut_status(p->ck, p->now, status);
  if (own.shown) sluice_checker_cut_ticket(p->ck, p->now, p->now, own.ticket);
  return status;
}

static void wait_cut(struct paper *p) {
  for (unsigned n = 0; n < 3000; n++) {
    const uint32_t status = read_status(p);
    if ((status & 1) || !(status & 2)) return;
  }
}

static bool put(struct paper *p, uint32_t rows) {
  rows &= all_rows(p);
  sluice_checker_cut_write(p->ck, rows);
  const uint32_t status = status_of(p);
  bool accepted = rows ? !(status & 2) || own.mutant == OPEN : !(status & 2) || (status & 1);
  if (own.mutant == SHUT && sluice_rng_below(&p->rng, 4) == 0) accepted = false;
  if (accepted && rows) {
    own.rows = rows;
    own.asked = true;
    own.shown = own.ready = false;
    own.ask_until = p->now + sluice_rng_below(&p->rng, 8);
    sluice_model_cut_ask(p->model, own.mutant == FILLED ? 0 : rows);
    if (own.mutant == FILLED) p->model->cut_asked = rows;  // READs are answered
  } else if (accepted && own.asked) {
    own.asked = own.shown = own.ready = false;
    own.ended = p->now + sluice_rng_below(&p->rng, WALK);
    sluice_model_cut_ask(p->model, 0);
  }
  // The probe may come before the answer to the write.
  for (unsigned n = (unsigned)sluice_rng_below(&p->rng, 6); n; n--) tick(p);
  sluice_checker_cut_written(p->ck, p->now, accepted);
  return accepted;
}

// LOST: as they are now. AWAY: as they were before anything counted.
static void spoil(const struct paper *p, const struct model_request *r,
                  struct sluice_model_answer *a) {
  for (unsigned n = 0; n < a->num; n++) {
    unsigned pipe;
    uint32_t slot, s1 = 0, s2 = 0;
    if (!model_home(p->model, r->row, r->stage, r->index + n, &pipe, &slot)) continue;
    const bool away = !(p->home >> r->row % p->config->NumModules & 1) &&
                      paper_away(p, r->stage, pipe, slot);
    if (own.mutant == LOST ? !(slot & 1) : !away) continue;
    if (own.mutant == LOST) sluice_model_state(p->model, r->row, r->stage, r->index + n, &s1, &s2);
    sluice_put32(a->bytes + 64 + n * a->stride, s1);
    sluice_put32(a->bytes + 64 + n * a->stride + 4, s2);
  }
}

static void read_cut(struct paper *p, const uint8_t *bytes, size_t len) {
  static struct sluice_model_answer answer;
  struct model_request r;
  assert_true(model_request(p->model, bytes, len, &r));
  bool good = sluice_model_control(p->model, bytes, len, &answer);
  if (good && own.mutant == REFUSES && sluice_rng_below(&p->rng, 4) == 0) {
    good = false;
    answer.bytes[53] = SLUICE_CHAIN_REFUSED;
    answer.len = 64;
    answer.num = 0;
  }
  if (good && (own.mutant == LOST || own.mutant == AWAY)) spoil(p, &r, &answer);
  sluice_checker_counter(p->ck, "good", good,
                         sluice_checker_cut_answer(p->ck, p->now, p->now, bytes, len, answer.bytes,
                                                   answer.len, false));
}

// Control packets: READs of CUT and marks, each where it comes.
static void send(struct paper *p, const uint8_t *bytes, size_t len) {
  static struct sluice_model_answer answer;
  struct model_request r;
  if (sluice_checker_is_cut(p->ck, bytes, len)) {
    read_cut(p, bytes, len);
    return;
  }
  const bool marks = sluice_checker_is_marks(p->ck, bytes, len);
  const bool good = sluice_checker_control(p->ck, p->now, bytes, len, NULL);
  // The chip fills at once, as the reference does: the test has no packets inside then.
  p->model->marks_apart = true;
  const uint32_t cut = p->model->cut_asked;
  if (own.mutant == FILLED) p->model->cut_asked = 0;
  sluice_checker_counter(p->ck, "good", good, sluice_model_control(p->model, bytes, len, &answer));
  p->model->cut_asked = cut;
  p->model->marks_apart = false;
  if (!marks) return;
  assert_true(model_request(p->model, bytes, len, &r));
  const bool read = r.op == SLUICE_CHAIN_READ;
  for (unsigned n = 0; n < (read ? r.count : model_request_entries(&r, len)); n++) {
    struct model_mark m;
    if (!model_mark(p->model, &r, bytes, n, &m)) continue;
    sluice_checker_state_mark(p->ck, p->now, r.stage, m.pipe, m.slot, m.write, p->ticket);
    paper_operate_all(p);
    settle(p);
    struct model_pair *entry = model_slot(p->model, r.stage, m.pipe, m.slot);
    if (read && n < answer.num) {
      sluice_put32(answer.bytes + 64 + n * answer.stride, entry->s1);
      sluice_put32(answer.bytes + 64 + n * answer.stride + 4, entry->s2);
    }
    if (m.write) *entry = m.value;
    tick(p);
  }
  if (read) sluice_checker_answer(p->ck, p->now, answer.bytes, answer.len);
}

static void read_all(struct paper *p, uint32_t rows) {
  for (unsigned row = 0; row < p->model->rows; row++)
    for (unsigned stage = 0; stage < p->config->StateStages; stage++) {
      const unsigned range = sluice_model_state_range(p->model, row, stage);
      if (!(rows >> row % p->config->NumModules & 1) || !range || range > 2000) continue;
      for (unsigned at = 0; at < range; at += 100) {
        struct sluice_frame frame = {0};
        const unsigned count = range - at < 100 ? range - at : 100;
        sluice_reconfig_read(&frame, SLUICE_TABLE_CUT, stage, at, count, 0, 0);
        SLUICE_RECONFIG_SET(&frame, ROW, row);
        read_cut(p, frame.bytes, frame.len);
        tick(p);
      }
    }
}

static void fill(struct paper *p, uint32_t rows) {
  const uint8_t value[8] = {0xf1};
  struct sluice_frame frame = {0};
  sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_FILL, 0, 0);
  SLUICE_RECONFIG_SET(&frame, ROW, (unsigned)__builtin_ctz(rows));
  sluice_reconfig_append(&frame, SLUICE_TABLE_FILL, value);
  sluice_reconfig_finish(&frame);
  send(p, frame.bytes, frame.len);
}

static void cut(struct paper *p, const struct job_cut *c) {
  const uint32_t rows = c->rows & all_rows(p);
  if (c->wait) wait_cut(p);
  if (!rows && c->read && own.ready) read_all(p, own.rows);
  if (c->home && rows && !own.asked) {
    paper_operate_all(p);  // what moves lands behind what was there
    p->home = rows;
    tick(p);
  } else if (rows && !own.asked) {
    p->home = 0;
  }
  const bool ends = own.ready && !rows;
  const bool accepted = put(p, rows);
  // A chip that waits for a control packet has not ended it yet.
  if (ends && accepted && sluice_rng_below(&p->rng, 2)) {
    p->model->cut_rows = own.rows;
    read_all(p, own.rows);
    p->model->cut_rows = 0;
  }
  if (!rows || !accepted) return;
  if (c->fill) fill(p, rows);
  if (!c->read) return;
  wait_cut(p);
  if (own.ready) read_all(p, rows);
}

static struct sluice_report run(const struct fuzz_case *c, unsigned mutant) {
  static struct paper p;
  paper_open(&p, c);
  p.before = before;
  memset(&own, 0, sizeof own);
  own.mutant = (enum mutant)mutant;
  for (size_t i = 0; i < c->control.num; i++)
    send(&p, c->control.items[i].bytes, c->control.items[i].len);
  p.playing = true;
  while (p.next < c->packets.num || p.num_inside || own.next_mark < c->marking.num ||
         own.next_cut < c->num_cuts) {
    // Spread over the packets.
    if (own.next_cut < c->num_cuts &&
        p.next * (c->num_cuts + 1) >= c->packets.num * (own.next_cut + 1)) {
      cut(&p, &c->cuts[own.next_cut++]);
    } else if (own.next_mark < c->marking.num &&
               p.next * (c->marking.num + 1) >= c->packets.num * (own.next_mark + 1)) {
      const struct fuzz_frame *f = &c->marking.items[own.next_mark++];
      send(&p, f->bytes, f->len);
    } else {
      tick(&p);
    }
  }
  return paper_close(&p);
}

static bool wanted(const struct fuzz_case *c) { return c->num_cuts && c->packets.num > 50; }

static const struct fuzz_paper play = {
    .chip = "marks", .packets = 1500, .marking = 60, .wanted = wanted, .run = run};

TEST(cuts_are_compared) {
  unsigned with;
  const struct sluice_report all = fuzz_play(&play, CASES, NONE, &with);
  print_message(
      "%u cases: cuts %u, reads %u, of these away %u; compared %u, of these changed since %u\n",
      with, (unsigned)all.cuts, (unsigned)all.cut_reads, (unsigned)all.cuts_away,
      (unsigned)all.cuts_compared, (unsigned)all.cuts_changed);
  assert_in_range(with, CASES / 4, 3 * CASES / 4);
  assert_int_equal(all.differences, 0);
  // A test in which nothing is under way tests nothing.
  assert_true(all.cuts > 2 * with);
  assert_true(2 * all.cuts_away > with);
  assert_true(all.cuts_compared > 100 * with);
  assert_true(all.cuts_changed > with);
}

TEST(mutants_are_found) { fuzz_finds(&play, CASES, MUTANTS, 10); }

TEST(chips_without_have_none) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find("banks"), seed);
    assert_int_equal(c.num_cuts, 0);
  }
}

// Fails as long as a cut reads all.
static bool has_read(void *context, const struct fuzz_case *c, uint64_t *packet) {
  bool found = false;
  (void)context, (void)packet;
  for (unsigned i = 0; i < c->num_cuts; i++) found = found || (c->cuts[i].rows && c->cuts[i].read);
  return found;
}

static void is_small(const struct fuzz_case *c) {
  assert_int_equal(c->num_cuts, 1);
  assert_false(c->cuts[0].fill || c->cuts[0].home);
  assert_int_equal(c->num_updates + c->packets.num + c->control.num + c->marking.num, 0);
}

TEST(cuts_are_made_smaller) { fuzz_made_smaller("marks", CASES, has_read, is_small); }
