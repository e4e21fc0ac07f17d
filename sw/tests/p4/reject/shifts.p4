// SPDX-License-Identifier: Apache-2.0
// ERROR 5:59 '<<' takes a distance of type bit<W>
// ERROR 5:71 '>>' takes a distance of type bit<W>
// ERROR 5:85 '<<' takes a distance of type bit<W>
control c(inout bit<8> a, in int<8> s) { apply { a = a << s; a = a >> 8s1; a = a << true; } }
