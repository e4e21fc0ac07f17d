// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The order of arrival: one mask of lanes for every cycle in which packets arrived.
///
/// Shows the lanes of the oldest masks whose packets may be taken in this cycle; the user takes
/// some of them, in the order mask then lane, as far as it likes. A lane gives one packet a cycle,
/// so of the first mask that shares a lane with those before it only the lanes ahead of that one
/// are shown, and nothing behind it. So packets that waited catch up whenever a lane has a gap.
/// Latency 2 cycles from arrival to mask; takes a mask and gives NumShown masks a cycle, sustained:
/// the oldest stand in a window of registers, and consecutive masks behind them in different banks.
/// Timing: `take_i` and `stop_i` come late; they only choose by how many masks the window moves on.
/// What the window takes from the banks depends on how many it had before.
/// Invariant: the window holds the oldest masks, without the lanes of the first that have had their
/// turn, then empty ones; bank heads, read from `first_q` around, are the next masks.
module sluice_arrival_masks
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  localparam int unsigned NumShown = NumPipes < 4 ? NumPipes : 4
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [NumPipes-1:0]               arrive_i,
  output logic [NumShown-1:0][NumPipes-1:0] mask_o,   // oldest first; all zero: nothing to take
  // lanes taken in this cycle: all shown ones, or
  input  logic [NumPipes-1:0]               take_i,
  input  logic [NumPipes-1:0]               stop_i    // those before the first of these
);
  localparam int unsigned BankIdxBits = index_bits(NumShown);
  // Every mask has a packet, and LaneDepth packets of a lane can wait.
  localparam int unsigned BankDepthMasks = NumPipes * LaneDepth / NumShown;
  localparam int unsigned WindowMasks = 2 * NumShown;
  localparam int unsigned CountBits   = $clog2(WindowMasks + 1);

  typedef logic [BankIdxBits-1:0] bank_t;
  typedef logic [CountBits-1:0]   count_t;

  // Banks after bank b, around.
  function automatic bank_t ahead(bank_t b, int unsigned n);
    return bank_t'((32'(b) + n) % NumShown);
  endfunction

  bank_t                             first_q, last_q;
  logic [NumShown-1:0]               push, pop, bank_valid;
  logic [NumShown-1:0][NumPipes-1:0] bank_mask;

  always_comb begin
    push         = '0;
    push[last_q] = arrive_i != '0;
  end

  for (genvar b = 0; b < NumShown; b++) begin : gen_bank
    sluice_prefetch_fifo #(.Depth(BankDepthMasks), .Width(NumPipes)) u_masks (
      .clk_i, .rst_ni,
      .push_i (push[b]),       .data_i(arrive_i),
      .valid_o(bank_valid[b]), .data_o(bank_mask[b]), .pop_i(pop[b])
    );
  end

  // ---- the window, and what comes behind what is in it
  logic [WindowMasks-1:0][NumPipes-1:0]          window_q, window_d;
  logic [WindowMasks+NumShown-1:0][NumPipes-1:0] line;      // of masks
  count_t                                        count_q, count_d, filled;

  always_comb begin
    line   = {{NumShown*NumPipes{1'b0}}, window_q};
    pop    = '0;
    filled = count_q;
    for (int unsigned n = 0; n < NumShown; n++)
      if (bank_valid[ahead(first_q, n)] && 32'(count_q) + n < WindowMasks) begin
        pop[ahead(first_q, n)] = 1'b1;
        filled = count_q + count_t'(n + 1);
        for (int unsigned w = n; w < WindowMasks; w++)
          if (32'(count_q) + n == w) line[w] = bank_mask[ahead(first_q, n)];
      end
  end

  // ---- what may be taken
  logic [NumShown-1:0]               whole;    // all lanes of the mask are shown
  logic [NumShown-1:0][NumPipes-1:0] again;    // lanes that an older mask of the window has, too

  always_comb begin
    logic [NumPipes-1:0] older;
    older = '0;
    whole = '1;
    for (int unsigned w = 0; w < NumShown; w++) begin
      again[w] = window_q[w] & older;
      older    = older | window_q[w];
      for (int unsigned v = w; v < NumShown; v++) whole[v] = whole[v] && again[w] == '0;
      // Lanes below the lowest one that is in an older mask: all, if none is.
      mask_o[w] = window_q[w] & ~again[w] & (again[w] - 1'b1);
      if (w > 0 && !whole[(w+NumShown-1)%NumShown]) mask_o[w] = '0;
    end
  end

  // ---- what was taken
  logic [NumShown-1:0] done;    // all lanes of the mask have had their turn
  logic [NumShown:0]   step;    // by how many masks the window moves on: one of them

  always_comb begin
    logic [NumPipes-1:0] upto;     // lanes shown of this mask and those before it
    upto = '0;
    for (int unsigned w = 0; w < NumShown; w++) begin
      upto    = upto | mask_o[w];
      done[w] = whole[w] && window_q[w] != '0 && (upto & stop_i) == '0;
    end
    step = {done, 1'b1} & ~{1'b0, done};
  end

  always_comb begin
    window_d = '0;
    count_d  = '0;
    for (int unsigned n = 0; n <= NumShown; n++)
      if (step[n]) begin
        count_d = count_d | (filled - count_t'(n));
        for (int unsigned w = 0; w < WindowMasks; w++) window_d[w] = window_d[w] | line[w+n];
        if (n < NumShown) window_d[0] = window_d[0] & ~(mask_o[n%NumShown] & take_i);
      end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= '0;
      last_q   <= '0;
      window_q <= '0;
      count_q  <= '0;
    end else begin
      first_q  <= ahead(first_q, 32'($countones(pop)));
      if (arrive_i != '0) last_q <= ahead(last_q, 1);
      window_q <= window_d;
      count_q  <= count_d;
    end
  end

  // Taken in order: no mask is done before an older one, and only what was shown is taken.
  for (genvar w = 1; w < NumShown; w++) begin : gen_check
    `SLUICE_ASSERT(OldestDoneFirst_A, !done[w] || done[w-1])
  end
  for (genvar w = 0; w < WindowMasks; w++) begin : gen_window
    `SLUICE_ASSERT(OldestFirst_A, (window_q[w] != '0) == (32'(count_q) > w))
  end
  logic [NumPipes-1:0] all_shown;
  always_comb begin
    all_shown = '0;
    for (int unsigned w = 0; w < NumShown; w++) all_shown = all_shown | mask_o[w];
  end
  `SLUICE_ASSERT(OnlyShownTaken_A, (take_i & ~all_shown) == '0)
  for (genvar w = 0; w < NumShown; w++) begin : gen_done
    `SLUICE_ASSERT(DoneIsTaken_A,
        done[w] == (whole[w] && window_q[w] != '0 && (window_q[w] & ~take_i) == '0))
  end
endmodule : sluice_arrival_masks
