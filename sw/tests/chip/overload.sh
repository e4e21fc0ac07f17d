#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A module that offers three times what one pipeline serves takes nothing from the others: with shares they lose no
# packet and are as fast as without it; without shares they are not, which shows that the test can tell. Then how long an
# admitted packet of a minority waits inside, stateful in a stateless flood and the other way round.
# usage: overload.sh [PACKETS]
# Needs: k4
. "$(dirname "$0")/lib"
need_chip k4
packets=${1:-12000}
programs=sw/tests/chip/programs
offender=40             # without its program, its packets are of no module: the same gaps for the others
hot="-m $programs/hot.dom:$offender"

# traffic NAME MIX VID:N...: N parts of the packets are the module's. With mix single, packet i goes to lane i modulo 4.
traffic() {
  file=$out/$1.pcap mix=$2; shift 2
  vids=$(for part; do i=${part#*:}; while [ "$i" -gt 0 ]; do printf ' --vid %s' "${part%:*}"; i=$((i - 1)); done; done)
  # shellcheck disable=SC2086  # one word each
  "$SLUICE" gen -o "$file" --size 64 --mix "$mix" --flows 3200 --packets "$packets" $vids || exit 3
}

lossless() {  # lossless VID...
  for vid; do same "$(value "modules.vid$vid.dropped")" 0 || return 1; done
}
# Packets that left a cycle, next to those without the offender.
as_fast() {
  for vid; do
    is "$(value "modules.vid$vid.left") / $(value cycles) >= 0.99 * $(value "modules.vid$vid.left" "$alone") / $(value cycles "$alone")" || return 1
  done
}
disturbed() { for vid; do lossless "$vid" && as_fast "$vid" || return 0; done; return 1; }

# scenario NAME 'MODULES' 'SHARES' VID...: the innocent ones.
scenario() {
  # shellcheck disable=SC2086  # several options each
  {
    name=$1 modules=$2 shares=$3; shift 3
    run_chip "$name-alone" $modules --no-shares --pcap "$file" --load 0.95
    alone=$report
    it "$name: EQUIVALENT without the offender" equivalent
    it "$name: nobody loses a packet without it" "lossless $*"
    run_chip "$name-shares" $modules $hot --pcap "$file" --load 0.95 $shares
    it "$name: EQUIVALENT with shares" equivalent
    it "$name: with shares the innocent lose no packet" "lossless $*"
    it "$name: and are as fast as without the offender" "as_fast $*"
    it "$name: the offender loses what is too much" 'is "$(value "modules.vid$offender.overload") > 0.4 * ($(value "modules.vid$offender.admitted") + $(value "modules.vid$offender.overload"))"'
    it "$name: and its queue is still busy" 'is "$(value "modules.vid$offender.left") >= 0.3 * $(value cycles)"'
    for vid; do
      note "$name: VLAN $vid with shares: $(value "modules.vid$vid.left") left, $(value "modules.vid$vid.dropped") dropped," \
        "latency at most $(value "modules.vid$vid.latency_max"), alone $(value "modules.vid$vid.latency_max" "$alone")"
    done
    run_chip "$name-none" $modules $hot --no-shares --pcap "$file" --load 0.95
    it "$name: EQUIVALENT without shares" equivalent
    it "$name: without shares the innocent are disturbed" "disturbed $*"
    for vid; do
      note "$name: VLAN $vid without shares: $(value "modules.vid$vid.left") left, $(value "modules.vid$vid.dropped") dropped," \
        "latency at most $(value "modules.vid$vid.latency_max")"
    done
  }
}

# Three packets a cycle for one word; VLAN 2 has its state in the same pipeline, 3 has none.
traffic same uniform $offender:24 2:2 3:6
scenario same-pipeline "-m $programs/beside.dom:2 -m $programs/plain.dom:3" "--share $offender=64 --share 2=96" 2 3

# Lanes 0 to 2 full of the offender, lane 3 full of a module whose state is everywhere.
traffic lanes single $offender:3 3:1
scenario full-lane "-m $programs/bounds.dom:3" "--share $offender=64 --share 3=128" 3

# Four modules.
traffic four uniform $offender:20 2:2 3:4 4:6
scenario four-modules "-m $programs/beside.dom:2 -m $programs/bounds.dom:3 -m sw/programs/flowlet.dom:4" \
  "--share $offender=64 --share 2=96 --share 3=64 --share 4=96" 2 3 4

# ---- starvation: the bound of docs/boundary.md is far away
minority() {  # minority NAME PROGRAM PROGRAM: 31 packets of the first to one of the second, all lanes full
  run_chip "$1" -m "$programs/$2.dom:3" -m "$programs/$3.dom:2" --no-shares --pcap "$file" --load 1
  it "$1: EQUIVALENT" equivalent
  it "$1: no packet of the minority is inside longer than 200 cycles" 'is "$(value modules.vid2.inside_max) <= 200"'
  note "$1: inside at most $(value modules.vid2.inside_max) cycles, the flood $(value modules.vid3.inside_max);" \
    "$(value modules.vid2.dropped) and $(value modules.vid3.dropped) dropped"
}
traffic flood uniform 3:31 2:1
minority stateless-flood plain beside
minority stateful-flood bounds plain
minority hot-flood beside plain
finish
