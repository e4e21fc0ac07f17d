# SPDX-License-Identifier: Apache-2.0
# Many mutants of one source file in one text: each is asleep until the variable SLUICE_MUTANT has its number. So a simulator is built once
# for hundreds of mutants (the idea: R. Untch et al., Mutation analysis using mutant schemata, ISSTA 1993).
#   awk -F '\t' -f tb/mutants/schema.awk DRAWN rtl/tm/sluice_tm.sv
# DRAWN has a line a mutant: its number, then what tb/mutants/points.awk prints; those of other files are passed over.
#
# Example: mutant 7 makes `-` of `+` in `count_d = count_q + take_i;`, which becomes
#   count_d = (sluice_mutant_pkg::number == 7 ? (count_q - take_i) : (count_q + take_i));
# What is doubled is the expression around the change, up to its parentheses, comma, or assignment. A reset becomes
#   begin if (sluice_mutant_pkg::number != 8) count_q <= '0; end
# Lines stay where they are: what Verilator says of line 40 is about the mutants of line 40.
# Numbers of mutants that have no such form (in the bounds of a part select, for example) go to the file `left`; each other number and the
# line where its expression begins, as FILE:LINE, to `places`.

function char(at) { return substr(code, at, 1) }
# Where the expression begins that has `at` in it.
function begins(at,    depth, c, before) {
  for (at--; at > 0; at--) {
    c = char(at)
    if (c ~ /[])}]/) depth++
    else if (c ~ /[([{]/) { if (depth-- == 0) return at + 1 }
    else if (depth == 0 && (c == "," || c == ";")) return at + 1
    else if (depth == 0 && c == "=") {
      if (char(at + 1) == "=" || char(at - 1) ~ /[=!>]/ || char(at - 2) ~ /[=!]/) continue
      if (char(at - 1) != "<") return at + 1
      # `a <= b`: an assignment if what is before `a` ends a statement, or a head.
      before = substr(code, at - 300 > 0 ? at - 300 : 1, at - (at - 300 > 0 ? at - 300 : 1) - 1)
      if (sub(/([a-z][A-Za-z0-9_.]*(\[[^]]*\])*(\.[a-z_0-9]+(\[[^]]*\])*)*|\{[^}]*\})[ \n]*$/, "", before) &&
          before ~ /(;|begin|end|endcase|else|\)|:|: [a-z_]+)[ \n]*$/) return at + 1
    } else if (depth == 0 && substr(code, at, 7) ~ /^return /) return at + 6
  }
  return 1
}
function ends(at,    depth, c) {
  for (; at <= length(code); at++) {
    c = char(at)
    if (c ~ /[([{]/) depth++
    else if (c ~ /[])}]/) { if (depth-- == 0) return at }
    else if (depth == 0 && (c == "," || c == ";")) return at
  }
  return at
}
function leave(number) { print number >>left }

BEGIN { left = left ? left : "/dev/null"; places = places ? places : "/dev/null" }
FNR == NR { lines[++drawn] = $0; next }
{
  at_line[FNR] = length(text) + 1
  text = text $0 "\n"
  bare = $0
  if (match(bare, /\/\//)) bare = substr(bare, 1, RSTART - 1) sprintf("%" (length(bare) - RSTART + 1) "s", "")
  code = code bare "\n"
  file = FILENAME
}
END {
  for (i = 1; i <= drawn; i++) {
    split(lines[i], part, "\t")
    if (part[2] != file) continue
    number = part[1]; from = at_line[part[3]]; kind = part[4]
    was = substr(text, from, at_line[part[3] + 1] ? at_line[part[3] + 1] - from - 1 : length(text)); mutant = part[5]
    if (kind == "reset") {
      match(was, /[a-z][a-zA-Z0-9_.]*(\[[^]]*\])* *<= /)
      first = from + RSTART - 1
      last = first + index(substr(code, first), ";")
      insert[++num] = "begin if (sluice_mutant_pkg::number != " number ") " substr(code, first, last - first) " end"
      start[num] = first; stop[num] = last; of[num] = number
      continue
    }
    # What is the same before and behind the change.
    for (p = 0; substr(was, p + 1, 1) == substr(mutant, p + 1, 1); p++) if (p > length(was)) break
    for (q = 0; q < length(was) - p && q < length(mutant) - p && substr(was, length(was) - q, 1) == substr(mutant, length(mutant) - q, 1); q++) ;
    a = from + p; b = from + length(was) - q
    # Both ends in the same parentheses.
    depth = low = 0
    for (at = a; at < b; at++) { if (char(at) ~ /[([{]/) depth++; else if (char(at) ~ /[])}]/ && --depth < low) low = depth }
    for (depth -= low; low < 0 && a > from; ) { a--; if (char(a) ~ /[([{]/) low++; else if (char(a) ~ /[])}]/) low-- }
    for (; depth > 0 && b < from + length(was); b++) if (char(b) ~ /[])}]/) depth--; else if (char(b) ~ /[([{]/) depth++
    p = a - from; q = from + length(was) - b
    if (low || depth || was ~ /^`define/) { leave(number); continue }
    left_end = begins(a); right_end = ends(b)
    # The number of a case.
    if (substr(was, 1, p) ~ /^ *[0-9']*[bd]?$/ && was ~ /^ *[0-9]+'[bd][0-9]+ *:/) { left_end = a - match(substr(was, p + 1), /./) + 1; while (char(left_end - 1) != " ") left_end--; right_end = b; while (char(right_end) ~ /[0-9]/) right_end++ }
    # Blanks stay outside.
    while (left_end < a && char(left_end) ~ /[ \n]/) left_end++
    while (right_end > b && char(right_end - 1) ~ /[ \n]/) right_end--
    body = substr(code, left_end, right_end - left_end)
    # A label of a case, a member of a pattern: `A: x`.
    if (match(body, /^[a-zA-Z0-9_']+ *: /) && body !~ /^[^:]*\?/) {
      if (a - left_end >= RLENGTH) left_end += RLENGTH
      else right_end = left_end + index(body, ":") - 1
    }
    # In brackets only what is before `+:`; both bounds of a range are constants.
    if (char(left_end - 1) == "[" || char(right_end) == "]") {
      body = substr(code, left_end, right_end - left_end)
      if (match(body, / *[+-]: /)) { if (left_end + RSTART - 1 < b) { leave(number); continue }; right_end = left_end + RSTART - 1 }
      else if (body ~ /:/ && body !~ /\?/) { leave(number); continue }
    }
    if (left_end > a || right_end < b || substr(code, left_end, right_end - left_end) ~ /(^|[^a-z_])(begin|end|if|else|assign|logic)[^a-z_0-9]/) { leave(number); continue }
    start[++num] = left_end; stop[num] = right_end; of[num] = number
    change_from[num] = a; change_to[num] = b; change[num] = substr(mutant, p + 1, length(mutant) - p - q)
    insert[num] = ""
  }
  # One that lies inside another becomes as wide as that one; a reset has nothing else in it.
  do {
    wider = 0
    for (i = 1; i <= num; i++) for (j = 1; j <= num; j++)
      if (start[j] <= start[i] && stop[i] <= stop[j] && (start[j] < start[i] || stop[i] < stop[j]) && insert[i] == "" && insert[j] == "") { start[i] = start[j]; stop[i] = stop[j]; wider = 1 }
  } while (wider)
  for (i = 1; i <= num; i++) order[i] = i
  for (i = 2; i <= num; i++) { k = order[i]; for (j = i - 1; j > 0 && start[order[j]] > start[k]; j--) order[j + 1] = order[j]; order[j + 1] = k }
  at = 1
  for (i = 1; i <= num; i = j) {
    k = order[i]
    for (j = i; j <= num && start[order[j]] == start[k]; j++) ;
    if (start[k] < at) { for (; i < j; i++) leave(of[order[i]]); continue }
    original = substr(code, start[k], stop[k] - start[k])
    for (line = 1; at_line[line + 1] && at_line[line + 1] <= start[k]; line++) ;
    for (n = i; n < j; n++) print of[order[n]] "\t" file ":" line >>places
    out = out substr(text, at, start[k] - at)
    if (insert[k] != "") out = out insert[k]
    else {
      chosen = ""
      for (n = i; n < j; n++) {
        m = order[n]
        chosen = chosen "sluice_mutant_pkg::number == " of[m] " ? (" substr(code, start[m], change_from[m] - start[m]) change[m] \
          substr(code, change_to[m], stop[m] - change_to[m]) ") : "
      }
      chosen = "(" chosen "(" original "))"
      gsub(/\n/, " ", chosen)
      out = out chosen
      for (n = gsub(/\n/, "\n", original); n > 0; n--) out = out "\n"
    }
    at = stop[k]
  }
  printf "%s%s", out, substr(text, at)
}
