#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Numbers are read by sw/base/number.h alone, and every option, file and request reads them so.
# usage: sw/tests/cli/numbers.sh SLUICE
set -u
sluice=$(realpath "$1")
pass=0 fail=0
good() { pass=$((pass + 1)); }
bad() {
	fail=$((fail + 1))
	echo "FAILED $*"
}

# What reads text of our own making or of the system, or is a tool of measurements; and P4, whose numbers have a form of their own.
own='^sw/tests/|^sw/figures/bench/|^sw/p4|^sw/reaction/confine.c|^sw/base/number.c|^sw/cli/run_execute.c|^sw/cli/run_view.c|^sw/live/story.c|^sw/driver/plan/guard.c|^sw/session/player.c'
found=$(grep -rnE '\b(strto(u?l|u?ll|d|f|ld|[iu]max)|v?[fs]?scanf|ato(i|l|ll|f))\(' sw dpi --include='*.c' --include='*.h' | grep -vE "$own")
if [ -z "$found" ]; then good; else bad "numbers that another function reads:
$found"; fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/numbers.XXXXXX")
trap 'rm -rf "$dir"' EXIT
. "$(dirname "$0")/../await"
cd "$dir" || exit 3
cat >f.dom <<'EOT'
struct Packet { int dst @ ipv4.dst; int out @ meta.port_out; int n; };
void set(struct Packet p, int n) { p.out = n; }
table route { key: p.dst lpm; actions: set; default: set(1); size: 16; }
void f(struct Packet p) { apply(route); }
EOT
echo 'malleable int level = 3; struct Packet { int len @ meta.length; int out @ meta.port_out; };
void g(struct Packet p) { p.out = level; }' >g.dom

# Each of these takes "10", and none of "010", "12x", " 10", "+10" and what does not fit.
refused() { # arguments with @ for the number
	for number in 010 12x ' 10' +10 99999999999999999999 18446744073709551626; do
		set -- "$@"
		args=
		for word; do args="$args '$(printf %s "$word" | sed "s/@/$number/")'"; done
		eval "timeout 20 \"\$sluice\" $args" >out 2>err </dev/null
		code=$?
		if [ $code = 2 ] || [ $code = 1 ]; then good; else bad "$args: exit $code: $(head -2 err)"; fi
	done
}
for verb in $("$sluice" help --verbs); do
	"$sluice" help "$verb" | sed -nE 's/^ +(-., )?(--[a-z-]+) (N|V|P|T|S|K|R|J|LEVEL|SECONDS|BYTES) .*/\2/p'
done | sort -u >options
for verb in $("$sluice" help --verbs); do
	"$sluice" help "$verb" | sed -nE 's/^ +(-., )?(--[a-z-]+) (N|V|K|R|J|LEVEL) .*/\2/p' >whole
	while read -r option; do refused "$verb" "$option" @; done <whole
done
for item in '--share 1=@' '--share 1=5:@' '--share @=5' '--lane-rate 1=@' '--lane-rate 1=5:@' \
	'--lane-rate 1=5/@' '--class 1=@' '--class @=1' '--class-weights 1,@' '--class-ecn @' \
	'--ports 1=@' '--ports 1=0,@' '--passes 1=@' '--passes 1=5:@' '--trust @' '--active @' \
	'--ready-every 0:@' '--ready-every @:5' '--size @' '--register LANE[@].PACKETS' '-m f.dom:@' \
	'--entries @:route=e.csv' '--param @:level=3' '--param level=@'; do
	set -- $item
	file=f.dom
	case $item in *level*) file=g.dom ;; esac
	refused run $file --chip model:react -n 3 "$1" "$2"
done
refused gen --vid @ -o /dev/null
refused gen --stress s --stateful @
echo RETURN >x.asm
refused active run x.asm --args @
refused trace f.dom @- --chip model:react -n 3 --read nothing

# Of a running switch: the message says the range.
echo 'int count[4] = {0}; malleable int level = 3; struct Packet { int out @ meta.port_out; };
void h(struct Packet p) { count[0] += level; p.out = 1; }' >h.dom
"$sluice" serve --chip model:react -m h.dom:5 --port 0=udp:0 --control switch -q >served 2>&1 </dev/null &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT
await 2 [ -e switch ]
for item in 'set 5 count[0] @' 'set CHIP.PACE @' 'set @ count[0] 1' 'set 5 count[@] 1' 'state 5 count[@]' \
	'param 5 level=@' 'show @' 'remove @' 'state @ count' 'group @ 1' 'group 1 @' 'event @' 'cut @'; do
	for number in 010 1e3 1_000 +5 5x 4294967296 99999999999999999999; do
		set -- $(echo "$item" | sed "s/@/$number/")
		timeout 20 "$sluice" ctl --control switch "$@" >out 2>err
		code=$?
		if [ $code != 0 ] && [ $code -lt 3 ] && grep -qE '[0-9] to [0-9]' err; then good
		else bad "ctl $*: exit $code: $(cat err)"; fi
	done
done
timeout 20 "$sluice" ctl --control switch set 5 'count[0]' -3 2>err
if grep -q "stand behind '--'" err; then good; else bad "a number below 0: $(cat err)"; fi
if "$sluice" ctl --control switch set 5 'count[0]' -- -3 && "$sluice" ctl --control switch state 5 count |
	grep -qx 'count\[0\] = -3'; then good; else bad "a number below 0 behind --"; fi
echo "$pass passed, $fail failed"
[ $fail = 0 ] && [ $pass -gt 300 ]
