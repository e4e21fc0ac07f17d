// SPDX-License-Identifier: Apache-2.0
// Counters, meters, registers, action profiles, direct ones; properties of tables.
#include <v1model.p4>
#include "frame.h"

header h_t { bit<8> a; bit<16> v; }
struct headers { h_t h; }
struct metadata { bit<2> colour; bit<14> hashed; }
struct pair_t { bit<8> left; bool right; }

counter(512, CounterType.packets_and_bytes) everywhere;
register<bit<8>>(256) r;

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action drop() { mark_to_drop(sm); }
    action nop() {}
    meter(128, MeterType.bytes) m;
    @id(0x16001234) register<pair_t>(16) pairs;
    register<int<8>>(8) signed_ones;
    register<tuple<bit<4>, bool>>(8) tuples;
    direct_counter(CounterType.bytes) table_counter;
    direct_meter<bit<2>>(MeterType.packets) table_meter;
    action_profile(128) ap;
    @max_group_size(200) @selector_size_semantics("sum_of_members") @max_member_weight(4000) @mine
    action_selector(HashAlgorithm.identity, 1024, 10) ap_ws;
    action metered() { table_meter.read(meta.colour); table_counter.count(); }
    table direct {
        key = { hdr.h.a: exact; }
        actions = { metered; }
        default_action = metered();
        counters = table_counter;
        meters = table_meter;
        support_timeout = true;
        const entries = { 1: metered(); 2: metered(); }
    }
    table z_indirect { key = { hdr.h.a: exact; } actions = { drop; nop; } const default_action = nop; implementation = ap; }
    table a_indirect { key = { hdr.h.a: exact; } actions = { drop; nop; } default_action = nop; implementation = ap; }
    table in_place {
        key = { hdr.h.v: selector; }
        actions = { drop; nop; }
        const default_action = nop;
        @name("made_here") @selector_size_semantics("sum_of_weights") @max_group_size(7)
        implementation = action_selector(HashAlgorithm.crc32, 32, 14);
    }
    table started {
        key = { hdr.h.v: ternary; }
        actions = { drop; nop; }
        default_action = nop;
        entries = { 5 &&& 7: drop(); }
        support_timeout = false;
        size = 4;
    }
    apply {
        everywhere.count(1);
        direct.apply();
        z_indirect.apply();
        a_indirect.apply();
        in_place.apply();
        started.apply();
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    @brief("counts") counter(9, CounterType.packets) c;
    apply { c.count(0); }
}
BLOCKS
SWITCH
