// SPDX-License-Identifier: Apache-2.0
// Building reconfiguration packets. Decoding is in reconfig_decode.c.
#include "reconfig.h"

#include <string.h>

#include "inet.h"

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

void sluice_reconfig_begin(struct sluice_frame *frame, unsigned op, enum sluice_table table,
                           unsigned stage, unsigned index) {
  memset(frame->bytes, 0, SLUICE_RECONFIG_ENTRIES_AT);
  memcpy(frame->bytes, headers, sizeof headers);
  frame->len = SLUICE_RECONFIG_ENTRIES_AT;
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

void sluice_reconfig_finish(struct sluice_frame *frame) {
  sluice_finish_udp(frame->bytes + IP_AT, frame->len - IP_AT);
}

void sluice_reconfig_write(struct sluice_frame *frame, const struct sluice_write *write) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, write->table, write->stage, write->index);
  sluice_reconfig_append(frame, write->table, write->bytes);
  sluice_reconfig_finish(frame);
}

void sluice_reconfig_read(struct sluice_frame *frame, enum sluice_table table, unsigned stage,
                          unsigned index, unsigned count, unsigned copy, unsigned serial) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_READ, table, stage, index);
  SLUICE_RECONFIG_SET(frame, COUNT, count);
  SLUICE_RECONFIG_SET(frame, COPY, copy);
  SLUICE_RECONFIG_SET(frame, SERIAL, serial);
  sluice_reconfig_finish(frame);
}

void sluice_reconfig_erase(struct sluice_frame *frame, unsigned stage, unsigned match_row) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_ERASE, SLUICE_TABLE_MATCH, stage, match_row);
  sluice_reconfig_finish(frame);
}

static void state_entry(struct sluice_frame *frame, enum sluice_table table, unsigned stage,
                        unsigned row, unsigned index, uint32_t s1, uint32_t s2) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SET(entry, STATE_ENTRY, S1, s1);
  SLUICE_SET(entry, STATE_ENTRY, S2, s2);
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, table, stage, index);
  SLUICE_RECONFIG_SET(frame, ROW, row);
  sluice_reconfig_append(frame, table, entry);
  sluice_reconfig_finish(frame);
}

void sluice_reconfig_fill(struct sluice_frame *frame, const struct sluice_fill *fill) {
  state_entry(frame, SLUICE_TABLE_FILL, fill->stage, fill->row, 0, fill->s1, fill->s2);
}

void sluice_reconfig_state_write(struct sluice_frame *frame, unsigned stage, unsigned row,
                                 unsigned index, uint32_t s1, uint32_t s2) {
  state_entry(frame, SLUICE_TABLE_STATE, stage, row, index, s1, s2);
}

void sluice_reconfig_state_read(struct sluice_frame *frame, unsigned stage, unsigned row,
                                unsigned index, unsigned count, unsigned serial) {
  sluice_reconfig_begin(frame, SLUICE_CHAIN_READ, SLUICE_TABLE_STATE, stage, index);
  SLUICE_RECONFIG_SET(frame, ROW, row);
  SLUICE_RECONFIG_SET(frame, COUNT, count);
  SLUICE_RECONFIG_SET(frame, SERIAL, serial);
  sluice_reconfig_finish(frame);
}

// Sends the writes that are (or are not) MODULE entries. A MATCH row goes into use when it is
// written, so its action must be there before it: MATCH entries come in a pass of their own.
enum pass { TABLES, MATCHES, MODULES };

static enum pass pass_of(enum sluice_table table) {
  return table == SLUICE_TABLE_MODULE ? MODULES : table == SLUICE_TABLE_MATCH ? MATCHES : TABLES;
}

static bool send_pass(const struct sluice_plan *plan, enum pass pass, sluice_send *send,
                      void *context) {
  struct sluice_frame frame;
  const struct sluice_write *last = NULL;
  for (size_t i = 0; i < plan->num_writes; i++) {
    const struct sluice_write *w = &plan->writes[i];
    if (pass_of(w->table) != pass) continue;
    bool follows =
        last && last->table == w->table && last->stage == w->stage && last->index + 1 == w->index;
    if (!follows || !sluice_reconfig_append(&frame, w->table, w->bytes)) {
      if (last) {
        sluice_reconfig_finish(&frame);
        if (!send(context, &frame)) return false;
      }
      sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, w->table, w->stage, w->index);
      sluice_reconfig_append(&frame, w->table, w->bytes);
    }
    last = w;
  }
  if (!last) return true;
  sluice_reconfig_finish(&frame);
  return send(context, &frame);
}

bool sluice_reconfig_plan(const struct sluice_plan *plan, sluice_send *send, void *context) {
  if (!send_pass(plan, TABLES, send, context)) return false;
  for (size_t i = 0; i < plan->num_fills; i++) {
    struct sluice_frame frame;
    sluice_reconfig_fill(&frame, &plan->fills[i]);
    if (!send(context, &frame)) return false;
  }
  return send_pass(plan, MATCHES, send, context) && send_pass(plan, MODULES, send, context);
}
