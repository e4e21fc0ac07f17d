// SPDX-License-Identifier: Apache-2.0
// Words that are no names elsewhere, and names that are types elsewhere.
header H { bit<8> type; bit<8> state; bit<8> key; bit<8> apply; bit<8> entries; bit<8> actions; bit<8> priority; bit<8> H; }
struct S { H h; }
control c(inout S S) {
    bit<8> key = 1;
    apply { S.h.type = S.h.state + key; S.h.apply = S.h.entries; S.h.H = S.h.priority; bit<8> state = S.h.actions; S.h.key = state; }
}
