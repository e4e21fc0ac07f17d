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
  if (CuckooEntries + 1 < 1 || CuckooEntries > 65536 || (CuckooEntries & (CuckooEntries - 1)) != 0
      || (CuckooEntries != 0 && CuckooEntries < 16))
    $fatal(1, "sluice: CuckooEntries is %0d; it must be 0 or a power of two, 16 to 65536",
           CuckooEntries);
  if (ExtraActions + 1 < 1 || ExtraActions > 65536)
    $fatal(1, "sluice: ExtraActions is %0d; it must be 0 to 65536", ExtraActions);
  if (Banks + 1 < 2 || Banks > 2)
    $fatal(1, "sluice: Banks is %0d; it must be 1 to 2", Banks);
  if (Marks + 1 < 1 || Marks > 1)
    $fatal(1, "sluice: Marks is %0d; it must be 0 to 1", Marks);
  if (ActiveIds + 1 < 1 || ActiveIds > 16384 || (ActiveIds & (ActiveIds - 1)) != 0
      || (ActiveIds != 0 && ActiveIds < 16))
    $fatal(1, "sluice: ActiveIds is %0d; it must be 0 or a power of two, 16 to 16384",
           ActiveIds);
  if (ArrayWords + 1 < 1 || ArrayWords > 16 || (ArrayWords & (ArrayWords - 1)) != 0
      || (ArrayWords != 0 && ArrayWords < 8))
    $fatal(1, "sluice: ArrayWords is %0d; it must be 0 or a power of two, 8 to 16",
           ArrayWords);
  if (ArrayEntries + 1 < 1 || ArrayEntries > 65536 || (ArrayEntries & (ArrayEntries - 1)) != 0)
    $fatal(1, "sluice: ArrayEntries is %0d; it must be a power of two, 0 to 65536", ArrayEntries);
  if (Recirculation + 1 < 1 || Recirculation > 1)
    $fatal(1, "sluice: Recirculation is %0d; it must be 0 to 1", Recirculation);
  if (EgressStages + 1 < 1 || EgressStages > 4)
    $fatal(1, "sluice: EgressStages is %0d; it must be 0 to 4", EgressStages);
  if (OrderedMerge + 1 < 1 || OrderedMerge > 1)
    $fatal(1, "sluice: OrderedMerge is %0d; it must be 0 to 1", OrderedMerge);
  if (OutputClasses + 1 < 1 || OutputClasses > 8 || (OutputClasses & (OutputClasses - 1)) != 0
      || (OutputClasses != 0 && OutputClasses < 2))
    $fatal(1, "sluice: OutputClasses is %0d; it must be 0 or a power of two, 2 to 8",
           OutputClasses);
  if (TransmitStore + 1 < 1 || TransmitStore > 1)
    $fatal(1, "sluice: TransmitStore is %0d; it must be 0 to 1", TransmitStore);
  if (Num2B + 1 < 2 || Num2B > 8)
    $fatal(1, "sluice: Num2B is %0d; it must be 1 to 8", Num2B);
  if (Num4B + 1 < 2 || Num4B > 8)
    $fatal(1, "sluice: Num4B is %0d; it must be 1 to 8", Num4B);
  if (Num6B + 1 < 1 || Num6B > 8)
    $fatal(1, "sluice: Num6B is %0d; it must be 0 to 8", Num6B);
  if (BeatBytes + 1 < 17 || BeatBytes > 64 || (BeatBytes & (BeatBytes - 1)) != 0)
    $fatal(1, "sluice: BeatBytes is %0d; it must be a power of two, 16 to 64", BeatBytes);
  if (ParseActions + 1 < 2 || ParseActions > 10)
    $fatal(1, "sluice: ParseActions is %0d; it must be 1 to 10", ParseActions);
  if (Window + 1 < 17 || Window > 4096 || (Window & (Window - 1)) != 0)
    $fatal(1, "sluice: Window is %0d; it must be a power of two, 16 to 4096", Window);
  if (LaneDepth + 1 < 9 || LaneDepth > 4096 || (LaneDepth & (LaneDepth - 1)) != 0)
    $fatal(1, "sluice: LaneDepth is %0d; it must be a power of two, 8 to 4096", LaneDepth);
  if (OutputDepth + 1 < 9 || OutputDepth > 1024 || (OutputDepth & (OutputDepth - 1)) != 0)
    $fatal(1, "sluice: OutputDepth is %0d; it must be a power of two, 8 to 1024", OutputDepth);
  if (Relocations + 1 < 1 || Relocations > 128 || (Relocations & (Relocations - 1)) != 0
      || (Relocations != 0 && Relocations < 4))
    $fatal(1, "sluice: Relocations is %0d; it must be 0 or a power of two, 4 to 128",
           Relocations);
  if (Arithmetic + 1 < 1 || Arithmetic > 3)
    $fatal(1, "sluice: Arithmetic is %0d; it must be 0 to 3", Arithmetic);
  if (TestFaults + 1 < 1 || TestFaults > 1)
    $fatal(1, "sluice: TestFaults is %0d; it must be 0 to 1", TestFaults);
  if (!(NumPorts >= NumPipes || 2 * NumPorts == NumPipes || 4 * NumPorts == NumPipes))
    $fatal(1, "sluice: NumPorts must be at least NumPipes, or a half or a quarter of it");
  if (!(BeatBytes == 64 || (BeatBytes == 16 &&
        ActiveIds + ArrayWords + FastLanes + EgressStages + OutputClasses == 0)))
    $fatal(1, "sluice: %s%s",
           "BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, ",
           "EgressStages and OutputClasses 0");
  if (!(StateStages <= BackStages))
    $fatal(1, "sluice: StateStages must be at most BackStages");
  if (!(StateEntries >= (EgressStages == 0 ? 4 : 16) * NumPipes))
    $fatal(1, "sluice: StateEntries must be at least 4 for each pipeline, with EgressStages 16");
  if (!(ArrayEntries == 0 || (ArrayWords != 0 && ArrayEntries >= 16 * ArrayWords)))
    $fatal(1, "sluice: ArrayEntries needs ArrayWords, and 16 entries at least for each of them");
  if (!(TernaryEntries + CuckooEntries + ExtraActions == 0 ||
        ((MatchEntries + ExtraActions) & (MatchEntries + ExtraActions - 1)) == 0))
    $fatal(1, "sluice: %s%s",
           "MatchEntries + ExtraActions must be a power of two if there are such rows or other ",
           "engines");
  if (!(NumPorts + Recirculation <= 64 && AllStages <= 24))
    $fatal(1, "sluice: Recirculation needs less than 64 ports, and a chip has at most 24 stages");
  if (!(FastLanes == 0 || (Banks == 1 &&
        ActiveIds + Recirculation + EgressStages + OutputClasses + OrderedMerge == 0)))
    $fatal(1, "sluice: %s%s",
           "fewer ports than lanes need Banks 1, and ActiveIds, Recirculation, EgressStages, ",
           "OutputClasses and OrderedMerge 0");
  if (!(OrderedMerge == 0 || (NumPipes > 1 && Banks == 1 && Recirculation == 0)))
    $fatal(1, "sluice: OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0");
  if (!(TransmitStore == 0 || FastLanes == 0))
    $fatal(1, "sluice: TransmitStore needs a port a lane at least");
`endif
endmodule : sluice_cfg_check
