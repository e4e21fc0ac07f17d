// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// What can be said of a capsule before it is executed: in which stages it has a memory
/// instruction, and in which of them MAR will be DATA_0 (docs/machine.md, Capsules, Resolution).
/// Combinational. A list is a chain, each instruction of which makes the address known, unknown, or
/// leaves it: as the carry of an adder, it is found in log2(BackStages) steps.
/// Example: PRELOAD, and HASH, MAR_LOAD, CJUMP, MAR_LOAD at positions 0 to 3. At position 0 the
/// address is known, by PRELOAD; at 1 it is not, for HASH has changed it; at 2 to 4 it is.
/// Not there in a chip without capsules, which have no instructions.
module sluice_capsule_ahead
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
(
  input  carried_t               capsule_i,
  output logic [BackStages-1:0]  memory_o,   // memory instruction in the stage
  output logic [BackStages-1:0]  known_o     // the address of the stage is DATA_0
);
  if (Active == 0) begin : gen_none
    assign memory_o = '0;
    assign known_o  = '0;
  end else begin : gen_ahead
    logic [BackStages:0] makes, keeps, jumps;  // [n]: of all before position n
    always_comb begin
      makes    = '0;
      keeps    = '0;
      jumps    = '0;
      // A skip that began in the pass before may go on.
      jumps[0] = capsule_i.skip;
      memory_o = '0;
      makes[0] = capsule_i.preload;
      for (int unsigned n = 0; n < BackStages; n++) begin
        memory_o[n]  = capsule_i.valid && `SLUICE_IS_MEMORY(capsule_i.ops[n].opcode);
        jumps[n+1]   = capsule_i.ops[n].opcode inside {7'(OpcodeCjump), 7'(OpcodeCjumpi),
                                                       7'(OpcodeUjump)};
        keeps[n+1]   = !(capsule_i.ops[n].opcode inside {
            7'(OpcodeMarAddMbr), 7'(OpcodeMarAddMbr2), 7'(OpcodeMarMbrAddMbr2),
            7'(OpcodeBitAndMarMbr), 7'(OpcodeCopyMarMbr), 7'(OpcodeHash)})
            && !(capsule_i.ops[n].opcode >= 7'(OpcodeAddrMask0)
                 && capsule_i.ops[n].opcode < 7'(OpcodeAddrMask));
      end
      for (int unsigned d = 1; d <= BackStages; d *= 2) jumps = jumps | (jumps << d);
      for (int unsigned n = 0; n < BackStages; n++)
        makes[n+1] = capsule_i.ops[n].opcode == 7'(OpcodeMarLoad) && !jumps[n];
      for (int unsigned d = 1; d <= BackStages; d *= 2) begin
        makes = makes | (keeps & (makes << d));
        keeps = keeps & (keeps << d);
      end
      known_o = makes[BackStages-1:0];
    end
  end
endmodule : sluice_capsule_ahead
