// SPDX-License-Identifier: Apache-2.0
// ERROR 3:18 division is of numbers that are not negative
const bit<8> a = 5 / -1;
