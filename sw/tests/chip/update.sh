#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Updates on the chip with two banks: a module changes its version again and again while its packets and another module's come
# at the rate of the lanes. Nothing is lost, no packet is of two versions, and along the one order the version changes once for
# each flip. The monitors compare all of it with the reference.
# usage: update.sh
# Needs: react build/libsluice.a build/bench/update
. "$(dirname "$0")/lib"
need_chip react
socket=$out/socket server= text=$out/serve.txt
trap '[ -z "$server" ] || kill "$server" 2> /dev/null' EXIT
serve() {
  rm -f "$text" "$socket"  # of the server before: it would be found for the new one
  rm -f "$text"
  timeout -k 5 300 build/react/sim "+job=serve:react:$socket" > "$text" 2>&1 < /dev/null &
  server=$!
  await -p $server 10 has_line "$text" '^serving react' && return 0
  echo "# the server does not start"; cat "$text"; return 1
}
# Both malleables say the version; one is an immediate, the other a constant of a state instruction.
malleable() {
  cat > "$out/malleable.dom" <<EOT
struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); int low @ bytes(50, 2); int high @ bytes(80, 2); int id @ bytes(60, 4); int i; };
malleable int low = 1;
malleable int high = 1 in 1..2;
int seen = 0;
int last[64] = {0};
void f(struct Packet p) {
  seen = seen + 1; p.seq = seen; p.i = p.id & 14;
  last[p.i] = last[p.i] == 77 ? 77 : low; p.low = last[p.i];
  p.high = high;
  p.out = p.in ^ 1;
}
EOT
  "$SLUICE" compile "$out/malleable.dom" --chip react -o "$out/malleable.json" > /dev/null
}
program() { # VERSION ARRAY
  printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); int low @ bytes(50, 2); int high @ bytes(80, 2); int id @ bytes(60, 4); int i; };\nint seen = 0;\nint %s[64] = {%d};\nvoid f(struct Packet p) { seen = seen + 1; p.seq = seen; p.i = p.id & 14; %s[p.i] = %s[p.i] + 1; p.low = %d; p.high = %d; p.out = p.in ^ 1; }\n' \
    "$2" "$1" "$2" "$2" "$1" "$1" > "$out/v$1.dom"
  "$SLUICE" compile "$out/v$1.dom" --chip react -o "$out/v$1.json" > /dev/null
}
it 'the client builds' '
  make -s lib && cc -std=c11 -O1 -D_GNU_SOURCE -Wall -Wextra -Werror -Isw/include -o "$out/client" sw/tests/chip/library_client.c sw/transport/filter.c build/libsluice.a -ljansson'
it 'two versions and another program are compiled' '
  program 1 hits && program 2 own &&
  echo "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); };
int count = 0;
void f(struct Packet p) { count = count + 1; p.seq = count; p.out = p.in ^ 1; }" > "$out/count.dom" &&
  "$SLUICE" compile "$out/count.dom" --chip react -o "$out/count.json" > /dev/null'
it 'on the model' '"$out/client" update model:react "$out/count.json" "$out/v1.json" "$out/v2.json" 8 > "$out/model.txt" 2>&1 || { sed "s/^/# /" "$out/model.txt"; false; }'
note "$(cat "$out/model.txt")"
it 'on the simulated chip' '
  serve && { timeout 250 "$out/client" update "unix:$socket" "$out/count.json" "$out/v1.json" "$out/v2.json" 8 > "$out/sim.txt" 2>&1 || { sed "s/^/# /" "$out/sim.txt"; false; }; }'
note "$(cat "$out/sim.txt")"
it 'indices moved meanwhile' 'is "$(sed "s/.* \([0-9]*\) moves/\1/" "$out/sim.txt") > 20"'
it 'the monitors saw no difference' 'kill -TERM "$server"; wait "$server"; code=$?; server=; [ "$code" -eq 0 ] && has "$text" "^EQUIVALENT: "'
it 'figure 10 of Menshen: the module that is replaced by their procedure loses packets, through the second bank it loses none, others never' '
  make -s build/bench/update && sh sw/figures/bench/update.sh react "$out/figure" > "$out/figure.txt" 2>&1 || { sed "s/^/# /" "$out/figure.txt"; false; } &&
  has "$out/figure/update.txt" "^lost: module 1 [1-9][0-9]* of [0-9]*, module 2 0 of [1-9][0-9]*, module 3 0 of [1-9]" &&
  has "$out/figure/update.txt" "^lost: module 1 0 of [1-9][0-9]*, module 2 0 of [1-9][0-9]*, module 3 0 of [1-9]" && [ -s "$out/figure/update.svg" ]'
note "$(tr '\n' ' ' < "$out/figure/update.txt")"
it 'malleables on the model: every packet has both' '
  malleable && "$out/client" update model:react "$out/count.json" "$out/malleable.json" params 20 > "$out/params.txt" 2>&1 || { sed "s/^/# /" "$out/params.txt"; false; }'
it 'malleables on the simulated chip' '
  serve && { timeout 250 "$out/client" update "unix:$socket" "$out/count.json" "$out/malleable.json" params 20 > "$out/params.txt" 2>&1 || { sed "s/^/# /" "$out/params.txt"; false; }; }'
note "$(cat "$out/params.txt")"
it 'the monitors saw no difference with malleables' 'kill -TERM "$server"; wait "$server"; code=$?; server=; [ "$code" -eq 0 ] && has "$text" "^EQUIVALENT: "'
it 'two malleables that are set one after the other are found' '
  serve && ! timeout 250 "$out/client" update "unix:$socket" "$out/count.json" "$out/malleable.json" apart 20 > "$out/apart.txt" 2>&1; code=$?; kill -TERM "$server"; wait "$server"; server=; [ "$code" -eq 0 ] && has "$out/apart.txt" "^a packet of two versions"'
note "$(cat "$out/apart.txt")"
finish
