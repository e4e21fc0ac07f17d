// SPDX-License-Identifier: Apache-2.0
#include "counters.h"

#include <stdlib.h>
#include <string.h>

#include "../driver/image/image_tables.h"

static const struct sluice_image_table *table_of(const struct sluice_image *image,
                                                 const char *name) {
  for (size_t t = 0; t < image->num_tables; t++)
    if (strcmp(image->tables[t].name, name) == 0) return &image->tables[t];
  return NULL;
}

// ---- in the C file ------------------------------------------------------------------------------

// A key is called as its field: "p.src" is "src".
static void member_of(char out[SLUICE_NAME_LEN], const struct sluice_image_key *key) {
  const char *dot = strrchr(key->name, '.');
  reaction_c_name(out, dot ? dot + 1 : key->name);
}

static void put_struct(FILE *out, const struct sluice_image_table *t) {
  char name[SLUICE_NAME_LEN];
  fprintf(out, "enum %s_action {", t->name);
  for (unsigned a = 0; a < t->num_actions; a++)
    fprintf(out, "%s %s_action_%s", a ? "," : "", t->name, t->actions[a].name);
  fprintf(out, " };\nstruct %s_entry {\n", t->name);
  for (unsigned k = 0; k < t->num_keys; k++) {
    const struct sluice_image_key *key = &t->keys[k];
    member_of(name, key);
    fprintf(out, "  int64_t %s;\n", name);
    if (key->kind == SLUICE_KEY_LPM) fprintf(out, "  uint32_t %s_length;\n", name);
    if (key->kind == SLUICE_KEY_TERNARY) fprintf(out, "  int64_t %s_mask;\n", name);
  }
  if (sluice_table_has_priority(t)) fprintf(out, "  uint32_t priority;\n");
  fprintf(out, "  enum %s_action action;\n  int64_t packets, bytes, all_packets, all_bytes;\n};\n",
          t->name);
}

static void put_value(FILE *out, const char *member, const char *behind, const char *cast,
                      unsigned place) {
  fprintf(out, "    sluice_to[sluice_i].%s%s = %ssluice_value(sluice_at, %u);\n", member, behind,
          cast, place);
}

static void put_take(FILE *out, const struct sluice_image_table *t, unsigned size) {
  char name[SLUICE_NAME_LEN];
  fprintf(
      out,
      "static inline void sluice_take_%s(struct %s_entry *sluice_to, const int32_t *sluice_words) "
      "{\n"
      "  memset(sluice_to, 0, %u * sizeof *sluice_to);\n"
      "  for (int32_t sluice_i = 0; sluice_i < sluice_words[0] && sluice_i < %u; sluice_i++) {\n"
      "    const int32_t *sluice_at = sluice_words + 1 + sluice_i * %u;\n",
      t->name, t->name, size, size, 2 * (SLUICE_COUNTER_VALUES + 2 * t->num_keys));
  for (unsigned k = 0; k < t->num_keys; k++) {
    const unsigned place = REACTION_COUNTER_KEYS + 2 * k;
    member_of(name, &t->keys[k]);
    put_value(out, name, "", "", place);
    if (t->keys[k].kind == SLUICE_KEY_LPM) put_value(out, name, "_length", "(uint32_t)", place + 1);
    if (t->keys[k].kind == SLUICE_KEY_TERNARY) put_value(out, name, "_mask", "", place + 1);
  }
  if (sluice_table_has_priority(t))
    put_value(out, "priority", "", "(uint32_t)", REACTION_COUNTER_PRIORITY);
  fprintf(out, "    sluice_to[sluice_i].action = (enum %s_action)sluice_value(sluice_at, %d);\n",
          t->name, REACTION_COUNTER_ACTION);
  put_value(out, "packets", "", "", REACTION_COUNTER_PACKETS);
  put_value(out, "bytes", "", "", REACTION_COUNTER_BYTES);
  put_value(out, "all_packets", "", "", REACTION_COUNTER_ALL_PACKETS);
  put_value(out, "all_bytes", "", "", REACTION_COUNTER_ALL_BYTES);
  fprintf(out, "  }\n}\n");
}

static const struct sluice_reaction_arg *counters_of(const struct sluice_image *image,
                                                     const char *table) {
  for (size_t i = 0; i < image->num_reactions; i++)
    for (unsigned n = 0; n < image->reactions[i].num_args; n++) {
      const struct sluice_reaction_arg *a = &image->reactions[i].args[n];
      if (a->is_counters && strcmp(a->name, table) == 0) return a;
    }
  return NULL;
}

void reaction_put_counters(FILE *out, const struct sluice_image *image) {
  bool some = false;
  for (size_t i = 0; i < image->num_tables; i++) {
    const struct sluice_image_table *t = &image->tables[i];
    const struct sluice_reaction_arg *a = counters_of(image, t->name);
    if (!a || t->part.number) continue;
    if (!some)
      fprintf(out, "\nstatic inline int64_t sluice_value(const int32_t *words, unsigned place) {\n"
                   "  return (int64_t)((uint64_t)(uint32_t)words[2 * place + 1] << 32 | "
                   "(uint32_t)words[2 * place]);\n"
                   "}\n");
    some = true;
    put_struct(out, t);
    put_take(out, t, a->num);
  }
}

// ---- reading ------------------------------------------------------------------------------------

static void take_list(struct reaction_count_list *to, struct reaction_count_list *from) {
  free(to->list);
  *to = *from;
  *from = (struct reaction_count_list){NULL, 0};
}

void reaction_counted_ran(struct reaction_counted *counted) {
  for (unsigned n = 0; n < SLUICE_MAX_REACTION_ARGS; n++)
    if (counted->next[n].list) take_list(&counted->before[n], &counted->next[n]);
}

void reaction_counted_release(struct reaction_counted *counted) {
  struct reaction_count_list nothing = {NULL, 0};
  for (unsigned n = 0; n < SLUICE_MAX_REACTION_ARGS; n++) {
    take_list(&counted->before[n], &nothing);
    take_list(&counted->next[n], &nothing);
  }
}

static int by_serial(const void *a, const void *b) {
  const uint64_t x = ((const struct sluice_table_total *)a)->serial,
                 y = ((const struct sluice_table_total *)b)->serial;
  return x < y ? -1 : x > y;
}

static void put_words(int32_t *at, unsigned place, uint64_t value) {
  at[2 * place] = (int32_t)(uint32_t)value;
  at[2 * place + 1] = (int32_t)(uint32_t)(value >> 32);
}

static unsigned ones(uint64_t mask) {
  unsigned num = 0;
  for (; mask; mask &= mask - 1) num++;
  return num;
}

static bool put_entry(int32_t *at, const struct sluice_image_table *t,
                      const struct sluice_table_change *entry,
                      const struct sluice_table_total *total,
                      const struct sluice_table_total *before) {
  unsigned action = 0;
  while (action < t->num_actions && strcmp(t->actions[action].name, entry->action) != 0) action++;
  put_words(at, REACTION_COUNTER_ACTION, action);
  put_words(at, REACTION_COUNTER_PRIORITY, entry->priority);
  put_words(at, REACTION_COUNTER_PACKETS, total->packets - (before ? before->packets : 0));
  put_words(at, REACTION_COUNTER_BYTES, total->bytes - (before ? before->bytes : 0));
  put_words(at, REACTION_COUNTER_ALL_PACKETS, total->packets);
  put_words(at, REACTION_COUNTER_ALL_BYTES, total->bytes);
  for (unsigned k = 0; k < t->num_keys; k++) {
    const struct sluice_table_match *key = &entry->keys[k];
    const bool prefix = t->keys[k].kind == SLUICE_KEY_LPM;
    put_words(at, REACTION_COUNTER_KEYS + 2 * k, key->value);
    put_words(at, REACTION_COUNTER_KEYS + 2 * k + 1, prefix ? ones(key->mask) : key->mask);
  }
  return action < t->num_actions;
}

enum sluice_status reaction_read_counters(struct sluice_chip *chip, unsigned vid,
                                          const struct sluice_image *image,
                                          const struct sluice_reaction *r, unsigned n,
                                          struct reaction_counted *counted, int32_t *words,
                                          struct sluice_error *error) {
  const struct sluice_reaction_arg *a = &r->args[n];
  const struct sluice_image_table *t = table_of(image, a->name);
  const struct sluice_plan *plan = sluice_chip_plan(chip);
  const struct reaction_count_list *last = &counted->before[n];
  struct sluice_table_change entry;
  unsigned num = 0, i = 0;
  bool good = t != NULL;
  memset(words, 0, sluice_reaction_arg_words(a) * sizeof *words);
  struct sluice_table_total *now = calloc((size_t)a->num + 1, sizeof *now);
  if (!now) return sluice_no_memory(error);
  enum sluice_status status =
      sluice_chip_table_totals(chip, vid, a->name, now, a->num + 1, &num, error);
  for (uint32_t place = 0;
       !status && good && i < num && sluice_plan_table_entry(plan, vid, a->name, &place, &entry);
       i++) {
    const struct sluice_table_total *before =
        last->num ? bsearch(&now[i], last->list, last->num, sizeof *now, by_serial) : NULL;
    good = i < a->num && put_entry(words + 1 + i * 2 * (SLUICE_COUNTER_VALUES + 2 * a->num_keys), t,
                                   &entry, &now[i], before);
  }
  if (!status && !good)
    status = sluice_fail(error, SLUICE_ERR_DIFFERS,
                         "table '%s' of VLAN %u is not that of program '%s'", a->name, vid,
                         image->program);
  if (status) {
    free(now);
    return status;
  }
  words[0] = (int32_t)i;
  qsort(now, num, sizeof *now, by_serial);
  take_list(&counted->next[n], &(struct reaction_count_list){now, num});
  return SLUICE_OK;
}

static bool same_keys(const struct sluice_image_table *t, const struct sluice_plan *plan,
                      unsigned vid) {
  struct sluice_table_key_info key;
  unsigned n = 0;
  for (; sluice_plan_table_key(plan, vid, t->name, n, &key); n++)
    if (n >= t->num_keys || strcmp(key.name, t->keys[n].name) != 0 ||
        (unsigned)key.kind != (unsigned)t->keys[n].kind ||
        key.bits != sluice_key_width(&t->keys[n]))
      return false;
  return n == t->num_keys;
}

static bool same_actions(const struct sluice_image_table *t, const struct sluice_plan *plan,
                         unsigned vid) {
  struct sluice_table_action_info action;
  unsigned n = 0;
  for (; sluice_plan_table_action(plan, vid, t->name, n, &action); n++)
    if (n >= t->num_actions || strcmp(action.name, t->actions[n].name) != 0) return false;
  return n == t->num_actions;
}

enum sluice_status reaction_check_counters(const struct sluice_image *image,
                                           const struct sluice_plan *plan, unsigned vid,
                                           const struct sluice_reaction_arg *a,
                                           struct sluice_error *error) {
  const struct sluice_image_table *t = table_of(image, a->name);
  struct sluice_table_desc there;
  unsigned n = 0;
  while (sluice_plan_table(plan, vid, n, &there) && strcmp(there.name, a->name) != 0) n++;
  if (t && sluice_plan_table(plan, vid, n, &there) && there.size == a->num &&
      same_keys(t, plan, vid) && same_actions(t, plan, vid))
    return SLUICE_OK;
  return sluice_fail(
      error, SLUICE_ERR_DIFFERS,
      "the module of VLAN %u has no table '%s' with the size, keys and actions of program '%s'",
      vid, a->name, image->program);
}
