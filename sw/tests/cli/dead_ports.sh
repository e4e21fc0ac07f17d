#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ports whose interfaces go down or away, as TAP, in a network namespace of its own. usage: dead_ports.sh [SLUICE].
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
if [ "$2" != inside ]; then
  unshare -rn true 2> /dev/null && command -v ip > /dev/null && [ -c /dev/net/tun ] || { echo "1..0 # SKIP no network namespaces, ip or TAP devices here"; exit 0; }
  exec unshare -rn sh "$0" "$SLUICE" inside
fi
dir=$(mktemp -d) || exit 3
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 3
SLUICE_CONTROL=$dir/switch; export SLUICE_CONTROL
n=0 failed=0
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
# until FILE TEXT [COMMAND...]: the text is in the file within five seconds; the command fills it.
now_has() { [ $# -eq 0 ] || timeout 5 "$@" > "$file" 2>&1; grep -q -- "$text" "$file"; }
until_has() {
  file=$1 text=$2; shift 2
  await 5 now_has "$@" && return 0
  echo "# '$text' is not in $file:"; sed 's/^/# /' "$file"; return 1
}
lists() { until_has out "$1" "$SLUICE" ctl list; }
has() { until_has "$1" "$2"; }
ip link add va type veth peer name vb && ip link set va up && ip link set vb up || exit 3

it 'two interfaces are up' 'rm -f served; "$SLUICE" serve --chip model:tiny "$here/../../live/l2.dom" --port 0=if:va --port 1=tap:ta --port 2=udp:0 --control switch > served 2> log < /dev/null & server=$!; has served "^tiny serves 3 ports" && has served "^port 2: UDP port [1-9]" && lists "^port 0: if va, VLAN 1$" && lists "^port 1: tap ta, VLAN 1$" && "$SLUICE" ctl --json list > out && [ "$(jq -c "[.ports[].link]" out)" = "[\"up\",\"up\",null]" ]'
it 'one whose other end is down' 'ip link set vb down && lists "^port 0: if va, VLAN 1, down" && has log "port 0: .va. is down"'
it 'comes up again' 'ip link set vb up && lists "^port 0: if va, VLAN 1$" && has log "port 0: .va. is up"'
it 'one that is removed' 'ip link del va && lists "^port 0: if va, VLAN 1, gone: the interface was removed" && has log "port 0: .va. was removed" && "$SLUICE" ctl --json list > out && [ "$(jq -c ".ports[0].link" out)" = "\"gone\"" ] && "$SLUICE" top --once > out && has out "^0 *gone: if va"'
it 'a TAP device, too' 'ip link del ta && lists "^port 1: tap ta, VLAN 1, gone: " && has log "port 1: .ta. was removed"'
# An interface that is removed goes down first; whoever looks in between sees both.
it 'changes are events, told once' '"$SLUICE" ctl event > all && sed "/link down/{N;s/^\(port [0-9]*\): link down\n\(\1: link gone\)/\2/}" all > out && [ "$(cat out)" = "port 0: link down
port 0: link up
port 0: link gone
port 1: link gone" ] && "$SLUICE" ctl event > out && [ ! -s out ] || { sed "s/^/# /" out; false; }'
it 'the switch goes on, and ends' '"$SLUICE" ctl state 1 none 2> out; kill -TERM "$server"; wait "$server"; got=$?; server=; [ $got -eq 0 ] && has served "^port 0: .*gone: the interface was removed"'
ip link add va type veth peer name vb && ip link set va up && ip link set vb up && ip addr add 10.0.0.1/24 dev vb && ip neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev vb
segments() { perl -MSocket -e 'socket(S,PF_INET,SOCK_DGRAM,17); setsockopt(S,17,103,pack("i",1000)) or exit 1; send(S,"x"x30000,0,sockaddr_in(9,inet_aton("10.0.0.9"))) or exit 1'; }
it 'frames of several segments are told of' 'rm -f served; "$SLUICE" serve --chip model:tiny "$here/../../live/l2.dom" --port 0=if:va --control switch > served 2> log < /dev/null & server=$!; has served "^tiny serves" && for try in 1 2 3 4 5; do segments; await 1 has_line log "several segments" && break; done; has log "port 0: .va. brings several segments in one frame.*tso off" && "$SLUICE" ctl --json counters > out && [ "$(jq -c ".ports[0].refused.segments > 0" out)" = true ]; good=$?; kill -TERM "$server"; wait "$server"; server=; [ $good -eq 0 ]'

echo "1..$n"
[ "$failed" -eq 0 ]
