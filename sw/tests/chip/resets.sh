#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The chip is reset at random moments: while it sweeps its memories, is configured, or has packets inside. Behind each reset it must
# be as new: the run begins again with monitors that know nothing of before (sw/session/batch.h), and ends EQUIVALENT. Two programs whose
# indices move; registers are written at random meanwhile, too; and random cases of the fuzzer, with all that they change under
# traffic. A chip that is not reset although the run begins again is found.
# Needs: tight
# usage: resets.sh [SECONDS [CHIP [RECORD]]]      (every day: a few on tight)
#   SECONDS: random cases of CHIP (s2), one behind the other, as long as there is time. RECORD (tb/resets.tsv) has a line a chip, so a run
#   that is ended goes on: chip, next seed, cases, resets, resets with packets inside, packets behind the last reset, commit, day.
CHIP_RUN=${1:+$1}${2:+-$2}
. "$(dirname "$0")/lib"
seconds=${1:-0} chip=${2:-tight} record=${3:-tb/resets.tsv}
[ "$seconds" = 0 ] || chip=${2:-s2}
need_chip "$chip"

# play JOB NAME FILTER: the job with what FILTER adds to it.
play() {
  report=$out/$2.json errors=$out/$2.err
  jq --arg report "$report" "(.report = \$report) | $3" "$1" > "$out/$2-job.json" && timeout -k 10 900 "build/$chip/sim" "+job=$out/$2-job.json" > "$errors" 2>&1
  code=$?
}
# The case of a seed: its job.
make_case() {
  rm -rf "$out/cases"
  "$SLUICE" fuzz --chip "$chip" --seed "$1" --exact --runs 1 --no-shrink --keep "$out/cases" --timeout 900 > "$out/case.txt" 2>&1
  job=$(ls "$out"/cases/*/job.json 2> "$out/none")
  [ -n "$job" ]
}

if [ "$seconds" != 0 ]; then
  touch "$record" || exit 3
  field() { awk -F '\t' -v chip="$chip" -v n="$1" '$1 == chip { print $n }' "$record"; }
  end=$(($(date +%s) + seconds)) seed=$(field 2); seed=${seed:-1}
  while [ "$(date +%s)" -lt $end ]; do
    it "$chip, seed $seed: its case is made" make_case "$seed"
    [ -n "$job" ] || break
    play "$job" "$seed" '.resets = 6 | .writes = 20 | .check_counters = false'
    it "$chip, seed $seed: EQUIVALENT behind the last reset" ends 0 EQUIVALENT
    [ $failed -eq 0 ] || break
    awk -F '\t' -v OFS='\t' -v chip="$chip" -v seed="$seed" -v resets="$(value resets.resets)" -v loaded="$(value resets.loaded)" \
      -v packets="$(value packets)" -v commit="$(git log -1 --format=%h)" -v day="$(date +%Y-%m-%d)" '
      $1 != chip { print; next }
      { for (i = 3; i <= 6; i++) was[i] = $i }
      END { print chip, seed + 1, was[3] + 1, was[4] + resets, was[5] + loaded, was[6] + packets, commit, day }' "$record" > "$record.new" &&
      mv "$record.new" "$record" || exit 3
    seed=$((seed + 1))
  done
  note "$chip, of all runs: $(field 3) cases, $(field 4) resets, $(field 5) of them with packets inside"
  finish
fi

cat > "$out/one.dom" <<'EOT'
struct Packet { int o @ meta.port_out; int d @ udp.dport; int i; };
int count[64] = {0};
int all = 3;
void one(struct Packet p) {
  p.i = p.d & 63;
  count[p.i] = count[p.i] + 1;
  all = all + 1;
  p.o = p.d & 3;
}
EOT
sed 's/one/two/; s/count/sums/g; s/all/most/g; s/+ 1;/+ p.i;/' "$out/one.dom" > "$out/two.dom"
run_chip base -m "$out/one.dom:5" -m "$out/two.dom:6" --packets 1500 --size 64 --mix uniform --flows 300 --move-period 64
it "two programs without a reset: EQUIVALENT" equivalent
job=$(ls "$out"/base.work/*-job.json)
play "$job" plain '.resets = 8'
it "eight resets: EQUIVALENT behind the last" equivalent
it "most of them come while packets are inside" 'is "$(value resets.resets) == 8 && $(value resets.loaded) >= 4 && $(value resets.inside) > 50"'
note "$(value resets.loaded) of $(value resets.resets) resets with packets inside, $(value resets.inside) in all"
play "$job" writes '.resets = 6 | .writes = 40 | .check_counters = false'
it "six resets, and registers written at random: EQUIVALENT" equivalent
play "$job" broken '.resets = 4 | .resets_break = true'
it "a chip that is not reset is found" 'is "$(value differences) > 0"'
note "$(value first_difference.text)"
for seed in 1 2; do
  it "case $seed of the fuzzer is made" make_case $seed
  play "$job" "case$seed" '.resets = 5'
  it "case $seed of the fuzzer, five resets: EQUIVALENT" ends 0 EQUIVALENT
done
finish
