#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One engine: packets are handed to a chip, and taken from it, in sw/session alone. Beside it there are the transports themselves and their server's end, the driver's
# CPU port, and a program that uses nothing but the library's public headers.
# usage: engines.sh       prints TAP lines; exit code 1 if any is not ok
cd "$(dirname "$0")/../../.." || exit 3
failed=0
allowed='^sw/(session/(session|serve)|driver/chip/chip_event|transport/[a-z_]*|figures/bench/update)\.c$|^sw/monitor/monitored\.c$'
engines() { grep -lE -- '->(packet_send|packet_send_at|packet_receive)\(' "$@" | grep -vE "$allowed"; }
check() { if [ -z "$2" ]; then echo "ok $1"; else echo "not ok $1"; printf '%s\n' "$2" | sed 's/^/# /'; failed=1; fi; }
check '1 - nothing but a session moves packets through a chip' "$(engines $(find sw dpi -name '*.c' ! -path 'sw/tests/*'))"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
printf 'void f(struct x *x) { x->to->ops->packet_send(x->to->self, 0, bytes, len, error); }\n' > "$work/mine.c"
[ "$(engines "$work/mine.c")" ]; check '2 - an engine of its own is found' "$([ $? -eq 0 ] || echo "$work/mine.c")"
echo "1..2"
exit $failed
