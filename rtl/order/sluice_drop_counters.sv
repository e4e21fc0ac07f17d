// SPDX-License-Identifier: Apache-2.0

/// Counts dropped packets by module (overlay row) and reason: block MODULE. Each source (a lane's
/// ingress, or a lane at the order point) has counters of its own, so that all may report in every
/// cycle; a read adds them up. A packet whose module is not known counts for none.
/// Counts an event within 5 cycles; answers a read k + 4 cycles after the request. Counters wrap.
module sluice_drop_counters
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  settings_t              settings_i,
  input  drop_t [2*NumPipes-1:0] drop_i,
  input  csr_req_t               csr_req_i,
  output csr_rsp_t               csr_rsp_o
);
  localparam int unsigned CountBits = $clog2(NumPipes + 1);

  // ---- request
  logic        mine;
  logic [19:0] offset;
  row_t        row_q;
  logic [3:0]  reason_q;
  logic        write_q;
  assign offset = csr_req_i.addr - BlockModuleBase;
  assign mine   = csr_req_i.valid && offset < 20'(NumModules) * BlockModuleStride;

  always_ff @(posedge clk_i) begin
    if (mine) begin
      row_q    <= row_t'(offset / BlockModuleStride);
      reason_q <= offset[5:2];
      write_q  <= csr_req_i.write;
    end
  end

  // ---- counters
  logic [31:0] value [2*NumPipes];
  for (genvar n = 0; n < 2 * NumPipes; n++) begin : gen_source
    sluice_drop_source u_source (
      .clk_i, .rst_ni,
      .clear_i  (settings_i.clear),
      .drop_i   (drop_i[n]),
      .row_i    (row_q),
      .reason_i (reason_q),
      .count_o  (value[n])
    );
  end

  // ---- sum, two sources a cycle: those of one lane
  logic [2:0]           start_q;          // the read goes through the counters' memory
  logic                 busy_q, answer_q;
  logic [CountBits-1:0] lane_q;
  logic [31:0]          sum_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q  <= '0;
      busy_q   <= 1'b0;
      answer_q <= 1'b0;
    end else begin
      start_q  <= {start_q[1:0], mine};
      answer_q <= busy_q && lane_q == CountBits'(NumPipes - 1);
      if (start_q[2]) busy_q <= 1'b1;
      else if (lane_q == CountBits'(NumPipes - 1)) busy_q <= 1'b0;
    end
  end

  logic [31:0] pair;
  always_comb begin
    pair = '0;
    for (int unsigned l = 0; l < NumPipes; l++)
      if (lane_q == CountBits'(l)) pair = value[l] + value[NumPipes + l];
  end

  always_ff @(posedge clk_i) begin
    if (start_q[2]) begin
      lane_q <= '0;
      sum_q  <= '0;
    end else if (busy_q) begin
      lane_q <= lane_q + 1'b1;
      sum_q  <= sum_q + pair;
    end
  end

  assign csr_rsp_o = answer_q ? '{valid: 1'b1, rdata: write_q ? '0 : sum_q} : '0;

  logic unused_bits;
  assign unused_bits = ^{settings_i, csr_req_i, offset};
endmodule : sluice_drop_counters
