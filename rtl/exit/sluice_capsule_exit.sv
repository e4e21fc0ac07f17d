// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Puts back into a capsule's header what its program has left (docs/machine.md, Capsules, Exit):
/// flags, arguments, the addresses the other way round; and says how many bytes are to be taken
/// out of the packet, which it makes the first of the header (sluice_header_move). In a chip with
/// egress stages that is done behind them: they see every byte at its old place.
/// Latency 1 cycle, a packet a cycle. In the first cycle cutout and the place of the tuple are
/// found; in the second, behind the register, the header is written and moved.
///
/// It stands behind checksums and congestion mark, though the specification names it before them:
/// a packet that is executed came with EtherType 0x83b2, so it is not IPv4, and those do nothing
/// with it; what is not executed passes here as it is. So each packet is changed on one side only,
/// and there is one register for the header, not three (old and new for the checksum, one here).
///
/// Example, 8 back stages: a packet of 100 bytes, list of length 9: EOF stands at position 8, the
/// pass is done. Byte 22 takes flag DONE, bytes 28 to 43 the arguments; 18 bytes are taken out, 44
/// to 61. If it was returned, bytes 0 to 5 and 6 to 11 change places, and bytes 74 to 77 take the
/// tuple's destination address, 78 to 81 its source address (b = 62).
/// Of a list that is longer than the packet what is in it is taken out, of an odd number of bytes
/// one more: of 65 bytes with length 42 these are 22, and 44 bytes are left, which sluice_cutout
/// knows and fills up.
/// Invariant: a packet that is no capsule passes unchanged, with cutout 0. With egress stages,
/// whose parser reads them, bytes behind the end of a packet stay as they came, which is 0.
/// Example: of 64 bytes with a list of length 3, 62 and 63 take half of an address, and the rest
/// is lost. Elsewhere nobody reads them, and they are written like others.
module sluice_capsule_exit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  valid_i,
  input  capsule_end_bits_t     capsule_i,     // a capsule_end_t
  input  len_t                  len_i,
  input  logic [HeaderBits-1:0] header_i,      // byte n is bits 8n+7:8n
  // a cycle later
  output cutout_t               cutout_o,      // even
  output logic [HeaderBits-1:0] header_o
);
  localparam int unsigned FlagByte  = CapsuleByte + 4;   // DONE is its bit 0
  localparam int unsigned FaultByte = FlagByte + 1;      // FAULT is its bit 7
  localparam int unsigned Halves    = HeaderBytes / 2;
  localparam int unsigned AddressHalves = 4;
  // With a list of length 1 the source address begins 12 bytes behind it.
  localparam int unsigned TupleHalf = CapsuleHead / 2 + 1 + 6;
  // Lists up to this length leave the addresses wholly within the header.
  localparam int unsigned MaxLength = Halves - AddressHalves - TupleHalf + 1;

  // ---- cycle 0: how much is taken out
  capsule_end_t capsule;
  logic         done;
  cutout_t      list, present, cutout;
  assign capsule = capsule_i;
  assign done    = capsule.complete || 32'(capsule.length) <= BackStages + 1;
  assign list    = done ? {capsule.length, 1'b0} : cutout_t'(2 * BackStages);
  // What of a list of 84 bytes is in the packet, rounded up; a packet has 64 bytes at least.
  assign present = len_i >= len_t'(HeaderBytes) ? cutout_t'(2 * CapsuleInstrs)
                 : cutout_t'((len_i[6:0] - 7'(CapsuleHead) + 7'd1) & 7'h7e);
  assign cutout  = !capsule.valid ? '0 : list < present ? list : present;

  logic                   valid_q, done_q, returned_q, fault_q;
  logic [MaxLength-1:0]   place_q;             // bit n: the list has length n + 1
  logic [3:0][31:0]       data_q;
  logic [31:0]            src_q, dst_q;
  logic [7:0]             limit_q;             // bytes that may be written
  logic [HeaderBits-1:0]  header_q;
  cutout_t                cutout_q;
  always_ff @(posedge clk_i) if (valid_i) begin
    valid_q    <= capsule.valid;
    done_q     <= capsule.valid && done;
    returned_q <= capsule.valid && capsule.returned;
    fault_q    <= capsule.valid && capsule.fault;
    for (int unsigned n = 0; n < MaxLength; n++)
      place_q[n] <= capsule.valid && capsule.returned && capsule.length == 6'(n + 1);
    data_q   <= capsule.data;
    src_q    <= capsule.src;
    dst_q    <= capsule.dst;
    cutout_q <= cutout;
    limit_q  <= EgressStages != 0 && len_i < len_t'(HeaderBytes) ? {1'b0, len_i[6:0]}
                                                                 : 8'(HeaderBytes);
    header_q <= header_i;
  end
  assign cutout_o = cutout_q;

  // ---- cycle 1: what the program has left
  // Bytes as they lie in the header, the first one lowest.
  logic [127:0]                     args;
  logic [AddressHalves-1:0][15:0]   addresses;
  logic [HeaderBits-1:0]            written;
  assign args      = {<<8{data_q[0], data_q[1], data_q[2], data_q[3]}};
  assign addresses = {<<8{dst_q, src_q}};
  always_comb begin
    written = header_q;
    if (returned_q) written[95:0] = {header_q[47:0], header_q[95:48]};
    if (valid_q)    written[8*ArgsByte +: 128] = args;
    written[8*FlagByte]    = header_q[8*FlagByte] || done_q;
    written[8*FaultByte+7] = header_q[8*FaultByte+7] || fault_q;
    if (returned_q)
      for (int unsigned n = 0; n < MaxLength; n++)
        for (int unsigned a = 0; a < AddressHalves; a++)
          if (place_q[n])
            for (int unsigned b = 0; b < 2; b++)
              if (8'(2*(TupleHalf+n+a) + b) < limit_q)
                written[16*(TupleHalf+n+a) + 8*b +: 8] = addresses[a][8*b +: 8];
  end

  sluice_header_move #(.Here(EgressStages == 0)) u_move (
    .header_i(written), .cutout_i(cutout_q), .header_o
  );

  logic valid_q1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q1 <= 1'b0;
    else         valid_q1 <= valid_i;
  end
  `SLUICE_ASSERT(TakesOutWholeInstructions_A, !valid_q1 || (!cutout_q[0]
      && 32'(cutout_q) <= 2 * CapsuleInstrs))
  `SLUICE_ASSERT(OthersStayWhole_A, !valid_q1 || valid_q
      || (cutout_q == '0 && header_o == header_q))
endmodule : sluice_capsule_exit
