#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mantis' use cases (sw/tests/reaction/test_reaction_uses.c) on a simulated chip of shape `react`, with a bus between driver and chip; its
# monitors compare all packets, cuts and flips with the reference.
# usage: reaction_uses.sh [all]   one flood; all: the other cases too, which take two minutes
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
uses=${USES:-build/san/test_reaction_uses}
sim=
tmp=$(mktemp -d) || exit 3   # sockets have short names
trap '[ -z "$sim" ] || kill "$sim" 2> /dev/null; rm -rf "$tmp"' EXIT
use() {
  rm -f "$out/$1.sim"
  "build/$chip/sim" "+job=serve:$chip:$tmp/$1" > "$out/$1.sim" 2>&1 < /dev/null & sim=$!
  await 10 has_line "$out/$1.sim" '^serving'
  SLUICE_WHERE=unix:$tmp/$1 TEST_ONLY=$1 ASAN_OPTIONS=detect_leaks=0 timeout -k 5 900 "$uses" > "$out/$1.txt" 2>&1
  code=$?
  kill "$sim" 2> /dev/null; wait "$sim"; verdict=$?; sim=
  [ "$code" -eq 0 ] && [ "$verdict" -eq 0 ] && has "$out/$1.sim" '^EQUIVALENT' && return 0
  sed 's/^/# /' "$out/$1.txt" "$out/$1.sim"; return 1
}
note_of() { note "$(grep -E '^(floods|links|paths|queue):' "$out/$1.txt")"; }
it 'a flood is blocked within 20,000 cycles of the packet that crosses the rate' 'use a_flood_is_blocked_within_20_microseconds'
note_of a_flood_is_blocked_within_20_microseconds
if [ "${1:-}" = all ]; then
  it 'polarized flows are spread' 'use polarized_flows_are_spread'
  note_of polarized_flows_are_spread
  it 'floods are blocked one after the other, and nobody else' 'use floods_are_blocked_and_nobody_else'
  note_of floods_are_blocked_and_nobody_else
  it 'a link that fails is left within 30,000 cycles' 'use failed_links_are_left'
  note_of failed_links_are_left
  it 'a threshold is learned' 'use a_threshold_is_learned'
  note_of a_threshold_is_learned
fi
finish
