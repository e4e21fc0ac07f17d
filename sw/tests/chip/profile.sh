#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PROFILE=1 gives the same simulator, compiled for the ways that it takes most often.
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
fast=$out/build/tiny/sim

timeout -k 10 900 make --no-print-directory BUILD="$out/build" PROFILE=1 "$fast" >"$out/build.log" 2>&1
code=$?
it "make PROFILE=1 builds the simulator" 'same $code 0 && [ -x "$fast" ]'
it "  what a run did most often was there for the second compilation" 'ls "$out"/build/tiny/v/*.gcda >"$out/profiles" && is "$(wc -l <"$out/profiles") > 10"'
it "  and is not counted any more" '! grep -q __gcov_ "$fast"'

run_chip plain sw/programs/sequencer.dom --packets 3000 --size 64 --mix uniform --seed 7
it "a run without it: EQUIVALENT" equivalent
plain=$report
run_chip profiled sw/programs/sequencer.dom --packets 3000 --size 64 --mix uniform --seed 7 --sim "$fast"
it "the same run with it: EQUIVALENT" equivalent
it "  in the same cycles" 'same "$(value cycles)" "$(value cycles "$plain")" && is "$(value cycles) > 0"'
it "  with the same latency" 'same "$(value latency.p99)" "$(value latency.p99 "$plain")"'
finish
