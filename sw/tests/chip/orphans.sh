#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a command has started ends when the command is killed, as TAP. usage: orphans.sh [SLUICE]
# Needs: tiny
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
sim=$(realpath "$here/../../../build/tiny/sim")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
# A name of its own, by which its processes are found.
ln -s "$sim" "$dir/sim"
n=0 failed=0
it() {
  n=$((n + 1)); name=$1; shift
  if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
# runs: whether a process of this folder's simulator is there; soon yes|no: within ten seconds.
runs() { pgrep -f "^$dir/sim " > pids; }
none_runs() { ! runs; }
soon() {
  case $1 in yes) await 10 runs ;; no) await 10 none_runs ;; esac && return 0
  echo "# simulators: $(cat pids)"; return 1
}
# killed COMMAND...: its simulator comes, and goes when it is killed.
killed() {
  "$@" > out 2>&1 < /dev/null & pid=$!
  soon yes || { sed 's/^/# /' out; kill -9 $pid; return 1; }
  kill -9 $pid
  wait $pid 2> /dev/null
  soon no && return 0
  kill $(cat pids); return 1
}
cat > fwd.dom <<'EOT'
struct Packet { int out @ meta.port_out; };
void fwd(struct Packet p) { p.out = 1; }
EOT
"$SLUICE" gen -o many.pcap -n 200000 --size 64 > out || exit 3

it 'run' killed "$SLUICE" run fwd.dom --chip tiny --sim "$dir/sim" --pcap many.pcap --load 0.001 -q
it 'serve' killed "$SLUICE" serve fwd.dom --chip tiny --sim "$dir/sim" --control "$dir/switch" --port 0=udp:0
it 'fuzz' killed "$SLUICE" fuzz --chip tiny --sim "$dir/sim" --runs 400 --jobs 2 --keep "$dir/keep"
it 'isolate' killed "$SLUICE" isolate --chip tiny --sim "$dir/sim" --runs 400 --jobs 2

echo "1..$n"
[ "$failed" -eq 0 ]
