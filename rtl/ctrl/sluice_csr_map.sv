// SPDX-License-Identifier: Apache-2.0
// Printed by `make layout` from sw/layouts.def: edit that file, not this one.

/// Tells whether a register has this address in a chip of this shape, and whether it can be
/// written.
/// Combinational.
module sluice_csr_map
  import sluice_cfg_pkg::*;
(
  input  logic [19:0] addr_i,
  output logic        exists_o,     // a register starts at this address
  output logic        writable_o    // and takes writes
);
  always_comb begin
    {exists_o, writable_o} = 2'b00;
    // CHIP: the chip
    if (addr_i[19:12] == 8'h0)
      case (addr_i[11:2])
        10'h0, 10'h1, 10'h6, 10'h8, 10'ha, 10'hb, 10'h11,
        10'h12, 10'h13, 10'h1d, 10'h1e, 10'h24, 10'h25, 10'h28,
        10'h29, 10'h2a, 10'h2b, 10'h2c, 10'h2d, 10'h2e, 10'h2f,
        10'h30: {exists_o, writable_o} = 2'b10;
        10'h7, 10'h9, 10'hc, 10'hd, 10'he, 10'hf, 10'h10,
        10'h18, 10'h19, 10'h1a, 10'h1b, 10'h1c, 10'h1f, 10'h20,
        10'h21, 10'h22, 10'h23, 10'h26, 10'h27, 10'h38, 10'h39,
        10'h3a, 10'h3b, 10'h3c, 10'h3d, 10'h3e, 10'h3f: {exists_o, writable_o} = 2'b11;
        default: ;
      endcase
    // LANE: lane n
    if (addr_i[19:12] == 8'h1 && 32'(addr_i[11:8]) < NumPipes)
      case (addr_i[7:2])
        6'h0, 6'h1, 6'h2, 6'h3, 6'h4, 6'h5, 6'h20,
        6'h21, 6'h22, 6'h23, 6'h24, 6'h25, 6'h26, 6'h27,
        6'h28, 6'h29, 6'h2a, 6'h2b, 6'h2c, 6'h2d, 6'h2e,
        6'h2f, 6'h30, 6'h31, 6'h32, 6'h33, 6'h34, 6'h35,
        6'h36, 6'h37, 6'h38, 6'h39, 6'h3a, 6'h3b, 6'h3c,
        6'h3d, 6'h3e, 6'h3f: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // ORDER: order point, per lane n
    if (addr_i[19:12] == 8'h3 && 32'(addr_i[11:8]) < NumPipes)
      case (addr_i[7:2])
        6'h0, 6'h1, 6'h2, 6'h3, 6'h4, 6'h5, 6'h6,
        6'h8, 6'h7, 6'h10, 6'h11, 6'h12, 6'h13, 6'h14,
        6'h15, 6'h16, 6'h17, 6'h18, 6'h19, 6'h1a, 6'h1b,
        6'h1c, 6'h1d, 6'h1e, 6'h1f: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // MODULE: module (overlay row) n, all lanes
    if (addr_i[19:12] == 8'h5 && 32'(addr_i[11:7]) < NumModules)
      case (addr_i[6:2])
        5'h0, 5'h1, 5'h2, 5'h3, 5'h4, 5'h5, 5'h6,
        5'h7, 5'h8, 5'h9, 5'ha, 5'hb, 5'hc, 5'hd,
        5'he, 5'hf, 5'h10, 5'h11, 5'h12, 5'h13, 5'h14,
        5'h15, 5'h16, 5'h17, 5'h18, 5'h19, 5'h1a, 5'h1b,
        5'h1c, 5'h1d, 5'h1e, 5'h1f: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // FLIP: guarded flips
    if (addr_i[19:8] == 12'h60 && FlipGuard != 0)
      case (addr_i[7:2])
        6'h2, 6'h3: {exists_o, writable_o} = 2'b10;
        6'h0, 6'h1, 6'h20, 6'h21, 6'h22, 6'h23, 6'h24,
        6'h25, 6'h26, 6'h27, 6'h28, 6'h29, 6'h2a, 6'h2b,
        6'h2c, 6'h2d, 6'h2e, 6'h2f, 6'h30, 6'h31, 6'h32,
        6'h33: {exists_o, writable_o} = 2'b11;
        default: ;
      endcase
    // MERGE: merge of sorted lanes
    if (addr_i[19:8] == 12'h62 && OrderedMerge != 0)
      case (addr_i[7:2])
        6'h3: {exists_o, writable_o} = 2'b10;
        6'h0, 6'h1, 6'h2: {exists_o, writable_o} = 2'b11;
        default: ;
      endcase
    // MOVE: moves, all back stages
    if (addr_i[19:12] == 8'h7)
      case (addr_i[11:2])
        10'h0, 10'h1, 10'h2, 10'h3, 10'h4: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // BOUNDARY: boundary before back stage s, pipeline d: n = 16 s + d
    if (addr_i[19:15] == 5'h1 && 32'(addr_i[9:6]) < NumPipes && 32'(addr_i[14:10]) < BackStages)
      case (addr_i[5:2])
        4'h0, 4'h1, 4'h2, 4'h3, 4'h4, 4'h5, 4'h6,
        4'h7, 4'h8, 4'h9, 4'ha, 4'hb, 4'hc, 4'hd: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // PORT: output port n
    if (addr_i[19:12] == 8'h10 && 32'(addr_i[11:6]) < NumPorts)
      case (addr_i[5:2])
        4'h0, 4'h1, 4'h2, 4'h3, 4'h4, 4'h5: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // EXIT: deparser of lane n
    if (addr_i[19:10] == 10'h48 && 32'(addr_i[9:6]) < NumPipes)
      case (addr_i[5:2])
        4'h0, 4'h1, 4'h2, 4'h3, 4'h4, 4'h5, 4'h8,
        4'h9, 4'ha, 4'hb, 4'hc, 4'hd, 4'he, 4'hf: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // PASSES: recirculation port of lane n
    if (addr_i[19:10] == 10'h50 && 32'(addr_i[9:6]) < NumPipes && Recirculation != 0)
      case (addr_i[5:2])
        4'h0, 4'h1, 4'h2, 4'h3, 4'h4: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    // CAPSULES: id n of capsules
    if (addr_i[19:17] == 3'h1 && 32'(addr_i[16:3]) + 1 <= ActiveIds)
      case (addr_i[2:2])
        1'h0: {exists_o, writable_o} = 2'b10;
        default: ;
      endcase
    if (addr_i[1:0] != 2'b00) {exists_o, writable_o} = 2'b00;
  end
endmodule : sluice_csr_map
