#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Arrays that are too long to be read entry by entry at the end of a run are read from one cut (`long_segment` of the job).
# With the bound so low that all are: the run is EQUIVALENT, and a fault that nothing but the final state shows is found, of an entry and
# at both ends of the rows beside them.
# Needs: tight
# usage: long_state.sh [CHIP]      (tight; with rows of words: s2)
CHIP_RUN=${1:+$1}
. "$(dirname "$0")/lib"
need_chip "${1:-tight}"
constants "$chip"

size=$((StateEntries < 1024 ? StateEntries : 1024))
# No packet shows what it counts. Operations that follow one another closely on one entry.
cat > "$out/silent.dom" <<EOT
struct Packet { int o @ meta.port_out; int d @ udp.dport; int i; };
int count[$size] = {0};
void silent(struct Packet p) {
  p.i = p.d & 3;
  count[p.i] = count[p.i] + 1;
  p.o = p.d & 3;
}
EOT
# play NAME FILTER
play() {
  report=$out/$1.json errors=$out/$1.err
  jq --arg report "$report" --arg events "$out/$1.events" "(.report = \$report) | (.events = \$events) | $2" "$out"/base.work/*-job.json > "$out/$1-job.json" &&
    timeout -k 10 900 "build/$chip/sim" "+job=$out/$1-job.json" > "$errors" 2>&1
  code=$?
}
shows_state() { same "$(value verdict)" DIFFERENT && value first_difference.field | grep -q "^$1 of stage"; }
# Lines of a kind among the events.
told() { grep -c "^$1 " "$report.events"; }

run_chip base -m "$out/silent.dom:5" --packets 300 --size 64 --mix uniform --flows 40
it "entries are read one by one: EQUIVALENT" equivalent
entries=$(value compared.state_entries)
play cut '.long_segment = 16'
it "they are read from a cut: EQUIVALENT" equivalent
it "as many entries are compared, and all by a cut" 'same "$(value compared.state_entries)" "$entries" && is "$(value cuts.cuts) == 1 && $(value cuts.reads) > 0"'
for how in cut answer; do
  [ $how = cut ] && bound=16 || bound=65536
  play "fault-$bound" ".long_segment = $bound | .faults = [\"no_forward\"] | .check_counters = false"
  it "a state unit that does not forward is found by its entries alone, long from $bound on" shows_state $how
  note "$(value first_difference.text)"
done
[ "$ArrayStages" != 0 ] || finish

# Rows of words: all of a short array; of a long one that has none of its own the first and the last.
report=$out/cut
rows=$(told state_row)
read_row() { grep -q "^state_row [0-9]* [0-9]* $1 " "$out/cut.events"; }
it "rows at both ends are read, and none in the middle" 'is "$rows > 0 && $rows < $entries" && read_row 0 && read_row $((size - 1)) && ! read_row 512'
for index in 0 $((size - 1)); do
  awk -v index_="$index" '$1 == "state_row" && $4 == index_ && !done { $5 = "7" substr($5, 2); done = 1 } { print }' "$out/cut.events" > "$out/changed-$index.events"
  it "another word in row $index is found" '! "$SLUICE" check "$out/changed-$index.events" > "$out/check.txt" 2>&1 && has "$out/check.txt" DIFFERENT'
done
finish
