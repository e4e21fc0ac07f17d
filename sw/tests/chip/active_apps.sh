#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Applications of programs in packets on a simulated chip, each against its computation on the host; `agree`: random programs against the
# interpreter. The chip's monitors compare it with the reference model. TAP.
# usage: active_apps.sh [SCALE] [APPLICATION...]    ACTIVE_CHIP=capsules.k4: another shape, ACTIVE_BLOCK: words of a block;
# ACTIVE_WORDS: words of a stage and pipeline that there are for programs (all; of `active`, which has 16,384, 128: every word that a program
# of an application has is written and read by programs)
# Needs: capsules build/active-apps
cd "$(dirname "$0")/../../.." || exit 3
scale=${1:-1} chip=${ACTIVE_CHIP:-capsules}
case $chip in active) some=128 large='hot_keys balancer guard hostile' ;; *) some=0 large= ;; esac
[ $# -eq 0 ] || shift
[ -x "build/$chip/sim" ] || { echo "Bail out! no build/$chip/sim: make sim CONFIG=$chip"; exit 3; }
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' "$dir/out" "$dir/err"; failed=$((failed + 1)); fi; }

# play ROUNDS APPLICATION...: with so many further passes
play() {
  rounds=$1; shift
  build/active-apps --chip "$chip" --sim "build/$chip/sim" --block "${ACTIVE_BLOCK:-16}" --words "${ACTIVE_WORDS:-$some}" --scale "$scale" --rounds "$rounds" --seed "${SLUICE_SEED:-1}" "$@" \
    >"$dir/out" 2>"$dir/err"; say $? "$chip, $rounds further passes, $*: as the host computes"
  grep -q '^EQUIVALENT' "$dir/err"; say $? 'the chip and the reference model are equal'
  jq -se 'length > 0 and (map(.differences) | add == 0)' "$dir/out" >"$dir/log"; say $? 'nothing differs'
  sed 's/^/# /' "$dir/out"
}
if [ $# -gt 0 ]; then
  play "${ACTIVE_ROUNDS:-3}" "$@"
else
  play 0 memory cache $large
  play 3 agree
fi
echo "1..$n"
[ $failed -eq 0 ]
