#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two programs under a system-level module (docs/isolation.md): the same virtual port of both is two ports on the chip, a group is copies, and what
# the operator gave no port goes nowhere; state, its statistics among it, is the reference's.
# usage: system.sh
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
printf 'struct Packet { int to @ bytes(57, 1); int port_out @ meta.port_out; };\nvoid sends(struct Packet q) { q.port_out = q.to & 3; }\n' > "$out/sends.dom"
printf 'system.to,action,number\n0,system.port,2\n1,system.first,\n' > "$out/five.csv"
printf 'system.to,action,number\n0,system.port,3\n2,system.all,\n' > "$out/six.csv"
run_chip two -m "$out/sends.dom:5" -m "$out/sends.dom:6" --system sw/programs/system/virtual.dom --entries 5:system.destinations="$out/five.csv" \
  --entries 6:system.destinations="$out/six.csv" -n 4000 --flows 64 --mix uniform --size 64 --load 0.4 --state -o "$out/left.pcapng"
it 'as the reference says' equivalent
it 'half of the virtual ports are nowhere' 'is "$(value discarded) > 1500 && $(value discarded) < 2500"'
it 'each program counts its own packets' 'is "$(jq "[.state[][\"system.received\"].values[0]] | add" "$report") == $(value packets) - $(value lost)"'
note "$(value packets) packets, $(value discarded) nowhere, copies compared: $(value compared.packets) packets"
finish
