// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
#include <v1model.p4>
header T { bit<16> a; bit<16> b; bit<16> c; }
struct H { T t; }
struct M { @field_list(1) bit<8> k; bit<16> h; }
struct Sample { bit<9> port; bit<16> a; }
parser P(packet_in pkt, out H hdr, inout M meta, inout standard_metadata_t sm) {
state start { transition accept; }
}
control V(inout H hdr, inout M meta) { apply { verify_checksum(true, { hdr.t.a, hdr.t.b }, hdr.t.c, HashAlgorithm.csum16); } }
control I(inout H hdr, inout M meta, inout standard_metadata_t sm) {
apply {
        hash(meta.h, HashAlgorithm.crc32, 16w0, { hdr.t.a, hdr.t.b, 8w0 }, 32w10);
        hash(meta.h, HashAlgorithm.xor16, (bit<8>) 1, { 1w0, 7w0 }, 10w512);
        random(meta.k, 1, 8w6);
        digest<Sample>(1, { sm.ingress_port, hdr.t.a });
        digest(1, { sm.ingress_port, hdr.t.a });
        clone(CloneType.I2E, 5);
        clone_preserving_field_list(CloneType.I2E, 32w5, 1);
        resubmit_preserving_field_list(1);
        mark_to_drop(sm);
        truncate(64);
        assert(hdr.t.a != 3);
        assume(true);
        log_msg("hello");
        log_msg("a = {}", { hdr.t.a });
        sm.mcast_grp = 1; sm.priority = 3;
        if (sm.parser_error == error.PacketTooShort || sm.checksum_error == 1) { mark_to_drop(sm); }
    }
}
control E(inout H hdr, inout M meta, inout standard_metadata_t sm) {
apply { recirculate_preserving_field_list(0); sm.deq_qdepth = sm.deq_qdepth; }
}
control C(inout H hdr, inout M meta) { apply { update_checksum_with_payload(hdr.t.isValid(), { hdr.t.a }, hdr.t.c, HashAlgorithm.csum16); } }
control D(packet_out pkt, in H hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
