// SPDX-License-Identifier: Apache-2.0
#include "interpreter.h"

#include <stdlib.h>

#include "../base/status.h"

enum { ADDRESS = 0xfffff, SALT = 0x5093, PORT = 0x1ff, CHIP_PORT = 0xff, PROTOCOL_TCP = 6 };

// ---- machines -----------------------------------------------------------------------------------

struct active_region active_region_physical(uint32_t first, uint32_t last) {
  return (struct active_region){
      .valid = true, .low = first, .high = last, .mask = last - first, .add = first};
}

struct active_region active_region_virtual(uint32_t first, uint32_t last) {
  return (struct active_region){
      .valid = true, .high = last - first, .offset = first, .mask = last - first};
}

enum sluice_status active_machine_init(struct active_machine *m, struct active_shape shape,
                                       uint32_t words, unsigned num_fids,
                                       struct sluice_error *error) {
  *m = (struct active_machine){.shape = shape, .words = words, .num_fids = num_fids};
  if (!shape.stages || shape.stages > ACTIVE_ADDR_STAGES || shape.again >= shape.stages || !words ||
      words > ADDRESS + 1u || !num_fids || num_fids > 65536)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "an interpreter has 1 to %d stages, passes that begin at one of them, 1 to "
                       "%d words a stage, and 1 to 65536 programs",
                       ACTIVE_ADDR_STAGES, ADDRESS + 1);
  m->memory = calloc((size_t)shape.stages * words, sizeof *m->memory);
  m->regions = calloc((size_t)num_fids * shape.stages, sizeof *m->regions);
  m->tenants = calloc(num_fids, sizeof *m->tenants);
  if (m->memory && m->regions && m->tenants) return SLUICE_OK;
  active_machine_release(m);
  return sluice_no_memory(error);
}

void active_machine_release(struct active_machine *m) {
  free(m->memory);
  free(m->regions);
  free(m->tenants);
  *m = (struct active_machine){0};
}

struct active_region *active_machine_region(struct active_machine *m, unsigned fid,
                                            unsigned stage) {
  if (fid >= m->num_fids || stage >= m->shape.stages) return NULL;
  return &m->regions[(size_t)fid * m->shape.stages + stage];
}

const char *active_end_name(enum active_end end) {
  static const char *const names[] = {
      [ACTIVE_END_RETURN] = "RETURN", [ACTIVE_END_EOF] = "EOF",       [ACTIVE_END_DROP] = "DROP",
      [ACTIVE_END_FAULT] = "FAULT",   [ACTIVE_END_BUDGET] = "BUDGET", [ACTIVE_END_FORK] = "FORK",
      [ACTIVE_END_NO_FID] = "NO_FID"};
  return names[end];
}

// ---- one run ------------------------------------------------------------------------------------

struct run {
  struct active_machine *m;
  const struct active_capsule *capsule;
  const struct active_packet *packet;
  struct active_result *result;
  struct active_registers r;
  struct active_args args;
  uint32_t source, dest;  // as they are now
  bool came_swapped;      // to this pass: by an RTS before a FORK
  bool complete, dropped, duplicate;
  enum active_end end, drop_end;
  bool has_port, swapped;
  unsigned port;
  bool skipping, numbered;  // a skip is pending; it is that of a NUMBERED jump with `label`
  unsigned label;
  unsigned position, stage;
  unsigned begin;  // position at which the pass began; a skip was pending then
  bool begin_skipping;
  struct active_step step;
};

static bool chip(const struct run *run) { return run->m->shape.rules == ACTIVE_RULES_CHIP; }

static void jump(struct run *run, struct active_instr in) {
  run->skipping = true;
  run->numbered = active_numbered(in);
  run->label = active_label(in);
}

static bool ends_skip(const struct run *run, struct active_instr in) {
  if (!active_target(in)) return false;
  if (run->numbered) return active_numbered(in) && active_label(in) == run->label;
  return !chip(run) || !active_numbered(in);
}

static void complete(struct run *run, enum active_end end) {
  run->complete = true;
  run->end = end;
}

// The packet is dropped at the end of the pass.
static void drop(struct run *run, enum active_end end) {
  if (!run->dropped) run->drop_end = end;
  run->dropped = true;
}

static void swap_addresses(struct run *run) {
  const uint32_t source = run->source;
  run->source = run->dest;
  run->dest = source;
}

static void return_to_sender(struct run *run) {
  run->has_port = true;
  run->port = run->packet->port;
  if (chip(run)) {
    run->swapped = true;
    return;
  }
  if (run->position >= run->m->shape.ingress) return;
  run->swapped = !run->swapped;
  swap_addresses(run);
}

static unsigned hash_number(const struct run *run, struct active_instr in) {
  if (!active_numbered(in)) return run->stage % ACTIVE_NUM_CRCS;
  const unsigned number = active_label(in) & 15;
  return number < ACTIVE_NUM_CRCS ? number : ACTIVE_NUM_CRCS - 1;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a < b ? b : a; }

// Whether the address of an access is DATA_0 whatever the program does: what the order point of a
// chip can tell before, of each pass for itself.
static bool known_address(const struct run *run) {
  bool known = run->capsule->preload && run->begin == 0, jumped = run->begin_skipping;
  for (unsigned i = run->begin; i < run->position; i++) {
    const unsigned opcode = run->capsule->program.instrs[i].opcode;
    const struct active_opcode o = active_opcode(opcode);
    jumped |= o.jump;
    if (opcode == SLUICE_OPCODE_MAR_LOAD) known |= !jumped;
    else if (o.writes & ACTIVE_MAR && opcode != SLUICE_OPCODE_ADDR_MASK &&
             opcode != SLUICE_OPCODE_ADDR_OFFSET)
      known = false;
  }
  return known;
}

static void fault(struct run *run) {
  run->step.fault = true;
  run->result->faults++;
  if (run->capsule->fid >= run->m->num_fids) return;
  struct active_tenant *tenant = &run->m->tenants[run->capsule->fid];
  tenant->faults++;
  if (tenant->drop) drop(run, ACTIVE_END_FAULT);
}

// The word that MAR means; NULL: it is out of bounds.
static uint32_t *find_word(struct run *run) {
  const struct active_region *region = active_machine_region(run->m, run->capsule->fid, run->stage);
  const uint32_t address = run->r.mar & ADDRESS;
  if (!region || !region->valid || address < region->low || address > region->high) return NULL;
  if (region->sharded && !known_address(run)) return NULL;
  const uint32_t index = (address + region->offset) & ADDRESS;
  run->step.word = index;
  return index < run->m->words ? &run->m->memory[(size_t)run->stage * run->m->words + index] : NULL;
}

// Opcodes 40..45.
static void memory(struct run *run, unsigned opcode) {
  struct active_registers *r = &run->r;
  const bool idle = opcode == SLUICE_OPCODE_MEM_WRITE_CONDZERO && r->mbr == 0;
  if (idle && !chip(run)) return;
  uint32_t *word = find_word(run);
  if (!word) {
    fault(run);
    return;
  }
  if (idle) return;
  run->result->accesses++;
  run->step.access = true;
  run->step.before = *word;
  switch (opcode) {
    case SLUICE_OPCODE_MEM_WRITE: *word = r->mbr; break;
    case SLUICE_OPCODE_MEM_READ: r->mbr = *word; break;
    case SLUICE_OPCODE_MEM_INCREMENT: r->mbr = ++*word; break;
    case SLUICE_OPCODE_MEM_MINREAD:
      r->mbr = *word;
      r->mbr2 = smaller(r->mbr2, r->mbr);
      break;
    case SLUICE_OPCODE_MEM_MINREADINC:
      r->mbr = ++*word;
      r->mbr2 = smaller(r->mbr2, r->mbr);
      break;
    case SLUICE_OPCODE_MEM_WRITE_CONDZERO:
      if (*word == 0) {
        *word = r->mbr2;
        r->mbr = 0;
      } else {
        r->mbr = r->mbr2 - *word;
      }
      break;
    default: break;
  }
  run->step.after = *word;
}

// Opcodes 52..91: ADDR_MASK_k is even, ADDR_OFFSET_k odd.
static void translate(struct run *run, unsigned opcode, unsigned k) {
  const struct active_region *region = active_machine_region(run->m, run->capsule->fid, k);
  if (!region || !region->valid) return;
  if (opcode % 2 == 0) run->r.mar &= region->mask;
  else run->r.mar += region->add;
}

static void execute(struct run *run, struct active_instr in) {
  struct active_registers *r = &run->r;
  uint32_t *data = run->args.data;
  const bool ingress = chip(run) || run->position < run->m->shape.ingress,
             queued = chip(run) ? run->result->passes > 1 : !ingress;
  const uint32_t mbr = r->mbr;
  unsigned k;
  switch (in.opcode) {
    case SLUICE_OPCODE_NOP: break;
    case SLUICE_OPCODE_RETURN: complete(run, ACTIVE_END_RETURN); break;
    case SLUICE_OPCODE_CRET:
      if (r->mbr != 0) complete(run, ACTIVE_END_RETURN);
      break;
    case SLUICE_OPCODE_CRETI:
      if (r->mbr == 0) complete(run, ACTIVE_END_RETURN);
      break;
    case SLUICE_OPCODE_DROP: drop(run, ACTIVE_END_DROP); break;
    case SLUICE_OPCODE_FORK: run->duplicate = true; break;
    case SLUICE_OPCODE_SET_DST:
      run->has_port = true;
      run->port = r->mbr & (chip(run) ? CHIP_PORT : PORT);
      break;
    case SLUICE_OPCODE_CJUMP:
      if (r->mbr != 0) jump(run, in);
      break;
    case SLUICE_OPCODE_CJUMPI:
      if (r->mbr == 0) jump(run, in);
      break;
    case SLUICE_OPCODE_UJUMP: jump(run, in); break;
    case SLUICE_OPCODE_RTS: return_to_sender(run); break;
    case SLUICE_OPCODE_CRTS:
      if (r->mbr != 0) return_to_sender(run);
      break;
    case SLUICE_OPCODE_MBR_LOAD: r->mbr = data[1]; break;
    case SLUICE_OPCODE_MBR2_LOAD: r->mbr2 = data[2]; break;
    case SLUICE_OPCODE_MAR_LOAD: r->mar = data[0] & ADDRESS; break;
    case SLUICE_OPCODE_MBR_STORE: data[3] = r->mbr; break;
    case SLUICE_OPCODE_MBR_EQUALS_MBR2: r->mbr ^= r->mbr2; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_0: r->mbr ^= data[0]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_1: r->mbr ^= data[1]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_2: r->mbr ^= data[2]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_3: r->mbr ^= data[3]; break;
    case SLUICE_OPCODE_MAX: r->mbr = larger(r->mbr, r->mbr2); break;
    case SLUICE_OPCODE_MIN: r->mbr = smaller(r->mbr, r->mbr2); break;
    case SLUICE_OPCODE_REVMIN: r->mbr2 = smaller(r->mbr, r->mbr2); break;
    case SLUICE_OPCODE_SWAP_MBR_MBR2:
      r->mbr = r->mbr2;
      r->mbr2 = mbr;
      break;
    case SLUICE_OPCODE_MBR_NOT: r->mbr = ~r->mbr; break;
    case SLUICE_OPCODE_MBR_SUBTRACT_MBR2: r->mbr -= r->mbr2; break;
    case SLUICE_OPCODE_MAR_ADD_MBR: r->mar += r->mbr; break;
    case SLUICE_OPCODE_MAR_ADD_MBR2: r->mar += r->mbr2; break;
    case SLUICE_OPCODE_MBR_ADD_MBR2: r->mbr += r->mbr2; break;
    case SLUICE_OPCODE_MAR_MBR_ADD_MBR2: r->mar = r->mbr + r->mbr2; break;
    case SLUICE_OPCODE_BIT_AND_MAR_MBR: r->mar &= r->mbr; break;
    case SLUICE_OPCODE_BIT_OR_MBR_MBR2: r->mbr |= r->mbr2; break;
    case SLUICE_OPCODE_COPY_MBR2_MBR: r->mbr2 = r->mbr; break;
    case SLUICE_OPCODE_COPY_MBR_MBR2: r->mbr = r->mbr2; break;
    case SLUICE_OPCODE_COPY_MAR_MBR: r->mar = r->mbr; break;
    case SLUICE_OPCODE_COPY_MBR_MAR: r->mbr = r->mar; break;
    case SLUICE_OPCODE_COPY_HASHDATA_MBR: r->h[0] = r->mbr; break;
    case SLUICE_OPCODE_COPY_HASHDATA_MBR2: r->h[1] = r->mbr2; break;
    case SLUICE_OPCODE_MEM_WRITE:
    case SLUICE_OPCODE_MEM_READ:
    case SLUICE_OPCODE_MEM_INCREMENT:
    case SLUICE_OPCODE_MEM_MINREAD:
    case SLUICE_OPCODE_MEM_MINREADINC:
    case SLUICE_OPCODE_MEM_WRITE_CONDZERO: memory(run, in.opcode); break;
    case SLUICE_OPCODE_HASH: r->mar = active_hash(hash_number(run, in), r->h); break;
    case SLUICE_OPCODE_LOAD_SALT: r->mbr = SALT; break;
    case SLUICE_OPCODE_LOAD_TCP_5TUPLE:
      if (!ingress) break;
      r->h[0] = run->source;
      r->h[1] = run->dest;
      r->h[2] = PROTOCOL_TCP;
      r->h[3] = run->packet->sport;
      r->h[4] = run->packet->dport;
      break;
    case SLUICE_OPCODE_LOAD_QDELAY:
      if (queued) r->mbr = run->packet->queue_delay;
      break;
    case SLUICE_OPCODE_LOAD_QUEUE:
      if (queued) r->mbr = run->packet->queue_depth;
      break;
    case SLUICE_OPCODE_LOAD_PKTCOUNT: r->mbr = run->packet->count; break;
    case SLUICE_OPCODE_MBR_STORE_ALT: data[1] = r->mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT2: data[2] = r->mbr; break;
    default:  // the placeholders ADDR_MASK and ADDR_OFFSET, and opcodes that there are not: nothing
      if (active_addr(in.opcode, &k)) translate(run, in.opcode, k);
      break;
  }
}

static void leave(struct run *run, enum active_end end) {
  struct active_leaving *l = &run->result->leaving[run->result->num_leaving++];
  const unsigned fid = run->capsule->fid;
  const bool done = !run->dropped && (end == ACTIVE_END_RETURN || end == ACTIVE_END_EOF);
  *l = (struct active_leaving){
      .end = run->dropped ? run->drop_end : end,
      .dropped = run->dropped,
      .done = done,
      .has_port = run->has_port,
      .port = run->port,
      .swapped = run->swapped != run->came_swapped,
      .fault = run->result->faults && fid < run->m->num_fids && run->m->tenants[fid].report,
      .consumed = done ? run->capsule->program.num : run->position,
      .args = run->args,
  };
}

// The original leaves. On the chip the copy begins with the addresses that it left with.
static void fork_copy(struct run *run) {
  leave(run, ACTIVE_END_FORK);
  if (!chip(run) || !run->swapped) return;
  swap_addresses(run);
  run->came_swapped = !run->came_swapped;
  run->swapped = false;
}

static void begin_step(struct run *run, struct active_instr in) {
  run->stage = active_stage(run->m->shape, run->position);
  run->step = (struct active_step){.position = run->position,
                                   .pass = active_pass(run->m->shape, run->position),
                                   .stage = run->stage,
                                   .instr = in};
}

static void end_step(struct run *run, active_trace *trace, void *user) {
  run->step.registers = run->r;
  run->step.args = run->args;
  if (trace) trace(&run->step, user);
}

// One position. EOF ends the program whatever is skipped.
static void step(struct run *run) {
  const struct active_program *program = &run->capsule->program;
  if (run->position == program->num) {
    begin_step(run, (struct active_instr){0, SLUICE_OPCODE_EOF});
    run->step.pass = run->result->passes - 1;
    complete(run, ACTIVE_END_EOF);
    run->result->executed++;
    return;
  }
  const struct active_instr in = program->instrs[run->position];
  begin_step(run, in);
  if (run->skipping) {
    run->step.skipped = true;
    run->result->skipped++;
    if (ends_skip(run, in)) run->skipping = false;
    return;
  }
  run->result->executed++;
  execute(run, in);
}

void active_run(struct active_machine *machine, const struct active_capsule *capsule,
                const struct active_packet *packet, struct active_result *result,
                active_trace *trace, void *user) {
  struct run run = {.m = machine,
                    .capsule = capsule,
                    .packet = packet,
                    .result = result,
                    .args = capsule->args,
                    .source = packet->source,
                    .dest = packet->dest};
  result->num_leaving = result->passes = result->executed = result->skipped = 0;
  result->accesses = result->faults = 0;
  if (capsule->preload) {
    run.r.mar = capsule->args.data[0];
    run.r.mbr = capsule->args.data[1];
    run.r.mbr2 = capsule->args.data[2];
  }
  if (capsule->fid >= machine->num_fids && !chip(&run)) complete(&run, ACTIVE_END_NO_FID);
  else result->passes = 1;
  while (!run.complete) {
    const unsigned pass = active_pass(machine->shape, run.position);
    const bool last = chip(&run) && run.position == capsule->program.num;  // EOF takes no stage
    if (pass == result->passes && !last) {  // the pass before is over
      if (run.dropped) break;
      if (result->passes == packet->budget || result->passes == ACTIVE_MAX_PASSES) {
        complete(&run, ACTIVE_END_BUDGET);
        break;
      }
      if (run.duplicate) fork_copy(&run);
      run.duplicate = false;
      run.begin = run.position;
      run.begin_skipping = run.skipping;
      result->passes++;
    }
    step(&run);
    end_step(&run, trace, user);
    run.position++;
  }
  // The position behind the last one that was executed; EOF is none of the program's instructions.
  if (run.position > capsule->program.num) run.position = capsule->program.num;
  leave(&run, run.end);
  result->registers = run.r;
}
