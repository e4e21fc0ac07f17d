// SPDX-License-Identifier: Apache-2.0
// Changes of tables by names, in a plan.
#include <stdio.h>
#include <string.h>

#include "../image/image_tables.h"
#include "../tables/table_parts.h"
#include "table_plan.h"

enum { DATA_BITS = 8 * SLUICE_DATA_BYTES };

static uint64_t ones(unsigned bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

struct sluice_placed_table *sluice_plan_table_named(const struct sluice_plan *plan, unsigned vid,
                                                    const char *name, struct sluice_error *error) {
  struct sluice_placed_table *t = name ? sluice_tables_find(&plan->tables, vid, name) : NULL;
  const struct sluice_placed *placed = sluice_plan_find(plan, vid);
  if (t) return t;
  if (!placed)
    (void)sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module of the %u on the chip has VLAN id %u",
                      (unsigned)plan->num_modules, vid);
  else if (!placed->has_tables)
    (void)sluice_fail(error, SLUICE_ERR_NOT_FOUND, "program '%s' (VLAN %u) has no tables",
                      placed->program, vid);
  else
    (void)sluice_fail(error, SLUICE_ERR_NOT_FOUND, "program '%s' (VLAN %u) has no table '%.60s'",
                      placed->program, vid, name ? name : "");
  return NULL;
}

// ---- a change in bits ---------------------------------------------------------------------------

static enum sluice_status put_keys(const struct sluice_placed_table *t,
                                   const struct sluice_table_change *c, struct sluice_stored *e,
                                   struct sluice_error *error) {
  for (unsigned k = 0; k < t->table.num_keys; k++) {
    const struct sluice_image_key *key = &t->table.keys[k];
    const unsigned width = sluice_key_width(key);
    const uint64_t value = c->keys[k].value, mask = c->keys[k].mask, all = ones(width),
                   rest = ~mask & all;
    if (value & ~all || (mask & ~all && mask != UINT64_MAX))
      return sluice_fail(error, SLUICE_ERR_RANGE, "table '%s': key '%s' has %u bits: 0..0x%llx",
                         t->table.name, key->name, width, (unsigned long long)all);
    if (value & rest)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "table '%s': key '%s' has bits outside its mask: 0x%llx of 0x%llx",
                         t->table.name, key->name, (unsigned long long)value,
                         (unsigned long long)(mask & all));
    if (key->kind == SLUICE_KEY_EXACT && rest)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "table '%s': key '%s' is exact: one value, no prefix or mask",
                         t->table.name, key->name);
    if (key->kind == SLUICE_KEY_LPM) {
      if (rest & (rest + 1))
        return sluice_fail(error, SLUICE_ERR_RANGE,
                           "table '%s': key '%s' takes prefixes: mask 0x%llx is none",
                           t->table.name, key->name, (unsigned long long)(mask & all));
      e->priority = (uint32_t)__builtin_popcountll(rest);
    }
    sluice_entry_set(e->key, SLUICE_KEY_BITS, key->msb, key->lsb, value);
    sluice_entry_set(e->care, SLUICE_KEY_BITS, key->msb, key->lsb, mask & all);
  }
  if (sluice_table_has_priority(&t->table)) e->priority = c->priority;
  else if (c->priority && !(sluice_table_lpm(&t->table) && c->priority == e->priority))
    return sluice_fail(error, SLUICE_ERR_RANGE, "table '%s': its entries have no priority",
                       t->table.name);
  return SLUICE_OK;
}

enum sluice_status table_port_fits(const struct sluice_placed_table *t, unsigned action, unsigned n,
                                   uint64_t value, struct sluice_error *error) {
  const struct sluice_image_action *a = &t->table.actions[action];
  if (!a->args[n].most || value <= a->args[n].most) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE,
                     "table '%s': '%s' of '%s' is an output port, 0..%u on this chip, not %llu",
                     t->table.name, a->args[n].name, a->name, a->args[n].most,
                     (unsigned long long)value);
}

static enum sluice_status put_action(const struct sluice_placed_table *t,
                                     const struct sluice_table_change *c, struct sluice_stored *e,
                                     struct sluice_error *error) {
  unsigned n = 0;
  while (c->action && n < t->table.num_actions && strcmp(t->table.actions[n].name, c->action) != 0)
    n++;
  if (!c->action || n == t->table.num_actions) {
    char list[240] = "";
    for (unsigned i = 0; i < t->table.num_actions; i++) {
      const size_t len = strlen(list);
      snprintf(list + len, sizeof list - len, "%s%.40s", i ? ", " : "", t->table.actions[i].name);
    }
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND,
                       "table '%s' has no action '%.60s'; these are: %s", t->table.name,
                       c->action ? c->action : "", list);
  }
  const struct sluice_image_action *a = &t->table.actions[n];
  if (a->only_default && c->op != SLUICE_TABLE_DEFAULT)
    return sluice_fail(error, SLUICE_ERR_RANGE, "table '%s': action '%s' is for the default alone",
                       t->table.name, a->name);
  e->action = n;
  for (unsigned i = 0; i < a->num_args; i++) {
    const struct sluice_image_arg *arg = &a->args[i];
    if (!sluice_entry_fits(arg->msb, arg->lsb, c->args[i]))
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "table '%s': %s of '%s' is 0x%llx, legal is 0..0x%llx", t->table.name,
                         arg->name, a->name, (unsigned long long)c->args[i],
                         (unsigned long long)ones(arg->msb - arg->lsb + 1));
    SLUICE_TRY(table_port_fits(t, n, i, c->args[i], error));
    sluice_entry_set(e->data, DATA_BITS, arg->msb, arg->lsb, c->args[i]);
  }
  return SLUICE_OK;
}

// ---- doing it -----------------------------------------------------------------------------------
enum sluice_status sluice_plan_table_encode(const struct sluice_plan *plan,
                                            const struct sluice_table_change *c,
                                            struct sluice_stored *e, struct sluice_error *error) {
  const struct sluice_placed_table *t = sluice_plan_table_named(plan, c->vid, c->table, error);
  *e = (struct sluice_stored){.table = 0};
  if (!t) return SLUICE_ERR_RANGE;
  e->table = (uint32_t)(t - plan->tables.list);
  const enum sluice_status status = put_keys(t, c, e, error);
  return status ? status : put_action(t, c, e, error);
}

static enum sluice_status set_default(struct sluice_plan *plan, struct sluice_placed_table *t,
                                      const struct sluice_stored *e, struct sluice_table_done *done,
                                      struct sluice_error *error) {
  struct sluice_write *w = (struct sluice_write *)(uintptr_t)sluice_plan_entry(
      plan, SLUICE_TABLE_DEFAULT_ACTION, t->table.stage, t->owner);
  if (t->table.engine == SLUICE_ENGINE_ARRAY)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%s' looks words up, and has no default: a word without an entry becomes "
                       "0, or with 'or stay' in the program stays as it is",
                       t->table.name);
  if (!plan->config->DefaultActions)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "table '%s': chip '%s' has no default actions", t->table.name,
                       plan->config->name);
  if (t->default_rows[e->action] == SLUICE_NO_ROW)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "table '%s': '%s' cannot become the default: the program looks at hits, and "
                       "has a row without a hit for '%s' alone",
                       t->table.name, t->table.actions[e->action].name,
                       t->table.actions[t->table.default_action].name);
  if (!w) {
    if (!sluice_plan_reserve(plan, 1, 0, 0)) return sluice_no_memory(error);
    w = &plan->writes[plan->num_writes++];
    *w = (struct sluice_write){
        .table = SLUICE_TABLE_DEFAULT_ACTION, .stage = t->table.stage, .index = t->owner};
    done->default_added = true;
  }
  done->default_of = w;
  done->default_was = *w;
  done->own_default_was = t->own_default;
  SLUICE_SETS(w->bytes, DEFAULT_ACTION, (VALID, 1), (ACTION, t->default_rows[e->action]));
  memcpy(sluice_default_data(w), e->data, SLUICE_DATA_BYTES);
  t->own_default = true;
  return SLUICE_OK;
}

static enum sluice_status clear(struct sluice_plan *plan, struct sluice_placed_table *t,
                                bool outright, struct sluice_error *error) {
  for (uint32_t id = 0; (id = sluice_tables_next(&plan->tables, t, id)) != SLUICE_NO_ID; id++) {
    SLUICE_TRY(sluice_tables_remove(&plan->tables, id, outright, error));
  }
  return SLUICE_OK;
}

// The keys as lists of entries have them: "p.dst 10.0.1.0/24".
static void key_words(const struct sluice_plan *plan, const struct sluice_placed_table *t,
                      const struct sluice_table_change *c, char *text, size_t len) {
  char key[SLUICE_TABLE_TEXT];
  size_t at = 0;
  *text = 0;
  for (unsigned k = 0; k < t->table.num_keys && at < len; k++) {
    sluice_table_key_text(plan, c, k, key);
    at += (size_t)snprintf(text + at, len - at, "%s%.40s %s", k ? ", " : "", t->table.keys[k].name,
                           key);
  }
}

static enum sluice_status insert(struct sluice_plan *plan, struct sluice_placed_table *t,
                                 const struct sluice_stored *e, bool outright,
                                 struct sluice_table_done *done, struct sluice_error *error) {
  if (sluice_tables_used(&plan->tables, t) >= sluice_table_whole(&t->table))
    return sluice_fail(error, SLUICE_ERR_FULL, "table '%s': all of its %u entries are used",
                       t->table.name, sluice_table_whole(&t->table));
  struct sluice_error why = {""};
  const enum sluice_status status =
      sluice_parts_insert(&plan->tables, e, outright, &done->inserted, &why);
  if (!status) return SLUICE_OK;
  done->inserted = SLUICE_NO_ID;
  return sluice_fail(error, status, "table '%s': %.400s", t->table.name, why.text);
}

enum sluice_status sluice_plan_table_do(struct sluice_plan *plan,
                                        const struct sluice_table_change *c, bool outright,
                                        struct sluice_table_done *done,
                                        struct sluice_error *error) {
  *done = (struct sluice_table_done){
      .num_moves = plan->tables.num_moves, .inserted = SLUICE_NO_ID, .saved_id = SLUICE_NO_ID};
  struct sluice_placed_table *t = sluice_plan_table_named(plan, c->vid, c->table, error);
  struct sluice_stored e = {.table = 0};
  enum sluice_status status = SLUICE_OK;
  if (!t) return SLUICE_ERR_RANGE;
  done->table = t;
  e.table = (uint32_t)(t - plan->tables.list);
  if (c->op == SLUICE_TABLE_CLEAR) return clear(plan, t, outright, error);
  if (c->op != SLUICE_TABLE_DEFAULT) status = put_keys(t, c, &e, error);
  if (!status && c->op != SLUICE_TABLE_DELETE) status = put_action(t, c, &e, error);
  if (status) return status;
  if (c->op == SLUICE_TABLE_DEFAULT) return set_default(plan, t, &e, done, error);
  uint32_t id = sluice_parts_lookup(&plan->tables, &e);
  const bool there = id != SLUICE_NO_ID;
  if (there ? c->op == SLUICE_TABLE_ADD
            : c->op == SLUICE_TABLE_MODIFY || c->op == SLUICE_TABLE_DELETE) {
    char words[400];
    key_words(plan, t, c, words, sizeof words);
    return sluice_fail(error, there ? SLUICE_ERR_EXISTS : SLUICE_ERR_NOT_FOUND,
                       "table '%s' has %s entry for %s%s", t->table.name, there ? "an" : "no",
                       words, there ? " already" : "");
  }
  if (!there) return insert(plan, t, &e, outright, done, error);
  done->has_saved = true;
  done->saved_id = id;
  done->saved = plan->tables.entries[id];
  if (c->op == SLUICE_TABLE_DELETE) return sluice_tables_remove(&plan->tables, id, outright, error);
  struct sluice_error why = {""};
  status = sluice_tables_modify(&plan->tables, &id, e.action, e.data, outright, &why);
  if (!status) return SLUICE_OK;
  return sluice_fail(error, status, "table '%s': %.300s", t->table.name, why.text);
}

void sluice_plan_table_undo(struct sluice_plan *plan, const struct sluice_table_done *done) {
  if (done->default_of) {
    *done->default_of = done->default_was;
    done->table->own_default = done->own_default_was;
    if (done->default_added) plan->num_writes--;
    return;
  }
  sluice_tables_undo(&plan->tables, done->num_moves, done->inserted,
                     done->has_saved ? &done->saved : NULL, done->saved_id);
}

enum sluice_status sluice_plan_table_change(struct sluice_plan *plan,
                                            const struct sluice_table_change *changes, unsigned num,
                                            struct sluice_error *error) {
  struct sluice_plan next;
  struct sluice_table_done done;
  enum sluice_status status = SLUICE_OK;
  if (!sluice_plan_copy_into(&next, plan)) return sluice_no_memory(error);
  // Where packets may still need what was there, it stays until the chip has the plan.
  const bool outright = plan->config->Banks != 2;
  for (unsigned i = 0; i < num && !status; i++)
    status = sluice_plan_table_do(&next, &changes[i], outright, &done, error);
  if (status) {
    sluice_plan_release(&next);
    return status;
  }
  sluice_plan_release(plan);
  *plan = next;
  return SLUICE_OK;
}

bool sluice_plan_table_find_in(const struct sluice_plan *plan, uint32_t table,
                               const struct sluice_table_change *entry, uint32_t *id) {
  struct sluice_stored e = {.table = 0};
  if (put_keys(&plan->tables.list[table], entry, &e, NULL)) return false;
  e.table = table;
  *id = sluice_parts_lookup(&plan->tables, &e);
  return *id != SLUICE_NO_ID;
}

bool sluice_plan_table_find(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                            uint32_t *id) {
  const struct sluice_placed_table *t =
      sluice_plan_table_named(plan, entry->vid, entry->table, NULL);
  return t && sluice_plan_table_find_in(plan, (uint32_t)(t - plan->tables.list), entry, id);
}

bool sluice_plan_table_get(const struct sluice_plan *plan, struct sluice_table_change *entry) {
  uint32_t id;
  if (!sluice_plan_table_find(plan, entry, &id)) return false;
  const struct sluice_stored *e = &plan->tables.entries[id];
  sluice_plan_table_describe(&plan->tables.list[e->table], e, entry);
  return true;
}
