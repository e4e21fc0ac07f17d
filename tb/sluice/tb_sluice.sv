// SPDX-License-Identifier: Apache-2.0

/// The chip under the C harness (dpi/). This module owns clock, reset and the chip, nothing else: in
/// every cycle it shows all outputs and probes to C in one call and drives what C returns.
///   +job=FILE   what to do (docs/verification.md); +waves=FILE.fst writes waves
module tb_sluice
  import sluice_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::LayoutHash;
;
  // 32-bit words of shown_event of a lane.
  localparam int unsigned ShownWords = ArrayEntries != 0 ? 20 : 1;
  // The contract is dpi/sluice_dpi.h. A beat crosses in 512 bits, whatever the chip's has.
  import "DPI-C" function void sluice_dpi_open(string job, int unsigned layout_hash, int unsigned num_pipes,
                                               int unsigned num_ports, int unsigned back_stages, int unsigned shown_words);
  import "DPI-C" function int sluice_dpi_tick(
    // what the chip shows in this cycle
    input bit [NumPipes-1:0]           tx_valid,
    input bit [NumPipes-1:0][511:0]    tx_data,
    input bit [NumPipes-1:0][63:0]     tx_keep,
    input bit [NumPipes-1:0]           tx_last,
    input bit [NumPipes-1:0][31:0]     tx_port,
    input bit [NumPipes-1:0][31:0]     tx_ticket,
    input bit [31:0]                   ctl_flags,        // 0 rx_ready, 1 tx_valid, 2 tx_last
    input bit [511:0]                  ctl_tx_data,
    input bit [31:0]                   csr_flags,        // 0 awready, 1 wready, 2 bvalid, 4:3 bresp, 5 arready, 6 rvalid, 8:7 rresp
    input bit [31:0]                   csr_rdata,
    input bit [NumPipes-1:0][31:0]     lane_event,       // 31 done, 30 again, 29 its last beat, 28:5 its ticket, 4:0 reason
    input bit [NumPipes-1:0][31:0]     deal_event,       // of a stream, with FastLanes: 31 dealt, 3:0 lane; 30 the beat on the bus is of a packet that gives way
    input bit [NumPipes-1:0][31:0]     order_event,      // 31 done, 30:26 reason, 25 mark, 24:20 held, 19:0 tag
    input bit [NumPipes-1:0][32*ShownWords-1:0] shown_event,  // with ArrayEntries, of the packet of order_event: 639:128 its array, 127:0 its 2-byte containers
    input bit [31:0]                   state_any,
    input bit [BackStages-1:0][NumPipes-1:0][63:0] state_event,  // 63 valid, 62 refused, 47:32 tag, 31:0 slot
    input bit [NumPipes-1:0][191:0]    exit_event,       // 191 done, 190:186 reason, 185 unpaid, 184 deep, 175:160 held, 159:128 ticket, 127:64 accepted, 63:0 refused
    input bit [NumPipes-1:0][95:0]     egress_event,     // 95 enter, 94 left, 93 done, 92 dropped, 79:72 port, 71:64 port of done, 63:32 ticket, 31:0 ticket of done
    input bit [95:0]                   mark_event,       // 95 valid, 94 write, 79:72 stage, 71:64 pipe, 63:32 slot, 31:0 ticket
    input bit [95:0]                   cut_event,        // 95 valid, 63:32 rows, 31:0 ticket
    input bit [95:0]                   flip_event,       // guarded: the same
    input bit [31:0]                   deepest,          // phantoms in the deepest order queue
    input bit [31:0]                   bank,             // bit r: bank of packets of row r of which lane_event reports the arrival now
    // what drives it in the next
    output bit [NumPipes-1:0]          rx_valid,
    output bit [NumPipes-1:0][511:0]   rx_data,
    output bit [NumPipes-1:0][63:0]    rx_keep,
    output bit [NumPipes-1:0]          rx_last,
    output bit [NumPipes-1:0]          rx_err,
    output bit [NumPipes-1:0][31:0]    rx_port,
    output bit [NumPipes-1:0]          tx_ready,
    output bit [31:0]                  ctl_drive,        // 0 rx_valid, 1 rx_last, 2 tx_ready
    output bit [511:0]                 ctl_rx_data,
    output bit [63:0]                  ctl_rx_keep,
    output bit [31:0]                  csr_drive,        // 0 awvalid, 1 wvalid, 2 bready, 3 arvalid, 4 rready
    output bit [31:0]                  csr_addr,
    output bit [31:0]                  csr_wdata
  );
  import "DPI-C" function int sluice_dpi_close();

  logic clk = 1'b0, rst_n = 1'b0;
  bit   running = 1'b0;   // rst_n, as data
  // A server resets the chip again: cycles that are left of it. C is not called meanwhile.
  localparam int unsigned ResetCycles = 8;
  int unsigned resetting = 0;
  // One timestep is half a clock cycle.
  initial forever #1 clk = !clk;

  // ---- the chip
  logic [NumPipes-1:0]                rx_valid, rx_last, rx_err, tx_valid, tx_last, tx_ready;
  logic [NumPipes-1:0][BeatBits-1:0]  rx_data, tx_data;
  logic [NumPipes-1:0][BeatBytes-1:0] rx_keep, tx_keep;
  logic [NumPipes-1:0][7:0]           rx_port, tx_port;
  logic [NumPipes-1:0][31:0]          tx_ticket;
  logic                               ctl_rx_valid, ctl_rx_last, ctl_rx_ready, ctl_tx_valid, ctl_tx_last, ctl_tx_ready;
  logic [BeatBits-1:0]                ctl_rx_data, ctl_tx_data;
  logic [BeatBytes-1:0]               ctl_rx_keep, ctl_tx_keep;
  logic                               awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [19:0]                        csr_addr;
  logic [31:0]                        csr_wdata, csr_rdata;
  logic [1:0]                         bresp, rresp;
  probe_t                             probe;

  sluice u_sluice (
    .clk_i(clk), .rst_ni(rst_n && resetting == 0),
    .rx_valid_i(rx_valid), .rx_data_i(rx_data), .rx_keep_i(rx_keep), .rx_last_i(rx_last), .rx_err_i(rx_err),
    .rx_port_i(rx_port),
    .tx_valid_o(tx_valid), .tx_data_o(tx_data), .tx_keep_o(tx_keep), .tx_last_o(tx_last), .tx_port_o(tx_port),
    .tx_ticket_o(tx_ticket), .tx_ready_i(tx_ready),
    .ctl_rx_valid_i(ctl_rx_valid), .ctl_rx_data_i(ctl_rx_data), .ctl_rx_keep_i(ctl_rx_keep),
    .ctl_rx_last_i(ctl_rx_last), .ctl_rx_ready_o(ctl_rx_ready),
    .ctl_tx_valid_o(ctl_tx_valid), .ctl_tx_data_o(ctl_tx_data), .ctl_tx_keep_o(ctl_tx_keep),
    .ctl_tx_last_o(ctl_tx_last), .ctl_tx_ready_i(ctl_tx_ready),
    .csr_awvalid_i(awvalid), .csr_awaddr_i(csr_addr), .csr_awready_o(awready),
    .csr_wvalid_i(wvalid), .csr_wdata_i(csr_wdata), .csr_wstrb_i(4'hf), .csr_wready_o(wready),
    .csr_bvalid_o(bvalid), .csr_bresp_o(bresp), .csr_bready_i(bready),
    .csr_arvalid_i(arvalid), .csr_araddr_i(csr_addr), .csr_arready_o(arready),
    .csr_rvalid_o(rvalid), .csr_rresp_o(rresp), .csr_rdata_o(csr_rdata), .csr_rready_i(rready),
    .probe_o(probe)
  );

  // ---- beats and probes, in the form that C takes them
  bit [NumPipes-1:0][511:0]                    tx_data_word;
  bit [NumPipes-1:0][63:0]                     tx_keep_word;
  bit [NumPipes-1:0][31:0]                     lane_event, deal_event, order_event, tx_port_word;
  bit [BackStages-1:0][NumPipes-1:0][63:0]     state_event;
  bit [NumPipes-1:0][191:0]                    exit_event;
  bit [NumPipes-1:0][95:0]                     egress_event;
  bit [NumPipes-1:0][32*ShownWords-1:0]        shown_event;
  bit [95:0]                                   mark_event, cut_event, flip_event;
  bit                                          state_any;
  bit [31:0]                                   deepest, bank;
  always_comb begin
    state_any = 1'b0;
    deepest   = '0;
    bank      = 32'(probe.bank);
    mark_event = {probe.order.mark.valid, probe.order.mark.write, 14'b0, 8'(probe.order.mark.stage), 8'(probe.order.mark.pipe), 32'(probe.order.mark.slot),
                  probe.order.mark.ticket};
    cut_event  = {probe.order.cut.valid, 31'b0, 32'(probe.order.cut.rows), probe.order.cut.ticket};
    flip_event = {probe.order.flip.valid, 31'b0, 32'(probe.order.flip.rows), probe.order.flip.ticket};
    for (int unsigned p = 0; p < NumPipes; p++) begin
      lane_event[p]   = {probe.lane[p].done, probe.lane[p].again, probe.lane[p].again_last,
                         24'(probe.lane[p].again_ticket), probe.lane[p].reason};
      deal_event[p]   = {probe.lane[p].dealt, probe.lane[p].gives_way, 26'b0, 4'(probe.lane[p].dealt_lane)};
      order_event[p]  = {probe.order.lane[p].done, probe.order.lane[p].reason, probe.order.lane[p].mark,
                         probe.order.lane[p].held, 20'(probe.order.lane[p].tag)};
      exit_event[p]   = {probe.exit[p].done, probe.exit[p].reason, probe.exit[p].unpaid, probe.exit[p].deep, 8'b0, 16'(probe.exit[p].held),
                         probe.exit[p].ticket,
                         64'(probe.exit[p].accepted), 64'(probe.exit[p].refused)};
      egress_event[p] = {probe.egress[p].enter, probe.egress[p].left, probe.egress[p].done, probe.egress[p].dropped, 12'b0,
                         probe.egress[p].port, probe.egress[p].done_port, probe.egress[p].ticket, probe.egress[p].done_ticket};
      tx_data_word[p] = 512'(tx_data[p]);
      tx_keep_word[p] = 64'(tx_keep[p]);
      tx_port_word[p] = 32'(tx_port[p]);
      for (int unsigned s = 0; s < BackStages; s++) begin
        state_any = state_any || probe.state[s][p].valid;
        state_event[s][p] = {probe.state[s][p].valid, probe.state[s][p].refused, 14'b0,
                             16'(probe.state[s][p].tag), 32'(probe.state[s][p].slot)};
      end
      for (int unsigned s = 0; s < StateStages; s++)
        if (32'(probe.order.depth[s][p]) > deepest) deepest = 32'(probe.order.depth[s][p]);
    end
  end

  for (genvar p = 0; p < NumPipes; p++) begin : gen_shown
    if (ArrayEntries != 0) begin : gen_match
      shown_t shown;
      assign shown          = shown_t'(probe.order.lane[p].shown);
      assign shown_event[p] = {512'(shown.words), 128'(shown.b2)};
    end else begin : gen_no_match
      assign shown_event[p] = 32'(probe.order.lane[p].shown);
    end
  end

  // ---- one call a cycle
  bit [NumPipes-1:0]           d_rx_valid, d_rx_last, d_rx_err, d_tx_ready;
  bit [NumPipes-1:0][511:0]    d_rx_data;
  bit [NumPipes-1:0][63:0]     d_rx_keep;
  bit [NumPipes-1:0][31:0]     d_rx_port;
  bit [31:0]                   d_ctl, d_csr, d_csr_addr, d_csr_wdata;
  bit [511:0]                  d_ctl_data;
  bit [63:0]                   d_ctl_keep;

  always @(posedge clk) begin
    if (resetting != 0) begin
      resetting <= resetting - 1;
    end else if (running) begin
      // What C wants: 0 the next cycle, 1 the end, 2 a reset.
      automatic int wish = sluice_dpi_tick(
            tx_valid, tx_data_word, tx_keep_word, tx_last, tx_port_word, tx_ticket,
            {29'b0, ctl_tx_last, ctl_tx_valid, ctl_rx_ready}, 512'(ctl_tx_data),
            {23'b0, rresp, rvalid, arready, bresp, bvalid, wready, awready}, csr_rdata,
            lane_event, deal_event, order_event, shown_event, {31'b0, state_any}, state_event, exit_event, egress_event, mark_event,
            cut_event, flip_event, deepest, bank,
            d_rx_valid, d_rx_data, d_rx_keep, d_rx_last, d_rx_err, d_rx_port, d_tx_ready,
            d_ctl, d_ctl_data, d_ctl_keep, d_csr, d_csr_addr, d_csr_wdata);
      if (wish == 1) $finish;
      if (wish == 2) resetting <= ResetCycles;
      rx_valid <= d_rx_valid;
      rx_last  <= d_rx_last;
      rx_err   <= d_rx_err;
      for (int unsigned p = 0; p < NumPipes; p++) begin
        rx_data[p] <= d_rx_data[p][BeatBits-1:0];
        rx_keep[p] <= d_rx_keep[p][BeatBytes-1:0];
        rx_port[p] <= d_rx_port[p][7:0];
      end
      tx_ready     <= d_tx_ready;
      ctl_rx_valid <= d_ctl[0];
      ctl_rx_last  <= d_ctl[1];
      ctl_tx_ready <= d_ctl[2];
      ctl_rx_data  <= d_ctl_data[BeatBits-1:0];
      ctl_rx_keep  <= d_ctl_keep[BeatBytes-1:0];
      awvalid      <= d_csr[0];
      wvalid       <= d_csr[1];
      bready       <= d_csr[2];
      arvalid      <= d_csr[3];
      rready       <= d_csr[4];
      csr_addr     <= d_csr_addr[19:0];
      csr_wdata    <= d_csr_wdata;
    end
  end

  // ---- life of a run
  string job, waves;
  initial begin
    rx_valid = '0; rx_data = '0; rx_keep = '0; rx_last = '0; rx_err = '0; rx_port = '0; tx_ready = '0;
    ctl_rx_valid = '0; ctl_rx_data = '0; ctl_rx_keep = '0; ctl_rx_last = '0; ctl_tx_ready = '0;
    awvalid = '0; wvalid = '0; bready = '0; arvalid = '0; rready = '0; csr_addr = '0; csr_wdata = '0;
    if (!$value$plusargs("job=%s", job)) job = "";
    if ($value$plusargs("waves=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, tb_sluice);
    end
    sluice_dpi_open(job, LayoutHash, NumPipes, NumPorts, BackStages, ShownWords);
    #5 rst_n = 1'b1;
    running = 1'b1;
  end

  final void'(sluice_dpi_close());

  logic unused_bits;
  assign unused_bits = ^{ctl_tx_keep, d_rx_data, d_rx_keep, d_ctl_data, d_ctl_keep, d_ctl[31:3], d_csr[31:5],
                         d_csr_addr[31:20]};
endmodule : tb_sluice
