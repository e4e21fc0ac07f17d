#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Menshen's public vectors on the chip with Menshen's memories (256 entries, so a granule is one entry): its packets,
# bit for bit, configure a module; its ALU actions run, with the range of a segment exclusive. See menshen_vectors.c.
# usage: menshen.sh
# Needs: menshen build/helpers/menshen_vectors
. "$(dirname "$0")/lib"
need_chip menshen
vectors=sw/tests/data/menshen-vectors.json
need_helper menshen_vectors

it 'all seven reconfiguration packets read back as they were written, in the model' \
  '"$helper" make $vectors "$out/control.pcap" "$out/packets.pcap" > "$out/made" && has "$out/made" "vectors=7"'
note "$(cat "$out/made")"
sent=$(sed 's/.*control=\([0-9]*\).*/\1/' "$out/made")

# A job of our own, since segments that control packets make are known only here. Row 11 is the
# module of the vectors, rows 6, 7, 8 share what they load, store and count.
report=$out/report.json errors=$out/sim.log
cat > "$out/job.json" <<EOT
{"sluice_job": 1, "config": "menshen", "control": "$out/control.pcap", "capture": "$out/packets.pcap", "out": "$out/left.pcap", "report": "$report",
 "segments": [{"stage": 2, "row": 11, "range": 3}, {"stage": 2, "row": 6, "range": 3}, {"stage": 2, "row": 7, "range": 3}]}
EOT
timeout 120 "build/$chip/sim" "+job=$out/job.json" > "$errors" 2>&1 < /dev/null
code=$?
it 'the chip answers, forwards and counts as the model does' equivalent
it 'every control packet was accepted' 'is "$(value control_packets) == $sent"'
it 'three segments were read at the end' 'is "$(value state_reads) == 3"'
it 'every packet and copy is as the vectors say' '"$helper" check $vectors "$out/left.pcap"'
it 'the state of three segments was compared' 'is "$(value state_entries_compared) == 9"'
it 'seven operations behind the range were refused' 'is "$(value refused_ops) == 7"'
note "control packets $(value control_packets), packets $(value packets), copies $(value copies)," \
  "state operations $(value state_ops), refused $(value refused_ops)"

# The eight modules such as Menshen's files can say, through such a file and back (docs/papers.md), in pairs.
for module in calc firewall load_balancing multicast netcache netchain qos source_routing; do
  "$SLUICE" image sw/programs/menshen/format/$module.dom --to-menshen -o "$out/$module.txt" 2> "$errors" &&
    "$SLUICE" image "$out/$module.txt" --from-menshen -o "$out/$module.json" 2>> "$errors"
done
for pair in calc,firewall load_balancing,multicast netcache,netchain qos,source_routing; do
  run_chip "$pair" -m "$out/${pair%,*}.json:1" -m "$out/${pair#*,}.json:2" -n 2000 --flows 64 --size 64 --state
  it "$pair, from Menshen's files: as the reference says" 'equivalent && is "$(value compared.packets) > 1000"'
done
finish
