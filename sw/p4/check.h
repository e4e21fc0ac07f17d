// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inner.h"

// What the files of the checker share; each banner is a file. It goes once through the program in
// the order of the text, so a name is known exactly from its declaration on. What is wrong gets the
// type P4_TYPE_POISON, which goes with everything: one mistake, one message.

enum { P4_SCOPE_BUCKETS = 1024, P4_TYPE_BUCKETS = 512 };

/// In what sort of code the checker is: it decides what may be called and said there.
enum p4_where {
  P4_AT_TOP,      // declarations outside of all
  P4_IN_STATE,    // a parser's states
  P4_IN_CONTROL,  // an apply block
  P4_IN_ACTION,
  P4_IN_FUNCTION,  // also an abstract method
  P4_IN_LOCALS,    // local declarations of a parser or control
};

struct p4_visible {
  const char *name;
  struct p4_decl *decl;
  unsigned level;
  struct p4_visible *below, *made_before;
};

struct p4_checker {
  struct p4_context *c;
  struct arena *arena;
  struct p4_program *program;
  struct p4_visible *buckets[P4_SCOPE_BUCKETS], *made;
  unsigned level;
  struct p4_type *types[P4_TYPE_BUCKETS];
  struct p4_type **all_types;
  unsigned num_types, room_types;
  // one of each sort that has no parts
  const struct p4_type *poison, *none, *boolean, *integer, *string, *error, *match_kind, *any,
      *state, *bit1, *bit32;
  struct p4_decl **errors, **match_kinds;
  unsigned num_errors, room_errors, num_match_kinds, room_match_kinds;
  // where it is
  enum p4_where where;
  struct p4_decl *container;  // the parser or control
  struct p4_decl *callable;   // the function, action or method
  struct p4_decl *holder;     // whose slots are counted
  unsigned loops;
  bool in_table_key;
  // Of the instance whose abstract methods are being written, and what it is: what `this` is there.
  const struct p4_type *this_type;
  const struct p4_decl *instance;
};

// ---- check_scope.c: which name is what here ----------------------------------------------------

/// Makes a declaration visible. Reports one of the same name at the same level, unless both may be
/// overloaded.
void p4_declare(struct p4_checker *k, struct p4_decl *d);
void p4_scope_open(struct p4_checker *k);
void p4_scope_close(struct p4_checker *k);
/// NULL: there is none. `absolute`: at the top level alone.
struct p4_decl *p4_find(const struct p4_checker *k, const char *name, bool absolute);
/// Reports members of a list that have one name.
void p4_refuse_doubles(struct p4_checker *k, struct p4_decl *list, const char *what);
/// A visible name that differs by a slip, or NULL.
const char *p4_similar(const struct p4_checker *k, const char *name, bool types);
/// Among members: of an enum, fields.
const char *p4_similar_member(const struct p4_decl *list, const char *name);

// ---- types.c: each type once -------------------------------------------------------------------

void p4_types_begin(struct p4_checker *k);
const struct p4_type *p4_type_bits_of(struct p4_checker *k, unsigned width, bool is_signed);
const struct p4_type *p4_type_varbit(struct p4_checker *k, unsigned width);
const struct p4_type *p4_type_stack(struct p4_checker *k, const struct p4_type *element,
                                    unsigned size);
/// P4_TYPE_SET, P4_TYPE_LIST, P4_TYPE_VALUE_SET
const struct p4_type *p4_type_over(struct p4_checker *k, enum p4_type_kind kind,
                                   const struct p4_type *element);
const struct p4_type *p4_type_tuple(struct p4_checker *k, const struct p4_type *const *members,
                                    unsigned num);
/// Of a declaration, without type arguments or (`args`) with as many as it has type parameters.
const struct p4_type *p4_type_of_decl(struct p4_checker *k, enum p4_type_kind kind,
                                      const struct p4_decl *d, const struct p4_type *const *args);
/// With args[i] for the i-th of the type parameters.
const struct p4_type *p4_substitute(struct p4_checker *k, const struct p4_type *type,
                                    const struct p4_decl *params,
                                    const struct p4_type *const *args);
unsigned p4_count(const struct p4_decl *list);
static inline bool p4_is_poison(const struct p4_type *t) { return t->kind == P4_TYPE_POISON; }
/// struct, header or union
bool p4_has_fields(const struct p4_type *t);
/// What arithmetic works on: bit<W>, int<W>, int.
bool p4_is_number(const struct p4_type *t);
/// For messages.
const char *p4_show(struct p4_checker *k, const struct p4_type *t);

// ---- check_type.c: types as they are written ---------------------------------------------------

/// The type, P4_TYPE_POISON after a message.
const struct p4_type *p4_check_type(struct p4_checker *k, struct p4_written *w);
/// The same, and refuses what no variable, field or parameter can be.
const struct p4_type *p4_check_value_type(struct p4_checker *k, struct p4_written *w);

// ---- fold.c: constants -------------------------------------------------------------------------

const struct p4_value *p4_value_number(struct p4_checker *k, const struct p4_wide *number);
const struct p4_value *p4_value_bool(struct p4_checker *k, bool truth);
bool p4_value_equal(const struct p4_value *a, const struct p4_value *b);
/// Of operators, casts, slices, conditions whose operands are known: sets e->value.
void p4_fold(struct p4_checker *k, struct p4_expr *e);
/// A literal: its type and value.
void p4_literal(struct p4_checker *k, struct p4_expr *e);
/// A constant from `low` to `high`; reports what it is if it is none.
bool p4_constant_in(struct p4_checker *k, const struct p4_expr *e, uint64_t low, uint64_t high,
                    const char *what, uint64_t *value);
/// The value that `...` stands for; NULL: there is none.
const struct p4_value *p4_default_value(struct p4_checker *k, const struct p4_type *type);

// ---- convert.c: what the language converts by itself -------------------------------------------

/// Makes *at a value of the type: puts a cast around it, gives a list its type. False, and no
/// message, if it cannot be.
bool p4_convert(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type);
/// Checks an expression and converts it; reports `what` it is if it cannot be, as "the value of
/// 'x'".
void p4_check_as(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type,
                 const char *what);
/// The same of an expression that was checked.
void p4_must_convert(struct p4_checker *k, struct p4_expr **at, const struct p4_type *type,
                     const char *what);
/// Refuses `...` in a list; true if it is there.
bool p4_refuse_fill(struct p4_checker *k, const struct p4_expr *e, const char *where);
/// Whether an explicit cast is allowed.
bool p4_can_cast(const struct p4_type *from, const struct p4_type *to);

// ---- check_expr.c, check_member.c, check_operator.c --------------------------------------------

void p4_check_expr(struct p4_checker *k, struct p4_expr **at);
void p4_check_bool(struct p4_checker *k, struct p4_expr **at, const char *what);
void p4_check_member(struct p4_checker *k, struct p4_expr *e);
void p4_check_operator(struct p4_checker *k, struct p4_expr *e);
/// Reports unless the expression can be assigned to.
bool p4_check_lvalue(struct p4_checker *k, const struct p4_expr *e, const char *what);
/// The name that an l-value begins with.
const struct p4_expr *p4_root(const struct p4_expr *e);
/// Known at compile time, be it only when a control is instantiated.
bool p4_is_constant(const struct p4_expr *e);
void p4_poison(struct p4_checker *k, struct p4_expr *e);
/// Whether two checked expressions say the same, word for word.
bool p4_same(const struct p4_expr *a, const struct p4_expr *b);

// ---- infer.c: type arguments -------------------------------------------------------------------

struct p4_inference {
  const struct p4_decl *params;
  unsigned num;
  const struct p4_type **args;  // NULL: not known yet
};
/// Finds type arguments by which `formal` becomes `actual`. False: there are none.
bool p4_infer(struct p4_checker *k, struct p4_inference *inference, const struct p4_type *formal,
              const struct p4_type *actual);
/// Whether a parser or control can stand for a type of such.
bool p4_stands_for(struct p4_checker *k, const struct p4_type *actual,
                   const struct p4_type *formal);
/// A note on the first parameter by which it cannot; nothing if these are no parsers or controls.
void p4_tell_block(struct p4_checker *k, const struct p4_type *actual,
                   const struct p4_type *formal);

// ---- check_call.c, check_construct.c, check_args.c ---------------------------------------------

void p4_check_call(struct p4_checker *k, struct p4_expr *e);
/// The call of a constructor, by the name of a type. The type of what is made, or poison.
const struct p4_type *p4_check_construct(struct p4_checker *k, struct p4_written *w,
                                         struct p4_expr **args, struct p4_call **call);
/// One candidate: do as many arguments, with these names, fit the parameters?
bool p4_args_fit(const struct p4_decl *params, const struct p4_expr *args);
/// Says why they do not.
void p4_tell_args(struct p4_checker *k, struct p4_place place, const char *name,
                  const struct p4_decl *params, const struct p4_expr *args);

/// What is called.
struct p4_signature {
  const char *name;
  const struct p4_decl *params;
  const struct p4_decl *type_params;        // that are inferred
  struct p4_written *type_args;             // unless they are written
  const struct p4_decl *outer_params;       // of an extern: its type parameters
  const struct p4_type *const *outer_args;  // and what stands for them in this object
  bool constant;                            // arguments are known at compile time
};
/// Orders, infers, checks and converts arguments that p4_args_fit(); fills args and types of the
/// call. False after a message.
bool p4_check_args(struct p4_checker *k, struct p4_place place, struct p4_call *call,
                   const struct p4_signature *s, struct p4_expr **args);
/// A type of the callee with the type arguments of the call put in.
const struct p4_type *p4_call_type(struct p4_checker *k, const struct p4_call *call,
                                   const struct p4_signature *s, const struct p4_type *type);

// ---- check_stmt.c ------------------------------------------------------------------------------

void p4_check_body(struct p4_checker *k, struct p4_stmt *list);

// ---- check_state.c, keyset.c -------------------------------------------------------------------

void p4_check_states(struct p4_checker *k, struct p4_decl *parser);
/// What is written, for `num` keys of these types. NULL after a message.
struct p4_keyset *p4_check_keyset(struct p4_checker *k, struct p4_expr **at,
                                  const struct p4_type *const *types, unsigned num, bool *whole);

// ---- check_table.c, check_entries.c ------------------------------------------------------------

void p4_check_table(struct p4_checker *k, struct p4_decl *d);
void p4_check_entries(struct p4_checker *k, struct p4_table *t);
/// The action that an entry or a default names; it must be in the list. NULL after a message.
const struct p4_action_ref *p4_check_chosen(struct p4_checker *k, struct p4_table *t,
                                            struct p4_action_ref *ref, const char *what);

// ---- check_decl.c, check_struct.c --------------------------------------------------------------

void p4_check_decl(struct p4_checker *k, struct p4_decl *d);
/// The type parameters of a declaration, as arguments of its own type.
const struct p4_type *const *p4_own_args(struct p4_checker *k, const struct p4_decl *d);
void p4_check_struct(struct p4_checker *k, struct p4_decl *d);
void p4_check_enum(struct p4_checker *k, struct p4_decl *d);
void p4_check_params(struct p4_checker *k, struct p4_decl *params);
void p4_take_slot(struct p4_checker *k, struct p4_decl *d);

// ---- check_core.c ------------------------------------------------------------------------------

/// Types of what is extracted, looked at, emitted.
void p4_check_packet(struct p4_checker *k, const struct p4_expr *call);
void p4_warn_deprecated(struct p4_checker *k, struct p4_place place, const struct p4_decl *d);
void p4_check_annotations(struct p4_checker *k, struct p4_annotation *list);
/// No two tables, actions .. of a parser or control have one name for the control plane.
void p4_check_control_names(struct p4_checker *k, const struct p4_decl *block);

// ---- control_name.c ----------------------------------------------------------------------------

/// Sets local_name, control_name and hidden.
void p4_name_decl(struct p4_checker *k, struct p4_decl *d);

// ---- warn.c: what is allowed and looks wrong ---------------------------------------------------

void p4_warn(struct p4_checker *k);
