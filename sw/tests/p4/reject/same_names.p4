// SPDX-License-Identifier: Apache-2.0
// ERROR 8:25 'b' and 'a' have one name for the control plane: c.one
// ERROR 10:22 't2' and 't1' have one name
#include <core.p4>

control c(in bit<8> x) {
    @name("one") action a() { }
    @name("one") action b() { }
    @name("t") table t1 { actions = { a; b; NoAction; } }
    @name("t") table t2 { actions = { a; } default_action = a; }
    apply { t1.apply(); t2.apply(); }
}
