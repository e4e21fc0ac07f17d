// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Control's way into the state memory of one unit: STATE reads and writes, FILL.
/// It takes the memory's ports only in cycles in which no packet needs them, one entry each. An
/// access (or the next entry of a fill) that has waited 64 cycles raises hold_o, so that no packet
/// is issued, until it gets its turn. Where an entry lives follows from the segment and the access
/// entry of the row that the message names: they are looked up in the first cycle and are here in
/// the second. Writes: every unit of the column sees them; the home does them, and each unit says
/// ready when it has nothing (more) to do, and stays so until write_i.valid falls. Reads: every
/// unit of the column queues all of them, and all take the head off together, in a cycle in which
/// the home's memory is free (read_busy of no unit is up). So answers come in order, one a cycle at
/// best, whichever units they come from. No index of the module is away while an access is here: the
/// order point has seen to that (sluice_commit).
module sluice_state_ctl
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,
  input  pipe_t         set_mask_i,     // of the settings: which pipelines are one set
  input  table_write_t  write_i,
  output table_ready_t  write_ready_o,
  input  table_read_t   read_i,
  output logic          read_busy_o,    // the oldest read is for this unit, its memory is in use
  input  logic          read_busy_i,    // read_busy_o of any unit of the column
  output logic          hold_o,
  output logic          fill_busy_o,
  // segment and access entry of the row, one cycle after lookup_o
  output logic          lookup_o,
  input  segment_t      segment_i,
  input  access_t       access_i,
  // memory
  input  logic          mem_read_free_i,
  output logic          mem_read_o,     // data comes two cycles later
  output slot_t         mem_read_slot_o,
  input  logic          mem_write_free_i,
  output logic          mem_write_o,    // happens if free
  output slot_t         mem_write_slot_o,
  output logic          answer_valid_o, // two cycles after the read
  output logic          answer_zero_o   // the memory has no such slot
);
  localparam int unsigned WaitBits = 7;
  localparam int unsigned PipeLog  = $clog2(NumPipes);
  localparam int unsigned WideBits = 17;                 // sums of two 16-bit numbers
  typedef logic [WideBits-1:0] wide_t;

  typedef enum logic [1:0] {StIdle, StPlace, StRun, StDone} state_e;
  state_e state_d, state_q;

  logic write_state, write_fill, read_state;
  assign write_state = write_i.valid && write_i.which == TableState;
  assign write_fill  = write_i.valid && write_i.which == TableFill;
  assign read_state  = read_i.valid && read_i.which == TableState;
  assign lookup_o    = read_state || (state_q == StIdle && (write_state || write_fill));

  // ---- second cycle: home, slot, and how many slots of the segment are in this pipeline
  logic [15:0] index_q;
  logic        read_state_q;
  wide_t       slot, count;
  logic        home, slot_exists;
  logic        in_set;                                   // of a sharded segment
  logic [2:0]  sets, set_log;                            // log2: of sets, of pipelines of one
  pipe_t       behind;                                   // pipelines of the set behind this one
  assign in_set  = NumPipes == 1 || ((access_i.pipe[PipeBits-1:0] ^ pipe_i) & set_mask_i) == '0;
  assign sets    = 3'($countones(set_mask_i));
  assign set_log = 3'(PipeLog) - sets;
  assign behind  = NumPipes == 1 ? '0 : ~(pipe_i | set_mask_i);

  always_comb begin
    if (access_i.pinned) begin
      slot  = wide_t'(segment_i.base) + wide_t'(index_q);
      home  = NumPipes == 1 || access_i.pipe[PipeBits-1:0] == pipe_i;
      count = home ? wide_t'(segment_i.range) : '0;
    end else begin
      slot  = wide_t'(segment_i.base) + (wide_t'(index_q) >> set_log);
      home  = NumPipes == 1
           || (in_set && ((index_q[PipeBits-1:0] ^ pipe_i) & ~set_mask_i) == '0);
      count = in_set ? (wide_t'(segment_i.range) + wide_t'(behind)) >> set_log : '0;
    end
    slot_exists = 32'(slot) < SlotsPerPipe;
  end

  // ---- reads
  logic  head_valid, head_home, head_exists, pop;
  slot_t head_slot;
  logic       unused_full;
  logic [2:0] unused_count;

  sluice_fifo #(.Depth(4), .Width(SlotBits + 2)) u_reads (
    .clk_i, .rst_ni,
    .push_i(read_state_q), .data_i({home, slot_exists, slot[SlotBits-1:0]}), .full_o(unused_full),
    .valid_o(head_valid), .data_o({head_home, head_exists, head_slot}), .pop_i(pop),
    .count_o(unused_count)
  );

  assign read_busy_o     = head_valid && head_home && !mem_read_free_i;
  assign pop             = head_valid && !read_busy_i;
  assign mem_read_o      = pop && head_home && head_exists;
  assign mem_read_slot_o = head_slot;

  // ---- writes and fills: slot_q is the next one, left_q how many
  wide_t slot_d, slot_q, left_d, left_q;
  logic  refused_d, refused_q;

  always_comb begin
    state_d   = state_q;
    slot_d    = slot_q;
    left_d    = left_q;
    refused_d = refused_q;
    case (state_q)
      StIdle: begin
        refused_d = 1'b0;
        if (write_state || write_fill) state_d = StPlace;
      end
      StPlace: begin
        slot_d    = write_fill ? wide_t'(segment_i.base) : slot;
        left_d    = write_fill ? count : wide_t'(home);
        refused_d = !write_fill && home && !slot_exists;
        state_d   = StRun;
      end
      StRun: begin
        if (mem_write_o && mem_write_free_i) begin
          slot_d = slot_q + 1'b1;
          left_d = left_q - 1'b1;
        end
        if (!mem_write_o || (mem_write_free_i && left_q == wide_t'(1))) state_d = StDone;
      end
      default: if (!write_i.valid) state_d = StIdle;
    endcase
  end

  assign mem_write_o      = state_q == StRun && left_q != '0 && 32'(slot_q) < SlotsPerPipe;
  assign mem_write_slot_o = slot_q[SlotBits-1:0];
  assign fill_busy_o      = write_fill && state_q != StDone;

  assign write_ready_o.ready   = !(write_state || write_fill) || state_q == StDone;
  assign write_ready_o.refused = refused_q && state_q == StDone;

  // ---- answers
  logic answer_q, zero_q;

  // ---- a wait that lasts too long stops the issue
  logic [WaitBits-1:0] wait_q;
  logic                waiting;
  assign waiting = read_busy_o || (mem_write_o && !mem_write_free_i);
  assign hold_o  = wait_q[WaitBits-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= StIdle;
      refused_q      <= 1'b0;
      read_state_q   <= 1'b0;
      answer_q       <= 1'b0;
      answer_valid_o <= 1'b0;
      wait_q         <= '0;
    end else begin
      state_q        <= state_d;
      refused_q      <= refused_d;
      read_state_q   <= read_state;
      answer_q       <= pop && head_home;
      answer_valid_o <= answer_q;
      if (!waiting)     wait_q <= '0;
      else if (!hold_o) wait_q <= wait_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q        <= slot_d;
    left_q        <= left_d;
    zero_q        <= !head_exists;
    answer_zero_o <= zero_q;
    if (lookup_o) index_q <= read_state ? read_i.header.index : write_i.header.index;
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, write_i, read_i, access_i};

`ifndef SYNTHESIS
  logic was_ready_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_ready_q <= 1'b0;
    else         was_ready_q <= write_i.valid && write_ready_o.ready;
  end
  `SLUICE_ASSERT(ReadyStays_A, !was_ready_q || !write_i.valid || write_ready_o.ready)
`endif
  `SLUICE_ASSERT(NothingMeansReady_A, write_i.valid || state_q == StIdle || state_q == StDone)
endmodule : sluice_state_ctl
