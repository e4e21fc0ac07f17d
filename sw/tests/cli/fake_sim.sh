#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for the simulator in the tests of `sluice run`. FAKE says how it behaves.
job=${1#+job=}
[ -n "$FAKE_JOB" ] && cp "$job" "$FAKE_JOB"
value() { jq -r --arg key "$1" '.[$key] // empty' "$job"; }
report=$(value report)
for file in out stories; do to=$(value $file); [ -n "$to" ] && echo "what leaves" > "$to"; done
timeline=$(value timeline)
echo "a line on standard output"
for i in 1 2 3 4; do echo "progress $i 4" >&2; done
[ -n "$timeline" ] && printf '# cycle\tdeep\tmean\tpackets\tbytes\twaiting\n0\t3\t1.5\t60\t3840\t0\n64\t9\t4.5\t64\t4096\t2\n128\t5\t2.0\t30\t1920\t0\n' > "$timeline"
verdict=EQUIVALENT difference=
case $FAKE in
  differs) verdict=DIFFERENT
    difference='"first_difference": {"packet": 17, "cycle": 99, "field": "byte 38", "expected": "0x01", "got": "0x02", "text": "ticket 12"},' ;;
  stuck) verdict=STUCK difference='"stuck": "no packet got further for 100000 cycles",' ;;
  untested) verdict=UNTESTED ;;
  error) verdict=ERROR difference='"error": "layout hash differs",' ;;
  dies) echo "the chip is on fire" >&2; exit 9 ;;
  killed) kill -KILL $$ ;;
  garbage) echo "{ no json" > "$report"; exit 0 ;;
  # Longer than any limit that a test sets: being stopped is the thing under test.
  sleeps) echo $$ > "$FAKE_PID"; sleep 60 ;;
esac
cat > "$report" <<EOF
{"verdict": "$verdict", $difference "packets": 100, "left": 97, "bytes": 6400, "cycles": 50,
 "delivered": 94, "lost": 3, "discarded": 2, "refused": 1,
 "compared": {"packets": 97, "bytes": 6208, "state_entries": 12, "answers": 3},
 "packets_per_cycle": 1.94, "share_of_line_rate": 0.9731, "drops": {"OVERLOAD": 2, "LANE_FULL": 1, "NO_VLAN": 1, "DISCARD_BACK": 2},
 "deepest_order_queue": 11, "latency": {"min": 60, "median": 62, "p99": 80, "max": 99, "idle": 60},
 "simulated_packets_per_second": 12345.6}
EOF
[ "$verdict" = EQUIVALENT ]
