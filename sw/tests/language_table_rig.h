// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_LANGUAGE_TABLE_RIG_H
#define SLUICE_TESTS_LANGUAGE_TABLE_RIG_H

#include "base/cuckoo.h"
#include "domino_rig.h"
#include "frames.h"

/// Programs with tables in the reference model. The driver's loader places all of an image but what
/// belongs to tables; this file does that by hand, so that the compiler's part is tested alone:
/// action rows go behind the match rows, entries where the engine looks for them.
enum { TABLES_MOST_ENTRIES = 64, TABLES_MOST = 4 };
struct tables {
  struct sluice_write *rows;  // of table stages, taken out of the image
  size_t num_rows;
  struct sluice_image_entry entry[TABLES_MOST][TABLES_MOST_ENTRIES];
  unsigned num[TABLES_MOST];
  bool taken[TABLES_MOST][1024];  // cuckoo entries
  // Faults, by which tests see that they would be found: 0 none.
  enum tables_fault { NO_FAULT, ROW_FAULT, HIT_FAULT, DATA_FAULT } fault;
};
static struct tables tables;

static inline bool tables_stage(const struct sluice_image *image, unsigned stage) {
  for (size_t i = 0; i < image->num_tables; i++)
    if (image->tables[i].stage == stage) return true;
  return false;
}

static inline bool tables_own(const struct sluice_image *image, const struct sluice_write *w) {
  return w->table == SLUICE_TABLE_DEFAULT_ACTION ||
         ((w->table == SLUICE_TABLE_ACTION || w->table == SLUICE_TABLE_STATE_INSTR ||
           w->table == SLUICE_TABLE_MULTIPLY) &&
          tables_stage(image, w->stage));
}

/// Takes what belongs to tables out of the list of writes. For rig_prepare_image.
static inline void tables_take(struct rig *r) {
  struct sluice_image *image = &r->image;
  size_t kept = 0;
  free(tables.rows);
  tables.rows = calloc(image->num_writes + 1, sizeof *tables.rows);
  tables.num_rows = 0;
  for (size_t i = 0; i < image->num_writes; i++)
    if (tables_own(image, &image->writes[i]))
      tables.rows[tables.num_rows++] = image->writes[i];
    else
      image->writes[kept++] = image->writes[i];
  image->num_writes = kept;
  image->num_relocations = 0;  // malleables keep what they have
  memset(tables.num, 0, sizeof tables.num);
  memset(tables.taken, 0, sizeof tables.taken);
}

static inline bool tables_put(struct rig *r, enum sluice_table table, unsigned stage,
                              unsigned index, const struct entry *e) {
  uint8_t frame[64 + 8 * 128];
  const struct control c = {.table = table, .stage = stage, .index = index};
  return sluice_model_control(r->model, frame, control_frame(frame, c, e, 1), NULL);
}

static inline struct entry tables_entry(const uint8_t *bytes, unsigned bits) {
  struct entry e = {{0}};
  memcpy(e.bytes, bytes, (bits + 7) / 8);
  return e;
}

/// Action rows and default actions.
static inline bool tables_rows(struct rig *r) {
  const unsigned base = r->config->MatchEntries;
  bool good = true;
  for (size_t i = 0; i < tables.num_rows; i++) {
    const struct sluice_write *w = &tables.rows[i];
    struct entry e = tables_entry(w->bytes, sluice_tables[w->table].bits);
    unsigned index = base + w->index;
    if (w->table == SLUICE_TABLE_DEFAULT_ACTION) {
      unsigned row = (unsigned)SLUICE_GET(w->bytes, DEFAULT_ACTION, ACTION);
      if (tables.fault == HIT_FAULT) row = 0;
      SET(&e, DEFAULT_ACTION, ACTION, base + row);
      index = RIG_VID % r->config->NumModules;
    }
    good &= tables_put(r, w->table, w->stage, index, &e);
  }
  return good;
}

static inline struct entry tables_ternary(const struct sluice_image_entry *e, unsigned row) {
  struct entry made = {{0}};
  SET(&made, TERNARY, VALID, 1);
  SET(&made, TERNARY, ACTION, row);
  SET(&made, TERNARY, VID, RIG_VID);
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit++) {
    entry_set(&made, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + bit,
              SLUICE_TERNARY_KEY_LSB + bit, sluice_entry_get(e->key, SLUICE_KEY_BITS, bit, bit));
    entry_set(&made, SLUICE_TERNARY_BITS, SLUICE_TERNARY_CARE_LSB + bit,
              SLUICE_TERNARY_CARE_LSB + bit, sluice_entry_get(e->care, SLUICE_KEY_BITS, bit, bit));
  }
  for (unsigned w = 0; w < 4; w++)
    entry_set(&made, SLUICE_TERNARY_BITS, 32 * w + 31, 32 * w,
              sluice_entry_get(e->data, SLUICE_MATCH_DATA_BITS, 32 * w + 31, 32 * w));
  return made;
}

static inline struct entry tables_cuckoo(const struct sluice_image_entry *e, unsigned row) {
  struct entry made = {{0}};
  SET(&made, CUCKOO, VALID, 1);
  SET(&made, CUCKOO, ACTION, row);
  SET(&made, CUCKOO, VID, RIG_VID);
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit++)
    entry_set(&made, SLUICE_CUCKOO_BITS, SLUICE_CUCKOO_KEY_LSB + bit, SLUICE_CUCKOO_KEY_LSB + bit,
              sluice_entry_get(e->key, SLUICE_KEY_BITS, bit, bit));
  for (unsigned w = 0; w < 4; w++)
    entry_set(&made, SLUICE_CUCKOO_BITS, 32 * w + 31, 32 * w,
              sluice_entry_get(e->data, SLUICE_MATCH_DATA_BITS, 32 * w + 31, 32 * w));
  return made;
}

/// The row of an entry, with the fault that a test asks for.
static inline unsigned tables_row(const struct rig *r, size_t table, unsigned action) {
  const struct sluice_image_table *t = &r->image.tables[table];
  unsigned row = t->actions[action].row;
  if (tables.fault == ROW_FAULT) row = row ? row - 1 : 1;
  return r->config->MatchEntries + row;
}

/// An entry more in the model; *full: it finds no place.
static inline bool tables_add(struct rig *r, size_t table, const struct sluice_image_entry *wanted,
                              bool *full) {
  const struct sluice_image_table *t = &r->image.tables[table];
  struct sluice_image_entry given = *wanted;
  *full = false;
  if (tables.fault == DATA_FAULT) {
    memcpy(given.data, wanted->data + 4, 4);
    memcpy(given.data + 4, wanted->data, 4);
  }
  if (t->engine == SLUICE_ENGINE_CUCKOO) {
    uint64_t key[SLUICE_CUCKOO_KEY_WORDS] = {0};
    for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit++)
      key[bit / 64] |= sluice_entry_get(given.key, SLUICE_KEY_BITS, bit, bit) << bit % 64;
    const uint64_t hash = sluice_cuckoo_hash(RIG_VID, key);
    for (unsigned way = 0; way < 4; way++) {
      const unsigned at = sluice_cuckoo_entry(hash, way, r->config->CuckooEntries);
      if (tables.taken[table][at]) continue;
      tables.taken[table][at] = true;
      tables.entry[table][tables.num[table]++] = given;
      const struct entry e = tables_cuckoo(&given, tables_row(r, table, given.action));
      return tables_put(r, SLUICE_TABLE_CUCKOO, t->stage, at, &e);
    }
    *full = true;
    return true;
  }
  // Behind those that win over it; the others make place.
  struct sluice_image_entry *list = tables.entry[table];
  unsigned at = tables.num[table]++;
  for (; at && list[at - 1].priority > given.priority; at--) list[at] = list[at - 1];
  list[at] = given;
  bool good = true;
  for (unsigned i = 0; i < tables.num[table]; i++) {
    const struct entry e = tables_ternary(&list[i], tables_row(r, table, list[i].action));
    good &= tables_put(r, SLUICE_TABLE_TERNARY, t->stage, i, &e);
  }
  return good;
}

/// What the image brings of its tables.
static inline bool tables_load(struct rig *r) {
  bool full, good = tables_rows(r);
  for (size_t i = 0; i < r->image.num_entries && good; i++)
    good = tables_add(r, r->image.entries[i].table, &r->image.entries[i], &full);
  if (!good) snprintf(r->why, sizeof r->why, "the model refused an entry of a table");
  return good;
}

/// The table of the image that the program calls so; num_tables: it is not there.
static inline size_t tables_find(const struct rig *r, const char *name) {
  size_t i = 0;
  while (i < r->image.num_tables && strcmp(r->image.tables[i].name, name) != 0) i++;
  return i;
}

/// An entry for both. Two of one key are not for a cuckoo engine, which has no order: the second is
/// left.
static inline bool tables_both(struct rig *r, size_t number,
                               const struct sluice_interpreter_entry *e) {
  const struct sluice_program_table p = sluice_program_table(r->program, number);
  const size_t table = tables_find(r, p.name);
  struct sluice_image_entry made = {
      .table = (unsigned)table, .action = e->action, .priority = e->priority};
  bool full = false;
  if (table < r->image.num_tables) {
    const struct sluice_image_table *t = &r->image.tables[table];
    if (tables.num[table] == TABLES_MOST_ENTRIES) return true;
    for (unsigned i = 0; i < t->num_keys; i++) {
      sluice_entry_set(made.key, SLUICE_KEY_BITS, t->keys[i].msb, t->keys[i].lsb, e->key[i]);
      sluice_entry_set(made.care, SLUICE_KEY_BITS, t->keys[i].msb, t->keys[i].lsb, e->care[i]);
    }
    const struct sluice_image_action *a = &t->actions[e->action];
    for (unsigned i = 0; i < a->num_args; i++)
      sluice_entry_set(made.data, SLUICE_MATCH_DATA_BITS, a->args[i].msb, a->args[i].lsb,
                       e->arg[i]);
    for (unsigned i = 0; i < tables.num[table] && t->engine == SLUICE_ENGINE_CUCKOO; i++)
      if (memcmp(tables.entry[table][i].key, made.key, sizeof made.key) == 0) return true;
    if (!tables_add(r, table, &made, &full)) return false;
  }
  return full || sluice_interpreter_add(r->interpreter, number, e);
}

#endif
