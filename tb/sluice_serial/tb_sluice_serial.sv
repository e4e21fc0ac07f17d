// SPDX-License-Identifier: Apache-2.0

/// Test of the serial bridge from line to chip: every kind of request with every code, damaged and foreign bytes on the
/// line, packets of the chip among the answers, a chip that answers nothing, and its reset in the middle of a packet.
/// Plusargs: +seed=N, +break=N (see the file breaks).
module tb_sluice_serial
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::*;
;
  localparam int unsigned Divisor = 4, PayloadBytes = 256, Patience = 1024;
  typedef logic [7:0] bytes_t [$];

  `include "bench.svh"

  logic line_in, line_out, dead = 1'b0;
  logic chip_rst_n, rx_last, ctl_rx_valid, ctl_rx_ready;
  logic awvalid, awready, wvalid, wready, bvalid, arvalid, arready, rvalid;
  logic [NumPipes-1:0] rx_valid;
  logic [BeatBits-1:0] rx_data;
  logic [BeatBytes-1:0] rx_keep;
  logic [7:0] rx_port;
  logic [NumPipes:0] tx_valid, tx_last, tx_ready;
  logic [NumPipes:0][BeatBits-1:0] tx_data;
  logic [NumPipes:0][BeatBytes-1:0] tx_keep;
  logic [NumPipes-1:0][7:0] tx_port;
  logic [NumPipes-1:0][31:0] tx_ticket;
  logic [19:0] addr;
  logic [31:0] wdata, rdata;
  logic [1:0] bresp, rresp;

  // ---- mutants change wires between the bridge and what stands around it
  initial forever begin
    @(negedge clk);
    now++;
  end
  logic [BeatBits-1:0] flip, flip_tx;
  assign flip    = mutant == 1 && rx_valid != '0 || mutant == 5 && ctl_rx_valid
                   ? BeatBits'(1) << 77 : '0;
  assign flip_tx = mutant == 7 ? BeatBits'(1) << 100 : '0;
  logic turn;
  assign turn = now[14:5] == '0;

  serial_host #(.Divisor(Divisor)) u_host (
    .clk_i(clk), .line_i(line_out ^ (mutant == 13 && turn)), .line_o(line_in)
  );

  sluice_serial_bridge #(.Divisor(Divisor), .PayloadBytes(PayloadBytes), .Patience(Patience)) dut (
    .clk_i(clk), .rst_ni(rst_n), .line_i(line_in ^ (mutant == 12 && turn)),
    .line_o(line_out), .chip_rst_no(chip_rst_n),
    .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_keep_o(rx_keep), .rx_last_o(rx_last), .rx_port_o(rx_port),
    .tx_valid_i(tx_valid[NumPipes-1:0]), .tx_data_i({tx_data[NumPipes-1:1], tx_data[0] ^ flip_tx}),
    .tx_keep_i(tx_keep[NumPipes-1:0]), .tx_last_i(tx_last[NumPipes-1:0]),
    .tx_port_i(tx_port), .tx_ticket_i(mutant == 6 ? tx_ticket ^ 64'd4 : tx_ticket),
    .tx_ready_o(tx_ready[NumPipes-1:0]),
    .ctl_rx_valid_o(ctl_rx_valid), .ctl_rx_ready_i(ctl_rx_ready),
    .ctl_tx_valid_i(tx_valid[NumPipes]), .ctl_tx_data_i(tx_data[NumPipes]), .ctl_tx_keep_i(tx_keep[NumPipes]),
    .ctl_tx_last_i(tx_last[NumPipes]), .ctl_tx_ready_o(tx_ready[NumPipes]),
    .awvalid_o(awvalid), .addr_o(addr), .awready_i(awready), .wvalid_o(wvalid), .wdata_o(wdata), .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i(mutant == 8 ? '0 : bresp), .arvalid_o(arvalid), .arready_i(arready),
    .rvalid_i(rvalid), .rresp_i(rresp), .rdata_i(rdata)
  );

  serial_chip u_chip (
    .clk_i(clk), .rst_ni(mutant == 11 ? rst_n : chip_rst_n), .dead_i(dead && mutant != 14),
    .rx_valid_i(mutant == 4 ? {rx_valid[0], rx_valid[NumPipes-1:1]}
                : mutant == 3 && now[1:0] == '0 ? '0 : rx_valid),
    .rx_data_i(rx_data ^ flip),
    .rx_keep_i(mutant == 2 && rx_last ? rx_keep & ~(rx_keep ^ rx_keep >> 1) : rx_keep),
    .rx_last_i(rx_last), .rx_port_i(rx_port),
    .ctl_valid_i(ctl_rx_valid), .ctl_ready_o(ctl_rx_ready),
    .tx_valid_o(tx_valid), .tx_data_o(tx_data), .tx_keep_o(tx_keep), .tx_last_o(tx_last), .tx_port_o(tx_port),
    .tx_ticket_o(tx_ticket), .tx_ready_i(tx_ready),
    .awvalid_i(awvalid), .wvalid_i(wvalid), .arvalid_i(arvalid),
    .addr_i(mutant == 9 && arvalid ? addr ^ 20'd4 : mutant == 10 ? addr | 20'h7_0080 : addr),
    .wdata_i(wdata),
    .awready_o(awready), .wready_o(wready), .arready_o(arready), .bvalid_o(bvalid), .rvalid_o(rvalid),
    .bresp_o(bresp), .rresp_o(rresp), .rdata_o(rdata)
  );

  logic [31:0] random;
  function automatic int unsigned below(int unsigned limit);
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    return random % limit;
  endfunction

  // ---- what comes back: answers go to `answer`, packets of the chip are compared at once
  localparam int unsigned MostWait = 400000;
  bytes_t     answer;
  logic [7:0] number = '0;         // of the chip's next frame
  int         packets_out = 0;
  typedef struct {
    bytes_t bytes;
    logic [7:0] port;
    logic [31:0] ticket;
  } sent_t;
  sent_t awaited [2**$clog2(NumPipes+1)][$];

  task automatic take_frames();
    while (u_host.frame.size() != 0) begin
      bytes_t f;
      f = u_host.frame.pop_front();
      if (f[0] == 8'h90 || f[0] == 8'h91) begin
        sent_t want;
        int    source, skip;
        if (f[1] != number) fail("the chip's frames are not numbered in a row");
        number++;
        source = f[0] == 8'h91 ? int'(NumPipes) : int'(f[2]) % int'(NumPipes);
        skip   = f[0] == 8'h91 ? 3 : 7;
        if (source > int'(NumPipes) || awaited[$clog2(NumPipes+1)'(source)].size() == 0) fail("a packet that nobody sent");
        want = awaited[$clog2(NumPipes+1)'(source)].pop_front();
        if (f[0] == 8'h90 && (f[2] != want.port || {f[3], f[4], f[5], f[6]} != want.ticket)) fail("port or ticket");
        if (f.size() != want.bytes.size() + skip) fail("a packet of the chip has another length");
        foreach (want.bytes[n]) if (f[n+skip] != want.bytes[n]) fail("a packet of the chip has changed");
        packets_out++;
      end else begin
        if (answer.size() != 0) fail("two answers");
        answer = f;
      end
    end
  endtask

  function automatic bytes_t word(logic [31:0] value);
    return {value[31:24], value[23:16], value[15:8], value[7:0]};
  endfunction

  // Flags and escapes are likely.
  function automatic bytes_t random_bytes(int unsigned count);
    bytes_t bytes;
    bytes = {};
    for (int unsigned n = 0; n < count; n++) begin
      int unsigned value;
      value = below(1024);
      bytes.push_back(value < 256 ? 8'h7d + 8'(value[0]) : 8'(value));
    end
    return bytes;
  endfunction

  // ---- a step: one frame goes in, and its answer is checked
  bytes_t      bytes;              // what goes in: all of it if `raw`, else what follows kind, number and argument
  bit          raw;
  bit          silent;             // nothing goes in, the chip sends instead
  logic [15:0] damage;
  logic [7:0]  kind, arg, code;
  logic [7:0]  seq = 8'h7c;        // flag and escape come soon
  int          extra;              // bytes behind the head of the answer
  int          target;             // 0..63: a register; 64 and up: a port 64 + source
  logic [31:0] register [64];
  int          accesses = 0, given = 0;

  function automatic void ask(logic [7:0] new_kind, logic [7:0] new_arg, bytes_t payload, logic [7:0] new_code);
    kind  = new_kind;
    arg   = new_arg;
    bytes = payload;
    code  = new_code;
    extra = new_code == 8'd0 && (new_kind == 8'h01 || new_kind == 8'h02) ? 4 : 0;
  endfunction

  function automatic void send_raw(bytes_t content, logic [15:0] wrong, logic [7:0] new_code);
    raw    = 1'b1;
    bytes  = content;
    damage = wrong;
    kind   = 8'h7e;                // the answer's is fe
    code   = new_code;
  endfunction

  function automatic void chip_sends(int unsigned source, int unsigned count);
    sent_t packet;
    packet.bytes  = random_bytes(count);
    packet.port   = source == NumPipes ? '0 : 8'(source + NumPipes * below((NumPorts - source + NumPipes - 1) / NumPipes));
    packet.ticket = {8'h7e, 24'(below(1 << 24))};
    awaited[$clog2(NumPipes+1)'(source)].push_back(packet);
    u_chip.send($clog2(NumPipes+1)'(source), packet.bytes, packet.port, packet.ticket);
  endfunction

  function automatic void mixed();
    int unsigned count, n, what;
    logic [31:0] value;
    // A call of its own each: the tool may otherwise evaluate one in the place of another.
    count = below(PayloadBytes) + 1;
    n     = below(3);
    if (n == 0) count = (count + BeatBytes - 1) / BeatBytes * BeatBytes;
    n     = below(64);
    value = below(1 << 24);
    value = {value[23:16], 8'h7e, value[15:0]};
    what = below(6);
    case (what)
      0: begin
        ask(8'h03, 8'h00, {word(32'(4 * n)), word(value)}, 8'd0);
        register[n[5:0]] = value;
        target = int'(n);
      end
      1: begin
        ask(8'h02, 8'h00, word(32'(4 * n)), 8'd0);
        target = int'(n);
      end
      2: begin
        ask(8'h05, 8'h00, random_bytes(count), 8'd0);
        target = 64 + int'(NumPipes);
      end
      3: begin
        n = below(NumPorts);
        ask(8'h04, 8'(n), random_bytes(count), 8'd0);
        target = 64 + int'(n % NumPipes);
      end
      default: begin
        n = below(NumPipes + 1);
        chip_sends(n, count);
        silent = 1'b1;
      end
    endcase
  endfunction

  localparam int Mixed = 120, Steps = Mixed + 54;
  function automatic void choose(int step);
    bytes_t none;
    none = {};
    {raw, silent, damage, target} = {1'b0, 1'b0, 16'd0, -32'd1};
    if (step < Mixed) mixed();
    else case (step - Mixed)
      0, 40, 44: ask(8'h01, 8'h00, none, 8'd0);
      // The registers behind 0x80000 answer with an error.
      1: ask(8'h02, 8'h00, word(32'h80000), 8'd4);
      2: ask(8'h03, 8'h00, {word(32'h80004), word(32'h1)}, 8'd4);
      // What the bridge refuses by itself.
      3: ask(8'h00, 8'h00, none, 8'd1);
      4: ask(8'h45, 8'h00, none, 8'd1);
      5: ask(8'h02, 8'h00, random_bytes(3), 8'd2);
      6: ask(8'h02, 8'h00, random_bytes(5), 8'd2);
      7: ask(8'h03, 8'h00, random_bytes(4), 8'd2);
      8: ask(8'h04, 8'h00, none, 8'd2);
      9: ask(8'h05, 8'h00, none, 8'd2);
      10: ask(8'h01, 8'h00, random_bytes(1), 8'd2);
      11: ask(8'h04, 8'(NumPorts), random_bytes(64), 8'd3);
      // One bit of the check is wrong.
      12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27:
        send_raw({8'h03, 8'h11, 8'h00, 8'h00, 8'h00, 8'h00, 8'h04, 8'h01, 8'h02, 8'h03, 8'h04},
                 16'd1 << (step - Mixed - 12), 8'd1);
      28: send_raw({8'h02, 8'h11}, '0, 8'd1);
      29: send_raw(random_bytes(3 + PayloadBytes + 1), '0, 8'd2);
      30: send_raw(random_bytes(3 + PayloadBytes + 200), '0, 8'd2);
      // A byte without a stop bit spoils its frame only.
      31: begin
        send_raw({8'h05, 8'h00, 8'h00, 8'h12}, '0, 8'd3);
        u_host.stop_bit = 1'b0;
      end
      32: begin
        ask(8'h05, 8'h00, random_bytes(PayloadBytes), 8'd0);
        target = 64 + int'(NumPipes);
      end
      33: begin
        ask(8'h02, 8'h00, word(32'h0c), 8'd0);
        target = 3;
      end
      // A dead chip: an answer in time, then HELLO and RESET only.
      34: begin
        dead = 1'b1;
        ask(8'h02, 8'h00, word(32'h10), 8'd5);
      end
      35: ask(8'h03, 8'h00, random_bytes(8), 8'd6);
      36: ask(8'h04, 8'h00, random_bytes(64), 8'd6);
      37: ask(8'h02, 8'h00, word(32'h10), 8'd6);
      41, 43, 46: ask(8'h06, 8'h00, none, 8'd0);
      42: ask(8'h05, 8'h00, random_bytes(64), 8'd5);
      45: ask(8'h03, 8'h00, random_bytes(8), 8'd5);
      47: begin
        dead = 1'b0;
        ask(8'h03, 8'h00, {word(32'h14), word(32'h12345678)}, 8'd0);
        register[5] = 32'h12345678;
        target = 5;
      end
      // A reset in the middle of a packet: it breaks off, and what comes next is whole.
      48: begin
        chip_sends(NumPipes, PayloadBytes);
        chip_sends(0, PayloadBytes);
        chip_sends(NumPipes - 1, 64);
        silent = 1'b1;
      end
      49: ask(8'h06, 8'h00, none, 8'd0);
      50: begin
        chip_sends(1 % NumPipes, 100);
        silent = 1'b1;
      end
      51: begin
        ask(8'h04, 8'h00, random_bytes(65), 8'd0);
        target = 64;
      end
      default: silent = 1'b1;
    endcase
  endfunction

  task automatic check_effect();
    bytes_t got;
    if (target >= 64) begin
      logic [$clog2(NumPipes+1)-1:0] source;
      source = $clog2(NumPipes+1)'(target);
      if (u_chip.taken[source].size() != 1) fail("a packet did not come to its port");
      if (u_chip.taken[source][0].port != arg) fail("a packet came with another port");
      got = u_chip.taken[source][0].bytes;
      void'(u_chip.taken[source].pop_front());
      if (got.size() != bytes.size()) fail("a packet came with another length");
      foreach (got[n]) if (got[n] != bytes[n]) fail($sformatf("byte %0d of a packet has changed", n));
      given++;
    end
    if ((target >= 0 && target < 64) || code == 8'd4) accesses++;
    if (u_chip.accesses != accesses) fail("an access was not made, or made twice, or made though refused");
    for (int l = 0; l <= int'(NumPipes); l++)
      if (u_chip.taken[l[$clog2(NumPipes+1)-1:0]].size() != 0) fail("a packet that was refused has come");
    if (kind == 8'h02 && code == 8'd0 && {answer[3], answer[4], answer[5], answer[6]} != register[target[5:0]])
      fail($sformatf("register %0d reads %02x%02x%02x%02x, not %08x", target, answer[3], answer[4], answer[5], answer[6],
                     register[target[5:0]]));
    if (kind == 8'h01 && code == 8'd0
        && {answer[3], answer[4], answer[5], answer[6]} != {8'd1, 8'(NumPipes), 16'(PayloadBytes)}) fail("HELLO");
  endtask

  initial begin
    read_arguments();
    random        = 32'(seed) * 32'h9e3779b9 | 32'd1;
    u_chip.random = random ^ 32'h5a5a5a5a;
    for (int n = 0; n < 64; n++) {register[n], u_chip.register[n]} = '0;
    release_reset(4);
    repeat (10) @(negedge clk);

    for (int step = 0; step < Steps; step++) begin
      int waited, open;
      choose(step);
      answer = {};
      if (!silent) begin
        bytes_t content;
        content = bytes;
        if (!raw) content = {kind, seq, arg, bytes};
        u_host.send(content, damage);
        if (below(8) == 0) repeat (3) u_host.send_byte(8'h7e);        // idle flags are nothing
      end
      // Until the answer is there; and, after the mix and at the end, until all packets of the chip are.
      waited = 0;
      do begin
        @(negedge clk);
        take_frames();
        open = !silent && answer.size() == 0 ? 1 : 0;
        if (step == Mixed - 1 || step == Steps - 1)
          for (int l = 0; l <= int'(NumPipes); l++) open += awaited[l[$clog2(NumPipes+1)-1:0]].size();
        if (waited++ == int'(MostWait)) fail("no answer, or a packet of the chip is lost");
      end while (open != 0 || (step == Mixed + 48 && waited < int'(Divisor) * 900));
      if (!silent) begin
        if (answer[0] != (kind | 8'h80) || answer[1] != (raw ? 8'd0 : seq) || answer[2] != code
            || answer.size() != 3 + (raw ? 0 : extra))
          fail($sformatf("step %0d: answer %02x %02x %02x of %0d bytes to kind %02x number %02x, code %0d wanted", step,
                         answer[0], answer[1], answer[2], answer.size(), kind, seq, code));
        if (!raw) seq++;
        check_effect();
      end
      if (u_host.broken != (step >= Mixed + 49 ? 1 : 0)) fail("a frame of the bridge is broken, or one that should be is not");
      if (step == Mixed + 49) begin
        if (u_chip.resets < 4) fail("RESET did not reach the chip");
        for (int l = 0; l <= int'(NumPipes); l++) awaited[l[$clog2(NumPipes+1)-1:0]] = {};
        number++;                                                     // that of the packet that broke off
      end
    end
    pass($sformatf("%0d accesses, %0d packets in, %0d out", accesses, given, packets_out));
  end
endmodule : tb_sluice_serial
