// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Control's way into the state memory of one unit: STATE reads and writes, FILL.
/// It takes the memory's ports only in cycles in which no packet needs them, one entry each. An
/// access (or the next entry of a fill) that has waited 64 cycles raises hold_o, so that no packet
/// is issued, until it gets its turn. Where an entry lives follows from the segment and the access
/// entry of the row that the message names: they are looked up in the first cycle and are here in
/// the second. Writes: every unit of the column sees them; the home does them, and each unit says
/// ready when it has nothing (more) to do, and stays so until write_i.valid falls. Reads: every
/// unit of the column queues all of them, and all take the head off together, in a cycle in which
/// the home's memory is free (read_busy of no unit is up). So answers come in order, one a cycle at
/// best, whichever units they come from. No index of the module is away while an access is here:
/// the order point has seen to that (sluice_commit).
///
/// With marks (docs/marks.md) reads, also those of TAKE, and writes take no port of the memory: the
/// home asks for a mark (ask_o) and waits until it is done (marked_i), wherever the index lives;
/// the unit there (marked_here_i) answers a read. Only fills and reads of a cut take turns between
/// packets. What a cut was, the home knows at any time, or it knows that the index is away
/// (cut_away_i): then a mark reads the cut where the index is. No index of the cut moves. The walk
/// behind a cut (walk_wait_i) may wait as long as they do.
///
/// At the egress each lane has entries of its own: writes and fills are for all of them, and a read
/// for the lane that COPY names.
///
/// With rows of words (Array) STATE_ROW goes as STATE does. The answer is several words: the read
/// of the first one takes the row, which the column keeps (sluice_stage_rows); the others touch
/// nothing. Each says when it is due (row_due_o), in its turn.
module sluice_state_ctl
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit Cut   = 1'b0,     // reads of CUT
  parameter bit Array = 1'b0,     // STATE_ROW
  parameter bit Egress = 1'b0     // every lane has entries of its own
) (
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
  output slot_request_t mem_read_o,     // data comes two cycles later
  input  logic          mem_write_free_i,
  output slot_request_t mem_write_o,    // happens if free
  // cuts
  output logic          cut_read_o,     // with mem_read_o: of the cut
  input  logic          cut_away_i,     // two cycles later: its index is away
  input  logic          walk_wait_i,
  output logic          cut_answer_o,   // three cycles after the read of the memory, or of the mark
  output logic          cut_zero_o,
  // marks
  output mark_request_t ask_o,          // one cycle
  input  logic          marked_i,       // the mark that was asked for is done, ...
  input  logic          marked_here_i,  // ... and it read in this unit
  // to the node: two cycles after the read of the memory, with the mark's value, or in the cycle in
  // which it is known that there is none
  output logic          answer_valid_o,
  output logic          answer_zero_o,  // the memory has no such slot
  // rows: with mem_read_o; a word of a row is due
  output logic          row_read_o,
  output row_read_t     row_due_o
);
  // There are no marks at the egress.
  localparam bit HasMarks = Marks != 0 && !Egress;
  localparam int unsigned WaitBits = 7;
  localparam int unsigned WideBits = 17;                 // sums of two 16-bit numbers
  typedef logic [WideBits-1:0] wide_t;

  typedef enum logic [1:0] {StIdle, StPlace, StRun, StDone} state_e;
  state_e state_d, state_q;

  logic write_state, write_fill, read_state, read_take, read_cut, read_row;
  assign write_state = write_i.valid
      && (write_i.which == TableState || (Array && write_i.which == TableStateRow));
  assign write_fill  = write_i.valid && write_i.which == TableFill;
  assign read_take   = HasMarks && read_i.valid && read_i.which == TableTake;
  assign read_cut    = Cut && read_i.valid && read_i.which == TableCut;
  assign read_row    = Array && read_i.valid && read_i.which == TableStateRow;
  assign read_state  = (read_i.valid && read_i.which == TableState) || read_take || read_cut
      || read_row;
  assign lookup_o    = read_state || (state_q == StIdle && (write_state || write_fill));

  // ---- second cycle: home, slot, and how many slots of the segment are in this pipeline
  logic [15:0] index_q;
  logic        read_state_q, take_q, cut_q, row_q;
  logic        own_copy_q;                               // of a read: it names this lane
  logic [2:0]  word_q;                                   // of a row
  wide_t       slot, count;
  logic        home, slot_exists;
  logic        in_set;                                   // of a sharded segment
  pipe_t       behind;                                   // pipelines of the set behind this one
  assign in_set  = NumPipes == 1 || ((access_i.pipe[PipeBits-1:0] ^ pipe_i) & set_mask_i) == '0;
  assign behind  = NumPipes == 1 ? '0 : ~(pipe_i | set_mask_i);

  always_comb begin
    if (Egress) begin
      slot  = wide_t'(segment_i.base) + wide_t'(index_q);
      home  = !read_state_q || own_copy_q;
      count = wide_t'(segment_i.range);
    end else if (access_i.pinned) begin
      slot  = wide_t'(segment_i.base) + wide_t'(index_q);
      home  = NumPipes == 1 || access_i.pipe[PipeBits-1:0] == pipe_i;
      count = home ? wide_t'(segment_i.range) : '0;
    end else begin
      slot  = wide_t'(segment_i.base) + (wide_t'(index_q) >> `SLUICE_SET_LOG(set_mask_i));
      home  = NumPipes == 1
           || (in_set && ((index_q[PipeBits-1:0] ^ pipe_i) & ~set_mask_i) == '0);
      count = in_set
          ? (wide_t'(segment_i.range) + wide_t'(behind)) >> `SLUICE_SET_LOG(set_mask_i) : '0;
    end
    slot_exists = 32'(slot) < SlotsPerPipe;
  end

  // ---- reads
  // whether it is a take only with marks, a word of a row only with rows
  localparam int unsigned PlaceBits = SlotBits + 2 + 32'(HasMarks) + 32'(Cut);
  localparam int unsigned ReadBits  = PlaceBits + (Array ? 4 : 0);
  logic  head_valid, head_cut, head_take, head_home, head_exists, head_marks, pop;
  logic  head_row, head_behind;                          // a word of a row, not the first one
  slot_t head_slot;
  logic [2:0]           head_word;
  logic [PlaceBits-1:0] head_place;
  logic [ReadBits-1:0]  head;

  sluice_fifo #(.Depth(4), .Width(ReadBits)) u_reads (
    .clk_i, .rst_ni,
    .push_i(read_state_q),
    .data_i(ReadBits'({row_q, word_q,
                       PlaceBits'({cut_q, take_q, home, slot_exists, slot[SlotBits-1:0]})})),
    .full_o(),
    .valid_o(head_valid), .data_o(head), .pop_i(pop), .count_o()
  );
  assign {head_row, head_word, head_place} = (PlaceBits+4)'(head);
  assign {head_cut, head_take, head_home, head_exists, head_slot} = (SlotBits+4)'(head_place);
  assign head_behind     = head_row && head_word != '0;
  assign head_marks      = HasMarks && !head_cut;

  // Of a cut, at the home: the memory is read, it comes, it is known whether the index is away, and
  // if so, a mark is under way.
  typedef enum logic [1:0] {CutRead, CutCome, CutKnown, CutMark} cut_step_e;
  cut_step_e cut_step_q;
  logic      here, cut_wants, cut_done, mem_wants;
  assign here            = head_valid && head_home && head_exists && !head_behind;
  assign cut_wants       = here && head_cut && cut_step_q == CutRead;
  assign cut_done        = cut_step_q == CutKnown ? !cut_away_i
      : cut_step_q == CutMark && marked_i;
  assign mem_wants       = head_cut ? cut_wants : head_valid && head_home && !head_behind
      && !head_marks;

  assign read_busy_o     = head_cut ? here && !cut_done
      : head_marks ? here && !marked_i : mem_wants && !mem_read_free_i;
  assign pop             = head_valid && !read_busy_i;
  assign cut_read_o      = cut_wants && mem_read_free_i;
  assign mem_read_o      = '{valid: cut_read_o || (!head_cut && !head_marks && pop && here),
                             slot: head_slot};
  assign row_read_o      = mem_read_o.valid && head_row;

  // ---- writes and fills: slot_q is the next one, left_q how many
  wide_t slot_d, slot_q, left_d, left_q;
  logic  refused_d, refused_q;
  // an entry is to be written, with a mark, is written in this cycle
  logic  wants, by_mark, done;

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
        if (wants && done) begin
          slot_d = slot_q + 1'b1;
          left_d = left_q - 1'b1;
        end
        if (!wants || (done && left_q == wide_t'(1))) state_d = StDone;
      end
      default: if (!write_i.valid) state_d = StIdle;
    endcase
  end

  assign wants            = state_q == StRun && left_q != '0 && 32'(slot_q) < SlotsPerPipe;
  assign by_mark          = HasMarks && write_state;
  assign done             = by_mark ? marked_i : mem_write_free_i;
  assign mem_write_o      = '{valid: wants && !by_mark, slot: slot_q[SlotBits-1:0]};
  assign fill_busy_o      = write_fill && state_q != StDone;

  assign write_ready_o.ready   = !(write_state || write_fill) || state_q == StDone;
  assign write_ready_o.refused = refused_q && state_q == StDone;

  // ---- marks, and answers
  logic answer_q, zero_q;
  if (HasMarks) begin : gen_marks
    logic ask_read, ask_write, asked_q;
    assign ask_read  = here && (!head_cut || cut_step_q == CutMark);
    assign ask_write = wants && by_mark;
    assign ask_o     = '{valid: (ask_read || ask_write) && !asked_q, writes: ask_write || head_take,
                         cut: Cut && ask_read && head_cut,
                         home: '{pipe: pipe_i, slot: ask_write ? slot_q[SlotBits-1:0] : head_slot}};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) asked_q <= 1'b0;
      else         asked_q <= (asked_q || ask_o.valid) && !marked_i;
    end
    assign answer_valid_o = head_valid && !head_cut && !head_row
        && (marked_here_i || (head_home && !head_exists));
    assign answer_zero_o  = !marked_here_i;
    `SLUICE_ASSERT(OneKindAsks_A, !(ask_read && ask_write))
  end else begin : gen_no_marks
    assign ask_o = '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) answer_valid_o <= 1'b0;
      else         answer_valid_o <= answer_q;
    end
    always_ff @(posedge clk_i) answer_zero_o <= zero_q;
  end

  // ---- cuts
  if (Cut) begin : gen_cut
    logic cut_answer_q, cut_zero_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        cut_step_q   <= CutRead;
        cut_answer_q <= 1'b0;
      end else begin
        case (cut_step_q)
          CutRead:  if (cut_read_o) cut_step_q <= CutCome;
          CutCome:  cut_step_q <= CutKnown;
          CutKnown: cut_step_q <= cut_away_i ? CutMark : CutRead;
          default:  if (marked_i) cut_step_q <= CutRead;
        endcase
        cut_answer_q <= pop && head_home && head_cut && cut_step_q != CutMark;
      end
    end
    always_ff @(posedge clk_i) cut_zero_q <= !head_exists;
    assign cut_answer_o = cut_answer_q || (head_valid && head_cut && marked_here_i);
    assign cut_zero_o   = cut_answer_q && cut_zero_q;

    `SLUICE_ASSERT(CutStepAtHome_A, cut_step_q == CutRead || (here && head_cut))
    `SLUICE_ASSERT(OneCutAnswer_A, !(cut_answer_q && head_valid && head_cut && marked_here_i))
  end else begin : gen_no_cut
    assign cut_answer_o = 1'b0;
    assign cut_zero_o   = 1'b0;
    assign cut_step_q   = CutRead;
  end

  // ---- words of rows: due when the column has the row, which it keeps from the cycle behind the
  // mark on, or from the fourth behind the read of the memory
  localparam int unsigned RowWait = HasMarks ? 1 : 4;
  row_read_t [RowWait-1:0] due_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) due_q <= '0;
    else
      due_q <= (RowWait*$bits(row_read_t))'({due_q, row_read_t'{come: 1'b0,
          due: pop && head_home && head_row, none: Array && !head_exists, word: head_word}});
  end
  assign row_due_o = due_q[RowWait-1];

  // ---- a wait that lasts too long stops the issue
  logic [WaitBits-1:0] wait_q;
  logic                waiting;
  assign waiting = (mem_wants && !mem_read_free_i) || (mem_write_o.valid && !mem_write_free_i)
      || (Cut && walk_wait_i);
  assign hold_o  = wait_q[WaitBits-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= StIdle;
      refused_q      <= 1'b0;
      read_state_q   <= 1'b0;
      answer_q       <= 1'b0;
      wait_q         <= '0;
    end else begin
      state_q        <= state_d;
      refused_q      <= refused_d;
      read_state_q   <= read_state;
      answer_q       <= pop && head_home && !head_row;
      if (!waiting)     wait_q <= '0;
      else if (!hold_o) wait_q <= wait_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q        <= slot_d;
    left_q        <= left_d;
    zero_q        <= !head_exists;
    if (lookup_o) begin
      {take_q, cut_q, row_q} <= {read_take, read_cut, read_row};
      own_copy_q <= read_i.header.copy == 8'(pipe_i);
      word_q     <= read_i.word[2:0];
      index_q    <= read_state ? read_i.header.index : write_i.header.index;
    end
  end

`ifdef SLUICE_SIM
  logic was_ready_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_ready_q <= 1'b0;
    else         was_ready_q <= write_i.valid && write_ready_o.ready;
  end
  `SLUICE_ASSERT(ReadyStays_A, !was_ready_q || !write_i.valid || write_ready_o.ready)
`endif
  `SLUICE_ASSERT(NothingMeansReady_A, write_i.valid || state_q == StIdle || state_q == StDone)
endmodule : sluice_state_ctl
