# SPDX-License-Identifier: Apache-2.0
# From what `gcov -b -n` prints to a table of folders. A header that several files include counts for each: it is left out.
/^File / { file = $2; gsub(/'/, "", file); own = file ~ /^(sw|dpi)\/.*\.c$/ && file !~ /\/tests\//; folder = file; sub(/\/[^\/]*$/, "", folder) }
function part(text,    of) { of = $0; sub(/.* of /, "", of); sub(/%.*/, "", text); sub(/.*:/, "", text); return of * text / 100 }
own && /^Lines executed:/ { of = $NF; lines[folder] += of; ran[folder] += part($2); seen[folder]++ }
own && /^Taken at least once:/ { of = $NF; branches[folder] += of; taken[folder] += part($4) }
function row(name, l, r, b, t) { printf "| %s | %d | %.1f %% | %d | %.1f %% |\n", name, l, l ? 100 * r / l : 0, b, b ? 100 * t / b : 0 }
END {
  print "| folder | lines | executed | branches | taken |\n|---|---:|---:|---:|---:|"
  for (f in lines) names[++n] = f
  for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (names[j] < names[i]) { held = names[i]; names[i] = names[j]; names[j] = held }
  for (i = 1; i <= n; i++) {
    f = names[i]; row("`" f "`", lines[f], ran[f], branches[f], taken[f])
    L += lines[f]; R += ran[f]; B += branches[f]; T += taken[f]
  }
  row("all", L, R, B, T)
}
