// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "message.h"
#include "types.h"

/// The syntax tree of a P4-16 program, and what the checker adds to it.
///
/// The parser fills in what stands in the text; fields below a line "checked:" are the checker's.
/// Lists are linked by `next`, in the order of the text. Names are those of the text, each with a 0
/// behind it. Everything lives in the arena of the program and never changes after the check.
///
/// What a reader of a checked program (an interpreter, a compiler) may rely on:
///
/// - Every use of a name points to its declaration: p4_expr.decl, p4_state.. There are no unknown
///   names, and no declaration is used before it.
/// - Every expression has its type. Where the language converts by itself (an `int` to bit<W>, an
///   enum to its base type) the checker has put a P4_EXPR_CAST with `implicit` around the operand.
///   So both sides of an operator, the two sides of an assignment, an argument and its parameter
///   have equal types. Exceptions: the right side of a shift, `++`.
/// - An expression whose value is known has it in `value`: a reader looks there first, and need not
///   look at the operands then. Widths, sizes, slices' bounds, stack indices that are constants,
///   enum values are folded. No other expression has the type `int`, with one exception: an
///   argument for a parameter of an extern that has that type.
/// - A list or a struct-valued expression has the struct, header, tuple or stack that it makes as
///   its type. Each member has an expression in the order of the fields; those that `...` stands
///   for have P4_EXPR_FILL.
/// - Every call is resolved, p4_call: overloads, the type arguments that were inferred, arguments
///   in the order of the parameters with defaults filled in. p4_expr.args of a call is empty then.
/// - Arguments for out and inout parameters are l-values. Nothing is recursive.
/// - Generic functions and methods are not copied: their bodies hold types of kind
///   P4_TYPE_VARIABLE, which stand for p4_call.type_args. Only extern functions and methods,
///   parsers, controls and packages of the standard architectures are generic in practice; a
///   generic parser or control with a body is refused with a sentence for now.

struct p4_expr;
struct p4_stmt;
struct p4_table;
struct p4_state;

// ---- annotations -------------------------------------------------------------------------------

enum p4_token_kind {
  P4_TOKEN_END,
  P4_TOKEN_NAME,    // also keywords
  P4_TOKEN_NUMBER,  // as written: "8w0xff"
  P4_TOKEN_STRING,  // text: without the quotes, escapes replaced
  P4_TOKEN_MARK,    // operators and brackets
  P4_TOKEN_BAD,     // a character that begins none; only in what no rule reads
};
struct p4_token {
  enum p4_token_kind kind;
  const char *text;
  unsigned len;
  struct p4_place place;
  bool line_start, spaced;  // first of its line; blank before it
};

enum p4_annotation_kind {
  P4_ANNOTATION_BARE,    // @x
  P4_ANNOTATION_TOKENS,  // @x(...): any tokens; one of `name`, `id` .. is one of them by its tokens
  P4_ANNOTATION_LIST,    // @x[1, "a", 2 + 3]: exprs
  P4_ANNOTATION_PAIRS,   // @x[a=1, b="z"]: exprs, each with its `label`
};
/// `@name("x")`: unstructured; the text of its tokens. `p4_annotation_text` and `_number` read the
/// common ones.
struct p4_annotation {
  enum p4_annotation_kind kind;
  const char *name;  // "name", "field_list"
  struct p4_place place;
  const char *text;  // of TOKENS: what stands between the brackets, as written, on one line
  unsigned num_tokens;
  const struct p4_token *tokens;
  struct p4_expr *exprs;  // of LIST, PAIRS
  struct p4_annotation *next;
};

// ---- types as they are written -----------------------------------------------------------------

enum p4_written_kind {
  P4_WRITTEN_BASE,   // bool, int, string, void, error, match_kind: `base`
  P4_WRITTEN_BITS,   // bit<W>, int<W>, varbit<W>: `base`; width
  P4_WRITTEN_NAME,   // name, or name<args>; `absolute`: with a dot in front
  P4_WRITTEN_STACK,  // element[size]
  P4_WRITTEN_TUPLE,  // tuple<args>
  P4_WRITTEN_LIST,   // list<args>
  P4_WRITTEN_SET,    // value_set<args>
  P4_WRITTEN_ANY,    // _
};
struct p4_written {
  enum p4_written_kind kind;
  struct p4_place place;
  enum p4_type_kind base;
  bool is_signed, absolute;
  const char *name;
  struct p4_expr *size;  // width of bits, size of a stack
  struct p4_written *element, *args, *next;
  // checked:
  const struct p4_type *type;
};

// ---- declarations ------------------------------------------------------------------------------

enum p4_decl_kind {
  P4_DECL_CONST,        // written, init; value
  P4_DECL_VARIABLE,     // written, init (NULL: none); also of a `for` loop over values
  P4_DECL_INSTANCE,     // written, args: `Written(args) name;`; body: with abstract methods in it
  P4_DECL_PARAM,        // direction, written, init (its default)
  P4_DECL_TYPE_PARAM,   //
  P4_DECL_TYPEDEF,      // written
  P4_DECL_NEW,          // written: `type written name`
  P4_DECL_STRUCT,       // type_params, members: fields
  P4_DECL_HEADER,       //
  P4_DECL_UNION,        //
  P4_DECL_FIELD,        // written
  P4_DECL_ENUM,         // written (NULL: without a type), members
  P4_DECL_ENUM_MEMBER,  // init; value (of an enum with a type), number: from 0
  P4_DECL_ERROR,        // a member of `error`; number: over all declarations of `error`
  P4_DECL_MATCH_KIND,   // a member of `match_kind`; number
  P4_DECL_EXTERN,       // type_params, members: methods and constructors
  P4_DECL_FUNCTION,     // type_params, written (of the result), params, body; without a body: an
                        // extern function, or a method of `owner`
  P4_DECL_CONSTRUCTOR,  // params; of the extern `owner`
  P4_DECL_ACTION,       // params, body
  P4_DECL_PARSER,       // type_params, params, constructor_params, members, states
  P4_DECL_CONTROL,      // type_params, params, constructor_params, members, body: `apply`
  P4_DECL_PACKAGE,      // type_params, constructor_params
  P4_DECL_STATE,        // state
  P4_DECL_TABLE,        // table
  P4_DECL_VALUE_SET,    // written (of a value), init: its size
};

enum p4_direction { P4_NO_DIRECTION, P4_IN, P4_OUT, P4_INOUT };

struct p4_decl {
  enum p4_decl_kind kind;
  const char *name;
  struct p4_place place;              // of the name
  struct p4_annotation *annotations;  // also of what belongs to it alone
  struct p4_decl *next;
  struct p4_decl *owner;  // the parser, control, extern, struct, enum, action .. it stands in

  struct p4_written *written;
  struct p4_expr *init;
  struct p4_expr *args;  // of an instance
  struct p4_decl *type_params, *params, *constructor_params;
  struct p4_decl
      *members;            // fields, enum members, methods; local declarations of a parser, control
  struct p4_decl *states;  // of a parser, all of kind P4_DECL_STATE
  struct p4_stmt *body;    // a block; NULL: there is none (a type, an extern)
  struct p4_state *state;
  struct p4_table *table;
  enum p4_direction direction;
  bool has_body;     // of a parser or control: it is one; else it is a type of such
  bool is_abstract;  // of a method
  bool optional;     // of a parameter or a method: @optional
  bool built_in;     // it stands in a text of our own

  // checked:
  // Of what has a value or makes one: its type. Of a function, method, action: the type of the
  // result (void of an action). Of a struct, enum, extern, parser, control, package: the type that
  // it is (with its own type parameters as arguments).
  const struct p4_type *type;
  const struct p4_value *value;  // of a constant; of an enum member with a type
  unsigned number;      // of an error, enum member, match_kind; of a field, a state: its place
  unsigned num_params;  // of `params`; of a constructor or package `constructor_params`
  const struct p4_call *call;  // of an instance: the constructor that is called
  struct p4_decl *overload;    // the next one with the same name in the same scope
  // The full name in control-plane terms: "MyIngress.ipv4_lpm", of what is local to a parser or
  // control, or stands outside of all: its declaration's name with @name applied. An instance of a
  // control within another is named by its path, which a reader puts together from control_name of
  // the instance and local_name of what is in it.
  const char *control_name;
  const char *local_name;  // the name, or what @name says
  bool hidden;             // @hidden
  bool used;
  // Of a variable, constant, parameter, instance, table, value set: its number in what holds it
  // (the function, action, parser, control), from 0. Of the holder: how many there are in it.
  unsigned slot, num_slots;
};

// ---- calls -------------------------------------------------------------------------------------

enum p4_call_kind {
  P4_CALL_FUNCTION,  // callee: with a body
  P4_CALL_EXTERN,    // callee: an extern function
  P4_CALL_METHOD,    // callee: a method of the extern object `object`
  P4_CALL_ACTION,    // callee: an action; all arguments are there
  P4_CALL_TABLE,     // object: a table; the expression is its result
  P4_CALL_PARSER,    // object: an instance of a parser: its apply(). `T.apply()` has a constructor
                     // call as its object, which stands for an instance of its own
  P4_CALL_CONTROL,   // object: an instance of a control
  P4_CALL_CONSTRUCTOR,  // callee: constructor, or parser, control or package that is made; NULL: of
                        // an extern that declares no constructor
  P4_CALL_BUILT_IN,     // built_in, object: header, stack, union
};
enum p4_built_in {
  P4_IS_VALID,
  P4_SET_VALID,
  P4_SET_INVALID,
  P4_PUSH_FRONT,  // args[0] is a constant, at least 1
  P4_POP_FRONT,
  P4_MIN_SIZE_IN_BITS,  // these have a value, so the call need not be looked at
  P4_MIN_SIZE_IN_BYTES,
  P4_MAX_SIZE_IN_BITS,
  P4_MAX_SIZE_IN_BYTES,
};
struct p4_call {
  enum p4_call_kind kind;
  enum p4_built_in built_in;
  const struct p4_decl *callee;  // its `params`, or `constructor_params`, belong to `args`
  struct p4_expr *object;        // what stands before the dot
  // In order of the parameters of the callee. NULL: an @optional parameter without an argument.
  // Of an action in a table's list: NULL for what the control plane gives.
  unsigned num_args;
  struct p4_expr **args;
  unsigned num_type_args;  // of the type parameters of the callee (not of its extern)
  const struct p4_type **type_args;
  // Type of each parameter with type arguments put in, of the extern's too.
  const struct p4_type **param_types;
};

// ---- expressions -------------------------------------------------------------------------------

enum p4_expr_kind {
  P4_EXPR_NUMBER,   // value
  P4_EXPR_BOOL,     // value
  P4_EXPR_STRING,   // value
  P4_EXPR_NAME,     // name; `absolute`: with a dot in front; decl
  P4_EXPR_TYPE,     // written: a type before a dot, as in `error.NoMatch`; in a constructor call
  P4_EXPR_THIS,     // this
  P4_EXPR_MEMBER,   // a.name; member, decl
  P4_EXPR_INDEX,    // a[b]: an element of a stack
  P4_EXPR_SLICE,    // a[b:c]: high, low
  P4_EXPR_PART,     // a[b+:c]: c bits from bit b on
  P4_EXPR_UNARY,    // op a
  P4_EXPR_BINARY,   // a op b
  P4_EXPR_COND,     // a ? b : c
  P4_EXPR_CAST,     // (written) a; implicit: the checker's, `written` is NULL
  P4_EXPR_CALL,     // a<type_args>(args)
  P4_EXPR_LIST,     // {args}
  P4_EXPR_STRUCT,   // {label = arg, ...}, labels on the arguments; after the check in order of the
                    // fields, as P4_EXPR_LIST
  P4_EXPR_INVALID,  // {#}
  P4_EXPR_MASK,     // a &&& b
  P4_EXPR_RANGE,    // a .. b
  P4_EXPR_DEFAULT,  // default
  P4_EXPR_ANY,      // _: anything in a keyset; nowhere to put it as an out argument
  P4_EXPR_FILL,     // `...` of a list: the default value of its type; `...` as initial value
};

enum p4_op {
  P4_OP_NOT,         // !a
  P4_OP_COMPLEMENT,  // ~a
  P4_OP_NEGATE,      // -a
  P4_OP_PLUS,        // +a
  P4_OP_MUL,
  P4_OP_DIV,
  P4_OP_MOD,
  P4_OP_ADD,
  P4_OP_SUB,
  P4_OP_ADD_SAT,  // |+|
  P4_OP_SUB_SAT,  // |-|
  P4_OP_CONCAT,   // ++
  P4_OP_SHL,
  P4_OP_SHR,  // of int<W> and int with the sign
  P4_OP_AND,
  P4_OP_XOR,
  P4_OP_OR,
  P4_OP_LT,
  P4_OP_LE,
  P4_OP_GT,
  P4_OP_GE,
  P4_OP_EQ,
  P4_OP_NE,
  P4_OP_LAND,  // &&: b only if a is true
  P4_OP_LOR,   // ||
};
const char *p4_op_text(enum p4_op op);

enum p4_member_kind {
  P4_MEMBER_FIELD,       // of a struct, header, union: `field`
  P4_MEMBER_ENUM,        // E.x, error.x: decl; has a value
  P4_MEMBER_NEXT,        // of a stack, in a parser
  P4_MEMBER_LAST,        //
  P4_MEMBER_LAST_INDEX,  // bit<32>
  P4_MEMBER_SIZE,        // bit<32>; has a value
  P4_MEMBER_HIT,         // of the result of a table
  P4_MEMBER_MISS,        //
  P4_MEMBER_ACTION_RUN,  //
  P4_MEMBER_METHOD,      // what is called: stands in P4_EXPR_CALL.a alone
};

struct p4_expr {
  enum p4_expr_kind kind;
  enum p4_op op;
  struct p4_place place;  // of a binary operator: the whole, from its first operand on
  const char *name;       // P4_EXPR_NAME, P4_EXPR_MEMBER
  const char *label;      // in a list of arguments or members: `label = expr`
  struct p4_place label_place;
  bool absolute;
  bool implicit;       // P4_EXPR_CAST
  bool parenthesized;  // it stood in brackets
  uint16_t depth;      // levels below it
  struct p4_expr *a, *b, *c;
  struct p4_expr *args, *next;  // a list, linked by `next`
  struct p4_written *written, *type_args;
  // checked:
  const struct p4_type *type;
  const struct p4_value *value;  // NULL: not known before the program runs
  const struct p4_decl *decl;    // P4_EXPR_NAME: never NULL; P4_EXPR_MEMBER: field, enum member
  enum p4_member_kind member;    // P4_EXPR_MEMBER
  unsigned field;                // P4_MEMBER_FIELD: its place among the fields
  struct p4_call *call;          // P4_EXPR_CALL
  unsigned high, low;            // P4_EXPR_SLICE
  unsigned count;                // of args
  bool lvalue;                   // it may stand left of `=`
};

// ---- statements --------------------------------------------------------------------------------

enum p4_stmt_kind {
  P4_STMT_EMPTY,
  P4_STMT_BLOCK,     // body; annotations (@atomic)
  P4_STMT_DECL,      // decl: a variable or constant (in an apply block an instance, too)
  P4_STMT_ASSIGN,    // target = value; compound: target op= value, target is evaluated once
  P4_STMT_CALL,      // value: a call, whose result is not used
  P4_STMT_IF,        // value, then, otherwise
  P4_STMT_SWITCH,    // value, cases
  P4_STMT_RETURN,    // value (NULL: none)
  P4_STMT_EXIT,      //
  P4_STMT_BREAK,     //
  P4_STMT_CONTINUE,  //
  P4_STMT_FOR,       // for (inits; value; updates) then
  P4_STMT_FOR_IN,    // for (decl in value) then: value is a range `a .. b`, or a stack, list
};
/// Of a `switch`. A label without a body falls to the next one that has one.
struct p4_case {
  struct p4_place place;
  struct p4_expr *label;  // P4_EXPR_DEFAULT; over action_run: a name, whose decl is the action
  struct p4_stmt *body;   // a block; NULL: falls to the next
  struct p4_case *next;
};
struct p4_stmt {
  enum p4_stmt_kind kind;
  struct p4_place place;
  struct p4_annotation *annotations;
  struct p4_decl *decl;
  struct p4_expr *target, *value;
  bool compound;
  enum p4_op op;
  struct p4_stmt *body, *then, *otherwise, *next;
  struct p4_stmt *inits, *updates;
  struct p4_case *cases;
  // checked:
  bool over_actions;  // P4_STMT_SWITCH: value is `table.apply().action_run`
};

// ---- keysets: of select cases and table entries ------------------------------------------------

enum p4_keyset_kind {
  P4_KEYSET_VALUE,      // equal to `a`
  P4_KEYSET_MASK,       // key & b == a & b
  P4_KEYSET_RANGE,      // a <= key <= b
  P4_KEYSET_ANY,        // _ or default
  P4_KEYSET_VALUE_SET,  // set: in what the control plane has put there
};
/// Of one component. `a` and `b` have the type of the key, or are casts to it; their values are
/// folded where the program says them.
struct p4_keyset {
  enum p4_keyset_kind kind;
  struct p4_place place;
  struct p4_expr *a, *b;
  const struct p4_decl *set;
};

// ---- parser states -----------------------------------------------------------------------------

struct p4_select_case {
  struct p4_place place;
  struct p4_expr *keyset;  // as written: a P4_EXPR_LIST if there are several components
  const char *target_name;
  struct p4_place target_place;
  struct p4_select_case *next;
  // checked: one set for each select expression. A value set over a tuple or struct stands in the
  // first and `whole` is true.
  struct p4_keyset *sets;
  bool whole;
  const struct p4_decl *target;
};
/// Of a parser state. `accept` and `reject` are states without a body that each parser ends in.
struct p4_state {
  struct p4_stmt *body;    // statements, linked by next
  struct p4_place place;   // of `transition`
  const char *to_name;     // transition x;
  struct p4_expr *select;  // transition select (...): expressions, linked by next
  struct p4_select_case *cases;
  // checked:
  bool accept, reject;
  const struct p4_decl *to;  // of `transition x`, and `reject` if the state has no transition;
                             // NULL: select
  unsigned num_select;
};
/// The states that every parser has, `accept` and `reject`: owner is NULL.
extern const struct p4_decl p4_state_accept, p4_state_reject;

// ---- tables ------------------------------------------------------------------------------------

struct p4_key {
  struct p4_expr *expr;
  struct p4_place kind_place;
  const char *kind_name;
  struct p4_annotation *annotations;
  struct p4_key *next;
  // checked:
  const struct p4_decl *kind;  // member of match_kind
  const char *control_name;    // of @name, or the text of the expression
};
/// An action of a table's list, of a default, of an entry.
struct p4_action_ref {
  struct p4_place place;
  struct p4_annotation *annotations;
  const char *name;
  bool absolute;
  bool has_args;         // brackets were written
  struct p4_expr *args;  // as written
  struct p4_action_ref *next;
  // checked:
  const struct p4_decl *action;
  // Arguments by parameter. In the list: those with a direction, others NULL. In a default and an
  // entry: all.
  const struct p4_call *call;
  bool table_only, default_only;  // of the list
};
struct p4_entry {
  struct p4_place place;
  struct p4_annotation *annotations;
  bool is_const;
  struct p4_expr *priority_expr;  // as written
  struct p4_expr *keyset;
  struct p4_action_ref *action;
  struct p4_entry *next;
  // checked:
  struct p4_keyset *sets;  // one a key; a value with its prefix of an lpm key is a mask
  // Which entry wins if several fit: the larger number (the smaller one if !largest_priority_wins).
  // Numbers that are not written are filled in as the language says.
  uint64_t priority;
  bool priority_written;
};
/// Any other property: `name = expr;` with annotations, as `size`, `counters`, `implementation`.
struct p4_property {
  const char *name;
  struct p4_place place;
  struct p4_annotation *annotations;
  bool is_const;
  struct p4_expr *value;
  struct p4_property *next;
};
struct p4_table {
  struct p4_key *keys;
  struct p4_action_ref *actions;
  struct p4_action_ref *default_action;  // NULL: none is written
  struct p4_entry *entries;
  struct p4_property *properties;
  struct p4_place keys_place, actions_place, default_place, entries_place;
  bool has_keys, has_actions, has_entries;
  bool const_default, const_entries;  // what stands behind `const`

  // checked:
  unsigned num_keys, num_actions, num_entries;
  // What happens on a miss: default_action, or NoAction, which is then the last of `actions` if it
  // is not in the list; never NULL.
  const struct p4_action_ref *miss;
  bool has_size;
  uint64_t size;               // 0: none is written
  bool largest_priority_wins;  // true unless the program says false
  uint64_t priority_delta;     // 1 unless the program says another
};
/// The property with this name, or NULL.
const struct p4_property *p4_table_property(const struct p4_table *table, const char *name);

// ---- reading annotations -----------------------------------------------------------------------

/// The annotation with this name, or NULL.
const struct p4_annotation *p4_annotation(const struct p4_annotation *list, const char *name);
/// The only token of `@x("text")`, a string, or NULL.
const char *p4_annotation_text(const struct p4_annotation *annotation);
/// The numbers of `@x(1, 2)`: at most `most`; how many there are, or -1 if it holds anything else.
int p4_annotation_numbers(const struct p4_annotation *annotation, uint64_t *numbers, unsigned most);
