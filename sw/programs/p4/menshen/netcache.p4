// SPDX-License-Identifier: Apache-2.0
// NetCache: the switch answers requests for keys that it holds. The packet brings an operation, a
// key and a value:
//
//   1 get      held: the value is filled in, the operation becomes 4, and it goes back; else on to
//              the server
//   2 put      goes to the server; what is held under the key is given up
//   3 insert   from the server: the key and its value are held from now on
//
// The low five bits of a key choose its bucket, which keeps the other bits + 1; 0 is an empty one.
#include "frame.inc"

const bit<32> SERVER = 1;

header cache_t { bit<16> op; bit<32> key; bit<32> value; }
struct headers { ethernet_t eth; ipv4_t ip; udp_t udp; cache_t cache; }
struct metadata { bit<32> bucket; bit<32> tag; bit<32> held; bit<32> value; }

parser P(packet_in b, out headers hdr, inout metadata m, inout standard_metadata_t sm) {
    state start {
        b.extract(hdr.eth);
        b.extract(hdr.ip);
        b.extract(hdr.udp);
        b.extract(hdr.cache);
        transition accept;
    }
}

control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    register<bit<32>>(32) keys;
    register<bit<32>>(32) values;
    apply {
        m.bucket = hdr.cache.key & 31;
        m.tag = (hdr.cache.key >> 5) + 1;
        keys.load(m.held, m.bucket);
        values.load(m.value, m.bucket);
        if (hdr.cache.op == 3) {
            keys.store(m.bucket, m.tag);
            values.store(m.bucket, hdr.cache.value);
        } else if (hdr.cache.op == 2 && m.held == m.tag) {
            keys.store(m.bucket, 0);
        }
        if (hdr.cache.op == 1 && m.held == m.tag) {
            hdr.cache.value = m.value;
            hdr.cache.op = 4;
        } else {
            sm.port = SERVER;
        }
    }
}

FpgaSwitch(P(), I()) main;
