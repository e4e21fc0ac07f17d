// SPDX-License-Identifier: Apache-2.0
bit<8> max(in bit<8> a, in bit<8> b) { const bit<8> k = 3; bit<8> z; if (a > b) z = a; else { return b; } return z; }
void nothing(inout bit<8> a) { a = max(a, 3); return; }
