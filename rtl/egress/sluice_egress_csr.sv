// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the egress: register blocks PORT and EXIT. Read only; a write is answered
/// and has no effect; an address that is no register of these blocks is not answered. Answers 2
/// cycles after the request.
module sluice_egress_csr
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,
  // events of the lanes
  input  logic [NumPipes-1:0]               exit_valid_i,
  input  drop_e [NumPipes-1:0]              exit_reason_i,
  input  logic [NumPipes-1:0]               exit_some_i,     // some of its ports are forbidden
  input  logic [NumPipes-1:0][15:0]         exit_waiting_i,
  input  logic [NumPipes-1:0][NumPorts-1:0] refused_i,
  // events of the output lanes
  input  sent_t [NumPipes-1:0]              sent_i,
  input  logic [NumPorts-1:0]               sent_port_i,     // the same, one bit a port
  input  logic [NumPorts-1:0][15:0]         waiting_i,
  input  csr_req_t                          csr_req_i,
  output csr_rsp_t                          csr_rsp_o
);
  typedef logic [31:0] count_t;

  // ---- events of one count each: of the ports, and of the lanes
  localparam int unsigned EvReached   = 0;                        // the first lane's
  localparam int unsigned EvDiscarded = EvReached + NumPipes;
  localparam int unsigned EvNoDest    = EvDiscarded + NumPipes;
  localparam int unsigned EvForbidden = EvNoDest + NumPipes;
  localparam int unsigned EvSome      = EvForbidden + NumPipes;
  localparam int unsigned NumEvents   = EvSome + NumPipes;
  typedef logic [$clog2(NumEvents)-1:0] index_t;
  localparam int unsigned PortEvents  = NumPorts > 1 ? NumPorts : 2;
  typedef logic [$clog2(PortEvents)-1:0] port_t;
  logic [NumEvents-1:0] events;
  index_t               counter;
  port_t                port_counter;
  count_t               counted, port_counted;
  always_comb begin
    for (int unsigned l = 0; l < NumPipes; l++) begin
      events[EvReached+l]   = exit_valid_i[l];
      events[EvDiscarded+l] = exit_valid_i[l] && exit_reason_i[l] == DropDiscardBack;
      events[EvNoDest+l]    = exit_valid_i[l] && exit_reason_i[l] == DropNoDest;
      events[EvForbidden+l] = exit_valid_i[l] && exit_reason_i[l] == DropForbidden;
      events[EvSome+l]      = exit_valid_i[l] && exit_some_i[l];
    end
  end
  sluice_counters #(.Count(NumEvents)) u_exit_counters (
    .clk_i, .rst_ni, .clear_i, .event_i(events), .index_i(counter), .value_o(counted)
  );
  sluice_counters #(.Count(PortEvents)) u_port_counters (
    .clk_i, .rst_ni, .clear_i, .event_i(PortEvents'(sent_port_i)), .index_i(port_counter), .value_o(port_counted)
  );

  // ---- PORT
  count_t [NumPorts-1:0]      bytes_q, drops_q;
  logic [NumPorts-1:0][15:0]  high_q;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [NumPipes-1:0] refused;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign refused[s] = refused_i[s][p];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bytes_q[p]   <= '0;
        drops_q[p]   <= '0;
        high_q[p]    <= '0;
      end else if (clear_i) begin
        bytes_q[p]   <= '0;
        drops_q[p]   <= '0;
        high_q[p]    <= '0;
      end else begin
        if (sent_port_i[p]) bytes_q[p] <= bytes_q[p] + 32'(sent_i[p / PortsPerLane].len);
        if (refused != '0) drops_q[p] <= drops_q[p] + 32'($countones(refused));
        if (waiting_i[p] > high_q[p]) high_q[p] <= waiting_i[p];
      end
    end
  end

  logic unused_sent;
  assign unused_sent = ^sent_i;

  // ---- EXIT
  logic [NumPipes-1:0][15:0] exit_high_q;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                   exit_high_q[l] <= '0;
      else if (clear_i)                              exit_high_q[l] <= '0;
      else if (exit_waiting_i[l] > exit_high_q[l]) exit_high_q[l] <= exit_waiting_i[l];
    end
  end

  // ---- read
  localparam int unsigned StrideBits = $clog2(BlockPortStride);   // both blocks
  if (BlockExitStride != BlockPortStride) begin : gen_check
    $fatal(1, "sluice_egress_csr: strides differ");
  end

  logic        valid_q;
  logic [19:0] addr_q, port_offset, exit_offset;
  logic        is_port, is_exit, answer;
  logic [11:0] register;
  logic [5:0]  port;
  pipe_t       lane;
  logic [31:0] rdata;

  logic unused_req;
  assign unused_req  = ^{csr_req_i.write, csr_req_i.wdata};

  assign port_offset = addr_q - BlockPortBase;
  assign exit_offset = addr_q - BlockExitBase;
  assign is_port     = addr_q >= BlockPortBase && port_offset < 20'(NumPorts) * BlockPortStride;
  assign is_exit     = addr_q >= BlockExitBase && exit_offset < 20'(NumPipes) * BlockExitStride;
  assign register    = 12'(addr_q[StrideBits-1:0]);
  assign port        = port_offset[StrideBits +: 6];
  assign lane        = exit_offset[StrideBits +: PipeBits];

  assign port_counter = is_port ? port_t'(port) : '0;
  always_comb begin
    rdata   = '0;
    answer  = 1'b1;
    counter = index_t'(EvReached);
    if (is_port) begin
      case (register)
        RegPortPackets:   rdata = port_counted;
        RegPortBytes:     for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = bytes_q[p];
        RegPortDrops:     for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = drops_q[p];
        RegPortHighQueue: for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = 32'(high_q[p]);
        default:          answer = 1'b0;
      endcase
    end else if (is_exit) begin
      rdata = counted;
      case (register)
        RegExitPackets:   counter = index_t'(EvReached) + index_t'(lane);
        RegExitDiscarded: counter = index_t'(EvDiscarded) + index_t'(lane);
        RegExitNoDest:    counter = index_t'(EvNoDest) + index_t'(lane);
        RegExitHighQueue: rdata   = 32'(exit_high_q[lane]);
        RegExitForbidden: counter = index_t'(EvForbidden) + index_t'(lane);
        RegExitSomeForbidden: counter = index_t'(EvSome) + index_t'(lane);
        default: begin
          answer = 1'b0;
          rdata  = '0;
        end
      endcase
    end else begin
      answer = 1'b0;
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
endmodule : sluice_egress_csr
