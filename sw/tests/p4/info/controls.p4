// SPDX-License-Identifier: Apache-2.0
// What is there: controls within controls, what nobody applies, actions that are called.
#include <v1model.p4>
#include "frame.h"

header h_t { bit<8> a; bit<8> b; }
struct headers { h_t h; }
struct metadata { bit<8> m; }

action everywhere(bit<8> x) {}
@name("renamed_one") action global_with_a_name() {}
action called_at_the_top() {}

control Inner(inout headers hdr)(bit<32> entries) {
    action set(bit<8> x) { hdr.h.a = x; }
    action helper(bit<8> x) { hdr.h.b = x; }
    action with_helper(bit<8> x) { helper(x); }
    action bound(inout bit<8> y, bit<8> x) { y = x; }
    @name("the_table")
    table t {
        key = { hdr.h.b: exact; }
        actions = { set; with_helper; everywhere; bound(hdr.h.a); NoAction; }
        default_action = bound(hdr.h.a, 7);
        size = entries;
    }
    counter(entries, CounterType.packets) hits;
    apply { t.apply(); hits.count((bit<32>)hdr.h.a); }
}
control Direct(inout headers hdr) {
    action set(bit<8> x) { hdr.h.a = x; }
    table only { actions = { set; global_with_a_name; } }
    apply { only.apply(); }
}
control Never(inout headers hdr) {
    table unseen { actions = { NoAction; } }
    apply { unseen.apply(); }
}

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    Inner(16) first;
    @name("second_one") Inner(2048) second;
    Never() never;
    action unused_action() {}
    action called(bit<8> x) { hdr.h.b = x; }
    action both(bit<8> x) { hdr.h.b = x; }
    action only_in_a_dead_table() {}
    @name(".absolute") action far() {}
    @hidden action unseen() {}
    table nobody_applies_it { actions = { only_in_a_dead_table; } }
    table behind_false { actions = { only_in_a_dead_table; } }
    @hidden table hidden_table { actions = { unseen; } const default_action = unseen; }
    table run { key = { hdr.h.a: exact; } actions = { both; far; unseen; @tableonly called_at_the_top; } }
    register<bit<8>>(4) nobody_reads_it;
    apply {
        first.apply(hdr);
        second.apply(hdr);
        Direct.apply(hdr);
        called(3);
        both(4);
        called_at_the_top();
        if (false) behind_false.apply();
        hidden_table.apply();
        switch (run.apply().action_run) { both: {} default: {} }
    }
}
control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    // the same last part as a table of the ingress, so both aliases are longer
    table run { actions = { everywhere; @defaultonly NoAction; } const default_action = NoAction; }
    apply { run.apply(); }
}
BLOCKS
SWITCH
