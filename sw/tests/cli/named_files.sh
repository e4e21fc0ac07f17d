#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No verb reads and writes one file, or writes one twice: every pair of options that name files, as
# `sluice help --files` lists them.
# usage: sw/tests/cli/named_files.sh SLUICE
set -u
sluice=$(realpath "$1")
dir=$(mktemp -d "${TMPDIR:-/tmp}/named-files.XXXXXX")
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/in" && cd "$dir/in" || exit 3
pass=0 fail=0

good() { pass=$((pass + 1)); }
bad() {
	fail=$((fail + 1))
	echo "FAILED $*"
}

# The argument that names file $2, as the form $1 says; $3: in or out.
argument() {
	case $1 in
	*=KIND:*) [ "$3" = in ] && echo "0=pcap:$2" || echo "1=pcap:,out=$2,trunk" ;;
	*TABLE=FILE) echo "t=$2" ;;
	FILE:VID) echo "$2:5" ;;
	PREFIX) echo "${2%.tsv}" ;;
	*) echo "$2" ;;
	esac
}

# Exit 2, the sentence, and no file touched, made or removed.
refused() { # label text arguments...
	label=$1 text=$2
	shift 2
	before=$(ls -l --time-style=full-iso; cat kept.tsv 2>/dev/null)
	timeout 20 "$sluice" "$@" >../out 2>../err </dev/null
	code=$?
	after=$(ls -l --time-style=full-iso; cat kept.tsv 2>/dev/null)
	if [ $code != 2 ]; then bad "$label: exit $code: sluice $*: $(head -3 ../err)"
	elif ! grep -q "$text" ../err; then bad "$label: $(cat ../err)"
	elif [ "$before" != "$after" ]; then bad "$label: files changed"
	else good; fi
	rm -f ../out ../err
}

fresh() {
	rm -rf ./*
	echo "precious" >kept.tsv
	ln -s kept.tsv soft.tsv
	ln kept.tsv hard.tsv
	ln -s nowhere.tsv dangling.tsv
}

read_and_written='is to be read, and to be written' twice='is to be written twice'
"$sluice" help --files >../list || exit 3
for verb in $("$sluice" help --verbs); do
	while read -r of does option form; do
		[ "$of" = "$verb" ] || continue
		case $does in write | both) ;; *) continue ;; esac
		# beside an argument that is no option, by its name, links, and another spelling
		for other in kept.tsv soft.tsv hard.tsv ./kept.tsv; do
			fresh
			refused "$verb argument $option $other" "$read_and_written" "$verb" kept.tsv "$option" \
				"$(argument "$form" $other out)"
		done
		while read -r of2 does2 option2 form2; do
			[ "$of2" = "$verb" ] || continue
			case $does2 in
			read | both)
				for other in kept.tsv soft.tsv hard.tsv "$dir/in/kept.tsv"; do
					fresh
					refused "$verb $option2 $option $other" "$read_and_written" "$verb" "$option2" \
						"$(argument "$form2" kept.tsv in)" "$option" "$(argument "$form" "$other" out)"
				done
				;;
			esac
			case $does2 in
			write | both)
				[ "$option" = "$option2" ] && [ $does2 = write ] && continue
				fresh
				refused "$verb $option2 $option" "$twice" "$verb" "$option2" \
					"$(argument "$form2" kept.tsv out)" "$option" "$(argument "$form" ./kept.tsv out)"
				fresh  # of a file that is not there yet, and through a link that leads nowhere
				refused "$verb $option2 $option new" "$twice" "$verb" "$option2" \
					"$(argument "$form2" nowhere.tsv out)" "$option" \
					"$(argument "$form" dangling.tsv out)"
				;;
			esac
		done <../list
		# A folder that is not there: said before anything runs.
		fresh
		timeout 20 "$sluice" "$verb" "$option" "$(argument "$form" no/such/x.tsv out)" >../out \
			2>../err </dev/null
		code=$?
		if [ $code = 3 ] && grep -q "cannot write 'no/such/.*No such file" ../err; then good
		else bad "$verb $option into no folder: exit $code: $(cat ../err)"; fi
	done <../list
done

# Every option whose help has a FILE is in the list; cli_parse refuses another table.
for verb in $("$sluice" help --verbs); do
	"$sluice" help "$verb" | grep -oE -- '--[a-z-]+ [^ ]*(FILE|DIR|PREFIX|IMAGE|KIND:WHAT)[^ ]*' |
		while read -r option form; do
			grep -q "^$verb [a-z]* $option " ../list || echo "$verb $option"
		done
done >../missing
if [ -s ../missing ]; then bad "not in the list: $(cat ../missing)"; else good; fi

# What may be named twice.
fresh
echo 'struct Packet { int out @ meta.port_out; }; void f(struct Packet p) { p.out = 1; }' >f.dom
if "$sluice" run f.dom --chip model:k4 -n 3 -o /dev/null --report /dev/null -q >/dev/null; then good
else bad "/dev/null twice"; fi

# '-' is the file that standard input or output is.
standard() { # label FROM TO arguments...: one of them is kept.tsv
	label=$1 from=$2 to=$3
	shift 3
	timeout 20 "$sluice" "$@" <"$from" >>"$to" 2>../err
	code=$?
	if [ $code = 2 ] && grep -q "$read_and_written" ../err && [ "$(cat kept.tsv)" = precious ]; then good
	else bad "$label: exit $code: $(cat ../err)"; fi
}
for other in kept.tsv soft.tsv hard.tsv; do
	fresh
	standard 'a capture' kept.tsv /dev/null run f.dom --pcap - -o $other
	standard 'a capture at a port' kept.tsv /dev/null run f.dom --pcap 0:- --report $other
	standard 'a program' kept.tsv /dev/null compile - -o $other
	standard 'a module' kept.tsv /dev/null run -m -:5 -o $other
	standard 'entries' kept.tsv /dev/null run f.dom --entries t=- -o $other
	standard 'output' /dev/null kept.tsv run f.dom --pcap $other -o -
	standard 'an image' /dev/null kept.tsv compile $other -o -
	standard 'both' kept.tsv kept.tsv run f.dom --pcap - -o -
done
rm -f ../list ../missing
echo "$pass passed, $fail failed"
[ $fail = 0 ] && [ $pass -gt 400 ]
