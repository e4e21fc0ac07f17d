// SPDX-License-Identifier: Apache-2.0
// Match fields: kinds, widths, names, numbers.
#include <v1model.p4>
#include "frame.h"

enum bit<8> Kind { Small = 1, Large = 200 }
header h_t {
    bit<8> a; bit<48> b; int<7> c; bit<1> d; Kind kind;
    @name("other") bit<32> renamed;
}
struct headers { h_t h; h_t[3] hs; }
struct metadata { bool flag; bit<9> port; error e; }

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action nop() {}
    table kinds {
        key = {
            hdr.h.a: exact;
            hdr.h.b: ternary;
            hdr.h.renamed: lpm;
            meta.port: range;
            hdr.h.d: optional;
        }
        actions = { nop; }
        default_action = nop;
    }
    table names {
        key = {
            hdr.h.isValid(): exact;
            hdr.hs[2].a: exact;
            hdr.h.b[15:8]: ternary;
            hdr.h.a & 0xF0: ternary;
            meta.flag: exact;
            meta.e: exact;
            hdr.h.kind: exact;
            hdr.h.c: exact @name("my.own");
        }
        actions = { nop; }
        const default_action = nop();
        size = 0;
    }
    action_selector(HashAlgorithm.crc16, 64, 10) selector_of_numbers;
    // The selector's key takes a number; those with @id count as if their place was their number.
    table numbers {
        key = {
            hdr.h.a: exact @id(2);
            meta.port: selector;
            hdr.h.b: exact;
            hdr.h.d: exact @id(77);
            hdr.h.kind: exact;
        }
        actions = { nop; }
        default_action = nop;
        implementation = selector_of_numbers;
    }
    table empty { actions = { nop; } const default_action = nop; }
    apply { kinds.apply(); names.apply(); numbers.apply(); empty.apply(); }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
BLOCKS
SWITCH
