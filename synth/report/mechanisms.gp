# SPDX-License-Identifier: Apache-2.0
# Area of each mechanism: logic with registers, and memory macros.
set terminal svg size 900,420 font 'sans,11' background 'white'
set output 'build/synth/mechanisms.svg'
set datafile separator ','
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 border -1
set boxwidth 0.7
set key top left
set grid ytics
set xtics rotate by -40
set ylabel 'mm2 (0.18 um library)'
csv = "< grep '^mechanism,' build/synth/area/".config.'/area.csv'
plot csv using ((column(6) + column(8)) / 1e6):xtic(2) title 'logic and registers', \
     csv using (column(11) / 1e6) title 'memory macros'
