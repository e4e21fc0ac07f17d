#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `sluice run` says is what happened: every packet is accounted for, nothing compared is not EQUIVALENT, files get the names
# that were asked for, and numbers mean what Wireshark means by them.
# usage: honest.sh
# Needs: tight tiny
. "$(dirname "$0")/lib"
need_chip tight; need_chip tiny
LIMIT=120
programs=sw/tests/chip/programs
count=$programs/count.dom

says() { has "$text" "$1"; }
# Every packet is in exactly one of the four.
accounted() { is "$(value packets) == $(value delivered) + $(value lost) + $(value discarded) + $(value refused)"; }
# short NAME OPTION...: the report for people, in $text.
short() {
  run=$out/$1; shift
  text=$run.out errors=$run.err report=$run.json
  timeout 150 "$SLUICE" run -c $chip --timeout $LIMIT --report "$report" --dir "$run.work" "$@" > "$text" 2> "$errors" < /dev/null
  code=$?
}
# A capture of our own: little-endian, microseconds, Ethernet. `frame MICROSECONDS LENGTH BYTES`: BYTES, zeros behind.
begin() { printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000\377\377\001\000\001\000\000\000'; }
byte() { printf "\\$(printf %o "$1")"; }
word() { byte $(($1 % 256)); byte $(($1 / 256 % 256)); byte $(($1 / 65536)); byte 0; }
frame() { word 0; word "$1"; word "$2"; word "$2"; { printf "$3"; head -c "$2" /dev/zero; } | head -c "$2"; }
plain='\002\000\000\000\000\001\002\000\000\000\000\002\010\000'

# ---- where packets are
short stalled $count --packets 2000 --stall 0.9
it 'outputs that hardly move: EQUIVALENT' 'ends 0 EQUIVALENT && accounted && is "$(value lost) > 0"'
it 'the headline says how many left the ports and how many were lost, and why' \
  'says "^packets  *2000 in, $(value delivered) left the ports, $(value lost) lost (.*OUTPUT_FULL $(value lost_copies) copies" && says "^throughput .*LOST on the way: "'
it 'the module knows what it lost at the outputs' 'same "$(value modules.vid1.lost_copies)" "$(value drops.OUTPUT_FULL)" &&
  same "$(value modules.vid1.lost)" "$(value lost)" && same "$(value drops_by_module.vid1.OUTPUT_FULL)" "$(value drops.OUTPUT_FULL)"'
it 'it says how much was compared' 'says "^compared  *$(value compared.packets) packets, $(value copy_bytes) bytes, $(value state_entries_compared) state entries, 0 answers" &&
  is "$(value compared.packets) == $(value packets) - $(value lost)"'
cat > "$out/odd.dom" <<'P'
struct Packet { int sport @ udp.sport; int drop @ meta.discard; int port @ meta.port_out; };
void odd(struct Packet p) { p.drop = p.sport & 1; p.port = (p.sport >> 1) & 3; }
P
short discards "$out/odd.dom" --packets 500 --size 64 --load 0.2 --malformed 0.2
it 'what the program discards is no loss' 'ends 0 EQUIVALENT && accounted && is "$(value lost) == 0 && $(value discarded) > 100 && $(value refused) > 20" &&
  says "^packets  *500 in, $(value delivered) left the ports, 0 lost$" && says "^discarded  *$(value discarded) by the program (DISCARD" && says "^refused  *$(value refused) (" && ! grep -q LOST "$text"'

# ---- verdicts
chip=tight
run_chip missed $programs/plain.dom --packets 50 --fault no_bounds
it 'a fault that the traffic never meets is said' 'ends 0 EQUIVALENT && says "^EQUIVALENT: this traffic never met the fault NO_BOUNDS$"'
chip=tiny
short unmet $count --packets 200 --size 64 --load 0.2 --lane-limit 300 --output-limit 30 --brake 0
it 'limits that the traffic never meets are said' 'ends 0 EQUIVALENT && says "^limits  *never met: --lane-limit 300 dropped no packet; --output-limit 30 dropped no copy$"'
short met $count --packets 2000 --stall 0.9 --output-limit 4
it 'one that it meets is not' 'ends 0 EQUIVALENT && is "$(value drops.OUTPUT_FULL) > 0" && ! grep -q "^limits" "$text"'
run_chip bound $count --packets 3000 --max-cycles 900
it 'a run that was cut short says by what' 'ends 1 STUCK && says "bound of 900 cycles (--max-cycles) is reached: [0-9]* packets played"'
printf '{"sluice_job": 1, "config": "%s", "report": "%s"}' $chip "$out/none.json" > "$out/none-job.json"
timeout 60 build/$chip/sim "+job=$out/none-job.json" > "$out/none.log" 2>&1 < /dev/null
code=$? report=$out/none.json errors=$out/none.log
it 'a run without packets compared nothing: it is not EQUIVALENT' 'ends 0 UNTESTED && same "$(value compared.packets)" 0'
chip=tight
run_chip wrong-chip $programs/plain.dom --packets 10 --sim build/tiny/sim
it 'a simulator of another configuration with the same pipelines, ports and stages is refused' 'ends 3 ERROR && says "the chip is .tiny., not .tight."'
chip=tiny

# ---- state and registers
cat > "$out/two.dom" <<'P'
struct Packet { int sport @ udp.sport; int length @ meta.length; int i; };
int packets = 0;
int bytes[8] = {100};
void two(struct Packet p) { p.i = p.length & 7; packets += 1; bytes[p.i] += p.length; }
P
"$SLUICE" gen -o "$out/sizes.pcap" -n 30 --size 67
short state "$out/two.dom" --pcap "$out/sizes.pcap" --state --register 'LANE[1].PACKETS' --register chip.first_error --register 'PORT.PACKETS'
it 'the final state has the names of the source: 30 packets of 67 bytes' 'ends 0 EQUIVALENT && says "^  packets = 30$" && says "^  bytes\[3\] = 2110$" && same "$(grep -c "bytes" "$text")" 3 &&
  same "$(jq -c ".state.vid1.bytes.values" "$report")" "[100,100,100,2110,100,100,100,100]" && same "$(jq -c ".state.vid1.packets.values" "$report")" "[30]"'
it 'registers by their names' 'says "^register  *LANE.1..PACKETS = 15$" && says "^register  *PORT.PACKETS = 30$" && same "$(jq ".registers[\"chip.first_error\"]" "$report")" 0'
for name in 'LANE[2].PACKETS' CHIP.NONSENSE CHIP 'LANE[1].PACKETS+' 'LANE[1' 'ORDER[1].DROP+99999'; do
  run_chip wrong-register "$out/two.dom" --packets 5 --register "$name"
  it "no register $name: a sentence" 'same "$code" 2 && has "$errors" "^sluice: --register: "'
done

# ---- files
odd=$(printf 'o\377')
"$SLUICE" compile $count --chip $chip -o "$out/$odd.json" > "$out/compile.out" 2>&1
"$SLUICE" packets "$out/$odd.json" --chip $chip -o "$out/$odd-control.pcap"
run_chip odd-names "$out/$odd.json" --packets 20 -o "$out/$odd.pcap" --stories "$out/$odd.txt" --reconfiguration "$out/$odd-control.pcap"
it 'paths that are not UTF-8 are used as they are' 'equivalent && [ -s "$out/$odd.pcap" ] && [ -s "$out/$odd.txt" ] &&
  is "$(value control_packets) == 2 * $("$SLUICE" packets -d "$out/$odd-control.pcap" | grep -c write)"'
run_chip odd-missing $count --packets 20 --reconfiguration "$out/$odd-none.pcap"
it 'and one that cannot be opened is named' 'same "$code" 3 && has "$errors" "o.xff-none.pcap"'
deep=$out/$(printf '%0200d/%0200d/%0200d' 1 2 3); mkdir -p "$deep"
run_chip deep $count --packets 20 --accesses "$deep"
it 'a long path of --accesses is not cut' 'equivalent && [ "$(ls "$deep" | tr "\n" ,)" = "flows_4_2_2_2_256_0.csv,packets_4_2_2_2_256_0.csv," ]'

# ---- packets
{ begin; frame 50 64 "$plain"; frame 10 64 "$plain"; frame 90 64 "$plain"; frame 60 64 "$plain"; } > "$out/falling.pcap"
run_chip falling $programs/plain.dom --pcap "$out/falling.pcap" --pace-by time
it 'time stamps that fall: such a packet goes with the one before it' 'equivalent && is "$(value packets) == 4 && $(value arrival_cycles) > 40000 && $(value arrival_cycles) < 40100"'
{ begin; for n in 65531 65532 65533 65536; do frame 0 $n "$plain"; done; frame 0 64 "$plain"; } > "$out/huge.pcap"
run_chip huge $programs/plain.dom --pcap "$out/huge.pcap"
it 'frames of 64 KiB without a tag count as OVERSIZED' 'equivalent && is "$(value drops.OVERSIZED) == 4 && $(value packets) == 5"'
run_chip numbers $count --packets 3 --stories "$out/numbers.stories"
it 'packets are numbered from 1' 'equivalent && same "$(jq .packet "$out/numbers.stories" | tr "\n" ,)" "1,2,3,"'
run_chip story $count --packets 40 --malformed 0.5 --stories "$out/story.stories"
it 'stories tell of packets that were refused, too, and name ports' 'equivalent && same "$(jq .packet "$out/story.stories" | sort -u | wc -l)" 40 &&
  same "$(jq -r "select(.dropped) | .dropped" "$out/story.stories" | grep -c "^[A-Z_]*$")" "$(value refused)" && is "$(jq "select(.out) | .out[0].port" "$out/story.stories" | head -n 1) < 4"'
# ---- over the socket of a simulator that serves
"$SLUICE" gen -n 400 -o "$out/numbers.pcap"
run_chip job $count --pcap "$out/numbers.pcap" -o "$out/job.pcap" --state
job_packets=$(value packets) job_state=$(jq -c .state "$report")
run_chip socket $count --pcap "$out/numbers.pcap" -o "$out/socket.pcap" --socket --state
it 'both report the same state' 'same "$(jq -c .state "$report")" "$job_state" && same "$(jq -c ".state.vid1 | length > 0" "$report")" true'
it 'a run over the socket: the same packets leave, and the monitors saw no difference' 'ends 0 EQUIVALENT && same "$(value packets)" "$job_packets" &&
  frames "$out/job.pcap" | sort > "$out/job.frames" && frames "$out/socket.pcap" | sort | cmp - "$out/job.frames" && is "$(wc -l < "$out/job.frames") == 400"'
run_chip socket-fault $count --pcap "$out/numbers.pcap" --socket --stall 0.5
it 'what a job alone can say is refused there' 'same "$code" 2 && has "$errors" "--stall and --socket do not go together"'
chip=tight
cat > "$out/writer.json" <<EOT
{"sluice_image": 1, "layout_hash": "$("$SLUICE" layout hash)", "config": "$chip", "program": "writes what it has not parsed",
 "writes": [{"table": "module", "stage": 0, "index": 0, "entry": "80010001"},
            {"table": "deparser", "stage": 0, "index": 0, "entry": "0ba1000000000000000000000000000000000000"}],
 "arrays": [], "fields": []}
EOT
"$SLUICE" gen -n 40 --vid 2 -o "$out/two.pcap"; "$SLUICE" gen -n 1 --vid 1 -o "$out/one.pcap"
{ cat "$out/two.pcap"; tail -c +25 "$out/one.pcap"; } > "$out/last.pcap"
run_chip first-wrong -m "$out/writer.json:1" -m $count:2 --pcap "$out/last.pcap" --load 0.1 --fault phv_stale
it 'a difference names the packet as Wireshark counts: 41 of 41' 'ends 1 DIFFERENT && same "$(value first_difference.packet)" 41 && says "DIFFERENT: packet 41, "'
chip=tiny
finish
