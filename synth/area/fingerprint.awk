# SPDX-License-Identifier: Apache-2.0
# RTLIL with the counters in made-up names ($12) numbered from 1: equal blocks give equal text,
# whatever Yosys has read before them.
{
  line = $0; text = ""
  while (match(line, /\$[0-9]+/)) {
    number = substr(line, RSTART, RLENGTH)
    if (!(number in seen)) seen[number] = "$" ++count
    text = text substr(line, 1, RSTART - 1) seen[number]
    line = substr(line, RSTART + RLENGTH)
  }
  if ($1 != "autoidx") print text line
}
