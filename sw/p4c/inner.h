// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "p4c.h"

// What the files of the way to the IR share; each banner is a file.

enum { P4C_IPV4_AT = 14 * 8 };          // first bit of an IPv4 header behind Ethernet
enum { P4C_TAG = 4, P4C_TAG_AT = 12 };  // bytes of the VLAN tag that frames have in the chip

// ---- node.c: values of the IR ------------------------------------------------------------------

/// Of a condition: the rows of the table of conditions (decide.c) where it is so, where it is not.
struct p4c_rows {
  uint64_t is, is_not;
};
/// A value of 32 bits: its number in p4c.nodes. Equal ones are made once.
typedef unsigned p4c_node;
enum p4c_op { P4C_CONST, P4C_TEXT, P4C_UNARY, P4C_BINARY, P4C_CHOICE };
struct p4c_def {
  enum p4c_op op;
  const char *text;  // the operator; of P4C_TEXT the line, in which operands stand by name
  p4c_node a, b, c;
  uint32_t number;
  unsigned bits;  // of P4C_TEXT: bits above these are 0; 0: that is not known
  struct p4c_rows rows;
  struct p4_place place;
};
struct p4c;
p4c_node p4c_const(struct p4c *p, uint32_t number);
/// What is read: bytes(34, 4), old hits, lookup t(v1).hit.
p4c_node p4c_text(struct p4c *p, const char *text);
/// Whether such a text reads whole bytes of the packet in the chip; which.
bool p4c_text_bytes(const char *text, unsigned *at, unsigned *bytes);
/// The port where the packet came in.
p4c_node p4c_port_in(struct p4c *p);
p4c_node p4c_unary(struct p4c *p, const char *op, p4c_node a);
p4c_node p4c_binary(struct p4c *p, const char *op, p4c_node a, p4c_node b);
p4c_node p4c_choice(struct p4c *p, p4c_node condition, p4c_node yes, p4c_node no);
/// 0 or 1, whatever the packet.
bool p4c_is_truth(const struct p4c *p, p4c_node n);
bool p4c_is_const(const struct p4c *p, p4c_node n, uint32_t *number);
static inline p4c_node p4c_not(struct p4c *p, p4c_node a) {
  return p4c_binary(p, "==", a, p4c_const(p, 0));
}
static inline p4c_node p4c_and(struct p4c *p, p4c_node a, p4c_node b) {
  return p4c_binary(p, "&&", a, b);
}
static inline p4c_node p4c_or(struct p4c *p, p4c_node a, p4c_node b) {
  return p4c_binary(p, "||", a, b);
}
/// The number has at most so many bits.
unsigned p4c_bits(const struct p4c *p, p4c_node n);
/// Only the low bits.
p4c_node p4c_low(struct p4c *p, p4c_node a, unsigned width);
/// Bits of the packet as it stands in the chip, at most 32.
p4c_node p4c_packet_bits(struct p4c *p, unsigned at, unsigned width);
/// While this is so, the truth value is known: what is made is made for that case.
void p4c_assume(struct p4c *p, p4c_node truth, bool is);
unsigned p4c_assumed(const struct p4c *p);
void p4c_forget(struct p4c *p, unsigned assumed);
/// A value that nobody sees where `hidden` is so: what it would be there does not count.
p4c_node p4c_prune(struct p4c *p, p4c_node n, p4c_node hidden);

// ---- decide.c: conditions in keys ---------------------------------------------------------------

enum {
  P4C_MOST_ROWS = 60,
  P4C_MOST_ATOMS = 60,
  P4C_MOST_CLASSES = 15,
  P4C_MOST_WORDS = 10,
  P4C_MOST_KEYS = 6
};
/// A field of `width` bits from bit `at` of the packet, under a mask, is in low..high.
struct p4c_atom {
  unsigned at, width;
  uint32_t mask, low, high;
};
struct p4c_cube {
  unsigned num, word[P4C_MOST_WORDS];
  uint16_t value[P4C_MOST_WORDS], mask[P4C_MOST_WORDS];
};
/// The first row whose cube has the packet says which case it is.
struct p4c_row {
  struct p4c_cube cube;
  unsigned class_number;
  signed char known[P4C_MOST_ATOMS];  // 1: the atom is so, -1: it is not, 0: it does not count
};
struct p4c_decision {
  unsigned most_rows, num_atoms, num_rows, num_classes, num_keys;
  struct p4c_atom atoms[P4C_MOST_ATOMS];
  struct p4c_row rows[P4C_MOST_ROWS];
  uint64_t class_values[P4C_MOST_CLASSES];  // a bit a condition
  unsigned key_word[P4C_MOST_KEYS], key_words[P4C_MOST_KEYS];
  p4c_node action, is_class[P4C_MOST_CLASSES];
  struct p4_place place;
};
/// Of a program that was walked: the table of its conditions on the packet; NULL: there are none,
/// or too many for one table.
struct p4c_decision *p4c_decide(struct p4c *p);
/// Before a program is walked again: the table, of which its conditions become cases.
void p4c_declare_decision(struct p4c *p, struct p4c_decision *decision);
/// A value that was just made, or the cases that it stands for.
p4c_node p4c_decided(struct p4c *p, p4c_node n);
/// Whether what is assumed tells if a condition is so.
bool p4c_known_rows(const struct p4c *p, p4c_node n, bool *is);

// ---- values of the program ---------------------------------------------------------------------

/// Bits that are more than 32 stand in `high`. Above `width` there is anything unless `clean`.
struct p4c_val {
  p4c_node low, high;
  unsigned width;
  bool clean;
  unsigned whole;  // 1 + the first byte of the packet that has just this, of 48 bits; 0: none
  struct p4_place place;  // of what is kept: where it was written; line 0: nowhere
};

// ---- place.c: where values are kept ------------------------------------------------------------

/// A variable, field, register at work.
struct p4c_cell {
  const char *name;
  struct p4c_val val;
};
/// All that differs from way to way through the program.
struct p4c_state {
  unsigned num, room;
  struct p4c_cell *cells;
  p4c_node exited, returned;  // truth values: nothing more is done
};
enum { P4C_MOST_PLACES = 4 };
struct p4c_header {
  const char *path;
  const struct p4_type *type;
  // Its first bit in the packet, as the program sees it, on the ways of the parser; at least one.
  unsigned places[P4C_MOST_PLACES], num_places;
  bool written;
  unsigned emitted;  // how many headers were emitted before it, from 1; 0: it was not
  struct p4c_header *next;
};
struct p4c_binding {
  const struct p4_decl *decl;
  const char *path;
  struct p4c_binding *next;
};
struct p4c_register {
  const struct p4_decl *decl;
  const char *name;
  uint64_t size;
  unsigned width;
  p4c_node index;
  bool used;
  const char **guards;  // lines
  unsigned num_guards;
  struct p4c_register *next;
};
struct p4c_table {
  const struct p4_decl *decl;
  const char *name;
  const char *lookup;  // "ipv4_lpm(v0)"
  struct p4c_table *next;
};

struct p4c {
  struct arena *arena;
  struct p4_messages *messages;
  const struct p4_program *program;
  const struct sluice_config *config;
  struct p4_place place;  // of the statement at hand
  struct p4c_def *nodes;
  unsigned num_nodes, room_nodes;
  unsigned buckets[1024];  // 1 + node
  unsigned *chain;
  struct {
    p4c_node node;
    bool is;
  } assumed[200];
  unsigned num_assumed;
  struct p4c_state now;
  p4c_node guard;  // what must be so that the statement at hand is done
  struct p4c_header *headers;
  struct p4c_binding *bindings;
  struct p4c_register *registers;
  struct p4c_table *tables;
  const char *head;       // lines before the values
  struct p4_place *tail;  // places of the lines behind them
  unsigned num_tail, room_tail;
  const struct p4_decl *actions[200];  // at work
  struct {
    const struct p4_decl *control;
    const void *instance;
  } instances[200];
  unsigned num_instances;
  unsigned num_fields, num_actions, num_locals, num_emitted, steps;
  unsigned cursor;  // of the parser, in bits
  p4c_node *roots;  // what leaves the walk: bytes, port, registers, keys
  unsigned num_roots, room_roots;
  struct p4c_decision *decision;    // NULL: conditions are computed
  const struct p4c_header *summed;  // whose checksum is updated
  unsigned spread;  // not 0: comparisons go into the arms of choices; how deep, from 1
  bool checksum, in_parser;
  // Of an egress that the chip does behind its queues: is_egress is of that walk, `ingress` the one
  // before it; egress_apart of the ingress' own.
  bool is_egress, egress_apart;
  struct p4c *ingress;
  struct {
    unsigned at, width;
    uint32_t mask;
  } written[64];  // bytes that the ingress changes, and which bits of them
  unsigned num_written;
  bool two_blocks;  // Menshen's architecture: parser and ingress
};

/// Reports, once a place; the caller goes on with a value that does not matter.
void p4c_refuse(struct p4c *p, struct p4_place place, const char *lacks, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void p4c_warn(struct p4c *p, struct p4_place place, const char *id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Notes a value that is wanted behind the walk, for p4c_decide.
void p4c_want(struct p4c *p, p4c_node n);
/// Appends a line to p->head; as printf does.
void p4c_head_line(struct p4c *p, const char *line);
#define p4c_head(P, ...) p4c_head_line(P, arena_format((P)->arena, __VA_ARGS__))

/// A name of P4 as the IR takes it: hdr_ipv4_ttl.
const char *p4c_plain(struct p4c *p, const char *name);
/// Names bits of the packet in the chip for reports, if they are whole containers; once. Of width 0
/// it is only a name.
void p4c_field(struct p4c *p, const char *name, unsigned at, unsigned width);
void p4c_bind(struct p4c *p, const struct p4_decl *decl, const char *path);
/// "hdr.ipv4.ttl"; NULL after a message.
const char *p4c_path(struct p4c *p, const struct p4_expr *e);
/// Until the next cell is made: what is assigned to it is evaluated before.
struct p4c_val *p4c_cell(struct p4c *p, const char *name, unsigned width);
struct p4c_header *p4c_header_of(struct p4c *p, const char *path);
/// The header that a path of a field stands in, and which field it is; NULL: none.
struct p4c_header *p4c_header_with(struct p4c *p, const char *path, const struct p4_field **field,
                                   unsigned *bit);
/// Whether a header of several places stands at this one.
p4c_node p4c_stands_at(struct p4c *p, const struct p4c_header *h, unsigned at);
p4c_node p4c_valid(struct p4c *p, const char *path);
struct p4c_val p4c_read(struct p4c *p, const char *path, const struct p4_type *type);
void p4c_write(struct p4c *p, const char *path, const struct p4_type *type, struct p4c_val val);
/// Bit of the packet in the chip.
unsigned p4c_chip_bit(unsigned bit);
unsigned p4c_type_width(const struct p4_type *type);

struct p4c_state p4c_state_copy(struct p4c *p, const struct p4c_state *s);
/// p->now becomes `yes` where the condition holds and `no` where not.
void p4c_merge(struct p4c *p, p4c_node condition, struct p4c_state *yes, struct p4c_state *no);

// ---- eval.c ------------------------------------------------------------------------------------

struct p4c_val p4c_eval(struct p4c *p, const struct p4_expr *e);
p4c_node p4c_truth(struct p4c *p, const struct p4_expr *e);
struct p4c_val p4c_clean(struct p4c *p, struct p4c_val v);
p4c_node p4c_equal(struct p4c *p, struct p4c_val a, struct p4c_val b);
/// a < b, or a <= b, of numbers of up to 32 bits.
p4c_node p4c_less(struct p4c *p, struct p4c_val a, struct p4c_val b, bool is_signed, bool or_equal);
p4c_node p4c_matches(struct p4c *p, const struct p4_keyset *set, struct p4c_val key);
/// The same value, of another width.
struct p4c_val p4c_resize(struct p4c *p, struct p4c_val v, unsigned width, bool is_signed);
struct p4c_val p4c_slice(struct p4c *p, struct p4c_val v, unsigned high, unsigned low);
struct p4c_val p4c_concat(struct p4c *p, struct p4c_val high, struct p4c_val low);

// ---- exec.c ------------------------------------------------------------------------------------

void p4c_run(struct p4c *p, const struct p4_stmt *list);
/// Those of a control.
static inline const struct p4_stmt *p4c_statements(const struct p4_decl *d) {
  return d->body && d->body->kind == P4_STMT_BLOCK ? d->body->body : d->body;
}
/// Does `then` where the condition holds, else `otherwise`; each is called with p->guard set.
void p4c_branch(struct p4c *p, p4c_node condition, void (*then)(struct p4c *p, const void *x),
                const void *x, void (*otherwise)(struct p4c *p, const void *y), const void *y);
void p4c_call(struct p4c *p, const struct p4_expr *e);
/// Runs a control or the parser with its parameters bound to these paths.
void p4c_block(struct p4c *p, const struct p4_decl *decl, const char *const *paths);

// ---- parser.c, table.c, extern.c, deparse.c ----------------------------------------------------

void p4c_parser(struct p4c *p, const struct p4_decl *parser, const char *const *paths);
/// Applies a table: its actions are done. 1 if an entry matched, in `hit`; the action, from 1.
struct p4c_table *p4c_apply(struct p4c *p, const struct p4_expr *call);
p4c_node p4c_hit(struct p4c *p, const struct p4c_table *t);
p4c_node p4c_is_action(struct p4c *p, const struct p4c_table *t, const struct p4_decl *action);
void p4c_extern_function(struct p4c *p, const struct p4_expr *e);
void p4c_extern_method(struct p4c *p, const struct p4_expr *e);
/// What stands `from` bits behind the cursor of the parser.
struct p4c_val p4c_lookahead(struct p4c *p, const struct p4_expr *e, const struct p4_type *type,
                             unsigned from);
void p4c_compute_checksum(struct p4c *p, const struct p4_decl *control);
void p4c_emit_block(struct p4c *p, const struct p4_decl *deparser);
/// The same of an architecture without a deparser: all headers leave as they came.
void p4c_emit_all(struct p4c *p);
/// Whether a block asks for what only the queues know.
bool p4c_asks_queues(const struct p4_decl *block);
/// Where a value of egress_spec drops.
p4c_node p4c_drop(struct p4c *p, p4c_node spec);
/// Names the fields of headers for reports.
void p4c_name_fields(struct p4c *p);
/// The lines behind the values; p->tail has the place of each.
const char *p4c_outputs(struct p4c *p);
