# SPDX-License-Identifier: Apache-2.0
# Area by block and by mechanism, as text (also CSV and JSON) from the lines of blocks.awk.
#   awk -v config=NAME -v nand2=AREA -v liberty=FILE -v dir=DIR -f table.awk mechanisms.tsv DIR/blocks.tsv
BEGIN { FS = "\t" }
FILENAME ~ /mechanisms\.tsv$/ {
  if ($1 == "#!") { order[++mechanisms] = $2; group[$2] = $3; meaning[$2] = $4 }
  next
}
{
  b = $1; sub(/[[][0-9]+[]]/, "", b); m = $3
  if (!((b, m) in seen)) { seen[b, m] = 1; key[++blocks] = b SUBSEP m; name[blocks] = b; mech[blocks] = m }
  k = b SUBSEP m
  copies[k] += b ~ /\// ? 0 : $5
  logic[k] += $5 * $6;  registers[k] += $5 * $7;  ffarea[k] += $5 * $8;  bits[k] += $5 * $9;  macro[k] += $5 * $10
}
function line(out, text, copies, logic, registers, ffarea, bits, macro) {
  printf "%-34s %6s %10.0f %9.0f %10.0f %11.0f %12.0f\n", text, copies, (logic + ffarea) / nand2, registers,
         (logic + ffarea), bits, macro >out
}
function header(out, text) {
  printf "%-34s %6s %10s %9s %10s %11s %12s\n", text, "copies", "gates", "registers", "um2", "macro bits", "macro um2" >out
}
function json(out, last, what, name, extra, copies, logic, registers, ffarea, bits, macro) {
  printf "    {\"%s\": \"%s\"%s, \"copies\": %d, \"logic_um2\": %.0f, \"registers\": %d, \"register_um2\": %.0f, \"gates\": %.0f, \"macro_bits\": %d, \"macro_um2\": %.0f}%s\n",
         what, name, extra, copies, logic, registers, ffarea, (logic + ffarea) / nand2, bits, macro, last ? "" : "," >out
}
END {
  text = dir "/area.txt"; csv = dir "/area.csv"; js = dir "/area.json"
  for (i = 1; i <= blocks; i++) {
    k = key[i]; m = mech[i]; g = group[m]
    tl[m] += logic[k]; tr[m] += registers[k]; tf[m] += ffarea[k]; tb[m] += bits[k]; tm[m] += macro[k]
    gl[g] += logic[k]; gr[g] += registers[k]; gf[g] += ffarea[k]; gb[g] += bits[k]; gm[g] += macro[k]
    al += logic[k]; ar += registers[k]; af += ffarea[k]; ab += bits[k]; am += macro[k]
    weight[i] = logic[k] + ffarea[k] + macro[k]; rank[i] = i
  }
  for (i = 2; i <= blocks; i++)
    for (j = i; j > 1 && weight[rank[j]] > weight[rank[j-1]]; j--) { t = rank[j]; rank[j] = rank[j-1]; rank[j-1] = t }

  printf "Area of configuration %s, library %s. Logic and registers in um2 and in two-input NANDs\n(%.0f um2); memory macros apart.\n\n", config, liberty, nand2 >text
  header(text, "mechanism")
  print "set,name,mechanism,group,copies,logic_um2,registers,register_um2,gates,macro_bits,macro_um2" >csv
  printf "{\n  \"config\": \"%s\", \"library\": \"%s\", \"nand2_um2\": %.2f,\n  \"groups\": [\n", config, liberty, nand2 >js
  n = split("mp5 plain ends", groups, " ")
  for (i = 1; i <= n; i++) {
    g = groups[i]
    json(js, i == n, "group", g, "", 1, gl[g], gr[g], gf[g], gb[g], gm[g])
    printf "group,%s,,%s,1,%.0f,%d,%.0f,%.0f,%d,%.0f\n", g, g, gl[g], gr[g], gf[g], (gl[g] + gf[g]) / nand2, gb[g], gm[g] >csv
  }
  print "  ],\n  \"mechanisms\": [" >js
  for (i = 1; i <= n; i++) {
    g = groups[i]
    for (j = 1; j <= mechanisms; j++) {
      m = order[j]
      if (group[m] != g) continue
      line(text, "  " m, "", tl[m], tr[m], tf[m], tb[m], tm[m])
      printf "mechanism,%s,%s,%s,1,%.0f,%d,%.0f,%.0f,%d,%.0f\n", m, m, g, tl[m], tr[m], tf[m], (tl[m] + tf[m]) / nand2, tb[m], tm[m] >csv
      json(js, j == mechanisms, "mechanism", m, ", \"group\": \"" g "\"", 1, tl[m], tr[m], tf[m], tb[m], tm[m])
    }
    line(text, g == "mp5" ? "what the one order takes" : g == "plain" ? "the pipelines themselves" : "before and behind",
         "", gl[g], gr[g], gf[g], gb[g], gm[g])
  }
  line(text, "chip", "", al, ar, af, ab, am)
  print "" >text
  header(text, "block (of all copies; largest first)")
  print "  ],\n  \"blocks\": [" >js
  for (i = 1; i <= blocks; i++) {
    k = key[rank[i]]; b = name[rank[i]]; m = mech[rank[i]]; label = b
    sub(/^sluice_/, "", label)
    line(text, sprintf("%-24s %s", label, m), copies[k] ? copies[k] : "", logic[k], registers[k], ffarea[k], bits[k], macro[k])
    printf "block,%s,%s,%s,%d,%.0f,%d,%.0f,%.0f,%d,%.0f\n", b, m, group[m], copies[k], logic[k], registers[k], ffarea[k],
           (logic[k] + ffarea[k]) / nand2, bits[k], macro[k] >csv
    json(js, i == blocks, "block", b, ", \"mechanism\": \"" m "\"", copies[k], logic[k], registers[k], ffarea[k], bits[k], macro[k])
  }
  printf "  ],\n  \"chip\": {\"logic_um2\": %.0f, \"registers\": %d, \"register_um2\": %.0f, \"gates\": %.0f, \"macro_bits\": %d, \"macro_um2\": %.0f}\n}\n",
         al, ar, af, (al + af) / nand2, ab, am >js
}
