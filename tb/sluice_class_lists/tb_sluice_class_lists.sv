// SPDX-License-Identifier: Apache-2.0

/// sluice_class_lists against a queue for each class: packets of all classes and to several ports
/// come and go in any cycle; copies of a class must leave in their order, lowest port first, those
/// of the lowest strict class before all others. In every second phase no class is strict, all have
/// something to send, and each copy is of one beat: then the class must go that has sent least, by
/// its costs, and of equal ones that which was chosen longer ago.
/// +seed=N +cycles=N +break=N (see file breaks).
// Handles and numbers have bits that nobody here looks at.
/* verilator lint_off UNUSEDSIGNAL */
module tb_sluice_class_lists
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
;
  localparam int C = int'(OutputQueues);
  `include "bench.svh"

  logic [C-1:0][3:0] costs, dut_costs;
  logic [C-1:0]      strict, beat, dut_beat;
  logic              push, valid, final_copy, take;
  handle_t           handle, dut_handle, next;
  always_comb begin
    dut_handle = handle;
    dut_costs  = costs;
    dut_beat   = beat;
    case (mutant)
      1: dut_handle.queue_class = handle.queue_class ^ queue_class_t'(handle.place == '0);
      2: dut_handle.ports[0] = 1'b1;
      4: dut_beat[0] = 1'b0;
      6: dut_costs = {costs[0], costs[C-1:1]};
      default: ;
    endcase
  end
  sluice_class_lists u_dut (
    .clk_i(clk), .rst_ni(rst_n), .costs_i(dut_costs), .strict_i(mutant == 3 ? '0 : strict),
    .push_i(push), .handle_i(dut_handle), .valid_o(valid), .handle_o(next), .final_o(final_copy),
    .take_i(take && !(mutant == 5 && now % 64 == 0)), .beat_i(dut_beat)
  );

  handle_t     lists [C][$];
  logic [PortsPerLane-1:0] left [C];             // of the first packet: ports that need a copy
  logic        used [OutputDepth];               // places
  int          held = 0;
  // What the copies of each class counted: as of now, of one cycle ago and of two; when it was
  // chosen last.
  int          sent [C], recent [C], counted [C], turn [C];
  int          copies = 0, turns = 0, several = 0;
  logic        even = 1'b0;                      // all wait, and are alike

  function automatic handle_t new_handle();
    int place = rnd(int'(OutputDepth));
    while (used[place]) place = (place + 1) % int'(OutputDepth);
    new_handle = handle_t'({$urandom, $urandom, $urandom});
    new_handle.place       = $bits(new_handle.place)'(place);
    new_handle.queue_class = queue_class_t'(rnd(C));
    new_handle.ports       = rnd(2) != 0 && !even ? '1 : PortsPerLane'(1) << rnd(PortsPerLane);
    // In an even phase the shortest list gets the packet.
    if (even)
      for (int c = 0; c < C; c++)
        if (lists[c].size() < lists[int'(new_handle.queue_class)].size())
          new_handle.queue_class = queue_class_t'(c);
  endfunction

  // What leaves now, if anything does.
  task automatic check_next();
    int      c, from;
    handle_t first;
    logic    waits;
    waits = 1'b0;
    for (int n = 0; n < C; n++) waits |= lists[n].size() != 0;
    if (valid != waits) fail($sformatf("valid %b, not %b", valid, waits));
    if (!waits) return;
    c = int'(next.queue_class);
    if (lists[c].size() == 0) fail($sformatf("class %0d has nothing", c));
    first = lists[c][0];
    first.ports = left[c] & -left[c];
    if (next != first) fail($sformatf("class %0d: %h is next, not %h", c, next, first));
    if (final_copy != (left[c] == next.ports)) fail("the last copy of a packet");
    from = -1;
    for (int n = C - 1; n >= 0; n--) if (strict[n] && lists[n].size() != 0) from = n;
    if (from >= 0 && from != c) fail($sformatf("class %0d goes before class %0d", c, from));
    if (!even || now < settled) return;
    for (int n = 0; n < C; n++)
      if (counted[n] < counted[c] || (counted[n] == counted[c] && turn[n] < turn[c]))
        fail($sformatf("class %0d is chosen, not class %0d", c, n));
    turns++;
  endtask

  int  settled = 0;                              // the cycle from which on all have waited
  task automatic new_phase();
    // From a reset on, so that nothing is left of what was counted.
    {push, take, beat} = '0;
    rst_n = 1'b0;
    tick();
    rst_n = 1'b1;
    even   = !even;
    held = 0;
    for (int c = 0; c < C; c++) begin
      lists[c].delete();
      {sent[c], recent[c], counted[c], turn[c]} = '0;
      costs[c]  = 4'(rnd(3) == 0 ? 0 : rnd(16));
      strict[c] = !even && rnd(3) == 0;
    end
    if (even && rnd(2) != 0) costs = '0;
    foreach (used[n]) used[n] = 1'b0;
    settled = now + 4 * C;
  endtask

  initial begin
    int load, speed, c;
    read_arguments(60_000);
    {push, handle, take, beat, costs, strict} = '0;
    foreach (lists[n]) left[n] = '0;
    release_reset(3);
    load  = 4;
    speed = 4;
    while (now < int'(cycles)) begin
      if (now % 1000 == 0) new_phase();
      if (rnd(100) == 0) {load, speed} = {rnd(9), 1 + rnd(8)};
      push   = held < int'(OutputDepth) && (even || rnd(8) < load);
      // Not in one expression: Verilator calls a function whether its value is needed or not.
      if (held < int'(OutputDepth)) handle = new_handle();
      #1;
      take = valid && rnd(8) < speed && (!even || now >= settled);
      #1;
      check_next();
      // A beat goes to the line in the cycle behind the choice.
      for (int n = 0; n < C; n++) begin
        if (beat[n]) sent[n] += 1 + int'(costs[n]);
        counted[n] = recent[n];
        recent[n]  = sent[n];
      end
      tick();
      beat = '0;
      if (take) begin
        c       = int'(next_q.queue_class);
        beat[c] = 1'b1;
        turn[c] = now;
        copies++;
        left[c] &= ~next_q.ports;
        if (left[c] == '0) begin
          used[lists[c][0].place] = 1'b0;
          void'(lists[c].pop_front());
          held--;
          if (lists[c].size() != 0) left[c] = lists[c][0].ports;
        end else several++;
      end
      if (push) begin
        c = int'(handle.queue_class);
        if (lists[c].size() == 0) left[c] = handle.ports;
        lists[c].push_back(handle);
        used[handle.place] = 1'b1;
        held++;
      end
    end
    if (cycles >= 50_000 && (copies < 10_000 || turns < 5000 || several < 1000))
      fail($sformatf("little tested: %0d copies, %0d turns, %0d of several", copies, turns,
                     several));
    pass($sformatf("%0d copies, %0d cycles with a known turn", copies, turns));
  end
  handle_t next_q;                               // what was next before the edge
  always_ff @(posedge clk) next_q <= next;
endmodule : tb_sluice_class_lists
/* verilator lint_on UNUSEDSIGNAL */
