# SPDX-License-Identifier: Apache-2.0
# What is wrong with the stories of all packets of a run, a sentence each; nothing if they agree with what others say of it.
# Input: the stories, slurped. $report: the report, with the final state. $sent: [cycle, bytes] of each packet in the output capture.
def sent_by_stories: [.[] | .out[]? | [.cycle, .frame]] | sort;
def drops_by_stories:
  reduce (.[] | (if .exit then (.exit.full[] | "OUTPUT_FULL") else empty end),
                (if .dropped and .dropped != "OUTPUT_FULL" then .dropped else empty end)) as $r ({}; .[$r] += 1);
def cycles: [.in.first_cycle, .in.cycle, .lane.cycle, .order.cycle, (.back[]?.cycle), .exit.cycle] | map(select(. != null));
def latencies: [.[] | .out[]?.latency];
# Accesses to state in the order of tickets: [array, index, before, after].
def accesses: [.[] | select(.order.ticket)] | sort_by(.order.ticket) |
  [.[] | .back[] | select(.refused == false) | .state[] | select(.before != null) | [.name, .index, .before, .after]];
(. as $all
 | ([.[].packet] | . as $n | if ($n | length) != $report.packets or ($n | unique | length) != ($n | length)
                             then "not one story for each packet" else empty end),
   (if sent_by_stories != ($sent | sort) then "the frames that leave are not those of the capture" else empty end),
   (.[] | select(cycles | . != sort) | "packet \(.packet): cycles go back: \(cycles)"),
   (.[] | . as $s | .out[]? | select(.latency != .first_cycle - $s.in.cycle or .first_cycle <= $s.exit.cycle or .cycle < .first_cycle)
        | "packet \($s.packet): latency and cycles do not belong together"),
   (.[] | . as $s | .out[]? | select(.frame[0:($s.result.header | length)] != $s.result.header)
        | "packet \($s.packet): the reference has another header"),
   (.[] | . as $s | select(.exit) | select(.exit.ports != [.out[].port] and (.exit.ports | sort) != ([.out[].port] | sort))
        | "packet \($s.packet): not a copy for each port"),
   ([.[] | select(.order.ticket)] | sort_by(.order.ticket) | map([.in.cycle, .in.lane])
        | if . != sort then "tickets are not in the order of arrival" else empty end),
   (if latencies != [] and ([(latencies | min, max, length)] != [$report.latency | .min, .max, .count])
    then "latencies are not the report's" else empty end),
   (if drops_by_stories != $report.drops then "drops are \(drops_by_stories), in the report \($report.drops)" else empty end),
   (reduce accesses[] as [$name, $index, $before, $after] ({now: ($report.state.vid1 | map_values({initial, values: {}})), wrong: []};
      (.now[$name].values["\($index)"] // .now[$name].initial) as $was
      | (if $was != $before then .wrong += ["\($name)[\($index)] is \($before) and was left as \($was)"] else . end)
      | .now[$name].values["\($index)"] = $after)
    | (.wrong[0:1][]), (.now | to_entries[] | .key as $name | .value.values | to_entries[]
        | select($report.state.vid1[$name].values[.key | tonumber] != .value)
        | "\($name)[\(.key)] ends as \(.value), in the chip as \($report.state.vid1[$name].values[.key | tonumber])")))
