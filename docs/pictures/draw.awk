# SPDX-License-Identifier: Apache-2.0
# Draws a block diagram (NAME.pic) as SVG. All coordinates are pixels, x to the right, y down. One statement a line, # begins a comment:
#   title "TEXT"                            what the picture shows, for who cannot see it
#   size WIDTH HEIGHT
#   box NAME X Y WIDTH HEIGHT KIND "A|B"    a box with the lines A and B. KIND: logic, memory, order, control, packet, spare, or frame (dashed,
#                                           its text at the top)
#   arrow POINT POINT... ["TEXT"]           a line with a head at its end; TEXT stands above the middle of its first piece
#   line, dashed                            the same without a head; dashed, with a head
#   text X Y start|middle|end "TEXT"
# A POINT is X,Y or NAME.SIDE: the middle of a side (n, s, e, w) of a box that is there already, NAME.SIDE+N a place N further down or to the right.
# A text that does not fit its box, an unknown name, a box outside the picture: an error with its line, exit code 1.
# Boxes are light with dark text, lines and free text of a middle grey: legible on white and on black.
# usage: LC_ALL=C awk -f draw.awk NAME.pic
function complain(why) { print FILENAME ":" FNR ": " why > "/dev/stderr"; failed = 1 }
function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
# Bytes of a letter above 127 count once. 7 pixels a letter is more than usual fonts take at this size.
function width_of(text) { gsub(/[\200-\277]/, "", text); return length(text) * 7 }
function emit(text) { body[++lines] = text }
function put(x, y, anchor, text, class) {
  emit("<text class=\"" class "\" x=\"" x "\" y=\"" y "\" text-anchor=\"" anchor "\">" escaped(text) "</text>")
}
# The point `word` as px, py.
function point(word, part, name, side, off) {
  if (word ~ /^-?[0-9]+,-?[0-9]+$/) { split(word, part, ","); px = part[1] + 0; py = part[2] + 0; return }
  off = 0
  if (match(word, /[+-][0-9]+$/)) { off = substr(word, RSTART) + 0; word = substr(word, 1, RSTART - 1) }
  name = substr(word, 1, length(word) - 2)
  side = substr(word, length(word) - 1)
  if (!(name in left) || side !~ /^\.[nsew]$/) { complain("no point " word); return }
  px = left[name] + (side == ".w" ? 0 : side == ".e" ? wide[name] : int(wide[name] / 2))
  py = top[name] + (side == ".n" ? 0 : side == ".s" ? high[name] : int(high[name] / 2))
  if (side == ".n" || side == ".s") px += off; else py += off
}
function box(name, x, y, w, h, kind, text, num, row, i, base) {
  if (kind !~ /^(logic|memory|order|control|packet|spare|frame)$/) complain("no kind of box " kind)
  if (name in left) complain("two boxes " name)
  if (x < 0 || y < 0 || x + w > width || y + h > height) complain("box " name " is outside the picture")
  left[name] = x; top[name] = y; wide[name] = w; high[name] = h
  emit("<rect class=\"" kind "\" x=\"" x "\" y=\"" y "\" width=\"" w "\" height=\"" h "\" rx=\"4\"/>")
  num = split(text, row, "|")
  for (i = 1; i <= num; i++) if (width_of(row[i]) > w - 2) complain("'" row[i] "' does not fit box " name)
  if (num * 17 > h) complain("the lines of box " name " do not fit")
  base = kind == "frame" ? y + 17 : y + int((h - num * 17) / 2) + 13
  for (i = 1; i <= num; i++) put(x + int(w / 2), base + (i - 1) * 17, "middle", row[i], kind == "frame" ? "free" : "in")
}
function path(kind, num, text, i, d, x0, y0, x1, y1) {
  for (i = 2; i <= num; i++) {
    point(word[i])
    d = d (i == 2 ? "M" : "L") px " " py
    if (i == 2) { x0 = px; y0 = py } else if (i == 3) { x1 = px; y1 = py }
  }
  emit("<path class=\"" kind "\" d=\"" d "\"" (kind == "line" ? "" : " marker-end=\"url(#head)\"") "/>")
  if (text != "") put(int((x0 + x1) / 2), int((y0 + y1) / 2) - 5, "middle", text, "free")
}
/^ *(#|$)/ { next }
{
  text = ""
  if (match($0, /"[^"]*" *$/)) {
    text = substr($0, RSTART + 1)
    sub(/" *$/, "", text)
    $0 = substr($0, 1, RSTART - 1)
  }
  num = split($0, word, / +/)
  if (word[num] == "") num--
}
word[1] == "title" { title = text; next }
word[1] == "size" { width = word[2] + 0; height = word[3] + 0; next }
word[1] == "box" && num == 7 { box(word[2], word[3] + 0, word[4] + 0, word[5] + 0, word[6] + 0, word[7], text); next }
word[1] ~ /^(arrow|line|dashed)$/ && num >= 3 { path(word[1], num, text); next }
word[1] == "text" && num == 4 { put(word[2], word[3], word[4], text, "free"); next }
{ complain("not understood") }
END {
  if (failed) exit 1
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " width " " height "\" width=\"" width "\" height=\"" height "\" role=\"img\">"
  print "<title>" escaped(title) "</title>"
  print "<style>"
  print "text{font:12px 'DejaVu Sans',Verdana,sans-serif}.in{fill:#1f2328}.free{fill:#76808c}"
  print "rect{stroke:#76808c}.logic{fill:#dbe9fb}.memory{fill:#fdeccb}.order{fill:#d5f0dc}.control{fill:#e6e8eb}.packet{fill:#f9d9d6}.spare{fill:#fff}"
  print ".frame{fill:none;stroke-dasharray:5 4}path{fill:none;stroke:#76808c;stroke-width:1.5}.dashed{stroke-dasharray:5 4}.tip{fill:#76808c;stroke:none}"
  print "</style>"
  print "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>"
  for (i = 1; i <= lines; i++) print body[i]
  print "</svg>"
}
