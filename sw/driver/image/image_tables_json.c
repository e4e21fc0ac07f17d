// SPDX-License-Identifier: Apache-2.0
// The lists "tables" and "entries" of an image file.
#include <string.h>

#include "image_tables.h"

const char *const sluice_engine_names[SLUICE_NUM_ENGINES] = {[SLUICE_ENGINE_TERNARY] = "ternary",
                                                             [SLUICE_ENGINE_CUCKOO] = "cuckoo",
                                                             [SLUICE_ENGINE_ARRAY] = "array"};
const char *const sluice_key_kind_names[3] = {
    [SLUICE_KEY_EXACT] = "exact", [SLUICE_KEY_LPM] = "lpm", [SLUICE_KEY_TERNARY] = "ternary"};

static enum sluice_status word(const struct image_place *p, const json_t *from, const char *key,
                               const char *const *words, unsigned num, unsigned *out) {
  const char *text = json_string_value(json_object_get(from, key));
  for (*out = 0; text && *out < num; (*out)++)
    if (strcmp(words[*out], text) == 0) return SLUICE_OK;
  return image_refuse(p, SLUICE_ERR_FORMAT, key, " is not one of those that there are");
}

static enum sluice_status number(const struct image_place *p, const json_t *from, const char *key,
                                 json_int_t high, unsigned *out) {
  json_int_t value;
  SLUICE_TRY(image_int(p, from, key, 0, high, &value));
  *out = (unsigned)value;
  return SLUICE_OK;
}

static enum sluice_status list_of(const struct image_place *p, const json_t *from, const char *key,
                                  unsigned most, unsigned *num) {
  const json_t *list = json_object_get(from, key);
  if (!json_is_array(list) || json_array_size(list) > most)
    return image_refuse(p, SLUICE_ERR_FORMAT, key, " are not a list, or too many");
  *num = (unsigned)json_array_size(list);
  return SLUICE_OK;
}

static enum sluice_status load_action(const struct image_place *p, const json_t *from,
                                      struct sluice_image_action *a) {
  const json_t *args = json_object_get(from, "args"), *only = json_object_get(from, "only_default");
  SLUICE_TRY(image_only(p, from, "name row only_default args default_row"));
  SLUICE_TRY(image_name(p, json_object_get(from, "name"), "the name of an action", a->name));
  SLUICE_TRY(number(p, from, "row", 65535, &a->row));
  const json_t *row = json_object_get(from, "default_row");
  a->apart = row;
  if (row) a->default_row = SLUICE_NO_DEFAULT;
  if (row && !json_is_null(row))
    SLUICE_TRY(number(p, from, "default_row", SLUICE_NO_DEFAULT - 1, &a->default_row));
  if (only && !json_is_boolean(only))
    return image_refuse(p, SLUICE_ERR_FORMAT, "only_default", " is not true or false");
  a->only_default = json_is_true(only);
  SLUICE_TRY(list_of(p, from, "args", SLUICE_MAX_ARGS, &a->num_args));
  for (unsigned i = 0; i < a->num_args; i++) {
    const json_t *arg = json_array_get(args, i);
    SLUICE_TRY(image_only(p, arg, "name msb lsb most"));
    SLUICE_TRY(
        image_name(p, json_object_get(arg, "name"), "the name of an argument", a->args[i].name));
    SLUICE_TRY(number(p, arg, "msb", 8 * SLUICE_DATA_BYTES - 1, &a->args[i].msb));
    SLUICE_TRY(number(p, arg, "lsb", a->args[i].msb, &a->args[i].lsb));
    if (json_object_get(arg, "most"))
      SLUICE_TRY(number(p, arg, "most", INT32_MAX, &a->args[i].most));
  }
  return SLUICE_OK;
}

static enum sluice_status load_class(const struct image_place *p, const json_t *from,
                                     struct sluice_image_class *x) {
  const json_t *guard = json_object_get(from, "guard");
  SLUICE_TRY(image_only(p, from, "least most variant guard"));
  SLUICE_TRY(number(p, from, "least", 64, &x->least));
  SLUICE_TRY(number(p, from, "most", 64, &x->most));
  SLUICE_TRY(number(p, from, "variant", SLUICE_MAX_CLASSES - 1, &x->variant));
  x->guard = SLUICE_NO_GUARD;
  if (!guard || json_is_null(guard)) return SLUICE_OK;
  return number(p, from, "guard", SLUICE_KEY_BITS - 1, &x->guard);
}

static enum sluice_status load_part(const struct image_place *p, const json_t *from,
                                    struct sluice_image_part *part) {
  const json_t *ordered = json_object_get(from, "ordered");
  SLUICE_TRY(image_only(p, from, "number of whole rows ordered classes"));
  SLUICE_TRY(number(p, from, "number", SLUICE_MAX_PARTS - 1, &part->number));
  SLUICE_TRY(number(p, from, "of", SLUICE_MAX_PARTS, &part->num));
  SLUICE_TRY(number(p, from, "whole", 65536, &part->whole));
  SLUICE_TRY(number(p, from, "rows", SLUICE_MAX_ACTIONS, &part->rows));
  if (!json_is_boolean(ordered))
    return image_refuse(p, SLUICE_ERR_FORMAT, "ordered", " is not true or false");
  part->ordered = json_is_true(ordered);
  SLUICE_TRY(list_of(p, from, "classes", SLUICE_MAX_CLASSES, &part->num_classes));
  for (unsigned i = 0; i < part->num_classes; i++)
    SLUICE_TRY(
        load_class(p, json_array_get(json_object_get(from, "classes"), i), &part->classes[i]));
  return SLUICE_OK;
}

enum sluice_status image_load_table(const struct image_place *p, const json_t *from,
                                    const struct sluice_config *c, struct sluice_image_table *t) {
  unsigned engine, kind;
  const unsigned stages = sluice_config_stages(c);
  SLUICE_TRY(image_only(p, from, "name stage engine size default keys actions part"));
  SLUICE_TRY(image_name(p, json_object_get(from, "name"), "name", t->name));
  SLUICE_TRY(number(p, from, "stage", (json_int_t)stages - 1, &t->stage));
  SLUICE_TRY(word(p, from, "engine", sluice_engine_names, SLUICE_NUM_ENGINES, &engine));
  t->engine = (enum sluice_engine_kind)engine;
  SLUICE_TRY(number(p, from, "size", 65536, &t->size));
  SLUICE_TRY(list_of(p, from, "keys", SLUICE_MAX_KEYS, &t->num_keys));
  SLUICE_TRY(list_of(p, from, "actions", SLUICE_MAX_ACTIONS, &t->num_actions));
  SLUICE_TRY(number(p, from, "default", SLUICE_MAX_ACTIONS - 1, &t->default_action));
  for (unsigned k = 0; k < t->num_keys; k++) {
    const json_t *key = json_array_get(json_object_get(from, "keys"), k);
    SLUICE_TRY(image_only(p, key, "name kind msb lsb"));
    SLUICE_TRY(image_name(p, json_object_get(key, "name"), "the name of a key", t->keys[k].name));
    SLUICE_TRY(word(p, key, "kind", sluice_key_kind_names, 3, &kind));
    t->keys[k].kind = (enum sluice_key_kind)kind;
    SLUICE_TRY(number(p, key, "msb", SLUICE_KEY_BITS - 1, &t->keys[k].msb));
    SLUICE_TRY(number(p, key, "lsb", t->keys[k].msb, &t->keys[k].lsb));
  }
  for (unsigned a = 0; a < t->num_actions; a++)
    SLUICE_TRY(load_action(p, json_array_get(json_object_get(from, "actions"), a), &t->actions[a]));
  const json_t *part = json_object_get(from, "part");
  return part ? load_part(p, part, &t->part) : SLUICE_OK;
}

enum sluice_status image_load_entry(const struct image_place *p, const json_t *from,
                                    const struct sluice_image *image,
                                    struct sluice_image_entry *e) {
  json_int_t priority;
  SLUICE_TRY(image_only(p, from, "table action priority key care data"));
  if (!image->num_tables)
    return image_refuse(p, SLUICE_ERR_FORMAT, "table", ": the program has none");
  SLUICE_TRY(number(p, from, "table", (json_int_t)image->num_tables - 1, &e->table));
  SLUICE_TRY(
      number(p, from, "action", (json_int_t)image->tables[e->table].num_actions - 1, &e->action));
  SLUICE_TRY(image_int(p, from, "priority", 0, UINT32_MAX, &priority));
  e->priority = (uint32_t)priority;
  SLUICE_TRY(image_hex(p, from, "key", SLUICE_KEY_BITS, e->key));
  SLUICE_TRY(image_hex(p, from, "care", SLUICE_KEY_BITS, e->care));
  return image_hex(p, from, "data", 8 * SLUICE_DATA_BYTES, e->data);
}

// ---- writing ------------------------------------------------------------------------------------

// A list of `num` objects, each made by `make`; NULL when one could not be made.
static json_t *list_json(const void *from, unsigned num, json_t *(*make)(const void *, unsigned)) {
  json_t *list = json_array();
  for (unsigned i = 0; list && i < num; i++)
    if (json_array_append_new(list, make(from, i))) {
      json_decref(list);
      return NULL;
    }
  return list;
}

static json_t *arg_json(const void *from, unsigned n) {
  const struct sluice_image_arg *arg = &((const struct sluice_image_action *)from)->args[n];
  return json_pack("{s:s,s:i,s:i,s:o*}", "name", arg->name, "msb", (int)arg->msb, "lsb",
                   (int)arg->lsb, "most", arg->most ? json_integer(arg->most) : NULL);
}

static json_t *action_json(const void *from, unsigned n) {
  const struct sluice_image_action *a = &((const struct sluice_image_table *)from)->actions[n];
  json_t *made = json_pack("{s:s,s:i,s:b,s:o}", "name", a->name, "row", (int)a->row, "only_default",
                           a->only_default, "args", list_json(a, a->num_args, arg_json));
  json_t *row = !a->apart || a->default_row == SLUICE_NO_DEFAULT ? json_null()
                                                                 : json_integer(a->default_row);
  if (made && a->apart && json_object_set_new(made, "default_row", row)) {
    json_decref(made);
    return NULL;
  }
  if (!made || !a->apart) json_decref(row);
  return made;
}

static json_t *key_json(const void *from, unsigned n) {
  const struct sluice_image_key *key = &((const struct sluice_image_table *)from)->keys[n];
  return json_pack("{s:s,s:s,s:i,s:i}", "name", key->name, "kind", sluice_key_kind_names[key->kind],
                   "msb", (int)key->msb, "lsb", (int)key->lsb);
}

static json_t *class_json(const void *from, unsigned n) {
  const struct sluice_image_class *x = &((const struct sluice_image_part *)from)->classes[n];
  return json_pack("{s:i,s:i,s:i,s:o}", "least", (int)x->least, "most", (int)x->most, "variant",
                   (int)x->variant, "guard",
                   x->guard == SLUICE_NO_GUARD ? json_null() : json_integer(x->guard));
}

static json_t *part_json(const struct sluice_image_part *p) {
  return json_pack("{s:i,s:i,s:i,s:i,s:b,s:o}", "number", (int)p->number, "of", (int)p->num,
                   "whole", (int)p->whole, "rows", (int)p->rows, "ordered", p->ordered, "classes",
                   list_json(p, p->num_classes, class_json));
}

static json_t *table_json(const struct sluice_image_table *t) {
  json_t *made = json_pack("{s:s,s:i,s:s,s:i,s:i,s:o,s:o}", "name", t->name, "stage", (int)t->stage,
                           "engine", sluice_engine_names[t->engine], "size", (int)t->size,
                           "default", (int)t->default_action, "keys",
                           list_json(t, t->num_keys, key_json), "actions",
                           list_json(t, t->num_actions, action_json));
  if (!made || !t->part.num || !json_object_set_new(made, "part", part_json(&t->part))) return made;
  json_decref(made);
  return NULL;
}

static json_t *entry_json(const struct sluice_image_entry *e) {
  char key[2 * SLUICE_KEY_BYTES + 1], care[2 * SLUICE_KEY_BYTES + 1],
      data[2 * SLUICE_DATA_BYTES + 1];
  image_to_hex(e->key, SLUICE_KEY_BITS, key);
  image_to_hex(e->care, SLUICE_KEY_BITS, care);
  image_to_hex(e->data, 8 * SLUICE_DATA_BYTES, data);
  return json_pack("{s:i,s:i,s:I,s:s,s:s,s:s}", "table", (int)e->table, "action", (int)e->action,
                   "priority", (json_int_t)e->priority, "key", key, "care", care, "data", data);
}

bool image_put_tables(const struct sluice_image *image, FILE *out) {
  bool good = true;
  if (!image->num_tables) return true;
  fprintf(out, "  ],\n  \"tables\": [\n");
  for (size_t i = 0; good && i < image->num_tables; i++)
    good = image_put(out, table_json(&image->tables[i]), i + 1 == image->num_tables);
  fprintf(out, "  ],\n  \"entries\": [\n");
  for (size_t i = 0; good && i < image->num_entries; i++)
    good = image_put(out, entry_json(&image->entries[i]), i + 1 == image->num_entries);
  return good;
}
