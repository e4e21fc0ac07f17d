// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <setjmp.h>
#include <stdio.h>

#include "../base/rng.h"
#include "../p4/front.h"
#include "hash.h"
#include "switch.h"
#include "value.h"

/// Inside the interpreter. What programs of other folders call stands in switch.h.

/// A program may not run for ever: above these a packet is given up with a message.
enum {
  P4R_MOST_STEPS = 2000000,       // statements and states of one packet given to the switch
  P4R_MOST_STATES = 10000,        // of one pass through a parser: then error.ParserTimeout
  P4R_MOST_PASSES = 1000,         // through the ingress, of one packet given to the switch
  P4R_MOST_COPIES = 20000,        // that go through the egress
  P4R_MOST_PACKET_LEN = 1 << 18,  // bytes of a packet as it grows
  P4R_MOST_CELLS = 1 << 24,       // of a register, counter or meter
  P4R_MOST_MEMORY = 1 << 29,      // bytes of one packet's values
  P4R_DROP_PORT = 511,
};

// ---- what a program is made of when it runs -----------------------------------------------------

/// A meter: two buckets, in tokens; rates in tokens per second.
struct p4r_meter {
  bool configured;
  uint64_t rate[2], burst[2];    // committed, peak
  uint64_t total[2], tokens[2];  // given since the start; what is in the bucket
};
struct p4r_cell {
  uint64_t packets, bytes;  // of a counter
  struct p4r_meter meter;
  uint64_t *words;    // of a register, as many as its width needs
  struct p4v *value;  // of a register of structs; NULL: all of it is zero
};

/// How an entry matches one key.
enum p4r_match_kind { P4R_ANY, P4R_VALUE, P4R_MASK, P4R_RANGE };
struct p4r_match {
  enum p4r_match_kind kind;
  struct p4v a, b;      // value; mask, or the upper end
  unsigned prefix_len;  // of an lpm key
};
/// An action with what the control plane gives it.
struct p4r_action {
  const struct p4_action_ref *ref;  // of the table's list
  struct p4v *data;                 // by parameter
};
struct p4r_member {
  uint64_t id;
  struct p4r_action action;
  struct p4r_member *next;
};
struct p4r_group {
  uint64_t id;
  unsigned num;
  struct p4r_member **members;  // by id
  struct p4r_group *next;
};
struct p4r_entry {
  struct p4r_match *matches;  // by key
  struct p4r_action action;
  const struct p4r_member *member;  // of an action profile, if not NULL
  const struct p4r_group *group;    // the same
  uint64_t priority;
  unsigned id;  // from 1 in order of making
  const char *label;
  struct p4_place place;  // line 0: of the control plane
  bool gone;
  struct p4r_cell cell;  // of a direct counter and meter
  struct p4r_entry *next;
};

enum p4r_kind {
  P4R_CONTROL,
  P4R_PARSER,
  P4R_TABLE,
  P4R_VALUE_SET,
  P4R_EXTERN,
  P4R_PACKET,  // packet_in, packet_out
};
struct p4r_object {
  enum p4r_kind kind;
  const struct p4_decl *decl;     // the control, parser, table, value set, or the extern
  const struct p4_decl *made_by;  // the declaration of the instance; NULL: none
  const struct p4_type *type;
  const char *name;  // full name, as the control plane says it
  struct p4r_object *owner, *next;
  struct p4v *slots;              // of a control or parser: what each call begins with
  const struct p4_expr *applied;  // made for `T.apply(..)`: the T of it; owner says where
  // Of an extern
  uint64_t size;
  struct p4r_cell *cells;
  struct p4v algorithm;  // of an action selector
  bool counts_bytes;     // a meter of bytes
  // Of an action profile
  struct p4r_member *members;
  struct p4r_group *groups;
  // of a table
  struct p4r_entry *entries, **last_entry;
  unsigned num_entries;
  struct p4r_action miss, written_miss;
  struct p4r_object *counter, *meter, *profile;
  bool by_priority, by_prefix;
  // of a value set
  struct p4r_match *members_of_set;
  unsigned num_members_of_set, room_of_set;
};

struct p4r_node {  // of a multicast group
  unsigned id, rid, group;
  bool associated;
  unsigned order;
  unsigned num_ports;
  unsigned *ports;
  struct p4r_node *next;
};
struct p4r_session {
  unsigned id;
  bool has_port, has_group;
  unsigned port, group;
  struct p4r_session *next;
};
/// A packet between two blocks.
struct p4r_packet {
  uint8_t *bytes;  // as received by this pass
  size_t len;
  size_t payload;  // where the part begins that the parser did not take
  struct p4v hdr, meta, standard;
  unsigned port;  // of the queue it is in
  bool parsed;
  size_t truncate;  // SIZE_MAX: not
  size_t *places;   // of two blocks, by field of the headers: 1 + the bit that it was read from
  struct p4r_packet *next;
};

enum { P4R_INGRESS = 2 };  // its number among the blocks
struct p4r_switch {
  const struct p4_program *program;
  struct arena own;  // what stays
  struct arena now;  // of the packet at work
  struct p4r_object *objects, **last_object;
  struct p4r_object *blocks[6];  // parser, verify, ingress, egress, compute, deparser
  bool two_blocks;               // Menshen's: parser and ingress, headers are written in place
  struct p4r_object packet_object;
  const struct p4_type *hdr_type, *meta_type, *standard_type;
  struct p4r_node *nodes;
  unsigned num_nodes, num_associated;
  struct p4r_session *sessions;
  struct sluice_rng rng;
  struct p4r_trace trace;
  const struct p4_messages *messages;  // for names of files
  uint64_t time_us;
  struct p4r_queue queue;
  char *why;
  size_t why_size;
};

// ---- one packet at work -------------------------------------------------------------------------

struct p4r_frame {
  const struct p4_decl *holder;
  struct p4v *slots;
  struct p4r_frame *outer;
  const struct p4r_object *object;         // of a control or parser
  const struct p4_type *const *type_args;  // of a generic function
};
enum p4r_flow { P4R_NEXT, P4R_BREAK, P4R_CONTINUE, P4R_RETURN, P4R_EXIT };
struct p4r_place {
  struct p4v *v;            // NULL: nowhere
  const struct p4v *guard;  // written only if this header is valid; NULL: always
  struct p4v *in_union;     // v is a member of it
  bool sliced;
  unsigned high, low;
};
/// What an extern asked for and the architecture does later.
struct p4r_asked {
  bool clone, resubmit, recirculate, digest;
  uint64_t clone_type, clone_session;
  bool clone_list;
  uint64_t clone_index, resubmit_index, recirculate_index;
  const char *digest_name;
  struct p4v digest_value;
};
struct p4r_exec {
  struct p4r_switch *sw;
  struct arena *arena;
  struct p4r_frame *frame;
  bool exiting;
  struct p4v result;  // of return
  unsigned steps, states;
  struct p4_place place;  // of the statement at work
  jmp_buf *reject;
  uint64_t error;  // of the parser
  size_t cursor;   // bits
  struct p4r_packet *packet;
  struct p4v_string *out;  // of a deparser
  struct p4r_asked asked;
  struct p4v *standard;  // of the block at work
  unsigned colour;       // of the direct meter of the entry that was hit
  bool checksum_error;
  size_t truncate;
};

/// Gives the packet up.
_Noreturn void p4r_fail(struct p4r_exec *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// build.c
bool p4r_build(struct p4r_switch *sw);
/// The object that an expression names, or makes; NULL: neither.
struct p4r_object *p4r_object_of(struct p4r_exec *x, const struct p4_expr *e, const char *name);
// names.c
const char *p4r_path(struct arena *a, const char *outer, const struct p4_decl *decl);

// eval.c
struct p4v p4r_eval(struct p4r_exec *x, const struct p4_expr *e);
struct p4r_place p4r_locate(struct p4r_exec *x, const struct p4_expr *e);
struct p4v p4r_load(struct p4r_exec *x, struct p4r_place place, const struct p4_type *type);
void p4r_store(struct p4r_exec *x, struct p4r_place place, struct p4v value);
struct p4v *p4r_slot(struct p4r_exec *x, const struct p4_decl *decl);
/// The bits of the members of a list or a struct; fields of headers that are not valid give none.
void p4r_bits_of(struct p4r_exec *x, const struct p4_expr *data, struct p4v_string *s);

// call.c
/// What a type parameter of the function at work stands for; any other type is itself.
const struct p4_type *p4r_type(const struct p4r_exec *x, const struct p4_type *type);
struct p4v p4r_call(struct p4r_exec *x, const struct p4_expr *e);
/// Runs a block of the program. `args` by parameter, out and inout ones are written back.
enum p4r_flow p4r_enter(struct p4r_exec *x, const struct p4r_object *object, struct p4v *args);
void p4r_run_action(struct p4r_exec *x, const struct p4r_action *action);

// exec.c
enum p4r_flow p4r_run(struct p4r_exec *x, const struct p4_stmt *s);

// parse.c
void p4r_run_parser(struct p4r_exec *x, const struct p4r_object *parser);
_Noreturn void p4r_reject(struct p4r_exec *x, const char *error);
_Noreturn void p4r_reject_with(struct p4r_exec *x, uint64_t error);
struct p4v p4r_packet_in(struct p4r_exec *x, const struct p4_call *call);
bool p4r_matches(const struct p4r_match *m, struct p4v key);
struct p4r_match p4r_keyset(struct p4r_exec *x, const struct p4_keyset *set);

// table.c
struct p4v p4r_apply(struct p4r_exec *x, struct p4r_object *table);
void p4r_make_table(struct p4r_exec *x, struct p4r_object *table);
struct p4r_entry *p4r_add_entry(struct p4r_switch *sw, struct p4r_object *table,
                                const struct p4r_entry *entry);

// extern.c
void p4r_make_extern(struct p4r_exec *x, struct p4r_object *object, const struct p4_call *call);
struct p4v p4r_method(struct p4r_exec *x, const struct p4_call *call);
struct p4v p4r_function(struct p4r_exec *x, const struct p4_call *call);
uint64_t p4r_hash(struct p4r_exec *x, struct p4v algorithm, const struct p4v_string *s);
/// The colour of a packet that needs so many tokens.
unsigned p4r_meter_run(struct p4r_meter *meter, uint64_t time_us, uint64_t need);
void p4r_meter_set(struct p4r_meter *meter, uint64_t time_us, const uint64_t rate[2],
                   const uint64_t burst[2]);

// trace.c
void p4r_trace_state(struct p4r_exec *x, const struct p4_decl *state);
void p4r_trace_stmt(struct p4r_exec *x, const struct p4_stmt *s);
void p4r_trace_table(struct p4r_exec *x, const struct p4r_object *table, const struct p4v *keys,
                     const struct p4r_entry *entry, const struct p4_decl *action);
void p4r_trace_event(struct p4r_exec *x, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
