// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What a back stage is asked for: how often each busy index is accessed, and the load of each
/// pipeline (docs/moves.md).
///
/// Counts are kept for sharded accesses of admitted packets, of one lane a cycle, drawn, under the
/// home of the index, in two banks; loads count all sharded accesses of all lanes. A count thus
/// stands for NumPipes times as many accesses. Both decay alike: they are halved with one scan in
/// four.
/// Latency: an access shows in the counts 4 cycles after its admission, in the loads 2.
/// Invariant: pinned accesses count nowhere.
module sluice_access_counts
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  localparam int unsigned LoadBits = 24
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  count_control_t                     control_i,
  input  pipe_t                              turn_i,          // lane that is sampled
  // the cycle after the decision: lanes
  input  admitted_access_t [NumPipes-1:0]    access_i,
  input  relocation_t [Relocations-1:0]      table_i,
  // loads
  // an index that is away was sampled
  output logic                               touch_o,
  output logic [RelocationBits-1:0]          touch_entry_o,
  output logic [NumPipes-1:0][LoadBits-1:0]  load_o,
  input  logic                               shift_i,         // a move takes load
  input  pipe_t                              shift_from_i,
  input  pipe_t                              shift_to_i,
  input  logic [LoadBits-1:0]                shift_amount_i,
  // scan of the counts: see sluice_count_bank
  output logic                               busy_o,
  output logic   [1:0]                       scan_valid_o,
  output count_entry_t [1:0]                 scan_o
);
  localparam int unsigned HashBits  = $clog2(CountEntries);
  localparam int unsigned KeyBits   = $bits(place_t);
  localparam int unsigned SlotBit   = $clog2(NumPipes) < HashBits - 1 ? $clog2(NumPipes) : 0;

  logic [NumPipes-1:0] sharded;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    assign sharded[l] = control_i.enable && access_i[l].valid && access_i[l].access.valid
        && !access_i[l].pinned;
  end

  // ---- loads
  for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
    logic [PipeBits:0]   entered, entered_q;
    logic [LoadBits-1:0] load_q, shift_q;
    logic                halve_q;
    always_comb begin
      entered = '0;
      for (int unsigned l = 0; l < NumPipes; l++)
        if (sharded[l] && access_i[l].access.pipe == pipe_t'(d)) entered = entered + 1'b1;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        entered_q <= '0;
        shift_q   <= '0;
        halve_q   <= 1'b0;
        load_q    <= '0;
      end else begin
        entered_q <= entered;
        halve_q   <= control_i.halve_loads;
        shift_q   <= '0;
        if (shift_i && shift_to_i == pipe_t'(d))   shift_q <= shift_amount_i;
        if (shift_i && shift_from_i == pipe_t'(d)) shift_q <= -shift_amount_i;
        if (!control_i.enable)    load_q <= '0;
        else if (halve_q) load_q <= (load_q >> 1) + LoadBits'(entered_q);
        else              load_q <= load_q + LoadBits'(entered_q) + shift_q;
      end
    end
    assign load_o[d] = load_q;
    `SLUICE_ASSERT(HalvedApart_A, !halve_q || shift_q == '0)
    `SLUICE_ASSERT(LoadFits_A, !load_q[LoadBits-1])
  end

  // ---- sample: the lane that was drawn, under its home
  logic                 sample_q, named_q;
  place_t               place_q, home_q;
  row_t                 place_row_q, home_row_q;
  logic                 spare;
  logic [RelocationBits-1:0] entry;
  relocation_t          owner;
  assign spare = place_q.slot >= slot_t'(SlotsPerPipe);
  assign entry = RelocationBits'(place_q.slot - slot_t'(SlotsPerPipe));
  assign touch_o       = sample_q && spare;
  assign touch_entry_o = entry;
  assign owner = table_i[entry];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {sample_q, named_q} <= '0;
    else         {sample_q, named_q} <= {sharded[turn_i], sample_q && (!spare || owner.valid)};
  end
  always_ff @(posedge clk_i) begin
    place_q <= '{pipe: access_i[turn_i].access.pipe, slot: access_i[turn_i].access.slot};
    home_q  <= spare ? owner.home : place_q;
    {home_row_q, place_row_q} <= {place_row_q, access_i[turn_i].row};
  end

  // ---- banks: the hash uses every bit of the home; neighbours of one pipeline are in different
  // banks
  logic [KeyBits-1:0]  key;
  logic [HashBits-1:0] hash;
  assign key = {home_q.slot, home_q.pipe};
  always_comb begin
    hash = HashBits'(key);
    for (int unsigned i = HashBits; i < KeyBits; i++) begin
      hash[i % HashBits]       = hash[i % HashBits] ^ key[i];
      hash[(i + 2) % HashBits] = hash[(i + 2) % HashBits] ^ key[i];
      hash[(i + 3) % HashBits] = hash[(i + 3) % HashBits] ^ key[i];
    end
  end

  logic       bank;
  logic [1:0] busy;
  assign bank = hash[HashBits-1] ^ hash[SlotBit];
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    sluice_count_bank #(.Depth(CountEntries / 2)) u_bank (
      .clk_i, .rst_ni,
      .count_i     (named_q && bank == 1'(b)),
      .entry_i     (hash[HashBits-2:0]),
      .home_i      (home_q),
      .row_i       (home_row_q),
      .start_i     (control_i.start),
      .clear_i     (control_i.clear),
      .halve_i     (control_i.halve),
      .busy_o      (busy[b]),
      .scan_valid_o(scan_valid_o[b]),
      .scan_o      (scan_o[b])
    );
  end
  assign busy_o = busy != '0;
endmodule : sluice_access_counts
