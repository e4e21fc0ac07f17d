// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Match-action core of one unit, the same in front and back stages. Latency 6 cycles (CoreCycles),
/// one PHV a cycle; nothing ever stalls.
///   c0  PHV comes in; KEY_EXTRACT is read at its overlay row
///   c1  key and comparator; KEY_MASK is read
///   c2  mask, match; ACTION is read at the row that was hit
///   c3  operands are chosen
///   c4  ALUs
///   c5  results of the ALUs are merged
///   c6  results of the unit beside it (state or hash) are put in; the PHV leaves
/// Everything reads the PHV as it was before the stage, since all containers travel along unchanged
/// until c5. What leaves in c6 comes from registers but for one choice. Registers move only with a packet. A control write stands for two cycles
/// and takes effect between two packets at each table, so never within an entry (sluice_table).
module sluice_match_action
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
#(
  parameter int unsigned SideBits = 1,   // what travels along unseen
  localparam int unsigned MatchBits = index_bits(MatchEntries)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pipe_t                pipe_i,
  input  settings_t            settings_i,
  // packets
  input  logic                 valid_i,
  input  logic                 active_i,         // 0: passes unchanged
  input  phv_t                 phv_i,
  input  logic [SideBits-1:0]  side_i,
  output logic                 valid_o,
  output phv_t                 phv_o,
  output logic [SideBits-1:0]  side_o,
  // for the unit beside the core
  output logic                 c1_valid_o,
  output overlay_t             c1_row_o,
  output containers_t          c2_cont_o,
  output logic                 c2_hit_o,
  output logic [MatchBits-1:0] c2_match_row_o,
  output logic                 c3_hit_o,
  output containers_t          c3_cont_o,
  output instr_t               c3_slot16_o,
  input  logic [7:0][31:0]     c6_ext_i,         // in the order of enumeration EXT
  input  logic                 c6_slot16_write_i,
  input  logic [31:0]          c6_slot16_i,
  // control: see sluice_config_table
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o
);
  word_answer_t extract_answer, mask_answer, match_answer, action_answer;
  assign answer_o = extract_answer | mask_answer | match_answer | action_answer;

  // ---- the PHV and the side band, cycle by cycle
  logic [6:1]          valid_q, hit_q;           // hit_q from 3 on
  phv_t                phv_q [1:5];
  logic [SideBits-1:0] side_q [1:6];
  logic                active_q1, active_q2, hit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      hit_q   <= '0;
    end else begin
      valid_q <= {valid_q[5:1], valid_i};
      hit_q   <= {hit_q[5:3], hit, 2'b00};
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      phv_q[1]  <= kept_phv(phv_i);
      side_q[1] <= side_i;
      active_q1 <= active_i;
    end
    active_q2 <= active_q1;
    for (int unsigned c = 2; c <= 5; c++) if (valid_q[c-1]) phv_q[c] <= phv_q[c-1];
    for (int unsigned c = 2; c <= 6; c++) if (valid_q[c-1]) side_q[c] <= side_q[c-1];
  end

  // ---- c0, c1: extractor entry, key
  key_extract_t extract;
  key_t         key;
  overlay_t     row_c1;
  assign row_c1 = phv_q[1].meta.overlay;

  sluice_config_table #(.Which(TableKeyExtract)) u_extract (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index), .copy_i(pipe_i),
    .re_i(valid_i), .row_i(phv_i.meta.overlay), .entry_o(extract), .write_i, .read_i, .answer_o(extract_answer)
  );

  sluice_key_extract u_key (
    .clk_i, .en_i(valid_q[1]), .cont_i(phv_q[1].cont), .extract_i(extract), .key_o(key)
  );

  // ---- c1, c2: mask, match
  logic [KeyWidth-1:0]  mask;
  logic [MatchBits-1:0] match_row;

  sluice_config_table #(.Which(TableKeyMask)) u_mask (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index), .copy_i(pipe_i),
    .re_i(valid_q[1]), .row_i(row_c1), .entry_o(mask), .write_i, .read_i, .answer_o(mask_answer)
  );

  sluice_match u_match (
    .clk_i, .rst_ni,
    .valid_i(valid_q[2] && active_q2), .vid_i({phv_q[2].meta.vid_high, phv_q[2].meta.overlay.row}), .key_i(key & ~mask),
    .hit_o(hit), .row_o(match_row), .copy_i(pipe_i), .write_i, .read_i, .answer_o(match_answer)
  );

  // ---- c2, c3: action word, operands
  logic [ActionBits-1:0] action;

  sluice_config_table #(.Which(TableAction)) u_action (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index), .copy_i(pipe_i),
    .re_i(hit), .row_i(match_row), .entry_o(action), .write_i, .read_i, .answer_o(action_answer)
  );

  instr_t                    instr [NumSlots];
  logic [NumSlots-1:0][31:0] a, b;
  logic [NumSlots-1:0]       a_nonzero, b_nonzero, c_nonzero;
  logic [7:0][15:0]          a_high, b_high;

  sluice_operands u_operands (
    .clk_i, .en_i(hit_q[3]), .cont_i(phv_q[3].cont), .action_i(action),
    .instr_o(instr), .a_o(a), .b_o(b),
    .a_nonzero_o(a_nonzero), .b_nonzero_o(b_nonzero), .c_nonzero_o(c_nonzero),
    .a_high_o(a_high), .b_high_o(b_high)
  );

  // ---- c4: ALUs
  logic       dest_write, discard_write, discard;
  logic [7:0] dest;
  logic [Num2B-1:0]         write2, ext2;
  logic [Num4B-1:0]         write4, ext4;
  logic [Array6B-1:0]       write6, ext6;
  logic [Num2B-1:0][15:0]   result2;
  logic [Num4B-1:0][31:0]   result4;
  logic [Array6B-1:0][47:0] result6;
  logic [Num2B-1:0][3:0]    select2;
  logic [Num4B-1:0][3:0]    select4;
  logic [Array6B-1:0][3:0]  select6;

  sluice_alu_md u_alu_md (
    .clk_i, .en_i(hit_q[4]), .instr_i(instr[0]),
    .a_i(a[0][7:0]), .a_nonzero_i(a_nonzero[0]), .b_nonzero_i(b_nonzero[0]),
    .dest_write_o(dest_write), .dest_o(dest), .discard_write_o(discard_write), .discard_o(discard)
  );
  for (genvar i = 0; i < Num2B; i++) begin : gen_alu2
    sluice_alu #(.Width(16)) u_alu (
      .clk_i, .en_i(hit_q[4]), .instr_i(instr[1+i]),
      .a_i(a[1+i]), .b_i(b[1+i]), .c_i(c_nonzero[1+i]),
      .write_o(write2[i]), .result_o(result2[i]), .ext_o(ext2[i]), .select_o(select2[i])
    );
  end
  for (genvar i = 0; i < Num4B; i++) begin : gen_alu4
    sluice_alu #(.Width(32)) u_alu (
      .clk_i, .en_i(hit_q[4]), .instr_i(instr[9+i]),
      .a_i(a[9+i]), .b_i(b[9+i]), .c_i(c_nonzero[9+i]),
      .write_o(write4[i]), .result_o(result4[i]), .ext_o(ext4[i]), .select_o(select4[i])
    );
  end
  for (genvar i = 0; i < Num6B; i++) begin : gen_alu6
    sluice_alu #(.Width(48)) u_alu (
      .clk_i, .en_i(hit_q[4]), .instr_i(instr[17+i]),
      .a_i({a_high[i], a[17+i]}), .b_i({b_high[i], b[17+i]}), .c_i(c_nonzero[17+i]),
      .write_o(write6[i]), .result_o(result6[i]), .ext_o(ext6[i]), .select_o(select6[i])
    );
  end
  if (Num6B == 0) begin : gen_no_alu6
    assign {write6, ext6, result6, select6} = '0;
  end

  // ---- c5: results of the ALUs
  phv_t               phv_q6;
  logic [Num2B-1:0]   ext2_q6;                   // an EXT's result is still to be put in
  logic [Num4B-1:0]   ext4_q6;
  logic [Array6B-1:0] ext6_q6;
  logic [Num2B-1:0][3:0]   select2_q6;
  logic [Num4B-1:0][3:0]   select4_q6;
  logic [Array6B-1:0][3:0] select6_q6;

  always_ff @(posedge clk_i) begin
    ext2_q6 <= {Num2B{hit_q[5]}} & ext2;
    ext4_q6 <= {Num4B{hit_q[5]}} & ext4;
    ext6_q6 <= {Array6B{hit_q[5]}} & ext6;
    if (valid_q[5]) phv_q6 <= phv_q[5];
    if (hit_q[5]) begin
      if (dest_write)    phv_q6.meta.dest    <= dest;
      if (discard_write) phv_q6.meta.discard <= discard;
      select2_q6 <= select2;
      select4_q6 <= select4;
      select6_q6 <= select6;
      for (int unsigned i = 0; i < Num2B; i++) if (write2[i]) phv_q6.cont.b2[i] <= result2[i];
      for (int unsigned i = 0; i < Num4B; i++) if (write4[i]) phv_q6.cont.b4[i] <= result4[i];
      for (int unsigned i = 0; i < Array6B; i++) if (write6[i]) phv_q6.cont.b6[i] <= result6[i];
    end
  end

  // ---- c6: results of the unit beside the core
  logic [15:0][31:0] ext;                        // what EXT can select; 0 from 8 on
  assign ext = {256'd0, c6_ext_i};

  always_comb begin
    phv_o = phv_q6;
    for (int unsigned i = 0; i < Num2B; i++)
      if (ext2_q6[i]) phv_o.cont.b2[i] = 16'(ext[select2_q6[i]]);
    for (int unsigned i = 0; i < Num4B; i++) begin
      if (i == 7 && c6_slot16_write_i) phv_o.cont.b4[i] = c6_slot16_i;
      if (ext4_q6[i]) phv_o.cont.b4[i] = ext[select4_q6[i]];
    end
    for (int unsigned i = 0; i < Array6B; i++)
      if (ext6_q6[i]) phv_o.cont.b6[i] = 48'(ext[select6_q6[i]]);
  end

  assign valid_o        = valid_q[6];
  assign side_o         = side_q[6];
  assign c1_valid_o     = valid_q[1];
  assign c1_row_o       = row_c1;
  assign c2_cont_o      = phv_q[2].cont;
  assign c2_hit_o       = hit;
  assign c2_match_row_o = match_row;
  assign c3_hit_o       = hit_q[3];
  assign c3_cont_o      = phv_q[3].cont;
  assign c3_slot16_o    = action[InstrWidth*16 +: InstrWidth];

  logic unused_ports;
  assign unused_ports = &{1'b0, settings_i, hit_q, a, b,
                          a_nonzero, b_nonzero, c_nonzero, a_high, b_high,
                          c6_slot16_write_i, c6_slot16_i};

  `SLUICE_ASSERT(OneControlAccess_A, !(write_i.valid && read_i.valid))
  `SLUICE_ASSERT(OnlyContainersThatAre_A, !valid_i || phv_i == kept_phv(phv_i))
endmodule : sluice_match_action
