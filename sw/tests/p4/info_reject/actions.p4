// SPDX-License-Identifier: Apache-2.0
#include <v1model.p4>
#include "../info/frame.h"
header h_t { bit<8> a; }
struct headers { h_t h; }
struct metadata { }
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
action one() {}
@name("two") action second() {}
control inner() {
    @name(".one") action a() {}
    @name("b") action b() {}
    @name(".same") action d() {}
    table t { actions = { a; b; d; } }
    apply { t.apply(); }
}
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    inner() in1;
    inner() in2;
    @name("in1.b") action c() {}
    @name(".two") action third() {}
    table u { actions = { one; second; c; third; NoAction; } }
    apply { in1.apply(); in2.apply(); u.apply(); }
}
BLOCKS
SWITCH
// ERROR 11:26 'one' is the name of two things for the control plane
// ERROR 20:27 'MyIngress.in1.b' is the name of two things for the control plane
// ERROR 21:26 'two' is the name of two things for the control plane
