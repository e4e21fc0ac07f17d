// SPDX-License-Identifier: Apache-2.0

/// Counters and high-water marks of a lane (registers LANE), and their reads.
/// Answers one cycle after the request; offsets without a register read 0; writes are answered and
/// change nothing. Counters wrap.
module sluice_lane_registers
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
#(
  localparam int unsigned CellBits = $clog2(BodyCells)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  pipe_t             lane_i,
  input  logic              clear_i,
  input  logic              done_i,           // a packet ended on the bus
  input  logic              arrived_i,        // and it is stored
  input  len_t              len_i,
  input  drop_t             drop_i,
  input  logic [HdrBits:0]  slots_used_i,
  input  logic [CellBits:0] cells_used_i,
  input  logic [12:0]       waiting_i,
  input  csr_req_t          csr_req_i,
  output csr_rsp_t          csr_rsp_o
);
  localparam int unsigned NumReasons = 1 << $bits(drop_e);

  logic [31:0]       packets_q, bytes_q, accepted_q;
  logic [HdrBits:0]  high_slots_q;
  logic [CellBits:0] high_cells_q;
  logic [12:0]       high_queue_q;
  logic [31:0]       drops_q [NumReasons];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      packets_q    <= '0;
      bytes_q      <= '0;
      accepted_q   <= '0;
      high_slots_q <= '0;
      high_cells_q <= '0;
      high_queue_q <= '0;
    end else if (clear_i) begin
      packets_q    <= '0;
      bytes_q      <= '0;
      accepted_q   <= '0;
      high_slots_q <= '0;
      high_cells_q <= '0;
      high_queue_q <= '0;
    end else begin
      if (done_i)                      packets_q    <= packets_q + 32'd1;
      if (arrived_i)                   bytes_q      <= bytes_q + 32'(len_i);
      if (arrived_i)                   accepted_q   <= accepted_q + 32'd1;
      if (slots_used_i > high_slots_q) high_slots_q <= slots_used_i;
      if (cells_used_i > high_cells_q) high_cells_q <= cells_used_i;
      if (waiting_i > high_queue_q)    high_queue_q <= waiting_i;
    end
  end

  for (genvar r = 0; r < NumReasons; r++) begin : gen_drop
    // A lane drops for the reasons from NOT_READY to PROTOCOL only.
    if (r != 0 && r <= DropProtocol) begin : gen_count
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                         drops_q[r] <= '0;
        else if (clear_i)                                    drops_q[r] <= '0;
        else if (drop_i.valid && drop_i.reason == drop_e'(r)) drops_q[r] <= drops_q[r] + 32'd1;
      end
    end else begin : gen_none
      assign drops_q[r] = '0;
    end
  end

  // ---- reads
  logic        mine;
  logic [31:0] value;
  assign mine = csr_req_i.valid && csr_req_i.addr[19:12] == BlockLaneBase[19:12]
                && csr_req_i.addr[11:8] == 4'(lane_i);

  always_comb begin
    value = '0;
    if (csr_req_i.addr[7:6] == RegLaneDrop[7:6]) value = drops_q[csr_req_i.addr[5:2]];
    else
      case ({4'd0, csr_req_i.addr[7:0]})
        RegLanePackets:   value = packets_q;
        RegLaneBytes:     value = bytes_q;
        RegLaneAccepted:  value = accepted_q;
        RegLaneHighSlots: value = 32'(high_slots_q);
        RegLaneHighCells: value = 32'(high_cells_q);
        RegLaneHighQueue: value = 32'(high_queue_q);
        default: ;
      endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) csr_rsp_o <= '0;
    else         csr_rsp_o <= '{valid: mine, rdata: mine && !csr_req_i.write ? value : '0};
  end

  logic unused_inputs;
  assign unused_inputs = ^{csr_req_i.wdata, drop_i.known, drop_i.row};
endmodule : sluice_lane_registers
