// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Counts the packets inside, by overlay row and bank: a bank of a module may change when none is
/// left (docs/banks.md). Up when the filter of a lane lets a packet pass, down when it is lost at
/// the order point (dropped for overload, or discarded by a front stage), or when the last table
/// that it reads has been read, in the exit. At a guarded flip a packet can go over to the other
/// bank at the order point (sluice_flip_guard): down in the one entry, up in the other.
/// In a chip with egress stages these have tables of the bank, too. There a packet is inside until
/// the queues take it, and from then on each of its copies is, until the last table of the egress
/// has been read for it. Example: a packet goes to three ports: 1 becomes 3 in one cycle, and 0
/// when the third copy has passed the stages.
/// Latency: an event in cycle t shows in `inside_o` in t + 2. Throughput: an event of each kind a
/// lane and cycle.
/// In a chip with one bank it is not there: nobody counts as inside.
/// Reset: nobody is inside.
/// Example: two lanes let a packet of row 5, bank 1 pass in cycle 0, and one such packet leaves in
/// cycle 7. Entry {1, 5} counts 2 from cycle 2 on and 1 from cycle 9 on.
/// One counter an entry, which adds what all lanes report: each lane with counters of its own would
/// take k times as many flip-flops.
/// The events of a cycle are counted for each entry, and added to its number in the next cycle.
/// inside_o looks at the result of that addition, before the register.
/// Invariant: the result is the number of packets of the entry inside, two cycles ago; so it is
/// never below 0.
module sluice_bank_counts
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_stage_pkg::*;
#(
  localparam int unsigned Entries = 1 << $bits(overlay_t)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  bank_event_t [NumPipes-1:0]  enter_i,     // [lane]
  input  bank_event_t [NumPipes-1:0]  lost_i,      // at the order point
  input  bank_event_t [NumPipes-1:0]  turned_i,    // goes over from this bank to the other one
  input  bank_event_t [NumPipes-1:0]  leave_i,     // in the exit
  input  bank_copies_t [NumPipes-1:0] copies_i,    // ... and becomes so many copies for the egress
  input  bank_event_t [NumPipes-1:0]  past_i,      // a copy has passed the egress
  input  logic                        early_i,     // test fault: one packet is none
  output logic [Entries-1:0]          inside_o     // [{bank, row}]
);
  if (Banks == 1) begin : gen_none
    assign inside_o = '0;
  end else begin : gen_counts
    // As many packets as the buffers of all lanes hold; then as many copies as the queues do.
    localparam int unsigned Most = NumPipes * HeaderSlots
        + (EgressStages != 0 ? NumPipes * OutputDepth * NumPorts
                               + NumPipes * (EgressRoom + 4) : 0);
    typedef logic [$clog2(Most+1)-1:0] count_t;
    // What one cycle brings, at most: all lanes let a packet in, turn one, and make copies.
    localparam int unsigned MostUp = NumPipes * (2 + (EgressStages != 0 ? NumPorts : 0));
    typedef logic [$clog2(MostUp+1)-1:0]     up_t;
    typedef logic [$clog2(4*NumPipes+1)-1:0] down_t;

    // ---- events, registered
    bank_event_t [NumPipes-1:0] enter_q, lost_q, leave_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        enter_q <= '0;
        lost_q  <= '0;
        leave_q <= '0;
      end else begin
        enter_q <= enter_i;
        lost_q  <= lost_i;
        leave_q <= leave_i;
      end
    end

    // ---- an event of each lane, decoded
    logic [NumPipes-1:0][Entries-1:0] enters, lost, from, to, leaves;
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      assign enters[l] = Entries'(enter_q[l].valid) << enter_q[l].overlay;
      assign lost[l]   = Entries'(lost_q[l].valid)  << lost_q[l].overlay;
      assign leaves[l] = Entries'(leave_q[l].valid) << leave_q[l].overlay;
    end

    // Copies: a number a lane, and who leaves.
    bank_copies_t [NumPipes-1:0]              copies_q;
    logic [NumPipes-1:0][Entries-1:0]         copied, past;
    if (EgressStages != 0) begin : gen_copies
      bank_event_t [NumPipes-1:0] past_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) {copies_q, past_q} <= '0;
        else         {copies_q, past_q} <= {copies_i, past_i};
      end
      for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
        assign copied[l] = Entries'(copies_q[l].count != '0) << copies_q[l].overlay;
        assign past[l]   = Entries'(past_q[l].valid) << past_q[l].overlay;
      end
    end else begin : gen_no_copies
      assign copies_q      = '0;
      assign copied        = '0;
      assign past          = '0;
    end

    // Who turns goes over to the other half of the entries.
    if (FlipGuard != 0) begin : gen_turned
      bank_event_t [NumPipes-1:0] turned_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) turned_q <= '0;
        else         turned_q <= turned_i;
      end
      for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
        assign from[l] = Entries'(turned_q[l].valid) << turned_q[l].overlay;
        assign to[l]   = {from[l][Entries/2-1:0], from[l][Entries-1:Entries/2]};
      end
    end else begin : gen_none
      assign from          = '0;
      assign to            = '0;
    end

    // ---- sums of a cycle, and counters. In most cycles nothing happens to most entries: those
    // hold.
    logic [Entries-1:0] happens, happens_q;
    always_comb begin
      happens = '0;
      for (int unsigned l = 0; l < NumPipes; l++)
        happens |= enters[l] | lost[l] | from[l] | to[l] | leaves[l] | copied[l] | past[l];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) happens_q <= '0;
      else         happens_q <= happens;
    end
    for (genvar e = 0; e < Entries; e++) begin : gen_entry
      logic [2*NumPipes-1:0] up;
      logic [4*NumPipes-1:0] down;
      up_t                   ups, ups_q, made, made_q;    // made: copies
      down_t                 downs, downs_q;
      count_t                count_q, count;
      for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
        assign up[2*l +: 2]   = {enters[l][e], to[l][e]};
        assign down[4*l +: 4] = {lost[l][e], from[l][e], leaves[l][e], past[l][e]};
      end
      always_comb begin
        ups   = '0;
        made  = '0;
        downs = '0;
        if (`SLUICE_WHEN(happens[e])) begin
          ups   = up_t'($countones(up));
          downs = down_t'($countones(down));
          for (int unsigned l = 0; l < NumPipes; l++)
            made = made + (EgressStages != 0 && copied[l][e] ? up_t'(copies_q[l].count) : '0);
        end
      end

      assign count = !happens_q[e] ? count_q
                   : count_q + count_t'(ups_q) + count_t'(made_q) - count_t'(downs_q);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)           count_q <= '0;
        else if (happens_q[e]) count_q <= count;
      end
      always_ff @(posedge clk_i) if (happens[e]) begin
        ups_q   <= ups;
        made_q  <= made;
        downs_q <= downs;
      end
      assign inside_o[e] = count > count_t'(early_i);

      `SLUICE_ASSERT(NobodyLeavesTwice_A, !happens_q[e]
          || 32'(count_q) + 32'(ups_q) + 32'(made_q) >= 32'(downs_q))
      `SLUICE_ASSERT(CountsAll_A, !happens_q[e] || 32'(count) <= Most)
    end
  end
endmodule : sluice_bank_counts
