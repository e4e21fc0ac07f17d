// SPDX-License-Identifier: Apache-2.0
// ERROR 4:18 unknown name 'b'
// ERROR 6:28 unknown name 'y'
const bit<8> a = b;
const bit<8> b = 1;
control c() { action x() { y(); } action y() { } apply { x(); } }
