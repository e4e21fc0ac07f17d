// SPDX-License-Identifier: Apache-2.0
// Building reconfiguration packets. Decoding is in reconfig_decode.c.
#include "wire.h"

#include <string.h>

#include "../../base/bytes.h"

enum { IP_AT = 18 };

// The first 46 bytes, Menshen's way: Ethernet, VLAN, IPv4 without options, UDP. Addresses are from
// the ranges for documentation; nothing on the chip looks at them.
static const uint8_t headers[SLUICE_RECONFIG_AT] = {
    0x02,
    0,
    0,
    0,
    0,
    0x0a,
    0x02,
    0,
    0,
    0,
    0,
    0x0b,  // MAC addresses
    0x81,
    0x00,
    0x00,
    SLUICE_RECONFIG_VID,
    0x08,
    0x00,  // VLAN tag, IPv4
    0x45,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    64,
    17,
    0,
    0,  // IPv4: identification 1, TTL 64, UDP
    192,
    0,
    2,
    1,
    198,
    51,
    100,
    2,  // 192.0.2.1 to 198.51.100.2
    0x12,
    0x34,
    SLUICE_RECONFIG_PORT >> 8,
    SLUICE_RECONFIG_PORT & 255,
    0,
    0,
    0,
    0,
};

void sluice_reconfig_field(struct sluice_frame *frame, unsigned msb, unsigned lsb, uint64_t value) {
  if (!sluice_entry_fits(msb, lsb, value)) frame->refused = true;
  else sluice_entry_set(frame->bytes + SLUICE_RECONFIG_AT, SLUICE_RECONFIG_BITS, msb, lsb, value);
}

void sluice_reconfig_begin(struct sluice_frame *frame, unsigned op, enum sluice_table table,
                           unsigned stage, unsigned index) {
  memset(frame->bytes, 0, SLUICE_RECONFIG_ENTRIES_AT);
  memcpy(frame->bytes, headers, sizeof headers);
  frame->len = SLUICE_RECONFIG_ENTRIES_AT;
  frame->refused = false;
  SLUICE_RECONFIG_SET(frame, STAGE, stage);
  SLUICE_RECONFIG_SET(frame, RESOURCE, sluice_tables[table].module);
  SLUICE_RECONFIG_SET(frame, SUB, sluice_tables[table].sub);
  SLUICE_RECONFIG_SET(frame, INDEX_LO, index & 255u);
  SLUICE_RECONFIG_SET(frame, INDEX_HI, index >> 8);
  SLUICE_RECONFIG_SET(frame, OP, op);
}

bool sluice_reconfig_append(struct sluice_frame *frame, enum sluice_table table,
                            const uint8_t *entry) {
  // The last entry has no padding; it is filled up to 64 when another one follows.
  size_t at = SLUICE_RECONFIG_ENTRIES_AT, stride = sluice_table_stride(table);
  at += (frame->len - at + stride - 1) / stride * stride;
  size_t len = sluice_table_bytes(table);
  if (at + len > SLUICE_FRAME_MAX) return false;
  memset(frame->bytes + frame->len, 0, at - frame->len);
  memcpy(frame->bytes + at, entry, len);
  frame->len = at + len;
  return true;
}

enum sluice_status sluice_reconfig_finish(struct sluice_frame *frame) {
  if (frame->refused) {
    frame->len = 0;
    return SLUICE_ERR_RANGE;
  }
  sluice_finish_udp(frame->bytes + IP_AT, frame->len - IP_AT);
  return SLUICE_OK;
}

enum sluice_status sluice_reconfig_write(struct sluice_frame *frame,
                                         const struct sluice_write *write) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, write->table, write->stage, write->index);
  sluice_reconfig_append(frame, write->table, write->bytes);
  return sluice_reconfig_finish(frame);
}

enum sluice_status sluice_reconfig_read(struct sluice_frame *frame, enum sluice_table table,
                                        unsigned stage, unsigned index, unsigned count,
                                        unsigned copy, unsigned serial) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_READ, table, stage, index);
  SLUICE_RECONFIG_SET(frame, COUNT, count);
  SLUICE_RECONFIG_SET(frame, COPY, copy);
  SLUICE_RECONFIG_SET(frame, SERIAL, serial);
  return sluice_reconfig_finish(frame);
}

enum sluice_status sluice_reconfig_erase(struct sluice_frame *frame, unsigned stage,
                                         unsigned match_row) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_ERASE, SLUICE_TABLE_MATCH, stage, match_row);
  return sluice_reconfig_finish(frame);
}

static enum sluice_status state_entry(struct sluice_frame *frame, enum sluice_table table,
                                      unsigned stage, unsigned row, unsigned index, uint32_t s1,
                                      uint32_t s2) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(entry, STATE_ENTRY, (S1, s1), (S2, s2));
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, table, stage, index);
  SLUICE_RECONFIG_SET(frame, ROW, row);
  sluice_reconfig_append(frame, table, entry);
  return sluice_reconfig_finish(frame);
}

enum sluice_status sluice_reconfig_fill(struct sluice_frame *frame, unsigned stage, unsigned row,
                                        uint32_t s1, uint32_t s2) {
  return state_entry(frame, SLUICE_TABLE_FILL, stage, row, 0, s1, s2);
}

enum sluice_status sluice_reconfig_state_write(struct sluice_frame *frame, unsigned stage,
                                               unsigned row, unsigned index, uint32_t s1,
                                               uint32_t s2) {
  return state_entry(frame, SLUICE_TABLE_STATE, stage, row, index, s1, s2);
}
