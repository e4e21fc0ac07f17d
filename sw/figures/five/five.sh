#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All five systems on one simulated chip: each alone, then together. The table goes to standard output and OUT/five.txt, the
# figures to OUT/five.json, the picture to OUT/five.svg.
# usage: five.sh PROGRAM SIMULATOR OUT [OPTION of the program]...
set -eu
program=$1 sim=$2 out=$3
shift 3
mkdir -p "$out"
code=0
"$program" "$sim" "$out" "$@" >"$out/five.txt" || code=$?
cat "$out/five.txt"
[ "$code" -le 1 ] || exit "$code"
sh sw/figures/five/plot.sh "$out/five.tsv" "$out/five.svg"
echo
echo "$out: five.txt, five.json, five.tsv, five.svg"
exit "$code"
