// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Puts the packets behind the exit in the order of their tickets, and finds the output lanes of
/// their copies.
///
/// Every admitted packet comes here once, from its lane, dropped or not: then its ticket, what
/// becomes of it and its header wait in memories of the lane, at the place of its tag. A row of
/// places is looked at in each cycle. Of the next tickets as many leave as are there, at most one
/// of each lane.
/// Example, four lanes; tickets 8, 9, 11 are there, of lanes 0, 2, 1: 8 and 9 leave. A cycle later
/// 10 comes, of lane 0; then 10 and 11 leave together.
/// Latency 5 cycles from valid_i to valid_o, 4 to ports_o; up to one packet of each lane a cycle.
/// done_o is what the window counts as the end of a packet: so a place is free before it is needed
/// again, a window later. No packet waits for another one that waits here: all that have a ticket
/// come to the exit by themselves.
/// In a chip without fast ports it is not there: packets pass in the same cycle.
module sluice_exit_order
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
(
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // from the exit
  input  logic [NumPipes-1:0][NumPorts-1:0]    ports_i,     // counts only without fast ports
  input  logic [NumPipes-1:0]                  valid_i,
  input  fate_t [NumPipes-1:0]                 fate_i,
  input  logic [NumPipes-1:0][StepBits-1:0]    header_i,
  // from the last back stage: packets that have left it; counts only without fast ports
  input  logic [NumPipes-1:0]                  done_valid_i,
  input  tag_t [NumPipes-1:0]                  done_tag_i,
  // window: packets that have left
  output logic [NumPipes-1:0]                  done_valid_o,
  output tag_t [NumPipes-1:0]                  done_tag_o,
  // to the traffic manager, the output lanes a cycle before the packet
  output logic [NumPipes-1:0][LinePorts-1:0]   ports_o,
  output logic [NumPipes-1:0]                  valid_o,
  output fate_t [NumPipes-1:0]                 fate_o,
  output logic [NumPipes-1:0][StepBits-1:0]    header_o,
  output logic [NumPipes-1:0][NumPipes-1:0]    before_o,    // [l][k]: that of lane k is before it
  // copies that the traffic manager has taken, with valid_o; beats that leave its output lanes
  input  logic [NumPipes-1:0][LinePorts-1:0]   accepted_i,
  input  logic [NumPipes-1:0]                  beat_i
);
  if (FastLanes == 0) begin : gen_none
    assign done_valid_o = done_valid_i;
    assign done_tag_o   = done_tag_i;
    assign ports_o      = ports_i;
    assign valid_o      = valid_i;
    assign fate_o       = fate_i;
    assign header_o     = header_i;
    assign before_o     = '0;
  end else begin : gen_order
    localparam int unsigned Row       = 2 * NumPipes < Window ? 2 * NumPipes : Window;
    localparam int unsigned RowShift  = $clog2(Row);
    localparam int unsigned WinBits   = $clog2(Window);
    localparam int unsigned Rows      = Window / Row;
    typedef logic [WinBits-1:0]           place_t;
    typedef logic [RowShift-1:0]          spot_t;     // in its row
    typedef logic [TagBits-RowShift-1:0]  row_tag_t;  // number of a row, and its lap
    typedef logic [index_bits(Rows)-1:0]  row_number_t;

    // ---- 1: who is there, and who leaves
    logic [NumPipes-1:0][Rows-1:0][Row-1:0] there_q;  // one bit, of the lane that has the packet
    row_tag_t                               row_q;    // of the next ticket
    row_number_t                            number;
    logic [Row-1:0]                         gone_q, leaves;
    logic [NumPipes-1:0][Row-1:0]           here;
    place_t [NumPipes-1:0]                  comes;    // places
    assign number = Rows > 1 ? row_number_t'(row_q) : '0;

    always_comb begin
      logic [NumPipes-1:0] taken;
      logic                going;
      taken  = '0;
      going  = 1'b1;
      leaves = '0;
      for (int unsigned l = 0; l < NumPipes; l++) here[l] = there_q[l][number];
      for (int unsigned i = 0; i < Row; i++) begin
        logic [NumPipes-1:0] lane;
        for (int unsigned l = 0; l < NumPipes; l++) lane[l] = here[l][i];
        // Where one has gone, one of the next lap may be there already.
        if (!gone_q[i]) begin
          going     = going && lane != '0 && (lane & taken) == '0;
          leaves[i] = going;
          taken     = taken | lane;
        end
      end
    end

    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      assign comes[l] = place_t'(fate_i[l].ticket);
      for (genvar r = 0; r < Rows; r++) begin : gen_row
        logic [Row-1:0] set, clear;
        assign set   = valid_i[l] && row_number_t'(32'(comes[l]) >> RowShift) == row_number_t'(r)
            ? Row'(1) << spot_t'(comes[l]) : '0;
        assign clear = number == row_number_t'(r) ? leaves : '0;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) there_q[l][r] <= '0;
          else         there_q[l][r] <= (there_q[l][r] & ~clear) | set;
        end
      end
      `SLUICE_ASSERT(PlaceIsFree_A, !valid_i[l]
          || !there_q[l][row_number_t'(32'(comes[l]) >> RowShift)][spot_t'(comes[l])])
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        row_q  <= '0;
        gone_q <= '0;
      end else if ((gone_q | leaves) == '1) begin
        row_q  <= row_q + 1'b1;
        gone_q <= '0;
      end else begin
        gone_q <= gone_q | leaves;
      end
    end

    // ---- 2: of each lane the packet that leaves; its fate is read
    logic [NumPipes-1:0]               valid_q2, valid_q3, valid_q4, valid_q5;
    spot_t [NumPipes-1:0]              spot, spot_q2;
    row_tag_t                          row_q2;
    place_t [NumPipes-1:0]             place, place_q3, place_q4;
    logic [NumPipes-1:0][NumPipes-1:0] earlier, before_q3, before_q4, before_q5;
    fate_t [NumPipes-1:0]              fate_q3, fate_q4, fate_q5;
    logic [NumPipes-1:0][LinePorts-1:0] lines, lines_q4;
    always_comb begin
      spot = '0;
      for (int unsigned l = 0; l < NumPipes; l++)
        for (int unsigned i = 0; i < Row; i++)
          if (leaves[i] && here[l][i]) spot[l] = spot[l] | spot_t'(i);
      for (int unsigned l = 0; l < NumPipes; l++)
        for (int unsigned k = 0; k < NumPipes; k++)
          earlier[l][k] = valid_q2[k] && spot_q2[k] < spot_q2[l];
    end
    for (genvar l = 0; l < NumPipes; l++) begin : gen_memory
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q2[l] <= 1'b0;
        else         valid_q2[l] <= (here[l] & leaves) != '0;
      end
      assign done_valid_o[l] = valid_q2[l];
      assign done_tag_o[l]   = {row_q2, spot_q2[l]};
      assign place[l]        = place_t'(done_tag_o[l]);
      sluice_ram #(.Depth(Window), .Width($bits(fate_t))) u_fates (
        .clk_i,
        .we_i(valid_i[l]),  .waddr_i(comes[l]), .wdata_i(fate_i[l]),
        .re_i(valid_q2[l]), .raddr_i(place[l]), .rdata_o(fate_q3[l])
      );
      sluice_ram #(.Depth(Window), .Width(StepBits)) u_headers (
        .clk_i,
        .we_i(valid_i[l]),  .waddr_i(comes[l]),    .wdata_i(header_i[l]),
        .re_i(valid_q4[l]), .raddr_i(place_q4[l]), .rdata_o(header_o[l])
      );
      `SLUICE_ASSERT(TicketOfItsPlace_A,
          !valid_q3[l] || place_t'(fate_q3[l].ticket) == place_q3[l])
    end

    // ---- 3: the output lanes of the copies; 4: ports_o; 5: the packet
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      logic [NumPipes-1:0]                wants;
      logic [NumPipes-1:0][FastLanes-1:0] to, accepted;
      for (genvar l = 0; l < NumPipes; l++) begin : gen_source
        assign wants[l]    = valid_q3[l] && fate_q3[l].ports[p];
        assign lines[l][p*FastLanes +: FastLanes] = to[l];
        assign accepted[l] = accepted_i[l][p*FastLanes +: FastLanes];
      end
      sluice_deal_copies u_copies (
        .clk_i, .rst_ni, .wants_i(wants), .before_i(before_q3), .to_o(to),
        .accepted_i(accepted), .fate_i(fate_q5), .beat_i(beat_i[p*FastLanes +: FastLanes])
      );
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q3 <= '0;
        valid_q4 <= '0;
        valid_q5 <= '0;
        lines_q4 <= '0;
      end else begin
        valid_q3 <= valid_q2;
        valid_q4 <= valid_q3;
        valid_q5 <= valid_q4;
        lines_q4 <= lines;
      end
    end
    always_ff @(posedge clk_i) begin
      spot_q2   <= spot;
      row_q2    <= row_q;
      place_q3  <= place;
      place_q4  <= place_q3;
      before_q3 <= earlier;
      before_q4 <= before_q3;
      before_q5 <= before_q4;
      fate_q4   <= fate_q3;
      fate_q5   <= fate_q4;
    end
    assign ports_o  = lines_q4;
    assign valid_o  = valid_q5;
    assign fate_o   = fate_q5;
    assign before_o = before_q5;

    logic [Row-1:0] any;
    always_comb begin
      any = '0;
      for (int unsigned l = 0; l < NumPipes; l++) any = any | here[l];
    end
    `SLUICE_ASSERT(LeavesIfThere_A, (leaves & ~any) == '0)
  end
endmodule : sluice_exit_order
