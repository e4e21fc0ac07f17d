// SPDX-License-Identifier: Apache-2.0
// Which name is what: the newest declaration of a name hides older ones, until its scope ends.
#include <string.h>

#include "check.h"

static size_t bucket(const char *name) { return (uintptr_t)name / 16 % P4_SCOPE_BUCKETS; }

void p4_scope_open(struct p4_checker *k) { k->level++; }

void p4_scope_close(struct p4_checker *k) {
  for (; k->made && k->made->level == k->level; k->made = k->made->made_before)
    k->buckets[bucket(k->made->name)] = k->made->below;
  k->level--;
}

static struct p4_visible *find(const struct p4_checker *k, const char *name) {
  struct p4_visible *v = k->buckets[bucket(name)];
  while (v && v->name != name) v = v->below;
  return v;
}

struct p4_decl *p4_find(const struct p4_checker *k, const char *name, bool absolute) {
  struct p4_visible *v = find(k, name);
  while (v && absolute && (v->level || v->name != name)) v = v->below;
  if (v) v->decl->used = true;
  return v ? v->decl : NULL;
}

static unsigned any_params(const struct p4_decl *d) {
  const bool constructs = d->kind == P4_DECL_CONSTRUCTOR || d->kind == P4_DECL_PACKAGE;
  return p4_count(constructs ? d->constructor_params : d->params);
}

static bool same_params(const struct p4_decl *a, const struct p4_decl *b) {
  if (any_params(a) != any_params(b)) return false;
  const struct p4_decl *q = b->params;
  for (const struct p4_decl *p = a->params; p && q; p = p->next, q = q->next)
    if (p->name != q->name) return false;
  return true;
}

// Functions differ by the number or the names of their parameters.
static bool may_overload(const struct p4_decl *a, const struct p4_decl *b) {
  const bool function = a->kind == P4_DECL_FUNCTION && b->kind == P4_DECL_FUNCTION;
  const bool package = a->kind == P4_DECL_PACKAGE && b->kind == P4_DECL_PACKAGE;
  const bool external = a->kind == P4_DECL_EXTERN && b->kind == P4_DECL_EXTERN;
  if (external) return p4_count(a->type_params) != p4_count(b->type_params);
  return (function || package) && !same_params(a, b);
}

// An overload goes to the end of the chain; true if it is one.
static bool overload(struct p4_decl *first, struct p4_decl *d) {
  for (struct p4_decl *o = first; o; o = o->overload)
    if (o == d || !may_overload(o, d)) return false;
  while (first->overload) first = first->overload;
  first->overload = d;
  return true;
}

void p4_declare(struct p4_checker *k, struct p4_decl *d) {
  struct p4_visible *old = find(k, d->name);
  if (old && old->level == k->level) {
    if (overload(old->decl, d)) return;
    p4_error(k->c, d->place, "twice", "'%s' is declared twice here", d->name);
    p4_note(k->c, old->decl->place, "the first declaration is here");
  }
  struct p4_visible *v = NEW(k->arena, struct p4_visible);
  *v = (struct p4_visible){d->name, d, k->level, k->buckets[bucket(d->name)], k->made};
  k->buckets[bucket(d->name)] = k->made = v;
}

void p4_refuse_doubles(struct p4_checker *k, struct p4_decl *list, const char *what) {
  p4_scope_open(k);
  for (struct p4_decl *d = list; d; d = d->next) {
    const struct p4_visible *old = find(k, d->name);
    if (old && old->level == k->level)
      p4_error(k->c, d->place, "twice", "%s '%s' is declared twice", what, d->name);
    else p4_declare(k, d);
  }
  p4_scope_close(k);
}

// ---- names that are nearly right ---------------------------------------------------------------

enum { LONGEST = 40 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// Letters that must be changed, put in, left out, or exchanged with their neighbours; 9: too long.
static unsigned distance(const char *a, const char *b) {
  const size_t m = strlen(a), n = strlen(b);
  unsigned way[LONGEST + 1][LONGEST + 1];
  if (m > LONGEST || n > LONGEST) return 9;
  for (unsigned i = 0; i <= m; i++)
    for (unsigned j = 0; j <= n; j++) {
      way[i][j] = i ? i : j;
      if (!i || !j) continue;
      way[i][j] = least(way[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                        least(way[i - 1][j], way[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        way[i][j] = least(way[i][j], way[i - 2][j - 2] + 1);
    }
  return way[m][n];
}

static bool nearer(const char *name, const char *candidate, unsigned *best) {
  const unsigned most = strlen(name) > 4 ? 2 : strlen(name) > 2 ? 1 : 0;
  const unsigned d = distance(name, candidate);
  if (!d || d > most || d >= *best) return false;
  *best = d;
  return true;
}

static bool is_type(const struct p4_decl *d) {
  switch (d->kind) {
    case P4_DECL_TYPE_PARAM:
    case P4_DECL_TYPEDEF:
    case P4_DECL_NEW:
    case P4_DECL_STRUCT:
    case P4_DECL_HEADER:
    case P4_DECL_UNION:
    case P4_DECL_ENUM:
    case P4_DECL_EXTERN:
    case P4_DECL_PARSER:
    case P4_DECL_CONTROL:
    case P4_DECL_PACKAGE: return true;
    default: return false;
  }
}

const char *p4_similar(const struct p4_checker *k, const char *name, bool types) {
  const char *found = NULL;
  unsigned best = 9;
  for (const struct p4_visible *v = k->made; v; v = v->made_before)
    if (is_type(v->decl) == types && nearer(name, v->name, &best)) found = v->name;
  return found;
}

const char *p4_similar_member(const struct p4_decl *list, const char *name) {
  const char *found = NULL;
  unsigned best = 9;
  for (; list; list = list->next)
    if (nearer(name, list->name, &best)) found = list->name;
  return found;
}
