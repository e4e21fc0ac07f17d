#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The stories of all packets of random cases agree with the output capture, the report, the monitors, and from access to access with the
# state (stories.jq). Cases have banks, tables or capsules, if the chip has. A story with another value is noticed.
# usage: fuzz_stories.sh [RUNS SEED CHIP...]    (1 1 tiny banks tables capsules; RUNS of each chip)
. "$(dirname "$0")/lib"
runs=${1:-1} seed=${2:-1}
[ $# -ge 3 ] || set -- 0 0 tiny banks tables capsules
shift 2

# complaints DIR [FILTER]: what is wrong with the stories of a case, or with what FILTER makes of them. State that control packets may
# have changed under traffic, or that packets change without an order, is not followed.
complaints() {
  jq -s "${2:-.}" "$1/stories.json" | jq -r --argjson report "$(jq -c . "$1/report.json")" --slurpfile frames "$1/sent.json" \
    --argjson calm "$(jq '(has("updates") or has("marks_capture") or has("cuts") or (.settings.mode // 0) != 0) | not' "$1/job.json")" \
    "$(cat sw/tests/chip/stories.jq) way(\$report; \$frames[0]), (if \$calm then placed else empty end), probed, capsules"
}
for chip in "$@"; do
  need_chip "$chip"
  timeout -k 10 $((120 + 60 * runs)) "$SLUICE" fuzz --chip "$chip" --seed "$seed" --runs "$runs" --keep "$out/$chip" --stories > "$out/$chip.tap" 2>&1
  it "$chip: $runs cases, seed $seed" "same $? 0 && same \"\$(ls $out/$chip | wc -l)\" $runs"
  packets=0 accesses=0 instructions=0
  : > "$out/$chip.complaints"
  for dir in "$out/$chip"/*; do
    sh sw/tests/chip/sent "$dir/out.pcap" > "$dir/sent.json"
    complaints "$dir" > "$dir/complaints" 2>&1 || echo "jq ended with an error" >> "$dir/complaints"
    sed "s,^,$dir: ," "$dir/complaints" >> "$out/$chip.complaints"
    packets=$((packets + $(jq .packets "$dir/report.json")))
    accesses=$((accesses + $(jq -s '[.[].back[]? | select(has("cycle"))] | length' "$dir/stories.json")))
    instructions=$((instructions + $(jq -s '[.[].back[]? | select(.capsule)] | length' "$dir/stories.json")))
  done
  head -n 3 "$out/$chip.complaints" | cut -c 1-300 | sed 's/^/# /'
  it "$chip: the stories of $packets packets agree, with $accesses accesses to state and $instructions instructions of capsules" '[ ! -s "$out/$chip.complaints" ] && is "$packets > 0 && $accesses > 0"'
done
if [ -d "$out/tables" ]; then
  it 'stories say which engine gave an action' 'cat "$out"/tables/*/stories.json > "$out/tables.all" && for by in exact ternary cuckoo; do grep -q "\"by\":\"$by\",\"entry\":[0-9]" "$out/tables.all" || return 1; done'
fi

# mutant SENTENCE FILTER COMPLAINT: in one of the cases.
mutant() {
  it "a story with $1 is noticed" "for dir in '$out'/*/*/; do complaints \"\$dir\" '$2' 2> /dev/null | grep -q '$3' && return 0; done; return 1"
}
mutant 'an access that the monitors did not see' 'del(first(.[] | .back[]? | select(.cycle)) | .cycle)' 'saw no access'
mutant 'another value of state' '(.[] | .back[]? | select(.refused == false) | .before[0]) += 1' ' is .* was left as'
if [ -d "$out/capsules" ]; then
  mutant 'another instruction' '(first(.[] | .back[]? | select(.capsule)) | .capsule.bits) += 1' 'not in the packet'
  mutant 'another register' '(first(.[] | .back[]? | select(.capsule and .stage > 0)) | .capsule.mbr[0]) += 1' 'registers of stage'
  mutant 'another word of memory' '(first(.[] | .back[]? | select(.capsule and (.capsule.bits % 256 == 41) and .refused == false)) | .after[0]) += 1' 'memory instruction'
fi
finish
