# SPDX-License-Identifier: Apache-2.0
# The report of nextpnr, a field a line, as results.txt and results.json. -v top= image= bytes=
function number(text) { gsub(/[^0-9.]/, "", text); return text + 0 }
/"fmax":/ { clocks = 1 }
/"utilization":/ { clocks = 0; cells = 1 }
# Of several clocks the one that is nearest to its limit.
clocks && /"achieved":/ { reached = number($0) }
clocks && /"constraint":/ { limit = number($0); if (!wanted || reached * wanted < achieved * limit) { achieved = reached; wanted = limit } }
cells && /^ *"?[A-Z0-9_]+": *$/ { match($0, /[A-Z0-9_]+/); name = substr($0, RSTART, RLENGTH) }
cells && /"available":/ { available[name] = number($0) }
cells && /"used":/ { used[name] = number($0) }
END {
  device = "LFE5U-85F, CABGA381, speed 6"; list = "TRELLIS_COMB TRELLIS_FF TRELLIS_RAMW DP16KD MULT18X18D"
  title["TRELLIS_COMB"] = "LUTs"; title["TRELLIS_FF"] = "registers"; title["TRELLIS_RAMW"] = "LUT memory writers"
  title["DP16KD"] = "block memories"; title["MULT18X18D"] = "multipliers"
  out = image; sub(/\/[^\/]*$/, "", out)
  text = out "/results.txt"; json = out "/results.json"
  printf "%s on %s\n", top, device >text
  printf "{\n  \"top\": \"%s\",\n  \"device\": \"%s\",\n", top, device >json
  n = split(list, names, " ")
  for (i = 1; i <= n; i++) {
    c = names[i]
    if (!(c in used)) { print "the report does not have " c; exit 1 }
    printf "%-20s %6d of %6d  %5.1f %%\n", title[c], used[c], available[c], 100 * used[c] / available[c] >text
    printf "  \"%s\": {\"used\": %d, \"available\": %d},\n", title[c], used[c], available[c] >json
  }
  if (!achieved) { print "the report has no clock"; exit 1 }
  printf "clock                %6.1f MHz reached, %.1f asked for\nimage                %6d bytes: %s\n", achieved, wanted, bytes, image >text
  printf "  \"clock_mhz\": %.2f,\n  \"clock_wanted_mhz\": %.2f,\n  \"image_bytes\": %d\n}\n", achieved, wanted, bytes >json
  if (achieved < wanted) { print "the clock is too slow: " achieved " MHz"; exit 1 }
}
