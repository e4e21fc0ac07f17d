// SPDX-License-Identifier: Apache-2.0

/// The segments of a stage: how many cycles each takes, and every distance that follows from that.
///
///   key -> match engine -> action source -> operands -> ALUs -> merge         match-action core
///                      \-> state unit: read -> entry -> update -> result ---^  timed from the hit
///
/// A segment with N cycles gives in cycle c + N what it makes of what came in cycle c. Modules
/// that are a segment check their number (`SLUICE_TAKES`), so a number that is changed here alone
/// stops elaboration; whoever waits for one takes it from here. Example, with a match engine of one
/// cycle: PHV in 0, lookup and hit in 2, action word in 3, operands in 4, results of the ALUs in 5,
/// PHV out in 6. An engine of three cycles hits in 4, and all that follows is two cycles later.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_stage_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;

  // ---- segments of the core, in their order
  localparam int unsigned KeyCycles     = 2;  // PHV to masked key: KEY_EXTRACT, KEY_MASK are read
  // MatchCycles follows from the engines that the chip has (sw/configs.def): in the last of them
  // the hit is known.
  localparam int unsigned ActionCycles  = 1;  // hit to action word
  localparam int unsigned OperandCycles = 1;
  localparam int unsigned AluCycles     = 1;
  localparam int unsigned MergeCycles   = 1;

  // The multiplier, if there is one, works in AluCycles and MergeCycles: it adds nothing.

  // Cycles of the core, counted from the one in which its work on a PHV begins.
  localparam int unsigned LookupCycle = KeyCycles;                      // key to the engine
  localparam int unsigned HitCycle    = LookupCycle + MatchCycles - 1;  // hit to the action source
  localparam int unsigned ActionCycle = HitCycle + ActionCycles;        // action word to operands
  localparam int unsigned AluCycle    = ActionCycle + OperandCycles;    // operands to the ALUs
  localparam int unsigned MergeCycle  = AluCycle + AluCycles;           // results are merged
  localparam int unsigned CoreCycles  = MergeCycle + MergeCycles;       // side results; PHV out

  // ---- state unit, relative to the hit
  localparam int unsigned StateReadCycles   = 1;  // hit to the read of the memory
  localparam int unsigned StateEntryCycles  = 1;  // read to entry
  localparam int unsigned StateUpdateCycles = 1;  // entry to update
  localparam int unsigned StateResultCycles = 1;  // update to results; the memory is written then

  // Its cycles, counted as those of the core. In StateLookupCycle SEGMENT and ACCESS are read.
  localparam int unsigned StateLookupCycle = HitCycle - 1;
  localparam int unsigned StateReadCycle   = HitCycle + StateReadCycles;
  localparam int unsigned StateEntryCycle  = StateReadCycle + StateEntryCycles;
  localparam int unsigned StateUpdateCycle = StateEntryCycle + StateUpdateCycles;
  localparam int unsigned StateResultCycle = StateUpdateCycle + StateResultCycles;

  // ---- front stage: the hash unit begins with the item, the core late enough for its result
  localparam int unsigned HashCycles  = 8;                         // item to hash
  localparam int unsigned FrontLead   = HashCycles > CoreCycles ? HashCycles - CoreCycles : 0;
  localparam int unsigned FrontCycles = FrontLead + CoreCycles;
  localparam int unsigned HashWait    = FrontCycles - HashCycles;  // of the result, for the core

  // ---- back stage, counted from the issue of a packet, or of the read or landing of a move
  localparam int unsigned IssueCycles  = 1;  // issue to the match-action unit
  localparam int unsigned SteerCycles  = 1;  // steering hears of a packet so long before it leaves
  localparam int unsigned KnownCycles  = 1;  // ... and that it will hear of it, so long before that
  localparam int unsigned StoreCycles  = 1;  // transit to the next bank
  localparam int unsigned TransitCycle = IssueCycles + CoreCycles;   // to the next boundary
  localparam int unsigned LeaveCycle   = TransitCycle - SteerCycles;
  localparam int unsigned KnownCycle   = LeaveCycle - KnownCycles;
  localparam int unsigned HopCycles    = TransitCycle + StoreCycles; // issue to issue at best

  // ---- moves (docs/moves.md), counted as those of a back stage
  localparam int unsigned MovedCycle = IssueCycles + StateResultCycle; // a read's value comes
  localparam int unsigned WriteCycle = IssueCycles + StateUpdateCycle; // a landing needs its value
  localparam int unsigned FetchCycle = WriteCycle - 1;                 // ... taken from the buffer
  localparam int unsigned LandWait   = IssueCycles + 2;                // read to landing at best

  // ---- egress (docs/egress.md), counted from the cycle in which a copy leaves its queue
  localparam int unsigned EgressParserCycles = 3;                    // to its containers
  // to the cycle in which the discard flag is known
  localparam int unsigned EgressFateCycle = EgressParserCycles + EgressStages * CoreCycles;
  // to the wire, beyond the cycle of the line register that a chip without has as well: deparser
  // and checksums, and the queue behind them
  localparam int unsigned EgressCycles = EgressFateCycle + 4;
  // beats between queues and wire: twice what is on the way when the wire is free
  localparam int unsigned EgressRoom   = 2 * EgressCycles;
  // copies between parser and deparser, whose headers wait
  localparam int unsigned EgressHeaders = EgressFateCycle + 1;

  // ---- what goes between the segments
  typedef logic [index_bits(MatchEntries)-1:0] match_row_t;     // of MATCH, MATCH_DATA
  typedef logic [index_bits(ActionRows)-1:0]   action_row_t;    // of ACTION, STATE_INSTR

  // To a match engine, in LookupCycle, and its answer, in HitCycle: all zero without a hit.
  typedef struct packed {
    logic       valid;
    logic       bank;                 // of the packet; 0 on a chip with one bank
    logic [7:0] vid;                  // of the packet: a module matches its own entries only
    logic       wide;                 // of the wide compare; 0 on a chip without
    key_t       key;                  // masked
  } lookup_t;
  typedef struct packed {
    logic        valid;
    action_row_t row;                 // of the action; exact rows have that of their own number
  } hit_t;

  // From the action source, and the data words of the entry, in ActionCycle. Word w is data[3-w].
  typedef logic [NumSlots-1:0][InstrWidth-1:0] action_t;
  typedef logic [3:0][31:0]                    data_t;

  // What the core shows the unit beside it: each line as it is in its own cycle.
  typedef struct packed {
    logic        come;                // a packet for this stage comes, before it waits for the core
    overlay_t    come_row;            // its overlay row
    containers_t came_cont;           // a cycle later
    logic        ahead;               // a packet is in StateLookupCycle
    overlay_t    ahead_row;
    hit_t        hit;                 // HitCycle
    containers_t hit_cont;
    logic        action;              // ActionCycle, of a packet that has one
    logic        found;               // ActionCycle, of an entry, so not the default one
    instr_t      action_slot16;
    containers_t action_cont;
  } side_t;

  // What the match-action unit of a back stage counts: one pulse an event.
  typedef struct packed {
    logic hit;                        // a packet has matched an entry, so not the default one
    logic state_op;                   // an operation on state
    logic refused;                    // an operation that saw zeros, or a fault of a capsule
  } unit_event_t;

  // A cycle of the state memory that control, or the walk behind a cut, wants or takes.
  typedef struct packed {
    logic  valid;
    slot_t slot;
  } slot_request_t;

  // What a memory instruction of a capsule wants of the state unit, in StateReadCycle: the packet
  // has one (and so its program does nothing to state here), and it is executed.
  typedef struct packed {
    logic         takes;
    logic         valid;
    logic         computed;           // `slot` counts, not the resolved one
    logic         bounded;            // ... and is in the region
    slot_t        slot;
    logic [31:0]  p1;
    logic [31:0]  p2;
    state_instr_t instr;
  } capsule_access_t;

  // What the state unit tells the unit of rows beside it (sluice_array_unit), each line in its
  // cycle.
  typedef struct packed {
    logic   op;                       // StateReadCycle: an operation of a state instruction
    logic   read;                     // ... a read of the memory, whoever needs it
    slot_t  read_slot;
    logic   refused;                  // StateUpdateCycle: the operation works on zeros
    logic   write;                    // ... a row comes: of a move, a mark, control
    slot_t  write_slot;               // ... also of the operation
    words_t value;
  } row_access_t;

  // What that unit made of it, in the core's last cycle; nothing counts without an operation.
  typedef struct packed {
    logic [7:0][31:0] ext;            // what EXT selects, 0 to 7 of enumeration EXT
    logic             slot16_write;   // D of LOAD and LOADD
    logic [31:0]      slot16;
  } result_t;

endpackage : sluice_stage_pkg
/* verilator lint_on UNUSEDPARAM */
