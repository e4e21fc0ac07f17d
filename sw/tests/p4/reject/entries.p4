// SPDX-License-Identifier: Apache-2.0
// ERROR 26:14 an exact key is one value in every entry
// ERROR 27:17 the mask of an lpm key has its ones in front
// ERROR 28:14 an exact key is one value
// ERROR 29:13 there are 2 keys, and this is for 1
// ERROR 30:22 'y' is @defaultonly
// ERROR 31:22 'x' takes 1 argument, and gets 0
// ERROR 32:22 unknown action 'z'
// ERROR 33:14 the key of an entry is known at compile time
// ERROR 34:14 the key is bit<8>, and not bool
// ERROR 35:24 argument 'v' of 'x' is known at compile time
// ERROR 36:24 'const entries' win in their order
// ERROR 40:32 a table without a key has no entries
// ERROR 42:22 a range key has no mask
// ERROR 42:45 an optional key is one value, or '_'
#include <core.p4>

match_kind { range, optional }
control c(inout bit<8> a, inout bit<16> b) {
    action x(bit<8> v) { a = v; }
    action y() { }
    table t {
        key = { a : exact; b : lpm; }
        actions = { x; @defaultonly y; }
        const entries = {
            (_, 3) : x(1);
            (1, 0x0F0F &&& 0x0F0F) : x(2);
            (1 .. 2, _) : x(3);
            1 : x(4);
            (1, _) : y();
            (2, _) : x();
            (3, _) : z();
            (a, 1) : x(1);
            (true, 1) : x(1);
            (5, 1) : x(a);
            priority = 3 : (6, 1) : x(1);
        }
        default_action = y();
    }
    table u { actions = { y; } entries = { _ : y(); } default_action = y; }
    table v { key = { a : range; b : optional; } actions = { y; } default_action = y;
        entries = { (1 &&& 2, 3) : y(); (1, 2 .. 3) : y(); } }
    apply { }
}
