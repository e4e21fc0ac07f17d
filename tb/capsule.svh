// SPDX-License-Identifier: Apache-2.0
// What block tests of capsules have in common; included in their modules: a capsule of the C side,
// field by field. In one that has passed a stage the instruction of the last one is 0.
import "DPI-C" function longint capsule_field(input int what, input int field, input int i);

function automatic carried_t capsule(int what);
  capsule          = '0;
  capsule.valid    = 1'(capsule_field(what, 0, 0));
  capsule.known    = 1'(capsule_field(what, 1, 0));
  capsule.drop     = 1'(capsule_field(what, 2, 0));
  capsule.report   = 1'(capsule_field(what, 3, 0));
  capsule.preload  = 1'(capsule_field(what, 4, 0));
  capsule.id       = id_t'(capsule_field(what, 5, 0));
  capsule.length   = 6'(capsule_field(what, 6, 0));
  capsule.complete = 1'(capsule_field(what, 7, 0));
  capsule.skip     = 1'(capsule_field(what, 8, 0));
  capsule.skip_numbered = 1'(capsule_field(what, 9, 0));
  capsule.skip_label    = 6'(capsule_field(what, 10, 0));
  capsule.returned = 1'(capsule_field(what, 11, 0));
  capsule.fault    = 1'(capsule_field(what, 12, 0));
  capsule.late     = capsule_late_e'(2'(capsule_field(what, 13, 0)));
  capsule.mar      = 32'(capsule_field(what, 14, 0));
  capsule.mbr      = 32'(capsule_field(what, 15, 0));
  capsule.mbr2     = 32'(capsule_field(what, 16, 0));
  for (int i = 0; i < 5; i++) capsule.hash[i] = 32'(capsule_field(what, 17, i));
  for (int i = 0; i < 4; i++) capsule.data[i] = 32'(capsule_field(what, 18, i));
  capsule.tuple.src   = 32'(capsule_field(what, 19, 0));
  capsule.tuple.dst   = 32'(capsule_field(what, 20, 0));
  capsule.tuple.sport = 16'(capsule_field(what, 21, 0));
  capsule.tuple.dport = 16'(capsule_field(what, 22, 0));
  capsule.first_fault  = 1'(capsule_field(what, 24, 0));
  capsule.forked       = 1'(capsule_field(what, 25, 0));
  capsule.count        = 32'(capsule_field(what, 26, 0));
  capsule.waited.delay = WaitDelayBits'(capsule_field(what, 27, 0));
  capsule.waited.depth = WaitDepthBits'(capsule_field(what, 28, 0));
  for (int i = 0; i < int'(BackStages) - what; i++) capsule.ops[i] = capsule_op_t'(capsule_field(what, 23, i));
endfunction
