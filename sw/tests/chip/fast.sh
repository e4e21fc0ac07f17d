#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fast ports (docs/tm.md), on fast2: two ports of two lanes. Full rate with one size and with several: nothing is lost, and the order of
# the wire is that of the tickets, and that of the copies that leave. Outputs that stop, damaged packets.
# The test fault LINE_SWAP is noticed. How long a lone packet takes.
# usage: fast.sh
# Needs: fast2
. "$(dirname "$0")/lib"
need_chip fast2

# Back through the port on which it came; with the packets of a source address counted.
cat > "$out/back.dom" <<'END'
struct Packet { int src @ ipv4.src; int in @ meta.port_in; int out @ meta.port_out; };
int seen[64];
void back(struct Packet p) { seen[p.src & 63] = seen[p.src & 63] + 1; p.out = p.in; }
END
echo 'struct Packet { int src @ ipv4.src; int out @ meta.port_out; }; void either(struct Packet p) { p.out = p.src & 1; }' > "$out/either.dom"

for size in 64 1500 9216 imix; do
  run_chip "full-$size" -n 3000 --size $size --mix uniform -m "$out/back.dom:5"
  it "full rate, $size bytes: EQUIVALENT, nothing lost" 'equivalent && same "$(value left)" 3000 && same "$(value lost)" 0'
  note "full rate, $size bytes: $(value packets_per_cycle) packets a cycle, first beats out $(value latency.min) to $(value latency.max) cycles after the last ones in"
done
it 'with 64 bytes more than three packets a cycle, the first and the last hundred cycles counted' 'is "$(value packets_per_cycle "$out/full-64.json") > 3"'

run_chip lone -n 20 --size 64 --load 0.002 -m "$out/back.dom:5"
it 'a lone packet takes 57 cycles to its first beat out, or 58' 'equivalent && same "$(value latency.min)" 57 && is "$(value latency.max) <= 58"'

run_chip rough -n 3000 --stall 0.3 --malformed 0.05 -m "$out/either.dom:5"
it 'outputs that stop, and damaged packets: EQUIVALENT' 'equivalent && is "$(value drops.OVERSIZED) > 10 && $(value drops.OUTPUT_FULL) > 10"'
run_chip small -n 3000 --size 64 --malformed 0.3 -m "$out/either.dom:5"
it 'small packets, many damaged: EQUIVALENT' 'equivalent && is "$(value drops.MALFORMED) > 100"'

run_chip swap -n 1000 --size 64 -m "$out/back.dom:5" --fault LINE_SWAP
it 'copies that change places on the wire are noticed' 'ends 1 DIFFERENT && same "$(value first_difference.field | cut -c1-13)" "order at port"'
finish
