// SPDX-License-Identifier: Apache-2.0

/// Moves of all back stages: where every index lives, who is to move, and the one bus on which
/// decided moves go out with the phantoms (docs/moves.md). Marks go there, too (docs/marks.md).
/// Registers: block MOVE.
///
/// A move taken in cycle t: lookups know it from t + 1 on; `patch_o` corrects in t + 1 what was
/// looked up before; so packets admitted by t + 1 go to the old place, later ones to the new, and
/// `move_o` leaves in t + 2, beside the phantoms of those admitted in t + 1, with the next tag
/// (sluice_move_bus).
/// `away_o` asks about one module: with row 5 at `away_row_i` in cycle t, away_o[2] tells in t + 1
/// whether module 5 has an index in back stage 2 that is away, or under way until it has landed.
/// A move taken in cycle t shows from t + 2 on, so before it reaches its stage.
/// Where nothing moves (one pipeline, or Relocations = 0) all that is left is a register that reads
/// 0, and with marks the bus: every index lives at home.
module sluice_moves
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  move_settings_t                             settings_i,
  // resolution: homes, and where their indices live, in the same cycle: [lane][stage]
  input  place_t      [NumPipes-1:0][StateStages-1:0] home_i,
  output place_t      [NumPipes-1:0][StateStages-1:0] place_o,
  output patch_t                                     patch_o,
  // the cycle after the decision
  input  admitted_t   [NumPipes-1:0]                 admitted_i,
  input  tag_t                                       tag_i,      // behind those admitted
  // in the cycle after move_o: ticket behind them
  input  logic        [31:0]                         next_ticket_i,
  output move_t                                      move_o,
  input  landed_t     [StateStages-1:0]               landed_i,
  // marks
  input  mark_request_t [StateStages-1:0]             request_i,
  output mark_event_t                                event_o,
  // hold: no index of these modules begins a move; forget: who accessed what is forgotten
  input  logic [StateStages-1:0][NumModules-1:0]      hold_rows_i,    // [stage]
  // ... nor of these in any stage, from the second cycle on
  input  logic        [NumModules-1:0]               cut_rows_i,
  output logic                                       cut_moving_o, // one of these is under way
  input  logic        [StateStages-1:0]               forget_i,
  // of one module: an index of it is away or under way in that stage; 1 cycle behind
  input  row_t                                       away_row_i,
  output logic        [StateStages-1:0]               away_o,
  output logic                                       relocated_o,   // MOVE.RELOCATED is not 0
  // registers
  input  csr_req_t                                   csr_req_i,
  output csr_rsp_t                                   csr_rsp_o
);
  logic [15:0] relocated_q;
  logic [31:0] landed_q;
  logic        scanned;                    // a scan for moves begins
  logic [NumModules-1:0] away_rows_q;

  // ---- the bus
  logic        [StateStages-1:0] turn, want, move_take, mark_take, mark_moving, mark_writes_it;
  logic        [StateStages-1:0] mark_of_cut;
  move_offer_t [StateStages-1:0] move_offer, offer;
  place_t      [StateStages-1:0] mark_home, mark_place, mark_to;
  logic                          decided;
  sluice_move_bus u_bus (
    .clk_i, .rst_ni, .settings_i,
    .turn_o(turn), .move_i(move_take), .mark_i(mark_take), .offer_i(offer),
    .mark_home_i(mark_home),
    .tag_i, .next_ticket_i, .patch_o, .move_o, .decided_o(decided), .event_o
  );

  // ---- marks
  for (genvar s = 0; s < StateStages; s++) begin : gen_mark
    sluice_marks u_mark (
      .clk_i, .rst_ni,
      .home_fault_i(settings_i.fault[FaultMarkHome]),
      .request_i (request_i[s]),
      .home_o    (mark_home[s]),
      .place_i   (mark_place[s]),
      .moving_i  (mark_moving[s]),
      .turn_i    (turn[s]),
      .want_i    (want[s]),
      .move_i    (move_take[s]),
      .take_o    (mark_take[s]),
      .writes_o  (mark_writes_it[s]),
      .cut_o     (mark_of_cut[s]),
      .place_o   (mark_to[s])
    );
    assign offer[s] = mark_take[s]
        ? '{id: mark_name(mark_writes_it[s], mark_of_cut[s]), from: mark_to[s], to: mark_to[s]}
        : move_offer[s];
  end

  if (!HasMoves) begin : gen_none
    assign place_o     = home_i;
    assign mark_place  = mark_home;
    assign mark_moving = '0;
    assign want        = '0;
    assign move_take   = '0;
    assign move_offer  = '0;
    assign away_o      = '0;
    assign relocated_q = '0;
    assign landed_q    = '0;
    assign scanned     = 1'b0;
    assign away_rows_q = '0;
    assign cut_moving_o = 1'b0;

  end else begin : gen_moves
    localparam int unsigned EntryIdxBits = $clog2(Relocations);

    logic   [StateStages-1:0]                 scan;
    logic   [StateStages-1:0][EntryIdxBits:0] used;
    logic   [StateStages-1:0][NumModules-1:0] away_rows;
    logic   [StateStages-1:0]                 cut_moving;
    assign cut_moving_o = cut_moving != '0;

    // ---- the lane that is sampled is drawn
    pipe_t  lane;
    sluice_draw #(.Width(PipeBits)) u_lane (.clk_i, .rst_ni, .value_o(lane));

    // A cut waits for many cycles before it begins, so a move may begin in the first one.
    logic [NumModules-1:0] cut_rows_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) cut_rows_q <= '0;
      else         cut_rows_q <= cut_rows_i;
    end

    for (genvar s = 0; s < StateStages; s++) begin : gen_stage
      place_t           [NumPipes-1:0] homes, places;
      admitted_access_t [NumPipes-1:0] accesses;
      logic [NumModules-1:0]           hold_rows;
      assign hold_rows = hold_rows_i[s] | cut_rows_q;
      sluice_stage_moves u_stage (
        .clk_i, .rst_ni, .settings_i,
        .home_i    (homes),
        .place_o   (places),
        .access_i  (accesses),
        .lane_i    (lane),
        .turn_i    (turn[s] && !mark_take[s]),
        .want_o    (want[s]),
        .hold_rows_i(hold_rows),
        .cut_rows_i,
        .cut_moving_o(cut_moving[s]),
        .forget_i  (forget_i[s]),
        .take_o    (move_take[s]),
        .offer_o   (move_offer[s]),
        .landed_i  (landed_i[s]),
        .used_o    (used[s]),
        .away_row_i,
        .away_o    (away_o[s]),
        .away_rows_o(away_rows[s]),
        .scan_o    (scan[s]),
        .mark_home_i  (mark_home[s]),
        .mark_place_o (mark_place[s]),
        .mark_moving_o(mark_moving[s])
      );
      for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
        assign homes[l]      = home_i[l][s];
        assign place_o[l][s] = places[l];
        assign accesses[l]   = '{valid: admitted_i[l].valid, row: admitted_i[l].row,
            access: admitted_i[l].access[s], pinned: admitted_i[l].pinned[s]};
      end
    end

    // ---- counts
    assign scanned = scan[0];
    logic [15:0]          relocated;
    logic [StageBits-1:0] landed;
    logic [NumModules-1:0] some_away;
    always_comb begin
      relocated = '0;
      landed    = '0;
      some_away = '0;
      for (int unsigned s = 0; s < StateStages; s++) begin
        relocated = relocated + 16'(used[s]);
        landed    = landed + StageBits'(landed_i[s].valid);
        some_away = some_away | away_rows[s];
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        relocated_q <= '0;
        away_rows_q <= '0;
        landed_q    <= '0;
      end else begin
        relocated_q <= relocated;
        away_rows_q <= some_away;
        landed_q    <= settings_i.clear ? '0 : landed_q + 32'(landed);
      end
    end

    logic unused_scans;
    assign unused_scans = ^scan;
  end

  assign relocated_o = relocated_q != '0;

  // ---- registers
  sluice_register_block #(
    .Stride(BlockMoveStride), .CountAt({RegMoveScans, RegMoveDecided}),
    .NumWords(3), .WordAt({RegMoveAway, RegMoveLanded, RegMoveRelocated})
  ) u_block (
    .clk_i, .rst_ni, .clear_i(settings_i.clear), .base_i(BlockMoveBase),
    .event_i({scanned, decided}), .level_i('0),
    .word_i({32'(away_rows_q), landed_q, 32'(relocated_q)}), .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_moves
