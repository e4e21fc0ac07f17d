// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "wire.h"

bool sluice_reconfig_is(const uint8_t *bytes, size_t len) {
  return len >= SLUICE_FRAME_MIN && bytes[12] == 0x81 && bytes[13] == 0x00 && bytes[16] == 0x08 &&
         bytes[17] == 0x00 && bytes[27] == 0x11 && bytes[40] == SLUICE_RECONFIG_PORT >> 8 &&
         bytes[41] == (SLUICE_RECONFIG_PORT & 255);
}

enum sluice_status sluice_reconfig_decode(struct sluice_reconfig *packet, const uint8_t *bytes,
                                          size_t len, struct sluice_error *error) {
  memset(packet, 0, sizeof *packet);
  packet->table = SLUICE_NUM_TABLES;
  const bool answer = len >= SLUICE_FRAME_MIN &&
                      SLUICE_GET(bytes + SLUICE_RECONFIG_AT, RECONFIG, OP) == SLUICE_CHAIN_ANSWER;
  const int most = answer ? SLUICE_ANSWER_MAX : SLUICE_FRAME_MAX;
  if (len < SLUICE_FRAME_MIN || len > (size_t)most)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%zu bytes, a reconfiguration packet has %d to %d",
                       len, SLUICE_FRAME_MIN, most);
  if (!sluice_reconfig_is(bytes, len))
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "not a reconfiguration packet (VLAN, IPv4, UDP port 0xf1f2)");
  const uint8_t *head = bytes + SLUICE_RECONFIG_AT;
  packet->stage = (unsigned)SLUICE_GET(head, RECONFIG, STAGE);
  packet->resource = (unsigned)SLUICE_GET(head, RECONFIG, RESOURCE);
  packet->sub = (unsigned)SLUICE_GET(head, RECONFIG, SUB);
  packet->index =
      (unsigned)(SLUICE_GET(head, RECONFIG, INDEX_HI) << 8 | SLUICE_GET(head, RECONFIG, INDEX_LO));
  packet->cookie = (uint32_t)SLUICE_GET(head, RECONFIG, COOKIE);
  packet->op = (unsigned)SLUICE_GET(head, RECONFIG, OP);
  packet->copy = (unsigned)SLUICE_GET(head, RECONFIG, COPY);
  packet->row = (unsigned)SLUICE_GET(head, RECONFIG, ROW);
  packet->count = (unsigned)SLUICE_GET(head, RECONFIG, COUNT);
  packet->serial = (unsigned)SLUICE_GET(head, RECONFIG, SERIAL);
  packet->table = sluice_table_find(packet->resource, packet->sub);
  packet->entries = bytes + SLUICE_RECONFIG_ENTRIES_AT;
  if (packet->table == SLUICE_NUM_TABLES) return SLUICE_OK;
  packet->stride = sluice_table_stride(packet->table);
  // The last entry counts when all of its own bytes are there; the padding behind it may be
  // missing.
  size_t rest = len - SLUICE_RECONFIG_ENTRIES_AT, need = sluice_table_bytes(packet->table);
  packet->num_entries = (unsigned)(rest / packet->stride + (rest % packet->stride >= need));
  return SLUICE_OK;
}
