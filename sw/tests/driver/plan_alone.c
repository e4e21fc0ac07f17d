// SPDX-License-Identifier: Apache-2.0
// A plan is made, changed and compared without a chip and without packets (sw/tests/cli/arrows.sh
// links this with the objects of plan, tables and image alone). Exit code 0: it says what it
// should.
#include <string.h>

#include "driver/plan/plan.h"

#ifdef CHIP
#include <sluice/chip.h>
#endif

static bool write_one(struct sluice_image *image, enum sluice_table table, unsigned stage) {
  struct sluice_write *w = sluice_image_add_write(image);
  if (!w) return false;
  w->table = table;
  w->stage = stage;
  return true;
}

int main(void) {
  struct sluice_image image = {0};
  struct sluice_plan plan;
  struct sluice_changes changes;
  struct sluice_error error = {""};
  const struct sluice_config *config = sluice_config_find("tiny");
  if (!config) return 1;
  strcpy(image.config, config->name);
  strcpy(image.program, "alone");
  image.layout_hash = sluice_layout_hash();
  if (!write_one(&image, SLUICE_TABLE_PARSER, 0) || !write_one(&image, SLUICE_TABLE_MODULE, 0))
    return 2;
  sluice_plan_init(&plan, config);
  if (sluice_plan_add(&plan, &image, 3, &error)) return 3;
  if (!sluice_plan_add(&plan, &image, 35, &error)) return 4;  // the same row
  if (sluice_plan_diff(NULL, &plan, &changes, &error)) return 5;
  const size_t num = changes.num;
  sluice_changes_release(&changes);
  sluice_plan_release(&plan);
  sluice_image_release(&image);
#ifdef CHIP
  uint32_t value;
  if (sluice_chip_read(NULL, 0, &value, &error)) return 6;
#endif
  return num ? 0 : 7;
}
