#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reactions by the command, on the reference model, as TAP: compile, run, serve, ctl. usage: reactions.sh [SLUICE].
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
programs=$here/../../programs
dir=$(mktemp -d) || exit 3
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 3
TMPDIR=$dir/tmp; mkdir "$TMPDIR"; export TMPDIR
SLUICE_SIM=$dir/none SLUICE_CONTROL=$dir/switch; export SLUICE_SIM SLUICE_CONTROL
n=0 failed=0

# code NUMBER COMMAND...: exit code; output in out, messages in err.
code() {
  want=$1; shift
  timeout 60 "$@" > out 2> err < /dev/null
  got=$?
  [ $got -eq "$want" ] && return 0
  echo "# exit code $got, wanted $want: $*"; sed 's/^/# /' err; return 1
}
# until COMMAND...: it works within ten seconds.
until_works() { await 10 "$@" > /dev/null 2>&1 || { echo "# not in time: $*"; return 1; }; }
has() { grep -q -- "$2" "$1" && return 0; echo "# '$2' is not in $1:"; sed 's/^/# /' "$1"; return 1; }
of() { got=$(jq -c "$1" r.json); [ "$got" = "$2" ] || { echo "# $1: $got, wanted $2"; return 1; }; }
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
clean() { [ -z "$(ls -A "$TMPDIR")" ] && return 0; echo "# left behind: $(ls "$TMPDIR")"; return 1; }

# program BODY: reads 64 entries and a scalar; line 5 is the reaction's.
program() {
  cat <<EOT
struct Packet { int src @ ipv4.src; int out @ meta.port_out; int many @ bytes(46, 2); };
#define ENTRIES 64
malleable int threshold = 700 in 0..4095;
int packets[ENTRIES] = {0}; int total = 0;
reaction guard(packets, total) {
  $1
}
void watch(struct Packet p) { packets[p.src & 63] += 1; total += 1; p.many = packets[p.src & 63] > threshold; p.out = 1; }
EOT
}
program 'static int last; int sum = 0; for (int i = 0; i < ENTRIES; i++) sum += packets[i];
  if (sum != total) fprintf(stderr, "odd\n"); if (total >= 50 && last < 50) { set_threshold(350); fprintf(stderr, "now\n"); } last = total;' > good.dom
program 'if (total > 20) *(volatile int *)0 = total + packets[0];' > crash.dom
program 'set_threshold(total * 100); (void)packets;' > range.dom
program 'int x = packets; (void)total;' > warns.dom
program 'threshold = total + packets[0];' > wrong.dom
program '(void)packets; (void)total; static int n; printf("turn %d\n", ++n);' > counts.dom
"$SLUICE" gen -o a.pcap -n 200 --size 64 > out || exit 3

it 'compile says what a reaction reads' 'code 0 "$SLUICE" compile good.dom --chip marks -o good.json && has out "reaction guard reads 65 words" && [ ! -s err ] && clean'
it 'the C compiler speaks of the program' 'code 1 "$SLUICE" compile wrong.dom --chip marks && has err "^wrong.dom:6:.*error" && has err "reactions of .watch. are not correct C" && clean'
it 'warnings can be errors' 'code 0 "$SLUICE" compile warns.dom --chip marks && has err "^warns.dom:6:.*warning" && code 1 "$SLUICE" compile warns.dom --chip marks --werror && has err "warnings are errors"'
it 'compile --emit c is the C file' 'code 0 "$SLUICE" compile good.dom --chip marks --emit c -o good.c && cc -std=c11 -Wall -Wextra -Werror -c -o good.o good.c && has good.c "^#line 5 \"good.dom\""'
it 'the IR has none' 'code 1 "$SLUICE" compile good.dom --chip marks --emit ir && has err "ir-reaction"'
it 'a chip without cuts is warned of' 'code 0 "$SLUICE" compile good.dom --chip banks && has err "5:16: warning: .packets. is in stage 0, and chip .banks. has no shadow memory"'
it 'run: the reaction runs while packets do' 'code 0 "$SLUICE" run good.dom --chip model:marks --pcap a.pcap --report r.json && has err "^reaction guard (VLAN 1): now$" && ! grep -q odd err &&
  of "[.reactions[0].name, .reactions[0].runs, .reactions[0].changes, .reactions[0].errors]" "[\"guard\",200,1,0]" && of ".reactions[0].cycles.reach > 0" true && has out "^reaction guard (VLAN 1): runs; 200 dialogues of 65 words, 1 changes, 0 errors" && clean'
it 'code of an image runs only when it is asked for by name' 'code 1 "$SLUICE" run good.json --chip model:marks --pcap a.pcap -q && has err "image that brings reactions.*--reactions trusted runs it" && code 0 "$SLUICE" run good.json --chip model:marks --pcap a.pcap -q --reactions trusted && has err "guard (VLAN 1): now" &&
  code 0 "$SLUICE" run good.json --chip model:marks --pcap a.pcap -q --reactions off && ! grep -q now err && code 1 "$SLUICE" serve good.json --chip model:marks --once --port 0=pcap:a.pcap,trunk && has err "image that brings reactions"'
it 'run: with a period there are fewer' 'code 0 "$SLUICE" run good.dom --chip model:marks --pcap a.pcap --report r.json --reaction-period 100 && of ".reactions[0].runs < 100 and .reactions[0].runs > 3" true'
it 'run: a bus' 'code 0 "$SLUICE" run good.dom --chip model:marks --pcap a.pcap --report r.json --bus read=500 && of "[.reactions[0].bus.model, .reactions[0].bus.reads > 3, .reactions[0].cycles.cut > 1000]" "[\"read=500,write=4,width=16,code=0\",true,true]" && has out "bus read=500,write=4" && code 2 "$SLUICE" run good.json --chip model:marks --pcap a.pcap --bus usb && has err "none, pcie, or numbers"'
it 'run: off' 'code 0 "$SLUICE" run good.json --chip model:marks --pcap a.pcap --report r.json --reactions off && of .reactions null && code 2 "$SLUICE" run good.json --chip model:marks --reactions maybe && has err "none of on, trusted, off"'
it 'run: one that crashes' 'code 1 "$SLUICE" run crash.dom --chip model:marks --pcap a.pcap --report r.json && of "[.packets, .reactions[0].state, .reactions[0].errors]" "[200,\"ended\",1]" && has out "last error: line 6: signal 11" && clean'
it 'run: one that sets out of range' 'code 1 "$SLUICE" run range.dom --chip model:marks --pcap a.pcap --report r.json && of "[.reactions[0].state, .reactions[0].errors, .reactions[0].changes]" "[\"runs\",160,40]" && has err "line 6 sets .threshold. to 4100, legal is 0..4095"'
it 'run: a chip without cuts' 'code 1 "$SLUICE" run good.dom --chip model:banks --pcap a.pcap && has err "no shadow memory there (CutStages); --reactions off runs" && clean'
it 'serve --once' 'code 0 "$SLUICE" serve --chip model:marks good.dom --once --port 0=pcap:a.pcap,trunk && has out "^reaction guard (VLAN 1): runs; .* 1 changes" && clean'

serve() {
  : > served                                # what the one before has said is not taken for this one's
  rm -f served serr
  "$SLUICE" serve --chip model:marks --control switch --always "$@" > served 2> serr < /dev/null &
  server=$!
  await -p $server 10 has_line served "^marks serves" && return 0
  echo "# the switch does not start"; sed 's/^/# /' serr; return 1
}
ctl() { code 0 "$SLUICE" ctl "$@"; }
threshold_is() { ctl param 3 && grep -q "threshold = $1 " out; }
turns() { [ "$(grep -c turn serr)" -gt "$1" ]; }
it 'ctl reaction lists' 'serve -m good.dom:3 -m counts.dom:5 --reaction-period 20000 && ctl reaction && has out "^reaction guard (VLAN 3): runs" && has out "^reaction guard (VLAN 5): runs" && ctl reaction 5 && ! grep -q "VLAN 3" out'
it 'ctl reaction: one, as JSON; none' 'ctl --json reaction 3 guard && [ "$(jq ".reactions[0].words" out)" = 65 ] && code 1 "$SLUICE" ctl reaction 3 none && has err "has no reaction .none." && code 2 "$SLUICE" ctl reaction 3 guard jump'
it 'stop and start keep static state' 'ctl reaction 5 guard stop && has out "(VLAN 5): stopped" && last=$(sed -n "s/.*turn //p" serr | tail -n 1) && ctl list && ctl list && [ "$(sed -n "s/.*turn //p" serr | tail -n 1)" = "$last" ] &&
  ctl reaction 5 guard start && until_works grep -q "turn $((last + 1))$" serr'
it 'others write beside it' 'ctl param 3 threshold=9 && has out "threshold = 9"'
it 'reload takes another body' 'program "(void)packets; if (total >= 0) set_threshold(77);" > other.dom && ctl reaction 3 guard reload other.dom && until_works threshold_is 77'
it 'what is wrong is not reloaded' 'code 1 "$SLUICE" ctl reaction 3 guard reload wrong.dom && has err "not correct C" && ctl reaction 3 guard && has out ": runs"'
it 'a program that is updated brings its own' 'ctl update crash.dom:3 && ctl reaction 3 && has out ": runs; " && ctl remove 3 && ctl reaction && ! grep -q "VLAN 3" out && ctl load good.dom:3 && ctl reaction && has out "VLAN 3"'
it 'the switch ends' 'kill -TERM "$server"; wait "$server"; got=$?; server=; [ "$got" -eq 0 ] && has served "^reaction guard (VLAN 5)" && clean'

# ---- the C compiler, and a body, have limits ----
mkfifo fifo
printf '%s\n' '#define A0 1,1,1,1,1,1,1,1' > bomb.h
for i in 1 2 3 4 5 6 7 8 9; do p=$((i - 1)); echo "#define A$i A$p,A$p,A$p,A$p,A$p,A$p,A$p,A$p"; done >> bomb.h
program "(void)packets; (void)total;
#include \"$dir/fifo\"
" > waits.dom
program "(void)packets; (void)total;
#include \"$dir/bomb.h\"
  static const int many[] = {A9}; (void)many;" > grows.dom
program '(void)packets; (void)total; extern int socket(int, int, int), fork(void), kill(int, int), getppid(void); FILE *out = fopen("written", "w"), *in = fopen("/dev/null", "r");
  if (total != 1) return; char *much = malloc(1u << 30); printf("socket %d fork %d kill %d file %d read %d memory %d\n", socket(2, 1, 0), fork(), kill(getppid(), 0), out != NULL, in != NULL, much != NULL); free(much); if (in) fclose(in);' > tries.dom
compiles() { pgrep -f "$dir/tmp/sluice-reactions" > pids; }
no_compile() { ! compiles; }
gone() { await 2 no_compile; [ ! -s pids ] || { echo "# still there: $(cat pids)"; return 1; }; clean; }
# soon COMMAND...: done within two seconds.
soon() { timeout 2 "$@" > out 2> err < /dev/null || { echo "# exit code $? within 2 s: $*"; sed 's/^/# /' err; return 1; }; }
memory=1; case $SLUICE in */san/*) memory=0 ;; esac
it 'the C compiler is killed at its limit of time' 'code 1 "$SLUICE" run waits.dom --chip model:marks --pcap a.pcap --reaction-compile-limit 0.5 && has err "was not through with the reactions of .watch. after 0.5 s" && gone'
it 'and at its limit of memory' 'code 1 "$SLUICE" run grows.dom --chip model:marks --pcap a.pcap && has err "more than it may have\|was not through" && gone'
it 'a compile that is killed leaves nothing' '"$SLUICE" compile waits.dom --chip marks > out 2>&1 & pid=$!; await 4 compiles; kill -9 $pid; wait $pid; [ -s pids ] && gone'
it 'a body reaches no network, no process and no file to write' 'code 0 "$SLUICE" run tries.dom --chip model:marks --pcap a.pcap --reaction-limit 20 && has err "socket -1 fork -1 kill -1 file 0 read 1" && [ ! -e written ] && { [ $memory -eq 0 ] || has err "memory 0"; }'
it 'while the C compiler waits, packets pass and others are answered' 'serve -m good.dom:3 -m counts.dom:5 --reaction-period 20000 && { "$SLUICE" ctl reaction 3 guard reload waits.dom > slow 2> slow.err & slow=$!; } && await 4 compiles; [ -s pids ] &&
  soon "$SLUICE" ctl list && before=$(grep -c turn serr) && soon "$SLUICE" ctl param 3 threshold=8 && until_works turns "$before" && kill -0 $slow'
it 'and SIGTERM ends the switch' 'kill -TERM "$server"; timeout 5 tail --pid="$server" -f /dev/null; got=$?; wait "$server"; server=; wait $slow; [ $got -eq 0 ] && gone'
it 'a client that loads what takes too long is told' 'sed "/^reaction/,/^}/d" counts.dom > plain.dom && serve -m plain.dom:5 --reaction-compile-limit 5 && ctl load waits.dom:3 && has out "was not through" && ctl reaction && ! grep -q "VLAN 3" out'
it 'an image brings its code only when that is asked for' 'code 1 "$SLUICE" ctl load good.json:4 && has err "brings reactions.*--reactions trusted" && ctl --reactions off load good.json:4 && ctl reaction && ! grep -q "VLAN 4" out && ctl remove 4 && ctl --reactions trusted load good.json:4 && ctl reaction && has out "VLAN 4" &&
  code 1 "$SLUICE" ctl update good.json:4 && has err "brings reactions"'
kill -TERM "$server"; wait "$server"; server=
it 'serve: off' 'serve -m good.json:3 --reactions off && code 1 "$SLUICE" ctl reaction && has err "runs no reactions"'
kill -TERM "$server"; wait "$server"; server=

echo "1..$n"
[ "$failed" -eq 0 ]
