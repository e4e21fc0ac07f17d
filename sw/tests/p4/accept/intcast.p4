// SPDX-License-Identifier: Apache-2.0
control c(inout bit<8> a, inout int<8> b) { apply { a = (bit<8>)300; a = 8w5 + (bit<8>)1; b = (int<8>)200; a = 3 + 4; b = -5; a = (1 + 2) * a; bit<16> z = (bit<16>)(int<16>)b; } }
