// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

match_kind { range, optional }
control c(inout bit<8> a, inout bit<16> b, in bool t) {
    action x(bit<8> v) { a = v; }
    action y() { }
    table exact_one { key = { a : exact; } actions = { x; y; }
        const entries = { 1 : x(1); 0x02 : y(); (3) : x(3); } }
    table mixed { key = { a : ternary; b : range; t : exact; }
        actions = { x; y; }
        const entries = {
            (0x0F &&& 0x0F, 1 .. 10, true) : x(1);
            (_, 5, false) : y();
            (default, _, true) : x(0xFF);
            (3, 1 .. 2, true) : y() @extra("x");
        } }
    table prefixes { key = { b : lpm; } actions = { x; }
        const entries = { 0x0A00 &&& 0xFF00 : x(1); 0x0A0B : x(2); _ : x(3); } }
    table numbered { key = { a : ternary; b : optional; } actions = { x; y; NoAction; }
        largest_priority_wins = false;
        priority_delta = 10;
        entries = {
            const priority = 5 : (1, 2) : x(1);
            (3, _) : y();
            priority = 100 : (_, _) : x(2);
            const (4, 7) : x(3);
        }
        size = 100; }
    apply { exact_one.apply(); mixed.apply(); prefixes.apply(); numbered.apply(); }
}
