#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Words of packets that are looked up, eight at a time: analytics (filter, join, group, sum) and the triangles of a graph, on
# the reference model and on the simulated chip `arrays`. Every packet that leaves is what a host makes of the same job
# (lookup_packets.c). A program with one thing wrong, and a chip that exchanges the data of two keys, must be noticed.
# usage: lookups.sh [CHIP...]       what to run on, in place of both: model:arrays
# Needs: arrays build/helpers/lookup_packets
. "$(dirname "$0")/lib"
[ $# -gt 0 ] || { need_chip arrays; set -- model:arrays arrays; }
need_helper lookup_packets
packets=$helper seed=${SLUICE_SEED:-1}
note "SLUICE_SEED=$seed"

# play NAME CHIP JOB SIZE SOURCE [OPTION...]: into the folder $out/NAME
play() {
  folder=$out/$1 chip=$2 job=$3 size=$4 source=$5; shift 5; mkdir -p "$folder"
  case $job in analytics) table=dimension ;; *) table=edges ;; esac
  "$packets" make "$job" "$folder" "$size" "$seed" || return 1
  "$SLUICE" compile "$source" --chip "${chip#model:}" -o "$folder/image.json" > "$folder/compile.txt" 2>&1 || { sed 's/^/# /' "$folder/compile.txt"; return 1; }
  case $chip in model:*) ;; *) set -- "$@" --load 0.8 --timeout 300 --dir "$folder/work" ;; esac
  report=$folder/report.json
  timeout 330 "$SLUICE" run -c "$chip" -q -m "$folder/image.json:5" --entries "$table=$folder/entries.csv" --report "$report" --pcap "$folder/in.pcapng" \
    -o "$folder/out.pcapng" "$@" > "$folder/run.txt" 2>&1
  code=$?
}
check() { "$packets" check "$job" "$folder" "$size" "$seed" > "$folder/check.txt" 2>&1 || { sed 's/^/# /' "$folder/check.txt"; return 1; }; }
good() { [ "$code" -eq 0 ] || { sed 's/^/# /' "$folder/run.txt"; return 1; }; case $chip in model:*) ;; *) [ "$(value verdict)" = EQUIVALENT ] ;; esac; }

# Changes by names on a chip that packets come to, over and over; the monitors compare all of them.
tmp=$(mktemp -d) || exit 3   # sockets have short names
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$tmp"' EXIT
SLUICE_CONTROL=$tmp/switch; export SLUICE_CONTROL
ctl() { timeout 120 "$SLUICE" ctl "$@" > "$out/ctl.txt" 2> "$out/ctl.err" || { code=$?; sed 's/^/# /' "$out/ctl.err"; return $code; }; }
stop() { kill -TERM "$server"; wait "$server"; code=$?; server=; [ "$code" -eq 0 ] || { sed 's/^/# /' "$1"; return 1; }; }
serve_changes() {
  folder=$out/analytics-$(echo "$1" | tr -d :)
  "$SLUICE" gen -o "$out/in.pcap" --packets 60000 --size 98 --untagged > /dev/null || return 1
  rm -f "$out/serve.txt"
  { timeout -k 5 300 "$SLUICE" serve --chip "$1" -m "$folder/image.json:5" --entries "dimension=$folder/entries.csv" --port "0=pcap:$out/in.pcap" --control "$SLUICE_CONTROL" \
    > "$out/serve.txt" 2>&1 < /dev/null & server=$!; } && wait_for "$out/serve.txt" "^$1 serves" || return 1
  for i in $(seq 12); do ctl table 5 dimension add $((2 * i + 1)) $i || return 1; done
  ctl table 5 && has "$out/ctl.txt" "dimension: 512 of 592 entries, array match" && ctl table 5 dimension mod 3 77 && ctl table 5 dimension del 5 &&
    ctl table 5 dimension && has "$out/ctl.txt" "^3 becomes data=77$" && ! grep -q "^5 " "$out/ctl.txt" &&
    ctl table 5 dimension clear --in-order && ctl table 5 && has "$out/ctl.txt" "dimension: 0 of 592" && stop "$out/serve.txt" && has "$out/serve.txt" "^EQUIVALENT: "
}

for where; do
  short=$(echo "$where" | tr -d :)
  it "$where: analytics" 'play "analytics-$short" "$where" analytics 1500 sw/programs/coflow/analytics.dom && good && check'
  note "$(cat "$folder/check.txt")"
  it "$where: triangles" 'play "triangles-$short" "$where" triangles 80 sw/programs/coflow/triangles.dom && good && check'
  note "$(cat "$folder/check.txt")"
  case $where in model:*) continue ;; esac
  it "$where: entries come, change and go while packets come" 'serve_changes "$where"'
  note "$(tail -n 1 "$out/serve.txt")"
  note "$(tail -n 12 "$folder/run.txt" | tr '\n' ';')"
  it "$where: data of two keys exchanged, which the monitors see" 'play "swapped-$short" "$where" analytics 1500 sw/programs/coflow/analytics.dom --fault KEYS_SWAP; [ "$code" -eq 1 ] && [ "$(value verdict)" != EQUIVALENT ] && ! check > /dev/null'
done
# wrong NAME JOB SIZE SED-COMMAND: runs, and is noticed.
wrong() {
  program=$([ "$2" = analytics ] && echo analytics || echo triangles)
  sed "$4" "sw/programs/coflow/$program.dom" > "$out/$1.dom"
  ! cmp -s "$out/$1.dom" "sw/programs/coflow/$program.dom" && play "$1" model:arrays "$2" "$3" "$out/$1.dom" && good && ! check > /dev/null
}
it 'found: strangers that stay, a row that is not joined, counts that are not filtered' '
  wrong stay analytics 300 "s/(dimension, p.v)/(dimension, p.v) or stay/" && wrong seven analytics 300 "s/(dimension, p.v)/(dimension, p.v[0..6])/" && wrong count analytics 300 "s/+= p.n/+= 8/"'
it 'found: candidates that stay, a count that is none' 'wrong candidates triangles 80 "s/(edges, p.v)/(edges, p.v) or stay/" && wrong none triangles 80 "s/triangles\[p.u\] += p.v/triangles[p.u] |= p.v/"'
finish
