#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A configuration that is not legal stops elaboration, with a sentence that names the parameter.
# usage: illegal.sh
. "$(dirname "$0")/lib"
verilator=${VERILATOR:-verilator}

# What is elaborated: first the check alone, later the whole chip.
top=sluice_cfg_check files=rtl/sluice_cfg_check.sv

# elaborate PARAMETER=VALUE...: what Verilator says of configuration tiny with these values.
elaborate() {
  cp rtl/configs/tiny/sluice_cfg_pkg.sv "$out/sluice_cfg_pkg.sv"
  for setting in "$@"; do
    sed "s/ ${setting%=*}  *= *[0-9]*;/ ${setting%=*} = ${setting#*=};/" "$out/sluice_cfg_pkg.sv" > "$out/edited.sv"
    cmp -s "$out/edited.sv" "$out/sluice_cfg_pkg.sv" && { echo "# no parameter ${setting%=*}"; return 99; }
    mv "$out/edited.sv" "$out/sluice_cfg_pkg.sv"
  done
  # shellcheck disable=SC2086  # $files are several
  timeout 300 "$verilator" --lint-only --assert -Wall -Irtl --top-module $top "$out/sluice_cfg_pkg.sv" $files > "$out/said" 2>&1
}
refused() {  # refused SENTENCE PARAMETER=VALUE...
  told=$1; shift
  if elaborate "$@"; then echo "# accepted"; return 1; fi
  has "$out/said" "$told"
}
rule() { it "$1 is refused: $2" "refused '$2' $1"; }

it 'tiny is legal' 'elaborate NumPipes=4'
rule NumPipes=3 'NumPipes is 3; it must be a power of two, 1 to 16'
rule NumPipes=0 'NumPipes is 0; it must be'
rule NumPorts=5 'NumPorts must be a multiple of NumPipes'
rule NumPorts=66 'NumPorts is 66'
rule FrontStages=9 'FrontStages is 9; it must be 0 to 8'
rule BackStages=17 'BackStages is 17; it must be 1 to 16'
rule StateStages=3 'StateStages must be at most BackStages'
rule BankDepth=12 'BankDepth is 12; it must be a power of two'
rule PhantomDepth=2 'PhantomDepth is 2'
rule StateEntries=100 'StateEntries is 100'
rule 'NumPipes=16 NumPorts=16 StateEntries=32' 'StateEntries must be at least 4 for each pipeline'
rule NumModules=64 'NumModules is 64'
rule NumModules=12 'NumModules is 12; it must be a power of two, 2 to 32'
rule MatchEntries=0 'MatchEntries is 0'
rule Num4B=9 'Num4B is 9; it must be 1 to 8'
rule Num6B=9 'Num6B is 9; it must be 0 to 8'
it 'Num6B=0 is legal' 'elaborate Num6B=0'
rule Window=24 'Window is 24'
rule LaneDepth=4 'LaneDepth is 4'
rule HeaderSlots=32 'HeaderSlots must be at least twice LaneDepth'
rule BodyCells=1000 'BodyCells is 1000'
rule OutputDepth=4 'OutputDepth is 4'
rule Relocations=2 'Relocations must be 0 or at least 4'
rule CountEntries=48 'CountEntries is 48; it must be a power of two, 16 to 4096'
rule BeatBytes=32 'BeatBytes must be 16 or 64'
rule BeatBytes=16 'BeatBytes 16 needs HeaderBytes 64'
rule 'BeatBytes=16 HeaderBytes=64' 'BeatBytes 16 needs Checksums 0'
rule StatePairs=0 'StatePairs 0 needs SharedSums 1'
rule Shifters=2 'Shifters is 2; it must be 0 to 1'
rule TestFaults=2 'TestFaults is 2'

# The chip has the check inside: the same sentence, and not only what the value breaks elsewhere.
top=sluice
packages="rtl/sluice_layout_pkg.sv rtl/sluice_pkg.sv rtl/stage/sluice_stage_pkg.sv"
files="$packages $(ls rtl/cells/*.sv rtl/ctrl/*.sv rtl/lane/*.sv rtl/boundary/*.sv rtl/stage/*.sv rtl/order/*.sv rtl/egress/*.sv |
  grep -v _pkg.sv) rtl/sluice_cfg_check.sv rtl/sluice.sv"
rule NumPipes=3 'NumPipes is 3; it must be a power of two, 1 to 16'
rule Num4B=9 'Num4B is 9; it must be 1 to 8'
rule HeaderSlots=32 'HeaderSlots must be at least twice LaneDepth'
finish
