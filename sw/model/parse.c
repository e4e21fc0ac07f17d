// SPDX-License-Identifier: Apache-2.0
// Containers and the parser: from a packet to its PHV.
#include <string.h>

#include "machine.h"

enum { METADATA_BYTES = SLUICE_METADATA_BITS / 8 };

uint64_t model_container(const struct sluice_model *m, const struct sluice_model_phv *phv,
                         unsigned type, unsigned index) {
  const struct sluice_config *c = &m->config;
  switch (type) {
    case SLUICE_TYPE_B2: return index < c->Num2B ? phv->b2[index] : 0;
    case SLUICE_TYPE_B4: return index < c->Num4B ? phv->b4[index] : 0;
    case SLUICE_TYPE_B6: return index < c->Num6B ? phv->b6[index] : 0;
    default: return index;
  }
}

uint64_t model_operand(const struct sluice_model *m, const struct sluice_model_phv *phv,
                       unsigned operand) {
  return model_container(m, phv, operand >> SLUICE_OPERAND_KIND_LSB & 3u, operand & 7u);
}

uint32_t model_operand32(const struct sluice_model *m, const struct sluice_model_phv *phv,
                         unsigned operand) {
  return (uint32_t)model_operand(m, phv, operand);
}

void model_set_container(const struct sluice_model *m, struct sluice_model_phv *phv, unsigned type,
                         unsigned index, uint64_t value) {
  const struct sluice_config *c = &m->config;
  if (type == SLUICE_TYPE_B2 && index < c->Num2B) phv->b2[index] = (uint16_t)value;
  if (type == SLUICE_TYPE_B4 && index < c->Num4B) phv->b4[index] = (uint32_t)value;
  if (type == SLUICE_TYPE_B6 && index < c->Num6B) phv->b6[index] = value & 0xffffffffffffu;
}

// The METADATA layout as 32 bytes, most significant first.
static void metadata(const struct sluice_model_packet *packet, const struct sluice_model_phv *phv,
                     uint8_t bytes[32]) {
  memset(bytes, 0, 32);
  // MODULE_ID 140:129 is {VID[7:0], 0000}: VID in bits 140:133.
  unsigned module_id = (unsigned)phv->vid << 5;
  bytes[31 - 17] = (uint8_t)(module_id >> 8);
  bytes[31 - 16] = (uint8_t)module_id;
  bytes[31 - 8] = (uint8_t)packet->port;
  bytes[31 - 9] = packet->again ? packet->again->round : 0;
  for (unsigned i = 0; i < 4; i++) bytes[31 - 4 - i] = (uint8_t)(packet->arrival >> 8 * i);
  bytes[31 - 3] = phv->dest;
  bytes[31 - 2] = (uint8_t)(packet->port < 8 ? 1u << packet->port : 0u);
  bytes[31 - 1] = (uint8_t)(packet->len >> 8);
  bytes[31] = (uint8_t)packet->len;
}

// Bytes offset..offset+bytes-1, most significant first; those from `end` on read 0.
static uint64_t load(const uint8_t *from, unsigned offset, unsigned bytes, unsigned end) {
  uint64_t value = 0;
  for (unsigned i = offset; i < offset + bytes; i++) value = value << 8 | (i < end ? from[i] : 0u);
  return value;
}

void model_parse_moves(const struct model_move *moves, unsigned num, const uint8_t *bytes,
                       unsigned seen, const uint8_t *metadata, struct sluice_model_phv *phv) {
  for (unsigned n = 0; n < num; n++) {
    const struct model_move *move = &moves[n];
    model_write(phv, move->to,
                move->metadata ? load(metadata, move->offset, move->bytes, METADATA_BYTES)
                               : load(bytes, move->offset, move->bytes, seen));
  }
}

void model_parse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                 struct sluice_model_phv *phv) {
  memset(phv, 0, sizeof *phv);
  phv->vid = packet->bytes[15];
  phv->len = (uint16_t)packet->len;
  phv->bank = (uint8_t)packet->bank;
  const struct model_overlay *overlay = model_overlay(m, model_row(m, phv));
  const bool continued = packet->again && packet->again->continued;
  phv->dest = continued ? packet->again->dest : overlay->dest;
  uint8_t md[METADATA_BYTES];
  if (overlay->metadata) metadata(packet, phv, md);
  const unsigned reach = m->config.HeaderBytes;
  const unsigned seen = packet->len < reach ? packet->len : reach;
  model_parse_moves(overlay->parse, overlay->num_parse, packet->bytes, seen, md, phv);
}
