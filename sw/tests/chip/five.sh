#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All five systems on one simulated chip, shortly: all is equal, no update hits a packet, no word is wrong; a broken chip, and
# updates that drop packets, are seen. usage: five.sh [CYCLES [CHIP]]
# Needs: build/five-systems
. "$(dirname "$0")/lib"
need_chip "${2:-five}"
program=build/five-systems
[ -x "$program" ] || { echo "Bail out! no $program: make $program"; exit 3; }
cycles=${1:-50000}
# five NAME OPTION...: sets code; the table is in NAME.txt, the figures in NAME/five.json
five() {
  run=$out/$1; shift
  mkdir -p "$run"
  timeout -k 10 900 "$program" "build/$chip/sim" "$run" --chip "$chip" --update-every 20000 "$@" > "$run.txt" 2> "$run.err"
  code=$?
}
# A figure of the run of all five together.
figure() { jq --arg name "$1" '[.systems[].figures[] | select(.name == $name) | .together] | add // 0' "$run/five.json"; }

five all --together --cycles "$cycles"
it 'all five together: every packet, all state, every answer as the reference says' '
  same "$code" 0 && same "$(jq -r ".runs[0].verdict" "$run/five.json")" EQUIVALENT || { sed "s/^/# /" "$run.txt" "$run.err"; false; }'
it 'no packet is lost, and none came too late into the chip' '
  same "$(jq "[.systems[].figures[] | select(.name | endswith(\": lost\")) | .together] | add" "$run/five.json")" 0 && same "$(jq ".runs[0].late" "$run/five.json")" 0'
it 'there were updates, and no packet was hit' 'is "$(figure updates) >= 2" && same "$(figure "packets hit by updates")" 0'
it 'there were dialogues, and tenants that read and wrote' 'is "$(figure dialogues) >= 3 && $(figure admissions) >= 1 && $(figure "words written") > 0"'
it 'vectors were reduced, and were right' 'is "$(figure "vectors compared") >= 8" && same "$(figure "words that differ")" 0'
note "$(jq -r '.runs[0].said' "$run/five.json")"
it 'the picture is drawn' 'sh sw/figures/five/plot.sh "$run/five.tsv" "$run/five.svg" && has "$run/five.svg" "</svg>"'

first=
for time in once twice; do
  five $time --only coflow --cycles 8000 --seed 2
  [ -n "$first" ] || first=$run/five.json
done
it 'the same seed gives the same figures' 'same "$code" 0 && cmp "$first" "$run/five.json"'

five broken --together --cycles 12000 --fault NO_FORWARD
it 'a chip that does not forward results is DIFFERENT' '
  same "$code" 1 && same "$(jq -r ".runs[0].verdict" "$run/five.json")" DIFFERENT || { sed "s/^/# /" "$run.txt" "$run.err"; false; }'
five cut --only reaction --cycles 16000 --fault CUT_LOST
it 'a cut without the old values of some entries is DIFFERENT' '
  same "$code" 1 && same "$(jq -r ".runs[0].verdict" "$run/five.json")" DIFFERENT || { sed "s/^/# /" "$run.txt" "$run.err"; false; }'
five replace --only update --cycles 24000 --replace
it 'an update that drops packets is seen, and is equal' '
  same "$code" 1 && same "$(jq -r ".runs[0].verdict" "$run/five.json")" EQUIVALENT && has "$run.txt" "packets were lost by an update"'
finish
