// SPDX-License-Identifier: Apache-2.0

// Queues and counts of a test know blocking assignments only.
/* verilator lint_off BLKSEQ */

/// Stands in for the chip at the bridge: 64 registers with random waits (those from 0x80000 on answer with an error),
/// ports that keep what they are given, and senders of random packets. It demands that a data packet comes without a gap.
module serial_chip
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::NumPipes;
  import sluice_cfg_pkg::BeatBytes;
(
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             dead_i,       // answers nothing
  // what it is given
  input  logic [NumPipes-1:0]              rx_valid_i,
  input  logic [BeatBits-1:0]              rx_data_i,
  input  logic [BeatBytes-1:0]             rx_keep_i,
  input  logic                             rx_last_i,
  input  logic [7:0]                       rx_port_i,
  input  logic                             ctl_valid_i,
  output logic                             ctl_ready_o,
  // what it sends
  output logic [NumPipes:0]                tx_valid_o,   // NumPipes: the control port
  output logic [NumPipes:0][BeatBits-1:0]  tx_data_o,
  output logic [NumPipes:0][BeatBytes-1:0] tx_keep_o,
  output logic [NumPipes:0]                tx_last_o,
  output logic [NumPipes-1:0][7:0]         tx_port_o,
  output logic [NumPipes-1:0][31:0]        tx_ticket_o,
  input  logic [NumPipes:0]                tx_ready_i,
  // registers
  input  logic                             awvalid_i,
  input  logic                             wvalid_i,
  input  logic                             arvalid_i,
  input  logic [19:0]                      addr_i,
  input  logic [31:0]                      wdata_i,
  output logic                             awready_o,
  output logic                             wready_o,
  output logic                             arready_o,
  output logic                             bvalid_o,
  output logic                             rvalid_o,
  output logic [1:0]                       bresp_o,
  output logic [1:0]                       rresp_o,
  output logic [31:0]                      rdata_o
);
  typedef logic [7:0] bytes_t [$];
  typedef logic [$clog2(NumPipes+1)-1:0] source_t;
  localparam int Sources = 2 ** $clog2(NumPipes + 1);
  typedef struct {
    bytes_t     bytes;
    logic [7:0] port;
    logic [31:0] ticket;
  } packet_t;

  logic [31:0] register [64];
  packet_t     taken [Sources][$];              // what came; NumPipes: the control port
  packet_t     outgoing [Sources][$];           // what is to be sent
  int          accesses = 0, resets = 0;

  logic [31:0] random = 32'h2545f491;              // set by the test
  function automatic logic [31:0] next_random();
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    return random;
  endfunction

  task automatic fail(string what);
    $display("FAIL %s", what);
    $fatal(1, "sluice_serial");
  endtask

  function automatic void send(source_t source, bytes_t bytes, logic [7:0] port, logic [31:0] ticket);
    packet_t packet;
    packet.bytes  = bytes;
    packet.port   = port;
    packet.ticket = ticket;
    outgoing[source].push_back(packet);
  endfunction

  // ---- ports
  bytes_t open [Sources];
  function automatic void finish(source_t source);
    packet_t packet;
    packet.bytes  = open[source];
    packet.port   = rx_port_i;
    packet.ticket = '0;
    taken[source].push_back(packet);
    open[source] = {};
  endfunction

  logic [NumPipes:0] begun = '0;
  always @(posedge clk_i) begin
    ctl_ready_o <= !dead_i && next_random() % 4 != 0;
    if (!rst_ni) begin
      begun <= '0;
      for (int l = 0; l <= int'(NumPipes); l++) open[l] = {};
    end else begin
      for (int l = 0; l <= int'(NumPipes); l++) begin
        logic beat;
        beat = l == int'(NumPipes) ? ctl_valid_i && ctl_ready_o : rx_valid_i[l % NumPipes];
        if (l < int'(NumPipes) && begun[l] && !beat) fail("a gap in a data packet");
        if (beat) begin
          if (!rx_last_i && rx_keep_i != '1) fail("a beat before the last is not full");
          for (int b = 0; b < int'(BeatBytes); b++)
            if (rx_keep_i[b]) open[l].push_back(rx_data_i[8*b +: 8]);
          begun[l] <= !rx_last_i;
          if (rx_last_i) begin
            finish(source_t'(l));
          end
        end
      end
    end
  end

  initial forever begin
    @(negedge rst_ni);
    resets++;
  end

  // ---- senders: a beat stays until it is taken
  for (genvar g = 0; g <= NumPipes; g++) begin : gen_sender
    int unsigned at;
    always @(posedge clk_i) begin
      if (!rst_ni) begin
        tx_valid_o[g] <= 1'b0;
        at <= 0;
        outgoing[g] = {};
      end else begin
        int unsigned next;
        next = at;
        if (tx_valid_o[g] && tx_ready_i[g]) begin
          next = at + BeatBytes;
          if (tx_last_o[g]) begin
            next = 0;
            void'(outgoing[g].pop_front());
          end
        end
        at <= next;
        tx_valid_o[g] <= outgoing[g].size() != 0;
        if (outgoing[g].size() != 0) begin
          int unsigned size;
          size = outgoing[g][0].bytes.size();
          for (int unsigned b = 0; b < BeatBytes; b++) begin
            tx_keep_o[g][b]         <= next + b < size;
            tx_data_o[g][8*b +: 8] <= next + b < size ? outgoing[g][0].bytes[next+b] : 8'haa;
          end
          tx_last_o[g] <= next + BeatBytes >= size;
          if (g < NumPipes) begin
            tx_port_o[g % NumPipes]   <= outgoing[g][0].port;
            tx_ticket_o[g % NumPipes] <= outgoing[g][0].ticket;
          end
        end
      end
    end
  end

  // ---- registers
  logic aw_q, w_q, ar_q;
  logic [31:0] wdata_q;
  logic [19:0] addr_q;
  logic unused_addr;
  assign unused_addr = ^addr_q;
  always @(posedge clk_i) begin
    awready_o <= !dead_i && next_random() % 3 == 0;
    wready_o  <= !dead_i && next_random() % 3 == 0;
    arready_o <= !dead_i && next_random() % 3 == 0;
    bvalid_o  <= 1'b0;
    rvalid_o  <= 1'b0;
    bresp_o   <= addr_q[19] ? 2'b10 : 2'b00;
    rresp_o   <= addr_q[19] ? 2'b11 : 2'b00;
    rdata_o   <= next_random();
    if (!rst_ni) begin
      {aw_q, w_q, ar_q} <= '0;
    end else begin
      if (awvalid_i && awready_o) {aw_q, addr_q} <= {1'b1, addr_i};
      if (wvalid_i && wready_o) {w_q, wdata_q} <= {1'b1, wdata_i};
      if (arvalid_i && arready_o) {ar_q, addr_q} <= {1'b1, addr_i};
      if (aw_q && w_q && next_random() % 4 == 0) begin
        bvalid_o <= 1'b1;
        {aw_q, w_q} <= '0;
        accesses++;
        if (!addr_q[19]) register[addr_q[7:2]] = wdata_q;
      end
      if (ar_q && next_random() % 4 == 0) begin
        rvalid_o <= 1'b1;
        ar_q     <= 1'b0;
        accesses++;
        rdata_o  <= register[addr_q[7:2]];
      end
    end
  end
endmodule : serial_chip
/* verilator lint_on BLKSEQ */
