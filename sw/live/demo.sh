#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Real programs across a simulated chip: hosts in network namespaces, connected by `sluice serve`. make live-demo runs it.
# usage: demo.sh CHIP
cd "$(dirname "$0")/../.." || exit 3
name=live-demo
. sw/live/run.sh
chip=${1:-s2}

# Host 3 has two interfaces, at ports 2 and 3. With more than four ports there is a fourth host, at port 4.
hosts="1 2 3" program=sw/live/l2_flowlet.dom
ports="--port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --port 2=tap:h3/eth0 --port 3=tap:h3/eth1"
if [ "$chip" = tiny ]; then program=sw/live/l2.dom
else hosts="$hosts 5" ports="$ports --port 4=tap:h5/eth0"; fi
for n in $hosts; do ip netns add "h$n" || failed "no network namespaces"; done

step "sluice serve --chip $chip -m $program:5 $ports"
# shellcheck disable=SC2086
serve --chip "$chip" -m "$program:5" $ports --stats 2
for n in $hosts; do live_host "$n"; done
# shellcheck disable=SC2086
live_neighbours $hosts

for n in $hosts; do
  [ "$n" = 1 ] && continue
  step "h1: ping 10.0.0.$n"
  on h1 ping -c 4 -i 0.25 -W 20 "10.0.0.$n" | tail -n 3
  on h1 ping -q -c 1 -W 20 "10.0.0.$n" > /dev/null || failed "no answer from h$n"
done

step "h1: an HTTP transfer of 3 MB from h3, compared byte by byte"
web 3 3000000
transfer h1 10.0.0.3

if command -v iperf3 > /dev/null; then
  step "iperf3 from h1 to h3, four flows, 5 seconds"
  on h3 iperf3 -s -1 > /dev/null 2>&1 &
  sleep 1
  on h1 iperf3 -c 10.0.0.3 -P 4 -t 5 -i 0 | grep SUM || failed "iperf3 does not get through"
fi

step "sluice ctl list; sluice ctl counters"
"$SLUICE" ctl --control "$out/switch" list && "$SLUICE" ctl --control "$out/switch" counters || failed "the control socket does not answer"

step "sluice ctl update $program:5, while h1 pings h2"
on h1 ping -i 0.1 -c 20 -W 20 10.0.0.2 > "$out/ping.txt" &
ping=$!
"$SLUICE" ctl --control "$out/switch" update "$program:5" || failed "no update"
wait "$ping"
tail -n 2 "$out/ping.txt"

step "how fast it was"
grep cycles "$out/serve.err" | sort -t, -k1 -rn | tail -n 3
serve_ends
