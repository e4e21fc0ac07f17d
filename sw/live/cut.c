// SPDX-License-Identifier: Apache-2.0
#include "cut.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../driver/chip/chip.h"

enum { NAME = 100 };

static json_t *clean(const char *text) {
  char out[4 * NAME];
  sluice_text_clean(out, sizeof out, text, false);
  return json_string(out);
}

static enum sluice_status read_array(struct sluice_chip *chip, unsigned vid,
                                     const struct sluice_image_array *array, json_t *list,
                                     struct sluice_error *error) {
  uint32_t *values = calloc(array->size ? array->size : 1, sizeof *values);
  json_t *words = json_array();
  bool lost = !values || !words;
  enum sluice_status status = SLUICE_OK;
  if (!lost) status = sluice_chip_cut_read(chip, vid, array->name, 0, array->size, values, error);
  for (unsigned n = 0; !lost && !status && n < array->size; n++)
    lost = json_array_append_new(words, json_integer((int32_t)values[n])) != 0;
  free(values);
  json_t *one = json_object();
  lost = json_object_set_new(one, "name", clean(array->name)) || lost;
  lost = json_object_set_new(one, "stage", json_integer((json_int_t)array->stage)) || lost;
  lost = json_object_set_new(one, "values", words) || lost;
  lost = json_array_append_new(list, one) || lost;
  return status ? status : lost ? sluice_no_memory(error) : SLUICE_OK;
}

static enum sluice_status read_module(struct sluice_chip *chip, const struct sluice_module *m,
                                      json_t *modules, struct sluice_error *error) {
  struct sluice_image_array array;
  json_t *one = json_object(), *arrays = json_array();
  enum sluice_status status = SLUICE_OK;
  for (unsigned k = 0; !status && sluice_chip_get_array(chip, m->vid, k, &array); k++)
    if (!array.egress) status = read_array(chip, m->vid, &array, arrays, error);
  bool lost = json_object_set_new(one, "vid", json_integer((json_int_t)m->vid)) != 0;
  lost = json_object_set_new(one, "program", clean(m->program)) || lost;
  lost = json_object_set_new(one, "arrays", arrays) || lost;
  lost = json_array_append_new(modules, one) || lost;
  return status ? status : lost ? sluice_no_memory(error) : SLUICE_OK;
}

static bool asked_for(unsigned vid, const unsigned *vids, unsigned num) {
  for (unsigned n = 0; n < num; n++)
    if (vids[n] == vid) return true;
  return num == 0;
}

enum sluice_status live_cut(struct sluice_chip *chip, const unsigned *vids, unsigned num,
                            json_t *answer, struct sluice_error *error) {
  struct sluice_module m;
  struct sluice_error more;
  uint32_t ticket;
  json_t *modules = json_array();
  enum sluice_status status = modules ? sluice_chip_cut_begin(chip, vids, num, &ticket, error)
                                      : sluice_no_memory(error);
  if (status) {
    json_decref(modules);
    return status;
  }
  for (unsigned n = 0; !status && sluice_plan_module(sluice_chip_plan(chip), n, &m); n++)
    if (asked_for(m.vid, vids, num)) status = read_module(chip, &m, modules, error);
  const enum sluice_status ended = sluice_chip_cut_end(chip, status ? &more : error);
  const bool lost = json_object_set_new(answer, "ticket", json_integer((json_int_t)ticket)) |
                    json_object_set_new(answer, "modules", modules);
  if (!status) status = ended;
  return status ? status : lost ? sluice_no_memory(error) : SLUICE_OK;
}
