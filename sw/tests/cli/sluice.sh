#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of the command line, as TAP. usage: sluice.sh [SLUICE], from anywhere.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
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
# job KEY VALUE: it is so somewhere in the job that the simulator was given.
job() { jq -e --arg key "$1" --argjson value "$2" 'any(.. | objects | .[$key]; . == $value)' job > /dev/null && return 0; echo "# $1 is not $2 in:"; sed 's/^/# /' job; return 1; }
# it SENTENCE CODE...: one test; CODE is shell, and may return.
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
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
default=$(sed -n 's/^#define SLUICE_DEFAULT_SHAPE "\(.*\)"/\1/p' "$here/../../configs.def")
image "$default" > image.json; image tiny > tiny.json; image tight > tight.json

it 'help goes to standard output' 'code 0 "$SLUICE" --help && has out "sluice VERB" && [ ! -s err ]'
it 'the help tells all exit codes' 'code 0 "$SLUICE" --help && has out "4 a run compared no packet" && code 0 "$SLUICE" help run && has out "4 nothing was compared"'
it 'the help has the verbs by what they are for' 'code 0 "$SLUICE" --help && for group in Programs "A switch that runs" Experiments Formats; do has out "^$group:$" || return 1; done'
it 'run --help shows what a beginner needs' 'code 0 "$SLUICE" run --help && [ "$(grep -c "^  *\(-., \)*--" out)" -le 14 ] && has out "^  -p, --pcap" && ! grep -q -e --move-period out && has out "all [0-9]* options"'
it '--help-all shows all of it, as help does' 'code 0 "$SLUICE" run --help-all && has out "--move-period" && cp out all && code 0 "$SLUICE" help run && cmp all out'
it 'each option of a short help is one of its verb' 'for verb in run trace serve bench-replay bench-recirculate bench-study; do code 0 "$SLUICE" $verb --help && grep "^  *\(-., \)*--" out | grep -v -e --help > short; code 0 "$SLUICE" help $verb && [ "$(wc -l < short)" -ge 3 ] && [ "$(grep -cxFf short out)" -eq "$(wc -l < short)" ] || return 1; done'
it 'a verb with few options shows all of them' 'code 0 "$SLUICE" compile --help && cp out all && code 0 "$SLUICE" compile --help-all && cmp all out'
it 'a typo gets a suggestion' 'code 2 "$SLUICE" rnu && has err "did you mean .run.?" && code 2 "$SLUICE" run --hlep && has err "did you mean .--help.?" && code 2 "$SLUICE" run --stae && has err "did you mean .--state.?" &&
   code 2 "$SLUICE" run image.json --chip tnyi && has err "near it: tiny " && code 2 "$SLUICE" run image.json --chip tight --fault lane_swpa && has err "did you mean .lane_swap.?" &&
   code 2 "$SLUICE" run image.json --steer rnak && has err "did you mean .rank.?"'
it 'run alone says how to use it' 'code 2 "$SLUICE" run && has err "sluice run PROGRAM .--chip NAME. .--pcap FILE."'
it 'no verb is a usage error' 'code 2 "$SLUICE" && [ ! -s out ] && has err "usage: sluice"'
it 'an unknown verb is a usage error' 'code 2 "$SLUICE" dance && has err "sluice: unknown verb .dance."'
for verb in run gen bench-study packets layout serve ctl top active; do
  it "help $verb prints its options" "code 0 \"\$SLUICE\" help $verb && has out 'usage: sluice $(echo $verb | tr - " ")' && has out '--help'"
  it "$verb refuses an unknown option" "code 2 \"\$SLUICE\" $verb --frobnicate && has err frobnicate"
done
version=$(sed -n 's/^#define SLUICE_VERSION "\(.*\)"/\1/p' "$here/../../include/sluice/version.h")
it 'a version names itself and the layouts' 'code 0 "$SLUICE" --version && has out "^sluice $version, layouts $hash$"'
it 'a full disk behind standard output is an error' '"$SLUICE" layout docs > /dev/full 2> err; [ $? -eq 3 ]'

cat > published.c <<'EOF'
#include "hashes.h"
struct Packet { int sport; int count; };
int packets;
void func(struct Packet pkt) { if (pkt.sport) packets += 1; pkt.count = packets; }
EOF
echo 'bind sport @ udp.sport; bind count @ bytes(46, 4);' > homes
echo 'bind sprot @ udp.sport;' > wrong
it 'compile warns of fields without a home' 'code 0 "$SLUICE" compile published.c && has err "published.c:4:40: warning: .sport. is always 0"'
it 'compile --werror refuses them' 'code 1 "$SLUICE" compile published.c --werror -o x.json && has err "warnings are errors" && [ ! -e x.json ]'
it 'compile --bind ties them' 'code 0 "$SLUICE" compile published.c --bind homes --werror -o x.json && [ ! -s err ] && [ -s x.json ]'
it 'errors of --bind name its file' 'code 1 "$SLUICE" compile published.c --bind wrong && has err "^wrong:1:6: error: struct Packet has no field"'
it 'compile --bind wants a file' 'code 3 "$SLUICE" compile published.c --bind nowhere && has err "cannot open .nowhere."'
# terms N: a program with a sum of N terms; ifs N: one with N ifs on one state.
terms() { awk -v n="$1" 'BEGIN { printf "struct Packet { int x @ udp.sport; };\nvoid f(struct Packet p) { p.x = p.x"; for (i = 1; i < n; i++) printf "+p.x"; print "; }" }'; }
ifs() { awk -v n="$1" 'BEGIN { printf "struct Packet { int x @ udp.sport; int y @ udp.dport; };\nint s;\nvoid f(struct Packet p) {"; for (i = 0; i < n; i++) printf " if (p.x == %d) s += p.y; else s -= p.y;", i; print " }" }'; }
it 'a sum of 500 terms, and one of 20,000, have an answer' 'for n in 500 20000; do terms $n > sum.dom; timeout 60 "$SLUICE" compile sum.dom > out 2> err; [ $? -le 1 ] && ! grep -q -e Sanitizer -e "internal error" err || return 1; done'
it '17 ifs on one state, and 100, have one in time' 'for n in 17 100; do ifs $n > ifs.dom; timeout 60 "$SLUICE" compile ifs.dom > out 2> err; [ $? -le 1 ] && ! grep -q Sanitizer err || return 1; done'
it 'one standard input is not two texts' 'code 2 "$SLUICE" compile - --bind - && has err "standard input"'

it 'layout prints the package' 'code 0 "$SLUICE" layout sv && has out "package sluice_layout_pkg"'
it 'layout prints a configuration' 'code 0 "$SLUICE" layout config tiny && has out "NumPipes"'
it 'layout prints a shape with other values' 'code 0 "$SLUICE" layout config tiny NumPorts=8 Num6B=3 && has out "tiny with NumPorts=8, Num6B=3" && has out "NumPorts     =     8;" && has out "Num6B        =     3;"'
it 'layout refuses values that are not legal' 'code 2 "$SLUICE" layout config tiny.k4 NumPorts=3 && has err "NumPorts must be at least NumPipes"'
it 'layout refuses parameters that are not there' 'code 2 "$SLUICE" layout config tiny Ports=8 && has err "there is no parameter .Ports." && code 2 "$SLUICE" layout config tiny NumPorts=8x && has err "not PARAMETER=NUMBER"'
it 'layout prints the page of the shapes' 'code 0 "$SLUICE" layout shapes && has out "^| .NumPipes. | 1 to 16, a power of two"'
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
it 'gen reports a missing folder' 'code 3 "$SLUICE" gen -o no/b.pcap && has err "cannot write .no/b.pcap.: folder .no.: No such file"'
if command -v tshark > tools; then
  it 'tshark agrees with all checksums' 'tshark -n -r a.pcap -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE \
     -Y "ip.checksum.status==Good && udp.checksum.status==Good && vlan.id==1" 2>err | wc -l | grep -q "^ *100$"'
fi

it 'gen makes a stress trace and names its files' 'mkdir -p tr && code 0 "$SLUICE" gen --stress tr --cycles 200 --zipf 0.9 --load 0.9 &&
   has out "^tr/flows_64_4_16_4_512_64.csv" && has out "^tr/stress_64_4_16_4_512_64.csv" && [ -s tr/stress_64_4_16_4_512_64.csv ]'
it 'gen makes the other patterns' 'code 0 "$SLUICE" gen --stress tr --cycles 99 --pattern burst --load 0 --turn 9 --pipelines 2 --entries 1 --stateful 0,3 &&
   has out "tr/burst_64_2_16_2_1_64.csv" && code 0 "$SLUICE" gen --stress tr --cycles 99 --pattern hot-swap --zipf 1 --size 128 --ports 8 && has out "hot-swap_8_4_16_4_512_128"'
it 'gen writes either a capture or a trace' 'code 2 "$SLUICE" gen --stress tr -o b.pcap && has err "either -o or --stress"'
it 'gen refuses a wrong list of stages' 'code 2 "$SLUICE" gen --stress tr --stateful 1,,2 && has err "1,,2" && code 2 "$SLUICE" gen --stress tr --stateful 3,3 && has err twice'
it 'gen refuses a wrong pattern and no load' 'code 2 "$SLUICE" gen --stress tr --pattern plaid && has err plaid && code 2 "$SLUICE" gen --stress tr --load 0 && has err "load 0"'
it 'gen makes the folder of a trace' 'code 0 "$SLUICE" gen --stress new/folder --cycles 9 && has out "^new/folder/flows" && [ -s new/folder/flows_64_4_16_4_512_64.csv ]'
it 'gen names a folder that cannot be made' 'code 3 "$SLUICE" gen --stress a.pcap/x --cycles 9 && has err "cannot make files in .a.pcap/x.: .*Not a directory"'

trace="tr/flows_64_4_16_4_512_64.csv tr/stress_64_4_16_4_512_64.csv"
it 'old names are refused with the new ones' 'for v in study outputs replay recirculate; do code 2 "$SLUICE" $v x && has err "now .sluice bench $v." || return 1; done
   code 2 "$SLUICE" run f.dom --control x && has err "now .--reconfiguration FILE." && code 2 "$SLUICE" trace f.dom --every=1:2 && has err "now .--ready-every LANE:N." && code 2 "$SLUICE" gen --every 3 && has err "now .--turn N." &&
   code 2 "$SLUICE" serve -p 0=udp:0 && has err "now .--port N=KIND:WHAT." && code 2 "$SLUICE" serve -p0=udp:0 && has err "now .--port" && code 2 "$SLUICE" run --controls x && ! has err " now "'
it 'study plays a trace' 'code 0 "$SLUICE" bench study $trace && has out "^throughput  0" && has out "^stage 13 .* 0$" && has out "^C1 broken   0 accesses"'
it 'study prints JSON' 'code 0 "$SLUICE" bench study $trace --json && has out "\"throughput\": 0" && has out "\"hop\": 8" && has out "\"stuck\": false"'
it 'study takes options in both forms' 'code 0 "$SLUICE" bench study $trace hop=5 --pace-age 4 pace_age=3 --json && has out "\"hop\": 5" && has out "\"pace-age\": 3" &&
   has out "\"constant_latency\": 77"'
for mode in ours mp5 no-remap no-phantoms recirculation one-pipeline; do
  it "study plays mode $mode" "code 0 \"\$SLUICE\" bench study \$trace -m $mode && has out '^mode        $mode, 4 pipelines'"
done
it 'outputs plays packets' 'code 0 "$SLUICE" bench outputs --cycles 5000 --way 2 --lanes 8 && has out "^headers     pool, 8 lanes, 64 bytes" && has out "^share       0.9"'
it 'outputs refuses values out of range and what does not go together' 'code 2 "$SLUICE" bench outputs --way 3 && has err "from 0 to 2" && code 2 "$SLUICE" bench outputs --copies 5 && has err "copies is above lanes"'
it 'outputs takes no files' 'code 2 "$SLUICE" bench outputs x && has err "options only"'
it 'study says when a run got stuck' 'code 1 "$SLUICE" bench study $trace limit=150 && has out "^STUCK: "'
it 'study refuses an unknown option, mode or value' 'code 2 "$SLUICE" bench study $trace hops=3 && has err "no option .hops." && code 2 "$SLUICE" bench study $trace --mode best &&
   has err best && code 2 "$SLUICE" bench study $trace --hop 65 && has err "from 1 to 64"'
it 'study refuses options that do not go together' 'code 2 "$SLUICE" bench study $trace hop=1 && has err "steering by rank"'
it 'study needs two files' 'code 2 "$SLUICE" bench study tr/x.csv && has err "two files" && code 2 "$SLUICE" bench study $trace tr/x.csv && has err "two files"'
it 'study names the line of a bad trace' 'cp tr/flows_64_4_16_4_512_64.csv tr/flows_64_4_16_4_8_64.csv; code 3 "$SLUICE" bench study tr/flows_64_4_16_4_8_64.csv tr/stress_64_4_16_4_512_64.csv &&
   has err "flows_64_4_16_4_8_64.csv. line [0-9]*: an index below"'
it 'study tells how a flows file must be called' 'cp tr/flows_64_4_16_4_512_64.csv tr/flows.csv; code 3 "$SLUICE" bench study tr/flows.csv tr/stress_64_4_16_4_512_64.csv && has err "rename the file"'

it 'packets of an image decode' 'code 0 "$SLUICE" packets image.json -o p.pcap && code 0 "$SLUICE" packets --decode p.pcap &&
   has out "1: write MODULE index 1, 68 bytes" && has out "VALID 1, VID 1"'
it 'packets counts what is no reconfiguration packet' 'code 0 "$SLUICE" packets --decode a.pcap && has out "100 other packets"'
it 'packets takes a VLAN id' 'code 0 "$SLUICE" packets -m image.json:45 -o p.pcap && code 0 "$SLUICE" packets -d p.pcap && has out "index 13"'
it 'packets refuses a wrong VLAN id' 'code 2 "$SLUICE" packets -m image.json:4095 -o p.pcap && has err "FILE:VID"'
it 'packets refuses modules that collide' 'code 3 "$SLUICE" packets -m image.json:1 -m image.json:33 -o p.pcap && has err "overlay row 1"'
it 'packets takes the chip of an image, and refuses one of another chip' 'code 0 "$SLUICE" packets tiny.json -o p.pcap && code 3 "$SLUICE" packets tiny.json -c k4 -o p.pcap && has err "made for chip .tiny., this is .k4." && code 3 "$SLUICE" packets -m tiny.json:4 image.json -o p.pcap && has err "made for chip"'
it 'packets takes either images or --decode' 'code 2 "$SLUICE" packets && code 2 "$SLUICE" packets image.json --decode a.pcap'
it 'an image with a foreign hash is refused' 'sed "s/$hash/0badc0de/" image.json > foreign.json; code 3 "$SLUICE" packets foreign.json -o p.pcap && has err "0badc0de"'
it 'a missing image is named' 'code 3 "$SLUICE" packets no.json -o p.pcap && has err "cannot open .no.json.: No such file"'

export SLUICE_SIM=$dir/sim
it 'run prints the short report' 'code 0 "$SLUICE" run image.json -n 200 && has out "^EQUIVALENT$" && has out "^packets  *100 in, 94 left the ports, 3 lost (OVERLOAD 2, LANE_FULL 1)$" &&
   has out "97.3 % of line rate up to the deparsers; LOST on the way: 3.0 % of the packets" && has out "^discarded  *2 by the program (DISCARD_BACK 2)$" &&
   has out "^refused  *1 (NO_VLAN 1)$" && has out "^compared  *97 packets, 6208 bytes, 12 state entries, 3 answers$" && has out "deepest 11" && has out "p99 80" && [ ! -s err ] && clean'
it 'run --quiet prints the verdict alone' 'code 0 "$SLUICE" run image.json -q && [ "$(cat out)" = EQUIVALENT ] && clean'
it 'run --json prints the report' 'code 0 "$SLUICE" run image.json --json && has out "\"verdict\": \"EQUIVALENT\""'
it 'run writes the job as asked' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m tight.json:7 -n 200 --seed 5 --load 0.5 --stall 0.25 --chip tight --fault lane_swap --pace 24 -o o.pcap &&
   job vid 7 && job seed 5 && job load 0.5 && job stall 0.25 && has job lane_swap && job pace 24 && job packets 200 && ! grep -q brake job'
it 'run knows the modes' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json -n 200 --steer stay --issue free --no-escape --no-phantoms --drop-full --ecn-queue 3 --ecn-lane 9 &&
   job mode 118 && job ecn_queue 3 && job ecn_lane 9 && ! grep -q "\"pin\"" job'
it 'run divides the chip' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run --sets 2 -m image.json:7@1 -m image.json:8 && job sets 2 && job set 1'
it 'run gives modules without a set one in turn' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run --sets 4 image.json image.json && job set 1 && ! grep -q "\"set\": 2" job'
for set in 2 x "" 1x; do
  it "run refuses set '$set' of 2" 'code 2 "$SLUICE" run --sets 2 -m image.json:7@$set && [ -s err ]'
done
it 'run refuses 3 sets' 'code 3 "$SLUICE" run --sets 3 image.json && has err "power of two"'
it 'run refuses an unknown mode' 'code 2 "$SLUICE" run image.json --steer left && has err "no .left.; see STEER"'
it 'run tells the pipeline of all state' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json -n 200 --pin 3 && job pin 3 && ! grep -q "\"mode\"" job'
it 'several modules have equal shares if none are given' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json image.json image.json && [ "$(grep -c "\"rate\": 85" job)" -eq 3 ] && job burst 16 &&
   has out "nothing (VLAN 1, share 85:16), nothing (VLAN 2" && [ ! -s err ]'
it 'those without a share get what is left' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 -m image.json:8 -m image.json:9 --share 7=55 && [ "$(grep -c "\"rate\": 100" job)" -eq 2 ] && job rate 55 && [ ! -s err ]'
it 'modules of different sets share nothing' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run --sets 2 -m image.json:7@0 -m image.json:8@1 && ! grep -q rate job && [ ! -s err ]'
it 'no shares: a warning' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json image.json --no-shares && ! grep -q rate job && has err "warning: 2 of 2 modules have no share"'
it 'shares that leave nothing for the others: a warning' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 -m image.json:8 --share 7=256 && has err "warning: 1 of 2 modules have no share"'
it 'shares of more than all: a warning' 'code 0 "$SLUICE" run -m image.json:7 -m image.json:8 --share 7=200 --share 8=100 && has err "warning: the shares add up to 300 of 256"'
it 'packets have the shares as well' 'code 0 "$SLUICE" packets image.json image.json -o p2.pcap && code 0 "$SLUICE" packets -d p2.pcap && has out "write SHARE stage 0 index 1" && has out "RATE 0x7f"'
printf 'struct Packet { int t @ vlan.tci; int o @ meta.port_out; };\nvoid hop(struct Packet p) { p.t = 5; p.o = 1; }\n' > hop.dom
it 'a program that writes its VLAN id is refused when it is compiled, and when it is loaded' 'code 1 "$SLUICE" compile hop.dom -o hop.json && has err "module .hop.: field .t. may change byte 14 of its packets, and so their VLAN id: only a trusted module may; see --trusted" &&
   code 0 "$SLUICE" compile hop.dom -o hop.json --trusted && code 3 "$SLUICE" run hop.json && has err "only a trusted module may" && code 3 "$SLUICE" packets hop.json -o p2.pcap && has err trusted'
it 'unless it is trusted' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m hop.json:7 --trust 7 && job trusted true && code 0 "$SLUICE" packets hop.json -o p2.pcap --trust 1 && code 2 "$SLUICE" run hop.json --trust 2 && has err "no module has the VLAN id .2."'
it 'run writes shares' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 --share 7=64:5 && job rate 64 && job burst 5'
it 'without shares there are none' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run -m image.json:7 && ! grep -q rate job'
for share in 7 7= 8=1 7=257 7=1:64 7=1: 7=x x=1 7=1:2:3; do
  it "a wrong share is refused: $share" "code 2 \"\$SLUICE\" run -m image.json:7 --share $share && has err '^sluice: --share: '"
done
export FAKE
FAKE=differs; it 'a difference is exit code 1 and is told' 'code 1 "$SLUICE" run image.json && has out "DIFFERENT: packet 17, byte 38: expected 0x01, got 0x02 (ticket 12)" && clean'
FAKE=stuck; it 'a stuck chip is exit code 1' 'code 1 "$SLUICE" run image.json && has out "^STUCK: no packet got further for 100000 cycles$"'
FAKE=untested; it 'a run in which nothing was compared is exit code 4' 'code 4 "$SLUICE" run image.json && has out "^UNTESTED: nothing was compared" && clean'
FAKE=error; it 'an error of the simulator is exit code 3' 'code 3 "$SLUICE" run image.json && has out "ERROR: layout hash differs"'
FAKE=dies; it 'a simulator without a report is exit code 3, with its last words' 'code 3 "$SLUICE" run image.json && has err "ended with code 9" && has err "on fire" && has err "(--dir DIR keeps all of it)" && clean'
FAKE=killed; it 'a simulator that is killed is exit code 3' 'code 3 "$SLUICE" run image.json && has err "signal 9" && clean'
FAKE=garbage; it 'a report that is no JSON is exit code 3' 'code 3 "$SLUICE" run image.json && has err "report" && clean'
FAKE=sleeps FAKE_PID=$dir/pid; export FAKE_PID
it 'an interrupt ends the simulator too' '"$SLUICE" run image.json > out 2> err & me=$!; await 5 [ -s pid ]
   kill -TERM $me; wait $me; [ $? -eq 143 ] && has err interrupted && ! kill -0 "$(cat pid)" 2> killed && clean'
it 'a time limit ends the simulator' 'rm -f pid; code 1 "$SLUICE" run image.json --timeout 1 && has err "stopped after 1 s" && ! kill -0 "$(cat pid)" 2> killed && clean'
unset FAKE
it 'run plays a capture' 'FAKE_JOB=$dir/job code 0 "$SLUICE" run image.json --pcap a.pcap --dir kept && job packets 100 && cmp a.pcap kept/*-input.pcap'
it 'run tags what has no tag' 'code 0 "$SLUICE" gen -o u.pcap -n 100 --untagged && rm -rf kept && code 0 "$SLUICE" run image.json --pcap u.pcap --dir kept && cmp a.pcap kept/*-input.pcap'
# A trace: flow 1 accesses entry 2 of stage 3, flow 2 nothing; two packets of each, in lanes 0 and 3.
printf 'flowid,stage_num_1,state_in_stage_1,...\n1,3,2\n2\n' > flows_16_4_8_1_5_64.csv
printf 'port,pkt_size,flowid,time\n0,64,1,0\n15,640,2,0\n1,64,1,0\n12,64,2,9\n' > made_16_4_8_1_5_64.csv
trace='flows_16_4_8_1_5_64.csv made_16_4_8_1_5_64.csv --chip k4'  # of 16 ports
it 'replay plays a trace' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" bench replay $trace --write-program t.dom --dir kept && has out EQUIVALENT &&
   has job "\"schedule\": \"kept/" && job last_offered 9 && job packets 4 && has t.dom "int state3\[6\] @ stage(3)" &&
   [ "$(cat kept/*-schedule.txt | tr "\n" ,)" = "0 0,15 0,4 1,3 9," ]'
it 'replay plays a trace again and again' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" bench replay $trace --repeat 3 --dir kept && job last_offered 29 &&
   [ "$(cat kept/*-schedule.txt | wc -l)" -eq 12 ]'
it 'run makes the folder of the working files' 'code 0 "$SLUICE" run image.json -q --dir one/two/three && [ -n "$(ls one/two/three)" ] && rm -r one'
it 'a trace leaves nothing behind' 'code 0 "$SLUICE" bench replay $trace -q && clean'
it 'the program of a trace keeps flows in order' 'code 0 "$SLUICE" bench replay $trace --flow-order 99 --write-program t.dom -q && has t.dom "option flow_order(99, flow);"'
it 'packets that come in again: pipelines on their own' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" bench recirculate $trace --dir kept &&
   job recirculate 1 && job mode 2 && job move_period 0'
it 'settings of moves' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" bench replay $trace --move-period 99 --move-least 7 --move-quota 5 --dir kept &&
   job move_period 99 && job move_least 7 &&
   job move_quota 5'
it 'each flow of a trace in one lane' 'rm -rf kept; FAKE_JOB=$dir/job code 0 "$SLUICE" bench replay $trace --lanes flow --dir kept &&
   [ "$(cut -d" " -f1 kept/*-schedule.txt | sort | tr "\n" ,)" = "0,1,12,5," ]'
for option in "--repeat 2" "--place random" "--flow-order 9"; do
  it "$option is for a trace" 'code 2 "$SLUICE" run image.json $option && has err "unknown or wrong option"'
done
it 'lanes of run and of replay' 'code 2 "$SLUICE" run image.json --lanes flow && has err "neither spread nor hash" && code 2 "$SLUICE" bench replay $trace --lanes hash && has err "neither spread nor flow"'
it 'pipelines on their own have no moves, no phantoms, no other steering' 'for o in "--steer rank" --no-phantoms "--pin 0" "--flow-order 8" "--move-period 9"; do
   code 2 "$SLUICE" bench recirculate $trace $o && has err "unknown or wrong option" || return 1; done'
it 'places are random or not' 'code 2 "$SLUICE" bench replay $trace --place blocks && has err "neither modulo nor random"'
it 'replay wants both files of a trace' 'code 2 "$SLUICE" bench replay flows_16_4_8_1_5_64.csv && has err "takes two files" && code 2 "$SLUICE" bench recirculate && has err "takes two files"'
it 'a trace brings its own program' 'code 2 "$SLUICE" bench replay image.json $trace && has err "takes two files" && code 2 "$SLUICE" bench replay $trace -m image.json:3 && has err "unknown option"'
it 'a trace brings its own packets' 'code 2 "$SLUICE" bench replay $trace --pcap a.pcap && has err "unknown or wrong option"'
it 'a trace brings its own times' 'code 2 "$SLUICE" bench replay $trace --load 0.5 && has err "unknown or wrong option"'
it 'a trace for another chip is refused' 'code 3 "$SLUICE" bench replay $trace --chip tiny && has err "for 4 pipelines, chip .tiny. has 2" && clean'
it 'a damaged trace is refused' 'sed s/640/x/ made_16_4_8_1_5_64.csv > cut_16_4_8_1_5_64.csv;
   code 3 "$SLUICE" bench replay flows_16_4_8_1_5_64.csv cut_16_4_8_1_5_64.csv && has err "line 3" && clean'
it 'a trace without packets is refused' 'head -n 1 made_16_4_8_1_5_64.csv > no_16_4_8_1_5_64.csv;
   code 3 "$SLUICE" bench replay flows_16_4_8_1_5_64.csv no_16_4_8_1_5_64.csv && has err "no packets" && clean'
it 'a program that cannot be written is told' 'code 3 "$SLUICE" bench replay $trace --write-program no/t.dom && has err "no/t.dom" && clean'
it 'run refuses a cut capture' 'head -c 500 a.pcap > cut.pcap; code 3 "$SLUICE" run image.json --pcap cut.pcap && has err "cut.pcap.: packet" && clean'
it 'run refuses an empty capture' ': > empty.pcap; code 3 "$SLUICE" run image.json --pcap empty.pcap && has err "empty.pcap" && clean'
it 'run refuses a capture without packets' 'head -c 24 a.pcap > none.pcap; code 3 "$SLUICE" run image.json --pcap none.pcap && has err "no packets" && clean'
it 'run refuses a text as a capture' 'code 3 "$SLUICE" run image.json --pcap image.json && has err "as a capture"'
it 'run refuses a missing program' 'code 3 "$SLUICE" run no.dom && has err "cannot open .no.dom." && clean'
it 'run refuses an unknown fault' 'code 2 "$SLUICE" run image.json --fault sabotage && has err sabotage'
it 'run refuses an unknown chip' 'code 2 "$SLUICE" run image.json --chip k3 && has err "no chip .k3."'
it 'run refuses a simulator that is not there' 'code 3 "$SLUICE" run image.json --sim no/sim && has err "no/sim"'
it 'without a simulator run says how to get one' 'cp "$SLUICE" alone; SLUICE_SIM= code 3 ./alone run image.json --chip menshen && has err "make sim CONFIG=menshen"'
it 'serve wants ports or a control socket' 'code 2 "$SLUICE" serve -c model:tiny && has err "needs ports or a control socket"'
it 'serve refuses a chip that is not there' 'code 2 "$SLUICE" serve -c tony --port 0=udp:0 && has err "no chip .tony." && code 2 "$SLUICE" serve -c model:tony --port 0=udp:0 && code 2 "$SLUICE" serve -c cereal:x --port 0=udp:0'
it 'ctl and top ask which switch' 'SLUICE_CONTROL= code 2 "$SLUICE" ctl list && has err "which switch" && SLUICE_CONTROL= code 2 "$SLUICE" top --once && has err "which switch"'
it 'ctl and top say that nobody answers' 'code 3 "$SLUICE" ctl list --control no/switch && has err "no switch answers at .no/switch." && code 3 "$SLUICE" top --once --control no/switch'
it 'ctl without a verb' 'code 2 "$SLUICE" ctl --control no/switch && has err "sluice help ctl"'
# ---- "-" in every verb: what each option that names a file does with it. The kinds: r reads standard input, w writes standard
# output and nothing else there, b refuses since the verb itself prints there, n refuses since a name matters, m and e are FILE:VID
# and TABLE=FILE, which read. An option or a verb that is missing here fails the test below.
"$SLUICE" packets image.json -o p.pcap
printf 'struct Packet { int o @ meta.port_out; };\nvoid one(struct Packet p) { p.o = 1; }\n' > one.dom
printf 'struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int o @ meta.port_out; };\nvoid chain(struct Packet p) {\n  p.b = ((((((p.a + 1) ^ p.b) + 3) ^ p.a) + 5) ^ p.b) + 7;\n  p.b = ((((((p.b + 1) ^ p.a) + 3) ^ p.b) + 5) ^ p.b) + 7;\n  p.o = 1;\n}\n' > chain.dom
cp "$here/../../programs/tables/router.dom" router.dom; cp "$here/../../programs/active/ping.ap4" .; echo '{"regions": []}' > memory.json; : > nothing; echo '[]' > routes
printf 'id\tfigure\n' > plan.tsv
cat > dashes <<'TABLE'
run module m
run entries e
run initial n
run reconfiguration r
run pcap r
run output w
run report w
run timeline w
run events s
run stories s
run view s
run plot n
run accesses n
run sim n
run policy n
run system n
run dir n
trace module m
trace entries e
trace initial n
trace reconfiguration r
trace pcap r
trace read r
trace output b
trace report b
trace timeline b
trace events b
trace stories b
trace view b
trace plot n
trace accesses n
trace sim n
trace policy n
trace system n
trace dir n
bench-replay reconfiguration r
bench-replay write-program w
bench-replay output w
bench-replay report w
bench-replay timeline w
bench-replay events s
bench-replay stories s
bench-replay view s
bench-replay plot n
bench-replay accesses n
bench-replay sim n
bench-replay dir n
bench-recirculate reconfiguration r
bench-recirculate write-program w
bench-recirculate output w
bench-recirculate report w
bench-recirculate timeline w
bench-recirculate events s
bench-recirculate stories s
bench-recirculate view s
bench-recirculate plot n
bench-recirculate accesses n
bench-recirculate sim n
bench-recirculate dir n
compile output w
compile bind r
compile system n
compile dot w
explain dot w
gen output w
gen stress n
bringup device n
bringup sim n
bringup policy n
bringup system n
bringup module m
bringup entries e
active output w
active memidx w
active memory r
active memory-out w
packets output w
packets decode r
packets policy n
packets system n
image output w
image allocation r
image entries e
packets module m
packets entries e
bench plan r
bench traces n
bench out n
check shrink s
fuzz keep n
fuzz sim n
isolate keep n
isolate sim n
serve control n
serve policy n
serve system n
serve sim n
serve module m
serve entries e
serve initial n
ctl control n
ctl system n
top control n
bench-study - -
bench-outputs - -
layout - -
p4 - -
TABLE
it 'the table of what - means has every verb, and of each every option that takes a file, a folder or a prefix' '"$SLUICE" help --verbs > verbs; while read -r verb; do
     "$SLUICE" help $verb | sed -n "s/^ .*--\([a-z-]*\) [^ ]*\(FILE\|DIR\|PREFIX\|IMAGE\)\(:[A-Z]*\)* .*/$verb \1/p" | sort -u > some; [ -s some ] || echo "$verb -" > some; cat some; done < verbs | sort > named
   cut -d" " -f1,2 dashes | sort | diff - named'
printf "StatefulIdxConf 000100110000000000000001\\n0000010000000000\\n" > st.txt
begins() { [ "$(head -c 4 "$1" | od -An -tx1 | tr -d ' \n')" = "$2" ] && return 0; echo "# $1 begins with $(head -c 4 "$1" | od -An -tx1)"; return 1; }
while read -r verb option kind; do
  end=0 value=- from=p.pcap with=
  case $verb-$option in
    compile-bind) with=published.c from=homes ;; compile-*) with=one.dom ;; explain-*) with=chain.dom end=1 ;; image-output) with="st.txt --from-menshen" ;; image-entries) with="router.dom --chip tables --to-menshen -o x.txt" from=routes end=1 ;; image-*) with="router.dom --chip tables --to-menshen -o x.txt" from=nothing end=1 ;; *-module) ;; *-entries) with='router.dom --chip tables' from=routes ;;
    active-output|active-memidx) with='asm ping.ap4' ;; active-*) with='run ping.ap4' from=memory.json ;; bench-plan) from=plan.tsv ;;
    trace-read) ;; packets-decode) ;; run-*|trace-*|packets-*|bringup-*) with=image.json ;; bench-replay-*|bench-recirculate-*) with=$trace ;;
  esac
  case $kind in
    m) value=-:9 from=image.json ;; e) value=route=- ;;
  esac
  case $verb-$kind in
    serve-m) with='--chip model:k4 --port 0=udp:0' ;; bringup-[me]) with="$with --device none" ;; packets-[me]) with="$with -o q.pcap" ;; serve-e) with='--chip model:tables --module router.dom:1 --port 0=udp:0' ;;
  esac
  case $verb-$option in  # whose input here is read, and then refused
    trace-*) end=3 ;; bringup-*) end=3 ;; bench-plan) end=3 ;;
  esac
  case $kind in
    n) it "$verb --$option - is refused" "code 2 \"\$SLUICE\" $verb $with --$option - && has err '^sluice: --$option: .-. is standard input or output, which cannot be used here' && [ ! -e - ]" ;;
    b) it "$verb --$option - is refused: stories are printed there" "code 2 \"\$SLUICE\" $verb $with --$option - && has err 'both want standard output' && [ ! -e - ]" ;;
    [rme]) [ $verb-$kind = serve-m ] || [ $verb-$kind = serve-e ] ||
         it "$verb --$option $value reads standard input" "FAKE_JOB=$dir/job \"\$SLUICE\" $verb $with --$option $value < $from > out 2> err; same=\$?; [ \$same -eq $end ] && [ ! -e - ] || { echo \"# exit code \$same\"; sed 's/^/# /' err; return 1; }"
       it "$verb --$option $value and another -: there is one standard input" "code 2 \"\$SLUICE\" $verb $with --$option $value --$option $value && has err 'one standard input'" ;;
    w) it "$verb --$option - writes standard output and nothing else there" "code $end \"\$SLUICE\" $verb $with --$option - && [ ! -e - ] && [ -s out ] && ! grep -aq '^EQUIVALENT' out"
       it "$verb --$option - twice: there is one standard output" "code 2 \"\$SLUICE\" $verb $with --$option - --$option - && has err 'one standard output'" ;;
    s) it "$verb --$option - twice: there is one standard output" "code 2 \"\$SLUICE\" $verb $with --$option - --$option - && has err 'one standard output'" ;;
  esac
done < dashes
# Arguments that are files: programs and captures are read, the two files of a trace have names that matter.
for verb in 'compile' 'explain' 'packets' 'run' 'trace'; do
  it "$verb -: the program is standard input" "\"\$SLUICE\" $verb - $([ $verb = packets ] && echo -o q.pcap) < one.dom > out 2> err; case $verb in trace) has err 'no story' ;; *) [ -s out ] || [ -s q.pcap ] ;; esac"
done
it 'active asm, run, show -: the same' '"$SLUICE" active asm - < ping.ap4 > out 2> err && "$SLUICE" active run - < ping.ap4 > out 2> err && "$SLUICE" active asm ping.ap4 -o - | "$SLUICE" active show - > out && has out RTS'
for verb in bench-study bench-replay bench-recirculate; do it "$verb reads files with names only" "code 2 \"\$SLUICE\" $verb - - && has err 'reads no standard input'"; done
it 'what goes to standard output is the file itself' '"$SLUICE" run image.json -o - > out 2> err && [ "$(cat out)" = "what leaves" ] && has err "^EQUIVALENT" &&
   "$SLUICE" run image.json --report - 2> err | has /dev/stdin "\"verdict\": \"EQUIVALENT\"" && "$SLUICE" gen -o - -n 9 > out && begins out 4d3cb2a1 && "$SLUICE" packets image.json -o - | cmp - p.pcap'
it 'run --json and -o - both want standard output' 'code 2 "$SLUICE" run image.json --json -o - && has err "both want standard output"'
printf 'struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); };\nint s;\nvoid two(struct Packet p) { s += p.a; p.b = s ^ p.a; }\n' > two.dom
it 'compile --dot draws the operations: one graph, all its edges between boxes' '"$SLUICE" compile two.dom --dot one.dot && awk '"'"'
  /^digraph/ { graphs++ } $2 ~ /^\[label=/ { box[$1] = 1; boxes++ }
  $2 == "->" { to = $3; sub(/;$/, "", to); if (!box[$1] || !box[to]) bad++; edges++ }
  END { exit !(graphs == 1 && boxes > 2 && edges > 1 && !bad) }'"'"' one.dot'
# explain: where each line went, and why not.
printf 'struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int i @ bytes(54, 2); int o @ meta.port_out; };\nint s[64];\nint t;\nvoid three(struct Packet p) {\n  s[p.i & 63] += p.a;\n  t += 1;  // not p.b\n  p.b = s[p.i & 63] ^ p.a;\n  p.o = 1;\n}\n' > three.dom
it 'explain tells each line, its stage, unit and container' 'code 0 "$SLUICE" explain three.dom && has out "^back stage 0" && has out "^  line 5    state unit       s\[p.i & 63\] += p.a;" && has out "^  line 7    ALU        4B"'
it 'explain tells what is sharded and pinned, and why' 'has out "^  s (64, .*sharded, index 2B.*: its index is known at the order point" && has out "^  t (1, .*pinned.*: it is one value"'
it 'explain tells which header bytes are read and written, and where' 'has out "^  bytes 46..49 .* a, read to 4B.*, named in lines 5, 7$" && has out "^  bytes 50..53 .* b, written from 4B.*, named in lines 7$"'
it 'explain --json tells the same' 'code 0 "$SLUICE" explain three.dom --json && jq -e ".fits and (.arrays|map(.pinned)) == [false, true] and (.lines|map(select(.unit == \"state unit\").line)) == [5, 6]" < out > jqout'
it 'explain: an index that is late is told with its reason' 'sed "s/p.i & 63\] += p.a/t \& 63] += p.a/; s/s\[p.i & 63\] ^/1 ^/" three.dom > late.dom; code 0 "$SLUICE" explain late.dom && has out "^  s (64, .*pinned.*: its index"'
printf 'struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int o @ meta.port_out; };\nvoid chain(struct Packet p) {\n  p.b = ((((((p.a + 1) ^ p.b) + 3) ^ p.a) + 5) ^ p.b) + 7;\n  p.b = ((((((p.b + 1) ^ p.a) + 3) ^ p.b) + 5) ^ p.b) + 7;\n  p.o = 1;\n}\n' > chain.dom
it 'explain: the longest chain of what does not fit, as lines' 'code 1 "$SLUICE" explain chain.dom && has err "\[stages\]" && has out "^the longest chain" && has out "^  line 3 .* operations p.b = " && has out "^  line 4 .* operations p.b = "'
it 'explain --json: the same, and every operation of the chain is counted' 'code 1 "$SLUICE" explain chain.dom --json && jq -e "(.fits|not) and (.chain|map(.line)) == [3, 4] and (.chain|map(.operations)|add) > 10" < out > jqout'
it 'explain --dot: the chain as a graph, beside its lines' 'code 1 "$SLUICE" explain chain.dom --dot chain.dot && has out "^the longest chain" && grep -q "^digraph \"chain\" {" chain.dot && grep -q "^  l0 \[label=\"line 3, .* operations" chain.dot && grep -qx "  l0 -> l1;" chain.dot && [ "$(tail -n 1 chain.dot)" = "}" ]'
it 'explain --dot -: alone on standard output' 'code 1 "$SLUICE" explain chain.dom --dot - && cmp -s out chain.dot && code 2 "$SLUICE" explain chain.dom --dot - --json'
it 'explain --dot: of a program that fits there is nothing to draw' 'rm -f fits.dot; code 0 "$SLUICE" explain three.dom --dot fits.dot && has err "the program fits" && [ ! -e fits.dot ]'
it 'explain --dot: a file that cannot be written' 'code 3 "$SLUICE" explain chain.dom --dot nowhere/x.dot && has err "cannot write .nowhere/x.dot"'
page() { awk -v first="$2" '$0 == first { on = 1; next } /^```/ { on = 0 } on' "$here/../../../docs/$1"; }
it 'explain: the example of docs/cli.md is what is printed' 'page cli.md "\$ sluice explain sw/programs/flowlet.dom" > want && [ -s want ] && "$SLUICE" explain "$here/../../programs/flowlet.dom" | cmp - want'
it 'the program of docs/p4.md compiles as the page says' 'page p4.md "\`\`\`c" > basic.dom && page p4.md "\$ sluice compile basic.dom --chip s2" > want && [ -s want ] && "$SLUICE" compile basic.dom --chip s2 | cmp - want'
it 'explain reads standard input' '"$SLUICE" explain - < three.dom > out 2> err && has out "^three on $default"'
it 'explain without a program' 'code 2 "$SLUICE" explain && has err "explain needs one program"'
it 'compile --dot and --emit ir are one or the other' 'code 2 "$SLUICE" compile one.dom --emit ir --dot one.dot && has err "one or the other"'
it 'compile --dump and -o - as well, and --json' 'code 2 "$SLUICE" compile one.dom -o - --dump ssa && has err "both want standard output" && code 2 "$SLUICE" compile one.dom -o - --json'
for what in image.json one.dom; do
  it "a program from standard input: $what" "\"\$SLUICE\" run - < $what > out 2> err && has out 'modules' && \"\$SLUICE\" run -m -:9 < $what > out 2> err && has out 'VLAN 9' &&
     \"\$SLUICE\" packets - -o q.pcap < $what 2> err && [ -s q.pcap ]"
done
it 'compile --emit ir writes a text that compiles to the same image' '"$SLUICE" compile one.dom -o straight.json > out && "$SLUICE" compile one.dom --emit ir -o one.ir && begins one.ir 736c7569 && "$SLUICE" compile one.ir -o i.json > out && cmp i.json straight.json && "$SLUICE" compile one.dom --emit ir -o - | "$SLUICE" compile - -o i.json && cmp i.json straight.json'
it 'compile --emit: other kinds, --json' 'code 2 "$SLUICE" compile one.dom --emit text && has err "kinds are image, ir" && code 2 "$SLUICE" compile one.dom --emit ir --json && has err "one or the other"'
it 'compile reads standard input' '"$SLUICE" compile - -o i.json < one.dom > out 2> err && has i.json sluice_image'
it 'a program and a capture cannot both be standard input' 'code 2 "$SLUICE" run - --pcap - && has err "one standard input" && code 2 "$SLUICE" packets - - -o q.pcap && has err "one standard input"'

# ---- names, folders, what is left behind
it 'a file that is neither program nor image is named with what is expected' 'echo "control c { }" > x.conf; code 3 "$SLUICE" run x.conf && has err ".x.conf. is no program (\*.dom, \*.p4), and no configuration image (JSON"'
it 'an image with a control character in a name is refused' 'sed "s/\"nothing\"/\"no\\\\u001b[2Jthing\"/" image.json > escape.json; code 3 "$SLUICE" run escape.json && has err "program has a control character in it"'
it 'messages have no control characters' 'code 3 "$SLUICE" run "$(printf "a\nEQUIVALENT\033[2J.dom")" && has err "cannot open .a.x0aEQUIVALENT.x1b\[2J.dom." && ! grep -q "^EQUIVALENT" err'
it 'programs are compiled in memory: no link in the place for temporary files is followed' 'sh -c "ln -s \"$dir/victim\" \"$TMPDIR/\$\$-vlan1.json\"; exec \"$SLUICE\" packets one.dom -o q.pcap" && [ -s q.pcap ] && rm "$TMPDIR"/*-vlan1.json && clean && [ ! -e victim ]'
it 'packets leave nothing in the place for temporary files' 'ln -s "$dir/victim" "$TMPDIR/x"; code 0 "$SLUICE" packets one.dom -o q.pcap && rm "$TMPDIR/x" && clean && [ ! -e victim ]'
it 'results of a run before are gone when a run fails' 'for f in o.pcap r.json t.tsv w.txt v.html pl.svg pl.png pl.tsv; do echo old > $f; done
   code 3 "$SLUICE" run no.dom -o o.pcap --report r.json --timeline t.tsv --stories w.txt --view v.html --plot pl && for f in o.pcap r.json t.tsv w.txt v.html pl.svg pl.png pl.tsv; do [ ! -e $f ] || return 1; done'
it 'a file that is read is not written' 'cp a.pcap same.pcap; code 2 "$SLUICE" run image.json --pcap same.pcap -o same.pcap && has err "to be read, and to be written" && cmp a.pcap same.pcap &&
   cp image.json im.json && code 2 "$SLUICE" run im.json --report im.json && code 2 "$SLUICE" run -m im.json:3 -o im.json && cmp image.json im.json'
it 'what a killed command has left is removed, if it is ours, old, and nobody has it' 'for d in .sluice-run-dead00 .sluice-run-young0 .sluice-run-mine00 sluice-backup other; do mkdir "$TMPDIR/$d" || return 1; done
   echo x > "$TMPDIR/.sluice-run-dead00/1-input.pcap" && echo x > "$TMPDIR/.sluice-run-mine00/thesis" && echo x > "$TMPDIR/sluice-backup/1-a" &&
   touch -d "5 minutes ago" "$TMPDIR"/.sluice-run-[dm]* "$TMPDIR/sluice-backup" "$TMPDIR/other" && code 0 "$SLUICE" run image.json -q &&
   [ "$(ls -A "$TMPDIR" | tr "\n" ,)" = ".sluice-run-mine00,.sluice-run-young0,other,sluice-backup," ] && [ -s "$TMPDIR/.sluice-run-mine00/thesis" ] && [ -s "$TMPDIR/sluice-backup/1-a" ]
   left=$?; rm -r "$TMPDIR"/.sluice-run-* "$TMPDIR/sluice-backup" "$TMPDIR/other"; [ $left -eq 0 ]'
it 'more packets than the disk has room for are refused at once' 'code 3 "$SLUICE" run image.json -n 1000000000000 && has err "1000000000000 packets take 8[0-9]*.0 GB, and the disk of .* GB free" && clean'
it 'no folder for temporary files is said' 'TMPDIR=$dir/none code 3 "$SLUICE" run image.json && has err "cannot make a working folder in"'
if [ "$(id -u)" -eq 0 ] && command -v setpriv > tools; then
  it "another user's build folder is no obstacle" 'mkdir -p tree/build/tiny && cp "$SLUICE" tree/build/sluice && cp sim tree/build/tiny/sim && chmod 755 . tree tree/build && chmod 1777 "$TMPDIR" &&
     SLUICE_SIM= setpriv --reuid 65534 --regid 65534 --clear-groups tree/build/sluice run tiny.json --chip tiny -q > out 2> err < /dev/null; has out "^EQUIVALENT" && clean && [ ! -e tree/build/run ]'
fi
it 'paths that are too long are refused, not cut' 'long=$(printf "%05000d" 0) && code 2 "$SLUICE" run image.json --plot "$long" && has err "path is too long" && code 3 "$SLUICE" fuzz --keep "$long" && has err "path is too long" &&
   code 3 "$SLUICE" run image.json -o "$long" && has err "path is too long" && code 3 "$SLUICE" run image.json --dir "$long" && has err "path is too long"'
it 'a chip without faults cannot be broken' 'for chip in k4 tiny small; do
     code 2 "$SLUICE" run tiny.json --chip $chip --fault lane_swap && has err "built without faults .*has them" && code 2 "$SLUICE" fuzz --chip $chip --fault lane_swap && has err "built without faults" || return 1; done'
it 'cases of one seed on two chips lie apart' 'for chip in tiny small; do mkdir -p two/build/$chip && cp sim two/build/$chip/sim &&
     FAKE=differs SLUICE_SIM= code 1 "$SLUICE" fuzz --chip $chip --sim two/build/$chip/sim --seed 7 --exact --runs 1 --no-shrink && has out "kept in two/build/fuzz/$chip/7" || return 1; done'
it 'those of a simulator that is in no such folder lie in build/fuzz of this one' 'mkdir far && cp sim far/away &&
   FAKE=differs SLUICE_SIM= code 1 "$SLUICE" fuzz --chip tiny --sim "$dir/far/away" --seed 7 --exact --runs 1 --no-shrink && has out "kept in build/fuzz/tiny/7" && [ -s build/fuzz/tiny/7/job.json ] && clean'
it 'fuzz --first begins no run behind the first that fails' 'FAKE=differs code 1 "$SLUICE" fuzz --chip tiny --seed 7 --runs 3 --no-shrink && has out "# 0 passed, 3 failed" &&
   FAKE=differs code 1 "$SLUICE" fuzz --chip tiny --seed 7 --runs 3 --no-shrink --first && has out "# 0 passed, 1 failed"'
it 'fuzz refuses an unknown fault' 'code 2 "$SLUICE" fuzz --chip tight --fault sabotage && has err sabotage'
it 'rates of serial lines are listed' 'code 3 "$SLUICE" bringup one.dom --device /dev/null --baud 9601 && has err "9601 baud is none .* 9600, 19200, .*, 3500000, 4000000" &&
   for baud in 3500000 4000000; do code 3 "$SLUICE" bringup one.dom --chip tiny --device /dev/null --baud $baud && has err "no serial line" || return 1; done'
it 'too many arguments of a simulated board are refused' 'code 3 "$SLUICE" bringup one.dom --sim sim $(for i in $(seq 17); do echo --sim-option $i; done) && has err "more than 16 arguments"'

if command -v gnuplot > tools; then
  it 'run --plot makes both pictures' 'code 0 "$SLUICE" run image.json --plot "it'"'"'s" && [ -s "it'"'"'s.svg" ] && [ -s "it'"'"'s.png" ] && [ -s "it'"'"'s.tsv" ] && clean'
  it 'the plot says what it shows' 'has "it'"'"'s.svg" "nothing on $default: EQUIVALENT" && has "it'"'"'s.svg" "line rate ("'
fi
echo "1..$n"
[ $failed -eq 0 ]
