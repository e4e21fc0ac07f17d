// SPDX-License-Identifier: Apache-2.0

/// Proof: the order point resolves a sharded access only to a slot inside the module's segment, at
/// the pipeline that the machine's definition names.
///
/// Free: packets of any module and containers, table writes at any time. The harness keeps its own
/// copy of the tables. Shown, with the entries as they were when the packet looked them up
/// (docs/machine.md, State accesses): the resolved slot and pipeline spell an index, K * (slot -
/// base) + pipeline, that is less than the range; with no wrap, so the slot is in the memory; a
/// pinned access names its pipeline.
/// BREAK: 1 segments are not checked, 2 the segment changes between look-up and check.
`ifndef BREAK
`define BREAK 0
`endif
module proof_resolve
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic        valid_i,
  input row_t        row_i,
  input containers_t cont_i,
  input logic        access_write_i,
  input logic        segment_write_i,
  input row_t        write_row_i,
  input access_t     write_access_i,
  input segment_t    write_segment_i
);
  order_settings_t settings;
  always_comb begin
    settings = '0;
    settings.fault[FaultNoBounds] = `BREAK == 1;
  end

  typedef struct packed {
    logic   valid;
    logic   pinned;
    place_t home;
  } resolved_t;
  resolved_t access;
  logic      out_of_bounds;
  sluice_resolve_access u_dut (
    .clk_i, .settings_i(settings), .valid_i, .row_i, .cont_i,
    .valid_o(access.valid), .pinned_o(access.pinned), .home_o(access.home), .out_of_bounds_o(out_of_bounds),
    .access_write_i, .segment_write_i,
    .write_i('{row: write_row_i, access: write_access_i, segment: write_segment_i, default: '0})
  );

  // ---- a write stands for two cycles; in which of them it happens, the table says (sluice_table)
  row_t     row_q;
  segment_t written_segment_q;
  access_t  written_access_q;
  always_ff @(posedge clk_i) begin
    row_q             <= write_row_i;
    written_segment_q <= write_segment_i;
    written_access_q  <= write_access_i;
  end
  always_comb assume (rst_ni || !(access_write_i || segment_write_i));
  always_comb
    if (rst_ni) begin
      assume (!u_dut.u_segment.second_q
              || (segment_write_i && write_row_i == row_q && write_segment_i == written_segment_q));
      assume (!u_dut.u_access.second_q
              || (access_write_i && write_row_i == row_q && write_access_i == written_access_q));
      // helpers: what was read when a write was late
      assert (!u_dut.u_segment.late_q || (u_dut.u_segment.second_q && u_dut.segment == u_dut.u_segment.mem_q[row_q]));
      assert (!u_dut.u_access.late_q  || (u_dut.u_access.second_q && u_dut.access == u_dut.u_access.mem_q[row_q]));
    end

  // ---- the tables, from the first write of a row on
  segment_t [NumModules-1:0] segment_q;
  access_t  [NumModules-1:0] access_q;
  logic     [NumModules-1:0] segment_known_q, access_known_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      segment_known_q <= '0;
      access_known_q  <= '0;
    end else begin
      if (u_dut.u_segment.write) segment_known_q[write_row_i] <= 1'b1;
      if (u_dut.u_access.write)  access_known_q[write_row_i]  <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (u_dut.u_segment.write) segment_q[write_row_i] <= write_segment_i;
    if (u_dut.u_access.write)  access_q[write_row_i]  <= write_access_i;
  end
  for (genvar r = 0; r < NumModules; r++) begin : gen_table
    always_comb
      if (rst_ni) begin
        assert (!segment_known_q[r] || u_dut.u_segment.mem_q[r] == segment_q[r]);
        assert (!access_known_q[r]  || u_dut.u_access.mem_q[r]  == access_q[r]);
      end
  end

  // ---- the packet in cycle 3, with what was in the tables in its cycle 0
  logic     valid_1, valid_2, valid_3;
  segment_t segment_1, segment_2, segment_3;
  access_t  access_1, access_2, access_3;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_1, valid_2, valid_3} <= '0;
    else begin
      valid_1 <= valid_i && segment_known_q[row_i] && access_known_q[row_i];
      valid_2 <= valid_1;
      valid_3 <= valid_2;
    end
  end
  always_ff @(posedge clk_i) begin
    {segment_1, access_1} <= {segment_q[row_i], access_q[row_i]};
    {segment_2, access_2} <= {`BREAK == 2 ? segment_q[row_i] : segment_1, access_1};
    {segment_3, access_3} <= {segment_2, access_2};
  end

  logic [31:0] index;
  assign index = 32'(NumPipes) * (32'(access.home.slot) - 32'(segment_3.base)) + 32'(access.home.pipe);
  logic sharded;
  assign sharded = valid_3 && access.valid && !access_3.pinned;
  always_comb
    if (rst_ni && valid_3) begin
      Enabled_A : assert (!access.valid || access_3.enable);
      Inside_A  : assert (!sharded || (32'(access.home.slot) >= 32'(segment_3.base)
          && index < 32'(segment_3.range)));
      Pinned_A  : assert (!(access.valid && access_3.pinned)
          || (access.home.pipe == pipe_t'(access_3.pipe) && 32'(access.home.slot) == PinnedSlot));
      Kind_A    : assert (access.pinned == access_3.pinned);
      Counted_A : assert (!(access.valid && out_of_bounds));
    end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: the last index of a segment that does not start at 0, and one too many
  logic last_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_q <= 1'b0;
    else         last_q <= last_q || (sharded && segment_3.base != '0 && segment_3.range > 16'd2
                                      && index + 32'd1 == 32'(segment_3.range));
  end
  always_ff @(posedge clk_i) if (rst_ni) Last_C : cover (last_q && valid_3 && out_of_bounds);
endmodule : proof_resolve
