#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rows of words, array match and egress state on chips of another number of pipelines than `arrays` and `egress`: programs under load, every
# packet and all state compared with the reference, and what leaves with what a host makes of it. A broken chip is noticed.
# usage: widths.sh CHIP [PACKETS]     CHIP: arrays.kN or egress.kN
# Needs: build/helpers/lookup_packets
CHIP_RUN=$1
. "$(dirname "$0")/lib"
need_chip "$1"
constants "$chip"
packets=${2:-3000} seed=${SLUICE_SEED:-1}
note "SLUICE_SEED=$seed"
run_job() { name=$1; shift; run_chip "$name" -m "$out/image.json:5" "$@"; }
compiled() { "$SLUICE" compile "$1" --chip "$chip" -o "$out/image.json" > "$out/compile.txt" 2>&1 || { sed 's/^/# /' "$out/compile.txt"; return 1; }; }

case $chip in
  arrays.k*)
    [ -x build/bench-aggregate ] || { echo "Bail out! no build/bench-aggregate: make build/bench-aggregate"; exit 3; }
    rounds=$((packets / 256))
    sed 's/SLOTS 128/SLOTS 32/' sw/programs/coflow/aggregate.dom > "$out/aggregate.dom"
    it 'aggregation compiles' 'compiled "$out/aggregate.dom" && build/bench-aggregate make "$out/in.pcapng" full 0xff $rounds $seed'
    it "aggregation, $((rounds * 256)) packets at full rate: EQUIVALENT, and each sum is the host's at all ports" '
      run_job aggregate --pcap "$out/in.pcapng" -o "$out/out.pcapng" && equivalent && same "$(build/bench-aggregate check "$out/out.pcapng" full 0xff $rounds $seed)" "$((rounds * 32)) 0"'
    note "$(value packets_per_cycle) packets a cycle, $(value state_words_compared) words of rows compared"
    it 'another seed of the host: no sum is right' 'same "$(build/bench-aggregate check "$out/out.pcapng" full 0xff $rounds $((seed + 1)) | cut -d" " -f1)" 0'
    # A chip of one pipeline has no lanes to swap; there a phantom must get lost.
    fault=$([ "$NumPipes" = 1 ] && echo PHANTOM_LOST || echo LANE_SWAP)
    it "fault $fault is noticed" 'run_job broken --pcap "$out/in.pcapng" -o "$out/out.pcapng" --fault $fault; ends 1 DIFFERENT'
    need_helper lookup_packets
    size=$((packets / 2))
    it "analytics, $size packets of rows at 0.4 of line rate: EQUIVALENT, and every packet is the host's" '
      "$helper" make analytics "$out" $size $seed && compiled sw/programs/coflow/analytics.dom &&
      run_job analytics --entries "dimension=$out/entries.csv" --load 0.4 --pcap "$out/in.pcapng" -o "$out/out.pcapng" && equivalent && "$helper" check analytics "$out" $size $seed > "$out/check.txt"'
    note "$(cat "$out/check.txt")"
    it 'data of two keys exchanged is noticed' 'run_job swapped --entries "dimension=$out/entries.csv" --load 0.4 --pcap "$out/in.pcapng" --fault KEYS_SWAP; ends 1 DIFFERENT'
    ;;
  egress.k*)
    for program in number mark telemetry rate; do
      it "$program, $packets packets, each lane ready in one of six cycles: EQUIVALENT" '
        compiled "sw/programs/egress/$program.dom" && run_job $program --packets $packets --size 64 --load 0.5 $(seq -f "--ready-every %.0f:6" 0 $((NumPipes - 1))) --seed "$seed" && equivalent'
      note "copies $(value egress.copies), discarded $(value egress.discarded), deepest queue $(value egress.depth_in_max), longest wait $(value egress.delay_max)"
    done
    it 'a copy that leaves though its function drops it is noticed' 'compiled sw/programs/egress/thin.dom && { run_job keep --packets $packets --size 64 --seed "$seed" --fault EGRESS_KEEP; ends 1 DIFFERENT; }'
    ;;
  *) echo "Bail out! widths.sh: $chip is neither arrays.kN nor egress.kN"; exit 3 ;;
esac
finish
