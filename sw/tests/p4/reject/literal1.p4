// SPDX-License-Identifier: Apache-2.0
// ERROR 3:18 '0b12' is no number
const bit<8> x = 0b12;
