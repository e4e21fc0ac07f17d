// SPDX-License-Identifier: Apache-2.0
// From the instance named main to objects: each control and parser has its own tables and externs.
#include <stdarg.h>
#include <string.h>

#include "run.h"

void p4r_fail(struct p4r_exec *x, const char *format, ...) {
  struct p4r_switch *sw = x->sw;
  size_t len = 0;
  if (x->place.line && sw->messages)
    len = (size_t)snprintf(sw->why, sw->why_size,
                           "%s:%u: ", p4_messages_file(sw->messages, x->place),
                           (unsigned)x->place.line);
  if (len >= sw->why_size) len = 0;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sw->why + len, sw->why_size - len, format, arguments);
  va_end(arguments);
  arena_give_up(x->arena, ARENA_TOLD);
}

static struct p4r_object *make(struct p4r_switch *sw, enum p4r_kind kind,
                               const struct p4_decl *decl, const char *name,
                               struct p4r_object *owner) {
  struct p4r_object *o = NEW(&sw->own, struct p4r_object);
  *o = (struct p4r_object){.kind = kind, .decl = decl, .name = name, .owner = owner};
  o->last_entry = &o->entries;
  *sw->last_object = o;
  sw->last_object = &o->next;
  return o;
}

static struct p4v object_value(struct p4r_object *o, const struct p4_type *type) {
  return (struct p4v){.kind = P4V_OBJECT, .type = type, .object = o};
}

static struct p4r_object *instantiate(struct p4r_exec *x, const struct p4_type *type,
                                      const struct p4_call *call, const char *name,
                                      struct p4r_object *owner, const struct p4_decl *made_by);

// An argument of a constructor: a constant, an object, or one that is made at that place.
static struct p4v constructor_arg(struct p4r_exec *x, const struct p4_expr *e, const char *name) {
  if (!e) return (struct p4v){.kind = P4V_NONE};
  if (!e->value && e->kind == P4_EXPR_CALL && e->call && e->call->kind == P4_CALL_CONSTRUCTOR)
    return object_value(instantiate(x, e->type, e->call, name, NULL, NULL), e->type);
  return p4v_copy(&x->sw->own, p4r_eval(x, e));
}

static void make_local(struct p4r_exec *x, struct p4r_object *owner, const struct p4_decl *d) {
  struct p4r_switch *sw = x->sw;
  const char *name = p4r_path(&sw->own, owner ? owner->name : NULL, d);
  struct p4r_object *o = NULL;
  if (d->kind == P4_DECL_INSTANCE) {
    o = instantiate(x, d->type, d->call, name, owner, d);
  } else if (d->kind == P4_DECL_TABLE) {
    o = make(sw, P4R_TABLE, d, name, owner);
    p4r_make_table(x, o);
  } else if (d->kind == P4_DECL_VALUE_SET) {
    o = make(sw, P4R_VALUE_SET, d, name, owner);
  } else if (owner && d->kind == P4_DECL_CONST && d->init) {
    owner->slots[d->slot] = p4v_copy(&sw->own, p4r_eval(x, d->init));
  }
  if (!o) return;
  o->made_by = d;
  if (owner) owner->slots[d->slot] = object_value(o, d->type);
}

// `T.apply(..)` applies an instance of its own, which is named as its type.
static void make_applied(struct p4r_exec *x, struct p4r_object *owner, const struct p4_stmt *s) {
  const struct p4_call *call = s->kind == P4_STMT_CALL ? s->value->call : NULL;
  const struct p4_expr *object = call ? call->object : NULL;
  if (!object || object->kind != P4_EXPR_CALL || !object->call ||
      object->call->kind != P4_CALL_CONSTRUCTOR)
    return;
  const char *name = p4r_path(&x->sw->own, owner->name, object->type->decl);
  instantiate(x, object->type, object->call, name, owner, NULL)->applied = object;
}

// Instances that are declared among the statements, or stand in them.
static void make_in(struct p4r_exec *x, struct p4r_object *owner, const struct p4_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == P4_STMT_DECL && s->decl->kind == P4_DECL_INSTANCE) make_local(x, owner, s->decl);
    make_applied(x, owner, s);
    make_in(x, owner, s->body);
    make_in(x, owner, s->then);
    make_in(x, owner, s->otherwise);
    for (const struct p4_case *c = s->cases; c; c = c->next) make_in(x, owner, c->body);
  }
}

static struct p4r_object *make_block(struct p4r_exec *x, const struct p4_decl *decl,
                                     const struct p4_call *call, const char *name,
                                     struct p4r_object *owner) {
  struct p4r_switch *sw = x->sw;
  struct p4r_object *o =
      make(sw, decl->kind == P4_DECL_PARSER ? P4R_PARSER : P4R_CONTROL, decl, name, owner);
  o->slots = NEW_ARRAY(&sw->own, struct p4v, decl->num_slots + 1);
  unsigned i = 0;
  for (const struct p4_decl *p = decl->constructor_params; p; p = p->next, i++)
    if (call && i < call->num_args)
      o->slots[p->slot] =
          constructor_arg(x, call->args[i], arena_format(&sw->own, "%s.%s", name, p->name));
  struct p4r_frame frame = {.holder = decl, .slots = o->slots, .object = o}, *before = x->frame;
  x->frame = &frame;
  for (const struct p4_decl *d = decl->members; d; d = d->next) make_local(x, o, d);
  make_in(x, o, decl->body);
  for (const struct p4_decl *state = decl->states; state; state = state->next)
    if (state->state) make_in(x, o, state->state->body);
  x->frame = before;
  return o;
}

static struct p4r_object *instantiate(struct p4r_exec *x, const struct p4_type *type,
                                      const struct p4_call *call, const char *name,
                                      struct p4r_object *owner, const struct p4_decl *made_by) {
  if (type->kind == P4_TYPE_PARSER || type->kind == P4_TYPE_CONTROL)
    return make_block(x, type->decl, call, name, owner);
  struct p4r_object *o = make(x->sw, P4R_EXTERN, type->decl, name, owner);
  o->type = type;
  o->made_by = made_by;
  if (type->kind == P4_TYPE_EXTERN) p4r_make_extern(x, o, call);
  return o;
}

static bool find_types(struct p4r_switch *sw) {
  const struct p4_decl *parser = sw->blocks[0]->decl;
  const struct p4_decl *p = parser->params;
  if (!p || !p->next || !p->next->next || !p->next->next->next) {
    snprintf(sw->why, sw->why_size, "parser '%s' has not the parameters of v1model", parser->name);
    return false;
  }
  sw->hdr_type = p->next->type;
  sw->meta_type = p->next->next->type;
  sw->standard_type = p->next->next->next->type;
  return true;
}

bool p4r_build(struct p4r_switch *sw) {
  const struct p4_program *program = sw->program;
  sw->two_blocks = program->architecture == P4_ARCH_MENSHEN;
  if ((program->architecture != P4_ARCH_V1MODEL && !sw->two_blocks) || !program->main) {
    snprintf(sw->why, sw->why_size,
             "the program has no V1Switch named main; the interpreter runs v1model, and FpgaSwitch "
             "of fpga.p4");
    return false;
  }
  struct p4r_exec x = {.sw = sw, .arena = &sw->now};
  sw->packet_object = (struct p4r_object){.kind = P4R_PACKET, .name = "packet"};
  for (const struct p4_decl *d = program->decls; d && d != program->main; d = d->next)
    if (d->kind == P4_DECL_INSTANCE && d->type->kind != P4_TYPE_PACKAGE) make_local(&x, NULL, d);
  const struct p4_call *call = program->main->call;
  for (unsigned i = 0; i < (sw->two_blocks ? 2u : 6u); i++) {
    const struct p4_expr *e = call && i < call->num_args ? call->args[i] : NULL;
    const char *name = e && e->type->decl ? p4r_path(&sw->own, NULL, e->type->decl) : "";
    struct p4v v = constructor_arg(&x, e, name);
    const unsigned block = sw->two_blocks && i ? P4R_INGRESS : i;
    sw->blocks[block] = v.kind == P4V_OBJECT ? v.object : NULL;
    if (!sw->blocks[block] || !sw->blocks[block]->decl) {
      snprintf(sw->why, sw->why_size, "main has no block number %u", i + 1);
      return false;
    }
  }
  return find_types(sw);
}

struct p4r_object *p4r_object_of(struct p4r_exec *x, const struct p4_expr *e, const char *name) {
  const struct p4v v = constructor_arg(x, e, name);
  return v.kind == P4V_OBJECT ? v.object : NULL;
}
