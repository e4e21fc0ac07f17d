#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The switch as a whole, shape `s4`: programs with state, tables from files, a reaction, and random cases, each EQUIVALENT; a packet
# alone takes what it takes.
# usage: whole.sh [CHIP] [PACKETS]
# Needs: s4 build/helpers/table_packets
CHIP_RUN=${1:-s4}
. "$(dirname "$0")/lib"
need_chip "${1:-s4}"
need_helper table_packets
packets=${2:-2000}
LIMIT=1800
constants "$chip"

for program in wfq conga flowlet; do
  run_chip $program sw/programs/$program.dom --packets "$packets" --seed 4
  it "$program on $chip: every packet and all state as the reference says" equivalent
  note "$program: $(value packets_per_cycle) packets a cycle, state entries compared $(value compared.state_entries)"
done

# The router of docs/live.md and an access list: what comes out is what a program of its own says.
table() { # PROGRAM
  folder=$out/$1.tables; mkdir -p "$folder"
  "$helper" make "$1" "$folder" 200 10 1 || return 1
  program=sw/programs/tables/$1.dom
  "$SLUICE" compile "$program" --chip "$chip" --trusted -o "$folder/image.json" > "$folder/compile.txt" 2>&1 || return 1
  entries=
  for file in "$folder"/*.csv; do entries="$entries --entries $(basename "$file" .csv)=$file"; done
  run_chip "$1" -m "$folder/image.json:5" --trust 5 $entries --load 0.2 --state --pcap "$folder/in.pcapng" -o "$folder/out.pcapng"
  equivalent && cp "$report" "$folder/report.json" && "$helper" check "$1" "$folder" 200 10 1 > "$folder/check.txt" 2>&1
}
for program in router acl; do it "$program on $chip, entries from files" "table $program"; done

run_chip block sw/programs/reactions/block.dom --packets "$packets" --seed 4
it "block on $chip, with its reaction" "ends 0 EQUIVALENT"

it "two random cases on $chip" 'timeout 3600 "$SLUICE" fuzz --chip "$chip" --seed 1 --runs 2 --timeout 1800 > "$out/fuzz.txt" 2>&1 || { tail -n 5 "$out/fuzz.txt" | sed "s/^/# /"; false; }'

# As in latency.sh, to the fate: receiver, filter and parser; stages; order; exit queue, deparser and checksum, program of a capsule.
fate=$((5 + FrontCycles * FrontStages + 7 + HopCycles * BackStages + 5 + Active))
run_chip alone sw/programs/sequencer.dom --packets 100 --size 64 --mix single --load 0.005
it "a packet alone on $chip, to its fate: $fate cycles" 'equivalent && same "$(value latency.idle)" $fate'
note "to the port: $(value latency.min) cycles"
finish
