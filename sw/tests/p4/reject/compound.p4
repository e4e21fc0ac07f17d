// SPDX-License-Identifier: Apache-2.0
// ERROR 6:18 '+' takes numbers, and not bool
// ERROR 6:21 the left side changes, and 'b' is an 'in' parameter
// ERROR 6:34 '-' takes two of one type, and not bit<8> and bit<16>
control c(inout bit<8> a, in bit<8> b, inout bool t) {
    apply { a += t; b += 1; a -= 16w3; }
}
