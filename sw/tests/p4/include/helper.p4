// SPDX-License-Identifier: Apache-2.0
#ifndef HELPER_P4
#define HELPER_P4
#define HELPED 3
const bit<8> helped = 4;
#endif
