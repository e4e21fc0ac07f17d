// SPDX-License-Identifier: Apache-2.0
// Warnings about what is allowed and looks wrong: what nobody uses, what is read before it is
// written.
#include <string.h>

#include "flow.h"

// @noWarn("unused"), @noWarn
static bool silenced(const struct p4_decl *d, const char *id) {
  for (const struct p4_annotation *a = d->annotations; a; a = a->next) {
    if (strcmp(a->name, "noWarn") != 0) continue;
    const char *text = p4_annotation_text(a);
    if (!text || strcmp(text, id) == 0) return true;
  }
  return false;
}

static void warn_unused(struct p4_checker *k, const struct p4_decl *d) {
  const char *what = d->kind == P4_DECL_TABLE      ? "table"
                     : d->kind == P4_DECL_ACTION   ? "action"
                     : d->kind == P4_DECL_VARIABLE ? "variable"
                     : d->kind == P4_DECL_CONST    ? "constant"
                     : d->kind == P4_DECL_INSTANCE ? "instance"
                                                   : NULL;
  if (!what || d->used || silenced(d, "unused")) return;
  if (d->kind == P4_DECL_TABLE)
    p4_warning(k->c, d->place, "unused", "table '%s' is never applied", d->name);
  else p4_warning(k->c, d->place, "unused", "%s '%s' is never used", what, d->name);
}

static void unused_in(struct p4_checker *k, const struct p4_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == P4_STMT_DECL) warn_unused(k, s->decl);
    unused_in(k, s->body);
    unused_in(k, s->then);
    unused_in(k, s->otherwise);
    for (const struct p4_case *c = s->cases; c; c = c->next) unused_in(k, c->body);
  }
}

static void warn_block(struct p4_checker *k, const struct p4_decl *d) {
  for (const struct p4_decl *m = d->members; m; m = m->next) {
    warn_unused(k, m);
    if (m->kind == P4_DECL_ACTION) {
      unused_in(k, m->body);
      p4_flow_callable(k, m);
    }
  }
  unused_in(k, d->body);
  for (const struct p4_decl *s = d->states; s; s = s->next) unused_in(k, s->state->body);
  if (d->kind == P4_DECL_PARSER) p4_flow_parser(k, d);
  else p4_flow_control(k, d);
}

void p4_warn(struct p4_checker *k) {
  for (const struct p4_decl *d = k->program->decls; d; d = d->next) {
    if (d->built_in || silenced(d, "all")) continue;
    if ((d->kind == P4_DECL_PARSER || d->kind == P4_DECL_CONTROL) && d->has_body) warn_block(k, d);
    if ((d->kind == P4_DECL_FUNCTION || d->kind == P4_DECL_ACTION) && d->body) {
      unused_in(k, d->body);
      p4_flow_callable(k, d);
    }
  }
}
