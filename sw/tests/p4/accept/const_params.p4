// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

extern reg<T> { reg(bit<32> n); }
control c(inout bit<8> x)(bit<32> size, bit<8> add) {
    reg<bit<8>>(size * 2) r;
    const bit<8> more = add;
    table t { key = { x : exact; } actions = { NoAction; } }
    apply { x = x + more; t.apply(); }
}
control d(inout bit<8> x) { c(16, 1) one; c(add = 2, size = 32) two; apply { one.apply(x); two.apply(x); } }
