#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs in sw/programs/tables, and placement.dom of sw/programs/coflow, with entries from files: every packet of a capture against what a
# program of its own says must come out (table_packets.c), on the reference model and on the simulated chip
# `tables`. The router with 1,000 routes on the model of shape `routes`. A program with one
# thing wrong must be noticed.
# usage: table_programs.sh
# Needs: react build/helpers/table_packets
. "$(dirname "$0")/lib"
need_chip react
need_helper table_packets
packets=$helper seed=${SLUICE_SEED:-1}
note "SLUICE_SEED=$seed"

# play NAME CHIP PROGRAM SOURCE PACKETS ROUTES: into the folder $out/NAME; the verdict is in the report.
play() {
  folder=$out/$1 chip=$2; mkdir -p "$folder"
  "$packets" make "$3" "$folder" "$5" "$6" "$seed" || return 1
  "$SLUICE" compile "$4" --chip "${chip#model:}" --trusted -o "$folder/image.json" > "$folder/compile.txt" 2>&1 || { sed 's/^/# /' "$folder/compile.txt"; return 1; }
  set -- "$@" --
  for file in "$folder"/*.csv; do table=${file##*/}; set -- "$@" --entries "${table%.csv}=$file"; done
  while [ "$1" != -- ]; do shift; done; shift
  case $chip in model:*) ;; *) set -- "$@" --load 0.2 --timeout 300 --dir "$folder/work" ;; esac
  report=$folder/report.json
  timeout 330 "$SLUICE" run -c "$chip" -q -m "$folder/image.json:5" --trust 5 "$@" --state --report "$report" --pcap "$folder/in.pcapng" \
    -o "$folder/out.pcapng" > "$folder/run.txt" 2>&1 || { sed 's/^/# /' "$folder/run.txt"; return 1; }
}
check() { # PROGRAM PACKETS ROUTES
  "$packets" check "$1" "$folder" "$2" "$3" "$seed" > "$folder/check.txt" 2>&1 || { sed 's/^/# /' "$folder/check.txt"; return 1; }
}
for p in router acl balance nat l2 placement; do
  source=$(ls sw/programs/*/$p.dom)
  it "$p: what comes out" 'play $p model:react $p $source 600 10 && check $p 600 10'
  note "$(head -n 1 "$folder/check.txt")"
  [ $p != placement ] || it 'placement: sums of each place' 'same "$(jq -c .state.vid5.sum.values "$report")" "[$(tail -n 1 "$folder/check.txt")]"'
  [ $p != acl ] || it 'acl: packets of each rule' 'same "$(jq -c .state.vid5.packets.values "$report")" "[$(tail -n 1 "$folder/check.txt")]"'
done
sed 's/define ROUTES .*/define ROUTES 1004/' sw/programs/tables/router.dom > "$out/router1000.dom"
it 'router with 1,000 routes' 'play router1000 model:routes router "$out/router1000.dom" 5000 1000 && check router 5000 1000'
note "$(cat "$folder/check.txt")"
sed 's/size: 100;/size: 10004;/; s/lpm(24, 22)/lpm/' sw/tests/chip/programs/parts.dom > "$out/parts10000.dom"
it 'routes alone, 10,000, over seven stages' 'play parts10000 model:prefixes parts "$out/parts10000.dom" 5000 10000 && check parts 5000 10000 &&
  [ "$(grep -c "  part" "$folder/compile.txt")" = 7 ]'
note "$(cat "$folder/check.txt")"
for p in router acl balance nat l2 placement; do
  source=$(ls sw/programs/*/$p.dom)
  it "$p on the simulated chip: the same, and EQUIVALENT" 'play ${p}_sim react $p $source 200 10 && [ "$(value verdict)" = EQUIVALENT ] && check $p 200 10'
done

# Three stages of `tables`: prefixes of 22 and 24 bits in cuckoo engines, all others in the ternary one.
for chip in model:react react; do
  it "routes over three stages of $chip" 'play parts $chip parts sw/tests/chip/programs/parts.dom 400 40 && [ "$(grep -c "  part" "$folder/compile.txt")" = 3 ] && check parts 400 40 &&
    case $chip in react) [ "$(value verdict)" = EQUIVALENT ] ;; esac'
  note "$(cat "$folder/check.txt")"
done

# wrong NAME PROGRAM SED-COMMAND: runs, and is noticed.
wrong() {
  sed "$3" sw/programs/*/$2.dom > "$out/$1.dom"
  ! cmp -s "$out/$1.dom" sw/programs/*/$2.dom && play "$1" model:react "$2" "$out/$1.dom" 600 10 && ! check "$2" 600 10 > /dev/null
}
it 'found: a TTL that stays, a checksum that stays, no look at the TTL' '
  wrong ttl router "s/ttl - 1/ttl - 0/" && wrong sum router "/^option checksum/d" && wrong dying router "s/0 &&& 0xfe/0 \&\&\& 0xff/"'
it 'found: priorities exchanged, a rule that permits' 'wrong priority acl "s/deny(4) priority 40/deny(4) priority 5/" && wrong permit acl "s/deny(4)/permit(4)/"'
it 'found: the address of the wrong side' 'wrong side balance "s/p.src = service/p.dst = service/"'
it 'found: a port that stays, tables exchanged' 'wrong port nat "s/p.sport = port/p.sport = p.sport/" && wrong inside nat "s/p.port_out = INSIDE/p.port_out = OUTSIDE/"'
it 'found: a source that is not asked for, the tag as it came' 'wrong source l2 "s/p.port_out = p.otherwise/p.port_out = 1/" && wrong tag l2 "/p.tci = /d"'
it 'found: places beside their own, another group, another default' 'wrong beside placement "s/p.place = place/p.place = place ^ 1/" && wrong group placement "s/bytes(20, 4)/bytes(21, 4)/" && wrong default placement "s/at(31)/at(30)/"'
finish
