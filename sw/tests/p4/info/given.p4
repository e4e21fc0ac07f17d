// SPDX-License-Identifier: Apache-2.0
// A control that is only given to others is there: what it declares has names. One that goes to
// nobody, or to one that is never applied, is not.
#include <v1model.p4>
#include "frame.h"
header h_t { bit<8> a; }
struct headers { h_t h; }
struct metadata { }
control work(inout bit<8> a);
control Counting(inout bit<8> a) {
    counter(16, CounterType.bytes) seen;
    apply { seen.count((bit<32>)a); }
}
control Twice(inout bit<8> a)(work w) { apply { w.apply(a); w.apply(a); } }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    Counting() first;
    Twice(first) second;
    Twice(second) third;
    Counting() unused;
    Counting() lost;
    Twice(lost) never;
    apply { third.apply(hdr.h.a); }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
BLOCKS
SWITCH
