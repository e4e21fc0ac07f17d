// SPDX-License-Identifier: Apache-2.0
// ERROR 10:28 the condition of 'for' is bool, and not bit<8>
// ERROR 11:32 the last value of the range is bit<16>, and not bit<8>
// ERROR 12:26 'for' goes over a range, a stack or a list of bit<8>, not H[2]
// ERROR 13:26 'for' goes over a range
// ERROR 14:9 'continue' stands in loops
header H { bit<8> x; }
control c(inout H[2] hs, in bit<8> n) {
    apply {
        for (bit<8> i = 0; i; i += 1) { }
        for (bit<16> i in 1 .. n) { }
        for (bit<8> h in hs) { }
        for (bit<8> i in n) { }
        continue;
    }
}
