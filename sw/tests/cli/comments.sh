#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No comment of a C or SystemVerilog file is torn (comments.awk), as TAP; and each kind is found. usage: comments.sh
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
it() {
  n=$((n + 1)); name=$1; shift
  if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
all() {
  find sw dpi rtl tb synth docs/examples -name '*.[ch]' -o -name '*.sv' -o -name '*.svh' | grep -v '^rtl/configs/\|^rtl/sluice_layout_pkg' | sort |
    xargs awk -f sw/tests/cli/comments.awk > "$dir/all" && return 0
  sed 's/^/# /' "$dir/all"; return 1
}
# finds WORDS LINE...: a file of these lines is told of.
finds() {
  words=$1; shift
  printf '%s\n' "$@" > "$dir/x.h"
  awk -f sw/tests/cli/comments.awk "$dir/x.h" > "$dir/out" && { echo "# nothing is found"; return 1; }
  grep -q "$words" "$dir/out" || { sed 's/^/# /' "$dir/out"; return 1; }
}
# passes LINE...
passes() { printf '%s\n' "$@" > "$dir/x.h"; awk -f sw/tests/cli/comments.awk "$dir/x.h" > "$dir/out" && return 0; sed 's/^/# /' "$dir/out"; return 1; }
it 'no comment is torn' all
it 'a comment in a comment is found' finds 'comment in a comment' 'int a;  ///// b := "c"'
it 'one word alone is found' finds 'one word alone' '/// A long line of a comment which a machine has broken where the word behind it would not fit' '/// SLUICE_A_LONG_WORD' '/// cycles; nothing else.' 'int a;'
it 'a short line inside a sentence is found' finds torn '/// False, and no change, in' '/// a chip with one bank.' 'int a;'
it 'half a sentence below a declaration is found' finds 'lower case' '  unsigned a;  // waits until those of lower steps' '  // it are known to be there' '  int b;'
it 'whole sentences pass' passes '/// Sets a. A second sentence which is so long that it goes on in the next line, where it ends' '/// with a full stop.' 'int a;  // of this' '// Of that.' 'int b;'
echo "1..$n"
[ "$failed" -eq 0 ]
