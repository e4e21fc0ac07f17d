// SPDX-License-Identifier: Apache-2.0
/// The C side of tb_sluice_resolve: random packets, capsules and table writes, and where their
/// accesses are, from docs/machine.md. The test bench calls once a cycle: rs_drive, then rs_write;
/// what was driven three cycles ago is expected (rs_expect) before them.
#include <stdio.h>

#include "random.h"
#include "sluice_capsule_unit/capsule_model.h"

enum { MAX_BACK = 20, PHASE = 2500 };

static struct model model;  // its shape, and what reads containers
static int num_stages, state_stages, num_ids, sets;
static struct bits access[MAX_BACK][MAX_ENTRIES], segment[MAX_BACK][MAX_ENTRIES],
    region[MAX_BACK][MAX_IDS];
static long cycle, num_packets, num_capsules, num_known, num_program, num_accesses, num_refused,
    num_writes;

static struct capsule sent;
static struct phv phv;
static bool quiet;
static struct expected {
  bool access[MAX_BACK], pinned[MAX_BACK];
  int pipe[MAX_BACK], slot[MAX_BACK], refused;
} expected[4];

// ---- where the accesses are
static bool place(int named, uint64_t base, uint64_t index, int *pipe, int *slot) {
  const int k = model.shape.pipes >> sets;
  *pipe = named / k * k + (int)(index % k);
  *slot = (int)(base + index / k);
  return base + index / k < (uint64_t)model.shape.slots;
}

static void of_program(struct expected *e, int s, const struct bits *a, const struct bits *g) {
  const int decider = (int)GET(a, ACCESS_PREDICATE),
            named = (int)GET(a, ACCESS_PIPE) % model.shape.pipes;
  if (!GET(a, ACCESS_ENABLE)) return;
  if (decider >> 3 != SLUICE_TYPE_CONST &&
      (wide_operand(&model, &phv, decider) != 0) == (GET(a, ACCESS_INVERT) != 0))
    return;
  e->pinned[s] = GET(a, ACCESS_PINNED);
  e->pipe[s] = named;
  e->slot[s] = 0;
  e->access[s] = true;
  if (e->pinned[s]) return;
  const uint64_t index = wide_operand(&model, &phv, (int)GET(a, ACCESS_INDEX));
  if (index < GET(g, SEGMENT_RANGE) &&
      place(named, GET(g, SEGMENT_BASE), index, &e->pipe[s], &e->slot[s]))
    return;
  e->access[s] = false;
  e->refused++;
}

static void of_capsule(struct expected *e, int s, const struct bits *r, bool known) {
  if (!sent.known) return;
  const uint32_t address = sent.data[0] & 0xfffff;
  const int named = (int)GET(r, REGION_PIPE) % model.shape.pipes;
  e->pinned[s] = !GET(r, REGION_SHARDED);
  if (e->pinned[s]) {
    e->access[s] = GET(r, REGION_VALID);
    e->pipe[s] = named;
    e->slot[s] = 0;
  } else if (known) {
    e->access[s] =
        GET(r, REGION_VALID) && address >= GET(r, REGION_LOW) && address <= GET(r, REGION_HIGH) &&
        place(named, GET(r, REGION_BASE), address - GET(r, REGION_LOW), &e->pipe[s], &e->slot[s]);
    e->refused += !e->access[s];
    num_known++;
  }
}

static bool changes_mar(unsigned opcode) {
  switch (opcode) {
    case SLUICE_OPCODE_MAR_ADD_MBR:
    case SLUICE_OPCODE_MAR_ADD_MBR2:
    case SLUICE_OPCODE_MAR_MBR_ADD_MBR2:
    case SLUICE_OPCODE_BIT_AND_MAR_MBR:
    case SLUICE_OPCODE_COPY_MAR_MBR:
    case SLUICE_OPCODE_HASH: return true;
  }
  return opcode >= SLUICE_OPCODE_ADDR_MASK_0 && opcode <= SLUICE_OPCODE_ADDR_OFFSET_19;
}

static void resolve(struct expected *e) {
  memset(e, 0, sizeof *e);
  const int row = entry_of(&model, &phv), id = phv.bank * num_ids + (int)sent.id;
  bool known = sent.preload, jumped = false;
  for (int s = 0; s < num_stages; s++) {
    const unsigned opcode = capsule_opcode(sent.ops[s]);
    const bool memory = sent.valid && capsule_is_memory(sent.ops[s]);
    if (s < state_stages && memory) of_capsule(e, s, &region[s][id], known);
    if (s < state_stages && !memory) of_program(e, s, &access[s][row], &segment[s][row]);
    if (s < state_stages) num_accesses += e->access[s], num_program += e->access[s] && !memory;
    if (opcode == SLUICE_OPCODE_MAR_LOAD && !jumped) known = true;
    if (changes_mar(opcode)) known = false;
    if (opcode == SLUICE_OPCODE_CJUMP || opcode == SLUICE_OPCODE_CJUMPI ||
        opcode == SLUICE_OPCODE_UJUMP)
      jumped = true;
  }
  num_refused += e->refused;
}

// ---- control writes: two cycles each
static struct {
  bool busy, late;
  int cycles, table, stage, index;  // table: 0 ACCESS, 1 SEGMENT, 2 REGION
  struct bits data;
} job;

static struct bits *entry(int table, int stage, int index) {
  return table == 0   ? &access[stage][index]
         : table == 1 ? &segment[stage][index]
                      : &region[stage][index];
}

static int some_row(void) {
  return (model.shape.banks > 1 ? (int)rnd(2) : 0) * model.shape.modules + (int)rnd(4);
}
static int some_id(void) {
  return (model.shape.banks > 1 ? (int)rnd(2) : 0) * num_ids +
         (rnd(8) ? (int)rnd(4) : (int)rnd(num_ids));
}

static void new_job(void) {
  memset(&job, 0, sizeof job);
  job.busy = true;
  job.cycles = 2;
  job.table = rnd(2) ? 2 : (int)rnd(2);
  job.stage = rnd(state_stages);
  job.index = job.table == 2 ? some_id() : some_row();
  struct bits *b = &job.data;
  for (int i = 0; i < 2; i++) b->w[i] = rnd(0);
  if (job.table < 2) b->w[1] = 0;
  if (job.table == 0) SET(b, ACCESS_ENABLE, rnd(5) != 0);
  if (job.table == 1) SET(b, SEGMENT_RANGE, rnd(8) ? rnd(60) : rnd(65536));
  if (job.table == 1) SET(b, SEGMENT_BASE, rnd(4) ? rnd(model.shape.slots) : rnd(65536));
  if (job.table == 2) {
    const uint32_t low = rnd(3) ? rnd(20) : rnd(1 << 20),
                   high = low + (rnd(4) ? rnd(60) : rnd(4000)) - (rnd(10) == 0);
    SET(b, REGION_VALID, rnd(8) != 0);
    SET(b, REGION_SHARDED, rnd(4) != 0);
    SET(b, REGION_LOW, low);
    SET(b, REGION_HIGH, high > 0xfffff ? 0xfffff : high);
    SET(b, REGION_BASE, rnd(8) ? rnd(model.shape.slots) : rnd(65536));
  }
  num_writes++;
}

// ---- packets
static unsigned some_op(void) {
  unsigned opcode = rnd(96);
  switch (rnd(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: opcode = SLUICE_OPCODE_MEM_WRITE + rnd(6); break;
    case 6:
    case 7: opcode = SLUICE_OPCODE_MAR_LOAD; break;
    case 8: opcode = SLUICE_OPCODE_HASH; break;
    case 9: opcode = rnd(3) ? SLUICE_OPCODE_NOP : SLUICE_OPCODE_CJUMP + rnd(3); break;
    case 10:
    case 11: opcode = rnd(20) ? SLUICE_OPCODE_NOP : SLUICE_OPCODE_EOF; break;
  }
  return rnd(64) << 9 | rnd(4) << 7 | opcode;
}

static void random_packet(void) {
  static const int width[4] = {0, 16, 32, 48};
  phv = (struct phv){.vid = (int)rnd(8) * 32 + (int)rnd(4),
                     .bank = model.shape.banks > 1 ? (int)rnd(2) : 0};
  for (int t = 1; t < 4; t++)
    for (int i = 0; i < 8; i++) {
      const uint64_t v = rnd(4) ? rnd(64) : (uint64_t)rnd(0) << 32 | rnd(0);
      phv.c[t][i] = v & ((1ull << width[t]) - 1);
    }
  memset(&sent, 0, sizeof sent);
  sent.valid = rnd(5) != 0;
  sent.known = rnd(8) != 0;
  sent.preload = rnd(2);
  sent.id = some_id() % num_ids;
  sent.mar = rnd(0);
  for (int i = 0; i < 4; i++) sent.data[i] = rnd(0);
  bool ended = false;
  for (int i = 0; i < num_stages; i++) {
    const unsigned op = some_op();
    ended = ended || capsule_opcode(op) == SLUICE_OPCODE_EOF;
    sent.ops[i] = ended ? 0 : op;
  }
  // The edges of the region of some stage.
  const struct bits *r = &region[rnd(state_stages)][phv.bank * num_ids + (int)sent.id];
  const uint32_t low = GET(r, REGION_LOW), high = GET(r, REGION_HIGH);
  const uint32_t near[] = {low, low - 1, high, high + 1, low + rnd(60), low + rnd(4)};
  if (rnd(10)) sent.data[0] = (sent.data[0] & 0xfff00000) | (near[rnd(6)] & 0xfffff);
}

// ---- calls of the test bench
void rs_start(int pipes, int n2, int n4, int n6, int modules, int banks, int slots, int ids,
              int stages, int state, int seed);
void rs_start(int pipes, int n2, int n4, int n6, int modules, int banks, int slots, int ids,
              int stages, int state, int seed) {
  model.shape = (struct shape){.back = true,
                               .pipes = pipes,
                               .num = {0, n2, n4, n6},
                               .modules = modules,
                               .banks = banks,
                               .slots = slots};
  num_ids = ids;
  num_stages = stages;
  state_stages = state;
  random_start(seed);
}

/// A packet in this cycle? The number of sets changes only while none is inside.
int rs_drive(void);
int rs_drive(void) {
  cycle++;
  quiet = cycle % PHASE < 8;
  if (cycle % PHASE == 6) sets = model.shape.pipes > 1 ? (int)rnd(2) : 0;
  const bool drives = !quiet && rnd(8) != 0;
  int row = -1, id = -1;
  if (drives) {
    random_packet();
    resolve(&expected[cycle & 3]);
    num_packets++;
    num_capsules += sent.valid;
    row = entry_of(&model, &phv);
    id = phv.bank * num_ids + (int)sent.id;
  }
  // A write takes effect behind the packet of its first cycle; if that read the entry, behind the
  // packet of the second.
  if (job.busy && job.cycles == 2) job.late = job.index == (job.table == 2 ? id : row);
  if (job.busy && job.cycles == (job.late ? 1 : 2))
    *entry(job.table, job.stage, job.index) = job.data;
  return drives;
}
int rs_sets(void);
int rs_sets(void) { return sets; }
long long capsule_field(int what, int field, int i);
long long capsule_field(int what, int field, int i) { return what ? 0 : field_of(&sent, field, i); }
long long rs_phv(int type, int i);
long long rs_phv(int type, int i) {
  return type ? (long long)phv.c[type][i] : i ? phv.bank : phv.vid;
}

/// The stage's access of the packet driven three cycles ago: bit 0 there is one, 1 pinned, pipeline
/// from bit 4, slot from bit 8; of stage -1 how many were out of bounds.
int rs_expect(int stage);
int rs_expect(int stage) {
  const struct expected *e = &expected[(cycle + 1 - 3) & 3];
  return stage < 0
             ? e->refused
             : e->access[stage] | e->pinned[stage] << 1 | e->pipe[stage] << 4 | e->slot[stage] << 8;
}

/// The control write that the bench drives in this cycle. 0: none; else 1 + table, stage from bit
/// 4, index from bit 12.
int rs_write(long long *data);
int rs_write(long long *data) {
  if (job.busy && job.cycles-- > 0) {
    *data = (long long)bits_get(&job.data, 63, 0);
    return (1 + job.table) | job.stage << 4 | job.index << 12;
  }
  job.busy = false;
  if (cycle < 3000 ? rnd(4) != 0 : rnd(16) == 0) new_job();
  return 0;
}

void rs_report(void);
void rs_report(void) {
  printf("PASS %ld packets, %ld capsules, %ld accesses (%ld of programs), %ld addresses known, %ld "
         "out of bounds, %ld writes, %ld cycles\n",
         num_packets, num_capsules, num_accesses, num_program, num_known, num_refused, num_writes,
         cycle);
}
