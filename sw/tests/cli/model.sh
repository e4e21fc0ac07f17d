#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `sluice run --chip model:NAME`, as TAP: no simulator is there. usage: model.sh [SLUICE], from anywhere.
here=$(cd "$(dirname "$0")" && pwd)
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
programs=$here/../../programs
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
TMPDIR=$dir/tmp; mkdir "$TMPDIR"; export TMPDIR
SLUICE_SIM=$dir/none; export SLUICE_SIM
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
# of FILTER VALUE: what the report r.json says.
of() { got=$(jq -c "$1" r.json); [ "$got" = "$2" ] || { echo "# $1: $got, wanted $2"; return 1; }; }
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
clean() { [ -z "$(ls -A "$TMPDIR")" ] && return 0; echo "# left behind: $(ls "$TMPDIR")"; return 1; }
model() { want=$1; shift; code "$want" "$SLUICE" run --chip model:tiny --report r.json "$@"; }

echo 'struct Packet { int o @ meta.port_out; int seen @ udp.sport; }; int count = 7;
void number(struct Packet p) { count = count + 1; p.seen = count; p.o = 1; }' > number.dom
echo 'struct Packet { int o @ meta.port_out; int d @ meta.discard; int s @ udp.sport; };
void some(struct Packet p) { p.o = 1; p.d = p.s & 1; }' > some.dom
"$SLUICE" gen -o a.pcap -n 100 --size 64 > out || exit 3
"$SLUICE" gen -o u.pcap -n 100 --size 64 --untagged > out || exit 3
# The bytes of 64-byte packets in a pcap file, one a line.
packets() { tail -c +25 "$1" | od -An -v -tx1 -w80 | cut -c 49-; }

it 'the verdict is MODEL, and it says that nothing was compared' 'model 0 number.dom --pcap a.pcap -o o.pcap && [ "$(tail -n 1 out)" = "MODEL: the reference alone has run; nothing was compared" ] &&
   of .verdict \"MODEL\" && of .compared.packets 0 && ! grep -q EQUIVALENT out && clean'
it 'the report counts, and has no cycles' 'of "[.packets, .delivered, .lost, .discarded, .refused, .copies, .bytes]" "[100,100,0,0,0,100,6400]" && of "[.cycles, .latency, .boundaries]" "[null,null,null]" && ! grep -q latency out'
it 'what leaves is written' '[ "$(packets o.pcap | wc -l)" -eq 100 ] && [ "$(packets o.pcap | sed -n "1p;100p" | cut -d " " -f 40-41 | tr "\n" ,)" = "00 08,00 6b," ]'
it 'state by source names' 'model 0 number.dom --pcap a.pcap --state && of .state.vid1.count.values "[107]" && of .state.vid1.count.initial 7 && has out "count = 107"'
it 'json is the report' 'model 0 number.dom -n 5 --json && jq -e ".verdict == \"MODEL\" and .packets == 5" out > jq.out'
it 'quiet is the verdict alone' 'model 0 number.dom -n 5 -q && [ "$(wc -l < out)" -eq 1 ] && has out "^MODEL: "'
it 'pcapng: comments say packet, ticket and module, and no latency' 'model 0 number.dom --pcap a.pcap -o o.pcapng && grep -aq "packet 100, ticket 99, module number (VLAN 1)" o.pcapng && ! grep -aq latency o.pcapng'
it '- is standard input and output' '"$SLUICE" run --chip model:tiny number.dom --pcap - -o - -q < a.pcap > p.pcap 2> err; model 0 number.dom --pcap a.pcap -o o.pcap && cmp o.pcap p.pcap && clean'
it 'drops have their reasons' 'model 0 some.dom --pcap a.pcap && of "(.drops.DISCARD_BACK // 0) + (.drops.DISCARD_FRONT // 0) == .discarded and .discarded > 0 and .discarded + .delivered == 100" true'
it 'several modules, by flow' 'model 0 -m number.dom:5 -m some.dom:6 --pcap u.pcap && of ".modules.vid5.admitted > 0 and .modules.vid5.delivered + .modules.vid6.delivered + .modules.vid6.discarded == 100" true'
it 'packets of no module are refused' 'code 0 "$SLUICE" gen -o w.pcap -n 100 --size 64 --vid 40 && model 0 -m number.dom:5 --pcap w.pcap && of "[.refused, .drops.UNKNOWN_MODULE]" "[100,100]"'
it 'ports that a module may not use' 'model 0 number.dom --ports 1=0 --pcap a.pcap && of "[.refused, .drops.FORBIDDEN]" "[100,100]"'
it 'a policy is kept' 'echo "{\"sluice_policy\": 1, \"modules\": [{\"vid\": 1, \"rows\": 0}]}" > policy.json; model 3 number.dom --policy policy.json && has err "number\|VLAN"'
it 'captures at ports' 'model 0 number.dom --pcap 1:a.pcap --register "LANE[0].PACKETS" --register "LANE[1].PACKETS" --pcap 0:u.pcap && of ".packets" 200 && of "[.registers[]] | add" 200'
it 'a port that is not there' 'model 3 number.dom --pcap 9:a.pcap && has err "port 9"'
it 'packets is a bound' 'model 0 number.dom --pcap a.pcap -n 10 && of .packets 10'
it 'control packets take effect' 'code 0 "$SLUICE" packets -m number.dom:9 -o c.pcap && model 0 -m number.dom:5 --reconfiguration c.pcap -n 3 && of ".control_packets > 0" true'
it 'a chip that is not there' 'code 2 "$SLUICE" run --chip model:nobody number.dom && has err "no chip .nobody."'
it 'another number of pipelines: model:tiny.k4, and k4.k8' 'code 0 "$SLUICE" run number.dom -n 5 --chip model:tiny.k4 && code 0 "$SLUICE" run number.dom -n 5 --chip model:k4.k8 && has out "reference model of k4.k8" &&
   code 0 "$SLUICE" compile number.dom --chip k4.k8 -o i.json && code 0 "$SLUICE" run i.json -n 5 --chip model:k4.k8'
cat > ports.dom <<EOT
struct Packet { int d @ ipv4.dst; int o @ meta.port_out; };
void fwd(struct Packet p, int port : 16) { p.o = port; }
table route { key: p.d: exact; actions: fwd; size: 16; default: fwd(PORT); }
void r(struct Packet p) { apply(route); }
EOT
sed "s/PORT/3/" ports.dom > good.dom; sed "s/PORT/4/" ports.dom > bad.dom
# entry CHIP PORT: a run with an entry that sends there.
entry() { printf "p.d,action,port\n10.0.0.9,fwd,$2\n" > e.csv; "$SLUICE" run good.dom --chip "model:$1" --entries route=e.csv -n 3 > out 2> err; }
it 'an entry that sends to a port that is not there is refused with the range, a default is warned of' 'entry react 3 && ! entry react 4 && has err "e.csv.: line 2: table .route.: .port. of .fwd. is an output port, 0..3 on this chip, not 4" &&
   entry s4 255 && ! entry s4 300 && has err "0..255 on this chip, not 300" && code 0 "$SLUICE" compile bad.dom --chip react && has err "0 to 3 on chip .react.. these packets are dropped" &&
   code 1 "$SLUICE" compile bad.dom --chip react --werror'
it 'one that cannot be: the names that can, and where model: belongs' 'code 2 "$SLUICE" run number.dom --chip model:k4.k3 && has err "is one of k4.k1, k4.k2, k4.k4, k4.k8, k4.k16" &&
   code 2 "$SLUICE" compile number.dom --chip model:k4 && has err "here the chip is .k4." && code 2 "$SLUICE" compile number.dom --chip kk4 && has err "near it: k4 " &&
   code 2 "$SLUICE" serve --chip model:nobody --port 0=udp:0 && has err "no chip .nobody.; there are"'
it 'a cut capture is an error' 'head -c 500 a.pcap > cut.pcap; model 3 number.dom --pcap cut.pcap && has err "cut.pcap.: packet"'
it 'an output that cannot be written is an error' 'model 3 number.dom -n 5 -o none/o.pcap && has err "none/o.pcap" && clean'
for option in "--sim x" "--timeout 3" "--max-cycles 9" "--timeline t" "--plot p" "--stories t" "--accesses ." "--stall 0.1" "--load 0.5" "--pace-by time" "--pace 3" "--brake 3" \
    "--lane-limit 3" "--output-limit 3" "--ecn-queue 3" "--ecn-lane 3" "--drop-full" "--no-phantoms" "--no-escape" "--steer stay" "--issue free" "--move-period 3" "--move-least 3" \
    "--move-quota 3" "--malformed 0.1" "--idle 0.1" "--fault lane_swap"; do
  it "$option needs a simulator" "model 2 number.dom $option && has err 'needs a simulated chip: the model'"
done
it 'all programs run' 'for p in "$programs"/*.dom; do code 0 "$SLUICE" run --chip model:k4 "$p" -n 200 -q || return 1; done'
echo "1..$n"
[ $failed -eq 0 ]
