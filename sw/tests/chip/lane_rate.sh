#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rates of modules at the lanes (docs/isolation.md): module 5 stays within its rate beside module 6, which floods above its own.
# Module 5 loses nothing, what passes of module 6 obeys the bound, and what is dropped is counted for RATE. Bytes as well as packets.
# A chip that takes no tokens is noticed.
# usage: lane_rate.sh
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
constants react
programs=sw/tests/chip/programs
two="-m $programs/plain.dom:5 -m $programs/plain.dom:6"

# traffic NAME SIZE: one of five packets is of module 5. They go to the lanes by turns.
traffic() {
  file=$out/$1.pcap
  "$SLUICE" gen -o "$file" --size "$2" --mix single --packets 6000 --vid 5 --vid 6 --vid 6 --vid 6 --vid 6 || exit 3
}
# play NAME OPTION...
play() {
  label=$1; shift
  # shellcheck disable=SC2086  # several options
  run_chip "$label" $two --pcap "$file" --no-shares "$@"
}
drops() { count "modules.vid$1.drops.$2"; }
all_there() { is "$(value packets) == 6000 && $(value delivered) + $(value lost) == 6000 && $(value lost) == $(count drops.RATE)"; }
# bound RATE BURST: what both lanes may admit in all cycles of the run, of packets or beats. The table has steps of 1000 / (256 E).
bound() {
  awk -v rate="$1" -v burst="$2" -v e="$NumModules" -v t="$(value arrival_cycles)" -v k="$NumPipes" 'BEGIN {
    step = int((256 * e * rate + 999) / 1000); fill = int((step + 255) / 256); print k * (burst + fill + (int(t / e) + 1) * step / 256 + 1) }'
}

traffic small 64
# Module 5 brings 160 packets in 1,000 cycles into each lane, module 6 four times as many, and may bring 100.
play packets --load 0.8 --lane-rate 5=170 --lane-rate 6=100
it 'packets: EQUIVALENT, nothing is lost but for RATE' 'equivalent && all_there'
it 'packets: the module within its rate loses nothing' 'is "$(value modules.vid5.dropped) == 0 && $(value modules.vid5.delivered) == 1200"'
it 'packets: the other one passes no more than the bound' 'is "$(value modules.vid6.admitted) <= $(bound 100 16)"'
it 'packets: and no less than its rate' 'is "$(value modules.vid6.admitted) >= 0.1 * $NumPipes * $(value arrival_cycles)"'
it 'packets: it loses the rest, which is counted' \
  'is "$(drops 6 RATE) == 4800 - $(value modules.vid6.admitted) && $(value modules.vid6.dropped) == $(drops 6 RATE)"'
# shellcheck disable=SC2086  # several options
"$SLUICE" run -c react $two --pcap "$file" --no-shares --load 0.8 --lane-rate 5=170 --lane-rate 6=100 --dir "$out/told.work" > "$out/told.out" 2> "$errors"
it 'packets: the text says so' 'has "$out/told.out" "$(value lost) lost (RATE $(value lost))" && has "$out/told.out" "VLAN 6, at a lane 100:16 packets, 1000:256 beats"'
note "packets: $(value modules.vid6.admitted) of 4,800 passed, the bound is $(bound 100 16); $(value arrival_cycles) cycles"

# 300 bytes are five beats: a fifth of the packets, 32 and 160 beats of module 5 in 1,000 cycles.
traffic long 300
play beats --load 0.8 --lane-rate 5=40:16/170 --lane-rate 6=1000/100:144
it 'beats: EQUIVALENT, nothing is lost but for RATE' 'equivalent && all_there'
it 'beats: the module within its rate loses nothing' 'is "$(value modules.vid5.dropped) == 0 && $(value modules.vid5.delivered) == 1200"'
it 'beats: the other one passes no more than the bound' 'is "5 * $(value modules.vid6.admitted) <= $(bound 100 144)"'
it 'beats: and no less than its rate' 'is "5 * $(value modules.vid6.admitted) >= 0.1 * $NumPipes * $(value arrival_cycles)"'
note "beats: $(value modules.vid6.admitted) of 4,800 packets passed, $((5 * $(value modules.vid6.admitted))) beats, the bound is $(bound 100 144)"

play none --load 0.8 --lane-rate 6=0:0
it 'a rate of nothing: none passes, the other module loses nothing' \
  'equivalent && is "$(value modules.vid6.admitted) == 0 && $(drops 6 RATE) == 4800 && $(value modules.vid5.dropped) == 0"'

# A policy gives the same as the option.
echo '{"sluice_policy": 1, "modules": [{"vid": 6, "lane_rate": {"packets": 1000, "beats": 100, "beat_burst": 144}}]}' > "$out/policy.json"
# shellcheck disable=SC2086  # several options
run_chip by-policy $two --pcap "$file" --load 0.8 --policy "$out/policy.json"
it 'a policy: EQUIVALENT, packets dropped for RATE' 'equivalent && is "$(drops 6 RATE) > 3000 && $(drops 5 RATE) == 0"'

play fault --load 0.8 --lane-rate 6=1000/100:144 --fault RATE_FREE
it 'a chip that takes no tokens is noticed' 'ends 1 DIFFERENT && same "$(value first_difference.field | cut -c1-11)" "rate of row"'
note "found by: $(value first_difference.field), packet $(value first_difference.packet)"

"$SLUICE" trace -c react $programs/plain.dom --lane-rate 1=0:0 -n 5 --size 64 2 --dir "$out/story.work" > "$out/story.out" 2> "$errors"
it 'the story of a packet: the filter drops it, no program sees it' \
  'has "$out/story.out" "^  filter  *RATE, overlay row 1" && has "$out/story.out" "^  dropped .*: RATE" && ! grep -q parser "$out/story.out"'

# A switch that serves: counters of the chip and of the module.
tmp=$(mktemp -d "${TMPDIR:-/tmp}/sluice-rate-XXXXXX") || exit 3
names_rate() { "$SLUICE" ctl --control "$tmp/switch" counters > "$out/counters.txt" 2>&1 && grep -q '^VLAN 5: .*RATE' "$out/counters.txt"; }
serves() {
  rm -f "$out/serve.txt"
  timeout -k 10 120 "$SLUICE" serve -c react --control "$tmp/switch" -m "$programs/plain.dom:5" --lane-rate 5=0:0 --port "0=pcap:$file,trunk" > "$out/serve.txt" 2>&1 < /dev/null &
  server=$!
  await 10 names_rate
  kill -INT "$server"; wait "$server"
  has "$out/counters.txt" '^chip: .* RATE [1-9]' && has "$out/counters.txt" '^VLAN 5: plain; RATE [1-9]'
}
it 'ctl counters names RATE, of the chip and of the module' serves
rm -rf "$tmp"

for wrong in 6 6=1001 6=1:224 6=1/1001 6=1/1:65504 6=1/ 6=1: 6=-1 7=1 6=1/1/1; do
  play wrong --lane-rate "$wrong"
  it "--lane-rate $wrong is refused" 'same $code 2 && has "$errors" "^sluice: --lane-rate: "'
done
run_chip both $two --policy "$out/policy.json" --lane-rate 6=1
it '--policy and --lane-rate do not go together' 'same $code 2 && has "$errors" "do not go together"'
chip=tiny
run_chip tiny $programs/plain.dom --lane-rate 1=10 --sim build/react/sim
it 'a chip without rates refuses' '[ $code -eq 3 ] && has "$errors" "VLAN 1: chip .tiny. has no rates at its lanes"'
chip=model:react
"$SLUICE" run -c model:react $programs/plain.dom --lane-rate 1=10 > "$out/model.out" 2> "$errors"; code=$?
it 'the model has no cycles, and refuses' 'same $code 2 && has "$errors" "the model has no cycles"'
finish
