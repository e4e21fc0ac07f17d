# SPDX-License-Identifier: Apache-2.0
# Prints each link of Markdown pages that leads nowhere, as "PAGE:LINE: why". A link names a file that is there (the site has no folders), from the page's folder;
# its #anchor a heading there, as GitHub makes anchors of headings: small letters, nothing but letters, digits, - and _, blanks become -, and
# the second of the same name gets -1. Links with a scheme (https:) are not followed. Text in ``` and between ` is no link.
# usage: LC_ALL=C awk -f links.awk PAGE...; exit code 1 if there are any. Bytes above 127 stay, as letters do.
function anchor(heading) {
  sub(/^#+ +/, "", heading)
  sub(/ +#* *$/, "", heading)
  while (match(heading, /\]\([^)]*\)/)) heading = substr(heading, 1, RSTART - 1) substr(heading, RSTART + RLENGTH)
  heading = tolower(heading)
  gsub(/[\001-\037!-,.\/:-@[-^`{-~]/, "", heading)
  gsub(/ /, "-", heading)
  return heading
}
function read_anchors(page, line, fenced, a) {
  if (page in have) return
  have[page] = 1
  while ((getline line < page) > 0) {
    if (line ~ /^ *```/) fenced = !fenced
    if (fenced || line !~ /^#+ /) continue
    a = anchor(line)
    if (uses[page, a]++) a = a "-" uses[page, a] - 1
    anchors[page, a] = 1
  }
  close(page)
}
function is_there(path) {
  if (!(path in there)) there[path] = system("test -f '" path "'") == 0
  return there[path]
}
function check(target, dir, path, name) {
  links++
  if (target ~ /^[a-z]+:/) return
  name = ""
  if (match(target, /#/)) {
    name = substr(target, RSTART + 1)
    target = substr(target, 1, RSTART - 1)
  }
  dir = FILENAME
  if (!sub(/\/[^\/]*$/, "", dir)) dir = "."
  path = target == "" ? FILENAME : dir "/" target
  while (match(path, /[^\/.][^\/]*\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
  if (target ~ /'/ || !is_there(path)) return complain("no file '" target "'")
  if (name == "") return
  if (path !~ /\.md$/) return complain("'" target "' is no page, so it has no #" name)
  read_anchors(path)
  if (!((path, name) in anchors)) complain("no heading #" name " in " path)
}
function complain(why) {
  print FILENAME ":" FNR ": " why
  bad++
}
FNR == 1 { fence = 0 }
/^ *```/ { fence = !fence }
fence { next }
{
  text = $0
  gsub(/`[^`]*`/, "x", text)
  while (match(text, /\]\([^) ]*\)/)) {
    target = substr(text, RSTART + 2, RLENGTH - 3)
    text = substr(text, RSTART + RLENGTH)
    check(target)
  }
}
END {
  if (!links) { print "no link was read"; bad++ }
  else if (!bad) print links " links"
  exit bad > 0
}
