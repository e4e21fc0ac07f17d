// SPDX-License-Identifier: Apache-2.0
// Pairs of tenants: programs in packets of both modules, and whose words they may reach.
#include <string.h>

#include "../active/capsule.h"
#include "../active/random_capsule.h"
#include "../base/rng.h"
#include "../base/bytes.h"
#include "../driver/plan/plan.h"
#include "../driver/wire/wire.h"
#include "isolate.h"

enum {
  ID_OF_A = 1,
  FIRST_OF_B = 2,
  IDS_OF_B = 4,
  ROUNDS = 3,  // further passes of B, at most
  // A's list has always as many instructions, EOF among them: so it is known what is taken out
  LIST_OF_A = 7,
  LIST_AT = 44,
  MOST_OF_B = 24,
};

static unsigned below(struct sluice_rng *rng, unsigned n) {
  return (unsigned)sluice_rng_below(rng, n);
}

// ---- whose words ----------------------------------------------------------------------------

static void put(struct isolate_pair *pair, enum sluice_table table, unsigned stage, unsigned index,
                unsigned row, const uint8_t *entry) {
  struct sluice_frame f;
  sluice_reconfig_begin(&f, SLUICE_CHAIN_WRITE, table, stage, index);
  SLUICE_RECONFIG_SET(&f, ROW, row);
  sluice_reconfig_append(&f, table, entry);
  sluice_reconfig_finish(&f);
  fuzz_append(&pair->packets, &pair->packets.control, f.bytes, f.len, row);
}

static void put_tenant(struct isolate_pair *pair, unsigned id, unsigned row, unsigned rounds,
                       bool drop) {
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(e, TENANT, (VALID, 1), (DROP, drop), (REPORT, 1), (ROUNDS, rounds), (ROW, row));
  put(pair, SLUICE_TABLE_TENANT, 0, id, row, e);
}

// Words of an array, in slots that are the array's in every pipeline, or in its own.
static void put_region(struct isolate_pair *pair, struct sluice_rng *rng, unsigned id, unsigned row,
                       const struct sluice_segment *s, bool whole) {
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  const unsigned slots = s->pinned ? s->range : s->range / s->pipes;
  const bool sharded = !s->pinned && (whole || below(rng, 2));
  const unsigned words = sharded ? slots * s->pipes : slots;
  if (!words) return;
  SLUICE_SETS(e, REGION, (VALID, 1), (SHARDED, sharded));
  SLUICE_SETS(e, REGION, (PIPE, s->pinned || sharded ? s->pipe : s->pipe + below(rng, s->pipes)),
              (LOW, 0), (HIGH, (whole ? words : 1 + below(rng, words)) - 1), (BASE, s->base));
  put(pair, SLUICE_TABLE_REGION, s->stage, id, row, e);
}

static void put_budget(struct isolate_pair *pair, unsigned row) {
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(e, RECIRCULATE, (BURST, 64), (RATE, 0xffff));
  put(pair, SLUICE_TABLE_RECIRCULATE, 0, row, row, e);
}

enum sluice_status isolate_tenants(struct isolate_pair *pair, struct sluice_rng *rng,
                                   struct sluice_error *error) {
  struct sluice_plan plan;
  const struct sluice_config *c = pair->config;
  if (!c->Active)
    return sluice_fail(error, SLUICE_ERR_RANGE, "chip '%s' executes no capsules", c->name);
  sluice_plan_init(&plan, c);
  enum sluice_status status = sluice_plan_add(&plan, &pair->a, ISOLATE_A_VID, error);
  if (!status) status = sluice_plan_add(&plan, &pair->b, ISOLATE_B_VID, error);
  const unsigned a = ISOLATE_A_VID % c->NumModules, b = ISOLATE_B_VID % c->NumModules;
  pair->a_stage = c->BackStages;
  for (size_t i = 0; !status && i < plan.num_segments; i++) {
    const struct sluice_segment *s = &plan.segments[i];
    if (s->row == a && s->name[0][0] && pair->a_stage == c->BackStages) {
      pair->a_stage = s->stage;
      pair->a_words = s->range;
      put_region(pair, rng, ID_OF_A, a, s, true);
    }
    // The mutant: B has A's words, too.
    const bool of_b = s->row == b || (s->row == a && pair->ask.wide_regions);
    for (unsigned id = FIRST_OF_B; of_b && id < FIRST_OF_B + IDS_OF_B; id++)
      put_region(pair, rng, id, b, s, false);
  }
  put_tenant(pair, ID_OF_A, a, 0, false);
  for (unsigned id = FIRST_OF_B; id < FIRST_OF_B + IDS_OF_B; id++)
    put_tenant(pair, id, b, below(rng, ROUNDS + 1), below(rng, 2));
  if (c->Recirculation) put_budget(pair, b);
  sluice_plan_release(&plan);
  return status;
}

// ---- packets --------------------------------------------------------------------------------

// In front of what the packet is anyhow: header and arguments, of which A's program takes a port.
static void begin(uint8_t *b, struct sluice_rng *rng, unsigned fid) {
  sluice_put16(b + 16, CAPSULE_ETHERTYPE);
  sluice_put32(b + 18, CAPSULE_SIGNATURE);
  sluice_put16(b + 22, CAPSULE_ARGS | (fid == ID_OF_A || below(rng, 2) ? CAPSULE_PRELOAD : 0));
  sluice_put16(b + 24, fid);
}

void isolate_capsule_a(const struct isolate_pair *pair, struct sluice_rng *rng, uint8_t *b) {
  static const uint8_t accesses[] = {SLUICE_OPCODE_MEM_INCREMENT, SLUICE_OPCODE_MEM_READ,
                                     SLUICE_OPCODE_MEM_WRITE, SLUICE_OPCODE_MEM_MINREADINC};
  uint8_t number[ISOLATE_PORT_AT + 1 - ISOLATE_NUMBER_AT];
  memcpy(number, b + ISOLATE_NUMBER_AT, sizeof number);
  begin(b, rng, ID_OF_A);
  // One word in eight is not A's.
  sluice_put32(b + 28, below(rng, pair->a_words + 1 + pair->a_words / 8));
  for (unsigned n = 0; n < LIST_OF_A; n++)
    sluice_put16(b + LIST_AT + 2 * n, n + 1 < LIST_OF_A ? SLUICE_OPCODE_NOP : SLUICE_OPCODE_EOF);
  if (pair->a_stage + 2 < LIST_OF_A) {
    b[LIST_AT + 2 * pair->a_stage + 1] = accesses[below(rng, sizeof accesses)];
    b[LIST_AT + 2 * pair->a_stage + 3] = SLUICE_OPCODE_MBR_STORE;
  }
  // Where the number is when it leaves.
  memcpy(b + ISOLATE_NUMBER_AT + 2 * LIST_OF_A, number, sizeof number);
}
_Static_assert((int)LIST_AT + 2 * LIST_OF_A <= (int)ISOLATE_NUMBER_AT, "the list ends before");

void isolate_capsule_b(const struct isolate_pair *pair, struct sluice_rng *rng, uint8_t *b,
                       size_t len) {
  struct active_capsule random;
  const struct active_random options = {.fids = 1, .most = MOST_OF_B, .words = 64};
  const uint8_t port = b[ISOLATE_PORT_AT];
  active_random(rng, &options, &random);
  (void)pair;
  // An id that is not B's, A's own among them, now and then.
  begin(b, rng, below(rng, 8) ? FIRST_OF_B + below(rng, IDS_OF_B) : below(rng, 12));
  for (unsigned i = 0; i < 4; i++) sluice_put32(b + 28 + 4 * i, random.args.data[i]);
  for (unsigned n = 0; n <= random.program.num && LIST_AT + 2 * n + 1 < len; n++) {
    const bool is = n < random.program.num;
    b[LIST_AT + 2 * n] = is ? random.program.instrs[n].flags : 0;
    b[LIST_AT + 2 * n + 1] = is ? random.program.instrs[n].opcode : SLUICE_OPCODE_EOF;
  }
  // Nobody takes it for one of A.
  b[ISOLATE_NUMBER_AT] |= 0x80;
  b[ISOLATE_PORT_AT] = port;
}
