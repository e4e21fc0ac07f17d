#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A reaction that changes a table of its program, on the simulated chip of shape `react`, without
# and with a bus between driver and chip. Each packet carries what the table and a malleable say,
# which always change together; the monitors compare everything with the reference. Then the flood
# of docs/reactions.md: its source is blocked by an entry, others are not, over several seeds.
# usage: reaction_tables.sh [SEEDS]
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
seeds=${1:-3}
cat > "$out/both.dom" <<'EOT'
struct Packet { int src @ ipv4.src; int out @ meta.port_out; int one @ bytes(46, 2); int two @ bytes(48, 2); };
malleable int two = 1 in 1..4000;
int total = 0;
void say(struct Packet p, int what : 16) { p.one = what; }
malleable table block { key: p.src: exact; actions: say; size: 64; default: say(1); }
reaction both(total) {
  static int seen;
  if (total - seen < 300) return;
  seen = total;
  set_two(two % 4000 + 1);
  if (two % 2) block_default_say(two);
  else { block_default_say(two); block_set_say(12345, two); }
}
void watch(struct Packet p) { total += 1; apply(block); p.two = two; p.out = 1; }
EOT
"$SLUICE" gen -o "$out/in.pcap" -n 14000 --size 64 --flows 40 --seed 7 > /dev/null || exit 3
words() { tail -c +25 "$1" | od -An -v -tu1 -w80 | awk '{ print $63 * 256 + $64, $65 * 256 + $66 }'; }
for bus in none pcie; do
  it "table and malleable change at one packet, bus $bus" '
    run_chip both_$bus "$out/both.dom" --bus $bus --pcap "0:$out/in.pcap" -o "$out/both_$bus.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
    words "$out/both_$bus.pcap" > "$out/words" && is "$(wc -l < "$out/words") >= 10000" && ! awk "\$1 != \$2" "$out/words" | grep -q . && is "$(uniq "$out/words" | wc -l) >= 2"'
  note "$(jq -r '.reactions[0] | "\(.changes) changes; cycles: cut \(.cycles.cut), read \(.cycles.read), write \(.cycles.write), flip \(.cycles.flip), from cut to flip \(.cycles.reach)"' "$report")"
done

# While packets count nothing is set, and the chip goes on as it was; when they have left it is.
sed 's/reaction both(total)/reaction both(total) unchanged(total)/' "$out/both.dom" > "$out/same.dom"
it 'what must be unchanged is, or nothing is set' '
  run_chip same "$out/same.dom" --pcap "0:$out/in.pcap" -o "$out/same.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
  jq -e ".reactions[0] | .refused >= 1 and .errors == 0 and .changes <= 1" "$report" > /dev/null && ! words "$out/same.pcap" | awk "\$1 != \$2" | grep -q .'
note "$(jq -r '.reactions[0] | "\(.refused) refused, \(.changes) set; the second cut takes \(.cycles.check) cycles"' "$report")"

# Packets come when a load or their time stamps say, as they do without reactions; all of them arrive.
cat > "$out/when.dom" <<'EOT'
struct Packet { int when @ meta.arrival; int out @ meta.port_out; int at @ bytes(46, 4); };
malleable int level = 1 in 1..4000;
int total = 0;
reaction count(total) { set_level(level % 4000 + 1); }
void watch(struct Packet p) { total += level > 0; p.at = p.when; p.out = 1; }
EOT
"$SLUICE" gen -o "$out/few.pcap" -n 400 --size 64 --flows 40 --seed 7 --rate 20 > /dev/null || exit 3
# Cycles from the first arrival to the last.
span() { tail -c +25 "$1" | od -An -v -tu1 -w80 | awk '{ at = (($63 * 256 + $64) * 256 + $65) * 256 + $66; if (NR == 1) first = at } END { print at - first }'; }
paced() { # paced NAME OPTION...
  label=$1; shift
  run_chip "$label" "$out/when.dom" --pcap "$out/few.pcap" -o "$out/$label.pcap" "$@" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] && same "$(value delivered)" 400
}
for how in '--load 0.2' '--pace-by time'; do
  it "with reactions packets come by $how" '
    paced with $how && with=$(span "$out/with.pcap") && is "$(jq ".reactions[0].changes" "$report") >= 1" && paced without $how --reactions off && without=$(span "$out/without.pcap") &&
    is "$with > 0.8 * $without && $with < 1.25 * $without"'
  note "$with cycles with reactions, $without without"
done

# What no packet accesses stays as it is, while packets count elsewhere at full load: a guarded flip, without a second cut. A
# malleable field is chosen by the parser, in front of the order point: there it is two steps.
cat > "$out/still.dom" <<'EOT'
struct Packet { int src @ ipv4.src; int dst @ ipv4.dst; int out @ meta.port_out; int many @ bytes(46, 2); };
malleable int limit = 1 in 1..4000;
malleable field key = p.src among { p.src, p.dst };
int total = 0; int level[4] = {0};
reaction move(total, level) unchanged(level) {
  static int seen;
  if (total + level[0] - seen < 300) return;
  seen = total;
  set_limit(limit % 4000 + 1);
}
void watch(struct Packet p) {
  total += 1;
  if (key == 1) level[p.dst & 3] += 1;
  p.many = total > limit;
  p.out = 1;
}
EOT
sed 's/set_limit(.*;/set_key(key == key_src ? key_dst : key_src);/' "$out/still.dom" > "$out/front.dom"
for bus in none pcie; do
  it "what nobody accesses does not hold up a guarded flip, bus $bus" '
    run_chip still_$bus "$out/still.dom" --bus $bus --pcap "0:$out/in.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
    jq -e ".reactions[0] | .changes >= 2 and .guarded == .changes and .refused == 0 and .errors == 0 and .cycles.check == 0" "$report" > /dev/null'
  note "$(jq -r '.reactions[0] | "\(.guarded) guarded flips; from cut to flip \(.cycles.reach) cycles"' "$report")"
  it "in front of the order point it is two steps, bus $bus" '
    run_chip front_$bus "$out/front.dom" --bus $bus --pcap "0:$out/in.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
    jq -e ".reactions[0] | .changes >= 1 and .guarded == 0 and .refused == 0 and .errors == 0 and .cycles.check > 0" "$report" > /dev/null'
  note "$(jq -r '.reactions[0] | "\(.changes) flips; the second cut \(.cycles.check) cycles, from cut to flip \(.cycles.reach)"' "$report")"
done

# What waits in the chip now, and a field of the last packet. Two lanes send to one port.
cat > "$out/depth.dom" <<'EOT'
struct Packet { int src @ ipv4.src; int out @ meta.port_out; };
int sent[4] = {0};
reaction depth(sent, CHIP.INSIDE, last(p.src)) {
  static int most;
  if (CHIP_INSIDE > most) fprintf(stderr, "inside %d\n", most = CHIP_INSIDE);
  if ((last_src & 0xff000000) != 0x0a000000 && sent[1]) fprintf(stderr, "odd source %x\n", (unsigned)last_src);
}
void to_one(struct Packet p) { sent[1] += 1; p.out = 1; }
EOT
most() { grep -o "inside [0-9]*\$" "$errors" | tail -n 1 | cut -d' ' -f2; }
it 'packets inside are counted, and the field is of a packet' '
  run_chip depth "$out/depth.dom" --pcap "0:$out/in.pcap" --pcap "1:$out/in.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
  ! grep -q odd "$errors" && is "$(most) >= 10 && $(most) <= 1000"'
note "most packets inside: $(most)"

# The source addresses of a pcap file of 64-byte packets: bytes 30 to 33 of each packet, behind the
# 16 bytes of its record.
sources() { tail -c +25 "$1" | od -An -v -tx1 -w80 | awk '{ print $47 $48 $49 $50 }' | sort -u; }
seed=1
while [ "$seed" -le "$seeds" ]; do
  "$SLUICE" gen -o "$out/ben.pcap" -n 6000 --size 200 --flows 250 --mix uniform --seed "$seed" > /dev/null &&
    "$SLUICE" gen -o "$out/att.pcap" -n 24000 --size 64 --flows 1 --seed $((seed + 1000)) > /dev/null || exit 3
  bad=$(sources "$out/att.pcap")
  it "seed $seed: the flood's source is blocked, and nobody else" '
    run_chip dos sw/programs/reactions/block.dom --bus pcie --pcap "0:$out/ben.pcap" --pcap "1:$out/att.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
    grep -q "$bad: .* blocked" "$errors" && ! grep "blocked" "$errors" | grep -v "$bad" | grep -q . && is "$(count drops.DISCARD_BACK) >= 1000"'
  note "$(jq -r '.reactions[0] | "from cut to flip \(.cycles.reach) cycles, flip in cycle \(.cycles.last_flip)"' "$report"), $(count drops.DISCARD_BACK) packets blocked"
  seed=$((seed + 1))
done
finish
