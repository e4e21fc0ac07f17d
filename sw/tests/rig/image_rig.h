// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string.h>

#include "driver/plan/plan.h"

// Images to test with.

static inline struct sluice_write *add(struct sluice_image *image, enum sluice_table table,
                                       unsigned stage, unsigned index) {
  struct sluice_write *w = sluice_image_add_write(image);
  assert_non_null(w);
  w->table = table;
  w->stage = stage;
  w->index = index;
  return w;
}

// A module of two match rows in back stage 0, with an array of `size` entries there.
static inline struct sluice_image sample(const char *config, unsigned size, int pinned) {
  struct sluice_image image = {.layout_hash = sluice_layout_hash(), .match_rows = 2};
  strcpy(image.config, config);
  strcpy(image.program, "sample \"one\"");
  memset(add(&image, SLUICE_TABLE_PARSER, 0, 0)->bytes, 0x5a, 20);
  for (unsigned i = 0; i < 2; i++) {
    memset(add(&image, SLUICE_TABLE_ACTION, 0, i)->bytes, 0x11, 78);
    SLUICE_SET(add(&image, SLUICE_TABLE_MATCH, 0, i)->bytes, MATCH, KEY, i);
  }
  SLUICE_SET(add(&image, SLUICE_TABLE_SEGMENT, 0, 0)->bytes, SEGMENT, RANGE, size);
  struct sluice_write *access = add(&image, SLUICE_TABLE_ACCESS, 0, 0);
  SLUICE_SETS(access->bytes, ACCESS, (ENABLE, 1), (PINNED, pinned));
  struct sluice_array *array = sluice_image_add_array(&image);
  assert_non_null(array);
  // A chip of one word an entry refuses a second one that is not 0.
  const int32_t second = sluice_config_find(config)->StatePairs ? 7 : 0;
  *array = (struct sluice_array){
      .size = size, .pinned = pinned, .name = {"count", ""}, .init = {-1, second}};
  struct sluice_field *field = sluice_image_add_field(&image);
  assert_non_null(field);
  *field = (struct sluice_field){
      .name = "sport", .home = "bytes 38..39", .in_operand = 8, .out_operand = -1};
  return image;
}
