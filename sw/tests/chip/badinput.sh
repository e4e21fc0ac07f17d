#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bad packets, bad files, full disks, with the real simulator: a clear error or a counted drop, the right exit code, nothing
# hangs. What the command line refuses by itself is tested in sw/tests/cli.
# usage: badinput.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
LIMIT=120
bounds=sw/tests/chip/programs/bounds.dom sums=sw/tests/chip/programs/sums.dom

code() { [ "$code" -eq "$1" ] && return 0; echo "# exit code $code, wanted $1"; head -n 3 "$errors" | sed 's/^/# /'; return 1; }
# fails NAME CODE WORDS OPTION...: the run ends with CODE and says WORDS.
fails() {
  test_name=$1 want=$2 words=$3; shift 3
  run_chip "$test_name" "$@"
  it "$test_name: exit code $want, '$words'" 'code $want && { cat "$text" "$errors" > "$run.said"; has "$run.said" "$words"; }'
}
# A capture of our own: little-endian, microseconds, Ethernet. `frame LENGTH BYTES` appends one; BYTES
# come first, zeros behind.
begin() { printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000\377\377\000\000\001\000\000\000'; }
byte() { printf "\\$(printf %o "$1")"; }
word() { byte $(($1 % 256)); byte $(($1 / 256)); byte 0; byte 0; }
frame() {
  printf '\000\000\000\000\000\000\000\000'; word "$1"; word "$1"
  { printf "$2"; head -c "$1" /dev/zero; } | head -c "$1"
}
to='\002\000\000\000\000\001\002\000\000\000\000\002'   # two addresses
vlan="$to"'\201\000\000\001'                            # VLAN 1

# ---- packets
run_chip all-damaged $bounds --packets 2000 --malformed 1
it 'every packet damaged: EQUIVALENT' equivalent
it 'all reasons for a drop at the lane occur' 'for reason in MALFORMED OVERSIZED NO_VLAN UNKNOWN_MODULE RECONFIG; do
  is "$(count drops.$reason) > 0" || break; done'
note "MALFORMED $(count drops.MALFORMED), OVERSIZED $(count drops.OVERSIZED), NO_VLAN $(count drops.NO_VLAN)," \
  "UNKNOWN_MODULE $(count drops.UNKNOWN_MODULE), RECONFIG $(count drops.RECONFIG), admitted $(value admitted) of $(value packets)"
for seed in 1 2 3; do
  run_chip damaged-$seed -m $bounds:1 -m $sums:2 --packets 3000 --malformed 0.3 --stall 0.3 --seed $seed
  it "three packets in ten damaged, outputs stalled, seed $seed: EQUIVALENT" equivalent
done

{ begin; for n in 1 13 14 15 17 63; do frame $n "$to"'\010\000'; done; } > "$out/short.pcap"
run_chip short $bounds --pcap "$out/short.pcap"
it 'frames down to one byte: EQUIVALENT' equivalent
it 'all of them are padded and arrive' 'is "$(value packets) == 6 && $(value arrived) == 6"'

{ begin; for n in 9215 9216 9217 9280 20000 65535; do frame $n "$vlan"'\010\000'; frame 64 "$vlan"; done; } > "$out/long.pcap"
run_chip long $bounds --pcap "$out/long.pcap"
it 'frames up to 65,535 bytes: EQUIVALENT' equivalent
it 'what is above 9,216 bytes is dropped' 'is "$(value packets) == 12 && $(count drops.OVERSIZED) == 4 && $(value admitted) == 8"'

# Modules that ask for UDP and for IPv4: ARP, IPv6, TCP, IPv4 that ends behind its type, UDP.
{ begin; frame 64 "$vlan"'\010\006'; frame 64 "$vlan"'\206\335'; frame 64 "$vlan"'\010\000\105\000\000\050\000\000\000\000\100\006'
  frame 64 "$vlan"'\010\000'; frame 64 "$vlan"'\010\000\105\000\000\050\000\000\000\000\100\021'; } > "$out/protocols.pcap"
asks() {  # asks MODULE-ENTRY: an image without a program
  printf '{"sluice_image": 1, "layout_hash": "%s", "config": "%s", "program": "asks", "arrays": [], "fields": [],
    "writes": [{"table": "module", "stage": 0, "index": 0, "entry": "%s"}]}' "$("$SLUICE" layout hash)" $chip "$1"
}
asks 80018001 > "$out/udp.json"; asks 80014001 > "$out/ip.json"
run_chip need-udp "$out/udp.json" --pcap "$out/protocols.pcap"
it 'no IP, no UDP: EQUIVALENT' equivalent
it 'a module that needs UDP gets UDP alone' 'is "$(count drops.PROTOCOL) == 4 && $(value admitted) == 1"'
run_chip need-ip "$out/ip.json" --pcap "$out/protocols.pcap"
it 'no IP: EQUIVALENT' equivalent
it 'a module that needs IPv4 gets IPv4 alone' 'is "$(count drops.PROTOCOL) == 2 && $(value admitted) == 3"'

# The same, asked for by programs.
for need in udp ip; do
  { echo "option require $need;"; cat $bounds; } > "$out/require-$need.dom"
  run_chip require-$need "$out/require-$need.dom" --pcap "$out/protocols.pcap"
  it "option require $need: EQUIVALENT" equivalent
done
it 'option require ip gets IPv4 alone' 'is "$(count drops.PROTOCOL) == 2 && $(value admitted) == 3"'
it 'option require udp gets UDP alone' 'is "$(count drops.PROTOCOL $out/require-udp.json) == 4 && $(value admitted $out/require-udp.json) == 1"'
run_chip require-nothing $bounds --pcap "$out/protocols.pcap"
it 'a program without it gets everything' 'equivalent && is "$(value admitted) == 5"'

{ begin; for n in 60 100 300 1000; do frame $n '\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377'; done; } > "$out/garbage.pcap"
run_chip garbage $bounds --pcap "$out/garbage.pcap"
it 'a capture with nothing but garbage: EQUIVALENT' equivalent
run_chip garbage-control $bounds --packets 500 --reconfiguration "$out/garbage.pcap"
it 'garbage on the control port is counted, not obeyed' equivalent

"$SLUICE" packets -c $chip $sums -o "$out/control.pcap"
run_chip reconfig $bounds --pcap "$out/control.pcap"
it 'reconfiguration packets on data ports: EQUIVALENT' equivalent
it 'all are dropped, none is obeyed' 'is "$(count drops.RECONFIG) + $(count drops.UNKNOWN_MODULE) == $(value packets) && $(value admitted) == 0"'

"$SLUICE" gen -n 300 --vid 1 --vid 2 --vid 33 --vid 40 -o "$out/vids.pcap"
run_chip vids -m $bounds:1 --pcap "$out/vids.pcap"
it 'modules that nobody has loaded: EQUIVALENT' equivalent
it 'VLAN ids that are only alike modulo 32 are unknown' 'is "$(count drops.UNKNOWN_MODULE) > 100"'
note "UNKNOWN_MODULE $(count drops.UNKNOWN_MODULE), NO_DEST $(count drops.NO_DEST) (VLAN 2 has an empty row), admitted $(value admitted)"

run_chip one $bounds --packets 1
it 'one packet: EQUIVALENT' equivalent
cat > "$out/nothing-job.json" <<EOT
{"sluice_job": 1, "config": "$chip", "report": "$out/nothing.json"}
EOT
timeout 60 "build/$chip/sim" "+job=$out/nothing-job.json" > "$out/nothing.log" 2>&1 < /dev/null
code=$? report=$out/nothing.json errors=$out/nothing.log
it 'no packet and no program: nothing was compared' 'ends 0 UNTESTED && is "$(value packets) == 0"'

# ---- outputs that hardly move
run_chip stall-90 $bounds --packets 2000 --stall 0.9
it 'outputs stalled nine cycles of ten: EQUIVALENT' equivalent
it 'then only full outputs drop' 'is "$(value admitted) == $(value left) && $(count drops.OUTPUT_FULL) > 0"'
run_chip stall-99 $sums --size 64 --packets 1000 --stall 0.99
it 'outputs stalled 99 cycles of 100: EQUIVALENT' equivalent

# ---- files
fails full-output 3 'No space left' $bounds --packets 500 -o /dev/full
fails full-report 3 'No space left' $bounds --packets 500 --report /dev/full
it 'and the device is still one' '[ -c /dev/full ]'
fails full-timeline 3 'cannot write' $bounds --packets 5000 --timeline /dev/full
for option in output report timeline; do
  fails "no-folder-$option" 3 "no such folder\|No such file\|cannot write" $bounds --packets 10 --$option "$out/none/x"
done
fails no-control 3 'cannot read' $bounds --packets 10 --reconfiguration "$out/none.pcap"
fails text-as-control 3 'as a capture' $bounds --packets 10 --reconfiguration Makefile

"$SLUICE" gen -n 50 -o "$out/good.pcap"
head -c 20000 "$out/good.pcap" > "$out/cut.pcap"
fails cut-control 3 'cut.pcap' $bounds --packets 10 --reconfiguration "$out/cut.pcap"
fails cut-capture 3 'cut.pcap' $bounds --pcap "$out/cut.pcap"
# The length of the first packet becomes 0xff......
{ head -c 35 "$out/good.pcap"; printf '\377'; tail -c +37 "$out/good.pcap"; } > "$out/bent.pcap"
fails bent-capture 3 'bent.pcap' $bounds --pcap "$out/bent.pcap"

"$SLUICE" compile --chip $chip $sums -o "$out/image.json" > "$out/compiled" 2>&1
head -c 900 "$out/image.json" > "$out/cut.json"
fails cut-image 3 'cut.json' "$out/cut.json" --packets 10
jq '.layout_hash = "0badc0de"' "$out/image.json" > "$out/foreign.json"
fails foreign-image 3 '0badc0de' "$out/foreign.json" --packets 10
jq '.config = "k4"' "$out/image.json" > "$out/k4.json"
fails image-for-another-chip 3 'k4' "$out/k4.json" --packets 10
jq '(.. | objects | select(has("stage")).stage) = 99' "$out/image.json" > "$out/stage.json"
jq '(.. | objects | select(has("entry")).entry) |= "zz" + .[2:]' "$out/image.json" > "$out/digits.json"
fails image-with-a-wrong-stage 3 'stage' "$out/stage.json" --packets 10
fails image-with-wrong-digits 3 'digits.json' "$out/digits.json" --packets 10
# The simulator looks for itself, too.
for image in cut foreign k4 stage digits; do
  cat > "$out/image-job.json" <<EOT
{"sluice_job": 1, "config": "$chip", "report": "$out/image-report.json", "modules": [{"image": "$out/$image.json", "vid": 1}]}
EOT
  rm -f "$out/image-report.json"
  timeout 60 "build/$chip/sim" "+job=$out/image-job.json" > "$out/image.log" 2>&1 < /dev/null
  code=$? report=$out/image-report.json errors=$out/image.log
  it "the simulator refuses the image $image.json by itself" 'code 1 && same "$(value verdict)" ERROR'
  note "$(value error)"
done
for job in '' '{' '[]' '{"sluice_job": 1, "config": "tiny"}' '{"sluice_job": 1, "config": "k4", "report": "x"}' '{"sluice_job": 1, "config": "tiny", "report": "x", "load": 7}' \
  '{"config": "tiny", "report": "x"}' '{"sluice_job": 1, "config": "tiny", "report": "x", "stal": 0.5}'; do
  printf '%s' "$job" > "$out/bad-job.json"
  timeout 60 "build/$chip/sim" "+job=$out/bad-job.json" > "$out/bad-job.log" 2>&1 < /dev/null
  code=$?
  errors=$out/bad-job.log
  it "a job that reads '$job' is refused with a sentence" 'code 1 && [ ! -e x ] && has "$out/bad-job.log" "sluice-sim: ."'
done

for job in '' "+job=$out/none.json"; do
  timeout 60 "build/$chip/sim" $job > "$out/bad-job.log" 2>&1 < /dev/null
  code=$? errors=$out/bad-job.log
  it "the simulator with '${job##*/}' ends with code 1 and a sentence" 'code 1 && has "$errors" "sluice-sim: ."'
done

# ---- runs that do not end by themselves
fails too-few-cycles 1 'STUCK' $bounds --packets 5000 --max-cycles 1000
LIMIT=1
fails out-of-time 1 'stopped after 1 s' $bounds --packets 1000000
finish
