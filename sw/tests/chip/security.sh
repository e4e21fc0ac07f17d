#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What listens is tried as a stranger would (SECURITY.md): another user, files that others have put there, messages that are too long, cut,
# of unknown members or none at all, two clients at once, packets that look like control packets. Behind each the switch still answers, and
# is as it was. As TAP.
# Needs: tiny
. "$(dirname "$0")/lib"
chip=tiny; need_chip tiny
SLUICE=$(realpath "$SLUICE"); sim=$(realpath build/tiny/sim)
dir=$(mktemp -d) || exit 3
servers=
trap 'for p in $servers; do kill "$p" 2> /dev/null; done; rm -rf "$dir"' EXIT
chmod 755 "$dir"; cp sw/programs/sequencer.dom "$dir"; cd "$dir" || exit 3
out=.
# ask SOCKET LINE...: a client of the control socket; its answers. In a line \0 is a zero byte; "half:TEXT" has no end and is the last.
cat > ask.pl <<'PERL'
use strict; use IO::Socket::UNIX; use Socket;
my ($path, @lines) = @ARGV;
my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) or die "cannot connect: $!\n";
$s->autoflush(1); $SIG{PIPE} = "IGNORE"; $SIG{ALRM} = sub { die "no answer\n" }; alarm 20;
my $greeting = <$s>;
for my $l (@lines) {
  if ($l =~ s/^half://) { print $s $l; shutdown $s, 1; my $a = <$s>; print defined $a ? $a : "closed\n"; exit }
  if ($l =~ /^long:(\d+)$/) { my $x = "x" x 65536; for (1 .. $1 / 65536) { print $s $x or last } $l = "" }
  $l =~ s/\\0/\0/g;
  print $s "$l\n"; my $a = <$s>; print defined $a ? $a : "closed\n";
}
PERL
ask() { timeout 60 perl ask.pl "$@" > said 2>&1; }
says() { grep -qF -- "$1" said && return 0; echo "# '$1' is not in:"; head -c 600 said | sed 's/^/# /'; return 1; }
other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
may_be_another() { [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && other "$SLUICE" --version > /dev/null 2>&1; }
waits() { await 10 eval "$1"; }
list='{"do":"list"}'

# ---- the control socket
(umask 0; exec "$SLUICE" serve -m sequencer.dom:1 -c model:tiny --port 0=udp:0,trunk --port 1=udp:0,trunk --control "$dir/switch" > serve.out 2> serve.err < /dev/null) & switch=$!
servers="$servers $switch"
it 'a switch serves' 'waits "grep -qs serves serve.out serve.err"'
alive() { ask switch "$list" && says '"ok":true,"chip":"tiny"' && says '"program":"sequencer"'; }
it 'control socket and lock are for their owner alone, whatever the umask' '[ "$(stat -c %a switch switch.lock | tr "\n" " ")" = "600 600 " ]'
if may_be_another; then
  it 'another user is not let in' '! other perl ask.pl switch "$list" > said 2>&1; says "Permission denied" && ! other timeout 20 "$SLUICE" ctl --control switch list > said 2>&1 && says "Permission denied"'
else
  note "not tried as another user: this needs root and setpriv"
fi
# try SENTENCE SAYS LINE: the line is refused, with these words, and the switch goes on.
try() { line=$3 words=$2; it "$1" 'ask switch "$line" && says "\"ok\":false" && says "$words" && alive'; }
try 'refused: a member that no verb has' "no key 'who' is known" '{"do":"list","who":1}'
try 'refused: an unknown verb' 'is none of' '{"do":"destroy"}'
try 'refused: a member twice' 'duplicate' '{"do":"list","do":"show"}'
try 'refused: no object' 'is a JSON object' '[1]'
try 'refused: no JSON' 'no JSON' '{"do":list}'
try 'refused: a zero byte' 'no JSON' '{"do":"li\0st"}'
try 'refused: a zero in a text' 'no JSON' '{"do":"list\u0000"}'
try 'refused: 100,000 brackets' 'no JSON' "$(head -c 100000 /dev/zero | tr '\0' '[')"
try 'refused: a VLAN above 4094' 'from 0 to 4094' '{"do":"show","vid":4095}'
try 'refused: an array from below 0' 'from 0 to' '{"do":"state","vid":1,"array":"count","first":-1}'
try 'refused: an image that is none' 'image' '{"do":"load","vid":7,"image":{"sluice_image":1}}'
it 'more than 16 MB without an end: the client is let go' 'ask switch long:20000000; says "16 MB" || says closed; alive'
it 'half a request and a client that leaves: nothing happens' 'ask switch "half:{\"do\":\"remove\",\"vid\":1}"; alive'
it 'two clients: each has its own answers' 'for c in 1 2; do timeout 60 perl ask.pl switch $(for i in $(seq 60); do echo "{\"do\":\"list\",\"id\":$c$i}"; done) > said.$c 2>&1 & eval "c$c=\$!"; done; wait $c1 $c2
   for c in 1 2; do [ "$(grep -c "\"id\":$c" said.$c)" -eq 60 ] || return 1; done'
# Each is greeted, or let go if there are too many.
cat > forty.pl <<'PERL'
use IO::Socket::UNIX; use Socket; $SIG{ALRM} = sub { die "no answer\n" }; alarm 20;
my @s = map { IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => "switch") } 1 .. 40;
my @there = grep { defined <$_> } @s;
print scalar(@there), " there\n"; print {$there[0]} "$ARGV[0]\n"; $there[0]->flush; print scalar readline $there[0];
PERL
it 'forty clients at once that say nothing: those who are there go on, and so does the next' 'timeout 60 perl forty.pl "$list" > said 2>&1; says "16 there" && says "\"ok\":true" && await 10 alive'
it 'a second switch at the same name is refused' '! timeout 20 "$SLUICE" serve -m sequencer.dom:1 -c model:tiny --port 0=udp:0,trunk --control "$dir/switch" > said 2>&1; says "in use" && alive'

# ---- names that somebody else has put there
it 'a link where the socket should be is not followed' 'ln -s "$dir/elsewhere" link; ! timeout 20 "$SLUICE" serve -m sequencer.dom:1 -c model:tiny --port 0=udp:0,trunk --control "$dir/link" > said 2>&1; [ ! -e elsewhere ] && says "no control socket"'
it 'nor one where its lock should be' 'ln -s "$dir/elsewhere" third.lock; ! timeout 20 "$SLUICE" serve -m sequencer.dom:1 -c model:tiny --port 0=udp:0,trunk --control "$dir/third" > said 2>&1; [ ! -e elsewhere ] && says "no control socket"'
it 'another file there stays' 'echo mine > file; ! timeout 20 "$SLUICE" serve -m sequencer.dom:1 -c model:tiny --port 0=udp:0,trunk --control "$dir/file" > said 2>&1; [ "$(cat file)" = mine ] && says "no control socket"'

# ---- UDP ports: what a wire can bring
port=$(sed -n 's/.*"udp":\([0-9]*\).*/\1/p' said); ask switch "$list"; port=$(grep -o '"udp":[0-9]*' said | head -n 1 | tr -dc 0-9)
it 'a UDP port is this machine'"'"'s alone' '! ss -lun 2> /dev/null | grep -q "0.0.0.0:$port " '
# udp: datagrams given as hexadecimal digits, or a length.
cat > udp.pl <<'PERL'
use IO::Socket::INET; my $s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1", PeerPort => shift) or die;
for (@ARGV) { $s->send(/^len:(\d+)$/ ? "\xff" x $1 : pack("H*", $_)) }
PERL
"$SLUICE" packets sequencer.dom --vid 2 -o config.pcap > /dev/null 2>&1 || "$SLUICE" packets sequencer.dom -o config.pcap
cd - > /dev/null; frames "$dir/config.pcap" > "$dir/frames"; cd "$dir" || exit 3
rows() { ask switch '{"do":"show","vid":1}'; cat said; }
rows > before
# heard N: that many datagrams have come to the first port, taken or refused.
heard() { await 20 eval '[ "$(timeout 20 "$SLUICE" ctl --control switch --json counters | jq ".ports[0] | .in + ([.refused[]] | add)")" -ge '"$1 ]"; }
it "$(wc -l < frames) control packets on a port change nothing" '[ -s frames ] && perl udp.pl $port $(cat frames) && heard "$(wc -l < frames)" && alive && rows > after && cmp -s before after'
it 'datagrams of no byte, of one, and of 60,000' 'perl udp.pl $port len:0 len:1 len:17 len:9216 len:9217 len:60000 && heard $(($(wc -l < frames) + 6)) && alive'

# ---- the socket of a served simulator
(umask 0; exec "$sim" +job=serve:tiny:"$dir/sim" > sim.out 2>&1 < /dev/null) & served=$!
servers="$servers $served"
it 'a simulator serves, for its owner alone' 'waits "[ -S sim ]" && [ "$(stat -c %a sim sim.lock | tr "\n" " ")" = "600 600 " ]'
may_be_another && it 'another user is not let in there' '! other perl -e "use IO::Socket::UNIX; use Socket; IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => q(sim)) or die qq(no: \$!\n)" > said 2>&1; says "Permission denied"'
cat > raw.pl <<'PERL'
use IO::Socket::UNIX; use Socket; srand 1; $SIG{PIPE} = "IGNORE";
my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => "sim") or die "no: $!\n"; $s->autoflush(1);
for my $n (1 .. 300) {
  my $kind = (1 .. 9)[rand 9];
  my $bytes = $n % 3 ? join("", map { chr int rand 256 } 1 .. rand 200) : chr($kind) . join("", map { chr int rand 256 } 1 .. 20);
  print $s "\x7e" . $bytes . ($n % 5 ? "\x7e" : "");
}
print $s "\x7e" . "\x05" x 100000;    # longer than a frame may be, and without an end
close $s;
PERL
works() { timeout 60 "$SLUICE" serve -m sequencer.dom:1 -c unix:sim --port 0=udp:0,trunk --control "$dir/over" > over.out 2>&1 < /dev/null & over=$!
  waits '[ -S over ]'; ask over "$list"; kill $over; wait $over 2> /dev/null; says '"program":"sequencer"'; }
it 'random bytes, damaged and endless frames from a client that goes away: it still serves the next one' 'timeout 60 perl raw.pl; works'
it '  and its monitors have found nothing wrong' 'kill $served; wait $served 2> /dev/null; ! grep -q "DIFFERENT\|rror:" sim.out'
kill $switch; wait $switch 2> /dev/null
it 'what was there is gone with the switch' '[ ! -e switch ] && [ ! -e switch.lock ]'
finish
