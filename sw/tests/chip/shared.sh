#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Alike instances share their code in the simulator (tb/sluice/shared_modules): a function call in such a module gives every instance code of its
# own, and the simulator of a large shape takes three times as long to build. Looks at what Verilator made. TAP.
# usage: shared.sh [CHIP...]
# Needs: tiny
. "$(dirname "$0")/lib"
[ $# -gt 0 ] || set -- tiny capsules
for chip; do need_chip "$chip"; done
# calls FOLDER: modules with functions, but sluice_drop_source, of which there are few
calls() { grep -l '__Vfunc_\|__Vsampled' "$1"/Vsim_sluice_*.cpp 2> "$out/grep.err" | sed 's,.*/Vsim_,,; s,__.*,,' | sort | uniq -c | grep -wE "$(sed -n 's/^\(sluice_[a-z_]*\)$/\1/p' tb/sluice/shared_modules | grep -v sluice_drop_source | paste -sd '|')"; }
for chip; do
  it "$chip: no shared module calls a function" 'ls "build/$chip/v"/Vsim_sluice_back_unit*.cpp > "$out/files" && ! calls "build/$chip/v" > "$out/calls" || { sed "s/^/# files: /" "$out/calls"; false; }'
done
it 'one that does is seen' 'mkdir "$out/mutant" && echo "__Vfunc_is_mark__1__Vfuncout" > "$out/mutant/Vsim_sluice_back_unit__pi1__DepSet_h1__0.cpp" && calls "$out/mutant" > "$out/calls"'
finish
