// SPDX-License-Identifier: Apache-2.0
// The maker of random cases and the shrinker, against the reference model: no simulator is needed.

#include "tests/rig/test.h"
#include "fuzz/fuzz.h"
#include "driver/wire/wire.h"
#include "model/model.h"

enum { SEEDS = 60 };

static const struct sluice_config *tiny(void) { return sluice_config_find("tiny"); }

TEST(a_seed_always_gives_the_same_case) {
  struct fuzz_case a CLOSED_BY(fuzz_release), b CLOSED_BY(fuzz_release);
  fuzz_make(&a, tiny(), 17);
  fuzz_make(&b, tiny(), 17);
  assert_false(a.nomem || b.nomem);
  FIELDS_ARE(&a, (control.num, b.control.num), (packets.num, b.packets.num));
  for (size_t i = 0; i < a.control.num; i++) {
    assert_int_equal(a.control.items[i].len, b.control.items[i].len);
    assert_memory_equal(a.control.items[i].bytes, b.control.items[i].bytes, a.control.items[i].len);
  }
  for (size_t i = 0; i < a.packets.num; i++)
    assert_memory_equal(a.packets.items[i].bytes, b.packets.items[i].bytes,
                        a.packets.items[i].len < b.packets.items[i].len ? a.packets.items[i].len
                                                                        : b.packets.items[i].len);
  assert_memory_equal(&a.play, &b.play, sizeof a.play);
}

// With more traffic the configuration is the same, and the control packets under traffic are as
// many.
TEST(a_long_case_has_more_traffic_alone) {
  struct fuzz_case a, b;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    fuzz_make(&a, tiny(), seed);
    fuzz_make_long(&b, tiny(), seed, 5);
    assert_false(a.nomem || b.nomem);
    assert_true(b.packets.num > 3 * a.packets.num && b.packets.num <= 6 * a.packets.num);
    assert_int_equal(a.control.num, b.control.num);
    for (size_t i = 0; i < a.control.num; i++)
      assert_memory_equal(a.control.items[i].bytes, b.control.items[i].bytes,
                          a.control.items[i].len);
    fuzz_release(&a);
    fuzz_release(&b);
  }
}

// What happens in the model when a case is played without losses.
struct tally {
  unsigned long control, refused_control, answers;
  unsigned long packets, admitted, discarded, no_dest, hits, resolved, ops, refused, bounds, pinned;
};

static void play(const struct fuzz_case *c, struct tally *t) {
  static struct sluice_model_answer answer;
  struct sluice_model *model CLOSED_BY(close_model) = sluice_model_open(c->config);
  assert_non_null(model);
  sluice_model_set_sets(model, (unsigned)__builtin_ctz(c->sets));
  for (size_t i = 0; i < c->control.num; i++) {
    const struct fuzz_frame *f = &c->control.items[i];
    t->control++;
    t->refused_control += !sluice_model_control(model, f->bytes, f->len, &answer);
    t->answers += answer.num > 0;
  }
  for (size_t i = 0; i < c->packets.num; i++) {
    const struct fuzz_frame *f = &c->packets.items[i];
    assert_in_range(f->len, 64, SLUICE_MODEL_MAX_LEN);
    t->packets++;
    if (sluice_model_classify(sluice_model_filter(model), f->bytes, (unsigned)f->len).reason)
      continue;
    struct sluice_model_packet packet = {f->bytes, (unsigned)f->len, 0, (uint32_t)i, 0, NULL, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result result;
    if (sluice_model_front(model, &packet, &phv)) continue;
    sluice_model_admit(model, &packet, &phv, &result);
    t->admitted++;
    t->discarded += result.reason == SLUICE_DROP_DISCARD_BACK;
    t->no_dest += result.reason == SLUICE_DROP_NO_DEST;
    for (unsigned s = 0; s < c->config->BackStages; s++) {
      const struct sluice_model_access *a = &result.access[s];
      t->hits += a->hit;
      t->resolved += a->resolved;
      t->ops += a->executed;
      t->refused += a->refused;
      t->bounds += a->out_of_bounds;
      t->pinned += a->resolved && a->pinned;
    }
  }
}

// A test that reaches nothing tests nothing: most packets must get through and touch state.
TEST(cases_reach_every_part_of_the_chip) {
  for (const char *const *name =
           (const char *const[]){"tiny", "menshen", "k4.k1", "k4", "k16", "small", NULL};
       *name; name++) {
    const struct sluice_config *config = sluice_config_find(*name);
    struct tally t = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      struct fuzz_case c CLOSED_BY(fuzz_release);
      fuzz_make(&c, config, seed);
      assert_false(c.nomem);
      play(&c, &t);
    }
    const unsigned long visits = t.admitted * config->BackStages,
                        stateful = t.admitted * config->StateStages;
    assert_true(t.admitted > t.packets * 6 / 10);
    assert_true(t.discarded + t.no_dest < t.admitted / 2);
    assert_true(t.hits > visits * 4 / 10);
    assert_true(t.resolved > stateful / 4);
    assert_true(t.ops - t.refused > stateful / 8);
    assert_true(t.refused > 0 && t.bounds > 0);
    assert_true(t.pinned > t.resolved / 10);
    assert_true(t.refused_control > 0 && t.refused_control < t.control / 4);
    assert_true(t.answers > t.control / 20);
  }
}

// A chip with one match row has room for one version of a module.
TEST(one_row_is_enough) {
  struct sluice_config config = *sluice_config_find("banks");
  config.MatchEntries = 1;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, &config, seed);
    assert_true(!c.nomem && c.packets.num > 0 && c.num_updates == 0);
  }
}

// Tables of state in stages without state come from the maker of bad packets alone.
TEST(state_is_made_only_where_the_chip_has_it) {
  struct sluice_config narrow = *sluice_config_find("k4");
  narrow.FrontStages = 0;
  narrow.StateStages = 3;
  const struct sluice_config *const chips[] = {sluice_config_find("small"), &narrow};
  for (unsigned i = 0; i < 2; i++) {
    unsigned long wrong = 0, all = 0;
    for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
      struct fuzz_case c;
      fuzz_make(&c, chips[i], seed);
      for (size_t n = 0; n < c.control.num; n++) {
        struct sluice_reconfig packet;
        if (sluice_reconfig_decode(&packet, c.control.items[n].bytes, c.control.items[n].len,
                                   NULL) ||
            packet.table == SLUICE_NUM_TABLES ||
            sluice_tables[packet.table].scope != SLUICE_SCOPE_state)
          continue;
        all++;
        wrong += packet.stage >= chips[i]->StateStages && packet.stage < chips[i]->BackStages;
      }
      fuzz_release(&c);
    }
    assert_true(wrong > 0 && wrong < all / 30);
  }
}

// Where entries are one word, most state instructions run an arm and compare the word there is;
// some are anything.
TEST(instructions_of_one_word_do_something) {
  const struct sluice_config *small = sluice_config_find("small");
  assert_int_equal(small->StatePairs, 0);
  unsigned long all = 0, runs = 0, looks = 0, more = 0;
  for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, small, seed);
    for (size_t n = 0; n < c.control.num; n++) {
      struct sluice_reconfig packet;
      if (sluice_reconfig_decode(&packet, c.control.items[n].bytes, c.control.items[n].len, NULL) ||
          packet.table != SLUICE_TABLE_STATE_INSTR || packet.op != SLUICE_CHAIN_WRITE)
        continue;
      for (unsigned i = 0; i < packet.num_entries; i++) {
        const uint8_t *e = sluice_reconfig_entry(&packet, i);
        unsigned rel[4], state_word = (unsigned)SLUICE_GET(e, STATE_INSTR, PRED_1) >> 9;
        for (unsigned k = 0; k < 4; k++)
          rel[k] = (unsigned)sluice_entry_get(e, 256, 230 - 11 * k, 228 - 11 * k);
        all++;
        // If predicate 1 does not hold, an arm runs where predicate 4 does.
        runs += rel[0] < SLUICE_REL_TRUE && rel[3] == SLUICE_REL_TRUE;
        looks += rel[0] < SLUICE_REL_TRUE && state_word == SLUICE_PRED_S_S1;
        more += rel[1] < SLUICE_REL_TRUE || rel[2] < SLUICE_REL_TRUE || rel[3] < SLUICE_REL_TRUE;
      }
    }
    fuzz_release(&c);
  }
  assert_true(all > 200);
  assert_true(runs > all / 3 && looks > all / 3);
  assert_true(more > all / 10 && more < all / 2);
}

// How many of the functions in action words that cases write shift.
static double shifting(const struct sluice_config *config) {
  unsigned long all = 0, shifts = 0;
  for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, config, seed);
    for (size_t n = 0; n < c.control.num; n++) {
      struct sluice_reconfig packet;
      if (sluice_reconfig_decode(&packet, c.control.items[n].bytes, c.control.items[n].len, NULL) ||
          packet.table != SLUICE_TABLE_ACTION || packet.op != SLUICE_CHAIN_WRITE)
        continue;
      for (unsigned i = 0; i < packet.num_entries; i++)
        for (unsigned slot = 1; slot <= 24; slot++) {
          const uint32_t word = (uint32_t)sluice_entry_get(sluice_reconfig_entry(&packet, i), 625,
                                                           25 * slot + 24, 25 * slot);
          const unsigned op = word >> 21;
          if (op != SLUICE_OP_FUNC && op != SLUICE_OP_FUNCI) continue;
          all++;
          shifts += sluice_op_shifts(op, op == SLUICE_OP_FUNC ? word >> 6 & 31 : word >> 12 & 15);
        }
    }
    fuzz_release(&c);
  }
  assert_true(all > 200);
  return (double)shifts / (double)all;
}

TEST(shifts_are_seldom_where_they_give_0) {
  struct sluice_config with = *sluice_config_find("small");
  assert_int_equal(with.Shifters, 0);
  const double without = shifting(&with);
  with.Shifters = 1;
  assert_true(shifting(&with) > 0.12);
  assert_true(without > 0.01 && without < 0.06);
}

// ---- the shrinker -------------------------------------------------------------------------------

// Fails as long as one packet and one control packet are there.
struct wanted {
  const uint8_t *packet, *control;
  unsigned calls;
};

static bool holds(const struct fuzz_frames *list, const uint8_t *bytes) {
  for (size_t i = 0; i < list->num; i++)
    if (list->items[i].bytes == bytes) return true;
  return false;
}

static bool both_are_there(void *context, const struct fuzz_case *c, uint64_t *packet) {
  struct wanted *w = context;
  (void)packet;
  w->calls++;
  return holds(&c->packets, w->packet) && holds(&c->control, w->control);
}

TEST(shrinking_leaves_what_fails_and_nothing_else) {
  for (uint64_t seed = 1; seed < 12; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, tiny(), seed);
    struct wanted w = {c.packets.items[c.packets.num / 3].bytes,
                       c.control.items[c.control.num / 2].bytes, 0};
    const struct fuzz_effort effort = {3000, 60.0};
    unsigned tries = fuzz_shrink(&c, &effort, both_are_there, &w);
    assert_int_equal(tries, w.calls);
    assert_int_equal(c.packets.num, 1);
    assert_ptr_equal(c.packets.items[0].bytes, w.packet);
    assert_int_equal(c.control.num, 1);
    assert_ptr_equal(c.control.items[0].bytes, w.control);
    struct fuzz_play plain = fuzz_play_plain();
    assert_memory_equal(&c.play, &plain, sizeof plain);
  }
}

TEST(shrinking_keeps_to_its_effort) {
  struct fuzz_case c CLOSED_BY(fuzz_release);
  fuzz_make(&c, tiny(), 5);
  struct wanted w = {c.packets.items[0].bytes, c.control.items[0].bytes, 0};
  const struct fuzz_effort effort = {10, 60.0};
  fuzz_shrink(&c, &effort, both_are_there, &w);
  assert_true(w.calls <= 11);
  assert_true(holds(&c.packets, w.packet) && holds(&c.control, w.control));
}
