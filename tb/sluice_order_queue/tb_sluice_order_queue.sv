// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_order_queue: random lanes push phantoms in the order of tickets, random pops,
/// FIFOs run full and empty; moves come with the phantoms, with the tag of the next ticket. The
/// model is one list sorted by ticket, a move before the phantom of its ticket: what comes out must
/// be exactly that, visible two cycles after it came, one a cycle if popped every cycle; and what it
/// says of the second, and of a phantom that enters, must be true. In the last part the test fault
/// is on: what comes in every 64th cycle in which anything comes, and nothing else, is lost.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_order_queue;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;

  localparam int Lanes = 4, Depth = 8;           // small: runs full often
  localparam int Losing = 12000;                 // cycles of the last part

  `include "bench.svh"
  // ---- DUT; inputs move after the clock edge, from registers
  logic  [Lanes-1:0] push, push_dut = '0;
  tag_t  [Lanes-1:0] tag, tag_dut = '0;
  slot_t [Lanes-1:0] slot, slot_dut = '0;
  logic              move, move_dut = 1'b0;
  tag_t              move_tag, move_tag_dut = '0;
  slot_t             move_slot, move_slot_dut = '0;
  move_id_t          move_id, move_id_dut = '0;
  logic              is_move;
  move_id_t          head_id;
  logic              late_push = 1'b0;
  tag_t              late_tag = '0;
  slot_t             late_slot = '0;
  logic              valid, overflow, pop, pop_dut = 1'b0;
  tag_t              head_tag;
  slot_t             head_slot;
  logic [1:0]        head_lane, lane_seen;
  logic              second, second_is_move, enter;
  tag_t              second_tag, enter_tag;
  logic [$clog2(Lanes*Depth+1)-1:0] count;
  logic              lose = 1'b0, lose_dut = 1'b0;
  sluice_order_queue #(.Depth(Depth), .Lanes(Lanes)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .lose_i(mutant == 1 || lose_dut), .swap_i(mutant == 2),
    .push_i(push_dut), .tag_i(tag_dut), .slot_i(slot_dut),
    .move_i(move_dut), .move_tag_i(move_tag_dut), .move_id_i(move_id_dut),
    .move_slot_i(move_slot_dut), .is_move_o(is_move), .move_id_o(head_id),
    .valid_o(valid), .tag_o(head_tag), .slot_o(head_slot), .lane_o(head_lane), .pop_i(pop_dut),
    .second_o(second), .second_is_move_o(second_is_move), .second_tag_o(second_tag),
    .enter_o(enter), .enter_tag_o(enter_tag), .count_o(count), .overflow_o(overflow)
  );
  assign lane_seen = mutant == 5 ? head_lane ^ 2'd1 : head_lane;
  tag_t  second_seen, enter_seen;
  assign second_seen = mutant == 9 ? head_tag : second_tag;
  assign enter_seen  = mutant == 10 ? second_tag : enter_tag;

  logic apply = 1'b0;
  always_ff @(posedge apply) begin
    push_dut <= push;
    tag_dut  <= tag;
    slot_dut <= slot;
    pop_dut  <= pop;
    lose_dut <= lose;
    move_dut      <= move;
    move_tag_dut  <= mutant == 6 ? move_tag + 1'b1 : move_tag;
    move_slot_dut <= move_slot;
    move_id_dut   <= mutant == 7 ? '0 : move_id;
    if (mutant == 8 && move) begin               // it overtakes what came with it
      move_tag_dut <= move_tag - 1'b1;
    end
    late_push <= push[0];
    late_tag  <= tag[0];
    late_slot <= slot[0];
    if (mutant == 3) begin
      push_dut[0] <= late_push;
      tag_dut[0]  <= late_tag;
      slot_dut[0] <= late_slot;
    end
    if (mutant == 4 && now % 64 == 0) slot_dut[0] <= ~slot[0];
  end

  // ---- model
  typedef struct packed {
    int ticket; slot_t slot; int lane; int when; bit move; move_id_t id;
  } phantom_seen_t;
  phantom_seen_t queue [$];
  int            held [Lanes], ticket = 0, popped = 0, full = 0, longest = 0, run = 0;
  int            phantoms = 0, told = 0, moves = 0, moved = 0, most_moves = 0; // inside; popped
  int            seconds = 0, entered = 0;
  int            move_rate;
  int            push_rate, pop_rate;
  bit            one_lane;
  int            push_cycles = 0, lost = 0;      // cycles with a phantom; phantoms that were lost

  initial begin
    read_arguments(50000);
    release_reset(1);
    for (now = 0; now < int'(cycles) + Losing; now++) begin
      phantom_seen_t head;
      int            queue_size, next_ticket;    // behind the head
      bit            next_move;
      if (now % 200 == 0) begin
        push_rate = rnd(4) == 0 ? 0 : rnd(101) / (rnd(2) == 0 ? 4 : 1);
        pop_rate  = rnd(4) == 0 ? 100 : rnd(101);
        move_rate  = rnd(3) == 0 ? 0 : rnd(60);
        one_lane   = rnd(4) == 0;                 // one lane only
      end
      // what came in the last cycle may be at the head from the next on
      if (int'(count) != told) fail("count");
      told = phantoms;
      if (overflow) fail("overflow");
      pop = 1'b0;
      queue_size = queue.size();
      next_ticket = queue_size > 1 ? queue[1].ticket : -1;
      next_move   = queue_size > 1 && queue[1].move;
      if (queue_size != 0) begin
        head = queue[0];
        if (!valid && now - head.when > 1) fail("the oldest phantom is not at the head in time");
      end
      if (valid) begin
        if (queue.size() == 0) fail("a head that nobody pushed");
        if (head_tag != tag_t'(head.ticket))
          fail($sformatf("tag %0d at the head, ticket %0d expected", head_tag, head.ticket));
        if (head_slot != head.slot) fail("slot");
        if (is_move != head.move) fail("a move is taken for a phantom, or the other way round");
        if (is_move && head_id != head.id) fail("id of a move");
        if (!is_move && int'(lane_seen) != head.lane) fail("lane");
        pop = rnd(100) < pop_rate;
        if (pop) begin
          void'(queue.pop_front());
          if (head.move) begin
            moves--;
            moved++;
          end else begin
            phantoms--;
            popped++;
          end
        end
      end
      // what is behind the head: the second, or a phantom that enters
      if (second) begin
        if (!valid || queue_size < 2) fail("a second that nobody pushed");
        if (second_seen != tag_t'(next_ticket) || second_is_move != next_move) fail("the second");
        seconds++;
      end
      if (enter) begin
        if (second || enter_seen != tag_t'(valid ? next_ticket : head.ticket)
            || (valid ? next_move : head.move)) fail("what enters");
        entered++;
      end
      run = pop ? run + 1 : 0;
      if (run > longest) longest = run;
      lose = now >= int'(cycles);
      for (int l = 0; l < Lanes; l++) begin
        push[l] = rnd(100) < push_rate && (!one_lane || l == 1);
        if (held[l] >= Depth) full++;
        push[l] = push[l] && held[l] < Depth && queue.size() < int'(Window) - 1 - int'(MoveIds);
        tag[l]  = tag_t'(ticket);
        slot[l] = slot_t'(rnd(1 << SlotBits));
        if (push[l] && lose && push_cycles % 64 == 63) begin
          lost++;
          ticket++;
        end else if (push[l]) begin
          queue.push_back(phantom_seen_t'({ticket, slot[l], l, now + 1, 1'b0, move_id_t'(0)}));
          held[l]++;
          phantoms++;
          ticket++;
        end
      end
      push_cycles += int'(push != '0);
      // A move comes with all phantoms that are older.
      move      = rnd(100) < move_rate && moves < int'(MoveIds);
      move_tag  = tag_t'(ticket);
      move_slot = slot_t'(rnd(1 << SlotBits));
      move_id   = move_id_t'(rnd(int'(MoveIds)));
      if (move) begin
        queue.push_back(phantom_seen_t'({ticket, move_slot, 32'd0, now + 1, 1'b1, move_id}));
        moves++;
        if (moves > most_moves) most_moves = moves;
      end
      if (pop && !head.move) held[head.lane]--;  // the pushing side hears of it later
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      @(negedge clk);
    end
    if (popped < 1000 || full == 0 || longest < 20 || moved < 1000
        || most_moves < int'(MoveIds) || seconds < 1000 || entered < 1000 || lost < 10) fail("the traffic was too tame");
    pass($sformatf("%0d phantoms, %0d moves, %0d full, %0d in a row, %0d lost",
                   popped, moved, full, longest, lost));
  end
endmodule : tb_sluice_order_queue
