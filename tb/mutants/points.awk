# SPDX-License-Identifier: Apache-2.0
# The points of the RTL, or of C, at which one change makes a mutant. Prints a line for each: FILE, LINE, KIND and the line
# as it is then, with tabs between them.
#   awk -f tb/mutants/points.awk rtl/sluice.sv rtl/*/*.sv
#   awk -f tb/mutants/points.awk sw/spec/*.c
#
#   reset   the assignment of a register under `if (!rst_ni)` is left out
#   branch  (C) the condition of an `if` is inverted
#   sum     + becomes -, - becomes +
#   const   a number becomes one more (the largest of its width 0)
#   logic   && becomes ||, || becomes &&
#   rel     < becomes <=, <= becomes <; the same with >
#   eq      == becomes !=, != becomes ==
#   swap    of A ? B : C the branches B and C change places
# Example: `assign full = count_q >= Depth && !pop_i;` gives a rel (`count_q > Depth`) and a logic (`Depth || !pop_i`).
#
# Left alone is what makes no hardware or another one: comments, assertions, `ifdef SYNTHESIS`, constants, declarations
# and conditions of generate blocks, instances' parameters. In C: comments, strings, the preprocessor, enumerations, and
# declarations without a value. A point is one line, so what spans lines is not found.

function put(kind, from, size, text) {
  printf "%s\t%d\t%s\t%s\n", FILENAME, FNR, kind, substr(line, 1, from - 1) text substr(line, from + size)
}
# The end of the expression that begins at `at`: the place of the `,`, `;` or `)` that ends it, or of `stop`.
function ends_at(at, stop,    depth, c) {
  for (depth = 0; at <= length(code); at++) {
    c = substr(code, at, 1)
    if (c ~ /[([{]/) depth++
    else if (c ~ /[])}]/ && depth-- == 0) return at
    else if (depth == 0 && (c == "," || c == ";" || c == stop)) return at
  }
  return at
}
# One more, in its base and width: 3'd7 becomes 3'd0.
function one_more(number,    width, value, base) {
  if (number !~ /'/) return number + 1
  width = number; sub(/'.*/, "", width)
  base = substr(number, index(number, "'") + 1, 1)
  value = substr(number, index(number, "'") + 2)
  if (base == "b") return width "'b" (value == "1" ? "0" : "1")
  return width "'d" ((value + 1) % (width > 30 ? 2 ^ 30 : 2 ^ width))
}

# Text and characters become blanks, so that columns stay.
function without_strings(text,    blanks) {
  while (match(text, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
    blanks = sprintf("%" RLENGTH "s", "")
    text = substr(text, 1, RSTART - 1) blanks substr(text, RSTART + RLENGTH)
  }
  return text
}
# The branches of the conditional operator whose ` ? ` is at `at` change places.
function put_swap(at,    first, middle, second, end, yes, no) {
  first = at + 3
  middle = ends_at(first, ":")
  if (substr(code, middle, 1) != ":" || substr(code, first, middle - first) ~ /\?/) return
  second = middle + 1
  end = ends_at(second, "")
  yes = substr(code, first, middle - first)
  no = substr(code, second, end - second)
  gsub(/^ +| +$/, "", yes)
  gsub(/^ +| +$/, "", no)
  if (yes != "" && no != "" && no !~ /\?/ && yes != no) put("swap", first, end - first, no " : " yes)
}

FNR == 1 { off = in_reset = generate = held = 0; in_c = FILENAME ~ /\.c$/ }
{
  line = $0
  code = in_c ? without_strings(line) : line
  if (match(code, /\/\//)) code = substr(code, 1, RSTART - 1)
}
# ---- C
in_c {
  # The preprocessor's lines with what continues them, enumerations, declarations.
  skip = held || code ~ /^ *#/ || code ~ /^ *(static |extern )?(const )?(enum|typedef|struct [a-z_]+ \{)/ || code ~ /^ *_Static_assert/ \
    || code ~ /^ *(static )?(const )?(unsigned( char)?|u?int[0-9]*_t|char|bool|size_t|struct [a-z_]+) [^=(]*;$/
  held = (held || code ~ /^ *#/) && line ~ /\\$/
  if (skip) next
  for (at = 1; at <= length(code); at++) {
    two = substr(code, at, 2)
    four = substr(code, at, 4)
    if (four == " && ") put("logic", at, 4, " || ")
    else if (four == " || ") put("logic", at, 4, " && ")
    else if (four == " == ") put("eq", at, 4, " != ")
    else if (four == " != ") put("eq", at, 4, " == ")
    else if (four == " >= ") put("rel", at, 4, " > ")
    else if (four == " <= ") put("rel", at, 4, " < ")
    else if (substr(code, at, 3) == " < ") put("rel", at, 3, " <= ")
    else if (substr(code, at, 3) == " > ") put("rel", at, 3, " >= ")
    else if (substr(code, at, 3) == " + ") put("sum", at, 3, " - ")
    else if (substr(code, at, 3) == " - ") put("sum", at, 3, " + ")
    else if (substr(code, at, 3) == " ? ") put_swap(at)
    else if (four == "if (") {
      end = ends_at(at + 4, ")")
      if (substr(code, end, 1) == ")") put("branch", at + 4, end - at - 4, "!(" substr(line, at + 4, end - at - 4) ")")
      at += 3
    } else if (two ~ /^[0-9]/ && (at == 1 || substr(code, at - 1, 1) !~ /[a-zA-Z0-9_.]/)) {
      match(substr(code, at), /^[0-9][0-9a-zA-Z.]*/)
      number = substr(code, at, RLENGTH)
      # An array that is longer than its values is none.
      if (number !~ /\./ && substr(code, at + RLENGTH) !~ /^\] = /) put("const", at, RLENGTH, "(" number " + 1)")
      at += RLENGTH - 1
    }
  }
  next
}
# ---- what is no hardware
/^`ifndef SYNTHESIS/ { off = 1 }
/^`endif/ { off = 0 }
# An assertion ends where its parentheses do.
code ~ /SLUICE_ASSERT/ { open = 0; asserts = 1 }
asserts { text = code; open += gsub(/\(/, "", text); open -= gsub(/\)/, "", text) }
off || asserts || code ~ /localparam|parameter|typedef|\$fatal|genvar|^ *for \(|else +begin *: *gen_|begin *: *gen_|#\(|import |^module|^ *(input|output) / {
  if (asserts && open <= 0) asserts = 0
  next
}
# A reset ends with its block.
in_reset && code ~ /else|^ *end *$/ { in_reset = 0 }
# Statements alone: what is assigned, decided, or connected by an expression in a continuous assignment.
code !~ /<=|=|if \(|\?|&&|\|\|/ { next }

# ---- resets
code ~ /if \(!rst_ni\)/ {
  in_reset = 1
  at = index(code, "if (!rst_ni)") + 12
  rest = substr(code, at)
  if (match(rest, /^ *[a-z][a-zA-Z0-9_.]*(\[[^]]*\])* *<= [^;{]*;/)) put("reset", at, RLENGTH, " ;")
  if (rest !~ /begin/) in_reset = 0
  next
}
in_reset {
  if (code !~ /for \(/ && match(code, /^ *[a-z][a-zA-Z0-9_.]*(\[[^]]*\])* *<= [^;{]*; *$/)) {
    match(code, /[a-z]/)
    put("reset", RSTART, length(code), ";")
  }
  next
}

# ---- the others
{
  depth = 0
  for (at = 1; at <= length(code); at++) {
    c = substr(code, at, 1)
    if (c == "(") depth++
    if (c == ")") depth--
    # Of parameters nothing: that makes another shape.
    fixed = substr(code, 1, at) ~ /(^|[^a-zA-Z0-9_])[A-Z][a-zA-Z0-9]* $/
    two = substr(code, at, 2)
    four = substr(code, at, 4)
    if (four == " && ") put("logic", at, 4, " || ")
    else if (four == " || ") put("logic", at, 4, " && ")
    else if (fixed) continue
    else if (four == " == ") put("eq", at, 4, " != ")
    else if (four == " != ") put("eq", at, 4, " == ")
    else if (four == " >= ") put("rel", at, 4, " > ")
    else if (four == " <= ") {
      # In parentheses, or behind another sign: a comparison; else it assigns.
      if (depth > 0 || substr(code, 1, at - 1) ~ / = | <= | \? |^ *(&&|\|\|)/ && code !~ /^ *(else )?if \(/) put("rel", at, 4, " < ")
    }
    else if (substr(code, at, 3) == " < ") put("rel", at, 3, " <= ")
    else if (substr(code, at, 3) == " > ") put("rel", at, 3, " >= ")
    else if (substr(code, at, 3) == " + ") put("sum", at, 3, " - ")
    else if (substr(code, at, 3) == " - ") put("sum", at, 3, " + ")
    else if (substr(code, at, 3) == " ? ") put_swap(at)
    else if (substr(code, at) ~ /^[0-9]+'[db][0-9]+/ && (at == 1 || substr(code, at - 1, 1) !~ /[a-zA-Z0-9_']/)) {
      match(substr(code, at), /^[0-9]+'[db][0-9]+/)
      number = substr(code, at, RLENGTH)
      if (number !~ /'b/ || number ~ /^1'b/) put("const", at, RLENGTH, one_more(number))
      at += RLENGTH - 1
    }
  }
}
