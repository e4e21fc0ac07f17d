// SPDX-License-Identifier: Apache-2.0
// Tables and actions.
#include <string.h>

#include "inner.h"

enum { DEFAULT_SIZE = 1024 };  // of a table that does not tell its size

void p4i_match_type(struct proto *m, const char *kind) {
  static const struct {
    const char *name;
    unsigned number;
  } kinds[] = {{"exact", PROTO_VALUE(MatchField_MatchType, EXACT)},
               {"lpm", PROTO_VALUE(MatchField_MatchType, LPM)},
               {"ternary", PROTO_VALUE(MatchField_MatchType, TERNARY)},
               {"range", PROTO_VALUE(MatchField_MatchType, RANGE)},
               {"optional", PROTO_VALUE(MatchField_MatchType, OPTIONAL)}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kind, kinds[i].name) == 0) {
      proto_number(m, PROTO(MatchField, match_type), kinds[i].number);
      return;
    }
  proto_text(m, PROTO(MatchField, other_match_type), kind);
}

// ---- keys --------------------------------------------------------------------------------------

// A key that is only hashed for an action selector takes a number, but is no match field.
static void add_keys(struct p4i *p, struct proto *m, const struct p4_table *t) {
  static const struct p4i_notes notes = P4I_NOTES(MatchField);
  const struct p4_annotation **list =
      NEW_ARRAY(p->arena, const struct p4_annotation *, t->num_keys + 1);
  uint32_t *ids = NEW_ARRAY(p->arena, uint32_t, t->num_keys + 1);
  unsigned i = 0;
  for (const struct p4_key *k = t->keys; k; k = k->next) list[i++] = k->annotations;
  p4i_field_ids(p, t->num_keys, list, ids);
  i = 0;
  for (const struct p4_key *k = t->keys; k; k = k->next, i++) {
    if (strcmp(k->kind->name, "selector") == 0) continue;
    struct proto *f = proto_add(m, PROTO(Table, match_fields));
    proto_number(f, PROTO(MatchField, id), ids[i]);
    proto_text(f, PROTO(MatchField, name), k->control_name);
    p4i_annotate(p, f, &notes, k->annotations, NULL);
    proto_number(f, PROTO(MatchField, bitwidth), p4i_width(k->expr->type));
    p4i_match_type(f, k->kind->name);
    if (k->expr->type->kind != P4_TYPE_ENUM || k->expr->type->element)
      p4i_type_name(p, f, PROTO(MatchField, type_name), k->expr->type);
  }
}

// ---- actions of a table ------------------------------------------------------------------------

static uint32_t action_id(struct p4i *p, const struct p4i_object *table, const struct p4_decl *d) {
  const struct p4i_object *o = p4i_find(p, P4I_ACTION, p4i_action_name(p, table->block, d));
  return o ? o->id : 0;
}

static void add_actions(struct p4i *p, struct proto *m, const struct p4i_object *o) {
  static const struct p4i_notes notes = P4I_NOTES_ONLY(ActionRef);
  for (const struct p4_action_ref *r = o->decl->table->actions; r; r = r->next) {
    struct proto *ref = proto_add(m, PROTO(Table, action_refs));
    proto_number(ref, PROTO(ActionRef, id), action_id(p, o, r->action));
    p4i_annotate(p, ref, &notes, r->annotations, NULL);
    // NoAction that joined the list by itself
    if (r->default_only && !p4_annotation(r->annotations, "defaultonly"))
      proto_text(ref, PROTO(ActionRef, annotations), "@defaultonly");
    proto_number(ref, PROTO(ActionRef, scope),
                 r->table_only     ? PROTO_VALUE(ActionRef_Scope, TABLE_ONLY)
                 : r->default_only ? PROTO_VALUE(ActionRef_Scope, DEFAULT_ONLY)
                                   : PROTO_VALUE(ActionRef_Scope, TABLE_AND_DEFAULT));
  }
}

static void param_ids(struct p4i *p, const struct p4_decl *action, uint32_t *ids) {
  const struct p4_annotation **list =
      NEW_ARRAY(p->arena, const struct p4_annotation *, action->num_params + 1);
  unsigned num = 0;
  for (const struct p4_decl *d = action->params; d; d = d->next)
    if (d->direction == P4_NO_DIRECTION) list[num++] = d->annotations;
  p4i_field_ids(p, num, list, ids);
}

static void add_default(struct p4i *p, struct proto *m, const struct p4i_object *o) {
  const struct p4_table *t = o->decl->table;
  const struct p4_decl *action = t->miss->action;
  const uint32_t id = action_id(p, o, action);
  if (t->const_default) proto_number(m, PROTO(Table, const_default_action_id), id);
  struct proto *call = proto_add(m, PROTO(Table, initial_default_action));
  proto_number(call, PROTO(TableActionCall, action_id), id);
  uint32_t *ids = NEW_ARRAY(p->arena, uint32_t, action->num_params + 1);
  param_ids(p, action, ids);
  unsigned i = 0, n = 0;
  for (const struct p4_decl *d = action->params; d; d = d->next, i++) {
    if (d->direction != P4_NO_DIRECTION) continue;
    const struct p4_expr *arg =
        t->miss->call && i < t->miss->call->num_args ? t->miss->call->args[i] : NULL;
    const struct p4_value *value = p4i_constant(o->block, arg);
    if (value) {
      struct proto *a = proto_add(call, PROTO(TableActionCall, arguments));
      proto_number(a, PROTO(TableActionCall_Argument, param_id), ids[n]);
      p4i_value(a, PROTO(TableActionCall_Argument, value), value, p4i_width(d->type), p->arena);
    }
    n++;
  }
}

// ---- properties --------------------------------------------------------------------------------

static uint64_t size_of(const struct p4i_object *o) {
  const struct p4_table *t = o->decl->table;
  uint64_t size = t->size;
  const struct p4_property *q = p4_table_property(t, "size");
  const struct p4_value *value = !t->has_size && q ? p4i_constant(o->block, q->value) : NULL;
  if (value && value->kind == P4_VALUE_NUMBER) p4_wide_small(value->number, INT32_MAX, &size);
  return size ? size : DEFAULT_SIZE;
}

static bool is_true(const struct p4i_object *o, const char *name) {
  const struct p4_property *q = p4_table_property(o->decl->table, name);
  const struct p4_value *value = q ? p4i_constant(o->block, q->value) : NULL;
  return value && value->kind == P4_VALUE_BOOL && value->truth;
}

void p4i_add_table(struct p4i *p, const struct p4i_object *o) {
  const struct p4_table *t = o->decl->table;
  struct proto *m = proto_add(p->info, PROTO(P4Info, tables));
  p4i_preamble(p, proto_add(m, PROTO(Table, preamble)), o, NULL);
  add_keys(p, m, t);
  add_actions(p, m, o);
  add_default(p, m, o);
  const struct p4i_object *profile = p4i_property(p, o, "implementation");
  if (profile) proto_number(m, PROTO(Table, implementation_id), profile->id);
  static const char *const direct[] = {"counters", "meters"};
  for (unsigned i = 0; i < 2; i++) {
    const struct p4i_object *resource = p4i_property(p, o, direct[i]);
    if (resource) proto_number(m, PROTO(Table, direct_resource_ids), resource->id);
  }
  proto_number(m, PROTO(Table, size), size_of(o));
  if (is_true(o, "support_timeout"))
    proto_number(m, PROTO(Table, idle_timeout_behavior),
                 PROTO_VALUE(Table_IdleTimeoutBehavior, NOTIFY_CONTROL));
  proto_number(m, PROTO(Table, is_const_table), t->has_entries && t->const_entries);
  proto_number(m, PROTO(Table, has_initial_entries), t->has_entries);
}

// ---- actions -----------------------------------------------------------------------------------

static bool can_be_given(const struct p4_type *type) {
  if (type->kind == P4_TYPE_ENUM) return true;
  const struct p4_type *t = p4_type_base(type);
  return t->kind == P4_TYPE_BITS || t->kind == P4_TYPE_BOOL;
}

void p4i_add_action(struct p4i *p, const struct p4i_object *o) {
  static const struct p4i_notes notes = P4I_NOTES(Action_Param);
  struct proto *m = proto_add(p->info, PROTO(P4Info, actions));
  p4i_preamble(p, proto_add(m, PROTO(Action, preamble)), o, NULL);
  if (!o->in_table) return;
  uint32_t *ids = NEW_ARRAY(p->arena, uint32_t, o->decl->num_params + 1);
  param_ids(p, o->decl, ids);
  unsigned n = 0;
  for (const struct p4_decl *d = o->decl->params; d; d = d->next) {
    if (d->direction != P4_NO_DIRECTION) continue;
    if (!can_be_given(d->type))
      p4i_error(p, d->place, "type",
                "the control plane gives bit<W>, int<W>, bool and enums to an action, and not %s",
                p4_type_text(p->arena, d->type));
    struct proto *param = proto_add(m, PROTO(Action, params));
    proto_number(param, PROTO(Action_Param, id), ids[n++]);
    proto_text(param, PROTO(Action_Param, name), p4i_decl_name(d));
    p4i_annotate(p, param, &notes, d->annotations, NULL);
    proto_number(param, PROTO(Action_Param, bitwidth), p4i_width(d->type));
    p4i_type_name(p, param, PROTO(Action_Param, type_name), d->type);
  }
}
