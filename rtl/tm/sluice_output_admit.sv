// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Decides which of its ports take a packet: all but those whose output lane has no room left for
/// the source lane (and the class of the packet), and those with settings.output_limit copies
/// waiting. Latency 1 cycle: the packet goes into the queues in the cycle after it asked. Up to one
/// packet a source lane and cycle.
/// Timing: how many copies a port still has room for stands in a register; a change of the limit
/// shows a cycle later.
/// Invariant: with a limit set, never more than that many copies wait for a port, though all source
/// lanes may send to it in one cycle: they rank, and the room left is for the first of them.
/// Each port has a rank of its own: a lane whose packet it takes goes behind all lanes whose packet
/// it does not take in that cycle. Example: lanes 0 and 1 want the port in every cycle, lane 3 in
/// every 8th, and there is room for one. Lane 3 is refused at most three times in a row before a
/// copy of its own is taken, whatever its period: each lane that was preferred to it stands behind
/// it from then on.
module sluice_output_admit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [10:0]                       limit_i,      // 0: none
  input  logic [NumPipes-1:0][LinePorts-1:0] ports_i,     // what each source lane's packet asks for
  input  queue_class_t [NumPipes-1:0]       queue_class_i,
  // [output lane][source lane][class]
  input  logic [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] full_i,
  input  logic [LinePorts-1:0]               sent_i,       // a copy has left through the port
  // [output lane][source lane][class]: a place is taken
  output logic [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] promised_o,
  // the cycle after
  output logic [NumPipes-1:0][LinePorts-1:0] accepted_o,   // [source lane]
  output logic [NumPipes-1:0][LinePorts-1:0] refused_o,
  output logic [LinePorts-1:0][15:0]         waiting_o     // copies accepted and not yet sent
);
  // ---- room in the memories
  logic [NumPipes-1:0][LinePorts-1:0] want, accept;
  queue_class_t [NumPipes-1:0]       class_of;
  assign class_of = OutputClasses != 0 ? queue_class_i : '0;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_want
    logic [NumPipes-1:0] room;                     // [output lane]
    for (genvar o = 0; o < NumPipes; o++) begin : gen_lane
      assign room[o] = !full_i[o][s][class_of[s]];
      assign promised_o[o][s] = OutputQueues'((accept[s] & LanePorts[o]) != '0) << class_of[s];
    end
    for (genvar p = 0; p < LinePorts; p++) begin : gen_port
      assign want[s][p] = ports_i[s][p] && room[lane_of_port(p)];
    end
  end

  // ---- limit: room_q counts what waiting_o has left of it, or is always enough
  localparam int unsigned RankBits = $clog2(NumPipes + 1);
  typedef logic [RankBits-1:0] rank_t;
  logic        limited_q;
  logic [16:0] limit_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      limited_q <= 1'b0;
      limit_q   <= '0;
    end else begin
      limited_q <= limit_q != '0;
      limit_q   <= 17'(limit_i);
    end
  end

  for (genvar p = 0; p < LinePorts; p++) begin : gen_port
    logic [NumPipes-1:0] wanted, comes;
    logic [NumPipes-1:0][NumPipes-1:0] ahead;  // [s][r]: lane r ranks before lane s
    logic [15:0]         waiting_q, less;
    logic [16:0]         room_q, left, more;   // signed: the limit may be set below what waits
    rank_t               wants, number;
    logic                enough;               // room for one of every lane
    assign enough = !limited_q || (!room_q[16] && room_q[15:0] >= 16'(NumPipes));
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      logic [NumPipes-1:0] first;
      assign first        = wanted & ahead[s];
      assign wanted[s]    = want[s][p];
      assign comes[s]     = wanted[s] && (enough
                            || (!room_q[16] && rank_t'($countones(first)) < rank_t'(room_q)));
      assign accept[s][p] = comes[s];

      // ---- rank: of two lanes, the one that the port took a packet of longer ago is first
      assign ahead[s][s] = 1'b0;
      for (genvar r = s + 1; r < NumPipes; r++) begin : gen_pair
        logic second_q;                        // lane r ranks before lane s
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni)                   second_q <= 1'b0;
          else if (comes[s] != comes[r]) second_q <= comes[s];
        end
        assign ahead[s][r] = second_q;
        assign ahead[r][s] = !second_q;
      end
    end

    // ---- copies waiting: how many come needs no ranks, the first as many as there is room for
    assign wants  = rank_t'($countones(wanted));
    assign number = enough || (!room_q[16] && wants < rank_t'(room_q)) ? wants
                  : room_q[16] ? '0 : rank_t'(room_q);
    // Written both ways, for whether a copy leaves is known late: it makes one less wait, and room
    // for one more.
    assign less   = waiting_q - 16'd1;
    assign left   = limit_q - 17'(waiting_q);
    assign more   = left + 17'd1;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waiting_q <= '0;
        room_q    <= '0;
      end else begin
        waiting_q <= sent_i[p] ? less + 16'(number) : waiting_q + 16'(number);
        room_q    <= sent_i[p] ? more - 17'(number) : left - 17'(number);
      end
    end
    assign waiting_o[p] = waiting_q;

    `SLUICE_ASSERT(SentWasWaiting_A, !sent_i[p] || waiting_q != '0)
    `SLUICE_ASSERT(NumberComes_A, number == rank_t'($countones(comes)))
    `SLUICE_ASSERT(RoomIsLeft_A, comes == '0 || enough || 17'(number) <= room_q)
`ifdef SLUICE_SIM
    // How often in a row a lane was refused though there was room for another one.
    logic [NumPipes-1:0][7:0] passed_over_q;
    logic [NumPipes-1:0]      waits_too_long;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_fair
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                       passed_over_q[s] <= '0;
        else if (comes[s])                 passed_over_q[s] <= '0;
        else if (wanted[s] && comes != '0) passed_over_q[s] <= passed_over_q[s] + 1'b1;
      end
      assign waits_too_long[s] = passed_over_q[s] >= 8'(NumPipes);
    end
    `SLUICE_ASSERT(PassedOverAtMostOnceByEach_A, waits_too_long == '0)
`endif
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accepted_o <= '0;
      refused_o  <= '0;
    end else begin
      accepted_o <= accept;
      refused_o  <= ports_i & ~accept;
    end
  end
endmodule : sluice_output_admit
