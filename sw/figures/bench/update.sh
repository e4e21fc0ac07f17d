#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Menshen's figure 10: throughput of three programs (5 : 3 : 2) while the first is replaced, with Menshen's procedure and
# through the second bank. usage: update.sh CHIP OUT: OUT/update.txt (what was lost), .tsv, .svg, .png
set -eu
. "$(dirname "$0")/../../tests/await"
chip=$1 out=$2 server=
sluice=${SLUICE:-build/sluice}
mkdir -p "$out"
work=$(mktemp -d)
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
for version in 1 2 other; do
  case $version in other) name=n value=3 ;; *) name=n$version value=$version ;; esac
  printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; int now @ meta.arrival; int stamp @ bytes(46, 4); int value @ bytes(50, 2); };\nint %s = 0;\nvoid f(struct Packet p) { %s = %s + 1; p.stamp = p.now; p.value = %d; p.out = p.in ^ 1; }\n' \
    $name $name $name $value >"$work/$version.dom"
  "$sluice" compile "$work/$version.dom" --chip "$chip" -o "$work/$version.json" >"$work/log"
done
for how in replace update; do
  timeout -k 5 600 "build/$chip/sim" "+job=serve:$chip:$work/socket-$how" >"$work/serve-$how" 2>&1 </dev/null &
  server=$!
  await -p $server 20 has_line "$work/serve-$how" '^serving' || { echo "update.sh: the simulator does not start" >&2; cat "$work/serve-$how" >&2; exit 1; }
  build/bench/update "unix:$work/socket-$how" $how "$work/1.json" "$work/2.json" "$work/other.json" >"$out/$how.tsv"
  kill -TERM "$server"; wait "$server" || { echo "update.sh: the monitors saw a difference" >&2; cat "$work/serve-$how" >&2; exit 1; }
  server=
  sed -n 's/^# //p' "$out/$how.tsv"
done | tee "$out/update.txt"
for type in svg png; do
  gnuplot <<EOF
set terminal $([ $type = svg ] && echo "svg size 900,360 font 'sans,11'" || echo "png size 1200,480") background '#ffffff'
set output '$out/update.$type'
set multiplot layout 1,2
set xlabel 'cycles from the start of the change'; set ylabel 'packets that left, per cycle of arrival'; set yrange [0:0.3]; set key top right horizontal; set grid ytics lc '#dddddd'
set title 'Menshen''s procedure'
plot for [m=1:3] '$out/replace.tsv' using 1:(column(m+1)/160.0) with lines lw 2 lc m title 'module '.m
set title 'two banks'
plot for [m=1:3] '$out/update.tsv' using 1:(column(m+1)/160.0) with lines lw 2 lc m title 'module '.m
unset multiplot
EOF
done
echo "$out/update.svg, $out/update.png"
