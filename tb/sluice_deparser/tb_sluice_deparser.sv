// SPDX-License-Identifier: Apache-2.0

/// sluice_deparser against a C model: random entries, containers, headers and lengths, with offsets
/// drawn near the ends of words, of the header and of the packet. +seed=N, +cycles=N.
/// +break=N: 1 the length given to the DUT is one too large, 2 actions 0 and 9 change places, 3 a
/// container bit is wrong, 4 a header bit is wrong, 5 action 3 is one byte off, 6 METADATA actions
/// are given without their flag.
module tb_sluice_deparser
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
;
  import "DPI-C" function void deparse_model(
    input bit [159:0] entry, input bit [127:0] b2, input bit [255:0] b4, input bit [383:0] b6,
    input int len, input bit [1023:0] old, output bit [1023:0] expected);

  logic clk = 1'b0, rst_n = 1'b0;
  initial forever #5 clk = ~clk;

  int seed = 1, cycles = 20000, broken = 0;

  logic          valid, dut_valid;
  logic [159:0]  entry, dut_entry;
  containers_t   cont, dut_cont;
  len_t          len;
  logic [1023:0] header, dut_ahead, dut_before, dut_old, dut_header;

  always_comb begin
    dut_entry = entry;
    dut_cont  = cont;
    if (broken == 2) begin
      dut_entry[159:144] = entry[15:0];
      dut_entry[15:0]    = entry[159:144];
    end
    if (broken == 3) dut_cont.b4[0][9] = ~cont.b4[0][9];
    if (broken == 5) dut_entry[102] = ~entry[102];
    if (broken == 6) dut_entry[157] = 1'b0;
  end

  always_ff @(posedge clk) dut_before <= dut_ahead;
  sluice_deparser u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .entry_i(dut_entry), .cont_i(dut_cont),
    .len_i(broken == 1 ? len + 1'b1 : len),
    .header_i(broken == 4 ? header ^ (1024'd1 << 777) : header),
    .valid_o(dut_valid), .ahead_o(dut_ahead), .old_o(dut_old), .header_o(dut_header)
  );

  function automatic logic [1023:0] random_bits();
    logic [1023:0] bits;
    for (int i = 0; i < 32; i++) bits[32*i +: 32] = $urandom;
    return bits;
  endfunction

  function automatic len_t random_len();
    case ($urandom_range(5))
      0: return 14'd64;
      1: return len_t'($urandom_range(120, 135));
      2: return len_t'($urandom_range(64, 9216));
      3: return 14'd65;
      default: return len_t'($urandom_range(64, 140));
    endcase
  endfunction

  function automatic logic [159:0] random_entry(len_t length);
    logic [159:0]  bits;
    parse_action_t action;
    for (int a = 0; a < 10; a++) begin
      action = parse_action_t'(16'($urandom));
      action.metadata = $urandom_range(9) == 0;
      action.valid    = $urandom_range(9) != 0;
      case ($urandom_range(4))
        0: action.offset = 7'(int'(length) - $urandom_range(8));
        1: action.offset = 7'($urandom_range(120, 127));
        2: action.offset = 7'($urandom_range(56, 66));
        3: action.offset = 7'($urandom_range(10, 24));   // so that actions meet
        default: ;
      endcase
      bits[159-16*a -: 16] = action;
    end
    return bits;
  endfunction

  logic [1023:0] old_queue [$], expected_queue [$];
  int checked = 0;

  initial begin
    bit [1023:0] expected;
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", cycles));
    void'($value$plusargs("break=%d", broken));
    void'($urandom(seed));
    valid = 1'b0;
    {entry, cont, len, header} = '0;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < cycles + 4; c++) begin
      @(negedge clk);
      // outputs of the cycle before this one's inputs are set
      if (dut_valid) begin
        logic [1023:0] want_old, want;
        if (expected_queue.size() == 0) $fatal(1, "cycle %0d: an output that nobody asked for", c);
        want_old = old_queue.pop_front();
        want     = expected_queue.pop_front();
        if (dut_old != want_old) $fatal(1, "cycle %0d: the old header is wrong", c);
        if (dut_before != dut_old) $fatal(1, "cycle %0d: the old header was not told before", c);
        if (dut_header != want)
          for (int b = 0; b < 128; b++)
            if (dut_header[8*b +: 8] != want[8*b +: 8])
              $fatal(1, "cycle %0d: byte %0d is %02x, should be %02x", c, b, dut_header[8*b +: 8],
                     want[8*b +: 8]);
        checked++;
      end
      valid = c < cycles && $urandom_range(4) != 0;
      if (valid) begin
        len    = random_len();
        entry  = random_entry(len);
        cont   = $bits(containers_t)'(random_bits());
        header = random_bits();
        deparse_model(entry, 128'(cont.b2), 256'(cont.b4), 384'(cont.b6), 32'(len), header,
                      expected);
        old_queue.push_back(header);
        expected_queue.push_back(expected);
      end
    end
    if (expected_queue.size() != 0) $fatal(1, "%0d outputs are missing", expected_queue.size());
    $display("PASS tb_sluice_deparser seed %0d: %0d packets", seed, checked);
    $finish;
  end
endmodule : tb_sluice_deparser
