// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of recirculation: register block PASSES. Read only; a write is answered and
/// has no effect; an address that is no register of the block is not answered. Answers 2 cycles
/// after the request.
module sluice_passes_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      clear_i,
  input  logic [NumPipes-1:0]       entered_i,     // a packet has entered its lane again
  input  logic [NumPipes-1:0]       unpaid_i,      // one had no token
  input  logic [NumPipes-1:0]       refused_i,     // one found the queue full
  input  logic [NumPipes-1:0][15:0] waiting_i,
  input  csr_req_t                  csr_req_i,
  output csr_rsp_t                  csr_rsp_o
);
  // ---- events of one count each, those of the first lane first
  localparam int unsigned EvEntered = 0;
  localparam int unsigned EvUnpaid  = NumPipes;
  localparam int unsigned EvRefused = 2 * NumPipes;
  localparam int unsigned NumEvents = 3 * NumPipes;
  typedef logic [$clog2(NumEvents)-1:0] index_t;
  index_t      counter;
  logic [31:0] counted;
  sluice_counters #(.Count(NumEvents)) u_counters (
    .clk_i, .rst_ni, .clear_i, .event_i({refused_i, unpaid_i, entered_i}), .index_i(counter),
    .value_o(counted)
  );

  // ---- marks
  logic [NumPipes-1:0][15:0] high_q;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                       high_q[l] <= '0;
      else if (clear_i)                  high_q[l] <= '0;
      else if (waiting_i[l] > high_q[l]) high_q[l] <= waiting_i[l];
    end
  end

  // ---- read
  logic        valid_q;
  logic [19:0] addr_q, offset;
  logic        mine, answer;
  pipe_t       lane;
  logic [31:0] rdata;
  localparam int unsigned StrideBits = $clog2(BlockPassesStride);

  logic unused_inputs;
  assign unused_inputs = ^{csr_req_i.write, csr_req_i.wdata, offset};

  assign offset = addr_q - BlockPassesBase;
  assign mine   = addr_q >= BlockPassesBase && offset < 20'(NumPipes) * BlockPassesStride;
  assign lane   = offset[StrideBits +: PipeBits];
  always_comb begin
    rdata   = counted;
    answer  = mine;
    counter = index_t'(EvEntered);
    if (mine) begin
      case (12'(addr_q[StrideBits-1:0]))
        RegPassesPackets:   counter = index_t'(EvEntered) + index_t'(lane);
        RegPassesNoToken:   counter = index_t'(EvUnpaid) + index_t'(lane);
        RegPassesFull:      counter = index_t'(EvRefused) + index_t'(lane);
        RegPassesHighQueue: rdata   = 32'(high_q[lane]);
        default:            answer  = 1'b0;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= 1'b0;
      csr_rsp_o <= '0;
    end else begin
      valid_q   <= csr_req_i.valid;
      csr_rsp_o <= valid_q && answer ? '{valid: 1'b1, refused: 1'b0, rdata: rdata} : '0;
    end
  end
  always_ff @(posedge clk_i) if (csr_req_i.valid) addr_q <= csr_req_i.addr;
endmodule : sluice_passes_registers
