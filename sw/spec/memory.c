// SPDX-License-Identifier: Apache-2.0
// What the machine remembers, and what it is after reset.
#include <stdlib.h>
#include <string.h>

#include "parts.h"

// ---- bits ---------------------------------------------------------------------------------------

static bool bit_of(const uint8_t *entry, unsigned bits, unsigned bit) {
  const unsigned from_left = bits - 1 - bit;
  return entry[from_left / 8] >> (7 - from_left % 8) & 1;
}

uint64_t spec_field(const uint8_t *entry, unsigned bits, unsigned msb, unsigned lsb) {
  uint64_t value = 0;
  for (unsigned b = msb + 1; b-- > lsb;) value = value << 1 | bit_of(entry, bits, b);
  return value;
}

void spec_set(uint8_t *entry, unsigned bits, unsigned msb, unsigned lsb, uint64_t value) {
  for (unsigned b = lsb; b <= msb; b++) {
    const unsigned from_left = bits - 1 - b;
    const uint8_t mask = (uint8_t)(0x80 >> from_left % 8);
    const bool one = b - lsb < 64 && value >> (b - lsb) & 1;
    entry[from_left / 8] =
        (uint8_t)(one ? entry[from_left / 8] | mask : entry[from_left / 8] & ~mask);
  }
}

bool spec_same_bits(const uint8_t *a, unsigned a_bits, unsigned a_msb, const uint8_t *b,
                    unsigned b_bits, unsigned b_msb, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (bit_of(a, a_bits, a_msb - i) != bit_of(b, b_bits, b_msb - i)) return false;
  return true;
}

uint64_t spec_number(const uint8_t *bytes, unsigned num) {
  uint64_t value = 0;
  for (unsigned i = 0; i < num; i++) value = value << 8 | bytes[i];
  return value;
}

// ---- which tables a chip has (docs/tables.md; machine.md, Configuration) ------------------------

bool spec_is_egress(const struct sluice_spec *s, unsigned stage) {
  const unsigned first = s->c.BackStages + s->c.FrontStages;
  return stage >= first && stage < first + s->c.EgressStages;
}

bool spec_has_state(const struct sluice_spec *s, unsigned stage) {
  return stage < s->c.StateStages || spec_is_egress(s, stage);
}

unsigned spec_slots(const struct sluice_spec *s) { return s->c.StateEntries / s->c.NumPipes; }

// Tables that only some chips, or only some stages, have; `stage` is one of those of its scope.
static bool has_feature(const struct sluice_config *c, enum sluice_table table, unsigned stage,
                        bool egress) {
  switch (table) {
    case SLUICE_TABLE_TAKE:
    case SLUICE_TABLE_LEAVE: return c->Marks && !egress;
    case SLUICE_TABLE_CUT: return !egress && c->CutStages >> stage & 1;
    case SLUICE_TABLE_REGION:
    case SLUICE_TABLE_ADDRESS: return c->Active && !egress;
    case SLUICE_TABLE_TENANT: return c->Active;
    case SLUICE_TABLE_ARRAY_INSTR:
    case SLUICE_TABLE_STATE_ROW: return !egress && c->ArrayStages >> stage & 1;
    case SLUICE_TABLE_ARRAY: return c->ArrayWords;
    case SLUICE_TABLE_ARRAY_KEYS:
    case SLUICE_TABLE_ARRAY_MATCH: return c->ArrayEntries;
    case SLUICE_TABLE_MULTIPLY: return c->Multipliers;
    case SLUICE_TABLE_KEY_COMPARE: return c->WideCompare;
    case SLUICE_TABLE_RECIRCULATE: return c->Recirculation;
    case SLUICE_TABLE_RATE_LIMIT: return c->RateLimits;
    case SLUICE_TABLE_OUTPUT_CLASS: return c->OutputClasses;
    case SLUICE_TABLE_TERNARY: return c->TernaryStages >> stage & 1;
    case SLUICE_TABLE_CUCKOO: return c->CuckooStages >> stage & 1;
    case SLUICE_TABLE_MATCH_COUNT: return c->EntryCounters;
    case SLUICE_TABLE_TERNARY_COUNT: return c->EntryCounters && c->TernaryStages >> stage & 1;
    case SLUICE_TABLE_CUCKOO_COUNT: return c->EntryCounters && c->CuckooStages >> stage & 1;
    default: return true;
  }
}

static bool is_in_scope(const struct sluice_spec *s, enum sluice_table table, unsigned stage) {
  const struct sluice_config *c = &s->c;
  const unsigned stages = c->BackStages + c->FrontStages + c->EgressStages;
  switch (sluice_tables[table].scope) {
    case SLUICE_SCOPE_stage: return stage < stages;
    case SLUICE_SCOPE_state: return spec_has_state(s, stage);
    case SLUICE_SCOPE_front:
      return stage >= c->BackStages && stage < c->BackStages + c->FrontStages;
    case SLUICE_SCOPE_egress: return c->EgressStages;
    default: return true;
  }
}

bool spec_table_exists(const struct sluice_spec *s, enum sluice_table table, unsigned stage) {
  return table < SLUICE_NUM_TABLES && is_in_scope(s, table, stage) &&
         has_feature(&s->c, table, stage, spec_is_egress(s, stage));
}

static unsigned rows_of(const struct sluice_config *c, enum sluice_rows rows) {
  switch (rows) {
    case SLUICE_ROWS_overlay: return c->Banks * c->NumModules;
    case SLUICE_ROWS_modules: return c->NumModules;
    case SLUICE_ROWS_matches: return c->MatchEntries;
    case SLUICE_ROWS_actions: return c->MatchEntries + c->ExtraActions;
    case SLUICE_ROWS_ternary: return c->TernaryEntries;
    case SLUICE_ROWS_cuckoo: return c->CuckooEntries;
    case SLUICE_ROWS_masks: return 256;
    case SLUICE_ROWS_ids: return c->Banks * c->ActiveIds;
    case SLUICE_ROWS_keys: return c->ArrayEntries;
    case SLUICE_ROWS_one: return 1;
    default: return 0;  // entries of state are no table of their own
  }
}

bool spec_has_stages(enum sluice_table table) {
  const enum sluice_scope scope = sluice_tables[table].scope;
  return scope == SLUICE_SCOPE_stage || scope == SLUICE_SCOPE_state || scope == SLUICE_SCOPE_front;
}

const uint8_t *spec_entry(const struct sluice_spec *s, enum sluice_table table, unsigned stage,
                          unsigned index) {
  static const uint8_t none[128];
  const struct spec_table *t = &s->tables[table][stage];
  return index < t->rows ? t->entries + (size_t)index * t->width : none;
}

const uint8_t *spec_of_row(const struct sluice_spec *s, enum sluice_table table, unsigned stage,
                           const struct spec_phv *phv) {
  const unsigned row = phv->vid % s->c.NumModules;
  const bool banked = sluice_tables[table].rows == SLUICE_ROWS_overlay;
  return spec_entry(s, table, stage, banked ? phv->bank * s->c.NumModules + row : row);
}

// ---- reset --------------------------------------------------------------------------------------

static bool make_tables(struct sluice_spec *s) {
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++)
    for (unsigned stage = 0; stage < (spec_has_stages(t) ? SPEC_STAGES : 1); stage++) {
      struct spec_table *table = &s->tables[t][stage];
      // SEGMENT16 is another form of SEGMENT
      if (!spec_table_exists(s, t, stage) || t == SLUICE_TABLE_SEGMENT16) continue;
      table->rows = rows_of(&s->c, sluice_tables[t].rows);
      table->width = (sluice_tables[t].bits + 7) / 8;
      if (!table->rows || t == SLUICE_TABLE_FILL) continue;
      if (!(table->entries = calloc(table->rows, table->width))) return false;
      if (sluice_table_is_count(t) &&
          !(s->counts[t][stage] = calloc((size_t)table->rows * s->c.NumPipes, sizeof(uint64_t))))
        return false;
      if (t == SLUICE_TABLE_MATCH && !(s->match_valid[stage] = calloc(table->rows, sizeof(bool))))
        return false;
    }
  return true;
}

static bool make_state(struct sluice_spec *s) {
  const size_t stages = s->c.StateStages + s->c.EgressStages;
  s->num_places = stages * s->c.NumPipes * spec_slots(s);
  s->state = calloc(s->num_places, sizeof *s->state);
  s->cut = calloc(s->c.CutStages ? s->num_places : 1, sizeof *s->cut);
  s->rows = calloc(s->c.ArrayWords ? s->num_places * s->c.ArrayWords : 1, sizeof *s->rows);
  s->faults = calloc(s->c.ActiveIds + 1, sizeof *s->faults);
  for (unsigned l = 0; l < s->c.NumPipes; l++)
    if (!(s->capsules[l] = calloc(s->c.ActiveIds + 1, sizeof *s->capsules[l]))) return false;
  return s->state && s->cut && s->rows && s->faults;
}

// After reset: row r of PORT_MASK is port r, modules may send to all ports, all else is 0.
struct sluice_spec *sluice_spec_open(const struct sluice_config *config) {
  struct sluice_spec *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->c = *config;
  s->filter.modules = config->NumModules;
  if (sluice_config_check(config, (char[200]){0}, 200) || !make_tables(s) || !make_state(s)) {
    sluice_spec_close(s);
    return NULL;
  }
  const unsigned ports = s->c.NumPorts + s->c.Recirculation;
  struct spec_table *masks = &s->tables[SLUICE_TABLE_PORT_MASK][0],
                    *allowed = &s->tables[SLUICE_TABLE_MODULE_PORTS][0];
  for (unsigned p = 0; p < ports; p++) spec_set(masks->entries + p * masks->width, 64, p, p, 1);
  for (unsigned r = 0; r < allowed->rows; r++)
    spec_set(allowed->entries + r * allowed->width, 64, ports - 1, 0, UINT64_MAX);
  for (unsigned stage = 0; stage < SPEC_STAGES; stage++) s->watch[stage] = 1;
  return s;
}

void sluice_spec_close(struct sluice_spec *s) {
  if (!s) return;
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++)
    for (unsigned stage = 0; stage < SPEC_STAGES; stage++) {
      free(s->tables[t][stage].entries);
      free(s->counts[t][stage]);
    }
  for (unsigned stage = 0; stage < SPEC_STAGES; stage++) free(s->match_valid[stage]);
  for (unsigned l = 0; l < SPEC_PIPES; l++) free(s->capsules[l]);
  free(s->state);
  free(s->cut);
  free(s->rows);
  free(s->faults);
  free(s);
}

// ---- state --------------------------------------------------------------------------------------

size_t spec_place_number(const struct sluice_spec *s, unsigned stage, unsigned pipe,
                         unsigned slot) {
  const unsigned first = s->c.BackStages + s->c.FrontStages;
  const size_t memory = spec_is_egress(s, stage) ? s->c.StateStages + (stage - first) : stage;
  return (memory * s->c.NumPipes + pipe) * spec_slots(s) + slot;
}

unsigned sluice_spec_state_range(const struct sluice_spec *s, unsigned row, unsigned stage) {
  return (unsigned)FIELD(spec_entry(s, SLUICE_TABLE_SEGMENT, stage, row), SEGMENT, RANGE);
}

// Index `index` of the segment of `row`, by SEGMENT and ACCESS as they are; false: it is
// out of range, or the memory has no such slot.
static bool find(const struct sluice_spec *s, unsigned row, unsigned stage, unsigned index,
                 size_t *place) {
  const uint8_t *segment = spec_entry(s, SLUICE_TABLE_SEGMENT, stage, row),
                *access = spec_entry(s, SLUICE_TABLE_ACCESS, stage, row);
  unsigned pipe, slot;
  if (!spec_has_state(s, stage) || row >= s->c.Banks * s->c.NumModules ||
      index >= FIELD(segment, SEGMENT, RANGE) ||
      !spec_home(s, stage, FIELD(access, ACCESS, PINNED), (unsigned)FIELD(access, ACCESS, PIPE),
                 (unsigned)FIELD(segment, SEGMENT, BASE), index, &pipe, &slot))
    return false;
  *place = spec_place_number(s, stage, pipe, slot);
  return true;
}

bool sluice_spec_state(const struct sluice_spec *s, unsigned row, unsigned stage, unsigned index,
                       uint32_t *s1, uint32_t *s2) {
  size_t place;
  if (stage >= s->c.StateStages || !find(s, row, stage, index, &place)) return false;
  *s1 = s->state[place][0];
  *s2 = s->state[place][1];
  return true;
}

bool sluice_spec_lane_state(const struct sluice_spec *s, unsigned row, unsigned stage,
                            unsigned lane, unsigned index, uint32_t *s1, uint32_t *s2) {
  const unsigned number = s->c.BackStages + s->c.FrontStages + stage;
  const uint8_t *segment = spec_entry(s, SLUICE_TABLE_SEGMENT, number, row);
  if (stage >= s->c.EgressStages || lane >= s->c.NumPipes || row >= s->c.Banks * s->c.NumModules ||
      index >= FIELD(segment, SEGMENT, RANGE))
    return false;
  const unsigned slot = (unsigned)FIELD(segment, SEGMENT, BASE) + index;
  if (slot >= spec_slots(s)) return false;
  const size_t place = spec_place_number(s, number, lane, slot);
  *s1 = s->state[place][0];
  *s2 = s->state[place][1];
  return true;
}

bool sluice_spec_row(const struct sluice_spec *s, unsigned row, unsigned stage, unsigned index,
                     uint32_t words[SLUICE_MODEL_WORDS]) {
  size_t place;
  if (!spec_table_exists(s, SLUICE_TABLE_STATE_ROW, stage) || !find(s, row, stage, index, &place))
    return false;
  for (unsigned w = 0; w < SLUICE_MODEL_WORDS; w++)
    words[w] = w < s->c.ArrayWords ? s->rows[place * s->c.ArrayWords + w] : 0;
  return true;
}

uint64_t sluice_spec_rate(const struct sluice_spec *s, unsigned row) {
  return spec_number(spec_entry(s, SLUICE_TABLE_RATE_LIMIT, 0, row), 8);
}

uint32_t sluice_spec_budget(const struct sluice_spec *s, unsigned row) {
  return (uint32_t)spec_number(spec_entry(s, SLUICE_TABLE_RECIRCULATE, 0, row), 4);
}

uint32_t sluice_spec_faults(const struct sluice_spec *s, unsigned id) {
  return id < s->c.ActiveIds ? s->faults[id] : 0;
}

void sluice_spec_mute(struct sluice_spec *s, bool mute) { s->mute = mute; }
