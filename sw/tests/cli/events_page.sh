#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of events in docs/verification.md has the names and arguments of sw/model/events.def, each once. As TAP.
set -u
cd "$(dirname "$0")/../../.." || exit 3
page=${1:-docs/verification.md}
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
# Rows of the table: names and arguments of several events stand in one, with a comma and a semicolon between them; if there is one list of
# arguments, all have it.
table() {
  awk -F ' *[|] *' '/^[|] event [|]/ { on = 1; next } on && !/^[|]/ { exit } on && $2 ~ /^`/ {
    gsub(/`/, ""); names = split($2, name, /, /); lists = split($3, list, /; /)
    for (i = 1; i <= names; i++) print name[i] ": " (lists == 1 ? list[1] : list[i])
  }' "$1" | sort
}
events() { sed -n 's/^SLUICE_EVENT([A-Z_]*, \([a-z_]*\), "\(.*\)")$/\1: \2/p' sw/model/events.def | sort; }
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
events > "$dir/events"; table "$page" > "$dir/table"
[ "$(wc -l < "$dir/events")" -gt 50 ]; say $? "$(wc -l < "$dir/events") events"
diff "$dir/events" "$dir/table" > "$dir/diff"; say $? 'the page has them all'
sed 's/^/# /' "$dir/diff"
for change in 's/`sets` | `sets`/`sets` | `set`/' '/^| `unpaid`/d' 's/`cut`, `flip`/`cut`, `cut`/'; do
  sed "$change" "$page" > "$dir/page"
  ! cmp -s "$page" "$dir/page" && table "$dir/page" | cmp -s - "$dir/events"; [ $? -ne 0 ]; say $? "noticed: $change"
done
echo "1..$n"; [ $failed -eq 0 ]
