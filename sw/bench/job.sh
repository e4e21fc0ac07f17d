#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes one run of the plan, unless its result is there: build/bench/runs/ID.json. Exit code: 0 if there is a result.
# usage: job.sh OUT TIME_LIMIT_SECONDS LINE-OF-PLAN (tab-separated, see plan.sh)
set -u
out=$1 limit=$2
IFS='	' read -r id figure series pattern parameter passes engine config flows packets options <<LINE
$3
LINE
result=$out/runs/$id.json
[ -s "$result" ] && exit 0
mkdir -p "$out/runs" "$out/logs"
# A run has a process group of its own (timeout), so whoever ends this script must end it, too.
child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 143' TERM INT
if [ "$engine" = chip ]; then
  # shellcheck disable=SC2086 # options are words
  timeout "$limit" build/sluice run --chip "$config" --trace-flows "$flows" --trace-packets "$packets" --repeat "$passes" \
    --quiet --dir "$out/kept/$id" --report "$result.new" $options >"$out/logs/$id.log" 2>&1 &
elif [ "$engine" = program ]; then
  # shellcheck disable=SC2086
  timeout "$limit" build/sluice run "$flows" --chip "$config" --packets "$packets" --seed 4 \
    --quiet --dir "$out/kept/$id" --report "$result.new" $options >"$out/logs/$id.log" 2>&1 &
else
  # shellcheck disable=SC2086
  timeout "$limit" build/sluice study "$flows" "$packets" --repeat "$passes" --json $options >"$result.new" 2>"$out/logs/$id.log" &
fi
child=$!
wait "$child"
code=$?
rm -rf "$out/kept/$id"
# A verdict other than EQUIVALENT is a result as well (exit code 1); anything else is not.
if [ $code -gt 1 ] || ! jq -e . "$result.new" >/dev/null 2>&1; then
  rm -f "$result.new"
  echo "$id: exit code $code, see $out/logs/$id.log" >&2
  exit 1
fi
jq --arg id "$id" --arg figure "$figure" --arg series "$series" --arg pattern "$pattern" --arg parameter "$parameter" \
   --arg passes "$passes" --arg engine "$engine" --arg config "$config" \
   '{id: $id, figure: $figure, series: $series, pattern: $pattern, parameter: $parameter, passes: ($passes | tonumber),
     engine: $engine, config: $config, result: .}' "$result.new" >"$result.tmp" && mv "$result.tmp" "$result" && rm -f "$result.new"
