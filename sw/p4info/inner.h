// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "info.h"

// What the files of P4Info share; each banner is a file.
//
// First everything is collected that the control plane may name, in the order of P4Info, as if all
// controls within controls were written out where they are instantiated. Then each gets its id and
// its alias. Then the messages are written.

// Top byte of an id.
enum p4i_kind {
  P4I_ACTION = 0x01,
  P4I_TABLE = 0x02,
  P4I_VALUE_SET = 0x03,
  P4I_HEADER = 0x04,
  P4I_PROFILE = 0x11,
  P4I_COUNTER = 0x12,
  P4I_DIRECT_COUNTER = 0x13,
  P4I_METER = 0x14,
  P4I_DIRECT_METER = 0x15,
  P4I_REGISTER = 0x16,
  P4I_DIGEST = 0x17,
};

// A control or parser, instantiated.
struct p4i_block {
  const struct p4_decl *decl;
  const char *path;  // "MyIngress", "MyIngress.c1"
  const struct p4_call *call;
  struct p4i_block *outer;
};

struct p4i_object {
  enum p4i_kind kind;
  const char *name;
  const struct p4_decl *decl;  // action, table, instance, value set, header
  const struct p4_annotation *annotations;
  const struct p4i_block *block;  // where it stands; NULL: outside of all
  const struct p4_type *type;     // of an instance: the extern; of a digest: what is sent
  const struct p4_call *call;     // of an instance: the constructor
  bool hidden;
  bool in_table;  // of an action: some table has it, so its parameters come from the control plane
  uint32_t id;
  const char *alias;
  struct p4i_object *next;
};

struct p4i {
  struct arena *arena;
  struct p4_messages *messages;
  const struct p4_program *program;
  struct p4i_object *objects, **end;
  bool has_type_info;  // something with a type was met: the message has type_info, be it empty
  struct proto *info;
};

/// Reports.
void p4i_error(struct p4i *p, struct p4_place place, const char *id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// ---- collect.c ---------------------------------------------------------------------------------

void p4i_collect(struct p4i *p);
struct p4i_object *p4i_find(const struct p4i *p, enum p4i_kind kind, const char *name);
/// The name of an action as a table in this block has it.
const char *p4i_action_name(struct p4i *p, const struct p4i_block *block, const struct p4_decl *d);
/// A constant, also of a parameter of the block's constructor; NULL: it is none.
const struct p4_value *p4i_constant(const struct p4i_block *block, const struct p4_expr *e);
/// What a property of a table (`counters`, `implementation`) names, or makes at its place. NULL:
/// the table has no such property.
struct p4i_object *p4i_property(struct p4i *p, const struct p4i_object *table, const char *name);

// ---- walk.c: what a body calls -----------------------------------------------------------------

/// Of each call that may run, in the order of the text. What stands behind a condition that is
/// known to be false is left out.
struct p4i_visitor {
  void (*call)(struct p4i_visitor *v, const struct p4_expr *e);
  void *context;
};
void p4i_visit(struct p4i_visitor *v, const struct p4_stmt *list);

// ---- ids.c -------------------------------------------------------------------------------------

/// Sets id and alias of all objects.
void p4i_number(struct p4i *p);
/// Ids of fields and parameters: @id, or the first number that is free. `annotations` by element.
void p4i_field_ids(struct p4i *p, unsigned num, const struct p4_annotation *const *annotations,
                   uint32_t *ids);

// ---- annotations.c -----------------------------------------------------------------------------

/// Fields of a message that say what annotations it has; they have these names in all of them.
struct p4i_notes {
  enum proto_field_id plain, structured, doc;
  bool has_doc;
};
#define P4I_NOTES(M) \
  { PROTO(M, annotations), PROTO(M, structured_annotations), PROTO(M, doc), true }
#define P4I_NOTES_ONLY(M) \
  { PROTO(M, annotations), PROTO(M, structured_annotations), (enum proto_field_id)0, false }
/// Those that are written but name, id, brief, description and `without`, a list with a 0 behind
/// each and behind all.
void p4i_annotate(struct p4i *p, struct proto *m, const struct p4i_notes *notes,
                  const struct p4_annotation *list, const char *without);
void p4i_preamble(struct p4i *p, struct proto *m, const struct p4i_object *o, const char *without);
/// Name and value of @x(name=value, ..) and @x[name=value, ..]; calls `pair` of each.
void p4i_pairs(struct p4i *p, const struct p4_annotation *a,
               void (*pair)(struct p4i *p, const struct p4_annotation *a, const char *name,
                            const struct p4_token *value));

// ---- types.c -----------------------------------------------------------------------------------

/// Width on the control plane: of a translated type the one that the annotation tells, 0 of a text.
unsigned p4i_width(const struct p4_type *type);
/// Sets type_name where the control plane needs it, and describes the type in type_info.
void p4i_type_name(struct p4i *p, struct proto *m, enum proto_field_id field,
                   const struct p4_type *type);
/// A P4DataTypeSpec.
void p4i_type_spec(struct p4i *p, struct proto *spec, const struct p4_type *type);
/// The value in as many bytes as its type takes.
void p4i_value(struct proto *m, enum proto_field_id field, const struct p4_value *value,
               unsigned width, struct arena *arena);
const char *p4i_decl_name(const struct p4_decl *d);

// ---- table.c, extern.c, header.c ---------------------------------------------------------------

void p4i_add_table(struct p4i *p, const struct p4i_object *o);
void p4i_add_action(struct p4i *p, const struct p4i_object *o);
void p4i_add_extern(struct p4i *p, const struct p4i_object *o);
void p4i_add_digest(struct p4i *p, const struct p4i_object *o);
void p4i_add_header(struct p4i *p, const struct p4i_object *o);
void p4i_add_value_set(struct p4i *p, const struct p4i_object *o);
void p4i_match_type(struct proto *m, const char *kind);
