#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Updates under traffic (docs/banks.md), 64-byte packets, at line rate where the chip has it: a module becomes another program and back, many times. No packet is
# lost or sees parts of two versions; the other module's packets have the bytes, the order and the latency of a run without updates.
# usage: banks.sh [UPDATES [CHIP]]
# Needs: react build/helpers/banks
CHIP_RUN=${1:-50}${2:+-$2}
. "$(dirname "$0")/lib"
updates=${1:-50}
need_chip "${2:-react}"
every=1500 dir=$out/job
parameter() { sed -n "s/.* $1 *= *\\([0-9]*\\);.*/\\1/p" "build/$chip/cfg/sluice_cfg_pkg.sv"; }
pipes=$(parameter NumPipes) ports=$(parameter NumPorts)
mkdir -p "$dir"

# Version 1 and 2 of a module, and another module: each says what it is in a field, and in the upper bits of its counts, which an
# update sets to their initial value.
program() {
  cat > "$out/$1.dom" <<EOT
struct Packet { int o @ meta.port_out; int d @ udp.dport; int seen @ udp.sport; int version @ ipv4.id; int id; };
int count[16] = {$(($2 * 16384))};
void count_$1(struct Packet p) {
  p.id = p.d & 15;
  count[p.id] = count[p.id] + 1;
  p.seen = count[p.id];
  p.version = $2;
  p.o = (p.d >> 4) & $((ports - 1));
}
EOT
}
program one 1; program two 2; program other 3
need_helper banks
it 'three programs fit' '"$SLUICE" packets --chip "$chip" --no-shares -m "$out/one.dom:5" -m "$out/other.dom:6" -m "$out/two.dom:7" -o "$out/all.pcap" > "$out/packets.txt"'

simulate() {
  "build/$chip/sim" "+job=$dir/job-$1.json" > "$out/$1.log" 2>&1
  code=$? report=$dir/$1.json errors=$out/$1.log
}
# TENTHS ARRAYS: the lanes are busy in so many tenths of the cycles. New arrays are filled before the flip. That takes cycles of the state memories, so packets may leave a cycle later; at load
# 1.0 every cycle of theirs is a packet's, and packets would be lost (docs/banks.md).
hitless() {
  load=$(($1 / 10)).$(($1 % 10)) packets=$((pipes * (every * updates * $1 / 10 + 1000)))
  name="$2 arrays, load $load"
  it "$name: jobs are made" '"$helper" make "$chip" "$out/all.pcap" 5 7 $updates $every $packets $load '$2' "$dir"'
  for run in without with; do
    simulate $run
    it "$name, $run updates: EQUIVALENT, nothing is lost" 'equivalent && [ "$(count delivered)" -eq $packets ]'
  done
  it "$name: all $updates updates took place" 'same "$(value banks.updates) $(value banks.flips)" "$updates $updates"'
  it "$name: packets of both versions were inside at most flips" 'is "$(value banks.flips_mixed) >= 0.8 * $updates"'
  it "$name: writes before the drain were refused" 'is "$(value banks.refused_writes) >= 0.4 * $updates"'
  it "$name: no packet is mixed" '"$helper" versions "$dir/with.pcapng" 5 $((packets / 2)) '$2' > "$out/versions.txt"'
  note "$(cat "$out/versions.txt")"
  [ "$2" = kept ] || return 0
  # Packets that leave at different ports around a flip may swap places: then there are more changes than flips.
  it "$name: both versions were there" 'is "$(sed "s/.*changes: //" "$out/versions.txt") >= $updates"'
  it "$name: the other module, same bytes, order and latency" '"$helper" compare "$dir/with.pcapng" "$dir/without.pcapng" 6 > "$out/compare.txt"'
  it "$name: the comparison can fail" '! "$helper" compare "$dir/with.pcapng" "$dir/without.pcapng" 5 > "$out/differ.txt"'
  note "the other module: $(cat "$out/compare.txt")"
}
# `react`: its window holds too few packets for stages of a match engine of four cycles at line rate, with updates or without.
# `make test-long` plays `banks` with one, two, four and eight pipelines at line rate.
case $chip in
  react*) hitless 7 kept; hitless 6 new ;;
  *) hitless 10 kept; hitless 9 new ;;
esac
finish
