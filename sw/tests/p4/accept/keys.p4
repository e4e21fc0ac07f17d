// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

header H { bit<8> a; bit<16> b; }
struct S { H h; H[2] s; }
enum bit<8> E { one = 1 }
control c(inout S s, in E e, in error r) {
    table t {
        key = {
            s.h.a[3:0] : exact;
            s.h.b & 0xFF0 : ternary;
            s.s[1].a : lpm;
            s.h.isValid() : exact;
            e : ternary;
            r : exact;
            s.h.a + 1 : exact @name("sum");
        }
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
