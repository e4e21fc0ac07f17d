// SPDX-License-Identifier: Apache-2.0
// ERROR 3:18 '8w' is no number
const bit<8> x = 8w;
