#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keys a cycle at the ports (docs/arrays.md): packets of 64 bytes with 1 to 8 keys, all lanes at full rate, every packet compared with the
# reference. usage: keys.sh CHIP FOLDER [PACKETS]; CHIP: a shape with an array match of eight words, whose simulator is built
set -eu
LC_ALL=C; export LC_ALL
chip=$1 folder=$2 packets=${3:-20000}
sluice=${SLUICE:-build/sluice} make=${KEYS:-build/bench-keys} entries=13900
mkdir -p "$folder"
"$sluice" compile sw/figures/bench/keys.dom --chip "$chip" --trusted -o "$folder/image.json" > "$folder/log"
of_chip() { sed -n "s/.* $1 *= *\([0-9]*\);.*/\1/p" "build/$chip/cfg/sluice_cfg_pkg.sv"; }
ports=$(of_chip NumPorts) lanes=$(of_chip NumPipes)
echo '| keys of a packet | drawn | packets a cycle and lane | share of line rate | keys a cycle, all lanes | lost | verdict |'
echo '|---|---|---|---|---|---|---|'
for what in '1 0 uniform' '2 0 uniform' '4 0 uniform' '8 0 uniform' '8 0.9 Zipf_0.9' '8 1.1 Zipf_1.1'; do
  set -- $what
  "$make" "$folder" $entries "$ports" "$1" "$2" "$packets" 1
  "$sluice" run -c "$chip" -q -m "$folder/image.json:5" --trust 5 --entries value="$folder/entries.csv" --pcap "$folder/in.pcapng" --load 1 \
    --report "$folder/report.json" > "$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  jq -r --argjson words "$1" --argjson lanes "$lanes" --arg drawn "$(echo "$3" | tr _ ' ')" \
    '"| \($words) | \($drawn) | \(.packets_per_cycle / $lanes * 1000 | round / 1000) | \(.share_of_line_rate * 1000 | round / 1000) | \(.packets_per_cycle * $words * 100 | round / 100) | \(.lost) | \(.verdict) |"' \
    "$folder/report.json"
done
