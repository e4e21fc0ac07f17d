#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random programs with reactions (sw/tests/reaction/test_reaction_fuzz.c) on a simulated chip, with packets between any two operations of the
# driver; its monitors compare all packets, cuts and flips with the reference.
# usage: reaction_fuzz.sh [PROGRAMS [CHIP [SEED]]]
# Needs: react
CHIP_RUN=${2:-react}
. "$(dirname "$0")/lib"
programs=${1:-4} seed=${3:-1000}
need_chip "${2:-react}"
sim=
trap '[ -z "$sim" ] || kill "$sim" 2> /dev/null; rm -rf "$tmp"' EXIT
tmp=$(mktemp -d) || exit 3   # sockets have short names
serve() {
  rm -f "$out/sim.txt"
  "build/$chip/sim" "+job=serve:$chip:$tmp/$1" > "$out/sim.txt" 2>&1 < /dev/null & sim=$!
  await 10 has_line "$out/sim.txt" '^serving'
}
# One simulator for each program: it is the first program's verdict, or the last one's, that it says otherwise.
fuzz() {
  n=0
  while [ "$n" -lt "$programs" ]; do
    serve "$n"
    SLUICE_WHERE=unix:$tmp/$n SLUICE_CHIP=$chip SLUICE_PROGRAMS=1 SLUICE_SEED=$((seed + n)) timeout -k 5 600 build/san/test_reaction_fuzz > "$out/fuzz.txt" 2>&1
    code=$?
    kill "$sim" 2> /dev/null; wait "$sim"; verdict=$?; sim=
    [ "$code" -eq 0 ] && [ "$verdict" -eq 0 ] && has "$out/sim.txt" '^EQUIVALENT' || { sed 's/^/# /' "$out/fuzz.txt" "$out/sim.txt"; echo "# seed $((seed + n))"; return 1; }
    sed -n 's/^seeds.*: \(.* packets\);.*/\1/p' "$out/fuzz.txt" >> "$out/all.txt"
    n=$((n + 1))
  done
}
it "$programs random programs with reactions: arguments, effects and packets as the reference says" fuzz
note "$(awk '{ d += $1; c += $3; g += $5; r += $7; p += $9 } END { print d, "dialogues,", c, "changes,", g, "guarded,", r, "refused,", p, "packets" }' "$out/all.txt")"

# Who checks the checker: a guard that does not see, and one that does not turn what waits. A few programs must be enough.
found() {
  n=0
  while [ "$n" -lt 12 ]; do
    serve "fault$n"
    SLUICE_FAULT=$1 SLUICE_WHERE=unix:$tmp/fault$n SLUICE_CHIP=$chip SLUICE_PROGRAMS=1 SLUICE_SEED=$((seed + n)) timeout -k 5 600 build/san/test_reaction_fuzz > "$out/$1.txt" 2>&1
    kill "$sim" 2> /dev/null; wait "$sim"; sim=
    grep -q "^DIFFERENT.*$2" "$out/sim.txt" && { note "$1: $(grep -m 1 "$2" "$out/sim.txt")"; return 0; }
    n=$((n + 1))
  done
  return 1
}
if [ "$chip" = react ]; then
  it 'a guard that does not see the packets of a lane is found' 'found FLIP_BLIND "guarded flip"'
  it 'packets that keep their bank behind a guarded flip are found' 'found FLIP_STAY "packet"'
fi
finish
