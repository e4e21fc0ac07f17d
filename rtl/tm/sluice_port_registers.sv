// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the ports: register block PORT. Read only; a write is answered and has no
/// effect; an address that is no register of the block is not answered. Answers 2 cycles after the
/// request.
module sluice_port_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,
  input  logic [NumPipes-1:0][LinePorts-1:0] refused_i,      // [lane]
  input  sent_t [NumPipes-1:0]              sent_i,          // [output lane]
  input  logic [LinePorts-1:0]              sent_port_i,     // the same, one bit a port
  input  logic [LinePorts-1:0][15:0]        waiting_i,
  input  logic [LinePorts-1:0]              discarded_i,     // at the egress: a copy each
  input  csr_req_t                          csr_req_i,
  output csr_rsp_t                          csr_rsp_o
);
  typedef logic [31:0] count_t;

  function automatic logic [31:0] sum_of_lens(logic [LinePorts/NumPorts-1:0] valid,
                                              sent_t [LinePorts/NumPorts-1:0] sent);
    sum_of_lens = '0;
    for (int unsigned l = 0; l < LinePorts / NumPorts; l++)
      if (valid[l]) sum_of_lens = sum_of_lens + 32'(sent[l].len);
  endfunction
  function automatic logic [15:0] sum_of_waiting(logic [LinePorts/NumPorts-1:0][15:0] waiting);
    sum_of_waiting = '0;
    for (int unsigned l = 0; l < LinePorts / NumPorts; l++)
      sum_of_waiting = sum_of_waiting + waiting[l];
  endfunction

  // ---- packets sent: a count of one each; of a fast port, as many as it has lines
  localparam int unsigned Lines = LinePorts / NumPorts;
  logic       mine;                    // the address read is in the block, and of this port
  logic [5:0] port;
  count_t     counted;
  if (Lines == 1) begin : gen_counters
    localparam int unsigned PortEvents  = NumPorts > 1 ? NumPorts : 2;
    typedef logic [$clog2(PortEvents)-1:0] port_t;
    port_t counter;
    assign counter = mine ? port_t'(port) : '0;
    sluice_counters #(.Count(PortEvents)) u_counters (
      .clk_i, .rst_ni, .clear_i, .event_i(PortEvents'(sent_port_i)), .index_i(counter),
      .value_o(counted)
    );
  end else begin : gen_sums
    count_t [NumPorts-1:0] packets_q;
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)      packets_q[p] <= '0;
        else if (clear_i) packets_q[p] <= '0;
        else packets_q[p] <= packets_q[p] + 32'($countones(sent_port_i[p*Lines +: Lines]));
      end
    end
    always_comb begin
      counted = '0;
      for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) counted = packets_q[p];
    end
  end

  // ---- the others
  count_t [NumPorts-1:0]      bytes_q, drops_q, egress_q;
  logic [NumPorts-1:0][15:0]  high_q, waiting;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [NumPipes-1:0][Lines-1:0] refused;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign refused[s] = refused_i[s][p*Lines +: Lines];
    end

    // A fast port's lines together: a cycle later, since there is much to add.
    logic        sent;
    logic [31:0] len;
    if (Lines == 1) begin : gen_line
      assign sent       = sent_port_i[p];
      assign len        = 32'(sent_i[p / PortsPerLane].len);
      assign waiting[p] = waiting_i[p];
    end else begin : gen_lines
      logic [31:0] len_q;
      logic [15:0] waiting_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          len_q     <= '0;
          waiting_q <= '0;
        end else begin
          len_q     <= clear_i ? '0 : sum_of_lens(sent_port_i[p*Lines +: Lines],
                                                  sent_i[p*Lines +: Lines]);
          waiting_q <= sum_of_waiting(waiting_i[p*Lines +: Lines]);
        end
      end
      assign sent       = 1'b1;
      assign len        = len_q;
      assign waiting[p] = waiting_q;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bytes_q[p]   <= '0;
        drops_q[p]   <= '0;
        egress_q[p]  <= '0;
        high_q[p]    <= '0;
      end else if (clear_i) begin
        bytes_q[p]   <= '0;
        drops_q[p]   <= '0;
        egress_q[p]  <= '0;
        high_q[p]    <= '0;
      end else begin
        if (sent) bytes_q[p] <= bytes_q[p] + len;
        if (refused != '0) drops_q[p] <= drops_q[p] + 32'($countones(refused));
        if (EgressStages != 0 && discarded_i[p]) egress_q[p] <= egress_q[p] + 32'd1;
        if (waiting[p] > high_q[p]) high_q[p] <= waiting[p];
      end
    end
  end

  logic unused_sent;
  assign unused_sent = ^{sent_i, discarded_i};

  // ---- read
  logic        valid_q, answer;
  logic [19:0] addr_q, offset;
  logic [31:0] rdata;
  localparam int unsigned StrideBits = $clog2(BlockPortStride);

  logic unused_req;
  assign unused_req = ^{csr_req_i.write, csr_req_i.wdata};

  assign offset  = addr_q - BlockPortBase;
  assign mine    = addr_q >= BlockPortBase && offset < 20'(NumPorts) * BlockPortStride;
  assign port    = offset[StrideBits +: 6];
  always_comb begin
    rdata  = '0;
    answer = mine;
    case (12'(addr_q[StrideBits-1:0]))
      RegPortPackets:   rdata = counted;
      RegPortBytes:
        for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = bytes_q[p];
      RegPortDrops:
        for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = drops_q[p];
      RegPortHighQueue:
        for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = 32'(high_q[p]);
      RegPortQueue:
        for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = 32'(waiting[p]);
      RegPortEgress:
        for (int unsigned p = 0; p < NumPorts; p++) if (port == 6'(p)) rdata = egress_q[p];
      default:          answer = 1'b0;
    endcase
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
endmodule : sluice_port_registers
