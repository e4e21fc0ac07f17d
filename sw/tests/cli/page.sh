#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A page of `sluice run --view` in Chromium, as TAP: it opens without an error in 3 seconds, and a screenshot shows its parts. A page that
# does not draw the ways of packets is noticed. Without Chromium this is skipped.
# usage: page.sh [PAGE]    (build/demo/run.html, which `make demo` has made)
page=$(realpath "${1:-build/demo/run.html}") || exit 3
. "$(dirname "$0")/../chip/lib"
. sw/tests/chip/browser
[ -n "$browser" ] || { echo "ok 1 - the page in a browser # SKIP no Chromium here"; echo 1..1; exit 0; }

packets=$(sed -n 's,.*id="run">.*"packets":\([0-9]*\)}</script>,\1,p' "$page")
browse "$page#"
it "$page opens without an error, with its $packets packets, in 3 seconds" "fine $packets"
note "ready after $(said ready) ms, $(wc -c < "$page") bytes"

# area X0 X1 Y0 Y1 COLOUR...: how many of the pixels there have one of these colours.
area() {
  awk -v x0="$1" -v x1="$2" -v y0="$3" -v y1="$4" -v list="$(shift 4; echo "$*")" '
    BEGIN { n = split(list, c, " "); for (i = 1; i <= n; i++) wanted[c[i]] = 1 }
    $1 >= x0 && $1 < x1 && $2 >= y0 && $2 < y1 && ($3 "," $4 "," $5) in wanted { found++ }
    END { print found + 0 }' "$out/pixels"
}
shoot "$page#packet=$((packets / 2))" "$out/pixels"
it 'the screenshot is there' 'same "$(wc -l < "$out/pixels")" 450000'
it 'heading: a dark bar with the verdict in it' 'is "$(area 0 1500 0 60 22,50,74) > 15000" && is "$(area 200 500 10 50 27,127,77) > 200"'
it 'the whole run above, packets that come in in blue' 'is "$(area 170 920 118 172 210,222,232) > 300"'
# Where output queues are long, what leaves is under what waits.
it 'rows: packets that arrive, access state, leave or wait for that' 'for colour in 157,183,204 91,141,184 46,125,91 "42,157,143 201,139,185"; do is "$(area 170 920 240 1000 $colour) > 20" || return 1; done'
it 'the way of the packet as a line' 'is "$(area 170 920 240 1000 22,50,74) > 60"'
it 'the story at the right, as text' 'is "$(awk "\$1 > 940 && \$1 < 1480 && \$2 > 130 && \$2 < 560 && \$3 + \$4 + \$5 < 300" "$out/pixels" | wc -l) > 1500"'

sed 's/^  drawWays();$//' "$page" > "$out/mutant.html"
shoot "$out/mutant.html#packet=$((packets / 2))" "$out/pixels"
it 'a page that does not draw ways is noticed' '! cmp -s "$page" "$out/mutant.html" && is "$(area 170 920 240 600 46,125,91) < 20"'
finish
