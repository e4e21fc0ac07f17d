# Checks that every signal of a GTKWave save file is in a VCD: awk -f signals.awk FILE.gtkw FILE.vcd
FNR == NR { if ($1 ~ /^TOP\./) wanted[$1] = 1; next }
/\$scope/ { scope[++depth] = $3 }
/\$upscope/ { depth-- }
/\$var/ {
  name = ""
  for (i = 1; i <= depth; i++) name = name scope[i] "."
  delete wanted[name $5 ($6 == "$end" ? "" : $6)]
}
/\$enddefinitions/ { exit }
END { for (w in wanted) { print "not in the waves: " w; bad = 1 } exit bad }
