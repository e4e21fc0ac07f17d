// SPDX-License-Identifier: Apache-2.0
// ERROR 3:19 ';' is missing
const bit<8> a = 1
const bit<8> b = 2;
