// SPDX-License-Identifier: Apache-2.0
#include <v1model.p4>
#include "../info/frame.h"
header h_t { bit<8> a; }
struct headers { h_t h; }
struct metadata { }
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    @id(0x03000001) action a() {}
    @id(7) action b() {}
    @id(0x01000007) action c() {}
    @id("x") action d() {}
    action e(@id(0) bit<8> x, @id(3) bit<8> y, @id(3) bit<8> z) {}
    table t { actions = { a; b; c; d; e; NoAction; } }
    apply { t.apply(); }
}
BLOCKS
SWITCH
// ERROR 9:6 ids of such objects begin with 0x01
// ERROR 11:6 another object has this @id
// ERROR 12:6 @id takes one number of 32 bits
// ERROR 13:15 ids begin with 1
// ERROR 13:49 another one has the @id 3
