#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A flood is cut off while one watches: three hosts in network namespaces, `sluice serve` with sw/live/guard.dom between them. h1
# pings h2, the victim, and h3, the attacker, floods it. The reaction of the program blocks h3 by an entry of a table; h1 notices
# nothing. make live-reaction runs it (docs/reactions.md, Live).
# usage: guard.sh [CHIP]
cd "$(dirname "$0")/../.." || exit 3
name=live-reaction needs=perl
. sw/live/run.sh
chip=${1:-s2}
# Packets that h2 has got so far.
got() { on h2 cat /sys/class/net/eth0/statistics/rx_packets; }

for n in 1 2 3; do ip netns add h$n || failed "no network namespaces"; done
ports="--port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --port 2=tap:h3/eth0"
step "sluice serve --chip $chip -m sw/live/guard.dom:5 $ports"
# shellcheck disable=SC2086
serve --chip "$chip" -m sw/live/guard.dom:5 $ports
for n in 1 2 3; do live_host $n; done
live_neighbours 1 2 3

step "h1 and h3: ping h2"
for n in 1 3; do on h$n ping -q -c 3 -i 0.2 -W 20 10.0.0.2 | tail -n 2 | head -n 1; done
on h3 ping -q -c 1 -W 20 10.0.0.2 > /dev/null || failed "h3 does not reach h2"

step "h1 goes on pinging, and h3 floods h2: 500 packets of UDP a second, none of which is answered"
on h1 ping -c 30 -i 0.2 -W 20 10.0.0.2 > "$out/ping.txt" &
ping=$!
children=$ping
on h3 perl -MIO::Socket::INET -e '
  my $s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "10.0.0.2:9") or die;
  for (1 .. 3000) { $s->send("x" x 80); select undef, undef, undef, 0.002 }' &
flood=$!
children="$children $flood"
before=$(got) quiet=0
for n in $(seq 24); do
  sleep 0.25
  now=$(got)
  printf 'h2 got %3d packets in a quarter of a second%s\n' $((now - before)) \
    "$(grep -q 'blocked' "$out/serve.err" && [ $quiet -eq 0 ] && echo '   <- blocked')"
  # What had come in before it was blocked may still leave for a quarter of a second or two: the simulator is slower than the flood.
  if grep -q 'blocked' "$out/serve.err"; then quiet=$((quiet + 1)); [ $quiet -le 2 ] || [ $((now - before)) -le 20 ] || failed "h3 is blocked, and still gets through"; fi
  before=$now
  [ $quiet -lt 6 ] || break
done
[ $quiet -gt 2 ] || failed "h3 is not blocked"
kill "$flood" 2> /dev/null
wait "$flood" 2> /dev/null
children=$ping
grep 'blocked' "$out/serve.err"
[ "$(grep -c 'blocked' "$out/serve.err")" -eq "$(grep -c '10.0.0.3 .* blocked' "$out/serve.err")" ] || failed "somebody else is blocked"
ctl reaction 5
ctl table 5 blocked
on h3 ping -q -c 1 -W 1 10.0.0.2 > /dev/null && failed "h3 still reaches h2"
echo "h3: ping h2: no answer"
wait "$ping"
children=
step "h1 has noticed nothing"
tail -n 2 "$out/ping.txt"
grep -q ' 0% packet loss' "$out/ping.txt" || failed "h1 lost packets"

step "h3 is let in again"
ctl table 5 blocked del 10.0.0.3
on h3 ping -q -c 1 -W 20 10.0.0.2 > /dev/null || failed "h3 does not reach h2"
echo "h3: ping h2: an answer"

serve_ends
