# SPDX-License-Identifier: Apache-2.0
# The rule of resets, checked in the text of the RTL: an always_ff block that is sensitive to rst_ni resets every
# register that it assigns; a register without a reset stands in a block without rst_ni. So a reset that was
# forgotten is seen, and no register is held by the reset by accident.
#   awk -f tb/lint/resets.awk rtl/*/*.sv      prints FILE:LINE: REGISTER ...; exit code 1 if there is any
#
# How: each file becomes a list of tokens, and the statement of each such block is parsed: begin, if, case, for, or an
# assignment. Names that are assigned under `if (!rst_ni)` are reset; the block's other names must be among them.

# ---- tokens: words, and single characters; `<=` is one
function read_tokens(text, line) {
  gsub(/"[^"]*"/, " ", text)
  sub(/\/\/.*/, "", text)
  sub(/^[ \t]*`.*/, "", text)
  while (match(text, /[a-zA-Z_$][a-zA-Z0-9_$]*|[0-9]+'[a-z0-9_]+|[0-9]+|<=|[^ \t]/)) {
    token[++tokens] = substr(text, RSTART, RLENGTH)
    line_of[tokens] = line
    text = substr(text, RSTART + RLENGTH)
  }
}

# ---- statements; `at` is the token that is looked at
function skip_parentheses(    depth, text) {
  do {
    text = text token[at]
    if (token[at] == "(") depth++
    if (token[at] == ")") depth--
    at++
  } while (depth > 0 && at <= tokens)
  return text
}
function skip_to(word) {
  while (at <= tokens && token[at] != word) at++
  at++
}
function statement(in_reset,    condition) {
  if (token[at] == "begin") {
    at++
    if (token[at] == ":") at += 2
    while (at <= tokens && token[at] != "end") statement(in_reset)
    at++
  } else if (token[at] == "if") {
    at++
    condition = skip_parentheses()
    statement(in_reset || condition == "(!rst_ni)")
    if (token[at] == "else") {
      at++
      statement(in_reset)
    }
  } else if (token[at] == "for") {
    at++
    skip_parentheses()
    statement(in_reset)
  } else if (token[at] == "case") {
    at++
    skip_parentheses()
    while (at <= tokens && token[at] != "endcase") {
      while (token[at] != ":") at += (token[at] == "[" ? index_tokens() : 1)
      at++
      statement(in_reset)
    }
    at++
  } else assignment(in_reset)
}
# Tokens from `[` to its `]`, both counted.
function index_tokens(    depth, i) {
  i = at
  do {
    if (token[i] == "[") depth++
    if (token[i] == "]") depth--
    i++
  } while (depth > 0 && i <= tokens)
  return i - at
}
# The registers in front of `<=`: name, name[..].field, or {name, name}.
function assignment(in_reset,    name_next) {
  name_next = 1
  while (at <= tokens && token[at] != "<=" && token[at] != ";") {
    if (token[at] == "[") { at += index_tokens(); continue }
    if (name_next && token[at] ~ /^[a-zA-Z_]/) { assigned(token[at], in_reset); name_next = 0 }
    if (token[at] == ",") name_next = 1
    at++
  }
  skip_to(";")
}
function assigned(name, in_reset) {
  if (in_reset) was_reset[name] = 1
  else if (!(name in first_line)) first_line[name] = line_of[at]
}

# ---- blocks
function check_file(file,    name) {
  for (at = 1; at <= tokens; ) {
    if (token[at++] != "always_ff") continue
    at++                                                  # @
    if (skip_parentheses() !~ /negedgerst_ni/) continue
    blocks++
    delete first_line
    delete was_reset
    statement(0)
    for (name in first_line)
      if (!(name in was_reset)) {
        printf "%s:%d: %s is assigned in a block with rst_ni and not reset there\n", file, first_line[name], name
        bad = 1
      }
  }
  tokens = 0
}
FNR == 1 && NR > 1 { check_file(last) }
{ read_tokens($0, FNR); last = FILENAME }
END {
  check_file(last)
  if (blocks < least) { printf "only %d blocks with a reset were found, at least %d are expected\n", blocks, least; bad = 1 }
  if (!bad) printf "ok resets: %d blocks with a reset\n", blocks
  exit bad
}
