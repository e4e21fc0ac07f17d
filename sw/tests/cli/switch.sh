#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of sluice/switch.h, built from an installed prefix, does the same on a switch that serves and on the model in its
# own process; the two Unix sockets tell which is which. As TAP.
# usage: switch.sh SLUICE       BUILD: folder of libsluice.a (build)
cd "$(dirname "$0")/../../.." || exit 3
. sw/tests/await
SLUICE=$1 BUILD=${BUILD:-build} n=0 failed=0
out=$(mktemp -d) || exit 3
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$out"' EXIT
it() { # TEXT COMMAND
  n=$((n + 1))
  if eval "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; failed=1; fi
}
words='10.9.0.0/16 forward port=3 next=00:11:22:33:44:55 own=7'

mkdir -p "$out/include" "$out/lib" && cp -r sw/include/sluice "$out/include/" && cp "$BUILD/libsluice.a" "$out/lib/" || exit 3
it 'the example builds from the prefix alone' '(cd "$out" && cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -o route "$OLDPWD/docs/examples/route.c" lib/libsluice.a -ljansson -lm)'
it 'it is short' '[ "$(wc -l < docs/examples/route.c)" -le 40 ]'
it 'the router compiles' '"$SLUICE" compile sw/programs/tables/router.dom --chip tables -o "$out/router.json" > "$out/log" 2>&1'
"$SLUICE" serve --chip model:tables --control "$out/ctl" --port 0=udp:127.0.0.1:0,vlan=5 --port 3=cpu > "$out/serve" 2>&1 &
server=$!
await 10 [ -S "$out/ctl" ]
it 'a switch that serves takes a route and lists it' '"$out/route" "control:$out/ctl" "$out/router.json" $words > "$out/live" 2> "$out/err" && grep -qx "$words" "$out/live"'
it 'ctl sees it' '"$SLUICE" ctl --control "$out/ctl" table 5 route | grep -q "10.9.0.0/16 forward port=3"'
it 'hello says who it is' '[ "$("$SLUICE" ctl --control "$out/ctl" hello)" = "sluice $("$SLUICE" --version | sed "s/[^0-9]*\([0-9.]*\).*/\1/"), protocol 1, chip tables" ]'
it 'a second time it is refused' '! "$out/route" "control:$out/ctl" "$out/router.json" $words > "$out/again" 2> "$out/err" && grep -q "VLAN" "$out/err"'
it 'the model in its own process does the same' '"$out/route" model:tables "$out/router.json" $words > "$out/model" 2> "$out/err" && cmp "$out/live" "$out/model"'
it 'who takes it for a chip is told at once' '! timeout 20 "$out/route" "unix:$out/ctl" "$out/router.json" $words > "$out/none" 2> "$out/err" && grep -q "is the control socket of a live switch" "$out/err"'
it 'a word that is none gets a suggestion' '! "$SLUICE" ctl --control "$out/ctl" table 5 rout add 10.8.0.0/16 to_cpu > "$out/none" 2> "$out/err" && [ -s "$out/err" ]'
it 'a program goes by its name' '"$SLUICE" ctl --control "$out/ctl" table router route | grep -q "10.9.0.0/16 forward port=3" && "$SLUICE" ctl --control "$out/ctl" show router | grep -q "^VLAN 5: router"'
it 'a name that no program has is told' '! "$SLUICE" ctl --control "$out/ctl" table rooter route 2> "$out/err" && grep -q "no program .rooter. runs" "$out/err" && ! "$SLUICE" ctl --control "$out/ctl" remove rooter 2> "$out/err" && grep -q "no program" "$out/err"'
it 'a name that two have is not guessed' '"$SLUICE" ctl --control "$out/ctl" load sw/programs/sampling.dom:7 > "$out/log" 2>&1 && "$SLUICE" ctl --control "$out/ctl" load sw/programs/sampling.dom:8 > "$out/log" 2>&1 &&
  ! "$SLUICE" ctl --control "$out/ctl" remove sampling 2> "$out/err" && grep -q "several programs are called .sampling." "$out/err" && "$SLUICE" ctl --control "$out/ctl" remove 8 && "$SLUICE" ctl --control "$out/ctl" remove sampling'
it 'a register stays a register' '"$SLUICE" ctl --control "$out/ctl" show CHIP.STATUS | grep -q "^CHIP.STATUS = 1"'
packet="0200000000010200000000028100000588b5$(printf "%092d" 0)"
py="python3 docs/examples/switch.py $out/ctl"
if command -v python3 > /dev/null; then
  it 'a client in Python asks' '$py table vid=5 table=route > "$out/py" && grep -q "10.9.0.0/16" "$out/py"'
  it 'it is told by a word what is wrong' '! $py remove vid=77 2> "$out/err" && grep -q "^not_found: no module" "$out/err" && ! $py lsit 2> "$out/err" && grep -q "^format: .*did you mean .list" "$out/err"'
  it 'it is given events as they come' '{ $py events > "$out/events" & listener=$!; } && "$SLUICE" ctl --control "$out/ctl" send "$packet" && await 10 [ -s "$out/events" ]; kill $listener; wait $listener 2> /dev/null; [ "$(cut -d " " -f 1 < "$out/events")" = 5 ]'
else
  echo "ok $((n += 1)) - a client in Python # SKIP there is no python3"
fi
kill "$server"; wait "$server" 2> /dev/null; server=
it 'a switch that is gone is told' '! timeout 20 "$out/route" "control:$out/ctl" "$out/router.json" $words > "$out/none" 2> "$out/err" && grep -q "no switch answers" "$out/err"'
echo "1..$n"
[ $failed -eq 0 ]
