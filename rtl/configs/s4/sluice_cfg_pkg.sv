// SPDX-License-Identifier: Apache-2.0
// Printed by `make layout` from sw/configs.def: edit that file, not this one.

/// Configuration s4: the switch, and the default: four pipelines, 16 ports, three front, eight back
/// and two egress stages, everything on.
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_cfg_pkg;
  localparam int unsigned NumPipes     =     4;  // 1..16: pipelines, and lanes
  // 1..64: ports, a multiple of NumPipes; with FastLanes NumPipes / FastLanes
  localparam int unsigned NumPorts     =    16;
  localparam int unsigned FrontStages  =     3;  // 0..8: stateless stages before the order point
  localparam int unsigned BackStages   =     8;  // 1..20: stages after the order point
  // 1..20: back stages that hold state, counted from the first; at most BackStages
  localparam int unsigned StateStages  =     8;
  localparam int unsigned BankDepth    =    16;  // 2..64: slots of a payload bank
  localparam int unsigned PhantomDepth =    64;  // 4..256: entries of a phantom FIFO
  // 16..65536: state entries (pairs of 32-bit words) of a back stage, all pipelines together
  localparam int unsigned StateEntries =  8192;
  localparam int unsigned NumModules   =    32;  // 2..32: overlay rows: modules at a time
  // 1..1024: rows of the match and action tables of a stage
  localparam int unsigned MatchEntries =    16;
  // 0..1024: entries of the ternary engine of a stage that has one; 0: no stage has
  localparam int unsigned TernaryEntries =    64;
  // 0..16777215: stages with a ternary engine: bit s is stage s, back stages first
  localparam int unsigned TernaryStages =  8191;
  // 0..65536: entries of the cuckoo engine of a stage that has one, in four ways; 0: no stage has,
  // else at least 16
  localparam int unsigned CuckooEntries =  4096;
  // 0..16777215: stages with a cuckoo engine: bit s is stage s, back stages first
  localparam int unsigned CuckooStages =  8191;
  // 0..65536: rows of ACTION and STATE_INSTR behind those of the match rows; ternary and cuckoo
  // entries and default actions name them
  localparam int unsigned ExtraActions =   240;
  // 0..1: 1: a module may have a default action in a stage: what is done with its packets that
  // match no entry there
  localparam int unsigned DefaultActions =     1;
  // 0..1: 1: an entry brings four words of data, which operands of its action can name
  localparam int unsigned ActionData   =     1;
  // 1..2: configuration banks: 2: a module can be changed while its packets are forwarded
  localparam int unsigned Banks        =     2;
  // 0..1: 1: control reads, writes and takes single state entries inside the order of packets
  // (docs/marks.md); 0: between packets, and only while the module's indices are at home
  localparam int unsigned Marks        =     1;
  // 0..1048575: bit s: the state of back stage s can be read as it was at one ticket while packets
  // go on (docs/marks.md, Cuts)
  localparam int unsigned CutStages    =   255;
  // 0..1: 1: packets may carry programs: ActiveRMT's capsules, an instruction a back stage
  // (docs/machine.md, Capsules)
  localparam int unsigned Active       =     1;
  // 0..16384: program ids of capsules, 0 without Active, else at least 16
  localparam int unsigned ActiveIds    =    64;
  // 0..16: words of 32 bits of the array that a packet carries: 0: none, 8 or 16 (docs/machine.md,
  // Arrays)
  localparam int unsigned ArrayWords   =     8;
  // 0..1048575: bit s: back stage s has a row of ArrayWords words beside each state entry; 0
  // without ArrayWords
  localparam int unsigned ArrayStages  =   255;
  // 0..65536: entries of the array match, which looks up all words of an array at once; 0: there is
  // none
  localparam int unsigned ArrayEntries =  1024;
  // 0..1: 1: packets can go through the chip again, through a port of their lane (docs/machine.md,
  // Recirculation)
  localparam int unsigned Recirculation =     1;
  // 0..4: stateful stages between the queues of an output lane and its ports: 0: none
  // (docs/machine.md, Egress)
  localparam int unsigned EgressStages =     2;
  // 0..1: 1: every match entry counts its packets and bytes (docs/machine.md, Match engines)
  localparam int unsigned EntryCounters =     1;
  // 0..1: 1: a module has a rate in packets and one in bytes at each lane (docs/machine.md, Rate
  // limits)
  localparam int unsigned RateLimits   =     1;
  // 0..1: 1: a flip can be made to fail if state was accessed since a cut (docs/machine.md, Guarded
  // flips)
  localparam int unsigned FlipGuard    =     1;
  // 0..4: lanes of a port: 0: a lane has one port or more; 2 or 4: a port is that many times as
  // fast as a lane (docs/machine.md, Fast ports)
  localparam int unsigned FastLanes    =     0;
  // 0..1: 1: packets of sorted lanes can be merged by a number in them (docs/machine.md, Ordered
  // merge)
  localparam int unsigned OrderedMerge =     0;
  // 0..8: classes of the modules in the output queues, 0: none, else at least 2: a queue for each
  // source lane, output lane and class (docs/tm.md)
  localparam int unsigned OutputClasses =     4;
  // 0..1: 1: of the slots and cells of a lane's packet buffer, and of the LaneDepth places in which
  // its packets wait for the order point, a module holds at most as many as are free (docs/tm.md)
  localparam int unsigned BufferShares =     1;
  // 0..4096: headers of packets in the pool of a lane, from which its output queues fetch them,
  // else at least 16; 0: each queue keeps whole headers (docs/tm.md)
  localparam int unsigned HeaderPool   =     0;
  localparam int unsigned Num2B        =     8;  // 1..8: 2-byte containers of the PHV
  localparam int unsigned Num4B        =     8;  // 1..8: 4-byte containers of the PHV
  localparam int unsigned Num6B        =     8;  // 0..8: 6-byte containers of the PHV
  // 16..64: bytes of a beat of the ports, 16 or 64; 16: parser and deparser take a packet beat by
  // beat, needs HeaderBytes 64 and Checksums 0
  localparam int unsigned BeatBytes    =    64;
  // 64..128: first bytes of a packet, which parser and deparser see
  localparam int unsigned HeaderBytes  =   128;
  // 1..10: actions of a parser or deparser entry, counted from the first
  localparam int unsigned ParseActions =    10;
  // 16..4096: packets in flight between order point and last stage, at most
  localparam int unsigned Window       =  1024;
  // 8..4096: packets of a lane waiting for the order point, at most
  localparam int unsigned LaneDepth    =   256;
  // 16..8192: packets stored in a lane's packet buffer, at most
  localparam int unsigned HeaderSlots  =  2048;
  // 16..65536: body cells of a lane's packet buffer, of a beat each
  localparam int unsigned BodyCells    =  8192;
  // 8..1024: packets waiting in an output lane, per source lane
  localparam int unsigned OutputDepth  =   128;
  // 0..128: indices of a back stage that can live away from home at a time; 0: no index moves; else
  // at least 4
  localparam int unsigned Relocations  =    64;
  // 16..4096: indices of a back stage whose accesses are counted
  localparam int unsigned CountEntries =   512;
  // 0..1: 1: the state units make one sum a state word, after their predicates: a third of the
  // area, half the clock
  localparam int unsigned SharedSums   =     0;
  // 0..1: 1: a state entry is two words, and four predicates compare (Banzai's Pairs atom); 0: one
  // word and one predicate (IfElseRAW)
  localparam int unsigned StatePairs   =     1;
  // 0..1: 0: the deparser updates no checksums, programs that ask for it are refused; marks update
  // theirs
  localparam int unsigned Checksums    =     1;
  // 0..1: 0: the front stages have no hash units, programs that hash are refused
  localparam int unsigned HashUnits    =     1;
  // 0..1: 0: the ALUs do not shift, programs that shift are refused
  localparam int unsigned Shifters     =     1;
  // 0..1: 1: every stage has a multiplier (table MULTIPLY); 0: none, programs that multiply two
  // values are refused
  localparam int unsigned Multipliers  =     1;
  // 0..1: 1: every stage compares two whole values, beside the 8-bit comparator (table
  // KEY_COMPARE); the result is a bit of the key of its own
  localparam int unsigned WideCompare  =     1;
  localparam int unsigned TestFaults   =     0;  // 0..1: 1: the FAULT register works (test builds)
  localparam int unsigned MatchCycles  =     4;  // 1..4: cycles of the match engine, lookup to hit
endpackage : sluice_cfg_pkg
/* verilator lint_on UNUSEDPARAM */
