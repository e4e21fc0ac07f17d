# SPDX-License-Identifier: Apache-2.0
# The elaborated hierarchy (Verilator's XML) cut down to blocks: the modules that synth/mechanisms.tsv
# lists. What lies between two blocks belongs to the upper one.
#   awk -v out=DIR -f hierarchy.awk synth/mechanisms.tsv chip.xml
# writes to DIR
#   kinds.tsv      kind (module and parameters), module, copies in the chip, parameters NAME=VALUE...
#   instances.tsv  kind, path of an instance inside it, kind of the instance

function value(line, key,    text) {
  if (!match(line, " " key "=\"[^\"]*\"")) return ""
  text = substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 4)
  gsub(/&apos;/, "'", text)
  return text
}

FNR == NR {
  if ($0 !~ /^#/ && NF && $1 !~ /\//) block[$1] = 1
  next
}

/<module / {
  kind = value($0, "name")
  name[++modules] = kind
  module[kind] = value($0, "origName")
  if (value($0, "topModule") == "1") top = kind
  depth = 0
}
/<\/module>/ { kind = "" }
kind == "" { next }

/<begin/ {
  depth++
  scope[depth] = value($0, "name")
  if ($0 ~ /\/>/) depth--
}
/<\/begin>/ { depth-- }

/ param="true"/ { parameter = value($0, "origName") }
/<const / && parameter != "" {
  parameters[kind] = parameters[kind] " " parameter "=" value($0, "name")
  parameter = ""
}

/<instance / {
  path = ""
  for (i = 1; i <= depth; i++) if (scope[i] != "") path = path scope[i] "."
  child_path[kind, ++children[kind]] = path value($0, "name")
  child_kind[kind, children[kind]]   = value($0, "defName")
}

# Instances of blocks below `kind`, as seen from the block `owner`.
function walk(owner, kind, prefix, times,    i, child, path) {
  for (i = 1; i <= children[kind]; i++) {
    child = same[child_kind[kind, i]]
    path  = prefix child_path[kind, i]
    if (module[child] in block) {
      if (!(owner in walked)) print owner, path, child >(out "/instances.tsv")
      add(child, times)
    } else {
      walk(owner, child, path ".", times)
    }
  }
}
function add(kind, times) {
  if (!(kind in copies)) order[++kinds] = kind
  copies[kind] += times
  walk(kind, kind, "", times)
  walked[kind] = 1
}

# Verilator makes several modules of one with equal parameters, where they were given in different ways.
function merge(    i, key) {
  for (i = 1; i <= modules; i++) {
    key = module[name[i]] SUBSEP parameters[name[i]]
    if (!(key in first)) first[key] = name[i]
    same[name[i]] = first[key]
  }
}

END {
  OFS = "\t"
  merge()
  if (top == "") { print "hierarchy.awk: no top module" >"/dev/stderr"; exit 1 }
  printf "" >(out "/instances.tsv")
  add(top, 1)
  for (i = 1; i <= kinds; i++)
    print order[i], module[order[i]], copies[order[i]], substr(parameters[order[i]], 2) >(out "/kinds.tsv")
}
