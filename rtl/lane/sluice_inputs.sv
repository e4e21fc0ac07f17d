// SPDX-License-Identifier: Apache-2.0

/// All before the order point: fast ports deal packets to lanes (sluice_fast_in), the lanes parse
/// them (sluice_ingress), the packet buffers keep them, and the front stages work on their headers.
/// Nodes of the daisy chain: the ingress, and the front stages.
module sluice_inputs
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  settings_t                          settings_i,
  input  logic [31:0]                        cycle_i,
  // pins
  input  rx_beat_t                           rx_i [NumPipes],
  // recirculated packets
  input  reentry_t [NumPipes-1:0]            reentry_i,
  output reentry_rsp_t [NumPipes-1:0]        reentry_rsp_o,
  // to the order point, and back: packets that are stored, the same when their places in the order
  // are known, and what they carry
  output logic [NumPipes-1:0]                arrive_o,
  output logic [NumPipes-1:0]                ordered_o,
  output item_t [NumPipes-1:0]               item_o,
  input  logic [NumPipes-1:0]                pop_i,
  input  row_t [NumPipes-1:0]                pop_row_i,
  output logic [NumPipes-1:0]                over_limit_o,
  output logic [NumPipes-1:0]                deep_o,
  output logic [NumPipes-1:0]                matched_valid_o,
  output matched_bits_t [NumPipes-1:0]       matched_o,
  input  logic [NumPipes-1:0]                matched_pop_i,
  // packet buffers
  input  discard_t [NumPipes-1:0]            discard_i,
  input  header_req_t [NumPipes-1:0]         header_req_i,
  output logic [NumPipes-1:0][StepBits-1:0]  header_o,
  input  buffer_req_t [NumPipes-1:0]         buffer_req_i,
  output buffer_rsp_t [NumPipes-1:0]         buffer_rsp_o,
  // events
  output lane_drop_t [NumPipes-1:0]          drop_o,
  output bank_event_t [NumPipes-1:0]         enter_o,
  // control
  input  chain_t                             chain_i,
  output logic                               chain_ready_o,
  output chain_t                             chain_o,
  input  logic                               chain_ready_i,
  input  logic                               refuse_i,     // with a header at chain_i
  input  csr_req_t                           csr_req_i,
  output csr_rsp_t                           csr_rsp_o,
  // test harness
  output probe_lane_t [NumPipes-1:0]         probe_o
);
  chain_t [FrontStages+1:0] chain;                // chain[n] goes into node n
  logic   [FrontStages+1:0] chain_ready;
  assign chain[0]                   = chain_i;
  assign chain_ready_o              = chain_ready[0];
  assign chain_o                    = chain[FrontStages+1];
  assign chain_ready[FrontStages+1] = chain_ready_i;

  // ---- what enters the lanes: the streams, or what the fast ports deal to them
  rx_beat_t                 entering [NumPipes];
  logic [NumPipes-1:0]     done, dealt, take;
  pipe_t [NumPipes-1:0]    dealt_lane;
  sluice_fast_in u_fast_in (
    .clk_i, .rst_ni, .rx_i, .lane_o(entering), .done_i(done), .stored_i(arrive_o),
    .arrive_o(ordered_o), .dealt_o(dealt), .dealt_lane_o(dealt_lane)
  );

  // ---- ingress: ports to PHVs
  item_t [FrontStages:0][NumPipes-1:0] item;      // item[n] goes into front stage n
  buffer_write_t [NumPipes-1:0]        buffer_write;
  buffer_room_t  [NumPipes-1:0]        buffer_room;
  buffer_used_t  [NumPipes-1:0]        buffer_used;
  probe_lane_t   [NumPipes-1:0]        probe_lane;
  sluice_ingress u_ingress (
    .clk_i, .rst_ni, .settings_i(settings_i.lane), .cycle_i, .rx_i(entering), .reentry_i,
    .take_o(take), .arrive_o, .item_o(item[0]), .pop_i, .pop_row_i, .over_limit_o, .deep_o,
    .matched_valid_o, .matched_o, .matched_pop_i, .write_o(buffer_write), .room_i(buffer_room),
    .used_i(buffer_used), .chain_i(chain[0]), .chain_ready_o(chain_ready[0]), .chain_o(chain[1]),
    .chain_ready_i(chain_ready[1]), .refuse_i, .csr_req_i, .csr_rsp_o, .drop_o, .enter_o,
    .done_o(done), .probe_o(probe_lane)
  );

  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    assign reentry_rsp_o[l] = '{take: take[l], gave_way: drop_o[l].gave_way.valid};
    always_comb begin
      probe_o[l] = probe_lane[l];
      {probe_o[l].dealt, probe_o[l].dealt_lane} = {dealt[l], dealt_lane[l]};
    end

    // ---- packet buffers, one a lane
    sluice_packet_buffer u_buffer (
      .clk_i, .rst_ni, .write_i(buffer_write[l]), .room_o(buffer_room[l]), .used_o(buffer_used[l]),
      .discard_i(discard_i[l]), .header_req_i(header_req_i[l]), .header_o(header_o[l]),
      .req_i(buffer_req_i[l]), .rsp_o(buffer_rsp_o[l])
    );
  end

  // ---- front stages
  for (genvar f = 0; f < FrontStages; f++) begin : gen_front
    sluice_front_stage u_front_stage (
      .clk_i, .rst_ni, .stage_i(stage_t'(BackStages + f)), .settings_i(settings_i.stage),
      .item_i(item[f]), .item_o(item[f+1]), .chain_i(chain[f+1]), .chain_ready_o(chain_ready[f+1]),
      .chain_o(chain[f+2]), .chain_ready_i(chain_ready[f+2])
    );
  end
  assign item_o = item[FrontStages];
endmodule : sluice_inputs
