// SPDX-License-Identifier: Apache-2.0
// WARNING 25:12 variable 'n' is never used
// WARNING 26:66 no packet comes to this case
// WARNING 27:11 no packet comes to state 'lost'
// WARNING 28:11 state 'open' has no transition
// WARNING 28:11 no packet comes to state 'open'
// WARNING 32:12 action 'none' is never used
// WARNING 34:11 table 't' is never applied
// WARNING 34:64 'foo' is no property that is known
// WARNING 34:107 an entry before this one has the same key
// WARNING 36:67 this entry has the priority of the one before it
// WARNING 36:99 the range ends before it begins
// WARNING 36:99 this entry wins over the one before it
// WARNING 37:25 instance 'r' is never used
// WARNING 38:31 variable 'v' is never used
// WARNING 38:51 constant 'k' is never used
// WARNING 38:64 300 does not fit bit<8>; it becomes 44
// WARNING 38:69 'mark_to_drop' is deprecated
// NO WARNINGS but these
#include <core.p4>
#include <v1model.p4>
struct H { }
struct M { bit<8> x; }
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t s) {
    bit<8> n = 1;
    state start { transition select(m.x) { 0: accept; _: reject; 1: accept; } }
    state lost { transition accept; }
    state open { }
}
control V(inout H h, inout M m) { apply { } }
control I(inout H h, inout M m, inout standard_metadata_t s) {
    action none() { }
    @noWarn("unused") action quiet() { }
    table t { key = { m.x : ternary; } actions = { NoAction; } foo = 3; const entries = { 1 : NoAction(); 1 : NoAction(); } }
    table u { key = { m.x : range; } actions = { NoAction; }
        entries = { priority = 3 : 1 : NoAction(); priority = 3 : 2 : NoAction() ; priority = 4 : 2 .. 1 : NoAction(); } }
    register<bit<8>>(3) r;
    apply { u.apply(); bit<8> v = 3; const bit<8> k = 1; m.x = 300; mark_to_drop(); }
}
control D(packet_out p, in H h) { apply { } }
V1Switch(P(), V(), I(), I(), V(), D()) main;
