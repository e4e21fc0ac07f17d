// SPDX-License-Identifier: Apache-2.0
// Printed by `make layout` from sw/configs.def: edit that file, not this one.

/// Configuration tiny: K = 2, two back stages, narrow PHV: builds in seconds, for everyday tests.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_cfg_pkg;
  localparam int unsigned NumPipes     =     2;  // 1..16: pipelines, and lanes
  // 1..64: ports: NumPipes or more, or a half or a quarter of it
  localparam int unsigned NumPorts     =     4;
  localparam int unsigned FrontStages  =     1;  // 0..8: stateless stages before the order point
  localparam int unsigned BackStages   =     2;  // 1..20: stages after the order point
  // 1..20: back stages that hold state, counted from the first; at most BackStages
  localparam int unsigned StateStages  =     2;
  localparam int unsigned BankDepth    =     8;  // 2..64: slots of a payload bank
  localparam int unsigned PhantomDepth =    16;  // 4..256: entries of a phantom FIFO
  // 16..65536: state entries of a back stage, one or two words of 32 bits each (Arithmetic), all
  // pipelines together
  localparam int unsigned StateEntries =   256;
  localparam int unsigned NumModules   =    32;  // 2..32: overlay rows: modules at a time
  // 1..1024: rows of the match and action tables of a stage
  localparam int unsigned MatchEntries =     8;
  // 0..1024: entries of the ternary engine that every stage has; 0: no stage has one
  localparam int unsigned TernaryEntries =     0;
  // 0..65536: entries of the cuckoo engine that every stage has, in four ways; 0: no stage has one,
  // else at least 16
  localparam int unsigned CuckooEntries =     0;
  // 0..65536: rows of ACTION and STATE_INSTR behind those of the match rows, which ternary and
  // cuckoo entries and default actions name; with some, entries also bring data and count
  localparam int unsigned ExtraActions =     0;
  // 1..2: configuration banks: 2: a module can be changed while its packets are forwarded
  localparam int unsigned Banks        =     1;
  // 0..1: 1: control accesses state while packets go on, at a place in their order (docs/marks.md);
  // 0: only while the module's indices are at home
  localparam int unsigned Marks        =     0;
  // 0..16384: program ids of capsules: packets with a program, an instruction a back stage
  // (docs/machine.md, Capsules); 0: there are none, else at least 16
  localparam int unsigned ActiveIds    =     0;
  // 0..16: words of 32 bits of the array that a packet carries, and of the row beside each state
  // entry: 0: none, 8 or 16 (docs/machine.md, Arrays)
  localparam int unsigned ArrayWords   =     0;
  // 0..65536: entries of the array match, which looks up all words of an array at once; 0: there is
  // none
  localparam int unsigned ArrayEntries =     0;
  // 0..1: 1: packets can go through the chip again, through a port of their lane (docs/machine.md,
  // Recirculation)
  localparam int unsigned Recirculation =     0;
  // 0..4: stateful stages between the queues of an output lane and its ports: 0: none
  // (docs/machine.md, Egress)
  localparam int unsigned EgressStages =     0;
  // 0..1: 1: packets of sorted lanes can be merged by a number in them (docs/machine.md, Ordered
  // merge)
  localparam int unsigned OrderedMerge =     0;
  // 0..8: classes of the modules in the output queues (docs/tm.md); with some, modules also have
  // rates, and shares of the buffers; 0: none, else at least 2
  localparam int unsigned OutputClasses =     0;
  // 0..1: 1: a packet begins to leave its lane only when all of it waits before the pins: no gap
  // between its beats, as a MAC asks for (docs/ip.md); 0: a beat leaves as soon as it is there
  localparam int unsigned TransmitStore =     0;
  localparam int unsigned Num2B        =     4;  // 1..8: 2-byte containers of the PHV
  localparam int unsigned Num4B        =     6;  // 1..8: 4-byte containers of the PHV
  localparam int unsigned Num6B        =     2;  // 0..8: 6-byte containers of the PHV
  // 16..64: bytes of a beat of the ports, 16 or 64; 16: parser and deparser take a packet beat by
  // beat
  localparam int unsigned BeatBytes    =    64;
  // 1..10: actions of a parser or deparser entry, counted from the first
  localparam int unsigned ParseActions =    10;
  // 16..4096: packets in flight between order point and last stage, at most
  localparam int unsigned Window       =   128;
  // 8..4096: packets of a lane waiting for the order point, at most
  localparam int unsigned LaneDepth    =    32;
  // 8..1024: packets waiting in an output lane, per source lane
  localparam int unsigned OutputDepth  =    32;
  // 0..128: indices of a back stage that can live away from home at a time; 0: no index moves; else
  // at least 4
  localparam int unsigned Relocations  =     8;
  // 0..3: what a stage computes, all lower numbers with it: 0: sums, state entries of a word with a
  // predicate; 1: shifts; 2: entries of two words with four predicates (Banzai's Pairs); 3:
  // products, wide comparisons
  localparam int unsigned Arithmetic   =     2;
  localparam int unsigned TestFaults   =     0;  // 0..1: 1: the FAULT register works (test builds)

  // What follows from the parameters.
  // how many lanes make one port, 2 or 4; 0: each lane has a port or more
  localparam int unsigned FastLanes    =
      NumPorts < 1 || NumPorts >= NumPipes ? 0 : NumPipes / NumPorts;
  // 1: at the pins a packet has a beat in every cycle from its first to its last: with
  // TransmitStore 1, and with fast ports, which also keep a packet until it is whole
  localparam int unsigned NoGaps       = TransmitStore == 1 || FastLanes != 0 ? 1 : 0;
  // stages of all kinds
  localparam int unsigned AllStages    = FrontStages + BackStages + EgressStages;
  // stages with a ternary engine: bit s is stage s, back stages first
  localparam int unsigned TernaryStages = TernaryEntries == 0 ? 0 : (1 << AllStages) - 1;
  // stages with a cuckoo engine
  localparam int unsigned CuckooStages = CuckooEntries == 0 ? 0 : (1 << AllStages) - 1;
  // cycles of the match engines, lookup to hit. A cuckoo engine takes 3: hash, memory and
  // comparison, choice. Each one above 1 makes a back stage and an egress stage a cycle longer
  localparam int unsigned MatchCycles  = CuckooEntries == 0 ? 1 : 3;
  // 1: a module may have a default action in a stage: what is done with its packets that match no
  // entry there
  localparam int unsigned DefaultActions = ExtraActions == 0 ? 0 : 1;
  // 1: an entry brings four words of data, which operands of its action can name
  localparam int unsigned ActionData   = ExtraActions == 0 ? 0 : 1;
  // 1: every match entry counts its packets and bytes (docs/machine.md, Match engines)
  localparam int unsigned EntryCounters = ExtraActions == 0 ? 0 : 1;
  // back stages whose state can be read as it was at one ticket while packets go on, a bit each
  // (docs/marks.md, Cuts)
  localparam int unsigned CutStages    = Marks == 0 ? 0 : (1 << StateStages) - 1;
  // 1: a flip can be made to fail if state was accessed since a cut (docs/machine.md, Guarded
  // flips)
  localparam int unsigned FlipGuard    = Marks == 1 && Banks == 2 ? 1 : 0;
  localparam int unsigned Active       = ActiveIds == 0 ? 0 : 1;  // 1: packets may carry programs
  // back stages with a row of ArrayWords words beside each state entry, a bit each
  localparam int unsigned ArrayStages  = ArrayWords == 0 ? 0 : (1 << StateStages) - 1;
  // 1: a module has a rate in packets and one in bytes at each lane (docs/machine.md, Rate limits)
  localparam int unsigned RateLimits   = OutputClasses == 0 ? 0 : 1;
  // 1: of the slots and cells of a lane's packet buffer, and of its LaneDepth places, a module
  // holds at most as many as are free (docs/tm.md)
  localparam int unsigned BufferShares = OutputClasses == 0 ? 0 : 1;
  // first bytes of a packet, which parser and deparser see
  localparam int unsigned HeaderBytes  = BeatBytes == 16 ? 64 : 128;
  // 1: the deparser updates checksums; marks update theirs always
  localparam int unsigned Checksums    = BeatBytes == 16 ? 0 : 1;
  // 1: a hash unit a front stage and lane
  localparam int unsigned HashUnits    = BeatBytes == 16 ? 0 : 1;
  // 1: the state units make one sum a state word, after their predicates: a third of the area, half
  // the clock
  localparam int unsigned SharedSums   = BeatBytes == 16 ? 1 : 0;
  // packets stored in a lane's packet buffer, at most
  localparam int unsigned HeaderSlots  =
      BeatBytes == 16 ? 2 * LaneDepth : LaneDepth > 1024 ? 8192 : 8 * LaneDepth;
  // beats of BeatBytes that a lane's packet buffer holds for what is behind the headers. A packet
  // with more is dropped; with less than 4,096 bytes in all, output queues read nothing ahead
  localparam int unsigned BodyCells    = 4 * HeaderSlots;
  // indices of a back stage whose accesses are counted, for moves
  localparam int unsigned CountEntries =
      StateEntries > 4096 ? 512 : StateEntries < 128 ? 16 : StateEntries / 8;
  // 1: a state entry is two words, and four predicates compare; 0: one word and one predicate
  localparam int unsigned StatePairs   = Arithmetic >= 2 ? 1 : 0;
  localparam int unsigned Shifters     = Arithmetic >= 1 ? 1 : 0;  // 1: the ALUs shift
  // 1: every stage has a multiplier, in the time of the action: no stage gets longer
  localparam int unsigned Multipliers  = Arithmetic == 3 ? 1 : 0;
  // 1: every stage compares two whole values, beside the 8-bit comparator; the result is a bit of
  // the key of its own
  localparam int unsigned WideCompare  = Arithmetic == 3 ? 1 : 0;
endpackage : sluice_cfg_pkg
/* verilator lint_on UNUSEDPARAM */
