#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Manual pages and completion say what --help says, as TAP. usage: pages.sh [SLUICE [broken]]; broken: SLUICE is one that must fail
set -u
here=$(cd "$(dirname "$0")" && pwd)
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }

"$SLUICE" help --verbs > verbs && "$SLUICE" help --completion bash > completion && "$SLUICE" help --man > sluice.1
say $? 'verbs, completion and page are printed'
[ "$(wc -l < verbs)" -ge 12 ]; say $? "there are $(wc -l < verbs) verbs"
for verb in $(cat verbs); do grep -qx "\.B $verb" sluice.1 && grep -q "^\.BR sluice\\\\-$verb (1)" sluice.1 || echo "# $verb"; done > missing
[ ! -s missing ]; say $? 'sluice(1) names every verb'; cat missing
for code in 0 1 2 3 4 '130, 143'; do grep -qx "\.B $code" sluice.1 || echo "# $code"; done > missing
[ ! -s missing ]; say $? 'sluice(1) names every exit code'; cat missing

# Options as --help has them: "  -c, --chip NAME  text", "      --json  text". VERB, option, the letter or nothing.
for verb in $(cat verbs); do
  "$SLUICE" help "$verb" | awk -v verb="$verb" '/^  (-., |    )--/ {sub(/^ +/, ""); letter = ""; if ($1 ~ /,$/) {letter = substr($1, 1, 2); $1 = $2} print verb, $1, letter}'
done > options
[ "$(wc -l < options)" -gt 200 ]; say $? "there are $(wc -l < options) options"
while read -r verb option letter; do
  [ -s "sluice-$verb.1" ] || "$SLUICE" help --man "$verb" > "sluice-$verb.1"
  dashed=$(printf '%s' "$option" | sed 's/-/\\\\-/g')
  want="\\\\fB$dashed\\\\fR"
  [ -z "$letter" ] || want="\\\\fB\\\\-${letter#-}\\\\fR, $want"
  grep -q "^$want" "sluice-$verb.1" || echo "# $verb $letter $option"
done < options > missing
[ ! -s missing ]; say $? 'every option of every verb, with its letter, is in its page'; cat missing
for verb in $(cat verbs); do
  for code in 0 1 2 3; do grep -qx "\.B $code" "sluice-$verb.1" || echo "# $verb: exit code $code"; done
done > missing
for verb in run serve; do grep -qx '\.B 4' "sluice-$verb.1" || echo "# $verb: exit code 4"; done >> missing
[ ! -s missing ]; say $? 'every page tells the exit codes'; cat missing

if command -v groff > tool; then
  for page in *.1; do
    groff -man -ww -z -Tutf8 "$page" 2>> warnings
    # What a reader sees, without the overstrikes of bold.
    groff -man -P-c -Tutf8 "$page" 2>> warnings | sed 's/.\x08//g' > "$page.txt"
  done
  [ ! -s warnings ]; say $? 'groff renders all pages without a warning'; sed 's/^/# /' warnings
  while read -r verb option letter; do grep -q -e "^ *$letter,* *$option" "sluice-$verb.1.txt" || echo "# $verb $option"; done < options > missing
  [ ! -s missing ]; say $? 'a reader finds every option with ASCII hyphens'; cat missing
else
  say 0 'groff renders all pages # SKIP no groff here'
fi
if command -v man > tool && command -v groff > tool; then
  for page in *.1; do man --warnings -l "$page" > /dev/null 2>> seen; done
  [ ! -s seen ]; say $? 'man -l shows all pages without a warning'; sed 's/^/# /' seen
else
  say 0 'man -l shows all pages # SKIP no man or no groff here'
fi

if ! command -v bash > tool; then
  say 0 'completion # SKIP no bash here'
else
# ask LINE: what bash would offer, one a line.
cat > ask.bash <<'BASH'
. "$1"
while IFS= read -r COMP_LINE; do
  COMP_POINT=${#COMP_LINE} COMPREPLY=() COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
  _sluice
  for word in "${COMPREPLY[@]}"; do printf '%s\t%s\n' "$COMP_LINE" "$word"; done
done
BASH
bash -n completion; say $? 'the completion is good bash'
tab=$(printf '\t')
# offers SENTENCE LINE WORD...: all of these words, and no other if the first is =.
offers() {
  sentence=$1 line=$2 bad=0; shift 2
  printf '%s\n' "$line" | bash ask.bash completion > got 2> err
  only=; if [ "${1:-}" = = ]; then only=1; shift; fi
  for word in "$@"; do grep -qxF -e "$line$tab$word" got || { echo "# '$word' is not offered behind '$line'"; bad=1; }; done
  [ -z "$only" ] || [ "$(wc -l < got)" -eq $# ] || { echo "# too many:"; sed 's/^/# /' got; bad=1; }
  [ ! -s err ] || { sed 's/^/# /' err; bad=1; }
  say $bad "$sentence"
}
while read -r verb option letter; do printf 'sluice %s %s\n' "$verb" "$option"; [ -z "$letter" ] || printf 'sluice %s %s\n' "$verb" "$letter"; done < options > lines
bash ask.bash completion < lines > got 2> err
while read -r line; do grep -qxF -e "$line$tab${line##* }" got || echo "# $line"; done < lines > missing
[ ! -s missing ] && [ ! -s err ]; say $? 'every option of every verb is offered'; cat missing err
"$SLUICE" layout shapes | sed -n '/^## Parameters/q; s/^| `\([a-z0-9]*\)` |.*/\1/p' | sort -u > chips
for verb in run compile serve bench-study fuzz isolate packets bringup; do sed "s/^/sluice $verb --chip /" chips; done > lines
[ "$(wc -l < lines)" -ge 80 ]; say $? "the $(wc -l < chips) chips to choose from are known"
bash ask.bash completion < lines > got 2> err
while read -r line; do grep -qxF -e "$line$tab${line##* }" got || echo "# $line"; done < lines > missing
[ ! -s missing ] && [ ! -s err ]; say $? 'every chip is offered behind every --chip'; cat missing err
# Words of tables that are printed elsewhere: a name that is offered is one that the documentation has.
echo 'sluice run --register ' | bash ask.bash completion | cut -f 2 > registers
"$SLUICE" layout docs > tables.md
while read -r register; do grep -qw -e "${register#*.}" tables.md || echo "# $register"; done < registers > missing
[ "$(wc -l < registers)" -gt 40 ] && [ ! -s missing ]; say $? "registers are offered by the names of docs/tables.md"; head -n 5 missing
# A word that stands in the list of the completion alone is named by the help of its verb, so that both change together.
for row in 'run --mix' 'run --size' 'run --pace-by' 'run --lanes' 'bench-replay --place' 'bench-replay --lanes' 'run --steer' 'run --issue' 'gen --pattern' \
           'gen --mix' 'compile --target' 'bench-study --mode' 'ctl' 'layout' 'active' 'p4'; do
  "$SLUICE" help "${row%% *}" > help
  words=$(printf 'sluice %s \n' "$row" | bash ask.bash completion | cut -f 2)
  [ -n "$words" ] || echo "# nothing behind $row"
  for word in $words; do grep -qw -e "$word" help || echo "# $row: the help does not name $word"; done
done > missing
[ ! -s missing ]; say $? 'words that are offered are named by the help'; cat missing
offers 'verbs are offered' 'sluice ' $(cat verbs) help --help --version
offers 'a verb of bench is two words' 'sluice bench replay --lanes ' = spread flow
offers 'a verb is completed' 'sluice ru' = run
offers 'an option is completed' 'sluice run --repl' = --replace-vlan
offers 'faults are offered' 'sluice run --chip tight --fault lane' = lane_swap
offers 'faults are offered by fuzz' 'sluice fuzz --fault no_' = no_forward no_bounds no_patch
offers 'chips are offered behind =' 'sluice run --chip=ti' = tiny
offers 'chips of the model are offered behind the colon' 'sluice serve --chip model:ti' = tiny
offers 'the model is offered' 'sluice serve --chip model' model:tiny model:k4
offers 'the passes are offered' 'sluice compile a.dom --dump ' all parse schedule
offers "the switch's verbs are offered" 'sluice ctl u' = update
offers 'only what reads is watched' 'sluice ctl watch ' = list show state cut counters stages param table reaction event
offers 'chips are offered behind a word of a verb' 'sluice layout config ti' = tiny
offers 'pages are offered' 'sluice help --man ct' = ctl
offers 'a number is not completed' 'sluice run -n ' =
offers 'files are left to bash' 'sluice run --pcap ' =
offers 'blanks in words end no word' 'sluice run a\ b.dom --chip ti' = tiny
fi
"$SLUICE" help --man dance > out 2> err; [ $? -eq 2 ] && grep -q "unknown verb 'dance'" err; say $? 'a page of no verb is refused'
"$SLUICE" help --completion fish > out 2> err; [ $? -eq 2 ] && grep -q 'help takes a verb' err; say $? 'another shell is refused'
"$SLUICE" help run away > out 2> err; [ $? -eq 2 ] && grep -q 'help takes a verb' err; say $? 'more than one verb is refused'
"$SLUICE" help --man run > /dev/full 2> err; [ $? -eq 3 ]; say $? 'a full disk behind a page is an error'
# The test itself: a command that forgets one option of a page, one of the completion, and a chip.
if [ "${2:-}" != broken ] && command -v bash > tool; then
  printf '#!/bin/sh\n"%s" "$@" | sed -e "/^.fB.-.-pace.fR/d" -e "/options=/s/ --brake / /" -e "s/ menshen / /"\n' "$SLUICE" > broken
  chmod +x broken
  sh "$here/pages.sh" ./broken broken > found
  for what in '^# run *--pace$' '^# sluice run --brake$' '^# sluice fuzz --chip menshen$'; do grep -q -e "$what" found || echo "# not found: $what"; done > missing
  [ "$(grep -c '^not ok' found)" -ge 3 ] && [ ! -s missing ]; say $? 'what a broken command forgets is found'; cat missing
fi
echo "1..$n"
[ $failed -eq 0 ]
