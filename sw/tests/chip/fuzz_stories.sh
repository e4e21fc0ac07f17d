#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The stories of all packets of random cases agree with the output capture, the report, the monitors, and from access to access with the
# state (stories.jq). Cases have banks, tables, capsules, arrays or packets that go through the chip again, if the chip has. A story with
# another value is noticed.
# usage: fuzz_stories.sh [RUNS SEED CHIP...]    (1 1 tiny banks tables capsules arrays egress fast2; RUNS of each chip)
# Needs: build/helpers/view_read
. "$(dirname "$0")/lib"
need_helper view_read
runs=${1:-1} seed=${2:-1}
[ $# -ge 3 ] || set -- 0 0 tiny banks tables capsules arrays egress fast2
shift 2

# complaints DIR FILTER [MORE]: what is wrong with what FILTER makes of the stories of a case; MORE is a further output. State that control
# packets may have changed under traffic, or that packets change without an order, is not followed. (Without marks control packets under
# traffic change entries of tables alone.)
complaints() {
  jq -rs --arg marked "$marked" --slurpfile report "$1/report.json" --slurpfile frames "$1/sent.json" --slurpfile job "$1/job.json" "$(cat sw/tests/chip/stories.jq)
    (\$job[0] | (has(\"updates\") or has(\"cuts\") or (.settings.mode // 0) != 0
      or (has(\"marks_capture\") and (.config | IN(\$marked | split(\" \")[])) and \$report[0].marks.played != 0)) | not) as \$calm
    | ($2) | way(\$report[0]; \$frames[0]), (if \$calm then placed else empty end), wires, lanes, probed, capsules, keys_told, passes, ${3:-empty}" "$1/stories.json"
}
# Of a case, behind "=": packets, accesses to state, rows of words, instructions of capsules, passes that are not the first, copies at the
# egress.
figures='"= \($report[0].packets) \([.[].back[]? | select(has("cycle"))] | length) \([.[].back[]? | select(.words)] | length) \([.[].back[]?
  | select(.capsule)] | length) \([.[] | select(.round)] | length) \([.[].egress[]?] | length)"'
marked=
for chip in "$@"; do
  need_chip "$chip"
  constants "$chip"
  [ "$Marks" -eq 0 ] || marked="$marked $chip"
  timeout -k 10 $((120 + 60 * runs)) "$SLUICE" fuzz --chip "$chip" --seed "$seed" --runs "$runs" --keep "$out/$chip" --stories > "$out/$chip.tap" 2>&1
  it "$chip: $runs cases, seed $seed" "same $? 0 && same \"\$(ls $out/$chip | wc -l)\" $runs"
  for dir in "$out/$chip"/*; do
    sh sw/tests/chip/sent "$dir/out.pcap" > "$dir/sent.json"
    complaints "$dir" . "$figures" 2>&1 || echo "jq ended with an error"
  done > "$out/$chip.said"
  set -- $(awk '/^= / { for (i = 2; i <= NF; i++) n[i] += $i } END { for (i = 2; i < 8; i++) print n[i] + 0 }' "$out/$chip.said")
  grep -v '^= ' "$out/$chip.said" > "$out/$chip.complaints"
  head -n 3 "$out/$chip.complaints" | cut -c 1-300 | sed 's/^/# /'
  it "$chip: the stories of $1 packets agree: $2 accesses to state, $3 to rows, $4 instructions of capsules, $5 passes that are not the first, $6 copies at the egress" \
    '[ ! -s "$out/$chip.complaints" ] && is "'"$1 > 0 && $2"' > 0"'
done
if [ -d "$out/tables" ]; then
  it 'stories say which engine gave an action' 'cat "$out"/tables/*/stories.json > "$out/tables.all" && for by in exact ternary cuckoo; do grep -q "\"by\":\"$by\",\"entry\":[0-9]" "$out/tables.all" || return 1; done'
fi

# mutant SENTENCE FILTER COMPLAINT [CHIP]: in one of the cases, of all chips or of one.
mutant() {
  it "a story with $1 is noticed" "for dir in '$out'/${4:-*}/*/; do complaints \"\$dir\" '$2' 2> /dev/null | grep -q '$3' && return 0; done; return 1"
}
mutant 'an access that the monitors did not see' 'del(first(.[] | .back[]? | select(.cycle)) | .cycle)' 'saw no access'
mutant 'another value of state' '(.[] | .back[]? | select(.refused == false) | .before[0]) += 1' ' is .* was left as'
if [ -d "$out/arrays" ]; then
  for stories in "$out"/arrays/*/stories.json; do "$SLUICE" trace --read "$stories"; done > "$out/keys.told"
  it 'the text of stories tells what keys found' "has '$out/keys.told' '^  array match    word [0-9]*: key [0-9]*, entry [0-9]* -> [0-9]*$' && has '$out/keys.told' '^                 word [0-9]*: key [0-9]*, no entry'"
  mutant 'another key' '(.[] | .keys[]? | .key) += 1' 'is not in the packet'
  mutant 'a key that becomes something without an entry' '(.[] | .keys[]? | select(has("entry") | not) | .becomes) |= 1234567' 'has no entry and becomes'
  mutant 'another word of a row' '(.[] | .back[]? | select(.words and .refused == false) | .words.before[0]) += 1' 'row of .* was left as'
fi
if grep -q '"round"' "$out"/*/*/stories.json; then
  stories=$(grep -l '"round"' "$out"/*/*/stories.json | head -n 1)
  "$SLUICE" trace --read "$stories" > "$out/told" && "$SLUICE" trace --read "$stories" --view "$out/page.html"
  it 'all passes of a packet are told one after the other' "has '$out/told' '^packet [0-9]* again, round 1: ' && awk '/^packet/ { sub(/:/, \"\", \$2); if (/again/ && \$2 != last) exit 1; last = \$2 }' '$out/told'"
  it 'a page has all passes, with the same texts' "'$helper' '$out/page.html' | cmp - '$out/told'"
  mutant 'a pass that is not told' 'del(first(.[] | select(.round)))' 'not one story for each packet and pass'
  mutant 'a pass with another header' '(first(.[] | select(.round)) | .in.frame) |= "ff" + .[2:]' 'begins with another header'
fi
if [ -d "$out/egress" ]; then
  mutant 'another wait of a copy' '(first(.[] | .egress[]?) | .delay) += 1' 'do not belong together'
  mutant 'another state of a lane' '(.[] | .egress[]? | .stages[] | select(.refused == false) | .before[0]) += 1' 'egress stage .* was left as'
  mutant 'another header of a copy' '(first(.[] | .egress[]? | select(.header)) | .header) |= "zz" + .[2:]' 'the reference has another header'
fi
if [ -d "$out/fast2" ]; then
  mutant 'two tickets of a wire exchanged' '(first(.[] | select(.order.ticket) | .order.ticket) as $t | (.[] | select(.order.ticket) | .order.ticket) |= if . == $t then $t + 2 elif . == $t + 2 then $t else . end)' 'not in the order of the wire' fast2
  mutant 'a lane of another port' '(first(.[] | select(.in.port == 0)) | .in.lane) |= 3' 'are those of another port' fast2
  mutant 'another packet before it on the wire' '(first(.[] | select(.order.wire_behind)) | .order.wire_behind) += 1' 'is before it on the wire' fast2
  mutant 'a copy that leaves too late' '(first(.[] | select(.out[0]) | .out[0].first_cycle)) += 1000' 'copies do not leave in the order' fast2
  for stories in "$out"/fast2/*/stories.json; do "$SLUICE" trace --read "$stories"; done > "$out/fast.told"
  it 'the text of stories tells of wire and lane' "has '$out/fast.told' '^  arrives        cycle [0-9]*, on the wire of port [01] (first beat in cycle [0-9]*, stream [0-3])$' &&
    has '$out/fast.told' '^                 dealt to lane [0-3], whole there in cycle [0-9]*' && has '$out/fast.told' '^                 waited [0-9]* cycles* in its lane for packet [0-9]*, before it on the wire$' &&
    has '$out/fast.told' '^  leaves         port [01], from stream [0-3] on, cycle'"
fi
if [ -d "$out/capsules" ]; then
  mutant 'another instruction' '(first(.[] | .back[]? | select(.capsule)) | .capsule.bits) += 1' 'not in the packet'
  mutant 'another register' '(first(.[] | .back[]? | select(.capsule and .stage > 0)) | .capsule.mbr[0]) += 1' 'registers of stage'
  # Few cases have no capsule that executes something in a further pass.
  [ "$runs" -lt 20 ] || mutant 'another register behind a pass' '(.[] | select(.round) | .back[0].capsule | select(.) | .mar[0]) += 1' 'begins with other registers'
  mutant 'another word of memory' '(first(.[] | .back[]? | select(.capsule and (.capsule.bits % 256 == 41) and .refused == false)) | .after[0]) += 1' 'memory instruction'
fi
finish
