#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Non-interference in pairs (docs/isolation.md): a module alone, and beside a hostile one. On tiny random pairs pass, and on tight, broken on
# purpose, they do not: the runner says what the module noticed, and makes the pair smaller. On k4, where three lanes of B are
# more than one pipeline serves, a pair passes with shares and fails without. On apart both
# come in at one lane. On capsules both modules send programs in packets.
# usage: isolate.sh [PAIRS [PART...]]    20 pairs; PART: random broken lanes tenants shares, all if not said
. "$(dirname "$0")/lib"
pairs=${1:-20}
[ $# -eq 0 ] || shift
parts=" ${*:-random broken lanes tenants shares} "
part() { case $parts in *" $1 "*) ;; *) return 1 ;; esac; }
# isolate NAME OPTION...
isolate() {
  text=$out/$1.tap errors=$out/$1.err; label=$1; shift
  timeout -k 10 "${LIMIT:-3000}" "$SLUICE" isolate --chip "$chip" --keep "$out/$label" "$@" > "$text" 2> "$errors" < /dev/null
  code=$?
}

# How much later a packet of A left, at most.
most() { sed -n 's/.*later by at most \([0-9]*\) of.*/\1/p' "$text" | sort -n | tail -n 1; }

if part random; then
  need_chip tiny
  isolate pairs --seed 1 --runs "$pairs"
  it "$pairs pairs: A notices nothing" 'same $code 0 && same "$(grep -c "^ok" "$text")" $pairs || { grep -A 3 "^not" "$text" | sed "s/^/# /"; false; }'
  note "a packet of A left later by $(most) cycles at most; $(grep -c 'random image' "$text") of $pairs with a random image"
  sed -n 2,4p "$text" > "$out/first"
  isolate again --seed 1 --runs 3
  it "a seed gives the same pairs again" 'same $code 0 && sed -n 2,4p "$text" | cmp - "$out/first"'
fi

# Mutants, on the chip that can be broken: segments that are not checked; containers with the values of the packet before. Sound, it passes.
if part broken; then
  need_chip tight
  isolate sound --seed 499111843 --exact --runs 1
  it "tight, sound: A notices nothing" 'same $code 0'
  isolate bounds --seed 499111843 --exact --runs 1 --fault NO_BOUNDS --tries 40
  it "without the check of segments A notices: a byte, or its state" \
    'same $code 1 && has "$text" "packet .* of A .* is not as alone\|the state of A"'
  it "and the pair becomes smaller" 'is "$(sed -n "s/.*tries: \([0-9]*\) of \([0-9]*\) packets.*/\1 < \2 \/ 4/p" "$text")"'
  note "$(sed -n 's/^# *smaller/smaller/p' "$text")"
  isolate kept --seed 1093467744 --exact --runs 1
  it "another pair, sound: A notices nothing" 'same $code 0'
  isolate stale --seed 1093467744 --exact --runs 1 --fault PHV_STALE --no-shrink
  it "with containers that keep what was in them A notices" 'same $code 1 && has "$text" "of A"'
fi

# Both modules in one lane, on a chip with classes, shares of the packet buffers and rates; in one class of the output queues A notices.
if part lanes; then
  need_chip apart
  isolate lane --shared-lanes --seed 1 --runs 5
  it "apart, 5 pairs in one lane: A notices nothing" 'same $code 0'
  note "a packet of A left later by $(most) cycles at most"
  isolate class --shared-lanes --one-class --seed 1643800116 --exact --runs 1 --no-shrink
  it "in one class it does" 'same $code 1 && has "$text" "of A"'
  note "$(sed -n 's/^# *packet/packet/p' "$text")"
fi

# Tenants: programs in packets of both modules, those of B random and hostile.
if part tenants; then
  need_chip capsules
  isolate tenants --capsules --seed 1 --runs 4 --cycles 2000
  it "capsules, 4 pairs of tenants: A notices nothing" 'same $code 0'
  note "a packet of A left later by $(most) cycles at most"
  isolate wide --capsules --wide-regions --seed 2082716663 --exact --runs 1 --cycles 2000 --no-shrink
  it "with A's words within B's reach it does" 'same $code 1 && has "$text" "of A"'
  note "$(sed -n 's/^not ok.*A/A/p' "$text")"
fi

# Lanes of B that are more than one pipeline serves: with shares of the chip, and without.
if part shares; then
  need_chip k4
  isolate shares --seed 157698039 --exact --runs 1 --cycles 2500
  it "k4: with shares A notices nothing" 'same $code 0'
  note "$(sed -n 's/^ok.*A/A/p' "$text")"
  isolate no-shares --seed 157698039 --exact --runs 1 --cycles 2500 --no-shares --no-shrink
  it "k4: without shares it does" 'same $code 1 && has "$text" "of A"'
  note "$(sed -n 's/^not ok.*A/A/p' "$text")"
fi
finish
