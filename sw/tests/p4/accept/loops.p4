// SPDX-License-Identifier: Apache-2.0
header H { bit<8> x; }
bit<32> sum(in bit<32> n) {
    bit<32> s = 0;
    for (bit<32> i = 0; i < n; i = i + 1) {
        if (i == 3) { continue; }
        if (i == 9) { break; }
        s += i;
    }
    for (bit<32> i in 1 .. n) { s = s + i; }
    for (bit<32> i in (list<bit<32>>) { 1, 2, 3 }) s = s + i;
    for (bit<8> i = 0, bit<8> j = 3; i < j; i += 1, j -= 1) { s += 1; }
    return s;
}
control c(inout H[3] hs) {
    action a() { for (bit<4> i in 0 .. 3) { hs[0].x = (bit<8>) i; } }
    apply { for (H h in hs) { a(); hs[1].x = h.x; } }
}
