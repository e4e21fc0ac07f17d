// SPDX-License-Identifier: Apache-2.0
// Whether two expressions say the same.
#include "check.h"

static bool same_part(const struct p4_expr *a, const struct p4_expr *b) {
  return a == b || (a && b && p4_same(a, b));
}

static bool same_lists(const struct p4_expr *a, const struct p4_expr *b) {
  for (; a && b; a = a->next, b = b->next)
    if (!p4_same(a, b)) return false;
  return a == b;
}

// The arguments of a checked call stand in it.
static bool same_calls(const struct p4_call *a, const struct p4_call *b) {
  if (!a || !b) return a == b;
  if (a->num_args != b->num_args) return false;
  for (unsigned i = 0; i < a->num_args; i++)
    if (!same_part(a->args[i], b->args[i])) return false;
  return true;
}

bool p4_same(const struct p4_expr *a, const struct p4_expr *b) {
  if (a->value && b->value) return a->type == b->type && p4_value_equal(a->value, b->value);
  return a->kind == b->kind && a->op == b->op && a->name == b->name && a->decl == b->decl &&
         a->type == b->type && a->high == b->high && a->low == b->low && same_part(a->a, b->a) &&
         same_part(a->b, b->b) && same_part(a->c, b->c) && same_lists(a->args, b->args) &&
         same_calls(a->call, b->call);
}
