// SPDX-License-Identifier: Apache-2.0

/// sluice_tx_store against a list of beats: random packets of 64 bytes up to the longest that the
/// shape has, which come with gaps and leave through pins that rest. What is offered, and in which
/// cycle, follows from the list: nothing before the last beat of a packet is in, then a beat in
/// every cycle until the last one is taken; room as long as the list is shorter than two of the
/// longest packets. So latency and rate are compared, too. Phases: gaps and rests at random; a line
/// without gaps; pins that rest most of the time, so that the store is full; the longest packets
/// alone; 64 bytes alone. A reset between phases finds beats inside.
/// In a chip without TransmitStore all pins must show what comes, in the same cycle.
/// +seed=N +cycles=N a phase, +break=N: see breaks.
module tb_sluice_tx_store
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
;
  localparam int Stored  = int'(HeaderBytes + BodyCells * BeatBytes);
  localparam int Longest = Stored < int'(MaxBytes) ? Stored : int'(MaxBytes);
  localparam int Beats   = (Longest + int'(BeatBytes) - 1) / int'(BeatBytes);
  localparam int Room    = 2 * Beats;
  `include "bench.svh"

  logic     in_ready, out_ready, dut_ready;
  tx_beat_t in, dut_in, out, dut_out;
  sluice_tx_store u_dut (
    .clk_i(clk), .rst_ni(rst_n || (mutant == 11 && now > 1)),
    .in_i(dut_in), .in_ready_o(dut_ready),
    .out_o(dut_out), .out_ready_i(out_ready || mutant == 7)
  );

  // ---- what waits, and how many packets of it are whole: now, and a cycle ago
  tx_beat_t waits [$];
  int    whole = 0, whole_before = 0;
  bit    open = 1'b0;                // a packet has begun to leave
  int    full_cycles = 0, passed = 0, longest = 0, together = 0, inside_at_reset = 0;

  // As a faulty store would do.
  always_comb begin
    dut_in = in;
    if (mutant == 3) dut_in.data[BeatBits-3] = ~in.data[BeatBits-3];
    if (mutant == 4 && in.last) dut_in.keep = in.keep >> 1 | BeatBytes'(1);
    if (mutant == 5 && in.last) dut_in.ticket = in.ticket - 1;
    if (mutant == 6) dut_in.port[0] = ~in.port[0];
    out       = dut_out;
    in_ready  = dut_ready;
    if (mutant == 1 && !dut_out.valid && waits.size() > 20) out.valid = 1'b1;
    if (mutant == 2 && open && now % 97 == 0) out.valid = 1'b0;
    if (mutant == 8 && now % 64 == 0) in_ready = 1'b0;
    if (mutant == 9 && !open && whole_before == 0) out.valid = 1'b0;
    if (mutant == 10 && waits.size() > Room - 4) in_ready = 1'b0;
  end

  // ---- packets that come
  int unsigned left = 0, number = 0;     // beats of the packet that is coming; its ticket
  int          last_bytes = 0;
  task automatic next_packet(int kind);
    int bytes = kind == 1 ? Longest : kind == 2 ? 64
        : rnd(4) == 0 ? Longest - rnd(Longest - 63) : 64 + rnd(Longest < 1500 ? Longest - 63 : 1437);
    left       = (bytes + int'(BeatBytes) - 1) / int'(BeatBytes);
    last_bytes = bytes - (int'(left) - 1) * int'(BeatBytes);
    if (int'(left) > longest) longest = int'(left);
    number++;
    in.ticket = number;
    in.port   = 8'(rnd(int'(NumPorts)));
  endtask

  // gaps, rests: cycles of sixteen, about, without a beat that comes, and without pins that take one
  task automatic phase(int kind, int gaps, int rests);
    for (int unsigned c = 0; c < cycles; c++) begin
      if (!in.valid && rnd(16) >= gaps) begin
        if (left == 0) next_packet(kind);
        in.valid = 1'b1;
        in.last  = left == 1;
        in.keep  = in.last && last_bytes != int'(BeatBytes)
            ? ~({BeatBytes{1'b1}} << last_bytes) : '1;
        for (int unsigned w = 0; w < BeatBits / 32; w++) in.data[32*w +: 32] = random_q + w * number;
      end
      out_ready = rnd(16) >= rests;
      #3 compare();
      @(negedge clk);
    end
  endtask

  task automatic compare();
    bit takes, gives, expected;
    if (TransmitStore == 0) begin
      if (dut_out != in || dut_ready != out_ready)
        fail("it is not there, and its pins are not those of the lane");
      takes = in.valid && out_ready;
      passed += int'(takes && in.last);
    end else begin
      expected = whole != 0;
      if (out.valid != expected)
        fail(open ? "a gap inside a packet" : expected ? "a whole packet is late"
             : "a packet begins before its last beat is there");
      if (in_ready != (waits.size() < Room)) fail("room in the store");
      if (expected && out != waits[0]) fail("the beat that is offered");
      takes = in.valid && in_ready;
      gives = out.valid && out_ready;
      if (!in_ready) full_cycles++;
      if (takes && gives) together++;
      whole_before = whole;
      if (gives) begin
        open = !waits[0].last;
        whole -= int'(waits[0].last);
        passed += int'(waits[0].last);
        void'(waits.pop_front());
      end
      if (takes) begin
        waits.push_back(in);
        whole += int'(in.last);
      end
    end
    @(posedge clk);
    #1 if (takes) begin
      in.valid = 1'b0;
      left--;
    end
    now++;
  endtask

  task automatic reset();
    if (now > 1) inside_at_reset += waits.size();
    rst_n    = 1'b0;
    in.valid = 1'b0;
    left     = 0;
    waits.delete();
    whole        = 0;
    whole_before = 0;
    open         = 1'b0;
    release_reset(2);
    @(negedge clk);
  endtask

  initial begin
    read_arguments(6000);
    {in, out_ready} = '0;
    reset();
    phase(0, 5, 5);
    reset();
    phase(0, 0, 0);
    phase(0, 0, 12);
    reset();
    phase(1, 0, 1);
    phase(2, 0, 0);
    phase(2, 1, 8);
    if (TransmitStore != 0 && (full_cycles < 1000 || together < 1000 || inside_at_reset < 20))
      fail("the store was hardly full, or a reset found nothing");
    if (passed < 1000 || longest != Beats) fail("hardly any packets");
    pass($sformatf("%0d packets, longest %0d beats, full in %0d cycles",
                   passed, longest, full_cycles));
  end
endmodule : tb_sluice_tx_store
