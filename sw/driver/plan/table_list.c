// SPDX-License-Identifier: Apache-2.0
// What tables there are, and their entries.
#include "../image/image_tables.h"
#include "table_plan.h"

enum { DATA_BITS = 8 * SLUICE_DATA_BYTES };

// ---- what there is ------------------------------------------------------------------------------

static const struct sluice_placed_table *table_of(const struct sluice_plan *plan, unsigned vid,
                                                  const char *name) {
  return name ? sluice_tables_find(&plan->tables, vid, name) : NULL;
}

static void get_args(const struct sluice_image_action *a, const uint8_t *data, uint64_t *args) {
  for (unsigned i = 0; i < SLUICE_TABLE_ARGS; i++)
    args[i] = i < a->num_args ? sluice_entry_get(data, DATA_BITS, a->args[i].msb, a->args[i].lsb)
                              : 0;
}

bool sluice_plan_table(const struct sluice_plan *plan, unsigned vid, unsigned n,
                       struct sluice_table_desc *info) {
  const struct sluice_placed_table *t = NULL;
  for (size_t i = 0; i < plan->tables.num && !t; i++)
    if (plan->tables.list[i].vid == vid && vid && !plan->tables.list[i].table.part.number &&
        n-- == 0)
      t = &plan->tables.list[i];
  if (!t) return false;
  *info = (struct sluice_table_desc){.name = t->table.name,
                                     .engine = sluice_engine_names[t->table.engine],
                                     .stage = t->table.stage,
                                     .size = sluice_table_whole(&t->table),
                                     .used = sluice_tables_used(&plan->tables, t),
                                     .num_parts = t->table.part.num ? t->table.part.num : 1,
                                     .num_keys = t->table.num_keys,
                                     .num_actions = t->table.num_actions,
                                     .has_priority = sluice_table_has_priority(&t->table)};
  const struct sluice_write *w =
      sluice_plan_entry(plan, SLUICE_TABLE_DEFAULT_ACTION, t->table.stage, t->owner);
  if (t->table.engine == SLUICE_ENGINE_ARRAY || !w || !SLUICE_GET(w->bytes, DEFAULT_ACTION, VALID))
    return true;
  for (unsigned a = 0; a < t->table.num_actions; a++) {
    if (t->default_rows[a] != SLUICE_GET(w->bytes, DEFAULT_ACTION, ACTION)) continue;
    struct sluice_write copy = *w;
    info->default_action = t->table.actions[a].name;
    get_args(&t->table.actions[a], sluice_default_data(&copy), info->default_args);
    break;
  }
  return true;
}

bool sluice_plan_table_part(const struct sluice_plan *plan, unsigned vid, const char *table,
                            unsigned n, struct sluice_table_part_info *part) {
  const struct sluice_placed_table *t = table_of(plan, vid, table);
  t = t ? sluice_tables_part(&plan->tables, t, n) : NULL;
  if (!t) return false;
  const struct sluice_image_part *p = &t->table.part;
  *part = (struct sluice_table_part_info){.engine = sluice_engine_names[t->table.engine],
                                          .stage = t->table.stage,
                                          .size = t->table.size,
                                          .used = t->used,
                                          .num_lengths = 0};
  for (unsigned i = 0; sluice_table_lpm(&t->table) && !p->ordered && i < p->num_classes; i++)
    part->lengths[part->num_lengths++] =
        (struct sluice_table_lengths){p->classes[i].least, p->classes[i].most};
  return true;
}

bool sluice_plan_table_key(const struct sluice_plan *plan, unsigned vid, const char *table,
                           unsigned n, struct sluice_table_key_info *key) {
  const struct sluice_placed_table *t = table_of(plan, vid, table);
  if (!t || n >= t->table.num_keys) return false;
  const struct sluice_image_key *k = &t->table.keys[n];
  *key =
      (struct sluice_table_key_info){k->name, (enum sluice_match_kind)k->kind, sluice_key_width(k)};
  return true;
}

bool sluice_plan_table_action(const struct sluice_plan *plan, unsigned vid, const char *table,
                              unsigned n, struct sluice_table_action_info *action) {
  const struct sluice_placed_table *t = table_of(plan, vid, table);
  if (!t || n >= t->table.num_actions) return false;
  const struct sluice_image_action *a = &t->table.actions[n];
  *action = (struct sluice_table_action_info){
      .name = a->name, .only_default = a->only_default, .num_args = a->num_args};
  for (unsigned i = 0; i < a->num_args; i++) {
    action->args[i] = a->args[i].name;
    action->bits[i] = a->args[i].msb - a->args[i].lsb + 1;
  }
  return true;
}

// ---- entries ------------------------------------------------------------------------------------

void sluice_plan_table_describe(const struct sluice_placed_table *t, const struct sluice_stored *e,
                                struct sluice_table_change *c) {
  const struct sluice_image_action *a = &t->table.actions[e->action];
  *c = (struct sluice_table_change){
      .op = SLUICE_TABLE_ADD,
      .vid = t->vid,
      .table = t->table.name,
      .priority = sluice_table_has_priority(&t->table) ? e->priority : 0,
      .action = a->name};
  for (unsigned k = 0; k < t->table.num_keys; k++) {
    const struct sluice_image_key *key = &t->table.keys[k];
    c->keys[k].value = sluice_entry_get(e->key, SLUICE_KEY_BITS, key->msb, key->lsb);
    c->keys[k].mask = sluice_entry_get(e->care, SLUICE_KEY_BITS, key->msb, key->lsb);
  }
  get_args(a, e->data, c->args);
}

bool sluice_plan_table_entry(const struct sluice_plan *plan, unsigned vid, const char *table,
                             uint32_t *place, struct sluice_table_change *entry) {
  const struct sluice_placed_table *t = table_of(plan, vid, table);
  if (!t) return false;
  const uint32_t id = sluice_tables_next(&plan->tables, t, *place);
  if (id == SLUICE_NO_ID) return false;
  sluice_plan_table_describe(&plan->tables.list[plan->tables.entries[id].table],
                             &plan->tables.entries[id], entry);
  *place = id + 1;
  return true;
}
