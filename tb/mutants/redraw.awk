# SPDX-License-Identifier: Apache-2.0
# What was drawn (NUMBER and a point of tb/mutants/points.awk each), where it stands in sources that have changed since: the same change of the
# same line, the nearest if there are several. What is not there any more is left out, and counted in LOST.
#   awk -F '\t' -v lost=LOST -f tb/mutants/redraw.awk POINTS DRAWN
function trimmed(text) { sub(/^ */, "", text); return text }
function distance(a, b) { return a > b ? a - b : b - a }
BEGIN { OFS = "\t" }
FNR == NR { key = $1 FS $3 FS trimmed($4); line[key, ++num[key]] = $2; text[key, num[key]] = $4; next }
{
  key = $2 FS $4 FS trimmed($5); best = 0
  for (i = 1; i <= num[key]; i++) if (!((key, i) in taken) && (!best || distance(line[key, i], $3) < distance(line[key, best], $3))) best = i
  if (!best) { gone++; next }
  taken[key, best]; print $1, $2, line[key, best], $4, text[key, best]
}
END { print gone + 0 >lost }
