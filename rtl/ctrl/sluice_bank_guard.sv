// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The one place that refuses a write of a bank that packets are still inside of (docs/banks.md).
/// It stands at the head of the daisy chain, before every table: what it refuses, the first node
/// answers (`refuse_o`, for the header at chain_o), and no table hears of it.
///
/// Refused is a WRITE of a table with overlay rows or of ids, of STATE, of STATE_ROW, or a FILL, or
/// a READ of TAKE, through entry {bank, row} when the module of that row does not take that bank
/// (`bank_i`) and packets of {bank, row} are inside (`inside_i`).
/// Example: CHIP.BANK has bit 5, so packets of row 5 take bank 1. WRITE of KEY_MASK, index 5 (bank
/// 0, row 5) is refused while a packet that took bank 0 is inside; then it passes. Index 37 (bank
/// 1) always passes: Menshen's procedure.
/// Latency: 1 cycle for a header, whatever it is; 0 for the words behind it. One word a cycle.
/// Reset: nothing is judged.
/// Invariant: from the judgement until the message's reply has left the chain (busy_i falls) no
/// packet is inside of a bank that was allowed and is not taken: none was, and none comes, since
/// CHIP.BANK stays while busy_i is up (sluice_chip_regs).
module sluice_bank_guard
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
  import sluice_cfg_pkg::*;
#(
  localparam int unsigned Entries = 1 << $bits(overlay_t)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // chain, to the first node
  input  chain_t                chain_i,
  output logic                  chain_ready_o,
  output chain_t                chain_o,
  input  logic                  chain_ready_i,
  input  logic                  busy_i,        // a control packet is on its way
  output logic                  refuse_o,      // with the header at chain_o
  // modules
  input  logic [NumModules-1:0] bank_i,        // the bank that packets take
  input  logic [Entries-1:0]    inside_i       // [{bank, row}]: packets are inside
);
  if (Banks == 1) begin : gen_none
    assign chain_o       = chain_i;
    assign chain_ready_o = chain_ready_i;
    assign refuse_o      = 1'b0;
  end else begin : gen_guard
    // ---- the header at the input, and what it is about
    chain_header_t header;
    table_e        which;
    table_info_t   info;
    logic          is_header, writes, takes, guarded, taken;
    logic [15:0]   entry;
    overlay_t      overlay;
    assign header    = chain_header_t'(chain_i.data);
    assign is_header = chain_i.valid && chain_i.first;
    assign which     = table_e'(TableMap[{header.resource, header.sub}]);
    assign info      = TableInfos[which];
    assign entry     = info.rows == RowsOverlay ? header.index : 16'(header.row);
    assign overlay   = overlay_t'(entry);
    assign writes    = header.op == ChainWrite
        && (info.rows inside {RowsOverlay, RowsIds} || which inside {TableState, TableFill}
            || (ArrayWords != 0 && which == TableStateRow));
    assign takes     = header.op == ChainRead && which == TableTake && Marks != 0;
    assign guarded   = (writes || takes) && 32'(entry) < Entries;
    assign taken     = bank_i[row_t'(overlay)] == overlay[$bits(overlay_t)-1];

    // ---- judged in its first cycle; goes in the next at the earliest
    logic judged_q, refuse_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        judged_q <= 1'b0;
        refuse_q <= 1'b0;
      end else begin
        judged_q <= is_header && !chain_ready_o;
        if (is_header && !judged_q) refuse_q <= guarded && !taken && inside_i[overlay];
      end
    end
    assign refuse_o      = refuse_q;
    assign chain_ready_o = chain_ready_i && (judged_q || !is_header);
    always_comb begin
      chain_o       = chain_i;
      chain_o.valid = chain_i.valid && (judged_q || !is_header);
    end

`ifdef SLUICE_SIM
    // Entries that messages on the chain were allowed to write though packets do not take them: all
    // must stay empty.
    logic [Entries-1:0] allowed_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                     allowed_q <= '0;
      else if (!busy_i)                                allowed_q <= '0;
      else if (is_header && !judged_q && guarded && !taken && !inside_i[overlay])
        allowed_q[overlay] <= 1'b1;
    end
    `SLUICE_ASSERT(NobodyReadsWhatChanges_A, (allowed_q & inside_i) == '0)
    logic [NumModules-1:0] bank_q;
    logic                  busy_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) busy_q <= 1'b0;
      else         busy_q <= busy_i;
    end
    always_ff @(posedge clk_i) bank_q <= bank_i;
    `SLUICE_ASSERT(BankStaysWhileBusy_A, !busy_q || bank_q == bank_i)
    `SLUICE_ASSERT(BusyWithMessage_A, !is_header || busy_i)
`endif
  end
endmodule : sluice_bank_guard
