#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A cache in the switch, live: a key-value server, two clients and the controller of programs in packets, in network namespaces around
# `sluice serve`. The first client asks, gets memory in the switch after a while, and then most of its answers come from there; a second
# client gets memory meanwhile, and gives it back. make live-cache runs it.
# usage: cache.sh CHIP [SECONDS of a step]
cd "$(dirname "$0")/../.." || exit 3
name=live-cache
. sw/live/run.sh
chip=${1:-model:s4}
step=${2:-6}

# A packet leaves at the port that its destination address ends with: hosts hN at port N, the controller at port 0.
cat > "$out/forward.dom" << 'END'
struct Packet { int dst @ bytes(4, 2); int out @ meta.port_out; };
void f(struct Packet p) { p.out = p.dst; }
END
for n in 1 2 3; do ip netns add "h$n" || failed "no network namespaces"; done
step "sluice serve --chip $chip -m forward.dom:5 --controller 0:5:16 ..."
serve --chip "$chip" -m "$out/forward.dom:5" --controller 0:5:16 --controller-expire 10 \
  --port 1=tap:h1/eth0,vlan=5 --port 2=tap:h2/eth0,vlan=5 --port 3=tap:h3/eth0,vlan=5
for n in 1 2 3; do live_host "$n"; done
live_neighbours 1 2 3
ip netns exec h2 build/kv-server if:eth0 > "$out/server.txt" &
server=$!
children=$server
await -p $server 600 has_line "$out/server.txt" serves || failed "the server does not start"

# load N SECONDS ADMIT LEAVE
load() {
  on "h$1" build/kv-load --link if:eth0 --mac "02:00:00:00:00:0$1" --ip "10.0.0.$1" --fid "$1" --seed "$1" --stages 8 \
    --server 02:00:00:00:00:02,10.0.0.2 --controller 02:00:00:00:00:00 --again 0.1 \
    --rate "${RATE:-40}" --seconds "$2" --admit "$3" --leave "$4"
}
step "h1 asks for $((4 * step)) s, with memory in the switch from second $step on; h3 for $((2 * step)) s behind it, with memory for a while"
load 1 $((4 * step)) "$step" $((4 * step + 9)) > "$out/1.txt" &
first=$!
(sleep $((3 * step / 2)) && load 3 $((2 * step)) 1 $((3 * step / 2)) > "$out/3.txt")
second=$?
wait "$first" || failed "h1 got a wrong answer, or failed"
[ $second = 0 ] || failed "h3 got a wrong answer, or failed"
echo "h1:"
cat "$out/1.txt"
echo "h3:"
cat "$out/3.txt"

# share FILE FROM TO: mean of the shares of these lines
share() { awk -v from="$2" -v to="$3" '/answers,/ && $1 >= from && $1 <= to { sum += $5; n++ } END { printf "%d\n", n ? sum / n : -1 }' "$1"; }
before=$(share "$out/1.txt" 0 "$step")
after=$(share "$out/1.txt" $((3 * step)) $((4 * step)))
other=$(share "$out/3.txt" $((step - 1)) $((3 * step / 2)))
gone=$(tail -n 2 "$out/3.txt" | awk '/answers,/ { print $5 }')
step "h1: $before % from the switch before, $after % at the end; h3: $other % with memory, $gone % when it had given it back"
[ "$before" = 0 ] || failed "answers came from a cache that was not there"
[ "$after" -ge 30 ] || failed "the cache of h1 does not answer"
[ "$other" -ge 10 ] || failed "the cache of h3 does not answer"
[ "$gone" = 0.0 ] || failed "h3 got answers from memory that it had given back"
kill "$server"
wait "$server" 2> /dev/null
children=
tail -n 1 "$out/server.txt"
sed "s/^/# /" "$out/serve.err"
serve_ends
