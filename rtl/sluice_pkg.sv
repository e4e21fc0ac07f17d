// SPDX-License-Identifier: Apache-2.0

/// Widths, numbers and ports, derived from the configuration (sluice_cfg_pkg) and the layouts
/// (sluice_layout_pkg): what every room shares. Types of packets stand in sluice_phv_pkg, those
/// that cross the borders of one part of the chip in the package of that part (sluice_order_pkg,
/// sluice_exit_pkg, sluice_ctrl_pkg), what the test harness watches in sluice_probe_pkg.

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
  // A beat that comes to a lane.
  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic                 err;         // TUSER: the port found the packet bad
    logic [7:0]           port;        // TDEST
    logic [BeatBytes-1:0] keep;
    logic [BeatBits-1:0]  data;
  } rx_beat_t;
  // A beat that leaves an output lane; its `ready` is a signal of its own, the other way.
  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic [7:0]           port;        // TDEST
    logic [31:0]          ticket;      // TUSER: place in the order
    logic [BeatBytes-1:0] keep;
    logic [BeatBits-1:0]  data;
  } tx_beat_t;
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

endpackage : sluice_pkg
/* verilator lint_on UNUSEDPARAM */
