// SPDX-License-Identifier: Apache-2.0
// CHIP k4: small fields, slices, casts, signs, wrapping, choices.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<5> five; int<8> signed; bit<3> three; bool flag; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        if (hdr.ip.isValid()) {
            meta.five = hdr.ip.ttl[4:0] + 3;
            meta.signed = (int<8>)hdr.ip.protocol;
            hdr.ip.dscp = hdr.ip.dscp + 60;
            hdr.ip.flags[1:0] = hdr.ip.ttl[7:6];
            meta.flag = meta.signed < -3;
            if (meta.flag || meta.five > 20) hdr.ip.ecn = 3;
            hdr.ip.id = meta.flag ? (bit<16>)meta.five : hdr.ip.id |-| 100;
        }
        sm.egress_spec = 1;
    }
}
NO_EGRESS
#define SUM ;
SWITCH
