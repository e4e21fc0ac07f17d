// SPDX-License-Identifier: Apache-2.0

/// Checks a sluice_register_block of some size against plain counters, highest levels and words of
/// its own: random events and levels in every cycle, a clear now and then, and one read behind the
/// other, of its registers, of offsets where none is, and of addresses of other blocks. The answer
/// to a read must be what the model held in the cycle after it, and comes in the third; nothing else
/// is answered.
/// `break_i`: see breaks.
module registers
  import sluice_ctrl_pkg::*;
#(
  parameter int unsigned Instances = 1,
  parameter int unsigned NumCounts = 2,
  parameter int unsigned NumLevels = 1,
  parameter int unsigned NumWords  = 1,
  parameter logic [19:0] Base      = 20'h12000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          answers_o,                 // of registers
  output int          empty_o                    // of offsets without one
);
  // Register r is at offset 4 r + 4: counts first, then levels, then words. 0 is no register.
  localparam int unsigned NumRegisters = NumCounts + NumLevels + NumWords;
  localparam int unsigned LevelBits    = 9;
  localparam logic [19:0] Stride       = 20'h40;
  function automatic logic [NumRegisters-1:0][11:0] offsets();
    for (int unsigned r = 0; r < NumRegisters; r++) offsets[r] = 12'(4 * r + 4);
  endfunction
  localparam logic [NumRegisters-1:0][11:0] At = offsets();

  logic [3:0][31:0] random_q;
  function automatic logic [31:0] next(logic [31:0] x);
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
  endfunction
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) for (int n = 0; n < 4; n++) random_q[n] <= seed_i + 32'(77777 * n);
    else         for (int n = 0; n < 4; n++) random_q[n] <= next(random_q[n]);
  end

  logic                                               clear;
  logic [NumCounts-1:0][Instances-1:0]                events;
  logic [NumLevels-1:0][Instances-1:0][LevelBits-1:0] level;
  logic [NumWords-1:0][Instances-1:0][31:0]           word;
  assign clear = random_q[0][31:22] == '0;
  always_comb begin
    for (int unsigned n = 0; n < Instances; n++) begin
      for (int unsigned c = 0; c < NumCounts; c++)
        events[c][n] = random_q[1][(7*c+n)%32] || random_q[0][21:20] == 2'(c);
      for (int unsigned h = 0; h < NumLevels; h++)
        level[h][n] = LevelBits'(random_q[1] >> (3*h+2*n)) & LevelBits'(random_q[2] >> (n+h));
      for (int unsigned w = 0; w < NumWords; w++) word[w][n] = random_q[3] ^ 32'(1000 * w + n);
    end
  end

  // ---- reads
  csr_req_t    req, seen;
  csr_rsp_t    rsp;
  logic [19:0] span, addr;
  assign span = 20'(Instances) * Stride;
  // Of eight reads one is of what lies before the block or behind it.
  assign addr = random_q[2][31:29] == '0 ? Base - 20'd64 + 20'(random_q[2][28] ? span + 20'd64 : '0)
              : Base + 20'(32'(random_q[2][27:12]) % Instances) * Stride
                  + 20'(4 * (32'(random_q[2][11:0]) % (NumRegisters + 2)));
  assign req  = '{valid: random_q[3][7:0] < 8'd200, write: 1'b0, addr: addr, wdata: '0};
  always_comb begin
    seen = req;
    if (break_i == 4 && random_q[0][9:0] == '0) seen.addr = addr ^ 20'd4;
    if (break_i == 5 && random_q[0][9:0] == '0) seen.valid = 1'b0;
    if (break_i == 6 && Instances > 1 && random_q[0][9:0] == '0) seen.addr = addr ^ Stride;
  end

  sluice_register_block #(
    .Instances(Instances), .Stride(Stride), .NumCounts(NumCounts), .NumLevels(NumLevels),
    .NumWords(NumWords), .LevelBits(LevelBits), .CountAt(At[NumCounts-1:0]),
    .LevelAt(At[NumCounts +: NumLevels]), .WordAt(At[NumCounts+NumLevels +: NumWords])
  ) u_dut (
    .clk_i, .rst_ni, .clear_i(clear && break_i != 2), .base_i(Base),
    .event_i(break_i == 1 && random_q[0][9:0] == '0 ? ~events : events),
    .level_i(break_i == 3 && random_q[0][9:0] == '0 ? '1 : level), .word_i(word),
    .csr_req_i(seen), .csr_rsp_o(rsp)
  );

  // ---- model
  logic [31:0] count_q [NumCounts][Instances], high_q [NumLevels][Instances];
  logic        asked_q, held_q, held_register_q, answer_q, register_q;
  logic [19:0] asked_addr_q;
  logic [31:0] value_d, held_value_q, value_q;
  logic        is_register;
  always_comb begin
    int unsigned offset, number, n;
    offset      = 32'(asked_addr_q) - 32'(Base);
    n           = offset / 32'(Stride);
    number      = offset % 32'(Stride) / 4;      // of the register, from 1 on
    value_d     = '0;
    is_register = number > 0 && number <= NumRegisters;
    if (is_register && n < Instances) begin
      if (number <= NumCounts)                  value_d = count_q[number-1][n];
      else if (number <= NumCounts + NumLevels) value_d = high_q[number-1-NumCounts][n];
      else                                      value_d = word[number-1-NumCounts-NumLevels][n];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned n = 0; n < Instances; n++) begin
        for (int unsigned c = 0; c < NumCounts; c++) count_q[c][n] <= '0;
        for (int unsigned h = 0; h < NumLevels; h++) high_q[h][n] <= '0;
      end
      asked_q   <= 1'b0;
      held_q    <= 1'b0;
      answer_q  <= 1'b0;
      answers_o <= 0;
      empty_o   <= 0;
    end else begin
      for (int unsigned n = 0; n < Instances; n++) begin
        for (int unsigned c = 0; c < NumCounts; c++)
          count_q[c][n] <= clear ? '0 : count_q[c][n] + 32'(events[c][n]);
        for (int unsigned h = 0; h < NumLevels; h++)
          high_q[h][n] <= clear ? '0 : 32'(level[h][n]) > high_q[h][n] ? 32'(level[h][n])
                                                                       : high_q[h][n];
      end
      asked_q      <= req.valid && req.addr - Base < span;
      asked_addr_q <= req.addr;
      {held_q, held_register_q, held_value_q} <= {asked_q, is_register, value_d};
      {answer_q, register_q, value_q}         <= {held_q, held_register_q, held_value_q};
      if (answer_q &&  register_q) answers_o <= answers_o + 1;
      if (answer_q && !register_q) empty_o   <= empty_o + 1;
      if (rsp.valid != answer_q || (answer_q && rsp.rdata != value_q) || rsp.refused
          || (!answer_q && rsp != '0)) begin
        $display("FAIL block of %0d: answer %b %0h, not %b %0h", Instances, rsp.valid, rsp.rdata,
                 answer_q, value_q);
        $fatal(1);
      end
    end
  end
endmodule : registers
