#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the whole costs, and each feature of it: shapes beside each other, as tables in Markdown (docs/whole.md). Processor time is what is
# measured, so other work on the machine disturbs little; it makes all figures worse, so compare only those of one run.
# What `build` and `silicon` have measured stands in build/bench/whole; it is measured again if a source of the chip is newer.
# usage: whole.sh without SHAPE     names of shapes: SHAPE, and SHAPE with each feature left out in turn
#        whole.sh build SHAPE...    makes the simulators anew, without what is kept
#        whole.sh run SHAPE...      plays the sequencer on simulators that are built, the shapes in turns
#        whole.sh silicon SHAPE...  area and worst path (hours for a large shape)
#        whole.sh table SHAPE       what has been measured of SHAPE and of what `without` names
# Environment: TURNS (3), PACKETS (60000) for run
set -eu
LC_ALL=C; export LC_ALL
verb=$1; shift
sluice=${SLUICE:-build/sluice} out=build/bench/whole turns=${TURNS:-3} packets=${PACKETS:-60000}
mkdir -p "$out"

# What can be left out: name, and how the shape is named then.
features='nothing|
ternary engines|.TernaryEntries0
cuckoo engines|.CuckooEntries0
two banks|.Banks1
marks, cuts, guarded flips|.Marks0
capsules|.ActiveIds0
arrays|.ArrayWords0.ArrayEntries0
array match alone|.ArrayEntries0
recirculation|.Recirculation0
egress|.EgressStages0
classes, rates, shares|.OutputClasses0
moves of state|.Relocations0
shifts, pairs, products|.Arithmetic0'

# user and system time in seconds and the most memory in MB of a command, into a file; what it prints goes to a log.
measured() { # FILE COMMAND...
  file=$1; shift
  /usr/bin/time -f '%U %S %M' -o "$file" "$@" > "$file.log" 2>&1 || { tail -n 20 "$file.log" >&2; exit 1; }
}
# Measured, and of the chip as it is.
known() { [ -s "$1" ] && [ -z "$(find rtl sw/configs.def sw/tests/shapes.def -newer "$1" | head -n 1)" ]; }
seconds() { awk '{ print $1 + $2 }' "$1"; }

case $verb in
without)
  printf '%s\n' "$features" | awk -F '|' -v shape="$1" '{ print shape $2 }'
  ;;
build)
  echo '| shape | Verilator, seconds | GB | C++, MB | compiling it, seconds | all, seconds | program, MB |'
  echo '|---|---|---|---|---|---|---|'
  for shape; do
    dir=$out/$shape; mkdir -p "$dir"
    if ! known "$dir/built"; then
      rm -rf "build/$shape"
      # What make does is told apart by who does it: this stands before the real Verilator.
      cat > "$dir/verilator" <<END
#!/bin/sh
case "\$*" in *--cc*) exec /usr/bin/time -f '%U %S %M' -o "$dir/verilated" verilator "\$@" ;; esac
exec verilator "\$@"
END
      chmod +x "$dir/verilator"
      measured "$dir/all" make --no-print-directory JOBS=1 SLUICE_CACHE= CCACHE_DISABLE=1 VERILATOR="$dir/verilator" "build/$shape/v/Vsim__ALL.a"
      echo "$(cat "$dir/verilated") $(seconds "$dir/all") $(cat "build/$shape/v/"*.cpp "build/$shape/v/"*.h | wc -c) $(wc -c < "build/$shape/v/Vsim__ALL.a")" > "$dir/built"
      make -s --no-print-directory JOBS=1 "build/$shape/sim" > "$dir/sim.log" 2>&1 || { tail -n 20 "$dir/sim.log" >&2; exit 1; }
    fi
    awk -v shape="$shape" '{ v = $1 + $2; printf "| `%s` | %.0f | %.1f | %.0f | %.0f | %.0f | %.0f |\n", shape, v, $3 / 1048576, $5 / 1e6, $4 - v, $4, $6 / 1e6 }' "$dir/built"
  done
  ;;
run)
  # The time of a run with few packets is taken from that of one with many: what is left is that of the packets alone.
  play() { # SHAPE NUMBER
    measured "$out/$1.$2" "$sluice" run sw/programs/sequencer.dom -c "$1" -n "$2" --size 64 --mix uniform --timeout 1800 --dir "$out/work" --report "$out/$1.$2.json" -q
    [ "$(jq -r .verdict "$out/$1.$2.json")" = EQUIVALENT ] || { echo "$1: not EQUIVALENT" >&2; exit 1; }
    echo "$1 $2 $(seconds "$out/$1.$2") $(jq .cycles "$out/$1.$2.json")" >> "$out/turns"
  }
  : > "$out/turns"
  few=100
  for turn in $(seq "$turns"); do for shape; do play "$shape" $few; play "$shape" "$packets"; done; done
  for shape; do
    "$sluice" run sw/programs/sequencer.dom -c "$shape" -n 50 --size 64 --mix single --load 0.005 --timeout 1800 --dir "$out/work" --report "$out/$shape.alone.json" -q > "$out/alone.log"
  done
  for shape; do
    echo "$shape $(jq -r '[.latency.idle, .latency.min] | join(" ")' "$out/$shape.alone.json")"
  done | awk -v few=$few -v many="$packets" -v turns="$turns" '
    FNR == NR { time[$1, $2] += $3 / turns; cycles[$1, $2] = $4; next }
    { t = time[$1, many] - time[$1, few]; rate = (many - few) / t; if (!first) first = rate
      printf "%s\t%.0f\t%.2f\t%.0f\t%.1f\t%d\t%d\n", $1, rate, rate / first, (cycles[$1, many] - cycles[$1, few]) / t, time[$1, few], $2, $3 }' "$out/turns" - > "$out/rates.tsv"
  echo "| shape | packets a second | of \`$1\` | cycles a second | a run of $few packets, seconds | a packet alone: cycles to its fate | to the port |"
  echo '|---|---|---|---|---|---|---|'
  awk -F '\t' '{ printf "| `%s` | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7 }' "$out/rates.tsv"
  ;;
silicon)
  echo '| shape | gates | macros, Mbit | worst path, FO4 | in |'
  echo '|---|---|---|---|---|'
  for shape; do
    dir=$out/$shape area=build/synth/area/$shape; mkdir -p "$dir"
    if ! known "$dir/silicon"; then
      make -s --no-print-directory timing CONFIG="$shape" > "$dir/silicon.log" 2>&1 || { tail -n 20 "$dir/silicon.log" >&2; exit 1; }
      echo "$(jq -r '[.chip.gates, .chip.macro_bits] | join(" ")' "$area/area.json") $(jq -r '.blocks[0] | [.fo4, .kind] | join(" ")' "$area/timing.json")" > "$dir/silicon"
    fi
    awk -v shape="$shape" '{ printf "| `%s` | %d | %.1f | %.1f | `%s` |\n", shape, $1, $2 / 1e6, $3, $4 }' "$dir/silicon"
  done
  ;;
table)
  shape=$1
  echo '| without | gates | macros, Mbit | worst path, FO4 | a packet alone: cycles to its fate | to the port | packets a second | built in seconds |'
  echo '|---|---:|---:|---:|---:|---:|---:|---:|'
  printf '%s\n' "$features" | while IFS='|' read -r name suffix; do
    this=$shape$suffix
    silicon=$(cat "$out/$this/silicon" 2>/dev/null) built=$(cat "$out/$this/built" 2>/dev/null)
    rate=$(awk -v shape="$this" '$1 == shape { print $2, $6, $7 }' "$out/rates.tsv" 2>/dev/null)
    printf '%s|%s|%s|%s\n' "$name" "$silicon" "$built" "$rate"
  done | awk -F '|' '{ split($2, s, " "); split($3, b, " "); split($4, r, " ")
    printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, s[1], s[2] != "" ? sprintf("%.1f", s[2] / 1e6) : "", s[3], r[2], r[3], r[1], b[4] != "" ? sprintf("%.0f", b[4]) : "" }'
  ;;
*) echo "whole.sh: no verb '$verb'" >&2; exit 2 ;;
esac
