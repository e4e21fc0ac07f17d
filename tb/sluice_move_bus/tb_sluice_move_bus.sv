// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_move_bus: moves and marks of all stages, taken at random in their turns. Checked:
/// turns go round the stages from stage 0 on, also after a reset under way; a move corrects lookups
/// in the cycle after it was taken, what was taken is on the bus two cycles after with the tag of
/// that cycle, and a mark, unless it reads a cut, is shown three cycles after with its home.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_move_bus;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;

  localparam int S = int'(StateStages), Keep = 4;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  typedef struct packed {
    move_settings_t      settings;
    logic        [S-1:0] move, mark;
    move_offer_t [S-1:0] offer;
    place_t      [S-1:0] home;
    tag_t                tag;
    logic [31:0]         ticket;
  } inputs_t;
  inputs_t                in, dut = '0;
  logic [StateStages-1:0] turn;
  patch_t                 patch;
  move_t                  move;
  logic                   decided;
  mark_event_t            shown;
  sluice_move_bus u_dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(dut.settings), .turn_o(turn), .move_i(dut.move),
    .mark_i(dut.mark), .offer_i(dut.offer), .mark_home_i(dut.home), .tag_i(dut.tag),
    .next_ticket_i(dut.ticket), .patch_o(patch), .move_o(move), .decided_o(decided), .event_o(shown)
  );
  always_ff @(posedge apply) begin
    dut <= in;
    case (mutant)
      1: dut.settings.fault[FaultNoPatch] <= 1'b1;
      2: dut.settings.fault[FaultMarkEarly] <= 1'b1;
      3: for (int s = 0; s < S; s++) if (in.mark[s])
        dut.offer[s].id <= move_name_t'(move_id_t'(in.offer[s].id));
      4: dut.home <= {in.home[S-2:0], in.home[S-1]};
      5: dut.tag <= in.tag + 1'b1;
      default: ;
    endcase
  end

  // ---- what was taken, [c]: c cycles ago
  typedef struct packed {logic move, mark; stage_t stage; move_offer_t offer;} taken_t;
  taken_t taken [Keep];
  int     stage = 0, moves = 0, marks = 0, events = 0;

  function automatic place_t some_place();
    return '{pipe: pipe_t'(rnd(int'(NumPipes))), slot: slot_t'(rnd(1 << SlotBits))};
  endfunction

  initial begin
    read_arguments(40000);
    in = '0;
    for (int c = 0; c < Keep; c++) taken[c] = '0;
    release_reset(2);
    while (now < int'(cycles)) begin
      if (now % 1000 == 503) begin
        rst_n = 1'b0;
        in.move = '0;
        in.mark = '0;
        #1 apply = 1'b1;
        #1 apply = 1'b0;
        tick();
        rst_n = 1'b1;
        stage = 0;
        for (int c = 0; c < Keep; c++) taken[c] = '0;
      end
      // The offer of a stage that takes none may be anything.
      for (int s = 0; s < S; s++) begin
        in.offer[s] = '{id: move_name_t'(rnd(int'(MoveIds))), from: some_place(), to: some_place()};
        in.home[s]  = some_place();
      end
      in.move   = '0;
      in.mark   = '0;
      in.tag    = tag_t'(rnd(1 << TagBits));
      in.ticket = 32'(rnd(1 << 28));
      for (int c = Keep - 1; c > 0; c--) taken[c] = taken[c-1];
      taken[0] = '0;
      if (rnd(3) != 0) begin
        taken[0].move  = rnd(2) == 0;
        taken[0].mark  = !taken[0].move;
        taken[0].stage = stage_t'(stage);
        // reads, writes, reads a cut
        if (taken[0].mark) in.offer[stage].id = move_name_t'(int'(MoveIds) + rnd(3));
        taken[0].offer = in.offer[stage];
        in.move[stage] = taken[0].move;
        in.mark[stage] = taken[0].mark;
        moves += int'(taken[0].move);
        marks += int'(taken[0].mark);
      end
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      if (turn != StateStages'(1) << stage)
        fail($sformatf("turn %b, expected stage %0d", turn, stage));
      if (patch.stage != (taken[1].move ? StateStages'(1) << taken[1].stage : '0))
        fail("what is corrected");
      if (taken[1].move && (patch.from != taken[1].offer.from || patch.to != taken[1].offer.to))
        fail("a correction");
      if (move.valid != (taken[2].move || taken[2].mark) || decided != taken[2].move)
        fail("what is on the bus");
      if (move.valid
          && (move.stage != taken[2].stage || move.id != taken[2].offer.id || move.tag != in.tag
          || {move.from, move.from_slot} != taken[2].offer.from
              || {move.to, move.to_slot} != taken[2].offer.to))
        fail("another move");
      if (shown.valid != (taken[3].mark && int'(taken[3].offer.id) < int'(MoveIds) + 2))
        fail("which marks are shown");
      if (shown.valid) begin
        events++;
        if (shown.stage != taken[3].stage || shown.write != taken[3].offer.id[0]
            || shown.ticket != in.ticket
            || {shown.pipe, shown.slot} != in.home[taken[3].stage[$clog2(S)-1:0]])
              fail("another mark");
      end
      tick();
      stage = (stage + 1) % S;
    end
    pass($sformatf("%0d moves, %0d marks, %0d shown", moves, marks, events));
  end
endmodule : tb_sluice_move_bus
