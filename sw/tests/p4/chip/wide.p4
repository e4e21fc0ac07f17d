// SPDX-License-Identifier: Apache-2.0
// CHIP k4: 48 bits are moved and compared; unsigned 32 bits are ordered.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<48> kept; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        meta.kept = hdr.eth.dst;
        if (hdr.eth.src == 0x0200000000ff) hdr.eth.dst = 0x010203040506;
        else if (hdr.ip.src >= 0x80000000) hdr.eth.dst = hdr.eth.src;
        hdr.eth.src = meta.kept;
        sm.egress_spec = 3;
    }
}
NO_EGRESS
#define SUM ;
SWITCH
