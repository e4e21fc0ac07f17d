#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The eight modules of Menshen's table 3 (sw/programs/menshen) on the chip: each alone, and all that it can hold at once, with packets in all lanes.
# Every copy that leaves, its port and its bytes are as sw/tests/rig/eight.h says, which knows neither compiler nor model.
# usage: eight.sh [CHIP]
# Needs: tiny build/helpers/eight
CHIP_RUN=${1:-tiny}
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
need_helper eight
programs=sw/programs/menshen images=$out/images
mkdir -p "$images"


# Those that the chip can hold.
modules=
for module in calc firewall load_balancing qos source_routing netcache netchain multicast; do
  "$SLUICE" compile $programs/$module.dom --chip "$chip" -o "$images/$module.json" > "$images/$module.txt" 2>&1 && modules="$modules $module"
done
case $chip in tiny) many=4;; menshen) many=7;; *) many=8;; esac
it "$chip holds $many of the eight" 'same "$(echo $modules | wc -w)" $many'

# play NAME SEED PACKETS GAP MODULE...
play() {
  label=$1 args="$2 $3 $4"; shift 4
  dir=$out/$label.in; mkdir -p "$dir"; cp "$images"/*.json "$dir"
  options= vid=0 checked=3
  for known in calc firewall load_balancing qos source_routing netcache netchain multicast; do
    vid=$((vid + 1))
    for wanted; do [ "$known" = "$wanted" ] && options="$options -m $dir/$known.json:$vid"; done
  done
  # shellcheck disable=SC2086  # several words
  "$helper" make "$chip" $args "$dir" "$@" > "$out/$label.make" 2>&1 || { sed 's/^/# /' "$out/$label.make"; return; }
  # shellcheck disable=SC2086
  run_chip "$label" $options ${entries:+--reconfiguration "$dir/control.pcap"} --pcap "$dir/in.pcapng" --pace-by time -o "$dir/out.pcapng"
  # shellcheck disable=SC2086
  "$helper" check "$chip" $args "$dir" "$@" > "$out/$label.check" 2>&1; checked=$?
}
entries=yes
for m in $modules; do
  play "$m" 1 1200 6 "$m"
  it "$m alone: every copy as expected, EQUIVALENT" 'equivalent && same $checked 0 || { sed "s/^/# /" "$out/$m.check"; false; }'
done
# shellcheck disable=SC2086  # a word a module
{
  play all 2 6000 2 $modules
  it "$many at once: every copy as expected, EQUIVALENT" 'equivalent && same $checked 0 || { sed "s/^/# /" "$out/all.check"; false; }'
  note "$(tail -n 1 "$out/all.check")"
  # Without the operator's entries programs do something else: that must show.
  entries=
  play empty 2 600 2 $modules
  it "tables without entries are noticed" 'equivalent && same $checked 1'
}
finish
