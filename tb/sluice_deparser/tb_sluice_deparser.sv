// SPDX-License-Identifier: Apache-2.0

/// sluice_deparser against a C model: random entries, containers, headers and lengths, with offsets
/// drawn near the ends of words, beats, of the header and of the packet. Latency of each step of a
/// header: 2 cycles, `ahead_o` 1. +seed=N, +cycles=N.
/// +break=N: 1 the length given to the DUT is one too large, 2 the first and the last action change
/// places, 3 a container bit is wrong, 4 a header bit is wrong, 5 the last action is one byte off,
/// 6 METADATA actions are given without their flag; where a header comes in steps: 7 steps 1 and 2
/// change places, 8 a packet is announced with step 1.
module tb_sluice_deparser
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_layout_pkg::*;
;
  import "DPI-C" function void deparse_model(
    input bit [159:0] entry, input bit [127:0] b2, input bit [255:0] b4, input bit [383:0] b6,
    input int num_actions, input int size, input int len, input bit [1023:0] old,
    output bit [1023:0] expected);

  localparam int Steps = int'(HeaderSteps), Bytes = int'(HeaderBytes);
  localparam int unsigned LastAction = 16 * (10 - ParseActions);     // lowest bit of it in an entry

  `include "bench.svh"

  logic                  valid, valid_before, dut_valid;
  logic [159:0]          entry, dut_entry;
  containers_t           cont, dut_cont;
  len_t                  len;
  logic [StepBits-1:0]   step_data, dut_ahead, dut_old, dut_header;

  always_comb begin
    dut_entry = entry;
    dut_cont  = cont;
    if (mutant == 2) begin
      dut_entry[159:144]           = entry[LastAction +: 16];
      dut_entry[LastAction +: 16]  = entry[159:144];
    end
    if (mutant == 3) dut_cont.b4[0][9] = ~cont.b4[0][9];
    if (mutant == 5) dut_entry[LastAction+6] = ~entry[LastAction+6];
    if (mutant == 6) dut_entry[157] = 1'b0;
  end

  len_t       dut_len;
  logic [7:0] bytes;                             // of the packet, in the header
  assign dut_len = mutant == 1 ? len + 1'b1 : len;
  assign bytes   = dut_len < len_t'(HeaderBytes) ? 8'(dut_len) : 8'(HeaderBytes);

  always_ff @(posedge clk) valid_before <= valid;
  sluice_deparser u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(mutant == 8 ? valid_before : valid),
    .entry_i(dut_entry), .cont_i(dut_cont),
    .bytes_i(bytes),
    .header_i(mutant == 4 ? step_data ^ (StepBits'(1) << 777 % StepBits) : step_data),
    .over_i('0), .over_header_i('0), .valid_o(dut_valid), .ahead_o(dut_ahead), .old_o(dut_old), .header_o(dut_header)
  );

  function automatic logic [1023:0] random_bits();
    logic [1023:0] bits;
    for (int i = 0; i < 32; i++) bits[32*i +: 32] = $urandom;
    return bits;
  endfunction

  function automatic len_t random_len();
    case ($urandom_range(5))
      0: return 14'd64;
      1: return len_t'($urandom_range(HeaderBytes < 72 ? 64 : HeaderBytes - 8, HeaderBytes + 7));
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
      case ($urandom_range(5))
        0: action.offset = 7'(int'(length) - $urandom_range(8));
        1: action.offset = 7'($urandom_range(HeaderBytes - 8, HeaderBytes - 1));
        2: action.offset = 7'($urandom_range(56, 66));
        3: action.offset = 7'($urandom_range(10, 24));   // so that actions meet
        4: action.offset = 7'(int'(BeatBytes) * $urandom_range(Bytes / int'(BeatBytes)) - $urandom_range(6));
        default: ;
      endcase
      bits[159-16*a -: 16] = action;
    end
    return bits;
  endfunction

  logic [HeaderBits-1:0] old_queue [$], expected_queue [$];
  int                    due [$];            // cycle in which step 0 of each comes out
  int                    checked = 0;

  // What must be on the outputs of cycle c.
  task automatic check(int c);
    int  step;
    bit  first;
    step  = due.size() == 0 ? -2 : c - due[0];
    first = step == 0;
    if (dut_valid != first) $fatal(1, "cycle %0d: valid %b, should be %b", c, dut_valid, first);
    // The step ahead is that of the packet behind if this one is at its last.
    for (int p = 0; p < 2; p++) if (p < due.size()) begin
      automatic int ahead = c + 1 - due[p];
      if (ahead >= 0 && ahead < Steps && dut_ahead != old_queue[p][StepBits*ahead +: StepBits])
        $fatal(1, "cycle %0d: step %0d of the old header was not told before", c, ahead);
    end
    if (step < 0) return;
    if (dut_old != old_queue[0][StepBits*step +: StepBits])
      $fatal(1, "cycle %0d: step %0d of the old header is wrong", c, step);
    for (int b = 0; b < int'(StepBits) / 8; b++) begin
      automatic int at = int'(StepBits) / 8 * step + b;
      if (dut_header[8*b +: 8] != expected_queue[0][8*at +: 8])
        $fatal(1, "cycle %0d: byte %0d is %02x, should be %02x", c, at, dut_header[8*b +: 8],
               expected_queue[0][8*at +: 8]);
    end
    if (step < Steps - 1) return;
    void'(old_queue.pop_front());
    void'(expected_queue.pop_front());
    void'(due.pop_front());
    checked++;
  endtask

  initial begin
    bit [1023:0]           expected;
    logic [HeaderBits-1:0] header;
    bit                    unused_bits;
    int                    at, shown;        // step of the packet that comes in; Steps: none
    read_arguments(20000 * Steps);
    valid = 1'b0;
    {entry, cont, len, step_data, header} = '0;
    at = Steps;
    release_reset(4);
    for (int c = 0; c < cycles + Steps + 4; c++) begin
      @(negedge clk);
      // outputs of the cycle before this one's inputs are set
      check(c);
      if (at < Steps) at++;
      valid = at == Steps && c < cycles && $urandom_range(4) != 0;
      // What comes without a packet, or behind its first step, means nothing.
      len   = random_len();
      entry = random_entry(len);
      cont  = $bits(containers_t)'(random_bits());
      if (valid) begin
        at     = 0;
        header = HeaderBits'(random_bits());
        deparse_model(entry, 128'(cont.b2), 256'(cont.b4), 384'(cont.b6), int'(ParseActions), Bytes,
                      32'(len), 1024'(header), expected);
        unused_bits = ^expected;
        old_queue.push_back(header);
        expected_queue.push_back(expected[HeaderBits-1:0]);
        due.push_back(c + 2);
      end
      shown = mutant == 7 && (at == 1 || at == 2) ? 3 - at : at;
      step_data = at == Steps ? StepBits'(random_bits()) : header[StepBits*shown +: StepBits];
    end
    if (expected_queue.size() != 0) $fatal(1, "%0d outputs are missing", expected_queue.size());
    pass($sformatf("%0d packets", checked));
  end
endmodule : tb_sluice_deparser
