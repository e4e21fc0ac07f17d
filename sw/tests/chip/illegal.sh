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
# What follows from parameters has an expression where they have a number.
it 'that were all parameters' 'same "$(grep -c "localparam int unsigned [A-Za-z0-9]* *= *[0-9]*;" rtl/configs/tiny/sluice_cfg_pkg.sv)" "$(wc -l < "$out/parameters")"'

rule 'NumPipes=4 NumPorts=3' 'NumPorts must be at least NumPipes, or a half or a quarter of it'
rule 'NumPipes=8 NumPorts=1' 'NumPorts must be at least NumPipes, or a half or a quarter of it'
rule StateStages=3 'StateStages must be at most BackStages'
rule 'NumPipes=16 NumPorts=16 StateEntries=32' 'StateEntries must be at least 4 for each pipeline, with EgressStages 16'
rule BeatBytes=32 'BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, EgressStages and OutputClasses 0'
rule 'BeatBytes=16 ActiveIds=16' 'BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, EgressStages and OutputClasses 0'
rule 'BeatBytes=16 ArrayWords=8' 'BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, EgressStages and OutputClasses 0'
rule 'BeatBytes=16 NumPorts=1' 'BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, EgressStages and OutputClasses 0'
rule 'BeatBytes=16 OutputClasses=4' 'BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, EgressStages and OutputClasses 0'
rule 'BeatBytes=16 EgressStages=1' 'BeatBytes must be 64, or 16 with a port a lane and with ActiveIds, ArrayWords, EgressStages and OutputClasses 0'
rule 'Recirculation=1 NumPorts=64' 'Recirculation needs less than 64 ports, and a chip has at most 24 stages'
rule 'EgressStages=4 FrontStages=1 BackStages=20' 'Recirculation needs less than 64 ports, and a chip has at most 24 stages'
rule 'FrontStages=5 BackStages=20' 'Recirculation needs less than 64 ports, and a chip has at most 24 stages'
rule ArrayEntries=256 'ArrayEntries needs ArrayWords, and 16 entries at least for each of them'
rule 'ArrayWords=8 ArrayEntries=64' 'ArrayEntries needs ArrayWords, and 16 entries at least for each of them'
rule 'NumPorts=1 Banks=2' 'fewer ports than lanes need Banks 1, and ActiveIds, Recirculation, EgressStages, OutputClasses and OrderedMerge 0'
rule 'NumPorts=1 ActiveIds=16' 'fewer ports than lanes need Banks 1, and ActiveIds, Recirculation, EgressStages, OutputClasses and OrderedMerge 0'
rule 'NumPorts=1 OutputClasses=4' 'fewer ports than lanes need Banks 1, and ActiveIds, Recirculation, EgressStages, OutputClasses and OrderedMerge 0'
rule 'OrderedMerge=1 NumPipes=1' 'OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0'
rule 'OrderedMerge=1 Banks=2' 'OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0'
rule 'OrderedMerge=1 Recirculation=1' 'OrderedMerge needs two pipelines at least, Banks 1 and Recirculation 0'
rule 'TransmitStore=1 NumPorts=1' 'TransmitStore needs a port a lane at least'
rule 'EgressStages=1 StateEntries=16' 'StateEntries must be at least 4 for each pipeline, with EgressStages 16'
rule 'TernaryEntries=4 MatchEntries=7' 'MatchEntries + ExtraActions must be a power of two if there are such rows or other engines'
rule ExtraActions=7 'MatchEntries + ExtraActions must be a power of two if there are such rows or other engines'
untested() {
  "$SLUICE" layout shapes | sed -n '/^## Rules/,/^## Values/s/^| [0-9][0-9]* | \(.*\) | .* |$/\1/p' > "$out/rules"
  while read -r sentence; do grep -q "^rule .*'$sentence'" "sw/tests/chip/$name.sh" || echo "$sentence"; done < "$out/rules"
}
# What was a parameter once, or never was one: the command tells what it is.
while IFS='(, ' read -r macro constant rest; do
  [ "$macro" = SLUICE_FOLLOWS ] || continue
  it "$constant cannot be set" "! \"\$SLUICE\" layout config tiny $constant=1 > /dev/null 2> \"\$out/said\" && has \"\$out/said\" '$constant is no parameter: it is '"
done < sw/configs.def
it 'that were all rules' 'same "$(untested)" "" && same "$(wc -l < "$out/rules")" "$(grep -c "^SLUICE_RULE(" sw/configs.def)"'

# The chip has the check inside: the same sentence, and not only what the value breaks elsewhere.
top=sluice
files="-f rtl/sluice.f"
rule NumPipes=3 'NumPipes is 3; it must be a power of two, 1 to 16'
if [ "$every" -eq 1 ]; then
  rule Num4B=9 'Num4B is 9; it must be 1 to 8'
  rule StateEntries=48 'StateEntries is 48; it must be a power of two, 16 to 65536'
fi
# The other side: the least legal value of each, and all that is left of the chip elaborates without a warning.
it 'the least of every parameter is a chip' "elaborate $(tr '\n' ' ' < "$out/least")"
finish
