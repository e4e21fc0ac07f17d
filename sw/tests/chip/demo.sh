#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make demo on the smallest chip: what it makes, with traffic of its own and with a capture; and when it fails, nothing of a run before is left.
# usage: demo.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
unset MAKEFLAGS MFLAGS MAKELEVEL
demo() { make --no-print-directory demo CONFIG=tiny PROGRAM=sw/programs/sequencer.dom DEMO="$out/demo" "$@" > "$out/text" 2>&1; code=$?; }
"$SLUICE" gen -o "$out/mine.pcap" -n 300 --size 64 --seed 9
demo PCAP="$out/mine.pcap"
it 'a capture of ones own is played' 'same $code 0 && has "$out/text" "^packets  *300 in" && has "$out/text" "^EQUIVALENT" && has "$out/text" "^in .*out.pcap report.json run.html"'
it 'what is there is told: no in.pcap, since that was not played' 'for file in configuration.pcap image.json occupancy.tsv out.pcap report.json run.html; do [ -s "$out/demo/$file" ] || return 1; done; [ ! -e "$out/demo/in.pcap" ]'
it 'the page is of this run' 'has "$out/demo/run.html" "\"packets\":300}</script>"'
if command -v gnuplot > "$out/tools"; then
  it 'the plot says chip, program, verdict, and the line rate' 'has "$out/demo/occupancy.svg" "sequencer on tiny: EQUIVALENT" && has "$out/demo/occupancy.svg" "line rate (2.000)"'
fi
demo PCAP="$out/demo/out.pcap"
it 'a capture that would be removed first is refused' 'same $code 2 && has "$out/text" "copy it to another place" && [ -s "$out/demo/out.pcap" ]'
demo PCAP="$out/none.pcap"
it 'a capture that is not there: no list of files, and nothing of the run before' 'same $code 2 && has "$out/text" "none.pcap" && ! grep -q "^in " "$out/text" && [ ! -e "$out/demo/out.pcap" ] && [ ! -e "$out/demo/run.html" ]'
finish
