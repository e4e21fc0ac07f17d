// SPDX-License-Identifier: Apache-2.0

/// Stops elaboration, with a sentence, when the configuration is not legal. The ranges are those of
/// sw/configs.def, where the meaning of each parameter stands.
module sluice_cfg_check
  import sluice_cfg_pkg::*;
();
  function automatic bit power_of_two(int unsigned n);
    return n != 0 && (n & (n - 1)) == 0;
  endfunction

  if (!power_of_two(NumPipes) || NumPipes > 16)
    $fatal(1, "sluice: NumPipes is %0d; it must be 1, 2, 4, 8 or 16", NumPipes);
  if (NumPorts < NumPipes || NumPorts > 64 || NumPorts % NumPipes != 0)
    $fatal(1, "sluice: NumPorts is %0d; it must be a multiple of NumPipes (%0d), at most 64", NumPorts, NumPipes);
  if (FrontStages > 8)
    $fatal(1, "sluice: FrontStages is %0d; it must be 0 to 8", FrontStages);
  if (BackStages < 1 || BackStages > 16)
    $fatal(1, "sluice: BackStages is %0d; it must be 1 to 16", BackStages);
  if (StateStages < 1 || StateStages > BackStages)
    $fatal(1, "sluice: StateStages is %0d; it must be 1 to BackStages (%0d)", StateStages, BackStages);
  if (!power_of_two(BankDepth) || BankDepth < 2 || BankDepth > 64)
    $fatal(1, "sluice: BankDepth is %0d; it must be a power of two, 2 to 64", BankDepth);
  if (!power_of_two(PhantomDepth) || PhantomDepth < 4 || PhantomDepth > 256)
    $fatal(1, "sluice: PhantomDepth is %0d; it must be a power of two, 4 to 256", PhantomDepth);
  if (!power_of_two(StateEntries) || StateEntries < 4 * NumPipes || StateEntries < 16 || StateEntries > 65536)
    $fatal(1, "sluice: StateEntries is %0d; it must be a power of two, 16 to 65536 and at least 4 for each pipeline", StateEntries);
`ifndef SLUICE_ONE_MODULE   // only to measure what 32 modules take beside one: make synth-isolation
  if (!power_of_two(NumModules) || NumModules < 2 || NumModules > 32)
    $fatal(1, "sluice: NumModules is %0d; it must be a power of two, 2 to 32", NumModules);
`endif
  if (MatchEntries < 1 || MatchEntries > 1024)
    $fatal(1, "sluice: MatchEntries is %0d; it must be 1 to 1024", MatchEntries);
  if (Num2B < 1 || Num2B > 8 || Num4B < 1 || Num4B > 8 || Num6B > 8)
    $fatal(1, "sluice: Num2B, Num4B, Num6B are %0d, %0d, %0d; they must be 1 to 8, 1 to 8, 0 to 8", Num2B, Num4B, Num6B);
  if (BeatBytes != 64 && BeatBytes != 16)
    $fatal(1, "sluice: BeatBytes is %0d; it must be 16 or 64", BeatBytes);
  if (BeatBytes == 16 && (HeaderBytes != 64 || Checksums != 0))
    $fatal(1, "sluice: BeatBytes is 16; that needs HeaderBytes = 64 (%0d) and Checksums = 0 (%0d)", HeaderBytes, Checksums);
  if (HeaderBytes != 64 && HeaderBytes != 128)
    $fatal(1, "sluice: HeaderBytes is %0d; it must be 64 or 128", HeaderBytes);
  if (ParseActions < 1 || ParseActions > 10)
    $fatal(1, "sluice: ParseActions is %0d; it must be 1 to 10", ParseActions);
  if (!power_of_two(Window) || Window < 16 || Window > 4096)
    $fatal(1, "sluice: Window is %0d; it must be a power of two, 16 to 4096", Window);
  if (!power_of_two(LaneDepth) || LaneDepth < 8 || LaneDepth > 4096)
    $fatal(1, "sluice: LaneDepth is %0d; it must be a power of two, 8 to 4096", LaneDepth);
  if (!power_of_two(HeaderSlots) || HeaderSlots < 2 * LaneDepth || HeaderSlots > 8192)
    $fatal(1, "sluice: HeaderSlots is %0d; it must be a power of two, at least twice LaneDepth, at most 8192", HeaderSlots);
  if (!power_of_two(BodyCells) || BodyCells < 16 || BodyCells > 65536)
    $fatal(1, "sluice: BodyCells is %0d; it must be a power of two, 16 to 65536", BodyCells);
  if (!power_of_two(OutputDepth) || OutputDepth < 8 || OutputDepth > 1024)
    $fatal(1, "sluice: OutputDepth is %0d; it must be a power of two, 8 to 1024", OutputDepth);
  if (Checksums > 1)
    $fatal(1, "sluice: Checksums is %0d; it must be 0 or 1", Checksums);
  if (HashUnits > 1)
    $fatal(1, "sluice: HashUnits is %0d; it must be 0 or 1", HashUnits);
  if (!power_of_two(Relocations) && Relocations != 0 || Relocations > 0 && Relocations < 4 || Relocations > 128)
    $fatal(1, "sluice: Relocations is %0d; it must be 0 or a power of two, 4 to 128", Relocations);
  if (StatePairs > 1 || StatePairs == 0 && SharedSums == 0)
    $fatal(1, "sluice: StatePairs is %0d; it must be 1, or with SharedSums = 1 also 0", StatePairs);
  if (SharedSums > 1)
    $fatal(1, "sluice: SharedSums is %0d; it must be 0 or 1", SharedSums);
  if (Shifters > 1)
    $fatal(1, "sluice: Shifters is %0d; it must be 0 or 1", Shifters);
  if (TestFaults > 1)
    $fatal(1, "sluice: TestFaults is %0d; it must be 0 or 1", TestFaults);
endmodule : sluice_cfg_check
