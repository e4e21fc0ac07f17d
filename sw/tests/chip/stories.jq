# SPDX-License-Identifier: Apache-2.0
# What is wrong with the stories of all packets of a run, a sentence each; nothing if they agree with what others say of it.
# Input: the stories, slurped. $report: the report. $sent: [cycle, bytes] of each packet in the output capture.
#   way         the packet's way: frames, cycles, ports, drops, latencies
#   named       state by source name, and the chip's final state (needs --state)
#   placed      state by place: each access finds what the one before it left there, and so of rows of words
#   passes      a packet that goes through the chip again: each pass begins with what the one before it left
#   wires       fast ports: tickets and copies in the order of the wire, lanes and streams of the port
#   lanes       state of egress stages, in each output lane
#   probed      the monitors saw each access to state that the reference made, and no other
#   keys_told   words that were looked up are in the packet, and without an entry become 0 or stay
#   capsules    instructions are those in the packet, and their registers and words of memory belong together
def sent_by_stories: [.[] | .out[]? | [.cycle, .frame]] | sort;
def drops_by_stories:
  reduce (.[] | (if .exit then (.exit.full[] | "OUTPUT_FULL"), (.exit.not_again // empty) else empty end),
                (if .exit and .result.some_forbidden then "SOME_FORBIDDEN" else empty end),
                (.egress[]? | select(.verdict == "EGRESS") | .verdict),
                (if .dropped and (.dropped | IN("OUTPUT_FULL", "BUDGET", "EGRESS") | not) then .dropped else empty end)) as $r ({}; .[$r] += 1);
def cycles: [.in.first_cycle, .in.cycle, .in.entered, .lane.cycle, .order.cycle, (.back[]?.cycle), .exit.cycle] | map(select(. != null));
def latencies: [.[] | .out[]?.latency];
def by_ticket: [.[] | select(.order.ticket)] | sort_by(.order.ticket);

# A packet that goes through the chip again has a story for each pass, and is counted with each in the report.
def pass: [.packet, .round // 0];
def way($report; $sent):
  ([.[] | pass] | . as $n | if ($n | length) != $report.packets or ($n | unique | length) != ($n | length)
                            then "not one story for each packet and pass" else empty end),
  (if sent_by_stories != ($sent | sort) then "the frames that leave are not those of the capture" else empty end),
  (.[] | select(cycles | . != sort) | "packet \(.packet): cycles go back: \(cycles)"),
  (.[] | . as $s | .out[]? | select(.latency != .first_cycle - $s.in.cycle or .first_cycle <= $s.exit.cycle or .cycle < .first_cycle)
       | "packet \($s.packet): latency and cycles do not belong together"),
  (.[] | . as $s | .out[]? | . as $o | (([$s.egress[]? | select(.port == $o.port) | .header] | first) // $s.result.header) as $header
       | select(.frame[0:($header | length)] != $header) | "packet \($s.packet): the reference has another header"),
  (.[] | select(.exit and (.exit.ports | sort) != ([.out[].port, (.egress[]? | select(.verdict == "EGRESS") | .port)] | sort))
       | "packet \(.packet): not a copy for each port"),
  (.[] | select(.egress and (.exit.ports | sort) != ([.egress[].port] | sort)) | "packet \(.packet): not an egress for each copy"),
  (.[] | . as $s | .egress[]? | select(.cycle - .delay != $s.exit.cycle or .verdict_cycle <= .cycle)
       | "packet \($s.packet): cycles of the copy for port \(.port) do not belong together"),
  (by_ticket | map([if .in.entered then .in.entered + .order.wire else .in.cycle end, .in.lane])
       | if . != sort then "tickets are not in the order of arrival" else empty end),
  (if latencies != [] and ([(latencies | min, max, length)] != [$report.latency | .min, .max, .count])
   then "latencies are not the report's" else empty end),
  (if drops_by_stories != $report.drops then "drops are \(drops_by_stories), in the report \($report.drops)" else empty end);

# Accesses to state in the order of tickets: [array, index, before, after].
def accesses: [by_ticket[] | .back[] | select(.refused == false) | .state[] | select(.before != null) | [.name, .index, .before, .after]];
def named($report):
  reduce accesses[] as [$name, $index, $before, $after] ({now: ($report.state.vid1 | map_values({initial, values: {}})), wrong: []};
      (.now[$name].values["\($index)"] // .now[$name].initial) as $was
      | (if $was != $before then .wrong += ["\($name)[\($index)] is \($before) and was left as \($was)"] else . end)
      | .now[$name].values["\($index)"] = $after)
  | (.wrong[0:1][]), (.now | to_entries[] | .key as $name | .value.values | to_entries[]
        | select($report.state.vid1[$name].values[.key | tonumber] != .value)
        | "\($name)[\(.key)] ends as \(.value), in the chip as \($report.state.vid1[$name].values[.key | tonumber])");

def placed:
  reduce (by_ticket[] | .packet as $packet | .back[] | select(.refused == false)
          | "stage \(.stage), pipeline \(.resolved), slot \(.home)" as $place
          | {packet: $packet, place: $place, before, after},
            (select(.words) | {packet: $packet, place: "row of \($place)", before: .words.before, after: .words.after})) as $a
    ({now: {}, wrong: []};
      (.now[$a.place] // $a.before) as $was
      | (if $was != $a.before then .wrong += ["packet \($a.packet): \($a.place) is \($a.before) and was left as \($was)"] else . end)
      | .now[$a.place] = $a.after)
  | .wrong[0:1][];

# Fast ports. The wire is the packets of a port by the place of their first beat, whatever becomes of them.
def on_wire: [.in.first_cycle, .in.stream];
def wires:
  map(select(.in | has("stream"))) | group_by(.in.port)
  | (map({port: .[0].in.port, lanes: ([.[].in.lane, .[].in.stream] | unique)}) as $ports | $ports[] | . as $one
       | select(any($ports[]; .port != $one.port and (.lanes - $one.lanes) != .lanes)) | "lanes of port \(.port) are those of another port, too"),
    (.[] | .[0].in.port as $port | sort_by(on_wire) as $wire
       | (if ($wire | map(.order.ticket // empty)) != ($wire | map(.order.ticket // empty) | sort) then "port \($port): tickets are not in the order of the wire" else empty end),
         (range(1; $wire | length) | $wire[.] as $s | $wire[. - 1].packet as $before | $s
            | select(.order.wire_behind and .order.wire_behind != $before) | "packet \(.packet): packet \($before) is before it on the wire")),
    ([.[][] | .order.ticket as $ticket | .out[]? | . + {ticket: $ticket}] | group_by(.port)[] | sort_by(.ticket) | map([.first_cycle, .stream])
       | if . != sort then "copies do not leave in the order of tickets" else empty end);

# State of egress stages: each access finds what the one before it on the lane left there. Nobody else writes it while packets come.
def lanes:
  reduce ([.[] | .packet as $packet | .egress[]? | {packet: $packet, cycle, lane, stage: (.stages[] | select(.refused == false))}]
          | sort_by(.cycle)[]
          | {packet, place: "egress stage \(.stage.stage), lane \(.lane), slot \(.stage.home)", before: .stage.before, after: .stage.after}) as $a
    ({now: {}, wrong: []};
      (.now[$a.place] // $a.before) as $was
      | (if $was != $a.before then .wrong += ["packet \($a.packet): \($a.place) is \($a.before) and was left as \($was)"] else . end)
      | .now[$a.place] = $a.after)
  | .wrong[0:1][];

def probed:
  .[] | select(.lost | not) | .packet as $packet | .back[]? | select(has("refused") != has("cycle"))
  | "packet \($packet): the monitors \(if has("cycle") then "saw an" else "saw no" end) access in stage \(.stage)";

def passes:
  INDEX("\(pass)") as $all
  | .[] | (.round // 0) as $round | . as $s
  | (select(.exit.again and ($all["\([.packet, $round + 1])"] | not)) | "packet \(.packet): goes on after round \($round), and never comes"),
    (select($round > 0) | $all["\([.packet, $round - 1])"] as $p
      | if ($p.exit.again | not) then "packet \($s.packet): round \($round) comes from nowhere"
        elif .in.lane != $p.in.lane or .in.port != $p.in.port or .in.first_cycle <= $p.exit.cycle
        then "packet \(.packet): round \($round) does not follow the one before"
        elif (.in.frame | .[0:($p.result.header | length)]) != $p.result.header
        then "packet \(.packet): round \($round) begins with another header"
        elif $p.result.continued and .back[0].capsule and ([.back[0].capsule | .mar[0], .mbr[0], .mbr2[0]] != [$p.back[-1].capsule | .mar[1], .mbr[1], .mbr2[1]])
        then "packet \(.packet): round \($round) begins with other registers" else empty end);

# A word as it stands in a frame.
def word_hex: . as $n | reduce range(8) as $i (""; ((($n / pow(16; $i) | floor) % 16) as $d | "0123456789abcdef"[$d:$d + 1]) + .);
def keys_told:
  .[] | .packet as $packet | .in.frame as $frame | (.keys // [])
  | (if map(.word) != (map(.word) | unique) then "packet \($packet): words \(map(.word)) are looked up" else empty end),
    (.[] | select((.key | word_hex) as $hex | $frame | contains($hex) | not) | "packet \($packet): key \(.key) is not in the packet"),
    (.[] | select(has("entry") | not) | select(.becomes != 0 and .becomes != .key) | "packet \($packet): key \(.key) has no entry and becomes \(.becomes)");

# Two bytes of the packet as it came; of a short packet zeros are behind it.
def instruction_at($stage): (.in.frame + "0000")[88 + 4 * $stage:92 + 4 * $stage];
def hex: ascii_downcase | explode | reduce .[] as $c (0; . * 16 + if $c < 58 then $c - 48 else $c - 87 end);
def least($a; $b): if $a < $b then $a else $b end;
def wraps: (. + 4294967296) % 4294967296;
# What a memory instruction must leave, by opcode: [word, MBR, MBR2] of [word, MBR, MBR2].
def memory($opcode): . as [$word, $mbr, $mbr2]
  | if $opcode == 40 then [$mbr, $mbr, $mbr2]
    elif $opcode == 41 then [$word, $word, $mbr2]
    elif $opcode == 42 then ($word + 1 | wraps) | [., ., $mbr2]
    elif $opcode == 43 then [$word, $word, least($mbr2; $word)]
    elif $opcode == 44 then ($word + 1 | wraps) | [., ., least($mbr2; .)]
    elif $mbr == 0 then .
    elif $word == 0 then [$mbr2, 0, $mbr2]
    else [$word, ($mbr2 - $word | wraps), $mbr2] end;
def capsules:
  .[] | . as $s | [.back[]? | select(.capsule)] as $list
  | ($list[] | .stage as $stage | select(.capsule.bits != ($s | instruction_at($stage) | hex) and 92 + 4 * .stage <= ($s.in.frame | length))
      | "packet \($s.packet): stage \(.stage) executes \(.capsule.bits), which is not in the packet"),
    (range(1; $list | length) as $i | $list[$i - 1] as $a | $list[$i] as $b
      | select($a.capsule.complete or $b.stage != $a.stage + 1
               or ([$a.capsule | .mar[1], .mbr[1], .mbr2[1]] != [$b.capsule | .mar[0], .mbr[0], .mbr2[0]]))
      | "packet \($s.packet): registers of stage \($b.stage) are not those that stage \($a.stage) left"),
    ($list[] | select(.capsule.skipped and ([.capsule | .mar, .mbr, .mbr2] | any(.[0] != .[1])))
      | "packet \($s.packet): stage \(.stage) skips, and changes a register"),
    ($list[] | (.capsule.bits % 256) as $opcode | select($opcode >= 40 and $opcode <= 45 and (.capsule.skipped | not))
      | select(if .capsule.fault then .refused == false
               else ([.before[0], .capsule.mbr[0], .capsule.mbr2[0]] | memory($opcode)) != [.after[0], .capsule.mbr[1], .capsule.mbr2[1]] end)
      | "packet \($s.packet): stage \(.stage) leaves what its memory instruction does not");
