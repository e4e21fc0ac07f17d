// SPDX-License-Identifier: Apache-2.0

/// Configuration of the proofs: as small as the modules under proof allow, so that the solver sees
/// every case. Two pipelines, two modules, eight slots of state, a narrow PHV. (NumModules is 32 in
/// every chip; the modules proven here only need a power of two.) With OTHER: the second shape, in
/// which most of them are proved again (task `other`). With MATCH3: a match engine of three cycles instead of
/// one (task `match3`).
package sluice_cfg_pkg;
`ifdef OTHER
  localparam int unsigned NumPipes     =   2;
  localparam int unsigned NumPorts     =   4;
  localparam int unsigned BankDepth    =   4;
  localparam int unsigned PhantomDepth =   8;
  localparam int unsigned StateEntries =  32;
  localparam int unsigned NumModules   =   4;
  localparam int unsigned MatchEntries =   4;
  localparam int unsigned Window       =  16;
  localparam int unsigned HeaderSlots  =  32;
  localparam int unsigned Relocations  =   8;
`else
  localparam int unsigned NumPipes     =   2;
  localparam int unsigned NumPorts     =   2;
  localparam int unsigned BankDepth    =   2;
  localparam int unsigned PhantomDepth =   4;
  localparam int unsigned StateEntries =  16;
  localparam int unsigned NumModules   =   2;
  localparam int unsigned MatchEntries =   2;
  localparam int unsigned Window       =   8;
  localparam int unsigned HeaderSlots  =  16;
  localparam int unsigned Relocations  =   4;
`endif
  localparam int unsigned FrontStages  =   1;
`ifdef BOUNDARY
  localparam int unsigned BackStages   =   2;
`else
  localparam int unsigned BackStages   =   1;
`endif
  localparam int unsigned StateStages  =   1;
  localparam int unsigned Num2B        =   1;
  localparam int unsigned Num4B        =   1;
  localparam int unsigned Num6B        =   1;
  localparam int unsigned BeatBytes    =  64;
  localparam int unsigned HeaderBytes  = 128;
  localparam int unsigned ParseActions =  10;
`ifdef ADMISSION
  localparam int unsigned LaneDepth    =   2;
`else
  localparam int unsigned LaneDepth    =   8;
`endif
  localparam int unsigned BodyCells    =  16;
  localparam int unsigned OutputDepth  =   8;
  localparam int unsigned CountEntries =  16;
  localparam int unsigned SharedSums   =   0;
  localparam int unsigned StatePairs   =   1;
  localparam int unsigned Checksums    =   1;
  localparam int unsigned Shifters     =   1;
  localparam int unsigned HashUnits    =   1;
  localparam int unsigned Multipliers  =   0;
`ifdef BANK_BIT
  localparam int unsigned WideCompare  =   1;
`else
  localparam int unsigned WideCompare  =   0;
`endif
  localparam int unsigned TernaryEntries =   0;
  localparam int unsigned TernaryStages =   0;
`ifdef CUCKOO
  localparam int unsigned CuckooEntries =  16;
  localparam int unsigned CuckooStages =   1;
  localparam int unsigned ExtraActions =   2;
`else
  localparam int unsigned CuckooEntries =   0;
  localparam int unsigned CuckooStages =   0;
  localparam int unsigned ExtraActions =   0;
`endif
`ifdef BANK_BIT
  localparam int unsigned DefaultActions =   1;
`else
  localparam int unsigned DefaultActions =   0;
`endif
  localparam int unsigned ActionData   =   0;
  localparam int unsigned TestFaults   =   1;
`ifdef CUCKOO
  localparam int unsigned MatchCycles  =   3;
`elsif MATCH3
  localparam int unsigned MatchCycles  =   3;
`else
  localparam int unsigned MatchCycles  =   1;
`endif
`ifdef BANKS
  localparam int unsigned Banks        =   2;
`else
  localparam int unsigned Banks        =   1;
`endif
  localparam int unsigned Marks        =   0;
  localparam int unsigned CutStages    =   0;
  localparam int unsigned Active       =   0;
  localparam int unsigned ActiveIds    =   0;
`ifdef ARRAY
  localparam int unsigned ArrayWords   =   2;
  localparam int unsigned ArrayStages  =   1;
  localparam int unsigned ArrayEntries =  32;
`else
  localparam int unsigned ArrayWords   =   0;
  localparam int unsigned ArrayStages  =   0;
  localparam int unsigned ArrayEntries =   0;
`endif
  localparam int unsigned EgressStages =   0;
`ifdef CUCKOO
  localparam int unsigned EntryCounters =  1;
`else
  localparam int unsigned EntryCounters =  0;
`endif
  localparam int unsigned RateLimits   =   0;
  localparam int unsigned FlipGuard    =   0;
  localparam int unsigned OutputClasses =  0;
`ifdef SHARES
  localparam int unsigned BufferShares =   1;
`else
  localparam int unsigned BufferShares =   0;
`endif
  localparam int unsigned Recirculation =  0;
  localparam int unsigned FastLanes    =   0;
  localparam int unsigned OrderedMerge =   0;
  localparam int unsigned TransmitStore =  0;
  localparam int unsigned NoGaps       =   0;
endpackage : sluice_cfg_pkg
