#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who checks the checker: faults of the configuration banks must be found while a module is updated under traffic; the same run
# without them is EQUIVALENT.
# usage: faults_banks.sh
# Needs: tight build/helpers/banks
. "$(dirname "$0")/lib"
need_chip tight
dir=$out/job
mkdir -p "$dir"

# Two versions whose keys differ: the second one looks at its index, the first one at nothing.
cat > "$out/one.dom" <<'EOT'
struct Packet { int o @ meta.port_out; int d @ udp.dport; int first @ ipv4.id; int last @ udp.length; int id; };
int count[16] = {1};
void one(struct Packet p) { p.id = p.d & 15; count[p.id] = count[p.id] + 1; p.first = 1; p.last = 1; p.o = (p.d >> 4) & 3; }
EOT
cat > "$out/two.dom" <<'EOT'
struct Packet { int o @ meta.port_out; int d @ udp.dport; int first @ ipv4.id; int last @ udp.length; int id; };
int count[16] = {2};
void two(struct Packet p) {
  p.id = p.d & 15;
  if (p.d & 1) { count[p.id] = count[p.id] + 2; } else { count[p.id] = count[p.id] + 3; }
  p.first = 2; p.last = 2; p.o = (p.d >> 4) & 3;
}
EOT
sed 's/one/other/' "$out/one.dom" > "$out/other.dom"
need_helper banks
it 'three programs fit' '"$SLUICE" packets --chip "$chip" --no-shares -m "$out/one.dom:5" -m "$out/other.dom:6" -m "$out/two.dom:7" -o "$out/all.pcap" > "$out/packets.txt"'
it 'jobs are made' '"$helper" make "$chip" "$out/all.pcap" 5 7 20 1500 60000 1.0 new "$dir"'

# simulate NAME LOAD [FAULT]
simulate() {
  jq --argjson load "$2" --arg fault "${3:-}" --arg name "$1" '.load = $load | if $fault == "" then . else .faults = [$fault] end |
    .out |= sub("with.pcapng"; "\($name).pcapng") | .report |= sub("/with.json"; "/\($name).json")' "$dir/job-with.json" > "$dir/job-$1.json"
  "build/$chip/sim" "+job=$dir/job-$1.json" > "$out/$1.log" 2>&1
  code=$? report=$dir/$1.json errors=$out/$1.log
}
caught() {
  [ "$(value verdict)" = DIFFERENT ] || { echo "# verdict $(value verdict)"; return 1; }
  note "found by: $(value first_difference.field), packet $(value first_difference.packet)"
}
# fault NAME LOAD
fault() {
  simulate "$1-without" "$2"
  it "$1: without it the run is EQUIVALENT, and flips are under load" 'equivalent && is "$(value banks.flips_mixed) >= 5"'
  simulate "$1" "$2" "$1"
  it "$1 is found" caught
}
fault bank_late 0.7
fault flip_late 0.7
# A count that is one too small is seen where the last packet of a bank stays for a while behind the others.
fault drain_early 0.1
finish
