// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>

#include "../base/layouts.h"
#include "trace.h"

/// A trace as an ordinary program and its packets: every packet carries the entries that it needs
/// in its header, and the program, with an array at each stage of the trace, reads them there.
///
///     sluice_trace_plan(&plan, &trace, config, 0, &error);
///     sluice_trace_program(&plan, file);
///     for (uint32_t n = 0; n < trace.num_packets; n++) sluice_trace_frame(&plan, &trace, n, ...);
///
/// A frame, with its VLAN tag:
///
///     16..17  0x88b5, the type for local experiments      52..55  flow
///     18      a number that differs from packet to packet 56..59  number of the packet (trace)
///     19      output port                                 60..63  0, or the result of an access
///     20..    for each stage with state, in their order, the index + 1; 0: no access there. Where
///             the last entry of a stage is used, and every packet has all accesses: the index
///
/// Each access adds bytes 18.. of its packet (where containers are few: 1) to its entry; the packet
/// takes the old value along in the place of the index: a packet that comes to an entry too early
/// or too late differs from the reference's, and so do all behind it. (Indices that share a 4-byte
/// field stay; the old value of the first of them goes to bytes 60..63.)
enum {
  SLUICE_TRACE_ITEMS = SLUICE_TRACE_ACCESSES + 1,
  SLUICE_TRACE_ETHERTYPE = 0x88b5,
  SLUICE_TRACE_FIRST_ITEM = 18,  // bytes from here on: 2 for each item
  SLUICE_TRACE_FLOW = 52,
  SLUICE_TRACE_NUMBER = 56,
  SLUICE_TRACE_FREE = 60,
  SLUICE_TRACE_MIN_LEN = 64,
  SLUICE_TRACE_MAX_LEN = 9216,
};

struct sluice_trace_plan {
  const struct sluice_config *config;
  unsigned num_items;                  // the port, and one for each stage with state
  unsigned num_pairs;                  // items 2n and 2n + 1 share a 4-byte field
  unsigned stage[SLUICE_TRACE_ITEMS];  // of an item; not of the first
  unsigned item[SLUICE_TRACE_STAGES];  // of a stage; 0: none
  unsigned entries;                    // of each array
  unsigned base;                       // entry of index 0: 1, since a 0 is no access; or 0
  unsigned flow_order;                 // entries of the array that keeps flows in order; 0: none
  uint64_t beats[SLUICE_TRACE_LANES];  // to each output lane so far
  unsigned turn[SLUICE_TRACE_LANES];   // port of the lane that is next
};

/// Works out where everything goes. SLUICE_ERR_RANGE: the trace is not for this chip. (Whether the
/// program fits is the compiler's to say.)
enum sluice_status sluice_trace_plan(struct sluice_trace_plan *plan,
                                     const struct sluice_trace *trace,
                                     const struct sluice_config *config, unsigned flow_order,
                                     struct sluice_error *error);

/// Prints the Domino program.
void sluice_trace_program(const struct sluice_trace_plan *plan, FILE *out);

/// The port of the chip at which a packet of the trace comes in.
unsigned sluice_trace_port(const struct sluice_trace_plan *plan, const struct sluice_trace *trace,
                           const struct sluice_trace_packet *packet);

/// Makes the frame of packet `number`; to be called once for each, in their order, because output
/// ports are dealt out so that all lanes get the same load. Returns its length.
unsigned sluice_trace_frame(struct sluice_trace_plan *plan, const struct sluice_trace *trace,
                            uint32_t number, unsigned vid, uint8_t out[SLUICE_TRACE_MAX_LEN]);
