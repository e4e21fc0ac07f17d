#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who checks the random tests: each fault that the chip can be given (enumeration FAULT) must make one of a few
# random cases fail, and these cases pass without it. Those of guarded flips are in reaction_fuzz.sh: no case of `sluice fuzz` flips so.
# usage: fuzz_faults.sh [CHIP...]    (all that a fault is looked for in: tight react egress apart arrays fast2 merge)
#        QUICK=1 fuzz_faults.sh ...  only the faults that few cases show; the long test has all
. "$(dirname "$0")/lib"
[ $# -gt 0 ] || set -- tight react egress apart arrays fast2 merge

# Faults of full queues, of moves, banks, marks and cuts need cases that fill them, move much, flip, take or cut under load.
runs() { case $1 in token_free|rate_free|steer_full|queue_deep|move_early|bank_late|flip_late|drain_early|mark_home|take_open|cut_late|cut_lost|cut_away) echo 40 ;; no_patch) echo 250 ;; *) echo 8 ;; esac; }
# A flip that comes late in one lane shows only if a packet comes there in that cycle: rarely, and not with seed 5.
seed() { case $1 in flip_late) echo 1 ;; *) echo 5 ;; esac; }
# The chips that have what the fault breaks.
chips() { case $1 in egress_*) echo egress ;; count_lost|rate_free) echo react ;; line_swap) echo fast2 ;; lane_swap) echo tight fast2 merge ;; class_other) echo apart ;; keys_swap|kept_stale) echo arrays ;; *) echo tight ;; esac; }
sound() { [ -z "${QUICK:-}" ] && [ "$1" = tight ] && echo 40 || echo 8; }
fuzz() { timeout -k 10 600 "$SLUICE" fuzz --first --no-shrink --keep "$out" "$@" > "$out/tap" 2>&1; }
# usage: found FAULT CHIP
found() {
  fuzz --chip "$2" --seed "$(seed "$1")" --fault "$1" --runs "$(runs "$1")"
  [ $? -eq 1 ] || { tail -n 3 "$out/tap" | sed 's/^/# /'; return 1; }
  note "$1: $(tail -n 1 "$out/tap" | tr -d '#')"
}

faults=$(sed -n 's/^SLUICE_VALUE(FAULT, [0-9], \([A-Z_]*\),.*/\1/p' sw/layouts.def | tr '[:upper:]' '[:lower:]' | grep -v '^flip_blind$\|^flip_stay$')
for chip; do
  need_chip "$chip"
  it "$chip: without a fault all cases pass" 'fuzz --chip "$chip" --seed 5 --runs "$(sound "$chip")"'
  for fault in $faults; do
    [ -z "${QUICK:-}" ] || [ "$(runs "$fault")" -le 8 ] || continue
    case " $(chips "$fault") " in *" $chip "*) it "$chip: $fault is found" found "$fault" "$chip" ;; esac
  done
done
finish
