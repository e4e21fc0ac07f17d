// SPDX-License-Identifier: Apache-2.0
#include "table_plan.h"

#include <stdio.h>
#include <string.h>

#include "../image/image_tables.h"
#include "../tables/table_parts.h"

static enum sluice_status fail_in(const struct sluice_placed_table *t, enum sluice_status status,
                                  struct sluice_error *error) {
  if (!error) return status;
  const struct sluice_error why = *error;
  return sluice_fail(error, status, "table '%s' (VLAN %u): %.300s", t->table.name, t->vid,
                     why.text);
}

static unsigned variants(const struct sluice_image_table *t) {
  unsigned most = 0;
  for (unsigned i = 0; i < t->part.num_classes; i++)
    if (t->part.classes[i].variant > most) most = t->part.classes[i].variant;
  return most + 1;
}

static struct sluice_placed_table *place_one(struct sluice_plan *plan,
                                             const struct sluice_image_table *image,
                                             const struct sluice_placed *placed) {
  const bool has_rows = image->engine != SLUICE_ENGINE_ARRAY;
  plan->tables.alloc = plan->alloc;
  struct sluice_placed_table *t = sluice_tables_add(
      &plan->tables, placed->vid, placed->row, image,
      sluice_engine_size(plan->config, image->engine, image->stage), plan->config->ArrayWords);
  for (unsigned a = 0; t && a < image->num_actions; a++) {
    const struct sluice_image_action *action = &image->actions[a];
    for (unsigned v = 0; has_rows && v < variants(image); v++)
      t->rows[v][a] =
          sluice_plan_row(plan, placed->row, image->stage,
                          action->row + (action->only_default ? 0 : v * image->part.rows));
    t->default_rows[a] =
        has_rows ? sluice_plan_row(plan, placed->row, image->stage, sluice_default_row(action))
                 : SLUICE_NO_ROW;
  }
  return t;
}

// A table with all its parts; its part 0.
static struct sluice_placed_table *place(struct sluice_plan *plan,
                                         const struct sluice_image_table *image,
                                         const struct sluice_placed *placed) {
  struct sluice_placed_table *t = place_one(plan, image, placed);
  const uint32_t first = t ? t->first : 0;
  for (unsigned n = 1; t && n < image->part.num; n++) {
    t = place_one(plan, image + n, placed);
    if (t) t->first = first;
  }
  return t ? &plan->tables.list[first] : NULL;
}

static enum sluice_status put_entry(struct sluice_plan *plan, struct sluice_placed_table *t,
                                    const struct sluice_stored *entry, struct sluice_error *error) {
  uint32_t id;
  if (sluice_tables_used(&plan->tables, t) >= sluice_table_whole(&t->table))
    return sluice_fail(error, SLUICE_ERR_FULL,
                       "table '%s' (VLAN %u): all of its %u entries are used", t->table.name,
                       t->vid, sluice_table_whole(&t->table));
  if (sluice_parts_lookup(&plan->tables, entry) != SLUICE_NO_ID)
    return sluice_fail(error, SLUICE_ERR_EXISTS, "table '%s' (VLAN %u): two entries with one key",
                       t->table.name, t->vid);
  const enum sluice_status status = sluice_parts_insert(&plan->tables, entry, false, &id, error);
  return status ? fail_in(t, status, error) : SLUICE_OK;
}

static enum sluice_status put_constants(struct sluice_plan *plan, const struct sluice_image *image,
                                        unsigned n, struct sluice_placed_table *t,
                                        struct sluice_error *error) {
  for (size_t i = 0; i < image->num_entries; i++) {
    const struct sluice_image_entry *e = &image->entries[i];
    if (e->table != n) continue;
    struct sluice_stored entry = {
        .table = (uint32_t)(t - plan->tables.list), .priority = e->priority, .action = e->action};
    memcpy(entry.key, e->key, sizeof entry.key);
    memcpy(entry.care, e->care, sizeof entry.care);
    memcpy(entry.data, e->data, sizeof entry.data);
    SLUICE_TRY(put_entry(plan, t, &entry, error));
  }
  return SLUICE_OK;
}

enum sluice_status sluice_plan_tables_add(struct sluice_plan *plan,
                                          const struct sluice_image *image,
                                          const struct sluice_placed *placed,
                                          struct sluice_error *error) {
  for (unsigned n = 0; n < image->num_tables; n++) {
    if (image->tables[n].part.number) continue;
    struct sluice_placed_table *t = place(plan, &image->tables[n], placed);
    if (!t) return sluice_no_memory(error);
    SLUICE_TRY(put_constants(plan, image, n, t, error));
  }
  return SLUICE_OK;
}

static enum sluice_status empty(struct sluice_plan *plan, struct sluice_placed_table *t,
                                bool outright, struct sluice_error *error) {
  struct sluice_tables *tables = &plan->tables;
  for (uint32_t id = 0; (id = sluice_tables_next(tables, t, id)) != SLUICE_NO_ID; id++) {
    SLUICE_TRY(sluice_tables_remove(tables, id, outright, error));
  }
  return SLUICE_OK;
}

enum sluice_status sluice_plan_tables_remove(struct sluice_plan *plan, unsigned row, bool outright,
                                             struct sluice_error *error) {
  for (size_t i = 0; i < plan->tables.num; i++) {
    struct sluice_placed_table *t = &plan->tables.list[i];
    if (!t->vid || t->owner != row || t->table.part.number) continue;
    SLUICE_TRY(empty(plan, t, outright, error));
  }
  for (size_t i = 0; i < plan->tables.num; i++)
    if (plan->tables.list[i].vid && plan->tables.list[i].owner == row)
      sluice_tables_drop(&plan->tables, &plan->tables.list[i]);
  return SLUICE_OK;
}

// ---- another version ----------------------------------------------------------------------------

static int action_named(const struct sluice_image_table *t, const char *name) {
  for (unsigned a = 0; a < t->num_actions; a++)
    if (strcmp(t->actions[a].name, name) == 0) return (int)a;
  return -1;
}

static bool same_args(const struct sluice_image_action *a, const struct sluice_image_action *b) {
  if (a->num_args != b->num_args || a->only_default != b->only_default) return false;
  for (unsigned i = 0; i < a->num_args; i++)
    if (strcmp(a->args[i].name, b->args[i].name) != 0 ||
        a->args[i].msb - a->args[i].lsb != b->args[i].msb - b->args[i].lsb)
      return false;
  return true;
}

// Whether entries of the one can be entries of the other. New actions may have come.
static bool alike(const struct sluice_image_table *old, const struct sluice_image_table *new) {
  const bool words = old->engine == SLUICE_ENGINE_ARRAY;
  if (words != (new->engine == SLUICE_ENGINE_ARRAY)) return false;
  if (old->num_keys != new->num_keys) return false;
  for (unsigned k = 0; k < old->num_keys; k++)
    if (strcmp(old->keys[k].name, new->keys[k].name) != 0 ||
        old->keys[k].kind != new->keys[k].kind ||
        sluice_key_width(&old->keys[k]) != sluice_key_width(&new->keys[k]))
      return false;
  for (unsigned a = 0; a < old->num_actions; a++) {
    const int b = action_named(new, old->actions[a].name);
    if (b < 0 || !same_args(&old->actions[a], &new->actions[b])) return false;
  }
  return true;
}

static void move_data(const struct sluice_image_action *from, const struct sluice_image_action *to,
                      const uint8_t *data, uint8_t *out) {
  const unsigned bits = 8 * SLUICE_DATA_BYTES;
  memset(out, 0, SLUICE_DATA_BYTES);
  for (unsigned i = 0; i < from->num_args; i++)
    sluice_entry_set(out, bits, to->args[i].msb, to->args[i].lsb,
                     sluice_entry_get(data, bits, from->args[i].msb, from->args[i].lsb));
}

// An entry of the old table, or a part of it, as part 0 of the new one has it.
static struct sluice_stored converted(const struct sluice_tables *tables,
                                      const struct sluice_placed_table *old,
                                      const struct sluice_placed_table *new,
                                      const struct sluice_stored *e) {
  struct sluice_stored out = *e;
  const struct sluice_image_table *a = &old->table, *b = &new->table;
  out.table = (uint32_t)(new - tables->list);
  out.action = (uint32_t)action_named(b, a->actions[e->action].name);
  memset(out.key, 0, sizeof out.key);
  memset(out.care, 0, sizeof out.care);
  for (unsigned k = 0; k < a->num_keys; k++) {
    const struct sluice_image_key *from = &a->keys[k], *to = &b->keys[k];
    sluice_entry_set(out.key, SLUICE_KEY_BITS, to->msb, to->lsb,
                     sluice_entry_get(e->key, SLUICE_KEY_BITS, from->msb, from->lsb));
    sluice_entry_set(out.care, SLUICE_KEY_BITS, to->msb, to->lsb,
                     sluice_entry_get(e->care, SLUICE_KEY_BITS, from->msb, from->lsb));
  }
  move_data(&a->actions[e->action], &b->actions[out.action], e->data, out.data);
  out.variant = 0;
  out.row = new->rows[0][out.action];
  out.stage = (uint8_t)b->stage;
  out.engine = (uint8_t)b->engine;
  return out;
}

// Whether a part of the new table has the entry as the chip has it now: then it is the part's.
static bool stays(struct sluice_tables *tables, uint32_t id, const struct sluice_stored *out) {
  struct sluice_placed_table *part;
  struct sluice_stored made;
  for (unsigned n = 0; (part = sluice_tables_part(tables, &tables->list[out->table], n)); n++) {
    if (!sluice_part_entry(tables, part, out, &made)) continue;
    made.stage = (uint8_t)part->table.stage;
    made.engine = (uint8_t)part->table.engine;
    made.row = part->rows[made.variant][made.action];
    if (!sluice_stored_same(&made, &tables->entries[id])) continue;
    sluice_tables_hand_over(tables, id, part, made.action);
    tables->entries[id].variant = made.variant;
    return true;
  }
  return false;
}

static enum sluice_status keep_entries(struct sluice_plan *plan, size_t from, size_t to,
                                       struct sluice_error *error) {
  struct sluice_tables *tables = &plan->tables;
  for (uint32_t id = 0; (id = sluice_tables_next(tables, &tables->list[from], id)) != SLUICE_NO_ID;
       id++) {
    const struct sluice_placed_table *old = &tables->list[tables->entries[id].table];
    struct sluice_placed_table *new = &tables->list[to];
    const struct sluice_stored out = converted(tables, old, new, &tables->entries[id]);
    if (stays(tables, id, &out)) continue;
    enum sluice_status status = sluice_tables_remove(tables, id, false, error);
    if (!status) status = put_entry(plan, new, &out, error);
    if (status) return status;
  }
  return SLUICE_OK;
}

// A default that was set at run time, into the write that the image has brought.
static void keep_default(struct sluice_plan *plan, const struct sluice_placed_table *old,
                         struct sluice_placed_table *new) {
  const struct sluice_write *was = plan->before ? sluice_plan_entry(plan->before,
                                                                    SLUICE_TABLE_DEFAULT_ACTION,
                                                                    old->table.stage, old->owner)
                                                : NULL;
  struct sluice_write *w = (struct sluice_write *)(uintptr_t)sluice_plan_entry(
      plan, SLUICE_TABLE_DEFAULT_ACTION, new->table.stage, new->owner);
  if (new->table.engine == SLUICE_ENGINE_ARRAY || !old->own_default || !was || !w) return;
  const uint64_t row = SLUICE_GET(was->bytes, DEFAULT_ACTION, ACTION);
  unsigned a = 0;
  while (a < old->table.num_actions && old->default_rows[a] != row) a++;
  if (a == old->table.num_actions) return;
  const int b = action_named(&new->table, old->table.actions[a].name);
  if (new->default_rows[b] == SLUICE_NO_ROW) return;
  struct sluice_write copy = *was;
  SLUICE_SETS(w->bytes, DEFAULT_ACTION, (VALID, 1), (ACTION, new->default_rows[b]));
  move_data(&old->table.actions[a], &new->table.actions[b], sluice_default_data(&copy),
            sluice_default_data(w));
  new->own_default = true;
}

static enum sluice_status update_one(struct sluice_plan *plan, const struct sluice_image *image,
                                     unsigned n, const struct sluice_placed *placed,
                                     const size_t *old_at, unsigned num_old,
                                     struct sluice_error *error) {
  const struct sluice_image_table *t = &image->tables[n];
  struct sluice_placed_table *new = place(plan, t, placed);
  if (!new) return sluice_no_memory(error);
  const size_t to = (size_t)(new - plan->tables.list);
  for (unsigned i = 0; i < num_old; i++) {
    const struct sluice_placed_table *old = &plan->tables.list[old_at[i]];
    if (old->table.part.number || strcmp(old->table.name, t->name) != 0) continue;
    if (!alike(&old->table, t)) break;
    const enum sluice_status status = keep_entries(plan, old_at[i], to, error);
    if (!status) keep_default(plan, &plan->tables.list[old_at[i]], &plan->tables.list[to]);
    return status;
  }
  return put_constants(plan, image, n, &plan->tables.list[to], error);
}

enum sluice_status sluice_plan_tables_update(struct sluice_plan *plan,
                                             const struct sluice_image *image,
                                             const struct sluice_placed *placed,
                                             struct sluice_error *error) {
  struct sluice_tables *tables = &plan->tables;
  // The old ones are those that are there now; new ones may take any free place in the list.
  size_t at[SLUICE_MAX_STAGES + 1];  // one a stage, and that of words
  unsigned num = 0;
  for (size_t i = 0; i < tables->num && num <= SLUICE_MAX_STAGES; i++)
    if (tables->list[i].vid && tables->list[i].owner == placed->row) at[num++] = i;
  for (unsigned n = 0; n < image->num_tables; n++) {
    if (image->tables[n].part.number) continue;
    SLUICE_TRY(update_one(plan, image, n, placed, at, num, error));
  }
  for (unsigned i = 0; i < num; i++) {
    if (tables->list[at[i]].table.part.number) continue;
    SLUICE_TRY(empty(plan, &tables->list[at[i]], false, error));
  }
  for (unsigned i = 0; i < num; i++) sluice_tables_drop(tables, &tables->list[at[i]]);
  return SLUICE_OK;
}
