#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# 32 modules on one chip, four programs in eight copies each, packets of all in all lanes: each module's packets leave as they do
# when it is alone (the reference says so). What every packet does needs no match row in a chip with default actions; in one
# without, eight match rows are eight modules.
# usage: modules32.sh [CHIP]
# Needs: react build/helpers/same_captures
. "$(dirname "$0")/lib"
need_chip "${1:-react}"
need_helper same_captures

fields='struct Packet { int slot @ bytes(46, 2); int add @ bytes(48, 2); int result @ bytes(50, 4); int port @ meta.port_out; };'
cat > "$out/count.dom" <<END
$fields
int count[4];
void count_packets(struct Packet p) { count[p.slot & 3] = count[p.slot & 3] + 1; p.result = count[p.slot & 3]; p.port = 1; }
END
cat > "$out/sum.dom" <<END
$fields
int sum[4];
void sum_up(struct Packet p) { sum[p.slot & 3] = sum[p.slot & 3] + p.add; p.result = sum[p.slot & 3]; p.port = 2; }
END
cat > "$out/most.dom" <<END
$fields
int most[4];
void keep_most(struct Packet p) { if (p.add > most[p.slot & 3]) most[p.slot & 3] = p.add; p.result = most[p.slot & 3]; p.port = 3; }
END
cat > "$out/last.dom" <<END
$fields
int last[4];
void exchange(struct Packet p) { p.result = last[p.slot & 3]; last[p.slot & 3] = p.add; p.port = 0; }
END
program() { set -- "$1" count sum most last; shift $(($1 % 4 + 1)); echo "$out/$1.dom"; }
modules=
for vid in $(seq 32); do modules="$modules -m $(program "$vid"):$vid"; done

# Packets of one beat with times of their own, so that they are in the order of the capture whoever else is there.
"$SLUICE" gen -o "$out/in.pcap" --packets 6400 --size 64 --rate 10 --untagged > "$out/gen.log" 2>&1
# shellcheck disable=SC2086  # several words
run_chip all $modules --pcap "$out/in.pcap" --pace-by time -o "$out/all.pcap"
it '32 modules: EQUIVALENT, nothing lost' 'same "$code" 0 && same "$(value verdict)" EQUIVALENT && same "$(value lost)" 0'

alone() { # alone PROGRAM VID
  "$SLUICE" run -c "model:$chip" -m "$1:$2" --pcap "$out"/all.work/*-input.pcap -o "$out/alone.pcap" -q > "$out/alone.log" 2>&1
  "$helper" "$out/all.pcap" "$out/alone.pcap" set "$2" > "$out/$2.same" 2>&1
}
each() {
  for vid in $(seq 32); do
    alone "$(program "$vid")" "$vid" || { sed "s/^/# module $vid: /" "$out/$vid.same"; return 1; }
  done
}
it 'each of the 32 as alone' each
note "$(awk '{ packets += $1 } END { print packets }' "$out"/*.same) packets compared"
it 'another program alone is another' 'alone "$out/sum.dom" 4; same "$?" 1'

refused() { # refused CHIP
  # shellcheck disable=SC2086
  ! "$SLUICE" run -c "model:$1" $modules -n 10 -q > "$out/$1.log" 2>&1 && grep -q '(VLAN 9) needs 1 match rows in back stage 0, 0 of 8 are free' "$out/$1.log"
}
it 'without default actions the ninth is refused, and it is said why' 'refused tiny'
finish
