#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Places of a lane by module (docs/isolation.md, Places of a lane): all lanes are full to the last beat. Module 5 keeps state, is within its share, and
# brings a third of the packets; the others have no state and wait for nobody. On apart they are dropped as they come, and module 5
# loses nothing; on tiny, which has no shares of the lanes, packets of module 5 that must wait are lost.
# usage: lane_shares.sh
# Needs: apart tiny
. "$(dirname "$0")/lib"
need_chip apart
need_chip tiny
programs=sw/tests/chip/programs

# traffic NAME PACKETS VID...: a packet in every cycle of each lane, of these modules in random order.
traffic() {
  file=$out/$1.pcap packets=$2; shift 2
  # shellcheck disable=SC2046  # several options
  "$SLUICE" gen -o "$file" --size 64 --mix uniform --flows 3200 --packets "$packets" $(printf -- ' --vid %s' "$@") > "$out/gen.log" || exit 3
}
# play CHIP NAME OPTION...
play() { chip=$1 name=$2; shift 2; run_chip "$name-$chip" --pcap "$file" --load 1 -m "$programs/bounds.dom:5" -m "$programs/plain.dom:6" "$@"; }
lost() { jq ".modules.vid$1.lost" "$report"; }
reason() { jq ".drops_by_module.vid$1.$2 // 0" "$report"; }

traffic two 12000 5 6 6
play apart two
it 'two modules in full lanes: EQUIVALENT' equivalent
it 'the module within its share loses nothing' 'same "$(lost 5)" 0'
it 'the other one is dropped as it comes, for its places' 'is "$(lost 6) > 0" && same "$(reason 6 LANE_FULL)" "$(lost 6)"'
note "of 12,000 packets module 6 loses $(lost 6); module 5 waits at most $(value modules.vid5.latency_max) cycles"
play tiny two
it 'without shares of the lanes it loses packets that must wait, and the other one none' \
  'equivalent && is "$(reason 5 OVERLOAD) > 20" && same "$(lost 6)" 0'
note "without shares of the lanes module 5 loses $(lost 5)"
play apart above --share 5=40
it 'above its share it is dropped, not held' 'equivalent && is "$(reason 5 OVERLOAD) > 100 && $(total above_share) == $(reason 5 OVERLOAD)"'

# A seventh of the packets beside three that fill what is left. With a threshold for all of the lane the three reach it together.
traffic four 40000 5 6 7 8 6 7 8
play apart four -m "$programs/plain.dom:7" -m "$programs/plain.dom:8"
it 'four modules: the one within its share loses nothing' 'equivalent && same "$(lost 5)" 0'
note "of 40,000 packets the others lose $(($(lost 6) + $(lost 7) + $(lost 8)))"
play apart threshold -m "$programs/plain.dom:7" -m "$programs/plain.dom:8" --lane-limit 64
it 'with a threshold for all of the lane it loses packets' 'equivalent && is "$(reason 5 OVERLOAD) > 0"'
finish
