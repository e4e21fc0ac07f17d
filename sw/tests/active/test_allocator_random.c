// SPDX-License-Identifier: Apache-2.0
// The allocator of packet programs under random arrivals and departures. By the published rules:
// every decision and block is compared with a second implementation (allocator_matrix.h). By
// ours, on 1 to 4 pipelines: what must hold of any state, of the order of changes and of undo.
// SLUICE_SEED and SLUICE_RUNS in the environment choose the runs.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/allocator_matrix.h"
#include "tests/rig/allocator_rig.h"
#include "base/rng.h"
#include "tests/rig/scarce.h"

#define FAIL(...)                                                                          \
  do {                                                                                     \
    print_error("repeat with SLUICE_SEED=%llu SLUICE_RUNS=1\n", (unsigned long long)seed); \
    fail_msg(__VA_ARGS__);                                                                 \
  } while (0)

// One of the three programs of the paper, or a random one.
static struct sluice_memory_request any_request(struct sluice_rng *rng, unsigned blocks,
                                                bool sharded) {
  const unsigned program = (unsigned)sluice_rng_below(rng, 4);
  struct sluice_memory_request r;
  if (program < 3) {
    r = evaluated_programs[program].request;
    // The same programs in a memory of fewer blocks.
    for (unsigned i = 0; i < r.num; i++)
      if (r.access[i].demand > blocks / 8) r.access[i].demand = blocks / 8 < 2 ? 2 : blocks / 8;
  } else {
    unsigned at = (unsigned)sluice_rng_below(rng, 4);
    memset(&r, 0, sizeof r);
    r.num = 1 + (unsigned)sluice_rng_below(rng, 4);
    const unsigned demand = 1 + (unsigned)sluice_rng_below(rng, blocks / 2);
    for (unsigned i = 0; i < r.num; i++) {
      r.access[i] = (struct sluice_memory_access){at, demand, false};
      at += 1 + (unsigned)sluice_rng_below(rng, 4);
    }
    r.length = at + (unsigned)sluice_rng_below(rng, 8);
    r.ingress_limit = sluice_rng_below(rng, 2) ? (unsigned)sluice_rng_below(rng, at)
                                               : SLUICE_NO_INGRESS_LIMIT;
  }
  for (unsigned i = 0; i < r.num && sharded; i++)
    r.access[i].sharded = sluice_rng_below(rng, 3) == 0;
  return r;
}

// ---- published ----------------------------------------------------------------------------------

static bool same_blocks(const struct sluice_allocator *a, const struct matrix *m) {
  for (unsigned s = 0; s < MATRIX_STAGES; s++) {
    uint16_t owner[MATRIX_BLOCKS] = {0};
    unsigned num;
    const struct sluice_memory_region *r = sluice_allocator_stage(a, s, &num);
    for (unsigned i = 0; i < num; i++)
      for (unsigned b = 0; b < r[i].blocks; b++) owner[r[i].first + b] = r[i].fid;
    if (memcmp(owner, m->owner[s], sizeof owner) != 0) return false;
  }
  return true;
}

static bool same_moved(const struct sluice_memory_plan *plan, const struct matrix *m) {
  unsigned num = 0;
  for (unsigned f = 0; f < MATRIX_FIDS; f++)
    if (m->moved[f] && (num == plan->num_moved || plan->moved[num++] != f)) return false;
  return num == plan->num_moved;
}

static void run_published(uint64_t seed, unsigned sums[3]) {
  static struct matrix m;
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed, "published");
  const enum sluice_fit fit = (enum sluice_fit)(seed % 4);
  const bool least = seed / 4 % 2;
  struct sluice_memory_shape shape = sluice_memory_published_shape;
  shape.blocks = (const unsigned[]){368, 40, 16, 10}[sluice_rng_below(&rng, 4)];
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(&shape, SLUICE_RULES_PUBLISHED, fit, least);
  memset(&m, 0, sizeof m);
  m.blocks = shape.blocks;
  for (unsigned step = 0, fid = 1; step < 120; step++) {
    const struct sluice_memory_plan *plan;
    unsigned num;
    const uint16_t *tenants = sluice_allocator_tenants(a, &num);
    if (num && sluice_rng_below(&rng, 8) < 3) {
      const uint16_t gone = tenants[sluice_rng_below(&rng, num)];
      matrix_release(&m, gone);
      rig_release(a, gone);
    } else {
      struct sluice_memory_request r = any_request(&rng, shape.blocks, false);
      // Numbers are not in the order of arrivals.
      r.fid = (uint16_t)(1 + fid++ * 73 % 199);
      const bool fits = matrix_admit(&m, &r, fit, least);
      const enum sluice_status status = sluice_allocator_admit(a, &r, &plan, &rig_error);
      sums[0]++;
      sums[1] += fits;
      sums[2] += m.stopped;
      m.stopped = false;
      if (status != (fits ? SLUICE_OK : SLUICE_ERR_FULL))
        FAIL("step %u: program %u fits: %d, answer: %s", step, r.fid, fits, rig_error.text);
      if (fits && !same_moved(plan, &m)) FAIL("step %u: others are reallocated", step);
      if (fits) rig_keep(a);
    }
    if (!same_blocks(a, &m)) FAIL("step %u: other blocks", step);
  }
}

TEST(decisions_are_those_of_the_published_rules) {
  const uint64_t first = from_environment("SLUICE_SEED", 1000),
                 num = from_environment("SLUICE_RUNS", 24);
  unsigned sums[3] = {0};
  for (uint64_t seed = first; seed < first + num; seed++) run_published(seed, sums);
  printf("%u arrivals, %u fit, %u at a hole that is none; SLUICE_SEED=%llu\n", sums[0], sums[1],
         sums[2], (unsigned long long)first);
}

// ---- ours ---------------------------------------------------------------------------------------

enum { MOST_REGIONS = 8192 };
struct state {
  unsigned num;
  uint64_t used;
  struct sluice_memory_region regions[MOST_REGIONS];
};

static void remember(const struct sluice_allocator *a, struct state *s) {
  memset(s, 0, sizeof *s);
  s->used = sluice_allocator_used(a);
  for (unsigned i = 0; i < sluice_allocator_shape(a)->stages; i++) {
    unsigned num;
    const struct sluice_memory_region *r = sluice_allocator_stage(a, i, &num);
    for (unsigned n = 0; n < num; n++) s->regions[s->num++] = r[n];
  }
}

static bool same_state(const struct state *a, const struct state *b) {
  if (a->num != b->num || a->used != b->used) return false;
  for (unsigned i = 0; i < a->num; i++) {
    const struct sluice_memory_region *x = &a->regions[i], *y = &b->regions[i];
    if (x->fid != y->fid || x->stage != y->stage || x->pipeline != y->pipeline ||
        x->first != y->first || x->blocks != y->blocks || x->demand != y->demand ||
        x->elastic != y->elastic)
      return false;
  }
  return true;
}

// Owner of each block: [pipeline][stage][block].
static uint16_t owner[SLUICE_MEMORY_PIPELINES][MATRIX_STAGES][MATRIX_BLOCKS];
static bool take(unsigned k, unsigned stage, unsigned pipeline, struct sluice_blocks b,
                 uint16_t from, uint16_t to) {
  const bool all = pipeline == SLUICE_ALL_PIPELINES;
  for (unsigned p = all ? 0 : pipeline; p < (all ? k : pipeline + 1); p++)
    for (unsigned i = b.first; i < b.first + b.num; i++) {
      if (owner[p][stage][i] != from) return false;
      owner[p][stage][i] = to;
    }
  return true;
}

// Makes the changes one by one on `owner`; false: somebody would write on what is another's.
static bool make_changes(unsigned k, const struct sluice_memory_plan *plan) {
  for (unsigned i = 0; i < plan->num_changes; i++) {
    const struct sluice_memory_change *c = &plan->changes[i];
    if (!take(k, c->stage, c->pipeline, c->from, c->fid, 0) ||
        !take(k, c->stage, c->pipeline, c->to, 0, c->fid))
      return false;
  }
  return true;
}

// Regions are inside their memory and those that `owner` knows; NULL, or what is wrong.
static const char *wrong(const struct sluice_allocator *a) {
  const struct sluice_memory_shape *shape = sluice_allocator_shape(a);
  for (unsigned s = 0; s < shape->stages; s++) {
    unsigned num, blocks[SLUICE_MEMORY_PIPELINES] = {0}, most[SLUICE_MEMORY_PIPELINES] = {0},
                  least[SLUICE_MEMORY_PIPELINES], sharded_most = 0, sharded_least = shape->blocks;
    unsigned smallest = shape->blocks;
    const struct sluice_memory_region *r = sluice_allocator_stage(a, s, &num);
    bool idle_is_right[SLUICE_MEMORY_PIPELINES] = {false};
    for (unsigned p = 0; p < shape->pipelines; p++) least[p] = shape->blocks;
    for (unsigned i = 0; i < num; i++) {
      const bool all = r[i].pipeline == SLUICE_ALL_PIPELINES;
      if (r[i].first + r[i].blocks > shape->blocks) return "a region ends behind the memory";
      if (r[i].blocks < r[i].demand) return "a demand is not met";
      if (!r[i].elastic && r[i].blocks != r[i].demand) return "an inelastic region has grown";
      if (!all && r[i].pipeline >= shape->pipelines) return "there is no such pipeline";
      for (unsigned p = all ? 0 : r[i].pipeline; p < (all ? shape->pipelines : r[i].pipeline + 1u);
           p++) {
        blocks[p] += r[i].blocks;
        for (unsigned b = 0; b < r[i].blocks; b++)
          if (owner[p][s][r[i].first + b] != r[i].fid) return "a region is not what was changed";
      }
      if (r[i].elastic && all) {
        if (r[i].blocks > sharded_most) sharded_most = r[i].blocks;
        if (r[i].blocks < sharded_least) sharded_least = r[i].blocks;
      } else if (r[i].elastic) {
        const unsigned p = r[i].pipeline;
        if (r[i].blocks > most[p]) most[p] = r[i].blocks;
        if (r[i].blocks < least[p]) least[p] = r[i].blocks;
        if (r[i].blocks < smallest) smallest = r[i].blocks;
      }
    }
    for (unsigned p = 0; p < shape->pipelines; p++) {
      unsigned owned = 0, floor = 0;
      for (unsigned i = 0; i < num; i++)
        if (!r[i].elastic && (r[i].pipeline == p || r[i].pipeline == SLUICE_ALL_PIPELINES) &&
            r[i].first + r[i].blocks > floor)
          floor = r[i].first + r[i].blocks;
      for (unsigned b = 0; b < shape->blocks; b++) {
        owned += owner[p][s][b] != 0;
        if (b >= floor && !owner[p][s][b]) idle_is_right[p] = true;
      }
      if (owned != blocks[p]) return "two regions overlap";
      if (most[p] > least[p] + 1) return "shares of a pool differ by more than one block";
      if (most[p] && idle_is_right[p]) return "blocks lie idle above elastic regions";
    }
    if (sharded_most) {
      bool full = false;
      for (unsigned p = 0; p < shape->pipelines; p++) full |= !idle_is_right[p];
      if (!full) return "sharded regions leave blocks idle in all pools";
      if (sharded_most > sharded_least + 1) return "sharded shares differ by more than one block";
      if (sharded_most > smallest + 1) return "a sharded region has more than a pinned one";
    }
  }
  return NULL;
}

static void run_ours(uint64_t seed, unsigned sums[3]) {
  static struct state before, after;
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed, "ours");
  struct sluice_memory_shape shape = sluice_memory_published_shape;
  shape.pipelines = 1 + (unsigned)sluice_rng_below(&rng, 4);
  shape.blocks = (const unsigned[]){96, 24, 10}[sluice_rng_below(&rng, 3)];
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(&shape, SLUICE_RULES_OURS, (enum sluice_fit)sluice_rng_below(&rng, 4),
              sluice_rng_below(&rng, 4) == 0);
  memset(owner, 0, sizeof owner);
  for (unsigned step = 0, fid = 1; step < 150; step++) {
    const struct sluice_memory_plan *plan;
    unsigned num;
    const uint16_t *tenants = sluice_allocator_tenants(a, &num);
    enum sluice_status status;
    remember(a, &before);
    if (num && sluice_rng_below(&rng, 8) < 3) {
      status = sluice_allocator_release(a, tenants[sluice_rng_below(&rng, num)], &plan, &rig_error);
    } else {
      struct sluice_memory_request r = any_request(&rng, shape.blocks, true);
      r.fid = (uint16_t)(1 + fid++ * 73 % 199);
      status = sluice_allocator_admit(a, &r, &plan, &rig_error);
      sums[0]++;
      sums[1] += !status;
    }
    remember(a, &after);
    if (!same_state(&before, &after)) FAIL("step %u: a plan has changed something", step);
    if (status == SLUICE_ERR_FULL) continue;
    if (status) FAIL("step %u: %s", step, rig_error.text);
    if (sluice_rng_below(&rng, 4) == 0) {
      const bool applied = sluice_rng_below(&rng, 2);
      if ((applied && sluice_allocator_apply(a, &rig_error)) ||
          sluice_allocator_undo(a, &rig_error))
        FAIL("step %u: %s", step, rig_error.text);
      remember(a, &after);
      if (!same_state(&before, &after)) FAIL("step %u: undo restores something else", step);
      sums[2]++;
      continue;
    }
    if (!make_changes(shape.pipelines, plan))
      FAIL("step %u: the order of changes writes on another's blocks", step);
    rig_keep(a);
    const char *what = wrong(a);
    if (what) FAIL("step %u: %s", step, what);
  }
}

TEST(our_states_hold_what_they_must) {
  const uint64_t first = from_environment("SLUICE_SEED", 1000),
                 num = from_environment("SLUICE_RUNS", 60);
  unsigned sums[3] = {0};
  for (uint64_t seed = first; seed < first + num; seed++) run_ours(seed, sums);
  printf("%u arrivals, %u fit, %u undone; SLUICE_SEED=%llu\n", sums[0], sums[1], sums[2],
         (unsigned long long)first);
}

// One pipeline and arrivals alone: nothing that we do otherwise matters.
TEST(without_departures_our_decisions_on_one_pipeline_are_the_published_ones) {
  const uint64_t first = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_RUNS", 8);
  for (uint64_t seed = first; seed < first + num; seed++) {
    struct sluice_allocator *a CLOSED_BY(free_allocator) =
        rig_new(NULL, SLUICE_RULES_PUBLISHED, (enum sluice_fit)(seed % 3), seed % 2);
    struct sluice_allocator *b CLOSED_BY(free_allocator) =
        rig_new(NULL, SLUICE_RULES_OURS, (enum sluice_fit)(seed % 3), seed % 2);
    static struct state x, y;
    struct sluice_rng rng;
    sluice_rng_init(&rng, seed, "arrivals");
    for (unsigned n = 1; n <= 80; n++) {
      const unsigned program = (unsigned)sluice_rng_below(&rng, 3);
      assert_int_equal(rig_admit(a, program, (uint16_t)n), rig_admit(b, program, (uint16_t)n));
      remember(a, &x);
      remember(b, &y);
      if (!same_state(&x, &y)) FAIL("arrival %u is placed otherwise", n);
    }
  }
}

// Pinned regions of each stage are spread: without departures the numbers of the pools differ by
// one at most, as long as every pool has room.
TEST(pipelines_are_balanced) {
  struct sluice_memory_shape shape = sluice_memory_published_shape;
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "balance");
  shape.pipelines = 4;
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(&shape, SLUICE_RULES_OURS, SLUICE_FIT_WORST, false);
  for (unsigned n = 1; n <= 60; n++) {
    assert_true(rig_admit(a, (unsigned)sluice_rng_below(&rng, 3), (uint16_t)n));
    for (unsigned s = 0; s < shape.stages; s++) {
      unsigned num, count[4] = {0}, most = 0, least = 1000;
      const struct sluice_memory_region *r = sluice_allocator_stage(a, s, &num);
      for (unsigned i = 0; i < num; i++) count[r[i].pipeline]++;
      for (unsigned p = 0; p < 4; p++) {
        if (count[p] > most) most = count[p];
        if (count[p] < least) least = count[p];
      }
      assert_true(most <= least + 1);
    }
  }
}

// 2 pipelines. A tenant of 300 of 368 blocks stands in pipeline 0. Five elastic ones share pipeline
// 1, 73 or 74 blocks each; the sixth would have 61 there, and has 68 beside the first tenant.
TEST(elastic_regions_go_where_their_share_is_largest) {
  const struct sluice_memory_shape shape = {4, 2, 368, 256, 2};
  static const unsigned pipelines[] = {0, 1, 1, 1, 1, 1, 0};
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(&shape, SLUICE_RULES_OURS, SLUICE_FIT_WORST, false);
  const struct sluice_memory_plan *plan;
  for (unsigned n = 0; n < 7; n++) {
    const struct sluice_memory_request r = {.fid = (uint16_t)n,
                                            .length = 4,
                                            .ingress_limit = 0,
                                            .num = 1,
                                            .access = {{3, n ? 1 : 300, false}}};
    assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
    rig_keep(a);
    assert_int_equal(sluice_allocator_find(a, (uint16_t)n, 3)->pipeline, pipelines[n]);
  }
}

// 2 pipelines, 8 blocks. A sharded elastic region has all blocks of both; a pinned one then takes
// half of one pool, and so the sharded one half of both: 4 blocks of the other pool lie idle.
TEST(a_sharded_region_has_the_same_blocks_everywhere) {
  const struct sluice_memory_shape shape = {4, 2, 8, 16, 2};
  struct sluice_memory_request r = {
      .fid = 1, .length = 4, .ingress_limit = 0, .num = 1, .access = {{3, 1, true}}};
  struct sluice_allocator *a CLOSED_BY(free_allocator) =
      rig_new(&shape, SLUICE_RULES_OURS, SLUICE_FIT_WORST, false);
  const struct sluice_memory_plan *plan;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
  rig_keep(a);
  assert_int_equal(sluice_allocator_find(a, 1, 3)->pipeline, SLUICE_ALL_PIPELINES);
  assert_int_equal(sluice_allocator_blocks(a, 1), 16);
  r.fid = 2;
  r.access[0].sharded = false;
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
  assert_int_equal(plan->num_moved, 1);
  rig_keep(a);
  assert_int_equal(sluice_allocator_find(a, 2, 3)->pipeline, 0);
  assert_int_equal(sluice_allocator_blocks(a, 2), 4);
  assert_int_equal(sluice_allocator_find(a, 1, 3)->first, 4);
  assert_int_equal(sluice_allocator_blocks(a, 1), 8);
  // 3 blocks in all, sharded: 2 in each pool.
  r = (struct sluice_memory_request){
      .fid = 3, .length = 4, .ingress_limit = 0, .num = 1, .access = {{3, 3, true}}};
  assert_int_equal(sluice_allocator_admit(a, &r, &plan, &rig_error), SLUICE_OK);
  rig_keep(a);
  assert_int_equal(sluice_allocator_find(a, 3, 3)->first, 0);
  assert_int_equal(sluice_allocator_blocks(a, 3), 4);
  assert_int_equal(sluice_allocator_find(a, 2, 3)->first, 2);
  assert_int_equal(sluice_allocator_blocks(a, 2), 3);
}

// ---- memory -------------------------------------------------------------------------------------

// The n-th allocation fails, for every n: a sentence, nothing changed, nothing lost.
TEST(every_allocation_may_fail) {
  struct scarce scarce = {.ends = true};
  const struct sluice_alloc alloc = {scarce_resize, &scarce};
  for (unsigned rules = 0; rules < 2; rules++) {
    const struct sluice_allocator_options options = {.rules = rules};
    unsigned failures = 0;
    for (unsigned most = 0, failed = 1; failed; most++) {
      static struct state before, after;
      struct sluice_allocator *a = NULL;
      failed = 0;
      scarce.until = (long)most + 1;
      if (sluice_allocator_new(&a, &sluice_memory_published_shape, &options, &alloc, &rig_error)) {
        failed = 1;
        failures++;
        continue;
      }
      for (unsigned n = 1; n < 30; n++) {
        struct sluice_memory_request r = evaluated_programs[n % 3].request;
        const struct sluice_memory_plan *plan;
        r.fid = (uint16_t)n;
        remember(a, &before);
        enum sluice_status status =
            n % 5 == 4 ? sluice_allocator_release(a, (uint16_t)(n - 2), &plan, &rig_error)
                       : sluice_allocator_admit(a, &r, &plan, &rig_error);
        if (status == SLUICE_ERR_NOMEM) {
          assert_string_equal(rig_error.text, "out of memory");
          remember(a, &after);
          assert_true(same_state(&before, &after));
          failed = 1;
          failures++;
          scarce.until = 1001;
          status = n % 5 == 4 ? sluice_allocator_release(a, (uint16_t)(n - 2), &plan, &rig_error)
                              : sluice_allocator_admit(a, &r, &plan, &rig_error);
        }
        if (!status) rig_keep(a);
      }
      sluice_allocator_free(a);
    }
    assert_true(failures > 30);
  }
}
