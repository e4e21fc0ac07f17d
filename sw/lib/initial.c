// SPDX-License-Identifier: Apache-2.0
#include "initial.h"

#include <stdlib.h>
#include <string.h>

#include "../base/files.h"
#include "../base/json.h"
#include "../base/number.h"
#include "../base/status.h"
#include "../driver/image/image.h"

enum { MOST_BYTES = 64 << 20 };

struct contents {
  struct contents *next;
  unsigned vid;
  bool checked;
  unsigned row;  // words of a row; 0: it is no array of rows
  unsigned num;  // entries, or rows
  uint32_t *words;
  char array[SLUICE_NAME_LEN];
};

struct sluice_initial {
  struct contents *first, **end;
  char path[256];
};

#define REFUSE(I, ...) refuse(error, (I)->path, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) static enum sluice_status refuse(struct sluice_error *error,
                                                                       const char *path,
                                                                       const char *format, ...) {
  char why[300];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  return sluice_fail(error, SLUICE_ERR_FORMAT, "'%.80s': %s", path, why);
}

// ---- reading ------------------------------------------------------------------------------------

static enum sluice_status take_word(const struct sluice_initial *i, const struct contents *c,
                                    const json_t *value, size_t index, uint32_t *word,
                                    struct sluice_error *error) {
  const json_int_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < INT32_MIN || number > UINT32_MAX)
    return REFUSE(i, "%.60s[%zu] is no number from %d to %u", c->array, index, INT32_MIN,
                  UINT32_MAX);
  *word = (uint32_t)number;
  return SLUICE_OK;
}

// Lists in a list, all of one length: rows, or the values of each output lane.
static enum sluice_status take_lists(const struct sluice_initial *i, struct contents *c,
                                     const json_t *lists, struct sluice_error *error) {
  const size_t each = json_array_size(json_array_get(lists, 0));
  const json_t *list, *value;
  size_t n, k;
  if (!each) return REFUSE(i, "%.60s[0] is an empty list", c->array);
  c->words = calloc(json_array_size(lists) * each, sizeof *c->words);
  if (!c->words) return sluice_no_memory(error);
  json_array_foreach(lists, n, list) {
    if (json_array_size(list) != each)
      return REFUSE(i, "%.60s[%zu] is not a list of %zu numbers as %.60s[0] is", c->array, n, each,
                    c->array);
    json_array_foreach(list, k, value)
        SLUICE_TRY(take_word(i, c, value, n, &c->words[n * each + k], error));
  }
  c->num = (unsigned)json_array_size(lists);
  c->row = (unsigned)each;
  return SLUICE_OK;
}

static enum sluice_status take_values(const struct sluice_initial *i, struct contents *c,
                                      const json_t *from, struct sluice_error *error) {
  const json_t *values = json_is_object(from) ? json_object_get(from, "values") : from, *value;
  size_t n;
  if (!json_is_array(values))
    return REFUSE(i, "'%.60s' is neither a list of numbers nor has one, \"values\"", c->array);
  if (json_is_array(json_array_get(values, 0))) return take_lists(i, c, values, error);
  c->num = (unsigned)json_array_size(values);
  c->words = calloc(c->num + 1u, sizeof *c->words);
  if (!c->words) return sluice_no_memory(error);
  json_array_foreach(values, n, value) SLUICE_TRY(take_word(i, c, value, n, &c->words[n], error));
  return SLUICE_OK;
}

static enum sluice_status take_program(struct sluice_initial *i, const char *key,
                                       const json_t *arrays, struct sluice_error *error) {
  uint64_t vid = 0;
  const char *name;
  const json_t *values;
  if (strncmp(key, "vid", 3) != 0 || !sluice_number_in(key + 3, 1, 4094, &vid))
    return REFUSE(i, "'%.60s' is not vid and a VLAN id, as \"vid5\"", key);
  if (!json_is_object(arrays))
    return REFUSE(i, "'%.60s' is not an object of arrays, {\"count\": [7, 0]}", key);
  json_object_foreach((json_t *)arrays, name, values) {
    struct contents *c = calloc(1, sizeof *c);
    if (!c) return sluice_no_memory(error);
    c->vid = (unsigned)vid;
    snprintf(c->array, sizeof c->array, "%s", name);
    *i->end = c;
    i->end = &c->next;
    if (strlen(name) >= sizeof c->array) return REFUSE(i, "no array is called '%.60s..'", name);
    SLUICE_TRY(take_values(i, c, values, error));
  }
  return SLUICE_OK;
}

static enum sluice_status take_all(struct sluice_initial *i, const struct sluice_file *file,
                                   struct sluice_error *error) {
  json_error_t where;
  json_t *root = json_loadb(file->bytes, file->len, JSON_REJECT_DUPLICATES, &where);
  if (!root && json_error_code(&where) == json_error_out_of_memory) return sluice_no_memory(error);
  if (!root) return REFUSE(i, "line %d: %.200s", where.line, where.text);
  enum sluice_status status = SLUICE_OK;
  const json_t *programs = json_object_get(root, "verdict") ? json_object_get(root, "state") : root;
  const char *key;
  json_t *arrays;
  if (!programs)
    status = REFUSE(i, "is the report of a run without its state: sluice run --state --report FILE "
                       "writes one with it");
  else if (!json_is_object(programs) || !json_object_size(programs))
    status = REFUSE(i, "no arrays are in it; wanted is {\"vid1\": {\"count\": [7, 0]}}");
  json_object_foreach(status ? NULL : (json_t *)programs, key, arrays) {
    status = take_program(i, key, arrays, error);
    if (status) break;
  }
  json_decref(root);
  return status;
}

enum sluice_status sluice_initial_open(struct sluice_initial **out, const char *path,
                                       struct sluice_error *error) {
  *out = NULL;
  struct sluice_file file;
  SLUICE_TRY(sluice_text_read(&file, path, MOST_BYTES, NULL, error));
  struct sluice_initial *i = calloc(1, sizeof *i);
  enum sluice_status status = i ? SLUICE_OK : sluice_no_memory(error);
  if (i) {
    i->end = &i->first;
    snprintf(i->path, sizeof i->path, "%s", path);
    status = take_all(i, &file, error);
  }
  sluice_file_release(&file);
  if (!status) *out = i;
  else sluice_initial_free(i);
  return status;
}

void sluice_initial_free(struct sluice_initial *i) {
  for (struct contents *c = i ? i->first : NULL, *next; c; c = next) {
    next = c->next;
    free(c->words);
    free(c);
  }
  free(i);
}

// ---- programs -----------------------------------------------------------------------------------

static enum sluice_status too_many(const struct sluice_initial *i, const struct contents *c,
                                   unsigned num, unsigned size, struct sluice_error *error) {
  return REFUSE(i, "%u values for '%.60s' of vid%u, which has %u", num, c->array, c->vid, size);
}

// The report of a run has a list for each output lane; all of them can only be given the same.
static enum sluice_status check_lanes(const struct sluice_initial *i, const struct contents *c,
                                      unsigned size, struct sluice_error *error) {
  for (unsigned l = 1; c->row && l < c->num; l++)
    if (memcmp(c->words, c->words + (size_t)l * c->row, c->row * sizeof *c->words) != 0)
      return REFUSE(i,
                    "each output lane has '%.60s' of vid%u, and they can only be given the same "
                    "values: one list",
                    c->array, c->vid);
  const unsigned num = c->row ? c->row : c->num;
  return num > size ? too_many(i, c, num, size, error) : SLUICE_OK;
}

static enum sluice_status check_one(const struct sluice_initial *i, const struct contents *c,
                                    const struct sluice_image *image, struct sluice_error *error) {
  struct sluice_image_array array;
  struct sluice_image_rows rows;
  for (unsigned n = 0; sluice_image_get_array(image, n, &array); n++) {
    if (strcmp(array.name, c->array) != 0) continue;
    if (array.egress) return check_lanes(i, c, array.size, error);
    if (c->row) return REFUSE(i, "'%.60s' of vid%u has no rows: one list", c->array, c->vid);
    return c->num > array.size ? too_many(i, c, c->num, array.size, error) : SLUICE_OK;
  }
  for (unsigned n = 0; sluice_image_get_rows(image, n, &rows); n++) {
    if (strcmp(rows.name, c->array) != 0) continue;
    if (c->row != rows.words)
      return REFUSE(i, "'%.60s' of vid%u has rows of %u words: a list of lists", c->array, c->vid,
                    rows.words);
    return c->num > rows.size ? too_many(i, c, c->num, rows.size, error) : SLUICE_OK;
  }
  return REFUSE(i, "the program of vid%u has no array '%.60s'", c->vid, c->array);
}

enum sluice_status sluice_initial_check(struct sluice_initial *i, unsigned vid,
                                        const struct sluice_image *image,
                                        struct sluice_error *error) {
  for (struct contents *c = i->first; c; c = c->next) {
    if (c->vid != vid) continue;
    c->checked = true;
    SLUICE_TRY(check_one(i, c, image, error));
  }
  return SLUICE_OK;
}

enum sluice_status sluice_initial_all_checked(const struct sluice_initial *i,
                                              struct sluice_error *error) {
  for (const struct contents *c = i->first; c; c = c->next)
    if (!c->checked) return REFUSE(i, "no module has the VLAN id of 'vid%u'", c->vid);
  return SLUICE_OK;
}

// ---- the chip -----------------------------------------------------------------------------------

// An array of the loaded programs that has no rows. False: there is none.
static bool find_array(const struct sluice_chip *chip, const struct contents *c,
                       struct sluice_image_array *array) {
  for (unsigned n = 0; sluice_chip_get_array(chip, c->vid, n, array); n++)
    if (strcmp(array->name, c->array) == 0) return true;
  return false;
}

// The words that are not as the source has them.
static enum sluice_status write_array(struct sluice_chip *chip, const struct contents *c,
                                      uint32_t as_it_is, struct sluice_error *error) {
  const unsigned end = c->row ? c->row : c->num;  // lists of output lanes are alike
  for (unsigned first = 0, num; first < end; first += num) {
    for (num = 0; first + num < end && c->words[first + num] != as_it_is;) num++;
    if (num)
      SLUICE_TRY(
          sluice_chip_state_write(chip, c->vid, c->array, first, num, c->words + first, error));
    else num = 1;
  }
  return SLUICE_OK;
}

enum sluice_status sluice_initial_write(const struct sluice_initial *i, struct sluice_chip *chip,
                                        struct sluice_error *error) {
  for (const struct contents *c = i->first; c; c = c->next) {
    struct sluice_image_array array;
    SLUICE_TRY(find_array(chip, c, &array)
                   ? write_array(chip, c, (uint32_t)array.initial, error)
                   : sluice_chip_rows_write(chip, c->vid, c->array, 0, c->num, c->words, error));
  }
  return SLUICE_OK;
}
