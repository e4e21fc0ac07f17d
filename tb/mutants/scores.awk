# SPDX-License-Identifier: Apache-2.0
# The table of the runs of tb/mutants/c, or of tb/mutants/run. Input: scores.tsv, rtl.tsv: FOLDER SEED RUN KILLED EQUAL SURVIVED SOME COMMIT DAY; `some` says
# what SOME counts (without it: those of the survivors that stand on a line that no test executes).
# The score is what was noticed of those that are not equal.
function row(name, seed, run, killed, equal, survived, unreached, at) {
  printf "| %s | %s | %d | %d | %d | %d | %d | %.1f %% | %s |\n", name, seed, run, killed, equal, survived, unreached, (run > equal) ? 100 * killed / (run - equal) : 0, at
}
BEGIN { print "| folder | seed | mutants | noticed | equal | survived | " (some ? some : "of these on a line that no test executes") " | score | run at |\n|---|---:|---:|---:|---:|---:|---:|---:|---|" }
{ row("`" $1 "`", $2, $3, $4, $5, $6, $7, "`" $8 "`, " $9); for (i = 3; i <= 7; i++) sum[i] += $i }
END { row("all", "", sum[3], sum[4], sum[5], sum[6], sum[7], "") }
