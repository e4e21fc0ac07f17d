// SPDX-License-Identifier: Apache-2.0
// Names of header fields and metadata that a packet field can be tied to. Offsets are those of a
// frame with one VLAN tag and an IPv4 header without options.
#include <string.h>

#include "internal.h"

static const struct {
  const char *group, *name;
  enum sluice_home_kind kind;
  unsigned offset, width;
} homes[] = {
    {"eth", "dst", SLUICE_HOME_BYTES, 0, 6},
    {"eth", "src", SLUICE_HOME_BYTES, 6, 6},
    {"eth", "type", SLUICE_HOME_BYTES, 16, 2},
    {"vlan", "tpid", SLUICE_HOME_BYTES, 12, 2},
    {"vlan", "tci", SLUICE_HOME_BYTES, 14, 2},
    {"ipv4", "version", SLUICE_HOME_BYTES, 18, 1},
    {"ipv4", "tos", SLUICE_HOME_BYTES, 19, 1},
    {"ipv4", "length", SLUICE_HOME_BYTES, 20, 2},
    {"ipv4", "id", SLUICE_HOME_BYTES, 22, 2},
    {"ipv4", "fragment", SLUICE_HOME_BYTES, 24, 2},
    {"ipv4", "ttl", SLUICE_HOME_BYTES, 26, 1},
    {"ipv4", "protocol", SLUICE_HOME_BYTES, 27, 1},
    {"ipv4", "checksum", SLUICE_HOME_BYTES, 28, 2},
    {"ipv4", "src", SLUICE_HOME_BYTES, 30, 4},
    {"ipv4", "dst", SLUICE_HOME_BYTES, 34, 4},
    {"udp", "sport", SLUICE_HOME_BYTES, 38, 2},
    {"udp", "dport", SLUICE_HOME_BYTES, 40, 2},
    {"udp", "length", SLUICE_HOME_BYTES, 42, 2},
    {"udp", "checksum", SLUICE_HOME_BYTES, 44, 2},
    {"tcp", "sport", SLUICE_HOME_BYTES, 38, 2},
    {"tcp", "dport", SLUICE_HOME_BYTES, 40, 2},
    {"tcp", "seq", SLUICE_HOME_BYTES, 42, 4},
    {"tcp", "ack", SLUICE_HOME_BYTES, 46, 4},
    {"tcp", "offset", SLUICE_HOME_BYTES, 50, 1},
    {"tcp", "flags", SLUICE_HOME_BYTES, 51, 1},
    {"tcp", "window", SLUICE_HOME_BYTES, 52, 2},
    {"tcp", "checksum", SLUICE_HOME_BYTES, 54, 2},
    {"tcp", "urgent", SLUICE_HOME_BYTES, 56, 2},
    // PORT_IN is one byte below a zero byte, so two bytes are read.
    {"meta", "port_in", SLUICE_HOME_METADATA, 22, 2},
    {"meta", "arrival", SLUICE_HOME_METADATA, 24, 4},
    {"meta", "length", SLUICE_HOME_METADATA, 30, 2},
    {"meta", "port_out", SLUICE_HOME_PORT_OUT, 0, 0},
    {"meta", "discard", SLUICE_HOME_DISCARD, 0, 0},
    {"meta", "ports_out", SLUICE_HOME_PORTS_OUT, 0, 0},
};
enum { NUM_HOMES = sizeof homes / sizeof homes[0] };

bool home_find(struct sluice_program_field *field, const char *group, const char *name) {
  for (unsigned i = 0; i < NUM_HOMES; i++)
    if (strcmp(homes[i].group, group) == 0 && strcmp(homes[i].name, name) == 0) {
      field->home = homes[i].kind;
      field->offset = homes[i].offset;
      field->width = homes[i].width;
      return true;
    }
  return false;
}

const char *home_meta(enum sluice_home_kind home, unsigned offset) {
  for (unsigned i = 0; i < NUM_HOMES; i++)
    if (homes[i].kind == home && homes[i].offset == offset) return homes[i].name;
  SLUICE_BUG("no such metadatum");
}

void home_text(const struct sluice_program_field *field, char *text, size_t len) {
  text[0] = 0;
  if (field->home == SLUICE_HOME_BYTES && field->width == 1)
    snprintf(text, len, "byte %u", field->offset);
  else if (field->home == SLUICE_HOME_BYTES)
    snprintf(text, len, "bytes %u..%u", field->offset, field->offset + field->width - 1);
  else if (field->home == SLUICE_HOME_ARRAY)
    snprintf(text, len, "bytes %u..%u, %u words", field->offset,
             field->offset + 4 * field->words - 1, field->words);
  for (unsigned i = 0; i < NUM_HOMES; i++)
    if (homes[i].kind == field->home && field->home > SLUICE_HOME_BYTES &&
        homes[i].offset == field->offset)
      snprintf(text, len, "metadata %s", homes[i].name);
}
