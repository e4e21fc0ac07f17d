// SPDX-License-Identifier: Apache-2.0

/// Types that cross module borders, derived from the configuration (sluice_cfg_pkg) and the
/// layouts (sluice_layout_pkg). The contract of the stage boundary, which these types serve,
/// is docs/boundary.md.

// What a signal is for depends on the shape, and a room takes of a struct what it needs: whether a
// signal is used is asked of all shapes together (tb/lint/unused), which defines SLUICE_UNUSED.
`ifdef VERILATOR
`ifndef SLUICE_UNUSED
`verilator_config
lint_off -rule UNUSEDSIGNAL -file "*rtl/*"
lint_off -rule PINCONNECTEMPTY -file "*rtl/*"
`verilog
`endif
`endif

// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;

  function automatic int unsigned index_bits(int unsigned count);
    return count > 1 ? $clog2(count) : 1;
  endfunction

  // ---- widths -----------------------------------------------------------------------------------
  localparam int unsigned BeatBits     = 8 * BeatBytes;
  localparam int unsigned BeatIdxBits  = $clog2(BeatBytes);          // number of a byte in its beat
  localparam int unsigned HeaderBeats  = HeaderBytes / BeatBytes;    // what parser and deparser see
  localparam int unsigned HeaderBits   = 8 * HeaderBytes;
  // Narrow chips (beats of 16 bytes) move headers beat by beat; the others whole, a packet a cycle.
  localparam int unsigned HeaderSteps  = BeatBytes < 64 ? HeaderBeats : 1;
  localparam int unsigned StepBits     = HeaderBits / HeaderSteps;
  localparam int unsigned StepBytes    = StepBits / 8;
  // shortest legal packet, tag included
  localparam int unsigned MinBytes     = 64;
  localparam int unsigned MaxBytes     = 9216;                       // longest legal packet
  // block of a control packet: its head, or an entry
  localparam int unsigned CtlBytes     = 64;
  localparam int unsigned CtlBits      = 8 * CtlBytes;
  localparam int unsigned MaxBeats     = MaxBytes / BeatBytes;
  // a number of beats of a packet
  localparam int unsigned BeatsBits    = $clog2(MaxBeats + 1);
  localparam int unsigned LenBits      = 14;
  localparam int unsigned RowBits      = index_bits(NumModules);     // overlay row: a module
  localparam int unsigned ActionRows   = MatchEntries + ExtraActions; // of ACTION, STATE_INSTR
  localparam int unsigned PipeBits     = index_bits(NumPipes);
  // Tags in flight span a window. Two bits more than that: which of two tags is older is right as
  // long as they are less than two windows apart, so a room that still compares with the tag of a
  // packet that has left has a whole window of admissions of time, however long a stage takes.
  localparam int unsigned TagBits      = $clog2(Window) + 2;
  localparam int unsigned TagSpan      = 2 * Window;                 // half of the tags
  localparam int unsigned SlotsPerPipe = StateEntries / NumPipes;
  // indices move between pipelines
  localparam bit          HasMoves     = NumPipes > 1 && Relocations > 0;
  // homes, and spare slots behind them
  localparam int unsigned MemorySlots  = SlotsPerPipe + (HasMoves ? Relocations : 0);
  // The slot that a pinned access names, whose slot its stage computes: none that there is.
  localparam int unsigned PinnedSlot   = MemorySlots;
  localparam int unsigned SlotBits     = index_bits(PinnedSlot + 1);
  // moves of a back stage under way
  localparam int unsigned MoveIds      = 4;
  localparam int unsigned MoveIdBits   = $clog2(MoveIds);
  // moves and marks in an order queue, at most
  localparam int unsigned QueueMoves   = (HasMoves ? MoveIds : 0) + Marks;
  // of an access count: saturates
  localparam int unsigned AccessCountBits = 10;
  localparam int unsigned RelocationBits = index_bits(Relocations);  // number of an entry
  localparam int unsigned HdrBits      = $clog2(HeaderSlots);
  // a number of packets inside: each has a slot in the packet buffer of its lane
  localparam int unsigned InsideBits   = $clog2(NumPipes * HeaderSlots + 1);
  localparam int unsigned BankBits     = $clog2(BankDepth);
  localparam int unsigned StageBits    = 5;
  localparam int unsigned ReasonBits   = $bits(drop_e);
  // What the traffic manager calls a port: in a chip with fast ports each output lane is one.
  localparam int unsigned LinePorts    = FastLanes != 0 ? NumPipes : NumPorts;
  // Ports of the lane that has the most: lane_of_port
  localparam int unsigned PortsPerLane = (LinePorts + NumPipes - 1) / NumPipes;
  localparam int unsigned NumSlots     = 25;                         // VLIW slots
  localparam int unsigned ActionBits   = 25 * NumSlots;
  // ports, and behind them that of recirculation
  localparam int unsigned AllPorts     = NumPorts + Recirculation;
  // who reads a packet buffer's bodies: output lanes, recirculation
  localparam int unsigned NumReaders   = NumPipes + Recirculation;
  localparam int unsigned RoundBits    = Recirculation != 0 ? 8 : 1;
  localparam int unsigned NumFaults    = 32;
  localparam int unsigned Granule      = StateEntries > 256 ? StateEntries / 256 : 1;

  // ---- hash of the match engines: CRC-64/ECMA-182. Bit i of what is hashed adds x^(64+i) modulo
  // the polynomial; x times that is what bit i + 1 adds.
  localparam logic [63:0] CrcPolynomial = 64'h42f0_e1eb_a9ea_3693;
  function automatic logic [63:0] crc_times_x(logic [63:0] power);
    return {power[62:0], 1'b0} ^ (power[63] ? CrcPolynomial : '0);
  endfunction

  typedef logic [PipeBits-1:0] pipe_t;    // a pipeline, or a lane
  typedef logic [TagBits-1:0]  tag_t;     // ticket modulo four windows
  // slot of the state memory of one pipeline and stage: homes, then spare slots
  typedef logic [SlotBits-1:0] slot_t;
  typedef logic [HdrBits-1:0]  hdr_t;     // slot of a packet in its lane's packet buffer
  typedef logic [RowBits-1:0]  row_t;     // overlay row: a module
  // Where the configuration of a module stands in every overlay table: {bank, row}, or the row
  // alone on a chip with one bank. The filter says so of each packet, and nobody else.
  // row_t'(overlay) is the row.
  typedef logic [RowBits+Banks-2:0] overlay_t;
  typedef logic [StageBits-1:0] stage_t;
  typedef logic [LenBits-1:0]  len_t;
  typedef logic [BeatsBits-1:0] beats_t;  // number of beats, or cells, of a packet
  typedef logic [RoundBits-1:0] round_t;  // how often a packet was recirculated
  typedef logic [index_bits(HeaderSteps)-1:0] step_t; // step of a header
  typedef logic [MoveIdBits-1:0] move_id_t; // a move under way, of its back stage
  // What the move bus carries, and order queues: {0, id} is a move, {1, cut, writes} a mark, which
  // writes or only reads, or reads what a cut has of its entry.
  typedef logic [MoveIdBits+Marks-1:0] move_name_t;

  // ---- ports and their lanes --------------------------------------------------------------------
  // The lanes take turns: port p is number p / NumPipes of lane p modulo NumPipes. Example, 17
  // ports and 4 lanes: lane 0 has the ports 0, 4, 8, 12 and 16, lane 1 has 1, 5, 9 and 13. Number
  // 4 of lane 1 is no port: its bit of a set of ports is always 0.
  // Number i of lane l is port NumPipes i + l. Modules of which there are many write that out,
  // since their simulator is built faster without functions.
  function automatic int unsigned lane_of_port(int unsigned port);
    return port % NumPipes;
  endfunction
  function automatic int unsigned index_of_port(int unsigned port);
    return port / NumPipes;
  endfunction

  typedef logic [LinePorts-1:0]    port_set_t;   // of all ports
  typedef logic [PortsPerLane-1:0] lane_set_t;   // of the ports of one lane, by their numbers there

  function automatic lane_set_t lane_set(port_set_t ports, int unsigned lane);
    lane_set = '0;
    for (int unsigned p = 0; p < LinePorts; p++)
      if (lane_of_port(p) == lane) lane_set[index_of_port(p)] = ports[p];
  endfunction

  function automatic port_set_t [NumPipes-1:0] ports_by_lane();
    ports_by_lane = '0;
    for (int unsigned p = 0; p < LinePorts; p++) ports_by_lane[lane_of_port(p)][p] = 1'b1;
  endfunction
  localparam port_set_t [NumPipes-1:0] LanePorts = ports_by_lane();

  function automatic move_name_t mark_name(logic writes, logic cut);
    return move_name_t'({1'b1, MoveIdBits'({cut, writes})});
  endfunction

  // ---- packet header vector ---------------------------------------------------------------------
  // An array has at least one element: on a chip without 6-byte containers nobody writes it, and it
  // is 0.
  localparam int unsigned Array6B = Num6B > 0 ? Num6B : 1;
  localparam int unsigned MaxContainerBits = 48;   // of the widest class, the third
  typedef struct packed {
    logic [Array6B-1:0][MaxContainerBits-1:0] b6;
    logic [Num4B-1:0][31:0] b4;
    logic [Num2B-1:0][15:0] b2;
  } containers_t;

  // ---- classes of containers: width, how many this chip has, and the slot of an action word that
  // writes the first of them. In the order in which they stand in containers_t, from its lowest bit
  // on. Class c is type c + 1 of operands (TypeB2, TypeB4, TypeB6).
  typedef struct packed {
    logic [7:0] bits;
    logic [7:0] count;
    logic [7:0] slot;
  } class_t;
  localparam int unsigned NumClasses = 3;
  localparam class_t [NumClasses-1:0] Classes = '{
    0: '{bits: 8'd16, count: 8'(Num2B), slot: 8'd1},
    1: '{bits: 8'd32, count: 8'(Num4B), slot: 8'd9},
    2: '{bits: 8'(MaxContainerBits), count: 8'(Num6B), slot: 8'd17}
  };
  // speaks to the state unit, and so is always kept
  localparam int unsigned StateSlot        = 16;

  // A slot of an action word, and the container that it writes. Slot 0 writes none: destination and
  // discard flag.
  typedef struct packed {
    logic        container;   // this chip has its container
    type_e       kind;        // of its container; CONST in slot 0
    int unsigned bits;
    int unsigned lsb;         // of the container in containers_t
  } slot_info_t;

  function automatic slot_info_t slot_info(int unsigned slot);
    int unsigned bits, count, first, lsb;
    slot_info = '{container: 1'b0, kind: TypeConst, bits: 32'd32, lsb: 32'd0};
    lsb       = 0;
    for (int unsigned c = 0; c < NumClasses; c++) begin
      bits  = 32'(Classes[c].bits);
      count = 32'(Classes[c].count);
      first = 32'(Classes[c].slot);
      if (slot >= first && slot < first + 8)
        slot_info = '{container: slot < first + count, kind: type_e'(2'(c + 1)), bits: bits,
                      lsb: lsb + bits * (slot - first)};
      lsb = lsb + bits * count;
    end
  endfunction

  typedef struct packed {
    logic [7:RowBits] vid_high; // VID[7:0] of the module is {vid_high, overlay.row}
    // where its entries stand in the overlay tables: the filter says so, and nobody else
    overlay_t   overlay;
    len_t       len;       // bytes
    logic [7:0] port_in;   // ingress port
    logic [7:0] dest;      // destination, MD[31:24]
    logic       discard;   // MD[128]
    logic       mark;      // the order point saw congestion; see CHIP.ECN_QUEUE
    round_t     round;     // 0 in chips without recirculation
    pipe_t      pipe_set;  // a pipeline of the set of its module; see CHIP.SETS
    pipe_t      lane;      // lane that stores the packet
    hdr_t       hdr;       // its slot there
  } meta_t;

  // ---- capsules (docs/machine.md, Capsules): a program in a packet, and its registers
  localparam int unsigned CapsuleInstrs = 42;         // of a list, at most: those in the header
  localparam int unsigned IdBits        = index_bits(ActiveIds);
  typedef logic [IdBits-1:0] id_t;
  // Where the entries of an id stand in tables of ids: {bank, id}, or the id alone.
  typedef logic [IdBits+Banks-2:0] id_row_t;

  typedef struct packed {
    logic [5:0] label;
    logic       numbered;
    logic       target;
    logic [6:0] opcode;                               // 0 from the end of the list on
  } capsule_op_t;

  // What is still to be done to MBR or MBR2 with the word that a memory instruction has read into
  // MBR. The next stage begins with it: the state unit's result comes too late for a comparison.
  typedef enum logic [1:0] {
    LateNone,
    LateMin,                                          // MBR2 = min(MBR2, MBR)
    LateRest                                          // MBR = MBR == 0 ? 0 : MBR2 - MBR
  } capsule_late_e;

  // Where the packet behind the list has its addresses and ports.
  typedef struct packed {
    logic [31:0] src;
    logic [31:0] dst;
    logic [15:0] sport;
    logic [15:0] dport;
  } tuple_t;

  // How long a recirculated packet waited in its queue: LOAD_QDELAY and LOAD_QUEUE.
  localparam int unsigned WaitDelayBits = Recirculation != 0 ? 16 : 1;
  localparam int unsigned WaitDepthBits = Recirculation != 0 ? $clog2(OutputDepth) : 1;
  typedef struct packed {
    logic [WaitDelayBits-1:0] delay;                      // cycles; the largest number: or more
    logic [WaitDepthBits-1:0] depth;                      // packets in front of it when it came
  } waited_t;

  typedef struct packed {
    logic          valid;                             // the packet is a capsule that is executed
    logic          known;                             // its id is the module's
    logic          drop;                              // DROP and REPORT of its TENANT entry
    logic          report;
    logic          preload;
    logic          more;                              // it may recirculate, by its rounds
    id_t           id;
    logic [5:0]    length;                            // of the list, with EOF
    logic          complete;
    logic          skip;
    logic          skip_numbered;
    logic [5:0]    skip_label;
    logic          returned;
    logic          fault;
    logic          first_fault;                       // ... and its first one was in this pass
    logic          forked;                            // FORK, in this pass
    waited_t       waited;                            // in rounds above 0
    logic [31:0]   count;                             // LOAD_PKTCOUNT
    capsule_late_e late;
    logic [31:0]   mar;
    logic [31:0]   mbr;
    logic [31:0]   mbr2;
    logic [4:0][31:0] hash;                           // H0 is hash[0]
    logic [3:0][31:0] data;                           // DATA_0 is data[0]
    tuple_t        tuple;
    // ops[0]: of the next stage; every stage takes the first one away
    capsule_op_t [BackStages-1:0] ops;
  } carried_t;

  // A packet carries a bit that is 0 where there are no capsules: nothing has no width.
  localparam int unsigned CapsuleBits = Active != 0 ? $bits(carried_t) : 1;
  typedef logic [CapsuleBits-1:0] capsule_bits_t;

  // ---- recirculation (docs/machine.md, Recirculation): what travels beside the packet
  // A capsule that is continued: its registers behind the last stage.
  typedef struct packed {
    logic          valid;
    logic          skip;
    logic          skip_numbered;
    logic [5:0]    skip_label;
    logic          returned;
    logic          fault;
    capsule_late_e late;
    logic [31:0]   mar;
    logic [31:0]   mbr;
    logic [31:0]   mbr2;
    logic [4:0][31:0] hash;
  } continued_t;
  localparam int unsigned ContinuedBits = Active != 0 ? $bits(continued_t) : 1;
  typedef logic [ContinuedBits-1:0] continued_bits_t;

  typedef struct packed {
    logic [7:0]      round;                           // of the pass that ends
    row_t            row;                             // of its module
    logic [7:0]      port_in;
    logic [7:0]      dest;                            // of a continued capsule
    waited_t         waited;                          // from the queue on
    continued_bits_t continued;                       // a continued_t
  } again_t;
  localparam int unsigned AgainBits = Recirculation != 0 ? $bits(again_t) : 1;
  typedef logic [AgainBits-1:0] again_bits_t;

  // Of a recirculated packet on its way into its lane: the next beat, and what is beside it. Valid:
  // a packet is there, whole.
  typedef struct packed {
    logic                   valid;
    logic                   last;
    logic [BeatIdxBits-1:0] bytes;                    // of the last beat; 0: all
    logic [BeatBits-1:0]    data;
    logic [31:0]            ticket;                   // of the pass before
    again_bits_t            again;                    // an again_t
  } reentry_t;

  // What the exit needs of it.
  typedef struct packed {
    logic          valid;
    logic          complete;
    logic          returned;
    logic          fault;                             // ... to be reported
    logic          first_fault;                       // it counts
    logic          forked;
    id_t           id;
    logic [5:0]    length;
    logic [3:0][31:0] data;
    logic [31:0]   src;
    logic [31:0]   dst;
  } capsule_end_t;
  localparam int unsigned CapsuleEndBits = Active != 0 ? $bits(capsule_end_t) : 1;
  typedef logic [CapsuleEndBits-1:0] capsule_end_bits_t;

  // Bytes of a frame: where the initial header, the arguments and the list of a capsule begin.
  localparam int unsigned CapsuleByte = 18;
  localparam int unsigned ArgsByte    = 28;
  localparam int unsigned CapsuleHead = 44;
  // Bytes that are taken out of a packet behind its head: at most the whole list.
  localparam int unsigned CutoutBits  = Active != 0 ? $clog2(2 * CapsuleInstrs + 1) : 1;
  typedef logic [CutoutBits-1:0] cutout_t;

  // ---- arrays (docs/machine.md, Arrays): words that a packet carries beside its containers
  localparam int unsigned WordsOfRow = ArrayWords != 0 ? ArrayWords : 1;
  typedef logic [WordsOfRow-1:0][31:0] words_t;       // [0]: word 0
  typedef struct packed {
    // words that lie wholly within packet and header: what the exit writes back. Those behind are 0
    // when they come; a stage may have changed them.
    logic [$clog2(WordsOfRow+1)-1:0] count;
    logic [5:0] half;                                 // place of word 0: byte 2 x half
    words_t     words;
  } carried_array_t;
  localparam int unsigned ArrayBits = ArrayWords != 0 ? $bits(carried_array_t) : 1;
  typedef logic [ArrayBits-1:0] array_bits_t;         // 0 where there are no arrays

  // ---- array match (docs/machine.md, Array match)
  // What became of the words of a packet.
  typedef struct packed {
    words_t                words;
    logic [WordsOfRow-1:0] found;                     // keys that have an entry
    logic                  write;                     // ... to be written to 2B[index]
    logic [2:0]            index;
  } matched_t;
  localparam int unsigned MatchedBits = ArrayEntries != 0 ? $bits(matched_t) : 1;
  typedef logic [MatchedBits-1:0] matched_bits_t;     // 0 where there is no array match

  // ---- egress stages (docs/machine.md, Egress)
  // Copies that wait for a port: a place of each queue, and what is on its way out.
  localparam int unsigned CopiesBits = $clog2(NumPipes * OutputDepth + 4);
  typedef logic [CopiesBits-1:0] depth_t;
  // What travels with a packet through the output queues beside it, for its copies.
  typedef struct packed {
    logic [7:RowBits]          vid_high;              // VID[7:0] is {vid_high, row}
    overlay_t                  overlay;               // row and bank
    logic [31:0]               accepted;              // cycle in which the queues took it
    port_set_t                 copies;                // the ports that get one
    depth_t [PortsPerLane-1:0] depth_in;              // copies that waited for each of this lane
  } beside_copy_t;
  // A bit that is 0 where there are no egress stages.
  localparam int unsigned VidBits    = EgressStages != 0 ? 8 - RowBits : 1;
  localparam int unsigned EgressBits = EgressStages != 0 ? $bits(beside_copy_t) : 1;
  typedef logic [VidBits-1:0]    vid_bits_t;          // what a beside_copy_t has of a VID
  typedef logic [EgressBits-1:0] egress_bits_t;       // a beside_copy_t

  typedef struct packed {
    meta_t         meta;
    capsule_bits_t capsule;
    array_bits_t   array;
    containers_t   cont;
  } phv_t;

  // The same PHV: zeros for containers that the chip does not have, said again behind memories,
  // through which synthesis does not see.
  function automatic phv_t kept_phv(phv_t phv);
    kept_phv = phv;
    if (Num6B == 0) kept_phv.cont.b6 = '0;
    if (Active == 0) kept_phv.capsule = '0;
    if (Recirculation == 0) kept_phv.meta.round = '0;
    if (ArrayWords == 0) kept_phv.array = '0;
  endfunction
  localparam phv_t KeptPhv = kept_phv(phv_t'('1));   // what it keeps

  // Bits of a key that this configuration has: no container of a size of which there is none, no
  // second one of which there is one.
  localparam key_t KeyKept = '{
    b6_first: {48{Num6B > 0}}, b6_second: {48{Num6B > 1}}, b4_first: '1, b4_second: {32{Num4B > 1}},
    b2_first: '1, b2_second: {16{Num2B > 1}}, predicate: 1'b1
  };

  // What a lane sends to the order point, through the front stages, with constant latency: one
  // item for every arrived packet. reason other than DropNone: the lane dropped it.
  typedef struct packed {
    logic  valid;
    drop_e reason;
    phv_t  phv;
  } item_t;

  // A packet dropped; `known`: its VLAN tag names the module of overlay row `row`.
  typedef struct packed {
    logic  valid;
    logic  known;
    row_t  row;
    drop_e reason;
  } drop_t;

  // Of a lane: by its receiver or filter, and on the bus, to make way for a recirculated packet.
  typedef struct packed {
    drop_t filter;
    drop_t gave_way;
  } lane_drop_t;

  // What a packet is dropped for at the exit, or that it may not go to all of its ports: the
  // reason, or NONE; and how many of its copies found no place in an output queue.
  typedef struct packed {
    logic       valid;
    row_t       row;
    drop_e      reason;
    logic [6:0] full;
    logic       unpaid;                // it had no token for recirculation
  } exit_drop_t;

  // A packet with this overlay row and bank came in, or is past all tables: see sluice_bank_counts.
  typedef struct packed {
    logic     valid;
    overlay_t overlay;
  } bank_event_t;

  // In a chip with egress stages: as a packet leaves the exit, so many copies of it go there.
  typedef struct packed {
    overlay_t                      overlay;
    logic [$clog2(NumPorts+1)-1:0] count;
  } bank_copies_t;

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

  // A decided move, as it reaches what is resolved and not yet admitted.
  typedef struct packed {
    logic [StateStages-1:0] stage;     // at most one
    place_t                 from;
    place_t                 to;
  } patch_t;

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

  // ---- exit and traffic manager -----------------------------------------------------------------
  // A packet that waits for its lane's deparser: what is still of use of packet_t.
  typedef struct packed {
    // first, as the exit queues leave it out where there are no egress stages
    vid_bits_t   vid_high;
    logic [31:0] ticket;
    overlay_t    overlay;
    len_t        len;
    logic [7:0]  dest;
    logic        discard;
    logic        mark;
    hdr_t        hdr;
    capsule_end_bits_t capsule;
    logic        more;                 // a capsule that may go on in a further pass
    again_bits_t beside;               // an again_t, with the round of the pass that ends
    array_bits_t array;
    containers_t cont;
  } exit_t;

  // Classes of the modules in the output queues: one queue each for a source and an output lane,
  // or one queue for all.
  localparam int unsigned OutputQueues = OutputClasses != 0 ? OutputClasses : 1;
  typedef logic [index_bits(OutputQueues)-1:0] queue_class_t;
  // Packets that a queue of a class holds; 0 without classes.
  typedef logic [(OutputClasses != 0 ? $clog2(OutputDepth + 1) : 1)-1:0] held_t;

  // A packet whose fate a lane has worked out: where it wants to go, or why it goes nowhere.
  typedef struct packed {
    logic [31:0]         ticket;
    len_t                len;
    cutout_t             cutout;       // bytes that are taken out on the way out; 0: none
    hdr_t                hdr;
    drop_e               reason;
    // no reason, but its module may not send to all of its ports
    logic                some_forbidden;
    overlay_t            overlay;
    queue_class_t        queue_class;
    logic                deep;         // it is marked: a queue that it asks for is deep
    held_t               held;         // the most packets in such a queue
    vid_bits_t           vid_high;
    logic [NumPorts-1:0] ports;        // empty if there is a reason
    logic                again;        // it is to be recirculated, and has paid
    logic                unpaid;       // it had no token for that
    again_bits_t         beside;       // an again_t
  } fate_t;

  // A packet in an output queue.
  typedef struct packed {
    logic [31:0]             ticket;
    len_t                    len;
    cutout_t                 cutout;
    hdr_t                    hdr;      // of its body, in the packet buffer of its lane
    queue_class_t            queue_class;
    logic [PortsPerLane-1:0] ports;
    egress_bits_t            egress;   // a beside_copy_t
    logic [StepBits-1:0]     header;   // its first step; the others come in the cycles behind it
  } output_t;

  // In a chip with HeaderPool: an entry of a lane's pool of headers; the headers that a queue keeps
  // beside it, and the next one that it wants of the pool.
  localparam int unsigned PoolBits  = HeaderPool != 0 ? $clog2(HeaderPool) : 1;
  localparam int unsigned PoolAhead = 8;
  typedef logic [PoolBits-1:0] pool_entry_t;
  typedef struct packed {
    logic        valid;                // holds until it is taken
    pool_entry_t entry;
    logic [$clog2(PoolAhead)-1:0] ahead;   // headers that the queue has, or waits for
  } fetch_t;

  // In a chip with OutputClasses: a packet in an output queue, as the choice sees it. With one bit
  // in ports it is a copy.
  typedef struct packed {
    logic [$clog2(OutputDepth)-1:0] place;
    queue_class_t            queue_class;
    logic [PortsPerLane-1:0] ports;
    logic                    has_body;
    beats_t                  beats;    // of the whole packet
    hdr_t                    hdr;
  } handle_t;

  // A copy in the cycle in which its first beat leaves its queue, for the egress stages. The cycle
  // behind it has the beat, and may have the first one of the next copy.
  typedef struct packed {
    logic                    valid;
    logic [31:0]             ticket;
    len_t                    len;
    cutout_t                 cutout;   // taken out behind the stages
    logic [PortsPerLane-1:0] port;     // of the lane, one-hot
    egress_bits_t            egress;   // a beside_copy_t
    logic [StepBits-1:0]     header;
  } start_t;

  // A copy that has left through a port of an output lane.
  typedef struct packed {
    logic       valid;
    logic [7:0] port;
    len_t       len;
  } sent_t;

  // ---- control ----------------------------------------------------------------------------------
  // A word on the daisy chain; `ready` runs the other way. A message is a chain_header_t and then
  // its entries, each in ceil(bits / 64) words, left-justified.
  typedef struct packed {
    logic        valid;
    logic        first;
    logic        last;
    logic [63:0] data;
  } chain_t;

  localparam int unsigned EntryBits  = 640;   // widest entry, in whole words
  // words of answers that wait in a chain node: 1, 2 or 4
  localparam int unsigned ChainAhead = BeatBytes < 64 ? 1 : 4;

  // What a chain node hands to the tables beside it. data: left-justified entry.
  typedef struct packed {
    logic                 valid;
    table_e               which;
    chain_header_t        header;            // index already counted up
    logic [EntryBits-1:0] data;
  } table_write_t;

  typedef struct packed {
    logic          valid;
    table_e        which;
    chain_header_t header;                   // index already counted up
    logic [3:0]    word;                     // of the entry
  } table_read_t;

  // The word that was asked for. Answers come in the order of the requests; all zero while not
  // valid, so that those of all tables and copies can be ORed.
  typedef struct packed {
    logic        valid;
    logic [63:0] data;
  } word_answer_t;

  // Whether a write is taken in this cycle. Only STATE and FILL ever wait or refuse.
  typedef struct packed {
    logic ready;
    logic refused;
  } table_ready_t;

  typedef struct packed {
    logic        valid;                      // one cycle
    logic        write;
    logic [19:0] addr;                       // byte address
    logic [31:0] wdata;
  } csr_req_t;

  typedef struct packed {
    // one cycle, at most 32 cycles after the request; else all zero
    logic        valid;
    // the register is there, and does not take this write now
    logic        refused;
    logic [31:0] rdata;
  } csr_rsp_t;

  // An offset in a register block at which no register is (sluice_register_block).
  localparam logic [11:0] NoRegister = '1;

  // Settings, by who takes them; those that packets on their way rely on change only while none is
  // inside (sluice_chip_regs). In all of them: `clear` clears counters and high-water marks; after
  // reset memories take their reset value at `init_index`, which counts up once from 0 over the
  // deepest memory while `init` is set; bit FaultXxx of `fault` is 0 unless TestFaults.
  typedef struct packed {
    logic [12:0]           lane_limit;
    logic [12:0]           ecn_lane;         // 0: off
    logic [NumFaults-1:0]  fault;
    // the rest changes under traffic
    logic                  ready;            // tables and state are clear
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    logic [NumModules-1:0] bitmap;           // modules whose packets are dropped
    // bit r: bank of packets of row r that enter; all zero on a chip with one bank
    logic [NumModules-1:0] bank;
  } lane_settings_t;

  typedef struct packed {
    logic                  clear;
    mode_t                 mode;             // all zero: as designed
    // bits of a pipeline's number that name its set; 0: one set of all
    pipe_t                 set_mask;
    // cycles between two scans for moves; 0: everything comes home
    logic [15:0]           move_period;
    logic [7:0]            move_least;
    // entries of a relocation table that a module may have; 0: all
    logic [7:0]            move_quota;
    logic [NumModules-1:0] bitmap;           // modules whose indices come home and stay,
    logic [NumModules-1:0] recall;           // and those of these
    logic [NumFaults-1:0]  fault;
  } move_settings_t;

  typedef struct packed {
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    mode_t                 mode;
    pipe_t                 set_mask;
    logic [7:0]            pace;
    logic [15:0]           brake;
    logic [15:0]           ecn_queue;        // 0: off
    logic [NumModules-1:0] bank;
    // modules of the cut that is wanted; 0: none
    logic [NumModules-1:0] cut;
    logic                  occupied;         // packets are inside
    logic [NumFaults-1:0]  fault;
  } order_settings_t;

  // Front and back stages, boundaries, egress stages.
  typedef struct packed {
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    mode_t                 mode;
    pipe_t                 set_mask;
    logic [NumFaults-1:0]  fault;
  } stage_settings_t;

  typedef struct packed {
    logic                  ready;
    logic                  clear;
    logic                  init;
    logic [15:0]           init_index;
    // classes of the output queues: from how many packets on a queue is deep; 0: never
    logic [OutputQueues-1:0][10:0] class_ecn;
    logic [NumFaults-1:0]  fault;
  } exit_settings_t;

  // Output queues and ports.
  typedef struct packed {
    logic                  clear;
    logic [10:0]           output_limit;
    // classes of the output queues: what a beat counts, less 1; and which are strict
    logic [OutputQueues-1:0][3:0] class_costs;
    logic [OutputQueues-1:0] class_strict;
    logic [NumFaults-1:0]  fault;
  } tm_settings_t;

  // What changes under traffic stands at the end: synth/timing/sta.tcl knows it by that.
  typedef struct packed {
    order_settings_t order;
    move_settings_t  moves;
    stage_settings_t stage;
    exit_settings_t  exit;
    tm_settings_t    tm;
    lane_settings_t  lane;
  } settings_t;

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
    probe_order_t [NumPipes-1:0]                 order;
    probe_state_t [BackStages-1:0][NumPipes-1:0] state;
    probe_exit_t  [NumPipes-1:0]                 exit;
    probe_egress_t [NumPipes-1:0]                egress;
    mark_event_t                                 mark;
    cut_event_t                                  cut;
    probe_flip_t                                 flip;
    logic [StateStages-1:0][NumPipes-1:0][15:0]  depth;   // phantoms in each order queue
    // of packets whose `lane` is done in this cycle, by their row
    logic [NumModules-1:0]                       bank;
  } probe_t;

endpackage : sluice_pkg
/* verilator lint_on UNUSEDPARAM */
