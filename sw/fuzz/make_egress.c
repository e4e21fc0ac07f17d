// SPDX-License-Identifier: Apache-2.0
// Egress, in a chip that has egress stages: tables of copies, stages behind the queues, state of
// the lanes, and control packets for it while copies pass.
#include "make.h"

static unsigned first_stage(const struct make *m) {
  return m->config->BackStages + m->config->FrontStages;
}

unsigned make_all_stages(const struct make *m) { return first_stage(m) + m->config->EgressStages; }

bool make_is_egress(const struct make *m, unsigned stage) { return stage >= first_stage(m); }

bool make_holds_state(const struct make *m, unsigned stage) {
  return stage < m->config->StateStages || make_is_egress(m, stage);
}

unsigned make_egress_dest(struct make *m, unsigned dest) {
  if (!m->config->EgressStages || m->config->NumPorts > 8) return dest;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->egress;
  if (chance(m, 40)) dest |= pick(m, 1u << m->config->NumPorts);
  m->rng = stream;
  return dest;
}

// ---- parser and deparser ------------------------------------------------------------------------

// Fields of EGRESS_METADATA, what is beside them, fields of real headers, the borders at the ends
// of packet and header.
static unsigned pick_offset(struct make *m, bool *metadata) {
  *metadata = chance(m, 45);
  if (*metadata)
    return chance(m, 92)
               ? PICK(m, 12, 12, 13, 14, 16, 18, 20, 20, 21, 22, 22, 22, 23, 24, 26, 28, 28, 30, 31)
               : pick(m, 128);
  switch (pick(m, 3)) {
    case 0: return PICK(m, 0, 6, 12, 14, 16, 20, 26, 27, 30, 32, 34, 38, 40, 42, 44);
    case 1: return 46 + 2 * pick(m, 9);
    default: return chance(m, 50) ? PICK(m, 58 + pick(m, 6), 122 + pick(m, 6)) : pick(m, 128);
  }
}

static void make_moves(struct make *m, uint8_t *entry, unsigned percent) {
  for (unsigned a = 0; a < 10; a++) {
    uint8_t *action = entry + 2 * a;
    bool metadata;
    const unsigned offset = pick_offset(m, &metadata);
    const unsigned type = chance(m, 97) ? PICK(m, SLUICE_TYPE_B2, SLUICE_TYPE_B4, SLUICE_TYPE_B6)
                                        : SLUICE_TYPE_CONST;
    SLUICE_SETS(action, PARSE_ACTION, (METADATA, metadata), (OFFSET, offset), (KIND, type));
    SLUICE_SETS(action, PARSE_ACTION, (IDX, type ? pick_container(m, type) : pick(m, 8)),
                (VALID, chance(m, percent)));
  }
}

// The numbers of a copy show in it if they go out as they came in.
static void make_row(struct make *m, const struct make_module *module) {
  // Now and then a module without an egress function.
  if (chance(m, 10)) return;
  make_moves(m, make_add(m, SLUICE_TABLE_EGRESS_PARSER, 0, module->entry)->bytes, 85);
  uint8_t *e = make_add(m, SLUICE_TABLE_EGRESS_DEPARSER, 0, module->entry)->bytes;
  make_moves(m, e, chance(m, 70) ? 70 : 30);
  // With METADATA an action of the deparser does nothing: most are without.
  for (unsigned a = 0; a < 10; a++)
    if (chance(m, 85)) SLUICE_SET(e + 2 * a, PARSE_ACTION, METADATA, 0);
  e = make_add(m, SLUICE_TABLE_EGRESS_OPT, 0, module->entry)->bytes;
  SLUICE_SETS(e, DEPARSE_OPT, (IP_CHECKSUM, chance(m, 60)), (L4_CHECKSUM, chance(m, 60)));
}

// ---- state --------------------------------------------------------------------------------------

// Segments of a stage from slot 0 up: the same slots in every lane. The last one may claim more
// than there is; behind it the row without packets has nothing.
static void make_segments(struct make *m, unsigned stage) {
  const unsigned slots = sluice_config_slots(m->config), granule = sluice_config_granule(m->config);
  unsigned low = 0;
  for (unsigned i = 0; i < m->num_modules; i++) {
    struct make_segment *s = &m->modules[i].segments[stage];
    if (chance(m, 20)) continue;
    s->base = low;
    s->range = PICK(m, 1, 2, 4, 7, 8, 8, 8, 16, 16, 31);
    if (chance(m, 25)) s->range = (s->range + granule - 1) / granule * granule;
    if (s->range > slots - low) s->range = slots - low;
    s->there = s->range != 0;
    low += s->range + pick(m, 3);
    if (low > slots) low = slots;
  }
  struct make_segment *quiet = &m->quiet.segments[stage];
  quiet->base = low;
  quiet->range = 1 + pick(m, 8);
  quiet->there = low + quiet->range <= slots;
  struct make_segment *last = &m->modules[m->num_modules - 1].segments[stage];
  if (last->there && chance(m, 10)) {
    quiet->there = false;
    last->range = PICK(m, 1000, 65535, slots - last->base + 1);
  }
}

static void make_egress_access(struct make *m, struct make_module *module, unsigned stage) {
  struct make_segment *s = &module->segments[stage];
  // Small numbers are {COPY, PORT_OUT}, words of the packet, and in a second stage what the first
  // one has cut off (make_action).
  const bool second = stage != first_stage(m);
  const unsigned type = second && chance(m, 60) ? SLUICE_TYPE_B4 : SLUICE_TYPE_B2,
                 have = type == SLUICE_TYPE_B4 ? m->config->Num4B : m->config->Num2B;
  s->index = chance(m, 80) ? type << SLUICE_OPERAND_KIND_LSB | pick(m, have) : pick_operand(m);
  uint8_t *e = make_add(m, SLUICE_TABLE_ACCESS, stage, module->entry)->bytes;
  SLUICE_SET(e, ACCESS, ENABLE, chance(m, 92));
  // Of these nothing counts.
  SLUICE_SETS(e, ACCESS, (PINNED, pick(m, 2)), (PIPE, pick(m, 16)), (INVERT, pick(m, 2)),
              (PREDICATE, pick_operand(m)), (INDEX, s->index));
}

static void pick_quiet_row(struct make *m) {
  uint32_t taken = 0;
  unsigned row = 0;
  for (unsigned i = 0; i < m->num_modules; i++) taken |= UINT32_C(1) << m->modules[i].row;
  while (row < m->config->NumModules && (taken >> row & 1)) row++;
  if (row < m->config->NumModules) m->quiet.row = m->quiet.entry = row;
  else
    for (unsigned s = first_stage(m); s < make_all_stages(m); s++)
      m->quiet.segments[s].there = false;
}

void make_egress(struct make *m) {
  if (!m->config->EgressStages) return;
  struct sluice_rng *stream = m->rng;
  m->rng = &m->egress;
  for (unsigned i = 0; i < m->num_modules; i++) make_row(m, &m->modules[i]);
  for (unsigned s = first_stage(m); s < make_all_stages(m); s++) make_segments(m, s);
  pick_quiet_row(m);
  for (unsigned s = first_stage(m); s < make_all_stages(m); s++) {
    for (unsigned i = 0; i < m->num_modules; i++) {
      struct make_module *module = &m->modules[i];
      const bool there = module->segments[s].there;
      if (there) make_segment(m, module, s);
      if (there || chance(m, 10)) make_egress_access(m, module, s);
      if (there || chance(m, 3)) make_module_values(m, module, s);
    }
    if (!m->quiet.segments[s].there) continue;
    make_segment(m, &m->quiet, s);
    make_module_values(m, &m->quiet, s);
  }
  m->rng = stream;
}

void make_egress_version(struct make *m, struct make_module *module) {
  if (!m->config->EgressStages) return;
  make_row(m, module);
  for (unsigned s = first_stage(m); s < make_all_stages(m); s++) {
    if (!module->segments[s].there) continue;
    // The same entries as the other bank has, which its copies still use, or some of them.
    const struct make_segment whole = module->segments[s];
    if (chance(m, 25)) module->segments[s].range = 1 + pick(m, whole.range);
    make_segment(m, module, s);
    make_egress_access(m, module, s);
    module->segments[s] = whole;
  }
}

uint32_t make_egress_slot(struct make *m) {
  const uint32_t operands = pick_operand(m) << SLUICE_INSTR_A_LSB | pick_operand(m)
                                                                        << SLUICE_INSTR_B_LSB,
                 op = SLUICE_INSTR_OP_LSB;
  switch (pick(m, 20)) {
    case 0:
      return (uint32_t)SLUICE_OP_DISCARD << op |
             (uint32_t)chance(m, 70) << SLUICE_INSTR_MD_DISCARD_LSB | pick(m, 1u << 12);
    case 1:
    case 2: return (uint32_t)SLUICE_OP_FUNCI << op | operands;
    case 3: return (uint32_t)SLUICE_OP_SETHI << op | operands;
    // A port that nobody looks at.
    case 4: return (uint32_t)PICK(m, SLUICE_OP_PORT, SLUICE_OP_FUNC) << op | pick(m, 1u << 21);
    case 5: return (uint32_t)PICK(m, 1, 2, 6, 7, 8, 9, 10, 11, 14, 15) << op | pick(m, 1u << 21);
    default: return 0;
  }
}

// ---- while copies pass --------------------------------------------------------------------------

// State of the row without packets; reads of anything.
static void make_frame(struct make *m, struct sluice_frame *frame) {
  const unsigned stage = first_stage(m) + pick(m, m->config->EgressStages);
  const struct make_segment *s = &m->quiet.segments[stage];
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  if (!s->there || chance(m, 20)) {
    const enum sluice_table table = (enum sluice_table)PICK(
        m, SLUICE_TABLE_EGRESS_PARSER, SLUICE_TABLE_EGRESS_DEPARSER, SLUICE_TABLE_EGRESS_OPT,
        SLUICE_TABLE_ACCESS, SLUICE_TABLE_SEGMENT, SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_STATE);
    const struct make_module *module = &m->modules[pick(m, m->num_modules)];
    const bool state = table == SLUICE_TABLE_STATE;
    sluice_reconfig_read(
        frame, table, sluice_tables[table].scope == SLUICE_SCOPE_egress ? 0 : stage,
        state ? pick(m, 4) : module->entry, 1, pick(m, m->config->NumPipes), pick(m, 65536));
    SLUICE_RECONFIG_SET(frame, ROW, module->entry);
    return;
  }
  const unsigned first = pick(m, s->range), count = 1 + pick(m, s->range - first);
  if (chance(m, 50)) {
    sluice_reconfig_read(frame, SLUICE_TABLE_STATE, stage, first, count,
                         pick(m, m->config->NumPipes + (chance(m, 5) ? 1 : 0)), pick(m, 65536));
    SLUICE_RECONFIG_SET(frame, ROW, m->quiet.entry);
    return;
  }
  const bool fill = chance(m, 25);
  const enum sluice_table table = fill ? SLUICE_TABLE_FILL : SLUICE_TABLE_STATE;
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, table, stage, fill ? 0 : first);
  SLUICE_RECONFIG_SET(frame, ROW, m->quiet.entry);
  for (unsigned n = 0; n < (fill ? 1 : count); n++) {
    SLUICE_SETS(entry, STATE_ENTRY, (S1, pick_value(m)), (S2, pick_value(m)));
    sluice_reconfig_append(frame, table, entry);
  }
  sluice_reconfig_finish(frame);
}

void make_egress_control(struct make *m) {
  const unsigned num = PICK(m, 20, 60, 200), burst = PICK(m, 1, 1, 4, 20);
  const uint64_t cycles = make_traffic_cycles(m->c);
  const unsigned every = (unsigned)((cycles < 1000000 ? cycles : 1000000) / num) + 1;
  uint64_t at = 0;
  struct sluice_frame *frame = &(struct sluice_frame){0};
  for (unsigned n = 0; n < num; n++) {
    if (n % burst == 0) at += pick(m, 2 * every * burst);
    frame->len = 0;
    make_frame(m, frame);
    fuzz_append(m->c, &m->c->marking, frame->bytes, frame->len, at);
  }
}
