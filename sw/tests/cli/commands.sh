#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command in a block of a page can be given: its verb and its options are those of `sluice help`, targets of make are there, and files of the
# tree that it names exist. As TAP. Commands are lines that begin with sluice, build/sluice or make, also behind "$ ".
# Each block with such commands is also run (blocks.sh), or says why not in the line before it: <!-- not run: WHY -->.
# usage: commands.sh SLUICE [PAGE...]    (README and all of docs)
set -u
LC_ALL=C; export LC_ALL
cd "$(dirname "$0")/../../.." || exit 3
SLUICE=$1; shift
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }

# commands PAGE...: "PAGE:LINE<tab>COMMAND", without comments, a command for each part of a pipe.
commands() {
  awk 'FNR == 1 { inside = 0 } /^```/ { inside = !inside; next } !inside && !/^    / { next }
    { text = $0; sub(/^ +/, "", text); sub(/^[$] /, "", text) }
    text ~ /^(build\/)?sluice |^make / { sub(/ +#.*/, "", text); num = split(text, parts, / [|] | && |; /)
      for (i = 1; i <= num; i++) if (parts[i] ~ /^(build\/)?sluice |^make /) print FILENAME ":" FNR "\t" parts[i] }' "$@"
}
# Blocks whose commands nobody runs: "PAGE:LINE: COMMAND". A block is fenced, or indented behind an empty line.
unrun() {
  awk 'function end_of_block() { if (first != "" && !shown && !why) print first; first = ""; shown = 0 }
    FNR == 1 { end_of_block(); inside = indented = why = 0; last = "" }
    /^```/ { if (inside) { end_of_block(); why = 0 } else why = last ~ /^ *<!-- not run: .*-->$/; inside = !inside; last = ""; next }
    !inside && /^    / { if (!indented) { why = before ~ /^ *<!-- not run: .*-->$/ || last ~ /^ *<!-- not run: .*-->$/; indented = 1 } }
    !inside && !/^    / && indented { end_of_block(); indented = why = 0 }
    inside || indented {
      text = $0; sub(/^ +/, "", text)
      if (text ~ /^[$] /) shown = 1
      if (first == "" && text ~ /^(build\/)?sluice [a-z]|^make [a-zA-Z]/) first = FILENAME ":" FNR ": " text }
    { before = last; if ($0 != "") last = $0 }
    END { end_of_block() }' "$@"
}
# Pages with blocks that are run, which neither the everyday tests nor CI name.
unnamed() {
  for page in $(grep -l '^[$] ' "$@"); do
    grep -q -e "blocks.sh.*$page" Makefile .ci/run sw/tests/chip/stories.sh || grep -q -e "$page" sw/tests/chip/stories.sh || echo "$page"
  done
}
# wrong LIST: complaints.
wrong() {
  while IFS="$(printf '\t')" read -r place command; do
    # shellcheck disable=SC2086  # words of it
    set -f; set -- $command; set +f
    tool=$1 verb=${2:-}
    shift; [ $# -eq 0 ] || shift
    if [ "$tool" = make ]; then
      for word in $verb "$@"; do
        case $word in *=* | -* | '"'* | *'"' | *'&'* | '>'* | [0-9]* | '.'*) continue ;; esac
        grep -qx -- "$word" "$dir/targets" || case $word in lint-* | tb-* | formal-* | lesson-* | build/*) ;; *) echo "# $place: no target $word" ;; esac
      done
      continue
    fi
    case $verb in --version | --help | -h) continue ;; help) [ $# -eq 0 ] || case $1 in --*) continue ;; esac; verb=${1:-run}; set -- ;; [A-Z.0-9]* | *:) continue ;; esac
    # A verb of a verb has options of its own.
    case "$verb ${1:-}" in
      "bench replay" | "bench recirculate" | "bench study" | "bench outputs") verb=bench-$1 ;;
      "p4 run" | "p4 info") verb=p4-$1; [ -s "$dir/$verb.help" ] || "$SLUICE" p4 "$1" --help > "$dir/$verb.help" ;;
    esac
    [ -s "$dir/$verb.help" ] || "$SLUICE" help "$verb" > "$dir/$verb.help" 2> "$dir/err" || { echo "# $place: no verb $verb"; continue; }
    for word in "$@"; do
      case $word in
        --*) option=${word%%=*}; option=$(printf %s "$option" | sed "s/[^a-z-].*//")
             grep -q -e "^ *\(-., *\)\{0,1\}$option\( \|$\)" "$dir/$verb.help" || echo "# $place: sluice $verb has no $option" ;;
        sw/* | docs/*) file=${word%%:*}; case $file in *'*'* | *'$'* | *...*) ;; *) [ -e "$file" ] || echo "# $place: no file $file" ;; esac ;;
      esac
    done
  done < "$1"
}
# shellcheck disable=SC2046  # a list of files
awk -F: '/^[a-z][a-zA-Z0-9_-]*:/ { print $1 }' Makefile $(sed -n 's/^include //p' Makefile) > "$dir/targets"

[ $# -gt 0 ] || set -- README.md docs/*.md docs/blocks/*.md
commands "$@" > "$dir/list"
wrong "$dir/list" > "$dir/complaints"
[ ! -s "$dir/complaints" ]; say $? "$(grep -c . "$dir/list") commands of pages can be given"; cat "$dir/complaints"
[ "$(grep -c . "$dir/list")" -gt 150 ]; say $? 'there are more than 150'
# Verbs in running text, between backticks: "PAGE:LINE: COMMAND" of those that are not there.
"$SLUICE" help --verbs > "$dir/verbs"
unknown() { grep -noE '`(build/)?sluice [a-z]+[^`]*`' "$@" /dev/null | awk -v verbs="$dir/verbs" -F: 'BEGIN { while ((getline verb < verbs) > 0) known[verb] = 1; known["help"] = 1 }
  { split($3, word, /[ `]+/); if (!(word[3] in known)) print }'; }
unknown "$@" > "$dir/complaints"
[ ! -s "$dir/complaints" ]; say $? 'verbs in running text are there'; sed 's/^/# /' "$dir/complaints"
unrun "$@" > "$dir/complaints"
[ ! -s "$dir/complaints" ]; say $? 'each block of commands is run, or says why not'; sed 's/^/# /' "$dir/complaints"
unnamed "$@" > "$dir/complaints"
[ ! -s "$dir/complaints" ]; say $? 'each page that shows what commands print is among the tests'; sed 's/^/# /' "$dir/complaints"
printf '```\nmake demo\n```\n<!-- not run: slow -->\n```\nmake demo\n```\n```\n$ make demo\n```\n\n    sluice run x\n' > "$dir/page"
[ "$(unrun "$dir/page" | sed 's/.*page//' | tr '\n' ' ')" = ':2: make demo :12: sluice run x ' ]; say $? 'a block that nobody runs is noticed'
printf 'as `sluice rerun --repeat 2` and `sluice run x` say\n' > "$dir/page"
[ "$(unknown "$dir/page" | wc -l)" -eq 1 ]; say $? 'a verb that is no more is noticed'
printf 'p:1\tsluice run x.dom --chp tiny\np:2\tsluice rum x.dom\np:3\tmake demon\np:4\tsluice run sw/programs/none.dom\np:5\tsluice run sw/programs/flowlet.dom --chip tiny -n 5\np:6\tmake demo\n' > "$dir/bad"
wrong "$dir/bad" > "$dir/complaints"
[ "$(sed 's/^# //; s/:.*//' "$dir/complaints" | sort | uniq -c | tr -s ' ')" = ' 4 p' ] && grep -q 'p:1: sluice run has no --chp' "$dir/complaints" && grep -q 'p:2: no verb rum' "$dir/complaints" &&
  grep -q 'p:3: no target demon' "$dir/complaints" && grep -q 'p:4: no file' "$dir/complaints"; say $? 'a wrong option, verb, target, file is noticed'
echo "1..$n"
[ $failed -eq 0 ]
