// SPDX-License-Identifier: Apache-2.0

/// What goes in and out of a lane's packet buffer: one struct for each neighbour and direction.
///
///   lane -> buffer_write_t -> buffer -> buffer_room_t, buffer_used_t -> lane   beats; what is free
///   order -> discard_t     -> buffer                                        packets to be freed
///   exit -> header_req_t   -> buffer -> a header, or a step of it    -> exit   once a packet
///   tm   -> buffer_req_t   -> buffer -> buffer_rsp_t                 -> tm     copies, bodies
///
/// Nobody but the buffer knows where bytes lie: a slot is a packet's name there.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_buffer_pkg;

  import sluice_cfg_pkg::*;
  import sluice_pkg::*;

  localparam int unsigned CellBits = $clog2(BodyCells);

  typedef logic [CellBits-1:0] cell_t;     // a cell of the body store: one beat
  typedef logic [CellBits:0]   cells_t;    // a number of cells of the whole store
  typedef logic [HdrBits:0]    slots_t;    // a number of slots
  typedef logic [6:0]          copies_t;   // a number of copies of a packet, one a port at most

  // In a chip with BufferShares the row of the module that a packet counts for; else a bit that is
  // 0.
  localparam int unsigned ShareRowBits = BufferShares != 0 ? RowBits : 1;
  typedef logic [ShareRowBits-1:0] share_row_t;
  localparam int unsigned ShareRows = BufferShares != 0 ? NumModules : 1;

  // The cells of a packet's body, linked from head to tail. cells 0: it has none.
  typedef struct packed {
    share_row_t row;                   // first: without shares memories leave it out
    cell_t  head;
    cell_t  tail;
    beats_t cells;
  } body_t;
  localparam int unsigned BodyInfoBits = $bits(body_t) - (BufferShares != 0 ? 0 : 1);

  // ---- lane: a beat a cycle; and a cycle after a packet's last beat, what became of it
  typedef struct packed {
    logic                head_we;     // the beat is the first of a packet: to the header store
    logic                tail_we;     // it is another one of its header
    step_t               step;        // which, in a narrow chip
    logic                cell_want;   // it is a later one: to the next free cell, if there is one
    logic                cell_first;  // the packet's first cell
    logic [BeatBits-1:0] beat;        // bytes behind the packet's end are 0
    logic                slot_take;   // the packet's last beat: it keeps the slot
    share_row_t          row;         // with cell_want and slot_take
    logic                stored;      // the cycle after: it is stored in `slot`, with `body`
    logic                lost;        // or it is lost, and the cells of `body` are to be freed
    hdr_t                slot;
    body_t               body;
  } buffer_write_t;

  // What is free for it in this cycle.
  typedef struct packed {
    logic   slot_valid;               // stays until the slot is taken
    hdr_t   slot;
    logic   cell_valid;               // if cell_want, it is taken
    cell_t  next_cell;
    // with BufferShares: these modules may take no slot, no cell
    logic [ShareRows-1:0] slots_full;
    logic [ShareRows-1:0] cells_full;
  } buffer_room_t;

  // How much is in use, a cycle behind.
  typedef struct packed {
    slots_t slots;
    cells_t cells;
  } buffer_used_t;

  // ---- exit: a header, or a step of it in narrow chips, is read; its data comes a cycle later
  typedef struct packed {
    logic  valid;
    hdr_t  slot;
    step_t step;
  } header_req_t;

  // ---- order point: a packet that it drops is freed
  typedef struct packed {
    logic valid;
    hdr_t slot;
  } discard_t;

  // ---- traffic manager (tm). Of each packet it says once how often its body will be read (0: free
  // it), and then asks for the body as often, at the earliest in the cycle after.
  typedef struct packed {
    logic    valid;
    hdr_t    slot;
    copies_t count;
    logic    none;     // count is 0: known before count is
  } copies_req_t;

  // An output lane asks for a body; `beat_ready` takes a beat of one that it asked for before.
  typedef struct packed {
    logic valid;
    hdr_t slot;
    logic beat_ready;
  } body_req_t;

  // The request is taken in this cycle; and a beat, in the order of the requests.
  typedef struct packed {
    logic                ready;
    logic                beat_valid;
    logic                beat_last;
    logic [BeatBits-1:0] beat;
  } body_rsp_t;

  typedef struct packed {
    copies_req_t                copies;
    body_req_t [NumReaders-1:0] body; // [output lane], behind them recirculation
  } buffer_req_t;

  typedef struct packed {
    body_rsp_t [NumReaders-1:0] body; // as those of the request
  } buffer_rsp_t;

endpackage : sluice_buffer_pkg
/* verilator lint_on UNUSEDPARAM */
