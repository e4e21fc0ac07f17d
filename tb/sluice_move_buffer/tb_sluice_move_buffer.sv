// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_move_buffer: random moves between four pipelines, each read at a random time,
/// pipelines held now and then, heads of order queues with slots and tags around those of the
/// moves. The model keeps each move with the cycle of its read and of its landing. Checked: who
/// waits, in every cycle; a landing is offered to one pipeline at a time, LandWait cycles after the
/// read at the earliest, soon after that, once; its value goes out WriteCycle after it was taken,
/// and `landed_o` a cycle later.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_move_buffer;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_stage_pkg::*;

  localparam int Ids = int'(MoveIds), K = int'(NumPipes), Never = 1 << 30;
  localparam int Wait = int'(LandWait), Write = int'(WriteCycle);

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move after the clock edge, from registers
  move_t                   move, move_dut = '0;
  tag_t     [NumPipes-1:0] head_tag, head_tag_dut = '0;
  slot_t    [NumPipes-1:0] head_slot, head_slot_dut = '0;
  logic     [NumPipes-1:0] read, read_dut = '0, hold, hold_dut = '0, pending, land;
  move_id_t [NumPipes-1:0] read_id, read_id_dut = '0;
  moved_t   [NumPipes-1:0] moved, moved_dut = '0, moved_late = '0;
  slot_t                   land_slot;
  state_value_t            land_value;
  landed_t                 landed;
  sluice_move_buffer u_dut (
    .clk_i(clk), .rst_ni(rst_n), .early_i(mutant == 1), .move_i(move_dut),
    .head_tag_i(head_tag_dut), .head_slot_i(head_slot_dut), .pending_o(pending),
    .read_i(read_dut), .read_id_i(read_id_dut),
    .moved_i(mutant == 2 ? moved_late : moved_dut), .hold_i(hold_dut),
    .land_o(land), .land_slot_o(land_slot), .land_value_o(land_value),
    .landed_o(landed)
  );

  always_ff @(posedge apply) begin
    move_dut      <= move;
    if (mutant == 5) move_dut.to <= move.to + 1'b1;
    head_tag_dut  <= head_tag;
    if (mutant == 6)
      for (int d = 0; d < K; d++) head_tag_dut[d] <= head_tag[d] + tag_t'(4);
    head_slot_dut <= head_slot;
    read_dut      <= read;
    read_id_dut   <= read_id;
    if (mutant == 3 && now % 64 == 0) read_id_dut <= ~read_id;
    moved_dut     <= moved;
    moved_late    <= moved_dut;
    hold_dut      <= mutant == 4 ? '0 : hold;
  end

  // ---- model: a move by its id; cycles in which what happened to it
  move_t        of [Ids];
  state_entry_t value [Ids];
  bit           used [Ids];
  int           read_at [Ids], taken_at [Ids], patience [Ids];
  int           landings = 0, waits = 0, older = 0, at_once = 0, held = 0;
  int           pipes = K, ids = Ids, move_rate, hold_rate;
  tag_t         tag = '0;

  // The outputs of this cycle.
  task automatic look();
    int takers;
    takers = 0;
    for (int d = 0; d < pipes; d++) begin
      bit waits_here;
      waits_here = 1'b0;
      for (int i = 0; i < ids; i++)
        if (used[i] && taken_at[i] == Never && int'(of[i].to) == d && of[i].to_slot == head_slot[d])
        begin
          tag_t ahead;
          ahead = head_tag[d] - of[i].tag;
          if (ahead < tag_t'(Window)) waits_here = 1'b1;
          else                        older++;
        end
      if (pending[d] != waits_here) fail("who waits");
      waits += int'(waits_here);
      if (land[d]) begin
        int id;
        id = -1;
        for (int i = 0; i < ids; i++)
          if (used[i] && taken_at[i] == Never && now >= read_at[i] + Wait && int'(of[i].to) == d
              && of[i].to_slot == land_slot) id = i;
        if (id < 0) fail("a landing that has no turn");
        takers++;
        if (!hold[d]) begin
          taken_at[id] = now;
          if (now == read_at[id] + Wait) at_once++;
        end else begin
          held++;
        end
      end
    end
    if (takers > 1) fail("two landings");
    for (int i = 0; i < ids; i++) begin
      if (used[i] && now >= read_at[i] + Wait && taken_at[i] == Never) begin
        patience[i]++;
        if (patience[i] > 60) fail("a landing never comes");
      end
      if (now == taken_at[i] + Write && land_value != value[i]) fail("value of a landing");
    end
    for (int i = 0; i < ids; i++) begin
      bit told;
      told = landed.valid && landed.id == move_id_t'(i);
      if (told != (used[i] && now == taken_at[i] + (mutant == 7 ? Write : Write + 1))) fail("what is told");
      if (told) begin
        used[i] = 1'b0;
        landings++;
      end
    end
    // what came in this cycle waits from the next on
    if (move.valid) begin
      of[move.id]       = move;
      used[move.id]     = 1'b1;
      read_at[move.id]  = Never;
      taken_at[move.id] = Never;
      patience[move.id] = 0;
    end
  endtask

  task automatic drive();
    move_id_t id;
    // a new move
    tag  = tag + tag_t'(rnd(K));
    move = '0;
    id   = move_id_t'(rnd(Ids));
    if (!used[id] && rnd(100) < move_rate) begin
      move = '{valid: 1'b1, stage: '0, id: id, tag: tag, from: pipe_t'(rnd(K)),
               from_slot: '0, to: pipe_t'(rnd(K)), to_slot: slot_t'(rnd(4))};
      for (int i = 0; i < ids; i++)
        if (used[i] && of[i].to == move.to && of[i].to_slot == move.to_slot) move.valid = 1'b0;
    end
    // reads: r + IssueCycles tells of them, r + MovedCycle brings the values
    read    = '0;
    read_id = '0;
    moved   = '0;
    for (int i = 0; i < ids; i++) if (used[i]) begin
      if (read_at[i] == Never && !read[of[i].from] && rnd(4) == 0) begin
        read_at[i]          = now - int'(IssueCycles);
        read[of[i].from]    = 1'b1;
        read_id[of[i].from] = move_id_t'(i);
      end
      if (now == read_at[i] + int'(MovedCycle)) begin
        value[i].s1          = 32'(rnd(1 << 24));
        value[i].s2          = 32'(rnd(1 << 24));
        moved[of[i].from]    = '{valid: 1'b1, id: move_id_t'(i), value: value[i]};
      end
    end
    for (int d = 0; d < pipes; d++) begin
      hold[d]      = rnd(100) < hold_rate;
      head_slot[d] = slot_t'(rnd(4));
      head_tag[d]  = tag - tag_t'(rnd(24)) + tag_t'(4);
    end
  endtask

  initial begin
    read_arguments(50000);
    for (int i = 0; i < ids; i++) begin
      used[i]     = 1'b0;
      read_at[i]  = Never;
      taken_at[i] = Never;
    end
    hold = '0; head_slot = '0; head_tag = '0; move = '0; read = '0; read_id = '0; moved = '0;
    release_reset(1);
    if (landed != '0 || land != '0) fail("a landing before the first move");
    for (now = 0; now < int'(cycles); now++) begin
      if (now % 500 == 0) begin
        move_rate = rnd(3) == 0 ? 100 : rnd(40);
        hold_rate = rnd(2) == 0 ? 0 : rnd(60);
      end
      drive();
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      look();
      @(negedge clk);
    end
    if (landings < 1000 || waits < 1000 || older < 1000 || at_once < 100 || held < 100)
      fail("the traffic was too tame");
    pass($sformatf("%0d landings, %0d waits, %0d held", landings, waits, held));
  end
endmodule : tb_sluice_move_buffer
