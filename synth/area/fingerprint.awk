# SPDX-License-Identifier: Apache-2.0
# An elaborated block as one line for each wire, cell, memory and connection, to be sorted: equal blocks give
# equal lines, in whatever order Yosys writes them, numbers the ports and names cells that have no name. Of the
# numbers in other made-up names ($1120000012, see elaborate.awk) what counts is how far they are from the block's first.
#   awk -f fingerprint.awk KIND.block.il | sort
$1 == "autoidx" || /^#/ || NF == 0 { next }
{
  line = $0; text = text " "
  if ($1 == "wire" && match(line, / (input|output) [0-9]+ /)) {
    text = text substr(line, 1, RSTART) (line ~ / input [0-9]+ / ? "input" : "output")
    line = substr(line, RSTART + RLENGTH - 1)
  }
  if ($1 == "cell" && $3 ~ /^\$/) line = "  cell " $2
  while (match(line, /\$1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/)) {
    text = text substr(line, 1, RSTART) (substr(line, RSTART + 1, RLENGTH - 1) % 10000000)
    line = substr(line, RSTART + RLENGTH)
  }
  text = text line
}
$1 == "attribute" || $1 == "cell" || $1 == "parameter" || /^    / { next }
{ print text; text = "" }
