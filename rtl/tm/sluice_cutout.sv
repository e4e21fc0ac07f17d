// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Takes the first `cutout` bytes out of each packet of a stream of beats, fills what is then
/// shorter than 64 bytes up to 64 with zeros, and says with each beat how long the packet now is.
///
/// Latency 1 cycle for a packet of which nothing is taken out, 2 for one whose bytes come from two
/// beats. Throughput: one beat a cycle. A packet takes as many cycles as it has beats when it
/// comes, and one more only if a packet of which nothing is taken out, or of one beat, follows it
/// at once, and the last of its beats that leave has no beat that comes beside it. `out_ready_i`
/// reaches `in_ready_o` in the same cycle.
/// Reset: nothing is held; the next beat is the first of a packet.
///
/// Every beat is turned by cutout modulo 64 bytes as it comes. A beat that leaves has its first
/// bytes from the turned beat before (rest_q), the others from the one that comes.
/// Example: 128 bytes, cutout 18. Beat 0 (bytes 0 to 63) is turned by 18 and kept: 18 .. 63, 0 ..
/// 17. With beat 1 the first beat leaves: bytes 18 to 63 of what was kept, and 64 to 81 of beat 1.
/// In the next cycle, in which beat 0 of the next packet may come, the rest leaves: 82 to 127, and
/// 18 bytes that do not count: 110 bytes in all. Example: 70 bytes, cutout 18, leave as one beat:
/// bytes 18 to 69 and 12 zeros. Example: cutout 84: beat 0 is not used, beat 1 is turned by 20.
/// In a chip without capsules, and with Here 0, it is not there: beats pass in the same cycle, with
/// the bytes that in_keep_i says.
/// The first CapsuleHead bytes behind `cutout` always count, even if they reach one byte behind the
/// packet's end (sluice_capsule_exit).
/// Invariant: a beat that is offered stays until it is taken. Bytes behind the end of a packet come
/// as anything, and leave as 0.
module sluice_cutout
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
#(
  parameter bit Here = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // a packet's beats; all but the data is the same for all of them
  input  tx_beat_t             in_i,           // keep counts only where nothing is taken out
  output logic                 in_ready_o,
  input  len_t                 in_left_i,      // its length less in_cutout_i
  input  cutout_t              in_cutout_i,    // even; at most 84, and what is behind byte 44
  // what is left of it
  output tx_beat_t             out_o,
  input  logic                 out_ready_i,
  output len_t                 out_len_o       // as it leaves
);
  if (Active == 0 || !Here) begin : gen_wires
    assign in_ready_o = out_ready_i;
    assign out_o      = in_i;
    assign out_len_o  = in_left_i;
  end else begin : gen_cutout
    typedef logic [BeatIdxBits-1:0] turn_t;

    // ---- the beat that comes
    logic                first_q;                // it is the first of its packet
    logic                held_q;                 // rest_q holds bytes of its packet
    logic                flush_q;                // rest_q holds the end of the packet before
    logic                begun_q, begun;         // a beat of its packet has left
    logic                skip, gives, take, free, flush;
    logic [BeatBits-1:0] turned, rest_q;
    turn_t               turn;
    assign turn = in_cutout_i[BeatIdxBits-1:0];
    assign skip = first_q && 32'(in_cutout_i) >= BeatBytes;
    // A beat leaves with it. The last beat needs no other to come.
    assign gives      = !skip && (held_q || turn == '0 || in_i.last);
    assign free       = !out_o.valid || out_ready_i;
    assign in_ready_o = flush_q ? free && !gives : free || !gives;
    assign take       = in_i.valid && in_ready_o;
    assign flush      = flush_q && free;

    always_comb begin
      turned = in_i.data;
      for (int unsigned v = 1; v < BeatIdxBits; v++)
        if (turn[v]) turned = BeatBits'({turned, turned} >> (8 << v));
    end

    // ---- bytes of its packet that have not left, and of all of it
    len_t start, left, left_q, size, size_q, leaving;
    logic more;                                  // behind the beat that leaves with it
    assign start = in_left_i < len_t'(CapsuleHead) ? len_t'(CapsuleHead) : in_left_i;
    assign left  = first_q ? start : left_q;
    assign size  = !first_q ? size_q
                 : in_left_i < len_t'(MinBytes) ? len_t'(MinBytes) : in_left_i;
    assign more  = left > len_t'(BeatBytes);
    assign begun = begun_q && !first_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        first_q <= 1'b1;
        held_q  <= 1'b0;
        flush_q <= 1'b0;
      end else begin
        if (take) begin
          first_q <= in_i.last;
          held_q  <= !in_i.last && !skip && turn != '0;
        end
        flush_q <= (flush_q && !flush) || (take && gives && in_i.last && more);
      end
    end
    logic [7:0]  port_q;
    logic [31:0] ticket_q;
    always_ff @(posedge clk_i) if (take) begin
      begun_q  <= begun || gives;
      left_q   <= gives ? left - len_t'(BeatBytes) : left;
      size_q   <= size;
      port_q   <= in_i.port;
      ticket_q <= in_i.ticket;
      rest_q   <= turned;
    end

    // ---- the beat that leaves
    logic [BeatBytes-1:0] counts, out_keep_q;    // bytes of the packet
    logic [BeatBits-1:0]  data, out_data_q;
    logic [7:0]           out_port_q;
    logic [31:0]          out_ticket_q;
    logic                 out_valid_q, out_last_q;
    assign leaving = flush_q ? left_q : left;
    assign counts  = leaving >= len_t'(BeatBytes) ? '1
                   : ~({BeatBytes{1'b1}} << leaving[BeatIdxBits-1:0]);
    always_comb begin
      for (int unsigned b = 0; b < BeatBytes; b++)
        data[8*b +: 8] = !counts[b] ? '0
            : flush_q || (held_q && 32'(turn) < BeatBytes - b) ? rest_q[8*b +: 8]
            : turned[8*b +: 8];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_valid_q <= 1'b0;
      else         out_valid_q <= flush || (take && gives) || !free;
    end
    always_ff @(posedge clk_i) if (flush || (take && gives)) begin
      out_last_q   <= leaving <= len_t'(BeatBytes);
      out_data_q   <= data;
      out_keep_q   <= flush_q || begun ? counts : counts | {BeatBytes{leaving < len_t'(MinBytes)}};
      out_port_q   <= flush_q ? port_q : in_i.port;
      out_ticket_q <= flush_q ? ticket_q : in_i.ticket;
      out_len_o    <= flush_q ? size_q : size;
    end
    assign out_o = '{valid: out_valid_q, last: out_last_q, port: out_port_q, ticket: out_ticket_q,
                     keep: out_keep_q, data: out_data_q};

    `SLUICE_ASSERT(CutoutIsEven_A, !in_i.valid || !in_cutout_i[0])
    `SLUICE_ASSERT(HeadIsLeft_A, !(in_i.valid && first_q)
        || (32'(in_left_i) + 1 >= CapsuleHead
        && 32'(in_left_i) + 32'(in_cutout_i) < 2**$bits(len_t)))
    `SLUICE_ASSERT(NothingCutPassesAtOnce_A, !(take && in_cutout_i == '0) || gives)
    // What is kept of a last beat is never more than one beat.
    `SLUICE_ASSERT(OneBeatBehindTheLast_A, !(take && gives && in_i.last)
        || (turn == '0 ? !more : left <= len_t'(2 * BeatBytes)))
    `SLUICE_ASSERT(LastIsInOneBeat_A, !(take && gives && in_i.last && !held_q)
        || 32'(left) + 32'(turn) <= BeatBytes)
    `SLUICE_ASSERT(EndsWithItsBeats_A, !(take && gives && !in_i.last) || more)
`ifdef SLUICE_SIM
    logic                stalled_q, stalled_last_q;
    logic [BeatBits-1:0] stalled_data_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stalled_q <= 1'b0;
      else         stalled_q <= out_o.valid && !out_ready_i;
    end
    always_ff @(posedge clk_i) if (out_o.valid && !out_ready_i) begin
      stalled_data_q <= out_o.data;
      stalled_last_q <= out_o.last;
    end
    `SLUICE_ASSERT(HoldsBeat_A, !stalled_q
        || (out_o.valid && out_o.data == stalled_data_q && out_o.last == stalled_last_q))
`endif
  end
endmodule : sluice_cutout
