#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checksums that the chip brings up to date, judged by tshark: random UDP and TCP packets (checksum_packets.c) of even and odd lengths,
# with IPv4 options, source routes, fragments, and bytes behind their datagram. Programs change bytes in and around the end of the
# datagram, addresses and TTL, and bytes in its middle; at the exit, and on chips with egress stages in the egress function.
# A program without `option checksum` must be noticed.
# usage: checksums.sh [PACKETS [CHIP...]]      300; model:k4 model:egress tiny
# Needs: tiny build/helpers/checksum_packets
. "$(dirname "$0")/lib"
packets=${1:-300}; [ $# -eq 0 ] || shift
command -v tshark > /dev/null || { echo 'ok 1 - checksums # SKIP no tshark here: make build/stamp/wireshark'; echo '1..1'; exit 0; }
[ $# -gt 0 ] || { need_chip tiny; set -- model:k4 model:egress tiny; }
seed=${SLUICE_SEED:-1}
note "SLUICE_SEED=$seed"
need_helper checksum_packets
in=$out/in.pcap
it "$packets packets are made" '"$helper" "$in" "$packets" "$seed"'

# How many packets have an IPv4, and a UDP or TCP checksum that is right (1), wrong (0), not to be known (2), not there (3).
judge() {
  tshark -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -o tcp.check_checksum:TRUE -r "$1" -T fields -E separator=, -E occurrence=f \
    -e ip.checksum.status -e udp.checksum.status -e tcp.checksum.status 2> "$out/tshark.err" | sort | uniq -c | sort -k 2 > "$2"
  [ -s "$2" ] || { sed 's/^/# /' "$out/tshark.err"; return 1; }
}
wrong() { awk '$2 ~ /0/ { n += $1 } END { print n + 0 }' "$1"; }
it 'tshark finds all of them right as they are made' 'judge "$in" "$out/in.judged" && [ "$(wrong "$out/in.judged")" = 0 ]'

# program NAME WHERE OPTION FIELDS STATEMENTS: what is written comes from the source address of Ethernet. WHERE: exit or egress
program() {
  {
    printf 'struct Packet { int from @ bytes(8, 2); int port @ meta.port_out; %s };\n%s\n' "$4" "$3"
    case $2 in
      exit) printf 'void f(struct Packet p) { p.port = 1; %s }\n' "$5" ;;
      egress) printf 'void f(struct Packet p) { p.port = 1; }\negress void g(struct Packet p) { %s }\n' "$5" ;;
    esac
  } > "$1"
}
# programs FOLDER WHERE OPTION: the bytes that they write stand in checksum_packets.c
programs() {
  mkdir -p "$1"
  program "$1/1.dom" "$2" "$3" 'int a @ bytes(63, 2); int b @ bytes(65, 1);' 'p.a = p.from; p.b = p.from;'
  program "$1/2.dom" "$2" "$3" 'int a @ ipv4.ttl; int b @ ipv4.src; int c @ ipv4.dst;' 'p.a = p.a - 1; p.b = p.b + p.from; p.c = p.c ^ p.from;'
  program "$1/3.dom" "$2" "$3" 'int a @ bytes(54, 2); int b @ bytes(58, 4); int c @ bytes(71, 1);' 'p.a = p.from; p.b = p.from - p.b; p.c = p.from;'
}
# play NAME CHIP WHERE OPTION
play() {
  folder=$out/$1 chip=$2; programs "$folder" "$3" "$4"
  case $chip in model:*) set -- ;; *) set -- --dir "$folder/work" --load 0.2 --timeout 300 ;; esac
  timeout 330 "$SLUICE" run -c "$chip" -q -m "$folder/1.dom:1" -m "$folder/2.dom:2" -m "$folder/3.dom:3" --pcap "$in" -o "$folder/out.pcap" \
    --report "$folder/report.json" "$@" > "$folder/run.txt" 2>&1 || { sed 's/^/# /' "$folder/run.txt"; return 1; }
  judge "$folder/out.pcap" "$folder/out.judged"
}
all_right() { diff "$out/in.judged" "$folder/out.judged" > "$folder/diff" || { sed 's/^/# /' "$folder/diff"; return 1; }; }
# Frames of which a checksum differs from all that came in: so much was brought up to date.
sums() { tshark -r "$1" -T fields -e ip.id -e ip.frag_offset -e ip.checksum -e udp.checksum -e tcp.checksum 2> /dev/null | sort; }
moved() { sums "$in" > "$out/in.sums"; sums "$folder/out.pcap" > "$folder/out.sums"; [ "$(comm -13 "$out/in.sums" "$folder/out.sums" | wc -l)" -gt $((packets / 2)) ]; }

for c in "$@"; do
  places=exit; case $c in *egress*) places='exit egress' ;; esac
  for place in $places; do
    it "$c, $place: the packets pass" 'play "$c-$place" "$c" $place "option checksum;"'
    it "$c, $place: tshark finds every checksum right that was right" all_right
    it "$c, $place: more than half of them are new" moved
  done
done
c=model:k4
it 'without the option tshark finds them wrong' 'play without "$c" exit "" && [ "$(wrong "$folder/out.judged")" -gt $((packets / 2)) ]'
finish
