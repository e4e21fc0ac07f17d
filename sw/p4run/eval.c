// SPDX-License-Identifier: Apache-2.0
// Expressions, and the places that values are written to.
#include <string.h>

#include "run.h"

static bool holds(const struct p4_decl *d) {
  return d->kind == P4_DECL_FUNCTION || d->kind == P4_DECL_ACTION || d->kind == P4_DECL_PARSER ||
         d->kind == P4_DECL_CONTROL;
}

struct p4v *p4r_slot(struct p4r_exec *x, const struct p4_decl *decl) {
  const struct p4_decl *holder = decl->owner;
  while (holder && !holds(holder)) holder = holder->owner;
  for (struct p4r_frame *f = x->frame; holder && f; f = f->outer)
    if (f->holder == holder) return &f->slots[decl->slot];
  // what is declared among statements is of the code at work
  if (!holder && decl->kind == P4_DECL_VARIABLE && x->frame) return &x->frame->slots[decl->slot];
  struct p4v *v = NEW(x->arena, struct p4v);
  for (struct p4r_object *o = x->sw->objects; o && !holder; o = o->next)
    if (o->made_by == decl && !o->owner) {
      *v = (struct p4v){.kind = P4V_OBJECT, .type = decl->type, .object = o};
      return v;
    }
  if (decl->value) {
    *v = p4v_constant(x->arena, decl->type, decl->value);
    return v;
  }
  p4r_fail(x, "'%s' has no value here", decl->name);
}

// ---- places -------------------------------------------------------------------------------------

static struct p4v *temporary(struct p4r_exec *x, struct p4v v) {
  struct p4v *t = NEW(x->arena, struct p4v);
  *t = v;
  return t;
}

static struct p4r_place item_of(struct p4r_place of, unsigned i) {
  struct p4r_place place = {.guard = of.guard};
  if (!of.v || i >= of.v->num) return place;
  place.v = &of.v->items[i];
  if (of.v->kind == P4V_HEADER) place.guard = of.v;
  if (of.v->kind == P4V_UNION) place.in_union = of.v;
  return place;
}

static struct p4r_place locate_stack_member(struct p4r_exec *x, const struct p4_expr *e) {
  struct p4r_place stack = p4r_locate(x, e->a);
  if (!stack.v) return stack;
  const bool is_last = e->member == P4_MEMBER_LAST;
  if (is_last ? stack.v->next == 0 : stack.v->next >= stack.v->num)
    p4r_reject(x, "StackOutOfBounds");
  return item_of(stack, is_last ? stack.v->next - 1 : stack.v->next);
}

static struct p4r_place sliced(struct p4r_place place, unsigned high, unsigned low) {
  if (place.sliced) high += place.low, low += place.low;
  place.sliced = true;
  place.high = high;
  place.low = low;
  return place;
}

struct p4r_place p4r_locate(struct p4r_exec *x, const struct p4_expr *e) {
  switch (e->kind) {
    case P4_EXPR_NAME: return (struct p4r_place){.v = p4r_slot(x, e->decl)};
    case P4_EXPR_ANY: return (struct p4r_place){.v = NULL};
    case P4_EXPR_MEMBER:
      if (e->member == P4_MEMBER_FIELD) return item_of(p4r_locate(x, e->a), e->field);
      if (e->member == P4_MEMBER_NEXT || e->member == P4_MEMBER_LAST)
        return locate_stack_member(x, e);
      break;
    case P4_EXPR_INDEX: {
      struct p4r_place of = p4r_locate(x, e->a);
      const struct p4v index = p4r_eval(x, e->b);
      const uint64_t i = p4v_is_small(index) ? p4v_low(index) : UINT64_MAX;
      return item_of(of, i < UINT32_MAX ? (unsigned)i : UINT32_MAX);
    }
    case P4_EXPR_SLICE: return sliced(p4r_locate(x, e->a), e->high, e->low);
    case P4_EXPR_PART: {
      struct p4r_place of = p4r_locate(x, e->a);
      const struct p4v from = p4r_eval(x, e->b);
      const unsigned width = e->type->width;
      if (!of.v || !p4v_is_small(from) || p4v_low(from) + width > of.v->width)
        return (struct p4r_place){.v = NULL};
      const unsigned low = (unsigned)p4v_low(from);
      return sliced(of, low + width - 1, low);
    }
    default: break;
  }
  return (struct p4r_place){.v = temporary(x, p4r_eval(x, e))};
}

struct p4v p4r_load(struct p4r_exec *x, struct p4r_place place, const struct p4_type *type) {
  if (!place.v) return p4v_zero(x->arena, type);
  struct p4v v = place.sliced ? p4v_slice(x->arena, *place.v, place.high, place.low)
                              : p4v_copy(x->arena, *place.v);
  return v;
}

void p4r_store(struct p4r_exec *x, struct p4r_place place, struct p4v value) {
  if (!place.v || (place.guard && !place.guard->truth)) return;
  if (place.sliced) {
    const struct p4_type *type = place.v->type;
    *place.v = p4v_with_slice(x->arena, *place.v, value, place.low);
    place.v->type = type;
    return;
  }
  if (place.v->kind == P4V_NONE || place.v->kind != value.kind) {
    const struct p4_type *type = place.v->type;
    *place.v = value;
    if (type) place.v->type = type;
  } else {
    p4v_assign(place.v, value);
  }
  // at most one member of a union is valid; e invalid makes all of it so
  for (unsigned i = 0; place.in_union && i < place.in_union->num; i++)
    if (&place.in_union->items[i] != place.v || !value.truth)
      p4v_set_valid(&place.in_union->items[i], false);
}

// ---- expressions --------------------------------------------------------------------------------

// The members of a list as what the type says they make.
static struct p4v eval_list(struct p4r_exec *x, const struct p4_expr *e) {
  const struct p4_type *t = p4v_under(e->type);
  unsigned num = 0;
  for (const struct p4_expr *m = e->args; m; m = m->next) num++;
  struct p4v v = {.kind = P4V_STRUCT, .type = e->type, .num = num};
  if (t->kind == P4_TYPE_HEADER) v.kind = P4V_HEADER, v.truth = true;
  if (t->kind == P4_TYPE_STACK) v.kind = P4V_STACK;
  if (t->kind == P4_TYPE_UNION) v.kind = P4V_UNION;
  v.items = NEW_ARRAY(x->arena, struct p4v, num ? num : 1);
  unsigned i = 0;
  for (const struct p4_expr *m = e->args; m; m = m->next, i++) v.items[i] = p4r_eval(x, m);
  return v;
}

// A list that is cast to a struct or header.
static struct p4v reshape(struct p4r_exec *x, struct p4v v, const struct p4_type *type) {
  const struct p4_type *t = p4v_under(type);
  if (v.kind == P4V_STRUCT && t->kind == P4_TYPE_HEADER) v.kind = P4V_HEADER, v.truth = true;
  if (v.kind == P4V_STRUCT && t->kind == P4_TYPE_STACK) v.kind = P4V_STACK;
  v.type = type;
  if (v.kind != P4V_BITS && v.kind != P4V_BOOL) return v;
  return p4v_cast(x->arena, v, type);
}

static struct p4v eval_member(struct p4r_exec *x, const struct p4_expr *e) {
  struct p4v v = {.kind = P4V_NONE};
  switch (e->member) {
    case P4_MEMBER_HIT: return p4v_truth(p4r_eval(x, e->a).truth);
    case P4_MEMBER_MISS: return p4v_truth(!p4r_eval(x, e->a).truth);
    case P4_MEMBER_ACTION_RUN:
      v = p4r_eval(x, e->a);
      v.kind = P4V_NUMBER;
      return v;
    case P4_MEMBER_LAST_INDEX: {
      struct p4r_place stack = p4r_locate(x, e->a);
      return p4v_bits(32, stack.v ? (uint64_t)stack.v->next - 1 : 0);
    }
    case P4_MEMBER_SIZE: return p4v_bits(32, p4v_under(e->a->type)->size);
    default: return p4r_load(x, p4r_locate(x, e), e->type);
  }
}

static struct p4v eval_binary(struct p4r_exec *x, const struct p4_expr *e) {
  struct p4v left = p4r_eval(x, e->a);
  if (e->op == P4_OP_LAND) return left.truth ? p4r_eval(x, e->b) : left;
  if (e->op == P4_OP_LOR) return left.truth ? left : p4r_eval(x, e->b);
  struct p4v right = p4r_eval(x, e->b);
  return p4v_binary(x->arena, e->op, left, right);
}

struct p4v p4r_eval(struct p4r_exec *x, const struct p4_expr *e) {
  struct p4v v = {.kind = P4V_NONE};
  if (e->value) return p4v_constant(x->arena, e->type, e->value);
  switch (e->kind) {
    case P4_EXPR_NAME:
    case P4_EXPR_INDEX:
    case P4_EXPR_PART: v = p4r_load(x, p4r_locate(x, e), e->type); break;
    case P4_EXPR_MEMBER: v = eval_member(x, e); break;
    case P4_EXPR_SLICE: v = p4v_slice(x->arena, p4r_eval(x, e->a), e->high, e->low); break;
    case P4_EXPR_UNARY: v = p4v_unary(x->arena, e->op, p4r_eval(x, e->a)); break;
    case P4_EXPR_BINARY: v = eval_binary(x, e); break;
    case P4_EXPR_COND: v = p4r_eval(x, p4r_eval(x, e->a).truth ? e->b : e->c); break;
    case P4_EXPR_CAST: v = reshape(x, p4r_eval(x, e->a), e->type); break;
    case P4_EXPR_CALL: v = p4r_call(x, e); break;
    case P4_EXPR_LIST:
    case P4_EXPR_STRUCT: v = eval_list(x, e); break;
    case P4_EXPR_INVALID:
    case P4_EXPR_FILL: v = p4v_zero(x->arena, p4r_type(x, e->type)); break;
    default: break;
  }
  if (e->type && v.kind != P4V_OBJECT) v.type = e->type;
  return v;
}

// ---- the data of hashes and checksums -----------------------------------------------------------

static bool in_invalid_header(struct p4r_exec *x, const struct p4_expr *e) {
  while (e->kind == P4_EXPR_CAST || e->kind == P4_EXPR_SLICE) e = e->a;
  if (e->kind != P4_EXPR_MEMBER || e->value || e->member != P4_MEMBER_FIELD) return false;
  struct p4r_place place = p4r_locate(x, e);
  return place.guard && !place.guard->truth;
}

void p4r_bits_of(struct p4r_exec *x, const struct p4_expr *data, struct p4v_string *s) {
  if ((data->kind == P4_EXPR_LIST || data->kind == P4_EXPR_STRUCT) && data->args) {
    for (const struct p4_expr *m = data->args; m; m = m->next) p4r_bits_of(x, m, s);
    return;
  }
  if (!in_invalid_header(x, data)) p4v_append(s, p4r_eval(x, data));
}
