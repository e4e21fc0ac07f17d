// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the ports: register block PORT. Answers as sluice_register_block does.
module sluice_port_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,
  input  logic [NumPipes-1:0][NumPorts-1:0] refused_i,       // [lane]
  input  sent_t [NumPipes-1:0]              sent_i,          // [output lane]
  input  logic [NumPorts-1:0]               sent_port_i,     // the same, one bit a port
  input  logic [NumPorts-1:0][15:0]         waiting_i,
  input  logic [NumPorts-1:0]               discarded_i,     // at the egress: a copy each
  input  csr_req_t                          csr_req_i,
  output csr_rsp_t                          csr_rsp_o
);
  typedef logic [31:0] count_t;

  // What is counted by more than one a cycle, or by bytes.
  count_t [NumPorts-1:0] bytes_q, drops_q, egress_q, queue;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [NumPipes-1:0] refused;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign refused[s] = refused_i[s][p];
    end
    assign queue[p] = count_t'(waiting_i[p]);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bytes_q[p]   <= '0;
        drops_q[p]   <= '0;
        egress_q[p]  <= '0;
      end else if (clear_i) begin
        bytes_q[p]   <= '0;
        drops_q[p]   <= '0;
        egress_q[p]  <= '0;
      end else begin
        if (sent_port_i[p]) bytes_q[p] <= bytes_q[p] + 32'(sent_i[p / PortsPerLane].len);
        if (refused != '0) drops_q[p] <= drops_q[p] + 32'($countones(refused));
        if (EgressStages != 0 && discarded_i[p]) egress_q[p] <= egress_q[p] + 32'd1;
      end
    end
  end

  // A block has at least two counts: a second one, of nothing, in chips with one port.
  localparam int unsigned NumCounts = NumPorts > 1 ? 1 : 2;
  localparam logic [1:0][11:0] CountAt = {NoRegister, RegPortPackets};
  sluice_register_block #(
    .Instances(NumPorts), .Stride(BlockPortStride),
    .NumCounts(NumCounts), .CountAt(CountAt[NumCounts-1:0]),
    .LevelAt(RegPortHighQueue),
    .NumWords(4), .WordAt({RegPortQueue, RegPortEgress, RegPortDrops, RegPortBytes})
  ) u_block (
    .clk_i, .rst_ni, .clear_i, .base_i(BlockPortBase),
    .event_i((NumCounts*NumPorts)'(sent_port_i)), .level_i(waiting_i),
    .word_i({queue, egress_q, drops_q, bytes_q}), .csr_req_i, .csr_rsp_o
  );

  logic unused_sent;
  assign unused_sent = ^sent_i;
endmodule : sluice_port_registers
