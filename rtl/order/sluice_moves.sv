// SPDX-License-Identifier: Apache-2.0

/// Moves of all back stages: where every index lives, who is to move, and the one bus on which
/// decided moves go out with the phantoms (docs/moves.md). Registers: block MOVE.
///
/// A move taken in cycle t: lookups know it from t + 1 on; `patch_o` corrects in t + 1 what was
/// looked up before; so packets admitted by t + 1 go to the old place, later ones to the new, and
/// `move_o` leaves in t + 2, beside the phantoms of those admitted in t + 1, with the next tag.
/// Stages take turns at the bus, one cycle each.
/// `away_o` asks about one module: with row 5 at `away_row_i` in cycle t, away_o[2] tells in t + 1
/// whether module 5 has an index in back stage 2 that is away, or under way until it has landed.
/// A move taken in cycle t shows from t + 2 on, so before it reaches its stage.
/// Where nothing moves (one pipeline, or Relocations = 0) all that is left is a register that reads 0.
module sluice_moves
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  settings_t                                  settings_i,
  // resolution: homes, and where their indices live, in the same cycle: [lane][stage]
  input  place_t      [NumPipes-1:0][StateStages-1:0] home_i,
  output place_t      [NumPipes-1:0][StateStages-1:0] place_o,
  output patch_t                                     patch_o,
  // the cycle after the decision
  input  logic        [NumPipes-1:0]                 admitted_i,
  input  resolution_t [NumPipes-1:0][StateStages-1:0] access_i,
  input  logic        [NumPipes-1:0][StateStages-1:0] pinned_i,
  input  row_t        [NumPipes-1:0]                 row_i,      // of their modules
  input  tag_t                                       tag_i,      // behind those admitted
  output move_t                                      move_o,
  input  landed_t     [StateStages-1:0]               landed_i,
  // hold: in these stages no index of these modules begins a move; forget: who accessed what is forgotten
  input  logic        [StateStages-1:0]               hold_i,
  input  logic        [NumModules-1:0]               hold_rows_i,
  input  logic        [StateStages-1:0]               forget_i,
  // of one module: an index of it is away or under way in that stage; 1 cycle behind
  input  row_t                                       away_row_i,
  output logic        [StateStages-1:0]               away_o,
  // registers
  input  csr_req_t                                   csr_req_i,
  output csr_rsp_t                                   csr_rsp_o
);
  logic [15:0] relocated_q;
  logic [31:0] decided_q, landed_q, scans_q;
  logic [NumModules-1:0] away_rows_q;

  if (!HasMoves) begin : gen_none
    assign place_o     = home_i;
    assign patch_o     = '0;
    assign move_o      = '0;
    assign away_o      = '0;
    assign relocated_q = '0;
    assign decided_q   = '0;
    assign landed_q    = '0;
    assign scans_q     = '0;
    assign away_rows_q = '0;

    logic unused_bits;
    assign unused_bits = ^{settings_i, hold_i, hold_rows_i, forget_i, admitted_i, access_i, pinned_i, row_i, tag_i,
                           landed_i, away_row_i};
  end else begin : gen_moves
    localparam int unsigned EntryIdxBits = $clog2(Relocations);

    typedef struct packed {
      logic [MoveIdBits-1:0] id;
      place_t                from;
      place_t                to;
    } offer_t;

    logic   [StateStages-1:0]                 take, scan;
    offer_t [StateStages-1:0]                 offer;
    logic   [StateStages-1:0][EntryIdxBits:0] used;
    logic   [StateStages-1:0][NumModules-1:0] away_rows;

    // ---- whose cycle it is at the bus; the lane that is sampled is drawn
    stage_t stage_q;
    pipe_t  lane;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stage_q <= '0;
      else         stage_q <= stage_q == stage_t'(StateStages - 1) ? '0 : stage_q + 1'b1;
    end
    sluice_draw #(.Width(PipeBits)) u_lane (.clk_i, .rst_ni, .value_o(lane));

    for (genvar s = 0; s < StateStages; s++) begin : gen_stage
      place_t      [NumPipes-1:0] homes, places;
      resolution_t [NumPipes-1:0] accesses;
      logic        [NumPipes-1:0] pinned;
      sluice_stage_moves u_stage (
        .clk_i, .rst_ni, .settings_i,
        .home_i    (homes),
        .place_o   (places),
        .admitted_i,
        .access_i  (accesses),
        .pinned_i  (pinned),
        .row_i,
        .lane_i    (lane),
        .turn_i    (stage_q == stage_t'(s)),
        .hold_rows_i(hold_rows_i & {NumModules{hold_i[s]}}),
        .forget_i  (forget_i[s]),
        .take_o    (take[s]),
        .id_o      (offer[s].id),
        .from_o    (offer[s].from),
        .to_o      (offer[s].to),
        .landed_i  (landed_i[s]),
        .used_o    (used[s]),
        .away_row_i,
        .away_o    (away_o[s]),
        .away_rows_o(away_rows[s]),
        .scan_o    (scan[s])
      );
      for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
        assign homes[l]      = home_i[l][s];
        assign place_o[l][s] = places[l];
        assign accesses[l]   = access_i[l][s];
        assign pinned[l]     = pinned_i[l][s];
      end
    end

    // ---- the bus: patch, then move
    offer_t taken, taken_q;
    stage_t taken_stage_q;
    logic   [StateStages-1:0] taken_stages_q;
    always_comb begin
      taken = '0;
      for (int unsigned s = 0; s < StateStages; s++) taken = taken | (take[s] ? offer[s] : '0);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) taken_stages_q <= '0;
      else         taken_stages_q <= take;
    end
    always_ff @(posedge clk_i) begin
      taken_q       <= taken;
      taken_stage_q <= stage_q;
    end
    assign patch_o = '{stage: settings_i.fault[FaultNoPatch] ? '0 : taken_stages_q,
                       from: taken_q.from, to: taken_q.to};

    logic   out_q;
    offer_t move_q;
    stage_t move_stage_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_q <= 1'b0;
      else         out_q <= taken_stages_q != '0;
    end
    always_ff @(posedge clk_i) begin
      move_q       <= taken_q;
      move_stage_q <= taken_stage_q;
    end
    assign move_o = '{valid: out_q, stage: move_stage_q, id: move_q.id, tag: tag_i,
                      from: move_q.from.pipe, from_slot: move_q.from.slot,
                      to: move_q.to.pipe, to_slot: move_q.to.slot};

    // ---- counts
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
        decided_q   <= '0;
        landed_q    <= '0;
        scans_q     <= '0;
      end else begin
        relocated_q <= relocated;
        away_rows_q <= some_away;
        decided_q   <= settings_i.clear ? '0 : decided_q + 32'(out_q);
        landed_q    <= settings_i.clear ? '0 : landed_q + 32'(landed);
        scans_q     <= settings_i.clear ? '0 : scans_q + 32'(scan[0]);
      end
    end

    logic unused_scans;
    assign unused_scans = ^scan;
  end

  // ---- registers
  logic        mine;
  logic [31:0] value;
  assign mine = csr_req_i.valid && csr_req_i.addr[19:12] == BlockMoveBase[19:12];
  always_comb begin
    case (csr_req_i.addr[11:0])
      RegMoveRelocated: value = 32'(relocated_q);
      RegMoveDecided:   value = decided_q;
      RegMoveLanded:    value = landed_q;
      RegMoveScans:     value = scans_q;
      RegMoveAway:      value = 32'(away_rows_q);
      default:          value = '0;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) csr_rsp_o <= '0;
    else         csr_rsp_o <= mine ? '{valid: 1'b1, refused: 1'b0, rdata: csr_req_i.write ? '0 : value} : '0;
  end

  logic unused_req;
  assign unused_req = ^csr_req_i;
endmodule : sluice_moves
