# SPDX-License-Identifier: Apache-2.0
# Gives every black box in the elaborated blocks the name of its kind, and writes an empty module for
# each kind, so that a block can be mapped by itself.
#   awk -v dir=DIR -f link.awk DIR/needed.tsv DIR/instances.tsv
# reads DIR/KIND.il; writes DIR/KIND.block.il and DIR/stubs.il
BEGIN { FS = "\t" }
FILENAME ~ /needed\.tsv$/ { kind[++kinds] = $1; next }
{ child[$1, $2] = $3 }

function link(k,    file, line, word, boxed, target, path, inside) {
  file = dir "/" k ".il"
  target = dir "/" k ".block.il"
  printf "" >target
  while ((getline line <file) > 0) {
    split(line, word, " ")
    if (word[1] == "cell") {
      path  = substr(line, index(line, word[3]))
      boxed = word[2] ~ /^\\sluice/
      if (boxed) {
        path = substr(path, 2)
        if (!((k, path) in child)) { print "link.awk: " k ": no kind for " path >"/dev/stderr"; exit 1 }
        line = "  cell \\" child[k, path] " \\" path
      }
    }
    if (word[1] == "end") boxed = 0
    if (boxed && word[1] == "parameter") continue
    print line >target
    # the ports
    if (word[1] == "module") print "attribute \\blackbox 1\n" line >(dir "/stubs.il")
    if (word[1] == "wire" && line ~ / (input|output) [0-9]+ /) print line >(dir "/stubs.il")
  }
  print "end" >(dir "/stubs.il")
  close(file); close(target)
}
END {
  if (kinds == 0) exit 1
  for (i = 1; i <= kinds; i++) link(kind[i])
}
