# SPDX-License-Identifier: Apache-2.0
# Compares what a command has printed with what a page shows. A line "..." stands for any lines, "..." in a line for any characters in it. Figures of
# time are not compared, with loose=1 no numbers.
# usage: LC_ALL=C awk -f blocks.awk WANT GOT; exit code 1 and the first line that is not there, if they differ
function plain(line) {
  if (line ~ /^simulation /) return "simulation"
  if (line ~ /^model  +[0-9]+ packets per second/) return "model"
  sub(/ +$/, "", line)
  if (loose) gsub(/[0-9]+([.][0-9]+)?/, "N", line)
  return line
}
# Does the line have all parts between "..." in this order, the first at its begin and the last at its end?
function fits(want, got, parts, n, i, at) {
  if (index(want, "...") == 0) return want == got
  n = split(want, parts, /[.][.][.]/)
  if (substr(got, 1, length(parts[1])) != parts[1]) return 0
  got = substr(got, length(parts[1]) + 1)
  for (i = 2; i < n; i++) {
    at = index(got, parts[i])
    if (!at) return 0
    got = substr(got, at + length(parts[i]))
  }
  return length(got) >= length(parts[n]) && substr(got, length(got) - length(parts[n]) + 1) == parts[n]
}
FILENAME == ARGV[1] { want[++wants] = plain($0); next }
{ got[++gots] = plain($0) }
END {
  for (w = 1; w <= wants; w++) {
    if (want[w] == "...") { any = 1; continue }
    g = at + 1
    while (any && g <= gots && !fits(want[w], got[g])) g++
    if (g > gots || !fits(want[w], got[g])) {
      print "# wanted: " want[w]
      print "# printed: " (at + 1 <= gots ? got[at + 1] : "nothing more")
      exit 1
    }
    at = g
    any = 0
  }
  if (at < gots && !any) { print "# printed beside it: " got[at + 1]; exit 1 }
}
