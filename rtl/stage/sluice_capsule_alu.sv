// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What an instruction of a capsule makes of its registers, memory instructions excepted
/// (docs/machine.md, Capsules). Combinational; an instruction that is not executed changes nothing
/// but, perhaps, that a skip ends.
module sluice_capsule_alu
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic        en_i,            // somebody looks at what leaves
  input  carried_t    capsule_i,       // nothing is late
  input  address_t    address_i,       // of the stage and id
  input  logic [15:0] crc_i,
  input  logic [7:0]  port_in_i,
  input  logic        again_i,         // its round is above 0
  output carried_t    capsule_o,
  output logic        dest_write_o,
  output logic [7:0]  port_o,          // ... to this port
  output logic        drop_o
);
  // Whom a jump or a conditional return looks at: MBR, by opcode.
  capsule_op_t op;
  opcode_e     opcode;
  logic        zero, taken, returns, target, below, addressed;
  assign op      = capsule_i.ops[0];
  assign opcode  = opcode_e'({1'b0, op.opcode});
  assign zero    = capsule_i.mbr == '0;
  assign below   = capsule_i.mbr < capsule_i.mbr2;
  assign taken   = opcode == OpcodeUjump || (opcode == OpcodeCjump && !zero)
      || (opcode == OpcodeCjumpi && zero);
  assign returns = opcode == OpcodeReturn || (opcode == OpcodeCret && !zero)
      || (opcode == OpcodeCreti && zero);
  assign target  = op.target && op.numbered == capsule_i.skip_numbered
      && (!op.numbered || op.label == capsule_i.skip_label);

  // ADDR_MASK_k, ADDR_OFFSET_k: 52 + 2k, 53 + 2k.
  logic [6:0] address_op;
  assign address_op = op.opcode - 7'(OpcodeAddrMask0);
  assign addressed  = op.opcode >= 7'(OpcodeAddrMask0) && op.opcode < 7'(OpcodeAddrMask)
      && capsule_i.known && address_i.valid && address_op[6:1] == 6'(address_i.k);

  logic [31:0] mar, mbr, mbr2, smaller, larger;
  assign mar     = capsule_i.mar;
  assign mbr     = capsule_i.mbr;
  assign mbr2    = capsule_i.mbr2;
  assign smaller = below ? mbr : mbr2;
  assign larger  = below ? mbr2 : mbr;

  always_comb begin
    capsule_o    = '0;
    dest_write_o = 1'b0;
    port_o       = port_in_i;
    drop_o       = 1'b0;
    if (`SLUICE_WHEN(en_i)) begin
      capsule_o = capsule_i;
      if (capsule_i.skip) capsule_o.skip = !target;
      if (capsule_i.valid && !capsule_i.complete && !capsule_i.skip) begin
        capsule_o.complete = returns;
        capsule_o.skip     = taken;
        if (taken) begin
          capsule_o.skip_numbered = op.numbered;
          capsule_o.skip_label    = op.label;
        end
        case (opcode)
          OpcodeDrop:             drop_o = 1'b1;
          OpcodeFork:             capsule_o.forked  = Recirculation != 0;
          OpcodeSetDst: begin
            dest_write_o = 1'b1;
            port_o       = mbr[7:0];
          end
          OpcodeRts, OpcodeCrts: begin
            dest_write_o = opcode == OpcodeRts || !zero;
            if (dest_write_o) capsule_o.returned = 1'b1;
          end
          OpcodeMbrLoad:          capsule_o.mbr     = capsule_i.data[1];
          OpcodeMbr2Load:         capsule_o.mbr2    = capsule_i.data[2];
          OpcodeMarLoad:          capsule_o.mar     = {12'd0, capsule_i.data[0][19:0]};
          OpcodeMbrStore:         capsule_o.data[3] = mbr;
          OpcodeMbrStoreAlt:      capsule_o.data[1] = mbr;
          OpcodeMbrStoreAlt2:     capsule_o.data[2] = mbr;
          OpcodeMbrEqualsMbr2:    capsule_o.mbr     = mbr ^ mbr2;
          OpcodeMbrEqualsData0:   capsule_o.mbr     = mbr ^ capsule_i.data[0];
          OpcodeMbrEqualsData1:   capsule_o.mbr     = mbr ^ capsule_i.data[1];
          OpcodeMbrEqualsData2:   capsule_o.mbr     = mbr ^ capsule_i.data[2];
          OpcodeMbrEqualsData3:   capsule_o.mbr     = mbr ^ capsule_i.data[3];
          OpcodeMax:              capsule_o.mbr     = larger;
          OpcodeMin:              capsule_o.mbr     = smaller;
          OpcodeRevmin:           capsule_o.mbr2    = smaller;
          OpcodeSwapMbrMbr2: begin
            capsule_o.mbr  = mbr2;
            capsule_o.mbr2 = mbr;
          end
          OpcodeMbrNot:           capsule_o.mbr     = ~mbr;
          OpcodeMbrSubtractMbr2:  capsule_o.mbr     = mbr - mbr2;
          OpcodeMarAddMbr:        capsule_o.mar     = mar + mbr;
          OpcodeMarAddMbr2:       capsule_o.mar     = mar + mbr2;
          OpcodeMbrAddMbr2:       capsule_o.mbr     = mbr + mbr2;
          OpcodeMarMbrAddMbr2:    capsule_o.mar     = mbr + mbr2;
          OpcodeBitAndMarMbr:     capsule_o.mar     = mar & mbr;
          OpcodeBitOrMbrMbr2:     capsule_o.mbr     = mbr | mbr2;
          OpcodeCopyMbr2Mbr:      capsule_o.mbr2    = mbr;
          OpcodeCopyMbrMbr2:      capsule_o.mbr     = mbr2;
          OpcodeCopyMarMbr:       capsule_o.mar     = mbr;
          OpcodeCopyMbrMar:       capsule_o.mbr     = mar;
          OpcodeCopyHashdataMbr:  capsule_o.hash[0] = mbr;
          OpcodeCopyHashdataMbr2: capsule_o.hash[1] = mbr2;
          OpcodeHash:             capsule_o.mar     = {16'd0, crc_i};
          OpcodeLoadSalt:         capsule_o.mbr     = 32'h5093;
          OpcodeLoadPktcount:     capsule_o.mbr     = capsule_i.count;
          OpcodeLoadQdelay: if (again_i) capsule_o.mbr = 32'(capsule_i.waited.delay);
          OpcodeLoadQueue:  if (again_i) capsule_o.mbr = 32'(capsule_i.waited.depth);
          OpcodeLoadTcp5tuple:
            capsule_o.hash = {16'd0, capsule_i.tuple.dport, 16'd0, capsule_i.tuple.sport, 32'd6,
                              capsule_i.tuple.dst, capsule_i.tuple.src};
          default: ;
        endcase
        if (addressed)
          capsule_o.mar = address_op[0] ? mar + 32'(address_i.offset) : mar & 32'(address_i.mask);
      end
    end
  end
endmodule : sluice_capsule_alu
