#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed library against a serving simulator: the example of the manual with one binary on model and simulator, a module
# replaced while another one's packets come at the rate of the lanes, and clients that misbehave.
# usage: library.sh
# Needs: tiny build/libsluice.a
. "$(dirname "$0")/lib"
need_chip tiny
root=$PWD/$out/root socket=$out/socket server=

# serve NAME: starts the simulator's server; text is what it prints.
serve() {
  text=$out/$1.txt
  rm -f "$text"
  timeout -k 5 300 build/tiny/sim "+job=serve:tiny:$socket" > "$text" 2>&1 < /dev/null &
  server=$!
  await -p $server 10 has_line "$text" '^serving tiny' && return 0
  echo "# the server does not start"; cat "$text"; return 1
}
# stop CODE: ends it, and wants this exit code.
stop() {
  kill -TERM "$server"; wait "$server"; code=$?
  [ "$code" -eq "$1" ] && [ ! -e "$socket" ] && return 0
  echo "# the server's exit code is $code, not $1, or the socket is still there"; sed 's/^/# /' "$text"; return 1
}
trap '[ -z "$server" ] || kill "$server" 2> /dev/null' EXIT
program() { # NAME START
  printf 'struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); };\nint %s = %d;\nvoid f(struct Packet p) { %s = %s + 1; p.seq = %s; p.out = p.in ^ 1; }\n' \
    "$1" "$2" "$1" "$1" "$1" > "$out/$1.dom"
  "$SLUICE" compile "$out/$1.dom" --chip tiny -o "$out/$1.json" > /dev/null
}
watch() { LD_LIBRARY_PATH=$root/lib timeout 120 "$out/watch" "$1" "$out/count.json" count > "$2" 2>&1; }

it 'installs, and the example builds against what pkg-config says' '
  make -s install PREFIX="$root" > "$out/install.log" 2>&1 &&
  cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$out/watch" docs/examples/watch.c \
    $(PKG_CONFIG_PATH="$root/lib/pkgconfig" pkg-config --cflags --libs sluice) &&
  is "$(wc -l < docs/examples/watch.c) <= 120" &&
  same "$(PKG_CONFIG_PATH="$root/lib/pkgconfig" pkg-config --modversion sluice)" "$(sed -n "s/^#define SLUICE_VERSION \"\(.*\)\"/\1/p" sw/include/sluice/version.h)"'
it 'nothing but what the headers declare can be linked' '
  nm -D --defined-only "$root/lib/libsluice.so" | sed "s/.* T //" | while read -r f; do grep -qw "$f" sw/include/sluice/*.h || echo "# $f"; done > "$out/extra"; [ ! -s "$out/extra" ]'
it 'the client builds with the static library' '
  cc -std=c11 -O1 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$root/include" -o "$out/client" sw/tests/chip/library_client.c sw/transport/filter.c "$root/lib/libsluice.a" -ljansson'
program count 0; program alpha 10; program beta 500
echo 'struct Packet { int id @ bytes(60, 4); int out @ meta.port_out; int i; };
int hits[64];
void hot(struct Packet p) { p.i = p.id & 14; hits[p.i] = hits[p.i] + 1; p.out = 1; }' > "$out/hot.dom"
"$SLUICE" compile "$out/hot.dom" --chip tiny -o "$out/hot.json" > /dev/null

it 'the example on the model' 'watch model:tiny "$out/model.txt" && has "$out/model.txt" "count.0. = 1020"'
it 'a server starts, for its owner alone' 'serve first && same "$(stat -c %a "$socket")" 600'
it 'the same binary on the simulator prints the same' 'watch "unix:$socket" "$out/sim.txt" && cmp "$out/model.txt" "$out/sim.txt"'
it 'and once more: the chip is reset' 'watch "unix:$socket" "$out/sim2.txt" && cmp "$out/model.txt" "$out/sim2.txt"'
it 'a second server on the same socket is refused' '! timeout 20 build/tiny/sim "+job=serve:tiny:$socket" > "$out/second.txt" 2>&1 && has "$out/second.txt" "in use"'
it 'a module is replaced while another one loses nothing' '
  timeout 200 "$out/client" replace "unix:$socket" "$out/count.json" "$out/alpha.json" "$out/beta.json" > "$out/replace.txt" 2>&1 || { sed "s/^/# /" "$out/replace.txt"; false; }'
note "$(cat "$out/replace.txt")"
it 'state is read while indices of another module are away, and they stay away' '
  timeout 200 "$out/client" moves "unix:$socket" "$out/hot.json" "$out/count.json" > "$out/moves.txt" 2>&1 || { sed "s/^/# /" "$out/moves.txt"; false; }'
note "$(cat "$out/moves.txt")"
it 'packets go in when they are due, and say when they came and left' '
  timeout 200 "$out/client" times "unix:$socket" "$out/count.json" > "$out/times.txt" 2>&1 || { sed "s/^/# /" "$out/times.txt"; false; }'
it 'the monitors saw no difference' 'stop 0 && has "$text" "^EQUIVALENT: "'
it 'clients that send garbage, die or do not read harm nobody' '
  serve fuzz && { timeout 250 "$out/client" fuzz "$socket" "$out/count.json" 1 > "$out/fuzz.txt" 2>&1 || { sed "s/^/# /" "$out/fuzz.txt"; false; }; }'
note "$(tr '\n' ';' < "$out/fuzz.txt")"
it 'and the chip has not noticed' 'stop 0 && has "$text" "^EQUIVALENT: "'
server=
finish
