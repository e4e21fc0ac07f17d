// SPDX-License-Identifier: Apache-2.0
// Values: making, copying, comparing them, and their bits on the wire.
#include "value.h"

#include <stdio.h>
#include <string.h>

static size_t num_words(unsigned width) { return width <= 64 ? 1 : (width + 63) / 64; }
static bool is_wide(const struct p4v *v) { return v->width > 64; }

const struct p4_type *p4v_under(const struct p4_type *type) {
  for (;;) {
    if (type->kind == P4_TYPE_NEW) type = type->element;
    else if (type->kind == P4_TYPE_ENUM && type->element) type = type->element;
    else return type;
  }
}

static struct p4v with_items(struct arena *a, enum p4v_kind kind, const struct p4_type *type,
                             unsigned num) {
  struct p4v v = {.kind = kind, .type = type, .num = num};
  v.items = NEW_ARRAY(a, struct p4v, num ? num : 1);
  return v;
}

static struct p4v zero_bits(struct arena *a, enum p4v_kind kind, const struct p4_type *type) {
  struct p4v v = {.kind = kind, .width = type->width, .is_signed = type->is_signed};
  if (is_wide(&v)) v.words = NEW_ARRAY(a, uint64_t, num_words(v.width));
  return v;
}

struct p4v p4v_zero(struct arena *a, const struct p4_type *type) {
  const struct p4_type *t = p4v_under(type);
  struct p4v v = {.kind = P4V_NONE};
  switch (t->kind) {
    case P4_TYPE_BITS: v = zero_bits(a, P4V_BITS, t); break;
    case P4_TYPE_VARBIT: v = zero_bits(a, P4V_VARBIT, t); break;
    case P4_TYPE_INT: v = p4v_bits(64, 0); break;
    case P4_TYPE_BOOL: v.kind = P4V_BOOL; break;
    case P4_TYPE_STRING: v.kind = P4V_TEXT, v.text = ""; break;
    case P4_TYPE_ERROR:
    case P4_TYPE_MATCH_KIND:
    case P4_TYPE_ACTION_RUN:
    case P4_TYPE_ENUM: v.kind = P4V_NUMBER; break;
    case P4_TYPE_STRUCT:
    case P4_TYPE_HEADER:
    case P4_TYPE_UNION:
      v = with_items(a,
                     t->kind == P4_TYPE_STRUCT   ? P4V_STRUCT
                     : t->kind == P4_TYPE_HEADER ? P4V_HEADER
                                                 : P4V_UNION,
                     t, t->num_fields);
      for (unsigned i = 0; i < v.num; i++) v.items[i] = p4v_zero(a, t->fields[i].type);
      break;
    case P4_TYPE_STACK:
      v = with_items(a, P4V_STACK, t, t->size);
      for (unsigned i = 0; i < v.num; i++) v.items[i] = p4v_zero(a, t->element);
      break;
    case P4_TYPE_TUPLE:
      v = with_items(a, P4V_STRUCT, t, t->num_args);
      for (unsigned i = 0; i < v.num; i++) v.items[i] = p4v_zero(a, t->args[i]);
      break;
    case P4_TYPE_LIST: v = with_items(a, P4V_STRUCT, t, 0); break;
    case P4_TYPE_RESULT: v.kind = P4V_RESULT; break;
    default: v.kind = P4V_OBJECT, v.object = NULL; break;
  }
  v.type = type;
  return v;
}

static bool has_items(const struct p4v *v) {
  return v->kind == P4V_STRUCT || v->kind == P4V_HEADER || v->kind == P4V_UNION ||
         v->kind == P4V_STACK;
}

struct p4v p4v_copy(struct arena *a, struct p4v v) {
  if (has_items(&v)) {
    const struct p4v *from = v.items;
    v.items = NEW_ARRAY(a, struct p4v, v.num ? v.num : 1);
    for (unsigned i = 0; i < v.num; i++) v.items[i] = p4v_copy(a, from[i]);
  } else if ((v.kind == P4V_BITS || v.kind == P4V_VARBIT) && is_wide(&v)) {
    uint64_t *words = NEW_ARRAY(a, uint64_t, num_words(v.width));
    memcpy(words, v.words, num_words(v.width) * sizeof *words);
    v.words = words;
  }
  return v;
}

void p4v_assign(struct p4v *to, struct p4v from) {
  if (!has_items(to)) {
    const struct p4_type *type = to->type;
    *to = from;
    if (type) to->type = type;
    return;
  }
  to->truth = from.truth;
  to->next = from.next;
  for (unsigned i = 0; i < to->num && i < from.num; i++) p4v_assign(&to->items[i], from.items[i]);
}

bool p4v_has_items(struct p4v v) { return has_items(&v); }

void p4v_assign_words(struct p4v *to, struct p4v from) {
  const struct p4v before = *to;
  if (!has_items(to)) {
    p4v_assign(to, from);
    if (!(to->kind == P4V_BITS || to->kind == P4V_VARBIT) || !is_wide(to)) return;
    to->words = before.words;
    memcpy((uint64_t *)to->words, from.words, num_words(to->width) * sizeof *to->words);
    return;
  }
  to->truth = from.truth;
  to->next = from.next;
  for (unsigned i = 0; i < to->num && i < from.num; i++)
    p4v_assign_words(&to->items[i], from.items[i]);
}

static const uint64_t no_words[1025];  // zeros for any width that a type may have
static void clear(struct p4v *v) {
  if (has_items(v)) {
    v->truth = false;
    for (unsigned i = 0; i < v->num; i++) clear(&v->items[i]);
  } else if (v->kind == P4V_BITS || v->kind == P4V_VARBIT) {
    if (v->kind == P4V_VARBIT) v->num = 0;
    if (is_wide(v)) v->words = no_words;
    else v->word = 0;
  } else if (v->kind == P4V_NUMBER) {
    v->word = 0;
  } else {
    v->truth = false;
  }
}
void p4v_set_valid(struct p4v *header, bool valid) {
  if (!valid) clear(header);
  header->truth = valid;
}

struct p4v p4v_bits(unsigned width, uint64_t value) {
  if (width < 64) value &= ((uint64_t)1 << width) - 1;
  return (struct p4v){.kind = P4V_BITS, .width = width, .word = value};
}
struct p4v p4v_truth(bool truth) {
  return (struct p4v){.kind = P4V_BOOL, .truth = truth};
}

struct p4v p4v_from_bytes(struct arena *a, unsigned width, const uint8_t *bytes, size_t len) {
  uint64_t *words = NEW_ARRAY(a, uint64_t, num_words(width));
  for (size_t i = 0; i < len && i / 8 < num_words(width); i++)
    words[i / 8] |= (uint64_t)bytes[len - 1 - i] << (i % 8 * 8);
  if (width % 64) words[width / 64] &= ((uint64_t)1 << width % 64) - 1;
  if (width <= 64) return p4v_bits(width, width ? words[0] : 0);
  return (struct p4v){.kind = P4V_BITS, .width = width, .words = words};
}

uint64_t p4v_low(struct p4v v) {
  if (v.kind == P4V_BOOL) return v.truth;
  return is_wide(&v) ? v.words[0] : v.word;
}
bool p4v_is_small(struct p4v v) {
  for (size_t i = 1; is_wide(&v) && i < num_words(v.width); i++)
    if (v.words[i]) return false;
  return true;
}

static struct p4v number_constant(struct arena *a, const struct p4_type *type,
                                  const struct p4_wide *number) {
  const struct p4_type *t = p4v_under(type);
  if (t->kind == P4_TYPE_BOOL) return p4v_truth(!p4_wide_zero(number));
  unsigned width = t->width;
  bool is_signed = t->is_signed;
  if (t->kind != P4_TYPE_BITS) {
    width = (unsigned)p4_wide_bits(number) + 1;
    if (width < 64) width = 64;
    is_signed = true;
  }
  const size_t len = (width + 7) / 8;
  uint8_t *bytes = NEW_ARRAY(a, uint8_t, len ? len : 1);
  p4_wide_to_bytes(number, bytes, len);
  struct p4v v = p4v_from_bytes(a, width, bytes, len);
  v.is_signed = is_signed;
  return v;
}

struct p4v p4v_constant(struct arena *a, const struct p4_type *type, const struct p4_value *value) {
  struct p4v v = {.kind = P4V_NONE};
  switch (value->kind) {
    case P4_VALUE_NUMBER: v = number_constant(a, type, value->number); break;
    case P4_VALUE_BOOL: v = p4v_truth(value->truth); break;
    case P4_VALUE_STRING: v.kind = P4V_TEXT, v.text = value->text; break;
    case P4_VALUE_MEMBER: v.kind = P4V_NUMBER, v.word = value->member->number; break;
    case P4_VALUE_INVALID: v = p4v_zero(a, type); break;
    case P4_VALUE_LIST:
    case P4_VALUE_HEADER: {
      const struct p4_type *t = p4v_under(type);
      v = with_items(a, value->kind == P4_VALUE_HEADER ? P4V_HEADER : P4V_STRUCT, type,
                     value->num_items);
      if (t->kind == P4_TYPE_STACK) v.kind = P4V_STACK;
      v.truth = value->kind == P4_VALUE_HEADER;
      for (unsigned i = 0; i < v.num; i++)
        v.items[i] = p4v_constant(a,
                                  t->kind == P4_TYPE_TUPLE ? t->args[i]
                                  : t->kind == P4_TYPE_LIST || t->kind == P4_TYPE_STACK
                                      ? t->element
                                      : t->fields[i].type,
                                  value->items[i]);
      break;
    }
  }
  v.type = type;
  return v;
}

bool p4v_equal(struct p4v x, struct p4v y) {
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case P4V_BOOL: return x.truth == y.truth;
    case P4V_NUMBER: return x.word == y.word;
    case P4V_TEXT: return strcmp(x.text, y.text) == 0;
    case P4V_OBJECT: return x.object == y.object;
    case P4V_VARBIT:
      if (x.num != y.num) return false;
      // fall through
    case P4V_BITS:
      return is_wide(&x) ? memcmp(x.words, y.words, num_words(x.width) * sizeof *x.words) == 0
                         : x.word == y.word;
    case P4V_HEADER:
      if (x.truth != y.truth) return false;
      if (!x.truth) return true;
      break;
    default: break;
  }
  if (!has_items(&x)) return true;
  for (unsigned i = 0; i < x.num; i++)
    if (!p4v_equal(x.items[i], y.items[i])) return false;
  return true;
}

const char *p4v_text(struct arena *a, struct p4v v) {
  if (v.kind == P4V_BOOL) return v.truth ? "true" : "false";
  if (v.kind == P4V_TEXT) return v.text;
  if (v.kind == P4V_NUMBER) return arena_format(a, "%llu", (unsigned long long)v.word);
  if (v.kind == P4V_BITS || v.kind == P4V_VARBIT) {
    if (!is_wide(&v)) return arena_format(a, "0x%llx", (unsigned long long)v.word);
    size_t i = num_words(v.width) - 1;
    while (i && !v.words[i]) i--;
    const char *text = arena_format(a, "0x%llx", (unsigned long long)v.words[i]);
    while (i) text = arena_format(a, "%s%016llx", text, (unsigned long long)v.words[--i]);
    return text;
  }
  if (v.kind == P4V_HEADER && !v.truth) return "invalid";
  if (!has_items(&v)) return "?";
  const char *text = "{";
  for (unsigned i = 0; i < v.num; i++)
    text = arena_format(a, "%s%s%s", text, i ? ", " : "", p4v_text(a, v.items[i]));
  return arena_format(a, "%s}", text);
}

// ---- strings of bits ----------------------------------------------------------------------------

static void make_room(struct p4v_string *s, size_t bits) {
  const size_t need = (s->bits + bits + 7) / 8;
  if (need <= s->room) return;
  const size_t room = need * 2 + 64;
  uint8_t *bytes = NEW_ARRAY(s->arena, uint8_t, room);
  if (s->bits) memcpy(bytes, s->bytes, (s->bits + 7) / 8);
  s->bytes = bytes;
  s->room = room;
}

static void append_bit(struct p4v_string *s, bool bit) {
  const size_t at = s->bits++;
  if (bit) s->bytes[at / 8] |= (uint8_t)(0x80 >> at % 8);
}

void p4v_append_bytes(struct p4v_string *s, const uint8_t *bytes, size_t bits) {
  make_room(s, bits);
  if (s->bits % 8 == 0 && bits % 8 == 0) {
    if (bits) memcpy(s->bytes + s->bits / 8, bytes, bits / 8);
    s->bits += bits;
    return;
  }
  for (size_t i = 0; i < bits; i++) append_bit(s, bytes[i / 8] >> (7 - i % 8) & 1);
}

static void append_number(struct p4v_string *s, const uint64_t *words, unsigned width) {
  make_room(s, width);
  for (unsigned i = width; i-- > 0;) append_bit(s, words[i / 64] >> i % 64 & 1);
}

void p4v_append(struct p4v_string *s, struct p4v v) {
  const uint64_t truth = v.truth;
  switch (v.kind) {
    case P4V_BITS: append_number(s, is_wide(&v) ? v.words : &v.word, v.width); break;
    case P4V_VARBIT: append_number(s, is_wide(&v) ? v.words : &v.word, v.num); break;
    case P4V_BOOL: append_number(s, &truth, 1); break;
    case P4V_NUMBER: append_number(s, &v.word, 32); break;
    case P4V_HEADER:
      if (!v.truth) break;
      // fall through
    case P4V_STRUCT:
    case P4V_UNION:
    case P4V_STACK:
      for (unsigned i = 0; i < v.num; i++) p4v_append(s, v.items[i]);
      break;
    default: break;
  }
}

struct p4v p4v_read_bits(struct arena *a, const uint8_t *bytes, size_t at, unsigned bits) {
  uint64_t *words = NEW_ARRAY(a, uint64_t, num_words(bits));
  for (unsigned i = 0; i < bits; i++) {
    const size_t from = at + bits - 1 - i;
    words[i / 64] |= (uint64_t)(bytes[from / 8] >> (7 - from % 8) & 1) << i % 64;
  }
  if (bits <= 64) return p4v_bits(bits, words[0]);
  return (struct p4v){.kind = P4V_BITS, .width = bits, .words = words};
}

struct p4v p4v_read(struct arena *a, const struct p4_type *type, const uint8_t *bytes, size_t *at) {
  struct p4v v = p4v_zero(a, type);
  if (v.kind == P4V_BITS || v.kind == P4V_BOOL) {
    const unsigned width = v.kind == P4V_BOOL ? 1 : v.width;
    struct p4v bits = p4v_read_bits(a, bytes, *at, width);
    *at += width;
    if (v.kind == P4V_BOOL) return v.truth = bits.word != 0, v;
    bits.is_signed = v.is_signed;
    bits.type = type;
    return bits;
  }
  const struct p4_type *t = p4v_under(type);
  for (unsigned i = 0; has_items(&v) && i < v.num; i++)
    v.items[i] = p4v_read(a,
                          t->kind == P4_TYPE_TUPLE   ? t->args[i]
                          : t->kind == P4_TYPE_STACK ? t->element
                                                     : t->fields[i].type,
                          bytes, at);
  if (v.kind == P4V_HEADER) v.truth = true;
  return v;
}
