// SPDX-License-Identifier: Apache-2.0
// What a live switch holds: entries, registers, arrays.
#include <stdlib.h>
#include <string.h>

#include "../driver/plan/link.h"
#include "../driver/wire/register.h"
#include "asked.h"
#include "cut.h"

enum { STATE_MOST = 65536 };

// ---- tables and registers -----------------------------------------------------------------------

static enum sluice_status register_of(struct asked *a, const char *name, uint32_t *addr) {
  return sluice_register_parse(live_config(a->live), name, addr, &a->error);
}

static enum sluice_status show_register(struct asked *a) {
  const char *name;
  uint32_t addr, value;
  CHIP_TRY(asked_text(a, "register", &name));
  CHIP_TRY(register_of(a, name, &addr));
  CHIP_TRY(sluice_chip_read(a->chip, addr, &value, &a->error));
  answer_whole(a->answer, "value", value);
  return SLUICE_OK;
}

// One entry as the chip holds it.
static enum sluice_status show_entry(struct asked *a, unsigned vid, const struct sluice_write *w,
                                     unsigned index, json_t *list) {
  uint8_t bytes[SLUICE_ENTRY_BYTES];
  char hex[2 * SLUICE_ENTRY_BYTES + 1], words[1000];
  const struct sluice_table_info *table = &sluice_tables[w->table];
  const size_t len = (table->bits + 7) / 8;
  CHIP_TRY(
      sluice_chip_entry_read(a->chip, vid, table->name, w->stage, index, bytes, len, &a->error));
  for (size_t i = 0; i < len; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
  sluice_entry_describe(w->table, bytes, words, sizeof words);
  json_t *entry = json_object();
  answer_text(entry, "table", table->name);
  answer_whole(entry, "stage", w->stage);
  answer_whole(entry, "index", index);
  answer_text(entry, "bytes", hex);
  answer_text(entry, "means", words);
  answer_append(list, entry);
  return SLUICE_OK;
}

enum sluice_status verb_show(struct asked *a) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  const char *named = NULL;
  unsigned vid;
  int table = -1;
  enum sluice_status status = SLUICE_OK;
  if (asked_has(a, "register")) return show_register(a);
  CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  if (asked_has(a, "table")) {
    CHIP_TRY(asked_text(a, "table", &named));
    table = sluice_table_named(named);
    if (table < 0)
      return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND,
                         "no table is called '%.60s'; see docs/tables.md", named);
  }
  const struct sluice_placed *m = sluice_plan_find(plan, vid);
  if (!m)
    return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u",
                       vid);
  json_t *list = json_array();
  for (size_t i = 0; !status && i < plan->num_writes; i++) {
    const struct sluice_write *w = &plan->writes[i];
    if (sluice_plan_owner(plan, w) != m->row || (named && (int)w->table != table)) continue;
    status = show_entry(a, vid, w, sluice_plan_number(plan, w), list);
  }
  answer_put(a->answer, "entries", list);
  answer_text(a->answer, "program", m->program);
  answer_bank(a, a->answer, vid);
  return status;
}

// ---- state --------------------------------------------------------------------------------------

// `words`: of a row; 0: the array has entries.
static enum sluice_status size_of_array(struct asked *a, unsigned vid, const char *name,
                                        unsigned *size, unsigned *words) {
  struct sluice_image_rows rows;
  *words = 0;
  for (unsigned k = 0; sluice_chip_get_rows(a->chip, vid, k, &rows); k++)
    if (strcmp(rows.name, name) == 0) {
      *size = rows.size;
      *words = rows.words;
      return SLUICE_OK;
    }
  struct sluice_image_array array;
  for (unsigned k = 0; sluice_chip_get_array(a->chip, vid, k, &array); k++)
    if (strncmp(array.name, name, strcspn(name, "@")) == 0 &&
        strlen(array.name) == strcspn(name, "@")) {
      *size = array.size;
      return SLUICE_OK;
    }
  if (!sluice_plan_find(sluice_chip_plan(a->chip), vid))
    return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u",
                       vid);
  return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND, "the module of VLAN %u has no array '%.60s'",
                     vid, name);
}

enum sluice_status verb_state(struct asked *a) {
  const char *name;
  unsigned vid, size = 0, words, first, count;
  CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  CHIP_TRY(asked_text(a, "array", &name));
  CHIP_TRY(size_of_array(a, vid, name, &size, &words));
  CHIP_TRY(asked_number_or(a, "first", STATE_MOST, 0, &first));
  CHIP_TRY(asked_number_or(a, "count", STATE_MOST, first < size ? size - first : 0, &count));
  const size_t each = words ? words : 1;
  uint32_t *values = calloc(count ? count * each : 1, sizeof *values);
  if (!values) return sluice_no_memory(&a->error);
  const enum sluice_status status =
      words ? sluice_chip_rows_read(a->chip, vid, name, first, count, values, &a->error)
            : sluice_chip_state_read(a->chip, vid, name, first, count, values, &a->error);
  json_t *list = json_array();
  for (unsigned n = 0; !status && n < count; n++) {
    json_t *row = words ? json_array() : json_integer((int32_t)values[n]);
    for (unsigned w = 0; w < words; w++)
      answer_append(row, json_integer((int32_t)values[n * each + w]));
    answer_append(list, row);
  }
  free(values);
  answer_whole(a->answer, "first", first);
  answer_put(a->answer, "values", list);
  return status;
}

// All arrays of some modules, or of all, at one ticket.
enum sluice_status verb_cut(struct asked *a) {
  const json_t *list = json_object_get(a->request, "vids");
  unsigned vids[SLUICE_MAX_ROWS];
  const size_t num = json_array_size(list);
  if (list && (num < 1 || num > SLUICE_MAX_ROWS))
    return asked_wants(a, "vids", "a list of 1 to 32 VLAN ids");
  for (size_t n = 0; n < num; n++) {
    const json_t *v = json_array_get(list, n);
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > 4094)
      return asked_wants(a, "vids", "a list of 1 to 32 VLAN ids");
    vids[n] = (unsigned)json_integer_value(v);
  }
  return live_cut(a->chip, vids, (unsigned)num, a->answer, &a->error);
}

// Values of a request, one word behind the other; of an array of rows a value may be a list with
// the words of a row. `values` NULL: they are counted.
static enum sluice_status take_values(struct asked *a, unsigned words, uint32_t *values,
                                      size_t *num) {
  const json_t *list = json_object_get(a->request, "values");
  *num = 0;
  for (size_t n = 0; n < json_array_size(list); n++) {
    const json_t *row = json_array_get(list, n);
    const bool one = !words || !json_is_array(row);
    if (!one && json_array_size(row) != words)
      return sluice_fail(&a->error, SLUICE_ERR_RANGE, "a row has %u words, not %zu", words,
                         json_array_size(row));
    for (size_t w = 0; w < (one ? 1 : words); w++, ++*num) {
      const json_t *v = one ? row : json_array_get(row, w);
      if (!json_is_integer(v) || json_integer_value(v) < INT32_MIN ||
          json_integer_value(v) > UINT32_MAX)
        return asked_wants(a, "values", "a list of 32-bit numbers");
      if (values) values[*num] = (uint32_t)json_integer_value(v);
    }
  }
  return *num && *num <= STATE_MOST
             ? SLUICE_OK
             : asked_wants(a, "values", "a list of 1 to 65536 whole numbers, or of rows");
}

static enum sluice_status set_state(struct asked *a) {
  const char *name;
  unsigned vid, first, size, words;
  size_t num;
  CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  CHIP_TRY(asked_text(a, "array", &name));
  CHIP_TRY(asked_number(a, "first", STATE_MOST, &first));
  CHIP_TRY(size_of_array(a, vid, name, &size, &words));
  CHIP_TRY(take_values(a, words, NULL, &num));
  if (words && num % words)
    return sluice_fail(&a->error, SLUICE_ERR_RANGE, "rows of '%.60s' have %u words, not %zu", name,
                       words, num);
  uint32_t *values = calloc(num, sizeof *values);
  if (!values) return sluice_no_memory(&a->error);
  enum sluice_status status = take_values(a, words, values, &num);
  if (!status && words)
    status =
        sluice_chip_rows_write(a->chip, vid, name, first, (unsigned)num / words, values, &a->error);
  else if (!status)
    status = sluice_chip_state_write(a->chip, vid, name, first, (unsigned)num, values, &a->error);
  free(values);
  return status;
}

static enum sluice_status set_entry(struct asked *a) {
  const char *name;
  unsigned vid, stage, index;
  uint8_t bytes[SLUICE_ENTRY_BYTES];
  size_t len;
  CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  CHIP_TRY(asked_text(a, "table", &name));
  CHIP_TRY(asked_number_or(a, "stage", SLUICE_MAX_STAGES - 1, 0, &stage));
  CHIP_TRY(asked_number_or(a, "index", 1023, 0, &index));
  CHIP_TRY(
      asked_hex_bytes(a, "bytes", "an entry in hexadecimal digits", bytes, sizeof bytes, &len));
  return sluice_chip_entry_write(a->chip, vid, name, stage, index, bytes, len, &a->error);
}

static enum sluice_status set_register(struct asked *a) {
  const char *name;
  uint32_t addr;
  json_int_t value;
  CHIP_TRY(asked_text(a, "register", &name));
  CHIP_TRY(register_of(a, name, &addr));
  CHIP_TRY(asked_whole(a, "value", 0, UINT32_MAX, &value));
  return sluice_chip_write(a->chip, addr, (uint32_t)value, &a->error);
}

enum sluice_status verb_set(struct asked *a) {
  if (asked_has(a, "register")) return set_register(a);
  return asked_has(a, "table") ? set_entry(a) : set_state(a);
}
