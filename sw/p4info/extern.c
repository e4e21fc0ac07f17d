// SPDX-License-Identifier: Apache-2.0
// Counters, meters, registers, action profiles, digests.
#include <string.h>

#include "inner.h"

static uint64_t number_of(struct p4i *p, const struct p4i_object *o, unsigned arg) {
  const struct p4_expr *e = o->call && arg < o->call->num_args ? o->call->args[arg] : NULL;
  const struct p4_value *value = p4i_constant(o->block, e);
  uint64_t number = 0;
  if (value && value->kind == P4_VALUE_NUMBER && p4_wide_small(value->number, INT32_MAX, &number))
    return number;
  if (e)
    p4i_error(p, e->place, "not-constant", "the size of '%s' is no number below 2^31", o->name);
  return 0;
}

// Of `packets`, `bytes`, `packets_and_bytes`.
static const char *unit_of(const struct p4i_object *o, unsigned arg) {
  const struct p4_expr *e = o->call && arg < o->call->num_args ? o->call->args[arg] : NULL;
  const struct p4_value *value = p4i_constant(o->block, e);
  return value && value->kind == P4_VALUE_MEMBER ? value->member->name : "";
}

static unsigned counter_unit(const char *name) {
  return strcmp(name, "packets") == 0             ? PROTO_VALUE(CounterSpec_Unit, PACKETS)
         : strcmp(name, "bytes") == 0             ? PROTO_VALUE(CounterSpec_Unit, BYTES)
         : strcmp(name, "packets_and_bytes") == 0 ? PROTO_VALUE(CounterSpec_Unit, BOTH)
                                                  : PROTO_VALUE(CounterSpec_Unit, UNSPECIFIED);
}

static unsigned meter_unit(const char *name) {
  return strcmp(name, "packets") == 0 ? PROTO_VALUE(MeterSpec_Unit, PACKETS)
         : strcmp(name, "bytes") == 0 ? PROTO_VALUE(MeterSpec_Unit, BYTES)
                                      : PROTO_VALUE(MeterSpec_Unit, UNSPECIFIED);
}

// The type argument that is the index, if it is a new type.
static void index_type(struct p4i *p, struct proto *m, enum proto_field_id field,
                       const struct p4i_object *o, unsigned arg) {
  if (arg < o->type->num_args) p4i_type_name(p, m, field, o->type->args[arg]);
}

static void add_counter(struct p4i *p, const struct p4i_object *o) {
  struct proto *m = proto_add(p->info, PROTO(P4Info, counters));
  p4i_preamble(p, proto_add(m, PROTO(Counter, preamble)), o, NULL);
  struct proto *spec = proto_add(m, PROTO(Counter, spec));
  proto_number(spec, PROTO(CounterSpec, unit), counter_unit(unit_of(o, 1)));
  proto_number(m, PROTO(Counter, size), number_of(p, o, 0));
  index_type(p, m, PROTO(Counter, index_type_name), o, 0);
}

static void add_meter(struct p4i *p, const struct p4i_object *o) {
  struct proto *m = proto_add(p->info, PROTO(P4Info, meters));
  p4i_preamble(p, proto_add(m, PROTO(Meter, preamble)), o, NULL);
  struct proto *spec = proto_add(m, PROTO(Meter, spec));
  proto_number(spec, PROTO(MeterSpec, unit), meter_unit(unit_of(o, 1)));
  proto_number(m, PROTO(Meter, size), number_of(p, o, 0));
  index_type(p, m, PROTO(Meter, index_type_name), o, 0);
}

static void add_register(struct p4i *p, const struct p4i_object *o) {
  struct proto *m = proto_add(p->info, PROTO(P4Info, registers));
  p4i_preamble(p, proto_add(m, PROTO(Register, preamble)), o, NULL);
  if (o->type->num_args)
    p4i_type_spec(p, proto_add(m, PROTO(Register, type_spec)), o->type->args[0]);
  proto_number(m, PROTO(Register, size), number_of(p, o, 0));
  index_type(p, m, PROTO(Register, index_type_name), o, 1);
}

// Direct ones stand in P4Info with the table that has them.
static void add_direct(struct p4i *p, const struct p4i_object *o, const struct p4i_object *table) {
  if (o->kind == P4I_DIRECT_COUNTER) {
    struct proto *m = proto_add(p->info, PROTO(P4Info, direct_counters));
    p4i_preamble(p, proto_add(m, PROTO(DirectCounter, preamble)), o, NULL);
    struct proto *spec = proto_add(m, PROTO(DirectCounter, spec));
    proto_number(spec, PROTO(CounterSpec, unit), counter_unit(unit_of(o, 0)));
    proto_number(m, PROTO(DirectCounter, direct_table_id), table->id);
  } else {
    struct proto *m = proto_add(p->info, PROTO(P4Info, direct_meters));
    p4i_preamble(p, proto_add(m, PROTO(DirectMeter, preamble)), o, NULL);
    struct proto *spec = proto_add(m, PROTO(DirectMeter, spec));
    proto_number(spec, PROTO(MeterSpec, unit), meter_unit(unit_of(o, 0)));
    proto_number(m, PROTO(DirectMeter, direct_table_id), table->id);
  }
}

static void add_direct_all(struct p4i *p, const struct p4i_object *o) {
  static const char *const direct[] = {"counters", "meters"};
  for (unsigned i = 0; i < 2; i++) {
    const struct p4i_object *resource = p4i_property(p, o, direct[i]);
    if (resource) add_direct(p, resource, o);
  }
}

// ---- action profiles ---------------------------------------------------------------------------

static uint64_t annotated(struct p4i *p, const struct p4i_object *o, const char *name) {
  const struct p4_annotation *a = p4_annotation(o->annotations, name);
  uint64_t number = 0;
  if (a && (p4_annotation_numbers(a, &number, 1) != 1 || number > INT32_MAX)) {
    p4i_error(p, a->place, "annotation", "@%s takes one number below 2^31", name);
    return 0;
  }
  return number;
}

static void add_semantics(struct p4i *p, struct proto *m, const struct p4i_object *o) {
  const struct p4_annotation *a = p4_annotation(o->annotations, "selector_size_semantics");
  if (!a) return;
  const char *text = p4_annotation_text(a);
  if (text && strcmp(text, "sum_of_weights") == 0) {
    proto_add(m, PROTO(ActionProfile, sum_of_weights));
  } else if (text && strcmp(text, "sum_of_members") == 0) {
    struct proto *sum = proto_add(m, PROTO(ActionProfile, sum_of_members));
    proto_number(sum, PROTO(ActionProfile_SumOfMembers, max_member_weight),
                 annotated(p, o, "max_member_weight"));
  } else {
    p4i_error(p, a->place, "annotation",
              "@selector_size_semantics takes \"sum_of_weights\" or \"sum_of_members\"");
  }
}

// Tables in the order of their names.
static void add_tables(struct p4i *p, struct proto *m, const struct p4i_object *o) {
  const char *last = "";
  for (;;) {
    const struct p4i_object *next = NULL;
    for (const struct p4i_object *t = p->objects; t; t = t->next)
      if (t->kind == P4I_TABLE && !t->hidden && strcmp(t->name, last) > 0 &&
          (!next || strcmp(t->name, next->name) < 0) && p4i_property(p, t, "implementation") == o)
        next = t;
    if (!next) return;
    proto_number(m, PROTO(ActionProfile, table_ids), next->id);
    last = next->name;
  }
}

static void add_profile(struct p4i *p, const struct p4i_object *o) {
  const bool selector = strcmp(o->type->decl->name, "action_selector") == 0;
  struct proto *m = proto_add(p->info, PROTO(P4Info, action_profiles));
  p4i_preamble(p, proto_add(m, PROTO(ActionProfile, preamble)), o,
               "max_group_size\0selector_size_semantics\0max_member_weight\0");
  add_tables(p, m, o);
  proto_number(m, PROTO(ActionProfile, with_selector), selector);
  proto_number(m, PROTO(ActionProfile, size), number_of(p, o, selector ? 1 : 0));
  if (!selector) return;
  proto_number(m, PROTO(ActionProfile, max_group_size), annotated(p, o, "max_group_size"));
  add_semantics(p, m, o);
}

// ---- all ---------------------------------------------------------------------------------------

void p4i_add_extern(struct p4i *p, const struct p4i_object *o) {
  switch (o->kind) {
    case P4I_COUNTER: add_counter(p, o); break;
    case P4I_METER: add_meter(p, o); break;
    case P4I_REGISTER: add_register(p, o); break;
    case P4I_PROFILE: add_profile(p, o); break;
    case P4I_TABLE: add_direct_all(p, o); break;
    default: break;
  }
}

void p4i_add_digest(struct p4i *p, const struct p4i_object *o) {
  struct proto *m = proto_add(p->info, PROTO(P4Info, digests));
  p4i_preamble(p, proto_add(m, PROTO(Digest, preamble)), o, NULL);
  p4i_type_spec(p, proto_add(m, PROTO(Digest, type_spec)), o->type);
}
