// SPDX-License-Identifier: Apache-2.0
// Headers of packets to and from the controller, and value sets of parsers.
#include <string.h>

#include "inner.h"

enum { MOST_FIELDS = 1024 };

// Fields of a header; those of structs in it are its own, named "struct.field".
struct fields {
  unsigned num;
  const char *names[MOST_FIELDS];
  const struct p4_type *types[MOST_FIELDS];
  const struct p4_annotation *annotations[MOST_FIELDS];
  bool hidden[MOST_FIELDS];
};

// Annotations of the inner field, and those of the outer one that it has not.
static const struct p4_annotation *merge(struct p4i *p, const struct p4_annotation *inner,
                                         const struct p4_annotation *outer) {
  struct p4_annotation *first = NULL, **end = &first;
  for (unsigned i = 0; i < 2; i++)
    for (const struct p4_annotation *a = i ? outer : inner; a; a = a->next) {
      if (i && p4_annotation(inner, a->name)) continue;
      struct p4_annotation *copy = NEW(p->arena, struct p4_annotation);
      *copy = *a;
      copy->next = NULL;
      *end = copy;
      end = &copy->next;
    }
  return first;
}

static void flatten(struct p4i *p, struct fields *to, const struct p4_type *type,
                    const char *prefix, const struct p4_annotation *outer) {
  for (unsigned i = 0; i < type->num_fields; i++) {
    const struct p4_field *f = &type->fields[i];
    const struct p4_annotation *list = merge(p, f->decl->annotations, outer);
    if (f->type->kind == P4_TYPE_STRUCT) {
      flatten(p, to, f->type, arena_format(p->arena, "%s%s.", prefix, f->name), list);
      continue;
    }
    if (to->num == MOST_FIELDS) return;
    to->names[to->num] = *prefix ? arena_format(p->arena, "%s%s", prefix, f->name)
                                 : p4i_decl_name(f->decl);
    to->types[to->num] = f->type;
    to->annotations[to->num] = list;
    to->hidden[to->num++] = p4_annotation(list, "hidden") != NULL;
  }
}

void p4i_add_header(struct p4i *p, const struct p4i_object *o) {
  static const struct p4i_notes notes = P4I_NOTES_ONLY(ControllerPacketMetadata_Metadata);
  const struct p4_annotation *a = p4_annotation(o->annotations, "controller_header");
  const char *name = p4_annotation_text(a);
  if (!name) {
    p4i_error(p, a->place, "annotation",
              "@controller_header takes one text: \"packet_in\" or \"packet_out\"");
    return;
  }
  struct proto *m = proto_add(p->info, PROTO(P4Info, controller_packet_metadata));
  const struct p4i_object shown = {
      .name = name, .alias = name, .id = o->id, .annotations = o->annotations};
  p4i_preamble(p, proto_add(m, PROTO(ControllerPacketMetadata, preamble)), &shown, NULL);
  struct fields *fields = NEW(p->arena, struct fields);
  flatten(p, fields, o->decl->type, "", NULL);
  uint32_t *ids = NEW_ARRAY(p->arena, uint32_t, fields->num + 1);
  p4i_field_ids(p, fields->num, fields->annotations, ids);
  for (unsigned i = 0; i < fields->num; i++) {
    if (fields->hidden[i]) continue;
    struct proto *f = proto_add(m, PROTO(ControllerPacketMetadata, metadata));
    proto_number(f, PROTO(ControllerPacketMetadata_Metadata, id), ids[i]);
    proto_text(f, PROTO(ControllerPacketMetadata_Metadata, name), fields->names[i]);
    p4i_annotate(p, f, &notes, fields->annotations[i], NULL);
    proto_number(f, PROTO(ControllerPacketMetadata_Metadata, bitwidth),
                 p4i_width(fields->types[i]));
    p4i_type_name(p, f, PROTO(ControllerPacketMetadata_Metadata, type_name), fields->types[i]);
  }
}

// ---- value sets --------------------------------------------------------------------------------

static struct proto *add_match(struct proto *m, uint32_t id, unsigned width) {
  struct proto *f = proto_add(m, PROTO(ValueSet, match));
  proto_number(f, PROTO(MatchField, id), id);
  proto_number(f, PROTO(MatchField, bitwidth), width);
  return f;
}

static void match_fields(struct p4i *p, struct proto *m, const struct p4_type *type) {
  static const struct p4i_notes notes = P4I_NOTES(MatchField);
  const struct p4_annotation **list =
      NEW_ARRAY(p->arena, const struct p4_annotation *, type->num_fields + 1);
  uint32_t *ids = NEW_ARRAY(p->arena, uint32_t, type->num_fields + 1);
  for (unsigned i = 0; i < type->num_fields; i++) list[i] = type->fields[i].decl->annotations;
  p4i_field_ids(p, type->num_fields, list, ids);
  for (unsigned i = 0; i < type->num_fields; i++) {
    const struct p4_field *f = &type->fields[i];
    const struct p4_annotation *kind = p4_annotation(list[i], "match");
    struct proto *match = add_match(m, ids[i], p4i_width(f->type));
    proto_text(match, PROTO(MatchField, name), p4i_decl_name(f->decl));
    p4i_match_type(match, kind && kind->num_tokens == 1 ? kind->tokens[0].text : "exact");
    p4i_annotate(p, match, &notes, list[i], "match\0");
    if (p4_type_base(f->type)->kind != P4_TYPE_BITS)
      p4i_error(p, f->decl->place, "type",
                "fields of a value set are bit<W> for the control plane");
  }
}

// One match field a member, each with its name: so other compilers describe a set of such.
static void match_members(struct proto *m, const struct p4_type *type) {
  uint32_t id = 1;
  for (const struct p4_decl *d = type->decl->members; d; d = d->next) {
    struct proto *match = add_match(m, id++, p4i_width(type));
    proto_text(match, PROTO(MatchField, name), p4i_decl_name(d));
    p4i_match_type(match, "exact");
  }
}

void p4i_add_value_set(struct p4i *p, const struct p4i_object *o) {
  struct proto *m = proto_add(p->info, PROTO(P4Info, value_sets));
  p4i_preamble(p, proto_add(m, PROTO(ValueSet, preamble)), o, NULL);
  const struct p4_type *type = o->decl->type->element;
  const struct p4_value *size = p4i_constant(o->block, o->decl->init);
  uint64_t number = 0;
  if (size && size->kind == P4_VALUE_NUMBER) p4_wide_small(size->number, INT32_MAX, &number);
  if (type->kind == P4_TYPE_STRUCT) {
    match_fields(p, m, type);
  } else if (type->kind == P4_TYPE_ENUM && type->element) {
    match_members(m, type);
  } else if (p4_type_base(type)->kind == P4_TYPE_BITS) {
    p4i_match_type(add_match(m, 1, p4i_width(type)), "exact");
  } else {
    p4i_error(p, o->decl->place, "type",
              "a value set is of bit<W>, of a struct of such or of an enum for the control plane");
  }
  proto_number(m, PROTO(ValueSet, size), number);
}
