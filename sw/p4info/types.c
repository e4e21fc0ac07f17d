// SPDX-License-Identifier: Apache-2.0
// Types as the control plane sees them: P4DataTypeSpec, and what type_info says of names.
#include <string.h>

#include "inner.h"

const char *p4i_decl_name(const struct p4_decl *d) {
  if (d->local_name) return d->local_name;
  const char *text = p4_annotation_text(p4_annotation(d->annotations, "name"));
  return !text || !*text ? d->name : *text == '.' ? text + 1 : text;
}

static struct proto *type_info(struct p4i *p) {
  return proto_add(p->info, PROTO(P4Info, type_info));
}

// ---- @p4runtime_translation("uri", bit<32>), (.., 32) or (.., string) ---------------------------

struct translation {
  const char *uri;
  bool is_text;
  uint64_t width;
};

static bool read_width(const struct p4_token *t, uint64_t *width) {
  const struct p4_annotation one = {.kind = P4_ANNOTATION_TOKENS, .num_tokens = 1, .tokens = t};
  return p4_annotation_numbers(&one, width, 1) == 1 && *width <= INT32_MAX;
}

static bool read_translation(const struct p4_annotation *a, struct translation *t) {
  *t = (struct translation){0};
  const struct p4_token *token = a->tokens;
  if (a->kind != P4_ANNOTATION_TOKENS || a->num_tokens < 3 || token[0].kind != P4_TOKEN_STRING ||
      strcmp(token[1].text, ",") != 0)
    return false;
  t->uri = token[0].text;
  t->is_text = strcmp(token[2].text, "string") == 0;
  if (a->num_tokens == 3) return t->is_text || read_width(&token[2], &t->width);
  return a->num_tokens == 6 && strcmp(token[2].text, "bit") == 0 &&
         read_width(&token[4], &t->width);
}

static const struct p4_annotation *translated(const struct p4_type *type) {
  return type->kind == P4_TYPE_NEW ? p4_annotation(type->decl->annotations, "p4runtime_translation")
                                   : NULL;
}

// ---- widths and values -------------------------------------------------------------------------

static unsigned plain_width(const struct p4_type *type) {
  const struct p4_type *t = p4_type_base(type);
  if (t->kind == P4_TYPE_ENUM && t->element) t = p4_type_base(t->element);
  if (t->kind == P4_TYPE_BOOL) return 1;
  return t->kind == P4_TYPE_BITS || t->kind == P4_TYPE_VARBIT ? t->width : 0;
}

unsigned p4i_width(const struct p4_type *type) {
  const struct p4_annotation *a = translated(type);
  struct translation t;
  return a && read_translation(a, &t) ? (unsigned)t.width : plain_width(type);
}

void p4i_value(struct proto *m, enum proto_field_id field, const struct p4_value *value,
               unsigned width, struct arena *arena) {
  const size_t len = width ? (width + 7) / 8 : 1;
  uint8_t *bytes = arena_alloc(arena, len);
  if (value->kind == P4_VALUE_BOOL) bytes[len - 1] = value->truth;
  else if (value->kind == P4_VALUE_NUMBER) p4_wide_to_bytes(value->number, bytes, len);
  if (width % 8) bytes[0] &= (uint8_t)((1u << width % 8) - 1);
  proto_bytes(m, field, bytes, len);
}

// ---- what type_info says of a name -------------------------------------------------------------

static void describe(struct p4i *p, const struct p4_type *type);

static void describe_struct(struct p4i *p, struct proto *m, const struct p4_type *type) {
  for (unsigned i = 0; i < type->num_fields; i++) {
    struct proto *member = proto_add(m, PROTO(P4StructTypeSpec, members));
    proto_text(member, PROTO(P4StructTypeSpec_Member, name), p4i_decl_name(type->fields[i].decl));
    p4i_type_spec(p, proto_add(member, PROTO(P4StructTypeSpec_Member, type_spec)),
                  type->fields[i].type);
  }
}

static void bitstring(struct proto *m, const struct p4_type *type) {
  const struct p4_type *t = p4_type_base(type);
  if (t->kind == P4_TYPE_VARBIT) {
    struct proto *bits = proto_add(m, PROTO(P4BitstringLikeTypeSpec, varbit));
    proto_number(bits, PROTO(P4VarbitTypeSpec, max_bitwidth), t->width);
  } else if (t->kind == P4_TYPE_BITS && t->is_signed) {
    struct proto *bits = proto_add(m, PROTO(P4BitstringLikeTypeSpec, int));
    proto_number(bits, PROTO(P4IntTypeSpec, bitwidth), t->width);
  } else {
    struct proto *bits = proto_add(m, PROTO(P4BitstringLikeTypeSpec, bit));
    proto_number(bits, PROTO(P4BitTypeSpec, bitwidth), plain_width(t));
  }
}

// Fields of structs within a header stand in it as "struct.field".
static void describe_header(struct p4i *p, struct proto *m, const struct p4_type *type,
                            const char *prefix) {
  for (unsigned i = 0; i < type->num_fields; i++) {
    const struct p4_field *f = &type->fields[i];
    const char *name =
        arena_format(p->arena, "%s%s", prefix, *prefix ? f->name : p4i_decl_name(f->decl));
    if (f->type->kind == P4_TYPE_STRUCT) {
      describe_header(p, m, f->type, arena_format(p->arena, "%s.", name));
      continue;
    }
    struct proto *member = proto_add(m, PROTO(P4HeaderTypeSpec, members));
    proto_text(member, PROTO(P4HeaderTypeSpec_Member, name), name);
    bitstring(proto_add(member, PROTO(P4HeaderTypeSpec_Member, type_spec)), f->type);
  }
}

static void describe_union(struct p4i *p, struct proto *m, const struct p4_type *type) {
  for (unsigned i = 0; i < type->num_fields; i++) {
    struct proto *member = proto_add(m, PROTO(P4HeaderUnionTypeSpec, members));
    proto_text(member, PROTO(P4HeaderUnionTypeSpec_Member, name),
               p4i_decl_name(type->fields[i].decl));
    struct proto *header = proto_add(member, PROTO(P4HeaderUnionTypeSpec_Member, header));
    proto_text(header, PROTO(P4NamedType, name), p4i_decl_name(type->fields[i].type->decl));
    describe(p, type->fields[i].type);
  }
}

static void describe_enum(struct proto *m, const struct p4_type *type) {
  for (const struct p4_decl *d = type->decl->members; d; d = d->next)
    proto_text(proto_add(m, PROTO(P4EnumTypeSpec, members)), PROTO(P4EnumTypeSpec_Member, name),
               p4i_decl_name(d));
}

static void describe_serializable(struct p4i *p, struct proto *m, const struct p4_type *type) {
  const unsigned width = plain_width(type);
  struct proto *under = proto_add(m, PROTO(P4SerializableEnumTypeSpec, underlying_type));
  proto_number(under, PROTO(P4BitTypeSpec, bitwidth), width);
  for (const struct p4_decl *d = type->decl->members; d; d = d->next) {
    struct proto *member = proto_add(m, PROTO(P4SerializableEnumTypeSpec, members));
    proto_text(member, PROTO(P4SerializableEnumTypeSpec_Member, name), p4i_decl_name(d));
    if (d->value)
      p4i_value(member, PROTO(P4SerializableEnumTypeSpec_Member, value), d->value, width, p->arena);
  }
}

static void describe_new(struct p4i *p, struct proto *m, const struct p4_type *type) {
  static const struct p4i_notes notes = P4I_NOTES_ONLY(P4NewTypeSpec);
  const struct p4_annotation *a = translated(type);
  p4i_annotate(p, m, &notes, type->decl->annotations, "p4runtime_translation\0");
  if (!a) {
    p4i_type_spec(p, proto_add(m, PROTO(P4NewTypeSpec, original_type)), p4_type_base(type));
    return;
  }
  struct translation t;
  struct proto *to = proto_add(m, PROTO(P4NewTypeSpec, translated_type));
  if (!read_translation(a, &t)) {
    p4i_error(p, a->place, "annotation",
              "@p4runtime_translation takes a text and bit<W> or string: (\"uri\", bit<32>)");
    return;
  }
  if (p4_type_base(type)->kind != P4_TYPE_BITS)
    p4i_error(p, a->place, "annotation", "only a type of bit<W> can be translated");
  proto_text(to, PROTO(P4NewTypeTranslation, uri), t.uri);
  if (t.is_text) proto_add(to, PROTO(P4NewTypeTranslation, sdn_string));
  else proto_number(to, PROTO(P4NewTypeTranslation, sdn_bitwidth), t.width);
}

static void describe_error(struct p4i *p) {
  struct proto *info = type_info(p);
  for (const struct proto_value *v = info->values; v; v = v->next)
    if (v->field == PROTO(P4TypeInfo, error)) return;
  struct proto *m = proto_add(info, PROTO(P4TypeInfo, error));
  for (unsigned i = 0; i < p->program->num_errors; i++)
    proto_text(m, PROTO(P4ErrorTypeSpec, members), p->program->errors[i]->name);
}

// Where type_info has types of this kind.
static enum proto_field_id map_of(const struct p4_type *type) {
  switch (type->kind) {
    case P4_TYPE_STRUCT: return PROTO(P4TypeInfo, structs);
    case P4_TYPE_HEADER: return PROTO(P4TypeInfo, headers);
    case P4_TYPE_UNION: return PROTO(P4TypeInfo, header_unions);
    case P4_TYPE_ENUM:
      return type->element ? PROTO(P4TypeInfo, serializable_enums) : PROTO(P4TypeInfo, enums);
    default: return PROTO(P4TypeInfo, new_types);
  }
}

static void describe(struct p4i *p, const struct p4_type *type) {
  if (type->kind == P4_TYPE_ERROR) {
    describe_error(p);
    return;
  }
  if (type->kind != P4_TYPE_NEW && type->kind != P4_TYPE_ENUM && !type->num_fields &&
      type->kind != P4_TYPE_STRUCT && type->kind != P4_TYPE_HEADER)
    return;
  bool fresh;
  struct proto *m = proto_entry(type_info(p), map_of(type), p4i_decl_name(type->decl), &fresh);
  if (!fresh) return;
  switch (type->kind) {
    case P4_TYPE_STRUCT: describe_struct(p, m, type); break;
    case P4_TYPE_HEADER: describe_header(p, m, type, ""); break;
    case P4_TYPE_UNION: describe_union(p, m, type); break;
    case P4_TYPE_ENUM:
      if (type->element) describe_serializable(p, m, type);
      else describe_enum(m, type);
      break;
    default: describe_new(p, m, type);
  }
}

// ---- P4DataTypeSpec ----------------------------------------------------------------------------

static void named(struct proto *spec, enum proto_field_id field, const struct p4_type *type) {
  proto_text(proto_add(spec, field), PROTO(P4NamedType, name), p4i_decl_name(type->decl));
}

static void stack_spec(struct proto *spec, const struct p4_type *type) {
  if (type->element->kind == P4_TYPE_UNION) {
    struct proto *m = proto_add(spec, PROTO(P4DataTypeSpec, header_union_stack));
    named(m, PROTO(P4HeaderUnionStackTypeSpec, header_union), type->element);
    proto_number(m, PROTO(P4HeaderUnionStackTypeSpec, size), type->size);
  } else {
    struct proto *m = proto_add(spec, PROTO(P4DataTypeSpec, header_stack));
    named(m, PROTO(P4HeaderStackTypeSpec, header), type->element);
    proto_number(m, PROTO(P4HeaderStackTypeSpec, size), type->size);
  }
}

void p4i_type_spec(struct p4i *p, struct proto *spec, const struct p4_type *type) {
  describe(p, type->kind == P4_TYPE_STACK ? type->element : type);
  switch (type->kind) {
    case P4_TYPE_BITS:
    case P4_TYPE_VARBIT: bitstring(proto_add(spec, PROTO(P4DataTypeSpec, bitstring)), type); break;
    case P4_TYPE_BOOL: proto_add(spec, PROTO(P4DataTypeSpec, bool)); break;
    case P4_TYPE_ERROR: proto_add(spec, PROTO(P4DataTypeSpec, error)); break;
    case P4_TYPE_STRUCT: named(spec, PROTO(P4DataTypeSpec, struct), type); break;
    case P4_TYPE_HEADER: named(spec, PROTO(P4DataTypeSpec, header), type); break;
    case P4_TYPE_UNION: named(spec, PROTO(P4DataTypeSpec, header_union), type); break;
    case P4_TYPE_NEW: named(spec, PROTO(P4DataTypeSpec, new_type), type); break;
    case P4_TYPE_ENUM:
      named(spec,
            type->element ? PROTO(P4DataTypeSpec, serializable_enum) : PROTO(P4DataTypeSpec, enum),
            type);
      break;
    case P4_TYPE_STACK: stack_spec(spec, type); break;
    case P4_TYPE_TUPLE: {
      struct proto *m = proto_add(spec, PROTO(P4DataTypeSpec, tuple));
      for (unsigned i = 0; i < type->num_args; i++)
        p4i_type_spec(p, proto_add(m, PROTO(P4TupleTypeSpec, members)), type->args[i]);
      break;
    }
    default: break;
  }
}

void p4i_type_name(struct p4i *p, struct proto *m, enum proto_field_id field,
                   const struct p4_type *type) {
  type_info(p);
  describe(p, type);
  if (type->kind == P4_TYPE_NEW) named(m, field, type);
  if (type->kind == P4_TYPE_ENUM && !type->element) named(m, field, type);
}
