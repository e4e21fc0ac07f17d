#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shape that is another one with other values has a name that every verb knows: simulator, model, served, in an image, of make.
# usage: derived.sh
# Needs: tiny.NumModules16
. "$(dirname "$0")/lib"
need_chip tiny.NumModules16
program=sw/programs/sequencer.dom router=sw/programs/tables/router.dom
says() { text=$1; shift; "$@" > "$out/said" 2>&1; grep -q -e "$text" "$out/said" || { sed 's/^/# /' "$out/said"; return 1; }; }
refused() { text=$1; shift; if "$@" > "$out/said" 2>&1; then echo "# accepted"; return 1; fi; grep -q -e "$text" "$out/said" || { sed 's/^/# /' "$out/said"; return 1; }; }

# ---- what it is, and what is none
it 'its package has the value' '"$SLUICE" layout config $chip > "$out/package" && grep -q " NumModules  *= *16;" "$out/package" && grep -q "Configuration $chip:" "$out/package"'
it 'make calls it so' 'same "$(${MAKE:-make} -s --no-print-directory --eval "told: ; @echo \$(CHIP)" told CONFIG=tiny SET="NumModules=16 Num6B=1")" tiny.NumModules16.Num6B1'
it 'make refuses one that is not legal' 'refused "NumPorts must be at least NumPipes" ${MAKE:-make} -s --no-print-directory sim CONFIG=tiny.k4 SET=NumPorts=3'
it 'a former name is told today'"'"'s' 'refused "called .k4.k8. today" "$SLUICE" compile $program --chip k8'

# ---- program and image
it 'compile' '"$SLUICE" compile $program --chip $chip -o "$out/image.json" > "$out/said" 2>&1 && same "$(jq -r .config "$out/image.json")" $chip'
it 'compile, with an equal sign' '"$SLUICE" compile $program --chip tiny.NumModules=16 -o "$out/equal.json" > "$out/said" 2>&1 && cmp "$out/image.json" "$out/equal.json"'
it 'compile of P4-16' 'says "on s2.k4.NumModules16" "$SLUICE" compile sw/programs/p4/basic.p4 --chip s2.k4.NumModules16'
it 'explain' 'says "back stage 0" "$SLUICE" explain $program --chip $chip'
it 'packets' '"$SLUICE" packets "$out/image.json" --chip $chip -o "$out/frames.pcap"'
it 'an image for it is refused by another' 'refused "made for chip .$chip., this is .tiny." "$SLUICE" run "$out/image.json" --chip tiny'
it 'an image for a former name is told it' 'sed "s/$chip/k8/" "$out/image.json" > "$out/former.json" && refused "called .k4.k8. today" "$SLUICE" run "$out/former.json" --chip model:k4.k8'

# ---- simulator and model
it 'run' 'run_chip run "$out/image.json" --packets 500 && same "$(value verdict) $(value config)" "EQUIVALENT $chip"'
it 'run, with an equal sign' 'says "^EQUIVALENT" "$SLUICE" run "$out/image.json" --chip tiny.NumModules=16 --packets 50'
it 'run on the model' 'says "reference model of $chip" "$SLUICE" run "$out/image.json" --chip model:$chip --packets 50'
it 'the simulator of another shape is not it' 'refused "tiny" "$SLUICE" run $program --chip tiny.NumModules8 --sim build/$chip/sim --packets 50'
it 'trace' 'says "packet 3" "$SLUICE" trace $program 3 --chip $chip'
it 'fuzz' 'says "1 passed, 0 failed" "$SLUICE" fuzz --chip $chip --seed 1 --runs 1'
it 'fuzz of the references' 'says "1 passed, 0 failed" "$SLUICE" fuzz --references --chip $chip --seed 1 --runs 1'
it 'isolate' 'says "1 passed, 0 failed" "$SLUICE" isolate --chip $chip --seed 1 --runs 1'
it 'gen and study' '"$SLUICE" gen --stress "$out/stress" --pipelines 2 --stages 2 --stateful 0,1 --entries 64 --cycles 500 > "$out/said" 2>&1 &&
  says "^throughput" "$SLUICE" bench study "$out"/stress/flows*.csv "$out"/stress/stress*.csv --chip $chip'
it 'replay' 'says "^EQUIVALENT" "$SLUICE" bench replay "$out"/stress/flows*.csv "$out"/stress/stress*.csv --chip $chip'

# ---- a switch that serves
served() { # CHIP OPTION...
  shape=$1; shift
  rm -f "$out/ctl"
  "$SLUICE" serve --chip "$shape" --control "$out/ctl" --port 0=udp:127.0.0.1:0,vlan=5 "$@" > "$out/serve" 2>&1 &
  server=$!
  await -p $server 20 test -S "$out/ctl" || { sed 's/^/# /' "$out/serve"; return 1; }
}
gone() { kill "$server" 2> /dev/null; wait "$server" 2> /dev/null; :; }
for shape in $chip model:$chip model:tiny.NumModules=16; do
  it "serve --chip $shape, ctl hello" 'served $shape && says ", chip $chip\$" "$SLUICE" ctl --control "$out/ctl" hello'
  it 'ctl load, list, state' '"$SLUICE" ctl --control "$out/ctl" load $program:5 && says sequencer "$SLUICE" ctl --control "$out/ctl" list && says count "$SLUICE" ctl --control "$out/ctl" state 5'
  it 'ctl refuses an image of another shape' '"$SLUICE" compile $program --chip tiny -o "$out/tiny.json" > "$out/said" 2>&1 && refused "made for chip .tiny." "$SLUICE" ctl --control "$out/ctl" load "$out/tiny.json":6'
  gone
done
it 'with tables' 'served model:tables.NumModules16 && "$SLUICE" ctl --control "$out/ctl" load $router:5 && "$SLUICE" ctl --control "$out/ctl" table 5 route add 10.8.0.0/16 to_cpu && says 10.8.0.0/16 "$SLUICE" ctl --control "$out/ctl" table 5 route'
gone
finish
