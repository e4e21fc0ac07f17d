// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

#include "../image/places.h"

/// Reconfiguration packets: built, decoded, described. They are Menshen's packets with a few of the
/// bytes that Menshen ignores in use (layout RECONFIG); Menshen's own packets decode as they are.
///
///     struct sluice_frame f;
///     sluice_reconfig_begin(&f, SLUICE_CHAIN_WRITE, SLUICE_TABLE_SEGMENT, 2, 7);
///     sluice_reconfig_append(&f, SLUICE_TABLE_SEGMENT, entry);     // index 7, the next one is 8
///     sluice_reconfig_finish(&f);                                  // lengths and checksums
///
/// This room knows bytes and no plan. pack.h makes packets of a list of changes, queue.h holds what
/// has come until somebody takes it, register.h finds a register by its name.
enum {
  SLUICE_FRAME_MAX = 9216,  // bytes of a frame, VLAN tag included, FCS not
  SLUICE_FRAME_MIN = 64,
  SLUICE_RECONFIG_VID = 0x00f,  // VLAN of the control packets, by Menshen's convention
  SLUICE_RECONFIG_PORT = 0xf1f2,
};

struct sluice_frame {
  size_t len;
  bool refused;  // a field of the header was given a value that it cannot hold: finish says so
  uint8_t bytes[SLUICE_FRAME_MAX];
};

/// What a READ is answered with: the request's first 64 bytes, then up to 128 entries
/// (RECONFIG.COUNT) of at most 128 bytes each. So an answer may be longer than any frame of the
/// ports.
enum { SLUICE_ANSWER_MAX = 64 + 128 * 128 };
struct sluice_answer {
  size_t len;
  uint8_t bytes[SLUICE_ANSWER_MAX];
};

/// Starts a packet of `op` (enumeration CHAIN) for `table` from entry `index` on. `stage` is 0 for
/// tables without a stage. Ends with a complete 64-byte header; lengths are set by finish.
void sluice_reconfig_begin(struct sluice_frame *frame, unsigned op, enum sluice_table table,
                           unsigned stage, unsigned index);

/// Sets a field of the header, between begin and finish: SLUICE_RECONFIG_SET(&f, ROW, 3). A value
/// that does not fit is not cut: the packet is refused when it is finished.
#define SLUICE_RECONFIG_SET(FRAME, FIELD, VALUE)                                             \
  sluice_reconfig_field(FRAME, SLUICE_RECONFIG_##FIELD##_MSB, SLUICE_RECONFIG_##FIELD##_LSB, \
                        (uint64_t)(VALUE))
void sluice_reconfig_field(struct sluice_frame *frame, unsigned msb, unsigned lsb, uint64_t value);
enum { SLUICE_RECONFIG_AT = 46, SLUICE_RECONFIG_ENTRIES_AT = 64 };

/// Appends the next entry in blocks of 64 bytes of its own. Returns false, and changes nothing, if
/// there is no room.
bool sluice_reconfig_append(struct sluice_frame *frame, enum sluice_table table,
                            const uint8_t *entry);

/// Lengths and checksums. SLUICE_ERR_RANGE: a stage, row, index, count, copy or serial number did
/// not fit into its field; the frame is then empty (len 0).
enum sluice_status sluice_reconfig_finish(struct sluice_frame *frame);

/// Whole packets in one call; they return what finish does.
enum sluice_status sluice_reconfig_write(struct sluice_frame *frame,
                                         const struct sluice_write *write);
enum sluice_status sluice_reconfig_read(struct sluice_frame *frame, enum sluice_table table,
                                        unsigned stage, unsigned index, unsigned count,
                                        unsigned copy, unsigned serial);
enum sluice_status sluice_reconfig_erase(struct sluice_frame *frame, unsigned stage,
                                         unsigned match_row);
/// Gives every entry of the segment of overlay row `row` one value.
enum sluice_status sluice_reconfig_fill(struct sluice_frame *frame, unsigned stage, unsigned row,
                                        uint32_t s1, uint32_t s2);
/// State entry `index` (logical) of the module of overlay row `row`.
enum sluice_status sluice_reconfig_state_write(struct sluice_frame *frame, unsigned stage,
                                               unsigned row, unsigned index, uint32_t s1,
                                               uint32_t s2);

/// A decoded packet. Pointers go into the bytes that were decoded.
struct sluice_reconfig {
  unsigned op;  // enumeration CHAIN; may be a number that it does not list
  unsigned stage, resource, sub, index, row, copy, count, serial;
  uint32_t cookie;
  enum sluice_table table;  // SLUICE_NUM_TABLES: no table has this resource and sub-table
  unsigned num_entries;     // whole entries in the packet
  const uint8_t *entries;   // byte 64 of the packet
  unsigned stride;          // bytes from entry to entry
};

/// Whether bytes are a reconfiguration packet by the chip's own rule (machine.md): nothing else is
/// looked at.
bool sluice_reconfig_is(const uint8_t *bytes, size_t len);

/// SLUICE_ERR_FORMAT: not a reconfiguration packet, too short or too long.
enum sluice_status sluice_reconfig_decode(struct sluice_reconfig *packet, const uint8_t *bytes,
                                          size_t len, struct sluice_error *error);

/// Entry i < num_entries, left-justified, as many whole bytes as the table's width needs.
static inline const uint8_t *sluice_reconfig_entry(const struct sluice_reconfig *packet,
                                                   unsigned i) {
  return packet->entries + (size_t)i * packet->stride;
}

static inline unsigned sluice_table_stride(enum sluice_table table) {
  return (sluice_table_bytes(table) + 63) / 64 * 64;
}

/// Writes the packet, or one entry, as text with the names of layouts.def: "segment stage 2 index
/// 3", "RANGE 16, BASE 32". Cut to text_len like snprintf. Fields that are 0 are left out of
/// entries.
void sluice_reconfig_describe(const struct sluice_reconfig *packet, char *text, size_t text_len);
void sluice_entry_describe(enum sluice_table table, const uint8_t *entry, char *text,
                           size_t text_len);
