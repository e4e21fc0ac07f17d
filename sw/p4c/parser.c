// SPDX-License-Identifier: Apache-2.0
// The parser. The machine has none: a header stands at one place in all packets that have it, and
// whether it is there is a condition on the packet's bytes.
#include <string.h>

#include "inner.h"

// Every packet has so many bytes, so what ends before needs no look at its length.
enum { LEAST = 60, MOST_STEPS = 4000, MOST_DEPTH = 60 };

struct walk {
  const struct p4_state *state;
  const struct p4_stmt *at;  // the statement at hand
  unsigned cursor, depth;    // bits of the packet; states on the way
};

static bool method_is(const struct p4_expr *e, const char *name) {
  return e->kind == P4_EXPR_CALL && e->call->kind == P4_CALL_METHOD &&
         strcmp(e->call->callee->name, name) == 0;
}

static void refuse_graph(struct p4c *p, struct p4_place place, const char *what) {
  p4c_refuse(p, place, "parse-graph",
             "%s: the machine has no parse graph; a header has to stand at one fixed place", what);
}

// ---- where headers are -------------------------------------------------------------------------

static bool has_place(const struct p4c_header *h, unsigned at) {
  for (unsigned i = 0; i < h->num_places; i++)
    if (h->places[i] == at) return true;
  return false;
}

static void place_header(struct p4c *p, const struct p4_expr *e, unsigned cursor) {
  const struct p4_expr *arg = e->call->args[0];
  const char *path = arg && arg->kind != P4_EXPR_ANY ? p4c_path(p, arg) : NULL;
  if (!path) {
    if (arg && arg->kind == P4_EXPR_ANY) refuse_graph(p, e->place, "bytes that are skipped");
    return;
  }
  if (e->call->num_args > 1 || arg->type->kind != P4_TYPE_HEADER) {
    refuse_graph(p, e->place, "headers whose length is known when the packet comes");
    return;
  }
  struct p4c_header *h = p4c_header_of(p, path);
  if (!h) {
    h = NEW(p->arena, struct p4c_header);
    *h = (struct p4c_header){.path = path, .type = arg->type, .next = p->headers};
    p->headers = h;
  }
  if (has_place(h, cursor)) return;
  if (h->num_places < P4C_MOST_PLACES) h->places[h->num_places++] = cursor;
  else
    refuse_graph(
        p, e->place,
        arena_format(p->arena, "'%s' stands at more than %d places", path, P4C_MOST_PLACES));
}

static void find_headers(struct p4c *p, const struct p4_decl *state, unsigned cursor,
                         const struct p4_decl **path, unsigned depth);

static void find_in(struct p4c *p, const struct p4_stmt *list, unsigned *cursor) {
  for (const struct p4_stmt *s = list; s; s = s->next) {
    p->place = s->place;
    if (s->kind != P4_STMT_CALL) continue;
    if (method_is(s->value, "extract")) {
      place_header(p, s->value, *cursor);
      *cursor += p4c_type_width(s->value->call->args[0]->type);
    } else if (method_is(s->value, "advance")) {
      p4c_refuse(p, s->place, "header-edit",
                 "advance: bytes that no header holds would have to be taken out; the machine "
                 "removes none");
    }
  }
}

static void find_headers(struct p4c *p, const struct p4_decl *state, unsigned cursor,
                         const struct p4_decl **path, unsigned depth) {
  const struct p4_state *s = state->state;
  if (!s || s->accept || s->reject) return;
  for (unsigned i = 0; i < depth; i++)
    if (path[i] == state) {
      refuse_graph(p, state->place, "a loop of states");
      return;
    }
  if (++p->steps > MOST_STEPS || depth == MOST_DEPTH) {
    refuse_graph(p, state->place, "so many ways through the parser");
    return;
  }
  path[depth] = state;
  find_in(p, s->body, &cursor);
  if (s->to) find_headers(p, s->to, cursor, path, depth + 1);
  else
    for (const struct p4_select_case *c = s->cases; c; c = c->next)
      find_headers(p, c->target, cursor, path, depth + 1);
}

// ---- which are there ---------------------------------------------------------------------------

static void step(struct p4c *p, const void *x);

static void enter(struct p4c *p, const struct p4_decl *state, unsigned cursor, unsigned depth) {
  if (!state->state || state->state->accept || state->state->reject) return;
  const struct walk w = {state->state, state->state->body, cursor, depth};
  step(p, &w);
}

struct choice {
  const struct walk *walk;
  const struct p4_select_case *at;
  struct p4c_val *keys;
};

static void take(struct p4c *p, const void *x) {
  const struct choice *c = x;
  enter(p, c->at->target, c->walk->cursor, c->walk->depth + 1);
}

static void choose(struct p4c *p, const void *x) {
  const struct choice *c = x;
  if (!c->at) return;  // no case fits: NoMatch, and the ingress gets what was found
  p->place = c->at->place;
  p4c_node fits = p4c_const(p, 1);
  for (unsigned i = 0; i < c->walk->state->num_select; i++)
    fits = p4c_and(p, fits, p4c_matches(p, &c->at->sets[i], c->keys[i]));
  const struct choice rest = {c->walk, c->at->next, c->keys};
  p4c_branch(p, fits, take, c, choose, &rest);
}

static void leave(struct p4c *p, const struct walk *w) {
  const struct p4_state *s = w->state;
  p->place = s->place;
  if (s->to) {
    enter(p, s->to, w->cursor, w->depth + 1);
    return;
  }
  struct p4c_val *keys = NEW_ARRAY(p->arena, struct p4c_val, s->num_select + 1);
  unsigned i = 0;
  for (const struct p4_expr *e = s->select; e; e = e->next)
    keys[i++] = p4c_clean(p, p4c_eval(p, e));
  const struct choice first = {w, s->cases, keys};
  choose(p, &first);
}

static void extract(struct p4c *p, const struct walk *w, const struct p4_expr *e) {
  const char *path = p4c_path(p, e->call->args[0]);
  const struct walk next = {w->state, w->at->next,
                            w->cursor + p4c_type_width(e->call->args[0]->type), w->depth};
  if (!path) return;
  *p4c_cell(p, arena_format(p->arena, "%s.$valid$", path), 1) =
      (struct p4c_val){p4c_const(p, 1), 0, 1, true, 0, {0}};
  const struct p4c_header *h = p4c_header_of(p, path);
  if (h && h->num_places > 1)
    *p4c_cell(p, arena_format(p->arena, "%s.$at%u$", path, w->cursor), 1) =
        (struct p4c_val){p4c_const(p, 1), 0, 1, true, 0, {0}};
  step(p, &next);
}

static void extract_way(struct p4c *p, const void *x) {
  const struct walk *w = x;
  extract(p, w, w->at->value);
}

static void step(struct p4c *p, const void *x) {
  struct walk w = *(const struct walk *)x;
  for (; w.at; w.at = w.at->next) {
    p->place = w.at->place;
    const struct p4_expr *e = w.at->kind == P4_STMT_CALL ? w.at->value : NULL;
    if (e && method_is(e, "extract")) {
      const unsigned end = (w.cursor + p4c_type_width(e->call->args[0]->type)) / 8;
      const p4c_node enough = end <= LEAST ? p4c_const(p, 1)
                                           : p4c_binary(p, "<=", p4c_const(p, end + P4C_TAG),
                                                        p4c_text(p, "meta.length"));
      p4c_branch(p, enough, extract_way, &w, NULL, NULL);
      return;
    }
    if (e && e->call->kind == P4_CALL_EXTERN && strcmp(e->call->callee->name, "verify") == 0) {
      const struct walk next = {w.state, w.at->next, w.cursor, w.depth};
      p4c_branch(p, p4c_truth(p, e->call->args[0]), step, &next, NULL, NULL);
      return;
    }
    struct p4_stmt one = *w.at;
    one.next = NULL;
    p->cursor = w.cursor;
    p4c_run(p, &one);
  }
  p->cursor = w.cursor;
  leave(p, &w);
}

void p4c_parser(struct p4c *p, const struct p4_decl *parser, const char *const *paths) {
  unsigned i = 0;
  for (const struct p4_decl *d = parser->params; d; d = d->next, i++)
    if (paths[i]) p4c_bind(p, d, paths[i]);
  const struct p4_decl *start = parser->states;
  while (start && strcmp(start->name, "start") != 0) start = start->next;
  if (!start) return;
  const struct p4_decl *path[MOST_DEPTH];
  p->steps = 0;
  const size_t errors = p->messages->num_errors;
  find_headers(p, start, 0, path, 0);
  if (p->messages->num_errors != errors) return;
  for (const struct p4c_header *h = p->headers; h; h = h->next)
    *p4c_cell(p, arena_format(p->arena, "%s.$valid$", h->path), 1) =
        (struct p4c_val){p4c_const(p, 0), 0, 1, true, 0, {0}};
  for (const struct p4_decl *d = parser->members; d; d = d->next)
    if (d->kind == P4_DECL_VARIABLE && d->init) {
      struct p4_stmt s = {.kind = P4_STMT_DECL, .decl = (struct p4_decl *)d, .place = d->place};
      p4c_run(p, &s);
    }
  p->in_parser = true;
  enter(p, start, 0, 0);
  p->in_parser = false;
}
