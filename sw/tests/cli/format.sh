#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every C file is as clang-format 14 prints it with .clang-format; a line that is too long or indented otherwise is found.
# usage: sw/tests/cli/format.sh       prints TAP lines; exit code 1 if any is not ok
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0 bad=0
check() { # check TEXT EXIT-CODE
  count=$((count + 1))
  if [ "$2" -eq 0 ]; then echo "ok $count - $1"; else echo "not ok $count - $1"; bad=1; fi
}
program=$(command -v clang-format-14 || command -v clang-format) || { echo "not ok 1 - clang-format 14 is here: install clang-format"; exit 1; }
# Headers among the P4 programs of tests are P4; the sample of the mutants has forms that clang-format would change.
list() { if git rev-parse --git-dir >/dev/null 2>&1; then git ls-files '*.c' '*.h'; else find sw dpi tb -name '*.[ch]'; fi | grep -v -e '^sw/tests/p4/.*\.h' -e '^tb/mutants/sample\.'; }
list | xargs -n 100 "$program" --dry-run -Werror >"$work/log" 2>&1
check "$(list | wc -l) files are as $("$program" --version | sed 's/^.*clang-format/clang-format/') prints them (mend: make format)" $?
grep -E 'error:' "$work/log" | head -n 20
cp .clang-format "$work/"
for mutant in 'static int  a;' 'int f(void) {\n    return 0;\n}' 'int f(int the_first_argument_of_this_function, int the_second_argument_of_this_function, int the_third_one);'; do
  printf "$mutant\n" >"$work/mutant.c"
  ! "$program" --dry-run -Werror "$work/mutant.c" >/dev/null 2>&1
  check "found: $(printf "$mutant" | head -n 1 | cut -c 1-40)" $?
done
exit $bad
