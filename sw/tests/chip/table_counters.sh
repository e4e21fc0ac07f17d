#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Counters of entries of tables, on the reference model and on the simulated chip `react`: a firewall counts in its own array how
# many packets each rule has seen; what the entries have counted must be the same.
# usage: table_counters.sh
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
tmp=$(mktemp -d) || exit 3   # sockets have short names
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$tmp"' EXIT
SLUICE_CONTROL=$tmp/switch; export SLUICE_CONTROL
ctl() { timeout 120 "$SLUICE" ctl --json "$@" > "$out/ctl.txt" 2> "$out/ctl.err" || { code=$?; sed 's/^/# /' "$out/ctl.err"; return $code; }; }
stop() { kill -TERM "$server"; wait "$server"; code=$?; server=; [ "$code" -eq 0 ] || { sed 's/^/# /' "$1"; return 1; }; }
serve() { # CHIP
  rm -f "$out/serve.txt"
  { timeout -k 5 300 "$SLUICE" serve --chip "$1" -m sw/programs/tables/acl.dom:5 --port "0=pcap:$out/in.pcap" --control "$SLUICE_CONTROL" > "$out/serve.txt" 2>&1 < /dev/null & server=$!; } &&
  wait_for "$out/serve.txt" "^react serves"
}
# All packets have come, and have left or were dropped.
have_come() { ctl counters && jq -e --argjson n "$1" '.chip.packets == $n and .chip.admitted == $n' "$out/ctl.txt" > /dev/null; }
came() {
  await 60 have_come "$1" && return 0
  sed 's/^/# /' "$out/ctl.txt"; return 1
}
# The array of the program by rule, and what the entries have counted by their argument `rule`: the same for each rule that has an entry.
agree() {
  ctl state 5 packets && jq -c '.values' "$out/ctl.txt" > "$out/array.txt" && ctl table 5 rules counters "$@" &&
  jq -c '[.entries[] | {rule: (.rule | tonumber), packets: .count.packets, bytes: .count.bytes}] | sort_by(.rule)' "$out/ctl.txt" > "$out/counted.txt" &&
  jq -en --slurpfile a "$out/array.txt" --slurpfile c "$out/counted.txt" '[$c[0][] | .packets == $a[0][.rule]] | all' > /dev/null || { sed 's/^/# /' "$out/array.txt" "$out/counted.txt"; return 1; }
}

"$SLUICE" gen -o "$out/in.pcap" --packets 3000 --size imix --load 0.3 --untagged > /dev/null
for chip in model:react react; do
  least=500; [ "$chip" = react ] || least=0   # the model takes the whole capture before it listens
  it "$chip serves" 'serve "$chip"'
  it "$chip: another rule, before the first packet or behind it" 'ctl table 5 rules add 10.0.0.0/9 _ _ _ _ _ priority=15 permit rule=5'
  it "$chip: all packets come" 'came 3000'
  it "$chip: a packet counts for the rule that it found" 'agree && jq -e "([.[].packets] | add) == 3000 and .[-1].packets >= $least and ([.[].bytes] | add) == $(tshark -r "$out/in.pcap" -T fields -e frame.len 2> /dev/null | jq -s "add + 4 * length")" "$out/counted.txt" > /dev/null || { cat "$out/counted.txt"; false; }'
  note "$(cat "$out/counted.txt")"
  it "$chip: clear" 'agree clear && ctl table 5 rules counters && jq -e "[.entries[].count.packets] | add == 0" "$out/ctl.txt" > /dev/null'
  it "$chip: the report" 'stop "$out/serve.txt"'
done
it 'the monitors saw no difference' 'has "$out/serve.txt" "^EQUIVALENT: "'
note "$(tail -1 "$out/serve.txt")"
finish
