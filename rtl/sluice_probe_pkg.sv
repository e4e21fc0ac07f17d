// SPDX-License-Identifier: Apache-2.0

/// Events of the one order, for the chip (sluice_flip_guard) and for the test harness, and all that
/// the harness watches.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_probe_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;

  // ---- events of the one order, for the chip (sluice_flip_guard) and for the test harness -------
  // A mark got its place in the one order, behind all packets with tickets below `ticket`
  // (docs/marks.md). It is shown after the admission of all of those, and not after that of
  // `ticket` itself.
  typedef struct packed {
    logic        valid;
    stage_t      stage;
    logic        write;                      // it writes, too
    pipe_t       pipe;                       // home of the entry
    slot_t       slot;
    logic [31:0] ticket;
  } mark_event_t;

  // A cut of the state of the modules in `rows` was taken: packets with tickets below `ticket` are
  // in it. It is shown after the admission of all of those, and not after that of `ticket` itself.
  typedef struct packed {
    logic                  valid;
    logic [NumModules-1:0] rows;
    logic [31:0]           ticket;
  } cut_event_t;

  // ---- what the test harness watches ------------------------------------------------------------
  // Per lane: one `done` pulse for every packet that ends on the bus, in order, at most 8 cycles
  // later.
  typedef struct packed {
    logic  done;
    drop_e reason;                           // DropNone: stored, it has arrived
    // A beat of a recirculated packet enters the receiver: in this cycle none of the bus does.
    logic  again;
    logic  again_last;
    logic [31:0] again_ticket;               // of the pass before
    // The beat on the bus is of a packet that gives way: of that packet nothing enters.
    logic  gives_way;
    // Of a stream, in a chip with fast ports: a packet that began on it goes to this lane. In the
    // order of the wire, a fixed number of cycles behind its first beat.
    logic  dealt;
    pipe_t dealt_lane;
  } probe_lane_t;

  // What a packet carries at the order point, in a chip with an array match: its array, and its
  // 2-byte containers.
  typedef struct packed {
    words_t                 words;
    logic [Num2B-1:0][15:0] b2;
  } shown_t;
  localparam int unsigned ShownBits = ArrayEntries != 0 ? $bits(shown_t) : 1;

  // Per lane: the order point disposed of the oldest arrived packet of the lane.
  typedef struct packed {
    logic  done;
    drop_e reason;                           // DropNone: admitted with `tag`
    logic  mark;                             // marked for congestion
    tag_t  tag;
    // the oldest packet of all stands here and waits for: pacing, brake, phantom FIFO, credit,
    // window (bit 0 first); one bit
    logic [4:0] held;
    logic [ShownBits-1:0] shown;             // of the packet that is done: a shown_t
  } probe_order_t;

  // Per back stage and pipeline: a state operation executed (or, refused, read zeros).
  typedef struct packed {
    logic  valid;
    logic  refused;
    tag_t  tag;
    slot_t slot;
  } probe_state_t;

  // A guarded flip of the modules in `rows`: packets with `ticket` and higher ones have the other
  // bank from the order point on. It is shown as a cut is.
  typedef struct packed {
    logic                  valid;
    logic [NumModules-1:0] rows;
    logic [31:0]           ticket;
  } probe_flip_t;

  // The order point.
  typedef struct packed {
    probe_order_t [NumPipes-1:0]                lane;
    mark_event_t                                mark;
    cut_event_t                                 cut;
    probe_flip_t                                flip;
    logic [StateStages-1:0][NumPipes-1:0][15:0] depth;    // phantoms in each order queue
  } probe_point_t;

  // Per lane's deparser: a packet left the deparser.
  typedef struct packed {
    logic                done;
    // DropNone, DropDiscardBack, DropNoDest or DropForbidden
    drop_e               reason;
    logic [31:0]         ticket;
    // output queues that took it; the last bit is that of recirculation
    logic [AllPorts-1:0] accepted;
    logic [AllPorts-1:0] refused;            // output queues that were full
    logic                unpaid;             // that of recirculation: there was no token
    // With classes: the most packets that it saw in a queue that it asks for, and whether it is
    // marked for that.
    logic                deep;
    held_t               held;
  } probe_exit_t;

  // Per output lane of a chip with egress stages, as docs/machine.md (Egress) names the cycles: all
  // zero without.
  typedef struct packed {
    logic        enter;                      // cycle E of a copy: its first beat leaves the queue
    logic [31:0] ticket;
    logic [7:0]  port;
    logic        left;                       // cycle L: its last beat has left it
    // What became of a copy is known: in the order in which they entered, a fixed time after E.
    logic        done;
    logic [31:0] done_ticket;
    logic [7:0]  done_port;
    logic        dropped;                    // it was discarded
  } probe_egress_t;

  typedef struct packed {
    probe_lane_t  [NumPipes-1:0]                 lane;
    probe_point_t                                order;
    probe_state_t [BackStages-1:0][NumPipes-1:0] state;
    probe_exit_t  [NumPipes-1:0]                 exit;
    probe_egress_t [NumPipes-1:0]                egress;
    // of packets whose `lane` is done in this cycle, by their row
    logic [NumModules-1:0]                       bank;
  } probe_t;

endpackage : sluice_probe_pkg
/* verilator lint_on UNUSEDPARAM */
