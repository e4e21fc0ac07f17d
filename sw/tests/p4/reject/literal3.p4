// SPDX-License-Identifier: Apache-2.0
// ERROR 3:18 a number with a sign has at least 1 bit
const int<8> x = 0s1;
