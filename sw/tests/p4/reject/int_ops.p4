// SPDX-License-Identifier: Apache-2.0
// ERROR 10:18 '&' takes numbers with a width
// ERROR 11:18 '|+|' takes numbers with a width
// ERROR 12:14 '~' takes a number with a width
// ERROR 13:18 '++' takes numbers with a width
// ERROR 14:13 '<<' takes a number with a width
// ERROR 15:9 a variable is not of type int
control c(inout bit<8> a) {
    apply {
        a = a + (1 & 2);
        a = a + (1 |+| 2);
        a = ~1;
        a = a ++ 1;
        a = 1 << a;
        int x = 3;
    }
}
