# SPDX-License-Identifier: Apache-2.0
# What the chip tests share; sourced, with the working directory at the root of the project. Results are TAP
# lines; what a run leaves behind stays in build/chip/SCRIPT, so that a failure can be looked at.
#
#   run_chip NAME OPTION...   runs the simulator; sets code, report, text and errors (files)
#   value KEY [FILE]          a number or word of the report: verdict, drops.OVERLOAD, first_difference.field
#   is CONDITION              arithmetic with awk: is "$(value share_of_line_rate) >= 0.999"
#   it SENTENCE COMMAND       one test: ok or not ok
#   note WORD...              numbers for the reader
LC_ALL=C; export LC_ALL
name=$(basename "$0" .sh)
cd "$(dirname "$0")/../../.." || exit 3
SLUICE=${SLUICE:-build/sluice}
out=build/chip/$name${CHIP_RUN:+-$CHIP_RUN}
rm -rf "$out"; mkdir -p "$out" || exit 3
tests=0 failed=0

# What the tests need, or one line that says how to get it.
need_chip() {
  for file in "$SLUICE" "build/$1/sim"; do
    [ -x "$file" ] || { echo "Bail out! no $file: make sluice sim CONFIG=$1"; exit 3; }
  done
  chip=$1
}

# Every run has two bounds: its own, and one that ends a command that does not listen to it.
run_chip() {
  run=$out/$1; shift
  report=$run.json text=$run.out errors=$run.err
  timeout -k 10 $((${LIMIT:-600} + 30)) "$SLUICE" run -c "$chip" --timeout "${LIMIT:-600}" --report "$report" \
    --dir "$run.work" -q "$@" > "$text" 2> "$errors" < /dev/null
  code=$?
}

value() {
  awk -v path="$1" '
    BEGIN { deep = split(path, part, "[.]") }
    { match($0, /^ */); level = RLENGTH / 2; key = $1; gsub(/[":]/, "", key) }
    found && level <= found { found = level - 1 }
    level == found + 1 && key == part[level] {
      if (level < deep) { found = level; next }
      sub(/^ *"[^"]*": "?/, ""); sub(/"?,?$/, ""); print; exit
    }' "${2:-$report}"
}
# The same, 0 for a key that is not there: drops have only the reasons that occurred.
count() { v=$(value "$@"); echo "${v:-0}"; }
# Sum of a key over a list of the report: total braked, total escapes.
total() { awk -v key="\"$1\":" '$1 == key { sum += $2 } END { print sum + 0 }' "${2:-$report}"; }

is() {
  awk "BEGIN { exit !($1) }" 2> "$out/awk.err" && return 0
  echo "# not so: $1"; return 1
}
same() { [ "$1" = "$2" ] && return 0; echo "# '$1' is not '$2'"; return 1; }
has() { grep -q -- "$2" "$1" && return 0; echo "# '$2' is not in $1:"; head -n 5 "$1" | sed 's/^/# /'; return 1; }

# Exit code and verdict belong together.
ends() {
  [ "$code" -eq "$1" ] && [ "$(value verdict)" = "$2" ] && return 0
  echo "# exit code $code, verdict $(value verdict); wanted $1, $2. $(value first_difference.text)$(value error)"
  head -n 5 "$errors" | sed 's/^/# /'
  return 1
}
equivalent() { ends 0 EQUIVALENT && is "$(value c1_violations) == 0 && $(value lost_inside) == 0"; }

it() {
  tests=$((tests + 1)); sentence=$1; shift
  if eval "$*"; then echo "ok $tests - $sentence"; else echo "not ok $tests - $sentence"; failed=$((failed + 1)); fi
}
skip() { tests=$((tests + 1)); echo "ok $tests - $1 # skip $2"; }
note() { echo "# $*"; }
finish() { echo "1..$tests"; [ $failed -eq 0 ]; exit $?; }
