// SPDX-License-Identifier: Apache-2.0
// Calls: arguments to temporaries from left to right, out and inout ones back from left to right.
#include <string.h>

#include "run.h"

const struct p4_type *p4r_type(const struct p4r_exec *x, const struct p4_type *type) {
  if (type->kind != P4_TYPE_VARIABLE) return type;
  for (const struct p4r_frame *f = x->frame; f; f = f->outer) {
    unsigned i = 0;
    for (const struct p4_decl *p = f->holder->type_params; p && f->type_args; p = p->next, i++)
      if (p == type->decl) return f->type_args[i];
  }
  return type;
}

static const struct p4_type *const *type_args_of(struct p4r_exec *x, const struct p4_call *call) {
  if (!call->num_type_args) return NULL;
  const struct p4_type **args = NEW_ARRAY(x->arena, const struct p4_type *, call->num_type_args);
  for (unsigned i = 0; i < call->num_type_args; i++) args[i] = p4r_type(x, call->type_args[i]);
  return args;
}

static const struct p4_type *type_of(const struct p4_call *call, const struct p4_decl *param,
                                     unsigned i) {
  return call && call->param_types && call->param_types[i] ? call->param_types[i] : param->type;
}

static unsigned num_params(const struct p4_decl *params) {
  unsigned num = 0;
  for (; params; params = params->next) num++;
  return num;
}

// One argument, to its parameter's slot; the place for the way back.
static void bind(struct p4r_exec *x, const struct p4_decl *param, const struct p4_type *type,
                 const struct p4_expr *arg, struct p4v *slot, struct p4r_place *place) {
  if (!arg) return;
  if (param->direction == P4_OUT || param->direction == P4_INOUT) *place = p4r_locate(x, arg);
  if (param->direction == P4_OUT) *slot = p4v_zero(x->arena, type);
  else if (param->direction == P4_INOUT) *slot = p4r_load(x, *place, type);
  else *slot = p4r_eval(x, arg);
  if (slot->kind != P4V_OBJECT) slot->type = type;
}

struct bound {
  const struct p4_decl *params;
  struct p4r_place *places;
};
static struct bound bind_all(struct p4r_exec *x, const struct p4_decl *params,
                             const struct p4_call *call, struct p4v *slots) {
  struct bound b = {params, NEW_ARRAY(x->arena, struct p4r_place, num_params(params) + 1)};
  unsigned i = 0;
  for (const struct p4_decl *p = params; p; p = p->next, i++)
    if (i < call->num_args)
      bind(x, p, p4r_type(x, type_of(call, p, i)), call->args[i], &slots[p->slot], &b.places[i]);
  return b;
}
static void write_back(struct p4r_exec *x, struct bound b, const struct p4v *slots) {
  unsigned i = 0;
  for (const struct p4_decl *p = b.params; p; p = p->next, i++)
    if (p->direction == P4_OUT || p->direction == P4_INOUT)
      p4r_store(x, b.places[i], slots[p->slot]);
}

static struct p4r_frame *frame_of(struct p4r_exec *x, const struct p4_decl *holder) {
  for (struct p4r_frame *f = x->frame; f; f = f->outer)
    if (f->holder == holder) return f;
  return NULL;
}

static void run_body(struct p4r_exec *x, struct p4r_frame *frame, const struct p4_stmt *body) {
  struct p4r_frame *before = x->frame;
  const struct p4_place place = x->place;
  x->frame = frame;
  p4r_run(x, body);
  x->frame = before;
  x->place = place;
}

static struct p4v call_code(struct p4r_exec *x, const struct p4_call *call) {
  const struct p4_decl *callee = call->callee;
  struct p4r_frame frame = {.holder = callee, .type_args = type_args_of(x, call)};
  frame.slots = NEW_ARRAY(x->arena, struct p4v, callee->num_slots + 1);
  if (callee->owner) frame.outer = frame_of(x, callee->owner);
  struct bound b = bind_all(x, callee->params, call, frame.slots);
  if (x->exiting) return (struct p4v){.kind = P4V_NONE};
  x->result = (struct p4v){.kind = P4V_NONE};
  run_body(x, &frame, callee->body);
  struct p4v result = x->result;
  write_back(x, b, frame.slots);
  return result;
}

// ---- controls and parsers -----------------------------------------------------------------------

// Local variables are new at each call; tables and externs are those of the instance.
static struct p4v *fresh_slots(struct p4r_exec *x, const struct p4r_object *o) {
  struct p4v *slots = NEW_ARRAY(x->arena, struct p4v, o->decl->num_slots + 1);
  memcpy(slots, o->slots, o->decl->num_slots * sizeof *slots);
  return slots;
}
static void start_variables(struct p4r_exec *x, const struct p4r_object *o, struct p4v *slots) {
  for (const struct p4_decl *d = o->decl->members; d; d = d->next) {
    if (d->kind != P4_DECL_VARIABLE) continue;
    x->place = d->place;
    slots[d->slot] = d->init ? p4r_eval(x, d->init) : p4v_zero(x->arena, d->type);
    slots[d->slot].type = d->type;
  }
}

static void run_object(struct p4r_exec *x, const struct p4r_object *o, struct p4v *slots) {
  struct p4r_frame frame = {.holder = o->decl, .slots = slots, .object = o}, *before = x->frame;
  const struct p4_place place = x->place;
  x->frame = &frame;
  start_variables(x, o, slots);
  if (o->kind == P4R_PARSER) p4r_run_parser(x, o);
  else p4r_run(x, o->decl->body);
  x->frame = before;
  x->place = place;
}

enum p4r_flow p4r_enter(struct p4r_exec *x, const struct p4r_object *object, struct p4v *args) {
  struct p4v *slots = fresh_slots(x, object);
  unsigned i = 0;
  for (const struct p4_decl *p = object->decl->params; p; p = p->next, i++)
    slots[p->slot] = p->direction == P4_OUT ? p4v_zero(x->arena, p->type)
                                            : p4v_copy(x->arena, args[i]);
  jmp_buf reject, *outer = x->reject;
  x->reject = &reject;
  if (setjmp(reject) == 0) run_object(x, object, slots);
  x->reject = outer;
  x->frame = NULL;
  i = 0;
  for (const struct p4_decl *p = object->decl->params; p; p = p->next, i++)
    if (p->direction == P4_OUT || p->direction == P4_INOUT) args[i] = slots[p->slot];
  const enum p4r_flow flow = x->exiting ? P4R_EXIT : P4R_NEXT;
  x->exiting = false;
  return flow;
}

// A rejected sub-parser gives back what it has, then its caller rejects.
static struct p4v call_object(struct p4r_exec *x, const struct p4_call *call) {
  struct p4v v = p4r_eval(x, call->object);
  const struct p4r_object *o = v.object;
  if (v.kind != P4V_OBJECT || !o) p4r_fail(x, "there is nothing to apply");
  struct p4v *slots = fresh_slots(x, o);
  const struct bound b = bind_all(x, o->decl->params, call, slots);
  if (x->exiting) return (struct p4v){.kind = P4V_NONE};
  struct p4r_frame *const before = x->frame;
  jmp_buf reject, *const outer = x->reject;
  if (o->kind == P4R_PARSER) {
    x->reject = &reject;
    if (setjmp(reject)) {
      x->reject = outer;
      x->frame = before;
      write_back(x, b, slots);
      longjmp(*outer, 1);
    }
  }
  run_object(x, o, slots);
  x->reject = outer;
  write_back(x, b, slots);
  return (struct p4v){.kind = P4V_NONE};
}

// ---- actions of tables --------------------------------------------------------------------------

void p4r_run_action(struct p4r_exec *x, const struct p4r_action *action) {
  const struct p4_decl *decl = action->ref->action;
  struct p4r_frame frame = {.holder = decl};
  frame.slots = NEW_ARRAY(x->arena, struct p4v, decl->num_slots + 1);
  frame.outer = decl->owner ? frame_of(x, decl->owner) : NULL;
  struct bound b = {decl->params,
                    NEW_ARRAY(x->arena, struct p4r_place, num_params(decl->params) + 1)};
  unsigned i = 0;
  for (const struct p4_decl *p = decl->params; p; p = p->next, i++) {
    if (p->direction == P4_NO_DIRECTION) frame.slots[p->slot] = p4v_copy(x->arena, action->data[i]);
    else if (action->ref->call && i < action->ref->call->num_args)
      bind(x, p, p->type, action->ref->call->args[i], &frame.slots[p->slot], &b.places[i]);
  }
  run_body(x, &frame, decl->body);
  write_back(x, b, frame.slots);
}

// ---- methods of headers, stacks, unions ---------------------------------------------------------

static void set_valid(struct p4r_place place, bool valid) {
  if (!place.v) return;
  if (place.in_union)
    for (unsigned i = 0; i < place.in_union->num; i++)
      if (!valid || &place.in_union->items[i] != place.v)
        p4v_set_valid(&place.in_union->items[i], false);
  p4v_set_valid(place.v, valid);
}

static void push_front(struct p4r_exec *x, struct p4v *stack, uint64_t by) {
  for (unsigned i = stack->num; i-- > 0;)
    p4v_assign(&stack->items[i],
               i >= by ? stack->items[i - by] : p4v_zero(x->arena, stack->items[i].type));
  stack->next = by < stack->num - stack->next ? stack->next + (unsigned)by : stack->num;
}
static void pop_front(struct p4r_exec *x, struct p4v *stack, uint64_t by) {
  for (unsigned i = 0; i < stack->num; i++)
    p4v_assign(&stack->items[i], by < stack->num - i ? stack->items[i + by]
                                                     : p4v_zero(x->arena, stack->items[i].type));
  stack->next = by < stack->next ? stack->next - (unsigned)by : 0;
}

static bool any_valid(const struct p4v *v) {
  if (!v) return false;
  if (v->kind != P4V_UNION) return v->truth;
  for (unsigned i = 0; i < v->num; i++)
    if (v->items[i].truth) return true;
  return false;
}

static struct p4v call_built_in(struct p4r_exec *x, const struct p4_call *call) {
  struct p4r_place place = p4r_locate(x, call->object);
  const uint64_t by = call->num_args ? p4v_low(p4r_eval(x, call->args[0])) : 0;
  switch (call->built_in) {
    case P4_IS_VALID: return p4v_truth(any_valid(place.v));
    case P4_SET_VALID: set_valid(place, true); break;
    case P4_SET_INVALID: set_valid(place, false); break;
    case P4_PUSH_FRONT:
      if (place.v) push_front(x, place.v, by);
      break;
    case P4_POP_FRONT:
      if (place.v) pop_front(x, place.v, by);
      break;
    default: p4r_fail(x, "the size of this is not known");
  }
  return (struct p4v){.kind = P4V_NONE};
}

// What was made for `T.apply(..)` where the code at work stands.
static struct p4v applied_object(struct p4r_exec *x, const struct p4_expr *e) {
  const struct p4r_object *owner = x->frame ? x->frame->object : NULL;
  struct p4r_object *o = x->sw->objects;
  while (o && !(o->applied == e && o->owner == owner)) o = o->next;
  if (!o) p4r_fail(x, "an instance cannot be made here");
  return (struct p4v){.kind = P4V_OBJECT, .type = e->type, .object = o};
}

struct p4v p4r_call(struct p4r_exec *x, const struct p4_expr *e) {
  const struct p4_call *call = e->call;
  if (x->exiting) return p4v_zero(x->arena, e->type);
  switch (call->kind) {
    case P4_CALL_FUNCTION:
    case P4_CALL_ACTION: return call_code(x, call);
    case P4_CALL_EXTERN: return p4r_function(x, call);
    case P4_CALL_METHOD: return p4r_method(x, call);
    case P4_CALL_TABLE: return p4r_apply(x, p4r_eval(x, call->object).object);
    case P4_CALL_PARSER:
    case P4_CALL_CONTROL: return call_object(x, call);
    case P4_CALL_BUILT_IN: return call_built_in(x, call);
    default: return applied_object(x, e);
  }
}
