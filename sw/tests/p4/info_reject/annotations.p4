// SPDX-License-Identifier: Apache-2.0
#include <v1model.p4>
#include "../info/frame.h"
header h_t { bit<8> a; }
struct headers { h_t h; }
struct metadata { }
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
@p4runtime_translation("x") type bit<8> half_t;
@p4runtime_translation("x", bit<8>) type bool flag_t;
@controller_header(3) header in_t { bit<8> x; }
struct mixed_t { bool b; }
control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    @x[1 << 70] action a(half_t h, flag_t f) {}
    @brief(3) action b() {}
    table t { actions = { a; b; NoAction; } }
    apply { t.apply(); }
}
parser Values(packet_in b, out headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    value_set<tuple<bit<8>, bit<8>>>(4) pairs;
    value_set<mixed_t>(4) mixed;
    state start { transition select(8w1, 8w2) { pairs: accept; default: next; } }
    state next { transition select(true) { mixed: accept; default: accept; } }
}
BLOCKS
@pkginfo(name=3) @pkginfo(1) @platform_property(x=1)
V1Switch(Values(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
// ERROR 8:2 @p4runtime_translation takes a text and bit<W> or string
// ERROR 9:2 only a type of bit<W> can be translated
// ERROR 10:2 @controller_header takes one text
// ERROR 13:6 P4Info takes texts, bool and numbers of 64 bits in @x[..]
// ERROR 14:6 @brief takes one text
// ERROR 19:41 a value set is of bit<W>
// ERROR 11:23 fields of a value set are bit<W>
// ERROR 25:2 'name' of @pkginfo is a text
// ERROR 25:19 @pkginfo takes a list of name=value
// ERROR 25:31 P4Info has no platform property 'x'
