// SPDX-License-Identifier: Apache-2.0
// ERROR 5:18 macro 'F' has 2 parameters, and is used with 1
#define F(a, b) a + b
#define G F(1)
const bit<8> x = F(1);
const bit<8> y = F(1, 2);
