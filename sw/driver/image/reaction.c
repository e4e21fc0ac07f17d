// SPDX-License-Identifier: Apache-2.0
#include "reaction.h"

#include <ctype.h>
#include <string.h>

#include "image_tables.h"

static json_t *span_json(const struct sluice_image *image, struct sluice_text_span span) {
  return json_stringn(span.len ? image->texts + span.at : "", span.len);
}

json_t *sluice_reaction_json(const struct sluice_image *image, const struct sluice_reaction *r) {
  json_t *args = json_array();
  bool good = args != NULL;
  for (unsigned i = 0; good && i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    json_t *arg = json_pack("{s:s,s:b,s:i,s:i}", "name", a->name, "scalar", a->scalar, "first",
                            (int)a->first, "num", (int)a->num);
    good = json_array_append_new(args, arg) == 0;
    if (good && a->is_register) good = json_object_set_new(arg, "register", json_true()) == 0;
    if (good && a->is_counters) good = json_object_set_new(arg, "counters", json_true()) == 0;
    if (good && a->unchanged) good = json_object_set_new(arg, "unchanged", json_true()) == 0;
  }
  json_t *json = good ? json_pack("{s:s,s:s,s:i,s:i,s:O,s:o*,s:o*}", "name", r->name, "file",
                                  r->file, "line", (int)r->line, "column", (int)r->column, "args",
                                  args, "defines", span_json(image, r->defines), "text",
                                  span_json(image, r->text))
                      : NULL;
  json_decref(args);
  if (json && json_object_get(json, "text") && json_object_get(json, "defines")) return json;
  json_decref(json);
  return NULL;
}

// ---- reading ------------------------------------------------------------------------------------

// A name of C: nothing else may come into the C file from here.
static bool is_name(const char *text) {
  size_t n = 0;
  if (!text || isdigit((unsigned char)text[0])) return false;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
  return n && !text[n] && n < SLUICE_NAME_LEN;
}

// A file's name goes into #line "...".
static bool is_file(const char *text) {
  if (!text || strlen(text) >= SLUICE_FILE_LEN) return false;
  for (; *text; text++)
    if ((unsigned char)*text < 32 || *text == '"' || *text == '\\' || *text == 127) return false;
  return true;
}

static bool whole(const json_t *from, const char *key, json_int_t low, json_int_t high,
                  unsigned *value) {
  const json_t *v = json_object_get(from, key);
  const json_int_t n = json_integer_value(v);
  *value = 0;
  if (!json_is_integer(v) || n < low || n > high) return false;
  *value = (unsigned)n;
  return true;
}

const char *sluice_reaction_register(const char *name, char block[SLUICE_NAME_LEN]) {
  const char *dot = strchr(name, '.');
  if (!dot || strlen(name) >= SLUICE_NAME_LEN) return NULL;
  snprintf(block, SLUICE_NAME_LEN, "%.*s", (int)(dot - name), name);
  return dot + 1;
}

// Both parts are names of C, so that PORT_PACKETS is one.
static bool is_register(const char *text) {
  char block[SLUICE_NAME_LEN];
  const char *name = text ? sluice_reaction_register(text, block) : NULL;
  return name && is_name(block) && is_name(name);
}

static const char *read_register(const struct sluice_image *image, struct sluice_reaction_arg *a,
                                 const json_t *from) {
  uint32_t addr;
  char block[SLUICE_NAME_LEN];
  const char *name = sluice_reaction_register(a->name, block);
  const struct sluice_config *config = sluice_config_find(image->config);
  if (!whole(from, "first", 0, 65535, &a->first) || !whole(from, "num", 1, 65536, &a->num))
    return "'first' or 'num' of a register is no number of instances";
  a->is_register = true;
  if (!config ||
      sluice_register_find(config, block, a->first + a->num - 1, name, 0, &addr) != SLUICE_FOUND)
    return "an argument is no register of the chip";
  return NULL;
}

// The table is on the chip, which counts for it, and all of it is read.
static const char *read_counters(const struct sluice_image *image, struct sluice_reaction_arg *a,
                                 const json_t *from) {
  const struct sluice_config *config = sluice_config_find(image->config);
  size_t t = 0;
  while (t < image->num_tables && strcmp(image->tables[t].name, a->name) != 0) t++;
  if (t == image->num_tables) return "an argument has counters of no table of the program";
  if (!config || !config->EntryCounters) return "the chip has no counters of entries";
  if (a->scalar || a->unchanged) return "counters are a scalar, or what must be unchanged";
  if (!whole(from, "first", 0, 0, &a->first) ||
      !whole(from, "num", sluice_table_whole(&image->tables[t]),
             sluice_table_whole(&image->tables[t]), &a->num))
    return "'first' and 'num' of counters are not those of all entries";
  a->is_counters = true;
  a->num_keys = image->tables[t].num_keys;
  return NULL;
}

static const char *read_arg(const struct sluice_image *image, struct sluice_reaction *r,
                            const json_t *from) {
  struct sluice_reaction_arg *a = &r->args[r->num_args];
  const char *name = json_string_value(json_object_get(from, "name"));
  const json_t *scalar = json_object_get(from, "scalar");
  struct sluice_image_array array;
  unsigned n = 0;
  const bool of_chip = json_is_true(json_object_get(from, "register"));
  if ((of_chip ? !is_register(name) : !is_name(name)) || !json_is_boolean(scalar))
    return "an argument has no name, or 'scalar' is not true or false";
  for (unsigned i = 0; i < r->num_args; i++)
    if (strcmp(r->args[i].name, name) == 0) return "two arguments have one name";
  snprintf(a->name, sizeof a->name, "%s", name);
  a->unchanged = json_is_true(json_object_get(from, "unchanged"));
  a->scalar = json_is_true(scalar);
  if (of_chip) {
    const char *why = read_register(image, a, from);
    r->num_args += !why;
    return why ? why : a->scalar && a->num != 1 ? "a scalar is one register" : NULL;
  }
  if (json_is_true(json_object_get(from, "counters"))) {
    const char *why = read_counters(image, a, from);
    r->num_args += !why;
    return why;
  }
  while (sluice_image_get_array(image, n, &array) && strcmp(array.name, name) != 0) n++;
  if (!sluice_image_get_array(image, n, &array)) return "an argument is no array of the program";
  if (!whole(from, "first", 0, 65535, &a->first) || !whole(from, "num", 1, 65536, &a->num))
    return "'first' or 'num' of an argument is no number of entries";
  if (a->first + a->num > array.size) return "an argument is more than its array";
  if (a->scalar && (a->first != 0 || a->num != 1)) return "a scalar is entry 0";
  r->num_args++;
  return NULL;
}

static const char *read_head(const struct sluice_image *image, struct sluice_reaction *r,
                             const json_t *from) {
  const char *name = json_string_value(json_object_get(from, "name")),
             *file = json_string_value(json_object_get(from, "file"));
  const json_t *args = json_object_get(from, "args");
  if (!is_name(name)) return "'name' is no name";
  snprintf(r->name, sizeof r->name, "%s", name);
  for (const struct sluice_reaction *o = image->reactions; o < r; o++)
    if (strcmp(o->name, name) == 0) return "two have one name";
  if (!is_file(file)) return "'file' is no name of a file";
  snprintf(r->file, sizeof r->file, "%s", file);
  if (!whole(from, "line", 1, INT32_MAX, &r->line) || !whole(from, "column", 1, 65536, &r->column))
    return "'line' or 'column' is no place";
  if (!json_is_array(args) || json_array_size(args) > SLUICE_MAX_REACTION_ARGS)
    return "'args' is no list of at most 16";
  const char *why = NULL;
  for (size_t i = 0; !why && i < json_array_size(args); i++)
    why = read_arg(image, r, json_array_get(args, i));
  return why;
}

enum sluice_status sluice_reaction_read(struct sluice_image *image, struct sluice_reaction *r,
                                        const json_t *from, char *why, size_t len) {
  const char *wrong = image->num_reactions > SLUICE_MAX_REACTIONS ? "there are more than 8"
                                                                  : read_head(image, r, from);
  const struct {
    const char *key;
    struct sluice_text_span *span;
  } texts[] = {{"defines", &r->defines}, {"text", &r->text}};
  for (size_t i = 0; !wrong && i < 2; i++) {
    const json_t *value = json_object_get(from, texts[i].key);
    const char *text = json_string_value(value);
    if (!text || strlen(text) != json_string_length(value) ||
        json_string_length(value) > SLUICE_MAX_REACTION_TEXT)
      wrong = "'text' or 'defines' is no text of at most 65536 bytes";
    else if (!sluice_image_add_text(image, text, json_string_length(value), texts[i].span))
      return SLUICE_ERR_NOMEM;
  }
  if (!wrong) return SLUICE_OK;
  snprintf(why, len, "%s", wrong);
  return SLUICE_ERR_FORMAT;
}
