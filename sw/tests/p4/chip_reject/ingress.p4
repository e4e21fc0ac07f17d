// SPDX-License-Identifier: Apache-2.0
// CHIP k4: what the ingress asks for and the machine lacks.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<8> x; bit<48> wide; bit<32> n; bool b; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    register<bit<64>>(4) wide_one;
    register<bit<32>>(70000) large;
    register<bit<32>>(16) r;
    meter(4, MeterType.bytes) m;
    action five(bit<8> a, bit<8> b, bit<8> c, bit<8> d, bit<8> e) { }
    table ranged { key = { hdr.ip.ttl: range; } actions = { NoAction; } }
    table many { key = { hdr.ip.ttl: exact; } actions = { five; NoAction; } }
    table t { key = { hdr.ip.ttl: exact; } actions = { NoAction; } }
    apply {
        bit<64> y;
        bit<32> z;
        hdr.udp.setInvalid();
        hdr.udp.setValid();
        hdr.udp = hdr.udp;
        wide_one.read(y, 0);
        large.read(z, 0);
        r.write(1, 1);
        r.write(2, 1);
        m.execute_meter(0, meta.x);
        ranged.apply();
        many.apply();
        t.apply();
        t.apply();
        meta.wide = meta.wide + 1;
        meta.x = meta.x << hdr.ip.ttl;
        meta.x = meta.x / 3;
        meta.b = hdr.eth.dst < hdr.eth.src;
        sm.mcast_grp = 1;
        meta.x = (bit<8>)sm.deq_qdepth;
        hash(meta.n, HashAlgorithm.crc32, 32w0, { hdr.ip.src }, 32w16);
        clone(CloneType.I2E, 1);
        random(meta.n, 0, 7);
        for (bit<8> i = 0; i < 3; i = i + 1) { meta.x = i; }
    }
}
NO_EGRESS
#define SUM ;
SWITCH
// ERROR 9:30 the machine takes arrays of 1 to 65535 entries
// ERROR 12:64 an entry of the machine holds up to 4 parameters of up
// ERROR 13:40 the machine has no match engine for 'range'; it has exa
// ERROR 19:9 setInvalid: the machine inserts and removes no headers;
// ERROR 20:9 setValid: the machine inserts and removes no headers; it
// ERROR 21:9 the machine copies no headers and no stacks; it rewrites
// ERROR 22:9 the machine has registers of up to 32 bits
// ERROR 25:17 'r' is used at a second index; the machine reaches one
// ERROR 26:9 the machine has no unit for 'meter'
// ERROR 30:9 table 't' is applied at a second place; the machine look
// ERROR 31:21 the machine computes with up to 32 bits, and these have
// ERROR 32:18 the machine shifts numbers of up to 32 bits by a consta
// ERROR 33:18 the machine divides numbers of up to 32 bits by a power
// ERROR 34:18 the machine orders numbers of up to 32 bits, and these
// ERROR 35:9 'mcast_grp': which ports a group has is known when
// ERROR 36:26 'deq_qdepth' is not known to the machine where this is
// ERROR 37:9 hash 'crc32' of 4 bytes: the hash units of the machine
// ERROR 38:9 the machine has no unit for 'clone'
// ERROR 39:9 the machine has no unit for 'random'
// ERROR 40:9 loops are not taken yet: the machine has none, so they h
