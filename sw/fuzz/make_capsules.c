// SPDX-License-Identifier: Apache-2.0
// Capsules, in a chip that executes them: ids of the modules, their regions and addresses, and
// packets with programs. Regions of a module lie where no other module has state, pinned and spread
// ones apart: only there accesses have an order.
#include <string.h>

#include "capsule.h"
#include "make.h"

enum { LIST_MAX = 42, BEHIND = 24, ADDRESSES = 1 << 20 };
enum { OPCODES = 96, MEMORY = SLUICE_OPCODE_MEM_WRITE, MEMORIES = 6 };

// ---- where they have memory ---------------------------------------------------------------------

static unsigned pipes_of(const struct make *m) { return m->config->NumPipes / m->c->sets; }

void make_areas(struct make *m, unsigned stage, unsigned *high, unsigned *lows, unsigned *lowests) {
  struct sluice_rng *stream = m->rng;
  m->rng = &m->capsules;
  for (unsigned i = 0; i < m->num_modules; i++) {
    struct make_module *module = &m->modules[i];
    struct make_segment *a = &module->areas[stage];
    const unsigned first = module->first, slots = PICK(m, 1, 2, 4, 8, 12);
    *a = (struct make_segment){.there = chance(m, 95), .pinned = chance(m, 40), .pipe = first};
    if (a->pinned) a->pipe += pick(m, pipes_of(m));
    a->there = a->there && (a->pinned ? high[a->pipe] : lowests[first]) >= lows[first] + slots;
    if (!a->there) continue;
    a->range = a->pinned ? slots : slots * pipes_of(m);
    a->base = a->pinned ? high[a->pipe] - slots : lows[first];
    if (!a->pinned) lows[first] += slots;
    else if ((high[a->pipe] = a->base) < lowests[first]) lowests[first] = a->base;
  }
  m->rng = stream;
}

void make_ids(struct make *m) {
  struct sluice_rng *stream = m->rng;
  const unsigned ids = m->config->ActiveIds < 256 ? m->config->ActiveIds : 256;
  m->rng = &m->capsules;
  m->num_ids = 1 + pick(m, MAKE_IDS);
  for (unsigned i = 0; i < m->num_ids; i++) {
    unsigned id;
    bool taken;
    do {
      id = pick(m, ids);
      taken = false;
      for (unsigned k = 0; k < i; k++) taken = taken || m->ids[k].id == id;
    } while (taken);
    m->ids[i] = (struct make_id){.id = id, .module = pick(m, m->num_modules)};
    if (chance(m, 60)) m->ids[i].low = chance(m, 70) ? pick(m, 40) : pick(m, ADDRESSES - 4096);
  }
  m->rng = stream;
}

// ---- tables -------------------------------------------------------------------------------------

static struct make_write *add(struct make *m, enum sluice_table table, unsigned stage,
                              const struct make_module *module, unsigned id) {
  struct make_write *w = make_add(m, table, stage, module->bank * m->config->ActiveIds + id);
  w->row = module->entry;
  return w;
}

// A part of a place, or all of it. What is behind a pinned one at the end of the memory is not
// there.
static struct make_region pick_part(struct make *m, const struct make_segment *place) {
  const unsigned k = place->pinned ? 1 : pipes_of(m), slots = (place->range + k - 1) / k;
  const unsigned from = chance(m, 60) ? 0 : pick(m, slots), room = (slots - from) * k;
  const bool end = place->pinned && place->base + place->range == sluice_config_slots(m->config);
  const unsigned more = end && chance(m, 30) ? pick(m, 30) : 0;
  struct make_region r = {
      .there = true, .sharded = !place->pinned, .base = place->base + from, .pipe = place->pipe};
  if (r.sharded) r.pipe = r.pipe - r.pipe % k + pick(m, k);
  r.low = chance(m, 50) ? 0 : chance(m, 70) ? pick(m, 40) : pick(m, ADDRESSES - 4096);
  r.high = r.low + (chance(m, 70) ? room : 1 + pick(m, room)) - 1 + more;
  return r;
}

static struct make_region pick_region(struct make *m, const struct make_module *module,
                                      unsigned stage) {
  const struct make_segment *area = &module->areas[stage], *own = &module->segments[stage];
  const unsigned what = pick(m, 100), slots = sluice_config_slots(m->config);
  if (what < 10 && own->there && !m->updating) return pick_part(m, own);
  if (what < 95 && area->there) return pick_part(m, area);
  if (what < 98)
    return (struct make_region){
        .there = chance(m, 50), .sharded = chance(m, 50), .low = 1 + pick(m, 9)};
  // Behind the end of the memory.
  return (struct make_region){.there = true,
                              .sharded = chance(m, 50),
                              .base = slots < 65536 ? slots + pick(m, 65536 - slots) : 65535,
                              .low = slots < 65536 ? 0 : 1,
                              .high = slots < 65536 ? pick(m, 100) : 0,
                              .pipe = module->first};
}

static void make_region(struct make *m, const struct make_module *module, unsigned stage,
                        struct make_id *id) {
  struct make_region r = pick_region(m, module, stage);
  if (r.there && r.high >= r.low && chance(m, 80)) {
    r.high = id->low + (r.high - r.low);
    r.low = id->low;
  }
  uint8_t *e = add(m, SLUICE_TABLE_REGION, stage, module, id->id)->bytes;
  SLUICE_SETS(e, REGION, (VALID, r.there), (SHARDED, r.sharded), (PIPE, r.pipe), (LOW, r.low),
              (HIGH, r.high), (BASE, r.base));
  if (m->out == &m->c->control) id->regions[stage] = r;
  if (!chance(m, 50)) return;
  e = add(m, SLUICE_TABLE_ADDRESS, stage, module, id->id)->bytes;
  SLUICE_SETS(e, ADDRESS, (VALID, chance(m, 90)),
              (K, chance(m, 80) ? stage + pick(m, 3) : pick(m, 32)),
              (MASK, chance(m, 80) ? (1u << pick(m, 6)) - 1 : pick(m, ADDRESSES)),
              (OFFSET, chance(m, 80) ? r.low : pick(m, ADDRESSES)));
}

// In a case without updates nobody uses the entry of the other bank: it shows the memory of
// capsules to who reads state.
static void make_window(struct make *m, const struct make_module *module, unsigned stage) {
  const struct make_segment *a = &module->areas[stage];
  const unsigned entry = m->config->NumModules + module->row;
  uint8_t *e = make_add(m, SLUICE_TABLE_SEGMENT, stage, entry)->bytes;
  SLUICE_SETS(e, SEGMENT, (RANGE, a->range), (BASE, a->base));
  e = make_add(m, SLUICE_TABLE_ACCESS, stage, entry)->bytes;
  SLUICE_SETS(e, ACCESS, (PINNED, a->pinned), (PIPE, a->pipe));
  for (unsigned n = pick(m, 4); n > 0; n--) {
    const bool fill = n == 3;
    struct make_write *w = make_add(m, fill ? SLUICE_TABLE_FILL : SLUICE_TABLE_STATE, stage,
                                    fill ? 0 : pick(m, a->range));
    w->row = entry;
    SLUICE_SETS(w->bytes, STATE_ENTRY, (S1, pick_value(m)), (S2, pick_value(m)));
  }
}

void make_module_capsules(struct make *m, struct make_module *module) {
  struct sluice_rng *stream = m->rng;
  m->rng = &m->capsules;
  for (unsigned i = 0; i < m->num_ids; i++) {
    struct make_id *id = &m->ids[i];
    if (&m->modules[id->module] != module) continue;
    uint8_t *e = add(m, SLUICE_TABLE_TENANT, 0, module, id->id)->bytes;
    SLUICE_SETS(e, TENANT, (VALID, chance(m, 95)), (DROP, chance(m, 25)), (REPORT, chance(m, 60)),
                (ROUNDS, make_again_rounds(m)), (ROW, chance(m, 96) ? module->row : pick(m, 256)));
    for (unsigned s = 0; s < m->config->StateStages; s++)
      if (chance(m, 97)) make_region(m, module, s, id);
  }
  for (unsigned s = 0; s < m->config->StateStages; s++)
    if (m->config->Banks == 2 && !m->updating && module->areas[s].there) make_window(m, module, s);
  m->rng = stream;
}

bool make_is_active(struct make *m) {
  struct sluice_rng *stream = m->rng;
  m->rng = &m->capsules;
  const bool active = chance(m, 88);
  m->rng = stream;
  return active;
}

// ---- programs -----------------------------------------------------------------------------------

#define I(NAME) SLUICE_OPCODE_##NAME
// Published programs, as far as a pass or two go.
// clang-format off
static const uint8_t published[][LIST_MAX] = {
    {I(MAR_LOAD), I(MEM_READ), I(MBR_EQUALS_DATA_1), I(CRET), I(MEM_READ), I(MBR_EQUALS_DATA_2),
     I(CRET), I(RTS), I(MEM_READ), I(MBR_STORE), I(RETURN)},
    {I(MEM_READ), I(MBR_EQUALS_DATA_1), I(CRET), I(MEM_READ), I(MBR_EQUALS_DATA_2), I(CRET), I(RTS),
     I(MEM_READ)},
    {I(MBR_LOAD), I(MBR2_LOAD), I(COPY_HASHDATA_MBR), I(COPY_HASHDATA_MBR2),
     I(HASH), I(ADDR_MASK_7), I(ADDR_OFFSET_7), I(MEM_MINREADINC), I(COPY_MBR2_MBR),
     I(HASH), I(ADDR_MASK_12), I(ADDR_OFFSET_12), I(MEM_MINREADINC), I(COPY_MBR_MBR2),
     I(MAR_LOAD), I(MEM_READ), I(MIN), I(MBR_EQUALS_MBR2), I(CRETI), I(MBR_LOAD), I(MEM_WRITE),
     I(NOP), I(NOP), I(COPY_MBR_MBR2), I(MBR2_LOAD), I(MEM_WRITE), I(COPY_MBR_MBR2), I(MEM_WRITE),
     I(RETURN)},
    {I(LOAD_TCP_5TUPLE),  I(MAR_LOAD),          I(ADDR_MASK_4),    I(ADDR_OFFSET_4),
     I(MEM_READ),         I(COPY_MBR2_MBR),     I(MEM_INCREMENT),  I(COPY_MAR_MBR),
     I(COPY_MBR_MBR2),    I(BIT_AND_MAR_MBR),   I(COPY_MBR_MAR),   I(COPY_MBR2_MBR),
     I(MAR_LOAD),         I(ADDR_MASK_15),      I(ADDR_OFFSET_15), I(MEM_READ),
     I(MAR_MBR_ADD_MBR2), I(MEM_READ),          I(SET_DST),        I(COPY_MBR2_MBR),
     I(LOAD_SALT),        I(COPY_HASHDATA_MBR), I(HASH),           I(COPY_MBR_MAR),
     I(MBR_EQUALS_MBR2),  I(MBR_STORE),         I(RETURN)},
    {I(LOAD_TCP_5TUPLE), I(LOAD_SALT), I(COPY_HASHDATA_MBR), I(HASH), I(MBR_LOAD), I(COPY_MBR2_MBR),
     I(COPY_MBR_MAR), I(MBR_EQUALS_MBR2), I(SET_DST), I(RETURN)},
    {I(MAR_LOAD), I(MEM_READ), I(MBR_STORE), I(RETURN)},
    {I(MAR_LOAD), I(MBR_LOAD), I(MEM_WRITE), I(RETURN)},
    {I(MEM_INCREMENT), I(MBR_STORE), I(RETURN)},
    {I(MEM_WRITE_CONDZERO), I(CRETI), I(MEM_WRITE_CONDZERO), I(CRETI), I(MEM_WRITE_CONDZERO)},
    {I(RTS), I(RETURN)},
    {I(NOP), I(RETURN)}};
// clang-format on

// A program and what it works on.
struct program {
  unsigned num;  // instructions, without EOF
  uint16_t instr[LIST_MAX];
};

static void append(struct program *p, unsigned instr) {
  if (p->num < LIST_MAX) p->instr[p->num++] = (uint16_t)instr;
}

static void make_published(struct make *m, struct program *p) {
  const uint8_t *from = published[pick(m, sizeof published / sizeof published[0])];
  for (unsigned i = 0; i < LIST_MAX && from[i]; i++) append(p, from[i]);
}

static unsigned pick_memory(struct make *m) { return MEMORY + pick(m, MEMORIES); }
// An instruction that goes on: memory, registers, rarely anything.
static unsigned pick_opcode(struct make *m) {
  const unsigned what = pick(m, 100);
  if (what < 35) return pick_memory(m);
  if (what < 85)
    return PICK(m, I(MBR_LOAD), I(MBR2_LOAD), I(MBR_STORE), I(MBR_EQUALS_MBR2),
                I(MBR_EQUALS_DATA_0) + pick(m, 4), I(MAX), I(MIN), I(REVMIN), I(SWAP_MBR_MBR2),
                I(MBR_NOT), I(MBR_SUBTRACT_MBR2), I(MBR_ADD_MBR2), I(BIT_OR_MBR_MBR2),
                I(COPY_MBR2_MBR), I(COPY_MBR_MBR2), I(COPY_MBR_MAR), I(COPY_HASHDATA_MBR),
                I(COPY_HASHDATA_MBR2), I(LOAD_SALT), I(LOAD_TCP_5TUPLE), I(MBR_STORE_ALT),
                I(MBR_STORE_ALT2), I(NOP));
  if (what < 95)
    return PICK(m, I(MAR_LOAD), I(MAR_LOAD), I(HASH), I(COPY_MAR_MBR), I(MAR_ADD_MBR),
                I(MAR_ADD_MBR2), I(MAR_MBR_ADD_MBR2), I(BIT_AND_MAR_MBR),
                I(ADDR_MASK_0) + pick(m, 40), I(SET_DST), I(CRTS), I(RTS));
  return 1 + pick(m, OPCODES - 1);
}

// With jumps to labels, numbered or not, and returns.
static void make_structured(struct make *m, struct program *p) {
  const unsigned num = 1 + pick(m, chance(m, 80) ? m->config->BackStages : LIST_MAX - 1);
  unsigned label = 0, due = 0;  // due: instructions until the target of a jump stands
  bool numbered = false;
  while (p->num < num) {
    unsigned instr = pick_opcode(m);
    if (instr == I(HASH) && chance(m, 40)) instr |= pick(m, 64) << 10 | 1u << 9;
    if (due && --due == 0) {
      instr |= 1u << 8;
      if (numbered) instr = (instr & 0x1ff) | label << 10 | 1u << 9;
    } else if (!due && chance(m, 15)) {
      instr = PICK(m, I(CJUMP), I(CJUMPI), I(UJUMP));
      numbered = chance(m, 60);
      label = pick(m, chance(m, 70) ? 3 : 64);
      if (numbered) instr |= label << 10 | 1u << 9;
      else if (chance(m, 50)) instr |= 1u << 8;  // as the assembler published does
      due = 1 + pick(m, 3);
    } else if (chance(m, 6)) {
      instr = PICK(m, I(RETURN), I(CRET), I(CRETI), I(DROP));
    }
    append(p, instr);
  }
}

static void make_any(struct make *m, struct program *p) {
  const unsigned num = chance(m, 90) ? pick(m, 2 * m->config->BackStages) : LIST_MAX;
  while (p->num < num && p->num < LIST_MAX) {
    unsigned instr = chance(m, 90) ? 1 + pick(m, OPCODES - 1) : pick(m, 256);
    if (chance(m, 25)) instr |= pick(m, 4) << 8 | pick(m, chance(m, 70) ? 2 : 64) << 10;
    append(p, instr);
  }
}

static void make_program(struct make *m, struct program *p) {
  const unsigned what = pick(m, 100);
  p->num = 0;
  // The access not at the front, or an access alone at any stage.
  for (unsigned n = chance(m, 30) ? pick(m, m->config->BackStages) : 0; n > 0; n--)
    append(p, I(NOP));
  if (what < 30) make_published(m, p);
  else if (what < 75) make_structured(m, p);
  else if (what < 90) make_any(m, p);
  else append(p, pick_memory(m));
}

// ---- packets ------------------------------------------------------------------------------------

// An address that the region of the first memory instruction has, mostly; or one beside it.
static uint32_t pick_address(struct make *m, const struct make_id *id, const struct program *p) {
  unsigned stage = 0;
  while (stage < p->num &&
         ((p->instr[stage] & 0xffu) < MEMORY || (p->instr[stage] & 0xffu) >= MEMORY + MEMORIES))
    stage++;
  if (stage >= m->config->StateStages || chance(m, 20)) stage = pick(m, m->config->StateStages);
  const struct make_region *r = &id->regions[stage];
  const unsigned words = r->high >= r->low ? r->high - r->low + 1 : 1;
  switch (pick(m, 20)) {
    case 0: return r->low - 1;
    case 1: return r->high + 1;
    case 2: return r->high;
    case 3: return pick_value(m);
    case 4: return r->low + pick(m, words) + (pick(m, 4096) << 20);
    case 5:
    case 6:
    case 7: return r->low + pick(m, words);
    default: return r->low + pick(m, words < 3 ? words : 3);
  }
}

static void put_list(struct make *m, uint8_t *head, const struct program *p) {
  for (unsigned i = 0; i < p->num; i++) sluice_put16(head + CAPSULE_LIST_AT + 2 * i, p->instr[i]);
  // Some lists have no end of their own.
  if (p->num < LIST_MAX && chance(m, 96))
    sluice_put16(head + CAPSULE_LIST_AT + 2 * p->num, chance(m, 90) ? 0 : pick(m, 256) << 8);
}

static unsigned pick_fid(struct make *m, const struct make_id *id) {
  const unsigned what = pick(m, 100), ids = m->config->ActiveIds;
  if (what < 95) return id->id;
  if (what < 97) return pick(m, ids);
  return what < 99 ? id->id + ids * (1 + pick(m, 3)) : pick(m, 65536);
}

static void make_template(struct make *m, struct make_capsule *c) {
  const struct make_id *id = &m->ids[pick(m, m->num_ids)];
  struct program p;
  memset(c, 0, sizeof *c);
  make_program(m, &p);
  c->vid = chance(m, 96) ? m->modules[id->module].vid : m->modules[pick(m, m->num_modules)].vid;
  c->len = CAPSULE_LIST_AT + 2 * (p.num + 1) + BEHIND;
  sluice_put16(c->head + CAPSULE_TYPE_AT, chance(m, 99) ? CAPSULE_ETHERTYPE : 0x0800);
  sluice_put32(c->head + CAPSULE_SIGNATURE_AT, chance(m, 99) ? 0x12345678 : 0x12345679);
  unsigned flags = chance(m, 80) ? 1 : 0;
  if (chance(m, 30)) flags |= pick(m, 65536) & 0xfece;  // neither DONE nor REQUEST
  if (chance(m, 5)) flags |= PICK(m, 0x0100, 0x0010, 0x0020, 0x0030);
  sluice_put16(c->head + CAPSULE_FLAGS_AT, flags);
  sluice_put16(c->head + CAPSULE_FID_AT, pick_fid(m, id));
  sluice_put16(c->head + CAPSULE_SEQ_AT, pick(m, 65536));
  for (unsigned i = 0; i < 4; i++) sluice_put32(c->head + CAPSULE_DATA_AT + 4 * i, pick_value(m));
  sluice_put32(c->head + CAPSULE_DATA_AT, pick_address(m, id, &p));
  put_list(m, c->head, &p);
}

void make_capsules_open(struct make *m) {
  struct sluice_rng *stream = m->rng;
  m->rng = &m->capsules;
  m->capsule_share = PICK(m, 0, 40, 80, 95, 100);
  m->num_templates = PICK(m, 1, 4, 16, MAKE_TEMPLATES);
  for (unsigned i = 0; i < m->num_templates; i++) make_template(m, &m->templates[i]);
  m->rng = stream;
}

size_t make_capsule_begin(struct make *m, unsigned flow, size_t len) {
  struct sluice_rng *stream = m->rng;
  m->rng = &m->capsules;
  m->capsule = NULL;
  if (chance(m, m->capsule_share)) {
    m->capsule = &m->templates[flow % m->num_templates];
    if (chance(m, 10)) make_template(m, &m->templates[flow % m->num_templates]);
    // Mostly long enough for list and addresses.
    if (len < m->capsule->len && chance(m, 80)) len = m->capsule->len;
  }
  m->rng = stream;
  return len;
}

void make_capsule_end(struct make *m, uint8_t *frame) {
  struct sluice_rng *stream = m->rng;
  const struct make_capsule *c = m->capsule;
  if (!c) return;
  m->rng = &m->capsules;
  const unsigned end = c->len - BEHIND;
  memcpy(frame + CAPSULE_TYPE_AT, c->head + CAPSULE_TYPE_AT,
         (end < CAPSULE_END ? end : CAPSULE_END) - CAPSULE_TYPE_AT);
  if (chance(m, 97)) sluice_put16(frame + 14, c->vid);
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t value = pick_value(m);
    if (i && chance(m, 30)) sluice_put32(frame + CAPSULE_DATA_AT + 4 * i, value);
  }
  if (chance(m, 20))
    sluice_put32(frame + CAPSULE_DATA_AT, sluice_get32(c->head + CAPSULE_DATA_AT) + pick(m, 4));
  m->rng = stream;
}
