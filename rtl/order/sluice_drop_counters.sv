// SPDX-License-Identifier: Apache-2.0

/// Counts dropped packets by module (overlay row) and reason: block MODULE. Each source (a lane's
/// bus, its ingress, a lane at the order point, a lane's exit) has counters of its own for the
/// reasons that it has, so that all may report in every cycle; a read adds them up. A packet whose
/// module is not known counts for none.
/// The exit has two: of the packets, and of the copies for which a queue had no place.
/// Egress stages have one, of the copies that they discard.
/// Counts an event within 5 cycles; answers a read k + 4 cycles after the request. Counters wrap.
module sluice_drop_counters
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  input  lane_drop_t [NumPipes-1:0] lane_i,
  input  drop_t [NumPipes-1:0]   order_i,
  input  exit_drop_t [NumPipes-1:0] exit_i,
  input  drop_t [NumPipes-1:0]   egress_i,         // of copies; nothing without egress stages
  input  csr_req_t               csr_req_i,
  output csr_rsp_t               csr_rsp_o
);
  localparam int unsigned CountBits = $clog2(NumPipes + 1);
  // From DISCARD_BACK on: up to SOME_FORBIDDEN, or ROUNDS.
  localparam int unsigned ExitReasons = 5 + Recirculation;

  // ---- request
  logic        mine;
  logic [19:0] offset;
  row_t        row_q;
  logic [ReasonBits-1:0] reason_q;
  logic        write_q;
  assign offset = csr_req_i.addr - BlockModuleBase;
  assign mine   = csr_req_i.valid && offset < 20'(NumModules) * BlockModuleStride;

  always_ff @(posedge clk_i) begin
    if (mine) begin
      row_q    <= row_t'(offset / BlockModuleStride);
      reason_q <= offset[2 +: ReasonBits];
      write_q  <= csr_req_i.write;
    end
  end

  // ---- counters: of all sources of a lane, one has the reason that is read
  logic [31:0] value [NumPipes];
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic [31:0] from_lane, from_order, from_exit, from_queues, from_budget,
                 from_egress, from_rate, from_bus;
    drop_t       by_filter, by_rate, out, full, unpaid;
    logic        rate;                   // a rate of its module refused the packet
    assign rate      = RateLimits != 0 && lane_i[l].filter.reason == DropRate;
    assign by_filter = '{valid: lane_i[l].filter.valid && !rate, known: lane_i[l].filter.known,
        row: lane_i[l].filter.row, reason: lane_i[l].filter.reason};
    assign by_rate   = '{valid: lane_i[l].filter.valid && rate, known: lane_i[l].filter.known,
        row: lane_i[l].filter.row, reason: DropRate};
    assign out   = '{valid: exit_i[l].valid && exit_i[l].reason != DropNone, known: 1'b1,
        row: exit_i[l].row,
                     reason: exit_i[l].reason};
    assign full  = '{valid: exit_i[l].valid && exit_i[l].full != '0, known: 1'b1,
        row: exit_i[l].row,
                     reason: DropOutputFull};
    assign unpaid = '{valid: exit_i[l].valid && exit_i[l].unpaid, known: 1'b1,
        row: exit_i[l].row, reason: DropBudget};

    sluice_drop_source #(.First(DropLaneFull),
        .NumReasons(32'(DropProtocol) - 32'(DropLaneFull) + 1)) u_lane (
      .clk_i, .rst_ni, .clear_i, .drop_i(by_filter), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_lane)
    );
    sluice_drop_source #(.First(DropDiscardFront), .NumReasons(2)) u_order (
      .clk_i, .rst_ni, .clear_i, .drop_i(order_i[l]), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_order)
    );
    sluice_drop_source #(.First(DropDiscardBack), .NumReasons(ExitReasons)) u_exit (
      .clk_i, .rst_ni, .clear_i, .drop_i(out), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_exit)
    );
    sluice_drop_source #(.First(DropOutputFull), .NumReasons(1), .AmountBits(7)) u_queues (
      .clk_i, .rst_ni, .clear_i, .drop_i(full), .amount_i(exit_i[l].full),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_queues)
    );
    sluice_drop_source #(.First(DropBudget), .NumReasons(Recirculation)) u_unpaid (
      .clk_i, .rst_ni, .clear_i, .drop_i(unpaid), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_budget)
    );
    sluice_drop_source #(.First(DropGaveWay), .NumReasons(Recirculation)) u_bus (
      .clk_i, .rst_ni, .clear_i, .drop_i(lane_i[l].gave_way), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_bus)
    );
    sluice_drop_source #(.First(DropRate), .NumReasons(RateLimits)) u_rate (
      .clk_i, .rst_ni, .clear_i, .drop_i(by_rate), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_rate)
    );
    sluice_drop_source #(
      .First(DropEgress), .NumReasons(32'(EgressStages != 0))
    ) u_egress (
      .clk_i, .rst_ni, .clear_i, .drop_i(egress_i[l]), .amount_i(1'b1),
      .row_i(row_q), .reason_i(reason_q), .count_o(from_egress)
    );
    // The exit's packets have a place for OUTPUT_FULL, which lies between their reasons, and no
    // packet counts there.
    assign value[l] = from_lane | from_order | from_exit | from_queues | from_budget
        | from_egress | from_rate | from_bus;
  end

  // ---- sum, a lane a cycle
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

  logic [31:0] one;
  always_comb begin
    one = '0;
    for (int unsigned l = 0; l < NumPipes; l++)
      if (lane_q == CountBits'(l)) one = value[l];
  end

  always_ff @(posedge clk_i) begin
    if (start_q[2]) begin
      lane_q <= '0;
      sum_q  <= '0;
    end else if (busy_q) begin
      lane_q <= lane_q + 1'b1;
      sum_q  <= sum_q + one;
    end
  end

  assign csr_rsp_o = answer_q ? '{valid: 1'b1, refused: 1'b0, rdata: write_q ? '0 : sum_q} : '0;
endmodule : sluice_drop_counters
