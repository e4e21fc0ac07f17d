// SPDX-License-Identifier: Apache-2.0
#include "carry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/table.h>

#include "../image/capability.h"

// ---- what becomes of it -------------------------------------------------------------------------

static struct sluice_carried *add(struct sluice_carry *carry, unsigned vid, const char *name) {
  struct sluice_carried *grown =
      realloc(carry->list, (carry->num + 1) * sizeof(struct sluice_carried));
  if (!grown) return NULL;
  carry->list = grown;
  struct sluice_carried *c = &grown[carry->num++];
  *c = (struct sluice_carried){.vid = vid};
  snprintf(c->name, sizeof c->name, "%s", name);
  return c;
}

// Where the array of this name is in a plan. `word`: 0 or 1; 2: it has rows.
static const struct sluice_segment *find(const struct sluice_plan *plan, unsigned row,
                                         const char *name, unsigned *word) {
  for (size_t i = 0; i < plan->num_segments; i++) {
    const struct sluice_segment *s = &plan->segments[i];
    if (s->row != row) continue;
    for (*word = 0; *word < 2; ++*word)
      if (s->name[*word][0] && strcmp(s->name[*word], name) == 0) return s;
    if (s->words && strcmp(s->rows, name) == 0) return s;
  }
  return NULL;
}

static void judge(struct sluice_carried *c, const struct sluice_plan *from,
                  const struct sluice_segment *old, bool rows, const struct sluice_plan *to,
                  const struct sluice_segment *new, unsigned word) {
  const unsigned words = new &&word == 2 ? new->words : 0;
  c->range = old->range;
  c->words = rows ? old->words : 0;
  c->fate = SLUICE_LOST;
  if (!new) c->why = "the new version has no such array";
  else if (new->range != old->range) c->why = "it has another size";
  else if (words != c->words) c->why = "its rows have another number of words";
  else if (new->load == old->load &&new->stage == old->stage) c->fate = SLUICE_STAYS;
  else if (sluice_stage_is_egress(from->config, old->stage) ||
           sluice_stage_is_egress(to->config, new->stage))
    c->why = "it moves, and is another one in each output lane";
  else c->fate = SLUICE_MOVES;
}

static bool look_at_arrays(struct sluice_carry *carry, const struct sluice_plan *from,
                           const struct sluice_plan *to, const struct sluice_placed *m,
                           unsigned row) {
  for (size_t i = 0; i < from->num_segments; i++) {
    const struct sluice_segment *s = &from->segments[i];
    const char *const names[] = {s->name[0], s->name[1], s->words ? s->rows : ""};
    for (unsigned n = 0; s->row == m->row && n < 3; n++) {
      unsigned word = 0;
      if (!names[n][0]) continue;
      const struct sluice_segment *new = find(to, row, names[n], &word);
      struct sluice_carried *c = add(carry, m->vid, names[n]);
      if (!c) return false;
      judge(c, from, s, n == 2, to, new, word);
    }
  }
  return true;
}

// Whether the new version has an entry with these keys.
static bool has_entry(const struct sluice_plan *to, unsigned vid, const char *table,
                      const struct sluice_table_change *entry) {
  struct sluice_table_change other;
  for (uint32_t at = 0; sluice_plan_table_entry(to, vid, table, &at, &other);) {
    bool same = other.priority == entry->priority;
    for (unsigned k = 0; same && k < SLUICE_TABLE_KEYS; k++)
      same = other.keys[k].value == entry->keys[k].value &&
             other.keys[k].mask == entry->keys[k].mask;
    if (same) return true;
  }
  return false;
}

// How many entries the program's text gives a table.
static unsigned constants(const struct sluice_image *image, const char *table) {
  unsigned num = 0;
  for (size_t i = 0; image && i < image->num_entries; i++)
    num += strcmp(image->tables[image->entries[i].table].name, table) == 0;
  return num;
}

// A table that loses entries which were added to it. Those of the program's text come and go with
// the text.
static bool look_at_tables(struct sluice_carry *carry, const struct sluice_plan *from,
                           const struct sluice_plan *to, unsigned vid,
                           const struct sluice_image *image) {
  struct sluice_table_desc d;
  for (unsigned n = 0; sluice_plan_table(from, vid, n, &d); n++) {
    struct sluice_table_change entry;
    unsigned lost = 0;
    for (uint32_t at = 0; sluice_plan_table_entry(from, vid, d.name, &at, &entry);)
      lost += !has_entry(to, vid, d.name, &entry);
    if (lost <= constants(image, d.name)) continue;
    struct sluice_carried *c = add(carry, vid, d.name);
    if (!c) return false;
    c->fate = SLUICE_LOST;
    c->why = "entries were added to this table, and the new version has no such one";
  }
  return true;
}

enum sluice_status sluice_carry_look(struct sluice_carry *carry, const struct sluice_plan *from,
                                     const struct sluice_plan *to, sluice_carry_image *image_of,
                                     void *user, struct sluice_error *error) {
  *carry = (struct sluice_carry){.num = 0};
  for (size_t i = 0; i < from->num_modules; i++) {
    const struct sluice_placed *m = &from->modules[i], *new = sluice_plan_find(to, m->vid);
    if (!new) continue;
    if (look_at_arrays(carry, from, to, m, new->row) &&
        look_at_tables(carry, from, to, m->vid, image_of ? image_of(user, m->vid) : NULL))
      continue;
    sluice_carry_release(carry);
    return sluice_no_memory(error);
  }
  for (unsigned n = 0; n < carry->num; n++) {
    carry->num_moves += carry->list[n].fate == SLUICE_MOVES;
    carry->num_lost += carry->list[n].fate == SLUICE_LOST;
  }
  return SLUICE_OK;
}

void sluice_carry_say(const struct sluice_carry *carry, char *text, size_t size) {
  const char *comma = "";
  size_t at = 0;
  if (size) *text = 0;
  for (unsigned n = 0; n < carry->num; n++) {
    const struct sluice_carried *c = &carry->list[n];
    if (c->fate != SLUICE_LOST) continue;
    const int len =
        snprintf(text + at, size - at, "%s'%s' of VLAN %u (%s)", comma, c->name, c->vid, c->why);
    at = len < 0 || (size_t)len >= size - at ? size - 1 : at + (size_t)len;
    comma = ", ";
  }
}

void sluice_carry_release(struct sluice_carry *carry) {
  for (unsigned n = 0; n < carry->num; n++) free(carry->list[n].values);
  free(carry->list);
  *carry = (struct sluice_carry){.num = 0};
}

// ---- there and back -----------------------------------------------------------------------------

enum sluice_status sluice_carry_take(struct sluice_carry *carry, struct sluice_chip *chip,
                                     struct sluice_error *error) {
  for (unsigned n = 0; n < carry->num; n++) {
    struct sluice_carried *c = &carry->list[n];
    if (c->fate != SLUICE_MOVES) continue;
    c->values = calloc((size_t)c->range * (c->words ? c->words : 1), sizeof *c->values);
    if (!c->values) return sluice_no_memory(error);
    SLUICE_TRY((c->words ? sluice_chip_rows_read : sluice_chip_state_read)(
        chip, c->vid, c->name, 0, c->range, c->values, error));
  }
  return SLUICE_OK;
}

static const struct sluice_carried *carried(const struct sluice_carry *carry, unsigned vid,
                                            const char *name) {
  for (unsigned n = 0; name[0] && n < carry->num; n++) {
    const struct sluice_carried *c = &carry->list[n];
    if (c->fate == SLUICE_MOVES && c->vid == vid && strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

// Rows that have been filled with 0 stay so.
static enum sluice_status give_rows(struct sluice_chip *chip, const struct sluice_carried *c,
                                    struct sluice_error *error) {
  for (unsigned i = 0; i < c->range; i++) {
    const uint32_t *row = c->values + (size_t)i * c->words;
    bool some = false;
    for (unsigned w = 0; w < c->words; w++) some |= row[w] != 0;
    if (some) SLUICE_TRY(sluice_chip_rows_write(chip, c->vid, c->name, i, 1, row, error));
  }
  return SLUICE_OK;
}

enum sluice_status sluice_carry_give(const struct sluice_carry *carry, struct sluice_chip *chip,
                                     struct sluice_error *error) {
  for (size_t i = 0; carry->num_moves && i < chip->plan->num_segments; i++) {
    const struct sluice_segment *s = &chip->plan->segments[i];
    const struct sluice_placed *m = NULL;
    for (size_t k = 0; k < chip->plan->num_modules; k++)
      if (chip->plan->modules[k].row == s->row) m = &chip->plan->modules[k];
    if (!m) continue;
    const struct sluice_carried *words[2] = {carried(carry, m->vid, s->name[0]),
                                             carried(carry, m->vid, s->name[1])},
                                *rows = carried(carry, m->vid, s->words ? s->rows : "");
    if (words[0] || words[1])
      SLUICE_TRY(chip_state_put(chip, s, words[0] ? words[0]->values : NULL,
                                words[1] ? words[1]->values : NULL, error));
    if (rows) SLUICE_TRY(give_rows(chip, rows, error));
  }
  return SLUICE_OK;
}
