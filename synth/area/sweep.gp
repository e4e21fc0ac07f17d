# SPDX-License-Identifier: Apache-2.0
# Growth with K, one line for each S, in millions of gates and relative to the paper's table 1.
out = 'build/synth/sweep/'
if (format eq 'svg') set terminal svg size 900,400 font 'sans,11' background 'white'; else set terminal pngcairo size 900,400 font 'sans,10'
set output out.'sweep.'.format
set datafile separator ','
set datafile commentschars '#'
set multiplot layout 1,2
set key top left
set grid
set logscale xy 2
set xtics (1, 2, 4, 8, 16)
set xrange [0.9:18]
set xlabel 'pipelines K'
set title 'what the one order takes'
set ylabel 'mm2 (0.18 um library)'
plot for [s in '4 8 12 16'] out.'sweep.csv' using (column(2) == int(s) ? column(1) : NaN):((column(4) + column(7)) / 1e6) \
       skip 1 with linespoints pointtype 7 title 'S = '.s
set title 'MP5 paper, table 1'
set ylabel 'mm2 (15 nm)'
plot for [s in '4 8 12 16'] 'synth/mp5_table1.csv' using (column(2) == int(s) ? column(1) : NaN):3 \
       with linespoints pointtype 7 title 's = '.s
unset multiplot
