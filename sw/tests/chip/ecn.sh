#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Congestion marks: an overloaded order queue or lane marks packets, an idle chip does not; only those that take
# part in ECN leave with CE, and with a right checksum: the reference compares all bytes.
# usage: ecn.sh [CHIP]
# Needs: tiny small
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
full="--packets 3000 --size 64 --mix uniform"
program=sw/programs/sequencer.dom      # all packets need one order queue

run_chip off $program $full --ect
it "off after reset: EQUIVALENT, no marks, at any load" 'equivalent && is "$(value marked) == 0"'
run_chip idle $program --packets 500 --size 64 --mix uniform --ect --load 0.02 --ecn-queue 4 --ecn-lane 20
it "an idle chip marks nothing" 'equivalent && is "$(value marked) == 0 && $(value admitted) == 500"'
run_chip queue $program $full --ect --ecn-queue 4
it "a long order queue marks most packets, and all of them leave with CE" \
  'equivalent && is "$(value marked) > 0.5 * $(value admitted) && $(value marked_ce) == $(value marked)"'
marked=$(value marked)
run_chip higher $program $full --ect --ecn-queue 14
it "a higher threshold marks fewer" 'equivalent && is "$(value marked) < $marked"'
run_chip lane $program $full --ect --ecn-lane 20
it "a long lane does the same" 'equivalent && is "$(value marked) > 0.5 * $(value admitted) && $(value marked_ce) == $(value marked)"'
run_chip neither $program $full --ecn-queue 4 --ecn-lane 20
it "packets that do not take part are left alone" 'equivalent && is "$(value marked) > 0 && $(value marked_ce) == 0"'
run_chip capture $program $full --ect --ecn-queue 4 -o "$out/marked.pcap"
it "the capture of what left shows it" '
  od -An -v -tx1 -w1 "$out/marked.pcap" | awk "
    { b[NR] = \$1 }
    END { at = 24; while (at < NR) { n++; ce += b[at + 16 + 19 + 1] ~ /[37bf]\$/; at += 16 + 64 } exit !(n > 1000 && ce == $(value marked)) }"'
need_chip small
run_chip small $program $full --ect --ecn-queue 4
it "a chip that updates no checksums for its modules marks all the same" \
  'equivalent && is "$(value marked) > 50 && $(value marked_ce) == $(value marked)"'
finish
