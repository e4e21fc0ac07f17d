#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What sluice ctl update takes with it, on the model and on simulated chips with one bank and with two, as TAP.
# usage: keeps.sh [CHIP...]; simulated ones need build/CHIP/sim.
# Needs: react tiny
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "$here/../../../build/sluice")
[ $# -gt 0 ] || set -- model:tiny model:banks model:react tiny react
dir=$(mktemp -d) || exit 3
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 3
SLUICE_CONTROL=$dir/switch; export SLUICE_CONTROL
n=0 failed=0
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $chip: $name"; else echo "not ok $n - $chip: $name"; failed=$((failed + 1)); fi
}
ctl() { timeout 200 "$SLUICE" ctl "$@" > out 2>&1 && return 0; code=$?; sed 's/^/# /' out; return $code; }
has() { grep -q -- "$1" out && return 0; echo "# '$1' is not in:"; sed 's/^/# /' out; return 1; }
# until FILE TEXT: within 20 seconds.
until_has() { wait_for "$1" "$2"; }
values() { "$SLUICE" ctl --json state 5 "$1" | jq -c .values; }
is() { got=$(values "$1"); [ "$got" = "$2" ] && return 0; echo "# $1: $got, wanted $2"; return 1; }
send() { perl -MSocket -e '($port, $num, $nap) = @ARGV; socket(S, PF_INET, SOCK_DGRAM, 17); for (1 .. $num) { send(S, pack("n6 n", 0x0200, 0, 2, 0x0200, 0, $_ % 8, 0x88b5) . "x" x 50, 0, sockaddr_in($port, INADDR_LOOPBACK)); select(undef, undef, undef, $nap) }' "$port" "$1" "$2"; }
have_arrived() { [ "$("$SLUICE" ctl --json counters | jq ".ports[0].in")" = "$1" ]; }
arrived() { await 20 have_arrived "$1" || { echo "# not $1 frames"; return 1; }; }

head='struct Packet { int from @ bytes(10, 2); int len @ meta.length; int out @ meta.port_out; };'
cat > a.dom <<EOT
$head
int seen[8] = {0};
void w(struct Packet p) { seen[p.from] += 1; p.out = 1; }
EOT
cat > b.dom <<EOT
$head
int bytes[8] = {5};
int seen[8] = {0};
void w(struct Packet p) { bytes[p.from] += p.len; seen[p.from] += 1; p.out = 1; }
EOT
cat > c.dom <<EOT
$head
int bytes[8] = {5};
void w(struct Packet p) { bytes[p.from] += p.len; p.out = 1; }
EOT
cat > d.dom <<EOT
$head
int bytes[8] = {5};
int seen[4] = {0};
void w(struct Packet p) { bytes[p.from] += p.len; seen[p.from & 3] += 1; p.out = 1; }
EOT
sum() { values "$1" | jq add; }

for chip; do
  case $chip in model:*) compared="not compared" ;; *) compared="^EQUIVALENT" ;; esac
  it 'it serves' 'rm -f served; "$SLUICE" serve --chip $chip -m a.dom:5 --port 0=udp:0 --port 1=udp:0 --control switch > served 2> log < /dev/null & server=$!; until_has served " serves 2 ports" && port=$(sed -n "s/^port 0: UDP port //p" served) && send 20 0 && arrived 20 && is seen "[2,3,3,3,3,2,2,2]"'
  it '--check changes nothing' 'ctl --check update w b.dom && has "^.seen. of VLAN 5 moves, with its contents" && has "frames would wait" && ctl list && ! grep -q bytes out'
  it 'an array that moves takes its contents with it, and none of the packets that come meanwhile is lost' '{ send 400 0.002 & sender=$!; } && ctl update w b.dom && has "moves, with its contents" && has "no packet was dropped" && wait $sender && arrived 420 && [ "$(sum seen)" = 420 ] && is seen "[52,53,53,53,53,52,52,52]" &&
    after=$(($(sum bytes) - 40)) && [ $((after % 68)) -eq 0 ] && [ "$("$SLUICE" ctl --json counters | jq -c "[.chip.drops, .modules[0].drops]")" = "[{},{}]" ]'
  it 'and back' 'ctl --lossy update w a.dom && has ".bytes. of VLAN 5 is lost: the new version has no such array" && is seen "[52,53,53,53,53,52,52,52]" && ctl update w b.dom && is seen "[52,53,53,53,53,52,52,52]" && is bytes "[5,5,5,5,5,5,5,5]"'
  it 'what would be lost is said before' 'before=$(values bytes) && ! ctl update w c.dom > said && has "nothing was changed: the update would lose .seen. of VLAN 5 (the new version has no such array); --lossy does it" && is seen "[52,53,53,53,53,52,52,52]" && ! ctl update w d.dom > said && has "it has another size" && ctl --check update w c.dom && has "is lost" && is bytes "$before"'
  it '--lossy does it' 'send 8 0 && arrived 428 && before=$(values bytes) && ctl --lossy update w c.dom && has ".seen. of VLAN 5 is lost" && is bytes "$before"'
  it 'the switch ends' 'kill -TERM "$server"; wait "$server"; got=$?; server=; [ $got -eq 0 ] && grep -q "$compared" served || { sed "s/^/# /" served log; false; }'
done

echo "1..$n"
[ "$failed" -eq 0 ]
