// SPDX-License-Identifier: Apache-2.0
// Types of indices, since v1model of 2020.
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "frame.h"

type bit<9> port_t;
typedef port_t port_alias_t;
header h_t { bit<8> a; }
struct headers { h_t h; }
struct metadata { port_t port; }

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    counter<port_alias_t>(512, CounterType.bytes) by_port;
    counter<bit<10>>(1024, CounterType.packets) by_number;
    meter<port_t>(512, MeterType.packets) rates;
    register<port_t, port_t>(512) last;
    register<bool, bit<4>>(16) flags;
    apply { by_port.count(meta.port); }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
BLOCKS
SWITCH
