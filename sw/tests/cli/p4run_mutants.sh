#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults put into the interpreter of P4-16, one at a time: its tests notice each. As TAP. Usage: p4run_mutants.sh [FIRST [LAST]]
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root" || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
flags="-std=c11 -O0 -D_GNU_SOURCE -Isw -Isw/include -w"
n=0 failed=0 first=${1:-1} last=${2:-999}
say() { if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }

LC_ALL=C awk -f sw/p4/include/embed.awk $(ls sw/p4/include/*.p4 | LC_ALL=C sort) > "$dir/texts.c" || exit 3
for f in sw/p4/*.c sw/p4run/*.c sw/base/rng.c sw/base/text.c sw/tests/test_p4run_values.c sw/tests/test_p4run_stf.c "$dir/texts.c"; do
  gcc $flags -c "$f" -o "$dir/$(basename "$(dirname "$f")")_$(basename "$f" .c).o" || exit 3
done
mv "$dir/tests_test_p4run_values.o" "$dir/values" && mv "$dir/tests_test_p4run_stf.o" "$dir/stf"
# Links and runs both tests; 0: they pass.
run() {
  for t in values stf; do
    cp "$dir/$t" "$dir/main.o"
    gcc -o "$dir/test" "$dir"/*.o -lcmocka -ljansson || return 2
    timeout 60 "$dir/test" > /dev/null 2>&1 || return 1
  done
}
n=0; run; say $? 'without a fault the tests pass'
# fault FILE SENTENCE FROM TO: FROM (a fixed text of one line) becomes TO.
fault() {
  n=$((n + 1))
  [ $n -ge "$first" ] && [ $n -le "$last" ] || return 0
  FROM=$3 TO=$4 perl -pe 'BEGIN { $f = $ENV{FROM}; $t = $ENV{TO} } if (!$done && (my $i = index($_, $f)) >= 0) { substr($_, $i, length $f) = $t; $done = 1 } END { exit !$done }' "sw/p4run/$1.c" > "$dir/$1.c"
  if [ $? -ne 0 ]; then say 1 "$2 (the text is not there)"; return; fi
  mv "$dir/p4run_$1.o" "$dir/kept"
  if gcc $flags -Isw/p4run -c "$dir/$1.c" -o "$dir/p4run_$1.o"; then run; [ $? -eq 1 ]; say $? "$2"; else say 1 "$2 (it does not compile)"; fi
  mv "$dir/kept" "$dir/p4run_$1.o"
}
fault table 'the shortest prefix wins' 'prefix_len(table, e) > prefix_len(table, best)' 'prefix_len(table, e) < prefix_len(table, best)'
fault table 'the smaller priority wins' 'e->priority > best->priority' 'e->priority < best->priority'
fault table 'largest_priority_wins is not heeded' 'table->decl->table->largest_priority_wins' '1'
fault table 'a miss is a hit' 'result.truth = e != NULL' 'result.truth = true'
fault table 'a miss is counted as if it were a hit' 'e->cell.packets++' 'e->cell.packets += 2'
fault table 'the member of a group is always the first' 'hash % group->num' '0'
fault call 'out and inout are not copied back' 'p4r_store(x, b.places[i], slots[p->slot])' '(void)b'
fault call 'inout begins with zero' '*slot = p4r_load(x, *place, type)' '*slot = p4v_zero(x->arena, type)'
fault call 'push_front by one less' 'stack->items[i - by]' 'stack->items[i]'
fault call 'pop_front moves nothing' 'stack->items[i + by]' 'stack->items[i]'
fault call 'a union keeps its other members' 'if (!valid || &place.in_union->items[i] != place.v)' 'if (0)'
fault exec 'a variable does not begin with 0' ': p4v_zero(x->arena, d->type)' ': p4v_bits(8, 9)'
fault arith 'saturation wraps' 'if (p4v_less(high, sum)) sum = high;' ';'
fault arith 'saturation has no lower bound' 'if (p4v_less(sum, low)) sum = low;' ';'
fault arith 'the sign is not extended' 'is_negative(v) ?' '0 ?'
fault arith 'a shift looks at three bits' 'words_of(&x)[i - whole] << part' 'words_of(&x)[i - whole] << (part & 7)'
fault arith 'a carry is lost' 'carry >>= 64;' 'carry = 0;'
fault value 'setInvalid leaves the fields' 'if (!valid) clear(header);' ';'
fault value 'two invalid headers differ' 'if (!x.truth) return true;' 'if (!x.truth) return false;'
fault value 'an invalid header is emitted' 'if (!v.truth) break;' ';'
fault eval 'a field of an invalid header is written' '(place.guard && !place.guard->truth)' '0'
fault eval 'the right side of && is always evaluated' 'left.truth ? p4r_eval(x, e->b) : left' '(left.truth &= p4r_eval(x, e->b).truth, left)'
fault eval 'next does not stop at the end of the stack' 'stack.v->next >= stack.v->num' '0'
fault eval 'a hash takes invalid headers' 'if (!in_invalid_header(x, data))' 'if (1)'
fault exec 'exit does nothing' 'return x->exiting = true, P4R_EXIT' 'return P4R_RETURN'
fault exec 'a label without a body is skipped' 'while (c && !c->body) c = c->next;' ';'
fault exec 'continue is break' 'flow != P4R_NEXT && flow != P4R_CONTINUE) return flow' 'flow != P4R_NEXT) return flow'
fault parse 'select looks for the last case' 'if (case_fits(x, c, keys, num)) return c->target;' 'if (case_fits(x, c, keys, num) && !c->next) return c->target;'
fault parse 'a range has no upper end' '!p4v_less(k, a) && !p4v_less(b, k)' '!p4v_less(k, a)'
fault parse 'extract does not look at the length' 'varbits > UINT32_MAX || bits_left(x) < fixed_bits(x, type) + varbits' 'varbits > UINT32_MAX'
fault parse 'lookahead moves on' 'p4v_read(x->arena, type, x->packet->bytes, &at)' '(x->cursor += 8, p4v_read(x->arena, type, x->packet->bytes, &at))'
fault parse 'next stays where it is' 'of.v->next++' '(void)0'
fault hash 'csum16 is not complemented' '~sum & 0xFFFF' 'sum & 0xFFFF'
fault hash 'the CRC is not reflected' 'if (crc->reflect_out)' 'if (0)'
fault extern 'a hash with max 0 is not its base' 'h % p4v_low(max) : 0' 'h % p4v_low(max) : 1'
fault extern 'a checksum is written whatever its condition' 'if (!arg(x, call, 0).truth) return false;' ';'
fault extern 'a register is read out of range as 0' 'if (i >= o->size) return;' 'if (i >= o->size) { p4r_store(x, place, p4v_zero(x->arena, type)); return; }'
fault extern 'mark_to_drop leaves the group' 'else if (is(t->fields[i].name, "mcast_grp"))' 'else if (0)'
fault extern 'a meter has one bucket' 'if (m->tokens[0] < need) return YELLOW;' ';'
fault extern 'truncate: the last call counts' 'if (len < x->truncate)' 'if (1)'
fault pipeline 'a clone keeps all metadata' 'if (a->clone_list) keep_listed' 'p4v_assign(&clone->meta, from->meta); if (0) keep_listed'
fault pipeline 'multicast after drop' 'if (group) {' 'if (group && spec != P4R_DROP_PORT) {'
fault pipeline 'drop in egress is not heeded' 'if (get(x, p, "egress_spec") == P4R_DROP_PORT) {' 'if (0) {'
fault pipeline 'a resubmitted packet says 0' 'asked.resubmit_index, RESUBMITTED' 'asked.resubmit_index, NORMAL'
fault pipeline 'the payload is lost' '(p->len - p->payload) * 8' '0'
fault pipeline 'the clone comes behind the packet' 'if (s->has_port) enqueue(r, clone, s->port, 0);' 'if (s->has_port) enqueue(r, clone, s->port, 1);'
echo "1..$n"
[ $failed -eq 0 ]
