// SPDX-License-Identifier: Apache-2.0

/// Two chips of different shape in one simulation, cabled together: products of `make ip` with the prefixes acme (shape small, two lanes)
/// and beta (shape ulx3s, one lane with two ports).
///
///     test -> acme port 0 | acme port 1 <- cable -> beta port 0 | beta port 1 <- test
///
/// Each chip numbers all packets that pass it (near.dom: bytes 46 to 49 at acme, far.dom: bytes 50 to 53 at beta) and sends them to its other
/// port. The test sends packets of random length and content in at both ends, so they cross in the cables, and checks what comes out at
/// the other end: every packet once, in order, each byte as it was but the numbers; of each chip the numbers are 1 to 2 x Packets, each
/// once, and increase in each direction. acme takes a beat of its cable when beta's lane is free of the test's packets, since beta's lane
/// is shared: a multiplexer in front of it changes sides between packets.
// The scoreboard counts within a cycle, and indices are ints; outputs that the test does not look at are left open.
/* verilator lint_off PINCONNECTEMPTY */
/* verilator lint_off BLKSEQ */
/* verilator lint_off UNUSEDSIGNAL */
module tb_two_chips;
  localparam int unsigned Packets  = 120;                        // per direction
  localparam int unsigned Beat     = acme_pkg::BeatBytes;        // of both chips: the cable has no width converter
  localparam int unsigned MaxBytes = 200;
  localparam string       Folder   = "build/tb/two_chips/";
  if (beta_pkg::BeatBytes != Beat) $fatal(1, "the chips have different beats");
  if (acme_pkg::NumPipes != 2 || beta_pkg::NumPipes != 1 || beta_pkg::NumPorts != 2)
    $fatal(1, "the cables are laid for acme with two lanes and beta with one lane of two ports");

  typedef struct packed {
    logic                valid, last;
    logic [7:0]          port;
    logic [8*Beat-1:0]   data;
    logic [Beat-1:0]     keep;
  } beat_t;
  `include "bench.svh"

  bit   running = 1'b0;                       // rst_n, as data
  // ---- the chips
  beat_t [1:0] acme_rx, acme_tx;
  beat_t       beta_rx, beta_tx;
  logic        acme_cable_ready, beta_ready, acme_done, beta_done;
  logic [31:0] acme_id, acme_shape, beta_id, beta_shape;
  int unsigned acme_sent, acme_effective, acme_bad, beta_sent, beta_effective, beta_bad;
  string       acme_file = {Folder, "near.pcap"}, beta_file = {Folder, "far.pcap"};

  logic              acme_ctl_valid, acme_ctl_last, acme_ctl_ready, acme_arvalid, acme_arready, acme_rvalid;
  logic [8*Beat-1:0] acme_ctl_data;
  logic [Beat-1:0]   acme_ctl_keep;
  logic [19:0]       acme_araddr;
  logic [1:0]        acme_rresp;
  logic [31:0]       acme_rdata;
  two_chips_control #(.BeatBytes(Beat)) u_acme_control (
    .clk_i(clk), .rst_ni(rst_n), .file_i(acme_file), .done_o(acme_done), .id_o(acme_id), .shape_o(acme_shape),
    .packets_o(acme_sent), .effective_o(acme_effective), .bad_o(acme_bad),
    .valid_o(acme_ctl_valid), .data_o(acme_ctl_data), .keep_o(acme_ctl_keep), .last_o(acme_ctl_last),
    .ready_i(acme_ctl_ready), .arvalid_o(acme_arvalid), .araddr_o(acme_araddr), .arready_i(acme_arready),
    .rvalid_i(acme_rvalid), .rresp_i(acme_rresp), .rdata_i(acme_rdata)
  );
  acme u_acme (
    .clk_i(clk), .rst_ni(rst_n),
    .rx_valid_i({acme_rx[1].valid, acme_rx[0].valid}), .rx_data_i({acme_rx[1].data, acme_rx[0].data}),
    .rx_keep_i({acme_rx[1].keep, acme_rx[0].keep}), .rx_last_i({acme_rx[1].last, acme_rx[0].last}), .rx_err_i('0),
    .rx_port_i({acme_rx[1].port, acme_rx[0].port}),
    .tx_valid_o({acme_tx[1].valid, acme_tx[0].valid}), .tx_data_o({acme_tx[1].data, acme_tx[0].data}),
    .tx_keep_o({acme_tx[1].keep, acme_tx[0].keep}), .tx_last_o({acme_tx[1].last, acme_tx[0].last}),
    .tx_port_o({acme_tx[1].port, acme_tx[0].port}), .tx_ticket_o(), .tx_ready_i({acme_cable_ready, 1'b1}),
    .ctl_rx_valid_i(acme_ctl_valid), .ctl_rx_data_i(acme_ctl_data), .ctl_rx_keep_i(acme_ctl_keep),
    .ctl_rx_last_i(acme_ctl_last), .ctl_rx_ready_o(acme_ctl_ready),
    .ctl_tx_valid_o(), .ctl_tx_data_o(), .ctl_tx_keep_o(), .ctl_tx_last_o(), .ctl_tx_ready_i(1'b1),
    .csr_awvalid_i(1'b0), .csr_awaddr_i('0), .csr_awready_o(), .csr_wvalid_i(1'b0), .csr_wdata_i('0), .csr_wstrb_i('0),
    .csr_wready_o(), .csr_bvalid_o(), .csr_bresp_o(), .csr_bready_i(1'b1),
    .csr_arvalid_i(acme_arvalid), .csr_araddr_i(acme_araddr), .csr_arready_o(acme_arready),
    .csr_rvalid_o(acme_rvalid), .csr_rresp_o(acme_rresp), .csr_rdata_o(acme_rdata), .csr_rready_i(1'b1)
  );

  logic              beta_ctl_valid, beta_ctl_last, beta_ctl_ready, beta_arvalid, beta_arready, beta_rvalid;
  logic [8*Beat-1:0] beta_ctl_data;
  logic [Beat-1:0]   beta_ctl_keep;
  logic [19:0]       beta_araddr;
  logic [1:0]        beta_rresp;
  logic [31:0]       beta_rdata;
  two_chips_control #(.BeatBytes(Beat)) u_beta_control (
    .clk_i(clk), .rst_ni(rst_n), .file_i(beta_file), .done_o(beta_done), .id_o(beta_id), .shape_o(beta_shape),
    .packets_o(beta_sent), .effective_o(beta_effective), .bad_o(beta_bad),
    .valid_o(beta_ctl_valid), .data_o(beta_ctl_data), .keep_o(beta_ctl_keep), .last_o(beta_ctl_last),
    .ready_i(beta_ctl_ready), .arvalid_o(beta_arvalid), .araddr_o(beta_araddr), .arready_i(beta_arready),
    .rvalid_i(beta_rvalid), .rresp_i(beta_rresp), .rdata_i(beta_rdata)
  );
  beta u_beta (
    .clk_i(clk), .rst_ni(rst_n),
    .rx_valid_i(beta_rx.valid), .rx_data_i(beta_rx.data), .rx_keep_i(beta_rx.keep), .rx_last_i(beta_rx.last),
    .rx_err_i('0), .rx_port_i(beta_rx.port),
    .tx_valid_o(beta_tx.valid), .tx_data_o(beta_tx.data), .tx_keep_o(beta_tx.keep), .tx_last_o(beta_tx.last),
    .tx_port_o(beta_tx.port), .tx_ticket_o(), .tx_ready_i(beta_ready),
    .ctl_rx_valid_i(beta_ctl_valid), .ctl_rx_data_i(beta_ctl_data), .ctl_rx_keep_i(beta_ctl_keep),
    .ctl_rx_last_i(beta_ctl_last), .ctl_rx_ready_o(beta_ctl_ready),
    .ctl_tx_valid_o(), .ctl_tx_data_o(), .ctl_tx_keep_o(), .ctl_tx_last_o(), .ctl_tx_ready_i(1'b1),
    .csr_awvalid_i(1'b0), .csr_awaddr_i('0), .csr_awready_o(), .csr_wvalid_i(1'b0), .csr_wdata_i('0), .csr_wstrb_i('0),
    .csr_wready_o(), .csr_bvalid_o(), .csr_bresp_o(), .csr_bready_i(1'b1),
    .csr_arvalid_i(beta_arvalid), .csr_araddr_i(beta_araddr), .csr_arready_o(beta_arready),
    .csr_rvalid_o(beta_rvalid), .csr_rresp_o(beta_rresp), .csr_rdata_o(beta_rdata), .csr_rready_i(1'b1)
  );

  // ---- cables
  // From beta to acme: what beta sends to its port 0. acme has no ready and needs none.
  always_comb begin
    acme_rx[1]       = beta_tx;
    acme_rx[1].valid = beta_tx.valid && beta_tx.port == 8'd0;
    acme_rx[1].port  = mutant == 4 ? 8'd0 : 8'd1;
    if (mutant == 2 && beta_count == 40) acme_rx[1].data[77] = !beta_tx.data[77];
  end
  assign beta_ready = 1'b1;
  // From acme to beta: whole packets, between those of the test.
  typedef enum logic [1:0] {Free, Cable, Test} side_e;
  side_e side_q, side;
  beat_t near_end;      // the test's packets for beta's port 1
  logic  near_ready;
  always_comb begin
    side             = side_q;
    if (side_q == Free) side = acme_tx[1].valid ? Cable : near_end.valid ? Test : Free;
    acme_cable_ready = side == Cable || mutant == 3;
    near_ready       = side == Test;
    beta_rx          = side == Cable ? acme_tx[1] : near_end;
    beta_rx.port     = side == Cable ? 8'd0 : 8'd1;
    beta_rx.valid    = side == Cable ? acme_tx[1].valid : side == Test && near_end.valid;
    if (mutant == 1 && side == Cable && cable_count == 30) beta_rx.valid = 1'b0;
  end
  // Packets that have passed the cables.
  int unsigned cable_count = 0, beta_count = 0;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) side_q <= Free;
    else begin
      side_q <= side;
      if (side == Cable && acme_tx[1].valid && acme_tx[1].last) side_q <= Free;
      if (side == Test && near_end.valid && near_end.last) side_q <= Free;
    end
  end
  always_ff @(posedge clk) begin
    now <= now + 1;
    if (side == Cable && acme_tx[1].valid && acme_tx[1].last) cable_count <= cable_count + 1;
    if (beta_tx.valid && beta_tx.last && beta_tx.port == 8'd0) beta_count <= beta_count + 1;
  end

  // ---- the packets: direction 0 goes in at acme's port 0, direction 1 at beta's port 1
  typedef logic [7:0] bytes_t [MaxBytes];
  bytes_t      packet [2][Packets];
  int          length [2][Packets];
  int unsigned entered [2], left [2];
  bit          number_seen [2][2*Packets+1];   // chip, number
  int unsigned last_number [2][2];             // chip, direction

  function automatic void make(int d, int n);
    length[d][n] = 64 + rnd(MaxBytes - 64 + 1);
    for (int b = 0; b < length[d][n]; b++) packet[d][n][b] = 8'(rnd(256));
    // VLAN tag of module 1; a type that is neither IP nor anything the chip knows.
    {packet[d][n][12], packet[d][n][13], packet[d][n][14], packet[d][n][15]} = 32'h8100_0001;
    {packet[d][n][16], packet[d][n][17]} = 16'h88b5;
  endfunction

  function automatic beat_t beat_of(int d, int n, int at);
    beat_of = '0;
    beat_of.valid = 1'b1;
    beat_of.last  = at + int'(Beat) >= length[d][n];
    for (int b = 0; b < int'(Beat); b++)
      if (at + b < length[d][n]) begin
        beat_of.data[8*b +: 8] = packet[d][n][at + b];
        beat_of.keep[b] = 1'b1;
      end
  endfunction

  // A packet that leaves, byte by byte, against the next one of its direction.
  int          at [2];
  logic [31:0] number [2][2];                  // direction, chip
  function automatic void take(int d, beat_t beat);
    int n = int'(left[d]);
    if (left[d] == entered[d]) fail($sformatf("direction %0d: a packet that nobody sent", d));
    for (int b = 0; b < int'(Beat); b++)
      if (beat.keep[b]) begin
        logic [7:0] got = beat.data[8*b +: 8];
        if (at[d] >= length[d][n]) fail($sformatf("direction %0d packet %0d is too long", d, n));
        else if (at[d] >= 46 && at[d] < 54) number[d][at[d] >= 50 ? 1 : 0][8*(3 - (at[d] - 46) % 4) +: 8] = got;
        else if (got != packet[d][n][at[d]])
          fail($sformatf("direction %0d packet %0d byte %0d is %02x, not %02x", d, n, at[d], got, packet[d][n][at[d]]));
        at[d]++;
      end
    if (!beat.last) return;
    if (at[d] != length[d][n]) fail($sformatf("direction %0d packet %0d has %0d bytes, not %0d", d, n, at[d], length[d][n]));
    for (int c = 0; c < 2; c++) begin
      int unsigned k = number[d][c];
      if (k == 0 || k > 2 * Packets) fail($sformatf("direction %0d packet %0d: chip %0d gave it the number %0d", d, n, c, k));
      else if (number_seen[c][k]) fail($sformatf("chip %0d gave the number %0d twice", c, k));
      else if (k <= last_number[c][d]) fail($sformatf("direction %0d: number %0d of chip %0d is late", d, k, c));
      else begin
        number_seen[c][k] = 1'b1;
        last_number[c][d] = k;
      end
    end
    at[d] = 0;
    left[d]++;
  endfunction

  always @(posedge clk) if (running) begin
    if (beta_tx.valid && beta_tx.port == 8'd1) take(0, beta_tx);
    if (acme_tx[0].valid) take(1, acme_tx[0]);
    if (beta_tx.valid && beta_tx.port > 8'd1 || acme_tx[0].valid && acme_tx[0].port != 8'd0
        || acme_tx[1].valid && acme_tx[1].port != 8'd1) fail("a packet for a port that is not there");
  end

  // ---- the test
  initial begin
    read_arguments(60000);
    if (mutant == 5) beta_file = acme_file;
    acme_rx[0] = '0;
    near_end   = '0;
    for (int d = 0; d < 2; d++) begin
      {entered[d], left[d], at[d]} = '0;
      for (int n = 0; n < int'(Packets); n++) make(d, n);
    end
    repeat (8) @(negedge clk);
    {rst_n, running} = 2'b11;
    while (!acme_done || !beta_done) begin
      @(negedge clk);
      if (now > int'(cycles)) fail("the chips are not ready");
    end
    if (acme_id != acme_pkg::LayoutHash || beta_id != beta_pkg::LayoutHash) fail("CHIP.ID");
    if (acme_shape[15:0] != {8'(acme_pkg::NumPorts), 8'(acme_pkg::NumPipes)}
        || beta_shape[15:0] != {8'(beta_pkg::NumPorts), 8'(beta_pkg::NumPipes)} || acme_shape == beta_shape) fail("CHIP.SHAPE_0");
    if (acme_bad != 0 || beta_bad != 0 || acme_effective != acme_sent || beta_effective != beta_sent)
      fail("reconfiguration packets are refused");
    fork
      for (int n = 0; n < int'(Packets); n++) begin
        entered[0] = n + 1;
        for (int b = 0; b < length[0][n]; b += int'(Beat)) begin
          acme_rx[0] = beat_of(0, n, b);
          @(negedge clk);
        end
        acme_rx[0] = '0;
        repeat (10 + rnd(60)) @(negedge clk);
      end
      for (int n = 0; n < int'(Packets); n++) begin
        entered[1] = n + 1;
        for (int b = 0; b < length[1][n]; b += int'(Beat)) begin
          near_end = beat_of(1, n, b);
          do @(posedge clk); while (!near_ready);
          @(negedge clk);
        end
        near_end = '0;
        repeat (10 + rnd(60)) @(negedge clk);
      end
    join
    while (left[0] < Packets || left[1] < Packets) begin
      @(posedge clk);
      if (now > int'(cycles)) fail($sformatf("%0d and %0d of %0d packets came through", left[0], left[1], Packets));
    end
    repeat (500) @(posedge clk);
    pass($sformatf("%0d packets each way through acme (%0d lanes) and beta (%0d lane), %0d cycles",
                   Packets, acme_pkg::NumPipes, beta_pkg::NumPipes, now));
  end
endmodule : tb_two_chips
