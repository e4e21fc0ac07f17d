#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A router between two subnets: hosts in network namespaces, `sluice serve` with sw/programs/tables/router.dom between them, and as its
# control plane a Linux host behind port 3, which answers ARP and pings, and sends the ICMP errors. make live-router runs it.
# usage: router.sh [CHIP] [BYTES of the transfer]
cd "$(dirname "$0")/../.." || exit 3
name=live-router
. sw/live/run.sh
chip=${1:-s2} bytes=${2:-1000000}

# host NAME LAST-BYTE ADDRESS...: the interface is there already, made by the switch.
host() {
  name=$1 last=$2; shift 2
  on "$name" sh -c 'cd /proc/sys/net && for f in all default eth0; do echo 1 > ipv6/conf/$f/disable_ipv6; echo 0 > ipv4/conf/$f/rp_filter
    echo 0 > ipv4/conf/$f/send_redirects; done; echo 0 > ipv4/icmp_ratelimit' 2> /dev/null
  ip -n "$name" link set eth0 address "02:00:00:00:00:$last" up && ip -n "$name" link set lo up || return 1
  for address in "$@"; do ip -n "$name" address add "$address" dev eth0 || return 1; done
}

for n in h1 h2 cpu; do ip netns add $n || failed "no network namespaces"; done
step "sluice serve --chip $chip -m sw/programs/tables/router.dom:5 --port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --port 3=tap:cpu/eth0"
serve --chip "$chip" -m sw/programs/tables/router.dom:5 --port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --port 3=tap:cpu/eth0 --stats 2
host h1 10 10.0.0.10/16 && host h2 11 10.1.0.10/16 10.2.0.10/32 && host cpu 01 10.0.0.1/16 10.1.0.1/16 || failed "the hosts cannot be made"
ip -n h1 route add default via 10.0.0.1
ip -n h2 route add default via 10.1.0.1
# The control plane forwards nothing that has a route; what has none, or no time left, it answers as any Linux router does.
on cpu sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
ip -n cpu route add unreachable default
ip -n cpu neighbour replace 10.0.0.10 lladdr 02:00:00:00:00:10 dev eth0 nud permanent
ip -n cpu neighbour replace 10.1.0.10 lladdr 02:00:00:00:00:11 dev eth0 nud permanent

step "ARP answers of the control plane find their port"
ctl table 5 kind add 0x0806 _ 02:00:00:00:00:10 priority=3 out port=0 + add 0x0806 _ 02:00:00:00:00:11 priority=3 out port=1
ctl table 5

step "h1: ping the router, by the control plane"
on h1 ping -c 3 -i 0.2 -W 20 10.0.0.1 | tail -n 4
on h1 ping -q -c 1 -W 20 10.1.0.1 > /dev/null || failed "the router does not answer at its other address"
on h1 ip neighbour | grep -q '10.0.0.1 .*02:00:00:00:00:01' || failed "h1 does not know the router's address"
step "h1: ping h2 in the other subnet, by the chip"
on h1 ping -c 5 -i 0.2 -W 20 10.1.0.10 > "$out/ping.txt"
tail -n 4 "$out/ping.txt"
grep -q 'ttl=63' "$out/ping.txt" || failed "no answer from h2, or not one that was routed once each way"
step "h1: no time left (ping -t 1), and nobody's address"
on h1 ping -c 1 -t 1 -W 20 10.1.0.10 | tee "$out/ttl.txt" | sed -n 2p
grep -q 'From 10.0.0.1 .*Time to live exceeded' "$out/ttl.txt" || failed "no ICMP time exceeded"
sleep 1.5  # Linux sends a host such an answer once a second
on h1 ping -c 1 -W 20 10.2.0.10 | tee "$out/none.txt" | sed -n 2p
grep -q 'From 10.0.0.1 .*Unreachable' "$out/none.txt" || failed "no ICMP unreachable"
step "a route is added"
ctl table 5 route add 10.2.0.0/16 forward port=1 next=02:00:00:00:00:11 own=1
on h1 ping -q -c 1 -W 20 10.2.0.10 | sed -n 4p
on h1 ping -q -c 1 -W 20 10.2.0.10 > /dev/null || failed "no answer by the new route"

step "h1: curl of $bytes bytes from h2, compared byte by byte"
web 2 "$bytes"
transfer h1 10.1.0.10

serve_ends
