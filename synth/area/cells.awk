# SPDX-License-Identifier: Apache-2.0
# Cells of a liberty file: name, area, 1 if it is a register.
function flush() { if (cell != "") print cell, area + 0, register + 0 }
/^[ \t]*cell[ \t]*\(/ {
  flush()
  cell = $0; sub(/^[^(]*\(/, "", cell); sub(/\).*/, "", cell); gsub(/[" \t]/, "", cell)
  area = register = 0
}
/^[ \t]*area[ \t]*:/ { text = $0; sub(/^[^:]*:/, "", text); area = text + 0 }
/^[ \t]*(ff|latch)[ \t]*\(/ { register = 1 }
END { flush() }
BEGIN { OFS = "\t" }
