// SPDX-License-Identifier: Apache-2.0
// Ordered merge (docs/tm.md): where a program has the number by which its packets are sorted,
// and the registers.
#include <string.h>

#include "chip.h"
#include "../image/image.h"
#include "../../base/status.h"

// Whether an action of a front stage writes the container: then it has another value at the order
// point. *stage: which one.
static bool front_writes(const struct sluice_image *image, const struct sluice_config *config,
                         unsigned operand, unsigned *stage) {
  const unsigned bits = sluice_tables[SLUICE_TABLE_ACTION].bits, lsb = 25 * (operand - 8 + 1);
  const unsigned behind = config->BackStages + config->FrontStages;
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    if (w->table != SLUICE_TABLE_ACTION || w->stage < config->BackStages || w->stage >= behind)
      continue;
    const uint64_t word = sluice_entry_get(w->bytes, bits, lsb + 24, lsb);
    const unsigned op = (unsigned)(word >> SLUICE_INSTR_OP_LSB) & 15;
    if (op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) continue;
    *stage = w->stage - config->BackStages;
    return true;
  }
  return false;
}

enum sluice_status sluice_image_merge_key(const struct sluice_image *image, const char *field,
                                          unsigned *operand, struct sluice_error *error) {
  const struct sluice_config *config = sluice_config_find(image->config);
  const struct sluice_field *found = NULL;
  unsigned stage;
  for (size_t i = 0; i < image->num_fields && !found; i++)
    if (!image->fields[i].egress && strcmp(image->fields[i].name, field) == 0)
      found = &image->fields[i];
  if (!config)
    return sluice_fail(error, SLUICE_ERR_FOREIGN, "program '%s': no chip '%s' is known",
                       image->program, image->config);
  if (!found)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "program '%s' has no field '%s' in its packets",
                       image->program, field);
  if (found->in_operand < 0)
    return sluice_fail(
        error, SLUICE_ERR_RANGE,
        "program '%s' does not read field '%s' (%s) from the packet, so it is in no container at "
        "the order point: a field of 2 or 4 bytes whose value the program uses is",
        image->program, field, *found->home ? found->home : "temporary");
  if (front_writes(image, config, (unsigned)found->in_operand, &stage))
    return sluice_fail(
        error, SLUICE_ERR_RANGE,
        "program '%s': front stage %u writes the container of field '%s', so it has another value "
        "at the order point: name another field, or use this one behind the order point too",
        image->program, stage, field);
  *operand = (unsigned)found->in_operand;
  return SLUICE_OK;
}

// No lane is merged while the key changes.
static enum sluice_status put_merge(struct sluice_chip *chip, const struct sluice_merge *merge,
                                    struct sluice_error *error) {
  CHIP_TRY(sluice_chip_write(chip, CHIP_REG(MERGE, 0, LANES), 0, error));
  CHIP_TRY(sluice_chip_write(chip, CHIP_REG(MERGE, 0, KEY), merge->key, error));
  CHIP_TRY(sluice_chip_write(chip, CHIP_REG(MERGE, 0, IDLE), merge->idle, error));
  return sluice_chip_write(chip, CHIP_REG(MERGE, 0, LANES), merge->lanes, error);
}

enum sluice_status sluice_chip_merge(struct sluice_chip *chip, const struct sluice_merge *merge,
                                     struct sluice_error *error) {
  const struct sluice_config *config = chip->config;
  if (!config->OrderedMerge)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "chip '%s' merges no lanes (OrderedMerge is 0): 'merge' does", config->name);
  if (merge->lanes >> config->NumPipes)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "lanes 0x%x to merge: chip '%s' has the lanes 0 to %u", merge->lanes,
                       config->name, config->NumPipes - 1);
  if (merge->key >> SLUICE_OPERAND_BITS)
    return sluice_fail(error, SLUICE_ERR_RANGE, "key 0x%x is no operand of %d bits", merge->key,
                       SLUICE_OPERAND_BITS);
  if (merge->idle > SLUICE_MERGE_IDLE_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u cycles until a lane is idle, legal is 0 to %d",
                       merge->idle, SLUICE_MERGE_IDLE_MAX);
  // The chip refuses the writes while packets are inside, so those that come are dropped meanwhile.
  const uint32_t rows = chip_all_rows(chip) & ~chip->held;
  struct sluice_error later;
  enum sluice_status status = chip_hold(chip, rows, true, error);
  if (!status) status = put_merge(chip, merge, error);
  const enum sluice_status again = chip_let_go(chip, rows, status ? &later : error);
  return status ? status : again;
}
