#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults put into the allocator of packet programs, one at a time: its tests must fail with each. TAP.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
flags="-std=c11 -O1 -D_GNU_SOURCE -I$dir -I$root/sw -I$root/sw/include -w"
mkdir -p "$dir/active" "$dir/o"
cp -p "$root"/sw/active/*.h "$dir/active"
mkdir -p "$dir/base" && cp -p "$root"/sw/base/*.h "$dir/base"
files='allocator_request mutants allocator_fit allocator_layout allocator_published allocator_ours allocator_plan allocator'
compile() { gcc $flags -c -o "$1" "$2"; }
for f in $files; do compile "$dir/o/$f.o" "$root/sw/active/$f.c" || exit 3; done
compile "$dir/status.o" "$root/sw/base/status.c" && compile "$dir/rng.o" "$root/sw/base/rng.c" || exit 3
for t in test main; do compile "$dir/rig_$t.o" "$root/sw/tests/rig/$t.c" || exit 3; done
for t in test_allocator test_allocator_random; do compile "$dir/$t.o" "$root/sw/tests/active/$t.c" || exit 3; done

n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
# passes FILE: both tests with $dir/m.o in place of FILE's object.
passes() {
  objects=$dir/m.o
  for f in $files; do [ "$f" = "$1" ] || objects="$objects $dir/o/$f.o"; done
  for t in test_allocator test_allocator_random; do
    gcc -o "$dir/test" "$dir/$t.o" "$dir/rig_test.o" "$dir/rig_main.o" $objects "$dir/status.o" "$dir/rng.o" -lcmocka || exit 3
    timeout 60 "$dir/test" >"$dir/log" 2>&1 || return 1
  done
}
# mutant FILE 'WHAT' 'TEXT' 'OTHER': the first place of TEXT becomes OTHER.
mutant() {
  FROM=$3 TO=$4 awk '!done && (i = index($0, ENVIRON["FROM"])) {
    $0 = substr($0, 1, i - 1) ENVIRON["TO"] substr($0, i + length(ENVIRON["FROM"])); done = 1 } { print } END { exit !done }' \
    "$root/sw/active/$1.c" >"$dir/active/$1.c" || { say 1 "$1.c has no '$3'"; return; }
  compile "$dir/m.o" "$dir/active/$1.c" || { say 1 "$1.c does not compile with: $2"; return; }
  passes "$1"; code=$?
  [ $code -eq 1 ]; say $? "$1: $2"
}

cp "$dir/o/allocator_fit.o" "$dir/m.o"; passes allocator_fit; say $? 'without a fault the tests pass'
mutant mutants 'a distance is one less' 'at - m->least[i - 1]' 'at - m->least[i - 1] - (i > 1)'
mutant mutants 'the room behind the program is one more' 'r->length) - 1' 'r->length)'
mutant mutants 'the ingress limit is one less' 'ingress - 1 - r->ingress_limit' 'ingress - r->ingress_limit'
mutant mutants 'least constrained without a further pass' 'longest += again' 'longest += 0'
mutant mutants 'accesses that share a stage need not' 'm->stage[i] != m->stage[m->first_with[i]]' '0'
mutant mutants 'accesses may share a stage' 'm->num_stages == m->wanted' 'm->num_stages <= m->wanted'
mutant mutants 'a further pass begins at stage 0' '.again = shape->ingress' '.again = 0'
mutant allocator_published 'one elastic tenant more than blocks' 'elastic + 1 > top' 'elastic > top'
mutant allocator_published 'an inelastic one takes the last block of an elastic one' 'top < access->demand + elastic' 'top + 1 < access->demand + elastic'
mutant allocator_published 'the floor rises by one more' 's->floor += r->demand' 's->floor += r->demand + 1'
mutant allocator_published 'a hole at the floor is none' 'r->first + r->blocks == s->floor' '0'
mutant allocator_published 'the smallest hole is taken' 's->holes[i].num > hole->num' 's->holes[i].num < hole->num'
mutant allocator_published 'the smallest hole is looked at first' 'x->num > y->num ? -1 : 1' 'x->num > y->num ? 1 : -1'
mutant allocator_published 'the last ones get the blocks that are left over' 'n++ < room % num' 'num - n++ <= room % num'
mutant allocator_fit 'the cost of elastic room is left out' 'elastic * (pools->shape.blocks * 1.0 / room)' 'elastic'
mutant allocator_fit 'reallocations are one more' 'x - room % x - 1' 'x - room % x'
mutant allocator_ours 'an elastic region without a block' 'v->sharded + 1;' 'v->sharded;'
mutant allocator_ours 'sharded regions are not kept a block' 'keep = pool->pinned + v->sharded' 'keep = pool->pinned'
mutant allocator_ours 'a sharded share is taken from one pool' 'p < k; p++) left[p] -= is_in' 'p < 1; p++) left[p] -= is_in'
mutant allocator_ours 'what is left over is lost' 'left[p] / v.pool[p].pinned' '0 * left[p]'
mutant allocator_ours 'a departure lets nobody grow' 'sluice_memory_stage_remove(s, r);' 'sluice_memory_stage_remove(s, r); continue;'
mutant allocator_ours 'inelastic regions go to one pipeline' 'return x->regions < y->regions' 'return x->regions > y->regions'
mutant allocator_ours 'elastic regions are counted, not their shares' 'return share_x > share_y || (share_x == share_y &&' 'return ('
mutant allocator_plan 'changes in the other order' 'up = kx == 1' 'up = kx == 2'
mutant allocator_plan 'the newcomer first' 'return kx < ky ? -1 : 1' 'return kx < ky ? 1 : -1'
mutant allocator_plan 'who loses the last block is not told' 'to->first + to->blocks < from->first + from->blocks' 'to->first + to->blocks + 1 < from->first + from->blocks'
mutant allocator 'undo leaves the plan applied' 'if (a->phase == APPLIED) a->now = !a->now' ';'
mutant allocator 'a plan is the state at once' 'a->phase = PLANNED' 'a->phase = PLANNED, a->now = !a->now'
mutant allocator 'of equal mutants the last one' ': cost < c->cost' ': cost <= c->cost'
mutant allocator 'one access that does not fit is overlooked' 'fits &= o->fits' 'fits = o->fits'
echo "1..$n"
[ $failed -eq 0 ]
