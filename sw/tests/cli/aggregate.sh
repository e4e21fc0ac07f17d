#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gradient aggregation over sockets, as TAP: `sluice serve` with the reference model of `arrays`, eight workers over UDP, each a process; each
# worker's vector must be the host's sum, bit by bit, with loss. usage: aggregate.sh [SLUICE [REDUCE [WORDS [LOSS [MS]]]]]; LOSS: of 10,000 packets; MS: until a worker sends again; SLUICE_CHIP in the environment: arrays, for the simulated chip
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
root=$here/../../..
SLUICE=$(realpath "${1:-$root/build/sluice}") REDUCE=$(realpath "${2:-$root/build/reduce}") WORDS=${3:-4000} LOSS=${4:-100} MS=${5:-200}
dir=$(mktemp -d) || exit 3
switch=
trap 'if [ -n "$switch" ]; then kill "$switch" 2> "$dir/kill"; fi; rm -rf "$dir"' EXIT
n=0 failed=0 CHIP=${SLUICE_CHIP:-model:arrays}
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
base=$((20000 + $$ % 20000))

"$SLUICE" compile "$root/sw/programs/coflow/aggregate.dom" --chip arrays -o "$dir/aggregate.json" > "$dir/compiled" 2>&1
say $? 'the program compiles for arrays'
for i in 0 1 2 3 4 5 6 7; do set -- "$@" --port "$i=udp:$((base + i)),to=127.0.0.1:$((base + 10 + i)),trunk"; done
shift $(($# - 16))
timeout -k 10 600 "$SLUICE" serve --chip "$CHIP" -m "$dir/aggregate.json:5" "$@" --control "$dir/control" --quiet > "$dir/switch" 2>&1 &
switch=$!
await 10 [ -S "$dir/control" ]
workers=
for i in 0 1 2 3 4 5 6 7; do
  timeout -k 10 510 "$REDUCE" --worker $i --workers 8 --words "$WORDS" --link "udp:$((base + 10 + i)),to=127.0.0.1:$((base + i))" --loss "$LOSS" --timeout "$MS" --limit 500 > "$dir/worker$i" 2>&1 &
  workers="$workers $!"
done
right=0
for p in $workers; do wait "$p" || right=1; done
say $right "eight workers have the host's sum of $WORDS words, with $LOSS of 10,000 packets lost on each way"
sed 's/^/# /' "$dir"/worker?
kill "$switch"; wait "$switch"; switch=
[ $right -eq 0 ] || sed 's/^/# /' "$dir/switch"
# A worker that gets no answers does not say that all is well.
timeout -k 10 60 "$REDUCE" --worker 0 --workers 1 --words 8 --link "udp:$((base + 18)),to=127.0.0.1:$((base + 19))" --limit 1 > "$dir/alone" 2>&1
[ $? -eq 1 ] && grep -q 'not done' "$dir/alone"; say $? 'a worker without a switch is not done, and says so'
echo "1..$n"
exit $((failed > 0))
