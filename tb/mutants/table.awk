# SPDX-License-Identifier: Apache-2.0
# The table of a run of mutants, by kind. Input: a line a mutant (tb/mutants/run). Exit code 1: some survived.
{
  kind = $6; all[kind]++; of[kind, $2]++; total++; sum[$2]++; who = $3; sub(/[\/ ].*/, "", who)
  if ($2 == "killed") { if (!by[who]++) names[++num_names] = who }
}
END {
  printf "%-8s %8s %8s %8s %8s\n", "kind", "mutants", "killed", "equal", "survived"
  num = split("reset sum const logic rel eq swap branch", order, " ")
  for (i = 1; i <= num; i++) { k = order[i]; if (all[k]) printf "%-8s %8d %8d %8d %8d\n", k, all[k], of[k, "killed"], of[k, "equal"], of[k, "survived"] }
  printf "%-8s %8d %8d %8d %8d\n", "all", total, sum["killed"], sum["equal"], sum["survived"]
  printf "noticed by"
  for (i = 1; i <= num_names; i++) printf "%s %s %d", (i > 1 ? "," : ""), names[i], by[names[i]]
  printf " (seed %s)\n", seed
  exit sum["survived"] > 0
}
