// SPDX-License-Identifier: Apache-2.0
// Updates beside the running version, as plans: what packets of either bank find after each single
// change, with programs that nobody wrote.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "driver/image/capability.h"
#include "driver/plan/link.h"
#include "driver/plan/plan.h"
#include "driver/wire/wire.h"
#include "driver/plan/transition.h"
#include "tests/rig/says.h"

enum { STAGES = 4, ROWS = 64, MODULES = 32 };

// ---- images -------------------------------------------------------------------------------------

static struct sluice_write *add(struct sluice_image *image, enum sluice_table table, unsigned stage,
                                unsigned index) {
  struct sluice_write *w = sluice_image_add_write(image);
  assert_non_null(w);
  w->table = table;
  w->stage = stage;
  w->index = index;
  return w;
}

static void add_array(struct sluice_image *image, unsigned stage, const char *name, unsigned size,
                      bool pinned, int init) {
  struct sluice_array *a = sluice_image_add_array(image);
  assert_non_null(a);
  a->stage = stage;
  a->size = size;
  a->pinned = pinned;
  a->init[0] = init;
  snprintf(a->name[0], sizeof a->name[0], "%s", name);
}

static void add_row(struct sluice_image *image, unsigned stage, unsigned number, unsigned key,
                    unsigned action) {
  SLUICE_SET(add(image, SLUICE_TABLE_MATCH, stage, number)->bytes, MATCH, KEY, key);
  struct sluice_write *w = add(image, SLUICE_TABLE_ACTION, stage, number);
  sluice_entry_set(w->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits, 24, 0,
                   (uint64_t)SLUICE_OP_PORT << 21 | action << 13);
}

static void begin(struct sluice_image *image, const char *name) {
  memset(image, 0, sizeof *image);
  snprintf(image->config, sizeof image->config, "banks");
  snprintf(image->program, sizeof image->program, "%s", name);
}

// A program of few keys, actions, arrays: versions of it have much in common.
static void make_image(struct sluice_rng *rng, const struct sluice_config *c,
                       struct sluice_image *image) {
  begin(image, "any");
  SLUICE_SET(add(image, SLUICE_TABLE_MODULE, 0, 0)->bytes, MODULE, NEED_UDP,
             sluice_rng_below(rng, 2));
  if (sluice_rng_below(rng, 2))
    sluice_entry_set(add(image, SLUICE_TABLE_PARSER, 0, 0)->bytes, 160, 150, 150,
                     sluice_rng_below(rng, 2));
  for (unsigned s = 0; s < c->BackStages + c->FrontStages; s++) {
    if (sluice_rng_below(rng, 2))
      SLUICE_SET(add(image, SLUICE_TABLE_KEY_MASK, s, 0)->bytes, KEY, PREDICATE,
                 sluice_rng_below(rng, 2));
    const unsigned rows = (unsigned)sluice_rng_below(rng, 4);
    for (unsigned n = 0; n < rows; n++)
      add_row(image, s, n, (unsigned)sluice_rng_below(rng, 3), (unsigned)sluice_rng_below(rng, 2));
    static const char *const names[] = {"a", "b"};
    if (s < c->StateStages && sluice_rng_below(rng, 3))
      add_array(image, s, names[sluice_rng_below(rng, 2)],
                1 + (unsigned)sluice_rng_below(rng, 3) * 5, sluice_rng_below(rng, 2), (int)s);
    if (s < c->StateStages && rows && sluice_rng_below(rng, 2))
      SLUICE_SET(add(image, SLUICE_TABLE_STATE_INSTR, s, 0)->bytes, STATE_INSTR, VALID, 1);
  }
}

// ---- a chip that is nothing but its tables ------------------------------------------------------

struct tables {
  uint8_t bytes[SLUICE_NUM_TABLES][STAGES][ROWS][SLUICE_ENTRY_BYTES];
  bool used[STAGES][ROWS];  // match rows
};

static void reset(struct tables *t, const struct sluice_config *c) {
  memset(t, 0, sizeof *t);
  for (unsigned k = 0; k < SLUICE_NUM_TABLES; k++)
    for (unsigned s = 0; s < STAGES; s++)
      for (unsigned r = 0; r < ROWS; r++)
        sluice_entry_reset(c, (enum sluice_table)k, r, t->bytes[k][s][r]);
}

static void do_change(struct tables *t, const struct sluice_change *c) {
  if (c->kind != SLUICE_CHANGE_WRITE && c->kind != SLUICE_CHANGE_ERASE) return;
  assert_true(c->stage < STAGES && c->index < ROWS);
  memcpy(t->bytes[c->table][c->stage][c->index], c->bytes, SLUICE_ENTRY_BYTES);
  if (c->kind == SLUICE_CHANGE_ERASE)
    memset(t->bytes[c->table][c->stage][c->index], 0, SLUICE_ENTRY_BYTES);
  if (c->table == SLUICE_TABLE_MATCH) t->used[c->stage][c->index] = c->kind == SLUICE_CHANGE_WRITE;
}

static bool holds(const struct tables *t, const struct sluice_plan *plan, enum sluice_table table,
                  unsigned stage, unsigned index) {
  uint8_t expected[SLUICE_ENTRY_BYTES];
  const struct sluice_write *w = sluice_plan_entry(plan, table, stage, index);
  if (w) memcpy(expected, w->bytes, sizeof expected);
  else sluice_entry_reset(plan->config, table, index, expected);
  return memcmp(t->bytes[table][stage][index], expected, sizeof expected) == 0;
}

// Whether packets find a match row, and with it the action and the state instruction, as the plan
// has them.
static bool row_seen(const struct tables *t, const struct sluice_plan *plan, uint32_t bank,
                     unsigned s, unsigned r) {
  uint8_t match[SLUICE_ENTRY_BYTES];
  const struct sluice_write *w = sluice_plan_entry(plan, SLUICE_TABLE_MATCH, s, r);
  memcpy(match, t->bytes[SLUICE_TABLE_MATCH][s][r], sizeof match);
  const unsigned of = bank >> SLUICE_GET(match, MATCH, VID) % MODULES & 1;
  const bool there = t->used[s][r] && !(SLUICE_GET(match, MATCH, NOT_BANK) >> of & 1);
  if (!there || !w) return there == (w != NULL);
  SLUICE_SET(match, MATCH, NOT_BANK, 0);
  return memcmp(match, w->bytes, sizeof match) == 0 && holds(t, plan, SLUICE_TABLE_ACTION, s, r) &&
         holds(t, plan, SLUICE_TABLE_STATE_INSTR, s, r);
}

// Whether packets of the banks in `bank` find in all tables what the plan says.
static bool seen(const struct tables *t, const struct sluice_plan *plan, uint32_t bank) {
  for (unsigned k = 0; k < SLUICE_NUM_TABLES; k++)
    for (unsigned s = 0; s < STAGES; s++)
      for (unsigned row = 0; row < MODULES; row++)
        if (sluice_tables[k].rows == SLUICE_ROWS_overlay &&
            !holds(t, plan, (enum sluice_table)k, s, row + (bank >> row & 1) * MODULES))
          return false;
  for (unsigned s = 0; s < STAGES; s++)
    for (unsigned r = 0; r < plan->config->MatchEntries; r++)
      if (!row_seen(t, plan, bank, s, r)) return false;
  return true;
}

// The same for both banks, and nothing of anything else anywhere.
static bool at_rest(const struct tables *t, const struct sluice_plan *plan) {
  for (unsigned k = 0; k < SLUICE_NUM_TABLES; k++)
    for (unsigned s = 0; s < STAGES; s++)
      for (unsigned r = 0; r < ROWS; r++)
        if (!holds(t, plan, (enum sluice_table)k, s, r)) return false;
  return seen(t, plan, 0) && seen(t, plan, UINT32_MAX);
}

// ---- random lives -------------------------------------------------------------------------------

static bool disjoint(const struct sluice_segment *a, const struct sluice_segment *b) {
  for (unsigned n = 0; a->stage == b->stage && n < a->range; n++)
    for (unsigned m = 0; m < b->range; m++) {
      const struct sluice_home x = sluice_segment_home(a, n), y = sluice_segment_home(b, m);
      if (x.pipe == y.pipe && x.slot == y.slot) return false;
    }
  return true;
}

struct tally {
  unsigned written, shared, freed, kept, filled, flips, refused, replaceable;
};

// Arrays that stay are where they were; others overlap nothing that packets of the old version may
// reach.
static void check_state(const struct sluice_plan *from, const struct sluice_plan *to,
                        const struct sluice_transition *t) {
  unsigned fills = 0;
  for (size_t i = 0; i < to->num_segments; i++) {
    const struct sluice_segment *s = &to->segments[i],
                                *old = sluice_plan_segment(from, s->row, s->stage);
    const bool stays = old && strcmp(old->name[0], s->name[0]) == 0 && old->range == s->range &&
                       old->pinned == s->pinned;
    if (stays && old->load == s->load) {
      assert_true(old->base == s->base && old->pipe == s->pipe);
    } else {
      for (size_t k = 0; k < from->num_segments; k++) assert_true(disjoint(s, &from->segments[k]));
      fills++;
    }
    for (size_t k = 0; k < i; k++) assert_true(disjoint(s, &to->segments[k]));
  }
  for (size_t i = 0; i < t->before.num; i++) fills -= t->before.list[i].kind == SLUICE_CHANGE_FILL;
  assert_int_equal(fills, 0);
}

static void walk(struct tables *now, const struct sluice_plan *from, const struct sluice_plan *to,
                 uint32_t *bank, struct tally *tally) {
  static struct tables undone;
  struct sluice_transition t;
  struct sluice_changes back;
  GOOD(sluice_transition(from, to, *bank, &t, &error));
  GOOD(sluice_transition_back(&t, &back, &error));
  check_state(from, to, &t);
  for (size_t i = 0; i <= t.before.num; i++) {
    if (!seen(now, from, *bank))
      fail_msg("packets of the old version see change %zu of %zu", i, t.before.num);
    if (i % 5 == 0 || i == t.before.num) {
      undone = *now;
      for (size_t k = 0; k < back.num; k++) do_change(&undone, &back.list[k]);
      if (!at_rest(&undone, from))
        fail_msg("%zu of %zu changes cannot be taken back", i, t.before.num);
    }
    if (i < t.before.num) do_change(now, &t.before.list[i]);
  }
  *bank ^= t.rows;
  for (size_t i = 0; i <= t.after.num; i++) {
    if (!seen(now, to, *bank))
      fail_msg("packets of the new version see change %zu of %zu", i, t.after.num);
    if (i < t.after.num) do_change(now, &t.after.list[i]);
  }
  assert_true(at_rest(now, to));
  tally->written += t.written;
  tally->shared += t.shared;
  tally->freed += t.freed;
  tally->kept += t.kept;
  tally->filled += t.filled;
  tally->flips += t.rows != 0;
  sluice_transition_release(&t);
  sluice_changes_release(&back);
}

static enum sluice_status any_change(struct sluice_rng *rng, struct sluice_plan *plan,
                                     const struct sluice_image *image) {
  const unsigned vid = 1 + (unsigned)sluice_rng_below(rng, 5);
  switch (sluice_rng_below(rng, 8)) {
    case 0: return sluice_plan_add(plan, image, vid, &error);
    case 1: return sluice_plan_remove(plan, vid, &error);
    case 2: return sluice_plan_ports(plan, vid, sluice_rng_below(rng, 16), &error);
    case 3: return sluice_plan_share(plan, vid, 3, 3, &error);
    default:
      return sluice_plan_find(plan, vid) ? sluice_plan_update(plan, image, vid, &error)
                                         : sluice_plan_add(plan, image, vid, &error);
  }
}

TEST(packets_see_one_version_after_every_change) {
  static struct tables tables;
  const struct sluice_config *c = sluice_config_find("banks");
  struct sluice_plan *now CLOSED_BY(close_plan), *next;
  struct sluice_rng rng;
  struct tally tally = {0};
  uint32_t bank = 0;
  assert_true(c->BackStages + c->FrontStages <= STAGES && c->NumModules == MODULES &&
              2 * MODULES <= ROWS && c->MatchEntries <= ROWS);
  sluice_rng_init(&rng, 26, "transitions");
  reset(&tables, c);
  GOOD(sluice_plan_open(&now, "banks", NULL, &error));
  sluice_plan_trust(now, true);
  for (unsigned step = 0; step < 500; step++) {
    GOOD(sluice_plan_copy(&next, now, &error));
    // Up to three changes with one flip, of different modules or of one.
    bool removed = false;
    for (unsigned n = 1 + (unsigned)sluice_rng_below(&rng, 3); n-- > 0;) {
      struct sluice_image image CLOSED_BY(sluice_image_release);
      make_image(&rng, c, &image);
      const size_t modules = next->num_modules;
      const enum sluice_status status = any_change(&rng, next, &image);
      removed |= next->num_modules < modules;
      if (status) {
        tally.refused++;
        tally.replaceable += strstr(error.text, "would do") != NULL;
      }
    }
    struct sluice_transition t;
    // What was removed and added anew stands where it stood before: not without loss, and said so.
    if (sluice_transition(now, next, bank, &t, &error)) {
      if (!removed || !strstr(error.text, "packets")) fail_msg("%s", error.text);
      sluice_plan_close(next);
      continue;
    }
    sluice_transition_release(&t);
    walk(&tables, now, next, &bank, &tally);
    sluice_plan_settle(next);
    sluice_plan_close(now);
    now = next;
  }
  print_message("%u flips; rows: %u written, %u shared, %u freed; arrays: %u kept, %u filled; %u "
                "changes refused, %u of them full\n",
                tally.flips, tally.written, tally.shared, tally.freed, tally.kept, tally.filled,
                tally.refused, tally.replaceable);
  assert_true(tally.flips > 150 && tally.shared > 100 && tally.written > 100 && tally.kept > 50 &&
              tally.filled > 50);
  assert_true(tally.replaceable > 0);
}

// ---- single cases -------------------------------------------------------------------------------

TEST(a_row_that_both_have_is_shared_and_an_array_that_stays_keeps_its_slots) {
  struct sluice_plan *from CLOSED_BY(close_plan), *to CLOSED_BY(close_plan);
  struct sluice_image one CLOSED_BY(sluice_image_release), two CLOSED_BY(sluice_image_release),
      wider CLOSED_BY(sluice_image_release);
  struct sluice_transition t CLOSED_BY(sluice_transition_release);
  begin(&one, "one");
  begin(&two, "two");
  begin(&wider, "wider");
  add_array(&wider, 0, "stays", 11, false, 9);
  add_row(&one, 0, 0, 1, 1), add_row(&one, 0, 1, 2, 1), add_row(&one, 0, 2, 3, 1);
  add_row(&two, 0, 0, 3, 1), add_row(&two, 0, 1, 2, 0), add_row(&two, 0, 2, 1, 1);
  add_array(&one, 0, "stays", 10, false, 7), add_array(&one, 1, "goes", 10, false, 0);
  add_array(&two, 0, "stays", 10, false, 9), add_array(&two, 1, "comes", 10, false, 5);
  GOOD(sluice_plan_open(&from, "banks", NULL, &error));
  sluice_plan_trust(from, true);
  GOOD(sluice_plan_add(from, &one, 5, &error));
  GOOD(sluice_plan_copy(&to, from, &error));
  GOOD(sluice_plan_update(to, &two, 5, &error));
  GOOD(sluice_transition(from, to, 0, &t, &error));
  FIELDS_ARE(&t, (rows, 1 << 5), (shared, 2), (written, 1), (freed, 1), (kept, 1), (filled, 1));
  // The SEGMENT of the array that stays is not among the writes: one would restart the counting of
  // moves.
  for (size_t i = 0; i < t.before.num; i++)
    if (t.before.list[i].table == SLUICE_TABLE_SEGMENT ||
        t.before.list[i].table == SLUICE_TABLE_ACCESS)
      assert_int_equal(t.before.list[i].stage, 1);
  assert_int_equal(sluice_plan_row(to, 5, 0, 0), sluice_plan_row(from, 5, 0, 2));
  assert_int_equal(sluice_plan_row(to, 5, 0, 2), sluice_plan_row(from, 5, 0, 0));
  assert_int_equal(sluice_plan_segment(to, 5, 1)->base, 5);
  sluice_transition_release(&t);
  // The same again changes nothing.
  sluice_plan_settle(to);
  sluice_plan_close(from);
  GOOD(sluice_plan_copy(&from, to, &error));
  GOOD(sluice_plan_update(to, &two, 5, &error));
  GOOD(sluice_transition(from, to, 32, &t, &error));
  assert_int_equal(t.before.num + t.after.num, 0);
  assert_int_equal(t.rows, 0);
  sluice_transition_release(&t);
  // Another size is another array.
  GOOD(sluice_plan_update(to, &wider, 5, &error));
  GOOD(sluice_transition(from, to, 32, &t, &error));
  assert_int_equal(t.filled, 1);
  assert_int_equal(sluice_plan_segment(to, 5, 0)->range, 11);
}

// What stands in a match row is told by the number that its module gave it.
TEST(rows_are_told_by_the_numbers_of_their_module) {
  struct sluice_plan *plan CLOSED_BY(close_plan);
  struct sluice_image image CLOSED_BY(sluice_image_release);
  unsigned rows = 0;
  begin(&image, "rows");
  for (unsigned n = 0; n < 6; n++) add_row(&image, n / 3, n % 3, n, 1);
  GOOD(sluice_plan_open(&plan, "banks", NULL, &error));
  sluice_plan_trust(plan, true);
  GOOD(sluice_plan_add(plan, &image, 5, &error));
  GOOD(sluice_plan_add(plan, &image, 6, &error));
  for (size_t i = 0; i < plan->num_writes; i++) {
    const struct sluice_write *w = &plan->writes[i];
    if (w->table != SLUICE_TABLE_MATCH) continue;
    const unsigned number = (unsigned)SLUICE_GET(w->bytes, MATCH, KEY) % 3;
    assert_int_equal(sluice_plan_number(plan, w), number);
    assert_int_equal(sluice_plan_row(plan, sluice_plan_owner(plan, w), w->stage, number), w->index);
    rows++;
  }
  assert_int_equal(rows, 12);
}

// State that is filled may not be where packets of the old version count.
TEST(slots_that_packets_need_are_not_filled) {
  struct sluice_plan *from CLOSED_BY(close_plan), *to CLOSED_BY(close_plan);
  struct sluice_image one CLOSED_BY(sluice_image_release);
  struct sluice_transition t;
  begin(&one, "one");
  add_array(&one, 0, "a", 10, false, 7);
  GOOD(sluice_plan_open(&from, "banks", NULL, &error));
  sluice_plan_trust(from, true);
  GOOD(sluice_plan_add(from, &one, 5, &error));
  GOOD(sluice_plan_copy(&to, from, &error));
  GOOD(sluice_plan_replace(to, &one, 5, &error));
  SAYS(SLUICE_ERR_RANGE, "is where packets find that of row 5 now",
       sluice_transition(from, to, 0, &t, &error));
}

// Of two rows with one key the lower one wins: it may not go behind the other.
TEST(rows_with_one_key_keep_their_order) {
  struct sluice_plan *from CLOSED_BY(close_plan), *to CLOSED_BY(close_plan);
  struct sluice_image one CLOSED_BY(sluice_image_release), two CLOSED_BY(sluice_image_release);
  begin(&one, "one");
  begin(&two, "two");
  add_row(&one, 0, 0, 1, 1), add_row(&one, 0, 1, 1, 0);
  add_row(&two, 0, 0, 1, 0), add_row(&two, 0, 1, 1, 1);
  GOOD(sluice_plan_open(&from, "banks", NULL, &error));
  sluice_plan_trust(from, true);
  GOOD(sluice_plan_add(from, &one, 5, &error));
  GOOD(sluice_plan_copy(&to, from, &error));
  GOOD(sluice_plan_update(to, &two, 5, &error));
  assert_true(sluice_plan_row(to, 5, 0, 0) < sluice_plan_row(to, 5, 0, 1));
}

TEST(what_does_not_fit_beside_the_old_version_is_said) {
  const struct sluice_config *c = sluice_config_find("banks");
  struct sluice_plan *from, *to;
  struct sluice_image one, two, many, wide, next;
  struct sluice_transition t;
  char wanted[100];
  begin(&one, "one"), begin(&two, "two"), begin(&many, "many"), begin(&wide, "wide"),
      begin(&next, "next");
  for (unsigned n = 0; n < c->MatchEntries - 2; n++)
    add_row(&one, 1, n, n, 0), add_row(&two, 1, n, n, n < 3);
  for (unsigned n = 0; n < c->MatchEntries + 1; n++) add_row(&many, 1, n, n, 1);
  const unsigned slots = sluice_config_slots(c);
  add_array(&one, 1, "a", (slots - 3) * c->NumPipes, false, 0);
  add_array(&wide, 1, "b", 4 * c->NumPipes, false, 0);
  GOOD(sluice_plan_open(&from, "banks", NULL, &error));
  sluice_plan_trust(from, true);
  GOOD(sluice_plan_add(from, &one, 5, &error));
  GOOD(sluice_plan_copy(&to, from, &error));
  snprintf(wanted, sizeof wanted,
           "needs 3 match rows in back stage 1 for what differs, 2 of %u are free beside",
           c->MatchEntries);
  SAYS(SLUICE_ERR_FULL, wanted, sluice_plan_update(to, &two, 5, &error));
  SAYS(SLUICE_ERR_FULL, "'replace', which drops its packets meanwhile, would do",
       sluice_plan_update(to, &two, 5, &error));
  SAYS(SLUICE_ERR_FULL, "would not do either", sluice_plan_update(to, &many, 5, &error));
  snprintf(wanted, sizeof wanted,
           "needs 4 state slots in each pipeline of back stage 1, 3 of %u are free beside", slots);
  SAYS(SLUICE_ERR_FULL, wanted, sluice_plan_update(to, &wide, 5, &error));
  // Nothing has changed by that, and what replace makes of it is no transition.
  GOOD(sluice_transition(from, to, 0, &t, &error));
  assert_int_equal(t.before.num + t.after.num, 0);
  sluice_transition_release(&t);
  GOOD(sluice_plan_replace(to, &two, 5, &error));
  SAYS(SLUICE_ERR_BUSY, "holds something else now", sluice_transition(from, to, 0, &t, &error));
  // A chip with one bank.
  struct sluice_plan *a, *b;
  GOOD(sluice_plan_open(&a, "tiny", NULL, &error));
  GOOD(sluice_plan_open(&b, "tiny", NULL, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "has one configuration bank: 'replace' changes",
       sluice_transition(a, b, 0, &t, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9", sluice_plan_update(a, &next, 9, &error));
  sluice_plan_close(a);
  sluice_plan_close(b);
  sluice_plan_close(from);
  sluice_plan_close(to);
  sluice_image_release(&one), sluice_image_release(&two), sluice_image_release(&many),
      sluice_image_release(&wide);
}

// The rows of one module's old version are not the rows of another one's new version, when both
// flip together.
TEST(modules_that_flip_together_stay_out_of_each_others_old_rows) {
  struct sluice_plan *from, *to;
  struct sluice_image one, two;
  struct sluice_transition t;
  begin(&one, "one"), begin(&two, "two");
  add_row(&one, 0, 0, 1, 1), add_row(&two, 0, 0, 2, 0);
  add_array(&one, 0, "a", 8, false, 0), add_array(&two, 0, "b", 8, false, 0);
  GOOD(sluice_plan_open(&from, "banks", NULL, &error));
  sluice_plan_trust(from, true);
  GOOD(sluice_plan_add(from, &one, 5, &error));
  GOOD(sluice_plan_add(from, &one, 6, &error));
  GOOD(sluice_plan_copy(&to, from, &error));
  GOOD(sluice_plan_update(to, &two, 5, &error));
  GOOD(sluice_plan_update(to, &two, 6, &error));
  GOOD(sluice_plan_update(to, &one, 5, &error));
  GOOD(sluice_plan_update(to, &two, 5, &error));
  GOOD(sluice_transition(from, to, 0, &t, &error));
  FIELDS_ARE(&t, (rows, 3 << 5), (written, 2), (freed, 2));
  sluice_transition_release(&t);
  sluice_plan_close(from);
  sluice_plan_close(to);
  sluice_image_release(&one), sluice_image_release(&two);
}
