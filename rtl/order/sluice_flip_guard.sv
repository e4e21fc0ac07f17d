// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Guarded flips (docs/machine.md, Guarded flips): FLIP.BANK changes the bank of modules at the
/// order point, if what is watched was not accessed since the last cut.
///
/// Example: a cut of row 3 was taken at ticket 1,000, and stage 1 watches slot 10. FLIP.BANK is
/// written, with another bit 3, in a cycle in which packets 1,098 and 1,099 are admitted. If a
/// packet of row 3 from 1,000 to 1,099 has an access to the slot, these two among them, the write
/// is refused. Otherwise flip_o is up in this cycle, and packet 1,100 is the first with the new
/// bank: FLIP.TICKET is 1,100. Packets that arrived before, and come to the order point now, still
/// carry the old bank. turn_o says that row 3 takes that of CHIP.BANK there, until the last of them
/// has passed.
/// Latency: a flip in the cycle of the request, its answer one later, as of all registers.
/// Reset: nothing is watched, and no flip is possible before a cut.
/// In a chip without FlipGuard it is not there, and turns no bank.
/// Invariant: while turn_o has the bit of a row, CHIP.BANK keeps that of the flip: sluice_chip_regs
/// refuses writes meanwhile.
module sluice_flip_guard
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  order_settings_t                             settings_i,
  input  logic                                        ctl_busy_i,    // a control packet is there
  input  logic        [(1<<$bits(overlay_t))-1:0]     inside_bank_i, // [{bank, row}]
  input  cut_event_t                                  cut_i,
  input  mark_event_t                                 mark_i,
  input  logic        [31:0]                          cut_ticket_i,
  input  logic        [31:0]                          next_ticket_i,
  // packets that are admitted in this cycle
  input  admitted_t   [NumPipes-1:0]                  admitted_i,
  output flip_t                                       flip_o,
  output logic        [NumModules-1:0]                turn_o,
  output probe_flip_t                                 probe_o,
  input  csr_req_t                                    csr_req_i,
  output csr_rsp_t                                    csr_rsp_o
);
  if (FlipGuard == 0) begin : gen_none
    assign flip_o    = '0;
    assign turn_o    = '0;
    assign probe_o   = '0;
    assign csr_rsp_o = '0;
  end else begin : gen_guard
    // Until a packet that the filter gave the old bank counts as inside.
    localparam int unsigned SettleCycles = 16;

    // ---- what is watched
    logic                         mine, writes, is_watch;
    logic [4:0]                   word;
    logic [StateStages-1:0]       on;
    logic [StateStages-1:0][15:0] first_q, last_q;
    assign mine     = csr_req_i.valid && csr_req_i.addr[19:12] == BlockFlipBase[19:12];
    assign writes   = mine && csr_req_i.write;
    assign word     = csr_req_i.addr[6:2];
    assign is_watch = csr_req_i.addr[11:7] == RegFlipWatch[11:7];
    for (genvar s = 0; s < StateStages; s++) begin : gen_stage
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) {last_q[s], first_q[s]} <= 32'd1;
        else if (writes && is_watch && word == 5'(s)) {last_q[s], first_q[s]} <= csr_req_i.wdata;
      end
      assign on[s] = first_q[s] <= last_q[s];
    end

    // ---- accesses since the cut; the packets admitted in the cycle that shows it are behind it
    logic                  watching_q, touched_q, hit;
    logic [NumModules-1:0] rows, rows_q;
    admitted_t [NumPipes-1:0] admitted;
    always_comb begin
      admitted = admitted_i;
      if (settings_i.fault[FaultFlipBlind]) admitted[0].valid = 1'b0;
    end
    assign rows = cut_i.valid ? cut_i.rows : rows_q;
    sluice_flip_watch u_watch (
      .on_i(on), .first_i(first_q), .last_i(last_q), .rows_i(rows),
      .admitted_i(admitted), .mark_i, .hit_o(hit)
    );

    // ---- the flip
    logic [31:0]           since_q, ticket_q;
    logic [NumModules-1:0] turn_q, bank, others;
    logic                  asks, refused, flip_q;
    logic [4:0]            settle_q;
    assign bank    = csr_req_i.wdata[NumModules-1:0];
    assign asks    = writes && csr_req_i.addr[11:0] == RegFlipBank;
    assign refused = asks && (ctl_busy_i || turn_q != '0 || !watching_q || touched_q || hit
        || since_q != cut_ticket_i);
    assign flip_o  = '{valid: asks && !refused, bank: bank};
    assign turn_o  = turn_q;

    // Packets of the bank that CHIP.BANK does not name.
    always_comb
      for (int unsigned r = 0; r < NumModules; r++)
        others[r] = inside_bank_i[overlay_t'({!settings_i.bank[r], row_t'(r)})];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        watching_q <= 1'b0;
        touched_q  <= 1'b0;
        rows_q     <= '0;
        since_q    <= '0;
        ticket_q   <= '0;
        turn_q     <= '0;
        flip_q     <= 1'b0;
        settle_q   <= '0;
      end else begin
        if (cut_i.valid)                                  watching_q <= 1'b1;
        else if (flip_o.valid || (writes && is_watch))    watching_q <= 1'b0;
        touched_q <= (touched_q && !cut_i.valid) || hit;
        rows_q    <= rows;
        if (writes && csr_req_i.addr[11:0] == RegFlipSince) since_q <= csr_req_i.wdata;
        flip_q    <= flip_o.valid;
        if (flip_q) ticket_q <= next_ticket_i;
        if (flip_o.valid) begin
          turn_q   <= bank ^ settings_i.bank;
          settle_q <= 5'(SettleCycles);
        end else if (settle_q != '0) settle_q <= settle_q - 5'd1;
        else turn_q <= turn_q & others;
      end
    end
    assign probe_o = '{valid: flip_q, rows: turn_q, ticket: next_ticket_i};

    // ---- registers
    logic [31:0] value;
    always_comb begin
      value = '0;
      case (csr_req_i.addr[11:0])
        RegFlipBank:   value = 32'(settings_i.bank);
        RegFlipSince:  value = since_q;
        RegFlipStatus: value = 32'({turn_q != '0, touched_q, watching_q});
        RegFlipTicket: value = ticket_q;
        default:
          for (int unsigned s = 0; s < StateStages; s++)
            if (is_watch && word == 5'(s)) value = {last_q[s], first_q[s]};
      endcase
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) csr_rsp_o <= '0;
      else         csr_rsp_o <= mine
          ? '{valid: 1'b1, refused: refused, rdata: csr_req_i.write ? '0 : value} : '0;
    end

`ifdef SLUICE_SIM
    logic [NumModules-1:0] bank_q;
    logic                  turns_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) turns_q <= 1'b0;
      else         turns_q <= turn_q != '0;
    end
    always_ff @(posedge clk_i) bank_q <= settings_i.bank;
    `SLUICE_ASSERT(BankStaysWhileTurning_A, !turns_q || settings_i.bank == bank_q)
`endif
  end
endmodule : sluice_flip_guard
