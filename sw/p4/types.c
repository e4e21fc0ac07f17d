// SPDX-License-Identifier: Apache-2.0
// Each type once: a hash table over what makes a type.
#include <stdio.h>
#include <string.h>

#include "check.h"

// No type has more bits, so that sums stay below 2^64.
static const uint64_t MOST_BITS = UINT64_C(1) << 40;

static size_t hash_of(const struct p4_type *t) {
  uintptr_t hash = (uintptr_t)t->kind * 31 + t->width * 7u + t->is_signed + t->size * 131u;
  hash = hash * 31 + (uintptr_t)t->decl / 16;
  hash = hash * 31 + (uintptr_t)t->element / 16;
  for (unsigned i = 0; i < t->num_args; i++) hash = hash * 31 + (uintptr_t)t->args[i] / 16;
  return hash % P4_TYPE_BUCKETS;
}

static bool equal(const struct p4_type *a, const struct p4_type *b) {
  if (a->kind != b->kind || a->width != b->width || a->is_signed != b->is_signed ||
      a->size != b->size || a->decl != b->decl || a->element != b->element ||
      a->num_args != b->num_args)
    return false;
  for (unsigned i = 0; i < a->num_args; i++)
    if (a->args[i] != b->args[i]) return false;
  return true;
}

// ---- what is true of all parts ----

static uint64_t cut(uint64_t bits) { return bits < MOST_BITS ? bits : MOST_BITS; }

// Takes a part of a type into account.
static void add_part(struct p4_type *t, const struct p4_type *part, uint64_t times) {
  const bool either = t->kind == P4_TYPE_UNION;
  const uint64_t most = cut(part->most_bits * times), least = cut(part->least_bits * times);
  t->sized = t->sized && part->sized;
  t->most_bits = either ? (most > t->most_bits ? most : t->most_bits) : cut(t->most_bits + most);
  t->least_bits = either ? (least > t->least_bits ? least : t->least_bits)
                         : cut(t->least_bits + least);
  t->holds_header = t->holds_header || part->holds_header;
  t->in_header = t->in_header && part->in_header;
  t->emits = t->emits && part->emits;
  t->generic = t->generic || part->generic;
  t->loose = t->loose || part->loose;
  t->varbits += t->varbits < 2 ? part->varbits : 0;
}

static bool has_parts(const struct p4_type *t) {
  return p4_has_fields(t) || t->kind == P4_TYPE_TUPLE || t->kind == P4_TYPE_STACK ||
         t->kind == P4_TYPE_NEW || (t->kind == P4_TYPE_ENUM && t->element);
}

static void begin_summary(struct p4_type *t, bool header) {
  const enum p4_type_kind kind = t->kind;
  const bool number = kind == P4_TYPE_BOOL || kind == P4_TYPE_BITS || kind == P4_TYPE_VARBIT;
  t->sized = has_parts(t) || number;
  t->most_bits = kind == P4_TYPE_BOOL ? 1 : t->width;
  t->least_bits = kind == P4_TYPE_VARBIT ? 0 : t->most_bits;
  t->varbits = kind == P4_TYPE_VARBIT;
  t->holds_header = header;
  t->generic = kind == P4_TYPE_VARIABLE;
  t->loose = kind == P4_TYPE_ANY;
  t->emits = kind == P4_TYPE_STRUCT || kind == P4_TYPE_TUPLE || kind == P4_TYPE_VARIABLE;
  t->in_header = number || kind == P4_TYPE_POISON || kind == P4_TYPE_VARIABLE ||
                 kind == P4_TYPE_STRUCT || kind == P4_TYPE_NEW ||
                 (kind == P4_TYPE_ENUM && t->element);
}

static void summarize(struct p4_type *t) {
  const bool header = t->kind == P4_TYPE_HEADER || t->kind == P4_TYPE_UNION ||
                      t->kind == P4_TYPE_STACK;
  begin_summary(t, header);
  for (unsigned i = 0; i < t->num_fields; i++) add_part(t, t->fields[i].type, 1);
  if (t->element && has_parts(t)) add_part(t, t->element, t->kind == P4_TYPE_STACK ? t->size : 1);
  for (unsigned i = 0; i < t->num_args && t->kind == P4_TYPE_TUPLE; i++) add_part(t, t->args[i], 1);
  for (unsigned i = 0; i <= t->num_args; i++) {
    const struct p4_type *part = i < t->num_args ? t->args[i] : t->element;
    t->generic = t->generic || (part && part->generic);
    t->loose = t->loose || (part && part->loose);
  }
  if (header) t->emits = true;  // whatever its fields are
  if (header) t->in_header = false;
}

static void keep(struct p4_checker *k, struct p4_type *t) {
  if (k->num_types == k->room_types) {
    const unsigned room = k->room_types ? k->room_types * 2 : 128;
    struct p4_type **all = NEW_ARRAY(k->arena, struct p4_type *, room);
    if (k->num_types) memcpy(all, k->all_types, k->num_types * sizeof *all);
    k->all_types = all;
    k->room_types = room;
  }
  t->number = k->num_types;
  k->all_types[k->num_types++] = t;
}

// The one that is equal to `wanted`; `is_new` if it was made now.
static struct p4_type *intern(struct p4_checker *k, const struct p4_type *wanted, bool *is_new) {
  struct p4_type **bucket = &k->types[hash_of(wanted)];
  *is_new = false;
  for (struct p4_type *t = *bucket; t; t = t->next)
    if (equal(t, wanted)) return t;
  struct p4_type *t = NEW(k->arena, struct p4_type);
  *t = *wanted;
  if (t->num_args) {
    const struct p4_type **args = NEW_ARRAY(k->arena, const struct p4_type *, t->num_args);
    memcpy(args, wanted->args, t->num_args * sizeof *args);
    t->args = args;
  }
  t->next = *bucket;
  *bucket = t;
  summarize(t);
  keep(k, t);
  *is_new = true;
  return t;
}

static const struct p4_type *simple(struct p4_checker *k, struct p4_type wanted) {
  bool is_new;
  return intern(k, &wanted, &is_new);
}

void p4_types_begin(struct p4_checker *k) {
  k->poison = simple(k, (struct p4_type){.kind = P4_TYPE_POISON});
  k->none = simple(k, (struct p4_type){.kind = P4_TYPE_VOID});
  k->boolean = simple(k, (struct p4_type){.kind = P4_TYPE_BOOL});
  k->integer = simple(k, (struct p4_type){.kind = P4_TYPE_INT});
  k->string = simple(k, (struct p4_type){.kind = P4_TYPE_STRING});
  k->error = simple(k, (struct p4_type){.kind = P4_TYPE_ERROR});
  k->match_kind = simple(k, (struct p4_type){.kind = P4_TYPE_MATCH_KIND});
  k->any = simple(k, (struct p4_type){.kind = P4_TYPE_ANY});
  k->state = simple(k, (struct p4_type){.kind = P4_TYPE_STATE});
  k->bit1 = p4_type_bits_of(k, 1, false);
  k->bit32 = p4_type_bits_of(k, 32, false);
}

const struct p4_type *p4_type_bits_of(struct p4_checker *k, unsigned width, bool is_signed) {
  return simple(k, (struct p4_type){.kind = P4_TYPE_BITS, .width = width, .is_signed = is_signed});
}

const struct p4_type *p4_type_varbit(struct p4_checker *k, unsigned width) {
  return simple(k, (struct p4_type){.kind = P4_TYPE_VARBIT, .width = width});
}

const struct p4_type *p4_type_stack(struct p4_checker *k, const struct p4_type *element,
                                    unsigned size) {
  return simple(k, (struct p4_type){.kind = P4_TYPE_STACK, .element = element, .size = size});
}

const struct p4_type *p4_type_over(struct p4_checker *k, enum p4_type_kind kind,
                                   const struct p4_type *element) {
  return simple(k, (struct p4_type){.kind = kind, .element = element});
}

const struct p4_type *p4_type_tuple(struct p4_checker *k, const struct p4_type *const *members,
                                    unsigned num) {
  return simple(k, (struct p4_type){.kind = P4_TYPE_TUPLE, .args = members, .num_args = num});
}

unsigned p4_count(const struct p4_decl *list) {
  unsigned num = 0;
  for (; list; list = list->next) num++;
  return num;
}

// Of a struct, header or union, with type arguments put in.
static void set_fields(struct p4_checker *k, struct p4_type *t) {
  const struct p4_decl *d = t->decl;
  t->num_fields = p4_count(d->members);
  struct p4_field *fields = NEW_ARRAY(k->arena, struct p4_field, t->num_fields + 1);
  unsigned i = 0;
  for (const struct p4_decl *m = d->members; m; m = m->next, i++) {
    const struct p4_type *type = m->type ? m->type : k->poison;
    fields[i] = (struct p4_field){m->name, p4_substitute(k, type, d->type_params, t->args), m};
  }
  t->fields = fields;
  summarize(t);
}

const struct p4_type *p4_type_of_decl(struct p4_checker *k, enum p4_type_kind kind,
                                      const struct p4_decl *d, const struct p4_type *const *args) {
  struct p4_type wanted = {.kind = kind, .decl = d, .args = args};
  if (args) wanted.num_args = p4_count(d->type_params);
  if (kind == P4_TYPE_ENUM || kind == P4_TYPE_NEW)
    wanted.element = d->written ? d->written->type : NULL;
  bool is_new;
  struct p4_type *t = intern(k, &wanted, &is_new);
  if (is_new && p4_has_fields(t)) set_fields(k, t);
  return t;
}

static const struct p4_type *substitute_args(struct p4_checker *k, const struct p4_type *type,
                                             const struct p4_decl *params,
                                             const struct p4_type *const *args) {
  const struct p4_type **list = NEW_ARRAY(k->arena, const struct p4_type *, type->num_args);
  bool same = true;
  for (unsigned i = 0; i < type->num_args; i++) {
    list[i] = p4_substitute(k, type->args[i], params, args);
    same = same && list[i] == type->args[i];
  }
  if (same) return type;
  if (type->kind == P4_TYPE_TUPLE) return p4_type_tuple(k, list, type->num_args);
  return p4_type_of_decl(k, type->kind, type->decl, list);
}

const struct p4_type *p4_substitute(struct p4_checker *k, const struct p4_type *type,
                                    const struct p4_decl *params,
                                    const struct p4_type *const *args) {
  if (!args || !params || !type->generic) return type;
  if (type->kind == P4_TYPE_VARIABLE) {
    unsigned i = 0;
    for (const struct p4_decl *p = params; p; p = p->next, i++)
      if (p == type->decl) return args[i] ? args[i] : type;
    return type;
  }
  if (type->num_args) return substitute_args(k, type, params, args);
  if (!type->element || type->kind == P4_TYPE_ENUM || type->kind == P4_TYPE_NEW) return type;
  const struct p4_type *element = p4_substitute(k, type->element, params, args);
  if (element == type->element) return type;
  if (type->kind == P4_TYPE_STACK) return p4_type_stack(k, element, type->size);
  return p4_type_over(k, type->kind, element);
}

// ---- questions ---------------------------------------------------------------------------------

bool p4_has_fields(const struct p4_type *t) {
  return t->kind == P4_TYPE_STRUCT || t->kind == P4_TYPE_HEADER || t->kind == P4_TYPE_UNION;
}

bool p4_is_number(const struct p4_type *t) {
  return t->kind == P4_TYPE_BITS || t->kind == P4_TYPE_INT;
}

const struct p4_field *p4_type_field(const struct p4_type *type, const char *name) {
  for (unsigned i = 0; i < type->num_fields; i++)
    if (strcmp(type->fields[i].name, name) == 0) return &type->fields[i];
  return NULL;
}

const struct p4_type *p4_type_base(const struct p4_type *type) {
  while (type->kind == P4_TYPE_NEW) type = type->element;
  return type;
}

bool p4_type_bits(const struct p4_type *type, bool most, uint64_t *bits) {
  *bits = most ? type->most_bits : type->least_bits;
  return type->sized;
}

// ---- text --------------------------------------------------------------------------------------

// Of a type with many parts in parts the beginning is enough.
enum { MOST_SHOWN = 8, MOST_LEVELS = 4 };
static const char *text_of(struct arena *a, const struct p4_type *type, unsigned level);

static const char *args_text(struct arena *a, const struct p4_type *type, unsigned level) {
  const char *text = "";
  for (unsigned i = 0; i < type->num_args; i++) {
    if (i == MOST_SHOWN) return arena_format(a, "%s, ..", text);
    text = arena_format(a, "%s%s%s", text, i ? ", " : "", text_of(a, type->args[i], level + 1));
  }
  return text;
}

static const char *over_text(struct arena *a, const char *word, const struct p4_type *type,
                             unsigned level) {
  return arena_format(a, "%s<%s>", word, text_of(a, type->element, level + 1));
}

static const char *bits_text(struct arena *a, const struct p4_type *type) {
  const char *word = type->kind == P4_TYPE_VARBIT ? "varbit" : type->is_signed ? "int" : "bit";
  return arena_format(a, "%s<%u>", word, type->width);
}

static const char *text_of(struct arena *a, const struct p4_type *type, unsigned level) {
  if (level > MOST_LEVELS) return "..";
  switch (type->kind) {
    case P4_TYPE_POISON: return "an unknown type";
    case P4_TYPE_VOID: return "void";
    case P4_TYPE_BOOL: return "bool";
    case P4_TYPE_INT: return "int";
    case P4_TYPE_BITS:
    case P4_TYPE_VARBIT: return bits_text(a, type);
    case P4_TYPE_STRING: return "string";
    case P4_TYPE_ERROR: return "error";
    case P4_TYPE_MATCH_KIND: return "match_kind";
    case P4_TYPE_STACK:
      return arena_format(a, "%s[%u]", text_of(a, type->element, level + 1), type->size);
    case P4_TYPE_TUPLE: return arena_format(a, "tuple<%s>", args_text(a, type, level));
    case P4_TYPE_LIST: return over_text(a, "list", type, level);
    case P4_TYPE_SET: return over_text(a, "set", type, level);
    case P4_TYPE_VALUE_SET: return over_text(a, "value_set", type, level);
    case P4_TYPE_TABLE: return "a table";
    case P4_TYPE_RESULT: return "the result of a table";
    case P4_TYPE_ACTION_RUN: return "the action of a table";
    case P4_TYPE_CALLABLE: return type->decl->kind == P4_DECL_ACTION ? "an action" : "a function";
    case P4_TYPE_STATE: return "a parser state";
    case P4_TYPE_ANY: return "a list without a type";
    default:
      if (!type->num_args || !type->decl->type_params) return type->decl->name;
      return arena_format(a, "%s<%s>", type->decl->name, args_text(a, type, level));
  }
}

const char *p4_type_text(struct arena *a, const struct p4_type *type) {
  return text_of(a, type, 0);
}

const char *p4_show(struct p4_checker *k, const struct p4_type *t) {
  return p4_type_text(k->arena, t);
}
