// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Chooses one of several queues so that all get the same number of beats of the line, whatever the
/// sizes of their packets: of those that ask, the one that has sent least.
/// Combinational choice, one a cycle. A beat that is sent counts in the choice 2 cycles later.
///
/// sent_q[n] counts the beats of queue n, modulo a power of two. now_q is the count that the queue
/// chosen last had at its choice. A queue that has nothing to send and stands behind now_q is set
/// to it: it keeps no credit from the time when it was silent. Of equal counts the queue that was
/// chosen longer ago is first. (Start-time fair queueing, in beats.)
/// Example: queue 0 has packets of 1 beat, queue 1 of 24. Queue 1 sends one and stands at 24; queue
/// 0 sends 24 packets, then both have 24, and it is queue 1's turn. If queue 0 sends one packet in
/// 30 cycles, it waits for one packet of queue 1 at most.
/// Weighted: queues with costs 0 and 2 get beats as 3 to 1, for a beat of the latter counts 3.
/// Invariant: while two queues always have something to send, the beats that they sent in any
/// interval differ by no more than two of the longest packets and 8 beats.
/// Weighted: what they counted, by no more than that at the larger cost.
module sluice_byte_turn #(
  parameter int unsigned Count   = 4,    // queues, 1 or more
  parameter int unsigned Longest = 144,  // beats of the longest packet
  // a beat of queue n counts 1 + costs_i[n], at most 16, in place of 1
  parameter bit          Weighted = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Count-1:0] waits_i,      // has something to send
  input  logic [Count-1:0] request_i,    // and may be chosen now
  input  logic             take_i,       // the choice counts
  output logic [Count-1:0] grant_o,      // at most one bit; none when there is no request
  input  logic [Count-1:0] beat_i,       // a beat of the queue goes to the line
  input  logic [Count-1:0][3:0] costs_i
);
  if (Count == 1) begin : gen_one
    assign grant_o = request_i;
  end else begin : gen_turn
    // Counts differ by less than half of what they can say. One that asks and is not chosen, as its
    // body is late, would fall behind more and more: it is set to now_q as well when it is a
    // quarter behind.
    localparam int unsigned CountBits = $clog2(8 * Longest * (Weighted ? 16 : 1));
    typedef logic [CountBits-1:0] count_t;

    // ---- beats sent
    count_t [Count-1:0] sent_q;
    count_t             now_q, started;
    logic   [Count-1:0] taken_q;             // chosen in the last cycle: its count is as it was
    always_comb begin
      started = '0;
      for (int unsigned n = 0; n < Count; n++) started = started | (taken_q[n] ? sent_q[n] : '0);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        taken_q <= '0;
        now_q   <= '0;
      end else begin
        taken_q <= take_i ? grant_o : '0;
        if (taken_q != '0) now_q <= started;
      end
    end
    // now_q is two cycles late, so a queue must wait that long for its count to stay as it is.
    logic [Count-1:0] waited_q, waited_q2;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {waited_q, waited_q2} <= '0;
      else         {waited_q, waited_q2} <= {waits_i, waits_i & waited_q};
    end
    for (genvar n = 0; n < Count; n++) begin : gen_count
      count_t behind, counts;
      logic   forget;
      assign behind = now_q - sent_q[n];
      assign counts = Weighted ? count_t'(costs_i[n]) + 1'b1 : count_t'(1);
      assign forget = !behind[CountBits-1] && behind != '0
          && (!(waits_i[n] && waited_q2[n]) || behind[CountBits-2]);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                  sent_q[n] <= '0;
        else if (forget || beat_i[n]) sent_q[n] <= forget ? now_q : sent_q[n] + counts;
      end
    end

    // ---- order
    logic [Count-1:0][Count-1:0] ahead;      // [n][m]: m comes before n
    for (genvar n = 0; n < Count; n++) begin : gen_queue
      assign ahead[n][n] = 1'b0;
      for (genvar m = n + 1; m < Count; m++) begin : gen_pair
        count_t apart;
        logic   less_q, same_q;              // n has sent less than m; as much
        logic   second_q;                    // n was chosen last of the two
        assign apart = sent_q[n] - sent_q[m];
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            less_q   <= 1'b0;
            same_q   <= 1'b1;
            second_q <= 1'b0;
          end else begin
            less_q <= apart[CountBits-1];
            same_q <= apart == '0;
            if (take_i && (grant_o[n] || grant_o[m])) second_q <= grant_o[n];
          end
        end
        assign ahead[n][m] = same_q ? second_q  : !less_q;
        assign ahead[m][n] = same_q ? !second_q : less_q;
      end
      assign grant_o[n] = request_i[n] && (request_i & ahead[n]) == '0;
    end
    `SLUICE_ASSERT(ChoosesOne_A, $onehot0(grant_o) && (grant_o != '0) == (request_i != '0))
    `SLUICE_ASSERT(RequestWaits_A, (request_i & ~waits_i) == '0)
  end
endmodule : sluice_byte_turn
