// SPDX-License-Identifier: Apache-2.0
// ERROR 15:13 the right side is bit<8>, and not bit<16>; a cast is (bit<8>)
// ERROR 16:13 '+' takes two of one type, and not bit<8> and bit<16>
// ERROR 17:13 the right side is bool, and not bit<8>
// ERROR 18:13 the right side is bit<8>, and not bool
// ERROR 19:13 the right side is bit<8>, and not int<8>; a cast
// ERROR 20:13 the condition of 'if' is bool, and not bit<8>; write '!= 0'
// ERROR 21:13 '&&' takes bool
// ERROR 22:13 '+' takes numbers
// ERROR 23:14 '!' takes bool
// ERROR 24:13 '==' takes two of one type
// ERROR 25:13 the right side is bit<8>, and not string
control c(inout bit<8> a, inout bit<16> b, inout bool t, inout int<8> s) {
    apply {
        a = b;
        a = a + b;
        t = a;
        a = t;
        a = s;
        if (a) { }
        t = a && t;
        a = t + 1;
        a = !a;
        t = a == t;
        a = "text";
    }
}
