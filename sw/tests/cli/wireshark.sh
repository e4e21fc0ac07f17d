#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The dissector for Wireshark says of every message and entry what `sluice packets --decode` says, as TAP: on the packets that load
# all programs, and on random ones. usage: wireshark.sh [SEED], in the top folder of the tree.
set -u
seed=${1:-1}
if ! command -v tshark >/dev/null 2>&1; then echo "ok 1 - dissector for Wireshark # SKIP no tshark here"; echo "1..1"; exit 0; fi
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); [ -z "${3:-}" ] || sed 's/^/# /' "$3"; fi; }

# One line a message: its number, its summary, and its entries, each as index and text.
decoded() {
  build/sluice packets --decode "$1" | LC_ALL=C awk '
    function flush() { if (line != "") print line; line = "" }
    /^[0-9]+: / { flush(); text = $0; sub(/, [0-9]+ bytes$/, "", text); sub(/: /, "@", text); line = text; next }
    /^    \[/ { index_of = substr($1, 2, length($1) - 2); next }
    /^        / { line = line "@" index_of " " substr($0, 9) }
    END { flush() }'
}
dissected() {  # LUA CAPTURE
  tshark -X "lua_script:$1" -r "$2" -Y sluice -T fields -E separator=@ -E 'aggregator=`' \
    -e frame.number -e sluice.summary -e sluice.entry.index -e sluice.entry 2>"$dir/tshark.err" | LC_ALL=C awk -F@ '{
    line = $1 "@" $2; count = split($3, at, "`"); split($4, texts, "`")
    for (i = 1; i <= count; i++) line = line "@" at[i] " " texts[i]
    print line }'
}
compare() {  # NAME CAPTURE LEAST
  decoded "$2" >"$dir/want"; dissected build/sluice.lua "$2" >"$dir/got"
  diff "$dir/want" "$dir/got" >"$dir/diff"; code=$?
  [ "$(wc -l <"$dir/want")" -ge "$3" ] || { code=1; echo "only $(wc -l <"$dir/want") messages" >"$dir/diff"; }
  head -n 20 "$dir/diff" >"$dir/first"
  say $code "$1: $(wc -l <"$dir/want") messages are dissected as they are decoded" "$dir/first"
}

# ---- programs: for k4, a capture each ----
total=0
for program in sw/programs/*.dom sw/programs/menshen/*.dom; do
  build/sluice packets -m "$program:5" -c k4 -o "$dir/one.pcap" 2>"$dir/why" || { say 1 "$program has packets" "$dir/why"; continue; }
  decoded "$dir/one.pcap" >>"$dir/all.want"; dissected build/sluice.lua "$dir/one.pcap" >>"$dir/all.got"; total=$((total + 1))
done
diff "$dir/all.want" "$dir/all.got" >"$dir/diff"; code=$?; head -n 20 "$dir/diff" >"$dir/first"
[ "$total" -ge 20 ] || code=1
say $code "$total programs: $(wc -l <"$dir/all.want") messages are dissected as they are decoded" "$dir/first"

# ---- random messages: every table and operation, entries of any bits, the last one cut now and then ----
echo "# random messages: seed $seed"
LC_ALL=C perl -e '
  my ($seed, $count, $out) = @ARGV; srand($seed);
  open(my $file, ">:raw", $out) or die;
  print $file pack("VvvVVVV", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1);
  for my $n (1 .. $count) {
    my $few = rand() < 0.3;                       # entries that are nearly empty read differently
    my $entries = join "", map { chr(rand() < ($few ? 0.9 : 0.1) ? 0 : int(rand(256))) } 1 .. int(rand(300));
    my $op = rand() < 0.8 ? 0 : int(rand(6));
    my $message = pack("C8CCCCCCnN", int(rand(256)), int(rand(16)), int(rand(256)), 0, 0, 0, 0, $op, int(rand(4)), int(rand(2)),
                       int(rand(32)), int(rand(130)), 0, 0, int(rand(2)) * int(rand(65536)), 0);
    $message = substr($message, 0, 12) . pack("n", int(rand(2)) * int(rand(65536))) . pack("N", 0) . $entries;
    my $frame = pack("H*", "02000000000a02000000000b8100000f0800") .
                pack("CCnnnCCnNN", 0x45, 0, 28 + length($message), $n & 0xffff, 0, 64, 17, 0, 0xc0000201, 0xc6336402) .
                pack("nnnn", 0x1234, 0xf1f2, 8 + length($message), 0) . $message;
    print $file pack("VVVV", $n, 0, length($frame), length($frame)), $frame;
  }' "$seed" 3000 "$dir/random.pcap"
compare "random messages" "$dir/random.pcap" 3000

# ---- programs in packets: random ones, and what a controller and its clients say ----
capsules_shown() {
  build/sluice active show "$1" | LC_ALL=C awk '
    function flush() { if (line != "") print line; line = "" }
    /^[0-9]+: / { flush(); sub(/, [0-9]+ bytes, IPv4 from byte [0-9]+/, ""); sub(/, VLAN [0-9]+/, ""); sub(/: /, "@"); line = $0; next }
    /^ +[0-9]+ [0-9a-f][0-9a-f] [0-9a-f][0-9a-f]  / { sub(/^ +[0-9]+ /, ""); sub(/,.*/, ""); line = line "@" $0; next }
    /^    stage [0-9]+: words / { sub(/^ +/, ""); sub(/, in all pipelines/, ""); line = line "@" $0 }
    END { flush() }'
}
capsules_dissected() {  # LUA CAPTURE
  tshark -X "lua_script:$1" -r "$2" -Y sluice_capsule -T fields -E separator=@ -E 'aggregator=`' \
    -e frame.number -e sluice_capsule.summary -e sluice_capsule.instruction -e sluice_capsule.range 2>"$dir/tshark.err" | tr '`' '@' | sed 's/@@*/@/g; s/@$//'
}
compare_capsules() {  # NAME CAPTURE LEAST
  capsules_shown "$2" >"$dir/want"; capsules_dissected build/sluice.lua "$2" >"$dir/got"
  diff "$dir/want" "$dir/got" >"$dir/diff"; code=$?
  [ "$(wc -l <"$dir/want")" -ge "$3" ] || code=1
  head -n 10 "$dir/diff" >"$dir/first"
  say $code "$1: $(wc -l <"$dir/want") capsules are dissected as they are shown" "$dir/first"
}
build/sluice active gen -o "$dir/capsules.pcap" --packets 300 --seed "$seed" >"$dir/why" 2>&1
compare_capsules "random programs" "$dir/capsules.pcap" 300
sed 's/== "EOF" then/== "NOP" then/' build/sluice.lua >"$dir/broken.lua"
capsules_dissected "$dir/broken.lua" "$dir/capsules.pcap" >"$dir/got"
! cmp -s "$dir/want" "$dir/got" && ! cmp -s build/sluice.lua "$dir/broken.lua"; say $? 'a capsule that ends at another instruction is noticed'
cat >"$dir/program.dom" <<'END'
struct Packet { int in @ meta.port_in; int out @ meta.port_out; int flags @ bytes(22, 2); };
void f(struct Packet p) { if (p.in == 3) p.out = 1; else p.out = 3; }
END
LC_ALL=C perl -e '
  sub frame { my $f = "0200000000ee0200000000018100000583b212345678" . join("", @_); $f .= "00" while length $f < 136;
    return pack("VVVV", 0, 0, length($f) / 2, length($f) / 2) . pack("H*", $f) }
  my $ask = "0005ff00020000000000000101000000000000";
  print pack("VvvVVVV", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1), frame("0020", "0007", "ffff"), frame("0010", "0007", "ffff", $ask), frame("0020", "0007", "ffff"),
    frame("0010", "0200", "ffff", $ask), frame("0020", "0200", "ffff"), frame("8000", "0007", "0001", "0000000d" x 4, "0029", "0002", "0000")' >"$dir/in.pcap"
compare_capsules "what clients send" "$dir/in.pcap" 6
build/sluice serve --chip model:capsules -m "$dir/program.dom:5" --controller 3:5:16 --once -q --port "0=pcap:$dir/in.pcap,trunk" --port "1=pcap:,out=$dir/out.pcap,trunk" >"$dir/why" 2>&1
compare_capsules "what a controller answers" "$dir/out.pcap" 5

# ---- a dissector with a mistake is noticed ----
decoded "$dir/random.pcap" >"$dir/want"
for mistake in 's/bits < 4 and "d"/bits < 3 and "d"/' 's/kind = 1 + math.floor/kind = 0 + math.floor/' 's/math.ceil(bytes \/ 64) \* 64/bytes/' 's/"A ^ B"/"A | B"/' 's/keep and a == "0"/keep or a == "0"/'; do
  sed "$mistake" build/sluice.lua >"$dir/broken.lua"
  cmp -s build/sluice.lua "$dir/broken.lua" && { say 1 "the mistake $mistake can be made"; continue; }
  dissected "$dir/broken.lua" "$dir/random.pcap" >"$dir/got"
  ! cmp -s "$dir/want" "$dir/got"; say $? "the mistake $mistake is noticed"
done
echo "1..$n"
[ "$failed" -eq 0 ]
