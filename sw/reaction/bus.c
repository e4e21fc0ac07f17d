// SPDX-License-Identifier: Apache-2.0
#include "bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../base/status.h"

// A register read over PCIe takes about a microsecond; posted writes are limited by the processor.
static const struct reaction_bus pcie = {.read = 900, .write = 4, .width = 16, .code = 0};
enum { MOST = 1000000 };

static enum sluice_status number(struct reaction_bus *bus, const char *text, size_t len,
                                 struct sluice_error *error) {
  const struct {
    const char *name;
    uint32_t *to, least;
  } numbers[] = {{"read", &bus->read, 0},
                 {"write", &bus->write, 0},
                 {"width", &bus->width, 1},
                 {"code", &bus->code, 0}};
  const char *equal = memchr(text, '=', len);
  for (size_t i = 0; equal && i < sizeof numbers / sizeof numbers[0]; i++) {
    uint64_t value;
    if (strlen(numbers[i].name) != (size_t)(equal - text) ||
        memcmp(numbers[i].name, text, (size_t)(equal - text)) != 0)
      continue;
    if (sluice_number_len(equal + 1, (size_t)(text + len - equal - 1), &value) != SLUICE_READ ||
        value > MOST || value < numbers[i].least)
      return sluice_fail(error, SLUICE_ERR_RANGE, "bus: '%.*s': %s is %u..%d", (int)len, text,
                         numbers[i].name, numbers[i].least, MOST);
    *numbers[i].to = (uint32_t)value;
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_RANGE,
                     "bus: '%.*s': none, pcie, or numbers for read, write, width, code, as in "
                     "read=900,write=4,width=16,code=0",
                     (int)len, text);
}

enum sluice_status reaction_bus_parse(struct reaction_bus *bus, const char *text,
                                      struct sluice_error *error) {
  *bus = (struct reaction_bus){.width = pcie.width};
  if (strcmp(text, "none") == 0) return SLUICE_OK;
  *bus = pcie;
  if (strcmp(text, "pcie") == 0) return SLUICE_OK;
  for (;;) {
    const size_t len = strcspn(text, ",");
    const enum sluice_status status = number(bus, text, len, error);
    if (status || !text[len]) return status;
    text += len + 1;
  }
}

void reaction_bus_text(const struct reaction_bus *bus, char *text, size_t len) {
  if (reaction_bus_is(bus))
    snprintf(text, len, "read=%u,write=%u,width=%u,code=%u", bus->read, bus->write, bus->width,
             bus->code);
  else snprintf(text, len, "none");
}
