#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that was linked with the library of the last release runs with this one: symbols, arguments and structures of the public
# headers are those of sw/package/libsluice.abi. What is new is told, and may be. Changes of each kind are found. As TAP.
# usage: abi.sh [LIBRARY]   Needs abidiff, and build/pic/sluice.o, of which the library is made.
set -u
cd "$(dirname "$0")/../../.." || exit 3
kept=sw/package/libsluice.abi
library=${1:-$(echo build/libsluice.so.*)}
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
# fits LIBRARY HEADERS: 0 if a program of the release runs with this library. $dir/said: what is not as it was; $dir/new: what is new.
fits() {
  : > "$dir/new"
  sw/package/abi.sh "$1" "$2" > "$dir/abi" 2> "$dir/said" || return 3
  abidiff --no-added-syms "$kept" "$dir/abi" > "$dir/said" || return 1
  abidiff "$kept" "$dir/abi" > "$dir/new"; [ $? -le 4 ]
}

fits "$library" sw/include; code=$?
say $code "programs that were linked with $(sed -n "s/.* soname='\([^']*\)'.*/\1/p" $kept) run with $library"
if [ $code -ne 0 ]; then
  sed 's/^/# /' "$dir/said" | head -n 60
  echo '# Keep the symbol or the structure as it was, or raise MAJOR in sw/include/sluice/version.h, from which the soname follows: then make abi.'
else
  new=$(sed -n "s/^ *\[A\] '\(.*\)_call'.*/# new: \1/p" "$dir/new")
  [ -z "$new" ] || printf '%s\n# a release keeps them: make abi (CONTRIBUTING.md)\n' "$new"
fi

# ---- what must be found: each changes a copy of the headers, or of the library
# changed SENTENCE FILE SCRIPT [SAYS]: without that, the headers are not changed.
changed() {
  rm -rf "$dir/include"; cp -r sw/include "$dir"
  sed "$3" "sw/include/sluice/$2" > "$dir/include/sluice/$2"
  ! cmp -s "sw/include/sluice/$2" "$dir/include/sluice/$2" && { fits "$library" "$dir/include"; [ $? -eq 1 ]; } && grep -q -- "$4" "$dir/said"
  say $? "found: $1"
}
changed 'a structure is longer' chip.h '/^struct sluice_counters {/a uint64_t more;' 'type size changed'
changed 'two members change places' table.h 's/uint64_t packets, bytes, serial;/uint64_t bytes, packets, serial;/' sluice_table_total
changed 'another argument' version.h 's/sluice_version(void)/sluice_version(int form)/' 'sluice_version_call'
changed 'an argument of another type' chip.h 's/\(sluice_chip_read(struct sluice_chip \*chip, uint\)32_t/\164_t/' sluice_chip_read_call
changed 'a value of an enumeration' status.h 's/\(SLUICE_ERR_[A-Z]*\) = -2\b/\1 = -102/' 'enum sluice_status'
# built NAME SCRIPT...: the library, of an object that objcopy or a file more has changed.
link() { gcc -shared -Wl,-soname,"$1" -o "$dir/libsluice.so" "$dir/sluice.o" $2 -ljansson; }
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
objcopy --localize-symbol=sluice_version build/pic/sluice.o "$dir/sluice.o" && link "$soname" '' && { fits "$dir/libsluice.so" sw/include; [ $? -eq 1 ]; } \
  && grep -q "\[D\].*sluice_version_call" "$dir/said"
say $? 'found: a symbol is no longer there'
cp build/pic/sluice.o "$dir/sluice.o"; link libsluice.so.99 '' && ! fits "$dir/libsluice.so" sw/include && grep -q SONAME "$dir/said"
say $? 'found: another soname than that of the description'
rm -rf "$dir/include"; cp -r sw/include "$dir"
echo 'int sluice_more(int a);' > "$dir/include/sluice/more.h"; echo 'int sluice_more(int a); int sluice_more(int a) { return a; }' > "$dir/more.c"
link "$soname" "$dir/more.c" && fits "$dir/libsluice.so" "$dir/include" && grep -q "\[A\].*sluice_more_call" "$dir/new"
say $? 'a new symbol is told, and fits'
fits "$dir/libsluice.so" sw/include; [ $? -eq 3 ] && grep -q "sluice_more.* undeclared" "$dir/said"
say $? 'found: a symbol that no header declares'
echo "1..$n"; [ $failed -eq 0 ]
