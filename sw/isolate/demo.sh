#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One pair of the runner as a table and a plot: module A alone, beside a hostile B, and beside B on a chip whose segments are not checked.
# usage: demo.sh [BUILD]
LC_ALL=C; export LC_ALL
build=${1:-build} seed=${SEED:-3194933623}
out=$build/demo-isolation
rm -rf "$out"; mkdir -p "$out" || exit 3
"$build/sluice" isolate --chip tiny --seed "$seed" --exact --runs 1 --keep "$out/sound" > "$out/sound.tap" || { cat "$out/sound.tap"; exit 1; }
"$build/sluice" isolate --chip tight --seed "$seed" --exact --runs 1 --keep "$out/broken" --no-shrink --fault NO_BOUNDS > "$out/broken.tap"
[ $? -le 1 ] || exit 3
dir=$out/sound/$seed

# row NAME RUN COLUMN-OF-LATENCIES
row() {
  awk -v name="$1" -v column="$3" -v report="$dir/$2.json" '
    FNR == 1 && NR > 1 { exit }
    !/^#/ { value[n++] = $column; sum += $column }
    END {
      for (i = 1; i < n; i++) { v = value[i]; for (j = i - 1; j >= 0 && value[j] > v; j--) value[j + 1] = value[j]; value[j + 1] = v }
      printf "%-18s %8d %10d %10d %10d\n", name, n, value[int(n / 2)] - value[0], value[int(n * 0.99)] - value[0], value[n - 1] - value[0] }' "$dir/latencies.tsv"
}
echo "tiny, seed $seed. A comes in at one lane, B floods the other."
jq -r '"B: \(.modules.vid6.admitted) packets admitted, \(.modules.vid6.lost) lost at full queues"' "$dir/beside.json"
printf '\n%-18s %8s %10s %10s %10s\n' '' copies 'median' '99 %' 'longest'
echo "                            wait in cycles behind the quickest packet"
row 'A alone' alone 4
row 'A beside B' beside 5
echo
sed -n 's/^ok 1 seed [0-9]*: //p' "$out/sound.tap"
echo "same copies, bytes and state: yes"
printf 'the same beside B on tight, whose segments are not checked: '
noticed=$(sed -n 's/^# *packet/packet/p; s/^# *the state/the state/p' "$out/broken.tap" | head -n 1)
echo "${noticed:-nothing}"
[ -n "$noticed" ] || { cat "$out/broken.tap"; exit 1; }
cat > "$out/plot.gp" <<EOP
set terminal svg size 900,420 background 'white'
set output '$out/isolation.svg'
set title 'tiny, seed $seed: a module alone and beside a hostile one'
set xlabel 'cycle of arrival'; set ylabel 'cycles from the last beat in to the last beat out'
set key outside top center horizontal
least = system("awk '!/^#/ && (!n++ || \$4 < m) { m = \$4 } END { print m }' $dir/latencies.tsv") + 0
set yrange [0:*]
plot '$dir/latencies.tsv' using 3:(\$5 - least) with points pt 7 ps 0.35 lc rgb '#d95f02' title 'A beside B', \
     '' using 3:(\$4 - least) with points pt 7 ps 0.35 lc rgb '#1b9e77' title 'A alone'
EOP
sed -i "s/cycles from the last beat in to the last beat out/wait behind the quickest packet, cycles/" "$out/plot.gp"
gnuplot "$out/plot.gp" || exit 3
echo; echo "in $out: isolation.svg, sound/$seed (jobs, captures, reports, pair.txt if it failed)"
