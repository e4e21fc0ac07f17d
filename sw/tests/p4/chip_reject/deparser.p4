// SPDX-License-Identifier: Apache-2.0
// CHIP k4: what leaves is what came, and the sum is that of an IPv4 header.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply { } }
NO_EGRESS
control MyVerify(inout headers hdr, inout metadata meta) { apply { } }
control MyCompute(inout headers hdr, inout metadata meta) {
    apply { update_checksum(true, { hdr.udp.sport }, hdr.udp.sum, HashAlgorithm.csum16); }
}
control MyDeparser(packet_out b, in headers hdr) {
    apply {
        b.emit(hdr.ip);
        b.emit(hdr.eth);
        b.emit(hdr.udp);
        if (hdr.tcp.isValid()) b.emit(hdr.udp);
    }
}
V1Switch(MyParser(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
// ERROR 11:13 the machine updates the checksum of an IPv4 header that
// ERROR 13:9 'hdr.tcp' is extracted and not emitted; the machine remo
// ERROR 18:9 a deparser that does more than emit headers: the machine
