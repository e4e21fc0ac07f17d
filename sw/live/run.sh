# SPDX-License-Identifier: Apache-2.0
# The frame of the scripts that show a live switch with hosts (demo.sh, router.sh, guard.sh, cache.sh, reduce.sh). Sourced from the top of the tree, with the
# script's arguments: `name=live-demo; . sw/live/run.sh`. Where there can be no hosts it says so and ends the script; else the script goes on
# in namespaces of its own, with
#
#   out                 a folder for what it writes; it is gone at the end
#   children            processes that are ended with the script, as numbers
#   step WORDS          a headline
#   failed WORDS        ends the script: it has shown what must not be
#   on HOST COMMAND...  a command on a host
#   ctl WORDS           sluice ctl
#   serve OPTION...     starts the switch, and waits until it serves; it ends after LIVE_LIMIT seconds (3600), whatever happens
#   serve_ends          ends it, prints what it says, and ends the script with its exit code
. sw/live/hosts.sh
. sw/tests/await
SLUICE=${SLUICE:-build/sluice}
if [ -z "${SLUICE_INSIDE:-}" ]; then
  why=$(live_cannot) || why=
  for tool in ${needs:-}; do [ -n "$why" ] || command -v "$tool" > /dev/null 2>&1 || why="$tool is not installed"; done
  [ -z "$why" ] || { echo "$name is skipped: $why"; exit 0; }
fi
live_inside "$@"
set -u
out=$(mktemp -d) || exit 3
children= serve=
end() {
  code=$?
  # shellcheck disable=SC2086 # numbers
  [ -z "$serve$children" ] || kill $serve $children 2> /dev/null
  rm -rf "$out"
  exit $code
}
trap end EXIT
trap 'exit 130' INT TERM
step() { printf '\n== %s\n' "$*"; }
failed() { echo "$name: $*" >&2; [ ! -e "$out/serve.err" ] || sed 's/^/  /' "$out/serve.err" >&2; exit 1; }
on() { host=$1; shift; ip netns exec "$host" "$@"; }
ctl() { echo "sluice ctl $*" && "$SLUICE" ctl --control "$out/switch" "$@" || failed "the switch refuses"; }

serve() {
  : > "$out/serve.txt"
  timeout -k 10 "${LIVE_LIMIT:-3600}" "$SLUICE" serve "$@" --control "$out/switch" > "$out/serve.txt" 2> "$out/serve.err" &
  serve=$!
  await -p $serve 600 has_line "$out/serve.txt" ' serves ' || failed "the switch does not start"
}

serve_ends() {
  step "the switch ends"
  kill -INT "$serve"
  wait "$serve"
  code=$?
  serve=
  tail -n +2 "$out/serve.txt"
  exit $code
}

# web HOST BYTES: a web server on host hHOST with a file of so many bytes; transfer FROM HOST ADDRESS: gets it, and compares
web() {
  mkdir "$out/www"
  head -c "$2" /dev/urandom > "$out/www/file"
  ip netns exec "h$1" busybox httpd -f -p 80 -h "$out/www" &
  children="$children $!"
  await 5 listens "$1"
}
transfer() {
  on "$1" curl -sS --max-time 300 -o "$out/got" -w '%{size_download} bytes in %{time_total} s\n' "http://$2/file" || failed "no transfer"
  cmp "$out/www/file" "$out/got" || failed "the file is not the same"
  echo "the same bytes"
}
