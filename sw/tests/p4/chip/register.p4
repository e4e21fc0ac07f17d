// SPDX-License-Identifier: Apache-2.0
// CHIP k4: one register, read and written at one index, also out of its range.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    register<bit<16>>(5) seen;
    apply {
        bit<16> n = 7;
        bit<32> at = (bit<32>)(hdr.ip.ttl & 7);
        if (hdr.ip.isValid()) {
            seen.read(n, at);
            n = n + 1;
            seen.write(at, n);
            hdr.ip.id = n;
        }
        sm.egress_spec = 2;
    }
}
NO_EGRESS
#define SUM ;
SWITCH
