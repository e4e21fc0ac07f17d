// SPDX-License-Identifier: Apache-2.0
// Capsules: which packets are some, what their instructions do, and how they leave.
#include "capsule.h"

#include <string.h>

enum { ETHERTYPE = 0x83b2, SIGNATURE = 0x12345678, SALT = 0x5093, TCP = 6 };
enum { POLYNOMIALS = 10, ADDRESS_MASK = 0xfffff, MOST_DELAY = 0xffff };
// Bytes of the packet with CAPSULE.DONE, FAULT.
enum { DONE_AT = MODEL_CAPSULE_AT + 4, DONE_BIT = 0x01, FAULT_AT = MODEL_CAPSULE_AT + 5 };
enum { FAULT_BIT = 0x80 };
_Static_assert(SLUICE_CAPSULE_DONE_LSB == 40 && SLUICE_CAPSULE_FAULT_LSB == 39,
               "flags: bits 47:32, behind the signature");

// ---- bytes --------------------------------------------------------------------------------------

// Bytes of the packet that the lane sees; behind them it reads 0.
struct view {
  const uint8_t *bytes;
  unsigned end;
};
static uint32_t get(const struct view *v, unsigned at, unsigned bytes) {
  uint32_t value = 0;
  for (unsigned i = at; i < at + bytes; i++) value = value << 8 | (i < v->end ? v->bytes[i] : 0u);
  return value;
}
static void put32(uint8_t *header, unsigned at, unsigned end, uint32_t value) {
  for (unsigned i = 0; i < 4 && at + i < end; i++)
    header[at + i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static unsigned opcode(uint16_t instr) { return instr & 0xffu; }
static bool numbered(uint16_t instr) { return instr >> SLUICE_CAPSULE_INSTR_NUMBERED_LSB & 1; }
static bool target(uint16_t instr) { return instr >> SLUICE_CAPSULE_INSTR_TARGET_LSB & 1; }
static unsigned label(uint16_t instr) { return instr >> SLUICE_CAPSULE_INSTR_LABEL_LSB; }
_Static_assert(SLUICE_CAPSULE_INSTR_OPCODE_LSB == 0 && SLUICE_CAPSULE_INSTR_LABEL_MSB == 15,
               "label, flags, opcode");

static bool is_memory(unsigned op) {
  return op >= SLUICE_OPCODE_MEM_WRITE && op <= SLUICE_OPCODE_MEM_WRITE_CONDZERO;
}
static bool is_jump(unsigned op) {
  return op == SLUICE_OPCODE_CJUMP || op == SLUICE_OPCODE_CJUMPI || op == SLUICE_OPCODE_UJUMP;
}
static bool is_address(unsigned op) {
  return op >= SLUICE_OPCODE_ADDR_MASK_0 && op <= SLUICE_OPCODE_ADDR_OFFSET_19;
}
// MAR_LOAD apart.
static bool changes_mar(unsigned op) {
  switch (op) {
    case SLUICE_OPCODE_MAR_ADD_MBR:
    case SLUICE_OPCODE_MAR_ADD_MBR2:
    case SLUICE_OPCODE_MAR_MBR_ADD_MBR2:
    case SLUICE_OPCODE_BIT_AND_MAR_MBR:
    case SLUICE_OPCODE_COPY_MAR_MBR:
    case SLUICE_OPCODE_HASH: return true;
    default: return is_address(op);
  }
}

// ---- what comes ---------------------------------------------------------------------------------

static bool is_executed(const struct view *v) {
  if (get(v, 16, 2) != ETHERTYPE || get(v, MODEL_CAPSULE_AT, 4) != SIGNATURE) return false;
  const uint64_t head = (uint64_t)get(v, MODEL_CAPSULE_AT + 4, 2) << SLUICE_CAPSULE_PRELOAD_LSB;
  const unsigned request = FIELD32(&head, CAPSULE, REQUEST);
  return !FIELD(&head, CAPSULE, DONE) && request != 1 && request != 2;
}

static void read_list(const struct view *v, struct model_capsule *c) {
  for (c->length = 0; c->length < MODEL_CAPSULE_LIST && !c->ended;) {
    const unsigned n = c->length++;
    c->instr[n] = (uint16_t)get(v, MODEL_CAPSULE_LIST_AT + 2 * n, 2);
    c->ended = opcode(c->instr[n]) == SLUICE_OPCODE_EOF;
  }
}

// Where the order point knows the address, whether the instructions are executed or not.
// A skip that began in the pass before may pass over any of them.
static void read_known(const struct sluice_model *m, bool preload, struct model_capsule *c) {
  bool known = preload, jumped = c->skip;
  for (unsigned n = 0; n < m->config.BackStages && n < c->length; n++) {
    const unsigned op = opcode(c->instr[n]);
    if (known) c->known |= UINT32_C(1) << n;
    if (is_memory(op)) c->memory |= UINT32_C(1) << n;
    if (op == SLUICE_OPCODE_MAR_LOAD && !jumped) known = true;
    if (changes_mar(op)) known = false;
    jumped = jumped || is_jump(op);
  }
}

static void read_tuple(const struct view *v, struct model_capsule *c) {
  const unsigned b = MODEL_CAPSULE_LIST_AT + 2 * c->length;
  c->source = get(v, b + 12, 4);
  c->destination = get(v, b + 16, 4);
  c->source_port = (uint16_t)get(v, b + 20, 2);
  c->destination_port = (uint16_t)get(v, b + 22, 2);
}

static void read_tenant(const struct sluice_model *m, unsigned fid, unsigned round,
                        const struct sluice_model_phv *phv, struct model_capsule *c) {
  const unsigned ids = m->config.ActiveIds;
  c->entry = phv->bank * ids + fid % ids;
  const uint64_t *tenant = model_entry(m, SLUICE_TABLE_TENANT, 0, c->entry);
  c->own = fid < ids && FIELD(tenant, TENANT, VALID) &&
           FIELD(tenant, TENANT, ROW) == phv->vid % m->config.NumModules;
  c->drop = c->own && FIELD(tenant, TENANT, DROP);
  c->report = c->own && FIELD(tenant, TENANT, REPORT);
  c->rounds = c->own && m->config.Recirculation && round < FIELD(tenant, TENANT, ROUNDS);
}

// The registers of the pass before.
static void resume(const struct sluice_model_again *again, struct model_capsule *c) {
  c->mar = again->mar, c->mbr = again->mbr, c->mbr2 = again->mbr2;
  memcpy(c->hash, again->hash, sizeof c->hash);
  c->skip = again->skip, c->returned = again->returned, c->fault = again->fault;
  c->jump = again->jump;
}

void model_capsule_bank(const struct sluice_model *m, unsigned bank, struct model_capsule *c) {
  c->entry = bank * m->config.ActiveIds + c->entry % m->config.ActiveIds;
}

void model_capsule_count(struct sluice_model *m, const struct sluice_model_packet *packet,
                         struct model_capsule *c) {
  const unsigned ids = m->config.ActiveIds;
  if (!c->own) return;
  uint32_t *count = &m->capsules[packet->lane * ids + c->entry % ids];
  *count += !c->later;
  c->count = *count;
}

void model_capsule_pause(struct model_capsule *c, struct sluice_model_again *again) {
  again->continued = true;
  again->mar = c->mar, again->mbr = c->mbr, again->mbr2 = c->mbr2;
  memcpy(again->hash, c->hash, sizeof again->hash);
  again->skip = c->skip, again->fault = c->fault;
  again->jump = c->jump;
  // What leaves beside it has the addresses in their new places, and so has this one.
  if (c->forked) return;
  again->returned = c->returned;
  c->returned = c->fault = false;
}

bool model_capsule_parse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                         const struct sluice_model_phv *phv, struct model_capsule *c) {
  const struct view v = {packet->bytes,
                         packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER};
  if (!is_executed(&v)) return false;
  *c = (struct model_capsule){.port = packet->port};
  read_tenant(m, get(&v, MODEL_CAPSULE_AT + 6, 2), packet->again ? packet->again->round : 0, phv,
              c);
  read_list(&v, c);
  read_tuple(&v, c);
  for (unsigned i = 0; i < 4; i++) c->data[i] = get(&v, MODEL_CAPSULE_ARGS_AT + 4 * i, 4);
  c->address = c->data[0] & ADDRESS_MASK;
  const bool continued = packet->again && packet->again->continued;
  const bool preload = !continued &&
                       (packet->bytes[FAULT_AT] & 1u << (SLUICE_CAPSULE_PRELOAD_LSB - 32));
  if (continued) resume(packet->again, c);
  if (packet->again) {
    c->later = packet->again->round != 0;
    c->depth = packet->again->depth;
    c->delay = smaller(packet->again->delay, MOST_DELAY);
  }
  if (preload) c->mar = c->data[0], c->mbr = c->data[1], c->mbr2 = c->data[2];
  read_known(m, preload, c);
  return true;
}

// ---- memory -------------------------------------------------------------------------------------

static const uint64_t *region_of(const struct sluice_model *m, unsigned stage,
                                 const struct model_capsule *c) {
  return model_entry(m, SLUICE_TABLE_REGION, stage, c->entry);
}

// Where an address is. False: out of bounds.
static bool find_word(const struct sluice_model *m, const uint64_t *region, uint32_t address,
                      struct sluice_model_access *access) {
  const uint32_t low = FIELD32(region, REGION, LOW), base = FIELD32(region, REGION, BASE);
  const unsigned pipe = FIELD32(region, REGION, PIPE) % m->config.NumPipes,
                 pipes = m->config.NumPipes >> m->sets;
  if (!FIELD(region, REGION, VALID) || address < low || address > FIELD32(region, REGION, HIGH))
    return false;
  const uint32_t word = address - low;
  const bool sharded = FIELD(region, REGION, SHARDED);
  const uint32_t slot = base + (sharded ? word / pipes : word);
  if (slot >= sluice_config_slots(&m->config)) return false;
  access->pipe = (uint8_t)(sharded ? pipe - pipe % pipes + word % pipes : pipe);
  access->slot = slot;
  access->index = word;
  return true;
}

void model_capsule_resolve(const struct sluice_model *m, unsigned stage,
                           const struct model_capsule *c, struct sluice_model_access *access) {
  const uint64_t *region = region_of(m, stage, c);
  if (!c->own) return;
  access->pinned = !FIELD(region, REGION, SHARDED);
  if (access->pinned) {
    access->pipe = (uint8_t)(FIELD32(region, REGION, PIPE) % m->config.NumPipes);
    access->resolved = FIELD(region, REGION, VALID);
  } else if (c->known >> stage & 1) {
    access->resolved = find_word(m, region, c->address, access);
    access->out_of_bounds = !access->resolved;
    if (access->out_of_bounds) access->index = c->address;
  }
}

static void operate(unsigned op, struct model_capsule *c, uint32_t *word) {
  switch (op) {
    case SLUICE_OPCODE_MEM_WRITE: *word = c->mbr; break;
    case SLUICE_OPCODE_MEM_READ: c->mbr = *word; break;
    case SLUICE_OPCODE_MEM_INCREMENT: c->mbr = ++*word; break;
    case SLUICE_OPCODE_MEM_MINREAD:
      c->mbr = *word;
      c->mbr2 = smaller(c->mbr2, c->mbr);
      break;
    case SLUICE_OPCODE_MEM_MINREADINC:
      c->mbr = ++*word;
      c->mbr2 = smaller(c->mbr2, c->mbr);
      break;
    default:  // MEM_WRITE_CONDZERO
      if (!c->mbr) break;
      if (*word) {
        c->mbr = c->mbr2 - *word;
      } else {
        *word = c->mbr2;
        c->mbr = 0;
      }
  }
}

static void fault(struct sluice_model *m, unsigned stage, struct model_capsule *c,
                  struct sluice_model_phv *phv, struct sluice_model_access *access) {
  if (c->own && !c->fault) m->faults[c->entry % m->config.ActiveIds]++;
  c->fault = true;
  if (c->drop) phv->discard = true;
  if (stage < m->config.StateStages) access->executed = access->refused = true;
}

static void access_memory(struct sluice_model *m, unsigned stage, unsigned op,
                          struct model_capsule *c, struct sluice_model_phv *phv,
                          struct sluice_model_access *access, struct model_pair pair[2]) {
  bool there = stage < m->config.StateStages && c->own && access->resolved &&
               access->pinned == !FIELD(region_of(m, stage, c), REGION, SHARDED);
  // A sharded access is to the address that the order point knew, which is that of MAR.
  if (there && access->pinned)
    there = find_word(m, region_of(m, stage, c), c->mar & ADDRESS_MASK, access);
  if (!there) {
    fault(m, stage, c, phv, access);
    return;
  }
  struct model_pair *entry = model_slot(m, stage, access->pipe, access->slot);
  access->executed = true;
  pair[0] = *entry;
  operate(op, c, &entry->s1);
  pair[1] = *entry;
}

// ---- instructions -------------------------------------------------------------------------------

// Polynomial, reflected or not, start, final XOR.
static const struct {
  uint16_t polynomial;
  bool reflected;
  uint16_t start, final;
} crcs[POLYNOMIALS] = {{0x8005, true, 0, 0},           {0x8005, false, 0, 0},
                       {0x8005, false, 0x800d, 0},     {0x0589, false, 0x0001, 0x0001},
                       {0x3d65, true, 0xffff, 0xffff}, {0x3d65, false, 0xffff, 0xffff},
                       {0x1021, false, 0, 0xffff},     {0x8005, true, 0xffff, 0xffff},
                       {0x1021, true, 0xffff, 0},      {0x1021, true, 0x554d, 0}};

static unsigned reverse(unsigned value, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; i++) out |= (value >> i & 1u) << (bits - 1 - i);
  return out;
}

// Most significant bit first; of a reflected one bytes, start and sum are mirrored.
uint16_t model_capsule_hash(unsigned polynomial, const uint32_t hash[5]) {
  const bool mirror = crcs[polynomial].reflected;
  unsigned sum = mirror ? reverse(crcs[polynomial].start, 16) : crcs[polynomial].start;
  for (unsigned i = 0; i < 20; i++) {
    const unsigned byte = hash[i / 4] >> (24 - 8 * (i % 4)) & 0xffu;
    sum ^= (mirror ? reverse(byte, 8) : byte) << 8;
    for (unsigned bit = 0; bit < 8; bit++)
      sum = (sum << 1 ^ (sum & 0x8000u ? crcs[polynomial].polynomial : 0u)) & 0xffffu;
  }
  if (mirror) sum = reverse(sum, 16);
  return (uint16_t)(sum ^ crcs[polynomial].final);
}

static unsigned polynomial(unsigned stage, uint16_t instr) {
  const unsigned named = label(instr) & 15u;
  if (!numbered(instr)) return stage % POLYNOMIALS;
  return named < POLYNOMIALS ? named : POLYNOMIALS - 1;
}

static void translate(const struct sluice_model *m, unsigned stage, unsigned op,
                      struct model_capsule *c) {
  if (stage >= m->config.StateStages || !c->own) return;
  const uint64_t *address = model_entry(m, SLUICE_TABLE_ADDRESS, stage, c->entry);
  const unsigned n = op - SLUICE_OPCODE_ADDR_MASK_0;
  if (!FIELD(address, ADDRESS, VALID) || FIELD(address, ADDRESS, K) != n / 2) return;
  if (n % 2) c->mar += FIELD32(address, ADDRESS, OFFSET);
  else c->mar &= FIELD32(address, ADDRESS, MASK);
}

static void set_port(const struct sluice_model *m, struct sluice_model_phv *phv, unsigned port) {
  phv->dest = (uint8_t)(m->config.NumPorts > 8 ? port : port < 8 ? 1u << port : 0u);
}

static void jump(struct model_capsule *c, uint16_t instr) {
  c->skip = true;
  c->jump = instr;
}

static void return_to_sender(const struct sluice_model *m, struct model_capsule *c,
                             struct sluice_model_phv *phv) {
  set_port(m, phv, c->port);
  c->returned = true;
}

static void swap(uint32_t *a, uint32_t *b) {
  const uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

static void load_tuple(struct model_capsule *c) {
  c->hash[0] = c->source;
  c->hash[1] = c->destination;
  c->hash[2] = TCP;
  c->hash[3] = c->source_port;
  c->hash[4] = c->destination_port;
}

// What changes nothing but the flow of control, destination and discard flag. False: it is none of
// these.
static bool steer(const struct sluice_model *m, uint16_t instr, struct model_capsule *c,
                  struct sluice_model_phv *phv) {
  switch (opcode(instr)) {
    case SLUICE_OPCODE_RETURN: c->complete = true; return true;
    case SLUICE_OPCODE_CRET: c->complete = c->mbr != 0; return true;
    case SLUICE_OPCODE_CRETI: c->complete = c->mbr == 0; return true;
    case SLUICE_OPCODE_DROP: phv->discard = true; return true;
    case SLUICE_OPCODE_FORK: c->forked = m->config.Recirculation != 0; return true;
    case SLUICE_OPCODE_SET_DST: set_port(m, phv, c->mbr & 0xffu); return true;
    case SLUICE_OPCODE_CJUMP:
      if (c->mbr) jump(c, instr);
      return true;
    case SLUICE_OPCODE_CJUMPI:
      if (!c->mbr) jump(c, instr);
      return true;
    case SLUICE_OPCODE_UJUMP: jump(c, instr); return true;
    case SLUICE_OPCODE_RTS: return_to_sender(m, c, phv); return true;
    case SLUICE_OPCODE_CRTS:
      if (c->mbr) return_to_sender(m, c, phv);
      return true;
    default: return false;
  }
}

// What works on registers alone.
static void compute(unsigned stage, uint16_t instr, struct model_capsule *c) {
  switch (opcode(instr)) {
    case SLUICE_OPCODE_MBR_LOAD: c->mbr = c->data[1]; break;
    case SLUICE_OPCODE_MBR2_LOAD: c->mbr2 = c->data[2]; break;
    case SLUICE_OPCODE_MAR_LOAD: c->mar = c->data[0] & ADDRESS_MASK; break;
    case SLUICE_OPCODE_MBR_STORE: c->data[3] = c->mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT: c->data[1] = c->mbr; break;
    case SLUICE_OPCODE_MBR_STORE_ALT2: c->data[2] = c->mbr; break;
    case SLUICE_OPCODE_MBR_EQUALS_MBR2: c->mbr ^= c->mbr2; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_0: c->mbr ^= c->data[0]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_1: c->mbr ^= c->data[1]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_2: c->mbr ^= c->data[2]; break;
    case SLUICE_OPCODE_MBR_EQUALS_DATA_3: c->mbr ^= c->data[3]; break;
    case SLUICE_OPCODE_MAX: c->mbr = c->mbr > c->mbr2 ? c->mbr : c->mbr2; break;
    case SLUICE_OPCODE_MIN: c->mbr = smaller(c->mbr, c->mbr2); break;
    case SLUICE_OPCODE_REVMIN: c->mbr2 = smaller(c->mbr, c->mbr2); break;
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
    case SLUICE_OPCODE_HASH: c->mar = model_capsule_hash(polynomial(stage, instr), c->hash); break;
    case SLUICE_OPCODE_LOAD_SALT: c->mbr = SALT; break;
    case SLUICE_OPCODE_LOAD_TCP_5TUPLE: load_tuple(c); break;
    case SLUICE_OPCODE_LOAD_PKTCOUNT: c->mbr = c->count; break;
    case SLUICE_OPCODE_LOAD_QUEUE:
      if (c->later) c->mbr = c->depth;
      break;
    case SLUICE_OPCODE_LOAD_QDELAY:
      if (c->later) c->mbr = c->delay;
      break;
    default: break;  // NOP, the placeholders, and what is no opcode
  }
}

// The instruction at which a skip ends is skipped itself.
static void skip(struct model_capsule *c, uint16_t instr) {
  if (!target(instr) || numbered(instr) != numbered(c->jump)) return;
  if (!numbered(instr) || label(instr) == label(c->jump)) c->skip = false;
}

// No instruction: the program has ended, at this stage or before it.
static bool has_instruction(const struct model_capsule *c, unsigned stage) {
  return !c->complete && stage + c->ended < c->length;
}

void model_capsule_step(struct sluice_model *m, unsigned stage, struct model_capsule *c,
                        struct sluice_model_phv *phv, struct sluice_model_access *access,
                        struct model_pair pair[2]) {
  if (!has_instruction(c, stage)) return;
  const uint16_t instr = c->instr[stage];
  const unsigned op = opcode(instr);
  if (c->skip) skip(c, instr);
  else if (is_memory(op)) access_memory(m, stage, op, c, phv, access, pair);
  else if (is_address(op)) translate(m, stage, op, c);
  else if (!steer(m, instr, c, phv)) compute(stage, instr, c);
}

bool model_capsule_show(const struct model_capsule *c, unsigned stage,
                        struct sluice_model_instruction *shown) {
  if (!has_instruction(c, stage)) return false;
  *shown = (struct sluice_model_instruction){
      .bits = c->instr[stage], .skipped = c->skip, .before = {c->mar, c->mbr, c->mbr2}};
  return true;
}

void model_capsule_shown(const struct model_capsule *c, const struct sluice_model_access *access,
                         struct sluice_model_instruction *shown) {
  const bool memory = is_memory(opcode(shown->bits));
  shown->fault = memory && !shown->skipped && (!access->executed || access->refused);
  shown->jumped = !shown->skipped && c->skip;
  shown->complete = c->complete;
  shown->after[0] = c->mar;
  shown->after[1] = c->mbr;
  shown->after[2] = c->mbr2;
}

// ---- how it leaves ------------------------------------------------------------------------------

static void exchange(uint8_t *header) {
  for (unsigned i = 0; i < 6; i++) {
    const uint8_t kept = header[i];
    header[i] = header[i + 6];
    header[i + 6] = kept;
  }
}

static bool is_done(const struct sluice_model *m, const struct model_capsule *c) {
  return c->complete || (c->ended && c->length - 1 <= m->config.BackStages);
}

bool model_capsule_more(const struct sluice_model *m, const struct model_capsule *c) {
  return c->rounds && !is_done(m, c);
}

void model_capsule_exit(const struct sluice_model *m, const struct sluice_model_packet *packet,
                        const struct model_capsule *c, struct sluice_model_result *result) {
  const unsigned end = packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER;
  const unsigned stages = m->config.BackStages, b = MODEL_CAPSULE_LIST_AT + 2 * c->length;
  const bool done = is_done(m, c);
  for (unsigned i = 0; i < 4; i++)
    put32(result->header, MODEL_CAPSULE_ARGS_AT + 4 * i, end, c->data[i]);
  if (c->returned) {
    exchange(result->header);
    if (b + 20 <= SLUICE_MODEL_HEADER) {
      put32(result->header, b + 12, end, c->destination);
      put32(result->header, b + 16, end, c->source);
    }
  }
  if (done) result->header[DONE_AT] |= DONE_BIT;
  if (c->fault && c->report) result->header[FAULT_AT] |= FAULT_BIT;
  // Of a list that is longer than the packet, what is in it.
  const unsigned room = packet->len - MODEL_CAPSULE_LIST_AT,
                 bytes = 2 * (done ? c->length : stages);
  result->taken_out = bytes < room ? bytes : room;
  result->len = packet->len - result->taken_out;
  if (result->len < SLUICE_MODEL_MIN_LEN) result->len = SLUICE_MODEL_MIN_LEN;
}
