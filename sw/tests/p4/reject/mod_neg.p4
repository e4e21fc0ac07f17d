// SPDX-License-Identifier: Apache-2.0
// ERROR 3:15 division is of numbers that are not negative
const int a = -5 % 3;
