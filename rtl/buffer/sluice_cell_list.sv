// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Links of the body cells, and the list of free cells: gives one cell a cycle to the packet that
/// comes in, and takes back a whole chain a cycle, of any length.
///
/// Free cells are a linked list, and the cells of a packet are a piece of it: taken one after
/// another from its head, they are linked already. A chain that comes back is appended by one
/// write, or by none if the list is empty. Cells that were never used come from a counter, when
/// the list is empty: so nothing has to be swept after reset.
/// One write a cycle is enough: a link has to be written at an allocation only if the list ran
/// empty since the packet's last cell; only then a chain may have to wait, for one cycle.
/// Example: free 3 -> 7 -> 5. A packet takes 3 and 7 (no write); chain 9 -> 2 comes back: one
/// write, 5 -> 9. The packet takes 5: its chain is 3 -> 7 -> 5, the list 9 -> 2.
/// Invariant: while `linked_q`, the link of the cell given last names the head of the list.
/// Latency 0: the cell is shown before it is asked for.
module sluice_cell_list
  import sluice_cfg_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // allocation
  input  logic                want_i,
  input  logic                first_i,        // the first cell of a packet
  output logic                valid_o,        // there is a cell: if wanted, it is taken
  output cell_t               cell_o,
  // chains that come back
  input  logic                chain_valid_i,
  output logic                chain_ready_o,
  input  cell_t               chain_head_i,
  input  cell_t               chain_tail_i,
  // walk along the chain of a stored packet
  input  logic                walk_i,
  input  cell_t               walk_cell_i,
  output cell_t               walk_next_o     // one cycle later
);
  logic                list_q;                // the list has a cell
  logic                fetched_q;             // its head is what the memory read last
  cell_t               head_q, tail_q, head, next;
  cells_t              fresh_q;               // cells from here on were never used
  cell_t               given_q;               // the cell given last
  logic                linked_q;

  logic take, take_list, empties, link, append, chain, both;
  assign head      = fetched_q ? next : head_q;
  assign valid_o   = list_q || !fresh_q[CellBits];
  assign cell_o    = list_q ? head : fresh_q[CellBits-1:0];
  assign take      = want_i && valid_o;
  assign take_list = take && list_q;
  assign empties   = take_list && head == tail_q;
  assign link      = take && !first_i && !linked_q;
  assign append    = list_q && !empties;      // a chain that comes now is linked to the list's tail

  // A chain and the cell that is given both want to write a link: `append && link`. What is known
  // of that without want_i, which comes late, is known before.
  assign both          = list_q && head != tail_q && !first_i && !linked_q;
  assign chain_ready_o = !(want_i && both);
  assign chain         = chain_valid_i && chain_ready_o;

  // ---- links: two copies, since allocation and walk read at the same time
  logic                we;
  cell_t               waddr, wdata;
  assign we    = link || (chain && append);
  assign waddr = link ? given_q : tail_q;
  assign wdata = link ? cell_o : chain_head_i;

  sluice_ram #(.Depth(BodyCells), .Width(CellBits)) u_links_list (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(take_list && !empties), .raddr_i(head), .rdata_o(next)
  );
  sluice_ram #(.Depth(BodyCells), .Width(CellBits)) u_links_walk (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(walk_i), .raddr_i(walk_cell_i), .rdata_o(walk_next_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      list_q    <= 1'b0;
      fetched_q <= 1'b0;
      fresh_q   <= '0;
      linked_q  <= 1'b0;
    end else begin
      list_q <= chain || append;
      if (chain && !append)           fetched_q <= 1'b0;
      else if (take_list && !empties) fetched_q <= 1'b1;
      if (take && !list_q) fresh_q <= fresh_q + 1'b1;
      if (take)            linked_q <= take_list && !empties;
    end
  end
  always_ff @(posedge clk_i) begin
    if (chain && !append) head_q  <= chain_head_i;
    if (chain)            tail_q  <= chain_tail_i;
    if (take)             given_q <= cell_o;
  end

  `SLUICE_ASSERT(OneLink_A, chain_ready_o == !(append && link))
  `SLUICE_ASSERT(LinkedNeedsList_A, !linked_q || list_q)
  `SLUICE_ASSERT(FreshIsBounded_A, fresh_q <= (CellBits + 1)'(BodyCells))
endmodule : sluice_cell_list
