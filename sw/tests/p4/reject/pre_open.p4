// SPDX-License-Identifier: Apache-2.0
// ERROR 3:2 this #if has no #endif
#if 1
const bit<8> a = 1;
