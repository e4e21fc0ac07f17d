// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// What a state unit writes that is no operation of a packet: a move that lands, or a mark that
/// reads and writes, which it does in the cycle of its read.
/// Combinational. A move that lands goes first, and nothing is read beside it.
/// Test fault TAKE_OPEN: a mark writes OpenCycles after its read, or later if a move lands then,
/// and packets pass meanwhile.
module sluice_mark_write
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter bit State = 1'b1               // the stage has state
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       late_i,               // the test fault
  input  logic       land_i,               // a move lands
  input  slot_t      land_slot_i,
  input  logic       hold_i,               // nothing may be written
  input  logic       read_i,               // move or mark `id_i` reads `slot_i`
  input  move_name_t id_i,
  input  slot_t      slot_i,
  output logic       busy_o,               // nothing may be read
  output logic       write_o,              // a mark writes
  output slot_t      slot_o
);
  logic marks;
  assign marks = read_i && `SLUICE_MARK_WRITES(id_i);
  if (TestFaults == 0 || Marks == 0 || !State) begin : gen_write
    assign busy_o       = land_i;
    assign write_o      = marks;
    assign slot_o       = land_i ? land_slot_i : slot_i;
  end else begin : gen_write_late
    localparam int unsigned OpenCycles = 4;
    logic                  late;
    logic [OpenCycles-1:0] open_q;         // [c]: c cycles to go
    slot_t                 open_slot_q;
    assign late    = open_q[0] && !land_i && !hold_i;
    assign busy_o  = land_i || open_q[0];
    assign write_o = late_i ? late : marks;
    assign slot_o  = land_i ? land_slot_i : late ? open_slot_q : slot_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) open_q <= '0;
      else begin
        open_q <= {late_i && marks, open_q[OpenCycles-1:1]};
        if (open_q[0] && !late) open_q[0] <= 1'b1;
      end
    end
    always_ff @(posedge clk_i) if (marks) open_slot_q <= slot_i;
  end
endmodule : sluice_mark_write
