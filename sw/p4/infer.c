// SPDX-License-Identifier: Apache-2.0
// Type arguments that a program leaves out, from the types of arguments.
#include "check.h"

static int number_of(const struct p4_inference *inference, const struct p4_type *variable) {
  int i = 0;
  for (const struct p4_decl *p = inference->params; p; p = p->next, i++)
    if (p == variable->decl) return i;
  return -1;
}

static bool solve(struct p4_inference *inference, int i, const struct p4_type *actual) {
  const struct p4_type *known = inference->args[i];
  if (!known || known->kind == P4_TYPE_ANY || p4_is_poison(known)) {
    inference->args[i] = actual;
    return true;
  }
  if (known == actual || actual->kind == P4_TYPE_ANY || p4_is_poison(actual)) return true;
  if (actual->kind == P4_TYPE_INT && p4_type_base(known)->kind == P4_TYPE_BITS) return true;
  if (known->kind == P4_TYPE_INT && actual->kind == P4_TYPE_BITS) {
    inference->args[i] = actual;
    return true;
  }
  return false;
}

static bool infer_list(struct p4_checker *k, struct p4_inference *inference,
                       const struct p4_type *formal, const struct p4_type *actual) {
  if (formal->num_args != actual->num_args) return true;
  for (unsigned i = 0; i < formal->num_args; i++)
    if (!p4_infer(k, inference, formal->args[i], actual->args[i])) return false;
  return true;
}

// A list for a struct with type parameters: member by member.
static bool infer_fields(struct p4_checker *k, struct p4_inference *inference,
                         const struct p4_type *formal, const struct p4_type *actual) {
  for (unsigned i = 0; i < formal->num_fields && i < actual->num_args; i++)
    if (!p4_infer(k, inference, formal->fields[i].type, actual->args[i])) return false;
  return true;
}

static const struct p4_type *param_type(struct p4_checker *k, const struct p4_type *block,
                                        const struct p4_decl *param) {
  const struct p4_type *type = param->type ? param->type : k->poison;
  return p4_substitute(k, type, block->decl->type_params, block->args);
}

// A parser or control by its parameters.
static bool infer_block(struct p4_checker *k, struct p4_inference *inference,
                        const struct p4_type *formal, const struct p4_type *actual) {
  const struct p4_decl *p = formal->decl->params, *q = actual->decl->params;
  for (; p && q; p = p->next, q = q->next)
    if (!p4_infer(k, inference, param_type(k, formal, p), param_type(k, actual, q))) return false;
  return true;
}

bool p4_infer(struct p4_checker *k, struct p4_inference *inference, const struct p4_type *formal,
              const struct p4_type *actual) {
  if (formal->kind == P4_TYPE_VARIABLE) {
    const int i = number_of(inference, formal);
    return i < 0 || solve(inference, i, actual);
  }
  if (formal == actual) return true;
  const bool block = formal->kind == P4_TYPE_PARSER || formal->kind == P4_TYPE_CONTROL;
  if (formal->kind == actual->kind && block && formal->decl != actual->decl)
    return infer_block(k, inference, formal, actual);
  if (formal->kind == P4_TYPE_STRUCT && actual->kind == P4_TYPE_TUPLE)
    return infer_fields(k, inference, formal, actual);
  if (formal->kind != actual->kind || formal->decl != actual->decl) return true;
  if (formal->num_args) return infer_list(k, inference, formal, actual);
  if (formal->element && actual->element && formal->kind != P4_TYPE_ENUM)
    return p4_infer(k, inference, formal->element, actual->element);
  return true;
}

// ---- blocks for types of blocks ----------------------------------------------------------------

static bool same_or_any(const struct p4_type *a, const struct p4_type *b) {
  if (a == b || a->kind == P4_TYPE_ANY || b->kind == P4_TYPE_ANY || p4_is_poison(a) ||
      p4_is_poison(b))
    return true;
  if (a->kind != b->kind || a->decl != b->decl || a->num_args != b->num_args || !a->num_args)
    return false;
  for (unsigned i = 0; i < a->num_args; i++)
    if (!same_or_any(a->args[i], b->args[i])) return false;
  return true;
}

bool p4_stands_for(struct p4_checker *k, const struct p4_type *actual,
                   const struct p4_type *formal) {
  if (actual->kind != formal->kind) return false;
  if (actual->decl == formal->decl) return same_or_any(actual, formal);
  if (actual->kind != P4_TYPE_PARSER && actual->kind != P4_TYPE_CONTROL) return false;
  if (formal->decl->has_body) return false;
  const struct p4_decl *p = formal->decl->params, *q = actual->decl->params;
  for (; p && q; p = p->next, q = q->next)
    if (p->direction != q->direction ||
        !same_or_any(param_type(k, formal, p), param_type(k, actual, q)))
      return false;
  return !p && !q;
}

static const char *param_text(struct p4_checker *k, const struct p4_type *block,
                              const struct p4_decl *p) {
  static const char *const directions[] = {"", "in ", "out ", "inout "};
  return arena_format(k->arena, "%s%s", directions[p->direction],
                      p4_show(k, param_type(k, block, p)));
}

void p4_tell_block(struct p4_checker *k, const struct p4_type *actual,
                   const struct p4_type *formal) {
  if (actual->kind != formal->kind || actual->decl == formal->decl) return;
  if (actual->kind != P4_TYPE_PARSER && actual->kind != P4_TYPE_CONTROL) return;
  const struct p4_decl *p = formal->decl->params, *q = actual->decl->params;
  const unsigned wanted = p4_count(p), given = p4_count(q);
  if (wanted != given) {
    p4_note(k->c, actual->decl->place, "'%s' has %u parameter%s, and '%s' has %u",
            actual->decl->name, given, given == 1 ? "" : "s", formal->decl->name, wanted);
    return;
  }
  for (; p && q; p = p->next, q = q->next) {
    if (p->direction == q->direction &&
        same_or_any(param_type(k, formal, p), param_type(k, actual, q)))
      continue;
    p4_note(k->c, q->place, "this is '%s', and in '%s' it is '%s'", param_text(k, actual, q),
            formal->decl->name, param_text(k, formal, p));
    return;
  }
}
