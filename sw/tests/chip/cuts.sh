#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cuts at line rate, or at LOAD of it (docs/marks.md, Cuts): two programs, indices moving, and every few thousand cycles a cut
# of all their arrays, which is read and ended. The monitors compare all of it with the reference; the throughput, in cycles of
# the simulator, is that of a run without cuts.
# usage: cuts.sh [CUTS [CHIP [LOAD [FLOWS]]]]
# Needs: react tight
CHIP_RUN=${1:-12}${2:+-$2}${3:+-$3}${4:+-$4}
. "$(dirname "$0")/lib"
cuts=${1:-12}
need_chip "${2:-react}"
load=${3:-1} flows=${4:-300}
constants "$chip"
every=2500 packets=$((cuts * 2500 * NumPipes))

# Two arrays in two stages, of which packets name entries at random.
for program in one two; do
  cat > "$out/$program.dom" <<EOT
struct Packet { int o @ meta.port_out; int d @ udp.dport; int s @ udp.sport; int i; int j; };
int first[64] = {0};
int second[32] = {0};
void $program(struct Packet p) {
  p.i = p.d & 63;
  p.j = p.s & 31;
  first[p.i] = first[p.i] + 1;
  second[p.j] = second[p.j] + p.d;
  p.o = p.d & 3;
}
EOT
done
run_chip without -m "$out/one.dom:5" -m "$out/two.dom:6" --packets $packets --size 64 --mix uniform --flows "$flows" --load "$load" --move-period 64
it 'without cuts: EQUIVALENT' equivalent
without=$report base=without

# with NAME FILTER [FAULT]: the same job with cuts, at the cycles that the filter says.
with() {
  jq --arg report "$out/$1.json" --argjson cuts "$cuts" --argjson every "$every" \
    ".report = \$report | .cuts = [range(\$cuts) | $2]${3:+ | .faults = [\"$3\"]}" "$out/$base.work"/*-job.json > "$out/$1-job.json" || return 1
  "build/$chip/sim" "+job=$out/$1-job.json" > "$out/$1.log" 2>&1
  code=$? report=$out/$1.json errors=$out/$1.log
}
with cut '{at: (. * $every + 500), rows: 4294967295, wait: true, read: true}, {at: (. * $every + 600), rows: 0, wait: true}'
it 'with cuts: EQUIVALENT' equivalent
it 'every cut took place, and was read' 'same "$(value cuts.cuts) $(value cuts.unwanted)" "$cuts 0" && same "$(value cuts.compared)" "$((cuts * 192))"'
it 'reads met modules with indices away from home' 'is "$(value cuts.away) > $cuts"'
it 'packets had changed entries by the time they were read' 'is "$(value cuts.changed) > 20 * $cuts"'
it 'indices moved meanwhile' 'is "$(value moves.decided) > $cuts"'
it 'throughput is within 1 % of that without, in packets and in what is delivered' 'is "$(value packets_per_cycle) >= 0.99 * $(value packets_per_cycle "$without") && $(count delivered) >= 0.99 * $(count delivered "$without")"'
note "packets a cycle: $(value packets_per_cycle "$without") without, $(value packets_per_cycle) with $cuts cuts; $(value cuts.compared) entries read, $(value cuts.changed) of them changed by then; $(value cuts.reads) reads, $(value cuts.away) with indices away; moves $(value moves.decided "$without") without, $(value moves.decided) with"
# At another load than the full one this is all that is asked.
[ $# -lt 3 ] || { finish; exit; }
with home '{at: (. * $every + 500), rows: 96, wait: true, home: true, read: true}, {at: (. * $every + 600), rows: 0, wait: true}'
it 'indices that are called home before: EQUIVALENT, and none is away' 'equivalent && same "$(value cuts.away)" 0'
# A running switch: packets of both programs count once in `first`, so in a cut the sums are the ticket. In plain reads, one after the other, they are not.
socket=$(mktemp -u "${TMPDIR:-/tmp}/sluice-cuts-XXXXXX") server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -f "$socket"' EXIT
serve() {
  for seed in 1 2; do
    "$SLUICE" gen -o "$out/in$seed.pcap" -n 100000 --size 64 --mix uniform --flows 300 --vid 5 --vid 6 --seed $seed || return 1
  done
  rm -f "$out/serve.txt"
  timeout -k 10 200 "$SLUICE" serve -c "$chip" -m "$out/one.dom:5" -m "$out/two.dom:6" --port "0=pcap:$out/in1.pcap,trunk" --port "2=pcap:$out/in2.pcap,trunk" --control "$socket" > "$out/serve.txt" 2> "$out/serve.err" < /dev/null &
  server=$!
  # A wide chip takes its time to start: as long as the server lives it is waited for.
  await -p $server 100 has_line "$out/serve.txt" " serves " && return 0
  echo "# no switch: $(head -n 3 "$out/serve.err")"; return 1
}
ctl() { "$SLUICE" ctl --control "$socket" --json "$@"; }
# jq without input says that all is well.
one_moment() { ctl cut > "$out/cut.json" && [ -s "$out/cut.json" ] && jq -e '[.modules[].arrays[] | select(.name == "first") | .values[]] as $all | .ticket > 0 and ($all | add) == .ticket' "$out/cut.json" > "$out/jq.txt" || { sed "s/^/# /" "$out/jq.txt"; return 1; }; }
sum() { ctl state "$1" first | jq ".values | add"; }
case $chip in
  *.*) note "no switch: the driver knows a chip by its registers, and $chip is none of its shapes" ;;
  *)
    it 'a switch with moves serves' 'serve && ctl set CHIP.MOVE_PERIOD 64 > "$out/set.txt"'
    it 'ctl cut: ten cuts, each of one moment' 'for i in 1 2 3 4 5 6 7 8 9 10; do one_moment || return 1; done'
    it 'ctl state: sums of another moment' 'first=$(sum 5) && [ "$first" -lt "$(sum 5)" ]'
    it 'the switch sees no difference' 'kill -INT "$server"; wait "$server"; code=$?; server=; [ "$code" -eq 0 ] && has "$out/serve.txt" "^EQUIVALENT: "'
    note "$(grep -h "^chip: " "$out/serve.txt")"
    ;;
esac
# The same on the chip that has faults: each is found, and without it nothing is.
need_chip tight
cuts=4
run_chip base -m "$out/one.dom:5" -m "$out/two.dom:6" --packets 10000 --size 64 --mix uniform --flows 300 --move-period 64
base=base
caught() {
  [ "$(value verdict)" = DIFFERENT ] || { echo "# verdict $(value verdict)"; return 1; }
  note "found by: $(value first_difference.field)"
}
at_home='{at: (. * $every + 500), rows: 96, wait: true, home: true, read: true}, {at: (. * $every + 900), rows: 0, wait: true, read: true}'
as_they_are='{at: (. * $every + 500), rows: 96, wait: true, read: true}, {at: (. * $every + 900), rows: 0, wait: true, read: true}'
with home "$at_home"
it "on $chip, indices at home: EQUIVALENT" equivalent
with any "$as_they_are"
it "on $chip, indices anywhere: EQUIVALENT" equivalent
for fault in cut_late cut_lost; do
  with $fault "$at_home" "$fault"
  it "$fault is found" caught
done
with cut_away "$as_they_are" cut_away
it "cut_away is found" caught
finish
