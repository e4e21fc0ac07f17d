#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the whole costs in simulation: shapes beside each other, as two tables in Markdown. Processor time is what is measured, so other work
# on the machine disturbs little; it makes all figures worse, so compare only those of one run.
# usage: whole.sh build SHAPE...   makes the simulators anew, without what is kept, in build/bench/whole
#        whole.sh run SHAPE...     plays the sequencer on simulators that are built, the shapes in turns
set -eu
LC_ALL=C; export LC_ALL
verb=$1; shift
sluice=${SLUICE:-build/sluice} out=build/bench/whole turns=${TURNS:-3} packets=${PACKETS:-60000}
mkdir -p "$out"

# user and system time in seconds and the most memory in MB of a command, into a file; what it prints goes to a log.
measured() { # FILE COMMAND...
  file=$1; shift
  /usr/bin/time -f '%U %S %M' -o "$file" "$@" > "$file.log" 2>&1 || { tail -n 20 "$file.log" >&2; exit 1; }
}
seconds() { awk '{ print $1 + $2 }' "$1"; }

if [ "$verb" = build ]; then
  echo '| shape | Verilator, seconds | GB | C++, MB | compiling it, seconds | all, seconds | program, MB |'
  echo '|---|---|---|---|---|---|---|'
  for shape; do
    dir=$out/$shape; rm -rf "$dir"; mkdir -p "$dir"
    # What make does is told apart by who does it: this stands before the real Verilator.
    cat > "$dir/verilator" <<END
#!/bin/sh
case "\$*" in *--cc*) exec /usr/bin/time -f '%U %S %M' -o "$dir/verilated" verilator "\$@" ;; esac
exec verilator "\$@"
END
    chmod +x "$dir/verilator"
    measured "$dir/all" make --no-print-directory JOBS=1 SLUICE_CACHE= BUILD="$dir/build" VERILATOR="$dir/verilator" "$dir/build/$shape/v/Vsim__ALL.a"
    text=$(cat "$dir/build/$shape/v/"*.cpp "$dir/build/$shape/v/"*.h | wc -c)
    object=$(wc -c < "$dir/build/$shape/v/Vsim__ALL.a")
    echo "$shape $(cat "$dir/verilated") $(seconds "$dir/all") $text $object" | awk '{
      v = $2 + $3; printf "| `%s` | %.0f | %.1f | %.0f | %.0f | %.0f | %.0f |\n", $1, v, $4 / 1048576, $6 / 1e6, $5 - v, $5, $7 / 1e6 }'
  done
  exit 0
fi

# The time of a run with few packets is taken from that of one with many: what is left is that of the packets alone.
play() { # SHAPE NUMBER
  measured "$out/$1.$2" "$sluice" run sw/programs/sequencer.dom -c "$1" -n "$2" --size 64 --mix uniform --timeout 1800 --dir "$out/work" --report "$out/$1.$2.json" -q
  [ "$(jq -r .verdict "$out/$1.$2.json")" = EQUIVALENT ] || { echo "$1: not EQUIVALENT" >&2; exit 1; }
  echo "$1 $2 $(seconds "$out/$1.$2") $(jq .cycles "$out/$1.$2.json")" >> "$out/turns"
}
: > "$out/turns"
few=100
for turn in $(seq "$turns"); do for shape; do play "$shape" $few; play "$shape" "$packets"; done; done
for shape; do
  "$sluice" run sw/programs/sequencer.dom -c "$shape" -n 50 --size 64 --mix single --load 0.005 --timeout 1800 --dir "$out/work" --report "$out/$shape.alone.json" -q > "$out/alone.log"
done
echo "| shape | packets a second | of \`$1\` | cycles a second | a run of $few packets, seconds | a packet alone: cycles to its fate | to the port |"
echo '|---|---|---|---|---|---|---|'
for shape; do
  echo "$shape $(jq -r '[.latency.idle, .latency.min] | join(" ")' "$out/$shape.alone.json")"
done | awk -v few=$few -v many="$packets" -v turns="$turns" '
  FNR == NR { time[$1, $2] += $3 / turns; cycles[$1, $2] = $4; next }
  { t = time[$1, many] - time[$1, few]; rate = (many - few) / t; if (!first) first = rate
    printf "| `%s` | %.0f | %.2f | %.0f | %.1f | %d | %d |\n", $1, rate, rate / first, (cycles[$1, many] - cycles[$1, few]) / t, time[$1, few], $2, $3 }' "$out/turns" -
