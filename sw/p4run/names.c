// SPDX-License-Identifier: Apache-2.0
// Names as the control plane says them, and numbers as it writes them.
#include "names.h"

#include <string.h>

const char *p4r_path(struct arena *a, const char *outer, const struct p4_decl *decl) {
  const char *local = decl->local_name ? decl->local_name : decl->name;
  // @name(".x") is the whole name
  const bool absolute = decl->owner && decl->control_name == decl->local_name && decl->control_name;
  return outer && !absolute ? arena_format(a, "%s.%s", outer, local) : local;
}

static const char *p4r_action_name(struct arena *a, const struct p4r_object *table,
                                   const struct p4_decl *action) {
  const bool local = action->owner && table->owner;
  return p4r_path(a, local ? table->owner->name : NULL, action);
}

bool p4r_name_ends(const char *name, const char *end, bool at_dot) {
  const size_t len = strlen(name), end_len = strlen(end);
  if (end_len > len || strcmp(name + len - end_len, end) != 0) return false;
  return !at_dot || end_len == len || name[len - end_len - 1] == '.';
}

bool p4r_say(struct p4r_switch *sw, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sw->why, sw->why_size, format, arguments);
  va_end(arguments);
  return false;
}

static bool is_kind(const struct p4r_object *o, enum p4r_kind kind, const char *of) {
  if (o->kind != kind) return false;
  for (; *of; of += strlen(of) + 1)
    if (strcmp(o->decl->name, of) == 0) return true;
  return kind != P4R_EXTERN;
}

struct p4r_object *p4r_find(struct p4r_switch *sw, enum p4r_kind kind, const char *of,
                            const char *name) {
  // the whole name, a part behind a dot, any end of it
  for (unsigned how = 0; how < 3; how++) {
    struct p4r_object *found = NULL;
    unsigned num = 0;
    for (struct p4r_object *o = sw->objects; o; o = o->next)
      if (is_kind(o, kind, of) &&
          (how == 0 ? strcmp(o->name, name) == 0 : p4r_name_ends(o->name, name, how == 1)))
        found = o, num++;
    if (num == 1 || (num && how == 0)) return found;
    if (num) return p4r_say(sw, "'%s' is the end of %u names", name, num), NULL;
  }
  p4r_say(sw, "the program has no %s named '%s'", kind == P4R_TABLE ? "table" : "such thing", name);
  return NULL;
}

const struct p4_action_ref *p4r_find_action(struct p4r_switch *sw, const struct p4r_object *table,
                                            const char *name) {
  for (unsigned how = 0; how < 3; how++) {
    const struct p4_action_ref *found = NULL;
    unsigned num = 0;
    for (const struct p4_action_ref *r = table->decl->table->actions; r; r = r->next) {
      const char *full = p4r_action_name(&sw->own, table, r->action);
      if (how == 0 ? strcmp(full, name) == 0 : p4r_name_ends(full, name, how == 1))
        found = r, num++;
    }
    if (num == 1) return found;
    if (num) return p4r_say(sw, "'%s' is the end of %u actions' names", name, num), NULL;
  }
  p4r_say(sw, "table %s has no action '%s'", table->name, name);
  return NULL;
}

// ---- numbers ------------------------------------------------------------------------------------

static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return 99;
}

bool p4r_number_read(struct p4r_number *n, const char *text, size_t len) {
  *n = (struct p4r_number){.len = sizeof n->bytes};
  if (len && *text == '-') n->negative = true, text++, len--;
  unsigned base = 10;
  if (len > 2 && text[0] == '0') {
    const char c = text[1];
    base = c == 'x' || c == 'X' ? 16 : c == 'b' || c == 'B' ? 2 : c == 'o' || c == 'O' ? 8 : 10;
    if (base != 10) text += 2, len -= 2;
  }
  if (len == 0) return false;
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '_') continue;
    unsigned carry = digit_of(text[i]);
    if (carry >= base) return false;
    for (size_t k = sizeof n->bytes; k-- > 0;) {
      carry += n->bytes[k] * base;
      n->bytes[k] = (uint8_t)carry;
      carry >>= 8;
    }
    if (carry) return false;
  }
  return true;
}

bool p4r_number_fits(const struct p4r_number *n, unsigned width) {
  for (size_t i = 0; i < n->len; i++) {
    const size_t low = (n->len - 1 - i) * 8;
    if (low >= width ? n->bytes[i] != 0 : low + 8 > width && n->bytes[i] >> (width - low))
      return false;
  }
  return true;
}

struct p4v p4r_number_value(struct arena *a, const struct p4r_number *n,
                            const struct p4_type *type) {
  const struct p4_type *t = p4v_under(type);
  const unsigned width = t->kind == P4_TYPE_BITS ? t->width : t->kind == P4_TYPE_BOOL ? 1 : 32;
  struct p4v v = p4v_from_bytes(a, width, n->bytes, n->len);
  if (n->negative) v = p4v_unary(a, P4_OP_NEGATE, v);
  if (t->kind == P4_TYPE_BITS) v.is_signed = t->is_signed;
  else if (t->kind == P4_TYPE_BOOL) v = p4v_truth(p4v_low(v) != 0);
  else v = (struct p4v){.kind = P4V_NUMBER, .word = p4v_low(v)};
  v.type = type;
  return v;
}
