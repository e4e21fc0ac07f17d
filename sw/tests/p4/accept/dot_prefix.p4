// SPDX-License-Identifier: Apache-2.0
const bit<8> x = 1; typedef bit<8> T; bit<8> f() { return 3; }
control d(inout bit<8> a) { const bit<8> x = 5; action f() {} apply { a = .x + x + .f(); .T z = 1; f(); } }
