// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_meeting: phantoms and moves go through a model of the order queue's two registers,
/// their packets come before, with or after them, to any bank or the escape slot, and are stored in
/// the model. In every cycle the place of the head's packet must be what the model has; it is 0 for
/// a move, and while the packet is not there.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_meeting;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  localparam int K = int'(NumPipes), Depth = 8, Ahead = 24;
  typedef logic [$clog2(Depth)-1:0] index_t;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT
  typedef struct packed {
    logic              head, stay, pop, second_valid, second, enter;
    tag_t              head_tag, second_tag, enter_tag;
    logic   [K:0]      found;
    index_t [K-1:0]    found_slot;
    route_t [K:0]      found_next;
    logic   [K-1:0]    come, come_escape;
    tag_t   [K-1:0]    come_tag;
    index_t [K-1:0]    come_slot;
    route_t [K-1:0]    come_next;
  } inputs_t;
  inputs_t      in, dut = '0;
  logic   [K:0] where;
  index_t       slot;
  route_t       next;
  sluice_meeting #(.Depth(Depth)) u_dut (
    .clk_i(clk), .rst_ni(rst_n),
    .head_i(dut.head), .head_tag_i(dut.head_tag), .stay_i(dut.stay), .pop_i(dut.pop),
    .second_valid_i(dut.second_valid), .second_i(dut.second), .second_tag_i(dut.second_tag),
    .enter_i(dut.enter), .enter_tag_i(dut.enter_tag),
    .found_i(dut.found), .found_slot_i(dut.found_slot), .found_next_i(dut.found_next),
    .come_i(dut.come), .come_escape_i(dut.come_escape), .come_tag_i(dut.come_tag),
    .come_slot_i(dut.come_slot), .come_next_i(dut.come_next),
    .where_o(where), .slot_o(slot), .next_o(next)
  );

  always_ff @(posedge apply) begin
    dut <= in;
    for (int s = 0; s < K; s++) begin
      if (mutant == 1 && in.enter && in.come_tag[s] == in.enter_tag)    dut.come[s] <= 1'b0;
      if (mutant == 2 && in.second && in.come_tag[s] == in.second_tag)  dut.come[s] <= 1'b0;
      if (mutant == 3 && in.head && in.come_tag[s] == in.head_tag)      dut.come[s] <= 1'b0;
      if (mutant == 9 && now % 8 == 0) dut.come_next[s].fixed <= !in.come_next[s].fixed;
    end
    if (mutant == 4) begin
      dut.found      <= '0;
      dut.found_slot <= '0;
      dut.found_next <= '0;
    end
    if (mutant == 5 && now % 8 == 0 && in.found[K-1:0] != '0) dut.found_slot[0] <= ~in.found_slot[0];
    if (mutant == 6 && now % 8 == 0) dut.pop <= 1'b0;
    if (mutant == 7) begin
      dut.head   <= in.stay;
      dut.second <= in.second_valid;
    end
    if (mutant == 8) dut.come_escape <= '0;
    if (mutant == 10) dut.second_tag <= in.head_tag;
  end

  // ---- model: packets by tag; the queue, its first entries being in the registers
  typedef struct packed {int place; index_t slot; route_t next;} record_t;
  typedef struct packed {bit move; tag_t tag;} entry_t;
  localparam int Records = 4 * int'(Window);
  record_t record [Records];
  bit      come [Records], gone [Records];
  entry_t  queue [$];                            // head, second, then the FIFOs
  int      in_registers = 0, ticket = 0, oldest = 0, come_rate, pop_rate, push_rate, at;
  int      ahead = 0, met_enter = 0, met_second = 0, met_head = 0, escapes = 0, popped = 0, moves = 0;
  int      free_place;
  bit      escape_used = 1'b0, head_there;

  initial begin
    read_arguments(50000);
    for (int t = 0; t < Records; t++) {come[t], gone[t]} = '0;
    release_reset(1);
    for (now = 0; now < int'(cycles); now++) begin
      if (now % 100 == 0) begin
        come_rate = 5 + rnd(60);
        pop_rate  = 20 + rnd(81);
        push_rate = 20 + rnd(81);
      end
      // the head's packet
      head_there = 1'b0;
      if (in_registers > 0 && !queue[0].move && come[queue[0].tag]) begin
        record_t r;
        r = record[queue[0].tag];
        head_there = 1'b1;
        if (where != (K+1)'(1) << r.place) fail("place of the head's packet");
        if (r.place < K && slot != r.slot) fail("slot of the head's packet");
        if (next != r.next) fail("next route of the head's packet");
      end else if (where != '0 || slot != '0 || next != '0) fail("a packet that is not there");

      // what is in the registers, and what enters them
      in = '0;
      in.stay         = in_registers > 0;
      in.second_valid = in_registers > 1;
      if (in.stay) begin
        in.head     = !queue[0].move;
        in.head_tag = queue[0].tag;
      end
      if (in.second_valid) begin
        in.second     = !queue[1].move;
        in.second_tag = queue[1].tag;
      end
      if (in_registers < 2 && queue.size() > in_registers) begin
        in.enter     = !queue[in_registers].move;
        in.enter_tag = queue[in_registers].tag;
        if (in.enter && come[in.enter_tag]) begin
          record_t r;
          r = record[in.enter_tag];
          in.found[r.place]      = 1'b1;
          in.found_next[r.place] = r.next;
          if (r.place < K) in.found_slot[r.place] = r.slot;
        end
      end
      in.pop = in.stay && rnd(100) < pop_rate && (queue[0].move || head_there);

      // packets come: one a source, of tickets that were given; one at most to the escape slot
      for (int s = 0; s < K; s++) begin
        at = oldest + rnd(rnd(2) == 0 ? 3 : Ahead);
        in.come_tag[s] = tag_t'(at);
        in.come[s]     = rnd(100) < come_rate && at < ticket && !come[tag_t'(at)] && !gone[tag_t'(at)];
        for (int o = 0; o < s; o++)
          if (in.come[o] && in.come_tag[o] == in.come_tag[s]) in.come[s] = 1'b0;
        in.come_slot[s] = index_t'(rnd(Depth));
        in.come_next[s] = route_t'(rnd(1 << $bits(route_t)));
        if (in.come[s]) begin
          in.come_escape[s] = !escape_used && rnd(8) == 0;
          escape_used |= in.come_escape[s];
          escapes     += int'(in.come_escape[s]);
          free_place = in.come_escape[s] ? K : s;
          if (in.come_escape[s]) in.come_slot[s] = '0;
          if (in.enter && in.come_tag[s] == in.enter_tag)        met_enter++;
          else if (in.second && in.come_tag[s] == in.second_tag) met_second++;
          else if (in.head && in.come_tag[s] == in.head_tag)     met_head++;
          else ahead++;
          come[in.come_tag[s]]   = 1'b1;
          record[in.come_tag[s]] = '{place: free_place, slot: in.come_slot[s],
                                     next: in.come_next[s]};
        end
      end

      // the registers' next contents
      if (in_registers < 2 && queue.size() > in_registers) in_registers++;
      if (in.pop) begin
        popped++;
        moves += int'(queue[0].move);
        if (!queue[0].move) begin
          if (record[queue[0].tag].place == K) escape_used = 1'b0;
          come[queue[0].tag] = 1'b0;
          gone[queue[0].tag] = 1'b1;
          oldest++;
        end
        void'(queue.pop_front());
        in_registers--;
      end
      for (int n = 0; n < 2; n++)
        if (rnd(100) < push_rate && ticket < oldest + Ahead) begin
          // now and then a move, which has the tag of the phantom behind it
          if (rnd(6) == 0) queue.push_back(entry_t'({1'b1, tag_t'(ticket)}));
          queue.push_back(entry_t'({1'b0, tag_t'(ticket)}));
          gone[tag_t'(ticket)] = 1'b0;
          ticket++;
        end
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      @(negedge clk);
    end
    if (popped < 5000 || moves < 500 || ahead < 1000 || met_enter < 200 || met_second < 200
        || met_head < 200 || escapes < 200) fail($sformatf(
      "the traffic was too tame: %0d, %0d; %0d, %0d, %0d, %0d, %0d", popped, moves, ahead, met_enter,
      met_second, met_head, escapes));
    pass({$sformatf("%0d popped, %0d of them moves; packets: %0d before, %0d with, ",
                    popped, moves, ahead, met_enter),
          $sformatf("%0d as second, %0d as head, %0d in the escape slot",
                    met_second, met_head, escapes)});
  end
endmodule : tb_sluice_meeting
