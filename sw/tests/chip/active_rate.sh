#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Throughput of programs in packets: who has one region and a computed address is limited to one pipeline; as many tenants as there are
# pipelines are not, nor is one whose address is an argument. The chip's monitors compare it with the reference model.
# usage: active_rate.sh [CHIP]
# Needs: capsules build/bench-active-run
CHIP_RUN=${1:-}
. "$(dirname "$0")/lib"
chip=${1:-capsules}
need_chip "$chip"
[ -x build/bench-active-run ] || { echo "Bail out! no build/bench-active-run: make build/bench-active-run"; exit 3; }
it 'packets of 64 and 256 bytes leave, and as the reference says' \
  'build/bench-active-run "$out" "build/$chip/sim" --quick --rate "$chip" 2> "$out/err" || { sed "s/^/# /" "$out/err"; false; }'
constants "$chip"
# share BYTES TENANTS
share() { jq --argjson bytes "$1" --arg tenants "$2" '.throughput[] | select(.bytes == $bytes and .tenants == $tenants).share_of_line_rate' "$out/rate.json"; }
one=$(share 64 'one, computed') all=$(share 64 'one a pipeline, computed, in turn') any=$(share 64 'one a pipeline, computed, at random') argument=$(share 64 'one, argument')
it 'one tenant with a computed address has one pipeline' 'is "($one * $NumPipes - 1) ^ 2 < 0.02 ^ 2"'
it 'as many tenants as pipelines have 0.95 of line rate together' 'is "$all >= 0.95"'
it 'so has one whose address is an argument' 'is "$argument >= 0.95"'
it 'and so have they at random, when some of them wait' 'is "$any >= 0.95"'
it 'packets of four beats have all of it' 'is "$(share 256 "one, computed") >= 0.95 && $(share 256 "one, argument") >= 0.95"'
note "$chip, 64 bytes: $one, $all, at random $any, $argument of line rate"
finish
