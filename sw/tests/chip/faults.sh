#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who checks the checker: each fault that the chip can be given (enumeration FAULT) must be found, with exit code 1,
# on a run in which it matters; the same run without the fault is EQUIVALENT.
# usage: faults.sh
# Needs: tight
. "$(dirname "$0")/lib"
need_chip tight
programs=sw/tests/chip/programs
full='--size 64 --mix uniform'

# A module that writes a container to its packets that it never parses.
cat > "$out/writer.json" <<EOT
{"sluice_image": 1, "layout_hash": "$("$SLUICE" layout hash)", "config": "$chip", "program": "writes what it has not parsed",
 "writes": [{"table": "module", "stage": 0, "index": 0, "entry": "80010001"},
            {"table": "deparser", "stage": 0, "index": 0, "entry": "0ba1000000000000000000000000000000000000"}],
 "arrays": [], "fields": []}
EOT

caught() {
  [ "$code" -eq 1 ] || { echo "# exit code $code"; head -n 5 "$errors" | sed 's/^/# /'; return 1; }
  case $(value verdict) in DIFFERENT|STUCK) ;; *) echo "# verdict $(value verdict)"; return 1 ;; esac
  note "found by: $(value first_difference.field), packet $(value first_difference.packet)"
}
# fault NAME OPTION...: the run that shows it.
fault() {
  fault=$1; shift
  run_chip "$fault-without" "$@"
  it "$fault: its run is EQUIVALENT without it" equivalent
  run_chip "$fault" "$@" --fault "$fault"
  it "$fault is found" caught
}

# shellcheck disable=SC2086  # $full is several options
{
fault phantom_lost $programs/bounds.dom $full --packets 5000
fault phantom_swap $programs/bounds.dom $full --packets 5000
fault steer_full $programs/bounds.dom $full --packets 20000
fault lane_swap sw/programs/sequencer.dom $full --packets 1000
fault queue_deep $programs/sums.dom --size 64 --packets 5000
fault no_forward sw/programs/sequencer.dom $full --packets 1000
fault no_bounds $programs/bounds.dom --packets 1000
fault phv_stale -m "$out/writer.json:1" -m $programs/bounds.dom:2 --packets 1000
# Few flows and many moves; lanes that are never too full, so that packets wait while they do.
busy="--size 64 --mix zipf --flows 16 --packets 40000 --move-period 40 --lane-limit 4000 --pace 12"
fault move_early $programs/count.dom $busy
fault no_patch $programs/count.dom $busy
}
it 'no fault is left out: three are in faults_banks.sh; three of marks, of cuts and of recirculation, two of egress stages, those of counters, of rates, of classes, of the array match and of fast ports in fuzz_faults.sh; two of guarded flips in reaction_fuzz.sh' 'same "$(grep -c "SLUICE_VALUE(FAULT," sw/layouts.def)" 32'
finish
