// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TB_INGRESS_MODEL_H
#define SLUICE_TB_INGRESS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/// What docs/machine.md says of port, filter and parser, written for this test.
enum { MAX_PACKET = 10240, MAX_ENTRIES = 64, MAX_ACTIONS = 10 };

/// A packet as its bytes came over the bus.
struct packet {
  uint8_t bytes[MAX_PACKET];  // 0 where no byte came
  unsigned len;
  unsigned port;
  uint32_t arrival;
  bool malformed;  // a gap, or marked bad
  bool ready;      // the chip was ready in the last beat's cycle
  unsigned entry;  // of its row and bank: filled in when it arrives
};

struct module {
  bool valid, need_udp, need_ip;
  unsigned dest, vid, pipe;
};

struct tables {
  // overlay rows; banks; actions of a parser entry; bytes that the parser sees
  unsigned rows, banks, actions, header;
  uint8_t parser[MAX_ENTRIES][2 * MAX_ACTIONS];
  struct module module[MAX_ENTRIES];
  uint32_t bitmap, bank;  // by row
};

struct containers {
  uint64_t b2[8], b4[8], b6[8];
};

/// Reason of the drop on the bus, but for LANE_FULL and BUFFER_FULL; 0: none.
unsigned model_port(const struct packet *p);
/// Entry of a packet that arrives now: bank * rows + row.
unsigned model_entry(const struct tables *t, const struct packet *p);
/// Reason of the drop in the filter; `*known`: the VLAN tag names the module of its row.
unsigned model_filter(const struct tables *t, const struct packet *p, bool *known);
unsigned model_vid(const struct packet *p);
void model_parse(const struct tables *t, const struct packet *p, struct containers *out);

#endif
