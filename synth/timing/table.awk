# SPDX-License-Identifier: Apache-2.0
# The worst path into each block, as text and JSON, from the report of sta.tcl.
#   awk -v config=NAME -v fo4=NS -v liberty=NAME -v dir=DIR -f table.awk DIR/kinds.tsv DIR/sta.log
BEGIN { FS = "\t" }
FILENAME ~ /kinds\.tsv$/ { module[$1] = $2; next }
/^BLOCK / {
  split($0, word, " ")
  block[++n] = word[2]; length_ns[n] = word[3]; in_fo4[n] = word[4]
  next
}
/^Startpoint:/ { from[n] = name($0) }
/^Endpoint:/   { to[n] = name($0) }
# Gates: the output pins, less the register at the start.
n && / [v^] .*\/[^\/ ]* \([A-Za-z0-9_]+\)$/ { pins[n]++ }

# Registers are called after the net that they drive.
function name(text) {
  sub(/^[A-Za-z]*: */, "", text)
  sub(/ \(.*/, "", text)
  gsub(/\$reg/, "", text)
  sub(/\.mem_q\.u_macro/, " (memory)", text)
  return text
}
END {
  text = dir "/timing.txt"; js = dir "/timing.json"
  printf "Worst path into each block, configuration %s, library %s, worst first.\nFO4 (an inverter that drives four of itself): %.4f ns. From the clock at the start to the setup at the end;\nideal clock and wires; memories with the access time of docs/silicon.md.\n\n", config, liberty, fo4 >text
  printf "%7s %7s %6s  %-28s %s\n", "FO4", "ns", "gates", "block", "from -> to" >text
  printf "{\n  \"config\": \"%s\", \"library\": \"%s\", \"fo4_ns\": %.5f,\n  \"blocks\": [\n", config, liberty, fo4 >js
  for (i = 1; i <= n; i++) {
    b = module[block[i]]
    # two pins a gate; clock pin and output of the start, pin of the end
    gates = int((pins[i] - 3) / 2)
    if (gates < 0) gates = 0
    label = b; sub(/^sluice_/, "", label)
    printf "%7.1f %7.2f %6d  %-28s %s\n%52s%s\n", in_fo4[i], length_ns[i], gates, label, from[i], "-> ", to[i] >text
    printf "    {\"block\": \"%s\", \"kind\": \"%s\", \"fo4\": %.1f, \"ns\": %.3f, \"gates\": %d, \"from\": \"%s\", \"to\": \"%s\"}%s\n",
           b, block[i], in_fo4[i], length_ns[i], gates, from[i], to[i], i < n ? "," : "" >js
  }
  print "  ]\n}" >js
}
