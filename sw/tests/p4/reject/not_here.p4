// SPDX-License-Identifier: Apache-2.0
// ERROR 20:18 a table is called in apply blocks, and not in an action
// ERROR 20:29 a control is called in apply blocks, and not in an action
// ERROR 21:13 'verify' is called in parser states
// ERROR 21:42 'break' stands in loops
// ERROR 21:53 'next' of a stack is known in parsers alone
// ERROR 21:66 an instance is declared outside of apply
// ERROR 23:14 'exit' stands in apply blocks and actions
// ERROR 23:20 an action is called in apply blocks and actions, and not in a function
// ERROR 25:19 a parser state ends with 'transition'
// ERROR 25:27 'exit' stands in apply blocks and actions
// ERROR 25:33 an action is called in apply blocks and actions, and not in a parser
#include <core.p4>

header H { bit<8> x; }
control d(inout H h) { apply { } }
control c(inout H h, inout H[2] hs) {
    d() inner;
    table t { actions = { NoAction; } }
    action b() { t.apply(); inner.apply(h); }
    apply { verify(true, error.NoError); break; h = hs.next; d() late; }
}
bit<8> f() { exit; NoAction(); return 1; }
parser p(packet_in b, out H h) {
    state start { return; exit; NoAction(); transition accept; }
}
