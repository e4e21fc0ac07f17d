#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ordered merge (docs/tm.md): four sorted streams become one, on the simulated chip `merge`, where each has a lane, and on the reference
# model, which gets them sorted. Every packet that leaves is what a sort on the host makes of them (merge_packets.c): place, numbers that are
# missing, and who of those with one number goes on. Without the merge, with lanes that nobody waits for, and with a lane left out, the
# streams are mixed up. How many packets are merged in a cycle, by their size. Wrong command lines.
# usage: merge.sh
# Needs: merge build/helpers/merge_packets
. "$(dirname "$0")/lib"
need_chip merge
need_helper merge_packets
packets=$helper seed=${SLUICE_SEED:-1} blocks=${SLUICE_BLOCKS:-100}
note "SLUICE_SEED=$seed SLUICE_BLOCKS=$blocks"

# play NAME CHIP INPUT PROGRAM BYTES [OPTION...]
play() {
  folder=$out/$1 chip=$2 input=$3 program=$4 bytes=$5; shift 5; mkdir -p "$folder"
  "$packets" make "$folder" "$blocks" "$bytes" "$seed" || return 1
  case $chip in model:*) ;; *) set -- "$@" --timeout 300 --dir "$folder/work" ;; esac
  report=$folder/report.json
  timeout 330 "$SLUICE" run -c "$chip" -q -m "$program:5" --report "$report" --pcap "$folder/$input.pcapng" -o "$folder/out.pcapng" \
    "$@" > "$folder/run.txt" 2>&1
  code=$?
}
check() { "$packets" check "$folder" "$blocks" "$bytes" "$seed" > "$folder/check.txt" 2>&1 || { sed 's/^/# /' "$folder/check.txt"; return 1; }; }
good() { [ "$code" -eq 0 ] || { sed 's/^/# /' "$folder/run.txt"; return 1; }; }
# What is not sorted is noticed, and is what the monitors expect all the same.
mixed() { good && [ "$(value verdict)" = EQUIVALENT ] && ! check > /dev/null; }
merged='--merge-key key --merge-idle 3000'
source=sw/programs/coflow/merge.dom

it 'model: the sorted packets' 'play model model:merge sorted "$source" 64 && good && check'
it 'chip: four sorted streams become one' 'play chip merge in "$source" 64 --pace-by time --ns-per-cycle 75 $merged --merge-lanes 0-3 && good && check'
it 'chip: EQUIVALENT, and no packet came too late' \
  '[ "$(value verdict)" = EQUIVALENT ] && same "$(value merge.packets)" "$((blocks * 32))" && same "$(value merge.late)" 0'
note "$(cat "$folder/check.txt")"
it 'chip: with gaps, still sorted' 'play gaps merge in "$source" 64 --pace-by time --ns-per-cycle 5 $merged --merge-lanes 0-3 && good && check'
it 'chip: without the merge they are mixed up' 'play plain merge in "$source" 64 --pace-by time --ns-per-cycle 75 && mixed'
it 'chip: with a lane left out they are mixed up' 'play three merge in "$source" 64 --pace-by time --ns-per-cycle 75 $merged --merge-lanes 0,2-3 && mixed'
it 'chip: if nobody waits for a lane they are mixed up, and the chip counts' \
  'play idle merge in "$source" 64 --pace-by time --ns-per-cycle 5 --merge-key key --merge-idle 1 --merge-lanes 0-3 && mixed && is "$(value merge.late) > 0"'

# How many packets a cycle: each leaves where it came.
cat > "$out/through.dom" <<'END'
struct Packet { int key @ bytes(46, 4); int port_in @ meta.port_in; int port_out @ meta.port_out; };
int last = 0;
void through(struct Packet p) { last = p.key; p.port_out = p.port_in; }
END
for bytes in 64 128 192 256 512; do
  it "chip: $bytes bytes on all lanes without a gap" 'play "rate$bytes" merge in "$out/through.dom" $bytes $merged --merge-lanes 0-3 && good'
  case $bytes in
    64 | 128 | 192) it "$bytes bytes: some are lost, the lanes are full" 'is "$(value drops.LANE_FULL) > 0"' ;;
    *) it "$bytes bytes: none is lost" 'same "$(value left)" "$((blocks * 32))"' ;;
  esac
  note "$bytes bytes: $(value left) of $((blocks * 32)) left, $(value cycles) cycles"
done

# refused TEXT OPTION...
refused() {
  text=$1; shift; options=$*
  it "refused: $text" '"$SLUICE" packets -c merge -o "$out/refused.pcap" -m "$source:5" $options > "$out/refused.txt" 2>&1; [ $? -ne 0 ] && has "$out/refused.txt" "$text"'
}
refused "'0,4' is not a list of lanes" --merge-lanes 0,4 --merge-key key
refused "'0-' is not a list of lanes" --merge-lanes 0- --merge-key key
refused "needs --merge-key too" --merge-lanes 0-3
refused "needs --merge-lanes too" --merge-key key
refused "has no field 'time'" --merge-lanes 0-3 --merge-key time
refused "does not read field 'place' (bytes 50..53)" --merge-lanes 0-3 --merge-key place
refused "no module has the VLAN id of '7:key'" --merge-lanes 0-3 --merge-key 7:key
it 'refused: a chip that merges nothing' '"$SLUICE" packets -c tiny -o "$out/refused.pcap" "$out/through.dom" --merge-lanes 0-1 --merge-key key > "$out/refused.txt" 2>&1; [ $? -ne 0 ] && has "$out/refused.txt" "merges no lanes (OrderedMerge is 0)"'
cat > "$out/other.dom" <<'END'
struct Packet { int key @ bytes(46, 2); int port_out @ meta.port_out; };
int last = 0;
void other(struct Packet p) { last = p.key; p.port_out = 1; }
END
two() { "$SLUICE" packets -c merge -o "$out/two.pcap" -m "$source:5" -m "$out/other.dom:6" --merge-lanes 0-3 --merge-key "$1" > "$out/two.txt" 2>&1; }
it 'refused: a field that two programs have in different containers' '! two key && has "$out/two.txt" "is in another container in the program of VLAN 6 than in that of VLAN 5"'
it 'that of one program is taken' 'two 6:key && has "$out/two.txt" "MERGE.KEY (0x06204) 0x[89a-f],"'
it 'packets set no registers, and what to write is said' '"$SLUICE" packets -c merge -o "$out/load.pcap" -m "$source:5" $merged --merge-lanes 0,2-3 > "$out/load.txt" 2>&1 && has "$out/load.txt" "MERGE.LANES (0x06200) 0xd"'
finish
