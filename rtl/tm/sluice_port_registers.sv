// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the ports: register block PORT. Answers as sluice_register_block does.
/// Bytes, drops and copies that the egress discards are three cycles behind: they are known late,
/// and their sum takes two. A fast port is several lines: its registers are their sums, up to four
/// cycles behind.
module sluice_port_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
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
  localparam int unsigned Lines = LinePorts / NumPorts;
  typedef logic [31:0] count_t;

  // What is counted by more than one a cycle, or by bytes.
  count_t [NumPorts-1:0]     packets, bytes, drops, egress, queue;
  logic [NumPorts-1:0][15:0] waiting;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [NumPipes-1:0][Lines-1:0] refused;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign refused[s] = refused_i[s][p*Lines +: Lines];
    end

    logic [15:0] len;                  // bytes sent
    if (Lines == 1) begin : gen_line
      len_t len_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) len_q <= '0;
        else         len_q <= sent_port_i[p] && !clear_i ? sent_i[lane_of_port(p)].len : '0;
      end
      assign len        = 16'(len_q);
      assign waiting[p] = waiting_i[p];
      assign packets[p] = '0;          // an event a packet, below
    end else begin : gen_lines
      logic [15:0] len_d, len_q, waiting_d, waiting_q;
      // Registers, since what has been sent is known late.
      sent_t [Lines-1:0] line_q;
      logic  [Lines-1:0] sent_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) sent_q <= '0;
        else         sent_q <= clear_i ? '0 : sent_port_i[p*Lines +: Lines];
      end
      always_ff @(posedge clk_i) line_q <= sent_i[p*Lines +: Lines];
      always_comb begin
        len_d     = '0;
        waiting_d = '0;
        for (int unsigned l = p * Lines; l < (p + 1) * Lines; l++) begin
          if (sent_q[l - p*Lines]) len_d = len_d + 16'(line_q[l - p*Lines].len);
          waiting_d = waiting_d + waiting_i[l];
        end
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          len_q     <= '0;
          waiting_q <= '0;
        end else begin
          len_q     <= clear_i ? '0 : len_d;
          waiting_q <= waiting_d;
        end
      end
      assign len        = len_q;
      assign waiting[p] = waiting_q;
      sluice_total u_packets (
        .clk_i, .rst_ni, .clear_i, .amount_i(16'($countones(sent_q))), .total_o(packets[p])
      );
    end
    assign queue[p] = count_t'(waiting[p]);

    // Copies refused and discarded in the cycle before: registers, since they are known late. The
    // bytes of a cycle fit in 16 bits: a port has four lines at most, each sends at most 9,216.
    logic [15:0] refused_q;
    logic        discarded_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        refused_q   <= '0;
        discarded_q <= 1'b0;
      end else begin
        refused_q   <= clear_i ? '0 : 16'($countones(refused));
        discarded_q <= EgressStages != 0 && discarded_i[p] && !clear_i;
      end
    end
    sluice_total u_bytes (
      .clk_i, .rst_ni, .clear_i, .amount_i(len), .total_o(bytes[p])
    );
    sluice_total u_drops (
      .clk_i, .rst_ni, .clear_i, .amount_i(refused_q), .total_o(drops[p])
    );
    sluice_total u_egress (
      .clk_i, .rst_ni, .clear_i, .amount_i(16'(discarded_q)), .total_o(egress[p])
    );
  end

  // A port that is one line sends at most one packet a cycle: PACKETS is a count of events then,
  // and a sum else. A block has at least two events: in a chip with one port a second, of nothing.
  localparam int unsigned NumCounts = NumPorts > 1 ? 1 : 2;
  localparam logic [11:0] EventAt   = Lines == 1 ? RegPortPackets : NoRegister;
  localparam logic [11:0] SumAt     = Lines == 1 ? NoRegister : RegPortPackets;
  localparam logic [1:0][11:0] CountAt = {NoRegister, EventAt};
  logic [NumPorts-1:0] one;
  assign one = Lines == 1 ? NumPorts'(sent_port_i) : '0;
  sluice_register_block #(
    .Instances(NumPorts), .Stride(BlockPortStride),
    .NumCounts(NumCounts), .CountAt(CountAt[NumCounts-1:0]),
    .LevelAt(RegPortHighQueue),
    .NumWords(5), .WordAt({SumAt, RegPortQueue, RegPortEgress, RegPortDrops, RegPortBytes})
  ) u_block (
    .clk_i, .rst_ni, .clear_i, .base_i(BlockPortBase),
    .event_i((NumCounts*NumPorts)'(one)), .level_i(waiting),
    .word_i({packets, queue, egress, drops, bytes}), .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_port_registers
