// SPDX-License-Identifier: Apache-2.0
// ERROR 10:31 the left side changes, and 'data' is a parameter without a direction
// ERROR 12:9 the left side changes, and 'a' is an 'in' parameter
// ERROR 13:9 the left side changes, and 'k' is a constant
// ERROR 14:9 the left side changes, and 'h' is an 'in' parameter
// ERROR 15:9 the left side changes, and 'a' is an 'in' parameter
const bit<8> k = 1;
header H { bit<8> x; }
control c(in bit<8> a, inout bit<8> b, inout H[2] hs, in H h) {
    action act(bit<8> data) { data = 1; }
    apply {
        a = 1;
        k = 2;
        h.x = 3;
        a[3:0] = 1;
    }
}
