#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public header compiles on its own, as C11 and as C++, with no other folder of the tree in reach.
set -u
failed=0
for header in sw/include/sluice/*.h; do
  name=$(basename "$header")
  for as in "c -std=c11" "c++ -std=c++11"; do
    if echo "#include <sluice/$name>" | gcc -x $as -Wall -Wextra -Wpedantic -Wshadow -Werror -Isw/include -fsyntax-only -; then
      echo "ok $name as $as"
    else
      echo "not ok $name as $as"; failed=1
    fi
  done
  # Nothing of the tree's own folders may be needed.
  if grep -nE '#include +"' "$header"; then echo "not ok $name includes by a path of the tree"; failed=1; fi
done
exit $failed
