// SPDX-License-Identifier: Apache-2.0
// ERROR 8:2 #error this is read
// ERROR 10:2 there is no directive #nothing
#define X 1
#if X > 2
#error no
#else
#error this is read
#endif
#nothing
