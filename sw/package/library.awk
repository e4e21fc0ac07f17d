# SPDX-License-Identifier: Apache-2.0
# The page libsluice(3) from the public headers: each declaration with the comment above it.
# usage: awk -v version=0.1.0 -f library.awk sw/include/sluice/*.h
function plain(s) {
  gsub(/\\/, "\\(rs", s); gsub(/-/, "\\-", s); gsub(/'/, "\\(aq", s); gsub(/`/, "\\(ga", s)
  gsub(/"/, "\\(dq", s); gsub(/\^/, "\\(ha", s); gsub(/~/, "\\(ti", s)
  return s ~ /^\./ ? "\\&" s : s
}
# The comment, filled; its indented lines are code.
function print_comment(   i, code) {
  for (i = 1; i <= lines; i++) {
    if ((comment[i] ~ /^ /) != code) { print code ? ".fi" : ".nf"; code = !code }
    print comment[i] == "" ? (code ? "" : ".sp") : plain(comment[i])
  }
  if (code) print ".fi"
  lines = 0
}
function print_entry(text) {
  sub(/^SLUICE_MUST_CHECK /, "", text); gsub(/[ \t]+/, " ", text); sub(/ ?[;{=].*$/, "", text)
  printf ".TP\n\\fB%s\\fR\n", plain(text)
  print_comment()
}
BEGIN {
  printf ".\\\" Printed from the headers by sw/package/library.awk.\n.TH LIBSLUICE 3 \"\" \"Sluice %s\" \"Sluice\"\n.SH NAME\n", version
  print "libsluice \\- driver library of the Sluice packet switch"
  print ".SH SYNOPSIS\n.nf\n#include <sluice/sluice.h>\n.PP\ncc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs sluice)\n.fi"
  print ".SH DESCRIPTION\nLoads programs into a Sluice chip, watches it and changes it. The chip is a simulator, the reference model or a board."
  print "Every call that can fail returns a status, 0 if it worked, and fills a struct sluice_error with a sentence. The manual with examples"
  print "is docs/driver.md, installed as share/doc/sluice/driver.md."
}
FNR == 1 { lines = body = shown = plus = open = 0; text = ""; n = split(FILENAME, path, "/"); heading = path[n] }
/^#ifdef __cplusplus/ { plus = 1 }
plus { if (/^#endif/) plus = 0; next }
/^#/ || open { open = /\\$/; lines = 0; next }  # a macro, and the lines that it goes on
body { if (/^}/) { body = 0; if (shown) print ".fi"; shown = 0 } else if (shown) print plain($0); next }
/^\/\/\// { comment[++lines] = substr($0, 5); next }
/^\/\// { next }
/^$/ { lines = 0; next }
{
  text = text (text == "" ? "" : " ") $0
  if ($0 !~ /[;{]/) next
  body = text ~ /\{[^}]*$/
  if (lines || text ~ /sluice_[a-z_]+\(/) {
    if (heading != "") { printf ".SH \"sluice/%s\"\n", heading; heading = "" }
    print_entry(text)
    if (body && text !~ /\)/) { print ".nf"; shown = 1 }  # the members of a structure, the values of an enumeration
  }
  lines = 0; text = ""
}
END { print ".SH SEE ALSO\n.BR sluice (1)" }
