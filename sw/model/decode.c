// SPDX-License-Identifier: Apache-2.0
// Entries of tables, decoded for the packets: operations that change nothing are left out,
// containers that the chip does not have read 0 and are not written, and each overlay row knows the
// stages and match rows that are for its module.
#include <string.h>

#include "machine.h"

void model_tables_changed(struct sluice_model *m) { m->writes++; }

// A record that was made before the last write of a table is made anew.
#define UP_TO_DATE(M, RECORD) ((RECORD)->made == (M)->writes)

// ---- operands -----------------------------------------------------------------------------------

static bool there(const struct sluice_model *m, unsigned type, unsigned index) {
  const struct sluice_config *c = &m->config;
  switch (type) {
    case SLUICE_TYPE_B2: return index < c->Num2B;
    case SLUICE_TYPE_B4: return index < c->Num4B;
    case SLUICE_TYPE_B6: return index < c->Num6B;
    default: return true;
  }
}

// A container that is not there reads 0.
static struct model_operand container(const struct sluice_model *m, unsigned type, unsigned index) {
  if (!there(m, type, index)) return (struct model_operand){SLUICE_TYPE_CONST, 0};
  return (struct model_operand){(uint8_t)type, (uint8_t)index};
}

static struct model_operand operand(const struct sluice_model *m, unsigned value) {
  return container(m, value >> SLUICE_OPERAND_KIND_LSB & 3u, value & 7u);
}

// ---- overlay rows: parser, deparser, stages -----------------------------------------------------

// The actions of a PARSER or DEPARSER entry that are in use, action 0 first.
static unsigned moves(const struct sluice_model *m, const uint64_t *entry, bool parser,
                      struct model_move *out) {
  unsigned num = 0;
  for (unsigned n = 0; n < m->config.ParseActions; n++) {
    const uint64_t action = model_bits(entry, 159 - 16 * n, 144 - 16 * n);
    const unsigned type = FIELD32(&action, PARSE_ACTION, KIND),
                   index = FIELD32(&action, PARSE_ACTION, IDX);
    const bool metadata = FIELD(&action, PARSE_ACTION, METADATA);
    if (!FIELD(&action, PARSE_ACTION, VALID) || type == SLUICE_TYPE_CONST) continue;
    // The deparser writes no metadata; the parser has nowhere to put what no container takes.
    if (parser ? !there(m, type, index) : metadata) continue;
    out[num++] = (struct model_move){.to = container(m, type, index),
                                     .bytes = (uint8_t)(2 * type),  // B2, B4, B6 are 1, 2, 3
                                     .offset = (uint8_t)FIELD32(&action, PARSE_ACTION, OFFSET),
                                     .metadata = metadata};
  }
  return num;
}

_Static_assert(SLUICE_TYPE_B2 == 1 && SLUICE_TYPE_B4 == 2 && SLUICE_TYPE_B6 == 3,
               "bytes of a container: twice its type");

static void decode_keys(const struct sluice_model *m, const uint64_t *entry,
                        struct model_overlay *o) {
  if (!FIELD(entry, ARRAY_KEYS, VALID)) return;
  o->keys_valid = true;
  o->keys = (uint16_t)FIELD32(entry, ARRAY_KEYS, WORDS);
  o->keys_stay = FIELD(entry, ARRAY_KEYS, STAY);
  if (FIELD(entry, ARRAY_KEYS, FOUND_VALID))
    o->keys_found = container(m, SLUICE_TYPE_B2, FIELD32(entry, ARRAY_KEYS, FOUND));
}

const struct model_overlay *model_overlay(const struct sluice_model *m, unsigned row) {
  struct model_overlay *o = &m->overlays[row];
  if (UP_TO_DATE(m, o)) return o;
  *o = (struct model_overlay){.made = m->writes};
  o->dest = (uint8_t)FIELD(model_entry(m, SLUICE_TABLE_MODULE, 0, row), MODULE, DEST);
  o->options = (uint8_t)*model_entry(m, SLUICE_TABLE_DEPARSE_OPT, 0, row);
  o->active = m->config.Active &&
              FIELD(model_entry(m, SLUICE_TABLE_MODULE, 0, row), MODULE, ACTIVE);
  const uint64_t *array = model_entry(m, SLUICE_TABLE_ARRAY, 0, row);
  const unsigned count = FIELD32(array, ARRAY, COUNT), words = m->config.ArrayWords;
  o->array_offset = (uint8_t)(FIELD32(array, ARRAY, OFFSET) & ~1u);
  if (FIELD(array, ARRAY, VALID)) o->array_count = (uint8_t)(count < words ? count : words);
  if (m->config.ArrayEntries) decode_keys(m, model_entry(m, SLUICE_TABLE_ARRAY_KEYS, 0, row), o);
  o->num_parse = moves(m, model_entry(m, SLUICE_TABLE_PARSER, 0, row), true, o->parse);
  o->num_deparse = moves(m, model_entry(m, SLUICE_TABLE_DEPARSER, 0, row), false, o->deparse);
  for (unsigned n = 0; n < o->num_parse; n++) o->metadata |= o->parse[n].metadata;
  for (unsigned s = 0; s < m->config.StateStages; s++)
    if (FIELD(model_entry(m, SLUICE_TABLE_ACCESS, s, row), ACCESS, ENABLE))
      o->access[o->num_access++] = (uint8_t)s;
  const unsigned back = m->config.BackStages;
  for (unsigned s = 0; s < back; s++)
    if (model_looks(model_key(m, s, row))) o->back[o->num_back++] = (uint8_t)s;
  for (unsigned s = back; s < back + m->config.FrontStages; s++)
    if (model_looks(model_key(m, s, row))) o->front[o->num_front++] = (uint8_t)s;
  return o;
}

const struct model_egress_row *model_egress_row(const struct sluice_model *m, unsigned row) {
  struct model_egress_row *r = &m->egress[row];
  if (UP_TO_DATE(m, r)) return r;
  *r = (struct model_egress_row){.made = m->writes};
  r->options = (uint8_t)*model_entry(m, SLUICE_TABLE_EGRESS_OPT, 0, row);
  r->num_parse = moves(m, model_entry(m, SLUICE_TABLE_EGRESS_PARSER, 0, row), true, r->parse);
  r->num_deparse =
      moves(m, model_entry(m, SLUICE_TABLE_EGRESS_DEPARSER, 0, row), false, r->deparse);
  for (unsigned s = m->config.BackStages + m->config.FrontStages; s < model_stages(m); s++)
    if (model_looks(model_key(m, s, row))) r->stages[r->num_stages++] = (uint8_t)s;
  return r;
}

// ---- keys and match rows ------------------------------------------------------------------------

static bool all_masked(const uint64_t *mask, unsigned msb, unsigned lsb) {
  for (unsigned bit = lsb; bit <= msb; bit++)
    if (!(mask[bit / 64] >> bit % 64 & 1)) return false;
  return true;
}

// The match rows of a stage that are for packets of an overlay row in a bank, lowest first. A match
// row belongs to one overlay row alone, so all lists of a stage and bank share one array of links.
static uint16_t link_rows(const struct sluice_model *m, unsigned stage, unsigned row) {
  const unsigned rows = m->config.MatchEntries, bank = row / m->config.NumModules,
                 module = row % m->config.NumModules;
  uint16_t *next = model_next(m, bank, stage);
  uint16_t first = MODEL_NO_ROW;
  for (unsigned r = rows; r-- > 0;) {
    const uint64_t *entry = model_entry(m, SLUICE_TABLE_MATCH, stage, r);
    if (!m->match_valid[stage * rows + r] ||
        FIELD(entry, MATCH, VID) % m->config.NumModules != module)
      continue;
    if (FIELD(entry, MATCH, NOT_BANK) >> bank & 1) continue;
    next[r] = first;
    first = (uint16_t)r;
  }
  return first;
}

// The wide compare of an overlay row.
static void decode_wide(const struct sluice_model *m, unsigned stage, unsigned row,
                        struct model_key *k) {
  if (!m->config.WideCompare) return;
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_KEY_COMPARE, stage, row);
  const unsigned op = FIELD32(entry, KEY_COMPARE, OP);
  k->wide = op != SLUICE_WIDE_ZERO && op <= SLUICE_WIDE_GE;
  k->wide_entry = entry[0];
  k->wide_a = operand(m, FIELD32(entry, KEY_COMPARE, A));
  k->wide_b = operand(m, FIELD32(entry, KEY_COMPARE, B));
}

const struct model_key *model_key(const struct sluice_model *m, unsigned stage, unsigned row) {
  struct model_key *k = &m->keys[stage * m->rows + row];
  if (UP_TO_DATE(m, k)) return k;
  *k = (struct model_key){
      .made = m->writes, .first = link_rows(m, stage, row), .ternary = MODEL_NO_ROW};
  model_engines_decode(m, stage, row, k);
  const uint64_t *extract = model_entry(m, SLUICE_TABLE_KEY_EXTRACT, stage, row);
  const uint64_t *mask = model_entry(m, SLUICE_TABLE_KEY_MASK, stage, row);
  const struct sluice_config *c = &m->config;
  // Of a size of which the chip has one container the key has no second part; without 6-byte
  // containers it has none of 6 bytes.
  const struct {
    bool there;
    unsigned type, index, msb, lsb;
  } parts[] = {
#define PART(NAME, TYPE, THERE)                                               \
  {THERE, TYPE, FIELD32(extract, KEY_EXTRACT, NAME), SLUICE_KEY_##NAME##_MSB, \
   SLUICE_KEY_##NAME##_LSB}
      PART(B6_FIRST, SLUICE_TYPE_B6, c->Num6B > 0),
      PART(B6_SECOND, SLUICE_TYPE_B6, c->Num6B > 1),
      PART(B4_FIRST, SLUICE_TYPE_B4, true),
      PART(B4_SECOND, SLUICE_TYPE_B4, c->Num4B > 1),
      PART(B2_FIRST, SLUICE_TYPE_B2, true),
      PART(B2_SECOND, SLUICE_TYPE_B2, c->Num2B > 1)
#undef PART
  };
  for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (parts[i].there && !all_masked(mask, parts[i].msb, parts[i].lsb))
      k->parts[k->num_parts++] =
          (struct model_key_part){container(m, parts[i].type, parts[i].index),
                                  (uint8_t)parts[i].msb, (uint8_t)parts[i].lsb};
  k->compares = !all_masked(mask, SLUICE_KEY_PREDICATE_MSB, SLUICE_KEY_PREDICATE_LSB);
  k->extract = extract[0];
  decode_wide(m, stage, row, k);
  for (unsigned w = 0; w < MODEL_KEY_WORDS; w++) k->keep[w] = ~mask[w];
  return k;
}

// ---- action words -------------------------------------------------------------------------------

static bool changes_metadata(uint64_t slot) {
  switch (FIELD(&slot, INSTR, OP)) {
    case SLUICE_OP_PORT:
    case SLUICE_OP_DISCARD:
    case SLUICE_OP_FUNC:
    case SLUICE_OP_FUNCI:
    case SLUICE_OP_SETHI: return true;
    default: return false;
  }
}

// An operand of FUNC with DATA set.
static struct model_operand data_operand(const struct sluice_model *m, unsigned value) {
  const unsigned index = value & 7u;
  if ((value >> SLUICE_OPERAND_KIND_LSB & 3u) != SLUICE_TYPE_CONST) return operand(m, value);
  if (index < 4) return (struct model_operand){MODEL_TYPE_DATA, (uint8_t)index};
  return (struct model_operand){SLUICE_TYPE_CONST, (uint8_t)(index - 4)};
}

// Decodes VLIW slot 1..24 of a container (type, index). False: it changes nothing. `names_data`: it
// is FUNC with DATA set.
static bool decode_alu(const struct sluice_model *m, uint64_t slot, unsigned type, unsigned index,
                       struct model_alu *alu, bool *names_data) {
  const unsigned a = FIELD32(&slot, INSTR, A), b = FIELD32(&slot, INSTR, B),
                 op = FIELD32(&slot, INSTR, OP);
  if (!there(m, type, index)) return false;
  *alu = (struct model_alu){.op = (uint8_t)op,
                            .to = {(uint8_t)type, (uint8_t)index},
                            .imm = FIELD32(&slot, INSTR_IMM, IMM)};
  bool shifts = false;
  *names_data = false;
  switch (op) {
    // Menshen's operations ignore the type tags.
    case SLUICE_OP_ADD:
    case SLUICE_OP_SUB:
    case SLUICE_OP_ADDI:
    case SLUICE_OP_SUBI:
      alu->a = container(m, type, a & 7u);
      alu->b = container(m, type, b & 7u);
      break;
    case SLUICE_OP_FUNC:
      alu->f = (uint8_t)FIELD(&slot, INSTR_FUNC, F);
      alu->a = operand(m, a);
      alu->b = operand(m, b);
      alu->c = operand(m, FIELD32(&slot, INSTR_FUNC, C));
      shifts = sluice_op_shifts(op, alu->f);
      if (!m->config.ActionData || !FIELD(&slot, INSTR_FUNC, DATA)) break;
      *names_data = true;
      alu->a = data_operand(m, a);
      alu->b = data_operand(m, b);
      alu->c = data_operand(m, FIELD32(&slot, INSTR_FUNC, C));
      break;
    case SLUICE_OP_FUNCI: {
      const uint32_t value = FIELD32(&slot, INSTR_FUNCI, IMM);  // of 12 bits, signed
      alu->f = (uint8_t)FIELD(&slot, INSTR_FUNCI, F);
      alu->a = operand(m, a);
      alu->imm = value & 0x800u ? value | 0xfffff000u : value;
      shifts = sluice_op_shifts(op, alu->f);
      break;
    }
    case SLUICE_OP_SETHI: alu->a = operand(m, a); break;
    case SLUICE_OP_SET: break;
    case SLUICE_OP_EXT: alu->imm &= 15u; break;
    default: return false;  // NOP, NOP_FILL, PORT, DISCARD; LOAD, STORE, LOADD are the state unit's
  }
  // Without shifters a shift gives 0.
  if (shifts && !m->config.Shifters) alu->op = SLUICE_OP_SET, alu->imm = 0, *names_data = false;
  return true;
}

static uint64_t vliw_slot(const uint64_t *action, unsigned s) {
  return model_bits(action, SLUICE_INSTR_BITS * s + SLUICE_INSTR_BITS - 1, SLUICE_INSTR_BITS * s);
}

const struct model_action *model_action(const struct sluice_model *m, unsigned stage,
                                        unsigned action_row) {
  struct model_action *d = &m->actions[stage * m->depth[SLUICE_TABLE_ACTION] + action_row];
  if (UP_TO_DATE(m, d)) return d;
  const uint64_t *action = model_entry(m, SLUICE_TABLE_ACTION, stage, action_row);
  d->made = m->writes;
  d->num = 0;
  d->slot0 = vliw_slot(action, 0);
  d->slot16 = vliw_slot(action, 16);
  d->metadata = changes_metadata(d->slot0);
  const bool data = m->config.ActionData && FIELD(&d->slot0, INSTR, OP) == SLUICE_OP_FUNC &&
                    FIELD(&d->slot0, INSTR_FUNC, DATA);
  d->port = data ? data_operand(m, FIELD32(&d->slot0, INSTR, A))
                 : operand(m, FIELD32(&d->slot0, INSTR, A));
  struct model_alu of_data[MODEL_ALUS];
  unsigned num_of_data = 0;
  for (unsigned s = 1; s <= 24; s++) {
    struct model_alu *alu = &d->alus[d->num];
    bool names_data;
    if (!decode_alu(m, vliw_slot(action, s), SLUICE_TYPE_B2 + (s - 1) / 8, (s - 1) % 8, alu,
                    &names_data))
      continue;
    if (names_data) of_data[num_of_data++] = *alu;
    else d->num++;
  }
  d->plain = d->num;
  for (unsigned n = 0; n < num_of_data; n++) d->alus[d->num++] = of_data[n];
  return d;
}
