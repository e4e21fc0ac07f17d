// SPDX-License-Identifier: Apache-2.0
// Constants: literals, and operators whose operands are known.
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MOST_STEPS = 10000 };

const struct p4_value *p4_value_number(struct p4_checker *k, const struct p4_wide *number) {
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_NUMBER;
  v->number = number;
  return v;
}

const struct p4_value *p4_value_bool(struct p4_checker *k, bool truth) {
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_BOOL;
  v->truth = truth;
  return v;
}

// -1: it takes more steps than it is worth.
static int equal(const struct p4_value *a, const struct p4_value *b, unsigned *steps) {
  if (a == b) return 1;
  if (a->kind != b->kind || a->num_items != b->num_items) return 0;
  if (++*steps > MOST_STEPS) return -1;
  for (unsigned i = 0; i < a->num_items; i++) {
    const int same = equal(a->items[i], b->items[i], steps);
    if (same <= 0) return same;
  }
  switch (a->kind) {
    case P4_VALUE_NUMBER: return p4_wide_compare(a->number, b->number) == 0;
    case P4_VALUE_BOOL: return a->truth == b->truth;
    case P4_VALUE_STRING: return strcmp(a->text, b->text) == 0;
    case P4_VALUE_MEMBER: return a->member == b->member;
    default: return 1;
  }
}

bool p4_value_equal(const struct p4_value *a, const struct p4_value *b) {
  unsigned steps = 0;
  return equal(a, b, &steps) > 0;
}

// The value within the range of a type; warns if it loses bits.
static const struct p4_value *p4_fit(struct p4_checker *k, struct p4_place place,
                                     const struct p4_value *value, const struct p4_type *type) {
  if (value->kind != P4_VALUE_NUMBER || type->kind != P4_TYPE_BITS) return value;
  const struct p4_wide *low = p4_wide_wrap(k->arena, value->number, type->width, type->is_signed);
  if (low == value->number) return value;
  p4_warning(k->c, place, "overflow", "%s does not fit %s; it becomes %s",
             p4_wide_text(k->arena, value->number, 10), p4_show(k, type),
             p4_wide_text(k->arena, low, 10));
  return p4_value_number(k, low);
}

// ---- literals ----------------------------------------------------------------------------------

// Of "0xff", "0b1", "0o7", "0d9", "9". NULL: it is no number.
static const struct p4_wide *digits(struct p4_checker *k, const char *text) {
  unsigned base = 10;
  const char letter = text[0] == '0' ? text[1] : 0;
  if (letter == 'x' || letter == 'X') base = 16;
  else if (letter == 'o' || letter == 'O') base = 8;
  else if (letter == 'b' || letter == 'B') base = 2;
  if (base != 10 || letter == 'd' || letter == 'D') text += 2;
  return p4_wide_read(k->arena, text, strlen(text), base);
}

static void number_literal(struct p4_checker *k, struct p4_expr *e) {
  const char *text = e->name, *mark = text;
  while (*mark >= '0' && *mark <= '9') mark++;
  const bool sized = *mark == 'w' || *mark == 's';
  const struct p4_wide *number = digits(k, sized ? mark + 1 : text);
  unsigned long width = sized ? strtoul(text, NULL, 10) : 0;
  if (!number || width > P4_WIDE_MOST_BITS) {
    p4_error(k->c, e->place, "bad-number",
             strlen(text) > 100 ? "'%.40s...' is no number" : "'%s' is no number", text);
    p4_poison(k, e);
    return;
  }
  if (sized && *mark == 's' && width < 1) {
    p4_error(k->c, e->place, "bad-number", "a number with a sign has at least 1 bit");
    p4_poison(k, e);
    return;
  }
  e->type = sized ? p4_type_bits_of(k, (unsigned)width, *mark == 's') : k->integer;
  e->value = p4_fit(k, e->place, p4_value_number(k, number), e->type);
}

void p4_literal(struct p4_checker *k, struct p4_expr *e) {
  if (e->kind == P4_EXPR_NUMBER) {
    number_literal(k, e);
    return;
  }
  if (e->kind == P4_EXPR_BOOL) {
    e->type = k->boolean;
    e->value = p4_value_bool(k, strcmp(e->name, "true") == 0);
    return;
  }
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_STRING;
  v->text = e->name;
  e->type = k->string;
  e->value = v;
}

// ---- operators ---------------------------------------------------------------------------------

static const struct p4_wide *saturate(struct p4_checker *k, const struct p4_wide *x,
                                      const struct p4_type *type) {
  const unsigned bits = type->width - (type->is_signed && type->width);
  const struct p4_wide *power = p4_wide_power(k->arena, bits), *zero = p4_wide_from(k->arena, 0);
  const struct p4_wide *most = p4_wide_sub(k->arena, power, p4_wide_from(k->arena, 1));
  const struct p4_wide *least = type->is_signed ? p4_wide_neg(k->arena, power) : zero;
  if (p4_wide_compare(x, most) > 0) return most;
  return p4_wide_compare(x, least) < 0 ? least : x;
}

// NULL after a message.
static const struct p4_wide *divide(struct p4_checker *k, const struct p4_expr *e,
                                    const struct p4_wide *x, const struct p4_wide *y) {
  if (p4_wide_zero(y)) {
    p4_error(k->c, e->b->place, "division", "division by 0");
    return NULL;
  }
  if (x->negative || y->negative) {
    p4_error(k->c, e->place, "division", "division is of numbers that are not negative");
    return NULL;
  }
  const struct p4_wide *rest, *quotient = p4_wide_div(k->arena, x, y, &rest);
  return e->op == P4_OP_DIV ? quotient : rest;
}

static const struct p4_wide *shift(struct p4_checker *k, const struct p4_expr *e,
                                   const struct p4_wide *x, const struct p4_wide *y) {
  uint64_t by;
  const struct p4_type *type = e->a->type;
  const bool left = e->op == P4_OP_SHL;
  if (y->negative) {
    p4_error(k->c, e->b->place, "shift", "a shift by a number below 0");
    return NULL;
  }
  const unsigned most = type->kind == P4_TYPE_BITS ? type->width : P4_WIDE_MOST_BITS;
  if (!p4_wide_small(y, most, &by)) by = most;
  if (!left) return p4_wide_shr(k->arena, x, (unsigned)by);
  if (p4_wide_bits(x) + by > 2 * P4_WIDE_MOST_BITS) {
    p4_error(k->c, e->place, "too-large", "a constant has more than %d bits", P4_WIDE_MOST_BITS);
    return NULL;
  }
  return p4_wide_shl(k->arena, x, (unsigned)by);
}

// NULL: it has no value, or after a message.
static const struct p4_wide *arithmetic(struct p4_checker *k, const struct p4_expr *e,
                                        const struct p4_wide *x, const struct p4_wide *y) {
  struct arena *a = k->arena;
  switch (e->op) {
    case P4_OP_ADD: return p4_wide_add(a, x, y);
    case P4_OP_SUB: return p4_wide_sub(a, x, y);
    case P4_OP_MUL: return p4_wide_mul(a, x, y);
    case P4_OP_DIV:
    case P4_OP_MOD: return divide(k, e, x, y);
    case P4_OP_AND: return p4_wide_and(a, x, y);
    case P4_OP_OR: return p4_wide_or(a, x, y);
    case P4_OP_XOR: return p4_wide_xor(a, x, y);
    case P4_OP_SHL:
    case P4_OP_SHR: return shift(k, e, x, y);
    case P4_OP_ADD_SAT: return saturate(k, p4_wide_add(a, x, y), e->type);
    case P4_OP_SUB_SAT: return saturate(k, p4_wide_sub(a, x, y), e->type);
    default: return NULL;
  }
}

static const struct p4_wide *concat(struct p4_checker *k, const struct p4_expr *e) {
  const unsigned low_bits = e->b->type->width;
  const struct p4_wide *low = p4_wide_wrap(k->arena, e->b->value->number, low_bits, false);
  return p4_wide_or(k->arena, p4_wide_shl(k->arena, e->a->value->number, low_bits), low);
}

// 1 true, 0 false, -1: it is no comparison of these values.
static int compare(const struct p4_expr *e) {
  const struct p4_value *a = e->a->value, *b = e->b->value;
  if (e->op == P4_OP_EQ || e->op == P4_OP_NE) {
    unsigned steps = 0;
    const int same = equal(a, b, &steps);
    return same < 0 ? -1 : same == (e->op == P4_OP_EQ);
  }
  if (a->kind != P4_VALUE_NUMBER || b->kind != P4_VALUE_NUMBER) return -1;
  const int order = p4_wide_compare(a->number, b->number);
  switch (e->op) {
    case P4_OP_LT: return order < 0;
    case P4_OP_LE: return order <= 0;
    case P4_OP_GT: return order > 0;
    case P4_OP_GE: return order >= 0;
    default: return -1;
  }
}

static void set_number(struct p4_checker *k, struct p4_expr *e, const struct p4_wide *number) {
  if (!number) return;
  if (e->type->kind == P4_TYPE_BITS)
    number = p4_wide_wrap(k->arena, number, e->type->width, e->type->is_signed);
  else if (p4_wide_bits(number) > P4_WIDE_MOST_BITS) {
    p4_error(k->c, e->place, "too-large", "a constant has more than %d bits", P4_WIDE_MOST_BITS);
    return;
  }
  e->value = p4_value_number(k, number);
}

static void fold_binary(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_value *a = e->a->value, *b = e->b->value;
  if (a && a->kind == P4_VALUE_BOOL && e->op == P4_OP_LAND && !a->truth) e->value = a;
  if (a && a->kind == P4_VALUE_BOOL && e->op == P4_OP_LOR && a->truth) e->value = a;
  // A divisor or a distance that cannot be is told even if the other side is not known.
  const bool numbers = b && b->kind == P4_VALUE_NUMBER;
  if (!a && numbers && (e->op == P4_OP_DIV || e->op == P4_OP_MOD) && p4_wide_zero(b->number))
    p4_error(k->c, e->b->place, "division", "division by 0");
  if (!a && numbers && (e->op == P4_OP_SHL || e->op == P4_OP_SHR) && b->number->negative)
    p4_error(k->c, e->b->place, "shift", "a shift by a number below 0");
  if (!a || !b || e->value) return;
  if (e->op == P4_OP_LAND || e->op == P4_OP_LOR) {
    e->value = b;
    return;
  }
  const int truth = e->type->kind == P4_TYPE_BOOL ? compare(e) : -1;
  if (truth >= 0) e->value = p4_value_bool(k, truth);
  if (truth >= 0 || a->kind != P4_VALUE_NUMBER || b->kind != P4_VALUE_NUMBER) return;
  set_number(k, e, e->op == P4_OP_CONCAT ? concat(k, e) : arithmetic(k, e, a->number, b->number));
}

static void fold_unary(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_value *a = e->a->value;
  if (!a) return;
  if (a->kind == P4_VALUE_BOOL && e->op == P4_OP_NOT) e->value = p4_value_bool(k, !a->truth);
  if (a->kind != P4_VALUE_NUMBER) return;
  if (e->op == P4_OP_NEGATE) set_number(k, e, p4_wide_neg(k->arena, a->number));
  if (e->op == P4_OP_COMPLEMENT) set_number(k, e, p4_wide_not(k->arena, a->number));
  if (e->op == P4_OP_PLUS) e->value = a;
}

// A value of one type as one of another.
static void fold_cast(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_value *a = e->a->value;
  const struct p4_type *to = p4_type_base(e->type);
  if (!a) return;
  if (to->kind == P4_TYPE_ENUM && to->element) to = p4_type_base(to->element);
  if (a->kind == P4_VALUE_BOOL && to->kind == P4_TYPE_BITS) {
    e->value = p4_value_number(k, p4_wide_from(k->arena, a->truth));
  } else if (a->kind == P4_VALUE_NUMBER && to->kind == P4_TYPE_BOOL) {
    e->value = p4_value_bool(k, !p4_wide_zero(a->number));
  } else if (a->kind == P4_VALUE_NUMBER && to->kind == P4_TYPE_BITS) {
    // Only what has no width of its own should fit; else the program asks for the low bits.
    const bool loses = e->a->type->kind == P4_TYPE_INT && a->number->num;
    const struct p4_wide *low = p4_wide_wrap(k->arena, a->number, to->width, to->is_signed);
    const bool either = p4_wide_fits(a->number, to->width, true) && e->kind == P4_EXPR_CAST &&
                        !e->implicit;
    e->value = loses && !either ? p4_fit(k, e->place, a, to) : p4_value_number(k, low);
  } else {
    e->value = a;
  }
}

static void fold_slice(struct p4_checker *k, struct p4_expr *e) {
  if (!e->a->value || e->a->value->kind != P4_VALUE_NUMBER) return;
  const struct p4_wide *x = p4_wide_shr(k->arena, e->a->value->number, e->low);
  e->value = p4_value_number(k, p4_wide_wrap(k->arena, x, e->high - e->low + 1, false));
}

void p4_fold(struct p4_checker *k, struct p4_expr *e) {
  if (p4_is_poison(e->type)) return;
  switch (e->kind) {
    case P4_EXPR_UNARY: fold_unary(k, e); break;
    case P4_EXPR_BINARY: fold_binary(k, e); break;
    case P4_EXPR_CAST: fold_cast(k, e); break;
    case P4_EXPR_SLICE: fold_slice(k, e); break;
    case P4_EXPR_COND:
      if (e->a->value && e->a->value->kind == P4_VALUE_BOOL)
        e->value = e->a->value->truth ? e->b->value : e->c->value;
      break;
    default: break;
  }
}

// ---- other constants ---------------------------------------------------------------------------

bool p4_constant_in(struct p4_checker *k, const struct p4_expr *e, uint64_t low, uint64_t high,
                    const char *what, uint64_t *value) {
  if (!e->type || p4_is_poison(e->type)) return false;
  if (!e->value || e->value->kind != P4_VALUE_NUMBER) {
    p4_error(k->c, e->place, "not-constant", "%s is a number that is known at compile time", what);
    return false;
  }
  if (p4_wide_small(e->value->number, high, value) && *value >= low) return true;
  p4_error(k->c, e->place, "out-of-range", "%s is from %llu to %llu, and not %s", what,
           (unsigned long long)low, (unsigned long long)high,
           p4_wide_text(k->arena, e->value->number, 10));
  return false;
}

static const struct p4_value *default_list(struct p4_checker *k, const struct p4_type *type) {
  const unsigned num = type->kind == P4_TYPE_TUPLE ? type->num_args : type->num_fields;
  const struct p4_value **items = NEW_ARRAY(k->arena, const struct p4_value *, num + 1);
  struct p4_value *v = NEW(k->arena, struct p4_value);
  *v = (struct p4_value){.kind = P4_VALUE_LIST, .num_items = num, .items = items};
  for (unsigned i = 0; i < num; i++) {
    items[i] =
        p4_default_value(k, type->kind == P4_TYPE_TUPLE ? type->args[i] : type->fields[i].type);
    if (!items[i]) return NULL;
  }
  return v;
}

static const struct p4_value *default_enum(struct p4_checker *k, const struct p4_type *type) {
  if (type->element) return p4_value_number(k, p4_wide_from(k->arena, 0));
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_MEMBER;
  v->member = type->decl->members;
  return v->member ? v : NULL;
}

static const struct p4_value *make_default(struct p4_checker *k, const struct p4_type *type) {
  struct p4_value *v = NEW(k->arena, struct p4_value);
  switch (type->kind) {
    case P4_TYPE_BITS:
    case P4_TYPE_INT: return p4_value_number(k, p4_wide_from(k->arena, 0));
    case P4_TYPE_BOOL: return p4_value_bool(k, false);
    case P4_TYPE_ENUM: return default_enum(k, type);
    case P4_TYPE_STRUCT:
    case P4_TYPE_TUPLE: return default_list(k, type);
    case P4_TYPE_HEADER:
    case P4_TYPE_UNION: v->kind = P4_VALUE_INVALID; return v;
    case P4_TYPE_ERROR:
      v->kind = P4_VALUE_MEMBER;
      v->member = k->num_errors ? k->errors[0] : NULL;
      return v->member ? v : NULL;
    default: return NULL;
  }
}

const struct p4_value *p4_default_value(struct p4_checker *k, const struct p4_type *type) {
  struct p4_type *base = (struct p4_type *)p4_type_base(type);
  if (!base->start) base->start = make_default(k, base);
  return base->start;
}
