#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The evaluation: simulators, stress traces, all runs of the plan, then CSV, plots and report.html in OUT.
# Resumable: runs that have a result are not repeated. usage: bench.sh full|quick OUT (from the project's root)
#   TRACES=FOLDER  MP5's published traces (../shared/traces/mp5)   JOBS=N  runs at once (all cores)   LIMIT=S  bound of a run (1800)
#   PROGRESS=S     seconds between two lines of progress (20)
#   PLAN=FILE      these runs (lines as plan.sh prints them) in place of the plan
#   SLURM=1        runs as a Slurm job array (folder shared by the nodes), options for sbatch in SBATCH_OPTIONS
set -eu
scope=$1 out=$2
traces=${TRACES:-../shared/traces/mp5} jobs=${JOBS:-$(nproc)} limit=${LIMIT:-1800}
here=sw/bench
[ -n "${PLAN:-}" ] || [ -d "$traces/pipelines" ] || {
  echo "bench: no published traces in '$traces': give their folder with TRACES=FOLDER (they are not part of Sluice);"
  echo "       the stress traces, which are made here, run without them"
}
mkdir -p "$out"
if [ -n "${PLAN:-}" ]; then
  cp "$PLAN" "$out/plan.tsv"
else
  sh $here/stress.sh "$out/stress" "${SEED:-1}"
  sh $here/plan.sh "$scope" "$traces" "$out/stress" >"$out/plan.tsv"
fi
[ -s "$out/plan.tsv" ] || { echo "bench: nothing to run"; exit 1; }
failed=0
chips=$(awk -F '\t' '$7 != "study" {print $8}' "$out/plan.tsv" | sort -u)
# Two at once: Verilator keeps one processor busy, the compiler of another simulator the rest. What fails beside another one has
# a second chance alone; a simulator that this machine cannot build (b16 takes 16 GB) costs its own runs only.
# shellcheck disable=SC2046
[ "$jobs" = 1 ] || make --no-print-directory -k -j 2 JOBS="$jobs" $(printf 'build/%s/sim ' $chips) || true
: >"$out/unbuilt"
for c in $chips; do
  make --no-print-directory JOBS="$jobs" "build/$c/sim" && continue
  echo "bench: no simulator of $c: its runs are left out"
  echo "$c" >>"$out/unbuilt"
  failed=1
done

total=$(wc -l <"$out/plan.tsv")
todo=$out/todo.tsv
awk -F '\t' 'FILENAME == ARGV[1] { gone[$1]; next } $7 == "study" || !($8 in gone)' "$out/unbuilt" "$out/plan.tsv" |
  while IFS= read -r line; do [ -s "$out/runs/${line%%	*}.json" ] || printf '%s\n' "$line"; done >"$todo"
left=$(wc -l <"$todo")
without=$(awk -F '\t' 'FILENAME == ARGV[1] { gone[$1]; next } $7 != "study" && $8 in gone { n++ } END { print n + 0 }' "$out/unbuilt" "$out/plan.tsv")
echo "bench: $total runs, $((total - left - without)) have results, $left to do, $jobs at once"
if [ "${SLURM:-0}" = 1 ] && [ "$left" -gt 0 ]; then
  sh $here/slurm.sh "$out" "$limit" || failed=1
elif [ "$left" -gt 0 ]; then
  parallel --will-cite -j "$jobs" --joblog "$out/jobs.log" sh $here/job.sh "$out" "$limit" <"$todo" 2>"$out/failed.log" &
  runs=$!
  # The second signal ends the runs that are under way; they leave no result.
  trap '{ kill $runs; sleep 1; kill $runs; wait $runs; } 2>/dev/null || true; echo "bench: stopped; the same command goes on from here"; exit 130' INT TERM
  start=$(date +%s)
  while kill -0 $runs 2>/dev/null; do
    sleep "${PROGRESS:-20}"
    n=$(($(wc -l <"$out/jobs.log" 2>/dev/null || echo 1) - 1)) spent=$(($(date +%s) - start))
    # Time left: as if the rest took as long a run as those that are done.
    [ $n -lt 1 ] || printf 'bench: %d of %d runs, %d s, about %d s left\n' "$n" "$left" $spent $((spent * (left - n) / n))
  done
  wait $runs || { failed=1; cat "$out/failed.log"; }
  trap - INT TERM
fi
if [ "$scope" = full ] && [ ! -s "$out/speed.csv" ] && [ -d "$traces/pipelines" ]; then
  n=64_4_16_4_512_64
  sh $here/speed.sh "$out" "$traces/pipelines/flows_$n.csv" "$traces/pipelines/uniform_$n.csv" || failed=1
fi
sh $here/collect.sh "$out"
sh $here/banks.sh "$out"
sh $here/steps.sh "$out" "$traces"
sh $here/plots.sh "$out" "$traces"
sh $here/report.sh "$out" "$traces" >"$out/report.html"
echo "bench: $out/report.html, $out/*.csv, $out/*.svg"
awk -F, 'NR > 1 { n[$8]++ } END { for (v in n) printf "%s %d\n", v, n[v] }' "$out/results.csv" | sort | sed 's/^/bench: runs /'
sh $here/reach.sh "$out" || true
sh $here/verdicts.sh "$out" || failed=1
exit $failed
