// SPDX-License-Identifier: Apache-2.0
// WARNING 6:17 300 does not fit bit<8>; it becomes 44
// WARNING 6:30 -129 does not fit bit<8>; it becomes 127
// ERROR 6:40 the right side is bit<8>, and not bool
control c(inout bit<8> a) {
    apply { a = 300; a = a + -129; a = true; }
}
