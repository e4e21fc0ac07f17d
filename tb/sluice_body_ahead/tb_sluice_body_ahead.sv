// SPDX-License-Identifier: Apache-2.0

/// sluice_body_ahead between a reader of bodies and a line, both of which rest at times: bodies
/// must be asked for in the order of their packets, each as often as its packet has ports, and
/// beats come out in the order in which they came. What is said of the next body, and of the one
/// behind it, is compared in every cycle with the beats that are here: bodies are of one beat, of
/// some, and of more than there is room for.
/// +seed=N +cycles=N +break=N (see file breaks).
module tb_sluice_body_ahead
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
;
  localparam int Depth = 8;
  `include "bench.svh"

  logic                    push, dut_push;
  hdr_t                    slot, dut_slot;
  logic [PortsPerLane-1:0] ports, dut_ports;
  body_req_t               req;
  body_rsp_t               rsp, dut_rsp;
  logic                    valid, whole, more, more_whole, last, ready;
  logic [BeatBits-1:0]     data;
  always_comb begin
    dut_push  = push;
    dut_slot  = slot;
    dut_ports = ports;
    dut_rsp   = rsp;
    case (mutant)
      1: dut_slot[0] = 1'b0;
      2: if (ports == '1) dut_ports[0] = 1'b0;
      3: dut_rsp.beat_last = rsp.beat_last && rsp.beat[1:0] != '0;
      4: dut_rsp.beat[7] = 1'b0;
      5: dut_rsp.beat_valid = rsp.beat_valid && now % 64 != 0;
      default: ;
    endcase
  end
  sluice_body_ahead #(.Depth(Depth), .Requests(4)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .push_i(dut_push), .slot_i(dut_slot), .ports_i(dut_ports),
    .req_o(req), .rsp_i(dut_rsp), .valid_o(valid), .whole_o(whole), .more_o(more),
    .more_whole_o(more_whole), .last_o(last), .data_o(data),
    .ready_i(ready || (mutant == 6 && now % 64 == 0))
  );

  typedef struct packed {
    logic                last;
    logic [BeatBits-1:0] data;
  } beat_t;
  hdr_t  due [$];                                // requests that must come
  int    of_packet [$];                          // how many of them each packet still needs
  int    asked [$];                              // beats of the bodies that were asked for
  beat_t here [$];                               // beats that have come
  int    packets = 0, bodies = 0, fulls = 0, lasts = 0;

  initial begin
    int load, rests;
    read_arguments(100_000);
    {push, slot, ports, rsp, ready} = '0;
    load  = 4;
    rests = 4;
    release_reset(3);
    while (now < int'(cycles)) begin
      if (rnd(300) == 0) begin
        load  = rnd(9);
        rests = rnd(9);
      end
      // At most four packets wait; a packet waits until its last body is asked for.
      push  = of_packet.size() < 4 && rnd(4) == 0;
      slot  = hdr_t'($urandom);
      ports = rnd(4) == 0 ? '1 : PortsPerLane'(1) << rnd(int'(PortsPerLane));
      rsp = '{ready: asked.size() < 2 && rnd(4) != 0,
              beat_valid: asked.size() != 0 && rnd(8) < load,
              beat_last: asked.size() != 0 && asked[0] == 1, beat: {(BeatBits/32){$urandom}}};
      ready = rnd(8) >= rests;
      #1;
      // ---- what is said of the bodies
      if (valid != (here.size() != 0)) fail($sformatf("%0d beats, valid %b", here.size(), valid));
      if (valid && {last, data} != here[0]) fail("another beat comes out");
      if (whole != (lasts > 0 || here.size() == Depth))
        fail($sformatf("%0d beats, %0d ends of bodies, whole %b", here.size(), lasts, whole));
      if (more != (here.size() > 1)) fail($sformatf("%0d beats, more %b", here.size(), more));
      if (more_whole != (lasts > 1 || here.size() == Depth))
        fail($sformatf("%0d beats, %0d ends of bodies, more whole %b", here.size(), lasts,
                       more_whole));
      if (req.beat_ready != (here.size() < Depth)) fail("room for a beat");
      if (here.size() == Depth) fulls++;
      // ---- what happens
      if (valid && ready) begin
        lasts -= int'(here[0].last);
        void'(here.pop_front());
      end
      if (rsp.beat_valid && req.beat_ready) begin
        here.push_back({rsp.beat_last, rsp.beat});
        lasts += int'(rsp.beat_last);
        if (asked[0] == 1) void'(asked.pop_front());
        else               asked[0]--;
      end
      if (req.valid) begin
        if (due.size() == 0 || req.slot != due[0]) fail("a body that is not due is asked for");
        if (rsp.ready) begin
          void'(due.pop_front());
          if (of_packet[0] == 1) void'(of_packet.pop_front());
          else                   of_packet[0]--;
          asked.push_back(rnd(3) == 0 ? 1 : rnd(3) != 0 ? 1 + rnd(6) : 1 + rnd(3 * Depth));
          bodies++;
        end
      end
      if (push) begin
        packets++;
        of_packet.push_back($countones(ports));
        for (int p = 0; p < int'(PortsPerLane); p++) if (ports[p]) due.push_back(slot);
      end
      tick();
    end
    // All that is due comes, and nothing else.
    push = 1'b0;
    repeat (1000) begin
      rsp   = '{ready: 1'b1, beat_valid: 1'b0, beat_last: 1'b0, beat: '0};
      ready = 1'b1;
      #1;
      if (req.valid) void'(due.pop_front());
      tick();
    end
    if (due.size() != 0) fail($sformatf("%0d bodies are never asked for", due.size()));
    if (cycles >= 50_000 && (packets < 2000 || fulls < 1000))
      fail($sformatf("little tested: %0d packets, %0d times full", packets, fulls));
    pass($sformatf("%0d packets, %0d bodies, %0d cycles without room", packets, bodies, fulls));
  end
endmodule : tb_sluice_body_ahead
