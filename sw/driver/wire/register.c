// SPDX-License-Identifier: Apache-2.0
#include "register.h"

#include <ctype.h>
#include <string.h>

#include "../../base/number.h"

// A name of letters, digits and underscores, which fits.
static bool word_of(const char **at, char *to, size_t room) {
  size_t len = 0;
  while (isalnum((unsigned char)(*at)[len]) || (*at)[len] == '_') len++;
  if (len == 0 || len >= room) return false;
  memcpy(to, *at, len);
  to[len] = 0;
  *at += len;
  return true;
}

enum sluice_status sluice_register_parse(const struct sluice_config *config, const char *name,
                                         uint32_t *addr, struct sluice_error *error) {
  char block[32], reg[32];
  uint64_t instance = 0, word = 0;
  // BLOCK.NAME, BLOCK[1].NAME, and a word behind it: ORDER[1].DROP+12
  const char *at = name;
  bool good = word_of(&at, block, sizeof block);
  if (good && *at == '[')
    good = (at++, sluice_number_next(&at, 0, UINT32_MAX, &instance)) && *at++ == ']';
  good = good && *at++ == '.' && word_of(&at, reg, sizeof reg);
  if (good && *at == '+') good = (at++, sluice_number_next(&at, 0, UINT32_MAX, &word));
  if (!good || *at)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%s' is not BLOCK.REGISTER, BLOCK[N].REGISTER or one of these with +WORD",
                       name);
  switch (sluice_register_find(config, block, (unsigned)instance, reg, (unsigned)word, addr)) {
    case SLUICE_FOUND: return SLUICE_OK;
    case SLUICE_FOUND_NO_INSTANCE:
      return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "'%s': chip '%s' has not so many", name,
                         config->name);
    case SLUICE_FOUND_NO_NAME: break;
  }
  return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "'%s': no such register; see docs/tables.md",
                     name);
}
