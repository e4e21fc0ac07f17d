#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Products of `make ip`, as text: names, what is refused, what is left out. Their lint is `make ip-lint`, their behaviour tb/two_chips.
# usage: ip.sh, from the root
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
it() {  # it SENTENCE COMMAND
  n=$((n + 1))
  if eval "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; failed=$((failed + 1)); fi
}
product() { name=$1; shift; DIR=$dir/$name sw/layout/ip "$name" "$@" >"$dir/out" 2>"$dir/err"; }
refused() { told=$1; shift; ! product "$@" && grep -q "$told" "$dir/err" && [ ! -e "$dir/$1" ]; }
# Everything that another product could have, too: modules, packages, macros that outlive their file, files.
names() {
  sed -n 's/^module \([a-z0-9_]*\).*/\1/p; s/^package \([a-z0-9_]*\).*/\1/p; s/^`define \([A-Z0-9_]*\).*/\1/p' "$dir/$1"/rtl/* >"$dir/all"
  sed -n 's/^`undef //p' "$dir/$1"/rtl/* >"$dir/gone"
  { grep -vxFf "$dir/gone" "$dir/all"; ls "$dir/$1/rtl"; } | sort -u
}
value() { sed -n "s/^ *localparam int unsigned $2  *= *\([0-9]*\);.*/\1/p" "$dir/$1/rtl/$1_pkg.sv"; }

it 'a product of a shape' 'product acme k4.k2'
it 'one with other values' 'product beta small NumPorts=4 MatchEntries=3 && [ "$(value beta NumPorts)" = 4 ] && [ "$(value beta MatchEntries)" = 3 ] && [ "$(value beta NumPipes)" = 2 ]'
it 'two products have no name in common' '[ "$(names acme | wc -l)" -gt 200 ] && names acme >"$dir/a" && names beta >"$dir/b" && [ -z "$(comm -12 "$dir/a" "$dir/b")" ]'
it 'every name has the prefix' '! names acme | grep -v "^acme\(_\|$\|\.\)\|^ACME_"'
it 'no name of the project is left in code' '! sed "s,//.*,," "$dir"/acme/rtl/* | grep -i "sluice"'
it 'the list has all files of the chip, a package and a top' '[ "$(grep -c "^rtl/" "$dir/acme/acme.f")" = "$(($(grep -c "^rtl/" rtl/sluice.f) - $(grep -c "^rtl/.*_pkg.sv" rtl/sluice.f) + 2))" ] && for f in $(grep "^rtl/" "$dir/acme/acme.f"); do [ -s "$dir/acme/$f" ] || return 1; done'
it 'the core has the files of the list' '[ "$(sed -n "s/^      - \(rtl.*sv\)$/\1/p" "$dir/acme/acme.core")" = "$(grep "^rtl/" "$dir/acme/acme.f")" ]'
it 'one package, imported once a module' '[ "$(grep -l "^package" "$dir"/acme/rtl/* | wc -l)" = 1 ] && ! grep -c "^ *import acme_pkg::\*;" "$dir"/acme/rtl/* | grep -v ":[01]$"'
it 'the top has no probes' '! grep -q "probe_o *$\|probe_t  *probe_o" "$dir/acme/rtl/acme.sv" && grep -q "probe_o" "$dir/acme/rtl/acme_chip.sv"'
it 'no test faults, whatever the shape' 'product calm tight && [ "$(value calm TestFaults)" = 0 ]'
it 'the page says how the tools call the shape' 'grep -q -e "--chip k4.k2\`" "$dir/acme/README.md" && grep -q -e "--chip small.NumPorts4.MatchEntries3\`" "$dir/beta/README.md" && grep -q -e "--chip tight.TestFaults0\`" "$dir/calm/README.md"'
it 'where that is too long, a line for configs.def names every parameter' 'product long small NumPorts=4 MatchEntries=3 PhantomDepth=8 NumModules=4 LaneDepth=16 && [ "$(grep -o "\.[A-Z][A-Za-z0-9]* = " "$dir/long/README.md" | wc -l)" = "$(grep -c "^SLUICE_PARAM" sw/configs.def)" ]'
# Ports of a product by its own README, and by its top: name, direction, and how many bits, worked out from the package.
ports_told() { sed -n 's/^| `\([a-z_]*_n\{0,1\}[io]\)` | \([a-z]*\) | \([0-9x ]*\) | ..* |$/\1 \2 \3/p' "$dir/$1/README.md" | awk '{ print $1, $2, (NF > 3 ? $3 * $5 : $3) }'; }
ports_there() {
  awk -v k="$(value "$1" NumPipes)" -v b="$(value "$1" BeatBytes)" '/^ *(input|output) / {
    sub(/ *\/\/.*/, ""); sub(/,$/, ""); bits = 1; line = $0
    gsub(/NumPipes-1/, k - 1, line); gsub(/BeatBits-1/, 8 * b - 1, line); gsub(/BeatBytes-1/, b - 1, line)
    while (match(line, /\[[0-9]+:0\]/)) { bits *= substr(line, RSTART + 1) + 1; line = substr(line, RSTART + RLENGTH) }
    print $NF, ($1 == "input" ? "in" : "out"), bits }' "$dir/$1/rtl/$1.sv"
}
it 'the page has all ports with their bits' '[ "$(ports_told acme | wc -l)" -gt 40 ] && [ "$(ports_told acme)" = "$(ports_there acme)" ] && [ "$(ports_told beta)" = "$(ports_there beta)" ] && ! [ "$(ports_told acme)" = "$(ports_told beta)" ]'
it 'the page has all parameters with their values' '[ "$(sed "1,/^## Parameters/d" "$dir/acme/README.md" | grep -c "^| .[A-Z]")" = "$(grep -c "^SLUICE_PARAM" sw/configs.def)" ] && grep -q "^| .MatchEntries. | 3 |" "$dir/beta/README.md"'
it 'docs/ip.md has all ports, too' 'awk -v mode=ports -f sw/layout/ip_tables.awk sw/layout/ports.txt rtl/sluice.sv >"$dir/ports" && grep -Fxf "$dir/ports" docs/ip.md | cmp -s - "$dir/ports"'
it 'a port without words is refused, and words without a port' '! grep -v "^rx_err_i" sw/layout/ports.txt >"$dir/ports.txt" || ! awk -v mode=ports -f sw/layout/ip_tables.awk "$dir/ports.txt" rtl/sluice.sv >"$dir/out" 2>"$dir/err" && grep -q "no words for port rx_err_i" "$dir/err" &&
  { cat sw/layout/ports.txt; echo "rx_more_i nothing"; } >"$dir/ports.txt" && ! awk -v mode=ports -f sw/layout/ip_tables.awk "$dir/ports.txt" rtl/sluice.sv >"$dir/out" 2>"$dir/err" && grep -q "no port rx_more_i" "$dir/err"'
it 'nothing in the page is left to fill in' '! grep "@[A-Z]*@" "$dir/acme/README.md"'
it 'a fault cannot be asked for' 'refused "no test faults" gamma k4.k2 TestFaults=1'
it 'an illegal shape is refused' 'refused "NumPorts must be at least NumPipes" gamma k4.k8 NumPorts=7'
it 'an unknown shape is refused' 'refused "no chip .k3." gamma k3'
it 'an unknown parameter is refused' 'refused "no parameter .Ports." gamma k4.k2 Ports=7'
it 'a name that is none is refused' 'refused "lower case" Gamma k4.k2 && refused "lower case" a-b k4.k2 && refused "usage" gamma'
it 'a name that begins as the project does is refused' 'refused "take another" sluice_two k4.k2 && refused "take another" sluice k4.k2'
echo "1..$n"
[ $failed -eq 0 ]
