// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../configs.def"  // SLUICE_DEFAULT_SHAPE

/// layouts.def and configs.def as C constants:
///
///     SLUICE_OP_ADD                        a value of an enumeration
///     SLUICE_SEGMENT_BITS                  the width of a layout
///     SLUICE_SEGMENT_RANGE_MSB, _LSB       a field
///     SLUICE_TABLE_SEGMENT                 a table: its index in the order of the file
///     SLUICE_CHIP_BITMAP                   a register: its offset in its block
///     SLUICE_CHIP_BASE, SLUICE_LANE_STRIDE a block
enum {
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) SLUICE_##ENUM##_##NAME = VALUE,
#define SLUICE_LAYOUT(LAYOUT, BITS, DOC) SLUICE_##LAYOUT##_BITS = BITS,
#define SLUICE_FIELD(LAYOUT, FIELD, MSB, LSB, DOC) \
  SLUICE_##LAYOUT##_##FIELD##_MSB = MSB, SLUICE_##LAYOUT##_##FIELD##_LSB = LSB,
#define SLUICE_BLOCK(BLOCK, FIRST, STEP, GROUPS, COUNT, DOC) \
  SLUICE_##BLOCK##_BASE = FIRST, SLUICE_##BLOCK##_STRIDE = STEP,
#define SLUICE_REG(BLOCK, REG, OFFSET, ACCESS, DOC) SLUICE_##BLOCK##_##REG = OFFSET,
#include "../layouts.def"
};

enum sluice_table {
#define SLUICE_TABLE(TABLE, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  SLUICE_TABLE_##TABLE,
#include "../layouts.def"
  SLUICE_NUM_TABLES
};

enum sluice_scope {
  SLUICE_SCOPE_lane,
  SLUICE_SCOPE_exit,
  SLUICE_SCOPE_stage,
  SLUICE_SCOPE_state,
  SLUICE_SCOPE_front,
  SLUICE_SCOPE_order,
  SLUICE_SCOPE_egress,
};

/// What the other words of a table mean stands in layouts.def.
enum sluice_rule { SLUICE_RULE_only, SLUICE_RULE_rest };
enum sluice_rows {
  SLUICE_ROWS_overlay,
  SLUICE_ROWS_modules,
  SLUICE_ROWS_matches,
  SLUICE_ROWS_actions,
  SLUICE_ROWS_ternary,
  SLUICE_ROWS_cuckoo,
  SLUICE_ROWS_masks,
  SLUICE_ROWS_ids,
  SLUICE_ROWS_segment,
  SLUICE_ROWS_one,
  SLUICE_ROWS_keys
};
enum sluice_ops { SLUICE_OPS_read_write, SLUICE_OPS_erase, SLUICE_OPS_write, SLUICE_OPS_read };
enum sluice_commit { SLUICE_COMMIT_owner, SLUICE_COMMIT_order };
enum sluice_kept {
  SLUICE_KEPT_all,
  SLUICE_KEPT_actions,
  SLUICE_KEPT_key,
  SLUICE_KEPT_slots,
  SLUICE_KEPT_words,
  SLUICE_KEPT_hashes,
  SLUICE_KEPT_checksums,
  SLUICE_KEPT_ports,
  SLUICE_KEPT_entry,
  SLUICE_KEPT_array,
};

/// What layouts.def says of a table; indexed by enum sluice_table.
struct sluice_table_info {
  const char *name;  // lower case, as in the configuration image
  unsigned module;   // byte 46 [2:0] of a reconfiguration packet
  unsigned sub;      // byte 47 [3:0]
  enum sluice_rule rule;
  unsigned bits;  // width of an entry
  enum sluice_rows rows;
  enum sluice_scope scope;
  enum sluice_ops ops;
  enum sluice_commit commit;
  enum sluice_kept kept;
  const char *doc;
};
extern const struct sluice_table_info sluice_tables[SLUICE_NUM_TABLES];
/// The table that these bytes of a reconfiguration packet name; SLUICE_NUM_TABLES: none.
enum sluice_table sluice_table_find(unsigned module, unsigned sub);
/// The layout of its entries. PARSER, DEPARSER and ACTION have none: they are rows of smaller ones,
/// and the name is that of the table.
const char *sluice_table_layout(enum sluice_table table);
/// What match entries count.
static inline bool sluice_table_is_count(enum sluice_table table) {
  return table == SLUICE_TABLE_MATCH_COUNT || table == SLUICE_TABLE_TERNARY_COUNT ||
         table == SLUICE_TABLE_CUCKOO_COUNT;
}
/// What packets change, so no configuration: the ways to the state memory (STATE, STATE_ROW, FILL,
/// TAKE, CUT, and LEAVE, which says what TAKE leaves behind), and counters of entries.
static inline bool sluice_table_is_contents(enum sluice_table table) {
  return sluice_table_is_count(table) || table == SLUICE_TABLE_STATE ||
         table == SLUICE_TABLE_FILL || table == SLUICE_TABLE_TAKE || table == SLUICE_TABLE_CUT ||
         table == SLUICE_TABLE_LEAVE || table == SLUICE_TABLE_STATE_ROW;
}
/// What the operator gives a module, and no program asks for: shares, rates, classes, ports,
/// passes.
static inline bool sluice_table_is_given(enum sluice_table table) {
  return table == SLUICE_TABLE_SHARE || table == SLUICE_TABLE_RATE_LIMIT ||
         table == SLUICE_TABLE_OUTPUT_CLASS || table == SLUICE_TABLE_MODULE_PORTS ||
         table == SLUICE_TABLE_RECIRCULATE;
}
/// Entries that modules share: of the match engines, with their data, and of the array match. The
/// driver finds places for them, so an image has none of them.
static inline bool sluice_table_is_shared(enum sluice_table table) {
  return table == SLUICE_TABLE_ARRAY_MATCH ||
         (sluice_tables[table].kept == SLUICE_KEPT_entry && table != SLUICE_TABLE_DEFAULT_ACTION);
}
/// The table with this name, in any case; -1 when there is none.
int sluice_table_named(const char *name);

/// The shape of a chip, as configs.def names them. Fields carry the names of the parameters, and of
/// what follows from them; docs/shapes.md says what they mean.
struct sluice_config {
  const char *name;
  const char *doc;
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) unsigned NAME;
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) unsigned NAME;
#include "../configs.def"
};
/// All shapes with names: first those of configs.def, which users choose from, sluice_num_offered
/// of them; then those of tests and measurements (sw/tests/shapes.def).
extern const struct sluice_config *const sluice_configs;
extern const unsigned sluice_num_configs, sluice_num_offered;

/// Name of a value of an enumeration ("DROP", 12 -> "OVERLOAD"); "?" when there is none.
const char *sluice_value_name(const char *enumeration, unsigned value);
/// What layouts.def says of that value; "0" when there is none: a function that is not listed gives
/// 0.
const char *sluice_value_doc(const char *enumeration, unsigned value);
/// Value of a name, in any case ("FAULT", "lane_swap" -> 3); -1 when there is none.
int sluice_value_find(const char *enumeration, const char *name);

/// Returns the configuration with this name, or NULL. Behind a name parts may follow that change
/// it: "s2.k4" is shape "s2" with four pipelines, as many ports at least, and a window for as many
/// packets; "s2.NumPorts8" (or "s2.NumPorts=8", which gets that name) has another value of a
/// parameter, "s2.k4.NumPorts8" both. "random.7" is number 7 of the random shapes.
const struct sluice_config *sluice_config_find(const char *name);
/// The same. Without an answer `why` is a sentence: what the changed shape lacks, or the name that
/// a former shape has today; "" if there is nothing of that name.
const struct sluice_config *sluice_config_named(const char *name, char *why, unsigned long why_len);
/// Shape `n` of those that are called NAME.kK (one that is illegal: NAME itself); NULL behind the
/// last.
const struct sluice_config *sluice_config_derived(unsigned n);
/// Number `n` of the random legal shapes, the same for ever as long as configs.def is; small enough
/// for a simulator. NULL if there is none. Not for two threads at once.
const struct sluice_config *sluice_config_random(unsigned n);

/// Address of a register by the names of its block and its own, in any case; `word` counts
/// registers behind it ("DROP").
enum sluice_found { SLUICE_FOUND, SLUICE_FOUND_NO_NAME, SLUICE_FOUND_NO_INSTANCE };
enum sluice_found sluice_register_find(const struct sluice_config *config, const char *block,
                                       unsigned instance, const char *name, unsigned word,
                                       uint32_t *addr);
/// Whether a chip of this shape has a register at an address, and whether it can be written.
bool sluice_register_at(const struct sluice_config *config, uint32_t addr, bool *writable);

/// Hash of everything in layouts.def that software and chip must agree on; stands in CHIP.ID.
uint32_t sluice_layout_hash(void);

/// Returns 0 when the configuration is legal, else prints the reason as a sentence into `why`.
int sluice_config_check(const struct sluice_config *config, char *why, unsigned long why_len);
/// Sets what follows from the parameters (SLUICE_FOLLOWS): for whoever has changed one of them.
void sluice_config_follow(struct sluice_config *config);
/// Gives one parameter another value, as "NumPorts=8" says, and sets what follows. Returns 0, or -1
/// and a sentence in `why`; whether the value is legal is for sluice_config_check to say.
int sluice_config_set(struct sluice_config *config, const char *setting, char *why,
                      unsigned long why_len);

/// Slots of the state memory of one pipeline and stage.
static inline unsigned sluice_config_slots(const struct sluice_config *c) {
  return c->StateEntries / c->NumPipes;
}

/// Ports of a chip, and behind them that of recirculation.
static inline unsigned sluice_config_destinations(const struct sluice_config *c) {
  return c->NumPorts + c->Recirculation;
}

/// The CPU port of a shape: with one port more than the lanes share evenly, the last one. NumPorts:
/// it has none. Example: s4, 17 ports on 4 lanes: 16. Only software knows; for the chip it is a
/// port as any.
static inline unsigned sluice_config_cpu_port(const struct sluice_config *c) {
  const bool more = c->NumPorts > c->NumPipes && c->NumPorts % c->NumPipes == 1;
  return more ? c->NumPorts - 1 : c->NumPorts;
}

/// Stages of a chip, as reconfiguration packets number them: back stages, front stages, egress
/// stages.
static inline unsigned sluice_config_stages(const struct sluice_config *c) {
  return c->BackStages + c->FrontStages + c->EgressStages;
}
static inline bool sluice_stage_is_egress(const struct sluice_config *c, unsigned stage) {
  return stage >= c->BackStages + c->FrontStages && stage < sluice_config_stages(c);
}
/// "back", "front" or "egress", and the number of the stage among those.
static inline const char *sluice_stage_kind(const struct sluice_config *c, unsigned stage,
                                            unsigned *number) {
  const unsigned front = c->BackStages, egress = front + c->FrontStages;
  *number = stage < front ? stage : stage < egress ? stage - front : stage - egress;
  return stage < front ? "back" : stage < egress ? "front" : "egress";
}

/// A wire: the streams of the top that a packet can come over, or leave over. With FastLanes m it
/// is a port and has m of them, and m lanes; else it is a lane, with the ports of the lane. Its
/// streams and its lanes have the same numbers: those from sluice_wire_lane on.
/// Ports are dealt to the wires in turn. Example, 17 ports and 4 wires: wire 0 has the ports 0, 4,
/// 8, 12 and 16, wire 1 has 1, 5, 9 and 13.
static inline unsigned sluice_wire_lanes(const struct sluice_config *c) {
  return c->FastLanes ? c->FastLanes : 1;
}
static inline unsigned sluice_num_wires(const struct sluice_config *c) {
  return c->NumPipes / sluice_wire_lanes(c);
}
/// Number of ports of a wire; port `number` of a wire, counted from 0; the ports of a wire, bit p
/// is port p.
static inline unsigned sluice_wire_ports(const struct sluice_config *c, unsigned wire) {
  return (c->NumPorts + sluice_num_wires(c) - 1 - wire) / sluice_num_wires(c);
}
static inline unsigned sluice_wire_port(const struct sluice_config *c, unsigned wire,
                                        unsigned number) {
  return wire + number * sluice_num_wires(c);
}
static inline uint64_t sluice_wire_set(const struct sluice_config *c, unsigned wire) {
  uint64_t set = 0;
  for (unsigned p = wire; p < c->NumPorts; p += sluice_num_wires(c)) set |= UINT64_C(1) << p;
  return set;
}
/// Wire of a port; first lane of a wire; of a port.
static inline unsigned sluice_port_wire(const struct sluice_config *c, unsigned port) {
  return port % sluice_num_wires(c);
}
static inline unsigned sluice_wire_lane(const struct sluice_config *c, unsigned wire) {
  return wire * sluice_wire_lanes(c);
}
static inline unsigned sluice_port_lane(const struct sluice_config *c, unsigned port) {
  return sluice_wire_lane(c, sluice_port_wire(c, port));
}

/// Beats that so many bytes take at a port.
static inline unsigned sluice_config_beats(const struct sluice_config *c, unsigned long bytes) {
  return (unsigned)((bytes + c->BeatBytes - 1) / c->BeatBytes);
}

/// What CHIP.OUTPUT_LIMIT must be for a port to take all that the queues of its source lanes hold,
/// as far as its 11 bits reach.
static inline unsigned sluice_output_room(const struct sluice_config *c) {
  enum { MOST = 2047 };
  const unsigned room = c->NumPipes * c->OutputDepth;
  return room < MOST ? room : MOST;
}

/// What register CHIP.SHAPE_n says of the chip, n < SLUICE_SHAPES. No two configurations of
/// configs.def have all of them alike.
enum { SLUICE_SHAPES = 9 };
uint32_t sluice_config_shape(const struct sluice_config *config, unsigned n);
/// Whether these are the same chip: all registers CHIP.SHAPE_n are alike. A chip can have two
/// names: "tiny.k2" is "tiny". False if one is NULL.
bool sluice_config_same(const struct sluice_config *a, const struct sluice_config *b);
/// The same of a chip by its name, as an image has it.
bool sluice_config_is(const struct sluice_config *config, const char *name);

/// Whether the chip keeps a slot of an action word: slots 0 and 16, and those whose container it
/// has.
static inline bool sluice_config_has_slot(const struct sluice_config *c, unsigned slot) {
  if (slot == 0 || slot == 16) return true;
  if (slot <= 8) return slot <= c->Num2B;
  return slot < 16 ? slot - 8 <= c->Num4B : slot - 16 <= c->Num6B;
}

/// Whether an operation of slots 1..24 shifts: FUNC with `func` of the enumeration FUNC, FUNCI with
/// one of FUNCI.
static inline bool sluice_op_shifts(unsigned op, unsigned func) {
  if (op == SLUICE_OP_FUNC)
    return func == SLUICE_FUNC_SHL || func == SLUICE_FUNC_SRA || func == SLUICE_FUNC_SRL;
  return op == SLUICE_OP_FUNCI &&
         (func == SLUICE_FUNCI_SHL || func == SLUICE_FUNCI_SRA || func == SLUICE_FUNCI_SRL);
}

/// State entries per granule of Menshen's 16-bit segment entries.
static inline unsigned sluice_config_granule(const struct sluice_config *c) {
  return c->StateEntries > 256 ? c->StateEntries / 256 : 1;
}
