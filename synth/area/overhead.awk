# SPDX-License-Identifier: Apache-2.0
# What MP5 adds to k plain pipelines, of the lines of blocks.awk, in two-input NANDs, a bit of memory as half of one.
#   awk -v nand2=AREA -v name=NAME -f overhead.awk sluice_cfg_pkg.sv kinds.tsv blocks.tsv
# MP5's are group mp5 of mechanisms.tsv, and what cannot be a block of its own: ticket and routes that travel with the
# packet through a back stage, and the spare slots of the state memories, which relocation needs.
BEGIN { FS = "\t"; BIT = 0.5; CAM = 1.5; MATCH_BITS = 205 }
FILENAME ~ /cfg_pkg/ {
  split($0, word, " ")
  if (word[1] == "localparam") { sub(/;/, "", word[6]); value[word[4]] = word[6] }
  next
}
FILENAME ~ /kinds/ {
  if ($2 == "sluice_match_action") { side = $4; sub(/.*=/, "", side); sub(/.*h/, "", side); digits[$1] = hex(side) }
  next
}
function hex(text,    n, i) {
  for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
  return n
}
{
  area = $5 * ($6 + $8 + $10) / nand2
  if ($1 == "sluice_match") { rows_gates += area; units += $5 }
  if ($1 == "sluice_match_action") { one[$2] = ($6 + $8) / nand2; copies[$2] = $5 }
  if ($4 == "mp5") mp5 += area
  part[$3] += area; total += area
}
END {
  for (k in one) { if (!(front in one) || digits[k] < digits[front]) front = k; if (!(back in one) || digits[k] > digits[back]) back = k }
  along = copies[back] * (one[back] - one[front])
  spare = value["NumPipes"] > 1 ? value["Relocations"] * value["NumPipes"] * value["StateStages"] * 64 * BIT : 0
  mp5  += along + spare
  rest  = total - part["buffer"] - part["outputs"]
  printf "%s: K = %d, S = %d, %d state entries and %d match rows a stage; kilogates, memory included\n", name, value["NumPipes"], value["BackStages"], value["StateEntries"], value["MatchEntries"]
  printf "  what MP5 adds %.0f (of it ticket and routes beside the packet %.0f, spare slots %.0f)\n", mp5 / 1000, along / 1000, spare / 1000
  line("match rows as they are, flip-flops", rest)
  bits = units * value["MatchEntries"] * MATCH_BITS
  line("match rows as content-addressable memory, 1.5 gates a bit", rest - rows_gates + bits * CAM)
  line("match rows as memory, 0.5 gates a bit", rest - rows_gates + bits * BIT)
}
function line(text, of) { printf "  %-58s %7.0f in all  %5.1f %%  on top of the rest %5.1f %%\n", text, of / 1000, 100 * mp5 / of, 100 * mp5 / (of - mp5) }
