#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A reaction on the simulated chip, with packets at the rate of its lane: it reads 64 words of a cut and changes one
# malleable. The packets say in which cycle they came and what they saw, so the first one that sees the change is known. The monitors compare
# everything with the reference.
# usage: reactions.sh
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
export SLUICE_CONTROL=$out/socket
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null' EXIT
cat > "$out/mark.dom" <<'EOT'
struct Packet { int src @ ipv4.src; int now @ meta.arrival; int out @ meta.port_out; int when @ bytes(46, 4); int mark @ bytes(50, 2); };
malleable int mark = 1 in 1..4000;
int packets[64] = {0};
reaction guard(packets[0..63]) {
  static int done;
  int sum = 0;
  for (int i = 0; i < 64; i++) sum += packets[i];
  if (sum >= 500 && !done++) { set_mark(2); printf("saw %d\n", sum); }
}
void watch(struct Packet p) {
  packets[p.src & 63] += 1;
  p.when = p.now; p.mark = mark; p.out = 1;
}
EOT
"$SLUICE" gen -o "$out/in.pcap" -n 6000 --size 64 --flows 40 --seed 7 > /dev/null || exit 3
serve() {
  timeout -k 5 300 "$SLUICE" serve --chip react --sim build/react/sim --control "$SLUICE_CONTROL" -m "$out/mark.dom:1" \
    --port "0=pcap:$out/in.pcap,trunk" --port "1=pcap:,out=$out/out.pcap,trunk" > "$out/serve.txt" 2> "$out/serve.err" < /dev/null &
  server=$!
}
# Until all frames have come in.
are_in() { [ "$(timeout 20 "$SLUICE" ctl --json counters 2> /dev/null | jq '.ports[0].in // 0')" = 6000 ]; }
all_in() {
  await 30 are_in && return 0
  echo "# the packets do not come in"; sed 's/^/# /' "$out/serve.err"; return 1
}
# Bytes 46..51 of the 64-byte packets in a pcap file, a line each.
words() { tail -c +25 "$1" | od -An -v -tu1 -w80 | awk '{ print (($63 * 256 + $64) * 256 + $65) * 256 + $66, $67 * 256 + $68 }'; }
it 'the reaction runs while packets do' 'serve && all_in && "$SLUICE" ctl --json reaction > "$out/reaction.json"'
it 'the monitors saw no difference' 'kill -TERM "$server"; wait "$server"; code=$?; server=; sed "s/^/# /" "$out/serve.txt"; [ "$code" -eq 0 ] && has "$out/serve.txt" "^EQUIVALENT: "'
it 'one change, no error' 'jq -e ".reactions[0] | .changes == 1 and .errors == 0 and .words == 64" "$out/reaction.json" > /dev/null'
it 'every packet before it has the old value, every one behind it the new one' '
  words "$out/out.pcap" > "$out/words" && [ "$(wc -l < "$out/words")" -eq 6000 ] && [ "$(uniq -f 1 "$out/words" | wc -l)" -eq 2 ]'
cut=$(jq '.reactions[0].cycles.last_cut' "$out/reaction.json") flip=$(jq '.reactions[0].cycles.last_flip' "$out/reaction.json")
first=$(awk '$2 == 2 { print $1; exit }' "$out/words") last=$(awk '$2 == 1 { at = $1 } END { print at }' "$out/words")
it 'from the cut to the first packet that sees the change: at most 1,000 cycles' 'is "$first - $cut <= 1000 && $first >= $cut && $last <= $flip"'
note "cut in cycle $cut; the last packet with the old value came in cycle $last, the first with the new one in cycle $first: $((first - cut)) cycles"
note "$(jq -r '.reactions[0].cycles | "mean cycles: cut \(.cut), read \(.read), code \(.code), write \(.write), flip \(.flip), mirror \(.mirror)"' "$out/reaction.json")"
it "sluice run: a flood is blocked, and the monitors see no difference" '
  "$SLUICE" gen -o "$out/ben.pcap" -n 6000 --size 64 --flows 250 --mix uniform --seed 1 > /dev/null && "$SLUICE" gen -o "$out/att.pcap" -n 6000 --size 64 --flows 1 --seed 99 > /dev/null &&
  run_chip dos sw/programs/reactions/dos.dom --pcap "0:$out/ben.pcap" --pcap "2:$out/att.pcap" && [ "$code" -eq 0 ] && has "$errors" "blocked" &&
  [ "$(value verdict)" = EQUIVALENT ] && is "$(count drops.DISCARD_BACK) >= 500"'
note "$(count drops.DISCARD_BACK) packets blocked"
finish
