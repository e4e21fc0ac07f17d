#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Area and timing in a library whose cells and pins have other names: the same figures but for the order in which the mapper
# takes cells of equal cost. usage: cell_names.sh
. "$(dirname "$0")/lib"
lib=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
sed 's/\bY\b/ZN/g; s/\bQ\b/HELD/g; s/\bA\b/IN_A/g; s/\bINVX1\b/inv_x1/g; s/\bNAND2X1\b/nand_2/g; s/\bBUFX2\b/drive/g; s/\bCLK\b/CK/g' $lib > "$out/renamed.lib"
measure() { # LIBRARY NAME
  make JOBS=1 CONFIG=ulx3s LIBERTY="$1" timing > "$out/$2.log" 2>&1 || { tail -n 5 "$out/$2.log" | sed 's/^/# /'; return 1; }
  awk '$1 + 0 > 0 { print $1; exit }' build/synth/area/ulx3s/timing.txt > "$out/$2.fo4"
  awk '$1 == "chip" { print $2 }' build/synth/area/ulx3s/area.txt > "$out/$2.gates"
}
near() { awk -v a="$(cat "$1")" -v b="$(cat "$2")" 'BEGIN { exit !(a > 0 && b > 0 && a / b > 0.95 && a / b < 1.05) }'; }
it 'the library itself' 'measure $lib own'
it 'the same with other names' 'measure "$out/renamed.lib" renamed'
it 'the worst path is the same within 5 %' 'near "$out/own.fo4" "$out/renamed.fo4"'
it 'so is the area' 'near "$out/own.gates" "$out/renamed.gates"'
note "FO4 $(cat "$out/own.fo4" "$out/renamed.fo4" | tr '\n' ' '), gates $(cat "$out/own.gates" "$out/renamed.gates" | tr '\n' ' ')"
finish
