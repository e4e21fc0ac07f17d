#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What arrays hold at the start (--initial), on the model and on simulated chips with a job and with a socket, as TAP.
# usage: initial.sh [CHIP...]; simulated ones need build/CHIP/sim.
# Needs: react tiny
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "$here/../../../build/sluice")
[ $# -gt 0 ] || set -- model:tiny model:egress tiny react
dir=$(mktemp -d) || exit 3
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 3
n=0 failed=0
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $chip: $name"; else echo "not ok $n - $chip: $name"; failed=$((failed + 1)); fi
}
# run CODE OPTION...: n.dom in VLAN 1 with 20 packets.
run() {
  want=$1; shift
  "$SLUICE" run --chip "$chip" n.dom -n 20 --seed 3 --report r.json "$@" > out 2>&1
  got=$?; [ $got -eq "$want" ] && return 0
  echo "# exit code $got, wanted $want: $*"; sed 's/^/# /' out; return 1
}
has() { grep -q -- "$1" out && return 0; echo "# '$1' is not in:"; sed 's/^/# /' out; return 1; }
values() { got=$(jq -c ".state.vid1 | map_values(.values)" r.json); [ "$got" = "$1" ] && return 0; echo "# $got, wanted $1"; return 1; }
refused() { printf '%s' "$1" > bad.json; run 1 --initial bad.json && has "$2"; }

echo 'struct Packet { int o @ meta.port_out; }; int count[4] = {7}; int sum;
void number(struct Packet p) { count[1] += 1; sum += 2; p.o = 1; }' > n.dom
echo '{"vid1": {"count": [9, -5, 4294967295], "sum": {"values": [100]}}}' > start.json
printf '\357\273\277{"vid1": {"sum": [1]}}' > mark.json

for chip in "$@"; do
  it 'entries are those of the file, and behind them those of the source' 'run 0 --initial start.json --state && values "{\"count\":[9,15,-1,7],\"sum\":[140]}"'
  it 'a run goes on where another one ended' 'cp r.json before.json && run 0 --initial before.json --state && values "{\"count\":[9,35,-1,7],\"sum\":[180]}"'
  it 'a byte order mark is skipped' 'run 0 --initial mark.json --state && values "{\"count\":[7,27,7,7],\"sum\":[41]}"'
  it 'what does not fit is refused, with its name' 'refused "{\"vid1\":{\"count\":[1,2,3,4,5]}}" "5 values for .count. of vid1, which has 4" &&
     refused "{\"vid1\":{\"cont\":[1]}}" "vid1 has no array .cont." && refused "{\"vid7\":{\"count\":[1]}}" "no module has the VLAN id of .vid7." &&
     refused "{\"vid1\":{\"sum\":[4294967296]}}" "sum.0. is no number from -2147483648 to 4294967295" && refused "{\"vid1\":{\"sum\":[1.5]}}" "is no number" &&
     refused "{\"vid1\":{\"count\":[[1],[2]]}}" "has no rows" && refused "{\"count\":[1]}" "is not vid and a VLAN id" && refused "{\"vid1\":{\"sum\":1}}" "neither a list" &&
     refused "{\"vid1\":" "line 1" && refused "" "empty" && refused "{}" "no arrays are in it"'
  it 'so is a report without state, and standard input' 'run 0 && cp r.json before.json && run 1 --initial before.json && has "without its state" && run 2 --initial -'
done

chip=tiny
# The state of a switch, once it answers.
answers() { "$SLUICE" ctl -s switch --json state 1 "$1" 2> err | jq -c .values > out && [ -s out ]; }
asked() { await 10 answers "$1"; has "^$2\$"; }
case " $* " in *" tiny "*)
  it 'with --socket too' 'run 0 --initial start.json --socket && has EQUIVALENT'
  "$SLUICE" serve --chip tiny n.dom --initial start.json --port 0=udp:0 --control switch -q > serve.out 2>&1 &
  server=$!
  it 'a switch begins with them' 'asked count "\[9,-5,-1,7\]" && asked sum "\[100\]"'
  kill $server; wait $server 2> /dev/null; server=;;
esac
case " $* " in *" model:egress "*)
  chip=model:egress
  echo 'struct Packet { int o @ meta.port_out; }; int left[4] @ egress = {2};
void number(struct Packet p) { p.o = 1; }
egress void after(struct Packet p) { left[3] += 1; }' > n.dom
  echo '{"vid1": {"left": [5, 6, 7, 8]}}' > left.json
  it 'arrays of an egress function: the same in every lane' 'run 0 --initial left.json --state && [ "$(jq -c "[.state.vid1.left.values[][0]] | unique" r.json)" = "[5]" ] && [ "$(jq -c "[.state.vid1.left.values[][3]] | add" r.json)" -eq "$((20 + 8 * $(jq ".state.vid1.left.values | length" r.json)))" ]'
  it 'lanes that differ cannot be given back' 'cp r.json before.json && run 1 --initial before.json && has "only be given the same"';;
esac
chip=model:arrays
echo 'struct Packet { int o @ meta.port_out; int len @ meta.length; int v[8] @ array(62); }; int sum[2][8];
void number(struct Packet p) { if (p.len == 9) sum[p.len & 1] += p.v; p.o = 1; }' > n.dom
echo '{"vid1": {"sum": [[1, 2, 3, 4, 5, 6, 7, -8]]}}' > rows.json
it 'rows have a list each' 'run 0 --initial rows.json --state && values "{\"sum\":[[1,2,3,4,5,6,7,-8],[0,0,0,0,0,0,0,0]]}" && refused "{\"vid1\":{\"sum\":[[1,2]]}}" "rows of 8 words"'
echo "1..$n"
exit $failed
