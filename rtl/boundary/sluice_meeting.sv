// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Where phantom and packet meet: for the two phantoms at the front of an order queue, where their
/// packets are, if they are there: bank or escape slot, slot in the bank, next route. So all that
/// the issue decision needs to know of the head comes from registers.
/// A phantom's packet is searched once among those that are stored, when it enters the queue's
/// registers; from then on whatever comes is compared with it.
/// Latency: a packet that comes in t, and whose phantom is at the head in t+1, is there in t+1.
/// Throughput: one entering phantom, and one packet of each source, a cycle.
/// Timing: the pop comes late in its cycle; it only chooses between the next states.
/// Invariant: a packet with a phantom leaves only when that is popped, so what was found stays.
module sluice_meeting
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  parameter int unsigned Depth = BankDepth,        // slots of a bank
  localparam int unsigned Places    = NumPipes + 1,   // the banks, and behind them the escape slot
  localparam int unsigned SlotIndexBits = $clog2(Depth)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // the order queue: its two registers, and what enters the first that is free after a pop
  input  logic                                   head_i,           // valid, and a phantom
  input  tag_t                                   head_tag_i,
  input  logic                                   stay_i,           // the head's register is in use
  input  logic                                   pop_i,
  input  logic                                   second_valid_i,
  input  logic                                   second_i,         // valid, and a phantom
  input  tag_t                                   second_tag_i,
  input  logic                                   enter_i,          // a phantom
  input  tag_t                                   enter_tag_i,
  // its packet, where it is stored
  input  logic   [Places-1:0]                    found_i,
  input  logic   [NumPipes-1:0][SlotIndexBits-1:0] found_slot_i,   // 0 if it is not there
  input  route_t [Places-1:0]                    found_next_i,     // 0 likewise
  // packets with a phantom that come in this cycle, by their source
  input  logic   [NumPipes-1:0]                  come_i,
  input  logic   [NumPipes-1:0]                  come_escape_i,
  input  tag_t   [NumPipes-1:0]                  come_tag_i,
  input  logic   [NumPipes-1:0][SlotIndexBits-1:0] come_slot_i,
  input  route_t [NumPipes-1:0]                  come_next_i,
  // the head's packet
  output logic   [Places-1:0]                    where_o,          // nowhere: not there yet
  output logic   [SlotIndexBits-1:0]             slot_o,
  output route_t                                 next_o
);
  typedef logic [Places-1:0] place_t;              // one bit at most
  typedef struct packed {
    logic [SlotIndexBits-1:0] slot;
    route_t                   next;
  } detail_t;                                      // all 0 if there is no place
  place_t  head_place_q, second_place_q, head_place, second_place, enter_place;
  detail_t head_q, second_q, head, second, enter;

  // ---- what comes, compared with all three
  place_t  [2:0] come_place;
  detail_t [2:0] come;
  tag_t    [2:0] tag;
  assign tag = {enter_tag_i, second_tag_i, head_tag_i};
  for (genvar e = 0; e < 3; e++) begin : gen_entry
    always_comb begin
      come_place[e] = '0;
      come[e]       = '0;
      for (int unsigned s = 0; s < NumPipes; s++)
        if (come_i[s] && come_tag_i[s] == tag[e]) begin
          if (come_escape_i[s]) come_place[e][NumPipes] = 1'b1;
          else                  come_place[e][s]        = 1'b1;
          come[e] |= {come_slot_i[s], come_next_i[s]};
        end
    end
  end

  always_comb begin
    head_place   = head_place_q   | (head_i   ? come_place[0] : '0);
    second_place = second_place_q | (second_i ? come_place[1] : '0);
    head         = head_q         | (head_i   ? come[0]       : '0);
    second       = second_q       | (second_i ? come[1]       : '0);
    enter_place  = enter_i ? come_place[2] | found_i : '0;
    enter        = come[2];
    for (int unsigned s = 0; s < NumPipes; s++) enter.slot |= found_slot_i[s];
    for (int unsigned s = 0; s < Places; s++)   enter.next |= found_next_i[s];
    if (!enter_i) enter = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_place_q   <= '0;
      second_place_q <= '0;
    end else begin
      head_place_q   <= stay_i && !pop_i ? head_place
                      : second_valid_i ? second_place : enter_place;
      second_place_q <= second_valid_i ? second_place : enter_place;
    end
  end
  always_ff @(posedge clk_i) begin
    head_q   <= stay_i && !pop_i ? head : second_valid_i ? second : enter;
    second_q <= second_valid_i ? second : enter;
  end
  assign where_o = head_place_q;
  assign slot_o  = head_q.slot;
  assign next_o  = head_q.next;

  // ---- assertions: what is known of the head is what has come
  `SLUICE_ASSERT(MetOnce_A, $onehot0(head_place_q) && $onehot0(second_place_q))
`ifdef SLUICE_SIM
  logic [(1 << TagBits)-1:0] there_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) there_q <= '0;
    else begin
      if (pop_i && head_i) there_q[head_tag_i] <= 1'b0;
      for (int unsigned s = 0; s < NumPipes; s++) if (come_i[s]) there_q[come_tag_i[s]] <= 1'b1;
    end
  end
  `SLUICE_ASSERT(HeadIsKnown_A, !head_i || there_q[head_tag_i] == (head_place_q != '0))
  `SLUICE_ASSERT(SecondIsKnown_A, !second_i || there_q[second_tag_i] == (second_place_q != '0))
`endif
endmodule : sluice_meeting
