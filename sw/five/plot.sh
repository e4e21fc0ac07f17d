#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# OUT/five.svg: packets that leave in a cycle, of each system together with the others, and alone (grey); what happened meanwhile.
# usage: plot.sh OUT, with OUT/timeline-*.tsv and OUT/events.tsv
set -eu
out=$1
names="programs update reaction tenants coflow"
for kind in update blocked free comes leaves; do
  awk -F '\t' -v kind=$kind '$2 == kind { print $1 / 1000 } END { if (!NR) exit }' "$out/events.tsv" >"$out/event-$kind.dat"
  [ -s "$out/event-$kind.dat" ] || echo NaN >"$out/event-$kind.dat"
done
{
  cat <<'EOF'
set terminal svg size 900,760 font 'sans,11' background '#ffffff' name 'five'
set multiplot layout 5,1 margins 0.13,0.98,0.08,0.95 spacing 0.0,0.02
set grid lc '#dddddd'; set key top right horizontal samplen 1.5; set format x ''
titles = "'MP5' 'Menshen' 'Mantis' 'ActiveRMT' 'ADCP'"
colours = '#4477aa #cc6677 #228833 #ccbb44 #aa3377'
set yrange [0:*]; set ytics nomirror
EOF
  echo "out = '$out'"
  n=0
  for name in $names; do
    n=$((n + 1))
    alone=
    [ ! -s "$out/timeline-$name.tsv" ] || alone="out.'/timeline-$name.tsv' using (\$1/1000):(column($n+1)) with lines lw 3 lc '#cccccc' title 'alone',"
    case $name in
      programs) events= ;;
      update) events=", out.'/event-update.dat' using 1:(0) with points pt 9 ps 0.8 lc '#000000' title 'update'" ;;
      reaction) events=", out.'/event-blocked.dat' using 1:(0) with points pt 7 ps 0.7 lc '#000000' title 'flood blocked', out.'/event-free.dat' using 1:(0) with points pt 6 ps 0.7 lc '#000000' title 'entry taken out'" ;;
      tenants) events=", out.'/event-comes.dat' using 1:(0) with points pt 9 ps 0.8 lc '#000000' title 'tenant comes', out.'/event-leaves.dat' using 1:(0) with points pt 11 ps 0.8 lc '#000000' title 'tenant leaves'" ;;
      coflow) events= ;;
    esac
    [ $n -lt 5 ] || echo "set format x '%g'; set xlabel 'thousand cycles; packets that left in a cycle'"
    echo "set ylabel word(titles, $n)"
    echo "plot $alone out.'/timeline-together.tsv' using (\$1/1000):(column($n+1)) with lines lc rgb word(colours, $n) title 'together'$events"
  done
} >"$out/five.gnuplot"
gnuplot "$out/five.gnuplot" >"$out/five.svg"
