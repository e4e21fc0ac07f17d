// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The order of arrival: one mask of lanes for every cycle in which packets arrived.
///
/// Shows the lanes of the oldest masks whose packets may be taken in this cycle; the user takes
/// some of them, in the order mask then lane, as far as it likes. A lane gives one packet a cycle, so
/// of the first mask that shares a lane with those before it only the lanes ahead of that one are
/// shown, and nothing behind it. So packets that waited catch up whenever a lane has a gap.
/// Latency 1 cycle from arrival to mask; takes a mask and gives NumShown masks a cycle, sustained:
/// consecutive masks lie in different banks.
/// Invariant: bank heads, read from `first_q` around, are the oldest masks, `taken_q` the lanes of
/// the oldest one that have had their turn.
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
  input  logic [NumPipes-1:0]               take_i    // lanes taken in this cycle
);
  localparam int unsigned BankIdxBits = index_bits(NumShown);
  // Every mask has a packet, and LaneDepth packets of a lane can wait.
  localparam int unsigned BankDepthMasks = NumPipes * LaneDepth / NumShown;

  typedef logic [BankIdxBits-1:0] bank_t;

  // Banks after bank b, around.
  function automatic bank_t ahead(bank_t b, int unsigned n);
    return bank_t'((32'(b) + n) % NumShown);
  endfunction

  bank_t                             first_q, last_q;
  logic [NumPipes-1:0]               taken_q, taken_d;
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

  // ---- what may be taken
  logic [NumShown-1:0]               whole;    // all lanes of the mask are shown
  logic [NumShown-1:0][NumPipes-1:0] shown;

  always_comb begin
    logic                more;
    logic [NumPipes-1:0] mask, older, again;
    more  = 1'b1;
    older = '0;
    for (int unsigned w = 0; w < NumShown; w++) begin
      mask     = bank_mask[ahead(first_q, w)];
      if (w == 0) mask = mask & ~taken_q;
      again    = mask & older;
      more     = more && bank_valid[ahead(first_q, w)];
      // Lanes below the lowest one that is in an older mask: all, if none is.
      shown[w] = more ? mask & ~again & (again - 1'b1) : '0;
      more     = more && again == '0;
      whole[w] = more;
      older    = older | mask;
    end
  end
  assign mask_o = shown;

  // ---- what was taken
  logic [NumShown-1:0] done;    // all lanes of the mask have had their turn

  always_comb begin
    for (int unsigned w = 0; w < NumShown; w++)
      done[w] = whole[w] && (shown[w] & ~take_i) == '0;
  end

  always_comb begin
    pop = '0;
    for (int unsigned w = 0; w < NumShown; w++)
      if (done[w]) pop[ahead(first_q, w)] = 1'b1;
  end

  always_comb begin
    taken_d = done[0] ? '0 : taken_q | (shown[0] & take_i);
    for (int unsigned w = 1; w < NumShown; w++)
      if (done[w-1] && !done[w]) taken_d = shown[w] & take_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q  <= '0;
      taken_q <= '0;
    end else begin
      first_q <= ahead(first_q, 32'($countones(done)));
      if (arrive_i != '0) last_q <= ahead(last_q, 1);
      taken_q <= taken_d;
    end
  end

  // Taken in order: no mask is done before an older one, and only what was shown is taken.
  for (genvar w = 1; w < NumShown; w++) begin : gen_check
    `SLUICE_ASSERT(OldestDoneFirst_A, !done[w] || done[w-1])
  end
  logic [NumPipes-1:0] all_shown;
  always_comb begin
    all_shown = '0;
    for (int unsigned w = 0; w < NumShown; w++) all_shown = all_shown | shown[w];
  end
  `SLUICE_ASSERT(OnlyShownTaken_A, (take_i & ~all_shown) == '0)
endmodule : sluice_arrival_masks
