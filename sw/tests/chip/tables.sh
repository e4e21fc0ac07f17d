#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables of programs on the simulated chip `react`: entries come, change and go while packets come as fast as the lanes take
# them, one by one and several with one flip; `sluice run --entries`, `sluice serve`, `sluice ctl table`. The monitors compare
# all of it with the reference, and know which entries may move while packets find them.
# usage: tables.sh
# Needs: react build/helpers/table_client
. "$(dirname "$0")/lib"
need_chip react
tmp=$(mktemp -d) || exit 3   # sockets have short names
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$tmp"' EXIT
SLUICE_CONTROL=$tmp/switch; export SLUICE_CONTROL
need_helper table_client
client=$helper image=$out/router.json
ctl() { timeout 120 "$SLUICE" ctl "$@" > "$out/ctl.txt" 2> "$out/ctl.err" || { code=$?; sed 's/^/# /' "$out/ctl.err"; return $code; }; }
refused() { # SENTENCE ARGUMENT...
  says=$1; shift
  timeout 120 "$SLUICE" ctl "$@" > "$out/ctl.txt" 2> "$out/ctl.err"
  [ $? -eq 1 ] && has "$out/ctl.err" "$says"
}
stop() { kill -TERM "$server"; wait "$server"; code=$?; server=; [ "$code" -eq 0 ] || { sed 's/^/# /' "$1"; return 1; }; }

it 'on the model' '"$client" traffic model:react 200 > "$out/model.txt" 2>&1 || { sed "s/^/# /" "$out/model.txt"; false; }'
note "$(cat "$out/model.txt")"
it 'the simulated chip serves' '
  { timeout -k 5 300 build/react/sim "+job=serve:react:$tmp/sim" > "$out/sim.txt" 2>&1 < /dev/null & server=$!; } && wait_for "$out/sim.txt" "^serving react"'
it 'what a change costs' 'timeout 200 "$client" cost "unix:$tmp/sim" > "$out/cost.txt" 2>&1 || { sed "s/^/# /" "$out/cost.txt"; false; }'
note "$(tr '\n' ';' < "$out/cost.txt")"
it 'on the simulated chip: every packet leaves' '
  timeout 280 "$client" traffic "unix:$tmp/sim" 60 > "$out/traffic.txt" 2>&1 || { sed "s/^/# /" "$out/traffic.txt"; false; }'
note "$(cat "$out/traffic.txt")"
it 'entries were moved, and banks flipped' 'is "$(sed "s/.*, \([0-9]*\) moves.*/\1/" "$out/traffic.txt") > 0" && is "$(sed "s/.*, \([0-9]*\) flips.*/\1/" "$out/traffic.txt") > 3"'
it 'the monitors saw no difference' 'stop "$out/sim.txt" && has "$out/sim.txt" "^EQUIVALENT: "'
note "$(cat "$out/sim.txt" | tail -1)"

"$client" image "$image"
"$client" image "$out/second.json" 2
printf 'p.dst,action,port,mark\n10.0.0.0/8,forward,2,0x51\n192.168.0.0/16,drop,,\n_,forward,1,7\n' > "$out/route.csv"
printf '[{"p.dst": "10.0.0.1", "action": "forward", "port": 3, "mark": 17}, {"p.dst": "10.0.0.2", "action": "drop"}]\n' > "$out/host.json"
"$SLUICE" gen -o "$out/in.pcap" --packets 60000 --size 64 --untagged > /dev/null
it 'run --entries' 'run_chip entries "$image" --packets 500 --load 0.2 --entries "route=$out/route.csv" --entries "1:host=$out/host.json" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] && [ "$(value delivered)" = 500 ]'
it 'serve, with entries from a file' '
  { timeout -k 5 300 "$SLUICE" serve --chip react -m "$image:5" --entries "route=$out/route.csv" --port "0=pcap:$out/in.pcap" --control "$SLUICE_CONTROL" > "$out/serve.txt" 2>&1 < /dev/null & server=$!; } &&
  wait_for "$out/serve.txt" "^react serves"'
it 'tables are listed' 'ctl table && has "$out/ctl.txt" "^VLAN 5: route: 3 of 16 entries, ternary engine of stage 2; keys p.dst (lpm, 32 bits); actions forward(port: 8, mark: 32), drop(), miss(); default miss$"'
it 'an entry is added, changed, deleted' '
  ctl table 5 route add 10.1.0.0/16 forward port=3 mark=9 && has "$out/ctl.txt" "^1 change, visible to all packets at once (banks flipped)" && ctl table 5 route mod 10.1.0.0/16 drop &&
  ctl table 5 route && has "$out/ctl.txt" "^10.1.0.0/16 drop$" && ctl table 5 route del 10.1.0.0/16 && ctl table 5 route list && ! grep -q "^10.1" "$out/ctl.txt"'
it 'several at one moment' 'ctl table 5 acl add 10.0.0.0/8 80 priority=2 drop + add _ 0x0050\&\&\&0x00f0 forward port=1 mark=5 + default forward port=0 mark=1 && has "$out/ctl.txt" "^3 changes, visible to all packets at once (banks flipped)"'
it 'a file, and back' 'ctl table 5 host load "$out/host.json" && ctl --json table 5 host && jq -c "[.entries[] | {dst: .\"p.dst\", action, mark}] | sort_by(.dst)" "$out/ctl.txt" > "$out/host.txt" && has "$out/host.txt" "^\[{\"dst\":\"10.0.0.1\",\"action\":\"forward\",\"mark\":\"17\"},{\"dst\":\"10.0.0.2\",\"action\":\"drop\",\"mark\":null}\]"'
it 'a file in place of what is there' '
  ctl table 5 route reload "$out/route.csv" && has "$out/ctl.txt" "^4 changes, visible to all packets at once" && ctl table 5 && has "$out/ctl.txt" "route: 3 of 16 entries"'
it 'another version of the program keeps the entries' '
  ctl update "$out/second.json:5" && ctl table 5 && has "$out/ctl.txt" "route: 3 of 16 entries" && has "$out/ctl.txt" "acl: 2 of 16 entries.*default forward port=0 mark=1" && has "$out/ctl.txt" "host: 2 of 256"'
it 'packets came all the time' 'ctl --json counters && jq -e ".chip.packets < 60000 and .chip.packets > 0" "$out/ctl.txt" > "$out/came.txt"'
it 'what is wrong is said' '
  refused "has an entry for p.dst 10.0.0.1 already" table 5 host add 10.0.0.1 drop && refused ".10.0.0.1/8. has bits outside its prefix" table 5 route add 10.0.0.1/8 drop &&
  refused "no action .miss2.; these are: forward, drop, miss" table 5 route add 11.0.0.0/8 miss2 && refused ".miss. is for the default alone" table 5 route add 11.0.0.0/8 miss &&
  refused "argument .port.: .256., legal is 0..0xff" table 5 route add 11.0.0.0/8 forward port=256 mark=1 && refused "has no table .nat." table 5 nat add 1 drop &&
  refused "line 2: table .host., key .p.dst.: .10.0.0.0/8. is not a value" table 5 host load "$out/route.csv" || { sed "s/^/# /" "$out/ctl.err"; false; }'
it 'clear' 'ctl table 5 host clear && ctl table 5 && has "$out/ctl.txt" "host: 0 of 256"'
it 'the monitors of serve saw no difference' 'stop "$out/serve.txt" && has "$out/serve.txt" "^EQUIVALENT: "'
note "$(tail -1 "$out/serve.txt")"
finish
