// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the exit: register block EXIT. Read only; a write is answered and has no
/// effect; an address that is no register of the block is not answered. Answers 2 cycles after the
/// request.
module sluice_exit_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      clear_i,
  input  logic [NumPipes-1:0]       valid_i,       // a packet leaves the exit
  input  fate_t [NumPipes-1:0]      fate_i,
  input  logic [NumPipes-1:0][15:0] waiting_i,     // in the exit queue
  input  csr_req_t                  csr_req_i,
  output csr_rsp_t                  csr_rsp_o
);
  // ---- events of one count each
  localparam int unsigned EvReached   = 0;                        // the first lane's
  localparam int unsigned EvDiscarded = EvReached + NumPipes;
  localparam int unsigned EvNoDest    = EvDiscarded + NumPipes;
  localparam int unsigned EvForbidden = EvNoDest + NumPipes;
  localparam int unsigned EvSome      = EvForbidden + NumPipes;
  localparam int unsigned NumEvents   = EvSome + NumPipes;
  typedef logic [$clog2(NumEvents)-1:0] index_t;
  logic [NumEvents-1:0] events;
  index_t               counter;
  logic [31:0]          counted;
  always_comb begin
    for (int unsigned l = 0; l < NumPipes; l++) begin
      events[EvReached+l]   = valid_i[l];
      events[EvDiscarded+l] = valid_i[l] && fate_i[l].reason == DropDiscardBack;
      events[EvNoDest+l]    = valid_i[l] && fate_i[l].reason == DropNoDest;
      events[EvForbidden+l] = valid_i[l] && fate_i[l].reason == DropForbidden;
      events[EvSome+l]      = valid_i[l] && fate_i[l].some_forbidden;
    end
  end
  sluice_counters #(.Count(NumEvents)) u_counters (
    .clk_i, .rst_ni, .clear_i, .event_i(events), .index_i(counter), .value_o(counted)
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
  localparam int unsigned StrideBits = $clog2(BlockExitStride);

  logic unused_inputs;
  assign unused_inputs = ^{csr_req_i.write, csr_req_i.wdata, fate_i};

  assign offset = addr_q - BlockExitBase;
  assign mine   = addr_q >= BlockExitBase && offset < 20'(NumPipes) * BlockExitStride;
  assign lane   = offset[StrideBits +: PipeBits];
  always_comb begin
    rdata   = counted;
    answer  = mine;
    counter = index_t'(EvReached);
    if (mine) begin
      case (12'(addr_q[StrideBits-1:0]))
        RegExitPackets:       counter = index_t'(EvReached) + index_t'(lane);
        RegExitDiscarded:     counter = index_t'(EvDiscarded) + index_t'(lane);
        RegExitNoDest:        counter = index_t'(EvNoDest) + index_t'(lane);
        RegExitHighQueue:     rdata   = 32'(high_q[lane]);
        RegExitForbidden:     counter = index_t'(EvForbidden) + index_t'(lane);
        RegExitSomeForbidden: counter = index_t'(EvSome) + index_t'(lane);
        default:              answer  = 1'b0;
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
endmodule : sluice_exit_registers
