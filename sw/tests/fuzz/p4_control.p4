// SPDX-License-Identifier: Apache-2.0
// All that a packet test or a runtime.json can name: what p4_parts.c gives its texts to.
#include <core.p4>
#include <v1model.p4>
header data_t {
  bit<8> a;
  bit<8> b;
  bit<16> c;
  bit<32> d;
  bit<128> e;
}
struct headers {
  data_t d;
  data_t[2] more;
}
struct meta {
  @field_list(1) bit<8> kept;
}
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  value_set<bit<8>>(4) stacked;
  state start {
    p.extract(h.d);
    transition select(h.d.a) {
      stacked: more;
      default: accept;
    }
  }
  state more {
    p.extract(h.more.next);
    transition select(h.more.last.a) {
      stacked: more;
      default: accept;
    }
  }
}
control V(inout headers h, inout meta m) { apply {} }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<48>>(16) r;
  counter(16, CounterType.packets_and_bytes) c;
  direct_counter(CounterType.packets_and_bytes) dc;
  meter(16, MeterType.bytes) mt;
  direct_meter<bit<8>>(MeterType.packets) dm;
  action_selector(HashAlgorithm.crc16, 16, 16) chosen;
  action to(bit<9> port) { s.egress_spec = port; }
  action coloured(bit<9> port) {
    dm.read(m.kept);
    s.egress_spec = port;
  }
  action wide(bit<128> e, bit<1> one) {
    h.d.e = e;
    h.d.d[0:0] = one;
  }
  action other() {
    s.mcast_grp = h.d.c;
    clone_preserving_field_list(CloneType.I2E, 5, 1);
  }
  table exact_t {
    key = { h.d.a: exact; }
    actions = { to; wide; other; NoAction; }
    counters = dc;
    default_action = NoAction;
  }
  table ternary_t {
    key = { h.d.b: ternary; h.d.d: optional; }
    actions = { to; other; NoAction; }
  }
  table lpm_t {
    key = { h.d.e: lpm; h.more[0].isValid(): exact; }
    actions = { to; wide; @defaultonly NoAction; }
    const default_action = NoAction;
  }
  table range_t {
    key = { h.d.c: range; h.d.d: ternary; }
    actions = { coloured; NoAction; }
    meters = dm;
    entries = { (1 .. 2, _): coloured(3); }
  }
  table chosen_t {
    key = { h.d.a: exact; h.d.d: selector; }
    actions = { to; NoAction; }
    implementation = chosen;
  }
  apply {
    bit<48> old;
    r.read(old, (bit<32>)h.d.a);
    r.write((bit<32>)h.d.b, old + 1);
    c.count((bit<32>)h.d.a);
    mt.execute_meter((bit<32>)h.d.a, m.kept);
    exact_t.apply();
    ternary_t.apply();
    lpm_t.apply();
    range_t.apply();
    chosen_t.apply();
  }
}
control E(inout headers h, inout meta m, inout standard_metadata_t s) { apply {} }
control C(inout headers h, inout meta m) { apply {} }
control D(packet_out p, in headers h) { apply { p.emit(h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
