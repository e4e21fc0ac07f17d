#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of --view holds what the trace tells: a reader in C (view_read.c) gets the same texts and cycles out of it, and a browser shows
# them. Without Chromium the browser's part is skipped.
# usage: view.sh [CHIP PACKETS]    also a run of flowlet.dom on CHIP: as many packets on a page
# Needs: tiny capsules build/helpers/view_read build/san/sluice
. "$(dirname "$0")/lib"
need_chip tiny
LIMIT=120
programs=sw/tests/chip/programs
need_helper view_read
read=$helper

# What of a story is on the page, one a line.
shape='{packet, in: (.in | del(.frame)), out: [(.out // [])[] | {port, first_cycle, cycle}], accesses: [(.back // [])[] | select(.cycle) | {stage, pipeline, cycle}]}
  + (if .module then {module: "\(.module) (VLAN \(.vlan))"} else {} end) + (if .order then {order: (.order | del(.ticket, .marked))} else {} end)
  + (if .exit then {exit: {cycle: .exit.cycle, full: (.exit.full | length)}} else {} end)
  + (if .dropped then {dropped, dropped_cycle} else {} end) + (if .lost then {lost} else {} end)'
same_text() { "$SLUICE" trace --read "$stories" > "$out/told" && "$read" "$page" > "$out/texts" && cmp "$out/told" "$out/texts"; }
same_cycles() { "$read" "$page" --json > "$out/cycles" && jq -c -S "$shape" "$stories" > "$out/cycles.want" && cmp "$out/cycles.want" "$out/cycles"; }

# play NAME OPTION...: a run with stories, and the same run with the page alone (of which the simulator's notes are shorter).
play() {
  stories=$out/$1.stories page=$out/$1.html
  run_chip "$@" --stories "$stories" --view "$out/both.html"
  run_chip "$@" --view "$page"
}
play mixed $programs/cross.dom --packets 700 --seed 3 --malformed 0.1 --stall 0.5 --size imix
it 'a page has the same texts as the trace' 'equivalent && same_text'
it 'and the same cycles, ports, reasons' same_cycles
it 'with the stories beside it the page is the same' '"$read" "$out/both.html" | cmp - "$out/texts"'
it 'it needs no network' '! grep -qE "https?:|(src|href)=|@import|url\(|fetch\(|XMLHttp" "$page"'
it 'it has the report and the timeline' 'sed -n "s,.*id=\"run\">\(.*\)</script>,\1,p" "$page" > "$out/run.json" && same "$(jq -r .report.verdict "$out/run.json")" EQUIVALENT &&
  is "$(jq ".timeline.cycle | length" "$out/run.json") > 10" && same "$(jq -r ".programs[0], .chip" "$out/run.json" | tr "\n" " ")" "cross tiny "'
mutant() { it "a page with $1 is noticed" "sed '$2' '$page' > '$out/mutant.html' && ! { '$read' '$out/mutant.html' | cmp -s - '$out/told'; }"; }
mutant 'another template' 's/in lane \\u0001/in line \\u0001/'
mutant 'a changed byte' '/id="packets"/,/<.script>/s/^\(.\{40\}\)AB*/\1Q/'
play held $programs/hot.dom --packets 2000 --size 64
it 'a hot entry: packets that wait and packets that are dropped' 'equivalent && same_text && same_cycles && grep -q "\"dropped\":\"OVERLOAD\"" "$out/cycles"'
need_chip capsules
play passes $programs/again.dom --packets 300 --size 64 --load 0.25 --passes 1=2
it 'packets that go through the chip again: each pass' 'equivalent && same_text && same_cycles && same "$(wc -l < "$out/cycles")" 450'
need_chip tiny
play one -m sw/programs/sampling.dom:5 -m sw/programs/sequencer.dom:6 --packets 60 --size 64
it 'two modules' 'equivalent && same_text && same_cycles && same "$(jq -r .module "$out/cycles" | sort -u | wc -l)" 2'
"$SLUICE" trace -c tiny $programs/cross.dom 7-9 20 -n 50 --view "$out/some.html" > "$out/some.out" 2>&1; code=$?
it 'some packets' 'same $code 0; "$read" "$out/some.html" --json > "$out/some" && same "$(jq .packet "$out/some" | tr "\n" " ")" "7 8 9 20 "'
"$SLUICE" trace --read "$stories" 5- --view "$out/read.html"
it 'stories of an earlier run' '"$read" "$out/read.html" > "$out/texts" && "$SLUICE" trace --read "$stories" 5- | cmp - "$out/texts"'
"$SLUICE" run -c tiny $programs/cross.dom -n 20 -q --view - > "$out/standard.html" 2> "$out/standard.err"
it 'a page on standard output' 'same "$("$read" "$out/standard.html" --json | wc -l)" 20 && has "$out/standard.err" EQUIVALENT'
"$SLUICE" run -c model:tiny $programs/cross.dom -n 20 --view "$out/model.html" > "$out/model.out" 2>&1; code=$?
it 'the model has no cycles to show' 'same $code 2; has "$out/model.out" "view needs a simulated chip"'
"$SLUICE" run -c tiny $programs/cross.dom -n 5 -q --view "$out/none/x.html" > "$out/none.out" 2>&1; code=$?
it 'a folder that is not there' 'same $code 3; has "$out/none.out" "cannot write .*x.html"'

[ -x build/san/sluice ] || { echo "Bail out! no build/san/sluice: make build/san/sluice"; exit 3; }
SLUICE_SIM=build/$chip/sim build/san/sluice run -c $chip $programs/cross.dom -n 400 --malformed 0.1 --stall 0.3 --view "$out/clean.html" --stories "$out/clean.stories" -q > "$out/clean.out" 2>&1; code=$?
it 'under sanitizers: no complaint' 'same $code 0 && ! grep -q Sanitizer "$out/clean.out"'

. sw/tests/chip/browser
if [ -z "$browser" ]; then
  note 'Chromium is not installed: what a browser shows is not tested'
  finish
fi
# The text of an element, without links in it.
text_of() { awk -v id="id=\"$1\"" '!on && (at = index($0, id)) { on = 1; $0 = substr($0, at + length(id)); sub(/^[^>]*>/, "") }
  on { end = index($0, "</pre>"); print end ? substr($0, 1, end - 1) : $0; if (end) exit }' "$out/dom" | sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'; }
for packet in 1 41 350; do
  browse "$out/mixed.html#packet=$packet"
  it "the browser tells packet $packet as the trace does" 'fine 700 && "$SLUICE" trace --read "$out/mixed.stories" '$packet' > "$out/want" && text_of story | grep . | cmp - "$out/want"'
done
browse "$out/passes.html#packet=41"
it 'and of a packet that goes through the chip again all passes' 'fine 450 && "$SLUICE" trace --read "$out/passes.stories" 41 > "$out/passes.want" && has "$out/passes.want" "^packet 41 again, round 1" && text_of story | grep . | cmp - "$out/passes.want"'
sed "s/  arrives  /  arrived  /" "$out/mixed.html" > "$out/mutant2.html"
browse "$out/mutant2.html#packet=350"
it "and a page with another word is noticed" "! { text_of story | grep . | cmp -s - '$out/want'; }"
note "ready after $(said ready) ms"
# A user: searches, zooms by wheel, goes to the next packet, stays on bars, asks for what was dropped, goes back to the whole run.
cat > "$out/user.js" <<'J'
<script>
(async () => {
const by = (id) => document.getElementById(id), ways = by('ways'), said = document.body.dataset;
const soon = () => new Promise((done) => setTimeout(done, 100));
const send = (event) => ways.dispatchEvent(event);
const head = () => by('story').textContent.split(':')[0];
const span = () => { const [a, b] = by('where').textContent.replace(/,/g, '').match(/\d+/g).map(Number); return b - a; };
by('number').value = 41;
by('search').requestSubmit();
await soon();
said.searched = head();
const before = span(), box = ways.getBoundingClientRect();
send(new WheelEvent('wheel', {deltaY: -100, clientX: box.left + 400, clientY: box.top + 40, cancelable: true}));
await soon();
said.zoomed = span() < before;
by('next').click();
said.next = head();
let hovered = '';
for (let y = 22; y < box.height && !hovered; y += 2)
  for (let x = 160; x < box.width && !hovered; x += 9) {
    send(new MouseEvent('mousemove', {clientX: box.left + x, clientY: box.top + y}));
    if (!by('tip').hidden && by('tip').textContent.startsWith('packet ')) hovered = by('tip').textContent.split(':')[0];
  }
said.hovered = hovered;
by('dropped').click();
said.fate = /dropped|no room/.test(by('story').textContent);
by('slowest').click();
said.slowest = head();
window.dispatchEvent(new KeyboardEvent('keydown', {key: '0'}));
await soon();
said.all = span();
by('number').value = 70000;
by('search').requestSubmit();
said.nobody = by('story').textContent;
})();
</script>
J
{ sed '/<\/body>/,$d' "$out/mixed.html"; cat "$out/user.js"; echo '</body></html>'; } > "$out/user.html"
browse "$out/user.html#"
it 'a packet is found by its number, and the one behind it' 'fine 700 && same "$(said searched)" "packet 41" && same "$(said next)" "packet 42"'
it 'the wheel zooms; 0 shows the whole run' 'same "$(said zoomed)" true && is "$(said all) > 2600"'
it 'a packet under the pointer tells its story' 'said hovered | grep -q "^packet [0-9]"'
it 'the next dropped one, the slowest one, and one that is not there' 'same "$(said fate)" true && said slowest | grep -q "^packet [0-9]" && same "$(said nobody)" "Packet 70000 is not on this page."'
browse "$out"/'mixed.html#cycles=100-400,check'
it 'it draws packets that arrive, access state, wait at outputs, leave' 'fine 700 && said pixels > "$out/pixels" && for kind in wire front access output send; do is "$(jq ".$kind // 0" "$out/pixels") > 40" || return 1; done'
browse "$out"/'held.html#cycles=700-800,check'
it 'packets that wait in order queues, and behind others' 'fine 2000 && is "$(said pixels | jq ".behind // .queue // 0") > 400" && has "$out/dom" "OVERLOAD"'
if [ $# -eq 2 ]; then
  need_chip "$1"
  page=$out/large.html
  run_chip large sw/programs/flowlet.dom --packets "$2" --flows 2000 --view "$page"
  it "a page of $2 packets" 'equivalent && same "$("$read" "$page" --json | wc -l)" '"$2"
  browse "$out/large.html#packet=$(($2 / 2)),check"
  it "and a browser has it ready in 3 seconds" "fine $2"
  it "packets and story are there" "is \"\$(said pixels | jq length) >= 2\" && has '$out/dom' 'packet $(($2 / 2)): .* bytes on port'"
  note "ready after $(said ready) ms, $(wc -c < "$page") bytes"
fi
browse "$out"/'read.html#packet=6'
it 'stories without a report' 'fine 56 && has "$out/dom" "Stories of an earlier run"'
finish
