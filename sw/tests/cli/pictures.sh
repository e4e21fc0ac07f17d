#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pictures of the pages are what their sources give; each is in a page; a wrong source is refused. As TAP. From the root of the tree.
set -u
LC_ALL=C; export LC_ALL
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
draw="awk -f docs/pictures/draw.awk"
waves="awk -f docs/pictures/waves.awk"

for pic in docs/pictures/*.pic; do
  $draw "$pic" > "$dir/drawn.svg" 2> "$dir/err" && cmp -s "$dir/drawn.svg" "${pic%.pic}.svg"
  say $? "${pic%.pic}.svg is what its source gives (else: make pictures)"; sed 's/^/# /' "$dir/err"
done
for svg in docs/pictures/*.svg; do
  [ -e "${svg%.svg}.pic" ] || [ -e "${svg%.svg}.wave" ] || [ -e "${svg%.svg}.tsv" ] || echo "# $svg has no source"
  grep -q "pictures/${svg##*/})" README.md docs/*.md docs/blocks/*.md || echo "# $svg is in no page"
  grep -q '<title>..*</title>' "$svg" || echo "# $svg says nothing to who cannot see it"
done > "$dir/complaints"
[ ! -s "$dir/complaints" ]; say $? 'every picture has a source, a page and a title'; cat "$dir/complaints"

# refused SENTENCE COMPLAINT SOURCE
refused() {
  printf 'title "t"\nsize 200 100\nbox a 10 10 80 40 logic "a"\n%b\n' "$3" > "$dir/bad.pic"
  ! $draw "$dir/bad.pic" > "$dir/out" 2> "$dir/err" && grep -q -e "bad.pic:4: $2" "$dir/err" && [ ! -s "$dir/out" ]; say $? "$1"; }
refused 'a text that is too long for its box' "'a long text' does not fit box b" 'box b 100 10 40 40 logic "a long text"'
refused 'too many lines for a box' 'the lines of box b do not fit' 'box b 100 10 60 30 logic "a|b"'
refused 'a box outside the picture' 'box b is outside' 'box b 150 10 60 30 logic "b"'
refused 'two boxes of a name' 'two boxes a' 'box a 100 10 60 30 logic "b"'
refused 'an arrow to no box' 'no point c.w' 'arrow a.e c.w'
refused 'no kind' 'no kind of box round' 'box b 100 10 60 30 round "b"'
refused 'another word' 'not understood' 'circle b 100 10'

# Waves: a register r that follows d by an edge; d changes with the edge, so its old value is what r takes in.
cat > "$dir/run.vcd" <<'VCD'
$scope module t $end
$var wire 1 ! clk $end
$var wire 1 " valid $end
$var wire 4 # d [3:0] $end
$upscope $end
$enddefinitions $end
#0
0!
0"
b0000 #
#1
1!
#2
0!
#3
1!
1"
b1010 #
#4
0!
#5
1!
0"
b0111 #
#6
0!
#7
1!
#8
VCD
printf 'title "t"\nclock t.clk\nbegin t.valid 1 1\ncolumns 2\nshow valid t.valid bit[0]\nshow d t.d hex while t.valid[0]\nshow ones t.d ones\n' > "$dir/a.wave"
$waves "$dir/a.wave" "$dir/run.vcd" > "$dir/a.svg" 2> "$dir/err" && [ "$(grep -c 'class="in"' "$dir/a.svg")" -eq 3 ] &&
  grep -q '>0xa</text>' "$dir/a.svg" && grep -q '>0</text>' "$dir/a.svg" && grep -q '>2</text>' "$dir/a.svg" && [ "$(grep -c 'class="any"' "$dir/a.svg")" -eq 1 ]
say $? 'waves show what is there before the edge, and nothing that does not matter'; sed 's/^/# /' "$dir/err"
sed 's/t\.d ones/t.e ones/' "$dir/a.wave" > "$dir/b.wave"
! $waves "$dir/b.wave" "$dir/run.vcd" > /dev/null 2> "$dir/err" && grep -q 'no signal t.e' "$dir/err"; say $? 'a signal that is not there'
sed 's/columns 2/columns 9/' "$dir/a.wave" > "$dir/b.wave"
! $waves "$dir/b.wave" "$dir/run.vcd" > /dev/null 2> "$dir/err" && grep -q 'ends too early' "$dir/err"; say $? 'a trace that is too short'
mkdir "$dir/pictures" && cp docs/pictures/waves docs/pictures/waves.awk "$dir/a.wave" "$dir/pictures" && cp "$dir/a.svg" "$dir/pictures" && mkdir "$dir/drawn"
sh "$dir/pictures/waves" "$dir/run.vcd" "$dir/drawn" > "$dir/out"; say $? 'waves that are as in the page'
sed 's/^b1010/b1011/' "$dir/run.vcd" > "$dir/other.vcd"
! sh "$dir/pictures/waves" "$dir/other.vcd" "$dir/drawn" > "$dir/out" && grep -q 'the chip does otherwise than' "$dir/out"; say $? 'waves that are not'
echo "1..$n"
[ $failed -eq 0 ]
