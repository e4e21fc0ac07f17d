#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Traffic made to jam the chip, in every mode that keeps the order, on `tiny` and on `tight` (payload banks of two): every run ends,
# EQUIVALENT, with nothing lost after admission, and within the bounds of docs/boundary.md.
# usage: adversarial.sh [CHIP...]
#        QUICK=1 adversarial.sh ...  each way to steer with each way to issue once (9 of 36 modes); the long test has all
. "$(dirname "$0")/lib"
programs=sw/tests/chip/programs

# Numbers of the configuration, and the bounds that follow from them.
constant() { sed -n "s/.*localparam int unsigned $1 *= *\([0-9]*\);.*/\1/p" rtl/sluice_pkg.sv; }
bounds() {
  constants "$chip"
  hop=$((HopCycles + 9 + BankDepth + 3 + 2 * $(constant MoveIds)))
  leave=$(((BackStages + 1) * hop))
  inside=$((Window * leave))
  drain=$(((NumPipes * HeaderSlots + Window) * leave))
}
bounded() {
  longest=$(value modules.vid1.inside_max) after=$(($(value cycles) - $(value arrival_cycles)))
  equivalent && is "$(value left) == $(value admitted) && $(value admitted) > 0 && $longest <= $inside && $after <= $drain" || return 1
  if [ "$longest" -gt "$worst" ]; then worst=$longest; worst_run=$run; fi
  if [ "$after" -gt "$worst_drain" ]; then worst_drain=$after; fi
}
# Runs all of them, and says which are not as they must be.
jam() {  # jam NAME OPTION...
  label=$1; shift
  bad=0 runs=0 tried=-1
  for steer in rank each stay; do for issue in older free access; do for moves in 0 64; do for hold in '' '--pace 0 --brake 0'; do
    tried=$((tried + 1))
    # The ways to move and to hold take turns: of the four the one that the pair's number names.
    [ -z "${QUICK:-}" ] || [ $((tried % 4)) -eq $((tried / 4 % 4)) ] || continue
    # shellcheck disable=SC2086  # $hold is several options
    run_chip "$chip-$label-$steer-$issue-$moves${hold:+-free}" "$@" --steer $steer --issue $issue --move-period $moves $hold
    runs=$((runs + 1))
    bounded || { bad=$((bad + 1)); echo "# $run"; }
  done; done; done; done
  it "$chip: $label, $runs modes: EQUIVALENT, nothing lost, in time" 'is "$bad == 0 && $runs == $([ -z "${QUICK:-}" ] && echo 36 || echo 9)"'
}
# Traces in which all packets need state, and a mixed one: no state, state at the first, at the second, at both stages.
stress() {  # stress NAME OPTION...
  mkdir -p "$out/$1.in"; label=$1; shift
  "$SLUICE" gen --stress "$out/$label.in" --pipelines 2 --ports 4 --stages 2 --stateful 0,1 --cycles 600 "$@" > "$out/$label.files"
  flows=$(sed -n 1p "$out/$label.files") packets=$(sed -n 2p "$out/$label.files")
}
mixed() {
  mkdir -p "$out/mixed.in"
  flows=$out/mixed.in/flows_4_2_2_2_8_64.csv packets=$out/mixed.in/made_4_2_2_2_8_64.csv
  awk -v flows="$flows" -v packets="$packets" '
    function random(n) { seed = seed * 16807 % 2147483647; return int(seed / 2147483647 * n) }
    BEGIN { seed = 1; print "flowid,stage_num_1,state_in_stage_1,..." > flows; print "port,pkt_size,flowid,time" > packets
      for (f = 0; f < 64; f++) print f (int(f / 2) % 2 ? ",0," random(2) * 2 : "") (f % 2 ? ",1," random(8) : "") > flows
      for (t = 0; t < 800; t++) for (l = 0; l < 2; l++) print 2 * l + random(2) ",64," random(64) "," t > packets }'
}

# shellcheck disable=SC2048,SC2086
for chip in ${*:-tiny tight}; do
  need_chip $chip
  bounds
  worst=0 worst_drain=0 worst_run=none
  note "$chip: a packet leaves within $inside cycles of its admission, all of them within $drain of the last arrival"
  stress one --entries 1
  VERB="bench replay"
  jam one "$flows" "$packets"
  stress burst --entries 16 --zipf 0.9 --pattern burst --turn 100 --load 0
  jam burst "$flows" "$packets"
  stress hot-swap --entries 32 --zipf 2 --pattern hot-swap --turn 40
  jam hot-swap "$flows" "$packets"
  mixed
  jam mixed "$flows" "$packets"
  VERB=run

  # Outputs that are hardly ever ready, and every packet to all ports.
  for stall in 0.9 0.995; do
    run_chip $chip-stall-$stall $programs/cross.dom --packets 600 --size 64 --mix uniform --stall $stall
    it "$chip: outputs stalled $stall of the time: EQUIVALENT, nothing lost, in time" bounded
  done
  "$SLUICE" compile --chip $chip $programs/all.dom -o "$out/one.json" > "$out/compile.out"
  jq '(.writes[] | select(.table == "module").entry) |= sub("^8001"; "800f")' "$out/one.json" > "$out/all.json"
  for stall in 0 0.9; do
    run_chip $chip-multicast-$stall "$out/all.json" --packets 2000 --size 64 --mix uniform --stall $stall
    it "$chip: four copies of each packet, stalled $stall of the time: EQUIVALENT, nothing lost, in time" \
      'bounded && is "$(value copies) + $(count drops.OUTPUT_FULL) == 4 * $(value left) && $(value copies) > 100"'
  done
  note "$chip: longest inside $worst of $inside cycles ($worst_run), last departure $worst_drain of $drain after the last arrival"

  it "$chip: a longer time would be noticed" '(inside=9; ! bounded) > "$out/noticed" && (drain=9; ! bounded) > "$out/noticed"'

  # What the test must notice: without the slot of the oldest packet, and with nothing that holds packets back, it jams.
  run_chip $chip-stuck $programs/cross.dom --packets 4000 --size 64 --mix uniform --issue free --pace 0 --brake 0 --no-escape
  it "$chip: without escape slots the same ends STUCK" 'ends 1 STUCK && ! bounded > "$out/noticed" && is "$(value c1_violations) == 0"'
done
finish
