#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The interface of the library as abidw describes it: every symbol that LIBRARY exports, with the type that the headers give it.
# usage: sw/package/abi.sh LIBRARY [HEADERS]     LIBRARY: build/libsluice.so.VERSION; HEADERS: the folder of sluice/ (sw/include)
#
# What is described is a library of pointers, sluice_x_call for the function sluice_x, which is compiled of the headers alone: so
# structures whose members they do not show are not part of it. A symbol that no header declares is an error.
set -eu
library=$1 headers=${2:-sw/include}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
for header in "$headers"/sluice/*.h; do echo "#include <sluice/${header##*/}>"; done >"$dir/calls.c"
nm -D --defined-only "$library" | LC_ALL=C sort -k 3 | awk '{ print "__typeof__(" $3 ") *" $3 "_call;" }' >>"$dir/calls.c"
(cd "$dir" && gcc -std=c11 -g -gno-record-gcc-switches -fPIC -shared -nostdlib -I "$(cd "$OLDPWD" && realpath "$headers")" -Wl,-soname,"$soname" -o calls.so calls.c)
abidw --no-architecture --no-corpus-path --no-comp-dir-path --no-show-locs --no-parameter-names --no-elf-needed "$dir/calls.so"
