// SPDX-License-Identifier: Apache-2.0
// Ethernet, IPv4 and UDP in front of what the modules in this folder read. Fields have the widths
// that Menshen's own compiler takes as well: 16, 32 and 48 bits.
#include <core.p4>
#include <fpga.p4>

header ethernet_t { bit<48> dst; bit<48> src; bit<16> type; }
header ipv4_t {
    bit<16> version_tos;
    bit<16> len;
    bit<16> id;
    bit<16> frag;
    bit<16> ttl_protocol;
    bit<16> sum;
    bit<32> src;
    bit<32> dst;
}
header udp_t { bit<16> sport; bit<16> dport; bit<16> len; bit<16> sum; }
