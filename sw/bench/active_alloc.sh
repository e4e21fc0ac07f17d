#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The allocation experiments of the ActiveRMT paper: tables, results.json and plots, with the published figures beside ours.
# usage: active_alloc.sh PROGRAM OUT [OPTION]...
set -eu
program=$1 out=$2
shift 2
mkdir -p "$out"
"$program" "$out" "$@" >"$out/tables.md"
cat "$out/tables.md"

# draw NAME SIZE: a plot as SVG and PNG; gnuplot's commands come from standard input.
draw() {
  cat >"$out/$1.gnuplot"
  for type in svg png; do
    {
      echo "set terminal $type size $2 font 'sans,11' background '#ffffff'"
      echo "set output '$out/$1.$type'"
      echo "set grid lc '#dddddd'; set key noenhanced"
      cat "$out/$1.gnuplot"
    } | gnuplot
  done
  rm "$out/$1.gnuplot"
}
# Published figures are dashed and grey.
published="lc '#888888' dt 2 lw 2"

draw time 1000,420 <<EOF
set multiplot layout 1,2
set logscale y; set xlabel 'arrival'; set ylabel 'microseconds'; set key top right; set yrange [0.5:1e8]
do for [policy in "most least"] {
  set title policy.' constrained'
  plot 1e6 with lines $published title 'published: below 1 s (Python, on the switch)', \\
    for [w in "cache heavy load mixed"] '$out/arrivals-'.w.'-'.policy.'-published.tsv' using 1:4 with lines title w.', published rules', \\
    '$out/arrivals-mixed-'.policy.'-ours.tsv' using 1:4 with lines lc black title 'mixed, ours'
}
unset multiplot
EOF

draw utilization 1000,420 <<EOF
set multiplot layout 1,2
set xlabel 'arrival'; set ylabel 'share of the memory'; set yrange [0:1.05]; set key bottom right
do for [policy in "most least"] {
  last = policy eq "most" ? 23 : 57
  set title policy.' constrained'
  set arrow 1 from last, 0 to last, 1.05 nohead $published
  set label 1 sprintf(' published: %d heavy hitters', last) at last, 0.03 left textcolor '#888888'
  plot for [w in "cache heavy load mixed"] '$out/arrivals-'.w.'-'.policy.'-published.tsv' using 1:2 with lines lw 2 title w, \\
    '$out/arrivals-mixed-'.policy.'-ours4.tsv' using 1:2 with lines lc black title 'mixed, ours, 4 pipelines'
}
unset multiplot
EOF

draw epochs 1000,800 <<EOF
set multiplot layout 2,2
set xlabel 'epoch'
set style fill transparent solid 0.15 noborder
set title 'memory used'; set yrange [0:1.05]; set key bottom right
plot 0.75 with lines $published title 'published: about 0.75', \\
  for [p in "most least"] '$out/epochs-'.p.'-published.tsv' using 1:3:4 with filledcurves lc '#4477aa' notitle, \\
  for [p in "most least"] '$out/epochs-'.p.'-published.tsv' using 1:2 with lines title p.', published rules', \\
  for [p in "most least"] '$out/epochs-'.p.'-ours.tsv' using 1:2 with lines title p.', ours'
set title 'residents'; set yrange [0:*]
plot 100 with lines $published title 'published: over 100', \\
  for [p in "most least"] '$out/epochs-'.p.'-published.tsv' using 1:5 with lines title p.', published rules', \\
  for [p in "most least"] '$out/epochs-'.p.'-ours.tsv' using 1:5 with lines title p.', ours'
set title 'share of caches that lose blocks (average, weight 0.6)'; set yrange [0:1.05]; set key top right
plot for [p in "most least"] '$out/epochs-'.p.'-published.tsv' using 1:7 with lines title p.', published rules', \\
  for [p in "most least"] '$out/epochs-'.p.'-ours.tsv' using 1:7 with lines title p.', ours'
set title 'fairness of the caches (Jain)'; set yrange [0.9:1.005]; set key bottom right
plot 0.99 with lines $published title 'published: above 0.99 (most constrained)', \\
  for [p in "most least"] '$out/epochs-'.p.'-published.tsv' using 1:6 with lines title p.', published rules', \\
  for [p in "most least"] '$out/epochs-'.p.'-ours.tsv' using 1:6 with lines title p.', ours'
unset multiplot
EOF

draw fits 1000,420 <<EOF
set multiplot layout 1,2
set style data histograms; set style histogram clustered; set style fill solid; set yrange [0:1.05]
set key outside bottom center horizontal
do for [policy in "most least"] {
  set title policy.' constrained, published rules'
  plot '$out/fits-'.policy.'-published.tsv' using 2:xtic(1) title 'memory used', '' using 3 title 'caches moved', \\
    '' using 4 title 'fairness', '' using 5 title 'refused'
}
unset multiplot
EOF

draw blocks 700,420 <<EOF
names = 'cache heavy-hitter load-balancer mixed'
set logscale x 2; set xlabel 'blocks a stage'; set ylabel 'microseconds an arrival'; set yrange [0:*]; set key outside
plot for [i=2:5] '$out/blocks-most-published.tsv' using 1:i with linespoints title word(names, i - 1).', published rules', \\
  for [i=2:5] '$out/blocks-most-ours.tsv' using 1:i with linespoints dt 2 title word(names, i - 1).', ours'
EOF
echo
echo "$out: results.json, tables.md; time, utilization, epochs, fits, blocks (.svg, .png)"
