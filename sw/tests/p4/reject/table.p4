// SPDX-License-Identifier: Apache-2.0
// ERROR 20:11 table 'none' has no 'actions'
// ERROR 22:21 'exactly' is no match kind
// ERROR 22:41 a key of kind lpm is a number, and not bool
// ERROR 22:50 a key has a width; this is an int
// ERROR 22:61 this key has no name for the control plane
// ERROR 23:30 action 'y' is in the list twice
// ERROR 23:33 unknown action 'nothing'
// ERROR 24:16 the size of a table is a number
// ERROR 25:26 default action 'NoAction' is not among
// ERROR 27:29 'x' takes 1 argument, and gets 0
// ERROR 27:32 in the list of actions 'y' takes 0 arguments
// ERROR 27:67 'y' takes 1 argument, and gets 0
// ERROR 28:56 'x' takes 2 arguments, and gets 1
#include <core.p4>

control c(inout bit<8> a, inout bool t) {
    action x(inout bit<8> p, bit<8> v) { p = v; }
    action y(bit<8> v) { a = v; }
    table none { key = { a : exact; } }
    table one {
        key = { a : exactly; t : exact; t : lpm; 3 : exact; a * 2 : exact; }
        actions = { x(a); y; y; nothing; }
        size = t;
        default_action = NoAction;
    }
    table two { actions = { x; y(3); NoAction; } default_action = y; }
    table three { actions = { x(a); } default_action = x(a); }
    apply { }
}
