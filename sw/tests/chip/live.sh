#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A live switch: the simulated chip between hosts in network namespaces (ping, an HTTP transfer compared byte by byte), its
# control socket, captures and UDP as ports, and what it says at the end. Without namespaces only what needs none.
# usage: live.sh
# Needs: tight tiny
. "$(dirname "$0")/../../live/hosts.sh"
if [ -z "${SLUICE_INSIDE:-}" ] && why=$(live_cannot); then namespaces=; else live_inside "$@"; namespaces=1; fi
. "$(dirname "$0")/lib"
need_chip tight   # it alone can be broken on purpose
need_chip tiny
tmp=$(mktemp -d) || exit 3   # sockets have short names
server= web=
stop_all() { kill $server $web 2> /dev/null; rm -rf "$tmp"; }
trap stop_all EXIT
trap 'exit 130' INT TERM
SLUICE_CONTROL=$tmp/switch; export SLUICE_CONTROL
ctl() { timeout 120 "$SLUICE" ctl "$@" > "$out/ctl.txt" 2> "$out/ctl.err"; }
refused() { # CODE SENTENCE ARGUMENT...: ctl ends with this code and says so
  want=$1 says=$2; shift 2
  ctl "$@"; code=$?
  [ "$code" -eq "$want" ] && has "$out/ctl.err" "$says" && return 0
  echo "# exit code $code, not $want"; return 1
}
# serve NAME OPTION...: text is what it prints.
serve() {
  text=$out/$1.txt; shift
  rm -f "$text"
  timeout -k 10 300 "$SLUICE" serve "$@" > "$text" 2> "$text.err" < /dev/null &
  server=$!
  await -p $server 30 has_line "$text" ' serves ' && return 0
  echo "# the switch does not start:"; sed 's/^/# /' "$text.err"; return 1
}
# stop CODE: ends it as a terminal does, and wants this exit code.
stop() {
  kill -INT "$server"; wait "$server"; code=$?; server=
  [ "$code" -eq "$1" ] && return 0
  echo "# exit code $code, not $1"; sed 's/^/# /' "$text" "$text.err"; return 1
}
child_of() { cat "/proc/$1/task/$1/children" | tr -d ' '; }   # of timeout: the switch
once() { # CODE OPTION...: a run that ends by itself
  want=$1 text=$out/once.txt; shift
  timeout -k 10 300 "$SLUICE" serve "$@" --once > "$text" 2> "$text.err" < /dev/null; code=$?
  [ "$code" -eq "$want" ] && return 0
  echo "# exit code $code, not $want"; sed 's/^/# /' "$text" "$text.err"; return 1
}

printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\nvoid wire(struct Packet p) { p.out = p.in ^ 1; }\n' > "$out/wire.dom"
printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\nint count[4] = {7};\nvoid counter(struct Packet p) { count[p.in] += 1; p.out = p.in ^ 1; }\n' > "$out/counter.dom"
# The index is a byte of the packet, mostly outside the array.
printf 'struct Packet { int i @ bytes(30, 1); int out @ meta.port_out; };\nint a[4] = {7};\nvoid outside(struct Packet p) { a[p.i] += 1; p.out = 1; }\n' > "$out/outside.dom"
"$SLUICE" gen -o "$out/in.pcap" --packets 500 --flows 20 --seed 3 > /dev/null

# ---- captures: no namespaces ------------------------------------------------
it 'from capture to capture: the same frames, in their order' '
  once 0 -c tiny -m "$out/wire.dom:1" --port "0=pcap:$out/in.pcap,trunk" --port "1=pcap:,out=$out/out.pcap,trunk" &&
  has "$text" "^port 0: 500 frames in" && has "$text" "^port 1: .* 500 out" && has "$text" "^EQUIVALENT: .* 500 packets" &&
  once 0 -c model:tiny -m "$out/wire.dom:1" --port "0=pcap:$out/in.pcap,trunk" --port "1=pcap:,out=$out/model.pcap,trunk" &&
  frames "$out/in.pcap" > "$out/in" && is "$(wc -l < "$out/in") == 500" &&
  frames "$out/out.pcap" | cmp - "$out/in" && frames "$out/model.pcap" | cmp - "$out/in"'
it 'frames with a tag are refused at an access port, and a run without packets is UNTESTED' '
  once 4 -c tiny -m "$out/wire.dom:1" --port "0=pcap:$out/in.pcap" --port "1=pcap:,out=$out/none.pcap" &&
  has "$text" "refused: tagged 500" && has "$text" "^UNTESTED"'
it 'two programs, and a port that says not which' '
  ! timeout 60 "$SLUICE" serve -c model:tiny -m "$out/wire.dom:1" -m "$out/wire.dom:2" --port 0=udp:0 2> "$out/err" && has "$out/err" "say to which VLAN"'
it 'a port twice, one that is not there, no chip' '
  for args in "-c model:tiny --port 0=udp:0 --port 0=udp:0" "-c model:tiny --port 4=udp:0" "-c model:tony --port 0=udp:0" "-c tony --port 0=udp:0"; do
    timeout 60 "$SLUICE" serve -m "$out/wire.dom:1" $args > /dev/null 2> "$out/err"; [ $? -eq 2 ] || { echo "# $args"; return 1; }
  done'
it 'a simulator that dies at once is an error with its words' '
  printf "#!/bin/sh\necho no licence\nexit 7\n" > "$out/broken"; chmod +x "$out/broken"
  timeout 60 "$SLUICE" serve -c tiny --sim "$out/broken" -m "$out/wire.dom:1" --port 0=udp:0 2> "$out/err"; [ $? -eq 3 ] && has "$out/err" "no licence"'
# It is silent for longer than SLUICE_PATIENCE, which is the thing under test.
it 'a simulator that stays silent is an error when its time is over, and the time is checked' '
  printf "#!/bin/sh\nexec sleep 100\n" > "$out/silent" && chmod +x "$out/silent"
  SLUICE_PATIENCE=1 timeout 60 "$SLUICE" serve -c tiny --sim "$out/silent" -m "$out/wire.dom:1" --port 0=udp:0 2> "$out/err"; [ $? -eq 3 ] && has "$out/err" "nothing came for 1 s" &&
  ! SLUICE_PATIENCE=1s timeout 60 "$SLUICE" serve -c tiny --sim "$out/silent" -m "$out/wire.dom:1" --port 0=udp:0 2> "$out/err" && has "$out/err" "not 1 to 3600 seconds"'

# udp N: the UDP port that port N has got. a_port: one that nobody has.
udp() { sed -n "s/^port $1: UDP port //p" "$text"; }
a_port() { perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1")->sockport'; }
# came PORT N, left PORT N: so many frames have come in there, have left there.
counters_say() { ctl counters; grep -q "$1" "$out/ctl.txt"; }
has_counted() { [ "$("$SLUICE" ctl --json counters | jq ".ports[] | select(.port == $2) | .$1")" = "$3" ]; }
counted() { await 20 has_counted "$@" || { echo "# not $3 frames $1"; return 1; }; }
came() { counted in "$1" "$2"; }
left() { counted out "$1" "$2"; }

# ---- control socket ---------------------------------------------------------
it 'a switch without a program starts, with a control socket for its owner' '
  serve control -c tiny --control "$tmp/switch" --port 0=udp:0,vlan=9 && same "$(stat -c %a "$tmp/switch")" 600'
it 'load, list, state, set, show, counters, update, remove' '
  ctl load "$out/counter.dom:9" && ctl list && has "$out/ctl.txt" "^VLAN 9: counter" && has "$out/ctl.txt" "^port 0: udp $(udp 0), VLAN 9" &&
  ctl state 9 "count[1-2]" && same "$(cat "$out/ctl.txt" | tr "\n" " ")" "count[1] = 7 count[2] = 7 " &&
  ctl set 9 "count[1]" 5 6 && ctl state 9 count && same "$(cut -d= -f2 "$out/ctl.txt" | tr -d "\n")" " 7 5 6 7" &&
  ctl show 9 && has "$out/ctl.txt" "^PARSER " && has "$out/ctl.txt" "^ACCESS " && ctl show CHIP.STATUS && ctl counters &&
  ctl update "$out/counter.dom:9" && ctl state 9 "count[1]" && same "$(cat "$out/ctl.txt")" "count[1] = 5" &&
  ctl replace "$out/counter.dom:9" && ctl state 9 "count[1]" && same "$(cat "$out/ctl.txt")" "count[1] = 7" &&
  ctl remove 9 && ctl list && ! grep -q "VLAN 9: counter" "$out/ctl.txt"'
it 'what cannot be is refused with a sentence, and changes nothing' '
  ctl load "$out/counter.dom:9" && refused 1 "ids must differ" load "$out/counter.dom:41" && refused 1 "no module" remove 8 &&
  refused 1 "has no array" state 9 cuont && refused 1 "has 4 entries" state 9 "count[4]" && refused 2 "not how ctl is used" dance &&
  refused 3 "SLVERR\|refused" set CHIP.ID 1 && ctl state 9 "count[0]" && same "$(cat "$out/ctl.txt")" "count[0] = 7"'
it 'JSON on request' '
  ctl --json state 9 "count[0]" && same "$(jq -c . < "$out/ctl.txt")" "{\"ok\":true,\"first\":0,\"values\":[7]}" &&
  ! ctl --json remove 8 && same "$(jq -r .status < "$out/ctl.txt")" not_found'
it 'watch prints what has changed' '
  : > "$out/ctl.txt"; { await 20 has_line "$out/ctl.txt" "^count"; "$SLUICE" ctl set 9 "count[3]" 21; } & ctl watch state 9 count --times 8 --every 0.5; wait $! && has "$out/ctl.txt" "^values.3. 21 (+14)"'
it 'stages, and a page of all' '
  ctl stages && has "$out/ctl.txt" "^stage 1: " && "$SLUICE" top --once > "$out/top.txt" && has "$out/top.txt" "^sluice top: chip tiny" &&
  has "$out/top.txt" "^0    udp" && has "$out/top.txt" "^9    counter" && has "$out/top.txt" "^1  "'
it 'the page on a terminal, until q' '
  rm -f "$out/terminal"; { await 20 has_line "$out/terminal" "sluice top: chip tiny"; printf q; } | TERM=xterm timeout 60 script -qec "stty rows 30 cols 120; $SLUICE top --every 0.5" /dev/null > "$out/terminal" && has "$out/terminal" "sluice top: chip tiny"
  ! timeout 20 "$SLUICE" top > /dev/null 2> "$out/err" < /dev/null && has "$out/err" "needs a terminal"'
it 'a second switch at the same control socket is refused' '
  ! timeout 60 "$SLUICE" serve -c model:tiny --control "$tmp/switch" 2> "$out/err" && has "$out/err" "in use"'
it 'it ends without a packet: UNTESTED, and the socket is gone' 'stop 4 && [ ! -e "$tmp/switch" ]'
# send PORT: three datagrams of 80 bytes.
send() { perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1:$ARGV[0]"); for (1..3) { $s->send("x" x 80) }' "$1"; }
it 'frames come and leave over UDP' '
  serve udp -c tiny -m "$out/wire.dom:1" --port 0=udp:0,to=127.0.0.1:$(a_port) --port 1=udp:0 --control "$tmp/switch" && send "$(udp 1)" && left 0 3 && stop 0 &&
  has "$text" "^port 1: 3 frames in (240 bytes)" && has "$text" "^port 0: 0 frames in .*, 3 out (240 bytes)"'
# Nothing tells others that a trace waits for packets, so here time must pass.
later() { { sleep "$1"; send "$(udp 1)"; } & sender=$!; }
it 'the stories of packets while the switch runs: names of the source, cycles of the chip' '
  serve told -c tiny --control "$tmp/switch" -m "$out/counter.dom:1" --port 0=udp:0,to=127.0.0.1:$(a_port) --port 1=udp:0 || return 1
  later 1; ctl trace 2; code=$?; wait $sender; cp "$out/ctl.txt" "$out/stories.txt"
  same $code 0 && is "$(grep -c "^packet [12]: .* on port 1, VLAN 1, module counter" "$out/stories.txt") == 2" && has "$out/stories.txt" "state count.1.: 7 -> 8" &&
  has "$out/stories.txt" "state count.1.: 8 -> 9" && has "$out/stories.txt" "line 3: void counter" && has "$out/stories.txt" "^  leaves  *port 0, cycle [0-9]* to [0-9]*: latency"'
it 'of those that a filter selects, of a program that was loaded since, as JSON; none in time' '
  refused 1 "would lose .count. of VLAN 1" update "$out/wire.dom:1" && ctl --lossy update "$out/wire.dom:1" || return 1
  later 0.5; ctl trace --json 3 greater 60 and less 100; wait $sender
  same "$(jq -c "[.packet, .module, (.back | length > 0), .out[0].port, (.in.frame | length)]" < "$out/ctl.txt" | tr "\n" " ")" \
    "[4,\"wire\",true,0,168] [5,\"wire\",true,0,168] [6,\"wire\",true,0,168] " || return 1
  later 0.5; refused 1 "none of these packets" trace --patience 2 greater 500; code=$?; wait $sender
  same $code 0 && refused 2 "not a count" trace 0 && refused 2 "gibberish" trace 1 gibberish'
it 'and the monitors saw no difference meanwhile' 'stop 0 && has "$text" "^EQUIVALENT: .* 9 packets"'
it 'the CPU port: what leaves there are events, told once; a packet of the control plane comes in there' '
  serve cpu -c tiny --control "$tmp/switch" -m "$out/wire.dom:1" --port "2=pcap:$out/in.pcap,trunk" --port 3=cpu || return 1
  await 10 counters_say "^port 3: .* 500 out"
  ctl list && has "$out/ctl.txt" "^port 3: cpu$" && ctl event 2 && same "$(cut -d" " -f1-4 "$out/ctl.txt" | tr "\\n" ";")" "VLAN 1, ticket 0,;VLAN 1, ticket 1,;" &&
  sed "s/.*: //" "$out/ctl.txt" > "$out/events" && ctl watch event --times 3 --every 0.1 && sed "s/.*: //" "$out/ctl.txt" >> "$out/events" &&
  frames "$out/in.pcap" | cmp - "$out/events" && ctl --json event && same "$(cat "$out/ctl.txt")" "{\"ok\":true,\"events\":[],\"lost\":0,\"links\":[]}" &&
  ctl send "$(head -n 1 "$out/events")" && refused 1 "packet of 2 bytes" send 0102 && refused 2 "not how ctl is used" send &&
  await 10 counters_say "^port 3: 1 frames in" && stop 0 && has "$text" "^EQUIVALENT: .* 501 packets"'
it 'a switch without a CPU port has no events' '
  serve none -c model:tiny --control "$tmp/switch" -m "$out/wire.dom:1" --port 0=udp:0 && refused 1 "no port of this switch is the CPU port" event && stop 0'
it 'the model has no cycles to tell of' '
  serve untold -c model:tiny --control "$tmp/switch" -m "$out/wire.dom:1" --port 0=udp:0 && refused 1 "nobody watches this chip" trace && stop 0'
it 'a chip that is broken while it runs is found out: DIFFERENT, exit code 1' '
  serve broken -c tight --sim build/tight/sim --control "$tmp/switch" -m "$out/outside.dom:1" --port 0=udp:0 && ctl set CHIP.FAULT 64 && send "$(udp 0)" && came 0 3 &&
  stop 1 && has "$text" "^DIFFERENT"'

it 'a simulator that serves already: it has the verdict' '
  timeout 120 "${SLUICE_SIM:-build/tiny/sim}" "+job=serve:tiny:$tmp/sim" > "$out/sim.txt" 2>&1 < /dev/null & web=$!
  await 10 has_line "$out/sim.txt" "^serving"
  once 0 -c "unix:$tmp/sim" -m "$out/wire.dom:1" --port "0=pcap:$out/in.pcap,trunk" --port "1=pcap:,out=$out/unix.pcap,trunk"; first=$?
  kill $web; wait $web; code=$?; web=
  [ $first -eq 0 ] && same $code 0 && has "$text" "^not compared" && has "$out/sim.txt" "^EQUIVALENT: .* 500 packets" && frames "$out/unix.pcap" | cmp - "$out/in"'
it 'a simulator that is killed is an error that says so' '
  serve killed -c tiny -m "$out/wire.dom:1" --port 0=udp:0 && kill -9 $(cat "/proc/$(child_of $server)/task/"*/children) && wait $server; code=$?; server=
  same $code 3 && has "$text.err" "signal 9 ended it"'

# ---- hosts ------------------------------------------------------------------
hosts() {
  for n in 1 2; do ip netns add "h$n" || return 1; done
  serve hosts -c tiny -m sw/live/l2.dom:5 --port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --control "$tmp/switch" --stats 1 && live_host 1 && live_host 2 && live_neighbours 1 2
}
veth() { # a host behind a pair of interfaces, whose card computes checksums: the switch completes them
  ip netns add h3 && ip link add outer type veth peer name eth0 netns h3 && ip link set outer up &&
  serve veth -c tiny -m sw/live/l2.dom:5 --port 0=tap:h1/eth0 --port 2=if:outer && live_host 1 && live_host 3 && live_neighbours 1 3
}
transfer() { # HOST BYTES
  mkdir -p "$tmp/www" && head -c "$2" /dev/urandom > "$tmp/www/file"
  ip netns exec "h$1" busybox httpd -f -p 80 -h "$tmp/www" & web=$!
  await 5 listens "$1"
  ip netns exec h1 curl -sS --max-time 120 -o "$tmp/got" "http://10.0.0.$1/file"; code=$?
  kill $web; wait $web 2> /dev/null; web=
  [ $code -eq 0 ] && cmp "$tmp/www/file" "$tmp/got"
}
if [ "$namespaces" ]; then
  it 'two hosts are connected' 'hosts'
  it 'ping gets through, every time' 'ip netns exec h1 ping -q -c 10 -i 0.2 -W 20 10.0.0.2 > "$out/ping.txt" && has "$out/ping.txt" " 0% packet loss"'
  note "$(tail -n 1 "$out/ping.txt")"
  it 'nobody is at 10.0.0.9' '! ip netns exec h1 ping -q -c 1 -W 2 10.0.0.9 > /dev/null'
  it 'an HTTP transfer of 1 MB has the same bytes' 'transfer 2 1000000'
  it 'a program is replaced while ping runs' '
    ip netns exec h1 ping -c 15 -i 0.2 -W 20 10.0.0.2 > "$out/ping.txt" & ping=$!
    await 10 has_line "$out/ping.txt" "bytes from"; ctl update sw/live/l2.dom:5 && wait $ping; has "$out/ping.txt" "1[0-5] received"'
  it 'the monitors saw no difference' 'stop 0 && has "$text" "^EQUIVALENT: "'
  note "$(tail -n 3 "$text" | tr '\n' ';')"
  it 'an interface that is there: what a card would compute is completed' 'ip netns del h1; ip netns add h1 && veth && transfer 3 100000 && stop 0 && has "$text" "^EQUIVALENT"'
else
  it "hosts # skipped: $why" true
fi
finish
