#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Applications of programs in packets on the simulated chip of shape `capsules`, each against its computation on the host; the chip's
# monitors compare it with the reference model. TAP. usage: active_apps.sh [SCALE] [APPLICATION...]
cd "$(dirname "$0")/../../.." || exit 3
scale=${1:-1}
[ $# -eq 0 ] || shift
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' "$dir/out" "$dir/err"; failed=$((failed + 1)); fi; }

[ $# -gt 0 ] || set -- memory cache
build/active-apps --chip capsules --sim build/capsules/sim --block 16 --scale "$scale" "$@" >"$dir/out" 2>"$dir/err"; say $? "$*: as the host computes"
grep -q '^EQUIVALENT' "$dir/err"; say $? 'the chip and the reference model are equal'
jq -se 'map(.differences) | add == 0' "$dir/out" >"$dir/log"; say $? 'nothing differs'
sed 's/^/# /' "$dir/out"
echo "1..$n"
[ $failed -eq 0 ]
