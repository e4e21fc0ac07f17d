#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One plot a figure, SVG and PNG, ours beside the published curves. usage: plots.sh OUT TRACES
set -eu
out=$1 published=$2/published-results.csv
mkdir -p "$out/plot"

# column FILE SERIES PATTERN PASSES: "parameter throughput" of a series
column() { awk -F, -v s="$2" -v p="$3" -v n="$4" 'NR > 1 && $2 == s && $3 == p && $5 == n { print $4, $7 }' "$1" | sort -n; }
# shown EXPERIMENT PATTERN COLUMN: the same of the published results (set average where there is one)
shown() {
  [ -e "$published" ] || return 0
  awk -F, -v e="$1" -v p="$2" -v c="$3" '$1 == e && $3 == p && ($2 == "avg" || $2 == "single") && $c != "" { print $4, $c }' "$published" | sort -n
}

# curves PATTERN: the arguments of gnuplot's plot: every series that has points (a run may have no result)
curves() {
  n=0 sep=
  while read -r file title; do
    n=$((n + 1))
    [ -s "$out/plot/$file-$1" ] && printf "%s'%s' using 1:2 with linespoints lc %d pt %d title '%s'" "$sep" "$out/plot/$file-$1" $n $n "$title" && sep=', '
  done <<EOF
ours ours, once
ten ours, ten times
mp5 MP5 mode, once
study study of ours
published MP5 published
ideal MP5 ideal
EOF
  [ -n "$sep" ] || printf 'NaN notitle'
}

plot() { # FIGURE EXPERIMENT XLABEL log|linear
  figure=$1 experiment=$2 xlabel=$3
  [ -e "$out/$figure.csv" ] || return 0
  for pattern in uniform heavytail; do
    column "$out/$figure.csv" ours $pattern 1 >"$out/plot/ours-$pattern"
    column "$out/$figure.csv" ours $pattern 10 >"$out/plot/ten-$pattern"
    column "$out/$figure.csv" mp5 $pattern 1 >"$out/plot/mp5-$pattern"
    column "$out/$figure.csv" study $pattern 1 >"$out/plot/study-$pattern"
    shown "$experiment" $pattern 5 >"$out/plot/published-$pattern"
    shown "$experiment" $pattern 6 >"$out/plot/ideal-$pattern"
  done
  scale=; [ "$4" = linear ] || scale='set logscale x 2'
  for type in svg png; do
    gnuplot <<EOF
set terminal $([ $type = svg ] && echo "svg size 900,360 font 'sans,11'" || echo "png size 1200,480") background '#ffffff'
set output '$out/$figure.$type'
set multiplot layout 1,2
set xlabel '$xlabel'; set ylabel 'throughput (share of line rate)'; set yrange [0:1.05]; set key bottom left; set grid ytics lc '#dddddd'
$scale
set title 'uniform'
plot $(curves uniform)
set title 'skewed'
plot $(curves heavytail)
unset multiplot
EOF
  done
}
plot fig7a pipelines "pipelines" log
plot fig7b stateful-stages "stateful stages" linear
plot fig7c state-size "register entries" log
plot fig7d packet-size "packet size (bytes)" log
for program in flowlet conga wfq sequencer; do plot fig8-$program $program "pipelines ($program)" log; done

bars() { # FIGURE: one bar a series, pattern and parameter
  [ -e "$out/$1.csv" ] || return 0
  awk -F, 'NR > 1 { printf "\"%s %s %s\" %s\n", $2, $3, $4, $7 }' "$out/$1.csv" >"$out/plot/$1"
  rows=$(wc -l <"$out/plot/$1")
  for type in svg png; do
    gnuplot <<EOF
set terminal $([ $type = svg ] && echo "svg size 900,$((120 + 18 * rows)) font 'sans,11'" || echo "png size 1200,$((160 + 20 * rows))") background '#ffffff'
set output '$out/$1.$type'
set title '$1: throughput less constant latency' noenhanced
set style fill solid; set yrange [$rows:-1]; set xrange [0:1.05]; set grid xtics lc '#dddddd'; unset key; set lmargin 44
plot '$out/plot/$1' using (\$2/2):0:(\$2/2):(0.35):yticlabels(1) with boxxyerror lc '#4477aa'
EOF
  done
}
bars fig8-programs
bars stress
bars principles
bars mechanisms
