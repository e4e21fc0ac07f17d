// SPDX-License-Identifier: Apache-2.0

/// What a packet is inside: its header vector with containers and metadata, and what travels beside
/// them (a capsule, an array, what recirculates, what its copies carry to the egress stages). And
/// what a lane says of a packet: arrived, or dropped.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_phv_pkg;

  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;

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
  // The lane: it takes the beat; a packet of the bus gave way to a recirculated one.
  typedef struct packed {
    logic take;
    logic gave_way;
  } reentry_rsp_t;

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

  // Behind the back stages, by lane, as sluice_inside counts: a packet has its fate; it leaves its
  // bank; so many copies of it go to the egress stages; of a copy there all tables have been read.
  typedef struct packed {
    logic         [NumPipes-1:0] fated;
    bank_event_t  [NumPipes-1:0] leave;
    bank_copies_t [NumPipes-1:0] copies;
    bank_event_t  [NumPipes-1:0] past;
  } gone_t;

endpackage : sluice_phv_pkg
/* verilator lint_on UNUSEDPARAM */
