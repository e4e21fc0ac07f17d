#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is printed from sw/layouts.def, sw/configs.def and sw/control.def, and the list of the RTL's files, are in the tree as they are printed today.
# usage: printed.sh
cd "$(dirname "$0")/../../.." || exit 3
sluice=build/sluice n=0 failed=0
LC_ALL=C; export LC_ALL
as_printed() { # FILE COMMAND...
  file=$1; shift; n=$((n + 1))
  if "$@" | diff - "$file" > build/printed.diff; then echo "ok $n - $file"; else echo "not ok $n - $file: make layout"; head -n 5 build/printed.diff; failed=$((failed + 1)); fi
}
as_printed rtl/sluice_layout_pkg.sv $sluice layout sv
as_printed rtl/sluice.f awk -f sw/layout/levels.awk rtl/*/*.sv rtl/*.sv
as_printed rtl/ctrl/sluice_csr_map.sv $sluice layout map
as_printed rtl/sluice_cfg_check.sv $sluice layout check
as_printed docs/tables.md $sluice layout docs
as_printed docs/shapes.md $sluice layout shapes
as_printed docs/control.md $sluice layout control
as_printed docs/report.md $sluice layout report
# Examples of shapes: four are in the tree.
for package in rtl/configs/*/sluice_cfg_pkg.sv; do
  shape=${package#rtl/configs/}
  as_printed "$package" $sluice layout config "${shape%/*}"
done
echo "1..$n"
[ $failed -eq 0 ]
