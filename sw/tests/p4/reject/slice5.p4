// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 the right side is bit<8>, and not bit<4>; a cast is (bit<8>)
control c(inout bit<8> x) { apply { 
 x = x[3:0];
} }
