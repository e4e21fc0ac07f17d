#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Soak: random cases of a shape on which everything is on, one after the other, as long as there is time: programs that are updated, banks
# that flip, cuts, marks, capsules, tables that change; each case from reset and with random bits in all registers; in one of twenty turns
# random writes of all registers under traffic, too (registers.sh). A case has SOAK_TIMES (10) times the traffic of `sluice fuzz`:
# `sluice fuzz --times 10 --exact --seed N --runs 1` plays it again. RECORD has a line for each shape:
# shape, next seed, cases, packets, admitted, accesses, entries compared, control packets, updates, flips, marks, cuts, commit, day. It is
# written behind each case, so a run that is ended goes on with the next case. A case that differs is made smaller and kept
# (build/soak/SHAPE), and is the first one of the next run. As TAP.
# Needs: build/sluice, s2
# usage: soak.sh [SHAPE [SECONDS [RECORD]]]     (s2, 600, tb/soak.tsv)
#        soak.sh page [RECORD]                  writes the counters into docs/verification.md
set -u
cd "$(dirname "$0")/../../.." || exit 3
page() {
  awk -v record="$1" -F '\t' '
    /^<!-- soak: begin/ {
      print; print "| shape | cases | packets | accesses | updates | flips | marks | cuts | last at |\n|---|---:|---:|---:|---:|---:|---:|---:|---|"
      while ((getline line < record) > 0) { split(line, f, "\t"); if (line !~ /^#/) print "| `" f[1] "` | " f[3] " | " f[4] " | " f[6] " | " f[9] " | " f[10] " | " f[11] " | " f[12] " | " f[13] ", " f[14] " |" }
      skip = 1; next }
    /^<!-- soak: end/ { skip = 0 }
    !skip { print }' docs/verification.md > build/soak.page && grep -q '^<!-- soak: end' build/soak.page || { echo "soak: the page has no place for it" >&2; exit 3; }
  cmp -s build/soak.page docs/verification.md || cp build/soak.page docs/verification.md
}
[ "${1:-}" != page ] || { page "${2:-tb/soak.tsv}"; exit; }
shape=${1:-s2} seconds=${2:-600} record=${3:-tb/soak.tsv} sluice=${SLUICE:-build/sluice}
case $seconds in '' | *[!0-9]*) echo "soak: SECONDS is a number: soak.sh s2 600" >&2; exit 2 ;; esac
[ -x "$sluice" ] || { echo "Bail out! no $sluice: make sluice"; exit 3; }
mkdir -p build/soak; touch "$record" || exit 3
# A case of usual length is mostly its configuration.
times=${SOAK_TIMES:-10}
# One turn in so many.
every=${SOAK_EVERY:-20}
field() { awk -F '\t' -v shape="$shape" -v n="$1" '$1 == shape { print $n }' "$record"; }
end=$(($(date +%s) + seconds)) n=0 failed=0
seed=$(field 2); seed=${seed:-1}
while [ "$(date +%s)" -lt $end ]; do
  log=build/soak/$shape.txt
  "$sluice" fuzz --chip "$shape" --seed "$seed" --exact --runs 1 --times "$times" --keep build/soak/"$shape" --timeout 900 > "$log" 2>&1; code=$?
  n=$((n + 1))
  if [ $code -ne 0 ]; then
    failed=1; echo "not ok $n - $shape seed $seed"; sed 's/^/# /' "$log" | head -n 12
    break
  fi
  if [ $((seed % every)) -eq 0 ] && [ -z "${SOAK_CASES_ONLY:-}" ]; then
    sh sw/tests/chip/registers.sh 300 "$shape" > "$log.registers" 2>&1 || { failed=1; echo "not ok $n - $shape: registers"; grep '^not' "$log.registers" | sed 's/^/# /'; break; }
  fi
  rm -rf build/soak/"$shape"
  awk -v shape="$shape" -v seed="$seed" -v commit="$(git log -1 --format=%h)" -v day="$(date +%Y-%m-%d)" -v OFS='\t' '
    function number(name,   v) { v = match($0, name " [0-9]+") ? substr($0, RSTART, RLENGTH) : 0; sub(/.* /, "", v); return v }
    NR == FNR {
      if (/^ok /) { packets = number("packets"); admitted = number("admitted"); ops = number("ops"); entries = number("entries"); control = number("control"); ok = 1 }
      if (ok && !done && /^#   updates/) { updates = number("updates"); flips = number("flips") }
      if (ok && !done && /^#   marks/) marks = number("marks")
      if (ok && !done && /^#   cuts/) cuts = number("cuts")
      if (/^# [0-9]+ passed/) done = 1
      next }
    { split($0, f, "\t"); if (f[1] != shape) print; else for (i = 3; i <= 12; i++) was[i] = f[i] }
    END { print shape, seed + 1, was[3] + 1, was[4] + packets, was[5] + admitted, was[6] + ops, was[7] + entries, was[8] + control,
      was[9] + updates, was[10] + flips, was[11] + marks, was[12] + cuts, commit, day }' "$log" "$record" > "$record.new" && mv "$record.new" "$record" || exit 3
  seed=$((seed + 1))
done
[ $failed -ne 0 ] || echo "ok 1 - $shape: $n cases; of all runs $(field 3) cases, $(field 4) packets: EQUIVALENT"
echo "1..$((failed ? n : 1))"
exit $failed
