// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_counters of one size against plain counters: bursts of events of all counters, of some and of
/// none, a clear now and then, and in every cycle one of them is read.
module cell_counters #(
  parameter int unsigned Count = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          high_o                     // most that was read
);
  localparam int unsigned IndexBits = $clog2(Count);

  logic [47:0]          random;
  logic [1:0]           flip;
  logic [63:0]          spread;
  logic                 clear, spoil;
  logic [Count-1:0]     events;
  logic [IndexBits-1:0] index;
  logic [31:0]          word, value;
  logic [$clog2(Count+1)-1:0] own;
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(random), .flip_o(flip));
  assign spread = {random, random[47:32]} ^ {random[15:0], random};
  assign clear  = random[47:36] == '0;
  assign spoil  = random[7:0] == '0;
  assign index  = IndexBits'(32'(random[31:16]) % Count);
  always_comb begin
    for (int unsigned n = 0; n < Count; n++)
      events[n] = flip[0] && (flip[1] || spread[n%64]);
  end

  sluice_counters #(.Count(Count)) u_dut (
    .clk_i, .rst_ni, .clear_i(clear && break_i != 12),
    .event_i(break_i == 11 && spoil ? '0 : events), .index_i(index), .word_o(word), .own_o(own)
  );
  assign value = word + 32'(own);

  logic [31:0] count_q [Count];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned n = 0; n < Count; n++) count_q[n] <= '0;
      high_o <= 0;
    end else begin
      for (int unsigned n = 0; n < Count; n++)
        count_q[n] <= clear ? '0 : count_q[n] + 32'(events[n]);
      if (int'(count_q[index]) > high_o) high_o <= int'(count_q[index]);
      if (value != count_q[index]) begin
        $display("FAIL counter %0d of %0d: %0d, not %0d", index, Count, value, count_q[index]);
        $fatal(1);
      end
    end
  end
endmodule : cell_counters
