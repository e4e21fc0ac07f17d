// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/image.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../base/layouts.h"
#include "../../base/pairs.h"
#include "../../base/status.h"

/// A configuration image: what the compiler makes of a program, and what the driver loads.
///
/// It is relocatable. The driver chooses the overlay row (from the VLAN id), the match rows and the
/// segments when it loads the image (plan.h): match rows count from 0 in each stage, segment bases
/// are 0, VID bits are 0. It is stored as JSON with the layout hash and the name of the
/// configuration, so that an image for another chip is refused.
///
/// This room is the artefact alone; it needs base, and nothing else of the driver. image_load.c
/// reads a file, image.c makes lists and writes one, image_tables.h checks tables, param.h puts
/// malleables into entries, reaction.h keeps reactions. capability.h says what a chip cannot do of
/// it, places.h which entries a chip has, disassemble.h an entry in words.
enum { SLUICE_ENTRY_BYTES = 80, SLUICE_NAME_LEN = 64 };

/// One entry of one table. `index` is the match row (MATCH, ACTION, STATE_INSTR) counted from the
/// module's first row, else 0 (tables by overlay row). `bytes` is the entry, left-justified: bit
/// N-1 is bit 7 of bytes[0].
struct sluice_write {
  enum sluice_table table;
  unsigned stage;  // 0..S-1 back stages, S.. front, behind them egress; 0: tables without a stage
  unsigned index;
  uint8_t bytes[SLUICE_ENTRY_BYTES];
};

/// State of the program at one stage: a segment of entries, one or two source arrays in it. Of an
/// egress stage it is there once in each output lane, and `pinned`.
struct sluice_array {
  unsigned stage;
  unsigned size;                  // entries
  int pinned;                     // 1: all in one pipeline
  char name[2][SLUICE_NAME_LEN];  // source name of the first and second word; "" if unused
  int32_t init[2];                // value of every entry before the first packet
  char row[SLUICE_NAME_LEN];  // source name of the rows beside the entries; "" if there are none
  unsigned words;             // of a row
};

/// What messages call it.
static inline const char *sluice_array_name(const struct sluice_array *array) {
  return array->name[0][0] ? array->name[0] : array->row;
}

/// A packet field of the source program and where it lives, for reports and tests.
struct sluice_field {
  char name[SLUICE_NAME_LEN];
  char home[SLUICE_NAME_LEN];   // e.g. "bytes 38..39", "metadata arrival"; "" for a temporary
  int in_operand, out_operand;  // OPERAND of the container at parser and at deparser; -1: none
  bool egress;                  // as the egress function has it: its parser, its deparser
};

/// A malleable: a value, or a choice among bytes of the packet, that may change while the program
/// runs (docs/banks.md).
enum { SLUICE_MAX_CHOICES = 8 };
struct sluice_param {
  char name[SLUICE_NAME_LEN];
  int32_t low, high;     // what it may be
  int32_t value;         // what the entries have now; in a file: the initial value
  unsigned num_choices;  // 0: a value; else the value counts these, from 0
  struct sluice_choice {
    char name[SLUICE_NAME_LEN];
    bool metadata;
    unsigned offset;  // of its first byte, as in a parse action
  } choice[SLUICE_MAX_CHOICES];
};

/// A field of an entry that a malleable decides: bits msb..lsb of the entry of `image->writes` at
/// (table, stage, index). They get the part `kind` of x = value + add, or of x = add - value
/// (`negated`); of a choice, x is its offset + add.
enum sluice_relocation_kind {
  SLUICE_RELOCATE_UNSIGNED,  // x, which is 0 or more
  SLUICE_RELOCATE_SIGNED,    // x in two's complement
  SLUICE_RELOCATE_WORD,      // x modulo 2^32
  SLUICE_RELOCATE_LOW,       // bits 15:0 of x
  SLUICE_RELOCATE_HIGH,      // bits 31:16 of x
  SLUICE_RELOCATE_METADATA,  // 1 if the choice is metadata, else 0
  SLUICE_NUM_RELOCATIONS
};
struct sluice_relocation {
  unsigned param;  // place in the list
  enum sluice_table table;
  unsigned stage, index, msb, lsb;
  enum sluice_relocation_kind kind;
  bool negated;
  int32_t add;
};

/// A set of ports that the program sends packets to, on a chip with more than 8 ports: bit p of
/// `ports` is port p. There the chip finds the ports of a packet in a row of PORT_MASK, and the
/// driver gives each set of a module a row (port_rows.h). A set of one port needs none, row p is
/// port p, and a chip with at most 8 ports has sets in its actions: images for it have neither
/// list.
enum { SLUICE_MAX_PORT_SETS = 7 };
struct sluice_port_set {
  uint64_t ports;
};
/// Where the row goes: DEST of slot 0, which is a PORT instruction, of the entry of ACTION in
/// `image->writes` at (stage, index).
struct sluice_set_word {
  unsigned set;  // place in the list
  unsigned stage, index;
};

/// A table of the program (docs/matching.md): which stage and engine hold it, how its keys become
/// bits of a key, and what its actions are. Example: `key: p.dst: lpm; actions: forward(int port,
/// int mac: 48), drop();` in stage 2:
///
///     keys[0]     "p.dst", LPM, 32 bits at KEY 96..65
///     actions[0]  "forward", row 0, args[0] "port", 32 bits at DATA 127..96, args[1] "mac", 48
///     bits at DATA 79..32 actions[1]  "drop", row 1
///
/// A stage has at most one table of a program. One of engine ARRAY is in no stage (0): the array
/// match looks words of the packet's array up in it (docs/machine.md). It has one key, one action
/// and no default; what follows is of the others. The stage has no MATCH entries then. Its ACTION,
/// STATE_INSTR and MULTIPLY entries have the index of the action's row, counted from 0; the loader
/// finds rows behind the match rows for them. DEFAULT_ACTION is an entry of the image, its ACTION
/// such an index. KEY_MASK hides what is no key, so bits of KEY (and CARE) outside the keys are 0.
enum {
  SLUICE_MAX_KEYS = 6,
  SLUICE_MAX_ARGS = 4,
  SLUICE_MAX_ACTIONS = 16,
  SLUICE_DATA_BYTES = 16,
  SLUICE_KEY_BYTES = 25,
  SLUICE_MAX_PARTS = 8,
  SLUICE_MAX_CLASSES = 8,
  SLUICE_NO_GUARD = 0xffff
};
enum sluice_key_kind { SLUICE_KEY_EXACT, SLUICE_KEY_LPM, SLUICE_KEY_TERNARY };
enum sluice_engine_kind {
  SLUICE_ENGINE_TERNARY,
  SLUICE_ENGINE_CUCKOO,
  SLUICE_ENGINE_ARRAY,
  SLUICE_NUM_ENGINES
};
struct sluice_image_key {
  char name[SLUICE_NAME_LEN];  // as in the source
  enum sluice_key_kind kind;
  unsigned msb, lsb;  // in layout KEY
};
struct sluice_image_arg {
  char name[SLUICE_NAME_LEN];
  unsigned msb, lsb;  // in DATA: word w is bits 127 - 32 w .. 96 - 32 w
  // The largest value that means something, where fewer do than fit: of an output port. 0: all do.
  unsigned most;
};
struct sluice_image_action {
  char name[SLUICE_NAME_LEN];
  unsigned row;  // index of its entries of ACTION
  // As the default it has another row, where `hit` is 0: default_row. SLUICE_NO_DEFAULT: none, so
  // it cannot become the default. Not apart: the program asks nobody whether there was a hit.
  bool apart;
  unsigned default_row;
  bool only_default;  // not for entries
  unsigned num_args;
  struct sluice_image_arg args[SLUICE_MAX_ARGS];
};
enum { SLUICE_NO_DEFAULT = 0xffff };
/// The row that it has as the default.
static inline unsigned sluice_default_row(const struct sluice_image_action *a) {
  return a->apart ? a->default_row : a->row;
}
/// A table that is too large for one engine is made of parts, each an element of the list with the
/// same name, one behind the other. A packet passes all of them. A part that has an entry for it
/// decides, whatever the parts before it have found; one that has none leaves all as it is. The
/// actions of the first part have the defaults.
///
///     route, 10,000 routes   part 0: cuckoo, lengths 24     part 1: ternary, all other lengths
///
/// A later part may hold a shorter prefix than an earlier one: a /16 in part 1 behind a /24 in part
/// 0. Then the earlier part records in a container that it has found something. Entries of the
/// later part have one bit of that container in their key, `guard` (a bit of KEY): they match only
/// while it is 0. What an action row records can depend on the class, so there are `variant`s of
/// all rows.
struct sluice_image_class {
  unsigned least, most;  // lengths of prefixes; without an LPM key all are 0
  unsigned guard;        // SLUICE_NO_GUARD: none
  unsigned variant;      // rows behind those of variant 0: `variant` times `rows` of the part
};
struct sluice_image_part {
  unsigned number, num;  // num 0: the table is whole, and all else here is 0
  unsigned whole;        // most entries of all parts together
  bool ordered;          // entries of earlier parts win against those of later ones
  unsigned num_classes, rows;
  struct sluice_image_class classes[SLUICE_MAX_CLASSES];
};
/// Places of an ordered part that stay free: an entry that goes to another part stands at two
/// places for a while.
static inline unsigned sluice_part_reserve(unsigned size) { return 1 + size / 16; }
struct sluice_image_table {
  char name[SLUICE_NAME_LEN];
  unsigned stage;  // as of struct sluice_write
  enum sluice_engine_kind engine;
  unsigned size;  // most entries that the program wants, of a part most that it may have
  unsigned num_keys, num_actions, default_action;
  struct sluice_image_key keys[SLUICE_MAX_KEYS];
  struct sluice_image_action actions[SLUICE_MAX_ACTIONS];
  struct sluice_image_part part;
};
/// An entry that the source gives (`entries: ...`). Bytes are left-justified in layout KEY; `care`
/// is 1 where the key is compared, all of it in a cuckoo engine. Of two with one priority the
/// earlier wins. Entries of a table of parts are of the first one, with the bits of its keys: the
/// loader finds their parts.
struct sluice_image_entry {
  unsigned table;     // place in the list
  unsigned action;    // place in the table's list
  uint32_t priority;  // lower wins; of a table with an LPM key: its width less the length
  uint8_t key[SLUICE_KEY_BYTES], care[SLUICE_KEY_BYTES], data[SLUICE_DATA_BYTES];
};

/// A reaction of the program (docs/reactions.md): a C function that the control plane runs. Its
/// arguments are entries first..first+num-1 of arrays, instances of a register ("PORT.PACKETS"),
/// or counters of a table.
/// Its body, without the braces around it, and the #define lines of the program are in
/// `image->texts`.
enum {
  SLUICE_MAX_REACTIONS = 8,
  SLUICE_MAX_REACTION_ARGS = 16,
  SLUICE_MAX_REACTION_TEXT = 65536,
  SLUICE_FILE_LEN = 256
};
struct sluice_text_span {
  size_t at, len;
};
struct sluice_reaction_arg {
  char name[SLUICE_NAME_LEN];
  bool scalar;
  bool is_register;  // `name` is BLOCK.REGISTER, first and num count instances
  // Of a table, `name`, what its entries have counted; num is its size, num_keys its keys
  bool is_counters;
  bool unchanged;  // effects are refused if it is another at the commit
  unsigned first, num, num_keys;
};
/// Words of it as a body gets them. Of counters: how many entries there are, and room for `num`, of
/// which each has SLUICE_COUNTER_VALUES values and two more a key, of two words each.
enum { SLUICE_COUNTER_VALUES = 6 };
static inline unsigned sluice_reaction_arg_words(const struct sluice_reaction_arg *a) {
  return a->is_counters ? 1 + a->num * 2 * (SLUICE_COUNTER_VALUES + 2 * a->num_keys) : a->num;
}
struct sluice_reaction {
  char name[SLUICE_NAME_LEN];
  char file[SLUICE_FILE_LEN];  // of the program, without folders
  unsigned line, column;       // of the body's opening brace
  unsigned num_args;
  struct sluice_reaction_arg args[SLUICE_MAX_REACTION_ARGS];
  struct sluice_text_span defines, text;
};

/// Which line of the source an operation comes from. Known for a program that was just compiled:
/// image files hold none.
struct sluice_line {
  enum sluice_line_unit {
    SLUICE_LINE_OPERATION,
    SLUICE_LINE_STATE,
    SLUICE_LINE_PORT,
    SLUICE_LINE_DISCARD,
    SLUICE_LINE_HASH,
    SLUICE_LINE_MULTIPLY,
    SLUICE_LINE_TABLE
  } unit;
  unsigned stage;  // as of struct sluice_write
  int operand;     // OPERATION: OPERAND of the container that gets the value; else -1
  unsigned line;   // from 1
  char text[96];   // the line, without what stands around it; cut at its end
};

struct sluice_image {
  char config[SLUICE_NAME_LEN];   // configuration that it was made for
  char program[SLUICE_NAME_LEN];  // name for people
  char system[SLUICE_NAME_LEN];   // system-level module around it: file and CRC-64; "" if none
  uint32_t layout_hash;
  unsigned match_rows;  // rows used in the stage that uses most
  size_t num_writes, num_arrays, num_fields, num_params, num_relocations, num_lines;
  size_t num_tables, num_entries;
  size_t num_reactions, num_texts, num_port_sets, num_set_words;
  struct sluice_write *writes;
  struct sluice_array *arrays;
  struct sluice_field *fields;
  struct sluice_param *params;
  struct sluice_relocation *relocations;
  struct sluice_line *lines;
  struct sluice_image_table *tables;
  struct sluice_image_entry *entries;
  struct sluice_reaction *reactions;
  struct sluice_port_set *port_sets;
  struct sluice_set_word *set_words;
  char *texts;                // of reactions, one behind the other, without zeros
  struct sluice_alloc alloc;  // of the lists; zeroed: the C library's
};

/// Whether a value can stand in bits msb..lsb.
bool sluice_entry_fits(unsigned msb, unsigned lsb, uint64_t value);
/// Sets or reads bits msb..lsb of a left-justified entry of `width` bits. Nothing is ever cut: to
/// set a value that does not fit is a bug of the caller, and ends the program. What comes from
/// outside must be checked first.
void sluice_entry_set(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb, uint64_t value);
uint64_t sluice_entry_get(const uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb);

/// Names a field of a layout: SLUICE_SET(bytes, SEGMENT, BASE, 12); or several:
/// SLUICE_SETS(bytes, SEGMENT, (BASE, 12), (RANGE, 4)).
#define SLUICE_SET(BYTES, LAYOUT, FIELD, VALUE)                                    \
  sluice_entry_set(BYTES, SLUICE_##LAYOUT##_BITS, SLUICE_##LAYOUT##_##FIELD##_MSB, \
                   SLUICE_##LAYOUT##_##FIELD##_LSB, (uint64_t)(VALUE))
#define SLUICE_SETS(BYTES, LAYOUT, ...) (SLUICE_PAIRS(SLUICE_SET, BYTES, LAYOUT, __VA_ARGS__))
#define SLUICE_GET(BYTES, LAYOUT, FIELD)                                           \
  sluice_entry_get(BYTES, SLUICE_##LAYOUT##_BITS, SLUICE_##LAYOUT##_##FIELD##_MSB, \
                   SLUICE_##LAYOUT##_##FIELD##_LSB)

/// Appends a zeroed element and returns it, or NULL when out of memory. Owned by the image.
struct sluice_write *sluice_image_add_write(struct sluice_image *image);
struct sluice_array *sluice_image_add_array(struct sluice_image *image);
struct sluice_field *sluice_image_add_field(struct sluice_image *image);
struct sluice_param *sluice_image_add_param(struct sluice_image *image);
struct sluice_relocation *sluice_image_add_relocation(struct sluice_image *image);
/// Makes a table one of words: engine, key and action, the same for all.
void sluice_image_word_table(struct sluice_image_table *table);
/// Copies an image with all that it owns; `copy` is not read. Returns false when out of memory.
bool sluice_image_copy(struct sluice_image *copy, const struct sluice_image *image,
                       const struct sluice_alloc *alloc);
struct sluice_line *sluice_image_add_line(struct sluice_image *image);
struct sluice_image_table *sluice_image_add_table(struct sluice_image *image);
struct sluice_image_entry *sluice_image_add_entry(struct sluice_image *image);
struct sluice_reaction *sluice_image_add_reaction(struct sluice_image *image);
struct sluice_port_set *sluice_image_add_port_set(struct sluice_image *image);
struct sluice_set_word *sluice_image_add_set_word(struct sluice_image *image);
/// Puts a text behind the others; false when out of memory.
bool sluice_image_add_text(struct sluice_image *image, const char *text, size_t len,
                           struct sluice_text_span *span);

/// Reads and checks an image made for `config` (NULL: any known one, see image->config).
enum sluice_status sluice_image_load(struct sluice_image *image, const char *path,
                                     const struct sluice_config *config,
                                     struct sluice_error *error);
/// The same from memory, into a zeroed image whose `alloc` may be set; `name` is what messages call
/// it.
enum sluice_status sluice_image_read(struct sluice_image *image, const char *text, size_t len,
                                     const char *name, const struct sluice_config *config,
                                     struct sluice_error *error);
/// Writes it; "-" is standard output.
/// The text of an image, to a stream. False: a name in it is not UTF-8, or memory ran out.
bool sluice_image_print(const struct sluice_image *image, FILE *out);
enum sluice_status sluice_image_save(const struct sluice_image *image, const char *path,
                                     struct sluice_error *error);
/// Frees what the image owns; the struct itself is the caller's. A zeroed image is legal.
void sluice_image_release(struct sluice_image *image);
