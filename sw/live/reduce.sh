#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gradient aggregation, live: eight workers in network namespaces, one at each port of `sluice serve`, reduce vectors of random words while
# the network loses some of their packets. Each worker's vector must be the host's sum, bit by bit. make live-reduce runs it.
# usage: reduce.sh CHIP [WORDS [LOSS [MS]]]; LOSS: of 10,000 packets, on each way; MS: until a worker sends again
cd "$(dirname "$0")/../.." || exit 3
name=live-reduce
. sw/live/run.sh
chip=${1:-model:s4} words=${2:-4000} loss=${3:-100} ms=${4:-60} limit=${LIVE_LIMIT:-900}
workers="0 1 2 3 4 5 6 7"

"$SLUICE" compile sw/programs/coflow/aggregate.dom --chip "${chip#model:}" -o "$out/aggregate.json" > "$out/compiled" 2>&1 || failed "$(cat "$out/compiled")"
ports=
for n in $workers; do
  ip netns add "h$n" || failed "no network namespaces"
  ports="$ports --port $n=tap:h$n/eth0,trunk"
done
step "sluice serve --chip $chip -m aggregate.json:5 --port 0=tap:h0/eth0,trunk ... --port 7=tap:h7/eth0,trunk"
# shellcheck disable=SC2086 # words
serve --chip "$chip" -m "$out/aggregate.json:5" $ports
for n in $workers; do live_host "$n"; done

# worker NUMBER WORKERS WORDS LIMIT: on its host, with the loss of its network
worker() { on "h$1" timeout -k 10 $((limit + 10)) build/reduce --link if:eth0 --worker "$1" --workers "$2" --words "$3" --loss "$loss" --timeout "$ms" --limit "$4"; }
step "eight workers reduce $words words; of 10,000 packets $loss are lost on each way"
for n in $workers; do
  worker "$n" 8 "$words" "$limit" > "$out/worker$n" 2>&1 &
  children="$children $!"
done
wrong=0
for child in $children; do wait "$child" || wrong=1; done
children=
cat "$out"/worker?
[ $wrong = 0 ] || failed "a vector is not the host's sum"

step "a worker that begins anew, at a chip that does not: it gets old sums, and notices"
worker 0 8 64 2 > "$out/anew" 2>&1 && failed "it says that they are right: $(cat "$out/anew")"
cat "$out/anew"
grep -qE " [1-9][0-9]* differ|not done" "$out/anew" || failed "it does not say why it ends"
serve_ends
