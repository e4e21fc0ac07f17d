// SPDX-License-Identifier: Apache-2.0

/// What crosses the stage boundaries behind the order point: packets with their routes, phantoms,
/// moves, marks and cuts (docs/boundary.md).
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_order_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;

  // ---- after the order point --------------------------------------------------------------------
  // Where a packet must go at a boundary: `fixed` when it has a state access there (or leaves,
  // at the exit: then `pipe` is its lane); else it may go to any pipeline of the set of `pipe`.
  typedef struct packed {
    logic  fixed;
    pipe_t pipe;
  } route_t;

  // Whether a boundary has room for a packet, by its route there.
  typedef logic [(1 << $bits(route_t))-1:0] room_t;

  typedef struct packed {
    tag_t                  tag;
    route_t [BackStages:0] route;   // route[BackStages]: the exit
    phv_t                  phv;
  } packet_t;

  // A packet that leaves one boundary's steering for the banks of the next.
  typedef struct packed {
    logic    valid;
    logic    escape;   // goes to the escape slot of pipeline `pipe`
    pipe_t   pipe;
    packet_t packet;
  } transit_t;

  // Where a packet goes that is on its way through a stage.
  typedef struct packed {
    logic  valid;
    logic  fixed;      // at the next boundary
    logic  escape;
    pipe_t pipe;       // if neither fixed nor escape: one of its set
  } course_t;

  // Resolution of one access, as it travels on the phantom chain.
  typedef struct packed {
    logic  valid;
    pipe_t pipe;
    slot_t slot;       // of a sharded access; of a pinned one PinnedSlot
  } resolution_t;

  typedef struct packed {
    logic                          valid;
    tag_t                          tag;
    resolution_t [StateStages-1:0] access;
  } phantom_t;

  // A move of one index of back stage `stage`: accesses of packets before `tag` find its value in
  // `from`, those of `tag` and younger ones in `to`. It travels with the phantoms. Or a mark:
  // control's access to the entry in `from`, behind all accesses of packets before `tag`
  // (docs/marks.md).
  typedef struct packed {
    logic       valid;
    stage_t     stage;
    move_name_t id;                    // of a move: of the stage, until `landed`
    tag_t       tag;                   // of the next packet to be admitted
    pipe_t      from;
    slot_t      from_slot;
    pipe_t      to;                    // of a move
    slot_t      to_slot;
  } move_t;

  // A cut (docs/marks.md), to all stages with a shadow memory. Operations of packets older than
  // `tag` are in it; those of others, and all when `young` is down, are of the new epoch.
  typedef struct packed {
    logic open;                        // what is written is saved
    logic young;                       // packets older than `tag` may be in the stages
    logic epoch;                       // turns with every cut
    logic sweep;                       // the cut has ended: entries take the epoch
    tag_t tag;
  } cut_t;

  // CHIP.CUT_STATUS and CHIP.CUT_TICKET.
  typedef struct packed {
    logic        ready;
    logic        busy;
    logic [31:0] ticket;
  } cut_status_t;

  // A guarded flip, in its cycle: CHIP.BANK becomes `bank`.
  typedef struct packed {
    logic                  valid;
    logic [NumModules-1:0] bank;
  } flip_t;

  // What a place of the state memory holds, and what a move carries: a row of words, if the chip
  // has rows, and the pair.
  localparam int unsigned ValueBits = 32 * ArrayWords + StateEntryWidth;
  typedef logic [ValueBits-1:0] state_value_t;

  // The value of a move on its way from the state unit of its old pipeline to the move buffer, or
  // what a mark has read.
  typedef struct packed {
    logic         valid;
    move_name_t   id;
    state_value_t value;
  } moved_t;

  // What a boundary grants at the state unit of its pipeline in the cycle of a packet: at most one
  // of `access`, `read` and `land`. A mark writes with its read.
  typedef struct packed {
    logic       access;                // of the packet: it was issued from the order queue
    logic       read;                  // of a move or a mark
    logic       land;                  // the write of a move
    logic       mark_write;            // the write of a mark
    move_name_t id;                    // of the read
    slot_t      slot;                  // of what is granted
  } grant_t;

  // What is written by a grant, StateUpdateCycle later.
  typedef struct packed {
    state_value_t land;
    state_entry_t mark;
    logic         mark_row;            // of the row, not the pair; stays with it
  } grant_value_t;

  // The value of a move is in its new place.
  typedef struct packed {
    logic                  valid;
    logic [MoveIdBits-1:0] id;
  } landed_t;

  // Where an index lives, or has its home, in a back stage.
  typedef struct packed {
    pipe_t pipe;
    slot_t slot;
  } place_t;

  // A back stage asks the order point for a mark.
  typedef struct packed {
    logic   valid;                     // one cycle
    logic   writes;
    logic   cut;                       // reads what a cut has of the entry
    place_t home;
  } mark_request_t;

  // How a column answers reads of STATE_ROW (sluice_stage_rows). The unit that has read the row:
  // it is in the value of its moved_t. And the home of the row: this word of it is due.
  typedef struct packed {
    logic       come;
    logic       due;
    logic       none;                  // the memory has no such row: 0
    logic [2:0] word;                  // of 64 bits
  } row_read_t;

  // A move, or a mark, that is taken for the bus.
  typedef struct packed {
    move_name_t id;
    place_t     from;
    place_t     to;
  } move_offer_t;

  // Entry e of a relocation table: an index that lives in spare slot e of `pipe`, or is still on
  // its way home.
  typedef struct packed {
    logic   valid;
    logic   away;      // not on its way home
    logic   moving;    // its value has not landed
    row_t   row;       // of its module
    place_t home;
    pipe_t  pipe;
  } relocation_t;

  // An index that may move, as a scan of the access counts finds it.
  typedef struct packed {
    logic                       first;   // its module is to be asked before others
    logic                       found;   // it has an entry
    logic [RelocationBits-1:0]  entry;
    row_t                       row;     // of its module
    place_t                     home;
    logic [AccessCountBits-1:0] count;   // 0: none
  } candidate_t;

  // An entry of the access counts.
  typedef struct packed {
    row_t                       row;     // of the module that accessed it last
    place_t                     home;
    logic [AccessCountBits-1:0] count;
  } count_entry_t;

  // What the remap does with access counts: of a scan, see sluice_count_bank.
  typedef struct packed {
    logic enable;                        // off: loads are 0, nothing counts
    logic halve_loads;
    logic start;
    logic clear;
    logic halve;
  } count_control_t;

  // A decided move, as it reaches what is resolved and not yet admitted.
  typedef struct packed {
    logic [StateStages-1:0] stage;     // at most one
    place_t                 from;
    place_t                 to;
  } patch_t;

  // The lanes' copies of ACCESS, SEGMENT and REGION: stages in which one is written, for two cycles
  // as sluice_table wants it; and what.
  typedef struct packed {
    logic [StateStages-1:0] access;
    logic [StateStages-1:0] segment;
    logic [StateStages-1:0] region;
  } copy_valid_t;
  typedef struct packed {
    overlay_t row;                     // of ACCESS and SEGMENT
    access_t  access;
    segment_t segment;
    id_row_t  id;                      // the row of REGION
    region_t  region;
  } copy_write_t;

  // The oldest packet of a lane, resolved.
  typedef struct packed {
    logic                          valid;
    drop_e                         reason;         // DropNone: to be admitted
    resolution_t [StateStages-1:0] access;
    logic        [StateStages-1:0] pinned;
    pipe_t                         open;           // where it may go without an access
    logic [StageBits-1:0]          out_of_bounds;
    phv_t                          phv;
  } head_t;

  // What stands in the way of the oldest packets (sluice_order_guards), by back stage.
  typedef struct packed {
    logic [StateStages-1:0][NumPipes-1:0] paced;     // [stage][pipeline], see sluice_queue_guard
    logic [StateStages-1:0][NumPipes-1:0] half;      // paced or braked at half
    logic [StateStages-1:0][NumPipes-1:0] braked;
    logic [StateStages-1:0][NumPipes-1:0][NumPipes-1:0] full;    // [stage][lane][pipeline]
    logic [StateStages-1:0][NumPipes-1:0][NumPipes-1:0] above;   // ... its module's share
  } blocks_t;

  // What sluice_admit decides about the oldest packet of a lane.
  typedef struct packed {
    logic                take;         // admitted, dropped or void
    logic                admit;
    logic                drop;         // for overload
    logic                drop_above;   // of these: its module is above its share
    logic [NumPipes-1:0] ahead;        // lanes whose packets are before this one
    // the head of the order waits for: pacing, brake, phantom FIFO, credit, window (bit 0 first)
    logic [4:0]          waits;
  } decision_t;

  // A packet in the cycle after its admission.
  typedef struct packed {
    logic                          valid;
    row_t                          row;        // of its module
    resolution_t [StateStages-1:0] access;
    logic        [StateStages-1:0] pinned;
  } admitted_t;

  // Its access in one back stage.
  typedef struct packed {
    logic        valid;                // it is admitted
    row_t        row;
    resolution_t access;
    logic        pinned;
  } admitted_access_t;

  // What lanes hear of their packets at the order point.
  typedef struct packed {
    logic [NumPipes-1:0] pop;              // one has left
    row_t [NumPipes-1:0] row;              // with pop: of the packet
    logic [NumPipes-1:0] discard;          // with pop: it ends here
    hdr_t [NumPipes-1:0] slot;             // with discard: where its header was
  } popped_t;

  // What counts packets hears of the order point: see sluice_drop_counters, sluice_bank_counts.
  typedef struct packed {
    drop_t       [NumPipes-1:0] drop;
    bank_event_t [NumPipes-1:0] lost;      // had passed the filter
    bank_event_t [NumPipes-1:0] turned;    // take the other bank
  } order_events_t;

  // Packets that are past the last back stage.
  typedef struct packed {
    logic [NumPipes-1:0] valid;
    tag_t [NumPipes-1:0] tag;
  } ended_t;

  // How full lanes are.
  typedef struct packed {
    logic [NumPipes-1:0] over;             // past the limit
    logic [NumPipes-1:0] deep;             // at least CHIP.ECN_LANE wait
  } lane_fill_t;

  // What became of the words of the lanes' oldest items that are not started (array match).
  typedef struct packed {
    logic          [NumPipes-1:0] valid;
    matched_bits_t [NumPipes-1:0] bits;
  } lane_words_t;

  // What is under way in the rest of the chip: cuts and guarded flips wait for it.
  typedef struct packed {
    logic chain;                                       // messages are on the chain
    logic ctl;                                         // a control packet is there
    logic cut;                                         // a stage still sweeps
    logic [(1<<$bits(overlay_t))-1:0] inside_bank;     // [{bank, row}]: packets are inside
  } chip_busy_t;

  // Where the order point is.
  typedef struct packed {
    tag_t        oldest;
    logic [31:0] next_ticket;
    logic [15:0] in_flight;
    logic        relocated;                // indices are not at home
    logic        turning;                  // a guarded flip is under way
    flip_t       flip;
    cut_status_t cut;
  } order_status_t;

  // An issue from an order queue, as the order point hears of it: frees one entry of the FIFO of
  // `lane`.
  typedef struct packed {
    logic  valid;
    pipe_t lane;
  } report_t;

  // An internal error of a back stage; code ErrorNone: none.
  typedef struct packed {
    error_e     code;
    logic [3:0] pipe;
  } error_t;

endpackage : sluice_order_pkg
/* verilator lint_on UNUSEDPARAM */
