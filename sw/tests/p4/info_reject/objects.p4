// SPDX-License-Identifier: Apache-2.0
#include <v1model.p4>
#include "../info/frame.h"
header h_t { bit<8> a; }
struct headers { h_t h; }
struct metadata { }
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
struct pair_t { bit<8> x; }
control Inner(inout headers hdr) { table t { actions = { NoAction; } } apply { t.apply(); } }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action takes(pair_t p) {}
    table anonymous {
        key = { hdr.h.a: exact; }
        actions = { takes; NoAction; }
        implementation = action_profile(4);
    }
    @name("Inner.t") table double { actions = { NoAction; } }
    @max_group_size("many") action_selector(HashAlgorithm.crc16, 4, 4) s;
    @selector_size_semantics("sum_of_things") action_selector(HashAlgorithm.crc16, 4, 4) u;
    table more { key = { hdr.h.a: exact; } actions = { NoAction; } implementation = s; }
    apply { anonymous.apply(); double.apply(); Inner.apply(hdr); more.apply(); }
}
BLOCKS
SWITCH
// ERROR 11:25 the control plane gives bit<W>, int<W>, bool and enums to an action, and not pair_t
// ERROR 15:9 the control plane has no name for what is made here
// ERROR 9:42 'MyIngress.Inner.t' is the name of two things for the control plane
// ERROR 18:6 @max_group_size takes one number below 2^31
// ERROR 19:6 @selector_size_semantics takes "sum_of_weights" or "sum_of_members"
