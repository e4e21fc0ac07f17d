// SPDX-License-Identifier: Apache-2.0
// Names of header fields and metadata that a packet field can be tied to. Offsets are those of a
// frame with one VLAN tag and an IPv4 header without options.
#include <string.h>

#include "ir.h"

// Metadata of a copy have the place that the layout gives them.
#define COPY_OFFSET(FIELD) (31 - SLUICE_EGRESS_METADATA_##FIELD##_MSB / 8)
#define COPY_WIDTH(FIELD) \
  ((SLUICE_EGRESS_METADATA_##FIELD##_MSB - SLUICE_EGRESS_METADATA_##FIELD##_LSB + 1) / 8)
#define COPY_HOME(NAME, FIELD) \
  { "meta", NAME, SLUICE_HOME_METADATA, COPY_OFFSET(FIELD), COPY_WIDTH(FIELD), PART_EGRESS }
static const struct {
  const char *group, *name;
  enum sluice_home_kind kind;
  unsigned offset, width;
  unsigned parts;  // functions that know it; 0: both
} homes[] = {
    {"eth", "dst", SLUICE_HOME_BYTES, 0, 6, 0},
    {"eth", "src", SLUICE_HOME_BYTES, 6, 6, 0},
    {"eth", "type", SLUICE_HOME_BYTES, 16, 2, 0},
    {"vlan", "tpid", SLUICE_HOME_BYTES, 12, 2, 0},
    {"vlan", "tci", SLUICE_HOME_BYTES, 14, 2, 0},
    {"ipv4", "version", SLUICE_HOME_BYTES, 18, 1, 0},
    {"ipv4", "tos", SLUICE_HOME_BYTES, 19, 1, 0},
    {"ipv4", "length", SLUICE_HOME_BYTES, 20, 2, 0},
    {"ipv4", "id", SLUICE_HOME_BYTES, 22, 2, 0},
    {"ipv4", "fragment", SLUICE_HOME_BYTES, 24, 2, 0},
    {"ipv4", "ttl", SLUICE_HOME_BYTES, 26, 1, 0},
    {"ipv4", "protocol", SLUICE_HOME_BYTES, 27, 1, 0},
    {"ipv4", "checksum", SLUICE_HOME_BYTES, 28, 2, 0},
    {"ipv4", "src", SLUICE_HOME_BYTES, 30, 4, 0},
    {"ipv4", "dst", SLUICE_HOME_BYTES, 34, 4, 0},
    {"udp", "sport", SLUICE_HOME_BYTES, 38, 2, 0},
    {"udp", "dport", SLUICE_HOME_BYTES, 40, 2, 0},
    {"udp", "length", SLUICE_HOME_BYTES, 42, 2, 0},
    {"udp", "checksum", SLUICE_HOME_BYTES, 44, 2, 0},
    {"tcp", "sport", SLUICE_HOME_BYTES, 38, 2, 0},
    {"tcp", "dport", SLUICE_HOME_BYTES, 40, 2, 0},
    {"tcp", "seq", SLUICE_HOME_BYTES, 42, 4, 0},
    {"tcp", "ack", SLUICE_HOME_BYTES, 46, 4, 0},
    {"tcp", "offset", SLUICE_HOME_BYTES, 50, 1, 0},
    {"tcp", "flags", SLUICE_HOME_BYTES, 51, 1, 0},
    {"tcp", "window", SLUICE_HOME_BYTES, 52, 2, 0},
    {"tcp", "checksum", SLUICE_HOME_BYTES, 54, 2, 0},
    {"tcp", "urgent", SLUICE_HOME_BYTES, 56, 2, 0},
    // PORT_IN is one byte, below ROUND, so two bytes are read: 256 x round + port.
    {"meta", "port_in", SLUICE_HOME_METADATA, 22, 2, PART_INGRESS},
    {"meta", "arrival", SLUICE_HOME_METADATA, 24, 4, PART_INGRESS},
    {"meta", "length", SLUICE_HOME_METADATA, 30, 2, 0},
    {"meta", "port_out", SLUICE_HOME_PORT_OUT, 0, 0, PART_INGRESS},
    {"meta", "discard", SLUICE_HOME_DISCARD, 0, 0, 0},
    {"meta", "ports_out", SLUICE_HOME_PORTS_OUT, 0, 0, PART_INGRESS},
    COPY_HOME("port_out", PORT_OUT),
    COPY_HOME("copy", COPY),
    COPY_HOME("depth_in", DEPTH_IN),
    COPY_HOME("depth_out", DEPTH_OUT),
    COPY_HOME("time", DELAY),
    COPY_HOME("cycle", CYCLE),
};
enum { NUM_HOMES = sizeof homes / sizeof homes[0] };

static bool known_in(unsigned i, const struct sluice_program *p) {
  return !homes[i].parts || homes[i].parts == (p->outer ? PART_EGRESS : PART_INGRESS);
}

bool home_find(const struct sluice_program *p, struct sluice_program_field *field,
               const char *group, const char *name) {
  bool found = false;
  for (unsigned i = 0; i < NUM_HOMES; i++) {
    if (strcmp(homes[i].group, group) != 0 || strcmp(homes[i].name, name) != 0) continue;
    found = true;
    field->home = known_in(i, p) ? homes[i].kind : SLUICE_HOME_ELSEWHERE;
    field->offset = homes[i].offset;
    field->width = homes[i].width;
    if (known_in(i, p)) break;
  }
  return found;
}

const char *home_meta(const struct sluice_program *p, enum sluice_home_kind home, unsigned offset,
                      unsigned width) {
  for (unsigned i = 0; i < NUM_HOMES; i++)
    if (homes[i].kind == home && homes[i].offset == offset && homes[i].width == width &&
        known_in(i, p))
      return homes[i].name;
  SLUICE_BUG("no such metadatum");
}

void home_text(const struct sluice_program *p, const struct sluice_program_field *field, char *text,
               size_t len) {
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
        homes[i].offset == field->offset && homes[i].width == field->width && known_in(i, p))
      snprintf(text, len, "metadata %s", homes[i].name);
}
