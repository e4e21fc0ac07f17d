#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reactions in figures: what a dialogue takes, by words read and by entries changed, on the
# simulated chip of shape `react` without and with a bus (OUT/reactions.csv, reactions.svg); what
# malleable fields cost in a ternary table and measured arrays (OUT/space.csv, memory.txt); the use cases
# on the model and, one of each, on the chip (OUT/uses.txt); writes of another driver beside a busy
# reaction (OUT/legacy.txt). Beside
# them what Mantis' paper says (Yu, Sonchack, Liu, SIGCOMM 2020), as far as it gives numbers.
# usage: reactions.sh USES LEGACY OUT, with SLUICE the command
set -eu
uses=$1 legacy=$2 out=$3
mkdir -p "$out"
"$SLUICE" gen -o "$out/in.pcap" -n 30000 --size 64 --flows 40 --seed 7 >"$out/log"

# program WORDS ENTRIES
program() {
  cat <<EOT
struct Packet { int src @ ipv4.src; int out @ meta.port_out; int one @ bytes(46, 2); };
int seen[128] = {0};
void say(struct Packet p, int what : 16) { p.one = what; }
malleable table block { key: p.src: exact; actions: say; size: 128; }
reaction r(seen[0..$1 - 1]) {
  static int turn;
  (void)seen;
  if (++turn > 4) return;
  for (int i = 0; i < $2; i++) block_set_say(i, turn);
}
void watch(struct Packet p) { seen[p.src & 127] += 1; apply(block); p.out = 1; }
EOT
}
echo "words,entries,bus,cut,read,code,write,flip,mirror,cut_to_flip" >"$out/reactions.csv"
one() {
  program "$1" "$2" >"$out/r.dom"
  "$SLUICE" run "$out/r.dom" --chip react --bus "$3" --pcap "0:$out/in.pcap" --report "$out/r.json" -q >"$out/log" 2>&1
  [ "$(jq -r .verdict "$out/r.json")" = EQUIVALENT ] || { echo "reactions.sh: $1 words, $2 entries, bus $3: not EQUIVALENT" >&2; exit 1; }
  jq -r --arg at "$1,$2,$3" '.reactions[0].cycles | [$at] + ([.cut, .read, .code, .write, .flip, .mirror, .reach] | map(round | tostring)) | join(",")' "$out/r.json" >>"$out/reactions.csv"
}
for bus in none pcie; do
  for words in 4 16 64 128; do one $words 1 $bus; done
  for entries in 2 4 8 16 32 64; do one 64 $entries $bus; done
done

# A table of five-tuples less one address, and a malleable field as one key more.
space() {
  cat <<EOT
struct Packet { int dst @ ipv4.dst; int proto @ ipv4.protocol; int sport @ udp.sport; int dport @ udp.dport;
  int k; int f0 @ bytes(46, 4); int f1 @ bytes(50, 4); int f2 @ bytes(54, 4); int f3 @ bytes(58, 4); int f4 @ bytes(62, 4);
  int f5 @ bytes(66, 4); int f6 @ bytes(70, 4); int f7 @ bytes(74, 4); int out @ meta.port_out; };
malleable field key = p.f0 among { $1 };
void via(struct Packet p, int port : 8) { p.out = port; }
table t { key: p.dst: ternary, p.proto: ternary, p.sport: ternary, p.dport: ternary, p.k: ternary; actions: via; size: $2; }
void f(struct Packet p) { p.k = key; apply(t); }
EOT
}
echo "entries,choices,ours_entries,ours_key_bits,ours_bits,paper_entries,paper_key_bits,paper_bits" >"$out/space.csv"
for n in 512 1024; do
  fields=
  for a in 1 2 3 4 5 6 7 8; do
    fields="${fields:+$fields, }p.f$((a - 1))"
    space "$fields" $n >"$out/s.dom"
    "$SLUICE" compile "$out/s.dom" --chip routes -o "$out/s.json" >"$out/log"
    # Of the paper: n times the choices, each as wide as all of them beside the rest, and the number of the choice.
    jq -r --argjson n $n --argjson a $a '
      ([.tables[0].keys[] | .msb - .lsb + 1] | add) as $width | ($width - 32) as $rest |
      ($rest + 32 * $a + (if $a == 1 then 0 else ($a | log2 | ceil) end)) as $paper |
      [$n, $a, $n, $width, $n * $width, $n * $a, $paper, $n * $a * $paper] | map(tostring) | join(",")' "$out/s.json" >>"$out/space.csv"
  done
done

# An array that is measured: its slots, those where indices live that are away, a bit an entry, and
# the shadow of its slots.
"$SLUICE" layout config react | awk '
  { for (i = 1; i <= NF; i++) if ($i == "=") { gsub(/;/, "", $(i + 1)); of[$(i - 1)] = $(i + 1) } }
  END { slots = of["StateEntries"] / of["NumPipes"]; all = slots + of["Relocations"]; bits = 64
        printf "memory of a stage and pipeline: %d bits without cuts, %d with: %.2f times (the paper: 4 to 5 times)\n", all * bits,
          all * (bits + 1) + slots * bits, (all * (bits + 1) + slots * bits) / (all * bits) }' >"$out/memory.txt"

"$uses" >"$out/uses.log" 2>&1 || { tail -n 20 "$out/uses.log" >&2; exit 1; }
grep -E '^(floods|links|paths|queue):' "$out/uses.log" >"$out/uses.txt"
USES=$uses sh sw/tests/chip/reaction_uses.sh all >"$out/chip.log" 2>&1 || { tail -n 20 "$out/chip.log" >&2; exit 1; }
sed -n 's/^# \(floods\|links\|paths\|queue\):/chip, \1:/p' "$out/chip.log" >>"$out/uses.txt"
"$legacy" >"$out/legacy.log" 2>&1 || { tail -n 20 "$out/legacy.log" >&2; exit 1; }
grep '^legacy:' "$out/legacy.log" >"$out/legacy.txt"
if command -v gnuplot >"$out/log" 2>&1; then
  for bus in none pcie; do awk -F, -v bus=$bus '$1 == 64 && $3 == bus { print $2, $10 }' "$out/reactions.csv" >"$out/$bus.dat"; done
  # The paper's formula, figure 10: of an entry two writes. What an entry takes is known from the line of ours.
  awk 'NR == 1 { n = $1; t = $2 } { m = $1; u = $2; all[NR] = $1 } END { w = (u - t) / (m - n); for (i = 1; i <= NR; i++) print all[i], t - n * w + 2 * all[i] * w }' \
    "$out/pcie.dat" >"$out/paper.dat"
  gnuplot <<EOT
set terminal svg size 640,400
set output "$out/reactions.svg"
set xlabel "entries changed"
set ylabel "cycles from the cut to the flip"
set logscale y
set key left top
plot "$out/none.dat" with linespoints title "no bus", "$out/pcie.dat" with linespoints title "read=900, write=4, width=16", \
  "$out/paper.dat" with linespoints title "the same, an entry twice as the paper's formula has it"
EOT
fi
column -s, -t "$out/reactions.csv"
echo
column -s, -t "$out/space.csv"
echo
cat "$out/memory.txt"
echo
cat "$out/uses.txt"
echo
cat "$out/legacy.txt"
cat <<EOT

Mantis' paper: reactions take tens of microseconds; a flood was blocked about 100 us behind its first packet, routes changed
100 to 200 us behind a failure; of entries two writes each and a commit. Of polarization and learning it gives no numbers.
EOT
