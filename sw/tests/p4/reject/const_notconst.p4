// SPDX-License-Identifier: Apache-2.0
// ERROR 4:18 the value of constant 'x' is known at compile time
extern bit<8> f();
const bit<8> x = f();
