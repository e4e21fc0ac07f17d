#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The modes for comparison (docs/study.md): each runs; those that keep the order stay EQUIVALENT at full load, the one
# without phantoms breaks C1 where it can, and the one without escapes gets stuck where it can, and says so.
# usage: modes.sh [CHIP]
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
programs=sw/tests/chip/programs
full="--packets 4000 --size 64 --mix uniform"

for options in "--steer rank" "--steer each" "--steer stay" "--issue older" "--issue free" "--issue access" \
    "--steer each --issue access" "--steer stay --issue free --pace 0 --brake 0"; do
  run_chip "order$(echo "$options" | tr -d ' ')" $programs/cross.dom $full $options
  it "$options: EQUIVALENT at full load" equivalent
  note "$options: share of line rate $(value share_of_line_rate), $(total escapes) escapes"
done

run_chip no-escape $programs/cross.dom $full --load 0.3 --no-escape
it "--no-escape at load 0.3: EQUIVALENT" equivalent

# Younger packets without an access at the first stage fill the banks of the second, before the older ones that
# have one: only an escape slot lets those pass.
crowd="--issue free --pace 0 --brake 0"
run_chip escape $programs/cross.dom $full $crowd
it "free packets first, no pacing: EQUIVALENT, thanks to escapes" 'equivalent && is "$(total escapes) > 0"'
run_chip stuck $programs/cross.dom $full $crowd --no-escape
it "the same with --no-escape: STUCK, and ends" 'ends 1 STUCK'
it "and no operation was out of order" 'is "$(value c1_violations) == 0"'

run_chip no-phantoms $programs/cross.dom $full --no-phantoms
it "--no-phantoms: DIFFERENT, and C1 violated by some packets" \
  'ends 1 DIFFERENT && is "$(value c1_violating_packets) > 0 && $(value c1_violating_share) > 0 && $(value c1_violating_share) < 1"'
it "and nothing is lost, no order queue is used" \
  'is "$(value lost_inside) == 0 && $(value deepest_order_queue) == 0 && $(total stateful) == 0 && $(value left) == $(value admitted)"'
note "--no-phantoms: $(value c1_violating_packets) packets violate C1, a share of $(value c1_violating_share)"
run_chip no-phantoms-cli $programs/cross.dom $full --no-phantoms --steer stay --issue access
it "with the other modes too" 'ends 1 DIFFERENT && is "$(value c1_violating_packets) > 0"'
run_chip one-lane $programs/bounds.dom --packets 3000 --size 64 --flows 1 --lanes hash --no-phantoms
it "--no-phantoms, one flow in one lane, one stage with state: EQUIVALENT, none violates C1" \
  'equivalent && is "$(value c1_violating_packets) == 0 && $(value state_ops) > 1000 && $(value out_of_bounds) > 100"'

for pipe in 0 1; do
  run_chip pin$pipe $programs/cross.dom $full --pin $pipe
  it "--pin $pipe: EQUIVALENT" equivalent
  it "and at most half of line rate" 'is "$(value share_of_line_rate) < 0.55"'
done
# One pipeline serves half of the load: what its order queues cannot take waits, or is dropped for them alone.
full_queue="--pin 0 --pace 0 --brake 0 --lane-limit 8191"
run_chip held $programs/cross.dom $full $full_queue
it "$full_queue: packets wait for phantom FIFOs" 'equivalent && is "$(total full) > 20 && $(count drops.OVERLOAD) == 0"'
run_chip drop-full $programs/cross.dom $full $full_queue --drop-full
it "with --drop-full none waits, and some are dropped: EQUIVALENT" \
  'equivalent && is "$(total full) == 0 && $(count drops.OVERLOAD) > 20 && $(value left) == $(value admitted)"'
note "--drop-full: $(count drops.OVERLOAD) dropped of 4000, share of line rate $(value share_of_line_rate)"
"$SLUICE" compile --chip "$chip" --pin $programs/cross.dom -o "$out/pinned.json" > "$out/compile.out"
run_chip pin-image "$out/pinned.json" $full --pin 1
it "an image compiled with --pin gives the same" 'equivalent && is "$(value share_of_line_rate) < 0.55"'
"$SLUICE" compile --chip "$chip" $programs/cross.dom -o "$out/spread.json" > "$out/compile.out"
run_chip pin-spread "$out/spread.json" $full --pin 1
it "one compiled without is refused" '[ $code -eq 3 ] && has "$errors" "not compiled with --pin"'
finish
