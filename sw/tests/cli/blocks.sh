#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the commands that pages show, and compares what they print: each "$ COMMAND" in a block of a page, in order, with the lines behind it
# (blocks.awk). Each page gets a folder in which everything of the tree is, so it may say `make` and `build/sluice`, and `sluice` is found, too.
# What a page shows nothing of is not compared, but must succeed. <!-- file: NAME --> in the line before a block makes the block that file, and
# <!-- not run: WHY --> leaves it out. <!-- if: COMMAND --> leaves it out where COMMAND fails. <!-- numbers differ --> compares all but numbers.
# `self` tests the comparison itself.
# usage: blocks.sh PAGE... | self, from the root of the tree
set -u
LC_ALL=C; export LC_ALL
here=$PWD/sw/tests/cli
root=$PWD n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
unset MAKEFLAGS MFLAGS MAKELEVEL SLUICE SLUICE_SIM

if [ "$1" = self ]; then
  dir=build/pages/self
  rm -rf $dir; mkdir -p $dir
  # try CODE SENTENCE WANT GOT
  try() { printf "$3" > $dir/want; printf "$4" > $dir/got; awk -v loose="${loose:-}" -f "$here/blocks.awk" $dir/want $dir/got > $dir/said; [ $? -eq "$1" ]; say $? "$2"; }
  try 0 'the same lines' 'a\nb\n' 'a\nb\n'
  try 1 'another line' 'a\nb\n' 'a\nc\n'
  try 1 'a line more' 'a\n' 'a\nb\n'
  try 1 'a line less' 'a\nb\n' 'a\n'
  try 0 'lines left out' 'a\n...\nd\n' 'a\nb\nc\nd\n'
  try 0 'none left out' 'a\n...\nd\n' 'a\nd\n'
  try 0 'the rest left out' 'a\n...\n' 'a\nb\nc\n'
  try 1 'what must come behind lines left out' 'a\n...\nd\n' 'a\nb\nc\n'
  try 1 'a line behind them, and one more' '...\nb\n' 'a\nb\nc\n'
  try 0 'a part of a line left out' 'a ... c\n' 'a b c\n'
  try 1 'and what stands behind it' 'a ... c\n' 'a b d\n'
  try 1 'and what stands before it' 'x ... c\n' 'a b c\n'
  try 0 'times are not compared' 'simulation       2079 packets per second\n' 'simulation       31 packets per second\n'
  loose=1
  try 0 'numbers are not compared where the page says so' '12 frames in 1.5 s\n' '3 frames in 10.25 s\n'
  try 1 'words are' '12 frames in 1.5 s\n' '3 frames out 10.25 s\n'
  loose=
  try 1 'other figures are' 'cycles           31\n' 'cycles           32\n'
  # A block of code by indentation takes the mark that stands before it; the block behind it is run, and found wrong.
  printf '<!-- not run: slow -->\n\n    make demo\n\n```\n$ echo a\nb\n```\n' > $dir/page.md
  ! sh "$here/blocks.sh" $dir/page.md > $dir/said && grep -q '^not ok 1 .*: echo a$' $dir/said
  say $? 'a mark is for one block'
  echo "1..$n"
  [ $failed -eq 0 ]; exit
fi

for page in "$@"; do
  name=$(echo "${page%.md}" | tr / -)
  dir=$root/build/pages/$name
  rm -rf "$dir"; mkdir -p "$dir/tree" "$dir/bin"
  for file in "$root"/*; do [ "${file##*/}" = lessons ] || ln -s "$file" "$dir/tree/"; done
  ln -s "$root/build/sluice" "$dir/bin/sluice"
  awk -v dir="$dir" '
    /^<!-- not run: .* -->$/ { leave = 1; next }
    !inside && /^    / { leave = 0 }  # the mark was for this block
    /^<!-- numbers differ -->$/ { differ = 1; next }
    /^<!-- if: .* -->$/ { condition = substr($0, 10, length($0) - 13); next }
    /^<!-- file: .* -->$/ { name = dir "/tree/" $3; next }
    /^```/ {
      inside = !inside
      if (want) close(want)
      if (made) close(made)
      want = ""
      left = inside && leave
      loose = inside && differ
      needs = inside ? condition : ""
      made = inside ? name : ""
      if (made) printf "" > made
      leave = differ = 0
      name = condition = ""
      next
    }
    made { print > made; next }
    inside && !left && /^[$] / {
      if (want) close(want)
      base = dir "/" sprintf("%03d", ++n)
      print substr($0, 3) > (base ".command")
      close(base ".command")
      if (loose) { printf "" > (base ".loose"); close(base ".loose") }
      if (needs != "") { print needs > (base ".if"); close(base ".if") }
      want = base ".want"
      printf "" > want
      next
    }
    want { print > want }' "$page"
  some=1
  for command in "$dir"/*.command; do
    [ -e "$command" ] || continue
    some=0 base=${command%.command}
    if [ -e "$base.if" ] && ! (cd "$dir/tree" && sh "$base.if" > "$base.why" 2>&1 < /dev/null); then
      n=$((n + 1)); echo "ok $n - $page: $(head -n 1 "$command") # SKIP $(tail -n 1 "$base.why")"
      continue
    fi
    (cd "$dir/tree" && PATH=$dir/bin:$PATH timeout 600 sh "$command" > "$base.got" 2>&1 < /dev/null); code=$?
    grep -v -e '^building the simulator of ' -e '^Running as user .root. and group' "$base.got" > "$base.kept"
    if [ -s "$base.want" ]; then
      loose=; [ ! -e "$base.loose" ] || loose=1
      awk -v loose="$loose" -f "$here/blocks.awk" "$base.want" "$base.kept"; code=$?
    elif [ $code -ne 0 ]; then
      head -n 5 "$base.got" | sed 's/^/# /'
    fi
    say $code "$page: $(head -n 1 "$command")"
  done
  say $some "$page shows commands"
done
echo "1..$n"
[ $failed -eq 0 ]
