// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: Capsules.
#include <string.h>

#include "parts.h"

enum { ARGS_AT = 28, LIST_AT = 44, LOOKED_AT = 128, MOST = 42, SIGNATURE = 0x12345678 };

// ---- Which packets ------------------------------------------------------------------------------

// Bytes behind the end of the packet, and behind the first 128, read 0.
static unsigned byte_at(const struct sluice_model_packet *p, unsigned at) {
  return at < p->len && at < LOOKED_AT ? p->bytes[at] : 0;
}

static uint32_t word_at(const struct sluice_model_packet *p, unsigned at) {
  return (uint32_t)byte_at(p, at) << 24 | byte_at(p, at + 1) << 16 | byte_at(p, at + 2) << 8 |
         byte_at(p, at + 3);
}

static bool is_capsule(const struct sluice_spec *s, const struct sluice_model_packet *p,
                       const struct spec_phv *phv) {
  const uint8_t *head = p->bytes + 18;
  const unsigned request = (unsigned)FIELD(head, CAPSULE, REQUEST);
  return s->c.Active && FIELD(spec_of_row(s, SLUICE_TABLE_MODULE, 0, phv), MODULE, ACTIVE) &&
         spec_number(p->bytes + 16, 2) == 0x83b2 && FIELD(head, CAPSULE, SIGNATURE) == SIGNATURE &&
         !FIELD(head, CAPSULE, DONE) && request != 1 && request != 2;
}

// ---- Ids ----------------------------------------------------------------------------------------

static unsigned id_of(const struct sluice_spec *s, const struct sluice_model_packet *p) {
  return (unsigned)FIELD(p->bytes + 18, CAPSULE, FID) % s->c.ActiveIds;
}

static const uint8_t *of_id(const struct sluice_spec *s, enum sluice_table table, unsigned stage,
                            unsigned bank, unsigned id) {
  return spec_entry(s, table, stage, bank * s->c.ActiveIds + id);
}

static bool is_own(const struct sluice_spec *s, const struct sluice_model_packet *p,
                   const struct spec_phv *phv) {
  const uint8_t *tenant =
      of_id(s, SLUICE_TABLE_TENANT, 0, s->c.FlipGuard ? p->bank : phv->bank, id_of(s, p));
  return FIELD(p->bytes + 18, CAPSULE, FID) < s->c.ActiveIds && FIELD(tenant, TENANT, VALID) &&
         FIELD(tenant, TENANT, ROW) == phv->vid % s->c.NumModules;
}

// LOAD_PKTCOUNT: "the capsules of round 0 that the filter lets pass, by id, if it is the module's"
bool spec_capsule_counts(struct sluice_spec *s, const struct sluice_model_packet *p,
                         const struct spec_phv *phv) {
  if (!is_capsule(s, p, phv)) return false;
  if (!p->again && is_own(s, p, phv)) s->capsules[p->lane][id_of(s, p)]++;
  return true;
}

// ---- The list, Registers ------------------------------------------------------------------------

static void read_list(const struct sluice_model_packet *p, struct spec_capsule *c) {
  for (c->length = 0; c->length < MOST && !c->eof; c->length++) {
    const unsigned at = LIST_AT + 2 * c->length;
    c->list[c->length] = (uint16_t)(byte_at(p, at) << 8 | byte_at(p, at + 1));
    c->eof = (c->list[c->length] & 0xff) == SLUICE_OPCODE_EOF;
  }
}

void spec_capsule_read(struct sluice_spec *s, const struct sluice_model_packet *p,
                       const struct spec_phv *phv, struct spec_capsule *c) {
  const struct sluice_model_again *again = p->again;
  *c = (struct spec_capsule){.there = spec_capsule_counts(s, p, phv)};
  if (!c->there) return;
  c->id = id_of(s, p);
  c->own = is_own(s, p, phv);
  c->came = s->c.FlipGuard ? p->bank : phv->bank;
  read_list(p, c);
  for (unsigned i = 0; i < 12; i++)
    c->tuple[i] = (uint8_t)byte_at(p, LIST_AT + 2 * c->length + 12 + i);
  for (unsigned d = 0; d < 4; d++) c->data[d] = word_at(p, ARGS_AT + 4 * d);
  c->count = c->own ? s->capsules[p->lane][c->id] : 0;
  c->round = again ? again->round : 0;
  if (again) {
    c->depth = again->depth;
    c->delay = again->delay < 0xffff ? again->delay : 0xffff;
  }
  if (again && again->continued) {
    c->mar = again->mar;
    c->mbr = again->mbr;
    c->mbr2 = again->mbr2;
    memcpy(c->hash, again->hash, sizeof c->hash);
    c->skip = c->skip_at_first = again->skip;
    c->jump = again->jump;
    c->returned = again->returned;
    c->fault = c->fault_before = again->fault;
  } else if (FIELD(p->bytes + 18, CAPSULE, PRELOAD)) {
    c->preloaded = true;
    c->mar = c->data[0];
    c->mbr = c->data[1];
    c->mbr2 = c->data[2];
  }
}

// ---- Regions ------------------------------------------------------------------------------------

// Word MAR[19:0] - LOW of a region; false: out of bounds.
static bool find_word(const struct sluice_spec *s, unsigned stage, const uint8_t *region,
                      uint32_t address, unsigned *pipe, unsigned *slot, uint64_t *index) {
  address &= 0xfffff;
  if (!FIELD(region, REGION, VALID) || address < FIELD(region, REGION, LOW) ||
      address > FIELD(region, REGION, HIGH))
    return false;
  *index = address - FIELD(region, REGION, LOW);
  return spec_home(s, stage, !FIELD(region, REGION, SHARDED), (unsigned)FIELD(region, REGION, PIPE),
                   (unsigned)FIELD(region, REGION, BASE), *index, pipe, slot);
}

// ---- Resolution ---------------------------------------------------------------------------------

static bool executes(const struct spec_capsule *c, unsigned position) {
  return position < (c->eof ? c->length - 1 : c->length);
}

static bool is_memory(unsigned opcode) {
  return opcode >= SLUICE_OPCODE_MEM_WRITE && opcode <= SLUICE_OPCODE_MEM_WRITE_CONDZERO;
}

// "If a capsule has a memory instruction at position s, executed or not, the capsule alone
// decides."
bool spec_capsule_decides(const struct sluice_spec *s, const struct spec_capsule *c,
                          unsigned stage) {
  (void)s;
  return c->there && executes(c, stage) && is_memory(c->list[stage] & 0xff);
}

static bool changes_mar(unsigned opcode) {
  return opcode == 28 || opcode == 29 || opcode == 31 || opcode == 32 || opcode == 36 ||
         opcode == 46 || (opcode >= 52 && opcode <= 91);
}

// "The order point must know the address before anything is executed. It looks at the list alone."
static bool address_is_known(const struct spec_capsule *c, unsigned position) {
  bool known = c->preloaded, jumped = c->skip_at_first;
  for (unsigned n = 0; n < position; n++) {
    const unsigned opcode = c->list[n] & 0xff;
    if (changes_mar(opcode)) known = false;
    else if (opcode == SLUICE_OPCODE_MAR_LOAD && !jumped) known = true;
    else if (opcode >= SLUICE_OPCODE_CJUMP && opcode <= SLUICE_OPCODE_UJUMP) jumped = true;
  }
  return known;
}

void spec_capsule_resolve(const struct sluice_spec *s, const struct spec_capsule *c, unsigned stage,
                          const struct spec_phv *phv, struct sluice_model_access *access) {
  const uint8_t *region = of_id(s, SLUICE_TABLE_REGION, stage, phv->bank, c->id);
  unsigned pipe, slot;
  uint64_t index;
  if (!c->own) return;
  if (!FIELD(region, REGION, SHARDED)) {
    if (!FIELD(region, REGION, VALID)) return;
    spec_home(s, stage, true, (unsigned)FIELD(region, REGION, PIPE), 0, 0, &pipe, &slot);
    access->resolved = access->pinned = true;
    access->pipe = (uint8_t)pipe;
    return;
  }
  if (!address_is_known(c, stage)) return;
  if (!find_word(s, stage, region, c->data[0], &pipe, &slot, &index)) {
    access->out_of_bounds = true;
    return;
  }
  access->resolved = true;
  access->pipe = (uint8_t)pipe;
  access->slot = slot;
  access->index = index;
}

// ---- An instruction: memory ---------------------------------------------------------------------

// Where the word is, by the region that the stage has for the packet now; -1: there is no access.
static long long find_access(const struct sluice_spec *s, unsigned stage,
                             const struct spec_phv *phv, const struct spec_capsule *c,
                             struct sluice_model_access *access) {
  const uint8_t *region = of_id(s, SLUICE_TABLE_REGION, stage, phv->bank, c->id);
  unsigned pipe, slot;
  if (!c->own || !access->resolved || access->pinned == FIELD(region, REGION, SHARDED)) return -1;
  if (access->pinned) {
    if (!find_word(s, stage, region, c->mar, &pipe, &slot, &access->index)) return -1;
    access->slot = slot;
  }
  return (long long)spec_place_number(s, stage, access->pipe, access->slot);
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void run_memory(unsigned opcode, uint32_t *m, struct spec_capsule *c) {
  switch (opcode) {
    case SLUICE_OPCODE_MEM_WRITE: *m = c->mbr; break;
    case SLUICE_OPCODE_MEM_READ: c->mbr = *m; break;
    case SLUICE_OPCODE_MEM_INCREMENT: c->mbr = ++*m; break;
    case SLUICE_OPCODE_MEM_MINREAD:
      c->mbr = *m;
      c->mbr2 = least(c->mbr2, c->mbr);
      break;
    case SLUICE_OPCODE_MEM_MINREADINC:
      c->mbr = ++*m;
      c->mbr2 = least(c->mbr2, c->mbr);
      break;
    default:  // MEM_WRITE_CONDZERO
      if (c->mbr == 0) break;
      if (*m == 0) {
        *m = c->mbr2;
        c->mbr = 0;
      } else {
        c->mbr = c->mbr2 - *m;
      }
  }
}

// Faults
static void memory_instruction(struct sluice_spec *s, unsigned stage, unsigned opcode,
                               struct spec_phv *phv, struct sluice_model_access *access,
                               struct spec_capsule *c) {
  const bool has_state = stage < s->c.StateStages;
  const long long place = has_state ? find_access(s, stage, phv, c, access) : -1;
  access->executed = has_state;
  access->refused = has_state && place < 0;
  if (place >= 0) {
    run_memory(opcode, &s->state[place][0], c);
    return;
  }
  if (has_state) access->index = access->slot = 0;
  const bool first = !c->fault;
  const uint8_t *tenant = of_id(s, SLUICE_TABLE_TENANT, 0, c->came, c->id);
  c->fault = true;
  if (!c->own) return;
  if (first) s->faults[c->id]++;
  if (FIELD(tenant, TENANT, DROP)) phv->discard = true;
}

// ---- An instruction -----------------------------------------------------------------------------

static const struct polynomial {
  uint16_t value;
  bool reflected;
  uint16_t start, final;
} polynomials[10] = {
    {0x8005, true, 0, 0},       {0x8005, false, 0, 0},          {0x8005, false, 0x800d, 0},
    {0x0589, false, 1, 1},      {0x3d65, true, 0xffff, 0xffff}, {0x3d65, false, 0xffff, 0xffff},
    {0x1021, false, 0, 0xffff}, {0x8005, true, 0xffff, 0xffff}, {0x1021, true, 0xffff, 0},
    {0x1021, true, 0x554d, 0},
};

static uint32_t hash(const struct spec_capsule *c, unsigned stage, unsigned instr) {
  const unsigned label = instr >> SLUICE_CAPSULE_INSTR_LABEL_LSB & 15;
  const bool numbered = instr >> SLUICE_CAPSULE_INSTR_NUMBERED_LSB & 1;
  const struct polynomial *p = &polynomials[!numbered ? stage % 10 : label < 10 ? label : 9];
  uint8_t bytes[20];
  for (unsigned i = 0; i < 20; i++) bytes[i] = (uint8_t)(c->hash[i / 4] >> (24 - 8 * (i % 4)));
  return (uint32_t)spec_crc(16, p->value, p->reflected, p->start, bytes, 20) ^ p->final;
}

// ADDR_MASK_k and ADDR_OFFSET_k
static void address_instruction(const struct sluice_spec *s, unsigned stage, unsigned opcode,
                                const struct spec_phv *phv, struct spec_capsule *c) {
  const uint8_t *e = of_id(s, SLUICE_TABLE_ADDRESS, stage, phv->bank, c->id);
  const unsigned k = (opcode - SLUICE_OPCODE_ADDR_MASK_0) / 2;
  if (!c->own || !FIELD(e, ADDRESS, VALID) || FIELD(e, ADDRESS, K) != k) return;
  if ((opcode - SLUICE_OPCODE_ADDR_MASK_0) % 2) c->mar += (uint32_t)FIELD(e, ADDRESS, OFFSET);
  else c->mar &= (uint32_t)FIELD(e, ADDRESS, MASK);
}

static void swap(uint32_t *a, uint32_t *b) {
  const uint32_t was = *a;
  *a = *b;
  *b = was;
}

// Instructions of registers and data alone.
static void compute(unsigned opcode, struct spec_capsule *c) {
  switch (opcode) {
    case SLUICE_OPCODE_MBR_LOAD: c->mbr = c->data[1]; break;
    case SLUICE_OPCODE_MBR2_LOAD: c->mbr2 = c->data[2]; break;
    case SLUICE_OPCODE_MAR_LOAD: c->mar = c->data[0] & 0xfffff; break;
    case SLUICE_OPCODE_MBR_STORE: c->data[3] = c->mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT: c->data[1] = c->mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT2: c->data[2] = c->mbr; break;
    case SLUICE_OPCODE_MBR_EQUALS_MBR2: c->mbr ^= c->mbr2; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_0: c->mbr ^= c->data[0]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_1: c->mbr ^= c->data[1]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_2: c->mbr ^= c->data[2]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_3: c->mbr ^= c->data[3]; break;
    case SLUICE_OPCODE_MAX: c->mbr = c->mbr > c->mbr2 ? c->mbr : c->mbr2; break;
    case SLUICE_OPCODE_MIN: c->mbr = least(c->mbr, c->mbr2); break;
    case SLUICE_OPCODE_REVMIN: c->mbr2 = least(c->mbr, c->mbr2); break;
    case SLUICE_OPCODE_SWAP_MBR_MBR2: swap(&c->mbr, &c->mbr2); break;
    case SLUICE_OPCODE_MBR_NOT: c->mbr = ~c->mbr; break;
    case SLUICE_OPCODE_MBR_SUBTRACT_MBR2: c->mbr -= c->mbr2; break;
    case SLUICE_OPCODE_MAR_ADD_MBR: c->mar += c->mbr; break;
    case SLUICE_OPCODE_MAR_ADD_MBR2: c->mar += c->mbr2; break;
    case SLUICE_OPCODE_MBR_ADD_MBR2: c->mbr += c->mbr2; break;
    case SLUICE_OPCODE_MAR_MBR_ADD_MBR2: c->mar = c->mbr + c->mbr2; break;
    case SLUICE_OPCODE_BIT_AND_MAR_MBR: c->mar &= c->mbr; break;
    case SLUICE_OPCODE_BIT_OR_MBR_MBR2: c->mbr |= c->mbr2; break;
    case SLUICE_OPCODE_COPY_MBR2_MBR: c->mbr2 = c->mbr; break;
    case SLUICE_OPCODE_COPY_MBR_MBR2: c->mbr = c->mbr2; break;
    case SLUICE_OPCODE_COPY_MAR_MBR: c->mar = c->mbr; break;
    case SLUICE_OPCODE_COPY_MBR_MAR: c->mbr = c->mar; break;
    case SLUICE_OPCODE_COPY_HASHDATA_MBR: c->hash[0] = c->mbr; break;
    case SLUICE_OPCODE_COPY_HASHDATA_MBR2: c->hash[1] = c->mbr2; break;
    case SLUICE_OPCODE_LOAD_SALT: c->mbr = 0x5093; break;
    case SLUICE_OPCODE_LOAD_TCP_5TUPLE:
      c->hash[0] = (uint32_t)spec_number(c->tuple, 4);
      c->hash[1] = (uint32_t)spec_number(c->tuple + 4, 4);
      c->hash[2] = 6;
      c->hash[3] = (uint32_t)spec_number(c->tuple + 8, 2);
      c->hash[4] = (uint32_t)spec_number(c->tuple + 10, 2);
      break;
    case SLUICE_OPCODE_LOAD_PKTCOUNT: c->mbr = c->count; break;
    case SLUICE_OPCODE_LOAD_QUEUE:
      if (c->round) c->mbr = c->depth;
      break;
    case SLUICE_OPCODE_LOAD_QDELAY:
      if (c->round) c->mbr = c->delay;
      break;
    default: break;
  }
}

// Instructions that say where the packet goes, and what is executed next.
static void steer(const struct sluice_spec *s, unsigned instr, struct spec_phv *phv, unsigned port,
                  struct spec_capsule *c) {
  const unsigned opcode = instr & 0xff;
  const bool zero = c->mbr == 0;
  switch (opcode) {
    case SLUICE_OPCODE_RETURN: c->complete = true; break;
    case SLUICE_OPCODE_CRET: c->complete = !zero; break;
    case SLUICE_OPCODE_CRETI: c->complete = zero; break;
    case SLUICE_OPCODE_CJUMP: c->skip = !zero; break;
    case SLUICE_OPCODE_CJUMPI: c->skip = zero; break;
    case SLUICE_OPCODE_UJUMP: c->skip = true; break;
    case SLUICE_OPCODE_DROP: phv->discard = true; break;
    case SLUICE_OPCODE_FORK: c->forked = s->c.Recirculation; break;
    case SLUICE_OPCODE_SET_DST: phv->dest = spec_dest_of(s, c->mbr); break;
    case SLUICE_OPCODE_RTS:
    case SLUICE_OPCODE_CRTS:
      if (opcode == SLUICE_OPCODE_CRTS && zero) break;
      phv->dest = spec_dest_of(s, port);
      c->returned = true;
      break;
    default: break;
  }
  if (c->skip) c->jump = (uint16_t)instr;
}

// "It ends the skip if its TARGET is 1, its NUMBERED bit is that of the jump, and, if that bit is
// 1, its LABEL is that of the jump."
static bool ends_skip(unsigned instr, unsigned jump) {
  const unsigned differ = instr ^ jump;
  if (!(instr >> SLUICE_CAPSULE_INSTR_TARGET_LSB & 1)) return false;
  if (differ >> SLUICE_CAPSULE_INSTR_NUMBERED_LSB & 1) return false;
  return !(jump >> SLUICE_CAPSULE_INSTR_NUMBERED_LSB & 1) ||
         !(differ >> SLUICE_CAPSULE_INSTR_LABEL_LSB);
}

void spec_capsule_unit(struct sluice_spec *s, unsigned stage, struct spec_phv *phv,
                       const struct sluice_model_packet *packet, struct sluice_model_access *access,
                       struct spec_capsule *c) {
  if (!executes(c, stage)) return;
  const unsigned instr = c->list[stage], opcode = instr & 0xff;
  access->capsule = spec_capsule_decides(s, c, stage) && stage < s->c.StateStages;
  if (c->complete) return;
  if (c->skip) {
    c->skip = !ends_skip(instr, c->jump);
    return;
  }
  if (is_memory(opcode)) memory_instruction(s, stage, opcode, phv, access, c);
  else if (opcode == SLUICE_OPCODE_HASH) c->mar = hash(c, stage, instr);
  else if (opcode >= SLUICE_OPCODE_ADDR_MASK_0 && opcode <= SLUICE_OPCODE_ADDR_OFFSET_19)
    address_instruction(s, stage, opcode, phv, c);
  else {
    compute(opcode, c);
    steer(s, instr, phv, packet->again ? packet->again->port : packet->port, c);
  }
}

// ---- Exit ---------------------------------------------------------------------------------------

static void write_bytes(uint8_t *header, unsigned len, unsigned at, const uint8_t *bytes,
                        unsigned num) {
  for (unsigned i = 0; i < num; i++)
    if (at + i < len && at + i < LOOKED_AT) header[at + i] = bytes[i];
}

// "bytes 0..5 and 6..11 change places, and bytes b+12..b+15 take the tuple's destination address,
// b+16..b+19 its source address, if b + 20 is at most 128"
static void swap_addresses(const struct spec_capsule *c, unsigned len, uint8_t *header) {
  uint8_t first[6];
  const unsigned b = LIST_AT + 2 * c->length;
  memcpy(first, header, 6);
  memcpy(header, header + 6, 6);
  memcpy(header + 6, first, 6);
  if (b + 20 > LOOKED_AT) return;
  write_bytes(header, len, b + 12, c->tuple + 4, 4);
  write_bytes(header, len, b + 16, c->tuple, 4);
}

static void go_on(const struct spec_capsule *c, const struct spec_phv *phv,
                  struct sluice_model_again *again) {
  again->continued = true;
  again->dest = (uint8_t)phv->dest;
  again->mar = c->mar;
  again->mbr = c->mbr;
  again->mbr2 = c->mbr2;
  memcpy(again->hash, c->hash, sizeof again->hash);
  again->skip = c->skip;
  again->jump = c->jump;
  again->returned = c->returned && !c->forked;
  again->fault = c->fault;
}

void spec_capsule_exit(struct sluice_spec *s, struct spec_capsule *c, const struct spec_phv *phv,
                       const struct sluice_model_packet *packet, struct sluice_model_result *result,
                       uint64_t asked, uint64_t allowed) {
  const uint64_t again = s->c.Recirculation ? UINT64_C(1) << s->c.NumPorts : 0;
  const uint8_t *tenant = of_id(s, SLUICE_TABLE_TENANT, 0, c->came, c->id);
  const bool done = c->complete || (c->eof && c->length - 1 <= s->c.BackStages);
  const bool continued = again && !done && c->own && allowed & again &&
                         c->round < FIELD(tenant, TENANT, ROUNDS);
  const bool forked = continued && c->forked;
  uint8_t *header = result->header;
  for (unsigned i = 0; i < 16; i++)
    header[ARGS_AT + i] = (uint8_t)(c->data[i / 4] >> (24 - 8 * (i % 4)));
  if (c->returned && (!continued || forked)) swap_addresses(c, packet->len, header);
  if (done) FIELD_SET(header + 18, CAPSULE, DONE, 1);
  if (c->fault && c->own && FIELD(tenant, TENANT, REPORT) && (!continued || forked))
    FIELD_SET(header + 18, CAPSULE, FAULT, 1);
  if (continued) {
    // "to the recirculation port alone, whatever its destination"; forked: through its ports, too
    result->reason = SLUICE_DROP_NONE;
    result->ports = again | (forked ? asked & allowed : 0);
    result->some_forbidden = forked && (asked & ~allowed & ~again);
    go_on(c, phv, &result->again);
  }
  const unsigned taken = 2 * (done || c->length < s->c.BackStages ? c->length : s->c.BackStages),
                 room = packet->len - LIST_AT;
  result->taken_out = taken < room ? taken : room;
  result->len = packet->len - result->taken_out;
  if (result->len < SLUICE_MODEL_MIN_LEN) result->len = SLUICE_MODEL_MIN_LEN;
}
