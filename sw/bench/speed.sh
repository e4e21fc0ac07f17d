#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Speed of the simulator: builds K = 4 with 8 and with 16 back stages, on one and on two threads, plays a trace with all checks on,
# and prints a line each: OUT/speed.csv. Build time and memory are those of a whole build. Machines differ, and one machine from hour to
# hour: of_study is packets a second over those of `sluice study`, which plays the same trace (a hundred times) just before.
# usage: speed.sh OUT FLOWS PACKETS
set -eu
out=$1 flows=$2 packets=$3
echo "figure,config,stages,threads,build_seconds,build_megabytes,run_megabytes,cycles_per_second,packets_per_second,of_study,verdict" >"$out/speed.csv"
for config in k4 b4; do
  for threads in 1 2; do
    dir=$out/speed/$config-$threads
    rm -rf "$dir"; mkdir -p "$dir"
    command time -f '%e %M' -o "$dir/build.time" \
      make --no-print-directory BUILD="$dir/build" THREADS=$threads "$dir/build/$config/sim" >"$dir/build.log" 2>&1 \
      || { tail -n 20 "$dir/build.log"; exit 1; }
    read -r build_s build_kb <"$dir/build.time"
    if [ $config = b4 ]; then traffic="--trace-flows $flows --trace-packets $packets --repeat 10"; else traffic="sw/programs/flowlet.dom --packets 64000 --size 64 --mix uniform"; fi
    command time -f '%e' -o "$dir/study.time" build/sluice study "$flows" "$packets" --repeat 100 --chip b4 --json >"$dir/study.json"
    studied=$(jq -s '.[0].packets / .[1]' "$dir/study.json" "$dir/study.time")
    # shellcheck disable=SC2086
    command time -f '%M' -o "$dir/run.time" build/sluice run --chip $config --sim "$dir/build/$config/sim" $traffic --quiet --report "$dir/report.json" >"$dir/run.log" 2>&1 \
      || { tail -n 20 "$dir/run.log"; exit 1; }
    stages=8; [ $config = b4 ] && stages=16
    jq -r --arg c $config --arg s $stages --arg t $threads --arg bs "$build_s" --arg bm $((build_kb / 1024)) --arg rm $(($(cat "$dir/run.time") / 1024)) \
      --argjson y "$studied" \
      '["speed", $c, $s, $t, $bs, $bm, $rm, .simulated_cycles_per_second, .simulated_packets_per_second, (.simulated_packets_per_second / $y * 10000 | round / 10000), .verdict] | @csv' "$dir/report.json" | tr -d '"' >>"$out/speed.csv"
    tail -n 1 "$out/speed.csv"
  done
done
