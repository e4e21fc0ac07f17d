#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes, folders and sockets of the host's side, as TAP: a simulator that hangs, a folder that somebody else has made,
# two servers that want one name. usage: host.sh [SLUICE]
# Needs: tiny
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
n=0 failed=0
body() { eval "$*"; }
it() {
  n=$((n + 1)); name=$1; shift
  if body "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
says() { grep -q -- "$1" err && return 0; echo "# '$1' is not in:"; sed 's/^/# /' err; return 1; }
cat > fwd.dom <<'EOT'
struct Packet { int out @ meta.port_out; };
void fwd(struct Packet p) { p.out = 1; }
EOT
# It lives longer than --timeout, which is the thing under test.
printf '#!/bin/sh\nexec 2>&-\nexec sleep 100\n' > hangs; chmod +x hangs

it 'a simulator that closes its messages and lives is stopped at --timeout' 'timeout 20 "$SLUICE" run fwd.dom --chip tiny --sim ./hangs -n 10 --timeout 1 > out 2> err; code=$?; [ $code -eq 1 ] && says "stopped after 1 s"'

# As a user who cannot write beside the simulator.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups "$SLUICE" --version > /dev/null 2>&1; then
  mkdir -m 1777 tmp theirs; chmod 755 .
  fuzz() { setpriv --reuid=65534 --regid=65534 --clear-groups env TMPDIR="$dir/tmp" timeout 200 "$SLUICE" fuzz --chip tiny --runs 1 > out 2> err; }
  folder=$dir/tmp/sluice-fuzz-65534
  it 'fuzz: a folder that is a link is not taken' 'ln -s "$dir/theirs" "$folder"; fuzz; [ $? -ne 0 ] && says "not a folder of your own" && [ -z "$(ls theirs)" ]'
  it 'fuzz: nor one that another user has made' 'rm "$folder"; mkdir -m 777 "$folder"; fuzz; [ $? -ne 0 ] && says "not a folder of your own" && [ -z "$(ls "$folder")" ]'
  it 'fuzz: its own is for it alone' 'rmdir "$folder"; fuzz && [ "$(stat -c %a:%u "$folder")" = 700:65534 ]'
fi

# race N: so many servers at one name, of which one that was killed has left its socket. One of them gets it.
all_said() { serve=$(cat out[0-9]* | grep -c serves) fail=$(cat err[0-9]* | grep -c "in use"); [ $((serve + fail)) -ge "$1" ]; }
race() {
  rm -f first out[0-9]* err[0-9]*
  "$SLUICE" serve fwd.dom --chip model:tiny --control "$dir/switch" > first 2>&1 < /dev/null & first=$!
  await 10 has_line first serves
  kill -9 $first; wait $first 2> /dev/null
  [ -S switch ] || { echo "# no socket is left"; return 1; }
  pids=
  for i in $(seq "$1"); do "$SLUICE" serve fwd.dom --chip model:tiny --control "$dir/switch" > "out$i" 2> "err$i" < /dev/null & pids="$pids $!"; done
  await 10 all_said "$1"
  timeout 20 "$SLUICE" ctl --control "$dir/switch" list > out 2> err; answers=$?
  kill $pids 2> /dev/null; wait $pids 2> /dev/null
  [ "$serve" -eq 1 ] && [ "$fail" -eq $(($1 - 1)) ] && [ $answers -eq 0 ] && [ ! -e switch ] && [ ! -e switch.lock ] && return 0
  echo "# $serve serve, $fail are told, ctl: $answers"; ls; return 1
}
it 'of eight servers that start together one gets the socket that a killed one has left' race 8

echo "1..$n"
[ "$failed" -eq 0 ]
