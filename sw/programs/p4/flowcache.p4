// SPDX-License-Identifier: Apache-2.0
// A cache of flows: the first packet of a flow is copied to the controller, which installs an entry
// for the flow; entries that are not hit are reported.
#include <core.p4>
#include <v1model.p4>

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<9> CPU_PORT = 510;
const bit<32> CPU_PORT_CLONE_SESSION_ID = 57;
#define FL_PACKET_IN 1

enum bit<8> PuntReason_t {
    UNRECOGNIZED_OPCODE = 1,
    FLOW_UNKNOWN = 2
}
enum bit<8> ControllerOpcode_t {
    NO_OP = 0,
    SEND_TO_PORT_IN_OPERAND0 = 1
}

header ethernet_t {
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}
header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<6>  diffserv;
    bit<2>  ecn;
    bit<16> totalLen;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragOffset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> hdrChecksum;
    bit<32> srcAddr;
    bit<32> dstAddr;
}
@controller_header("packet_in")
header packet_in_header_t {
    bit<16>      input_port;
    PuntReason_t punt_reason;
    bit<8>       opcode;
}
@controller_header("packet_out")
header packet_out_header_t {
    ControllerOpcode_t opcode;
    bit<8>             reserved1;
    bit<32>            operand0;
}
struct headers {
    packet_in_header_t  packet_in;
    packet_out_header_t packet_out;
    ethernet_t          ethernet;
    ipv4_t              ipv4;
}
struct metadata {
    @field_list(FL_PACKET_IN) bit<9>       ingress_port;
    @field_list(FL_PACKET_IN) PuntReason_t punt_reason;
    @field_list(FL_PACKET_IN) bit<8>       opcode;
}

parser MyParser(packet_in packet, out headers hdr, inout metadata meta,
                inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.ingress_port) {
            CPU_PORT: parse_controller_header;
            default: parse_ethernet;
        }
    }
    state parse_controller_header {
        packet.extract(hdr.packet_out);
        transition parse_ethernet;
    }
    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            ETHERTYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition accept;
    }
}

control MyVerifyChecksum(inout headers hdr, inout metadata meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
                        { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.ecn,
                          hdr.ipv4.totalLen, hdr.ipv4.identification, hdr.ipv4.flags,
                          hdr.ipv4.fragOffset, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr,
                          hdr.ipv4.dstAddr },
                        hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control MyIngress(inout headers hdr, inout metadata meta,
                  inout standard_metadata_t standard_metadata) {
    action drop_packet() {
        mark_to_drop(standard_metadata);
    }
    action send_copy_to_controller(PuntReason_t reason, bit<8> opcode) {
        meta.ingress_port = standard_metadata.ingress_port;
        meta.punt_reason = reason;
        meta.opcode = opcode;
        clone_preserving_field_list(CloneType.I2E, CPU_PORT_CLONE_SESSION_ID, FL_PACKET_IN);
    }
    action cached_action(bit<9> port, bit<1> decrement_ttl, bit<6> new_dscp) {
        standard_metadata.egress_spec = port;
        hdr.ipv4.ttl = decrement_ttl == 1 ? hdr.ipv4.ttl |-| 1 : hdr.ipv4.ttl;
        hdr.ipv4.diffserv = new_dscp;
    }
    action flow_unknown() {
        send_copy_to_controller(PuntReason_t.FLOW_UNKNOWN, 0);
        mark_to_drop(standard_metadata);
    }
    table flow_cache {
        key = {
            hdr.ipv4.protocol: exact;
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
        }
        actions = {
            cached_action;
            drop_packet;
            @defaultonly flow_unknown;
        }
        size = 65536;
        const default_action = flow_unknown();
        support_timeout = true;
    }
    apply {
        if (hdr.packet_out.isValid()) {
            // a packet of the controller says where it goes
            switch (hdr.packet_out.opcode) {
                ControllerOpcode_t.SEND_TO_PORT_IN_OPERAND0: {
                    standard_metadata.egress_spec = hdr.packet_out.operand0[8:0];
                }
                default: {
                    send_copy_to_controller(PuntReason_t.UNRECOGNIZED_OPCODE,
                                            (bit<8>) hdr.packet_out.opcode);
                    mark_to_drop(standard_metadata);
                }
            }
            hdr.packet_out.setInvalid();
        } else if (hdr.ipv4.isValid()) {
            flow_cache.apply();
        } else {
            drop_packet();
        }
    }
}

control MyEgress(inout headers hdr, inout metadata meta,
                 inout standard_metadata_t standard_metadata) {
    apply {
        if (standard_metadata.egress_port == CPU_PORT) {
            hdr.packet_in.setValid();
            hdr.packet_in.input_port = 0;
            hdr.packet_in.input_port[8:0] = meta.ingress_port;
            hdr.packet_in.punt_reason = meta.punt_reason;
            hdr.packet_in.opcode = meta.opcode;
        }
    }
}

control MyComputeChecksum(inout headers hdr, inout metadata meta) {
    apply {
        update_checksum(hdr.ipv4.isValid(),
                        { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.ecn, hdr.ipv4.totalLen,
                          hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragOffset,
                          hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
                        hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control MyDeparser(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.packet_out);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(MyParser(), MyVerifyChecksum(), MyIngress(), MyEgress(), MyComputeChecksum(),
         MyDeparser()) main;
