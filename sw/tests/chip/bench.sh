#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The evaluation on a small plan: results, table, goals and page; a run that has a result is not repeated, an interrupt loses none,
# and what went wrong is named. What needs no chip: sw/tests/cli/bench.sh. usage: bench.sh
# Needs: tight tiny
. "$(dirname "$0")/lib"
need_chip tight; need_chip tiny

# Figure 7a has goals: a light load reaches that of two pipelines, a full one does not.
trace() {  # trace NAME LOAD
  mkdir -p "$out/$1"
  "$SLUICE" gen --stress "$out/$1" --pipelines 2 --ports 4 --stages 2 --stateful 0,1 --entries 100 --cycles 4000 --load "$2" > "$out/gen.out"
  flows=$(echo "$out/$1"/flows_*.csv) packets=$(echo "$out/$1"/stress_*.csv) program=
}
columns() { printf 'id\tfigure\tseries\tpattern\tparameter\tpasses\tverb\tchip\tflows\tpackets\tprogram\toptions\n'; }
# run_of FIGURE SERIES PATTERN PASSES VERB OPTIONS: a line of a plan
run_of() { printf '%s-%s-%s\t%s\t%s\t%s\t2\t%s\t%s\ttiny\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$1" "$2" "$3" "$4" "$5" "$flows" "$packets" "$program" "${6:-}"; }
bench() { timeout -k 10 120 "$SLUICE" bench --build --plan "$plan" --traces "$out/none" --progress 1 --jobs 2 --out "$to" > "$to.out" 2>&1 < /dev/null; }
results() { jq -r .id "$to/results.jsonl" | sort | tr '\n' ' '; }

to=$out/bench plan=$out/plan.tsv
trace light 0.3
{ columns; run_of fig7a ours uniform 1 replay; run_of fig7a study uniform 1 study '--chip tiny'; } > "$plan"
trace full 1
run_of fig7a ours heavytail 1 replay '--move-period 0' >> "$plan"
run_of principles recirculation heavytail 1 recirculate >> "$plan"
flows='' program=sw/programs/sequencer.dom packets=3000
run_of fig8-programs sequencer bimodal 1 run '--seed 4' >> "$plan"
it 'all runs have a result' 'bench && same "$(wc -l < "$to/results.jsonl")" 5'
it 'a goal that is reached' 'has "$to.out" "^reached fig7a uniform 2 x1: "'
it 'that of a program' 'has "$to.out" "^reached fig8-programs bimodal 2 x1: "'
it 'a goal that is missed' 'has "$to.out" "^missed  fig7a heavytail 2 x1: "'
it 'one line a run' 'same "$(awk -F, "NR > 1 { print \$2, \$3, \$8 }" "$to/fig7a.csv" | sort | tr "\n" ";")" \
  "ours heavytail EQUIVALENT;ours uniform EQUIVALENT;study uniform STUDY;"'
it 'the table has what the run said' 'is "$(awk -F, "\$2 == \"ours\" && \$3 == \"uniform\" { print \$7 }" "$to/results.csv") == \
  $(jq "select(.id == \"fig7a-ours-uniform\").result.as_published.less_constant_latency" "$to/results.jsonl")"'
it 'that of the first access too late when packets come in again' 'is "$(awk -F, "\$1 == \"principles\" { print \$10 }" "$to/results.csv") == \
  $(jq "select(.figure == \"principles\").result.recirculation.c1_late_share" "$to/results.jsonl")"'
it 'chip and study agree' 'is "($(awk -F, "\$3 == \"uniform\" { print s \$7; s = \" - \" }" "$to/results.csv" | tr -d "\n")) ^ 2 < 0.01 ^ 2"'
it 'the page has plot and table' 'has "$to/report.html" "<svg" && has "$to/report.html" "<td>heavytail</td>" && has "$to/report.html" "^missed "'

jq -c 'select(.pattern == "heavytail" and .figure == "fig7a" | not)' "$to/results.jsonl" > "$out/kept" && cp "$out/kept" "$to/results.jsonl"
it 'what has a result is not run again' 'bench && has "$to.out" "5 runs, 4 have results, 1 to do" && long=$(wc -c < "$out/kept") && cmp -n "$long" "$out/kept" "$to/results.jsonl"'

trace full 1
# A study, then a run that takes minutes.
to=$out/stopped plan=$out/stopped.tsv
{ columns; run_of fig7a study uniform 1 study '--chip tiny'; run_of fig7a ours heavytail 1000 replay; } > "$plan"
"$SLUICE" bench --plan "$plan" --traces "$out/none" --progress 1 --jobs 2 --out "$to" > "$to.out" 2>&1 < /dev/null & work=$!
await 90 [ -s "$to/results.jsonl" ]
at_work() { grep -ls "$to/[w]ork.*job.json" /proc/[0-9]*/cmdline > "$out/there"; }
await 90 at_work
it 'the long run is under way' '[ -s "$out/there" ]'
kill "$work"
wait "$work"; code=$?
it 'SIGTERM ends it' 'same "$code" 143 && has "$to.out" "the same command goes on"'
it 'nothing of a run that was stopped' 'same "$(results)" "fig7a-study-uniform " && ! grep -l "$to/[w]ork" /proc/[0-9]*/cmdline 2> "$out/gone" && same "$(ls -A "$to/work")" ""'
sed -i 's/\t1000\treplay/\t2\treplay/' "$plan"
it 'and the same command goes on' 'bench && has "$to.out" "2 runs, 1 have results, 1 to do" && same "$(results)" "fig7a-ours-heavytail fig7a-study-uniform "'

to=$out/unbuilt plan=$out/unbuilt.tsv
{ columns; run_of fig7a ours uniform 1 study '--chip tiny'; run_of fig7a ours uniform 1 replay | sed 's/tiny/nonesuch/; s/^fig7a-ours/fig7a-none/'; } > "$plan"
it 'a chip that cannot be built is named, and no success' '! bench && has "$to.out" "^bench: no simulator of nonesuch"'
it 'and the other runs are made' 'has "$to.out" "2 runs, 0 have results, 1 to do" && same "$(results)" "fig7a-ours-uniform "'

to=$out/wrong plan=$out/wrong.tsv
{ columns; run_of fig7a ours uniform 1 replay '--fault lane_swap' | sed 's/tiny/tight/'; run_of fig7a study uniform 1 study '--chip nonesuch'; } > "$plan"
it 'a wrong run is no success' '! bench'
it 'the page is there' 'has "$to/report.html" "^wrong "'
it 'a verdict that must not be is named' 'has "$to.out" "^wrong   fig7a ours uniform 2 x1: DIFFERENT"'
it 'and reaches nothing' 'has "$to.out" "^missed  fig7a uniform .* DIFFERENT"'
it 'a run without a result is named' 'has "$to.out" "^fig7a-study-uniform: exit code 2"'
it 'and is in no table' 'same "$(awk -F, "{ print \$2 }" "$to/results.csv" | tr "\n" " ")" "series ours "'
finish
