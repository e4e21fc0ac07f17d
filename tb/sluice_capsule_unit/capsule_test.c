// SPDX-License-Identifier: Apache-2.0
/// The C side of tb_sluice_capsule_unit: random tables, packets and control writes, and what must
/// come out. One back unit. The test bench calls once a cycle, in this order: cu_begin, cu_expect
/// (if a packet leaves), cu_drive, cu_write. A run is a row of phases: tables of the program are
/// written while no packet is inside; then packets come, most of them on few words, while REGION
/// and ADDRESS are written.
#include "sluice_capsule_unit/capsule_model.h"
#include "sluice_back_unit/stage_test.h"

static struct bits regions[MAX_IDS], addresses[MAX_IDS];
static int num_ids, mem_slots, unit_pipe, current_stage, current_sets;
static bool late_slots, recirculates;
static long num_capsules, num_memory, num_faults, num_table_writes;

static struct capsule sent[16], left;
static struct capsule_stage at_stage[16];
static int port_in[16], rounds[16];

// ---- control writes: two cycles each, one at a time
static struct {
  int table, index, cycles;  // cycles left of it
  bool busy, late, live;     // late: takes effect a cycle later; live: beside packets
  struct bits data;
  uint64_t words[10];
} job;
static long next_job;

static int id_row(const struct phv *p, unsigned id) { return p->bank * num_ids + (int)id; }

static void put(int table, int index, struct bits b) {
  memset(&job, 0, sizeof job);
  job.busy = true;
  job.cycles = 2;
  job.table = table;
  job.index = index;
  job.data = b;
  put_entry(job.words, table, &b);
  num_table_writes++;
}

static void take_effect(void) {
  if (job.table == SLUICE_TABLE_REGION) regions[job.index] = job.data;
  else if (job.table == SLUICE_TABLE_ADDRESS) addresses[job.index] = job.data;
  else table_write(job.table, job.index, &job.data);
}

static struct bits random_region(void) {
  struct bits b = {{0}};
  SET(&b, REGION_VALID, rnd(12) != 0);
  SET(&b, REGION_SHARDED, rnd(3) == 0);
  SET(&b, REGION_PIPE, rnd(16));
  uint32_t low = rnd(4) ? rnd(6) : rnd(2) ? 0xfffff - rnd(3) : rnd(1 << 20);
  uint32_t high = rnd(8) ? low + rnd(6) : rnd(2) ? low - 1 : 0xfffff;
  SET(&b, REGION_LOW, low);
  SET(&b, REGION_HIGH, high > 0xfffff ? 0xfffff : high);
  SET(&b, REGION_BASE,
      rnd(4)   ? rnd(4)
      : rnd(4) ? (uint32_t)model.shape.slots - rnd(4)
               : 0xffff - rnd(4));
  return b;
}

static struct bits random_address(void) {
  struct bits b = random_bits(64);
  SET(&b, ADDRESS_VALID, rnd(8) != 0);
  SET(&b, ADDRESS_K, rnd(8) ? rnd(3) : rnd(32));
  if (rnd(2)) SET(&b, ADDRESS_MASK, rnd(8));
  if (rnd(2)) SET(&b, ADDRESS_OFFSET, rnd(8));
  return b;
}

// Most packets are of four ids.
static int some_id(void) { return rnd(6) ? (int)rnd(4) : (int)rnd(num_ids); }

static void write_ids(void) {
  int index = (model.shape.banks > 1 ? (int)rnd(2) * num_ids : 0) + some_id();
  bool region = rnd(3) != 0;
  put(region ? SLUICE_TABLE_REGION : SLUICE_TABLE_ADDRESS, index,
      region ? random_region() : random_address());
}

static void next_config(void) {
  int s = step_in_phase++;
  const int overlay = 12 * model.shape.banks, rows = model.shape.rows;
  if (s == 0) {
    dense = phase % 2 == 1;
    late_slots = phase % 5 == 4;
    current_stage = rnd(20);
    current_sets = rnd(2) && model.shape.pipes > 1 ? (model.shape.pipes > 2 && rnd(2) ? 2 : 1) : 0;
    for (int i = 0; i < 4; i++)
      vids[i] = dense && i ? vids[0] : (int)(rnd(8) * 32 + rnd(model.shape.modules / 2));
  }
  if (s < overlay) {
    static const int by_row[] = {SLUICE_TABLE_KEY_MASK, SLUICE_TABLE_SEGMENT, SLUICE_TABLE_ACCESS};
    struct bits b = random_entry(by_row[s % 3]);
    if (s % 3 == 0)
      for (int i = 0; i < SLUICE_KEY_BITS; i++) bits_set(&b, i, i, 1);
    if (s % 3 == 2 && late_slots) SET(&b, ACCESS_PINNED, 1);
    put(by_row[s % 3], vids[s / 3 % 4] % model.shape.modules + s / 12 * model.shape.modules, b);
  } else if (s < overlay + 3 * rows) {
    static const int by_match[] = {SLUICE_TABLE_MATCH, SLUICE_TABLE_ACTION,
                                   SLUICE_TABLE_STATE_INSTR};
    int part = (s - overlay) % 3;
    put(by_match[part], (s - overlay) / 3, random_entry(by_match[part]));
  } else if (s < overlay + 3 * rows + 40) {
    write_ids();
  } else {
    mode = TRAFFIC;
    mode_cycle = cycle;
    load = (const int[]){100, 100, 70, 20}[rnd(4)];
  }
}

// ---- packets
static uint32_t some_value(void) { return rnd(3) ? rnd(4) : rnd(4) ? rnd(0) : 0xffffffff; }

static unsigned some_op(void) {
  unsigned opcode = rnd(96);
  switch (rnd(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: opcode = SLUICE_OPCODE_MEM_WRITE + rnd(6); break;
    case 5: opcode = SLUICE_OPCODE_HASH; break;
    case 6: opcode = SLUICE_OPCODE_ADDR_MASK_0 + rnd(8); break;
    case 7: opcode = SLUICE_OPCODE_RETURN + rnd(11); break;
    case 8: opcode = rnd(128); break;
  }
  return (rnd(2) ? rnd(4) : rnd(64)) << 9 | rnd(2) << 8 | (rnd(3) == 0) << 7 | opcode;
}

static struct capsule random_capsule(const struct phv *p) {
  struct capsule c = {.valid = true,
                      .known = rnd(10) != 0,
                      .drop = rnd(2),
                      .report = rnd(2),
                      .preload = rnd(2),
                      .skip = rnd(6) == 0,
                      .skip_numbered = rnd(2),
                      .returned = rnd(8) == 0,
                      .first_fault = rnd(8) == 0,
                      .forked = recirculates && rnd(8) == 0,
                      .count = rnd(0),
                      .delay = recirculates ? rnd(65536) : 0,
                      .depth = recirculates ? rnd(8) : 0,
                      .fault = rnd(8) == 0};
  c.complete = !c.skip && rnd(12) == 0;
  c.id = some_id();
  c.length = rnd(43);
  c.skip_label = rnd(4);
  c.late = rnd(3) ? 0 : rnd(3);
  c.mbr = some_value();
  c.mbr2 = rnd(8) ? some_value() : c.mbr;
  for (int i = 0; i < 5; i++) c.hash[i] = rnd(0);
  for (int i = 0; i < 4; i++) c.data[i] = rnd(0);
  c.src = rnd(0);
  c.dst = rnd(0);
  c.sport = rnd(65536);
  c.dport = rnd(65536);
  for (int i = 0; i < MAX_STAGES; i++) c.ops[i] = some_op();
  // The edges of the region that its id has now.
  const struct bits *r = &regions[id_row(p, c.id)];
  const uint32_t low = GET(r, REGION_LOW), high = GET(r, REGION_HIGH);
  switch (rnd(12)) {
    case 0: c.mar = low - 1; break;
    case 1: c.mar = high; break;
    case 2: c.mar = high + 1; break;
    case 3: c.mar = rnd(0); break;
    case 4: c.mar = low + rnd(6); break;
    default: c.mar = low; break;
  }
  c.mar &= 0xfffff;
  if (rnd(2)) c.mar |= rnd(0) & 0xfff00000;
  return c;
}

// ---- calls of the test bench
void cu_start(int pipes, int ports, int n2, int n4, int n6, int rows, int modules, int banks,
              int slots, int memory, int pairs, int shifters, int ids, int cycles, int pipe,
              int seed, int phases);
void cu_start(int pipes, int ports, int n2, int n4, int n6, int rows, int modules, int banks,
              int slots, int memory, int pairs, int shifters, int ids, int cycles, int pipe,
              int seed, int phases) {
  model.shape = (struct shape){.back = true,
                               .pipes = pipes,
                               .ports = ports,
                               .num = {0, n2, n4, n6},
                               .rows = rows,
                               .modules = modules,
                               .banks = banks,
                               .slots = slots,
                               .granule = 1,
                               .pairs = pairs,
                               .shifters = shifters};
  num_ids = ids;
  mem_slots = memory;
  unit_pipe = pipe;
  latency = cycles;
  num_phases = phases;
  random_start(seed);
}

/// The chip recirculates packets.
void cu_recirculates(int is);
void cu_recirculates(int is) { recirculates = is; }

/// Start of a cycle. 0: go on, 1: done, 2: failed.
int cu_begin(void);
int cu_begin(void) {
  cycle++;
  if (failed) return 2;
  if (mode == TRAFFIC && cycle - mode_cycle > 600) mode = DRAIN, mode_cycle = cycle;
  if (mode == DRAIN && cycle - mode_cycle > 6 + latency) {
    mode = ++phase < num_phases ? CONFIGURE : DONE;
    step_in_phase = 0;
  }
  return mode == DONE;
}

/// What does not change in a phase: 0 the stage, 1 log2 of the sets, 2 sharded slots are found
/// late.
int cu_setting(int which);
int cu_setting(int which) {
  return which == 0 ? current_stage : which == 1 ? current_sets : late_slots;
}

/// The packet driven `latency` cycles ago leaves now. Bits: 0 hit, 1 operation is reported, 2 it is
/// refused, 3 a fault or refused operation counts, 4 operation counts; slot from bit 8.
int cu_expect(void);
int cu_expect(void) {
  const int at = (cycle - latency) & 15;
  result[0] = driven[0][at];
  left = sent[at];
  capsule_finish(&left);
  model.taken = left.valid && capsule_is_memory(left.ops[0]);
  struct effect e = run_stage(&model, unit_pipe, with[0][at].granted, with[0][at].slot, &result[0]);
  const struct capsule_effect c = capsule_step(&model, &at_stage[at], &left);
  if (c.dest) result[0].dest = model.shape.ports > 8 ? c.port : c.port > 7 ? 0 : 1 << c.port;
  if (c.drop) result[0].discard = 1;
  if (c.op) e.op = true, e.slot = c.slot;
  if (c.refused) e.op = e.refused = true;
  num_packets++;
  num_capsules += left.valid;
  num_memory += c.op;
  num_faults += c.refused;
  num_hits += e.hit;
  num_ops += e.op && !e.refused;
  num_refused += e.op && e.refused;
  return e.hit | e.op << 1 | (e.op && e.refused) << 2 | (e.op && e.refused) << 3 |
         (e.op && !e.refused) << 4 | e.slot << 8;
}

/// Next packet: bit 0 valid, 1 access granted, 3 pinned; slot from bit 8.
int cu_drive(void);
int cu_drive(void) {
  const int at = cycle & 15;
  int read_row = -1;
  const bool drives = mode == TRAFFIC && rnd(100) < (uint32_t)load;
  if (drives) {
    struct phv *p = &driven[0][at];
    *p = random_phv();
    struct capsule *c = &sent[at];
    *c = (struct capsule){.valid = false};
    if (rnd(5)) *c = random_capsule(p);
    const bool takes = c->valid && capsule_is_memory(c->ops[0]);
    with[0][at].granted = rnd(10) != 0;
    port_in[at] = rnd(4) ? rnd(model.shape.ports) : rnd(256);
    rounds[at] = recirculates && rnd(2) ? 1 + rnd(255) : 0;
    if (c->valid) read_row = id_row(p, c->id);
    // Without phantoms what was resolved does not count.
    const bool pinned = takes ? !GET(&regions[read_row], REGION_SHARDED)
                              : GET(&model.access[entry_of(&model, p)], ACCESS_PINNED);
    with[0][at].slot = late_slots ? -1
                                  : resolved_slot(pinned, takes ? mem_slots : model.shape.slots);
    at_stage[at] = (struct capsule_stage){.stage = current_stage,
                                          .pipe = unit_pipe,
                                          .sets = current_sets,
                                          .state = true,
                                          .late_slot = late_slots,
                                          .granted = with[0][at].granted,
                                          .slot = with[0][at].slot,
                                          .port_in = port_in[at],
                                          .recirculates = recirculates,
                                          .later = rounds[at]};
    if (c->valid)
      at_stage[at].region = regions[read_row], at_stage[at].address = addresses[read_row];
  }
  // A write takes effect behind the packet of its first cycle; if that read the entry, behind the
  // packet of the second.
  if (job.busy && job.cycles == 2) job.late = read_row == job.index;
  if (job.busy && job.cycles == (job.late ? 1 : 2)) take_effect();
  return drives ? 1 | with[0][at].granted << 1 | slot_bits(with[0][at].slot) : 0;
}

/// Of what: 0 sent now, 1 what must leave. Numbers of fields are those of tb/capsule.svh.
long long capsule_field(int what, int field, int i);
long long capsule_field(int what, int field, int i) {
  return field_of(what ? &left : &sent[cycle & 15], field, i);
}
long long cu_packet(int what, int type, int i);
long long cu_packet(int what, int type, int i) {
  const struct phv *p = what ? &result[0] : &driven[0][cycle & 15];
  if (type) return (long long)p->c[type][i];
  return i == 0   ? p->dest
         : i == 1 ? p->discard
         : i == 2 ? p->vid
         : i == 3 ? p->bank
         : i == 4 ? port_in[cycle & 15]
                  : rounds[cycle & 15];
}

/// The control write that the bench drives in this cycle. 0: none; else 1 + table, and the index
/// from bit 8.
int cu_write(void);
int cu_write(void) {
  if (job.busy && job.cycles-- > 0) return (1 + job.table) | job.index << 8;
  if (job.busy) {
    job.busy = false;
    next_job = cycle + 1;
    return 0;
  }
  if (cycle < next_job) return 0;
  if (mode == CONFIGURE) next_config();
  else if (mode == TRAFFIC && rnd(4) == 0) write_ids();
  return 0;
}
long long cu_word(int i);
long long cu_word(int i) { return (long long)job.words[i]; }

/// A spare slot, which nobody clears, at the start.
void cu_spare(int slot, int s1, int s2);
void cu_spare(int slot, int s1, int s2) {
  model.mem[unit_pipe][slot][0] = (uint32_t)s1;
  model.mem[unit_pipe][slot][1] = (uint32_t)s2;
}

/// A word of the memory at the end. 1: as it must be.
int cu_memory(int slot, int s1, int s2);
int cu_memory(int slot, int s1, int s2) {
  const uint32_t *is = model.mem[unit_pipe][slot];
  if (is[0] == (uint32_t)s1 && is[1] == (uint32_t)s2) return 1;
  FAIL("slot %d is %08x %08x, not %08x %08x", slot, s1, s2, is[0], is[1]);
  return 0;
}

void cu_report(void);
void cu_report(void) {
  printf("PASS %ld packets, %ld capsules, %ld accesses, %ld faults, %ld state operations, %ld "
         "refused, %ld hits, %ld table writes, %ld cycles\n",
         num_packets, num_capsules, num_memory, num_faults, num_ops, num_refused, num_hits,
         num_table_writes, cycle);
}
