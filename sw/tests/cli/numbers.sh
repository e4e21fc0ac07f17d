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

# What reads text of our own making, or is a tool of measurements: no user writes numbers there.
own='^sw/tests/|^sw/bench/|^sw/base/number.c|^sw/cli/run_execute.c|^sw/cli/run_view.c|^sw/live/story.c|^sw/driver/guard.c|^dpi/player.c'
found=$(grep -rnE '\b(strto(u?l|u?ll|d|f|ld|[iu]max)|v?[fs]?scanf|ato(i|l|ll|f))\(' sw dpi --include='*.c' --include='*.h' | grep -vE "$own")
if [ -z "$found" ]; then good; else bad "numbers that another function reads:
$found"; fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/numbers.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
cat >f.dom <<'EOT'
struct Packet { int dst @ ipv4.dst; int out @ meta.port_out; int n; };
void set(struct Packet p, int n) { p.out = n; }
table route { key: p.dst lpm; actions: set; default: set(1); size: 16; }
void f(struct Packet p) { apply(route); }
EOT
echo 'malleable value level = 3; struct Packet { int len @ meta.length; int out @ meta.port_out; };
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
	'--every 0:@' '--every @:5' '--size @' '--register LANE[@].PACKETS' '-m f.dom:@' \
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
echo "$pass passed, $fail failed"
[ $fail = 0 ] && [ $pass -gt 300 ]
