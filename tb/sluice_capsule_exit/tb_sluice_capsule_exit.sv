// SPDX-License-Identifier: Apache-2.0

/// sluice_capsule_exit with sluice_header_move against a C model: random headers, lists, lengths
/// and ends of programs. What leaves is the header without its first `cutout` bytes; it must be the
/// packet with what the program has left, without its list, byte for byte and of the right length.
/// In a chip with egress stages the head is still at its place, and what leaves is the header
/// without its list; bytes behind the packet's end are as they came, since the egress reads them.
/// Latency 1 cycle. +seed=N, +cycles=N. +break=N: see breaks.
module tb_sluice_capsule_exit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
;
  import "DPI-C" function void capsule_exit_model(
    input int stages, input int valid, input int complete, input int returned, input int fault,
    input int length, input bit [127:0] data, input int src, input int dst, input int len,
    input bit [1023:0] header, output bit [1023:0] left, output int shown, output int size);

  `include "bench.svh"

  logic                  valid;
  capsule_end_t          capsule, dut_capsule;
  len_t                  len;
  logic [HeaderBits-1:0] header, header_before, dut_header, out_header;
  cutout_t               cutout;

  always_comb begin
    dut_capsule = capsule;
    dut_header  = mutant == 10 ? header_before : header;
    if (mutant == 1 && capsule.length != 6'd42) dut_capsule.length = capsule.length + 1'b1;
    if (mutant == 2) dut_capsule.complete = 1'b0;
    if (mutant == 3) dut_capsule.returned = 1'b0;
    if (mutant == 4 && capsule.complete) dut_capsule.fault = 1'b1;
    if (mutant == 6) {dut_capsule.src, dut_capsule.dst} = {capsule.dst, capsule.src};
    if (mutant == 7) dut_capsule.data[3][17] = ~capsule.data[3][17];
    if (mutant == 8) dut_header[8*127] = ~header[8*127];
    if (mutant == 9) dut_capsule.valid = 1'b1;
  end

  sluice_capsule_exit u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .capsule_i(dut_capsule),
    .len_i(mutant == 5 ? len + 1'b1 : len), .header_i(dut_header),
    .cutout_o(cutout), .header_o(out_header)
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
      default: return len_t'($urandom_range(64, 130));
    endcase
  endfunction

  function automatic capsule_end_t random_end();
    capsule_end_t c;
    c          = $bits(capsule_end_t)'(random_bits());
    c.valid    = $urandom_range(9) != 0;
    c.complete = $urandom_range(2) == 0;
    c.length   = 6'($urandom_range(1, int'(CapsuleInstrs)));
    case ($urandom_range(3))
      0: c.length = 6'(int'(BackStages) + $urandom_range(2));
      1: c.length = 6'($urandom_range(30, 34));
      default: ;
    endcase
    return c;
  endfunction

  int packets = 0, capsules = 0, shorter = 0;

  initial begin
    bit [1023:0] left;
    int          shown, size, cut, rest, at;
    bit          expected, unused_bits;
    read_arguments(40000);
    {valid, capsule, len, header, header_before} = '0;
    {left, shown, size, expected} = '0;
    release_reset(4);
    for (int c = 0; c < cycles; c++) begin
      @(negedge clk);
      if (expected) begin
        packets++;
        cut  = int'(cutout) + (mutant == 11 && cutout != '0 ? 2 : 0);
        rest = int'(len) - cut < int'(CapsuleHead) ? int'(CapsuleHead) : int'(len) - cut;
        if (cut % 2 != 0 || cut > int'(len) - int'(CapsuleHead) + 1)
          $fatal(1, "cycle %0d: %0d bytes are taken out of %0d", c, cut, len);
        if (rest != size) $fatal(1, "cycle %0d: %0d bytes are left, should be %0d", c, rest, size);
        if (cut != 0) shorter++;
        for (int b = 0; b < shown; b++) begin
          at = EgressStages != 0 && b < int'(CapsuleHead) ? b : b + cut;
          if (out_header[8*at +: 8] != left[8*b +: 8])
            $fatal(1, "cycle %0d: byte %0d is %02x, not %02x (%0d bytes, list of %0d, %0d go)", c,
                   b, out_header[8*at +: 8], left[8*b +: 8], len, capsule.length, cut);
        end
        if (EgressStages != 0)
          for (int b = int'(len); b < int'(HeaderBytes); b++)
            if ((out_header[8*b +: 8] ^ 8'(mutant == 12)) != header[8*b +: 8])
              $fatal(1, "cycle %0d: byte %0d, behind the end, is %02x, not %02x (%0d bytes)", c, b,
                     out_header[8*b +: 8], header[8*b +: 8], len);
      end
      header_before = header;
      valid   = $urandom_range(4) != 0;
      capsule = random_end();
      len     = random_len();
      header  = HeaderBits'(random_bits());
      expected = valid;
      if (valid) begin
        capsule_exit_model(int'(BackStages), 32'(capsule.valid), 32'(capsule.complete),
                           32'(capsule.returned), 32'(capsule.fault), 32'(capsule.length),
                           capsule.data, capsule.src, capsule.dst, 32'(len), header, left, shown,
                           size);
        if (capsule.valid) capsules++;
      end
      unused_bits = ^left;
    end
    pass($sformatf("%0d packets, %0d capsules, %0d leave shorter", packets, capsules, shorter));
  end
endmodule : tb_sluice_capsule_exit
