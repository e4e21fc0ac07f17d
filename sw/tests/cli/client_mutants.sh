#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults put into the client library of programs in packets, one at a time: its test must fail with each. TAP.
# usage: client_mutants.sh OBJECT...: all objects of the library but that of client.c
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root" || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
flags="-std=c11 -O1 -D_GNU_SOURCE -Isw -Isw/include -Isw/active -Idpi -w"
for f in active/test_client rig/test rig/main; do gcc $flags -c -o "$dir/$(basename $f).part" "sw/tests/$f.c" || exit 3; done
ld -r -o "$dir/test.o" "$dir"/*.part || exit 3
ld -r -o "$dir/others.o" "$@" || exit 3

n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
# passes FILE: the test with this client.c.
passes() {
  sed 's|#include "\.\./driver/|#include "driver/|' "$1" >"$dir/client.c"
  gcc $flags -c -o "$dir/m.o" "$dir/client.c" || return 99
  gcc -o "$dir/test" "$dir/test.o" "$dir/m.o" "$dir/others.o" -lcmocka -ljansson -lpcap -lm || exit 3
  timeout 60 "$dir/test" >"$dir/log" 2>&1
}
# mutant 'WHAT' 'TEXT' 'OTHER': the first place of TEXT becomes OTHER.
mutant() {
  FROM=$2 TO=$3 awk '!done && (i = index($0, ENVIRON["FROM"])) {
    $0 = substr($0, 1, i - 1) ENVIRON["TO"] substr($0, i + length(ENVIRON["FROM"])); done = 1 } { print } END { exit !done }' \
    sw/active/client.c >"$dir/mutant.c" || { say 1 "client.c has no '$2'"; return; }
  passes "$dir/mutant.c"
  case $? in 0) say 1 "$1";; 99) say 1 "it does not compile: $1";; *) say 0 "$1";; esac
}

passes sw/active/client.c; say $? 'without a fault the test passes'
mutant 'other programs go where they are written' 'stages[i] = c->stage[p->as[i]]' 'stages[i] = i'
mutant 'passes are not counted' 'if (passes <= c->options.passes) return SLUICE_OK;' 'return SLUICE_OK;'
mutant 'an old version is taken' 'return (int16_t)(a - b) > 0;' 'return a != b;'
mutant 'one answer that does not know it is a refusal' 'if (++c->strikes < STRIKES)' 'if (++c->strikes < 1)'
mutant 'an answer before the echo is taken' 'const bool remapped = a->flags & CAPSULE_REMAPPED;' 'const bool remapped = a->flags & CAPSULE_REMAPPED; if (c->state == ACTIVE_REQUESTED) c->state = ACTIVE_WAITING;'
mutant 'nothing is asked again' 'c->next = now + until' 'c->next = UINT64_MAX'
mutant 'a request of before keeps its memory' 'active_client_release(c, now);  // one of before was late' ';'
mutant 'words of other places are taken' 'w->first != c->from)' '0)'
mutant 'only the first part of the words is asked for' 'c->from >= w->total' 'c->from'
mutant 'acknowledgements are not sent' '      say_ack(c);' '      ;'
mutant 'it never acknowledges' 'if (c->state == ACTIVE_SAVING) enter(c, ACTIVE_MOVING, now);' ';'
mutant 'patience has no end' 'if (hears && c->options.patience' 'if (0 && c->options.patience'
mutant 'nobody asks whether it is still there' 'if (!c->options.alive && !c->counts.faults) return false;' 'return false;'
mutant 'faults are not seen' 'c->counts.faults++' ';'
mutant 'marks of accesses over all pipelines are lost' 'q.flags |= CAPSULE_EXTRA' ';'
mutant 'the region is not that of the access' '&c->ranges[c->stage[access]]' '&c->ranges[c->stage[0]]'
mutant 'memory that cannot be used is kept' 'active_client_release(c, now);  // nothing can be done with it' ';'
mutant 'programs of other ids are taken' 'if (a.fid != c->options.fid) return false;' ';'
echo "1..$n"
[ $failed -eq 0 ]
