// SPDX-License-Identifier: Apache-2.0

/// Test of the cells: FIFOs of six depths, in registers, three in memories and two with their heads
/// in registers, three that take or give several words a cycle, a slice, RAMs and tables of four
/// depths (and a table whose sweep gives each row a bit), tables with timed writes of three waits,
/// counts of ids, unary counts of five widths, counters of four sizes, turns of five, drawn numbers,
/// a total, each against a model of its own, in every cycle.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_cells;
  `include "bench.svh"

  localparam int NumQueues = 12, NumMemories = 5;
  // From number 6 on in memories, from 9 on with the head outside; the last one is the slice, which
  // holds two.
  localparam int unsigned Depths [NumQueues] = '{1, 2, 3, 5, 8, 13, 2, 5, 16, 3, 17, 2};
  localparam int unsigned Words [NumMemories] = '{1, 7, 16, 100, 16};
  int passed [NumQueues], filled [NumQueues], same [NumMemories], late [NumMemories];
  for (genvar n = 0; n < NumQueues; n++) begin : gen_queue
    cell_queue #(.Depth(Depths[n]), .Width(n == 0 ? 1 : 9 * n), .Memory(n >= 6), .Head(n >= 9),
                 .Slice(n == NumQueues - 1)) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n),
      .break_i(mutant), .passed_o(passed[n]), .filled_o(filled[n])
    );
  end
  localparam int NumMany = 3;
  localparam int unsigned ManyDepths [NumMany] = '{8, 16, 8}, Ins [NumMany] = '{4, 1, 3},
                          Outs [NumMany] = '{1, 4, 2};
  int many [NumMany], many_full [NumMany], most [NumMany];
  for (genvar n = 0; n < NumMany; n++) begin : gen_many
    cell_many #(.Depth(ManyDepths[n]), .In(Ins[n]), .Out(Outs[n])) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n + 300),
      .break_i(mutant), .passed_o(many[n]),
      .filled_o(many_full[n]), .most_o(most[n])
    );
  end
  for (genvar n = 0; n < NumMemories; n++) begin : gen_memory
    cell_memory #(.Depth(Words[n]), .Width(8 + 11 * n), .OneHot(n == 4)) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n + 500),
      .break_i(mutant), .same_o(same[n]), .late_o(late[n])
    );
  end

  localparam int NumOnes = 5;
  localparam int unsigned Widths [NumOnes] = '{1, 2, 5, 8, 16};
  int full [NumOnes];
  for (genvar n = 0; n < NumOnes; n++) begin : gen_ones
    cell_ones #(.Width(Widths[n])) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n + 700),
      .break_i(mutant), .full_o(full[n])
    );
  end

  localparam int NumSizes = 4;
  localparam int unsigned Sizes [NumSizes] = '{2, 3, 11, 40};
  int high [NumSizes];
  for (genvar n = 0; n < NumSizes; n++) begin : gen_counters
    cell_counters #(.Count(Sizes[n])) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n + 900),
      .break_i(mutant), .high_o(high[n])
    );
  end

  localparam int NumTimed = 4;
  localparam int unsigned TimedWords [NumTimed] = '{1, 16, 11, 16}, Waits [NumTimed] = '{2, 1, 2, 3};
  int meets [NumTimed];
  for (genvar n = 0; n < NumTimed; n++) begin : gen_timed
    cell_timed #(.Depth(TimedWords[n]), .Width(20 + 9 * n), .Wait(Waits[n])) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n + 1100),
      .break_i(mutant), .meets_o(meets[n])
    );
  end
  int again, of_id_0;
  cell_ids u_ids (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1300), .break_i(mutant), .again_o(again),
    .of_id_0_o(of_id_0)
  );
  localparam int NumTurns = 5;
  localparam int unsigned Requests [NumTurns] = '{1, 2, 3, 4, 8};
  int all [NumTurns];
  for (genvar n = 0; n < NumTurns; n++) begin : gen_turn
    cell_turn #(.Count(Requests[n])) u_check (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1000 * n + 1500),
      .break_i(mutant), .all_o(all[n])
    );
  end
  int draws;
  cell_draw u_draw (.clk_i(clk), .rst_ni(rst_n), .break_i(mutant), .draws_o(draws));
  int   carries;
  logic highest;
  cell_total u_total (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 1700), .break_i(mutant), .carries_o(carries),
    .highest_o(highest)
  );

  initial begin
    read_arguments(100000);
    release_reset(3);
    repeat (int'(cycles)) @(negedge clk);
    for (int n = 0; n < NumQueues; n++)
      if (passed[n] < int'(cycles) / 10 || filled[n] < int'(cycles) / 50) $fatal(1, "queue %0d: too tame", n);
    for (int n = 0; n < NumMany; n++)
      if (many[n] < int'(cycles) / 10 || many_full[n] < int'(cycles) / 50 || most[n] < int'(cycles) / 200)
        $fatal(1, "queue of several %0d: too tame", n);
    for (int n = 0; n < NumMemories; n++)
      if (same[n] < int'(cycles) / 50 || late[n] < int'(cycles) / 200) $fatal(1, "memory %0d: too tame", n);
    for (int n = 0; n < NumOnes; n++) if (full[n] == 0) $fatal(1, "ones %0d: too tame", n);
    for (int n = 0; n < NumSizes; n++) if (high[n] < 1000) $fatal(1, "counters %0d: too tame", n);
    for (int n = 0; n < NumTimed; n++) if (meets[n] < int'(cycles) / 200) $fatal(1, "timed table %0d: too tame", n);
    if (again < int'(cycles) / 50) $fatal(1, "counts of ids: too tame");
    if (mutant == 0 && cycles >= 100_000 && of_id_0 < 65_600)
      $fatal(1, "counts of ids: %0d events of id 0", of_id_0);
    for (int n = 0; n < NumTurns; n++) if (all[n] < int'(cycles) / 10) $fatal(1, "turns %0d: too tame", n);
    if (carries < int'(cycles) / 10) $fatal(1, "total: too tame");
    if (!highest && cycles >= 100000) $fatal(1, "total: never came to bit 31");
    if (draws <= 60000 && cycles >= 100000) $fatal(1, "draws: too tame");
    pass($sformatf("%0d cycles, %0d words through the slice, %0d through a FIFO of 5",
                   cycles, passed[NumQueues-1], passed[3]));
  end
endmodule : tb_sluice_cells
