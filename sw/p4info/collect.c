// SPDX-License-Identifier: Apache-2.0
// What the control plane may name, in order.
//
// The order is that of a compiler that writes controls within controls out at the place of their
// instance, copies actions of the top level to the front of each control that has them, leaves out
// what no packet can come to, and then goes through the six blocks of the switch: first instances
// outside of all, then the actions of each block, then what else is declared in each.
#include <string.h>

#include "inner.h"

struct p4i_object *p4i_find(const struct p4i *p, enum p4i_kind kind, const char *name) {
  for (struct p4i_object *o = p->objects; o; o = o->next)
    if (o->kind == kind && strcmp(o->name, name) == 0) return o;
  return NULL;
}

// An action of two instances, a digest or header with a name that is there already is the same one.
// Of other things there cannot be two with one name.
static struct p4i_object *add(struct p4i *p, enum p4i_kind kind, const char *name,
                              const struct p4_decl *decl) {
  struct p4i_object *o = p4i_find(p, kind, name);
  if (o && decl && kind != P4I_HEADER && (kind != P4I_ACTION || o->decl != decl))
    p4i_error(p, decl->place, "twice",
              "'%s' is the name of two things for the control plane; @name tells them apart", name);
  if (o) return o;
  o = NEW(p->arena, struct p4i_object);
  *o = (struct p4i_object){.kind = kind, .name = name, .decl = decl};
  if (decl) {
    o->annotations = decl->annotations;
    o->hidden = decl->hidden;
  }
  *p->end = o;
  p->end = &o->next;
  return o;
}

// ---- names -------------------------------------------------------------------------------------

// @name(".x") is the whole name.
static bool is_absolute(const struct p4_decl *d) {
  const char *text = p4_annotation_text(p4_annotation(d->annotations, "name"));
  return text && *text == '.';
}

// The full name of what is declared in a block.
static const char *p4i_name(struct p4i *p, const struct p4i_block *block, const struct p4_decl *d) {
  const char *local = p4i_decl_name(d);
  return block && !is_absolute(d) ? arena_format(p->arena, "%s.%s", block->path, local) : local;
}

const char *p4i_action_name(struct p4i *p, const struct p4i_block *block, const struct p4_decl *d) {
  if (d->owner) {
    while (block && block->decl != d->owner) block = block->outer;
    return p4i_name(p, block, d);
  }
  return p4i_decl_name(d);
}

// ---- constants ---------------------------------------------------------------------------------

static const struct p4_expr *constructor_arg(const struct p4i_block *block,
                                             const struct p4_expr *e) {
  if (!block || !block->call || e->kind != P4_EXPR_NAME || e->decl->kind != P4_DECL_PARAM)
    return NULL;
  unsigned i = 0;
  for (const struct p4_decl *d = block->decl->constructor_params; d; d = d->next, i++)
    if (d == e->decl && i < block->call->num_args) return block->call->args[i];
  return NULL;
}

const struct p4_value *p4i_constant(const struct p4i_block *block, const struct p4_expr *e) {
  if (!e || e->value) return e ? e->value : NULL;
  if (e->kind == P4_EXPR_CAST) return p4i_constant(block, e->a);
  const struct p4_expr *arg = constructor_arg(block, e);
  if (arg) return p4i_constant(block->outer, arg);
  if (e->kind == P4_EXPR_NAME && e->decl->kind == P4_DECL_CONST)
    return p4i_constant(block, e->decl->init);
  return NULL;
}

// ---- externs -----------------------------------------------------------------------------------

static enum p4i_kind kind_of(const struct p4_type *type) {
  static const struct {
    const char *name;
    enum p4i_kind kind;
  } kinds[] = {{"counter", P4I_COUNTER},
               {"direct_counter", P4I_DIRECT_COUNTER},
               {"meter", P4I_METER},
               {"direct_meter", P4I_DIRECT_METER},
               {"register", P4I_REGISTER},
               {"action_profile", P4I_PROFILE},
               {"action_selector", P4I_PROFILE}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (type->decl->built_in && strcmp(type->decl->name, kinds[i].name) == 0) return kinds[i].kind;
  return (enum p4i_kind)0;
}

static void add_instance(struct p4i *p, struct p4i_block *block, const struct p4_decl *d) {
  p->has_type_info = true;
  const enum p4i_kind kind = kind_of(d->type);
  if (!kind) return;
  struct p4i_object *o = add(p, kind, p4i_name(p, block, d), d);
  o->block = block;
  o->type = d->type;
  o->call = d->call;
}

static const struct p4_expr *property_value(const struct p4i_object *table, const char *name,
                                            const struct p4_property **property,
                                            const struct p4i_block **block) {
  *property = p4_table_property(table->decl->table, name);
  *block = table->block;
  if (!*property) return NULL;
  const struct p4_expr *e = (*property)->value, *arg;
  while ((arg = constructor_arg(*block, e))) e = arg, *block = (*block)->outer;
  return e;
}

struct p4i_object *p4i_property(struct p4i *p, const struct p4i_object *table, const char *name) {
  const struct p4_property *q;
  const struct p4i_block *block;
  const struct p4_expr *e = property_value(table, name, &q, &block);
  if (!e || !e->type->decl || e->type->kind != P4_TYPE_EXTERN || !kind_of(e->type)) return NULL;
  if (e->kind == P4_EXPR_NAME) {
    while (block && block->decl != e->decl->owner) block = block->outer;
    return p4i_find(p, kind_of(e->type), p4i_name(p, block, e->decl));
  }
  const char *text = p4_annotation_text(p4_annotation(q->annotations, "name"));
  if (!text || !*text) {
    p4i_error(p, q->place, "no-name",
              "the control plane has no name for what is made here; write @name(\"x\") before '%s'",
              q->name);
    return NULL;
  }
  struct p4i_object *o = add(p, kind_of(e->type), *text == '.' ? text + 1 : text, NULL);
  o->annotations = q->annotations;
  o->block = block;
  o->type = e->type;
  o->call = e->call;
  return o;
}

// ---- blocks ------------------------------------------------------------------------------------

// A declaration and the block in which it stands, in a list in which those of blocks within blocks
// are written out.
struct local {
  const struct p4_decl *decl;
  struct p4i_block *block;
  bool live;  // a packet may come to the table
  struct local *next;
};
struct block_list {
  struct p4i_block *block;
  struct block_list *next;
};
struct scan {
  struct p4i *p;
  struct p4i_block *top;
  struct local *locals, **end;
  struct block_list *blocks;
  // of the block at hand
  struct p4i_block *block;
  const struct p4_decl *wanted;
  bool found;
  // of digests
  unsigned depth;
};

static void calls_wanted(struct p4i_visitor *v, const struct p4_expr *e) {
  struct scan *s = v->context;
  const struct p4_expr *object = e->call->object;
  if (object && object->kind == P4_EXPR_NAME && object->decl == s->wanted) s->found = true;
  if (e->call->callee == s->wanted) s->found = true;
}

static void visit_block(struct p4i_visitor *v, const struct p4_decl *block) {
  p4i_visit(v, block->body);
  for (const struct p4_decl *d = block->states; d; d = d->next)
    if (d->state) p4i_visit(v, d->state->body);
}

// Whether the body of the block calls it: a table, an instance, an action.
static bool called(struct scan *s, const struct p4i_block *block, const struct p4_decl *d) {
  s->wanted = d;
  s->found = false;
  struct p4i_visitor v = {calls_wanted, s};
  visit_block(&v, block->decl);
  return s->found;
}

static void flatten(struct scan *s, struct p4i_block *block);

// Whether an instance is an argument of the constructor of another one that is called.
static bool given(struct scan *s, const struct p4i_block *block, const struct p4_decl *d) {
  bool found = false;
  for (const struct p4_decl *m = block->decl->members; m && !found; m = m->next) {
    if (m == d || m->kind != P4_DECL_INSTANCE || !m->call) continue;
    for (unsigned i = 0; i < m->call->num_args && !found; i++) {
      const struct p4_expr *e = m->call->args[i];
      found = e && e->kind == P4_EXPR_NAME && e->decl == d &&
              (called(s, block, m) || given(s, block, m));
    }
  }
  return found;
}

static struct p4i_block *inner_block(struct scan *s, struct p4i_block *outer,
                                     const struct p4_decl *decl, const struct p4_call *call,
                                     const char *path) {
  struct p4i_block *b = NEW(s->p->arena, struct p4i_block);
  *b = (struct p4i_block){decl, path, call, outer};
  return b;
}

// `T.apply()`: an instance with the name of the type.
static void flatten_direct(struct p4i_visitor *v, const struct p4_expr *e) {
  struct scan *s = v->context;
  const struct p4_call *call = e->call;
  if (call->kind != P4_CALL_CONTROL && call->kind != P4_CALL_PARSER) return;
  const struct p4_call *made = call->object ? call->object->call : NULL;
  if (!made || made->kind != P4_CALL_CONSTRUCTOR) return;
  const struct p4_decl *decl = call->object->type->decl;
  struct p4i_block *block = s->block;
  flatten(s, inner_block(s, block, decl, made,
                         arena_format(s->p->arena, "%s.%s", block->path, decl->name)));
  s->block = block;
}

static bool is_block(const struct p4_decl *d) {
  return d->kind == P4_DECL_INSTANCE &&
         (d->type->kind == P4_TYPE_CONTROL || d->type->kind == P4_TYPE_PARSER);
}

static void flatten(struct scan *s, struct p4i_block *block) {
  for (const struct p4_decl *d = block->decl->members; d; d = d->next) {
    if (is_block(d)) {
      if (called(s, block, d) || given(s, block, d))
        flatten(s, inner_block(s, block, d->type->decl, d->call, p4i_name(s->p, block, d)));
      continue;
    }
    struct local *l = NEW(s->p->arena, struct local);
    *l = (struct local){d, block, d->kind == P4_DECL_TABLE && called(s, block, d), NULL};
    *s->end = l;
    s->end = &l->next;
  }
  s->block = block;
  struct p4i_visitor v = {flatten_direct, s};
  visit_block(&v, block->decl);
  struct block_list *entry = NEW(s->p->arena, struct block_list);
  *entry = (struct block_list){block, s->blocks};
  s->blocks = entry;
}

// ---- actions -----------------------------------------------------------------------------------

static void mark_action(struct scan *s, const struct p4i_block *block, const struct p4_decl *action,
                        bool in_table) {
  struct p4i_object *o = add(s->p, P4I_ACTION, p4i_action_name(s->p, block, action), action);
  o->in_table = o->in_table || in_table;
}

// Whether a table of this block has the action.
static bool listed(struct scan *s, const struct local *action) {
  for (const struct local *l = s->locals; l; l = l->next) {
    if (l->block != action->block || !l->live) continue;
    for (const struct p4_action_ref *r = l->decl->table->actions; r; r = r->next)
      if (r->action == action->decl) return true;
  }
  return false;
}

static void global_call(struct p4i_visitor *v, const struct p4_expr *e) {
  struct scan *s = v->context;
  if (e->call->kind == P4_CALL_ACTION && !e->call->callee->owner)
    mark_action(s, s->block, e->call->callee, false);
}

static void collect_actions(struct scan *s) {
  for (const struct local *l = s->locals; l; l = l->next)
    if (l->live)
      for (const struct p4_action_ref *r = l->decl->table->actions; r; r = r->next)
        if (!r->action->owner) mark_action(s, l->block, r->action, true);
  struct p4i_visitor v = {global_call, s};
  for (const struct block_list *b = s->blocks; b; b = b->next) {
    s->block = b->block;
    visit_block(&v, b->block->decl);
  }
  for (const struct local *l = s->locals; l; l = l->next) {
    if (l->decl->kind != P4_DECL_ACTION) continue;
    const bool in_table = listed(s, l);
    if (in_table || called(s, l->block, l->decl)) mark_action(s, l->block, l->decl, in_table);
  }
}

// ---- digests -----------------------------------------------------------------------------------

enum { MOST_CALLS = 200 };  // within each other

static void find_digest(struct p4i_visitor *v, const struct p4_expr *e) {
  struct scan *s = v->context;
  const struct p4_call *call = e->call;
  const struct p4_decl *inner = call->kind == P4_CALL_CONTROL ? call->object->type->decl
                                : call->kind == P4_CALL_ACTION || call->kind == P4_CALL_FUNCTION
                                    ? call->callee
                                    : NULL;
  if (inner && inner->body && s->depth < MOST_CALLS) {
    s->depth++;
    p4i_visit(v, inner->body);
    s->depth--;
  }
  if (call->kind != P4_CALL_EXTERN || !call->callee->built_in || !call->num_type_args ||
      strcmp(call->callee->name, "digest") != 0)
    return;
  const struct p4_type *type = call->type_args[0];
  unsigned unnamed = 0;
  for (const struct p4i_object *o = s->p->objects; o; o = o->next)
    if (o->kind == P4I_DIGEST && !o->type->decl) unnamed++;
  const char *name = type->decl ? p4i_decl_name(type->decl)
                                : arena_format(s->p->arena, "digest_%u", unnamed);
  add(s->p, P4I_DIGEST, name, NULL)->type = type;
  s->p->has_type_info = true;
}

static void collect_digests(struct scan *s) {
  struct p4i_visitor v = {find_digest, s};
  for (const struct local *l = s->locals; l; l = l->next)
    if (l->decl->kind == P4_DECL_ACTION &&
        p4i_find(s->p, P4I_ACTION, p4i_name(s->p, l->block, l->decl)))
      p4i_visit(&v, l->decl->body);
  p4i_visit(&v, s->top->decl->body);
}

// ---- all ---------------------------------------------------------------------------------------

static void collect_rest(struct scan *s) {
  for (const struct local *l = s->locals; l; l = l->next) {
    if (l->decl->kind == P4_DECL_INSTANCE) {
      add_instance(s->p, l->block, l->decl);
    } else if (l->live) {
      struct p4i_object *o = add(s->p, P4I_TABLE, p4i_name(s->p, l->block, l->decl), l->decl);
      o->block = l->block;
      if (!o->hidden) s->p->has_type_info = true;
      static const char *const made[] = {"implementation", "counters", "meters"};
      for (unsigned i = 0; i < 3; i++) p4i_property(s->p, o, made[i]);
    }
  }
}

static void begin_block(struct p4i *p, struct scan *s, const struct p4_expr *e) {
  *s = (struct scan){.p = p};
  s->end = &s->locals;
  // an instance of the top level, or one that is made here
  const struct p4_expr *made = e->kind == P4_EXPR_NAME && e->decl->kind == P4_DECL_INSTANCE ? NULL
                                                                                            : e;
  const struct p4_call *call = made ? made->call : e->decl->call;
  s->top = inner_block(s, NULL, e->type->decl, call, e->type->decl->name);
  flatten(s, s->top);
  s->block = NULL;
}

static void collect_value_sets(struct scan *s) {
  for (const struct local *l = s->locals; l; l = l->next)
    if (l->decl->kind == P4_DECL_VALUE_SET)
      add(s->p, P4I_VALUE_SET, p4i_name(s->p, l->block, l->decl), l->decl)->block = l->block;
}

void p4i_collect(struct p4i *p) {
  const struct p4_call *main = p->program->main->call;
  struct scan *scans = NEW_ARRAY(p->arena, struct scan, main->num_args + 1);
  for (const struct p4_decl *d = p->program->decls; d; d = d->next)
    if (d->kind == P4_DECL_INSTANCE && d->type->kind == P4_TYPE_EXTERN) add_instance(p, NULL, d);
  for (unsigned i = 0; i < main->num_args; i++) {
    if (!main->args[i]->type->decl) continue;
    begin_block(p, &scans[i], main->args[i]);
    if (scans[i].top->decl->kind == P4_DECL_PARSER) {
      collect_value_sets(&scans[i]);
      continue;
    }
    collect_actions(&scans[i]);
    collect_digests(&scans[i]);
  }
  for (unsigned i = 0; i < main->num_args; i++)
    if (scans[i].top) collect_rest(&scans[i]);
  for (const struct p4_decl *d = p->program->decls; d; d = d->next)
    if (d->kind == P4_DECL_HEADER && p4_annotation(d->annotations, "controller_header"))
      add(p, P4I_HEADER, p4i_decl_name(d), d);
}
