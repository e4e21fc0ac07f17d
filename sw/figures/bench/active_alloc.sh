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
# Published figures are dashed and grey; a workload and a set of rules have one colour in all plots.
published="lc '#888888' dt 2 lw 2"
colours="colours = '#4477aa #cc6677 #228833 #ccbb44 #aa3377 #000000'; colour(i) = word(colours, i)"
below='set key outside bottom center horizontal maxcols 2'

draw time 1000,520 <<EOF
$colours
set multiplot layout 1,2
set logscale y; set xlabel 'arrival'; set ylabel 'microseconds'; set yrange [0.5:3e6]; $below
do for [policy in "most least"] {
  set title policy.' constrained'
  plot 1e6 with lines $published title 'published: below 1 s', \\
    for [i=1:4] '$out/arrivals-'.word("cache heavy load mixed", i).'-'.policy.'-published.tsv' using 1:4 with lines lc rgb colour(i) \\
      title word("cache heavy-hitter load-balancer mixed", i).', published rules', \\
    '$out/arrivals-mixed-'.policy.'-ours.tsv' using 1:4 with lines lc rgb colour(6) title 'mixed, ours'
}
unset multiplot
EOF

draw utilization 1000,460 <<EOF
$colours
set multiplot layout 1,2
set xlabel 'arrival'; set ylabel 'share of the memory'; set yrange [0:1.05]; $below
do for [policy in "most least"] {
  last = policy eq "most" ? 23 : 57
  set title policy.' constrained'
  set arrow 1 from last, 0 to last, 1.05 nohead $published
  set label 1 sprintf(' published: last of %d heavy hitters', last) at last, 0.03 left textcolor '#888888'
  plot for [i=1:4] '$out/arrivals-'.word("cache heavy load mixed", i).'-'.policy.'-published.tsv' using 1:2 with lines lw 2 lc rgb colour(i) \\
      title word("cache heavy-hitter load-balancer mixed", i).', published rules', \\
    '$out/arrivals-mixed-'.policy.'-ours4.tsv' using 1:2 with lines lc rgb colour(6) title 'mixed, ours, 4 pipelines'
}
unset multiplot
EOF

draw epochs 1000,900 <<EOF
$colours
file(i) = '$out/epochs-'.word("most most least least", i).'-'.word("published ours published ours", i).'.tsv'
name(i) = word("most most least least", i).' constrained, '.word("published ours published ours", i)
set multiplot layout 2,2
set xlabel 'epoch'; $below
set style fill transparent solid 0.15 noborder
set title 'memory used (shaded: least to most of the trials)'; set yrange [0:1.05]
plot 0.75 with lines $published title 'published: about 0.75', \\
  for [i=1:3:2] file(i) using 1:3:4 with filledcurves lc rgb colour(i) notitle, \\
  for [i=1:4] file(i) using 1:2 with lines lc rgb colour(i) title name(i)
set title 'residents'; set yrange [0:*]
plot 100 with lines $published title 'published: over 100', for [i=1:4] file(i) using 1:5 with lines lc rgb colour(i) title name(i)
set title 'share of caches that lose blocks (average, weight 0.6)'; set yrange [0:0.8]
plot for [i=1:4] file(i) using 1:7 with lines lc rgb colour(i) title name(i)
set title 'fairness of the caches (Jain)'; set yrange [0.9:1.005]
plot 0.99 with lines $published title 'published: above 0.99 (most constrained)', for [i=1:4] file(i) using 1:6 with lines lc rgb colour(i) title name(i)
unset multiplot
EOF

draw fits 1000,480 <<EOF
$colours
set multiplot layout 1,2
set style data histograms; set style histogram clustered; set style fill solid; set yrange [0:1.05]; $below
do for [policy in "most least"] {
  set title policy.' constrained, published rules'
  plot '$out/fits-'.policy.'-published.tsv' using 2:xtic(1) lc rgb colour(1) title 'memory used', '' using 3 lc rgb colour(2) title 'caches reallocated', \\
    '' using 4 lc rgb colour(3) title 'fairness', '' using 5 lc rgb colour(4) title 'arrivals refused'
}
unset multiplot
EOF

draw blocks 900,520 <<EOF
$colours
names = 'cache heavy-hitter load-balancer mixed'
set logscale x 2; set xlabel 'blocks a stage'; set ylabel 'microseconds an arrival'; set yrange [0:*]; $below
plot for [i=1:4] '$out/blocks-most-published.tsv' using 1:i+1 with linespoints lc rgb colour(i) title word(names, i).', published rules', \\
  for [i=1:4] '$out/blocks-most-ours.tsv' using 1:i+1 with linespoints dt 2 lc rgb colour(i) title word(names, i).', ours'
EOF
echo
echo "$out: results.json, tables.md; time, utilization, epochs, fits, blocks (.svg, .png)"
