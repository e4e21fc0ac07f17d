// SPDX-License-Identifier: Apache-2.0
// CHIP k4: hashes: what is no whole number of bytes, words of two bytes, a base, any modulus.
#include <v1model.p4>
#include "frame.h"
struct metadata { bit<16> a; bit<32> b; bit<13> c; }
PARSER
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hash(meta.a, HashAlgorithm.identity, 16w3, { hdr.ip.frag }, 16w32768);
        hash(meta.b, HashAlgorithm.xor16, 32w100, { hdr.ip.src, hdr.ip.dst, hdr.udp.sport }, 32w1024);
        hash(meta.c, HashAlgorithm.identity, 13w8000, hdr.eth.type, 13w200);
        if (hdr.ip.isValid()) {
            hdr.ip.id = meta.a;
            hdr.ip.src = meta.b;
            hdr.eth.type = 3w0 ++ meta.c;
        }
    }
}
NO_EGRESS
#define SUM ;
SWITCH
