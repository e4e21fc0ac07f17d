// SPDX-License-Identifier: Apache-2.0
#define WIDTH 8
#define ADD(a, b) ((a) + (b))
#define NAME(x) field_##x
#define TEXT(x) #x
#define MANY(first, ...) { first, __VA_ARGS__ }
#define LONG \
    16
#define EMPTY
#define CALL ADD
#if defined(WIDTH) && WIDTH * 2 == LONG
const bit<WIDTH> a = ADD(1, 2);
#else
#error "not read"
what is here is not read either @ ` $
#endif
#ifdef NOT_THERE
nor this
#elif WIDTH > 4 && !defined NOT_THERE
const bit<LONG> NAME(one) = CALL(3, 4) EMPTY;
#elif 1
nor this
#endif
#ifndef WIDTH
#include "not there"
#endif
#undef WIDTH
#define WIDTH (2 * 8)
#if WIDTH / 4 % 3 == 1 ? 1 : 0
const tuple<bit<8>, bit<8>, bit<8>> c = MANY(1, 2, 3);
#endif
const bit<16> d = field_one /* a comment
   over lines */ + 1; // and one to the end \
   which goes on here
const string s = TEXT(a b);
#pragma something here
# 
@pragma my annotation to the end of the line
const bit<8> e = a;
