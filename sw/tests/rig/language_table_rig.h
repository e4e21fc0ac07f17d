// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/table.h>

#include "tests/rig/domino_rig.h"

/// Programs with tables: drawn entries go to the interpreter, and by the driver's plan to the
/// reference model.
enum { TABLES_DRAWN = 12, TABLES_DRAWN_LARGE = 48, TABLES_MOST_ENTRIES = 64, TABLES_MOST = 4 };
static struct tables {
  struct sluice_rng rng;
  // What both have, of the program's tables in their order.
  struct sluice_interpreter_entry entry[TABLES_MOST][TABLES_MOST_ENTRIES];
  unsigned num[TABLES_MOST];
  bool large;  // more entries than an engine of `tables` holds, prefixes of few lengths
  // Faults, by which tests see that they would be found: 0 none.
  enum tables_fault { NO_FAULT, ROW_FAULT, HIT_FAULT, DATA_FAULT } fault;
} tables;

/// The table of the image that the program calls so; NULL: nobody uses its results.
static inline const struct sluice_image_table *tables_of(const struct rig *r, const char *name) {
  for (size_t i = 0; i < r->image.num_tables; i++)
    if (strcmp(r->image.tables[i].name, name) == 0) return &r->image.tables[i];
  return NULL;
}

static inline bool tables_has_priority(const struct table *t) {
  bool ternary = false, prefix = false;
  for (unsigned i = 0; i < t->num_keys; i++) {
    ternary |= t->key[i].kind == SLUICE_KEY_TERNARY;
    prefix |= t->key[i].kind == SLUICE_KEY_LPM;
  }
  return ternary && !prefix;
}

/// The constant entries of the text, which interpreter and loader have by themselves.
static inline void tables_constant(const struct rig *r, size_t number) {
  const struct table *p = r->program->table[number];
  const struct sluice_image_table *t = tables_of(r, p->name);
  for (size_t i = 0; t && i < r->image.num_entries; i++) {
    const struct sluice_image_entry *from = &r->image.entries[i];
    struct sluice_interpreter_entry e = {.priority = from->priority};
    if (&r->image.tables[from->table] != t) continue;
    for (unsigned k = 0; k < t->num_keys; k++) {
      const struct sluice_image_key *at = &t->keys[k];
      e.key[k] = sluice_entry_get(from->key, SLUICE_KEY_BITS, at->msb, at->lsb);
      e.care[k] = sluice_entry_get(from->care, SLUICE_KEY_BITS, at->msb, at->lsb);
    }
    tables.entry[number][tables.num[number]++] = e;
  }
}

/// One entry, drawn so that several match the same packets.
static inline struct sluice_interpreter_entry tables_draw(const struct table *t) {
  struct sluice_rng *rng = &tables.rng;
  struct sluice_interpreter_entry e = {0};
  if (tables_has_priority(t)) e.priority = (uint32_t)sluice_rng_below(rng, 4);
  do e.action = (unsigned)sluice_rng_below(rng, t->num_actions);
  while (t->action[e.action].only_default);
  for (unsigned i = 0; i < t->num_keys; i++) {
    const uint64_t all = (UINT64_C(1) << t->key[i].width) - 1;
    unsigned len = (unsigned)sluice_rng_below(rng, t->key[i].width + 1);
    if (tables.large && sluice_rng_below(rng, 2)) len &= ~7u;
    e.key[i] = sluice_rng_below(rng, 3) ? sluice_rng_below(rng, 4) : sluice_rng_next(rng) & all;
    e.care[i] = t->key[i].kind == SLUICE_KEY_EXACT ? all
                : t->key[i].kind == SLUICE_KEY_LPM ? all & ~(all >> len)
                : sluice_rng_below(rng, 3) ? sluice_rng_next(rng) & sluice_rng_next(rng) & all
                                           : all;
    e.key[i] &= e.care[i];
    if (t->key[i].kind == SLUICE_KEY_LPM) e.priority = t->key[i].width - len;
  }
  for (unsigned i = 0; i < t->action[e.action].num_args; i++)
    e.arg[i] = sluice_rng_next(rng) >> (64 - t->action[e.action].arg[i].width);
  return e;
}

static inline bool tables_has(size_t number, const struct sluice_interpreter_entry *e) {
  for (unsigned i = 0; i < tables.num[number]; i++) {
    const struct sluice_interpreter_entry *o = &tables.entry[number][i];
    if (o->priority == e->priority && memcmp(o->key, e->key, sizeof e->key) == 0 &&
        memcmp(o->care, e->care, sizeof e->care) == 0)
      return true;
  }
  return false;
}

/// Arguments that are output ports become some of the chip: the plan refuses others.
static inline void tables_bound(const struct sluice_image_table *t,
                                struct sluice_interpreter_entry *e) {
  const struct sluice_image_action *a = t ? &t->actions[e->action] : NULL;
  for (unsigned i = 0; a && i < a->num_args; i++)
    if (a->args[i].most) e->arg[i] %= (uint64_t)a->args[i].most + 1;
}

/// An entry for both. What is there already the plan must refuse; what finds no place nobody has.
static inline bool tables_both(struct rig *r, struct sluice_plan *plan, size_t number) {
  const struct table *p = r->program->table[number];
  struct sluice_interpreter_entry e = tables_draw(p);
  tables_bound(tables_of(r, p->name), &e);
  struct sluice_table_change add = {.op = SLUICE_TABLE_ADD,
                                    .vid = RIG_VID,
                                    .table = p->name,
                                    .priority = tables_has_priority(p) ? e.priority : 0,
                                    .action = p->action[e.action].name};
  struct sluice_error error = {""};
  enum sluice_status status = SLUICE_OK;
  for (unsigned i = 0; i < p->num_keys; i++)
    add.keys[i] = (struct sluice_table_match){e.key[i], e.care[i]};
  memcpy(add.args, e.arg, sizeof add.args);
  const bool twice = tables_has(number, &e);
  if (tables_of(r, p->name)) status = sluice_plan_table_change(plan, &add, 1, &error);
  if (twice || status == SLUICE_ERR_FULL)
    return status == SLUICE_ERR_FULL || status == SLUICE_ERR_EXISTS || !tables_of(r, p->name);
  if (status) {
    snprintf(r->why, sizeof r->why, "the plan refused an entry: %.300s", error.text);
    return false;
  }
  tables.entry[number][tables.num[number]++] = e;
  return sluice_interpreter_add(r->interpreter, number, &e);
}

/// What a faulty driver would send.
static inline void tables_break(const struct rig *r, struct sluice_plan *plan) {
  for (size_t i = 0; i < plan->tables.num_entries; i++) {
    struct sluice_stored *e = &plan->tables.entries[i];
    uint8_t word[4];
    if (tables.fault == ROW_FAULT) {
      const uint32_t *rows = plan->tables.list[e->table].rows[e->variant];
      e->row = rows[e->action ? e->action - 1 : e->action + 1];
    }
    if (tables.fault == DATA_FAULT) {
      memcpy(word, e->data, 4);
      memcpy(e->data, e->data + 4, 4);
      memcpy(e->data + 4, word, 4);
    }
  }
  for (size_t i = 0; tables.fault == HIT_FAULT && i < plan->num_writes; i++)
    if (plan->writes[i].table == SLUICE_TABLE_DEFAULT_ACTION)
      SLUICE_SET(plan->writes[i].bytes, DEFAULT_ACTION, ACTION,
                 sluice_plan_row(plan, RIG_VID % r->config->NumModules, plan->writes[i].stage, 0));
}

/// For rig_prepare_plan.
static inline bool tables_fill(struct rig *r, struct sluice_plan *plan) {
  bool good = true;
  memset(tables.num, 0, sizeof tables.num);
  for (size_t i = 0; i < r->program->num_tables; i++) {
    tables_constant(r, i);
    const unsigned num = tables.large ? TABLES_DRAWN_LARGE : TABLES_DRAWN;
    for (unsigned n = 0; n < num && good; n++) good = tables_both(r, plan, i);
  }
  tables_break(r, plan);
  return good;
}

/// For rig.prepare: packets whose keys are mostly those of entries.
static inline void tables_aim(struct rig *r, uint8_t *bytes, unsigned len, struct sluice_rng *rng) {
  for (size_t i = 0; i < r->program->num_tables; i++) {
    const struct table *p = r->program->table[i];
    if (!tables.num[i] || sluice_rng_below(rng, 5) == 0) continue;
    const struct sluice_interpreter_entry *e =
        &tables.entry[i][sluice_rng_below(rng, tables.num[i])];
    for (unsigned k = 0; k < p->num_keys; k++) {
      const struct sluice_program_field *f = sluice_program_field(r->program, p->key[k].field);
      if (f->home != SLUICE_HOME_BYTES) continue;
      const uint64_t value = (sluice_rng_next(rng) & ~e->care[k]) | e->key[k];
      rig_put_whole(bytes, len, f, (int32_t)(uint32_t)value, (uint16_t)(value >> 32));
    }
  }
}
