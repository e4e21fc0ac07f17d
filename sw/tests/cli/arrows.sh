#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Arrows between folders of C go one way: if one needs another (a symbol of it, by the linker), that one does not need it, nor through a third.
# The rooms of the driver have the arrows of docs/driver.md and no others; a plan is made by a program that has neither a chip nor packets.
# The chip's pins (dpi) are on top of sessions and monitors; the references know base alone.
# usage: arrows.sh OBJECTS       the folder of object files, build/obj; prints TAP lines; exit code 1 if any is not ok
cd "$(dirname "$0")/../../.." || exit 3
objects=${1:-build/obj}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0 number=0
check() {
  number=$((number + 1))
  if [ -z "$2" ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; printf '%s\n' "$2" | sed 's/^/# /'; failed=1; fi
}

# "FOLDER OTHER" of nm's lines "FILE: NAME TYPE": FOLDER uses a symbol that OTHER alone has.
arrows() {
  awk '{ f = $1; sub(/:$/, "", f); sub(/^.*\/obj\//, "", f); sub(/^sw\//, "", f); sub(/\/[^\/]*$/, "", f)
         if ($3 ~ /[TDRBC]/) { if ($2 in home && home[$2] != f) many[$2] = 1; home[$2] = f }
         if ($3 == "U") use[f " " $2] = 1 }
       END { for (u in use) { split(u, w, " "); o = home[w[2]]
               if (o != "" && !(w[2] in many) && o != w[1] && !((w[1], o) in seen)) { seen[w[1], o] = 1; print w[1], o } } }' | LC_ALL=C sort
}
# Those of a circle; nothing: there is none.
circles() { tsort 2>&1 >/dev/null | sed -n 's/^tsort: //p'; }

# Objects of files that are no more stay in the folder.
git ls-files -co --exclude-standard 'sw/*.c' 'dpi/*.c' | grep -vE '^sw/tests/|/main(/|\.c$)' | while read -r c; do [ ! -e "$objects/${c%.c}.o" ] || echo "$objects/${c%.c}.o"; done >"$work/files"
[ -s "$work/files" ] || { echo "Bail out! no object files in $objects: make sluice"; exit 3; }
xargs nm -A -P <"$work/files" >"$work/symbols" 2>"$work/said"
arrows <"$work/symbols" >"$work/arrows"
has() { grep -qx "$1" "$work/arrows" || echo "$1 was not found: the test sees nothing"; }
check 'arrows are seen' "$(has 'session driver/chip'; has 'driver/chip driver/plan'; has 'compiler ir'; has 'monitor model'; has 'cli session')"
check 'folders form no circle' "$(circles <"$work/arrows")"
check 'the two references need base alone' "$(grep -E '^(model|spec) ' "$work/arrows" | grep -vE ' base$')"
# ROOM OTHER: the arrows inside the driver. What is not in it is a circle, or will be one.
rooms='chip image|chip plan|chip tables|chip wire|plan image|plan tables|tables image|wire image|menshen image'
astray() { grep -E '^driver/[a-z]+ driver/' | sed 's|driver/||g' | grep -vxE "$rooms"; }
check 'rooms of the driver need each other one way' "$(astray <"$work/arrows"; grep -E '^driver/[a-z]+ ' "$work/arrows" | grep -vE ' (base|driver/[a-z]+)$')"
# The same with a plan that reads a register.
cc=${CC:-cc}
mkdir -p "$work/obj/sw/driver/plan"
echo 'int sluice_chip_read(void); int put_in(void); int put_in(void) { return sluice_chip_read(); }' >"$work/put_in.c"
$cc -c -o "$work/obj/sw/driver/plan/put_in.o" "$work/put_in.c" || exit 3
{ cat "$work/symbols"; nm -A -P "$work/obj/sw/driver/plan/put_in.o"; } | arrows >"$work/with"
check 'a plan that needs a chip is found' "$(circles <"$work/with" | grep -q driver/plan || echo 'no circle'; [ -n "$(astray <"$work/with")" ] || echo 'not astray')"

alone() { $cc -std=c11 -Isw -Isw/include ${1:-} -o "$work/alone" sw/tests/driver/plan_alone.c $(grep -E '/(base|driver/(image|tables|plan))/[^/]*$' "$work/files") -ljansson 2>"$work/said"; }
check 'a plan is made by its own objects, those of tables and images, and base' "$(if alone; then "$work/alone" || echo "it ends with $?"; else head -n 3 "$work/said"; fi)"
check 'without a chip there is no register' "$(alone -DCHIP; grep -q 'undefined reference to .sluice_chip_read' "$work/said" || { echo 'it was linked, or not for that'; head -n 3 "$work/said"; })"
check 'the IR needs base and images alone' "$(grep -E '^ir ' "$work/arrows" | grep -vE ' (base|driver/image)$')"
check 'monitors need no session, and nothing below sessions needs them' \
  "$(grep -E '^(monitor|model|spec|driver/[a-z]+|transport|lib|base|control) session$' "$work/arrows")"
check 'a circle is found' "$(printf 'a b\nb c\nc a\n' | circles | grep -q . || echo 'a b c a')"
echo "1..$number"
exit $failed
