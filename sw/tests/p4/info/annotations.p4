// SPDX-License-Identifier: Apache-2.0
// Annotations, documentation, ids that are written.
#include <v1model.p4>
#include "frame.h"

header h_t { bit<8> a; bit<16> v; }
struct headers { h_t h; }
struct metadata { }

@my_block
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    @brief("forwards a \"packet\"") @description("in two
lines") @id(0x01000007) @deprecated("by nothing")
    action forward(@id(9) @format(MAC_ADDRESS) @brief("where to") bit<9> port, @refers_to(t , port) @x(a,1+0x2,"s") bit<8> y) {
        sm.egress_spec = port;
    }
    action plain() {}
    @id(12)
    @one @two(1) @two(2) @three[] @four[1, "hello", true, 2 == 3, 5 + 6, -1] @five[label="text", my_bool=true, int_val=2*3]
    table t {
        key = {
            hdr.h.a: exact @brief("the key") @sai_field(A / B);
        }
        actions = { @proto_id(1) forward; @defaultonly @proto_id(2) plain; }
        const default_action = plain;
    }
    // one hash for both names
    table t959 { actions = { plain; } default_action = plain; }
    table t8641 { actions = { plain; } default_action = plain; }
    apply { t.apply(); t8641.apply(); t959.apply(); }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
BLOCKS
@pkginfo(name="annotations.p4", version="1.2", organization="nobody")
@pkginfo(contact="a@b", url="http://c", arch="not this")
@platform_property(multicast_group_table_size = 10, multicast_group_table_max_replicas_per_entry = 0x20)
@brief("a program") @mine("x")
SWITCH
