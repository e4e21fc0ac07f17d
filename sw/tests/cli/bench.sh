#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `sluice bench` without a chip: plans, results, what is damaged or fails, and a job array, with the study and a simulator that is a
# script. On simulated chips: sw/tests/chip/bench.sh. As TAP. usage: bench.sh [SLUICE]
here=$(cd "$(dirname "$0")" && pwd)
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
cp "$here/fake_sim.sh" sim && chmod +x sim
unset FAKE FAKE_JOB FAKE_PID VERILATOR
SLUICE_SIM=$dir/sim; export SLUICE_SIM
n=0 failed=0
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
same() { [ "$1" = "$2" ] && return 0; echo "# '$1' is not '$2'"; return 1; }
has() { grep -q -- "$2" "$1" && return 0; echo "# '$2' is not in $1:"; sed 's/^/# /' "$1"; return 1; }
# bench CODE OPTION...: exit code; what it printed in out.
bench() {
  want=$1; shift
  "$SLUICE" bench --out b --traces none --jobs 2 --progress 1000 "$@" > out 2>&1 < /dev/null
  got=$?
  [ $got -eq "$want" ] && return 0
  echo "# exit code $got, wanted $want"; sed 's/^/# /' out; return 1
}
ids() { jq -r .id b/results.jsonl | sort | tr '\n' ' '; }

mkdir t
"$SLUICE" gen --stress t --pipelines 2 --ports 4 --stages 2 --stateful 0,1 --entries 16 --cycles 200 --load 0.5 > files
flows=$(sed -n 1p files) packets=$(sed -n 2p files)
printf 'struct Packet { int o @ meta.port_out; };\nvoid one(struct Packet p) { p.o = 1; }\n' > one.dom
# Columns in another order than the command's own, and without those that no run needs.
{
  printf 'verb\tid\tfigure\tseries\tpattern\tparameter\tflows\tpackets\tchip\tprogram\toptions\n'
  printf 'study\ta\tfig7a\tstudy\tuniform\t2\t%s\t%s\t\t\t--chip tiny\n' "$flows" "$packets"
  printf 'study\tb\tfig7a\tstudy\tuniform\t16\t%s\t%s\t\t\t--chip tiny pace=1\n' "$flows" "$packets"
  printf 'run\tc\tprinciples\tours\tbimodal\t4\t\t9\tk4\tone.dom\t--seed 4\n'
} > plan
it 'runs of a plan with named columns have results, as JSON lines' 'bench 0 --plan plan && same "$(ids)" "a b c " &&
  jq -es "length == 3 and all(.result | type == \"object\") and all(.passes == 1)" b/results.jsonl > jqout'
it 'one table of all, sorted: a parameter of 16 stands behind one of 2' 'same "$(cut -d, -f1,2,4,8 b/results.csv | tail -n +2 | tr "\n" " ")" \
  "fig7a,study,2,STUDY fig7a,study,16,STUDY principles,ours,4,EQUIVALENT "'
it 'figures of the study, by their names' 'same "$(awk -F, "NR == 1 { for (i = 1; i <= NF; i++) if (\$i == \"less_constant_latency\") c = i } NR == 2 { print \$c }" b/results.csv)" \
  "$(jq "select(.id == \"a\").result.throughput_net" b/results.jsonl)"'
cp b/results.jsonl whole
it 'again: nothing to do' 'bench 0 --plan plan && has out "3 runs, 3 have results, 0 to do" && cmp b/results.jsonl whole'
it 'the plan comes from standard input as well' '"$SLUICE" bench --out b --traces none --plan - < plan > out 2>&1 && has out "3 have results"'
it 'what was written as the plan is one' 'bench 0 --plan b/plan.tsv && has out "3 have results"'
it 'a run that is changed in the plan is made again, the others are not' 'sed "s/pace=1/pace=2/" plan > plan2 && bench 0 --plan plan2 && has out "3 runs, 2 have results, 1 to do" &&
  same "$(wc -l < b/results.jsonl)" 4 && head -n 3 b/results.jsonl | cmp - whole'
it 'a result that was cut is told, and its run made again' 'head -c -9 whole > b/results.jsonl && bench 0 --plan plan && has out "1 lines are no results.*the first is line 3" &&
  has out "3 runs, 2 have results, 1 to do" && same "$(tail -n 1 b/results.jsonl | jq -r .id)" "$(tail -n 1 whole | jq -r .id)"'
it 'a result that is damaged, too' 'sed "2s/.*/{\"id\": \"a\", \"result\": 7}/" whole > b/results.jsonl && bench 0 --plan plan && has out "first is line 2" && has out "2 have results, 1 to do"'
it 'a line that is no JSON' '{ cat whole; echo "what is this"; } > b/results.jsonl && bench 0 --plan plan && has out "first is line 4" && has out "3 have results, 0 to do"'
it 'results of other plans are let be' 'head -n 2 plan > small && cp whole b/results.jsonl && bench 0 --plan small && has out "1 runs, 1 have results" && same "$(wc -l < b/results.csv)" 2 && cmp whole b/results.jsonl'

# Runs that fail.
rm -r b
sed 's/--chip tiny$/--chip nonesuch/' plan > bad
it 'a run that fails is named, and its log; the others have results' 'bench 1 --plan bad && has out "^a: exit code 2, see b/logs/a.log" && has b/logs/a.log "no chip .nonesuch." && same "$(ids)" "b c "'
it 'a simulator that dies' 'rm -r b; (export FAKE=dies; bench 1 --plan plan) && has out "^c: exit code 3" && has b/logs/c.log "chip is on fire" && same "$(ids)" "a b "'
it 'a run that says nothing ends with its time' 'rm -r b; (export FAKE=sleeps FAKE_PID=$dir/pid; bench 1 --plan plan --limit 1) && ! kill -0 "$(cat pid)" 2> gone && has out "^c: stopped after 1 s" && same "$(ids)" "a b "'
it 'and the next command makes what is missing' 'bench 0 --plan plan && has out "2 have results, 1 to do" && same "$(ids)" "a b c "'
it 'results that cannot be read' 'rm -r b; mkdir -p b/results.jsonl; bench 3 --plan small && has out "b/results.jsonl.: Is a directory"'
it 'tables only' 'rm -r b; bench 0 --plan plan --no-runs && [ ! -e b/results.jsonl ] && same "$(wc -l < b/results.csv)" 1'

# Plans that are none.
wrong() { it "$1" "printf '$2' > wrong; bench 3 --plan wrong && has out '$3'"; }
names='id\tfigure\tseries\tpattern\tparameter\tverb\tflows\tpackets\n'
wrong 'an empty plan' '' 'is empty: its first line names columns'
wrong 'a plan without runs' "$names" 'nothing to run'
wrong 'an unknown column' 'id\tcolour\n' "there is no column .colour."
wrong 'two columns of one name' 'id\tid\n' "two columns are called .id."
wrong 'a row that is too short' "${names}a\tb\n" 'line 2: 2 cells'
wrong 'an unknown verb' "${names}a\tb\tc\td\te\tplay\tf\tg\n" "line 2: verb .play. is none of"
wrong 'a verb without what it needs' "${names}a\tb\tc\td\te\treplay\tf\tg\n" "line 2: .replay. needs chip"
wrong 'an id that is the path of another file' "${names}../x\tb\tc\td\te\tstudy\tf\tg\n" "id .\.\./x. is no word"
wrong 'a name that would be part of the page' "${names}a\tb\t<b>\td\te\tstudy\tf\tg\n" "series .<b>. is no word"
wrong 'two runs of one id' "${names}a\tb\tc\td\te\tstudy\tf\tg\na\tb\tc\td\te\tstudy\tf\tg\n" "two runs have the id .a."
it 'a plan that is not there' 'bench 3 --plan nowhere && has out "cannot open .nowhere."'

# The evaluation's own plan: without published traces the stress runs and the programs.
it 'the plan of the evaluation' '"$SLUICE" bench --quick --traces none --out e --print-plan > own 2> err && has err "no published traces in .none." &&
  same "$(cut -f7 own | sort | uniq -c | tr -s " \n" " ")" " 3 replay 4 run 9 study 1 verb " && [ ! -e e/results.jsonl ] && [ -c /dev/null ]'

# A job array: sbatch is a script that runs the tasks one after the other.
mkdir bin
cat > bin/sbatch <<'SBATCH'
#!/bin/sh
echo "$@" > sbatch.words
for script; do :; done
last=$(sed -n 's/.*--array=1-\([0-9]*\) .*/\1/p' "$script")
for task in $(seq "${TASKS:-$last}"); do SLURM_ARRAY_TASK_ID=$task sh "$script" > "task.$task" 2>&1 || code=1; done
exit ${code:-0}
SBATCH
chmod +x bin/sbatch
it 'a job array: each task makes one run, and all results are taken' 'rm -rf b; PATH=$dir/bin:$PATH bench 0 --plan plan --slurm --sbatch-options "--partition x" && same "$(ids)" "a b c " &&
  same "$(cat sbatch.words)" "--wait --partition x b/array.sh" && has task.3 "3 to do\|1 to do" && same "$(ls b/tasks)" "" && same "$(wc -l < b/results.csv)" 4'
it 'what an array leaves when its command is gone is taken by the next one' 'rm -rf b; PATH=$dir/bin:$PATH TASKS=2 bench 0 --plan plan --slurm && cp b/results.jsonl two && rm b/results.jsonl && mkdir -p b/tasks && cp two b/tasks/1.jsonl &&
  bench 0 --plan plan && has out "3 runs, 2 have results, 1 to do" && same "$(ids)" "a b c "'
it 'a task that fails' 'rm -rf b; PATH=$dir/bin:$PATH bench 1 --plan bad --slurm && has out "sbatch ended with code 1" && same "$(ids)" "b c "'
it 'no sbatch' 'rm -rf b; (PATH=$dir/none; bench 1 --plan plan --slurm > said); has out "there is no sbatch here"'
it 'a task that the plan does not have' 'bench 2 --plan plan --task 9 && has out "the plan has 3 runs"'
it 'no arguments' 'bench 2 quick && has out "takes no argument"'
echo "1..$n"
exit $((failed > 0))
