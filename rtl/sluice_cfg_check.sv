// SPDX-License-Identifier: Apache-2.0
// Printed by `make layout` from sw/configs.def: edit that file, not this one.

/// Stops elaboration, with a sentence, when the shape is not legal. What the parameters mean:
/// docs/shapes.md. SLUICE_ANY_SHAPE leaves the checks out, to measure shapes beyond the legal ones
/// (make synth-isolation).
module sluice_cfg_check
  import sluice_cfg_pkg::*;
();
`ifndef SLUICE_ANY_SHAPE
  if (NumPipes + 1 < 2 || NumPipes > 16 || (NumPipes & (NumPipes - 1)) != 0)
    $fatal(1, "sluice: NumPipes is %0d; it must be a power of two, 1 to 16", NumPipes);
  if (NumPorts + 1 < 2 || NumPorts > 64)
    $fatal(1, "sluice: NumPorts is %0d; it must be 1 to 64", NumPorts);
  if (FrontStages + 1 < 1 || FrontStages > 8)
    $fatal(1, "sluice: FrontStages is %0d; it must be 0 to 8", FrontStages);
  if (BackStages + 1 < 2 || BackStages > 20)
    $fatal(1, "sluice: BackStages is %0d; it must be 1 to 20", BackStages);
  if (StateStages + 1 < 2 || StateStages > 20)
    $fatal(1, "sluice: StateStages is %0d; it must be 1 to 20", StateStages);
  if (BankDepth + 1 < 3 || BankDepth > 64 || (BankDepth & (BankDepth - 1)) != 0)
    $fatal(1, "sluice: BankDepth is %0d; it must be a power of two, 2 to 64", BankDepth);
  if (PhantomDepth + 1 < 5 || PhantomDepth > 256 || (PhantomDepth & (PhantomDepth - 1)) != 0)
    $fatal(1, "sluice: PhantomDepth is %0d; it must be a power of two, 4 to 256", PhantomDepth);
  if (StateEntries + 1 < 17 || StateEntries > 65536 || (StateEntries & (StateEntries - 1)) != 0)
    $fatal(1, "sluice: StateEntries is %0d; it must be a power of two, 16 to 65536", StateEntries);
  if (NumModules + 1 < 3 || NumModules > 32 || (NumModules & (NumModules - 1)) != 0)
    $fatal(1, "sluice: NumModules is %0d; it must be a power of two, 2 to 32", NumModules);
  if (MatchEntries + 1 < 2 || MatchEntries > 1024)
    $fatal(1, "sluice: MatchEntries is %0d; it must be 1 to 1024", MatchEntries);
  if (TernaryEntries + 1 < 1 || TernaryEntries > 1024)
    $fatal(1, "sluice: TernaryEntries is %0d; it must be 0 to 1024", TernaryEntries);
  if (TernaryStages + 1 < 1 || TernaryStages > 16777215)
    $fatal(1, "sluice: TernaryStages is %0d; it must be 0 to 16777215", TernaryStages);
  if (CuckooEntries + 1 < 1 || CuckooEntries > 65536 || (CuckooEntries & (CuckooEntries - 1)) != 0
      || (CuckooEntries != 0 && CuckooEntries < 16))
    $fatal(1, "sluice: CuckooEntries is %0d; it must be 0 or a power of two, 16 to 65536",
           CuckooEntries);
  if (CuckooStages + 1 < 1 || CuckooStages > 16777215)
    $fatal(1, "sluice: CuckooStages is %0d; it must be 0 to 16777215", CuckooStages);
  if (ExtraActions + 1 < 1 || ExtraActions > 65536)
    $fatal(1, "sluice: ExtraActions is %0d; it must be 0 to 65536", ExtraActions);
  if (DefaultActions + 1 < 1 || DefaultActions > 1)
    $fatal(1, "sluice: DefaultActions is %0d; it must be 0 to 1", DefaultActions);
  if (ActionData + 1 < 1 || ActionData > 1)
    $fatal(1, "sluice: ActionData is %0d; it must be 0 to 1", ActionData);
  if (Banks + 1 < 2 || Banks > 2)
    $fatal(1, "sluice: Banks is %0d; it must be 1 to 2", Banks);
  if (Marks + 1 < 1 || Marks > 1)
    $fatal(1, "sluice: Marks is %0d; it must be 0 to 1", Marks);
  if (CutStages + 1 < 1 || CutStages > 1048575)
    $fatal(1, "sluice: CutStages is %0d; it must be 0 to 1048575", CutStages);
  if (Active + 1 < 1 || Active > 1)
    $fatal(1, "sluice: Active is %0d; it must be 0 to 1", Active);
  if (ActiveIds + 1 < 1 || ActiveIds > 16384 || (ActiveIds & (ActiveIds - 1)) != 0
      || (ActiveIds != 0 && ActiveIds < 16))
    $fatal(1, "sluice: ActiveIds is %0d; it must be 0 or a power of two, 16 to 16384",
           ActiveIds);
  if (ArrayWords + 1 < 1 || ArrayWords > 16 || (ArrayWords & (ArrayWords - 1)) != 0
      || (ArrayWords != 0 && ArrayWords < 8))
    $fatal(1, "sluice: ArrayWords is %0d; it must be 0 or a power of two, 8 to 16",
           ArrayWords);
  if (ArrayStages + 1 < 1 || ArrayStages > 1048575)
    $fatal(1, "sluice: ArrayStages is %0d; it must be 0 to 1048575", ArrayStages);
  if (ArrayEntries + 1 < 1 || ArrayEntries > 65536 || (ArrayEntries & (ArrayEntries - 1)) != 0)
    $fatal(1, "sluice: ArrayEntries is %0d; it must be a power of two, 0 to 65536", ArrayEntries);
  if (Recirculation + 1 < 1 || Recirculation > 1)
    $fatal(1, "sluice: Recirculation is %0d; it must be 0 to 1", Recirculation);
  if (EgressStages + 1 < 1 || EgressStages > 4)
    $fatal(1, "sluice: EgressStages is %0d; it must be 0 to 4", EgressStages);
  if (EntryCounters + 1 < 1 || EntryCounters > 1)
    $fatal(1, "sluice: EntryCounters is %0d; it must be 0 to 1", EntryCounters);
  if (RateLimits + 1 < 1 || RateLimits > 1)
    $fatal(1, "sluice: RateLimits is %0d; it must be 0 to 1", RateLimits);
  if (FlipGuard + 1 < 1 || FlipGuard > 1)
    $fatal(1, "sluice: FlipGuard is %0d; it must be 0 to 1", FlipGuard);
  if (FastLanes + 1 < 1 || FastLanes > 4 || (FastLanes & (FastLanes - 1)) != 0
      || (FastLanes != 0 && FastLanes < 2))
    $fatal(1, "sluice: FastLanes is %0d; it must be 0 or a power of two, 2 to 4",
           FastLanes);
  if (OrderedMerge + 1 < 1 || OrderedMerge > 1)
    $fatal(1, "sluice: OrderedMerge is %0d; it must be 0 to 1", OrderedMerge);
  if (OutputClasses + 1 < 1 || OutputClasses > 8 || (OutputClasses & (OutputClasses - 1)) != 0
      || (OutputClasses != 0 && OutputClasses < 2))
    $fatal(1, "sluice: OutputClasses is %0d; it must be 0 or a power of two, 2 to 8",
           OutputClasses);
  if (BufferShares + 1 < 1 || BufferShares > 1)
    $fatal(1, "sluice: BufferShares is %0d; it must be 0 to 1", BufferShares);
  if (HeaderPool + 1 < 1 || HeaderPool > 4096 || (HeaderPool & (HeaderPool - 1)) != 0
      || (HeaderPool != 0 && HeaderPool < 16))
    $fatal(1, "sluice: HeaderPool is %0d; it must be 0 or a power of two, 16 to 4096",
           HeaderPool);
  if (Num2B + 1 < 2 || Num2B > 8)
    $fatal(1, "sluice: Num2B is %0d; it must be 1 to 8", Num2B);
  if (Num4B + 1 < 2 || Num4B > 8)
    $fatal(1, "sluice: Num4B is %0d; it must be 1 to 8", Num4B);
  if (Num6B + 1 < 1 || Num6B > 8)
    $fatal(1, "sluice: Num6B is %0d; it must be 0 to 8", Num6B);
  if (BeatBytes + 1 < 17 || BeatBytes > 64 || (BeatBytes & (BeatBytes - 1)) != 0)
    $fatal(1, "sluice: BeatBytes is %0d; it must be a power of two, 16 to 64", BeatBytes);
  if (HeaderBytes + 1 < 65 || HeaderBytes > 128 || (HeaderBytes & (HeaderBytes - 1)) != 0)
    $fatal(1, "sluice: HeaderBytes is %0d; it must be a power of two, 64 to 128", HeaderBytes);
  if (ParseActions + 1 < 2 || ParseActions > 10)
    $fatal(1, "sluice: ParseActions is %0d; it must be 1 to 10", ParseActions);
  if (Window + 1 < 17 || Window > 4096 || (Window & (Window - 1)) != 0)
    $fatal(1, "sluice: Window is %0d; it must be a power of two, 16 to 4096", Window);
  if (LaneDepth + 1 < 9 || LaneDepth > 4096 || (LaneDepth & (LaneDepth - 1)) != 0)
    $fatal(1, "sluice: LaneDepth is %0d; it must be a power of two, 8 to 4096", LaneDepth);
  if (HeaderSlots + 1 < 17 || HeaderSlots > 8192 || (HeaderSlots & (HeaderSlots - 1)) != 0)
    $fatal(1, "sluice: HeaderSlots is %0d; it must be a power of two, 16 to 8192", HeaderSlots);
  if (BodyCells + 1 < 17 || BodyCells > 65536 || (BodyCells & (BodyCells - 1)) != 0)
    $fatal(1, "sluice: BodyCells is %0d; it must be a power of two, 16 to 65536", BodyCells);
  if (OutputDepth + 1 < 9 || OutputDepth > 1024 || (OutputDepth & (OutputDepth - 1)) != 0)
    $fatal(1, "sluice: OutputDepth is %0d; it must be a power of two, 8 to 1024", OutputDepth);
  if (Relocations + 1 < 1 || Relocations > 128 || (Relocations & (Relocations - 1)) != 0
      || (Relocations != 0 && Relocations < 4))
    $fatal(1, "sluice: Relocations is %0d; it must be 0 or a power of two, 4 to 128",
           Relocations);
  if (CountEntries + 1 < 17 || CountEntries > 4096 || (CountEntries & (CountEntries - 1)) != 0)
    $fatal(1, "sluice: CountEntries is %0d; it must be a power of two, 16 to 4096", CountEntries);
  if (SharedSums + 1 < 1 || SharedSums > 1)
    $fatal(1, "sluice: SharedSums is %0d; it must be 0 to 1", SharedSums);
  if (StatePairs + 1 < 1 || StatePairs > 1)
    $fatal(1, "sluice: StatePairs is %0d; it must be 0 to 1", StatePairs);
  if (Checksums + 1 < 1 || Checksums > 1)
    $fatal(1, "sluice: Checksums is %0d; it must be 0 to 1", Checksums);
  if (HashUnits + 1 < 1 || HashUnits > 1)
    $fatal(1, "sluice: HashUnits is %0d; it must be 0 to 1", HashUnits);
  if (Shifters + 1 < 1 || Shifters > 1)
    $fatal(1, "sluice: Shifters is %0d; it must be 0 to 1", Shifters);
  if (Multipliers + 1 < 1 || Multipliers > 1)
    $fatal(1, "sluice: Multipliers is %0d; it must be 0 to 1", Multipliers);
  if (WideCompare + 1 < 1 || WideCompare > 1)
    $fatal(1, "sluice: WideCompare is %0d; it must be 0 to 1", WideCompare);
  if (TestFaults + 1 < 1 || TestFaults > 1)
    $fatal(1, "sluice: TestFaults is %0d; it must be 0 to 1", TestFaults);
  if (MatchCycles + 1 < 2 || MatchCycles > 4)
    $fatal(1, "sluice: MatchCycles is %0d; it must be 1 to 4", MatchCycles);
  if (!(FastLanes == 0 ? NumPorts % NumPipes == 0 : FastLanes * NumPorts == NumPipes))
    $fatal(1, "sluice: %s",
           "NumPorts must be a multiple of NumPipes, with FastLanes NumPipes / FastLanes");
  if (!(BeatBytes == 64 || (BeatBytes == 16 && HeaderBytes == 64 &&
        Checksums + FastLanes + EgressStages + OutputClasses + HeaderPool == 0)))
    $fatal(1, "sluice: %s%s",
           "BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, ",
           "EgressStages, OutputClasses and HeaderPool 0");
  if (!(HeaderBytes == 128 || Active + ArrayWords == 0))
    $fatal(1, "sluice: Active and ArrayWords need HeaderBytes 128");
  if (!(StateStages <= BackStages && CutStages >> StateStages == 0 &&
        ArrayStages >> StateStages == 0 &&
        TernaryStages >> (FrontStages + BackStages + EgressStages) == 0 &&
        CuckooStages >> (FrontStages + BackStages + EgressStages) == 0))
    $fatal(1, "sluice: %s%s",
           "StateStages, CutStages, ArrayStages, TernaryStages and CuckooStages must name ",
           "stages that the chip has, CutStages and ArrayStages those with state");
  if (!((TernaryEntries == 0) == (TernaryStages == 0) &&
        (CuckooEntries == 0) == (CuckooStages == 0) && (ArrayWords == 0) == (ArrayStages == 0) &&
        (ActiveIds == 0) == (Active == 0)))
    $fatal(1, "sluice: %s%s",
           "TernaryEntries and TernaryStages, CuckooEntries and CuckooStages, ArrayWords and ",
           "ArrayStages, ActiveIds and Active are both 0, or both not");
  if (!(StateEntries >= (EgressStages == 0 ? 4 : 16) * NumPipes))
    $fatal(1, "sluice: StateEntries must be at least 4 for each pipeline, with EgressStages 16");
  if (!(HeaderSlots >= 2 * LaneDepth))
    $fatal(1, "sluice: HeaderSlots must be at least twice LaneDepth");
  if (!((FlipGuard == 0 || (CutStages != 0 && Banks == 2)) && (CutStages == 0 || Marks == 1)))
    $fatal(1, "sluice: FlipGuard needs CutStages and Banks 2, CutStages needs Marks 1");
  if (!(ArrayEntries == 0 || (ArrayWords != 0 && ArrayEntries >= 16 * ArrayWords)))
    $fatal(1, "sluice: ArrayEntries needs ArrayWords, and 16 entries at least for each of them");
  if (!(CuckooEntries == 0 || MatchCycles == 4))
    $fatal(1, "sluice: CuckooEntries needs MatchCycles 4");
  if (!(TernaryEntries + CuckooEntries + DefaultActions == 0 ||
        ((MatchEntries + ExtraActions) & (MatchEntries + ExtraActions - 1)) == 0))
    $fatal(1, "sluice: MatchEntries + ExtraActions must be a power of two beside other engines");
  if (!(NumPorts + Recirculation <= 64 && (EgressStages == 0 ||
        FrontStages + BackStages + EgressStages <= 24)))
    $fatal(1, "sluice: %s%s",
           "Recirculation needs less than 64 ports, and with EgressStages a chip has at most 24 ",
           "stages");
  if (!(HeaderPool == 0 || OutputClasses == 0))
    $fatal(1, "sluice: HeaderPool needs OutputClasses 0");
  if (!(FastLanes == 0 || (Banks == 1 &&
        Active + Recirculation + EgressStages + OutputClasses + OrderedMerge == 0)))
    $fatal(1, "sluice: %s%s",
           "FastLanes needs Banks 1, and Active, Recirculation, EgressStages, OutputClasses and ",
           "OrderedMerge 0");
  if (!(OrderedMerge == 0 || (NumPipes > 1 && Banks == 1 && Recirculation == 0)))
    $fatal(1, "sluice: OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0");
`endif
endmodule : sluice_cfg_check
