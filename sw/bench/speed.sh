#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Speed of the simulator: builds K = 4 with 8 and with 16 back stages, on one thread (also compiled with a profile) and on two, plays a
# trace with all checks on, and prints a line each; at the end all are in OUT/speed.csv. Build time and memory are those of a whole build; one that takes more than an hour is given
# up, and its line says so. Machines differ, and one machine from hour to hour: of_study is packets a second over those of
# `sluice study`, which plays the trace for four pipelines a hundred times just before. b4 plays that trace too, k4 a compiled program.
# usage: speed.sh OUT FLOWS PACKETS
set -eu
out=$1 flows=$2 packets=$3 bound=${SPEED_BUILD_SECONDS:-3600}
mkdir -p "$out/speed"
echo "figure,config,stages,threads,profile,build_seconds,build_megabytes,run_megabytes,cycles_per_second,packets_per_second,of_study,verdict" >"$out/speed/heading.csv"
for config in k4 b4; do
  case $config in
  k4) stages=8 traffic="sw/programs/flowlet.dom --packets 64000 --size 64 --mix uniform" ;;
  b4) stages=16 traffic="--trace-flows $flows --trace-packets $packets --repeat 10" ;;
  esac
  for variant in 1 1-profile 2; do
    threads=${variant%-*} profile=0 dir=$out/speed/$config-$variant
    [ "$threads" = "$variant" ] || profile=1
    [ ! -s "$dir/line.csv" ] || continue # an interrupted run goes on
    rm -rf "$dir"; mkdir -p "$dir"
    status=0
    command time -q -f '%e %M' -o "$dir/build.time" \
      timeout "$bound" make --no-print-directory BUILD="$dir/build" THREADS=$threads PROFILE=${profile#0} "$dir/build/$config/sim" >"$dir/build.log" 2>&1 || status=$?
    case $status in
    0) ;;
    124) echo "speed,$config,$stages,$threads,$profile,,,,,,,not built in $bound s" | tee "$dir/line.csv"; continue ;;
    *) tail -n 20 "$dir/build.log"; exit 1 ;;
    esac
    read -r build_s build_kb <"$dir/build.time"
    command time -f '%e' -o "$dir/study.time" build/sluice study "$flows" "$packets" --repeat 100 --chip b4 --json >"$dir/study.json"
    # shellcheck disable=SC2086
    command time -f '%M' -o "$dir/run.time" build/sluice run --chip $config --sim "$dir/build/$config/sim" $traffic --quiet --report "$dir/report.json" >"$dir/run.log" 2>&1 \
      || { tail -n 20 "$dir/run.log"; exit 1; }
    jq -rs --arg config $config --argjson stages $stages --argjson threads $threads --argjson profile $profile --argjson seconds "$build_s" --argjson build_kb "$build_kb" \
      '.[0] as $run | (.[1].packets / .[2]) as $studied | .[3] as $run_kb
       | ["speed", $config, $stages, $threads, $profile, $seconds, ($build_kb / 1024 | floor), ($run_kb / 1024 | floor),
          $run.simulated_cycles_per_second, $run.simulated_packets_per_second,
          ($run.simulated_packets_per_second / $studied * 10000 | round / 10000), $run.verdict] | @csv' \
      "$dir/report.json" "$dir/study.json" "$dir/study.time" "$dir/run.time" >"$dir/quoted.csv"
    tr -d '"' <"$dir/quoted.csv" | tee "$dir/line.csv"
  done
done
cat "$out/speed/heading.csv" "$out"/speed/*/line.csv >"$out/speed.csv"
