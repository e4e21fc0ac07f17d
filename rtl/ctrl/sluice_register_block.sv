// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The registers of a block that is only read: counts of events, highest levels, and words that
/// somebody else keeps. The same registers for each of `Instances` lanes or ports.
///
/// Example, block PASSES of a chip with two lanes: three counts, at the offsets 0, 4 and 8 of each
/// lane, and a highest level at 12. Stride is 64. A read of its base + 64 + 4 asks for the second
/// count of lane 1, whose event is event_i[1][1].
///
/// An event counts in the next cycle, at most one a cycle and count; a level is compared in every
/// cycle. Counts and words wrap. A read is answered 3 cycles after the request; every address of an
/// instance is answered, with 0 where nothing stands: which registers exist, and that none of these
/// takes a write, the bridge knows (sluice_csr_map).
/// Reset and `clear_i`: counts and highest levels are 0.
module sluice_register_block
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  parameter int unsigned Instances = 1,
  parameter logic [19:0] Stride    = 20'h100,          // bytes from an instance to the next one
  parameter int unsigned NumCounts = 2,                // at least two events in all instances
  parameter int unsigned NumLevels = 1,
  parameter int unsigned NumWords  = 1,
  parameter int unsigned LevelBits = 16,
  // offsets in an instance, last one first; NoRegister: it is not there
  parameter logic [NumCounts-1:0][11:0] CountAt = {12'h4, 12'h0},
  parameter logic [NumLevels-1:0][11:0] LevelAt = NoRegister,
  parameter logic [NumWords-1:0][11:0]  WordAt  = NoRegister
) (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,
  input  logic                                               clear_i,
  input  logic [19:0]                                        base_i,   // of the first instance
  input  logic [NumCounts-1:0][Instances-1:0]                event_i,
  input  logic [NumLevels-1:0][Instances-1:0][LevelBits-1:0] level_i,
  input  logic [NumWords-1:0][Instances-1:0][31:0]           word_i,
  input  csr_req_t                                           csr_req_i,
  output csr_rsp_t                                           csr_rsp_o
);
  localparam int unsigned StrideBits   = $clog2(Stride);
  localparam int unsigned InstanceBits = index_bits(Instances);
  localparam int unsigned NumEvents    = NumCounts * Instances;
  typedef logic [InstanceBits-1:0] instance_t;
  typedef logic [$clog2(NumEvents)-1:0] event_t;

  // ---- counts and highest levels
  event_t                         counter_q;
  logic [31:0]                    word;
  logic [$clog2(NumEvents+1)-1:0] own, more, more_q;
  sluice_counters #(.Count(NumEvents)) u_counters (
    .clk_i, .rst_ni, .clear_i, .event_i(event_i), .index_i(counter_q),
    .word_o(word), .own_o(own)
  );

  logic [NumLevels-1:0][Instances-1:0][LevelBits-1:0] high_q;
  for (genvar h = 0; h < NumLevels; h++) begin : gen_level
    for (genvar n = 0; n < Instances; n++) begin : gen_instance
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                          high_q[h][n] <= '0;
        else if (clear_i)                     high_q[h][n] <= '0;
        else if (level_i[h][n] > high_q[h][n]) high_q[h][n] <= level_i[h][n];
      end
    end
  end

  // ---- cycle 1: is it ours, and which counter? cycle 2: the value, of a counter both
  // parts; cycle 3: their sum
  logic [19:0] offset;
  logic        mine, valid_q, valid_q2;
  instance_t   instance_d, instance_q;
  logic [11:0] at_d, at_q;
  logic [31:0] value, value_q;
  assign offset = csr_req_i.addr - base_i;
  assign mine   = csr_req_i.valid && offset < 20'(Instances) * Stride;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q, valid_q2} <= '0;
    else         {valid_q, valid_q2} <= {mine, valid_q};
  end
  assign instance_d = instance_t'(offset >> StrideBits);
  assign at_d       = 12'(offset & (Stride - 20'd4));    // a word begins there
  always_ff @(posedge clk_i) if (mine) begin
    instance_q <= instance_d;
    at_q       <= at_d;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counter_q <= '0;
    else if (mine)
      for (int unsigned c = 0; c < NumCounts; c++)
        if (at_d == CountAt[c]) counter_q <= event_t'(c * Instances) + event_t'(instance_d);
  end

  // One of them at most is not 0, so no choice waits for another.
  always_comb begin
    value = '0;
    more  = '0;
    for (int unsigned c = 0; c < NumCounts; c++)
      if (at_q == CountAt[c]) {value, more} = {word, own};
    for (int unsigned n = 0; n < Instances; n++)
      if (instance_q == instance_t'(n)) begin
        for (int unsigned h = 0; h < NumLevels; h++)
          if (at_q == LevelAt[h]) value = value | 32'(high_q[h][n]);
        for (int unsigned w = 0; w < NumWords; w++)
          if (at_q == WordAt[w]) value = value | word_i[w][n];
      end
  end

  always_ff @(posedge clk_i) if (valid_q) {value_q, more_q} <= {value, more};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       csr_rsp_o <= '0;
    else if (valid_q2) csr_rsp_o <= '{valid: 1'b1, refused: 1'b0, rdata: value_q + 32'(more_q)};
    else               csr_rsp_o <= '0;
  end

  `SLUICE_ASSERT(BeginsAtAnInstance_A, (base_i & (Stride - 20'd1)) == '0)
  `SLUICE_ASSERT(OnlyRead_A, !mine || !csr_req_i.write)
endmodule : sluice_register_block
