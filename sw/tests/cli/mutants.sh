#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tool that makes mutants of the RTL and of C (tb/mutants), without running any: the points that it finds in tb/mutants/sample.sv are
# those of sample.points, in sample.c those of sample.c.points, nothing more; a rule that is left out is noticed. A text with all mutants of a file
# is, for each of them, the file with that mutant. As TAP.
set -u
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
# As they are found by a points.awk, against the list.
found() { awk -f "$1" tb/mutants/sample.sv | cut -f 2- | cmp -s - tb/mutants/sample.points; }
found_c() { awk -f "$1" tb/mutants/sample.c | cut -f 2- | cmp -s - tb/mutants/sample.c.points; }

found tb/mutants/points.awk; say $? 'the points of the sample are those of the list'
for rule in 's/put("reset", RSTART/next; put("reset", RSTART/' 's/"<= "/"<  "/; s/put("rel", at, 4, " < ")/0/' 's/SLUICE_ASSERT/NOTHING/' \
    's/code = substr(code, 1, RSTART - 1)/code = code/' 's/no " : " yes/yes " : " no/'; do
  sed "$rule" tb/mutants/points.awk > "$dir/points.awk"
  ! cmp -s tb/mutants/points.awk "$dir/points.awk" && ! found "$dir/points.awk"; say $? "noticed: $rule"
done
found_c tb/mutants/points.awk; say $? 'the points of the sample in C are those of the list'
for rule in 's/without_strings(line) : line/line : line/' 's/skip = held || /skip = /' 's/(static |extern )?(const )?(enum|/(/' 's/put("branch"/nothing = ("branch"/' \
    's/ substr(code, at + RLENGTH) !~ /1 == 1 || 0 ~ /'; do
  sed "$rule" tb/mutants/points.awk > "$dir/points.awk"
  ! cmp -s tb/mutants/points.awk "$dir/points.awk" && ! found_c "$dir/points.awk" 2> "$dir/err"; say $? "noticed: $rule"
done
# Every point changes its line, and only one line of its file, into another one.
awk -f tb/mutants/points.awk rtl/tm/*.sv rtl/exit/*.sv > "$dir/points"
awk -F '\t' '{ while ((getline text < $1) > 0) if (++line[$1] && !(($1, line[$1]) in was)) was[$1, line[$1]] = text; close($1); line[$1] = 0 }
  was[$1, $2] == $4 || was[$1, $2] == "" { print $1 ":" $2; bad = 1 } END { exit bad || NR < 300 }' "$dir/points" > "$dir/same"
say $? "each of $(wc -l < "$dir/points") points of the exit and the traffic manager is another line"
# Many of one file in one text (schema.awk): awake by its number, each of rtl/ is the source with that line changed, and nothing else.
awk -f tb/mutants/points.awk tb/mutants/sample.sv | awk '{ print NR "\t" $0 }' > "$dir/drawn"
awk -F '\t' -f tb/mutants/schema.awk "$dir/drawn" tb/mutants/sample.sv | cmp - tb/mutants/sample.schema; say $? 'the sample with all its mutants asleep is that of the list'
# What no test can notice is named by its line, so a line that has changed wants its reason looked at again.
stale() { # FILE: lines of it that name a line which their file has not
  awk -F '\t' '!/^#/ && NF { if (!($1 in read)) { read[$1] = 1; while ((getline text < $1) > 0) { gsub(/^[ \t]+|[ \t]+$/, "", text); has[$1, text] = 1 } }
    if (!(($1, $3) in has)) print FNR ": " $1 }' "$1"
}
stale tb/mutants/equal > "$dir/stale"; [ ! -s "$dir/stale" ]; say $? "each line of tb/mutants/equal is in its file$(tr '\n' ' ' < "$dir/stale")"
sed 's/^\(rtl[^\t]*\t[^\t]*\t\)/\1x/' tb/mutants/equal > "$dir/equal"; [ -n "$(stale "$dir/equal")" ]; say $? 'noticed: lines that are not there'
# What was drawn stays drawn where lines come and go around it; what has gone is counted.
sample=tb/mutants/sample.c
awk -f tb/mutants/points.awk "$sample" | awk '{ print NR "\t" $0 }' > "$dir/drawn-c"
gone=$(awk -F '\t' 'END { print $3 }' "$dir/drawn-c")
{ echo; sed "${gone}d" "$sample"; sed "${gone}d" "$sample"; } > "$dir/changed.c"
awk -f tb/mutants/points.awk "$dir/changed.c" | sed "s|^$dir/changed.c|$sample|" > "$dir/points-c"
stays() { # REDRAW.AWK
  awk -F '\t' -v lost="$dir/lost" -f "$1" "$dir/points-c" "$dir/drawn-c" > "$dir/redrawn" &&
    awk -F '\t' -v OFS='\t' -v gone="$gone" '$3 != gone { $3 += $3 < gone; print }' "$dir/drawn-c" | cmp -s - "$dir/redrawn" &&
    [ "$(cat "$dir/lost")" = "$(awk -F '\t' -v gone="$gone" '$3 == gone' "$dir/drawn-c" | wc -l)" ]
}
stays tb/mutants/redraw.awk; say $? "$(wc -l < "$dir/redrawn") points of a sample stay drawn where its lines move, those of a line that is gone do not"
for rule in 's/line\[key, best\], \$4/$3, $4/' 's/!best) { gone++; next }/!best) { gone++ }/' 's/distance(line\[key, i\], \$3) </distance(line[key, i], $3) >/'; do
  sed "$rule" tb/mutants/redraw.awk > "$dir/redraw.awk"
  ! cmp -s tb/mutants/redraw.awk "$dir/redraw.awk" && ! stays "$dir/redraw.awk"; say $? "noticed: $rule"
done
# `x <= y` in a condition is no assignment: a change behind it doubles all of the condition.
grep 'limit_i + other' "$dir/drawn" | awk -F '\t' -f tb/mutants/schema.awk - tb/mutants/sample.sv | grep -q "(sluice_mutant_pkg::number == 18 ? (push_i && 6'(n + 3) <= limit_i + other && flag_q) : ("
say $? 'a change behind <= in a condition, alone'
# shellcheck disable=SC2046
awk -f tb/mutants/points.awk $(find rtl -name 'sluice_*.sv' ! -name '*_pkg.sv' ! -name '*_csr_map.sv' | LC_ALL=C sort) | awk '{ print NR "\t" $0 }' > "$dir/drawn"
asleep() { # SCHEMA.AWK FOLDER: prints how many of a folder's mutants come out as they should, how many do not, how many are left
  cut -f 2 "$dir/drawn" | sort -u | grep "^rtl/$2" | while read -r file; do
    rm -f "$dir/left"
    awk -F '\t' -v left="$dir/left" -f "$1" "$dir/drawn" "$file" > "$dir/schema.sv" || echo 'differs: awk'
    perl tb/mutants/awake.pl "$dir/drawn" "$file" "$dir/schema.sv" "$dir/left"; [ ! -s "$dir/left" ] || sed 's/^/left /' "$dir/left"
  done | awk '/^differs/ { bad++ } /^left/ { left++ } / compared/ { num += $1 } END { print num + 0, bad + 0, left + 0 }'
}
asleep tb/mutants/schema.awk '' > "$dir/asleep"; read -r num bad left < "$dir/asleep"
[ "$num" -ge 4500 ] && [ "$bad" -eq 0 ] && [ "$left" -le 10 ]; say $? "mutants of rtl/, one awake in a text of all: $num as by hand, $bad not, $left have no such form"
for rule in 's/before ~/0 ~/' 's/low < 0 \&\& a > from/0/' 's/wider = 1 }/wider = 0; stop[i]-- }/'; do
  sed "$rule" tb/mutants/schema.awk > "$dir/schema.awk"
  asleep "$dir/schema.awk" boundary/ > "$dir/asleep" 2> "$dir/err"; asleep "$dir/schema.awk" stage/ >> "$dir/asleep" 2>> "$dir/err"
  ! cmp -s tb/mutants/schema.awk "$dir/schema.awk" && awk '{ bad += $2 + ($3 > 5) } END { exit !bad }' "$dir/asleep"; say $? "noticed: $rule"
done
printf 'sw/one\t1\t10\t7\t2\t1\t0\tabc\tday\nsw/two\t1\t4\t4\t0\t0\t0\tabc\tday\n' | awk -F '\t' -f tb/mutants/scores.awk > "$dir/scores"
grep -q '^| .sw/one. .*| 87.5 % |' "$dir/scores" && grep -q '^| all | .*| 91.7 % |' "$dir/scores"; say $? 'a score is what was noticed of what is not equal'
# The table names tests that are there.
awk '/^sw/ { for (i = 2; i <= NF; i++) { sub(/.*:/, "", $i); sub(/^san\//, "", $i); print $1, $i } }' tb/mutants/tests | while read -r room test; do
  case $test in cli/*) [ -f "sw/tests/$test.sh" ] ;; *) [ -f "$(echo sw/tests/*/"$test.c")" ] ;; esac && [ -d "$room" ] || echo "# $room: $test is not there"
done > "$dir/missing"
[ ! -s "$dir/missing" ] && [ "$(grep -c '^sw/' tb/mutants/tests)" -ge 20 ]; say $? 'every folder of the table of tests is there, and so are its tests'; cat "$dir/missing"
# So do the faults that are put into P4 (p4_mutants.sh): each text is in its file.
for part in front:p4 run:p4run; do
  fault() { FROM=$3 perl -0777 -ne 'exit(index($_, $ENV{FROM}) < 0)' "sw/${part#*:}/$1.c" || echo "# faults_${part%:*}.sh: '$2' is not there"; }
  . "sw/tests/p4/faults_${part%:*}.sh"
done > "$dir/missing"
[ ! -s "$dir/missing" ]; say $? "each fault for P4 has its text in its file"; cat "$dir/missing"
for bad in 'sw/spec x 4' 'sw/spec 1 four' 'sw/other 1 1'; do
  # shellcheck disable=SC2086
  tb/mutants/c $bad > "$dir/out" 2>&1; [ $? -eq 2 ] && grep -q 'are numbers\|has no line' "$dir/out"; say $? "refused: $bad"
done
for bad in 'x 4' '1 four'; do
  # shellcheck disable=SC2086
  tb/mutants/run $bad > "$dir/out" 2>&1; [ $? -eq 2 ] && grep -q 'are numbers' "$dir/out"; say $? "refused: $bad"
done
echo "1..$n"; [ $failed -eq 0 ]
