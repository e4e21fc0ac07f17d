#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the results with reach.tsv: a line for each run that has a goal. Exit code 1 if one is missed.
# usage: reach.sh OUT
set -eu
awk -F '[\t,]' '
  FILENAME ~ /reach.tsv$/ { if ($0 !~ /^#/) { n++; for (i = 1; i <= 6; i++) goal[n, i] = $i }; next }
  FNR > 1 {
    for (g = 1; g <= n; g++) {
      match_all = $1 == goal[g, 1] && $2 == goal[g, 2] && $5 == goal[g, 5]
      match_all = match_all && (goal[g, 3] == "*" || $3 == goal[g, 3]) && (goal[g, 4] == "*" || $4 == goal[g, 4])
      if (!match_all) continue
      good = $7 + 0 >= goal[g, 6] + 0 && $8 == "EQUIVALENT"
      printf "%s %s %s %s x%s: %.4f (at least %s) %s\n", good ? "reached" : "missed ", $1, $3, $4, $5, $7, goal[g, 6], $8
      if (good) reached++; else missed++
    }
  }
  END { printf "%d reached, %d missed\n", reached, missed; exit missed > 0 }' sw/bench/reach.tsv "$1/results.csv"
