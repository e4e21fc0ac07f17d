# SPDX-License-Identifier: Apache-2.0
# Cells of a Liberty library (statements, by synth/area/statements): name, area, 1 if it is a register, and of a register
# the output that gives what it holds, not the other one.
function argument(s) { sub(/^[^(]*\(/, "", s); sub(/[,)].*/, "", s); gsub(/[" \t]/, "", s); return s }
function value(s) { sub(/^[^:]*:/, "", s); gsub(/[" \t()]/, "", s); return s }
function flush() { if (cell != "") print cell, area + 0, register + 0, output }
BEGIN { OFS = "\t" }
{ sub(/^[ \t]+/, "") }
/^cell[ \t]*\(/ { flush(); cell = argument($0); area = register = 0; held = output = "" }
/^area[ \t]*:/ { area = value($0) + 0 }
/^(ff|latch)[ \t]*\(/ { register = 1; held = argument($0) }
/^pin[ \t]*\(/ { pin = argument($0) }
/^function[ \t]*:/ && register && value($0) == held { output = pin }
END { flush() }
