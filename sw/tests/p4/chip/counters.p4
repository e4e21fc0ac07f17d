// SPDX-License-Identifier: Apache-2.0
// CHIP react: counters of packets and of bytes.
#include <v1model.p4>
#include "frame.h"
struct metadata { }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    counter(3, CounterType.packets_and_bytes) ports;
    apply {
        sm.egress_spec = sm.ingress_port ^ 1;
        if (hdr.ip.isValid()) ports.count((bit<32>)sm.ingress_port);
    }
}
NO_EGRESS
#define SUM ;
SWITCH
