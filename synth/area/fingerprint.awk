# SPDX-License-Identifier: Apache-2.0
# An elaborated block as one line for each wire, cell, memory and connection, to be sorted: equal blocks give
# equal lines, in whatever order Yosys writes them. Of the numbers in made-up names ($1120000012, see
# elaborate.awk) what counts is how far they are from the block's first.
#   awk -f fingerprint.awk KIND.block.il | sort
$1 == "autoidx" || /^#/ || NF == 0 { next }
{
  line = $0; text = text " "
  while (match(line, /\$1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/)) {
    text = text substr(line, 1, RSTART) (substr(line, RSTART + 1, RLENGTH - 1) % 10000000)
    line = substr(line, RSTART + RLENGTH)
  }
  text = text line
}
$1 == "attribute" || $1 == "cell" || $1 == "parameter" || /^    / { next }
{ print text; text = "" }
