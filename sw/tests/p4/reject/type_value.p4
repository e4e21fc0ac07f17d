// SPDX-License-Identifier: Apache-2.0
// ERROR 5:41 'H' is a type, and no value
// ERROR 5:48 'H' is a type without members such as 'x'
header H { bit<8> x; }
control c(inout bit<8> a) { apply { a = H; a = H.x; } }
