// SPDX-License-Identifier: Apache-2.0
// Arrays that the fuzzer makes, on a chip made of paper, under the checker: rows of words in state
// units that work some cycles behind admission, READs and WRITEs of rows and FILLs at any time.
// Mutants of the chip are found.
#include "tests/rig/fuzz_rig.h"
#include "tests/rig/environment.h"
#include "tests/rig/paper.h"

#include "driver/wire/wire.h"

#define CASES ((unsigned)from_environment("SLUICE_CASES", 30))
enum { EACH = 12, PACKETS = 1500, ENTRIES = 64 };

// BIT: now and then a row has a wrong bit. EARLY: a mark of a row does not see the last operation
// that changed it. UNWRITTEN: a WRITE of a row is shown, and not done. BESIDE: it changes the entry
// beside the row as well. ORDER: an answer has the words of a row in the wrong order. FILLED: a
// FILL leaves rows as they are.
enum mutant { NONE, BIT, EARLY, UNWRITTEN, BESIDE, ORDER, FILLED, MUTANTS };

// What this test keeps beside the chip.
static struct {
  enum mutant mutant;
  size_t next;
  unsigned fills, reads, writes;  // while packets come; of rows
  unsigned ops, changed, taken;  // operations; that changed the row; that gave the packet its words
  uint32_t *before;              // of each row: what it was before it was changed last
  struct sluice_model_answer answer;
} own;

static uint32_t *before_of(const struct paper *p, unsigned stage, unsigned pipe, uint32_t slot) {
  return own.before + (model_row_words(p->model, stage, pipe, slot) - p->model->row_words);
}

static void on_step(void *user, const struct sluice_model_step *s) {
  const struct paper *p = user;
  const size_t bytes = p->config->ArrayWords * sizeof(uint32_t);
  if (!s->row_before) return;
  own.ops++;
  const bool changed = memcmp(s->row_before, s->row_behind, bytes) != 0;
  own.changed += changed;
  if (changed)
    memcpy(before_of(p, s->stage, s->access->pipe, s->access->slot), s->row_before, bytes);
  own.taken += s->words[0] && memcmp(s->row_before, s->words, bytes) == 0;
}

static void before_access(struct paper *p, const struct paper_packet *k) {
  for (unsigned s = 0; own.mutant == BIT && s < p->config->StateStages; s++) {
    struct sluice_model_access a = {.resolved = false};
    model_resolve(p->model, s, &k->phv, &a);
    if (model_array_stage(p->model, s) && a.resolved && !a.pinned &&
        sluice_rng_below(&p->rng, 20) == 0)
      model_row_words(p->model, s, a.pipe, a.slot)[p->config->ArrayWords - 1] ^= 1;
  }
}

static void get_words(const struct paper *p, unsigned stage, const struct model_mark *m,
                      uint32_t words[SLUICE_MODEL_WORDS]) {
  const struct model_pair *entry = model_slot(p->model, stage, m->pipe, m->slot);
  memset(words, 0, SLUICE_MODEL_WORDS * sizeof words[0]);
  words[0] = entry->s1, words[1] = entry->s2;
  if (m->words)
    memcpy(words, model_row_words(p->model, stage, m->pipe, m->slot),
           p->config->ArrayWords * sizeof words[0]);
}

static void put_words(struct paper *p, unsigned stage, const struct model_mark *m) {
  struct model_pair *entry = model_slot(p->model, stage, m->pipe, m->slot);
  if (!m->words) {
    *entry = m->value;
    return;
  }
  if (own.mutant == BESIDE) entry->s1 ^= 1;
  if (own.mutant != UNWRITTEN)
    memcpy(model_row_words(p->model, stage, m->pipe, m->slot), m->row,
           p->config->ArrayWords * sizeof m->row[0]);
}

// Shows a mark in a cycle, and does it when all older accesses are done.
static void mark(struct paper *p, unsigned stage, const struct model_mark *m,
                 uint32_t read[SLUICE_MODEL_WORDS]) {
  sluice_checker_state_mark(p->ck, p->now, stage, m->pipe, m->slot, m->write, p->ticket);
  paper_operate_all(p);
  get_words(p, stage, m, read);
  if (own.mutant == EARLY && m->words)
    memcpy(read, before_of(p, stage, m->pipe, m->slot), p->config->ArrayWords * sizeof *read);
  if (m->write) put_words(p, stage, m);
  paper_tick(p);
  for (unsigned n = (unsigned)sluice_rng_below(&p->rng, EACH); n; n--) paper_tick(p);
}

// Rows as they were before a FILL.
static void unfill(struct paper *p, const struct fuzz_frame *f) {
  const size_t words = (size_t)p->config->StateStages * p->config->StateEntries *
                       p->config->ArrayWords;
  uint32_t *kept CLOSED_BY(freed) = malloc(words * sizeof *kept);
  assert_non_null(kept);
  memcpy(kept, p->model->row_words, words * sizeof *kept);
  sluice_model_control(p->model, f->bytes, f->len, &own.answer);
  memcpy(p->model->row_words, kept, words * sizeof *kept);
}

// Plays a control packet. Of one that has marks the checker hears first, then of each mark, in
// order, then of the answer.
static void send(struct paper *p, const struct fuzz_frame *f) {
  struct model_request r;
  const bool marks = sluice_checker_is_marks(p->ck, f->bytes, f->len);
  const bool good = sluice_checker_control(p->ck, p->now, f->bytes, f->len, NULL);
  const bool known = model_request(p->model, f->bytes, f->len, &r);
  const bool fill = known && r.table == SLUICE_TABLE_FILL && r.op == SLUICE_CHAIN_WRITE && good;
  own.fills += fill && p->playing;
  if (fill && own.mutant == FILLED) {
    unfill(p, f);
    return;
  }
  p->model->marks_apart = true;
  sluice_checker_counter(p->ck, "good", good,
                         sluice_model_control(p->model, f->bytes, f->len, &own.answer));
  p->model->marks_apart = false;
  if (!marks) return;
  const bool read = r.op == SLUICE_CHAIN_READ;
  const unsigned num = read ? r.count : model_request_entries(&r, f->len);
  for (unsigned n = 0; n < num; n++) {
    struct model_mark m;
    uint32_t words[SLUICE_MODEL_WORDS];
    if (!model_mark(p->model, &r, f->bytes, n, &m)) continue;
    mark(p, r.stage, &m, words);
    if (p->playing && m.words) ++*(read ? &own.reads : &own.writes);
    if (!read || n >= own.answer.num) continue;
    uint8_t *at = own.answer.bytes + ENTRIES + n * own.answer.stride;
    for (unsigned w = 0; w < (m.words ? SLUICE_MODEL_WORDS : 2); w++) {
      const uint32_t word = words[own.mutant == ORDER && m.words ? w ^ 1 : w];
      for (unsigned i = 0; i < 4; i++) at[4 * w + i] = (uint8_t)(word >> (24 - 8 * i));
    }
  }
  if (read) sluice_checker_answer(p->ck, p->now, own.answer.bytes, own.answer.len);
}

// The final state, as the harness reads it back.
static void compare_state(struct paper *p) {
  for (unsigned row = 0; row < p->config->NumModules; row++)
    for (unsigned s = 0; s < p->config->StateStages; s++)
      for (unsigned i = 0; i < sluice_model_state_range(p->model, row, s) && i < 4096; i++) {
        uint32_t s1, s2, words[SLUICE_MODEL_WORDS];
        if (sluice_model_state(p->model, row, s, i, &s1, &s2))
          sluice_checker_state_entry(p->ck, row, s, i, s1, s2);
        if (sluice_model_row(p->model, row, s, i, words))
          sluice_checker_state_row(p->ck, row, s, i, words);
      }
}

static struct sluice_report run(const struct fuzz_case *c, unsigned mutant) {
  static struct paper p;
  paper_open(&p, c);
  own.mutant = (enum mutant)mutant;
  own.next = 0;
  p.before = before_access;
  own.before = calloc((size_t)c->config->StateStages * c->config->StateEntries,
                      c->config->ArrayWords * sizeof *own.before);
  assert_non_null(own.before);
  sluice_model_watch(p.model, on_step, &p);
  for (size_t i = 0; i < c->control.num; i++) send(&p, &c->control.items[i]);
  p.playing = true;
  while (p.next < c->packets.num || p.num_inside || own.next < c->marking.num) {
    if (own.next < c->marking.num && sluice_rng_below(&p.rng, 100) == 0)
      send(&p, &c->marking.items[own.next++]);
    else paper_tick(&p);
  }
  compare_state(&p);
  free(own.before);
  return paper_close(&p);
}

static const struct fuzz_paper play = {.chip = "arrays", .packets = PACKETS, .run = run};

TEST(rows_are_compared) {
  unsigned with;
  own.fills = own.reads = own.writes = own.ops = own.changed = own.taken = 0;
  const struct sluice_report all = fuzz_play(&play, CASES, NONE, &with);
  print_message(
      "%u cases: packets %u, operations on rows %u, that change the row %u, that give the packet "
      "the old row %u; words compared %u; under traffic: rows read %u, written %u, fills %u\n",
      CASES, (unsigned)all.admitted, own.ops, own.changed, own.taken, (unsigned)all.state_words,
      own.reads, own.writes, own.fills);
  FIELDS_ARE(&all, (differences, 0), (array_ops, own.ops));
  // A test in which nothing happens tests nothing.
  assert_true(own.ops > all.admitted / 4);
  assert_true(own.changed > own.ops / 8);
  assert_true(own.taken > own.ops / 20);
  assert_true(all.state_words > 100 * CASES);
  assert_true(own.reads > 20 * CASES && own.writes > 15 * CASES);
  assert_true(own.fills > CASES / 2);
}

TEST(mutants_are_found) { fuzz_finds(&play, CASES / 2, MUTANTS, 8); }

TEST(chips_without_have_none) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, sluice_config_find("marks"), seed);
    for (size_t i = 0; i < c.control.num + c.marking.num; i++) {
      const struct fuzz_frame *f = i < c.control.num ? &c.control.items[i]
                                                     : &c.marking.items[i - c.control.num];
      struct sluice_reconfig p;
      if (sluice_reconfig_decode(&p, f->bytes, f->len, NULL) || p.table != SLUICE_TABLE_STATE_ROW)
        continue;
      assert_true(i < c.control.num);  // of the bad ones
    }
    fuzz_release(&c);
  }
}

// Fails as long as a row is written while packets come.
static bool writes_row(void *context, const struct fuzz_case *c, uint64_t *packet) {
  bool found = false;
  (void)context, (void)packet;
  for (size_t i = 0; i < c->marking.num; i++) {
    struct sluice_reconfig p;
    const struct fuzz_frame *f = &c->marking.items[i];
    found |= !sluice_reconfig_decode(&p, f->bytes, f->len, NULL) &&
             p.table == SLUICE_TABLE_STATE_ROW && p.op == SLUICE_CHAIN_WRITE;
  }
  return found;
}

static void is_small(const struct fuzz_case *c) {
  assert_int_equal(c->marking.num, 1);
  assert_int_equal(c->packets.num + c->control.num, 0);
}

TEST(cases_are_made_smaller) { fuzz_made_smaller("arrays", CASES, writes_row, is_small); }
