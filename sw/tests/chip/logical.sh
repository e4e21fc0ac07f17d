#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Logical switches (docs/isolation.md): the pipelines are divided into two sets, each with modules of its own. Runs are
# EQUIVALENT in every mode; no packet of a module is ever issued by a pipeline of the other set (the simulator's host
# compares BOUNDARY.ISSUED with the admitted packets of each set's modules; here it is shown that it does); and a module
# that offers half as much again as its set serves takes no packet from the other set.
# usage: logical.sh [CHIP]
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
programs=sw/tests/chip/programs

# at STAGE FIRST LAST KEY: a number of the boundary before that stage, summed over pipelines FIRST to LAST.
at() {
  jq --argjson stage "$1" --argjson first "$2" --argjson last "$3" --arg key "$4" \
    '[.boundaries[] | select(.stage == $stage and .pipe >= $first and .pipe <= $last)[$key]] | add // 0' "$report"
}

# traffic NAME VID:N...: N parts of the packets are the module's.
traffic() {
  file=$out/$1.pcap; shift
  vids=$(for part; do i=${part#*:}; while [ "$i" -gt 0 ]; do printf ' --vid %s' "${part%:*}"; i=$((i - 1)); done; done)
  # shellcheck disable=SC2086  # one word each
  "$SLUICE" gen -o "$file" --size 64 --mix uniform --flows 3200 --packets 8000 $vids || exit 3
}

# Pipelines of the chip, and the last of set 0.
run_chip one $programs/cross.dom --packets 100
pipes=$(jq "[.boundaries[].pipe] | max + 1" "$report")
last=$((pipes / 2 - 1))

traffic even 1:1 2:1
two="--sets 2 -m $programs/cross.dom:1@0 -m $programs/cross.dom:2@1 --pcap $file"
for options in "" "--steer each" "--steer stay" "--issue free --pace 0 --brake 0" "--issue access" "--stall 0.3" "--ecn-queue 2"; do
  # shellcheck disable=SC2086  # several options each
  run_chip "two$(echo "$options" | tr -d ' ')" $two $options
  it "two modules, each in its own set${options:+, $options}: EQUIVALENT" equivalent
done
run_chip two $two --load 0.45
it "at a load that both serve nothing is lost" 'equivalent && same "$(value left)" 8000'
for stage in 0 1; do
  it "stage $stage: set 0 issued the packets of VLAN 1, set 1 those of VLAN 2" \
    'same "$(at $stage 0 $last issued)" "$(value modules.vid1.left)" && same "$(at $stage $((last + 1)) $((pipes - 1)) issued)" "$(value modules.vid2.left)"'
done
it "both have state operations" 'is "$(at 0 0 $last stateful) > 100 && $(at 0 $((last + 1)) $((pipes - 1)) stateful) > 100"'

# The same packets, but the table entries of VLAN 2 say set 0 in the end: the chip is right, the run is not.
"$SLUICE" compile --chip "$chip" $programs/cross.dom -o "$out/cross.json" > "$out/compile.out"
"$SLUICE" packets --chip "$chip" -m "$out/cross.json:2" -o "$out/strays.pcap" > "$out/packets.out"
# shellcheck disable=SC2086
run_chip strays $two --load 0.45 --reconfiguration "$out/strays.pcap"
it "a module that strays into another set is noticed" 'ends 1 DIFFERENT && has "$text" "BOUNDARY.ISSUED at stage 0"'

# ---- overload: the offender offers three quarters of line rate, its set serves half. Without its program its packets
# are of no module: the same gaps for the other.
offender=40
traffic mixed $offender:3 2:1
# Short lanes: what waits in them at the end prolongs a short run. Beyond that it is as long as alone.
limit=24 tail=0; [ "$chip" = tiny ] || { limit=40 tail=100; }
innocent="--sets 2 -m $programs/beside.dom:2@1 --pcap $file --load 0.95 --lane-limit $limit"
# shellcheck disable=SC2086
{
  run_chip alone $innocent
  alone=$report
  it "alone: EQUIVALENT, nothing is lost" 'equivalent && same "$(value modules.vid2.dropped)" 0'
  for program in plain hot cross; do
    run_chip $program $innocent -m $programs/$program.dom:$offender@0
    it "$program in the other set: EQUIVALENT, and it loses what is too much" \
      'equivalent && is "$(value modules.vid$offender.overload) > 500"'
    it "$program: the innocent loses nothing" 'same "$(value modules.vid2.dropped)" 0'
    it "$program: and is as fast as alone" \
      'same "$(value modules.vid2.left)" "$(value modules.vid2.left "$alone")" && is "$(value cycles) <= 1.01 * $(value cycles "$alone") + $tail"'
    note "$program: the innocent's latency at most $(value modules.vid2.latency_max), alone $(value modules.vid2.latency_max "$alone");" \
      "inside $(value modules.vid2.inside_max) and $(value modules.vid2.inside_max "$alone")"
  done
  run_chip together -m $programs/beside.dom:2 -m $programs/hot.dom:$offender --no-shares --pcap "$file" --load 0.95
  it "in one set of all it does lose packets: the test can tell" 'equivalent && is "$(value modules.vid2.dropped) > 0"'
}

run_chip sets3 --sets 3 $programs/cross.dom --packets 10
it "three sets are refused" '[ $code -ge 2 ] && has "$errors" "power of two"'
run_chip set2 --sets 2 -m $programs/cross.dom:1@2 --packets 10
it "a set that does not exist is refused" '[ $code -eq 2 ] && has "$errors" "no such set"'
run_chip pin --sets 2 -m $programs/cross.dom:1@1 --pin 0 --packets 10
it "a pinned array outside its set is refused" '[ $code -ge 2 ] && has "$errors" "the set of the module"'
finish
