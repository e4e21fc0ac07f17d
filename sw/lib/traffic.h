// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture.h"

/// Makes traffic: the same packets on every machine for the same options.
///
/// Each packet belongs to a flow, with an address pair and UDP ports of its own. A frame has, with
/// its VLAN tag (without one, everything from byte 14 on is 4 bytes earlier):
///
///     14..15  VLAN id               42..45  UDP length, checksum
///     26..29  TTL, protocol, sum    46..49  util, 0..99
///     30..33  source address        50..53  path_id, 0..7
///     34..37  destination address   54..57  src, 0..255: the flow's leaf
///     38..39  UDP source port       58..61  number of the packet
///     40..41  UDP destination port
///
/// and then bytes that follow from the packet's number. All checksums are right.
enum sluice_traffic_size {
  SLUICE_SIZE_BIMODAL,  // clustered at 200 and 1,400 bytes (MP5, section 4.4)
  SLUICE_SIZE_FIXED,    // all of `frame_len` bytes
  SLUICE_SIZE_IMIX,     // 64, 594 and 1,518 bytes in the ratio 7 : 4 : 1
};

enum sluice_traffic_flows {
  SLUICE_FLOWS_WEBSEARCH,  // a flow's share goes with its size in the web search workload
  SLUICE_FLOWS_ZIPF,       // flow of rank r has weight 1 / (r + 1) ** zipf; 0: all alike
  SLUICE_FLOWS_SINGLE,     // each packet is a flow of its own
};

struct sluice_traffic_options {
  uint64_t packets;  // 0: without end
  unsigned flows;    // 1..1,048,576
  enum sluice_traffic_flows mix;
  double zipf;
  enum sluice_traffic_size size;
  unsigned frame_len;  // with SIZE_FIXED: 64..9,216, tag included
  double load;         // 0 < load <= 1: time stamps follow `rate_gbps` times this
  double rate_gbps;    // of all ports together
  bool random_gaps;    // exponential gaps instead of even ones
  bool ect;            // IPv4 ECN field ECT(0) instead of 0
  uint64_t seed;
  unsigned num_vids;     // 0: no VLAN tags (frames are 4 bytes shorter)
  const unsigned *vids;  // flow f belongs to vids[f % num_vids]; copied
};

/// 10,000 packets of 1,024 web search flows, bimodal, load 1 of 100 Gb/s, VLAN 1, seed 1.
struct sluice_traffic_options sluice_traffic_defaults(void);

struct sluice_traffic;

enum sluice_status sluice_traffic_new(struct sluice_traffic **traffic,
                                      const struct sluice_traffic_options *options,
                                      struct sluice_error *error);
/// The next packet; bytes are NULL behind the last one.
void sluice_traffic_next(struct sluice_traffic *traffic, struct sluice_packet *packet);
void sluice_traffic_free(struct sluice_traffic *traffic);
