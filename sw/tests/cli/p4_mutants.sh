#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults put into the front end of P4-16 or into its interpreter, one at a time: the tests notice each. As TAP. Usage: p4_mutants.sh front|run [FIRST [LAST]]
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root" || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
flags="-std=c11 -O0 -D_GNU_SOURCE -Isw -Isw/include -w"
case $1 in
front) folder=p4 tests='p4_front p4_tree p4_wide p4run_stf' ;;
run) folder=p4run tests='p4run_values p4run_stf' ;;
*) exit 2 ;;
esac
faults=sw/tests/p4/faults_$1.sh
n=0 failed=0 first=${2:-1} last=${3:-999}
say() { if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }

LC_ALL=C awk -f sw/p4/include/embed.awk $(ls sw/p4/include/*.p4 | LC_ALL=C sort) > "$dir/texts.c" || exit 3
for f in sw/p4/*.c sw/p4run/*.c sw/base/arena.c sw/base/rng.c sw/base/text.c "$dir/texts.c"; do
  gcc $flags -O1 -c "$f" -o "$dir/$(basename "$(dirname "$f")")_$(basename "$f" .c).o" || exit 3
done
for f in test main; do gcc $flags -O1 -c "sw/tests/rig/$f.c" -o "$dir/rig_$f.o" || exit 3; done
for t in $tests; do gcc $flags -O1 -c "sw/tests/p4/test_$t.c" -o "$dir/$t" || exit 3; done
# Links and runs the tests, until one fails; 0: they pass.
run() {
  for t in $tests; do
    cp "$dir/$t" "$dir/main.o"
    gcc -o "$dir/test" "$dir"/*.o -lcmocka -ljansson || return 2
    # Seconds of the processor: a machine that is busy with other work notices no fault.
    (ulimit -t 20; SLUICE_QUICK=1 timeout 1200 "$dir/test" > /dev/null 2>&1) || return 1
  done
}
n=0; run; say $? 'without a fault the tests pass'
# fault FILE SENTENCE FROM TO: FROM, a fixed text, becomes TO where it stands first.
fault() {
  n=$((n + 1))
  [ $n -ge "$first" ] && [ $n -le "$last" ] || return 0
  FROM=$3 TO=$4 perl -0777 -pe 'my $i = index($_, $ENV{FROM}); exit 1 if $i < 0; substr($_, $i, length $ENV{FROM}) = $ENV{TO}' "sw/$folder/$1.c" > "$dir/$1.c"
  if [ $? -ne 0 ]; then say 1 "$2 (the text is not there)"; return; fi
  mv "$dir/${folder}_$1.o" "$dir/kept"
  if gcc $flags "-Isw/$folder" -c "$dir/$1.c" -o "$dir/${folder}_$1.o"; then run; [ $? -eq 1 ]; say $? "$2"; else say 1 "$2 (it does not compile)"; fi
  mv "$dir/kept" "$dir/${folder}_$1.o"
}
. "$root/$faults"
echo "1..$n"
[ $failed -eq 0 ]
