#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Real programs across a simulated chip: hosts in network namespaces, connected by `sluice serve`. make live-demo runs it.
# usage: demo.sh CHIP
cd "$(dirname "$0")/../.." || exit 3
. sw/live/hosts.sh
chip=${1:-menshen}
SLUICE=${SLUICE:-build/sluice}
if [ -z "${SLUICE_INSIDE:-}" ] && why=$(live_cannot); then
  echo "live-demo is skipped: $why"
  exit 0
fi
live_inside "$@"
set -u
out=$(mktemp -d) || exit 3
serve=
end() {
  code=$?
  [ -z "$serve" ] || kill "$serve" 2> /dev/null
  rm -rf "$out"
  exit $code
}
trap end EXIT
trap 'exit 130' INT TERM
step() { printf '\n== %s\n' "$*"; }
failed() { echo "live-demo: $*" >&2; exit 1; }

# Host 3 has two interfaces, at ports 2 and 3. With more than four ports there is a fourth host, at port 4.
hosts="1 2 3" program=sw/live/l2_flowlet.dom
ports="--port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --port 2=tap:h3/eth0 --port 3=tap:h3/eth1"
if [ "$chip" = tiny ]; then program=sw/live/l2.dom
else hosts="$hosts 5" ports="$ports --port 4=tap:h5/eth0"; fi
for n in $hosts; do ip netns add "h$n" || failed "no network namespaces"; done

step "sluice serve --chip $chip -m $program:5 $ports"
# shellcheck disable=SC2086
"$SLUICE" serve --chip "$chip" -m "$program:5" $ports --control "$out/switch" --stats 2 > "$out/serve.txt" 2> "$out/stats.txt" &
serve=$!
until grep -q ' serves ' "$out/serve.txt"; do
  kill -0 "$serve" 2> /dev/null || { cat "$out/stats.txt" >&2; failed "the switch does not start"; }
  sleep 0.2
done
for n in $hosts; do live_host "$n"; done
# shellcheck disable=SC2086
live_neighbours $hosts

for n in $hosts; do
  [ "$n" = 1 ] && continue
  step "h1: ping 10.0.0.$n"
  ip netns exec h1 ping -c 4 -i 0.25 -W 20 "10.0.0.$n" | tail -n 3
  ip netns exec h1 ping -q -c 1 -W 20 "10.0.0.$n" > /dev/null || failed "no answer from h$n"
done

step "h1: an HTTP transfer of 3 MB from h3, compared byte by byte"
mkdir "$out/www"
head -c 3000000 /dev/urandom > "$out/www/file"
ip netns exec h3 busybox httpd -f -p 80 -h "$out/www" &
for n in 1 2 3 4 5 6 7 8 9 10; do
  listens 3 && break
  sleep 0.2
done
ip netns exec h1 curl -sS --max-time 300 -o "$out/got" -w '%{size_download} bytes in %{time_total} s\n' http://10.0.0.3/file || failed "no transfer"
cmp "$out/www/file" "$out/got" || failed "the file is not the same"
echo "the same bytes"

if command -v iperf3 > /dev/null; then
  step "iperf3 from h1 to h3, four flows, 5 seconds"
  ip netns exec h3 iperf3 -s -1 > /dev/null 2>&1 &
  sleep 1
  ip netns exec h1 iperf3 -c 10.0.0.3 -P 4 -t 5 -i 0 | grep SUM || failed "iperf3 does not get through"
fi

step "sluice ctl list; sluice ctl counters"
"$SLUICE" ctl --control "$out/switch" list && "$SLUICE" ctl --control "$out/switch" counters || failed "the control socket does not answer"

step "sluice ctl update $program:5, while h1 pings h2"
ip netns exec h1 ping -i 0.1 -c 20 -W 20 10.0.0.2 > "$out/ping.txt" &
ping=$!
"$SLUICE" ctl --control "$out/switch" update "$program:5" || failed "no update"
wait "$ping"
tail -n 2 "$out/ping.txt"

step "how fast it was"
grep cycles "$out/stats.txt" | sort -t, -k1 -rn | tail -n 3
step "the switch ends"
kill -INT "$serve"
wait "$serve"
code=$?
serve=
tail -n +2 "$out/serve.txt"
exit $code
