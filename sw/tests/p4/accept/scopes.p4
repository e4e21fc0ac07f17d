// SPDX-License-Identifier: Apache-2.0
const bit<8> x = 1;
control c(inout bit<16> x) {
    bit<16> y = x;
    action act(bit<16> y) { x = y; bit<8> z = .x; { bit<4> x = 3; x = x + 1; } }
    apply { act(y); { bit<1> y = 0; y = ~y; } x = y; }
}
