// SPDX-License-Identifier: Apache-2.0
#include "register.h"

#include <stdio.h>

enum sluice_status sluice_register_parse(const struct sluice_config *config, const char *name,
                                         uint32_t *addr, struct sluice_error *error) {
  char block[32], reg[32];
  unsigned instance = 0, word = 0;
  int end = 0;
  // BLOCK.NAME, BLOCK[1].NAME, and a word behind it: ORDER[1].DROP+12
  bool good = sscanf(name, "%31[A-Za-z0-9_][%u].%31[A-Za-z0-9_]%n", block, &instance, reg, &end) ==
              3;
  if (!good) good = sscanf(name, "%31[A-Za-z0-9_].%31[A-Za-z0-9_]%n", block, reg, &end) == 2;
  if (good && name[end] == '+') {
    int more = 0;
    good = sscanf(name + end, "+%u%n", &word, &more) == 1;
    end += more;
  }
  if (!good || name[end])
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%s' is not BLOCK.REGISTER, BLOCK[N].REGISTER or one of these with +WORD",
                       name);
  switch (sluice_register_find(config, block, instance, reg, word, addr)) {
    case SLUICE_FOUND: return SLUICE_OK;
    case SLUICE_FOUND_NO_INSTANCE:
      return sluice_fail(error, SLUICE_ERR_RANGE, "'%s': chip '%s' has not so many", name,
                         config->name);
    case SLUICE_FOUND_NO_NAME: break;
  }
  return sluice_fail(error, SLUICE_ERR_RANGE, "'%s': no such register; see docs/tables.md", name);
}
