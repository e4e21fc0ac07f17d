// SPDX-License-Identifier: Apache-2.0

/// All lanes, and the chain node of their tables: those of scope lane, the same in every lane.
/// Wires only: see sluice_lane for the timing. A READ is answered by the lane that its COPY names.
module sluice_ingress
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_table_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  lane_settings_t settings_i,
  input  logic [31:0] cycle_i,
  // buses
  input  rx_beat_t    rx_i [NumPipes],
  // recirculated packets
  input  reentry_t [NumPipes-1:0] reentry_i,
  output logic [NumPipes-1:0] take_o,
  // to the order point, and back
  output logic [NumPipes-1:0] arrive_o,
  output item_t [NumPipes-1:0] item_o,
  input  logic [NumPipes-1:0] pop_i,
  input  row_t [NumPipes-1:0] pop_row_i,
  output logic [NumPipes-1:0] over_limit_o,
  output logic [NumPipes-1:0] deep_o,
  // array match
  output logic [NumPipes-1:0] matched_valid_o,
  output matched_bits_t [NumPipes-1:0] matched_o,
  input  logic [NumPipes-1:0] matched_pop_i,
  // packet buffers of the lanes
  output buffer_write_t [NumPipes-1:0] write_o,
  input  buffer_room_t [NumPipes-1:0] room_i,
  input  buffer_used_t [NumPipes-1:0] used_i,
  // control
  input  chain_t      chain_i,
  output logic        chain_ready_o,
  output chain_t      chain_o,
  input  logic        chain_ready_i,
  // with a header at chain_i: sluice_bank_guard refused it
  input  logic        refuse_i,
  input  csr_req_t    csr_req_i,
  output csr_rsp_t    csr_rsp_o,
  output lane_drop_t [NumPipes-1:0] drop_o,
  output bank_event_t [NumPipes-1:0] enter_o,
  output logic  [NumPipes-1:0] done_o,
  output probe_lane_t [NumPipes-1:0] probe_o
);
  // ---- chain node
  table_write_t  write;
  table_read_t   read;
  word_answer_t  answer;
  sluice_table_node #(.Owned(tables_of(ScopeLane))) u_node (
    .clk_i, .rst_ni, .stage_i('0), .chain_i, .chain_ready_o, .chain_o, .chain_ready_i, .refuse_i,
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .answer_i(answer)
  );

  // ---- lanes
  word_answer_t  [NumPipes-1:0] answers;
  csr_rsp_t      [NumPipes-1:0] responses;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    // Test fault: the last lane sees a new bank a cycle later.
    lane_settings_t lane_settings;
    if (Banks == 2 && TestFaults != 0 && l == NumPipes - 1) begin : gen_late
      logic [NumModules-1:0] bank_q;
      always_ff @(posedge clk_i) bank_q <= settings_i.bank;
      always_comb begin
        lane_settings = settings_i;
        if (settings_i.fault[FaultFlipLate]) lane_settings.bank = bank_q;
      end
    end else begin : gen_same
      assign lane_settings = settings_i;
    end

    sluice_lane u_lane (
      .clk_i, .rst_ni, .lane_i(pipe_t'(l)), .settings_i(lane_settings), .cycle_i,
      .rx_i(rx_i[l]), .reentry_i(reentry_i[l]), .take_o(take_o[l]),
      .arrive_o(arrive_o[l]), .item_o(item_o[l]), .pop_i(pop_i[l]), .pop_row_i(pop_row_i[l]),
      .over_limit_o(over_limit_o[l]), .deep_o(deep_o[l]),
      .matched_valid_o(matched_valid_o[l]), .matched_o(matched_o[l]),
      .matched_pop_i(matched_pop_i[l]),
      .write_o(write_o[l]), .room_i(room_i[l]), .used_i(used_i[l]),
      .table_write_i(write), .table_read_i(read), .answer_o(answers[l]),
      .csr_req_i, .csr_rsp_o(responses[l]), .drop_o(drop_o[l]), .enter_o(enter_o[l]),
      .done_o(done_o[l]), .probe_o(probe_o[l])
    );
  end

  always_comb begin
    answer    = '0;
    csr_rsp_o = '0;
    for (int unsigned l = 0; l < NumPipes; l++) begin
      answer    = answer | answers[l];
      csr_rsp_o = csr_rsp_o | responses[l];
    end
  end
endmodule : sluice_ingress
