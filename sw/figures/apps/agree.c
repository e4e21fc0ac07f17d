// SPDX-License-Identifier: Apache-2.0
#include "agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/status.h"
#include "../../session/session.h"
#include "../../active/assemble.h"
#include "../../active/random_capsule.h"

// Regions are made anew for each batch, and words are compared behind it.
enum { VID = 5, IDS = 3, MOST_SLOTS = 32, BATCH = 500, FRAME = 600, MOST_ROUNDS = 3 };
enum { PASS = 200, STEP = 16, LATE = 2000 };  // cycles
enum { STAGES = 20, LANES = 16, FAULT_IDS = 16, LONGEST = 28, ALONE_OPCODES = 128 };

struct expected {
  unsigned port;
  size_t len;
  uint8_t bytes[FRAME];
};

struct pair {
  const struct agree *agree;
  struct active_net *net;
  struct sluice_chip *chip;
  struct session session;
  struct sluice_chip_info info;
  struct sluice_rng rng;
  struct active_machine machine;
  unsigned programs, slots, bank, longest, most_rounds, rounds[IDS + 1];
  struct sluice_active_region place[IDS + 1][STAGES];
  uint32_t k[IDS + 1][STAGES];  // of ADDR_MASK_k and ADDR_OFFSET_k in a stage
  uint32_t count[IDS + 1][LANES], faults[IDS + 1];
  uint32_t *before, *after;  // words of the memory that are ours: [stage * entries(p) + entry]
  struct app_result *result;
  // The packet that is inside, and what must leave; copies that have left
  uint8_t frame[FRAME];
  size_t len;
  struct expected want[MOST_ROUNDS + 1];
  unsigned num_wanted, came;
  uint64_t passes;
  bool executed[256];  // opcodes
};

static unsigned below(struct pair *p, unsigned n) { return (unsigned)sluice_rng_below(&p->rng, n); }
static unsigned entries(const struct pair *p) { return (IDS + 1) * p->slots * p->info.pipes; }

// ---- tables -------------------------------------------------------------------------------------

static enum sluice_status make_tenant(struct pair *p, unsigned id, struct sluice_error *error) {
  struct active_tenant *t = &p->machine.tenants[id];
  p->rounds[id] = below(p, p->most_rounds + 1);
  *t = (struct active_tenant){.drop = below(p, 4) == 0, .report = below(p, 2)};
  const struct sluice_active_tenant entry = {
      .valid = true, .drop = t->drop, .report = t->report, .rounds = p->rounds[id]};
  return sluice_chip_tenant_set(p->chip, VID, p->bank, id, &entry, error);
}

// Word i of the region is word id * slots + i of the interpreter.
static enum sluice_status make_region(struct pair *p, unsigned id, unsigned stage,
                                      struct sluice_error *error) {
  struct active_region *r = active_machine_region(&p->machine, id, stage);
  struct sluice_active_region *at = &p->place[id][stage];
  unsigned words = below(p, 4) ? p->slots - below(p, 4) : 1 + below(p, p->slots);
  *r = (struct active_region){.valid = below(p, 8) != 0, .sharded = below(p, 3) == 0};
  r->low = below(p, 2) ? 0 : below(p, 4) ? below(p, 8) : 0xfffe0 + below(p, 32);
  if (words > 0x100000 - r->low) words = 0x100000 - r->low;
  r->high = r->low + words - 1;
  r->offset = id * p->slots - r->low;
  r->mask = below(p, 2) ? p->slots - 1 : (uint32_t)sluice_rng_next(&p->rng) & 0xfffff;
  r->add = below(p, 2) ? r->low : (uint32_t)sluice_rng_next(&p->rng) & 0xfffff;
  *at = (struct sluice_active_region){.valid = r->valid,
                                      .sharded = r->sharded,
                                      .pipe = r->sharded ? 0 : below(p, p->info.pipes),
                                      .low = r->low,
                                      .high = r->high,
                                      .base = id * p->slots};
  struct sluice_active_region entry = *at;
  if (p->agree->widen && entry.high < 0xfffff) entry.high++;
  return sluice_chip_region_set(p->chip, VID, p->bank, id, stage, &entry, error);
}

static enum sluice_status make_address(struct pair *p, unsigned id, unsigned stage,
                                       struct sluice_error *error) {
  const unsigned stages = p->info.back_stages,
                 k = p->k[id][stage] = p->agree->alone ? (stage + id) % stages : below(p, stages);
  const struct active_region *r = active_machine_region(&p->machine, id, k);
  const struct sluice_active_address entry = {r->valid, k, r->mask, r->add};
  return sluice_chip_address_set(p->chip, VID, p->bank, id, stage, &entry, error);
}

static enum sluice_status make_tables(struct pair *p, struct sluice_error *error) {
  sluice_chip_active_gather(p->chip);
  for (unsigned id = 1; id <= IDS; id++) {
    SLUICE_TRY(make_tenant(p, id, error));
    for (unsigned s = 0; s < p->info.back_stages; s++) SLUICE_TRY(make_region(p, id, s, error));
    for (unsigned s = 0; s < p->info.back_stages; s++) SLUICE_TRY(make_address(p, id, s, error));
  }
  return sluice_chip_active_send(p->chip, error);
}

// ---- words --------------------------------------------------------------------------------------

// Entry of the array that a word of a region is.
static unsigned entry_of(const struct pair *p, unsigned id, unsigned stage, unsigned word) {
  const struct sluice_active_region *r = &p->place[id][stage];
  return r->sharded ? r->base * p->info.pipes + word : (r->base + word) * p->info.pipes + r->pipe;
}

static uint32_t *machine_word(struct pair *p, unsigned id, unsigned stage, unsigned word) {
  return &p->machine.memory[stage * p->machine.words + id * p->slots + word];
}

static void take_words(struct pair *p) {
  for (unsigned id = 1; id <= IDS; id++)
    for (unsigned s = 0; s < p->info.back_stages; s++)
      for (unsigned i = 0; i <= p->place[id][s].high - p->place[id][s].low; i++)
        *machine_word(p, id, s, i) = p->before[s * entries(p) + entry_of(p, id, s, i)];
}

// What the memory must be: as before, but for what the interpreter has made of it.
static void compare_words(struct pair *p) {
  for (unsigned id = 1; id <= IDS; id++)
    for (unsigned s = 0; s < p->info.back_stages; s++)
      for (unsigned i = 0; i <= p->place[id][s].high - p->place[id][s].low; i++)
        p->before[s * entries(p) + entry_of(p, id, s, i)] = *machine_word(p, id, s, i);
  for (unsigned i = 0; i < p->info.back_stages * entries(p); i++)
    p->result->differences += p->before[i] != p->after[i];
  p->result->words += p->info.back_stages * entries(p);
}

static enum sluice_status compare_faults(struct pair *p, struct sluice_error *error) {
  for (unsigned id = 1; id <= IDS; id++) {
    uint32_t faults;
    SLUICE_TRY(sluice_chip_capsule_faults(p->chip, id, &faults, error));
    p->result->differences += faults != p->faults[id];
  }
  return SLUICE_OK;
}

// ---- programs -----------------------------------------------------------------------------------

// An opcode at a stage, between NOPs and what stores MBR, MBR2, MAR and a hash of H0..H4 in DATA_3,
// DATA_2, DATA_1 and again DATA_3. The index is that of a word of the region, or of the one behind.
static void make_alone(struct pair *p, struct active_capsule *c) {
  static const uint8_t stores[] = {
      SLUICE_OPCODE_MBR_STORE,    SLUICE_OPCODE_COPY_MBR_MBR2,     SLUICE_OPCODE_MBR_STORE_ALT2,
      SLUICE_OPCODE_COPY_MBR_MAR, SLUICE_OPCODE_MBR_STORE_ALT,     SLUICE_OPCODE_HASH,
      SLUICE_OPCODE_COPY_MBR_MAR, SLUICE_OPCODE_MBR_EQUALS_DATA_3, SLUICE_OPCODE_MBR_STORE};
  const unsigned n = (unsigned)p->result->packets, op = n % ALONE_OPCODES;
  unsigned stage = n / ALONE_OPCODES % p->info.back_stages, k;
  c->fid = 1 + below(p, IDS);
  c->preload = below(p, 4) != 0;
  // The stage that has this k for this id.
  if (active_addr(op, &k) && k < p->info.back_stages)
    for (stage = 0; p->k[c->fid][stage] != k;) stage++;
  const struct sluice_active_region *r = &p->place[c->fid][stage];
  c->args.data[0] = below(p, 4) ? r->low + below(p, r->high - r->low + 1) : r->high + below(p, 2);
  for (unsigned i = 1; i < 4; i++)
    c->args.data[i] = below(p, 3) ? (uint32_t)sluice_rng_next(&p->rng) : below(p, 3);
  for (unsigned i = 0; i < stage; i++)
    c->program.instrs[i] = (struct active_instr){0, SLUICE_OPCODE_NOP};
  c->program.instrs[stage] =
      (struct active_instr){(uint8_t)(below(p, 4) ? 0 : sluice_rng_next(&p->rng)), (uint8_t)op};
  c->program.num = stage + 1;
  for (unsigned i = 0; i < sizeof stores && c->program.num < LONGEST; i++)
    c->program.instrs[c->program.num++] = (struct active_instr){0, stores[i]};
}

// What the interpreter does not know: the program of the module chooses a port anew in each pass,
// by the destination address. So the last port of a pass counts, if the pass has set one.
struct ports {
  bool set[MOST_ROUNDS + 1];
  bool *executed;
};
static void watch(const struct active_step *step, void *user) {
  struct ports *ports = user;
  const uint8_t op = step->instr.opcode;
  if (step->skipped) return;
  ports->executed[op] = true;
  if (op == SLUICE_OPCODE_SET_DST || op == SLUICE_OPCODE_RTS ||
      (op == SLUICE_OPCODE_CRTS && step->registers.mbr))
    ports->set[step->pass] = true;
}

static enum sluice_status make_frame(struct pair *p, unsigned port, uint8_t *frame, size_t *len,
                                     struct sluice_error *error) {
  struct active_capsule random;
  if (p->agree->alone) make_alone(p, &random);
  else active_random(&p->rng, &(struct active_random){IDS, p->longest, p->slots}, &random);
  // Other ids: those that the chip has, and those that it has not.
  if (random.fid > IDS) random.fid = p->info.active_ids - 1 + random.fid % 64;
  // A copy of FORK sees what its original has written of the addresses: all of them, or they are
  // not the same twice.
  size_t least = 18;
  for (unsigned i = 0; i < random.program.num; i++) {
    struct active_instr *in = &random.program.instrs[i];
    unsigned k;
    if (in->opcode == SLUICE_OPCODE_FORK) least = 24;
    if (in->opcode == SLUICE_OPCODE_LOAD_QDELAY && !p->agree->alone)
      in->opcode = SLUICE_OPCODE_LOAD_QUEUE;
    if (!p->agree->alone && random.fid && random.fid <= IDS && active_addr(in->opcode, &k))
      in->opcode = (uint8_t)(SLUICE_OPCODE_ADDR_MASK_0 +
                             2 * p->k[random.fid][i % p->info.back_stages] + in->opcode % 2);
  }
  struct capsule c = {.tagged = true,
                      .tci = VID,
                      .flags = (uint16_t)((below(p, 2) ? CAPSULE_ARGS : 0) |
                                          (random.preload ? CAPSULE_PRELOAD : 0)),
                      .fid = (uint16_t)random.fid,
                      .args = random.args,
                      .program = random.program};
  uint8_t inner[120];
  active_net_address(below(p, p->info.ports), 1, c.addresses);
  active_net_address(port, 2, c.addresses + 6);
  for (unsigned i = 0; i < sizeof inner; i++) inner[i] = (uint8_t)sluice_rng_next(&p->rng);
  return capsule_write(&c, inner, least + below(p, 94), frame, FRAME, len, error);
}

static enum sluice_status expect(struct pair *p, unsigned port, const uint8_t *frame, size_t len,
                                 struct expected *out, unsigned *num, unsigned *silent,
                                 struct sluice_error *error) {
  struct capsule c;
  struct active_capsule run;
  struct active_result result;
  struct ports ports = {{false}, p->executed};
  struct active_packet around = {.port = port, .budget = 1};
  SLUICE_TRY(capsule_read(&c, frame, len, error));
  capsule_to_run(&c, frame, len, CAPSULE_REACH, &run, &around);
  if (c.fid && c.fid <= IDS) {
    around.budget = 1 + p->rounds[c.fid];
    around.count = ++p->count[c.fid][port % p->info.pipes];
  }
  active_run(&p->machine, &run, &around, &result, watch, &ports);
  if (c.fid && c.fid <= IDS) p->faults[c.fid] += result.faults != 0;
  *num = *silent = 0;
  p->passes += result.passes;
  unsigned dest = c.addresses[5];
  for (unsigned i = 0; i < result.num_leaving; i++) {
    const struct active_leaving *l = &result.leaving[i];
    const bool copy = i + 1 < result.num_leaving;
    const unsigned pass = copy ? l->consumed / p->info.back_stages - 1 : result.passes - 1,
                   to = ports.set[pass] ? l->port : dest;
    // The copy goes on with the addresses that the original left with.
    if (copy && l->swapped) dest = dest == c.addresses[5] ? c.addresses[11] : c.addresses[5];
    if (l->dropped || to >= p->info.ports) {
      if (!copy) *silent = result.passes * PASS;
      continue;
    }
    struct expected *e = &out[(*num)++];
    e->port = to;
    SLUICE_TRY(capsule_leave(&c, frame, len, CAPSULE_REACH, l, e->bytes, FRAME, &e->len, error));
  }
  return SLUICE_OK;
}

static void tell(const struct pair *p, const uint8_t *frame, size_t len, const char *what) {
  static char text[ACTIVE_TEXT];
  struct capsule c;
  if (p->result->differences > 3 || capsule_read(&c, frame, len, NULL)) return;
  active_disassemble(&c.program, text);
  fprintf(stderr, "agree: program %llu of id %u, flags %04x, arguments %08x %08x %08x %08x: %s\n%s",
          (unsigned long long)p->result->packets, c.fid, c.flags, c.args.data[0], c.args.data[1],
          c.args.data[2], c.args.data[3], what, text);
}

static enum sluice_status left(void *user, struct sluice_packet_out *out,
                               struct sluice_error *error) {
  struct pair *p = user;
  const unsigned at = p->came++;
  (void)error;
  if (at < p->num_wanted && out->port == p->want[at].port && out->len == p->want[at].len &&
      memcmp(out->bytes, p->want[at].bytes, out->len) == 0)
    return SLUICE_OK;
  p->result->differences++;
  tell(p, p->frame, p->len, at < p->num_wanted ? "another packet" : "a packet too many");
  return SLUICE_OK;
}

// A program there and back. Originals of FORK leave before the packet itself.
static enum sluice_status one(struct pair *p, struct sluice_error *error) {
  const unsigned port = below(p, p->info.ports);
  unsigned silent;
  SLUICE_TRY(make_frame(p, port, p->frame, &p->len, error));
  SLUICE_TRY(expect(p, port, p->frame, p->len, p->want, &p->num_wanted, &silent, error));
  SLUICE_TRY(session_put(&p->session, port, p->frame, p->len, error));
  p->result->packets++;
  p->came = 0;
  // Nothing tells that a packet was dropped: as long as it can take.
  for (unsigned waited = 0;
       waited < (silent ? silent : LATE) && (silent || p->came < p->num_wanted); waited += STEP)
    SLUICE_TRY(session_pass(&p->session, STEP, error));
  if (p->came >= p->num_wanted) return SLUICE_OK;
  p->result->differences++;
  tell(p, p->frame, p->len, "a packet is missing");
  return SLUICE_OK;
}

static enum sluice_status batches(struct pair *p, struct sluice_error *error) {
  SLUICE_TRY(active_net_words(p->net, entries(p), p->before, error));
  for (unsigned n = 0; n < p->programs; n++) {
    if (n % BATCH == 0) {
      SLUICE_TRY(make_tables(p, error));
      take_words(p);
    }
    SLUICE_TRY(one(p, error));
    if (n % BATCH != BATCH - 1 && n + 1 < p->programs) continue;
    SLUICE_TRY(active_net_words(p->net, entries(p), p->after, error));
    compare_words(p);
    memcpy(p->before, p->after, (size_t)p->info.back_stages * entries(p) * sizeof *p->before);
    SLUICE_TRY(compare_faults(p, error));
  }
  return SLUICE_OK;
}

enum sluice_status app_run_agree(const struct app_run *run, const struct agree *agree,
                                 struct app_result *result, struct sluice_error *error) {
  struct pair p = {
      .agree = agree, .net = run->net, .chip = active_net_chip(run->net), .result = result};
  memset(result, 0, sizeof *result);
  sluice_rng_init(&p.rng, run->seed, "agree");
  sluice_chip_describe(p.chip, &p.info);
  p.session = (struct session){.to = active_net_transport(run->net),
                               .config = sluice_config_find(p.info.name),
                               .hooks.left = left,
                               .user = &p};
  p.slots = active_net_size(p.net) / p.info.pipes / (IDS + 1);
  if (p.slots > MOST_SLOTS) p.slots = MOST_SLOTS;
  p.most_rounds = run->passes ? run->passes - 1 : 0;
  if (p.most_rounds > MOST_ROUNDS) p.most_rounds = MOST_ROUNDS;
  // Now and then a program is longer than all passes, never so long
  // that the addresses behind it are out of reach.
  p.longest = p.info.back_stages * (p.most_rounds + 1) / 2 + 12;
  if (p.longest > LONGEST) p.longest = LONGEST;
  if (!sluice_chip_bank(p.chip, VID, &p.bank))
    return sluice_fail(error, SLUICE_ERR_RANGE, "no module of VLAN %d, or one bank", VID);
  for (unsigned id = 1; id <= IDS; id++)
    SLUICE_TRY(sluice_chip_capsule_faults(p.chip, id, &p.faults[id], error));
  SLUICE_TRY(active_machine_init(
      &p.machine,
      (struct active_shape){p.info.back_stages, 0, p.info.back_stages, ACTIVE_RULES_CHIP},
      (IDS + 1) * p.slots, FAULT_IDS, error));
  p.before = calloc((size_t)p.info.back_stages * entries(&p), sizeof *p.before);
  p.after = calloc((size_t)p.info.back_stages * entries(&p), sizeof *p.after);
  p.programs = agree->programs;
  if (agree->alone && !p.programs) p.programs = ALONE_OPCODES * p.info.back_stages;
  enum sluice_status status = p.before && p.after ? batches(&p, error) : sluice_no_memory(error);
  free(p.before);
  free(p.after);
  active_machine_release(&p.machine);
  if (agree->alone) {
    for (unsigned i = 0; i <= SLUICE_OPCODE_MBR_STORE_ALT2; i++) result->figure += p.executed[i];
  } else {
    result->figure = result->packets ? (double)p.passes / (double)result->packets : 0;
  }
  return status;
}
