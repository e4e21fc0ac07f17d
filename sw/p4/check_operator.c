// SPDX-License-Identifier: Apache-2.0
// Operators: what types they take, and what they give.
#include "check.h"

static const char *const op_texts[] = {"!",   "~",   "-",  "+",  "*",  "/",  "%", "+", "-",
                                       "|+|", "|-|", "++", "<<", ">>", "&",  "^", "|", "<",
                                       "<=",  ">",   ">=", "==", "!=", "&&", "||"};
const char *p4_op_text(enum p4_op op) { return op_texts[op]; }

static void wrong(struct p4_checker *k, struct p4_expr *e, const struct p4_expr *operand,
                  const char *wanted) {
  p4_error(k->c, operand->place, "type", "'%s' takes %s, and not %s", p4_op_text(e->op), wanted,
           p4_show(k, operand->type));
  p4_poison(k, e);
}

// An enum with a type counts as what it is numbered in.
static void unwrap_enum(struct p4_checker *k, struct p4_expr **at) {
  const struct p4_type *type = (*at)->type;
  if (type->kind == P4_TYPE_ENUM && type->element) p4_convert(k, at, type->element);
}

// ---- one operand -------------------------------------------------------------------------------

static void check_unary(struct p4_checker *k, struct p4_expr *e) {
  p4_check_expr(k, &e->a);
  if (e->op != P4_OP_NOT) unwrap_enum(k, &e->a);
  const struct p4_type *type = e->a->type;
  e->type = type;
  if (p4_is_poison(type)) return;
  if (e->op == P4_OP_NOT && type->kind != P4_TYPE_BOOL)
    wrong(k, e, e->a, p4_is_number(type) ? "bool ('~' turns bits)" : "bool");
  else if (e->op == P4_OP_COMPLEMENT && type->kind != P4_TYPE_BITS)
    wrong(k, e, e->a, type->kind == P4_TYPE_INT ? "a number with a width" : "bit<W> or int<W>");
  else if (e->op != P4_OP_NOT && !p4_is_number(type)) wrong(k, e, e->a, "a number");
}

// ---- two operands ------------------------------------------------------------------------------

static bool comparable(const struct p4_type *type) {
  switch (type->kind) {
    case P4_TYPE_BOOL:
    case P4_TYPE_INT:
    case P4_TYPE_BITS:
    case P4_TYPE_VARBIT:
    case P4_TYPE_STRING:
    case P4_TYPE_ERROR:
    case P4_TYPE_MATCH_KIND:
    case P4_TYPE_ENUM:
    case P4_TYPE_STRUCT:
    case P4_TYPE_HEADER:
    case P4_TYPE_UNION:
    case P4_TYPE_STACK:
    case P4_TYPE_TUPLE:
    case P4_TYPE_NEW:
    case P4_TYPE_VARIABLE: return true;
    default: return false;
  }
}

// Brings both to one type; false after a message.
static bool same_type(struct p4_checker *k, struct p4_expr *e, struct p4_expr **a,
                      struct p4_expr **b) {
  if ((*a)->type == (*b)->type && (*a)->type->kind != P4_TYPE_ANY) return true;
  if (p4_convert(k, a, (*b)->type) && (*b)->type->kind != P4_TYPE_ANY) return true;
  if (p4_convert(k, b, (*a)->type) && (*a)->type->kind != P4_TYPE_ANY) return true;
  const struct p4_type *x = (*a)->type, *y = (*b)->type;
  const char *sides = e->kind == P4_EXPR_COND ? "?:" : p4_op_text(e->op);
  if (x->kind == P4_TYPE_BITS && y->kind == P4_TYPE_BITS)
    p4_error(k->c, e->place, "type",
             "'%s' takes two of one type, and not %s and %s; a cast is (%s)", sides, p4_show(k, x),
             p4_show(k, y), p4_show(k, x->width > y->width ? x : y));
  else
    p4_error(k->c, e->place, "type", "'%s' takes two of one type, and not %s and %s", sides,
             p4_show(k, x), p4_show(k, y));
  p4_poison(k, e);
  return false;
}

static void check_equality(struct p4_checker *k, struct p4_expr *e) {
  e->type = k->boolean;
  const char *const where = "a comparison";
  if (p4_refuse_fill(k, e->a, where) || p4_refuse_fill(k, e->b, where)) return;
  if (!same_type(k, e, &e->a, &e->b)) return;
  if (!comparable(e->a->type) && !p4_is_poison(e->a->type))
    wrong(k, e, e->a, "values that can be equal");
}

static void check_order(struct p4_checker *k, struct p4_expr *e) {
  unwrap_enum(k, &e->a);
  unwrap_enum(k, &e->b);
  e->type = k->boolean;
  if (!same_type(k, e, &e->a, &e->b)) return;
  if (!p4_is_number(e->a->type) && !p4_is_poison(e->a->type)) wrong(k, e, e->a, "numbers");
}

static void check_logic(struct p4_checker *k, struct p4_expr *e) {
  e->type = k->boolean;
  for (struct p4_expr *side = e->a; side; side = side == e->a ? e->b : NULL)
    if (side->type->kind != P4_TYPE_BOOL && !p4_is_poison(side->type)) {
      wrong(k, e, side, p4_is_number(side->type) ? "bool; write '!= 0'" : "bool");
      return;
    }
}

static void check_shift(struct p4_checker *k, struct p4_expr *e) {
  unwrap_enum(k, &e->a);
  unwrap_enum(k, &e->b);
  const struct p4_type *a = e->a->type, *b = e->b->type;
  e->type = a;
  if (!p4_is_number(a)) wrong(k, e, e->a, "a number");
  else if (!p4_is_number(b) || (b->kind == P4_TYPE_BITS && b->is_signed))
    wrong(k, e, e->b, "a distance of type bit<W>, or a constant");
  else if (a->kind == P4_TYPE_INT && !e->b->value)
    wrong(k, e, e->a, "a number with a width if the distance varies");
}

static void concat_strings(struct p4_checker *k, struct p4_expr *e) {
  e->type = k->string;
  if (!e->a->value || !e->b->value) return;
  struct p4_value *v = NEW(k->arena, struct p4_value);
  v->kind = P4_VALUE_STRING;
  v->text = arena_format(k->arena, "%s%s", e->a->value->text, e->b->value->text);
  e->value = v;
}

static void check_concat(struct p4_checker *k, struct p4_expr *e) {
  unwrap_enum(k, &e->a);
  unwrap_enum(k, &e->b);
  if (e->a->type->kind == P4_TYPE_STRING && e->b->type->kind == P4_TYPE_STRING) {
    concat_strings(k, e);
    return;
  }
  for (struct p4_expr *side = e->a; side; side = side == e->a ? e->b : NULL)
    if (side->type->kind != P4_TYPE_BITS) {
      wrong(k, e, side,
            side->type->kind == P4_TYPE_INT ? "numbers with a width, as 8w5" : "bit<W> or int<W>");
      return;
    }
  const unsigned width = e->a->type->width + e->b->type->width;
  e->type = p4_type_bits_of(k, width, e->a->type->is_signed);
  if (width <= P4_WIDE_MOST_BITS) return;
  p4_error(k->c, e->place, "too-large", "a value has more than %d bits", P4_WIDE_MOST_BITS);
  p4_poison(k, e);
}

static void check_arithmetic(struct p4_checker *k, struct p4_expr *e) {
  unwrap_enum(k, &e->a);
  unwrap_enum(k, &e->b);
  if (!p4_is_number(e->a->type)) {
    wrong(k, e, e->a,
          e->a->type->kind == P4_TYPE_BOOL ? "numbers ('&&' joins conditions)" : "numbers");
    return;
  }
  if (!p4_is_number(e->b->type)) {
    wrong(k, e, e->b, "numbers");
    return;
  }
  if (!same_type(k, e, &e->a, &e->b)) return;
  const struct p4_type *type = e->type = e->a->type;
  const bool bits = e->op == P4_OP_AND || e->op == P4_OP_OR || e->op == P4_OP_XOR;
  const bool saturates = e->op == P4_OP_ADD_SAT || e->op == P4_OP_SUB_SAT;
  const bool divides = e->op == P4_OP_DIV || e->op == P4_OP_MOD;
  if (type->kind == P4_TYPE_INT && (bits || saturates))
    wrong(k, e, e->a, "numbers with a width, as 8w5");
  if (type->kind == P4_TYPE_BITS && type->is_signed && divides)
    wrong(k, e, e->a, "numbers without a sign");
}

static void check_binary(struct p4_checker *k, struct p4_expr *e) {
  p4_check_expr(k, &e->a);
  p4_check_expr(k, &e->b);
  if (p4_is_poison(e->a->type) || p4_is_poison(e->b->type)) {
    p4_poison(k, e);
    return;
  }
  switch (e->op) {
    case P4_OP_EQ:
    case P4_OP_NE: check_equality(k, e); break;
    case P4_OP_LT:
    case P4_OP_LE:
    case P4_OP_GT:
    case P4_OP_GE: check_order(k, e); break;
    case P4_OP_LAND:
    case P4_OP_LOR: check_logic(k, e); break;
    case P4_OP_SHL:
    case P4_OP_SHR: check_shift(k, e); break;
    case P4_OP_CONCAT: check_concat(k, e); break;
    default: check_arithmetic(k, e);
  }
}

static void check_cond(struct p4_checker *k, struct p4_expr *e) {
  p4_check_bool(k, &e->a, "the condition of '?:'");
  p4_check_expr(k, &e->b);
  p4_check_expr(k, &e->c);
  if (p4_is_poison(e->b->type) || p4_is_poison(e->c->type)) {
    p4_poison(k, e);
    return;
  }
  if (!same_type(k, e, &e->b, &e->c)) return;
  e->type = e->b->type;
  if (e->type->kind != P4_TYPE_INT || e->a->value || p4_is_poison(e->a->type)) return;
  p4_error(k->c, e->b->place, "type", "one side of '?:' needs a width here, as 8w1");
  p4_poison(k, e);
}

// ---- casts -------------------------------------------------------------------------------------

static void check_cast(struct p4_checker *k, struct p4_expr *e) {
  const struct p4_type *to = p4_check_value_type(k, e->written);
  p4_check_expr(k, &e->a);
  e->type = to;
  const struct p4_type *from = e->a->type;
  if (p4_is_poison(to) || p4_is_poison(from)) {
    p4_poison(k, e);
    return;
  }
  const bool list = e->a->kind == P4_EXPR_LIST || e->a->kind == P4_EXPR_STRUCT ||
                    e->a->kind == P4_EXPR_INVALID || e->a->kind == P4_EXPR_FILL;
  if (list ? p4_convert(k, &e->a, to) : p4_can_cast(from, to)) return;
  const bool twice = from->kind == P4_TYPE_BITS && to->kind == P4_TYPE_BITS;
  p4_error(k->c, e->place, "cast",
           twice ? "a cast from %s to %s changes width and sign; it takes two casts"
                 : "there is no cast from %s to %s",
           p4_show(k, from), p4_show(k, to));
  p4_poison(k, e);
}

// ---- slices, elements --------------------------------------------------------------------------

static bool sliceable(struct p4_checker *k, struct p4_expr *e) {
  p4_check_expr(k, &e->a);
  unwrap_enum(k, &e->a);
  const struct p4_type *type = e->a->type;
  if (type->kind == P4_TYPE_BITS || (type->kind == P4_TYPE_INT && e->a->value)) return true;
  if (!p4_is_poison(type))
    p4_error(k->c, e->a->place, "type", "a slice is of a number, and not of %s", p4_show(k, type));
  p4_poison(k, e);
  return false;
}

static void check_slice(struct p4_checker *k, struct p4_expr *e) {
  const bool good = sliceable(k, e);
  uint64_t high, low;
  p4_check_expr(k, &e->b);
  p4_check_expr(k, &e->c);
  p4_poison(k, e);
  if (!good) return;
  const struct p4_type *type = e->a->type;
  const unsigned most = type->kind == P4_TYPE_BITS ? type->width : P4_WIDE_MOST_BITS;
  if (!most) {
    p4_error(k->c, e->place, "out-of-range", "a value of no bits has no slice");
    return;
  }
  if (!p4_constant_in(k, e->b, 0, most - 1, "the upper bound of this slice", &high)) return;
  if (!p4_constant_in(k, e->c, 0, most - 1, "the lower bound of this slice", &low)) return;
  if (low > high) {
    p4_error(k->c, e->place, "out-of-range", "the upper bound of a slice stands first: [%llu:%llu]",
             (unsigned long long)low, (unsigned long long)high);
    return;
  }
  e->high = (unsigned)high;
  e->low = (unsigned)low;
  e->lvalue = e->a->lvalue;
  e->type = p4_type_bits_of(k, e->high - e->low + 1, false);
}

// a[low +: width]
static void check_part(struct p4_checker *k, struct p4_expr *e) {
  const bool good = sliceable(k, e);
  uint64_t width, low;
  p4_check_expr(k, &e->b);
  p4_check_expr(k, &e->c);
  p4_poison(k, e);
  if (!good || p4_is_poison(e->b->type)) return;
  const struct p4_type *type = e->a->type;
  const unsigned most = type->kind == P4_TYPE_BITS ? type->width : P4_WIDE_MOST_BITS;
  if (!p4_is_number(e->b->type)) {
    p4_error(k->c, e->b->place, "type", "a slice begins at a number, and not at %s",
             p4_show(k, e->b->type));
    return;
  }
  if (!p4_constant_in(k, e->c, 1, most, "the width of this slice", &width)) return;
  if (e->b->value && !p4_constant_in(k, e->b, 0, most - width, "the first bit of this slice", &low))
    return;
  e->lvalue = e->a->lvalue;
  e->type = p4_type_bits_of(k, (unsigned)width, false);
  if (!e->b->value) return;
  // With a known first bit it is an ordinary slice.
  e->kind = P4_EXPR_SLICE;
  e->low = (unsigned)low;
  e->high = (unsigned)(low + width - 1);
}

static void check_tuple_index(struct p4_checker *k, struct p4_expr *e) {
  uint64_t i;
  const struct p4_type *type = e->a->type;
  p4_poison(k, e);
  if (!type->num_args) {
    p4_error(k->c, e->place, "out-of-range", "an empty tuple has no members");
    return;
  }
  if (!p4_constant_in(k, e->b, 0, type->num_args - 1, "the place in a tuple", &i)) return;
  e->type = type->args[i];
  e->field = (unsigned)i;
  const struct p4_value *v = e->a->value;
  if (v && i < v->num_items) e->value = v->items[i];
}

static void check_index(struct p4_checker *k, struct p4_expr *e) {
  p4_check_expr(k, &e->a);
  p4_check_expr(k, &e->b);
  unwrap_enum(k, &e->b);
  const struct p4_type *type = e->a->type;
  if (p4_is_poison(type) || p4_is_poison(e->b->type)) {
    p4_poison(k, e);
    return;
  }
  if (type->kind == P4_TYPE_TUPLE) {
    check_tuple_index(k, e);
    return;
  }
  if (type->kind != P4_TYPE_STACK || !p4_is_number(e->b->type)) {
    const bool stack = type->kind == P4_TYPE_STACK;
    p4_error(k->c, stack ? e->b->place : e->place, "type",
             stack ? "the index of a stack is a number, and not %s"
                   : "an index is of a header stack or a tuple, and not of %s",
             p4_show(k, stack ? e->b->type : type));
    p4_poison(k, e);
    return;
  }
  uint64_t i;
  e->type = type->element;
  e->lvalue = e->a->lvalue;
  if (e->b->value) p4_constant_in(k, e->b, 0, type->size - 1, "an index of this stack", &i);
}

void p4_check_operator(struct p4_checker *k, struct p4_expr *e) {
  switch (e->kind) {
    case P4_EXPR_UNARY: check_unary(k, e); break;
    case P4_EXPR_BINARY: check_binary(k, e); break;
    case P4_EXPR_COND: check_cond(k, e); break;
    case P4_EXPR_CAST: check_cast(k, e); break;
    case P4_EXPR_SLICE: check_slice(k, e); break;
    case P4_EXPR_PART: check_part(k, e); break;
    default: check_index(k, e);
  }
  p4_fold(k, e);
}
