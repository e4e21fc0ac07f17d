#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bring-up over the serial line, with the simulated board: bytes, frames and bridge are those of a real one. What is wrong with
# board, line or chip gives a sentence within a bound.
# usage: bringup.sh
# Needs: build/fpga/board/sim build/fpga/ulx3s/sim build/fpga/small/sim build/fpga/echo/sim
. "$(dirname "$0")/lib"
board=$(pwd)/build/fpga/board/sim   # whole, so that it is found among the processes
ulx3s=$(pwd)/build/fpga/ulx3s/sim
small=$(pwd)/build/fpga/small/sim
echo=$(pwd)/build/fpga/echo/sim
for file in "$SLUICE" $board $ulx3s $small $echo; do [ -x "$file" ] || { echo "Bail out! no $file: make sluice fpga-sim"; exit 3; }; done
sequencer=sw/programs/sequencer.dom sampling=sw/programs/sampling.dom

BRINGUP_RUN=$$; export BRINGUP_RUN
# bringup NAME OPTION...: sets code, text and seconds.
bringup() {
  text=$out/$1.out; shift
  start=$(date +%s)
  timeout -k 5 "${LIMIT:-180}" "$SLUICE" bringup "$@" > "$text" 2>&1 < /dev/null
  code=$?
  seconds=$(($(date +%s) - start))
}
ends_with() {  # ends_with CODE WORDS
  [ "$code" -eq "$1" ] && has "$text" "$2" && return 0
  echo "# exit code $code, wanted $1"; sed 's/^/# /' "$text"; return 1
}
# fails NAME WORDS OPTION...: exit code 3, and the words, within 40 seconds on a busy machine.
fails() {
  test_name=$1 words=$2; shift 2
  bringup "$test_name" "$@"
  it "$test_name: '$words'" 'ends_with 3 "$words" && is "$seconds <= 40"'
}

bringup sequencer $sequencer --sim $board --patience 30
it 'the sequencer: found, loaded, 32 packets compared' 'ends_with 0 EQUIVALENT && has "$text" "32 packets in, 32 admitted, 32 out"'
bringup two -m $sequencer:3 -m $sampling:9 --sim $board --patience 30 --packets 24 --size 777 --seed 5
it 'two modules, packets with a body' 'ends_with 0 EQUIVALENT && has "$text" "loaded 2 modules"'
bringup ulx3s $sequencer --chip ulx3s --sim $ulx3s --patience 30
it 'one pipeline on the ULX3S: the sequencer' 'ends_with 0 EQUIVALENT && has "$text" "32 packets in, 32 admitted, 32 out"'
bringup ulx3s_body $sequencer --chip ulx3s --sim $ulx3s --patience 30 --packets 24 --size 300 --seed 3
it 'one pipeline on the ULX3S: packets with a body' 'ends_with 0 EQUIVALENT'
bringup small $sequencer --chip small --sim $small --patience 30
it 'two pipelines on the ULX3S: the sequencer' 'ends_with 0 EQUIVALENT && has "$text" "32 packets in, 32 admitted, 32 out"'
bringup small_body $sequencer --chip small --sim $small --patience 30 --packets 24 --size 300 --seed 3
it 'two pipelines on the ULX3S: packets with a body' 'ends_with 0 EQUIVALENT'
bringup stamp sw/tests/chip/programs/stamp.dom --sim $board --patience 30 --packets 4
it 'what the model cannot foretell is a difference' 'ends_with 1 "DIFFERENT: packet 0 at port 0: byte 4"'

bringup echo --echo --sim $echo --patience 30 --packets 12
it 'the image of make fpga-echo: line and bridge alone' 'ends_with 0 "echo: 12 registers"'
fails noecho 'there is something else than the echo' --echo --sim $board --patience 30
fails echobaud 'baud rate right' --echo --sim $echo --sim-option +divisor=40 --patience 1

fails baud 'the baud rate right' $sequencer --sim $board --sim-option +divisor=9 --patience 1
fails deaf 'hello: no answer for 1.0 s, not one byte' $sequencer --sim $board --sim-option +deaf --patience 1
fails lossy 'no answer for 5.0 s' $sequencer --sim $board --sim-option +drop=50 --patience 5
fails chip 'the chip is .tiny., not .k4.k2.' $sequencer --chip k4.k2 --sim $board --patience 30
fails banks 'the chip is .tiny., not .tight.' $sequencer --chip tight --sim $board --patience 30
fails long 'the board takes 1024' $sequencer --size 1500 --sim $board --patience 30
fails null 'is no serial line' $sequencer --device /dev/null
fails missing 'cannot open ./dev/nothing.' $sequencer --device /dev/nothing
fails rate '12345 baud is none' $sequencer --device /dev/null --baud 12345
fails nosim 'does not start as a simulated board' $sequencer --sim /bin/true
bringup usage $sequencer
it 'neither device nor simulator: usage' 'ends_with 2 "needs programs or --echo, and --device or --sim"'
# Boards of this run: another test may have its own, so they are told apart by what they inherit.
left_behind() {
  for process in $(pgrep -f "^($board|$ulx3s|$small|$echo)"); do
    grep -qz "^BRINGUP_RUN=$$\$" "/proc/$process/environ" 2> /dev/null && { echo "# process $process"; return 0; }
  done
  return 1
}
it 'no simulated board is left behind' '! left_behind'
finish
