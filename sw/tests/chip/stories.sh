#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The stories of all packets of random runs agree with the output capture, the report and the chip's final state (stories.jq);
# a story with a wrong value, a cycle shifted or a packet left out is noticed. Then what sluice trace prints and selects.
# usage: stories.sh [RUNS]    (5)
# Needs: capsules tiny
. "$(dirname "$0")/lib"
need_chip capsules; need_chip tiny
programs=sw/tests/chip/programs
runs=${1:-5}

# complaints STORIES: what stories.jq says of them, or of what the filter $2 makes of them.
complaints() {
  jq -s "${2:-.}" "$1" | jq -r --argjson report "$(jq -c . "$report")" --slurpfile frames "$out/sent.json" \
    "$(cat sw/tests/chip/stories.jq) way(\$report; \$frames[0]), named(\$report)"
}
agree() { complaints "$stories" > "$out/complaints" && [ ! -s "$out/complaints" ] && return 0; head -n 3 "$out/complaints" | sed 's/^/# /'; return 1; }
caught() { complaints "$stories" "$1" > "$out/mutant" && [ -s "$out/mutant" ] && has "$out/mutant" "$2"; }

play() {
  stories=$out/$1.stories
  run_chip "$@" --state --stories "$stories" --output "$out/$1.pcap"
  sh sw/tests/chip/sent "$out/$1.pcap" > "$out/sent.json"
}

seed=0
while [ $seed -lt "$runs" ]; do
  seed=$((seed + 1))
  set -- cross count hot scatter bounds sums turn stamp; shift $(((seed - 1) % 8)); program=$1
  set -- 1 0.6 0.9; shift $((seed % 3)); load=$1
  play run$seed $programs/$program.dom --packets 400 --seed $seed --load "$load" --stall 0.$((seed % 4)) --malformed 0.0$((seed % 10)) --size imix
  it "run $seed ($program): the stories of 400 packets agree with capture, report and final state" 'equivalent && agree'
done

play mutants $programs/cross.dom --packets 300 --malformed 0.1 --stall 0.2 --size 64
it 'mutants: the run itself is good' 'equivalent && agree'
# mutant NAME FILTER COMPLAINT
mutant() { it "a story with $1 is noticed" "caught '$2' '$3'"; }
mutant 'a wrong value of state' '(first(.[] | select(.back[1].state)) | .back[1].state[0].after) += 1' 'second'
mutant 'a value of state that was never there' '(first(.[] | select(.packet > 50 and .back[1].state)) | .back[1].state[0].before) += 1' 'was left as'
mutant 'a wrong byte' '(first(.[] | select(.out[0])) | .out[0].frame) |= "ff" + .[2:]' 'not those of the capture'
mutant 'a wrong header' '(first(.[] | select(.out[0])) | .result.header) |= "ff" + .[2:]' 'another header'
mutant 'an exit a hundred cycles early' '(first(.[] | select(.out[0])) | .exit.cycle) -= 100' 'cycles go back'
mutant 'a departure a cycle late' '(first(.[] | select(.out[0])) | .out[0].first_cycle) += 1' 'do not belong together'
mutant 'an arrival a cycle early' '(first(.[] | select(.out[0])) | .in.cycle) -= 1' 'do not belong together'
mutant 'another reason' '(first(.[] | select(.dropped)) | .dropped) = "BITMAP"' 'drops are'
mutant 'another ticket' '(.[20:40] | map(select(.order.ticket))[0].packet) as $p | (.[] | select(.packet == $p) | .order.ticket) += 1000' 'order of arrival'
mutant 'another port' '(first(.[] | select(.out[0])) | .exit.ports) = [9]' 'not a copy'
it 'a packet without a story is noticed' "caught '.[1:]' 'not one story'"

tell() { timeout -k 10 100 "$SLUICE" trace -c tiny "$@" > "$out/told" 2> "$out/told.err"; code=$?; }
numbers() { grep -o '^packet [0-9]*' "$out/told" | cut -d' ' -f2 | tr '\n' ' '; }
tell $programs/cross.dom 3 7-9 -n 20
it 'numbers and ranges, from 1' 'same $code 0 && same "$(numbers)" "3 7 8 9 "'
it 'a story tells filter, parser, stages, order, state by name and index, and ports' 'for what in "filter  *passes" "parser  *port_in = " "front stage 0" "order point  *cycle [0-9]*, [0-9]* after it arrived: ticket" \
  "state second\[[0-7]\]: -*[0-9]* -> " "line 25: p.number = second.p.path." "leaves  *port [0-3], cycle"; do has "$out/told" "$what" || return 1; done'
tell $programs/cross.dom 'udp and less 80' -n 20 --size imix
short=$(numbers)
tell $programs/cross.dom 'udp and not less 80' -n 20 --size imix
it 'a filter and its opposite share the packets, whatever tag they have' 'same "$(echo $short $(numbers) | tr " " "\n" | sort -n | tr "\n" " ")" "$(seq 20 | tr "\n" " ")" && [ -n "$short" ]'
tell $programs/cross.dom 21 -n 20
it 'a packet that does not come' 'same $code 1 && has "$out/told.err" "none of these packets came in"'
for wrong in 0 5-3 'udp dst prt 5' 1-2-3; do
  tell $programs/cross.dom "$wrong" -n 20
  it "'$wrong' is refused" 'same $code 2 && has "$out/told.err" "^sluice: .$wrong. is no "'
done
tell --read "$stories" 17 --json
it 'stories of an earlier run' 'same $code 0 && same "$(jq -c . "$out/told")" "$(jq -c "select(.packet == 17)" "$stories")"'
tell --read "$stories" "$(jq 'select(.dropped == "NO_VLAN") | .packet' "$stories" | head -n 1)"
it 'a packet that the filter drops has its reason, and the cycle' 'same $code 0 && has "$out/told" "filter  *NO_VLAN" && has "$out/told" "dropped  *cycle [0-9]*: NO_VLAN"'
"$SLUICE" run -c tiny $programs/hot.dom -n 400 --size 64 --stories "$out/hot" -q > "$out/hot.out"
it 'a hot entry: packets are held at the order point, and it says by what' 'is "$(jq -c "select(.order.held | length > 0)" "$out/hot" | wc -l) > 0"'


# Packets that go through the chip again.
chip=capsules
play again $programs/again.dom --packets 300 --size 64 --load 0.25 --passes 1=2
it 'further passes: a story each, which agree' 'equivalent && agree && is "$(value recirculated) == 150 && $(value delivered) == 300" && same "$(jq -s "[.[] | select(.round == 1)] | length" "$stories")" 150'
it 'the headline counts packets, and passes beside them' 'run_again=$("$SLUICE" run -c $chip $programs/again.dom -n 300 --size 64 --load 0.25 --passes 1=2 | grep "^packets"); same "$run_again" "packets          300 in, 150 passes more, 300 left the ports, 0 lost"'
cat > "$out/thrice.dom" <<'P'
struct Packet { int port_in @ meta.port_in; int port_out @ meta.port_out; };
void thrice(struct Packet p) { p.port_out = (p.port_in >> 8) < 2 ? 4 : p.port_in & 255; }
P
play thrice "$out/thrice.dom" --packets 100 --size 64 --load 0.1 --passes 1=2
it 'a program sees in which pass it is, and the port of the first one' 'equivalent && agree && is "$(value recirculated) == 200 && $(value delivered) == 100" &&
  same "$(jq -c "select(.out[0]) | [.round, .in.port == .out[0].port]" "$stories" | sort -u)" "[2,true]"'
tell_again() { timeout -k 10 100 "$SLUICE" trace -c $chip $programs/again.dom -n 6 --size 64 "$@" > "$out/told" 2> "$out/told.err"; code=$?; }
tell_again --passes 1=2 1
it 'both passes are told, as one story' 'same $code 0 && same "$(grep -c "^packet" "$out/told")" 2 && has "$out/told" "^packet 1 again, round 1: 64 bytes on port 0, VLAN 1, module again" && has "$out/told" "  comes again  *cycle" && ! grep -q "^$" "$out/told"'
tell_again --passes 1=2:1:0 1
it 'a packet without a token says so' 'same $code 0 && has "$out/told" "does not go through the chip again: BUDGET" && has "$out/told" "dropped  *cycle [0-9]*: BUDGET"'
tell_again 1
it 'and a packet without passes' 'same $code 0 && has "$out/told" "dropped  *cycle [0-9]*: ROUNDS"'
"$SLUICE" run -c model:tiny $programs/count.dom -n 5 --passes 1=2 > "$out/none.out" 2>&1; code=$?
it 'a chip without recirculation refuses passes' 'same $code 3 && has "$out/none.out" "recirculation"'
for wrong in 1 1=256 1=2:65536 1=2:1:256 1=2: 2=1 1=2:1:1:1; do
  "$SLUICE" run -c $chip $programs/again.dom -n 5 --passes $wrong > "$out/wrong.out" 2>&1; code=$?
  it "--passes $wrong is refused" 'same $code 2 && has "$out/wrong.out" "passes"'
done
finish
