// SPDX-License-Identifier: Apache-2.0
// ERROR 4:19 '&&&' where ';' should be
control c(inout bit<8> a) {
    apply { a = a &&& 3; }
}
