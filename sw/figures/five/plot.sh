#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The picture of a run of all five systems: packets that leave in a cycle, of each system together with the others, and alone
# (grey); what happened meanwhile, as points. usage: plot.sh FIVE.tsv OUT.svg
set -eu
in=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v work="$work" 'BEGIN { FS = OFS = "\t" } !NF { behind++ } /^#/ || !NF { next }
  behind < 2 { print >work "/lines" } behind >= 2 { print $1, 0 >work "/" $2 }' "$in"
# A kind of event that did not happen has no points.
for kind in update blocked free comes leaves; do [ -s "$work/$kind" ] || echo NaN NaN >"$work/$kind"; done
# points KIND TYPE TITLE
points() { printf ", '%s/%s' with points pt %s ps 0.8 lc '#000000' title '%s'" "$work" "$1" "$2" "$3"; }
# panel NUMBER NAME COLOUR POINTS
panel() {
  echo "set ylabel '$2'; plot '$work/lines' using 1:$(($1 + 6)) with lines lw 3 lc '#cccccc' title 'alone'," \
    "'' using 1:$(($1 + 1)) with lines lc '$3' title 'together'$4"
}
{
  cat <<'EOF'
set terminal svg size 900,760 font 'sans,11' background '#ffffff' name 'five'
set multiplot layout 5,1 margins 0.09,0.98,0.07,0.98 spacing 0.0,0.025
set grid lc '#dddddd'; set key top right horizontal samplen 1.5; set format x ''; set offsets 0, 0, graph 0.35, 0; set yrange [0:*]; set ytics nomirror
EOF
  panel 1 MP5 '#4477aa' ''
  panel 2 Menshen '#cc6677' "$(points update 9 update)"
  panel 3 Mantis '#228833' "$(points blocked 7 'flood blocked')$(points free 6 'entry taken out')"
  panel 4 ActiveRMT '#aa7700' "$(points comes 9 'tenant comes')$(points leaves 11 'tenant leaves')"
  echo "set format x '%g'; set xlabel 'thousand cycles; above: packets that leave in a cycle'"
  panel 5 ADCP '#aa3377' ''
} >"$work/gnuplot"
gnuplot "$work/gnuplot" | sed 's#<title>five</title>#<title>Five systems on one chip: packets that leave in a cycle, over time</title>#' >"$out"
