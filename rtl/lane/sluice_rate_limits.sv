// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Rates of the modules at one lane (docs/machine.md, Rate limits): a bucket of packets and one of
/// units of 64 bytes for each module, and table RATE_LIMIT. A packet takes one packet and its
/// units, or, if one of the two is not there, nothing: then it is refused.
/// `refused_o` answers in the cycle of `want_i`, one packet a cycle. The packet's length and the
/// row of its module come a cycle before `want_i`, with `ahead_i`; it is kept one-hot (rows_q),
/// so that it chooses the bucket at once. Each module's buckets are filled once in NumModules
/// cycles, one module a cycle.
/// Example, 32 modules: {PACKET_BURST 2, PACKET_RATE 128, BYTE_BURST 4, BYTE_RATE 256} gives half a
/// packet and a unit in 32 cycles. Buckets are full, and packets of 64, 128 and 64 bytes come in
/// cycles 0, 1 and 2. The first leaves {1 packet, 3 units}, the second {0, 1}, so the third is
/// refused. There are {1, 3} 64 cycles later.
/// Levels are in 1/256. A write of RATE_LIMIT says at once whether the module has a limit; rates
/// and bursts count when its buckets are filled next.
/// Reset: no module has a limit, all buckets are empty.
/// Invariant: no bucket holds more than the burst with which it was filled last.
module sluice_rate_limits
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  pipe_t          lane_i,
  input  lane_settings_t settings_i,
  // a packet is in the filter
  input  logic           ahead_i,
  input  len_t           len_i,
  input  row_t           row_i,
  // a cycle later: it has passed, and is not a recirculated one
  input  logic           want_i,
  output logic           refused_o,      // in the same cycle
  // table
  input  table_write_t   write_i,
  input  table_read_t    read_i,
  output word_answer_t   answer_o
);
  if (RateLimits == 0) begin : gen_none
    assign refused_o = 1'b0;
    assign answer_o  = '0;
  end else begin : gen_limits
    typedef logic [LenBits-6:0] units_t;           // of a packet
    typedef struct packed {
      logic [15:0] packets;
      logic [23:0] units;
    } level_t;

    // ---- the packet
    units_t                units_q;
    logic [NumModules-1:0] rows_q;       // its row, one-hot
    always_ff @(posedge clk_i) if (ahead_i) begin
      units_q <= units_t'(len_i[LenBits-1:6]) + units_t'(len_i[5:0] != '0);
      rows_q  <= NumModules'(1) << row_i;
    end

    logic [NumModules-1:0] limited_q;
    logic                  write;
    rate_limit_t           wdata;
    assign write = write_i.valid && write_i.which == TableRateLimit;
    assign wdata = write_i.data[EntryBits-1 -: RateLimitWidth];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)    limited_q <= '0;
      else if (write) limited_q[row_t'(write_i.header.index)] <= wdata.valid;
    end

    level_t level_q [NumModules];
    level_t now, need, left;             // of its module, before it and behind it
    logic   wanted, enough, takes;
    always_comb begin
      now = '0;
      for (int unsigned r = 0; r < NumModules; r++) now = now | (rows_q[r] ? level_q[r] : '0);
    end
    assign need      = '{packets: 16'd256,
                         units:   settings_i.fault[FaultRateFree] ? '0 : 24'({units_q, 8'd0})};
    assign enough    = now.packets[15:8] != '0 && now.units[23:8] >= 16'(units_q);
    assign left      = '{packets: now.packets - need.packets, units: now.units - need.units};
    assign wanted    = want_i && (limited_q & rows_q) != '0;
    assign takes     = wanted && enough;
    assign refused_o = wanted && !enough;

    // ---- the module whose buckets are filled: its entry and its level come a cycle after its
    // number. The sweep after reset writes the table, which must not be read meanwhile: the first
    // entry is there (came_q) in the second cycle behind it.
    row_t        next_q, turn_q;
    logic        came_q;
    level_t      due_q;                  // behind the packet of the cycle before
    rate_limit_t entry;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        next_q <= '0;
        came_q <= 1'b0;
      end else begin
        next_q <= next_q + 1'b1;
        came_q <= settings_i.ready;
      end
    end
    always_ff @(posedge clk_i) begin
      turn_q <= next_q;
      due_q  <= takes && rows_q[next_q] ? left : level_q[next_q];
    end
    sluice_config_table #(.Which(TableRateLimit)) u_entries (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .copy_i(lane_i), .re_i(settings_i.ready), .row_i(next_q), .entry_o(entry),
      .write_i, .read_i, .answer_o
    );

    // A packet of this cycle may take from the same buckets: what they are then is worked out
    // beside its question. The entry comes late, from a memory: so whether a sum is more than its
    // burst is worked out beside the sum.
    logic        takes_due;
    level_t      due_less, most, filled, filled_less;
    assign takes_due = takes && rows_q[turn_q];
    assign due_less  = '{packets: due_q.packets - need.packets, units: due_q.units - need.units};
    assign most      = '{packets: {entry.packet_burst, 8'd0}, units: {entry.byte_burst, 8'd0}};

    // RESULT is what a bucket has when a rate is added, at most its burst: a + b is more than the
    // burst if a + b - burst - 1 is not negative. No function: see tb/sluice/shared_modules.
  `define SLUICE_FILL(RESULT, A, B, BURST) \
    x       = 26'(A); \
    y       = 26'(B); \
    z       = ~26'(BURST); \
    carries = (x & y) | (x & z) | (y & z); \
    over    = (x ^ y ^ z) + (carries << 1); \
    RESULT  = over < 26'h200_0000 ? BURST : A + $bits(BURST)'(B);

    always_comb begin : fill
      logic [25:0] x, y, z, carries, over;
      {filled, filled_less, x, y, z, carries, over} = '0;
      if (`SLUICE_WHEN(came_q)) begin
        `SLUICE_FILL(filled.packets, due_q.packets, entry.packet_rate, most.packets)
        `SLUICE_FILL(filled.units, due_q.units, entry.byte_rate, most.units)
        `SLUICE_FILL(filled_less.packets, due_less.packets, entry.packet_rate, most.packets)
        `SLUICE_FILL(filled_less.units, due_less.units, entry.byte_rate, most.units)
      end
    end
`undef SLUICE_FILL

    for (genvar r = 0; r < NumModules; r++) begin : gen_level
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                              level_q[r] <= '0;
        else if (came_q && turn_q == row_t'(r))   level_q[r] <= takes_due ? filled_less : filled;
        else if (takes && rows_q[r])              level_q[r] <= left;
      end
    end

    `SLUICE_ASSERT(DueIsLevel_A, !came_q || due_q == level_q[turn_q])
`ifdef SLUICE_SIM
    // Not $past: its values have the instance's full name (tb/sluice/shared_modules).
    logic   came_before_q, ahead_before_q;
    row_t   turn_before_q;
    level_t most_before_q;
    always_ff @(posedge clk_i) begin
      came_before_q  <= came_q;
      ahead_before_q <= ahead_i;
      turn_before_q  <= turn_q;
      most_before_q  <= most;
    end
    `SLUICE_ASSERT(AtMostBurst_A, !came_before_q
        || (level_q[turn_before_q].packets <= most_before_q.packets
            && level_q[turn_before_q].units <= most_before_q.units))
    `SLUICE_ASSERT(LengthCameBefore_A, !want_i || ahead_before_q)
`endif
  end
endmodule : sluice_rate_limits
