#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of sluice active, as TAP. usage: active.sh [SLUICE], from anywhere.
here=$(cd "$(dirname "$0")" && pwd)
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
P=$(realpath "$here/../../programs/active")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
TMPDIR=$dir/tmp; mkdir "$TMPDIR"; export TMPDIR
n=0 failed=0
code() {
  want=$1; shift
  "$@" > out 2> err < "${in:-/dev/null}"
  got=$?
  [ $got -eq "$want" ] && return 0
  echo "# exit code $got, wanted $want: $*"; sed 's/^/# /' err; return 1
}
has() { grep -q -- "$2" "$1" && return 0; echo "# '$2' is not in $1:"; sed 's/^/# /' "$1"; return 1; }
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
active() { want=$1; shift; code "$want" "$SLUICE" active "$@"; }
# says QUERY: the JSON in out has it.
says() { jq -e "$1" < out > jqout 2>&1 && return 0; echo "# not so: $1"; sed 's/^/# /' out; return 1; }

for file in "$P"/*.ap4; do
  name=$(basename "$file" .ap4); form=
  case $name in *_explicit) form=--explicit ;; esac
  it "$name comes back from its bytes" 'active 0 asm "$file" $form -o p.apo && [ ! -s err ] && active 0 show p.apo && mv out p.ap4 &&
      active 0 asm p.ap4 $form -o q.apo && cmp p.apo q.apo'
done
it 'the listing has positions, stages, bytes' 'active 0 asm "$P/cache_read.ap4" && has out "^  7    0     7 00 0b  RTS$" && has out "^accesses at 1, 4, 8; ingress limit 7$"'
it 'the published shape' 'active 0 asm "$P/heavy_hitter.ap4" --published && has out "^ 25    1    15 00 28  MEM_WRITE$"'
it 'loads are taken out, the accesses are the published ones' 'active 0 asm "$P/heavy_hitter.ap4" --published --preload --memidx m.csv &&
    printf "5,10,13,18,23,25\n-1\n" | cmp - m.csv && has out "^send it with PRELOAD$"'
it 'accesses move' 'active 0 asm "$P/cache_read.ap4" --to 2,5,9 --json && says ".accesses == [2, 5, 9] and (.instructions | length) == 12"'
it 'a place that cannot be reached is refused' 'active 1 asm "$P/cache_read.ap4" --to 2,5 && has err "the program has 3 memory accesses, there are places for 2"'
it 'a HASH that moved is told' 'active 0 asm "$P/cheetah_syn.ap4" --to 5,7,16,18 && has err "1 HASH moved"'
it 'a register that no longer begins with 0 is told' 'printf "MAR_LOAD\nMBR_STORE\n" > h.ap4 && active 0 asm h.ap4 --preload && has err "MBR is read before it is written"'
printf 'NOP\nMEM_RAED\nUJUMP,@X\n' > bad.ap4
it 'mistakes are told with line and column' 'active 1 asm bad.ap4 && has err "^bad.ap4:2:1: error: .*is it MEM_READ?" && has err "^bad.ap4:3:7: error: "'
printf 'UJUMP,@B\nNOP,:A\nNOP,:B\nRETURN\n' > two.ap4
it 'published labels that end early are warned of' 'active 0 asm two.ap4 && has err "^two.ap4:1:7: warning: this jump ends in line 2" && active 0 asm two.ap4 --explicit && [ ! -s err ]'
it 'bytes go to standard output, and come from standard input' 'active 0 asm "$P/ping.ap4" -o - && mv out ping.apo && in=ping.apo && active 0 show - && has out "^RTS$"; r=$?; in=; [ $r -eq 0 ]'

cat > mem.json <<'JSON'
{"regions": [{"fid": 1, "stage": 2, "first": 0, "last": 20},
             {"fid": 1, "stage": 5, "first": 100, "last": 120, "virtual": true},
             {"fid": 1, "stage": 9, "first": 0, "last": 20, "sharded": true}],
 "tenants": [{"fid": 1, "report": true}],
 "memory": [{"stage": 2, "word": 3, "value": 1}]}
JSON
it 'a cache is written' 'active 0 run "$P/cache_write.ap4" --to 2,5,9 --memory mem.json --memory-out after.json --args 13,0xaaaa,0xbbbb,77 --json &&
    says ".leaving[0].end == \"RETURN\" and .accesses == 3 and .faults == 0" &&
    jq -e ".memory == [{stage: 2, word: 3, value: 1}, {stage: 2, word: 13, value: 43690}, {stage: 5, word: 113, value: 48059}, {stage: 9, word: 13, value: 77}]
           and (.regions | length) == 3 and .tenants == [{fid: 1, drop: false, report: true}]" < after.json > jqout'
it 'and read: a hit' 'active 0 run "$P/cache_read.ap4" --to 2,5,9 --memory after.json --port 3 --args 13,0xaaaa,0xbbbb --json --trace &&
    says ".leaving[0].port == 3 and .leaving[0].swapped and .leaving[0].args[3] == 77 and .trace[2].access.word == 13"'
it 'a miss goes on' 'active 0 run "$P/cache_read.ap4" --to 2,5,9 --memory after.json --args 13,1,2 --json && says ".leaving[0].port == null and .executed == 5"'
it 'the trace tells registers and memory' 'active 0 run "$P/cache_read.ap4" --to 2,5,9 --memory after.json --args 13,0xaaaa,0xbbbb --trace && has out "^  2    0     2  MEM_READ               0000000d 0000aaaa 00000000  \[13\] 0000aaaa$"'
it 'out of bounds: a fault that is reported, or a drop' 'active 0 run "$P/memory_write.ap4" --to 2 --memory mem.json --args 21,1 --trace && has out "out of bounds" && has out "leaves, DONE, FAULT" &&
    sed "s/\"report\"/\"drop\"/" mem.json > drop.json && active 0 run "$P/memory_write.ap4" --to 2 --memory drop.json --args 21,1 && has out "^FAULT: dropped"'
it 'an address that is computed does not reach a sharded region' 'printf "HASH\nBIT_AND_MAR_MBR\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nMEM_READ\n" > s.ap4 && active 0 run s.ap4 --memory mem.json --json && says ".faults == 1" &&
    active 0 run "$P/memory_write.ap4" --to 9 --memory mem.json --args 3,1 --json && says ".faults == 0"'
it 'the hash of a connection' 'active 0 run "$P/cheetah_flow.ap4" --tuple 10.0.0.1:1234,10.0.0.2:80 --args 0,5 --json && mv out a && active 0 run "$P/cheetah_flow_explicit.ap4" --explicit --tuple 10.0.0.1:1234,10.0.0.2:80 --args 0,5 --json && cmp a out && says ".leaving[0].port < 512"'
it 'the budget ends a program' 'for i in 1 2 3 4 5; do echo NOP; done > five.ap4 && active 0 run five.ap4 --stages 4 --budget 1 --json && says ".leaving[0].end == \"BUDGET\" and (.leaving[0].done | not) and .leaving[0].consumed == 4" &&
    active 0 run five.ap4 --stages 4 --budget 2 --json && says ".leaving[0].end == \"EOF\" and .passes == 2"'
it 'the memory file is checked' '
    for bad in "{\"regions\": [{\"fid\": 1}]}" "{\"regions\": [{\"fid\": 1, \"stage\": 20, \"first\": 0, \"last\": 1}]}" "{\"x\": 1}" "{\"tenants\": [{\"fid\": 1, \"x\": 1}]}" "[]" "{" \
               "{\"regions\": [{\"fid\": 1, \"stage\": 2, \"first\": 2, \"last\": 1}]}" "{\"memory\": [{\"stage\": 1, \"word\": 0, \"value\": -1}]}" "{\"memory\": [7]}"; do
      printf "%s" "$bad" > bad.json; active 3 run "$P/nop.ap4" --memory bad.json && has err "bad.json" || return 1
    done'

it 'a packet with a program' 'active 0 asm "$P/cache_write.ap4" --to 2,5,9 --args 13,0xaaaa,0xbbbb,77 --tuple 10.0.0.1:1000,10.0.0.2:80 -o w.pcap &&
    active 0 show w.pcap && has out "^1: program, FID 1, seq 0, 114 bytes, IPv4 from byte 68, VLAN 1, ARGS$" && has out "^    arguments 0000000d 0000aaaa 0000bbbb 0000004d$"'
it 'the capsules of a capture are run' 'active 0 run w.pcap --memory mem.json -o o.pcapng --memory-out c.json --json && says ".capsules == 1 and .done == 1 and .left == 1" &&
    jq -S .memory after.json > x && jq -S .memory c.json > y && cmp x y && active 0 show o.pcapng --json && says ".capsules[0].kind == \"done\" and .capsules[0].bytes == 90 and .capsules[0].flags == [\"ARGS\", \"DONE\"]"'
it 'a capture comes from standard input and goes to standard output' '"$SLUICE" active run - --memory mem.json -o - < w.pcap 2> err | "$SLUICE" active show - > out && has out "^1: done"; [ -z "$(ls -A "$TMPDIR")" ]'
it 'without a tag' 'active 0 asm "$P/ping.ap4" --vid 0 -o p.pcap && active 0 show p.pcap --json && says ".capsules[0].vid == null and .capsules[0].inner == 46"'
it 'a capsule in hexadecimal' 'echo 020000000002020000000001 83b2 12345678 8001 0001 002a 00000001 00000002 00000003 00000004 0029 0000 > c.hex && active 0 show c.hex && has out "ARGS, PRELOAD" && has out "0 00 29  MEM_READ"'
it 'a damaged capsule is told' 'echo 020000000002020000000001 83b2 12345678 8001 0001 > c.hex && active 1 show c.hex && has err "cut short" && echo 00 > c.hex && active 1 show c.hex && has err "no capsule"'
"$SLUICE" gen -o other.pcap --packets 5 > out 2> err
it 'other packets pass' 'active 0 show other.pcap && has out "^5 other packets$" && active 0 run other.pcap -o same.pcap && has out "packets 5, left 5" && cmp other.pcap same.pcap'

it 'random capsules: the same from the same seed, and they run' 'active 0 gen -o r.pcap -n 500 --seed 3 && active 0 gen -o s.pcap -n 500 --seed 3 && cmp r.pcap s.pcap && active 0 gen -o t.pcap -n 500 --seed 4 && ! cmp -s r.pcap t.pcap &&
    active 0 run r.pcap -o x.pcap --fid 2 --json && says ".capsules == 500 and .done > 250 and .dropped > 5 and .faults > 50 and .left > 440" && active 0 show x.pcap && ! grep -q cut err'
it 'words that are no action' 'active 2 frobnicate x && has err "none of asm, show, run, gen" && active 2 asm && active 2 && active 2 gen'
it 'numbers that are none' 'active 2 run "$P/nop.ap4" --args 1,2,3,4,5 && active 2 run "$P/nop.ap4" --args 1,x && active 2 run "$P/nop.ap4" --args 4294967296 && active 2 asm "$P/cache_read.ap4" --to 20 &&
    active 2 run "$P/nop.ap4" --tuple 10.0.0.1 && has err "two addresses with ports"'
it 'files that are not there' 'active 3 asm nowhere.ap4 && active 3 show nowhere && active 3 run nowhere && active 3 asm "$P/nop.ap4" -o nowhere/x.apo && active 3 asm "$P/nop.ap4" -o nowhere/x.pcap'
it 'options that do not go together' 'active 2 asm "$P/nop.ap4" -o - --json && active 2 run "$P/nop.ap4" -o x && has err "packets of a capture"'
it 'bytes without EOF' 'printf "\0\1\0" > cut.apo && active 1 show cut.apo && has err "1 instructions and no EOF"'
echo "1..$n"
[ $failed -eq 0 ]
