#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A switch on a board: the simulated one, whose line is a serial device. The example of the library
# says and does the same on model, board and simulator with one binary; the verbs of `sluice ctl` do
# on model and board.
# usage: board.sh
# Needs: tiny build/fpga/board/sim build/helpers/same_captures
. "$(dirname "$0")/lib"
board=$(pwd)/build/fpga/board/sim
need_chip tiny
need_helper same_captures
for file in "$board" build/libsluice.a; do [ -r "$file" ] || { echo "Bail out! no $file: make sluice fpga-sim lib"; exit 3; }; done
tmp=$(mktemp -d) || exit 3   # sockets have short names
server= line=
trap 'kill $server $line 2> /dev/null; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
SLUICE_CONTROL=$tmp/switch; export SLUICE_CONTROL

# plug: a board at the end of a serial line; device is its name. It ends when fd 9 is closed.
has_device() { device=$(cat "$out/device.txt"); [ -e "${device:-/nowhere}" ]; }
plug() {
  rm -f "$tmp/leash"; mkfifo "$tmp/leash"
  timeout -k 5 900 "$board" < "$tmp/leash" > "$out/device.txt" 2> "$out/board.err" 9>&- &
  line=$!
  exec 9> "$tmp/leash"
  await 10 has_device && return 0
  echo "# the board does not start"; return 1
}
unplug() { exec 9>&-; wait "$line"; line=; }
ctl() { timeout 200 "$SLUICE" ctl "$@" 2>&1; }
# verbs NAME: what a control plane does. Times are not said.
verbs() {
  for command in 'list' 'state 5 count' 'set 5 count[2] 40' 'state 5 count' 'show 5 MODULE' 'show CHIP.ID' 'load @hops.json:6' 'list' \
                 'replace @other.json:5' 'state 5 visits' 'remove 6' 'list' 'remove 9' 'counters'; do
    echo "== ctl $command"
    ctl $(echo "$command" | sed "s,@,$out/,")
  done | sed "s/^[0-9]* cycles.*//; s,$out/$1,FILE,g"
}
# switch NAME CHIP: 12 packets through a counter, then the verbs.
all_left() { ctl counters > "$1"; grep -q "12 left" "$1"; }
switch() {
  timeout -k 10 300 "$SLUICE" serve -m "$out/counter.json:5" --chip "$2" --control "$SLUICE_CONTROL" \
    --port 0=pcap:"$out/in.pcap",out="$out/$1.0.pcap" --port 1=pcap:,out="$out/$1.1.pcap" > "$out/$1.serve" 2>&1 < /dev/null 9>&- &
  server=$!
  await 60 all_left "$out/$1.counters"
  verbs "$1" > "$out/$1.verbs"
  kill -INT $(cat "/proc/$server/task/$server/children" 2> /dev/null) 2> /dev/null; wait "$server"; code=$?; server=
  [ "$code" -eq 0 ] || [ "$code" -eq 4 ] || { echo "# exit code $code"; sed 's/^/# /' "$out/$1.serve"; return 1; }
  has "$out/$1.verbs" 'count.2. = 40' && has "$out/$1.verbs" 'visits.0. = 3'
}
printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); };\nint count[4] = {7};\nvoid counter(struct Packet p) { count[p.in] += 1; p.seq = count[p.in]; p.out = p.in ^ 1; }\n' > "$out/counter.dom"
printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\nint visits = 3;\nvoid other(struct Packet p) { visits += 1; p.out = p.in ^ 1; }\n' > "$out/other.dom"
printf 'struct Packet { int out @ meta.port_out; };\nvoid hops(struct Packet p) { p.out = 1; }\n' > "$out/hops.dom"
printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); };\nint count = 0;\nvoid watched(struct Packet p) { count = count + 1; p.seq = count; p.out = p.in ^ 1; }\n' > "$out/watched.dom"
for program in counter other hops watched; do "$SLUICE" compile "$out/$program.dom" --chip tiny -o "$out/$program.json" > "$out/$program.txt"; done
"$SLUICE" gen -o "$out/in.pcap" --packets 12 --flows 3 --size 120 --untagged > "$out/gen.txt"

it 'the example builds' 'gcc -std=c11 -O1 -Wall -Wextra -Werror -Isw/include -o "$out/watch" docs/examples/watch.c build/libsluice.a -ljansson'
it 'the example on the model' '"$out/watch" model:tiny "$out/watched.json" count > "$out/model.watch"'
it 'a board is plugged in' plug
# Its audit reads 300 kB back: 12 million cycles of the simulated line.
it 'the same binary on the board says the same' '
  timeout 500 "$out/watch" "serial:$device,115200,30" "$out/watched.json" count > "$out/board.watch" 2>&1; cmp "$out/model.watch" "$out/board.watch" || { sed "s/^/# /" "$out/board.watch"; false; }'
it 'and so it does on a simulator' '
  { timeout -k 5 200 build/tiny/sim "+job=serve:tiny:$tmp/sim" > "$out/sim.txt" 2>&1 < /dev/null 9>&- & server=$!; } &&
  await 10 has_line "$out/sim.txt" "^serving"
  timeout 100 "$out/watch" "unix:$tmp/sim" "$out/watched.json" count > "$out/sim.watch" 2>&1; kill -TERM "$server"; wait "$server"; same $? 0; server=
  cmp "$out/model.watch" "$out/sim.watch" && has "$out/sim.txt" "^EQUIVALENT"'
it 'a switch: the model' 'switch model model:tiny'
it 'a switch: the board' 'switch board "serial:$device,115200,30"'
it 'the verbs of ctl say the same' 'diff "$out/model.verbs" "$out/board.verbs" > "$out/verbs.diff" || { sed "s/^/# /" "$out/verbs.diff"; false; }'
it 'the same packets have left' '"$helper" "$out/model.1.pcap" "$out/board.1.pcap" set > "$out/same.txt"'
note "$(cat "$out/same.txt")"
it 'the board is unplugged: the next call fails, with a sentence' '
  unplug; timeout 100 "$out/watch" "serial:$device,115200,1" "$out/watched.json" count > "$out/gone.txt" 2>&1; same $? 3 && has "$out/gone.txt" "watch: serial:"'
finish
