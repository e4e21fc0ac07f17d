# SPDX-License-Identifier: Apache-2.0
# Comments that are torn: what an automatic line break, or an edit, has left of a sentence. Prints FILE:LINE: what is wrong.
#   ////         a comment in a comment
#   one word     alone on a line, inside a paragraph of comment lines
#   short        a line that ends inside a sentence although the next word had room on it
#   lower case   (C) a comment line above a declaration, below one that has a comment behind it, that is no sentence of its own
function say(what) { print FILENAME ":" FNR - 1 ": " what ": " text[1]; found++ }
# The parts of a line: its indentation, the slashes, the text; kind[n] "" where it is no comment line.
function take(n, line,    t) {
  raw[n] = line; kind[n] = ""; text[n] = ""
  if (match(line, /^[ \t]*\/\/\/?( |$)/)) {
    t = substr(line, RSTART + RLENGTH)
    indent[n] = match(line, /\//) - 1
    kind[n] = substr(line, indent[n] + 1) ~ /^\/\/\// ? "///" : "//"
    text[n] = t
  }
}
# Whether a line of comment text is one of a paragraph: no heading, list, table, code or rule.
function prose(t) { return t != "" && t !~ /^(  |[-=*|`#>+]|[0-9]+[.)]|\||----)/ && t !~ /\|$/ && t !~ /:=/ && t !~ /SPDX/ }
function check(    first) {
  if (raw[1] ~ /\/\/\/\// && raw[1] !~ /^[ \t]*\/\/\/\/+[ \t]*$/) say("a comment in a comment")
  if (kind[1] == "") return
  if (kind[0] == kind[1] && kind[2] == kind[1] && text[1] ~ /^[A-Za-z_(]+,?$/ && prose(text[0]) && prose(text[2]) &&
      text[0] !~ /[.:;!?)]$/ && text[2] ~ /^[a-z]/) say("one word alone")
  else if (kind[2] == kind[1] && indent[2] == indent[1] && prose(text[1]) && prose(text[2]) && text[2] ~ /^[a-z]/ &&
           text[1] !~ /[.:;,!?)]$/ && (C || text[1] ~ / /)) {
    first = text[2]; sub(/ .*/, "", first)
    if (length(raw[1]) + 1 + length(first) <= 72) say("torn")
  }
  if (C && kind[0] == "" && text[1] ~ /^[a-z][a-z'-]+[ ,;:]/ && raw[0] ~ /[;,{] *\/\/ / && match(raw[0], /[^ ]/) - 1 == indent[1])
    say("starts in lower case below a declaration")
}
FNR == 1 { if (NR > 1) { take(2, ""); check() }; take(0, ""); take(1, ""); C = FILENAME ~ /\.[ch]$/ ; first = 1 }
{
  if (first) { take(1, $0); first = 0; next }
  take(2, $0)
  check()
  raw[0] = raw[1]; kind[0] = kind[1]; text[0] = text[1]; indent[0] = indent[1]
  raw[1] = raw[2]; kind[1] = kind[2]; text[1] = text[2]; indent[1] = indent[2]
}
END { take(2, ""); check(); exit found > 0 }
