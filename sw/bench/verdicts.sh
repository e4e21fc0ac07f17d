#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names the runs that did not end as their series must: EQUIVALENT on the chip; without phantoms the order is broken, and
# without the escape a run may get stuck (docs/modes.md). Exit code 1 if there is one. usage: verdicts.sh OUT
set -eu
awk -F, '
  NR == 1 || $8 == "EQUIVALENT" || $8 == "STUDY" { next }
  $2 == "no-phantoms" && $8 == "DIFFERENT" || $2 == "no-escape" && $8 == "STUCK" { next }
  { printf "wrong   %s %s %s %s x%s: %s\n", $1, $2, $3, $4, $5, $8; wrong++ }
  END { exit wrong > 0 }' "$1/results.csv"
