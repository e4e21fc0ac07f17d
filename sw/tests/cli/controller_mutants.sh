#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults put into the controller of packet programs, one at a time: its test must fail with each. TAP.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
flags="-std=c11 -O1 -D_GNU_SOURCE -I$dir -I$root/sw -I$root/sw/include -I$root/dpi -w"
mkdir -p "$dir/active" "$dir/o"
cp -p "$root"/sw/active/*.h "$dir/active"
for room in image plan tables wire chip; do mkdir -p "$dir/driver/$room" && cp -p "$root/sw/driver/$room"/*.h "$dir/driver/$room"; done
mkdir -p "$dir/base" && cp -p "$root"/sw/base/*.h "$dir/base"
files='controller controller_chip controller_words controller_frame'
compile() { gcc $flags -c -o "$1" "$2"; }
# All that does not change is one object.
others=
for f in "$root"/sw/base/*.c "$root"/sw/lib/*.c "$root"/sw/driver/*/*.c "$root"/sw/transport/*.c "$root"/sw/model/*.c \
  "$root"/sw/ir/*.c "$root"/sw/compiler/*.c "$root"/sw/active/*.c; do
  name=$(basename "$f" .c)
  case " $files " in *" $name "*) [ "$(basename "$(dirname "$f")")" = active ] && continue;; esac
  [ -e "$f" ] || continue
  o=$dir/o/$(basename "$(dirname "$f")")_$name.o
  printf '%s %s\n' "$o" "$f"
  others="$others $o"
done >"$dir/list"
xargs -P 2 -n 2 sh -c 'gcc '"$flags"' -c -o "$0" "$1"' <"$dir/list" || exit 3
ld -r -o "$dir/others.o" $(cut -d ' ' -f 1 "$dir/list") || exit 3
for f in $files; do compile "$dir/$f.o" "$root/sw/active/$f.c" || exit 3; done
for f in active/test_controller rig/test rig/main; do compile "$dir/$(basename $f).part" "$root/sw/tests/$f.c" || exit 3; done
ld -r -o "$dir/test.o" "$dir"/*.part || exit 3

n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
# passes FILE: the test with $dir/m.o in place of FILE's object.
passes() {
  objects=$dir/m.o
  for f in $files; do [ "$f" = "$1" ] || objects="$objects $dir/$f.o"; done
  gcc -o "$dir/test" "$dir/test.o" $objects "$dir/others.o" -lcmocka -ljansson -lpcap -lm || exit 3
  timeout 60 "$dir/test" >"$dir/log" 2>&1
}
# mutant FILE 'WHAT' 'TEXT' 'OTHER': the first place of TEXT becomes OTHER.
mutant() {
  FROM=$3 TO=$4 awk '!done && (i = index($0, ENVIRON["FROM"])) {
    $0 = substr($0, 1, i - 1) ENVIRON["TO"] substr($0, i + length(ENVIRON["FROM"])); done = 1 } { print } END { exit !done }' \
    "$root/sw/active/$1.c" >"$dir/active/$1.c" || { say 1 "$1.c has no '$3'"; return; }
  compile "$dir/m.o" "$dir/active/$1.c" || { say 1 "$1.c does not compile with: $2"; return; }
  if passes "$1"; then say 1 "$1: $2"; else say 0 "$1: $2"; fi
}

cp "$dir/controller.o" "$dir/m.o"; passes controller; say $? 'without a fault the test passes'
mutant controller_chip 'the limit is one more' '* many - 1,' '* many,'
mutant controller_chip 'the base is that of the stage' 'stage->base + first}' 'stage->base}'
mutant controller_chip 'a region is in the first pipeline' '(sharded ? 0 : r->pipeline)' '0'
mutant controller_chip 'low is 0 always' 'c->options.from_zero ? 0 : first * many' '0'
mutant controller_chip 'the common part keeps its first address' 'a->low + (first - a->base) * many' 'a->low'
mutant controller_chip 'what is lost is kept until the end' 'end_a < end_b ? end_a : end_b' 'end_a'
mutant controller_chip 'the bank that packets see is written' '*idle = !taken' '*idle = taken'
mutant controller_chip 'an entry that is known is never written again' '&& controller_alike(&b->view.region[at], &view->region[at])) continue' ') continue'
mutant controller_chip 'who leaves keeps its id' '.valid = view->tenant[id]' '.valid = true'
mutant controller_words 'words are those of the first pipeline' 'slot + s->pipe - m->pipe' 'slot'
mutant controller_words 'words of one pipeline are side by side' 's->end - s->first, c->pipes}' 's->end - s->first, 1}'
mutant controller_words 'nothing becomes 0' 'part[num++].first = end > all.first' 'part[num].first = end > all.first'
mutant controller_words 'words that come back are others' 'lost[i].first - r->base' '0'
mutant controller_words 'a snapshot has the version of now' '{c->version[id], r->low' '{0, r->low'
mutant controller_words 'what nobody has saved is taken for 0' 'return known == s->end - s->first;' 'return true;'
mutant controller_words 'words that are read alone are those of the second pipeline' '(int)s->pipe' '1'
mutant controller_words 'a cut stays open' 'CONTROLLER_TRY(sluice_chip_cut_end(c->chip, error));' ';'
mutant controller 'words are 0 before they are saved' 'CONTROLLER_TRY(controller_save(' 'CONTROLLER_TRY(controller_zero(c, &c->now, &c->next, NULL, h->answer, why)); CONTROLLER_TRY(controller_save('
mutant controller 'words go from one to the other at once' 'const bool loses = ' 'const bool loses = 0 && '
mutant controller 'the other bank is forgotten' 'if (!behind) behind = ' 'if (0) behind = '
mutant controller 'a failure leaves the plan' 'const enum sluice_status undone = sluice_allocator_undo(c->allocator, error);' 'const enum sluice_status undone = sluice_allocator_commit(c->allocator, error);'
mutant controller 'what could not be taken back is forgotten' 'c->unsure = failed != SLUICE_OK' 'c->unsure = false'
mutant controller 'words that could not come back are lost' 'c->owed = h->saved' 'c->owed = NULL'
mutant controller 'words of a failure stay 0' 'taken ? h->saved : NULL' 'NULL'
mutant controller 'who leaves leaves its snapshots' 'if (here && !new->values) continue' 'if (!new->values) continue'
mutant controller 'a version is counted for everybody' 'c->version[id] + differs' 'c->version[id] + 1'
mutant controller 'ids of other modules are taken' 't.valid && t.row != row' '0'
mutant controller 'another program goes unseen' 'CONTROLLER_TRY(find_memory(c, false, error));' ''
mutant controller_frame 'a request is echoed to itself' 'memcpy(swapped, a->addresses + 6, 6)' 'memcpy(swapped, a->addresses, 6)'
mutant controller_frame 'IPv4 addresses stay' 'if (inner_len >= IPV4) {' 'if (0) {'
mutant controller_frame 'a repeated request is decided again' 'if (q->fid < c->ids && c->now.tenant[q->fid]) return SLUICE_OK;' ''
mutant controller_frame 'who is not here is allocated' 'if (!sluice_controller_find(c, a->fid, &tenant)) return;' 'if (!sluice_controller_find(c, a->fid, &tenant)) a->flags |= CAPSULE_ALLOCATED;'
mutant controller_frame 'a reset is a release' 'if (q->fid == RESET) {' 'if (0) {'
mutant controller_frame 'nobody is pending' 'a->flags |= CAPSULE_PENDING' '(void)0'
mutant controller_frame 'acknowledgements are not heard' 'c->client[q.fid].acked = true' '(void)0'
mutant controller_frame 'one acknowledgement is enough' 'wait |= !client->acked' 'wait = !client->acked'
mutant controller_frame 'nobody is told' 'CONTROLLER_TRY(notify(t, id, error));' ';'
mutant controller_frame 'a dead client is waited for' 't->now - client->heard >= dead' '0'
mutant controller_frame 'silence is a unit shorter' 'client->heard >= dead' 'client->heard >= dead - 1'
mutant controller_frame 'the wait has no end' 't->now < c->until' '1'
mutant controller_frame 'others are echoed meanwhile' 'if (c->waiting && c->request.fid != q->fid) return SLUICE_OK;' ''
mutant controller_frame 'who gives up is admitted' 'status = sluice_allocator_undo(c->allocator, error);' 'status = carry_out(t, c->plan, error);'
echo "1..$n"
[ $failed -eq 0 ]
