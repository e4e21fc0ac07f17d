#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every feature of the chip beside every other: random legal shapes that have, between them, each pair of features that a chip can have
# (pairs.c says which), each built and given random cases. RECORD has a line for each shape that passed: name, digest of its values, cases,
# packets, commit, day. A shape that stands there with today's values is not run again, so a run that is ended goes on; a shape that fails
# stays out of it. As TAP. docs/verification.md is printed from the record.
# Needs: build/helpers/pairs
# usage: pairs.sh [SHAPES [CASES [RECORD]]]    at most so many shapes that are not in the record (40, 6, tb/pairs.tsv)
#        pairs.sh page [RECORD]                writes the table into docs/verification.md
CHIP_RUN=${1:-}
. "$(dirname "$0")/lib"
need_helper pairs
page() {
  "$helper" table "$1" > "$out/table" || return 1
  awk -v table="$out/table" '
    /^<!-- pairs: begin/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
    /^<!-- pairs: end/ { skip = 0 }
    !skip { print }' docs/verification.md > "$out/page" && grep -q '^<!-- pairs: end' "$out/page" || { echo "pairs: the page has no place for the table" >&2; return 1; }
  cmp -s "$out/page" docs/verification.md || cp "$out/page" docs/verification.md
}
[ "${1:-}" != page ] || { page "${2:-tb/pairs.tsv}"; exit; }
[ -x "$SLUICE" ] || { echo "Bail out! no $SLUICE: make sluice"; exit 3; }
most=${1:-40} cases=${2:-6} record=${3:-tb/pairs.tsv}
touch "$record" || exit 3
"$helper" plan > "$out/plan" || { echo "Bail out! no plan"; exit 3; }
runs() { # SHAPE DIGEST
  nice make -s JOBS=1 "build/$1/sim" > "$out/build" 2>&1 || { tail -n 5 "$out/build" | sed 's/^/# /'; return 1; }
  timeout -k 10 1800 "$SLUICE" fuzz --chip "$1" --seed 1 --runs "$cases" --timeout 300 > "$out/fuzz" 2>&1 || { tail -n 5 "$out/fuzz" | sed 's/^/# /'; return 1; }
  packets=$(awk '$1 == "ok" { for (i = 1; i < NF; i++) if ($i == "packets") sum += $(i + 1) } END { print sum + 0 }' "$out/fuzz")
  awk -v shape="$1" '$1 != shape' "$record" > "$record.new"
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$cases" "$packets" "$(git log -1 --format=%h)" "$(date +%Y-%m-%d)" >> "$record.new"
  mv "$record.new" "$record"
}
left=$most
while read -r shape digest adds; do
  awk -v shape="$shape" -v digest="$digest" '$1 == shape && $2 == digest { found = 1 } END { exit !found }' "$record" && continue
  [ "$left" -gt 0 ] || break
  left=$((left - 1))
  it "$shape: $cases random cases; $adds pairs of features that no earlier shape has" "runs $shape $digest"
done < "$out/plan"
# Written apart: docs/shapes.md has the legal values of each parameter.
it "the page has every parameter that can be 0, and Banks, NumPorts and BeatBytes" '
  { awk -F "|" "\$3 ~ /^ 0 (to|or) / { print \$2 }" docs/shapes.md | tr -d " " | grep -v TestFaults; printf "\`%s\`\\n" Banks NumPorts BeatBytes; } | sort > "$out/legal"
  awk "/^<!-- pairs: begin/ { on = 1 } /^<!-- pairs: end/ { on = 0 } on" docs/verification.md | grep -o "\`[A-Za-z0-9]*\`" | sort > "$out/named"
  [ -s "$out/legal" ] && diff "$out/legal" "$out/named" | sed "s/^/# /"; cmp -s "$out/legal" "$out/named"'
it "the plan has at most 40 shapes" '[ "$(wc -l < "$out/plan")" -le 40 ]'
finish
