#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The chip in SystemC (docs/ip.md) beside the plain simulation: the same captures, in the same
# cycles, give the same packets at the same ports in the same cycles, and the same state. Six faults
# of the platform are found.
# usage: systemc.sh [CHIP]
# Needs: tiny build/helpers/same_captures
CHIP_RUN=${1:-tiny}
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
need_helper same_captures
platform=build/systemc/$chip/platform
make -s build/stamp/systemc > "$out/apt.txt" 2>&1 || { echo "ok 1 # skip the chip in SystemC: $(tail -n 1 "$out/apt.txt")"; echo 1..1; exit 0; }
make -s SYSTEMC_CHIP="$chip" "$platform" > "$out/build.txt" 2>&1 || { echo "Bail out! no $platform"; tail "$out/build.txt"; exit 3; }

# compile NAME FILE
compile() { "$SLUICE" compile "$2" --chip "$chip" -o "$out/$1.json" > "$out/$1.txt" || { sed 's/^/# /' "$out/$1.txt"; false; }; }
# in_systemc NAME OPTION...: sets code and text.
in_systemc() {
  text=$out/$1.sc.txt; shift
  timeout -k 5 100 "$platform" "$@" > "$text" 2>&1 < /dev/null
  code=$?
}
state_of() {
  jq -r '.state.vid1 | to_entries[] | .key as $name | .value.values | to_entries[] | "\($name) \(.key) \(.value)"' "$1" | LC_ALL=C sort
}
# both NAME PROGRAM CAPTURE: in both simulations, from the same cycle on.
both() {
  run_chip "$1" "$out/$2.json" --pcap "$3" --pace-by time --move-period 0 --state -o "$out/$1.pcapng"
  equivalent || return 1
  in_systemc "$1" "$out/$2.json" --pcap "$3" --start "$(value play_start)" --state "$out/$1.state" -o "$out/$1.sc.pcapng"
  [ "$code" -eq 0 ] || { echo "# exit code $code"; sed 's/^/# /' "$text"; return 1; }
  "$helper" "$out/$1.pcapng" "$out/$1.sc.pcapng" > "$out/$1.same" || { echo "# $(cat "$out/$1.same")"; return 1; }
  state_of "$report" > "$out/$1.state.plain"
  LC_ALL=C sort "$out/$1.state" | cmp - "$out/$1.state.plain" && has "$text" "$(value packets) packets in, $(value admitted) admitted, $(value copies) out"
}

it 'sockets keep what switch.h promises' '"$platform" --check-sockets > "$out/sockets.txt" 2>&1 && ! grep "^not ok" "$out/sockets.txt" && has "$out/sockets.txt" "^ok 22"'
it 'programs fit' 'compile flowlet sw/tests/chip/programs/flowlet_tiny.dom && compile sequencer sw/programs/sequencer.dom'
"$SLUICE" gen -o "$out/part.pcap" --packets 400 --flows 40 --seed 3 --load 0.6 --rate 800
"$SLUICE" gen -o "$out/full.pcap" --packets 2000 --flows 40 --seed 4 --size 64 --rate 4000
it 'flowlets, at a part of the rate: all packets are the same, and the state' 'both part flowlet "$out/part.pcap"'
note "$(cat "$out/part.same")"
it 'flowlets, packets of 64 bytes back to back in all lanes' 'both full flowlet "$out/full.pcap"'
note "$(cat "$out/full.same")"
it 'a capture that names ports: what has left goes in again' 'both again sequencer "$out/part.pcapng"'
note "$(cat "$out/again.same")"

# once_more NAME OPTION...: the first of these captures once more, otherwise.
start=$(value play_start "$out/part.json")
once_more() { run=$1; shift; in_systemc "$run" "$out/flowlet.json" --pcap "$out/part.pcap" -o "$out/$run.pcapng" "$@" && same $code 0; }
differs() { "$helper" "$out/part.pcapng" "$out/$1.pcapng" > "$out/$1.same"; same $? 1 && note "$(cat "$out/$1.same")"; }
it 'a sink that takes 8 cycles a packet: at other times, but the same packets' '
  once_more slow --start "$start" --slow 8 && "$helper" "$out/part.pcapng" "$out/slow.pcapng" set > "$out/slow.same" && differs slow'
for fault in lose-in cut-in flip-in lose-out cut-out flip-out; do
  it "found: $fault" 'once_more "$fault" --start "$start" --fault "$fault:200" && differs "$fault"'
done
it 'found: the cycle before' 'once_more early --start $((start - 1)) && differs early'

it 'a start that has passed is refused' 'in_systemc passed "$out/flowlet.json" --pcap "$out/part.pcap" --start 5 -o "$out/no.pcap"; same $code 3 && has "$text" "was not loaded by then"'
it 'a program for another chip is refused' '"$SLUICE" compile sw/programs/sequencer.dom --chip k4.k1 -o "$out/one.json" > "$out/one.txt" &&
  in_systemc foreign "$out/one.json" --pcap "$out/part.pcap" -o "$out/no.pcap"; same $code 3 && has "$text" "k4.k1"'
it 'no capture, no fault of this name, no number: usage' 'in_systemc usage "$out/flowlet.json" -o "$out/no.pcap"; same $code 2 &&
  in_systemc usage "$out/flowlet.json" --pcap "$out/part.pcap" --fault drop-in:3 -o "$out/no.pcap"; same $code 2 &&
  in_systemc usage "$out/flowlet.json" --pcap "$out/part.pcap" --slow 8x -o "$out/no.pcap"; same $code 2 && has "$text" "^usage"'
finish
