#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# P4 programs on the simulated chip: each program of sw/tests/p4/chip for one of the chips named, whose packets and
# state `sluice run` compares with the reference model, as TAP. That the model does what the interpreter of P4 does,
# test_p4c tells. Usage: p4.sh [CHIP...]
# Needs: react k4
set -u
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
[ $# -gt 0 ] || set -- react k4
n=0 failed=0
build/sluice gen -o "$dir/in.pcap" --packets 300 --seed 7 --load 0.1 --untagged > "$dir/out" 2>&1 || exit 3
for chip in "$@"; do
  for program in $(grep -l "^// CHIP $chip:" sw/tests/p4/chip/*.p4); do
    n=$((n + 1))
    if timeout 120 build/sluice run "$program" --chip "$chip" --trust 1 --pcap "$dir/in.pcap" > "$dir/out" 2>&1 &&
      grep -q "^EQUIVALENT" "$dir/out" && grep -q "^compared  *[1-9][0-9][0-9] packets" "$dir/out"; then
      echo "ok $n - $program on $chip"
    else
      echo "not ok $n - $program on $chip"
      failed=$((failed + 1))
      sed 's/^/# /' "$dir/out" | tail -12
    fi
  done
done
echo "1..$n"
exit $((failed > 0))
