#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What no simulator may be built with (tb/sluice/shared_calls, a step of each build): shared modules that call functions. TAP.
. "$(dirname "$0")/lib"
mkdir "$out/good" "$out/mutant" "$out/few" "$out/empty"
for name in good mutant few; do echo 'VlWide<4> plain;' > "$out/$name/Vsim_sluice_back_unit__pi1__DepSet_h1__0.cpp"; done
echo 'CData __Vfunc_is_mark__1__Vfuncout;' >> "$out/mutant/Vsim_sluice_back_unit__pi1__DepSet_h1__0.cpp"
echo 'CData __Vfunc_is_mark__1__Vfuncout;' > "$out/few/Vsim_sluice_drop_source__pi1__DepSet_h1__0.cpp"
it 'no call is good' 'tb/sluice/shared_calls "$out/good"'
it 'a module of which there are few may call' 'tb/sluice/shared_calls "$out/few"'
it 'one call in a shared module is seen, and named' '! tb/sluice/shared_calls "$out/mutant" 2> "$out/said" && has "$out/said" "calls a function: sluice_back_unit"'
it 'a folder without C++ is not good' 'tb/sluice/shared_calls "$out/empty" 2> "$out/said"; [ $? -eq 3 ]'
it 'builds of tiny, tight, capsules and k4 look' 'has Makefile "tb/sluice/shared_calls [$](@D)" && has Makefile "^SHARED_SHAPES := tiny tight capsules k4"'
finish
