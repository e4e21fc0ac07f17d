// SPDX-License-Identifier: Apache-2.0
// Entries of a P4 program for the chip, in the form of the tutorials' runtime.json. Names are those
// of P4 (MyIngress.ipv4_lpm, hdr.ipv4.dstAddr); in the image they are their last parts, with `_`
// for what no name of the compiler may have. The interpreter reads the same files by itself
// (p4run/runtime.c).
#include "entries.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../driver/image/image_tables.h"

struct load {
  struct sluice_image *image;
  struct sluice_plan *plan;
  unsigned vid;
  const struct sluice_image_table *table;  // of the entry at work
  char words[SLUICE_TABLE_WORDS][SLUICE_NAME_LEN + 160];
  unsigned num;
  struct sluice_error *error;
};

// ---- names --------------------------------------------------------------------------------------

// Whether a name of P4, or what stands behind one of its dots, is this one of the image.
static bool is_named(const char *image, const char *p4, bool whole) {
  for (; p4; p4 = whole || !strchr(p4, '.') ? NULL : strchr(p4, '.') + 1) {
    const size_t len = strlen(p4);
    size_t i = 0;
    while (i < len && i < P4C_NAME && image[i] == p4c_letter(p4[i])) i++;
    if ((i == len || i == P4C_NAME) && !image[i]) return true;
  }
  return false;
}

static const struct sluice_image_table *find_table(const struct sluice_image *image,
                                                   const char *name) {
  for (size_t i = 0; name && i < image->num_tables; i++)
    if (is_named(image->tables[i].name, name, false)) return &image->tables[i];
  return NULL;
}

static const struct sluice_image_key *find_key(const struct sluice_image_table *t,
                                               const char *name) {
  for (unsigned k = 0; k < t->num_keys; k++) {
    const char *dot = strchr(t->keys[k].name, '.');
    if (is_named(dot ? dot + 1 : t->keys[k].name, name, true)) return &t->keys[k];
  }
  return NULL;
}

static const struct sluice_image_action *find_action(const struct sluice_image_table *t,
                                                     const char *name) {
  for (unsigned a = 0; name && a < t->num_actions; a++)
    if (is_named(t->actions[a].name, name, false)) return &t->actions[a];
  return NULL;
}

// ---- values -------------------------------------------------------------------------------------

static enum sluice_status wrong(struct load *l, const char *what, const char *name) {
  return sluice_fail(l->error, SLUICE_ERR_FORMAT, "%s '%.80s'", what, name ? name : "");
}

// A number, a truth value, or text that is a number or an address.
static bool value_text(const json_t *v, char *text, size_t size) {
  if (json_is_integer(v) && json_integer_value(v) >= 0)
    snprintf(text, size, "%lld", (long long)json_integer_value(v));
  else if (json_is_boolean(v)) snprintf(text, size, "%d", json_is_true(v));
  else if (json_is_string(v) && strlen(json_string_value(v)) < size)
    snprintf(text, size, "%s", json_string_value(v));
  else return false;
  return true;
}

static char *new_word(struct load *l) {
  return l->num < SLUICE_TABLE_WORDS ? l->words[l->num++] : NULL;
}

// v, [v], [v, prefix length] or [v, mask], as the kind of the key says.
static enum sluice_status key_word(struct load *l, const char *name, const json_t *v) {
  const struct sluice_image_key *key = find_key(l->table, name);
  const json_t *second = json_is_array(v) ? json_array_get(v, 1) : NULL;
  char first[64], other[64] = "";
  char *word = key ? new_word(l) : NULL;
  if (!word) return wrong(l, "the table has no key", name);
  if (!value_text(json_is_array(v) ? json_array_get(v, 0) : v, first, sizeof first) ||
      (second && !value_text(second, other, sizeof other)))
    return wrong(l, "no value and no pair of values for key", name);
  const char *between = !second ? "" : key->kind == SLUICE_KEY_LPM ? "/" : "&&&";
  snprintf(word, sizeof l->words[0], "%s=%s%s%s", key->name, first, between, other);
  return SLUICE_OK;
}

// Keys that are not given fit anything, as in P4Runtime.
static enum sluice_status key_words(struct load *l, const json_t *match) {
  const char *name;
  json_t *v;
  bool given[SLUICE_MAX_KEYS] = {false};
  enum sluice_status status = SLUICE_OK;
  json_object_foreach((json_t *)match, name, v) {
    status = key_word(l, name, v);
    if (status) return status;
    given[find_key(l->table, name) - l->table->keys] = true;
  }
  for (unsigned k = 0; k < l->table->num_keys; k++) {
    char *word = given[k] ? NULL : new_word(l);
    if (word) snprintf(word, sizeof l->words[0], "%s=_", l->table->keys[k].name);
  }
  return status;
}

static enum sluice_status action_words(struct load *l, const json_t *e) {
  const char *name = json_string_value(json_object_get(e, "action_name")), *param;
  const struct sluice_image_action *action = find_action(l->table, name);
  char *word = action ? new_word(l) : NULL, value[64];
  json_t *v;
  if (!word) return wrong(l, "the table has no action", name);
  snprintf(word, sizeof l->words[0], "%s", action->name);
  json_object_foreach(json_object_get(e, "action_params"), param, v) {
    word = new_word(l);
    if (!word || !value_text(v, value, sizeof value))
      return wrong(l, "no value of parameter", param);
    snprintf(word, sizeof l->words[0], "%.*s=%s", P4C_NAME, param, value);
    for (char *c = word; *c && *c != '='; c++) *c = p4c_letter(*c);
  }
  return SLUICE_OK;
}

// ---- entries ------------------------------------------------------------------------------------

// The larger priority of P4Runtime wins, and the smaller one of the chip.
static enum sluice_status priority_word(struct load *l, const json_t *e) {
  const json_t *priority = json_object_get(e, "priority");
  char *word = sluice_table_has_priority(l->table) ? new_word(l) : NULL;
  if (priority && (!json_is_integer(priority) || json_integer_value(priority) < 0 ||
                   json_integer_value(priority) > P4C_PRIORITY))
    return wrong(l, "a priority that is no number up to 2147483647", "");
  if (word)
    snprintf(word, sizeof l->words[0], "priority=%lld",
             P4C_PRIORITY - (long long)json_integer_value(priority));
  return SLUICE_OK;
}

static enum sluice_status set_default(struct load *l, const struct sluice_stored *stored) {
  for (size_t i = 0; i < l->image->num_writes; i++) {
    struct sluice_write *w = &l->image->writes[i];
    if (w->table != SLUICE_TABLE_DEFAULT_ACTION || w->stage != l->table->stage) continue;
    SLUICE_SET(w->bytes, DEFAULT_ACTION, ACTION,
               sluice_default_row(&l->table->actions[stored->action]));
    memcpy(sluice_default_data(w), stored->data, SLUICE_DATA_BYTES);
    return SLUICE_OK;
  }
  return wrong(l, "the image gives no default action to table", l->table->name);
}

enum sluice_status p4c_entries_keep(struct sluice_image *image, unsigned table,
                                    const struct sluice_stored *stored,
                                    struct sluice_error *error) {
  struct sluice_image_entry *e = sluice_image_add_entry(image);
  if (!e) return sluice_no_memory(error);
  e->table = table;
  e->action = stored->action;
  e->priority = stored->priority;
  memcpy(e->key, stored->key, sizeof e->key);
  memcpy(e->care, stored->care, sizeof e->care);
  memcpy(e->data, stored->data, sizeof e->data);
  return SLUICE_OK;
}

// A default goes into the image by itself, an entry behind those that the program gives.
static enum sluice_status keep(struct load *l, const struct sluice_table_change *change) {
  struct sluice_table_done done;
  struct sluice_stored stored;
  enum sluice_status status = sluice_plan_table_encode(l->plan, change, &stored, l->error);
  if (!status) status = sluice_plan_table_do(l->plan, change, true, &done, l->error);
  if (status) return status;
  const unsigned table = (unsigned)(l->table - l->image->tables);
  if (change->op == SLUICE_TABLE_DEFAULT) return set_default(l, &stored);
  return p4c_entries_keep(l->image, table, &stored, l->error);
}

static enum sluice_status entry(struct load *l, const json_t *e) {
  const char *name = json_string_value(json_object_get(e, "table"));
  const char *words[SLUICE_TABLE_WORDS];
  const bool is_default = json_is_true(json_object_get(e, "default_action"));
  struct sluice_table_change change;
  l->num = 0;
  l->table = find_table(l->image, name);
  if (!l->table) return wrong(l, "the program has no table", name);
  enum sluice_status status = SLUICE_OK;
  if (!is_default) status = key_words(l, json_object_get(e, "match"));
  if (!status && !is_default) status = priority_word(l, e);
  if (!status) status = action_words(l, e);
  if (status) return status;
  for (unsigned i = 0; i < l->num; i++) words[i] = l->words[i];
  status = sluice_table_parse(l->plan, l->vid, l->table->name,
                              is_default ? SLUICE_TABLE_DEFAULT : SLUICE_TABLE_ADD, words, l->num,
                              &change, l->error);
  return status ? status : keep(l, &change);
}

static enum sluice_status list(struct load *l, const json_t *root) {
  static const char *const others[] = {"multicast_group_entries", "clone_session_entries"};
  size_t i;
  json_t *e;
  json_array_foreach(json_object_get(root, "table_entries"), i, e) {
    struct sluice_error error;
    struct sluice_error *out = l->error;
    l->error = &error;
    const enum sluice_status status = entry(l, e);
    l->error = out;
    if (status)
      return sluice_fail(out, status, "entry %zu of table_entries: %s", i + 1, error.text);
  }
  for (i = 0; i < sizeof others / sizeof *others; i++)
    if (json_array_size(json_object_get(root, others[i])))
      return sluice_fail(l->error, SLUICE_ERR_RANGE,
                         "%s: a P4 program makes no copies on the chip; take them out of the file",
                         others[i]);
  return SLUICE_OK;
}

enum sluice_status p4c_entries(struct sluice_image *image, unsigned vid,
                               const struct sluice_config *config, const char *text, size_t len,
                               struct sluice_error *error) {
  struct sluice_plan plan;
  struct load l = {.image = image, .plan = &plan, .vid = vid, .error = error};
  json_error_t where;
  json_t *root = json_loadb(text, len, 0, &where);
  if (!json_is_object(root)) {
    json_decref(root);
    return sluice_fail(error, SLUICE_ERR_FORMAT, "line %d: %s", root ? 1 : where.line,
                       root ? "the entries are no JSON object" : where.text);
  }
  sluice_plan_init(&plan, config);
  sluice_plan_trust(&plan, true);  // whether it is allowed is looked at later
  enum sluice_status status = sluice_plan_add(&plan, image, vid, error);
  if (!status) status = list(&l, root);
  sluice_plan_release(&plan);
  json_decref(root);
  return status;
}
