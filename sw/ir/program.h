// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../driver/image/image.h"
#include "../base/arena.h"
#include "home.h"

/// What a program declares: fields, states, tables, malleables, words that are looked up. A front
/// end fills it (the reader of the IR, or that of Domino); passes only read it. What is a syntax
/// tree of Domino is behind pointers that a text in the IR leaves NULL.

struct expr;
struct stmt;
struct function;
struct reaction;

// TEXT: body of a reaction; C: what only the C of a reaction has, as 0.5
enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_MARK, TOKEN_TEXT, TOKEN_C };
struct token {
  enum token_kind kind;
  const char *text;
  unsigned len;
  int32_t value;                // of a number
  uint64_t wide;                // the same, if it may have up to 48 bits
  unsigned line, column, span;  // where the user wrote it; of a macro: where it is used
};
/// A token in a message: TOKEN in the format, TOKEN_ARGS for it. A long one is cut.
enum { TOKEN_SHOWN = 40 };
#define TOKEN "%.*s%s"
#define TOKEN_ARGS(T)                                                \
  (int)((T)->len > TOKEN_SHOWN ? TOKEN_SHOWN : (T)->len), (T)->text, \
      (T)->len > TOKEN_SHOWN ? "..." : ""

struct field {
  struct sluice_program_field info;
  const struct token *at, *tie_at, *tie_group, *tie_name;  // @ group.name
  struct expr *tie_offset, *tie_width;                     // @ bytes(offset, width)
  bool warned;
  bool shown;                      // of the system-level module, which lets modules read it
  unsigned alias;                  // number + 1 of the field that this one is another name of
  bool whole;                      // all 48 bits of it are read or written (width.c)
  bool low_told;                   // that only its low bits are read somewhere
  struct expr *words, *tie_array;  // name[words] @ array(offset)
  struct field *next;
};
struct state {
  struct sluice_program_state info;
  const struct token *at, *stage_at, *egress_at;  // `@ stage(number)`, `@ egress`
  struct expr *size, *words, *init, *stage;       // [size][words] @ stage(number)
  unsigned parts;                                 // PARTS that use it
  int place;                                      // back stage that must hold it, or ANYWHERE
  struct state *next;
};
/// `lookup price[1024] = { 17: 100 };`: a word that is a key becomes its data (word_table.c).
struct word_pair {
  const struct token *at;
  uint32_t key, data;
  struct word_pair *next;
};
struct word_table {
  const struct token *at, *used_at;  // used_at: the statement; NULL: there is none
  const char *name;
  struct expr *size_expr;
  unsigned size, num_pairs;
  struct word_pair *pairs, *last;
  // Of the statement: the array of the packet, which of its words are keys, and whether one
  // without an entry stays as it is.
  unsigned field;
  uint32_t words;
  bool stay;
};
/// `malleable int m = 700 in 0..4095;` or `malleable field key = p.src among { p.src, p.dst };`.
/// A malleable field is also a field of the program, behind those of struct Packet.
struct malleable {
  const char *name;
  const struct token *at, *packet;  // packet: what a choice calls the packet
  bool is_field, ranged;
  int32_t init, low, high;  // of a field: numbers of choices
  struct expr *init_expr, *low_expr, *high_expr;
  const struct token *first, *choice_at[SLUICE_MAX_CHOICES];
  unsigned num, choice[SLUICE_MAX_CHOICES];  // fields
  unsigned field;                            // the malleable field itself
  struct malleable *next;
};
// ---- tables -------------------------------------------------------------------------------------

enum {
  MAX_ACTIONS = SLUICE_MAX_ACTIONS,
  MAX_CHOICE_ROWS = MAX_ACTIONS + 1,
  MAX_ROWS = 64,
  MAX_TABLE_ENTRIES = 65536,
  MAX_LENGTHS = SLUICE_MAX_PARTS - 1,
  DATA_WORDS = 4,
  TABLE_HIT = 0,
  TABLE_ACTION,
  TABLE_FOUND,  // of a part: what later parts must not win against, a bit each
  TABLE_WORD,   // + DATA_WORDS * action + word; 0 if the action is another
};

/// A parameter of an action: bits lsb + width - 1 .. lsb of word `word` of its data; of more than
/// 32 bits the upper ones are the lowest of `word`, and the lower 32 are word + 1.
struct table_arg {
  const char *name;
  const struct token *at;
  struct expr *width_expr;
  unsigned width, word, lsb;
};
struct table_key {
  const struct token *at, *packet;  // the field, and what the text calls the packet
  const char *name;
  enum sluice_key_kind kind;
  unsigned field, width;
  unsigned num_common;  // `lpm(24, 16)`: the commonest lengths
  struct expr *common_expr[MAX_LENGTHS];
  unsigned char common[MAX_LENGTHS];
  unsigned shift;  // of a guard: bits of the container below it
};
/// `forward(1, 5)`.
struct table_call {
  const struct token *at;  // NULL: none
  unsigned action, num_args;
  uint64_t arg[SLUICE_MAX_ARGS];
  const struct token *arg_at[SLUICE_MAX_ARGS];
};
struct table_entry {
  const struct token *at, *key_at[SLUICE_MAX_KEYS];
  struct table_call call;
  uint64_t key[SLUICE_MAX_KEYS], care[SLUICE_MAX_KEYS];
  unsigned len[SLUICE_MAX_KEYS];  // of a prefix
  enum table_match { MATCH_VALUE, MATCH_ANY, MATCH_PREFIX, MATCH_MASK } match[SLUICE_MAX_KEYS];
  unsigned num_keys;
  bool has_priority;
  uint32_t priority;
  struct table_entry *next;
};
struct table_action {
  const struct token *at;
  const char *name;
  const struct function *function;  // NULL: nothing is done, or the text is in the IR
  struct table_arg arg[SLUICE_MAX_ARGS];
  unsigned num_args;
  bool only_default;  // no entry has it; the last one then
};
/// A table, or a part of one that is too large for an engine (table_parts.c).
struct table_part {
  unsigned first;  // the number of part 0
  int stage;       // as tasks count them
  enum sluice_engine_kind engine;
  unsigned length;                     // of all prefixes in a cuckoo engine
  unsigned num_variants;               // of its rows
  uint32_t found[SLUICE_MAX_CLASSES];  // TABLE_FOUND, by variant
  bool guarded;                        // the last key is TABLE_FOUND of the part before
  struct sluice_image_part image;
};
struct table {
  const struct token *at, *apply_at;  // apply_at NULL: not applied
  const char *name;
  struct expr *size_expr;
  unsigned size, num_keys, num_actions, num_entries;
  struct table_key key[SLUICE_MAX_KEYS];
  struct table_action action[MAX_ACTIONS];
  struct table_call otherwise;  // the default action
  struct table_entry *entries, *last;
  unsigned parts;  // PARTS that apply it (egress.c)
  struct table_part part;
  struct table *next;
};
static inline bool table_is_part(const struct table *t) { return t->part.image.num > 0; }
/// Gives the parameters their places in the data words; false: they take more than four. (args.c)
bool table_place_args(struct table_arg *arg, unsigned num);
/// The part of an argument that stands in a data word, in place.
uint32_t table_word(const struct table_action *a, const uint64_t *arg, unsigned word);

// ---- the program --------------------------------------------------------------------------------

enum { ANYWHERE = -1, MAX_FLOW_FIELDS = 3, MAX_MALLEABLES = 32, MAX_TABLES = 24 };
/// `option flow_order(size, field...)`: packets of a flow pass the last back stage in order.
struct flow_order {
  const struct token *at, *name[MAX_FLOW_FIELDS];  // at NULL: no such option
  struct expr *size;                               // of Domino
  unsigned entries, num_fields, field[MAX_FLOW_FIELDS];
};
/// A program with an egress function is two: `egress` has what is that function's own, and fields
/// of its own with the homes that they have there; its `outer` is the program.
enum { PART_INGRESS = 1, PART_EGRESS = 2 };
struct sluice_program {
  struct arena arena;
  char *file;
  const struct token *tokens;
  size_t num_tokens, num_fields, num_states;
  struct token *system;  // of the text of a system-level module (system.c); NULL: none
  size_t num_system;
  char system_name[SLUICE_NAME_LEN];  // sluice_system_name
  // Its parts: before and behind the program, behind the egress function
  const struct function *before, *after, *leaves;
  struct field *field_list, **field, *bind_list;
  struct state *state_list, **state;
  size_t num_malleables;
  struct malleable *malleable_list, **malleable;
  size_t num_tables;
  struct table *table_list, **table;  // table.h
  struct word_table *word_table;      // NULL: there is none
  struct function *functions;
  size_t num_reactions;
  struct reaction *reaction_list;
  const char *defines;  // the macros, as C has them: reactions know them too
  const struct token *struct_at, *param, *name_at;
  char *name;
  struct stmt *body;
  unsigned own_lines;  // lines behind them are those of the bindings
  const struct token *checksum_at;
  bool checksum, need_ip, need_udp;
  bool only_ip_sum;  // of checksums that of the IPv4 header alone
  struct flow_order flow_order;
  struct sluice_program *egress, *outer;  // NULL: there is none
  struct ir *ir;  // it is a text in the IR, without tokens and a body; NULL: it is Domino
};
enum {
  MAX_STATES = 32,
  MAX_FIELDS = 256,
  MAX_OUTPUTS = 2 * MAX_FIELDS,
  HEADER_LEN = 128,
  MAX_ENTRIES = 65535,
  MAX_BACK_STAGES = 16
};

/// Sets the home of a field of a program from `@ group.name`; returns false if there is no such
/// name. A name of the other function's is SLUICE_HOME_ELSEWHERE.
bool home_find(const struct sluice_program *p, struct sluice_program_field *field,
               const char *group, const char *name);
/// The name in `meta.NAME` of a home that is not bytes of the packet.
const char *home_meta(const struct sluice_program *p, enum sluice_home_kind home, unsigned offset,
                      unsigned width);
/// "bytes 38..39", "metadata arrival", "" for a temporary.
void home_text(const struct sluice_program *p, const struct sluice_program_field *field, char *text,
               size_t len);
