// SPDX-License-Identifier: Apache-2.0
// Reading an image. The file may come from anywhere: everything is checked before it is believed,
// and what sluice_image_load has accepted can be placed without further checks of its shape.
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../base/files.h"
#include "../../base/json.h"
#include "../../base/number.h"
#include "../../base/text.h"
#include "capability.h"
#include "image.h"
#include "image_json.h"
#include "image_tables.h"
#include "places.h"
#include "param.h"
#include "reaction.h"

enum { MAX_FILE = 64 << 20, FORMAT_VERSION = 1 };

// What the readers of its parts share is in image_json.h.
enum sluice_status image_refuse(const struct image_place *p, enum sluice_status status,
                                const char *what, const char *why) {
  if (p->list)
    return sluice_fail(p->error, status, "'%s': %s[%zu]: %s%s", p->path, p->list, p->at, what, why);
  return sluice_fail(p->error, status, "'%s': %s%s", p->path, what, why);
}

enum sluice_status image_int(const struct image_place *p, const json_t *from, const char *key,
                             json_int_t low, json_int_t high, json_int_t *out) {
  const json_t *value = json_object_get(from, key);
  char why[120];
  *out = 0;
  if (!json_is_integer(value))
    return image_refuse(p, SLUICE_ERR_FORMAT, key, " is not a whole number");
  *out = json_integer_value(value);
  if (*out >= low && *out <= high) return SLUICE_OK;
  snprintf(why, sizeof why, " is %lld, legal is %lld..%lld", (long long)*out, (long long)low,
           (long long)high);
  return image_refuse(p, SLUICE_ERR_RANGE, key, why);
}

enum sluice_status image_name(const struct image_place *p, const json_t *value, const char *key,
                              char out[SLUICE_NAME_LEN]) {
  const char *text = json_string_value(value);
  if (!text) return image_refuse(p, SLUICE_ERR_FORMAT, key, " is not a text");
  size_t len = json_string_length(value);
  if (len >= SLUICE_NAME_LEN)
    return image_refuse(p, SLUICE_ERR_FORMAT, key, " is longer than 63 bytes");
  char clean[4 * SLUICE_NAME_LEN];
  sluice_text_clean(clean, sizeof clean, text, false);
  if (strlen(text) != len || strcmp(clean, text) != 0)
    return image_refuse(p, SLUICE_ERR_FORMAT, key, " has a control character in it");
  memcpy(out, text, len + 1);
  return SLUICE_OK;
}

enum sluice_status image_hex(const struct image_place *p, const json_t *from, const char *key,
                             unsigned bits, uint8_t *out) {
  const json_t *value = json_object_get(from, key);
  const char *hex = json_string_value(value);
  unsigned bytes = (bits + 7) / 8;
  char why[80];
  snprintf(why, sizeof why, " is not a text of %u hexadecimal digits", 2 * bytes);
  if (!hex || json_string_length(value) != 2 * (size_t)bytes)
    return image_refuse(p, SLUICE_ERR_FORMAT, key, why);
  for (unsigned i = 0; i < bytes; i++) {
    uint64_t byte;
    if (!sluice_hex_digits(&hex[2 * i], 2, &byte))
      return image_refuse(p, SLUICE_ERR_FORMAT, key, why);
    out[i] = (uint8_t)byte;
  }
  if (bits % 8 && (out[bytes - 1] & (0xffu >> bits % 8)))
    return image_refuse(p, SLUICE_ERR_FORMAT, key, ": the padding bits at its end are not 0");
  return SLUICE_OK;
}

// What a program may configure: not what belongs to the whole chip, as entries of match engines do
// (its tables say what they are), and state only through arrays.
static bool legal_in_image(enum sluice_table table) {
  return !sluice_table_is_contents(table) && table != SLUICE_TABLE_PORT_MASK &&
         table != SLUICE_TABLE_SEGMENT16 && !sluice_table_is_given(table) &&
         sluice_tables[table].rows != SLUICE_ROWS_ids && !sluice_table_is_shared(table);
}

// The stage of an entry. An image names its chip, so one that uses what the chip does not have was
// made for another shape of it.
static enum sluice_status get_stage(const struct image_place *p, const json_t *from,
                                    const struct sluice_config *c, enum sluice_table table,
                                    unsigned *stage) {
  const enum sluice_scope scope = sluice_tables[table].scope;
  const unsigned all = c->BackStages + c->FrontStages;
  const bool in_stage = scope == SLUICE_SCOPE_stage || scope == SLUICE_SCOPE_state ||
                        scope == SLUICE_SCOPE_front;
  const json_int_t most = in_stage ? (json_int_t)sluice_config_stages(c) - 1 : 0;
  char why[160];
  json_int_t value;
  enum sluice_status status = image_int(p, from, "stage", 0, most, &value);
  *stage = (unsigned)value;
  if (status || sluice_table_in_stage(table, *stage, c)) return status;
  if (table == SLUICE_TABLE_MULTIPLY) {
    char others[80];
    snprintf(why, sizeof why, ": chip '%s' has no multipliers; %s", c->name,
             sluice_chips_that_multiply(others, sizeof others));
    return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
  }
  if (table == SLUICE_TABLE_KEY_COMPARE) {
    char others[80];
    snprintf(why, sizeof why, ": chip '%s' has no wide compares; %s", c->name,
             sluice_chips_that_compare(others, sizeof others));
    return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
  }
  if (table == SLUICE_TABLE_ARRAY_KEYS) {
    char others[80];
    snprintf(why, sizeof why, ": chip '%s' has no array match; %s", c->name,
             sluice_chips_with_array_match(others, sizeof others));
    return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
  }
  if (table == SLUICE_TABLE_ARRAY || (table == SLUICE_TABLE_ARRAY_INSTR && !c->ArrayWords)) {
    char others[80];
    snprintf(why, sizeof why, ": chip '%s' has no arrays; %s", c->name,
             sluice_chips_with_arrays(others, sizeof others));
    return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
  }
  if (table == SLUICE_TABLE_ARRAY_INSTR) {
    snprintf(why, sizeof why,
             ": stage %u of chip '%s' has no rows of words (ArrayStages 0x%x): compile the program "
             "again",
             *stage, c->name, c->ArrayStages);
    return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
  }
  if (scope == SLUICE_SCOPE_egress) {
    snprintf(why, sizeof why, ": chip '%s' has no egress stages: compile the program again",
             c->name);
    return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
  }
  if (scope == SLUICE_SCOPE_state)
    snprintf(why, sizeof why,
             ": stage %u of chip '%s' holds no state, 0 to %u do: compile the program again",
             *stage, c->name, c->StateStages - 1);
  else if (!c->FrontStages)
    snprintf(why, sizeof why,
             ": stage %u, and chip '%s' has no front stages: compile the program again", *stage,
             c->name);
  else
    snprintf(why, sizeof why,
             ": stage %u, the front stages of chip '%s' are %u to %u: compile the program again",
             *stage, c->name, c->BackStages, all - 1);
  return image_refuse(p, SLUICE_ERR_RANGE, sluice_tables[table].name, why);
}

static bool find_table(const char *name, enum sluice_table *table) {
  unsigned n = 0;
  while (n < SLUICE_NUM_TABLES && strcasecmp(sluice_tables[n].name, name) != 0) n++;
  *table = (enum sluice_table)n;
  return n < SLUICE_NUM_TABLES;
}

// Rows of a stage, with match rows or with a table: which it is, is known when all has been read.
static json_int_t rows_of(const struct sluice_config *c) {
  return c->ExtraActions > c->MatchEntries ? c->ExtraActions : c->MatchEntries;
}

enum sluice_status image_only(const struct image_place *p, const json_t *from, const char *known) {
  char why[400];
  return sluice_json_only(from, known, why, sizeof why)
             ? SLUICE_OK
             : image_refuse(p, SLUICE_ERR_FORMAT, why, "");
}

static enum sluice_status load_write(const struct image_place *p, const json_t *from,
                                     const struct sluice_config *c, struct sluice_write *write) {
  const char *name = json_string_value(json_object_get(from, "table"));
  SLUICE_TRY(image_only(p, from, "table stage index entry"));
  if (!name) return image_refuse(p, SLUICE_ERR_FORMAT, "table", " is not a text");
  if (!find_table(name, &write->table))
    return image_refuse(p, SLUICE_ERR_FORMAT, "table", " has an unknown name");
  if (!legal_in_image(write->table))
    return image_refuse(p, SLUICE_ERR_FORMAT, sluice_tables[write->table].name,
                        " is not a table of a program");

  json_int_t value;
  enum sluice_status status = get_stage(p, from, c, write->table, &write->stage);
  if (status) return status;
  const json_int_t high = sluice_by_match_row(write->table) ? rows_of(c) - 1 : 0;
  status = image_int(p, from, "index", 0, high, &value);
  if (status) return status;
  write->index = (unsigned)value;
  return image_hex(p, from, "entry", sluice_tables[write->table].bits, write->bytes);
}

static enum sluice_status load_array(const struct image_place *p, const json_t *from,
                                     const struct sluice_config *c, struct sluice_array *array) {
  json_int_t value;
  SLUICE_TRY(image_only(p, from, "stage size pinned names init rows"));
  enum sluice_status status = get_stage(p, from, c, SLUICE_TABLE_STATE, &array->stage);
  if (status) return status;
  const json_t *pinned = json_object_get(from, "pinned");
  if (!json_is_boolean(pinned))
    return image_refuse(p, SLUICE_ERR_FORMAT, "pinned", " is not true or false");
  array->pinned = json_is_true(pinned);
  // RANGE has 16 bits; a pinned array has the memory of one pipeline.
  json_int_t most = array->pinned ? sluice_config_slots(c) : c->StateEntries;
  status = image_int(p, from, "size", 1, most < 65535 ? most : 65535, &value);
  if (status) return status;
  array->size = (unsigned)value;

  const json_t *names = json_object_get(from, "names"), *init = json_object_get(from, "init");
  if (json_array_size(names) != 2)
    return image_refuse(p, SLUICE_ERR_FORMAT, "names", " are not two texts");
  if (json_array_size(init) != 2)
    return image_refuse(p, SLUICE_ERR_FORMAT, "init", " is not two numbers");
  for (size_t i = 0; i < 2; i++) {
    status = image_name(p, json_array_get(names, i), "names", array->name[i]);
    if (status) return status;
    const json_t *start = json_array_get(init, i);
    json_int_t number = json_integer_value(start);
    if (!json_is_integer(start) || number < INT32_MIN || number > INT32_MAX)
      return image_refuse(p, SLUICE_ERR_FORMAT, "init", " is not two 32-bit numbers");
    array->init[i] = (int32_t)number;
  }
  const json_t *rows = json_object_get(from, "rows");
  if (!rows) return SLUICE_OK;
  SLUICE_TRY(image_only(p, rows, "name words"));
  if (!sluice_table_in_stage(SLUICE_TABLE_STATE_ROW, array->stage, c))
    return image_refuse(p, SLUICE_ERR_RANGE, "rows", ": the stage has none");
  status = image_name(p, json_object_get(rows, "name"), "name", array->row);
  if (!status) status = image_int(p, rows, "words", 1, c->ArrayWords, &value);
  if (!status) array->words = (unsigned)value;
  return status;
}

static enum sluice_status load_field(const struct image_place *p, const json_t *from,
                                     struct sluice_field *field) {
  json_int_t in, out;
  SLUICE_TRY(image_only(p, from, "name home in out egress"));
  enum sluice_status status = image_name(p, json_object_get(from, "name"), "name", field->name);
  if (!status) status = image_name(p, json_object_get(from, "home"), "home", field->home);
  if (!status) status = image_int(p, from, "in", -1, (1 << SLUICE_OPERAND_BITS) - 1, &in);
  if (!status) status = image_int(p, from, "out", -1, (1 << SLUICE_OPERAND_BITS) - 1, &out);
  const json_t *egress = json_object_get(from, "egress");
  if (!status && egress && !json_is_boolean(egress))
    status = image_refuse(p, SLUICE_ERR_FORMAT, "egress", " is not true or false");
  if (status) return status;
  field->egress = json_is_true(egress);
  field->in_operand = (int)in;
  field->out_operand = (int)out;
  return SLUICE_OK;
}

static enum sluice_status load_choice(const struct image_place *p, const json_t *from,
                                      struct sluice_choice *choice) {
  json_int_t offset;
  SLUICE_TRY(image_only(p, from, "name metadata offset"));
  enum sluice_status status =
      image_name(p, json_object_get(from, "name"), "the name of a choice", choice->name);
  if (!status && !json_is_boolean(json_object_get(from, "metadata")))
    status = image_refuse(p, SLUICE_ERR_FORMAT, "metadata", " is not true or false");
  if (!status) status = image_int(p, from, "offset", 0, 127, &offset);
  if (status) return status;
  choice->metadata = json_is_true(json_object_get(from, "metadata"));
  choice->offset = (unsigned)offset;
  return SLUICE_OK;
}

static enum sluice_status load_param(const struct image_place *p, const json_t *from,
                                     const struct sluice_image *image, struct sluice_param *param) {
  const json_t *choices = json_object_get(from, "choices");
  json_int_t low, high, value;
  SLUICE_TRY(image_only(p, from, "name low high value choices"));
  enum sluice_status status = image_name(p, json_object_get(from, "name"), "name", param->name);
  if (!status) status = image_int(p, from, "low", INT32_MIN, INT32_MAX, &low);
  if (!status) status = image_int(p, from, "high", low, INT32_MAX, &high);
  if (!status) status = image_int(p, from, "value", low, high, &value);
  if (status) return status;
  param->low = (int32_t)low;
  param->high = (int32_t)high;
  param->value = (int32_t)value;
  for (const struct sluice_param *other = image->params; other < param; other++)
    if (strcmp(other->name, param->name) == 0)
      return image_refuse(p, SLUICE_ERR_FORMAT, "name", ": two have it");
  if (choices && (json_array_size(choices) < 1 || json_array_size(choices) > SLUICE_MAX_CHOICES))
    return image_refuse(p, SLUICE_ERR_FORMAT, "choices", " are not a list of 1 to 8");
  param->num_choices = (unsigned)json_array_size(choices);
  if (choices && (low != 0 || high != (json_int_t)param->num_choices - 1))
    return image_refuse(p, SLUICE_ERR_FORMAT, "low, high", " do not count the choices");
  for (unsigned i = 0; i < param->num_choices && !status; i++)
    status = load_choice(p, json_array_get(choices, i), &param->choice[i]);
  return status;
}

static enum sluice_status load_relocation(const struct image_place *p, const json_t *from,
                                          const struct sluice_config *c,
                                          const struct sluice_image *image,
                                          struct sluice_relocation *r) {
  const char *param = json_string_value(json_object_get(from, "param")),
             *table = json_string_value(json_object_get(from, "table")),
             *kind = json_string_value(json_object_get(from, "kind"));
  json_int_t index, msb, lsb, add;
  char why[200];
  SLUICE_TRY(image_only(p, from, "param table stage index msb lsb kind negated add"));
  while (param && r->param < image->num_params && strcmp(image->params[r->param].name, param) != 0)
    r->param++;
  if (!param || r->param == image->num_params)
    return image_refuse(p, SLUICE_ERR_FORMAT, "param", " is not in the list");
  if (!table || !find_table(table, &r->table))
    return image_refuse(p, SLUICE_ERR_FORMAT, "table", " has an unknown name");
  while (kind && r->kind < SLUICE_NUM_RELOCATIONS &&
         strcmp(sluice_relocation_names[r->kind], kind) != 0)
    r->kind++;
  if (!kind || r->kind == SLUICE_NUM_RELOCATIONS)
    return image_refuse(p, SLUICE_ERR_FORMAT, "kind", " is unknown");
  if (!json_is_boolean(json_object_get(from, "negated")))
    return image_refuse(p, SLUICE_ERR_FORMAT, "negated", " is not true or false");
  r->negated = json_is_true(json_object_get(from, "negated"));
  enum sluice_status status = get_stage(p, from, c, r->table, &r->stage);
  if (!status) status = image_int(p, from, "index", 0, rows_of(c) - 1, &index);
  if (!status)
    status = image_int(p, from, "msb", 0, (json_int_t)sluice_tables[r->table].bits - 1, &msb);
  if (!status) status = image_int(p, from, "lsb", 0, msb, &lsb);
  if (!status) status = image_int(p, from, "add", INT32_MIN, INT32_MAX, &add);
  if (status) return status;
  r->index = (unsigned)index;
  r->msb = (unsigned)msb;
  r->lsb = (unsigned)lsb;
  r->add = (int32_t)add;
  if (!sluice_relocation_check(image, r, why, sizeof why))
    return image_refuse(p, SLUICE_ERR_FORMAT, why, "");
  return SLUICE_OK;
}

static enum sluice_status load_port_set(const struct image_place *p, const json_t *from,
                                        const struct sluice_config *c,
                                        const struct sluice_image *image,
                                        struct sluice_port_set *set) {
  const char *hex = json_string_value(json_object_get(from, "ports"));
  const unsigned num = sluice_config_destinations(c);
  SLUICE_TRY(image_only(p, from, "ports"));
  if (c->NumPorts <= 8)
    return image_refuse(p, SLUICE_ERR_RANGE, "the chip", " has sets of ports in its actions");
  if (image->num_port_sets > SLUICE_MAX_PORT_SETS)
    return image_refuse(p, SLUICE_ERR_RANGE, "a program", " has at most 7 sets of ports");
  if (!hex || strlen(hex) != 16 || !sluice_hex_digits(hex, 16, &set->ports))
    return image_refuse(p, SLUICE_ERR_FORMAT, "ports", " is not a text of 16 hexadecimal digits");
  if (num < 64 && set->ports >> num)
    return image_refuse(p, SLUICE_ERR_RANGE, "ports", ": the chip has no such port");
  return SLUICE_OK;
}

static enum sluice_status load_set_word(const struct image_place *p, const json_t *from,
                                        const struct sluice_config *c,
                                        const struct sluice_image *image,
                                        struct sluice_set_word *word) {
  json_int_t set, index;
  SLUICE_TRY(image_only(p, from, "set stage index"));
  if (!image->num_port_sets)
    return image_refuse(p, SLUICE_ERR_FORMAT, "set", ": the program has none");
  enum sluice_status status =
      image_int(p, from, "set", 0, (json_int_t)image->num_port_sets - 1, &set);
  if (!status) status = get_stage(p, from, c, SLUICE_TABLE_ACTION, &word->stage);
  if (!status) status = image_int(p, from, "index", 0, rows_of(c) - 1, &index);
  if (status) return status;
  word->set = (unsigned)set;
  word->index = (unsigned)index;
  if (sluice_stage_is_egress(c, word->stage))
    return image_refuse(p, SLUICE_ERR_RANGE, "stage", ": egress stages choose no ports");
  for (const struct sluice_set_word *other = image->set_words; other < word; other++)
    if (other->stage == word->stage && other->index == word->index)
      return image_refuse(p, SLUICE_ERR_FORMAT, "index", ": the entry has a set");
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    if (w->table == SLUICE_TABLE_ACTION && w->stage == word->stage && w->index == word->index &&
        sluice_entry_get(w->bytes, sluice_tables[w->table].bits, SLUICE_INSTR_MD_OP_MSB,
                         SLUICE_INSTR_MD_OP_LSB) == SLUICE_OP_PORT)
      return SLUICE_OK;
  }
  return image_refuse(p, SLUICE_ERR_FORMAT, "index", ": no entry of ACTION that sends to ports");
}

static int by_place(const void *a, const void *b) {
  const struct sluice_write *x = *(const struct sluice_write *const *)a;
  const struct sluice_write *y = *(const struct sluice_write *const *)b;
  if (x->table != y->table) return x->table < y->table ? -1 : 1;
  if (x->stage != y->stage) return x->stage < y->stage ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

// No entry twice, and the arrays agree with SEGMENT and ACCESS.
static enum sluice_status check_whole(const struct image_place *p,
                                      const struct sluice_image *image) {
  size_t n = image->num_writes;
  const size_t bytes = (n + 1) * sizeof(const struct sluice_write *);
  const struct sluice_write **sorted = sluice_resize(&image->alloc, NULL, 0, bytes);
  if (!sorted) return image_refuse(p, SLUICE_ERR_NOMEM, "out of memory", "");
  for (size_t i = 0; i < n; i++) sorted[i] = &image->writes[i];
  qsort(sorted, n, sizeof *sorted, by_place);
  bool twice = false;
  for (size_t i = 1; i < n; i++) twice |= by_place(&sorted[i - 1], &sorted[i]) == 0;
  sluice_resize(&image->alloc, sorted, bytes, 0);
  if (twice) return image_refuse(p, SLUICE_ERR_FORMAT, "writes", ": an entry is written twice");

  const struct sluice_array *at[32] = {0};
  for (size_t i = 0; i < image->num_arrays; i++) {
    const struct sluice_array *array = &image->arrays[i];
    if (at[array->stage]) return image_refuse(p, SLUICE_ERR_FORMAT, "arrays", ": two in one stage");
    at[array->stage] = array;
  }
  for (size_t i = 0; i < n; i++) {
    const struct sluice_write *write = &image->writes[i];
    const struct sluice_array *array = at[write->stage];
    if (write->table == SLUICE_TABLE_SEGMENT &&
        SLUICE_GET(write->bytes, SEGMENT, RANGE) != (array ? array->size : 0))
      return image_refuse(p, SLUICE_ERR_FORMAT, "writes",
                          ": a RANGE is not the size of the stage's array");
    if (write->table == SLUICE_TABLE_ACCESS && array && SLUICE_GET(write->bytes, ACCESS, ENABLE) &&
        SLUICE_GET(write->bytes, ACCESS, PINNED) != (array->pinned ? 1u : 0u))
      return image_refuse(p, SLUICE_ERR_FORMAT, "writes",
                          ": PINNED is not that of the stage's array");
  }
  return SLUICE_OK;
}

// Match rows, which stages without a table have.
static enum sluice_status count_rows(const struct image_place *p, const struct sluice_config *c,
                                     struct sluice_image *image) {
  char why[120];
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    if (!sluice_by_match_row(w->table) || sluice_image_table_in(image, w->stage)) continue;
    if (w->index >= c->MatchEntries) {
      snprintf(why, sizeof why, "writes[%zu]: index is %u, legal is 0..%u", i, w->index,
               c->MatchEntries - 1);
      return image_refuse(p, SLUICE_ERR_RANGE, why, "");
    }
    if (w->index >= image->match_rows) image->match_rows = w->index + 1;
  }
  return SLUICE_OK;
}

// The lists of an image, in the order in which they are read. A program may have none of most.
enum list {
  WRITES,
  ARRAYS,
  FIELDS,
  PARAMS,
  RELOCATIONS,
  PORT_SETS,
  SET_WORDS,
  TABLES,
  ENTRIES,
  NUM_LISTS
};
static const struct {
  const char *key;
  bool optional;
} lists[NUM_LISTS] = {{"writes", false},   {"arrays", false},     {"fields", false},
                      {"params", true},    {"relocations", true}, {"port_sets", true},
                      {"set_words", true}, {"tables", true},      {"entries", true}};

static enum sluice_status load_element(struct image_place *p, enum list list, const json_t *from,
                                       const struct sluice_config *c, struct sluice_image *image) {
  switch (list) {
    case WRITES: {
      struct sluice_write *write = sluice_image_add_write(image);
      return write ? load_write(p, from, c, write) : SLUICE_ERR_NOMEM;
    }
    case ARRAYS: {
      struct sluice_array *array = sluice_image_add_array(image);
      return array ? load_array(p, from, c, array) : SLUICE_ERR_NOMEM;
    }
    case FIELDS: {
      struct sluice_field *field = sluice_image_add_field(image);
      return field ? load_field(p, from, field) : SLUICE_ERR_NOMEM;
    }
    case PARAMS: {
      struct sluice_param *param = sluice_image_add_param(image);
      return param ? load_param(p, from, image, param) : SLUICE_ERR_NOMEM;
    }
    case RELOCATIONS: {
      struct sluice_relocation *r = sluice_image_add_relocation(image);
      return r ? load_relocation(p, from, c, image, r) : SLUICE_ERR_NOMEM;
    }
    case PORT_SETS: {
      struct sluice_port_set *set = sluice_image_add_port_set(image);
      return set ? load_port_set(p, from, c, image, set) : SLUICE_ERR_NOMEM;
    }
    case SET_WORDS: {
      struct sluice_set_word *word = sluice_image_add_set_word(image);
      return word ? load_set_word(p, from, c, image, word) : SLUICE_ERR_NOMEM;
    }
    case TABLES: {
      struct sluice_image_table *table = sluice_image_add_table(image);
      return table ? image_load_table(p, from, c, table) : SLUICE_ERR_NOMEM;
    }
    case ENTRIES: {
      struct sluice_image_entry *entry = sluice_image_add_entry(image);
      return entry ? image_load_entry(p, from, image, entry) : SLUICE_ERR_NOMEM;
    }
    case NUM_LISTS: break;
  }
  return SLUICE_OK;
}

static enum sluice_status load_list(struct image_place *p, const json_t *root, enum list list,
                                    const struct sluice_config *c, struct sluice_image *image) {
  const json_t *from = json_object_get(root, lists[list].key);
  p->list = NULL;
  if (!from && lists[list].optional) return SLUICE_OK;
  if (!json_is_array(from))
    return image_refuse(p, SLUICE_ERR_FORMAT, lists[list].key, " is not a list");
  p->list = lists[list].key;
  for (p->at = 0; p->at < json_array_size(from); p->at++) {
    const enum sluice_status status = load_element(p, list, json_array_get(from, p->at), c, image);
    if (status == SLUICE_ERR_NOMEM) return image_refuse(p, status, "out of memory", "");
    if (status) return status;
  }
  p->list = NULL;
  return SLUICE_OK;
}

// Members of a reaction and of its arguments; what they say is checked by sluice_reaction_read.
static enum sluice_status only_reaction(const struct image_place *p, const json_t *from) {
  static const char *const flags[] = {"register", "counters", "unchanged"};
  const json_t *args = json_object_get(from, "args");
  SLUICE_TRY(image_only(p, from, "name file line column args defines text"));
  for (size_t i = 0; i < json_array_size(args); i++) {
    const json_t *arg = json_array_get(args, i);
    SLUICE_TRY(image_only(p, arg, "name scalar first num register counters unchanged"));
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
      const json_t *flag = json_object_get(arg, flags[f]);
      if (flag && !json_is_boolean(flag))
        return image_refuse(p, SLUICE_ERR_FORMAT, flags[f], " is not true or false");
    }
  }
  return SLUICE_OK;
}

static enum sluice_status load_reactions(struct image_place *p, const json_t *root,
                                         struct sluice_image *image) {
  const json_t *list = json_object_get(root, "reactions");
  char why[200] = "";
  if (!list) return SLUICE_OK;
  if (!json_is_array(list))
    return image_refuse(p, SLUICE_ERR_FORMAT, "reactions", " is not a list");
  p->list = "reactions";
  for (p->at = 0; p->at < json_array_size(list); p->at++) {
    SLUICE_TRY(only_reaction(p, json_array_get(list, p->at)));
    struct sluice_reaction *r = sluice_image_add_reaction(image);
    const enum sluice_status status =
        r ? sluice_reaction_read(image, r, json_array_get(list, p->at), why, sizeof why)
          : SLUICE_ERR_NOMEM;
    if (status)
      return image_refuse(p, status, status == SLUICE_ERR_NOMEM ? "out of memory" : why, "");
  }
  p->list = NULL;
  return SLUICE_OK;
}

static enum sluice_status load_root(struct image_place *p, const json_t *root,
                                    const struct sluice_config *config,
                                    struct sluice_image *image) {
  char why[200];
  const json_t *version = json_object_get(root, "sluice_image");
  if (!json_is_integer(version))
    return image_refuse(p, SLUICE_ERR_FORMAT, "not a configuration image", "");
  if (json_integer_value(version) != FORMAT_VERSION)
    return image_refuse(p, SLUICE_ERR_FOREIGN, "an image of another version", " of this format");

  const char *hash = json_string_value(json_object_get(root, "layout_hash"));
  uint64_t number;
  if (!hash || strlen(hash) != 8 || !sluice_hex_digits(hash, 8, &number))
    return image_refuse(p, SLUICE_ERR_FORMAT, "layout_hash", " is not 8 hexadecimal digits");
  image->layout_hash = (uint32_t)number;
  if (image->layout_hash != sluice_layout_hash()) {
    snprintf(why, sizeof why, "made for layouts %08x, these are %08x: compile it again",
             (unsigned)image->layout_hash, (unsigned)sluice_layout_hash());
    return image_refuse(p, SLUICE_ERR_FOREIGN, why, "");
  }
  SLUICE_TRY(image_only(p, root,
                        "sluice_image layout_hash config program system writes arrays fields "
                        "params relocations port_sets set_words tables entries reactions"));
  enum sluice_status status =
      image_name(p, json_object_get(root, "program"), "program", image->program);
  if (!status) status = image_name(p, json_object_get(root, "config"), "config", image->config);
  if (!status && json_object_get(root, "system"))
    status = image_name(p, json_object_get(root, "system"), "system", image->system);
  if (status) return status;
  const struct sluice_config *made_for = sluice_config_named(image->config, why, sizeof why);
  if (!made_for)
    return image_refuse(p, SLUICE_ERR_FOREIGN, *why ? why : "made for an unknown chip", "");
  if (config && !sluice_config_same(config, made_for)) {
    snprintf(why, sizeof why, "made for chip '%s', this is '%s'", made_for->name, config->name);
    return image_refuse(p, SLUICE_ERR_FOREIGN, why, "");
  }
  for (int list = 0; !status && list < NUM_LISTS; list++)
    status = load_list(p, root, (enum list)list, made_for, image);
  if (!status) status = load_reactions(p, root, image);
  if (!status) status = check_whole(p, image);
  if (!status && !sluice_image_check_tables(made_for, image, why, sizeof why))
    status = image_refuse(p, SLUICE_ERR_FORMAT, why, "");
  if (!status) status = count_rows(p, made_for, image);
  if (!status) sluice_image_bind(image);
  return status;
}

enum sluice_status sluice_image_read(struct sluice_image *image, const char *text, size_t len,
                                     const char *name, const struct sluice_config *config,
                                     struct sluice_error *error) {
  json_error_t json_error;
  const size_t mark = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  json_t *root = json_loadb(text + mark, len - mark, JSON_REJECT_DUPLICATES, &json_error);
  if (!root && json_error_code(&json_error) == json_error_out_of_memory)
    return sluice_fail(error, SLUICE_ERR_NOMEM, "'%s': out of memory", name);
  if (!root)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': line %d: %s", name, json_error.line,
                       json_error.text);
  struct image_place place = {.path = name, .error = error};
  const enum sluice_status status = load_root(&place, root, config, image);
  json_decref(root);
  if (status) sluice_image_release(image);
  return status;
}

// With the memory of image->alloc.
static enum sluice_status load_file(struct sluice_image *image, const char *path,
                                    const struct sluice_config *config,
                                    struct sluice_error *error) {
  const struct sluice_alloc alloc = image->alloc;
  struct sluice_file file;
  SLUICE_TRY(sluice_file_read(&file, path, MAX_FILE, &alloc, error));
  const enum sluice_status status =
      sluice_image_read(image, file.bytes, file.len, path, config, error);
  sluice_file_release(&file);
  return status;
}

enum sluice_status sluice_image_load(struct sluice_image *image, const char *path,
                                     const struct sluice_config *config,
                                     struct sluice_error *error) {
  memset(image, 0, sizeof *image);
  return load_file(image, path, config, error);
}

// On the heap. Takes the image away again when it could not be read.
static enum sluice_status new_image(struct sluice_image **image, const struct sluice_alloc *alloc,
                                    struct sluice_error *error) {
  *image = sluice_zeroed(alloc, sizeof **image);
  if (!*image) return sluice_no_memory(error);
  if (alloc) (*image)->alloc = *alloc;
  return SLUICE_OK;
}

static enum sluice_status keep_if(enum sluice_status status, struct sluice_image **image,
                                  const struct sluice_alloc *alloc) {
  if (!status) return status;
  sluice_resize(alloc, *image, sizeof **image, 0);
  *image = NULL;
  return status;
}

enum sluice_status sluice_image_open(struct sluice_image **image, const char *path,
                                     const struct sluice_alloc *alloc, struct sluice_error *error) {
  const enum sluice_status status = new_image(image, alloc, error);
  return status ? status : keep_if(load_file(*image, path, NULL, error), image, alloc);
}

enum sluice_status sluice_image_parse(struct sluice_image **image, const char *text, size_t len,
                                      const char *name, const struct sluice_alloc *alloc,
                                      struct sluice_error *error) {
  const enum sluice_status status = new_image(image, alloc, error);
  return status ? status
                : keep_if(sluice_image_read(*image, text, len, name, NULL, error), image, alloc);
}
