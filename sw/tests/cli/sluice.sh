#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of the command line, as TAP. usage: sluice.sh [SLUICE], from anywhere.
here=$(cd "$(dirname "$0")" && pwd)
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
TMPDIR=$dir/tmp; mkdir "$TMPDIR"; export TMPDIR
cp "$here/fake_sim.sh" sim && chmod +x sim
unset SLUICE_SIM FAKE FAKE_JOB FAKE_PID
n=0 failed=0

# code NUMBER COMMAND...: exit code; output in out, messages in err.
code() {
  want=$1; shift
  "$@" > out 2> err < /dev/null
  got=$?
  [ $got -eq "$want" ] && return 0
  echo "# exit code $got, wanted $want: $*"; sed 's/^/# /' err; return 1
}
has() { grep -q -- "$2" "$1" && return 0; echo "# '$2' is not in $1:"; sed 's/^/# /' "$1"; return 1; }
# it SENTENCE CODE...: one test; CODE is shell.
it() {
  n=$((n + 1)); name=$1; shift
  if eval "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
clean() { [ -z "$(ls -A "$TMPDIR")" ] && return 0; echo "# left behind: $(ls "$TMPDIR")"; return 1; }

hash=$("$SLUICE" layout hash)
module=80000001
image() {  # an image that does nothing: one MODULE entry
  cat <<EOF
{"sluice_image": 1, "layout_hash": "$hash", "config": "$1", "program": "nothing",
 "writes": [{"table": "module", "stage": 0, "index": 0, "entry": "$module"}], "arrays": [], "fields": []}
EOF
}
image k4 > image.json; image tiny > tiny.json

it 'help goes to standard output' 'code 0 "$SLUICE" --help && has out "sluice VERB" && [ ! -s err ]'
it 'no verb is a usage error' 'code 2 "$SLUICE" && [ ! -s out ] && has err "usage: sluice"'
it 'an unknown verb is a usage error' 'code 2 "$SLUICE" dance && has err "sluice: unknown verb .dance."'
for verb in run gen study packets layout; do
  it "help $verb prints its options" "code 0 \"\$SLUICE\" help $verb && has out 'usage: sluice $verb' && has out '--help'"
  it "$verb refuses an unknown option" "code 2 \"\$SLUICE\" $verb --frobnicate && has err frobnicate"
done
it 'a version names the layouts' 'code 0 "$SLUICE" --version && has out "$hash"'
it 'a full disk behind standard output is an error' '"$SLUICE" layout docs > /dev/full 2> err; [ $? -eq 3 ]'

it 'layout prints the package' 'code 0 "$SLUICE" layout sv && has out "package sluice_layout_pkg"'
it 'layout prints a configuration' 'code 0 "$SLUICE" layout config tiny && has out "NumPipes"'
it 'layout names the chips when one is unknown' 'code 2 "$SLUICE" layout config huge && has err "there are tiny"'

it 'gen writes a capture' 'code 0 "$SLUICE" gen -o a.pcap -n 100 && [ -s a.pcap ]'
it 'gen writes the same twice' 'code 0 "$SLUICE" gen -o b.pcap -n 100 && cmp a.pcap b.pcap'
it 'gen writes something else for another seed' 'code 0 "$SLUICE" gen -o b.pcap -n 100 --seed 2 && ! cmp -s a.pcap b.pcap'
it 'gen writes to standard output' '"$SLUICE" gen -o - -n 100 | cmp - a.pcap'
it 'gen needs -o' 'code 2 "$SLUICE" gen && has err "-o is missing"'
it 'gen refuses a wrong size' 'code 2 "$SLUICE" gen -o b.pcap --size 63 && has err "64..9216"'
it 'gen refuses a wrong mix' 'code 2 "$SLUICE" gen -o b.pcap --mix salad && has err salad'
it 'gen refuses a number out of range' 'code 2 "$SLUICE" gen -o b.pcap --zipf 9 && has err "from 0 to 8"'
it 'gen refuses half a number' 'code 2 "$SLUICE" gen -o b.pcap -n 10x && has err "10x"'
it 'gen reports a full disk' 'code 3 "$SLUICE" gen -o /dev/full && has err "No space left"'
it 'gen reports a missing folder' 'code 3 "$SLUICE" gen -o no/b.pcap && has err "cannot open .no/b.pcap."'
if command -v tshark > tools; then
  it 'tshark agrees with all checksums' 'tshark -n -r a.pcap -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE \
     -Y "ip.checksum.status==Good && udp.checksum.status==Good && vlan.id==1" 2>err | wc -l | grep -q "^ *100$"'
fi

it 'gen makes a stress trace and names its files' 'mkdir -p tr && code 0 "$SLUICE" gen --stress tr --cycles 200 --zipf 0.9 --load 0.9 &&
   has out "^tr/flows_64_4_16_4_512_64.csv" && has out "^tr/stress_64_4_16_4_512_64.csv" && [ -s tr/stress_64_4_16_4_512_64.csv ]'
it 'gen makes the other patterns' 'code 0 "$SLUICE" gen --stress tr --cycles 99 --pattern burst --load 0 --every 9 --pipelines 2 --entries 1 --stateful 0,3 &&
   has out "tr/burst_64_2_16_2_1_64.csv" && code 0 "$SLUICE" gen --stress tr --cycles 99 --pattern hot-swap --zipf 1 --size 128 --ports 8 && has out "hot-swap_8_4_16_4_512_128"'
it 'gen writes either a capture or a trace' 'code 2 "$SLUICE" gen --stress tr -o b.pcap && has err "either -o or --stress"'
it 'gen refuses a wrong list of stages' 'code 2 "$SLUICE" gen --stress tr --stateful 1,,2 && has err "1,,2" && code 2 "$SLUICE" gen --stress tr --stateful 3,3 && has err twice'
it 'gen refuses a wrong pattern and no load' 'code 2 "$SLUICE" gen --stress tr --pattern plaid && has err plaid && code 2 "$SLUICE" gen --stress tr --load 0 && has err "load 0"'
it 'gen reports a missing folder for a trace' 'code 3 "$SLUICE" gen --stress nowhere --cycles 9 && has err "cannot open .nowhere/flows"'

trace="tr/flows_64_4_16_4_512_64.csv tr/stress_64_4_16_4_512_64.csv"
it 'study plays a trace' 'code 0 "$SLUICE" study $trace && has out "^throughput  0" && has out "^stage 13 .* 0$" && has out "^C1 broken   0 accesses"'
it 'study prints JSON' 'code 0 "$SLUICE" study $trace --json && has out "\"throughput\": 0" && has out "\"hop\": 8" && has out "\"stuck\": false"'
it 'study takes options in both forms' 'code 0 "$SLUICE" study $trace hop=5 --pace-age 4 pace_age=3 --json && has out "\"hop\": 5" && has out "\"pace-age\": 3" &&
   has out "\"constant_latency\": 77"'
for mode in ours mp5 no-remap no-phantoms recirculation one-pipeline; do
  it "study plays mode $mode" "code 0 \"\$SLUICE\" study \$trace -m $mode && has out '^mode        $mode, 4 pipelines'"
done
it 'study says when a run got stuck' 'code 1 "$SLUICE" study $trace limit=150 && has out "^STUCK: "'
it 'study refuses an unknown option, mode or value' 'code 2 "$SLUICE" study $trace hops=3 && has err "no option .hops." && code 2 "$SLUICE" study $trace --mode best &&
   has err best && code 2 "$SLUICE" study $trace --hop 65 && has err "from 1 to 64"'
it 'study refuses options that do not go together' 'code 2 "$SLUICE" study $trace hop=1 && has err "steering by rank"'
it 'study needs two files' 'code 2 "$SLUICE" study tr/x.csv && has err "two files" && code 2 "$SLUICE" study $trace tr/x.csv && has err "two files"'
it 'study names the line of a bad trace' 'cp tr/flows_64_4_16_4_512_64.csv tr/flows_64_4_16_4_8_64.csv; code 3 "$SLUICE" study tr/flows_64_4_16_4_8_64.csv tr/stress_64_4_16_4_512_64.csv &&
   has err "flows_64_4_16_4_8_64.csv. line [0-9]*: an index below"'
it 'study tells how a flows file must be called' 'cp tr/flows_64_4_16_4_512_64.csv tr/flows.csv; code 3 "$SLUICE" study tr/flows.csv tr/stress_64_4_16_4_512_64.csv && has err "rename the file"'

it 'packets of an image decode' 'code 0 "$SLUICE" packets image.json -o p.pcap && code 0 "$SLUICE" packets --decode p.pcap &&
   has out "1: write MODULE index 1, 68 bytes" && has out "VALID 1, VID 1"'
it 'packets counts what is no reconfiguration packet' 'code 0 "$SLUICE" packets --decode a.pcap && has out "100 other packets"'
it 'packets takes a VLAN id' 'code 0 "$SLUICE" packets -m image.json:45 -o p.pcap && code 0 "$SLUICE" packets -d p.pcap && has out "index 13"'
it 'packets refuses a wrong VLAN id' 'code 2 "$SLUICE" packets -m image.json:4095 -o p.pcap && has err "FILE:VID"'
it 'packets refuses modules that collide' 'code 3 "$SLUICE" packets -m image.json:1 -m image.json:33 -o p.pcap && has err "overlay row 1"'
it 'packets refuses an image for another chip' 'code 3 "$SLUICE" packets tiny.json -o p.pcap && has err "made for chip .tiny., this is .k4."'
it 'packets takes either images or --decode' 'code 2 "$SLUICE" packets && code 2 "$SLUICE" packets image.json --decode a.pcap'
it 'an image with a foreign hash is refused' 'sed "s/$hash/0badc0de/" image.json > foreign.json; code 3 "$SLUICE" packets foreign.json -o p.pcap && has err "0badc0de"'
it 'a missing image is named' 'code 3 "$SLUICE" packets no.json -o p.pcap && has err "cannot open .no.json.: No such file"'

export SLUICE_SIM=$dir/sim
it 'run prints the short report' 'code 0 "$SLUICE" run image.json -n 200 && has out "^EQUIVALENT$" && has out "97 out" &&
   has out "97.3 % of line rate" && has out "OVERLOAD 2, LANE_FULL 1\|LANE_FULL 1, OVERLOAD 2" && has out "deepest 11" && has out "p99 80" && [ ! -s err ] && clean'
it 'run --quiet prints the verdict alone' 'code 0 "$SLUICE" run image.json -q && [ "$(cat out)" = EQUIVALENT ] && clean'
it 'run --json prints the report' 'code 0 "$SLUICE" run image.json --json && has out "\"verdict\": \"EQUIVALENT\""'
it 'run writes the job as asked' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 -n 200 --seed 5 --load 0.5 --stall 0.25 --fault lane_swap --pace 24 -o o.pcap &&
   has job "\"vid\": 7" && has job "\"seed\": 5" && has job "\"load\": 0.5" && has job "\"stall\": 0.25" && has job lane_swap && has job "\"pace\": 24" && has job "\"packets\": 200" && ! grep -q brake job'
it 'run knows the modes' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json -n 200 --steer stay --issue free --no-escape --no-phantoms --drop-full --ecn-queue 3 --ecn-lane 9 &&
   has job "\"mode\": 118" && has job "\"ecn_queue\": 3" && has job "\"ecn_lane\": 9" && ! grep -q "\"pin\"" job'
it 'run divides the chip' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run --sets 2 -m image.json:7@1 -m image.json:8 && has job "\"sets\": 2" && has job "\"set\": 1"'
it 'run gives modules without a set one in turn' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run --sets 4 image.json image.json && has job "\"set\": 1" && ! grep -q "\"set\": 2" job'
for set in 2 x "" 1x; do
  it "run refuses set '$set' of 2" 'code 2 "$SLUICE" run --sets 2 -m image.json:7@$set && [ -s err ]'
done
it 'run refuses 3 sets' 'code 3 "$SLUICE" run --sets 3 image.json && has err "power of two"'
it 'run refuses an unknown mode' 'code 2 "$SLUICE" run image.json --steer left && has err "no .left.; see STEER"'
it 'run tells the pipeline of all state' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json -n 200 --pin 3 && has job "\"pin\": 3" && ! grep -q "\"mode\"" job'
it 'run writes shares' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 --share 7=64:5 && has job "\"rate\": 64" && has job "\"burst\": 5"'
it 'without shares there are none' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 && ! grep -q rate job'
for share in 7 7= 8=1 7=257 7=1:64 7=1: 7=x x=1 7=1:2:3; do
  it "a wrong share is refused: $share" "code 2 \"\$SLUICE\" run -m image.json:7 --share $share && has err '^sluice: --share: '"
done
export FAKE
FAKE=differs; it 'a difference is exit code 1 and is told' 'code 1 "$SLUICE" run image.json && has out "DIFFERENT: packet 17, byte 38: expected 0x01, got 0x02 (ticket 12)" && clean'
FAKE=stuck; it 'a stuck chip is exit code 1' 'code 1 "$SLUICE" run image.json && has out "^STUCK"'
FAKE=error; it 'an error of the simulator is exit code 3' 'code 3 "$SLUICE" run image.json && has out "ERROR: layout hash differs"'
FAKE=dies; it 'a simulator without a report is exit code 3, with its last words' 'code 3 "$SLUICE" run image.json && has err "ended with code 9" && has err "on fire" && rm "$TMPDIR"/*'
FAKE=killed; it 'a simulator that is killed is exit code 3' 'code 3 "$SLUICE" run image.json && has err "signal 9" && rm "$TMPDIR"/*'
FAKE=garbage; it 'a report that is no JSON is exit code 3' 'code 3 "$SLUICE" run image.json && has err "report" && rm -f "$TMPDIR"/*'
FAKE=sleeps FAKE_PID=$dir/pid; export FAKE_PID
it 'an interrupt ends the simulator too' '"$SLUICE" run image.json > out 2> err & me=$!; for i in 1 2 3 4 5 6 7 8 9; do [ -s pid ] || sleep 0.5; done
   kill -TERM $me; wait $me; [ $? -eq 143 ] && has err interrupted && ! kill -0 "$(cat pid)" 2> killed && clean'
it 'a time limit ends the simulator' 'rm -f pid; code 1 "$SLUICE" run image.json --timeout 1 && has err "stopped after 1 s" && ! kill -0 "$(cat pid)" 2> killed && clean'
unset FAKE
it 'run plays a capture' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json --pcap a.pcap --dir kept && has job "\"packets\": 100" && cmp a.pcap kept/*-input.pcap'
it 'run tags what has no tag' 'code 0 "$SLUICE" gen -o u.pcap -n 100 --untagged && rm -rf kept && code 0 "$SLUICE" run image.json --pcap u.pcap --dir kept && cmp a.pcap kept/*-input.pcap'
# A trace: flow 1 accesses entry 2 of stage 3, flow 2 nothing; two packets of each, in lanes 0 and 3.
printf 'flowid,stage_num_1,state_in_stage_1,...\n1,3,2\n2\n' > flows_16_4_8_1_5_64.csv
printf 'port,pkt_size,flowid,time\n0,64,1,0\n15,640,2,0\n1,64,1,0\n12,64,2,9\n' > made_16_4_8_1_5_64.csv
trace='--trace-flows flows_16_4_8_1_5_64.csv --trace-packets made_16_4_8_1_5_64.csv'
it 'run plays a trace' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" run $trace --write-program t.dom --dir kept && has out EQUIVALENT &&
   has job "\"schedule\": \"kept/" && has job "\"last_offered\": 9" && has job "\"packets\": 4" && has t.dom "int state3\[6\] @ stage(3)" &&
   [ "$(cat kept/*-schedule.txt | tr "\n" ,)" = "0 0,15 0,1 1,12 9," ]'
it 'run plays a trace again and again' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" run $trace --repeat 3 --dir kept && has job "\"last_offered\": 29" &&
   [ "$(cat kept/*-schedule.txt | wc -l)" -eq 12 ]'
it 'run makes the folder of the working files' 'code 0 "$SLUICE" run image.json -q --dir one/two/three && [ -n "$(ls one/two/three)" ] && rm -r one'
it 'a trace leaves nothing behind' 'code 0 "$SLUICE" run $trace -q && clean'
it 'the program of a trace keeps flows in order' 'code 0 "$SLUICE" run $trace --flow-order 99 --write-program t.dom -q && has t.dom "option flow_order(99, flow);"'
it 'packets that come in again: pipelines on their own' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" run $trace --recirculate --dir kept &&
   has job "\"recirculate\": 1" && has job "\"mode\": 2" && has job "\"move_period\": 0"'
it 'settings of moves' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" run $trace --move-period 99 --move-least 7 --dir kept &&
   has job "\"move_period\": 99" && has job "\"move_least\": 7"'
it 'each flow of a trace in one lane' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" run $trace --lanes flow --dir kept &&
   [ "$(cut -d" " -f1 kept/*-schedule.txt | sort | tr "\n" ,)" = "0,3,4,5," ]'
for option in --recirculate "--place random" "--lanes flow"; do
  it "$option is for a trace" 'code 2 "$SLUICE" run image.json $option && has err "is for a trace"'
done
it 'places are random or not' 'code 2 "$SLUICE" run $trace --place blocks && has err "neither modulo nor random"'
it 'run wants both files of a trace' 'code 2 "$SLUICE" run --trace-flows flows_16_4_8_1_5_64.csv && has err "belong together"'
it 'a trace brings its own program' 'code 2 "$SLUICE" run image.json $trace && has err "a trace and a program"'
it 'a trace brings its own packets' 'code 2 "$SLUICE" run $trace --pcap a.pcap && has err "a trace and --pcap"'
it 'a trace brings its own times' 'code 2 "$SLUICE" run $trace --load 0.5 && has err "a trace and --load"'
it 'run repeats only traces' 'code 2 "$SLUICE" run image.json --repeat 2 && has err "repeat is for a trace"'
it 'a trace for another chip is refused' 'code 3 "$SLUICE" run $trace --chip tiny && has err "for 4 pipelines, chip .tiny. has 2" && clean'
it 'a damaged trace is refused' 'sed s/640/x/ made_16_4_8_1_5_64.csv > cut_16_4_8_1_5_64.csv;
   code 3 "$SLUICE" run --trace-flows flows_16_4_8_1_5_64.csv --trace-packets cut_16_4_8_1_5_64.csv && has err "line 3" && clean'
it 'a trace without packets is refused' 'head -n 1 made_16_4_8_1_5_64.csv > no_16_4_8_1_5_64.csv;
   code 3 "$SLUICE" run --trace-flows flows_16_4_8_1_5_64.csv --trace-packets no_16_4_8_1_5_64.csv && has err "no packets" && clean'
it 'a program that cannot be written is told' 'code 3 "$SLUICE" run $trace --write-program no/t.dom && has err "no/t.dom" && clean'
it 'run refuses a cut capture' 'head -c 500 a.pcap > cut.pcap; code 3 "$SLUICE" run image.json --pcap cut.pcap && has err "cut.pcap.: packet" && clean'
it 'run refuses an empty capture' ': > empty.pcap; code 3 "$SLUICE" run image.json --pcap empty.pcap && has err "empty.pcap" && clean'
it 'run refuses a capture without packets' 'head -c 24 a.pcap > none.pcap; code 3 "$SLUICE" run image.json --pcap none.pcap && has err "no packets" && clean'
it 'run refuses a text as a capture' 'code 3 "$SLUICE" run image.json --pcap image.json && has err "as a capture"'
it 'run refuses a missing program' 'code 3 "$SLUICE" run no.dom && has err "cannot open .no.dom." && clean'
it 'run refuses an unknown fault' 'code 2 "$SLUICE" run image.json --fault sabotage && has err sabotage'
it 'run refuses an unknown chip' 'code 2 "$SLUICE" run image.json --chip k3 && has err "no chip .k3."'
it 'run refuses a simulator that is not there' 'code 3 "$SLUICE" run image.json --sim no/sim && has err "no/sim"'
it 'without a simulator run says how to get one' 'cp "$SLUICE" alone; SLUICE_SIM= code 3 ./alone run image.json --chip menshen && has err "make build/menshen/sim"'
if command -v gnuplot > tools; then
  it 'run --plot makes both pictures' 'code 0 "$SLUICE" run image.json --plot "it'"'"'s" && [ -s "it'"'"'s.svg" ] && [ -s "it'"'"'s.png" ] && [ -s "it'"'"'s.tsv" ] && clean'
fi
echo "1..$n"
[ $failed -eq 0 ]
