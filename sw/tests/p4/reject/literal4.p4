// SPDX-License-Identifier: Apache-2.0
// ERROR 3:15 '0x' is no number
const int x = 0x;
