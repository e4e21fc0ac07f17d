// SPDX-License-Identifier: Apache-2.0
// Places that hold something or not.
#include <string.h>

#include "flow.h"

// The path behind the root of an expression; NULL: it varies, or has none.
static const char *p4_flow_path(struct arena *a, const struct p4_expr *e) {
  if (e->kind == P4_EXPR_NAME) return "";
  if (e->kind != P4_EXPR_MEMBER && e->kind != P4_EXPR_INDEX) return NULL;
  const char *base = p4_flow_path(a, e->a);
  if (!base) return NULL;
  if (e->kind == P4_EXPR_MEMBER && e->member == P4_MEMBER_FIELD)
    return arena_format(a, "%s.%s", base, e->name);
  if (e->kind == P4_EXPR_INDEX && e->b->value && e->b->value->kind == P4_VALUE_NUMBER)
    return arena_format(a, "%s[%s]", base, p4_wide_text(a, e->b->value->number, 10));
  return NULL;
}

static const struct p4_decl *root_of(const struct p4_expr *e) {
  const struct p4_expr *root = p4_root(e);
  return root->kind == P4_EXPR_NAME ? root->decl : NULL;
}

// Whether `path` is `within`, or a part of it.
static bool is_part(const char *path, const char *within) {
  const size_t len = strlen(within);
  return strncmp(path, within, len) == 0 && (!path[len] || path[len] == '.' || path[len] == '[');
}

// ---- what there is -----------------------------------------------------------------------------

// A variable of the code itself, or what an out parameter gives.
static bool starts_empty(const struct p4_decl *d) {
  return (d->kind == P4_DECL_VARIABLE && !d->init) ||
         (d->kind == P4_DECL_PARAM && d->direction == P4_OUT);
}

static void add(struct p4_flow *f, const struct p4_decl *root, const char *path, bool header) {
  for (unsigned i = 0; i < f->num; i++)
    if (f->places[i].root == root && strcmp(f->places[i].path, path) == 0) return;
  if (f->num == P4_MOST_PLACES) return;
  f->places[f->num++] = (struct p4_flow_place){root, path, header, !starts_empty(root)};
}

static void collect_expr(struct p4_flow *f, const struct p4_expr *e) {
  if (!e) return;
  const struct p4_decl *root = root_of(e);
  if (e->kind == P4_EXPR_NAME && root && root->type &&
      (root->kind == P4_DECL_VARIABLE || root->kind == P4_DECL_PARAM) && !root->type->holds_header)
    add(f, root, "", false);
  if (e->type && e->type->kind == P4_TYPE_HEADER && root) {
    const char *path = p4_flow_path(f->k->arena, e);
    if (path) add(f, root, path, true);
  }
  collect_expr(f, e->a);
  collect_expr(f, e->b);
  collect_expr(f, e->c);
  for (const struct p4_expr *x = e->args; x; x = x->next) collect_expr(f, x);
  if (!e->call) return;
  if (e->call->object != (e->a ? e->a->a : NULL)) collect_expr(f, e->call->object);
  for (unsigned i = 0; i < e->call->num_args; i++) collect_expr(f, e->call->args[i]);
}

void p4_flow_collect(struct p4_flow *f, const struct p4_stmt *s) {
  for (; s; s = s->next) {
    collect_expr(f, s->target);
    collect_expr(f, s->value);
    if (s->decl) collect_expr(f, s->decl->init);
    p4_flow_collect(f, s->body);
    p4_flow_collect(f, s->then);
    p4_flow_collect(f, s->otherwise);
    p4_flow_collect(f, s->inits);
    p4_flow_collect(f, s->updates);
    for (const struct p4_case *c = s->cases; c; c = c->next) p4_flow_collect(f, c->body);
  }
}

// ---- what happens ------------------------------------------------------------------------------

void p4_flow_forget(struct p4_flow *f) {
  for (unsigned i = 0; i < f->num; i++) f->now.may[i] = true;
}

// The innermost place that is known for sure: of `hs[i]` and `hs.next` it is `hs`.
static const struct p4_expr *known_part(struct p4_flow *f, const struct p4_expr *e) {
  while (e->kind != P4_EXPR_NAME && !p4_flow_path(f->k->arena, e)) e = e->a;
  return e;
}

void p4_flow_put(struct p4_flow *f, const struct p4_expr *e, bool valid) {
  const struct p4_decl *root = root_of(e);
  if (!root) return;
  const struct p4_expr *known = known_part(f, e);
  if (known != e && !valid) return;
  const char *path = p4_flow_path(f->k->arena, known);
  for (unsigned i = 0; i < f->num; i++) {
    const struct p4_flow_place *p = &f->places[i];
    if (p->root != root) continue;
    if (!p->header || is_part(p->path, path)) f->now.may[i] = valid || !p->header;
  }
}

static void tell(struct p4_flow *f, const struct p4_flow_place *p, const struct p4_expr *e) {
  if (p->header)
    p4_warning(f->k->c, e->place, "invalid-header",
               "header '%s%s' is not valid here, so its fields have no defined value",
               p->root->name, p->path);
  else if (p->root->kind == P4_DECL_PARAM)
    p4_warning(f->k->c, e->place, "uninitialized",
               "out parameter '%s' is read before it is written", p->root->name);
  else
    p4_warning(f->k->c, e->place, "uninitialized", "'%s' is read before it is written",
               p->root->name);
}

void p4_flow_read(struct p4_flow *f, const struct p4_expr *e) {
  const struct p4_decl *root = root_of(e);
  if (!root || f->now.dead || !f->tells) return;
  const char *path = e->kind == P4_EXPR_NAME ? "" : p4_flow_path(f->k->arena, e->a);
  if (!path) return;
  for (unsigned i = 0; i < f->num; i++) {
    const struct p4_flow_place *p = &f->places[i];
    if (p->root != root || f->now.may[i]) continue;
    if (p->header ? e->kind != P4_EXPR_NAME && strcmp(p->path, path) == 0 : true) tell(f, p, e);
  }
}
