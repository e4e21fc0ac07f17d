#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shape that is not legal stops elaboration, with a sentence that names the parameter: each parameter one below and one above its
# range, and off the powers of two; each rule of sw/configs.def. The command says the same sentences.
# usage: illegal.sh [EVERY]     EVERY 4: Verilator elaborates each fourth of them, the command judges all
. "$(dirname "$0")/lib"
verilator=${VERILATOR:-verilator}
every=${1:-1}

# What is elaborated: first the check alone, later the whole chip.
top=sluice_cfg_check files=rtl/sluice_cfg_check.sv

# elaborate PARAMETER=VALUE...: what Verilator says of shape tiny with these values.
elaborate() {
  cp rtl/configs/tiny/sluice_cfg_pkg.sv "$out/sluice_cfg_pkg.sv"
  for setting in "$@"; do
    sed "s/ ${setting%=*}  *= *[0-9]*;/ ${setting%=*} = ${setting#*=};/" "$out/sluice_cfg_pkg.sv" > "$out/edited.sv"
    cmp -s "$out/edited.sv" "$out/sluice_cfg_pkg.sv" && { echo "# no parameter ${setting%=*}"; return 99; }
    mv "$out/edited.sv" "$out/sluice_cfg_pkg.sv"
  done
  # shellcheck disable=SC2086  # $files are several
  timeout 300 "$verilator" --lint-only --assert -DSLUICE_SIM -Wall -Irtl --top-module $top "$out/sluice_cfg_pkg.sv" $files > "$out/said" 2>&1
}
refused() {  # refused SENTENCE PARAMETER=VALUE...
  told=$1; shift
  if [ $top = sluice ] || [ $((tests % every)) -eq 0 ]; then
    if elaborate "$@"; then echo "# accepted"; return 1; fi
    has "$out/said" "$told" || return 1
  fi
  if "$SLUICE" layout config tiny "$@" > "$out/printed" 2> "$out/said"; then echo "# the command accepts it"; return 1; fi
  has "$out/said" "$told"
}
rule() { it "$1 is refused: $2" "refused '$2' $1"; }

it 'tiny is legal' 'elaborate NumPipes=4'
it 'Num6B=0 is legal' 'elaborate Num6B=0'

# SLUICE_PARAM(NAME, LOW, HIGH, POWER_OF_TWO, ...
while IFS='(, ' read -r macro parameter low high power rest; do
  [ "$macro" = SLUICE_PARAM ] || continue
  echo "$parameter" >> "$out/parameters"
  echo "$parameter=$low" >> "$out/least"
  case $power in
    0) legal="it must be $low to $high" ;;
    1) legal="it must be a power of two, $low to $high" ;;
    *) legal="it must be 0 or a power of two, $power to $high"; rule "$parameter=$((power / 2))" "$parameter is $((power / 2)); $legal" ;;
  esac
  [ "$low" = 0 ] || rule "$parameter=$((low - 1))" "$parameter is $((low - 1)); $legal"
  if [ "$power" = 0 ]; then rule "$parameter=$((high + 1))" "$parameter is $((high + 1)); $legal"
  else
    rule "$parameter=$((2 * high))" "$parameter is $((2 * high)); $legal"
    [ "$high" -lt 4 ] || rule "$parameter=$((high / 2 + 1))" "$parameter is $((high / 2 + 1)); $legal"
  fi
done < sw/configs.def
it 'that were all parameters' 'same "$(grep -c "localparam int unsigned" rtl/configs/tiny/sluice_cfg_pkg.sv)" "$(wc -l < "$out/parameters")"'

rule NumPorts=5 'NumPorts must be a multiple of NumPipes, with FastLanes NumPipes / FastLanes'
rule StateStages=3 'StateStages, CutStages, ArrayStages, TernaryStages and CuckooStages must name stages that the chip has, CutStages and ArrayStages those with state'
rule 'NumPipes=16 NumPorts=16 StateEntries=32' 'StateEntries must be at least 4 for each pipeline, with EgressStages 16'
rule HeaderSlots=32 'HeaderSlots must be at least twice LaneDepth'
rule BeatBytes=32 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule BeatBytes=16 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule 'BeatBytes=16 HeaderBytes=64' 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule 'CutStages=4 Marks=1' 'StateStages, CutStages, ArrayStages, TernaryStages and CuckooStages must name stages that the chip has, CutStages and ArrayStages those with state'
rule CutStages=1 'FlipGuard needs CutStages and Banks 2, CutStages needs Marks 1'
rule Active=1 'TernaryEntries and TernaryStages, CuckooEntries and CuckooStages, ArrayWords and ArrayStages, ActiveIds and Active are both 0, or both not'
rule 'Active=1 ActiveIds=16 HeaderBytes=64' 'Active and ArrayWords need HeaderBytes 128'
rule 'Recirculation=1 NumPorts=64' 'Recirculation needs less than 64 ports, and with EgressStages a chip has at most 24 stages'
rule ArrayWords=8 'TernaryEntries and TernaryStages, CuckooEntries and CuckooStages, ArrayWords and ArrayStages, ActiveIds and Active are both 0, or both not'
rule 'ArrayWords=8 ArrayStages=4' 'StateStages, CutStages, ArrayStages, TernaryStages and CuckooStages must name stages that the chip has, CutStages and ArrayStages those with state'
rule 'ArrayWords=8 ArrayStages=1 HeaderBytes=64' 'Active and ArrayWords need HeaderBytes 128'
rule 'FlipGuard=1 Banks=2' 'FlipGuard needs CutStages and Banks 2, CutStages needs Marks 1'
rule 'FlipGuard=1 CutStages=1 Marks=1' 'FlipGuard needs CutStages and Banks 2, CutStages needs Marks 1'
rule ArrayEntries=256 'ArrayEntries needs ArrayWords, and 16 entries at least for each of them'
rule 'ArrayWords=8 ArrayStages=1 ArrayEntries=64' 'ArrayEntries needs ArrayWords, and 16 entries at least for each of them'
rule 'FastLanes=2 NumPorts=4' 'NumPorts must be a multiple of NumPipes, with FastLanes NumPipes / FastLanes'
rule 'FastLanes=2 NumPorts=1 BeatBytes=16 HeaderBytes=64 Checksums=0' 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule 'FastLanes=2 NumPorts=1 Banks=2' 'FastLanes needs Banks 1, and Active, Recirculation, EgressStages, OutputClasses and OrderedMerge 0'
rule 'FastLanes=2 NumPorts=1 OutputClasses=4' 'FastLanes needs Banks 1, and Active, Recirculation, EgressStages, OutputClasses and OrderedMerge 0'
rule 'OutputClasses=4 BeatBytes=16 HeaderBytes=64 Checksums=0' 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule 'HeaderPool=16 BeatBytes=16 HeaderBytes=64 Checksums=0' 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule 'HeaderPool=16 OutputClasses=4' 'HeaderPool needs OutputClasses 0'
rule 'OrderedMerge=1 NumPipes=1' 'OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0'
rule 'OrderedMerge=1 Banks=2' 'OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0'
rule 'OrderedMerge=1 Recirculation=1' 'OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0'
rule 'EgressStages=1 BeatBytes=16 HeaderBytes=64 Checksums=0' 'BeatBytes must be 64, or 16 with HeaderBytes 64 and with Checksums, FastLanes, EgressStages, OutputClasses and HeaderPool 0'
rule 'EgressStages=4 FrontStages=1 BackStages=20' 'Recirculation needs less than 64 ports, and with EgressStages a chip has at most 24 stages'
rule 'EgressStages=1 StateEntries=16' 'StateEntries must be at least 4 for each pipeline, with EgressStages 16'
rule TernaryEntries=4 'TernaryEntries and TernaryStages, CuckooEntries and CuckooStages, ArrayWords and ArrayStages, ActiveIds and Active are both 0, or both not'
rule CuckooStages=1 'TernaryEntries and TernaryStages, CuckooEntries and CuckooStages, ArrayWords and ArrayStages, ActiveIds and Active are both 0, or both not'
rule 'TernaryEntries=4 TernaryStages=8' 'StateStages, CutStages, ArrayStages, TernaryStages and CuckooStages must name stages that the chip has, CutStages and ArrayStages those with state'
rule 'CuckooEntries=16 CuckooStages=8 MatchCycles=4' 'StateStages, CutStages, ArrayStages, TernaryStages and CuckooStages must name stages that the chip has, CutStages and ArrayStages those with state'
rule 'CuckooEntries=16 CuckooStages=1' 'CuckooEntries needs MatchCycles 4'
rule 'DefaultActions=1 MatchEntries=7' 'MatchEntries + ExtraActions must be a power of two beside other engines'
untested() {
  "$SLUICE" layout shapes | sed -n '/^## Rules/,/^## Values/s/^| [0-9][0-9]* | \(.*\) | .* |$/\1/p' > "$out/rules"
  while read -r sentence; do grep -q "^rule .*'$sentence'" "sw/tests/chip/$name.sh" || echo "$sentence"; done < "$out/rules"
}
it 'that were all rules' 'same "$(untested)" "" && same "$(wc -l < "$out/rules")" "$(grep -c "^SLUICE_RULE(" sw/configs.def)"'

# The chip has the check inside: the same sentence, and not only what the value breaks elsewhere.
top=sluice
files="-f rtl/sluice.f"
rule NumPipes=3 'NumPipes is 3; it must be a power of two, 1 to 16'
if [ "$every" -eq 1 ]; then
  rule Num4B=9 'Num4B is 9; it must be 1 to 8'
  rule HeaderSlots=32 'HeaderSlots must be at least twice LaneDepth'
  rule CountEntries=48 'CountEntries is 48; it must be a power of two, 16 to 4096'
fi
# The other side: the least legal value of each, and all that is left of the chip elaborates without a warning.
it 'the least of every parameter is a chip' "elaborate $(tr '\n' ' ' < "$out/least")"
finish
