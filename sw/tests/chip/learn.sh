#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A switch that learns: sw/programs/tables/l2.dom on the model, its control plane docs/examples/learn.c behind port 3, and three
# hosts that say who hears what. Without the control plane nobody hears anything.
# usage: learn.sh
. "$(dirname "$0")/lib"
[ -x "$SLUICE" ] || { echo "Bail out! no $SLUICE: make sluice"; exit 3; }
tmp=$(mktemp -d) || exit 3   # sockets have short names
server= control=
trap 'kill $server $control 2> /dev/null; rm -rf "$tmp"' EXIT
SLUICE_CONTROL=$tmp/switch; export SLUICE_CONTROL
cc="gcc -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror"
# Eight ports that nobody has: BASE + 10 to 13 are the switch's, BASE + 20 to 23 the others'.
base=$(perl -MIO::Socket::INET -e 'for (1 .. 1000) { $b = 20000 + 32 * int(rand(900)); @s = map { IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1", LocalPort => $b + $_) } 10 .. 13, 20 .. 23; next if grep { !defined } @s; print $b; last }')
port() { echo $((base + $1)); }
it 'control plane and hosts build' '$cc -D_GNU_SOURCE -Isw/include -o "$out/learn" docs/examples/learn.c build/libsluice.a -ljansson -lm && $cc -D_GNU_SOURCE -o "$out/hosts" sw/tests/chip/learn_hosts.c'
it 'the switch starts' '
  { timeout 120 "$SLUICE" serve --chip model:tables -m sw/programs/tables/l2.dom:5 --control "$SLUICE_CONTROL" --port 0=udp:$(port 10),to=127.0.0.1:$(port 20) --port 1=udp:$(port 11),to=127.0.0.1:$(port 21) \
      --port 2=udp:$(port 12),to=127.0.0.1:$(port 22) --port 3=udp:$(port 13),to=127.0.0.1:$(port 23),trunk > "$out/serve.txt" 2>&1 < /dev/null & server=$!; } &&
  wait_for "$out/serve.txt" " serves "'
it 'the control plane starts' '{ timeout 120 "$out/learn" "$SLUICE_CONTROL" 5 $(port 23) $(port 13) > "$out/learn.txt" 2>&1 & control=$!; } && wait_for "$out/learn.txt" learning'
it 'frames are flooded, answered, switched; hosts move' 'timeout 100 "$out/hosts" $(port 20) $(port 10) > "$out/hosts.txt" || { sed "s/^/# /" "$out/hosts.txt"; false; }'
it 'each move was learned once' 'same "$(grep -c "is at port" "$out/learn.txt")" 5'
it 'entries of both tables' '
  "$SLUICE" ctl table 5 switching > "$out/ctl.txt" && has "$out/ctl.txt" "^02:00:00:00:00:02 forward port=1" && same "$(grep -c forward "$out/ctl.txt")" 3 &&
  "$SLUICE" ctl table 5 > "$out/ctl.txt" && has "$out/ctl.txt" "learned: 3 of 200"'
it 'found: a switch whose control plane is away' 'kill $control; ! timeout 100 "$out/hosts" $(port 20) $(port 10) > /dev/null'
kill "$server"; wait "$server" 2> /dev/null; server=
note "$(grep "^port 3" "$out/serve.txt")"
finish
