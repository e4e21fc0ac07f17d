// SPDX-License-Identifier: Apache-2.0
// The blocks of a switch that have nothing for the control plane: BLOCKS. A program defines
// `headers` and `metadata` before it, and MyIngress and MyEgress; its last line is the SWITCH.
#define BLOCKS \
  parser MyParser(packet_in b, out headers hdr, inout metadata meta, \
                  inout standard_metadata_t sm) { state start { transition accept; } } \
  control MyVerify(inout headers hdr, inout metadata meta) { apply {} } \
  control MyCompute(inout headers hdr, inout metadata meta) { apply {} } \
  control MyDeparser(packet_out b, in headers hdr) { apply {} }
#define SWITCH \
  V1Switch(MyParser(), MyVerify(), MyIngress(), MyEgress(), MyCompute(), MyDeparser()) main;
