// SPDX-License-Identifier: Apache-2.0
// Types that the control plane knows by name; packets to and from it; digests.
#include <v1model.p4>
#include "frame.h"

type bit<48> mac_t;
@p4runtime_translation("example.org/port", bit<32>) type bit<9> port_t;
@p4runtime_translation("example.org/old", 19) @mine type bit<16> old_t;
@p4runtime_translation("", string) type bit<12> vrf_t;
type port_t inner_port_t;
type bool flag_t;
typedef bit<8> byte_t;
enum Colour { Red, @name("Grün") Green }
enum bit<12> Wide { One = 1, All = 0xfff }
error { Mine }

struct nested_t { bit<3> x; @id(9) bit<4> y; }
@controller_header("packet_in") @mine
header packet_in_header_t { port_t port; @hidden bit<3> secret; @padding bit<4> pad; nested_t inner; Wide w; }
@controller_header("packet_out")
header packet_out_header_t { @id(3) bit<9> egress_port; bit<7> pad; bit<1> third; }
header h_t { bit<8> a; varbit<32> options; }
header_union u_t { h_t one; packet_out_header_t two; }
struct headers { packet_in_header_t pi; packet_out_header_t po; h_t h; }
struct metadata { mac_t mac; vrf_t vrf; inner_port_t port; Colour colour; old_t old; }
struct test_digest_t { mac_t src; error why; Colour colour; Wide w; nested_t n; }
struct with_headers_t { h_t h; h_t[2] stack; u_t u; u_t[3] unions; }

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action give(mac_t mac, port_t port, vrf_t vrf, inner_port_t inner, byte_t b, bool f, flag_t g,
                Wide w, Colour c, int<5> i, old_t o) { meta.mac = mac; }
    action report() {
        digest<test_digest_t>(1, {meta.mac, error.NoError, Colour.Red, Wide.One, {1, 2}});
    }
    table t {
        key = { meta.mac: exact; meta.vrf: exact; meta.port: ternary; meta.old: exact; }
        actions = { give; report; NoAction; }
        default_action = give((mac_t)1, (port_t)2, (vrf_t)3, (inner_port_t)(port_t)4, 5, true, (flag_t)false, Wide.All, Colour.Green, -1, (old_t)6);
    }
    register<with_headers_t>(1) strange;
    apply {
        t.apply();
        digest(2, {hdr.h.a, true});
        digest<test_digest_t>(1, {meta.mac, error.NoError, Colour.Red, Wide.One, {1, 2}});
        digest<tuple<bit<8>>>(2, {hdr.h.a});
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply {} }
BLOCKS
SWITCH
