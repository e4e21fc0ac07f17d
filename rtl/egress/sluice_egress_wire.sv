// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Puts the copies of an output lane on the wire, behind the egress stages: header and body of each
/// wait in FIFOs, and leave beat by beat. In a chip with capsules sluice_cutout stands in front of
/// the wire, and takes out what is first in the header.
/// Latency 0 cycles, with capsules that of sluice_cutout. Throughput: a beat a cycle.
/// A copy that is discarded takes its beats out of the FIFOs like any other: the wire does not see
/// them, and does not have to be ready.
/// Room: a beat may leave the queues (room_o) only if there is room for it behind all that are on
/// their way. That is counted in beats; a copy has at least one, so its header has room, too.
/// Reset: no copy is inside.
/// Invariant: a copy leaves whole or not at all; a beat that is offered stays until it is taken.
module sluice_egress_wire
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // the queues: a beat has left them
  input  logic                  comes_i,
  output logic                  room_o,
  // the copy whose header is done
  input  logic                  valid_i,
  input  logic                  drop_i,         // discard it
  input  cutout_t               cutout_i,       // bytes that are taken out
  input  len_t                  left_i,         // the others
  input  logic [1:0]            beats_i,        // of the header: [0] one is all, [1] two are
  input  logic [7:0]            port_i,
  input  logic [31:0]           ticket_i,
  input  logic [HeaderBits-1:0] header_i,
  output logic                  pop_o,
  // its beats behind the header
  input  logic                  body_valid_i,
  input  logic                  body_last_i,
  input  logic [BeatBits-1:0]   body_i,
  output logic                  body_pop_o,
  // wire
  output tx_beat_t              tx_o,
  input  logic                  tx_ready_i,
  output sent_t                 sent_o
);
  localparam int unsigned RoomBits = $clog2(EgressRoom + 3);

  // ---- the beat that is next
  logic [RoomBits-1:0] used, used_q;            // see below
  logic                taken_q;
  typedef enum logic [1:0] {
    StFirst,    // first beat of the header
    StHeader,   // the second one
    StBody      // the rest
  } state_e;
  state_e state_q;
  logic   loaded, there, take, last, line_ready;
  logic [BeatBits-1:0] line_data;
  // The header is there with its first beat; its second one is sent when it has left the queues.
  assign loaded = used_q > RoomBits'(taken_q);
  assign there  = valid_i && (state_q == StFirst || (state_q == StBody ? body_valid_i : loaded));
  assign take   = there && (drop_i || line_ready);
  always_comb begin
    case (state_q)
      StFirst: begin
        last      = beats_i[0];
        line_data = header_i[BeatBits-1:0];
      end
      StHeader: begin
        last      = beats_i[1];
        line_data = header_i[HeaderBits-1 -: BeatBits];
      end
      default: begin
        last      = body_last_i;
        line_data = body_i;
      end
    endcase
  end
  assign body_pop_o = take && state_q == StBody;
  assign pop_o      = take && last;

  // ---- the wire
  len_t                 tx_len;
  logic [BeatBytes-1:0] line_keep;
  // Counts where nothing is taken out, so all bytes are left.
  assign line_keep = last && left_i[BeatIdxBits-1:0] != '0
      ? ~({BeatBytes{1'b1}} << left_i[BeatIdxBits-1:0]) : '1;
  sluice_cutout u_cutout (
    .clk_i, .rst_ni,
    .in_i('{valid: there && !drop_i, last: last, port: port_i, ticket: ticket_i, keep: line_keep,
            data: line_data}),
    .in_ready_o(line_ready), .in_left_i(left_i), .in_cutout_i(cutout_i),
    .out_o(tx_o), .out_ready_i(tx_ready_i), .out_len_o(tx_len)
  );
  assign sent_o = '{valid: tx_o.valid && tx_o.last && tx_ready_i, port: tx_o.port, len: tx_len};

  // ---- room: beats that have left the queues and are not yet on the wire. One that leaves the
  // queues now is not yet among them.
  assign used = used_q + RoomBits'(comes_i) - RoomBits'(taken_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StFirst;
      used_q  <= '0;
      room_o  <= 1'b0;
      taken_q <= 1'b0;
    end else begin
      if (take)
        state_q <= last ? StFirst : state_q == StFirst && HeaderBeats > 1 ? StHeader : StBody;
      used_q  <= used;
      room_o  <= used <= RoomBits'(EgressRoom - 2);
      taken_q <= take;
    end
  end

  `SLUICE_ASSERT(SentWasLoaded_A, !take || loaded)
  `SLUICE_ASSERT(RoomIsKept_A, used_q <= RoomBits'(EgressRoom))
  // The header of a copy whose next beat has not left the queues may be on the wire already.
  `SLUICE_ASSERT(NothingLeft_A,
    used_q != '0 || (!body_valid_i && (!valid_i || state_q != StFirst)))
`ifdef SLUICE_SIM
  logic                stalled_q;
  logic [BeatBits-1:0] stalled_data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stalled_q <= 1'b0;
    else         stalled_q <= tx_o.valid && !tx_ready_i;
  end
  always_ff @(posedge clk_i) stalled_data_q <= tx_o.data;
  `SLUICE_ASSERT(WireHoldsBeat_A, !stalled_q || (tx_o.valid && tx_o.data == stalled_data_q))
`endif
endmodule : sluice_egress_wire
