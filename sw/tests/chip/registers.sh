#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every register that software may write is written at random under traffic: each write is refused and changes nothing, or is
# taken whole; no packet is lost or wrong, and nothing asserts. Two programs, one of them with pinned state; indices move.
# Needs: tight
# usage: registers.sh [WRITES [CHIP...]]
CHIP_RUN=${1:+-$1}${2:+-$2}
. "$(dirname "$0")/lib"
writes=${1:-300}
[ $# -lt 2 ] && set -- "$writes" tight
shift
cat > "$out/one.dom" <<'EOT'
struct Packet { int o @ meta.port_out; int d @ udp.dport; int s @ udp.sport; int i; };
int count[64] = {0};
int all = 0;
void one(struct Packet p) {
  p.i = p.d & 63;
  count[p.i] = count[p.i] + 1;
  all = all + 1;
  p.o = p.d & 3;
}
EOT
sed 's/one/two/; s/count/sums/g; s/all/most/g; s/+ 1;/+ p.s;/' "$out/one.dom" > "$out/two.dom"
for name do
  need_chip "$name"
  for load in 1 0.02; do
    run_chip "$name-$load" -m "$out/one.dom:5" -m "$out/two.dom:6" --packets $((writes * 100)) --size 64 --mix uniform --flows 300 --load "$load" --move-period 64
    it "$name, load $load, without writes: EQUIVALENT" equivalent
    base=$out/$name-$load
    # At a low load the chip is empty now and then, so that SETS and MODE are taken.
    jq --arg report "$base-written.json" --argjson writes "$writes" '.report = $report | .writes = $writes | .check_counters = false' \
      "$base.work"/*-job.json > "$base-job.json" &&
      timeout -k 10 900 "build/$name/sim" "+job=$base-job.json" > "$base-written.log" 2>&1
    code=$? report=$base-written.json errors=$base-written.log
    it "$name, load $load, with $writes writes: EQUIVALENT" equivalent
    it "most writes are taken, some are refused, and all registers are written" 'is "$(value writes.taken) > $(value writes.refused) && $(value writes.refused) > 0 && $(value writes.untouched) == 0"'
    note "$(value writes.registers) registers, $(value writes.taken) writes taken, $(value writes.refused) refused, $(value writes.untouched) registers untouched"
  done
  # To another register, half of it, taken in silence although refused.
  for broken in 1 2 3; do
    base=$out/$name-1
    jq --arg report "$base-broken.json" --argjson broken $broken '.report = $report | .writes_break = $broken' "$base-job.json" > "$base-broken-job.json"
    timeout -k 10 900 "build/$name/sim" "+job=$base-broken-job.json" > "$base-broken.log" 2>&1
    code=$? report=$base-broken.json errors=$base-broken.log
    it "$name, broken writes $broken: found" 'same "$(value verdict)" DIFFERENT'
  done
done
finish
