#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gradient aggregation, the same job in several ways (docs/arrays.md): eight workers, 32 slots, on two simulated chips, one with arrays,
# one with further passes. Every packet and all state are compared with the reference in each run, and the sums that leave with the
# host's. First all packets come at full rate; if some are lost, the highest rate at which none is lost follows, to 1/32 of the full one.
# Prints a table, and leaves FOLDER/aggregate.json, .tsv and .svg.
# usage: aggregate.sh CHIP PASSES FOLDER [ROUNDS [WAY...]]; CHIP: a shape with arrays, PASSES: one with recirculation, with their simulators
set -eu
LC_ALL=C; export LC_ALL
arrays=$1 again=$2 folder=$3 rounds=${4:-12} seed=${SLUICE_SEED:-1}
[ $# -le 4 ] || { shift 4; ways=$*; }
sluice=${SLUICE:-build/sluice} make=${AGGREGATE:-build/bench-aggregate}
rm -rf "$folder"; mkdir -p "$folder"
of_chip() { "$sluice" layout config "$chip" | sed -n "s/.* $1 *= *\([0-9]*\);.*/\1/p"; }

# way NAME: sets says, chip, form, ports, words, program, edit and the options pin and options
way() {
  chip=$arrays form=full words=8 program=sw/programs/coflow/aggregate.dom pin= options=
  edit='s/SLOTS 128/SLOTS 32/'
  case $1 in
    rows) says="8 words, 94 bytes" ;;
    rows-pinned) says="8 words, 94 bytes: state in one pipeline" pin=--pin options='--pin 0' ;;
    rows-one-lane) says="8 words, 94 bytes: workers at one lane" ;;
    short) says="8 words, 64 bytes" form=short edit="$edit; s/bytes(46/bytes(18/; s/bytes(50/bytes(22/; s/bytes(52/bytes(24/; s/array(62/array(28/" ;;
    short-pinned) way short; says="8 words, 64 bytes: state in one pipeline" pin=--pin options='--pin 0' ;;
    short-one-lane) way short; says="8 words, 64 bytes: workers at one lane" ;;
    word) way short; says="1 word, 64 bytes" form=word words=1 ;;
    stages) says="4 words, 64 bytes, each in a stage" chip=$again form=four words=4 program=sw/figures/bench/aggregate_stages.dom ;;
    passes | passes-one-lane) says="4 words, 64 bytes, each in a pass" chip=$again form=four words=4 program=sw/figures/bench/aggregate_passes.dom options='--passes 5=255' ;;
    *) echo "aggregate.sh: there is no way '$1'" >&2; exit 2 ;;
  esac
  # A set. Every NumPipes-th port is of lane 0.
  step=1 ports=0 port=0
  case $1 in *-one-lane) step=$(of_chip NumPipes) ;; esac
  while [ $port -lt "$(of_chip NumPorts)" ] && [ $port -lt 8 ]; do ports=$((ports | 1 << port)) port=$((port + step)); done
  case $1 in passes-one-lane) says="4 words, each in a pass: workers at one lane" ;; esac
}
# play LOAD: into report.json; sets right, lost
play() {
  # shellcheck disable=SC2086 # words
  timeout -k 10 600 "$sluice" run -c "$chip" -q -m "$folder/image.json:5" --trust 5 $options --pcap "$folder/in.pcapng" --load "$1" \
    --report "$folder/report.json" -o "$folder/out.pcapng" > "$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  right=$("$make" check "$folder/out.pcapng" $form "$ports" "$rounds" "$seed")
  lost=$(jq '([.drops[]?] | add // 0) - (.drops.DISCARD_BACK // 0)' "$folder/report.json")
}

echo '| way | at full rate lost | highest rate without loss | packets a cycle and lane | useful words a cycle and lane | sums that are wrong | verdict |'
echo '|---|---|---|---|---|---|---|'
results=
for one in ${ways:-rows rows-pinned rows-one-lane short short-pinned short-one-lane word stages passes passes-one-lane}; do
  way "$one"
  "$make" make "$folder/in.pcapng" $form "$ports" "$rounds" "$seed"
  sed "$edit; s/PORTS 0x[0-9a-f]*/PORTS $ports/; s/AGAIN 4 /AGAIN $(of_chip NumPorts) /" $program > "$folder/program.dom"
  "$sluice" compile "$folder/program.dom" --trusted $pin --chip "$chip" -o "$folder/image.json" > "$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  play 1
  full_lost=$lost low=0 high=32
  if [ "$lost" -gt 0 ]; then
    while [ $((high - low)) -gt 1 ]; do
      middle=$(((high + low) / 2))
      play "$(echo $middle | awk '{ print $1 / 32 }')"
      if [ "$lost" -gt 0 ]; then high=$middle; else low=$middle; fi
    done
    [ $low -gt 0 ] || { echo "aggregate.sh: '$one' loses packets at any rate" >&2; exit 1; }
    play "$(echo $low | awk '{ print $1 / 32 }')"
  else low=32
  fi
  line=$(jq -c --arg way "$one" --arg says "$says" --arg chip "$chip" --argjson sent $((32 * 8 * rounds)) --argjson full "$full_lost" --argjson rate $low \
    --argjson right "${right% *}" --argjson wrong "${right#* }" --argjson words $words --argjson lanes "$(of_chip NumPipes)" '
    (.cycles - .latency.idle) as $cycles | def rate($n): $n / $cycles / $lanes * 100 | round / 100;
    {way: $way, says: $says, chip: $chip, packets: $sent, lost_at_full_rate: $full, rate: ($rate / 32), packets_a_cycle: rate($sent),
     words_a_cycle: rate($right * 8 * $words), sums: ($sent / 8), right: $right, wrong_copies: $wrong, verdict: .verdict}' "$folder/report.json")
  results="$results $line"
  echo "$line" | jq -r '"| \(.says) | \(.lost_at_full_rate * 1000 / .packets | round / 10) % | \(.rate * 1000 | round / 1000) | \(.packets_a_cycle) | \(.words_a_cycle) | \(.sums - .right) of \(.sums) | \(.verdict) |"'
done
echo "$results" | jq -s --argjson rounds "$rounds" --argjson seed "$seed" '{rounds: $rounds, seed: $seed, ways: .}' > "$folder/aggregate.json"
jq -r '.ways | reverse | to_entries[] | "\(.key)\t\(.value.words_a_cycle)\t\(.value.says)"' "$folder/aggregate.json" > "$folder/aggregate.tsv"
gnuplot << END
set terminal svg size 900,400 font 'sans,11' background '#ffffff' name 'aggregate'
set output '$folder/aggregate.new'
set grid x lc '#dddddd'; set key off; set xlabel 'useful words a cycle and lane'; set xrange [0:*]; set style fill solid; set datafile separator tab
set offsets 0, graph 0.06, 0.6, 0.6; set ytics nomirror
plot '$folder/aggregate.tsv' using (\$2 / 2):1:(\$2 / 2):(0.35):ytic(3) with boxxyerror lc '#4477aa', '' using 2:1:(sprintf(" %.1f", \$2)) with labels left
END
sed 's#<title>aggregate</title>#<title>Useful words that a lane of a chip adds up in a cycle, for the same job in several ways</title>#' "$folder/aggregate.new" > "$folder/aggregate.svg"
rm "$folder/aggregate.new"
