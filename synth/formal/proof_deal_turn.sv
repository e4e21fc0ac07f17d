// SPDX-License-Identifier: Apache-2.0

/// Proof: the rule of dealing gives every lane its turn, and passes over those with much to do.
///
/// Four lanes, up to four packets a cycle, lanes with 2 beats more than the least are passed over.
/// What waits in front of lanes may be anything in any cycle. The solver chooses two lanes. Shown:
/// a packet goes only to a lane that was less than Slack above the least (as both were when the
/// rule looked: one cycle before, and two), unless there was none; and while the watched lane is
/// such a lane, the other one gets no second packet before the watched one gets its own. If all
/// lanes are, the list is the lanes by their numbers, from the turn on.
/// BREAK: 1 a packet that is dealt does not count, 2 lane 0 says that nothing waits there, 3 lanes
/// with 2 beats more are not passed over.
`ifndef BREAK
`define BREAK 0
`endif
module proof_deal_turn #(
  localparam int unsigned Lanes     = 4,
`ifdef OTHER
  localparam int unsigned CountBits = 5,
  localparam int unsigned Slack     = 4
`else
  localparam int unsigned CountBits = 3,
  localparam int unsigned Slack     = 2
`endif
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic [Lanes-1:0][CountBits-1:0] waiting_i,
  input logic [2:0]                      dealt_i,
  input logic [1:0]                      watched_i,  // the solver's choice, held by an assumption
  input logic [1:0]                      other_i,    // and this one
  input logic                            slip_i      // when a broken twin goes wrong
);
  typedef logic [1:0] lane_t;

  logic  [Lanes-1:0][CountBits-1:0] waiting;
  lane_t [Lanes-1:0]                list;
  logic  [2:0]                      dealt;
  always_comb begin
    waiting = waiting_i;
    if (`BREAK == 2 && slip_i) waiting[0] = '0;
  end
  assign dealt = `BREAK == 1 && slip_i && dealt_i != '0 ? dealt_i - 1'b1 : dealt_i;
  sluice_deal_turn #(.Lanes(Lanes), .Dealt(Lanes), .CountBits(CountBits),
                     .Slack(`BREAK == 3 ? Slack + 1 : Slack)) u_dut (
    .clk_i, .rst_ni, .waiting_i(waiting), .list_o(list), .dealt_i(dealt)
  );

  // ---- lanes that have little to do
  logic [Lanes-1:0][CountBits-1:0] waiting_q;
  logic [CountBits-1:0]            least, least_q, before_q;
  logic [Lanes-1:0]                light;
  always_comb begin
    least = '1;
    for (int unsigned l = 0; l < Lanes; l++) if (waiting_i[l] < least) least = waiting_i[l];
    for (int unsigned l = 0; l < Lanes; l++)
      light[l] = 32'(waiting_q[l]) < 32'(before_q) + Slack;
    if (light == '0) light = '1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      least_q   <= '0;
      before_q  <= '0;
    end else begin
      waiting_q <= waiting_i;
      least_q   <= least;
      before_q  <= least_q;
    end
  end

  // ---- the other lane's packets since the watched one had its last, or could not have one
  logic [1:0] since_d, since_q;
  logic       twice, heavy, ascends;
  always_comb begin
    since_d = light[watched_i] ? since_q : '0;
    twice   = 1'b0;
    heavy   = 1'b0;
    ascends = 1'b1;
    for (int unsigned n = 0; n < Lanes; n++) begin
      if (dealt_i > 3'(n)) begin
        if (!light[list[n]]) heavy = 1'b1;
        if (list[n] == watched_i)                         since_d = '0;
        else if (list[n] == other_i && light[watched_i]) begin
          if (since_d != '0) twice = 1'b1;
          since_d = 2'd1;
        end
      end
      if (list[n] != list[0] + lane_t'(n)) ascends = 1'b0;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) since_q <= '0;
    else         since_q <= since_d;
  end

  lane_t watched_q, other_q, turn;
  assign turn = u_dut.turn_q;
  always_ff @(posedge clk_i) begin
    watched_q <= watched_i;
    other_q   <= other_i;
  end
  always_comb begin
    assume (watched_i == watched_q && other_i == other_q && watched_i != other_i);
    assume (dealt_i <= 3'(Lanes));
    if (rst_ni) begin
      Light_A   : assert (!heavy);
      Turn_A    : assert (!twice);
      Ascends_A : assert (light != '1 || ascends);
      // helpers: from the turn on, the watched one is before the other that has had its packet
      if (`BREAK == 0) begin
        assert (since_q == '0 || (since_q == 2'd1
                                  && lane_t'(watched_i - turn) < lane_t'(other_i - turn)));
        assert (u_dut.light_q == light && u_dut.least_q == least_q);
      end
    end
  end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: both are light alone; the watched one gets a packet behind the other's
  always_ff @(posedge clk_i)
    if (rst_ni) Passed_C : cover ($countones(light) == 2 && light[watched_i] && light[other_i]
                                  && since_q == 2'd1 && dealt_i == 3'd3);
endmodule : proof_deal_turn
