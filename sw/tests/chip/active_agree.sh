#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs in packets on a simulated chip, the reference model and the interpreter: each opcode alone, then random programs, in parts of 1,000
# with tables and a seed of their own. A part that was right is kept in build/chip/active_agree-CHIP and not played again, unless the simulator
# or build/active-apps is younger: a run that was stopped goes on. TAP.
# usage: active_agree.sh CHIP [PROGRAMS]    SLUICE_SEED: of the first part, 1000 if not said; LIMIT: seconds of a part
# Needs: build/active-apps
cd "$(dirname "$0")/../../.." || exit 3
chip=${1:-capsules}
case $chip in active) words=128 ;; *) words=0 ;; esac  # of a stage and pipeline: as many as are used
programs=${2:-10000} seed=${SLUICE_SEED:-1000}
for file in "build/$chip/sim" build/active-apps; do
  [ -x "$file" ] || { echo "Bail out! no $file: make apps sim CONFIG=$chip"; exit 3; }
done
kept=build/chip/active_agree-$chip
mkdir -p "$kept" || exit 3
n=0 failed=0

# part NAME SCALE APPLICATION: 100 x SCALE programs, up to three further passes
part() {
  n=$((n + 1)) file=$kept/$1.json
  if [ -s "$file" ] && [ "$file" -nt "build/$chip/sim" ] && [ "$file" -nt build/active-apps ]; then
    echo "ok $n - $chip, $1: as played before"
    return
  fi
  timeout -k 10 "${LIMIT:-3600}" build/active-apps --chip "$chip" --sim "build/$chip/sim" --block 16 --words "$words" --scale "$2" --rounds 3 --seed "$seed" "$3" \
    >"$kept/out" 2>"$kept/err"
  if [ $? -eq 0 ] && grep -q '^EQUIVALENT' "$kept/err" && jq -e '.programs > 0 and .words > 0 and .differences == 0' "$kept/out" >"$kept/log"; then
    mv "$kept/out" "$file"
    echo "ok $n - $chip, $1: chip, reference model and interpreter do the same"
  else
    echo "not ok $n - $chip, $1: chip, reference model and interpreter do the same"
    sed 's/^/# /' "$kept/out" "$kept/err"
    failed=$((failed + 1))
  fi
}
part opcodes 1 opcodes
i=0
while [ $((i * 1000)) -lt "$programs" ]; do
  left=$((programs - i * 1000))
  [ $left -lt 1000 ] || left=1000
  part "seed-$seed" $((left / 100)) agree
  seed=$((seed + 1)) i=$((i + 1))
done
cat "$kept"/seed-*.json | jq -s --arg chip "$chip" -r '"# \($chip): \(map(.programs) | add) random programs, \(map(.words) | add) words, \(map(.differences) | add) differences"'
echo "1..$n"
[ $failed -eq 0 ]
