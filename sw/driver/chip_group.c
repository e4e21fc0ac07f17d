// SPDX-License-Identifier: Apache-2.0
// Groups of ports: rows of PORT_MASK behind those that are one port each. No module owns them.
#include "chip.h"

static enum sluice_status find(const struct sluice_chip *chip, unsigned row,
                               struct sluice_error *error) {
  const unsigned ports = chip->config->NumPorts,
                 rows = sluice_table_rows(SLUICE_TABLE_PORT_MASK, chip->config);
  if (ports <= 8)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has %u ports: its destinations are sets of ports, not rows",
                       chip->config->name, ports);
  if (row >= ports && row < rows) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "group %u: those of chip '%s' are %u to %u", row,
                     chip->config->name, ports, rows - 1);
}

static enum sluice_status get(struct sluice_chip *chip, unsigned row, uint64_t *ports,
                              struct sluice_error *error) {
  const struct chip_query q = {.table = SLUICE_TABLE_PORT_MASK, .index = row, .count = 1};
  struct sluice_reconfig answer;
  CHIP_TRY(chip_query(chip, &q, &answer, error));
  *ports = SLUICE_GET(sluice_reconfig_entry(&answer, 0), PORT_MASK, PORTS);
  return SLUICE_OK;
}

enum sluice_status sluice_chip_group(struct sluice_chip *chip, unsigned row, uint64_t *ports,
                                     struct sluice_error *error) {
  CHIP_TRY(find(chip, row, error));
  return get(chip, row, ports, error);
}

enum sluice_status sluice_chip_group_set(struct sluice_chip *chip, unsigned row, uint64_t ports,
                                         struct sluice_error *error) {
  struct sluice_write write = {.table = SLUICE_TABLE_PORT_MASK, .index = row};
  const unsigned num = chip->config->NumPorts;
  CHIP_TRY(find(chip, row, error));
  if (num < 64 && ports >> num)
    return sluice_fail(error, SLUICE_ERR_RANGE, "group %u: chip '%s' has ports 0 to %u", row,
                       chip->config->name, num - 1);
  SLUICE_SET(write.bytes, PORT_MASK, PORTS, ports);
  for (unsigned n = 0; n < chip->options.tries; n++) {
    struct chip_counts before;
    uint64_t now;
    bool arrived;
    if (n) chip->line.resent++;
    CHIP_TRY(sluice_reconfig_write(&chip->frame, &write));
    CHIP_TRY(chip_counts(chip, &before, error));
    CHIP_TRY(chip_send(chip, error));
    CHIP_TRY(chip_arrive(chip, &before, 1, false, &arrived, error));
    CHIP_TRY(get(chip, row, &now, error));
    if (now == ports) return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "group %u is not as wanted, though written %u times", row,
                     chip->options.tries);
}
