# SPDX-License-Identifier: Apache-2.0
# Prints C that holds the page of `sluice run --view` as lines: page.html, with files in place of the lines that name them (style.css, data.js). The
# line that says DATA parts what stands before the data and behind it.
# usage: awk -v folder=sw/view -f embed.awk sw/view/page.html
# Every `what` becomes `by`; no rules of gsub for backslashes.
function instead(line, what, by, parts, n, i, made) {
  n = split(line, parts, what)
  made = parts[1]
  for (i = 2; i <= n; i++) made = made by parts[i]
  return made
}
function put(line) {
  line = instead(instead(line, "[\\\\]", "\\\\"), "\"", "\\\"")
  print "    \"" instead(line, "[?]", "\\?") "\","
}
function put_file(name, line, path) {
  path = folder "/" name
  if ((getline line < path) <= 0) print "#error " path " is missing"
  else do put(line); while ((getline line < path) > 0)
  close(path)
}
BEGIN { print "// Printed by sw/view/embed.awk.\n#include \"cli/view.h\"\nconst char *const view_page_head[] = {" }
/^DATA$/ { print "    0};\nconst char *const view_page_tail[] = {"; next }
/^[a-z]+\.(css|js)$/ { put_file($0); next }
{ put($0) }
END { print "    0};" }
