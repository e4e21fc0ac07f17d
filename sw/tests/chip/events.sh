#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the monitors are told, kept as a text, gives the same verdict without a chip (sluice check): of runs, of faults of the chip, made
# smaller, with the other reference; and a mutant of each kind of event is noticed. As TAP.
# Needs: tiny tight capsules react
. "$(dirname "$0")/lib"
chip=tiny; need_chip tiny
# check FILE OPTION...: code and $out/check.
check() { timeout 300 "$SLUICE" check "$@" > "$out/check" 2> "$out/check.err"; code=$?; }
says() { grep -qF -- "$1" "$out/check" "$out/check.err" && return 0; echo "# '$1' is not in:"; sed 's/^/# /' "$out/check" "$out/check.err"; return 1; }

run_chip flow sw/programs/sequencer.dom --packets 500 --events "$out/flow.events"
it 'a run keeps its events' '[ $code -eq 0 ] && [ "$(head -n 1 "$out/flow.events")" = "sluice events 1" ] && [ "$(tail -n 1 "$out/flow.events")" = finish ]'
check "$out/flow.events"
it 'the same verdict without a chip' '[ $code -eq 0 ] && says EQUIVALENT'
it '  and the same numbers' 'says "packets $(value packets), admitted $(value admitted), left $(value left)," && says "copies $(value copies)," && says "accesses $(value state_ops), state entries $(value state_entries_compared),"'
check --oracle spec "$out/flow.events"; it '  by the other reference, too' '[ $code -eq 0 ] && says EQUIVALENT'
"$SLUICE" check - < "$out/flow.events" > "$out/check"; it '  from standard input' 'says EQUIVALENT'
head -n 3000 "$out/flow.events" > "$out/cut.events"; check "$out/cut.events"
it 'a recording that ends too early is none' '[ $code -eq 3 ] && says "no line '"'finish'"'"'
grep -E '^(sluice|chip|layout|finish)' "$out/flow.events" > "$out/none.events"; check "$out/none.events"
it 'one without a packet is untested' '[ $code -eq 4 ] && says UNTESTED'

# What is no event is refused, with the number of its line, and the checker survives it.
bad() { awk -v line="$1" -v to="$2" 'NR == line { print to; next } 1' "$out/flow.events" > "$out/bad.events"; check "$out/bad.events"; [ $code -eq 3 ] && says "$3"; }
it 'refused: another version' 'bad 1 "sluice events 2" "line 1: no events"'
it 'refused: an unknown chip' 'bad 2 "chip none" "line 2: there is no chip"'
it 'refused: other layouts' 'bad 3 "layout 0x00000001" "line 3: it was recorded with other layouts"'
it 'refused: an unknown event' 'bad 9 "packet 1" "line 9: no event"'
for line in 'lane 5 4 0' 'lane 5' 'lane 5 0 32' 'lane 5 0 0 0' 'lane x 0 0' 'rx 1 0 0 1 1 0 0xff 00' 'rx 1 99 0 1 1 0 0xff 00' 'state 5 99 0 0 0 0' 'control 5 0g' \
  'idle 5 99999999999 0x0' 'inside 1 2 7 0x1' 'exit 4 0 0 1 0x0' 'bank 4 7' 'state_row 0 0 0 ff' 'keys 0 - -' 'cycle 999999999999999' 'order 1 0 0 99999'; do
  it "refused: $line" 'bad 60 "$line" "line 60: "'
done
it 'refused: events behind the end' 'echo "cycle 1" | cat "$out/flow.events" - > "$out/bad.events"; check "$out/bad.events"; [ $code -eq 3 ] && says "behind"'

# Faults of the chip: the case that the fuzzer keeps says the same, and becomes small. Whether a packet meets the fault in a case is a
# matter of cycles, so the first of four in which one does is taken.
for fault in BANK_LATE LANE_SWAP; do
  for seed in 5 6 7 8; do
    rm -rf "${out:?}/$fault"
    "$SLUICE" fuzz --chip tight --seed $seed --runs 1 --no-shrink --events --fault $fault --keep "$out/$fault" > "$out/$fault.txt" 2>&1
    ! grep -q '^#   DIFFERENT: ' "$out/$fault.txt" || break
  done
  events=$(ls "$out/$fault"/*/events.txt); text=$(sed -n 's/^#   DIFFERENT: //p' "$out/$fault.txt")
  check "$events"; it "$fault: the same difference" '[ $code -eq 1 ] && says "DIFFERENT: $text"'
  check --shrink "$out/$fault.events" "$events"
  it "  and the same in $(wc -l < "$out/$fault.events") of $(wc -l < "$events") lines" 'check "$out/$fault.events"; [ $code -eq 1 ] && says "DIFFERENT: $text" && [ $((20 * $(wc -l < "$out/$fault.events"))) -lt "$(wc -l < "$events")" ]'
done

# A mutant of each kind: a line is left out, or a number or a byte of it is another one. Some kinds are judged in some moments alone, so
# several lines are tried. Some say what more is right from then on, or why something waited: without them nothing is wrong.
for c in tight capsules react; do
  "$SLUICE" fuzz --chip $c --seed 3 --runs $([ $c = tight ] && echo 2 || echo 1) --packets 80 --events --keep "$out/$c" > "$out/$c.txt" 2>&1
  it "$c: cases and their events" '[ $? -eq 0 ]'
done
run_chip ecn sw/programs/sequencer.dom --packets 300 --size 64 --ect --ecn-queue 2 --events "$out/ecn.events"
it 'tiny: packets that are marked for congestion' '[ "$(value marked_ce)" -gt 0 ]'
chip=react; run_chip classes sw/programs/sequencer.dom --packets 300 --size 64 --ect --class-ecn 2,2,2,2 --events "$out/classes.events"
it 'react: packets that are marked since the queue of their class is deep' '[ "$(value queue_marked_ce)" -gt 0 ]'
chip=tiny
cat > "$out/mutant.awk" <<'AWK'
function other(text,    last) {
  if (text ~ /^[0-9]+$/) return text % 2 ? text - 1 : text + 1
  if (length(text) > 128) {  # a control packet or an answer: the words behind its 64 bytes
    last = substr(text, 129)
    gsub(/0/, "1", last)
    return substr(text, 1, 128) last
  }
  last = substr(text, length(text))
  return substr(text, 1, length(text) - 1) (last == "0" ? "1" : "0")
}
$1 == kind && ++n == which { if (!field) next; $field = other($field) }
{ print }
AWK
# noticed KIND FILE: says which mutant of the kind.
noticed() {
  lines=$(grep -c "^$1 " "$2"); [ "$lines" -gt 0 ] || return 1
  fields=$(grep -m 1 "^$1 " "$2" | wc -w)
  for which in $((lines / 2 + 1)) 1 "$lines" $((lines / 3 + 1)) $((lines / 4 + 1)); do
    field=$fields
    while [ "$field" -ge 0 ]; do
      if [ "$field" -ne 1 ]; then
        awk -v kind="$1" -v which=$which -v field=$field -f "$out/mutant.awk" "$2" > "$out/mutant.events"
        check "$out/mutant.events"
        [ $code -ne 1 ] || { what=$([ $field -eq 0 ] && echo "left out" || echo "number $((field - 1))"); return 0; }
      fi
      field=$((field - 1))
    done
  done
  return 1
}
kinds=$(cat "$out"/tight/*/events.txt "$out"/capsules/*/events.txt "$out"/react/*/events.txt | awk '!/^(sluice|chip|layout|held|may_refuse|moves|ready|keys_settled|finish)/ { print $1 }' | sort -u)
for kind in $kinds; do
  what=
  for file in $(grep -l "^$kind " "$out"/tight/*/events.txt "$out"/react/*/events.txt "$out/ecn.events" "$out/classes.events" "$out"/capsules/*/events.txt); do noticed "$kind" "$file" && break; done
  it "a mutant of '$kind' is noticed: $what" '[ -n "$what" ]'
done
finish
