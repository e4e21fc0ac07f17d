// SPDX-License-Identifier: Apache-2.0
// The allocator of packet programs by the published rules: numbers of mutants, how many instances
// fit and how full the memory gets (ActiveRMT, sections 6.1 and 6.4), and who stands where. Faults
// that these find: sw/tests/cli/allocator_mutants.sh.

#include "tests/rig/test.h"
#include "tests/rig/allocator_rig.h"

enum { CACHE = EVALUATED_CACHE, HITTER = EVALUATED_HEAVY_HITTER };
enum { BALANCER = EVALUATED_LOAD_BALANCER };

// Instances of one program until the first refusal, at most `most`.
static unsigned rig_fill(struct sluice_allocator *a, unsigned program, unsigned most) {
  unsigned num = 0;
  while (num < most && rig_admit(a, program, (uint16_t)(num + 1))) num++;
  return num;
}

static unsigned count(unsigned program, bool least) {
  struct sluice_mutants m;
  unsigned num = 0;
  sluice_mutants_init(&m, &sluice_memory_published_shape, &evaluated_programs[program].request,
                      least);
  while (sluice_mutants_next(&m)) num++;
  return num;
}

TEST(programs_have_as_many_mutants_as_published) {
  assert_int_equal(count(CACHE, false), 34);
  assert_int_equal(count(CACHE, true), 915);
  assert_int_equal(count(HITTER, false), 1);
  assert_int_equal(count(HITTER, true), 587);
  assert_int_equal(count(BALANCER, false), 5);
  assert_int_equal(count(BALANCER, true), 1149);
}

// The paper's example in numbers from 1: accesses 2 5 9 of 11 instructions, at most 11 14 18, or
// 4 7 11 if instruction 8 must be in ingress. The code counts from 0 and leaves the last place of
// the program unused.
TEST(the_papers_example_has_its_bounds) {
  struct sluice_memory_request r = {.length = 11,
                                    .ingress_limit = SLUICE_NO_INGRESS_LIMIT,
                                    .num = 3,
                                    .access = {{1, 1, false}, {4, 1, false}, {8, 1, false}}};
  struct sluice_mutants m;
  unsigned most[3] = {0};
  sluice_mutants_init(&m, &sluice_memory_published_shape, &r, false);
  assert_true(sluice_mutants_next(&m));
  FIELDS_ARE(&m, (position[0], 1), (position[1], 4), (position[2], 8));
  while (sluice_mutants_next(&m)) {
    assert_true(m.position[1] >= m.position[0] + 3 && m.position[2] >= m.position[1] + 4);
    for (unsigned i = 0; i < 3; i++)
      if (m.position[i] > most[i]) most[i] = m.position[i];
  }
  assert_int_equal(most[0], 9);
  assert_int_equal(most[1], 12);
  assert_int_equal(most[2], 16);
  r.ingress_limit = 7;
  sluice_mutants_init(&m, &sluice_memory_published_shape, &r, false);
  most[0] = most[1] = 0;
  while (sluice_mutants_next(&m))
    for (unsigned i = 0; i < 2; i++)
      if (m.position[i] > most[i]) most[i] = m.position[i];
  assert_int_equal(most[0], 3);
  assert_int_equal(most[1], 6);
}

TEST(mutants_come_in_the_published_order) {
  static const unsigned first[][3] = {{0, 3, 7}, {0, 3, 8}, {0, 3, 9}, {0, 3, 10}};
  struct sluice_mutants m;
  unsigned num = 0, last[3] = {0};
  sluice_mutants_init(&m, &sluice_memory_published_shape, &evaluated_programs[CACHE].request,
                      false);
  while (sluice_mutants_next(&m)) {
    if (num < 4) assert_memory_equal(m.position, first[num], sizeof first[num]);
    num++;
    memcpy(last, m.position, sizeof last);
  }
  assert_int_equal(last[0], 2);
  assert_int_equal(last[1], 5);
  assert_int_equal(last[2], 13);
}

TEST(instances_fit_as_often_as_published) {
  static const struct {
    unsigned program;
    bool least;
    unsigned num;
  } cases[] = {{CACHE, false, 500}, {CACHE, true, 500},     {HITTER, false, 23},
               {HITTER, true, 57},  {BALANCER, false, 368}, {BALANCER, true, 736}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sluice_allocator *a CLOSED_BY(free_allocator) =
        rig_new(NULL, SLUICE_RULES_PUBLISHED, SLUICE_FIT_WORST, cases[i].least);
    const unsigned most = cases[i].program == CACHE ? 500 : 1000;
    assert_int_equal(rig_fill(a, cases[i].program, most), cases[i].num);
  }
}

// The most constrained cache reaches 13 of 20 stages, the least constrained all; the paper's 8 and
// 9 instances are one more, since its code notes how full the memory was before the arrival.
TEST(caches_fill_the_memory_at_the_published_instance) {
  for (unsigned least = 0; least < 2; least++) {
    struct sluice_allocator *a CLOSED_BY(free_allocator) =
        rig_new(NULL, SLUICE_RULES_PUBLISHED, SLUICE_FIT_WORST, least);
    const uint64_t full = (least ? 20 : 13) * 368;
    const unsigned at = least ? 8 : 7;
    for (unsigned n = 1; n <= 100; n++) {
      assert_true(rig_admit(a, CACHE, (uint16_t)n));
      if (n < at) assert_true(sluice_allocator_used(a) < full);
      else assert_int_equal(sluice_allocator_used(a), full);
    }
  }
}

// Which of 21 caches, arriving one after the other, stand in which stage: the result that is stored
// beside the published code (worst-fit, most constrained, 368 blocks).
TEST(twenty_one_caches_stand_where_the_published_ones_do) {
  static const unsigned tenants[20][7] = {
      {1, 4, 7, 10, 13, 16, 19},
      {2, 5, 8, 11, 14, 17, 20},
      {3, 6, 9, 12, 15, 18, 21},
      {1, 4, 7, 10, 13, 16, 19},
      {2, 5, 8, 11, 14, 17, 20},
      {3, 6, 9, 12, 15, 18, 21},
      {0},
      {1, 10, 16},
      {2, 8, 17},
      {3, 9, 15},
      {4, 11, 18},
      {5, 12, 19},
      {6, 13, 20},
      {7, 14, 21},
  };
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(NULL, SLUICE_RULES_PUBLISHED, SLUICE_FIT_WORST, false);
  assert_int_equal(rig_fill(a, CACHE, 21), 21);
  for (unsigned s = 0; s < 20; s++) {
    unsigned num, want = 0;
    const struct sluice_memory_region *r = sluice_allocator_stage(a, s, &num);
    while (want < 7 && tenants[s][want]) want++;
    assert_int_equal(num, want);
    for (unsigned i = 0; i < num; i++) {
      assert_int_equal(r[i].fid, tenants[s][i]);
      // 368 = 7 x 52 + 4 = 3 x 122 + 2
      FIELDS_ARE(&r[i], (blocks, num == 7 ? 52 + (i < 4) : 122 + (i < 2)),
                 (first, i ? r[i - 1].first + r[i - 1].blocks : 0));
    }
  }
}

// The paper's four caches: three have stages of their own, the fourth shares with the first.
TEST(the_fourth_cache_shares_with_the_first) {
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(NULL, SLUICE_RULES_PUBLISHED, SLUICE_FIT_WORST, false);
  struct sluice_memory_request request = evaluated_programs[CACHE].request;
  const struct sluice_memory_plan *plan;
  for (request.fid = 1; request.fid < 4; request.fid++) {
    assert_int_equal(sluice_allocator_admit(a, &request, &plan, &rig_error), SLUICE_OK);
    FIELDS_ARE(plan, (num_moved, 0), (num_changes, 3));
    rig_keep(a);
    assert_int_equal(sluice_allocator_blocks(a, request.fid), 3 * 368);
  }
  assert_int_equal(sluice_allocator_admit(a, &request, &plan, &rig_error), SLUICE_OK);
  FIELDS_ARE(plan, (num_moved, 1), (moved[0], 1), (passes, 1), (num_changes, 5));
  // First the one who yields: 0..367 -> 0..183.
  FIELDS_ARE(&plan->changes[0], (fid, 1), (from.num, 368), (to.num, 184));
  assert_true(plan->changes[0].loses);
  assert_int_equal(plan->changes[2].fid, 4);
  rig_keep(a);
  assert_int_equal(sluice_allocator_blocks(a, 1), 184 + 184 + 368);
  assert_int_equal(sluice_allocator_blocks(a, 4), 184 + 184 + 368);
  uint32_t first, last;
  sluice_allocator_words(a, sluice_allocator_find(a, 4, 3), &first, &last);
  assert_int_equal(first, 184 * 256);
  assert_int_equal(last, 94207);
  // A heavy hitter: 16 blocks at the bottom of stages 5 and 10, where caches 3 and 4 were alone.
  assert_true(rig_admit(a, HITTER, 5));
  assert_int_equal(sluice_allocator_find(a, 5, 10)->first, 0);
  assert_int_equal(sluice_allocator_find(a, 4, 10)->first, 16);
  assert_int_equal(sluice_allocator_find(a, 4, 10)->blocks, 352);
  assert_int_equal(sluice_allocator_find(a, 3, 5)->blocks, 352);
}

// Two tenants of 2 blocks leave; the published code loses the lower one's blocks, ours does not.
TEST(a_hole_below_the_top_is_lost_as_published_and_not_by_our_rules) {
  const struct sluice_memory_shape shape = {20, 10, 8, 256, 1};
  for (unsigned rules = 0; rules < 2; rules++) {
    struct sluice_memory_request r = {.length = 19,
                                      .ingress_limit = SLUICE_NO_INGRESS_LIMIT,
                                      .num = 1,
                                      .access = {{18, 2, false}}};
    struct sluice_allocator *a CLOSED_BY(free_allocator) =
        rig_new(&shape, rules, SLUICE_FIT_WORST, false);
    const struct sluice_memory_plan *plan;
    const struct sluice_memory_region *region;
    for (r.fid = 1; r.fid < 5; r.fid++) {
      assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
      rig_keep(a);
    }
    rig_release(a, 3);
    rig_release(a, 4);
    assert_int_equal(sluice_allocator_used(a), 4);
    // 2 blocks at the bottom, 2 lost, 4 at the top: a newcomer stands at 6 or at 4.
    r.fid = 9;
    assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
    rig_keep(a);
    region = sluice_allocator_find(a, 9, 18);
    assert_non_null(region);
    assert_int_equal(region->first, rules == SLUICE_RULES_PUBLISHED ? 6 : 4);
  }
}

// Shares of those who stay: at once by our rules, at the next arrival as published.
TEST(a_departure_lets_others_grow) {
  for (unsigned rules = 0; rules < 2; rules++) {
    struct sluice_allocator *a CLOSED_BY(free_allocator) =
        rig_new(NULL, rules, SLUICE_FIT_WORST, false);
    assert_int_equal(rig_fill(a, CACHE, 4), 4);
    assert_int_equal(sluice_allocator_blocks(a, 1), 736);
    rig_release(a, 4);
    assert_int_equal(sluice_allocator_blocks(a, 1),
                     rules == SLUICE_RULES_PUBLISHED ? 736 : 3 * 368);
    assert_true(rig_admit(a, HITTER, 7));
    assert_true(sluice_allocator_blocks(a, 1) >= 3 * 352);
  }
}

TEST(metrics_choose_as_their_names_say) {
  unsigned stages[4][3];
  for (unsigned fit = 0; fit < 4; fit++) {
    struct sluice_allocator *a CLOSED_BY(free_allocator) =
        rig_new(NULL, SLUICE_RULES_PUBLISHED, fit, false);
    const struct sluice_memory_plan *plan;
    struct sluice_memory_request request = evaluated_programs[CACHE].request;
    assert_true(rig_admit(a, CACHE, 1));
    request.fid = 2;
    assert_int_equal(sluice_allocator_admit(a, &request, &plan, &rig_error), SLUICE_OK);
    memcpy(stages[fit], plan->stage, sizeof stages[fit]);
    assert_int_equal(plan->num_moved, fit == SLUICE_FIT_BEST || fit == SLUICE_FIT_FIRST);
  }
  // Away from the first cache at 0 3 7, or to it.
  const unsigned away[3] = {1, 4, 8}, there[3] = {0, 3, 7};
  assert_memory_equal(stages[SLUICE_FIT_WORST], away, sizeof away);
  assert_memory_equal(stages[SLUICE_FIT_REALLOC], away, sizeof away);
  assert_memory_equal(stages[SLUICE_FIT_BEST], there, sizeof there);
  assert_memory_equal(stages[SLUICE_FIT_FIRST], there, sizeof there);
}

// 368 blocks: a second elastic tenant moves the first, an eighth the seven before it; the 201st all
// but those 167 who have two blocks afterwards. (It moves fewer: the formula is the published one.)
TEST(the_realloc_metric_is_the_published_formula) {
  const struct sluice_pools pools = {sluice_memory_published_shape, SLUICE_FIT_REALLOC, NULL};
  const struct sluice_memory_access elastic = {0, 1, false}, inelastic = {0, 2, false};
  assert_int_equal((int)sluice_fit_cost(&pools, &elastic, 1, 0, 0, 368), 0);
  assert_int_equal((int)sluice_fit_cost(&pools, &elastic, 1, 1, 1, 368), 1);
  assert_int_equal((int)sluice_fit_cost(&pools, &elastic, 1, 7, 7, 368), 7);
  assert_int_equal((int)sluice_fit_cost(&pools, &elastic, 1, 200, 200, 368), 33);
  assert_int_equal((int)sluice_fit_cost(&pools, &inelastic, 2, 7, 7, 368), 7);
}

TEST(a_refusal_says_which_stage_lacks_how_much) {
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(NULL, SLUICE_RULES_PUBLISHED, SLUICE_FIT_WORST, false);
  assert_int_equal(rig_fill(a, HITTER, 100), 23);
  assert_string_equal(rig_error.text,
                      "program 24 does not fit: its only mutant lacks 16 of the 16 blocks that it "
                      "needs in stage 5, and 4 other stages lack blocks");
  sluice_allocator_free(a);
  const struct sluice_memory_shape two = {20, 10, 368, 256, 2};
  a = rig_new(&two, SLUICE_RULES_OURS, SLUICE_FIT_WORST, false);
  assert_int_equal(rig_fill(a, HITTER, 100), 46);
  assert_string_equal(rig_error.text,
                      "program 47 does not fit: its only mutant lacks 16 of the 16 blocks that it "
                      "needs in stage 5 in pipeline 0, and 4 other stages lack blocks");
}

TEST(impossible_calls_are_told) {
  const struct sluice_memory_request good = evaluated_programs[CACHE].request;
  const struct sluice_memory_plan *plan;
  struct sluice_memory_request r = good;
  struct sluice_memory_shape two = sluice_memory_published_shape;
  struct sluice_allocator_options published = {.rules = SLUICE_RULES_PUBLISHED};
  struct sluice_allocator *a = NULL;
  two.pipelines = 2;
  assert_int_equal(sluice_allocator_new(&a, &two, &published, NULL, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "the published rules know one pipeline, the shape has 2");
  two.ingress = 20;
  assert_int_equal(sluice_allocator_new(&a, &two, NULL, NULL, &rig_error), SLUICE_ERR_RANGE);
  a = rig_new(NULL, SLUICE_RULES_OURS, SLUICE_FIT_WORST, false);
  assert_int_equal(sluice_allocator_apply(a, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "there is no plan");
  assert_int_equal(sluice_allocator_release(a, 3, &plan, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "program 3 is not here");
  r.access[1].position = 0;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "access 1 of program 0 is not behind the one before it");
  r = good;
  r.length = 7;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "access 2 of program 0 is instruction 7 of 7");
  r = good;
  r.access[0].demand = 369;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text,
                      "access 0 of program 0 asks for 369 blocks, 1 to 368 are possible");
  r = good;
  r.num = 9;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_ERR_RANGE);
  r = good;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(
      rig_error.text,
      "the plan for program 0 waits to be applied or undone: no other one can be made");
  assert_int_equal(sluice_allocator_commit(a, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "the plan is not applied");
  assert_int_equal(sluice_allocator_apply(a, &rig_error), SLUICE_OK);
  assert_int_equal(sluice_allocator_apply(a, &rig_error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_allocator_commit(a, &rig_error), SLUICE_OK);
  assert_int_equal(sluice_allocator_undo(a, &rig_error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_ERR_RANGE);
  assert_string_equal(rig_error.text, "program 0 is here already");
  sluice_allocator_free(a);
  sluice_allocator_free(NULL);
}

// A search that a request could make endless ends, and the plan says so.
TEST(a_search_is_bounded) {
  struct sluice_memory_request r = {
      .length = 9, .ingress_limit = SLUICE_NO_INGRESS_LIMIT, .num = 8};
  const struct sluice_allocator_options options = {.least_constrained = true, .most_tried = 5000};
  const struct sluice_memory_plan *plan;
  struct sluice_allocator *a CLOSED_BY(free_allocator);
  for (unsigned i = 0; i < 8; i++) r.access[i] = (struct sluice_memory_access){i, 2, false};
  assert_int_equal(
      sluice_allocator_new(&a, &sluice_memory_published_shape, &options, NULL, &rig_error),
      SLUICE_OK);
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
  assert_false(plan->all_tried);
  assert_true(plan->num_mutants <= 5000 && plan->num_mutants > 1000);
}
