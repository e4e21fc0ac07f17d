// SPDX-License-Identifier: Apache-2.0
// Random cases with capsules, against the reference model: what they reach, and that shrinking
// makes programs short.

#include "tests/rig/test.h"
#include "driver/wire/wire.h"
#include "fuzz/fuzz.h"
#include "model/capsule.h"

enum { SEEDS = 40 };

struct tally {
  unsigned long packets, capsules, done, shorter, filled, dropped, reported;
  unsigned long memory, resolved, executed, refused, sharded, bounds, foreign;
  unsigned long opcodes[256], stages[20];
};

// Opcodes of the list as far as the chip goes.
static void count_list(const struct sluice_config *c, const struct fuzz_frame *f, struct tally *t) {
  for (unsigned n = 0; n < c->BackStages && 45 + 2 * n < f->len && 45 + 2 * n < 128; n++) {
    const unsigned op = f->bytes[45 + 2 * n];
    t->opcodes[op]++;
    if (op == SLUICE_OPCODE_EOF) return;
  }
}

static void count_access(const struct sluice_model_result *r, unsigned stage, struct tally *t) {
  const struct sluice_model_access *a = &r->access[stage];
  if (!a->capsule) return;
  t->memory++;
  t->resolved += a->resolved;
  t->executed += a->executed;
  t->refused += a->refused;
  t->bounds += a->out_of_bounds;
  t->sharded += a->resolved && !a->pinned;
  t->stages[stage] += a->executed && !a->refused;
}

static void count_packet(struct sluice_model *m, const struct fuzz_frame *f, uint32_t arrival,
                         struct tally *t) {
  static uint8_t bytes[SLUICE_MODEL_MAX_LEN];
  struct sluice_model_phv phv;
  struct sluice_model_result r;
  struct model_capsule capsule;
  const struct sluice_model_verdict v =
      sluice_model_classify(sluice_model_filter(m), f->bytes, (unsigned)f->len);
  const struct sluice_model_packet packet = {f->bytes, (unsigned)f->len, 0, arrival, v.bank, NULL,
                                             0};
  t->packets++;
  if (v.reason || sluice_model_front(m, &packet, &phv)) return;
  sluice_model_admit(m, &packet, &phv, &r);
  const unsigned len = sluice_model_leave(&packet, &r, bytes);
  assert_in_range(len, 64, f->len);
  if (!model_overlay(m, model_row(m, &phv))->active ||
      !model_capsule_parse(m, &packet, &phv, &capsule)) {
    assert_int_equal(len, f->len);
    return;
  }
  t->capsules++;
  t->done += bytes[22] & 1;
  t->reported += r.header[23] & 0x80 && !(f->bytes[23] & 0x80);
  t->shorter += len < f->len;
  t->filled += len == 64 && r.taken_out > f->len - 64;
  t->dropped += r.reason == SLUICE_DROP_DISCARD_BACK;
  t->foreign += !capsule.own;
  count_list(&m->config, f, t);
  for (unsigned s = 0; s < m->config.StateStages; s++) count_access(&r, s, t);
}

static void play(const struct fuzz_case *c, struct tally *t) {
  struct sluice_model *m CLOSED_BY(close_model) = sluice_model_open(c->config);
  assert_non_null(m);
  sluice_model_set_sets(m, (unsigned)__builtin_ctz(c->sets));
  for (size_t i = 0; i < c->control.num; i++)
    sluice_model_control(m, c->control.items[i].bytes, c->control.items[i].len, NULL);
  for (size_t i = 0; i < c->packets.num; i++) count_packet(m, &c->packets.items[i], (uint32_t)i, t);
}

TEST(cases_reach_every_opcode) {
  const struct sluice_config *config = sluice_config_find("capsules");
  static struct tally t;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, config, seed);
    assert_false(c.nomem);
    play(&c, &t);
  }
  printf("packets %lu, capsules %lu: done %lu, filled up %lu, dropped %lu, fault told %lu, id of "
         "another %lu\n",
         t.packets, t.capsules, t.done, t.filled, t.dropped, t.reported, t.foreign);
  printf("memory instructions %lu: resolved %lu (sharded %lu), executed %lu, refused %lu, out of "
         "bounds %lu\n",
         t.memory, t.resolved, t.sharded, t.executed, t.refused, t.bounds);
  assert_true(t.capsules > t.packets / 4);
  assert_true(t.done > t.capsules / 4 && t.done < t.capsules);
  assert_true(t.shorter && t.filled && t.dropped && t.reported && t.foreign && t.bounds);
  assert_true(t.dropped < t.capsules / 3);
  assert_true(t.memory > t.capsules / 2);
  assert_true(t.resolved > t.memory / 4 && t.sharded > t.resolved / 8 && t.sharded < t.resolved);
  assert_true(t.executed - t.refused > t.memory / 8 && t.refused > t.memory / 50);
  for (unsigned op = 0; op <= SLUICE_OPCODE_MBR_STORE_ALT2; op++)
    if (!t.opcodes[op]) fail_msg("opcode %u", op);
  for (unsigned s = 0; s < config->StateStages; s++)
    if (!t.stages[s]) fail_msg("stage %u", s);
}

// Where the regions of a module are, no other module has regions: the chip keeps no order between
// them. Frames of updates count as well.
struct claim {
  unsigned char owner, kind;  // overlay row + 1; 1 pinned, 2 sharded
};

static void claim_word(struct claim *claims, unsigned pipe, unsigned slot, unsigned slots,
                       unsigned row, bool sharded) {
  struct claim *c = &claims[pipe * slots + slot];
  const unsigned char kind = sharded ? 2 : 1;
  if (c->owner) assert_int_equal(c->owner, row + 1);
  if (c->owner) assert_int_equal(c->kind, kind);
  *c = (struct claim){(unsigned char)(row + 1), kind};
}

static void claim_region(const struct fuzz_case *c, struct claim *claims, unsigned row,
                         const uint8_t *e) {
  const unsigned slots = sluice_config_slots(c->config), pipes = c->config->NumPipes / c->sets;
  const unsigned low = (unsigned)SLUICE_GET(e, REGION, LOW),
                 high = (unsigned)SLUICE_GET(e, REGION, HIGH);
  const unsigned base = (unsigned)SLUICE_GET(e, REGION, BASE),
                 pipe = (unsigned)SLUICE_GET(e, REGION, PIPE);
  const bool sharded = SLUICE_GET(e, REGION, SHARDED);
  for (unsigned i = 0; SLUICE_GET(e, REGION, VALID) && low <= high && i <= high - low; i++) {
    const unsigned slot = base + (sharded ? i / pipes : i);
    if (slot >= slots) return;
    claim_word(claims, sharded ? pipe - pipe % pipes + i % pipes : pipe, slot, slots, row, sharded);
  }
}

static void claim_frames(const struct fuzz_case *c, const struct fuzz_frames *frames,
                         struct claim **claims) {
  for (size_t i = 0; i < frames->num; i++) {
    struct sluice_reconfig p;
    if (sluice_reconfig_decode(&p, frames->items[i].bytes, frames->items[i].len, NULL) ||
        p.op != SLUICE_CHAIN_WRITE || p.table != SLUICE_TABLE_REGION ||
        p.stage >= c->config->StateStages)
      continue;
    for (unsigned n = 0; n < p.num_entries; n++)
      claim_region(c, claims[p.stage], p.row % c->config->NumModules, sluice_reconfig_entry(&p, n));
  }
}

TEST(modules_do_not_meet) {
  const struct sluice_config *config = sluice_config_find("capsules");
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    struct claim *claims[20];
    fuzz_make(&c, config, seed);
    for (unsigned s = 0; s < config->StateStages; s++)
      claims[s] = calloc(config->StateEntries, sizeof **claims);
    claim_frames(&c, &c.control, claims);
    claim_frames(&c, &c.updating, claims);
    for (unsigned s = 0; s < config->StateStages; s++) free(claims[s]);
  }
}

// ---- the shrinker -------------------------------------------------------------------------------

// Fails while some capsule increments at stage 2.
static bool increments(void *context, const struct fuzz_case *c, uint64_t *packet) {
  (void)context;
  (void)packet;
  for (size_t i = 0; i < c->packets.num; i++) {
    const uint8_t *b = c->packets.items[i].bytes;
    if (c->packets.items[i].len >= 64 && b[16] == 0x83 && b[17] == 0xb2 &&
        b[49] == SLUICE_OPCODE_MEM_INCREMENT && b[45] && b[47])
      return true;
  }
  return false;
}

TEST(programs_get_short) {
  unsigned tried = 0;
  for (uint64_t seed = 0; seed < SEEDS && tried < 4; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    uint64_t packet;
    fuzz_make(&c, sluice_config_find("capsules"), seed);
    if (increments(NULL, &c, &packet)) {
      const struct fuzz_effort effort = {4000, 60.0};
      fuzz_shrink(&c, &effort, increments, NULL);
      assert_int_equal(c.packets.num, 1);
      const uint8_t *b = c.packets.items[0].bytes;
      static const uint8_t list[] = {0, SLUICE_OPCODE_NOP, 0, SLUICE_OPCODE_NOP};
      assert_memory_equal(b + 44, list, sizeof list);
      assert_true(c.packets.items[0].len < 52 || b[51] == 0);
      assert_memory_equal(b + 28, (const uint8_t[16]){0}, 16);
      tried++;
    }
  }
  assert_true(tried > 0);
}
