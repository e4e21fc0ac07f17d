// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_move_candidate: scans of random indices, some of which are sent home meanwhile.
/// The model keeps all that was scanned, with its cycle. Checked in every cycle: the best is the
/// one that the rule names among those scanned two cycles ago or earlier, the first of equal ones;
/// one that was sent home is not, and once the best was, what came before it counts no more.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_move_candidate;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  typedef logic [AccessCountBits-1:0] count_t;
  typedef logic [RelocationBits-1:0]  entry_t;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  typedef struct packed {
    logic       start, valid, moving, high, allowed, sent;
    candidate_t scan;
    count_t     limit, worth;
    entry_t     sent_entry;
  } inputs_t;
  inputs_t    in, dut = '0;
  candidate_t best;
  sluice_move_candidate u_dut (
    .clk_i(clk), .rst_ni(rst_n), .start_i(dut.start), .valid_i(dut.valid), .scan_i(dut.scan),
    .moving_i(dut.moving), .high_i(dut.high), .allowed_i(dut.allowed), .limit_i(dut.limit),
    .worth_i(dut.worth), .sent_i(dut.sent), .sent_entry_i(dut.sent_entry), .best_o(best)
  );
  always_ff @(posedge apply) begin
    dut <= in;
    case (mutant)
      1: dut.sent <= 1'b0;
      2: dut.limit <= '1;
      3: dut.moving <= 1'b0;
      4: dut.worth <= '0;
      5: dut.start <= 1'b0;
      default: ;
    endcase
  end

  typedef struct packed {candidate_t index; int when;} scanned_t;
  // what fits, of this scan, in the order of the scan
  scanned_t   seen [$];
  candidate_t expected = '0;
  int         founds = 0, sent_best = 0, sent_other = 0, turns = 0, rate_sent = 0;

  initial begin
    read_arguments(40000);
    in = '0;
    release_reset(2);
    while (now < int'(cycles)) begin
      if (best != expected)
        fail($sformatf("best: count %0d entry %0d %b, expected count %0d entry %0d %b", best.count,
            best.entry,
                       best.found, expected.count, expected.entry, expected.found));
      // inputs
      in.start = now % 64 == 0;
      if (in.start) begin
        in.limit  = count_t'(rnd(3) == 0 ? 1000 : 20 + rnd(60));
        in.worth  = count_t'(rnd(40));
        rate_sent = rnd(2) == 0 ? 0 : 10 + rnd(30);
      end
      in.valid      = rnd(3) != 0;
      in.moving     = rnd(8) == 0;
      in.high       = rnd(4) != 0;
      in.allowed    = rnd(8) != 0;
      in.scan       = '{first: rnd(4) == 0, found: rnd(2) == 0,
          entry: entry_t'(rnd(1 << RelocationBits)),
                        row: row_t'(rnd(int'(NumModules))), home: '0, count: count_t'(rnd(100))};
      in.scan.home.slot = slot_t'(now);
      in.sent       = rnd(100) < rate_sent;
      in.sent_entry = entry_t'(rnd(1 << RelocationBits));
      if (in.sent && rnd(3) == 0) in.sent_entry = expected.entry;
      if (in.sent && rnd(4) == 0) in.sent_entry = in.scan.entry;
      if (in.sent && rnd(4) == 0
          && seen.size() != 0) in.sent_entry = seen[seen.size()-1].index.entry;
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      // the model. What is sent home is taken out, also of what was scanned in this cycle.
      if (in.start) seen.delete();
      if (in.sent && expected.found && expected.entry == in.sent_entry) begin
        // All that was compared with it is gone; what was scanned in the cycle before, too.
        seen.delete();
        sent_best++;
      end
      for (int i = seen.size() - 1; i >= 0; i--)
        if (in.sent && seen[i].index.found && seen[i].index.entry == in.sent_entry) begin
          seen.delete(i);
          sent_other++;
        end
      if (in.valid && !in.moving && in.high && in.allowed && in.scan.count != '0
          && in.scan.count <= in.limit
          && !(in.sent && in.scan.found && in.scan.entry == in.sent_entry)) begin
        scanned_t s;
        s.index       = in.scan;
        s.index.first = in.scan.first && in.scan.count >= in.worth;
        s.when        = now;
        seen.push_back(s);
      end
      expected = '0;
      for (int i = 0; i < seen.size(); i++)
        if (seen[i].when < now
            && (seen[i].index.first == expected.first ? seen[i].index.count > expected.count
                                                                         : seen[i].index.first))
          expected = seen[i].index;
      founds += int'(expected.found);
      turns  += int'(expected.first);
      tick();
    end
    if (founds < 1000 || sent_best < 50 || sent_other < 50 || turns < 1000)
      fail($sformatf("the traffic was too tame: %0d, %0d, %0d, %0d", founds, sent_best, sent_other,
          turns));
    pass($sformatf("%0d times the best was sent home, %0d times another one", sent_best,
        sent_other));
  end
endmodule : tb_sluice_move_candidate
