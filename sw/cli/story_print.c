// SPDX-License-Identifier: Apache-2.0
// A story as text: a line for each thing that happened, in the order of the packet's way.
#include <string.h>

#include "../base/json.h"
#include "story.h"

static bool has(const json_t *from, const char *key) { return json_object_get(from, key) != NULL; }
static const char *plural(long long n) { return n == 1 ? "" : "s"; }

static void print_in(FILE *out, const json_t *story) {
  const json_t *in = json_object_get(story, "in"), *lane = json_object_get(story, "lane");
  const bool again = has(story, "round");
  fprintf(out, "packet %lld", sluice_json_int(story, "packet"));
  if (again) fprintf(out, " again, round %lld", sluice_json_int(story, "round"));
  fprintf(out, ": %lld bytes on port %lld", sluice_json_int(in, "len"),
          sluice_json_int(in, "port"));
  if (has(story, "module"))
    fprintf(out, ", VLAN %lld, module %s", sluice_json_int(story, "vlan"),
            sluice_json_text(story, "module"));
  const bool fast = has(in, "stream");
  fprintf(out, "\n  %s  cycle %lld, ", again ? "comes again  " : "arrives      ",
          sluice_json_int(in, "cycle"));
  if (fast) fprintf(out, "on the wire of port %lld", sluice_json_int(in, "port"));
  else fprintf(out, "in lane %lld", sluice_json_int(in, "lane"));
  if (fast || sluice_json_int(in, "first_cycle") != sluice_json_int(in, "cycle"))
    fprintf(out, " (first beat in cycle %lld", sluice_json_int(in, "first_cycle"));
  if (fast) fprintf(out, ", stream %lld", sluice_json_int(in, "stream"));
  if (fast || sluice_json_int(in, "first_cycle") != sluice_json_int(in, "cycle")) fprintf(out, ")");
  if (fast)
    fprintf(out, "\n                 dealt to lane %lld, whole there in cycle %lld",
            sluice_json_int(in, "lane"), sluice_json_int(in, "entered"));
  if (has(lane, "verdict") && strcmp(sluice_json_text(lane, "verdict"), "NONE") != 0)
    fprintf(out, "; the lane drops it: %s", sluice_json_text(lane, "verdict"));
  fprintf(out, "\n");
}

static void print_filter(FILE *out, const json_t *story) {
  const json_t *filter = json_object_get(story, "filter");
  const bool pass = strcmp(sluice_json_text(filter, "verdict"), "NONE") == 0;
  // What is damaged never comes to the filter.
  if (!filter ||
      (!pass && strcmp(sluice_json_text(filter, "verdict"),
                       sluice_json_text(json_object_get(story, "lane"), "verdict")) == 0))
    return;
  fprintf(out, "  filter         %s", pass ? "passes" : sluice_json_text(filter, "verdict"));
  if (has(filter, "row")) fprintf(out, ", overlay row %lld", sluice_json_int(filter, "row"));
  if (has(filter, "bank")) fprintf(out, ", bank %lld", sluice_json_int(filter, "bank"));
  fprintf(out, "\n");
}

static void print_words(FILE *out, const json_t *words) {
  size_t w;
  json_t *word;
  json_array_foreach(words, w, word)
      fprintf(out, "%s%lld", w ? " " : "", (long long)json_integer_value(word));
}

static void print_parser(FILE *out, const json_t *story) {
  const char *name, *comma = "";
  json_t *value;
  if (!has(story, "parser")) return;
  fprintf(out, "  parser         ");
  json_object_foreach(json_object_get(json_object_get(story, "parser"), "fields"), name, value) {
    fprintf(out, "%s%s = ", comma, name);
    if (json_is_array(value)) print_words(out, value);
    else fprintf(out, "%lld", (long long)json_integer_value(value));
    comma = ", ";
  }
  fprintf(out, "%s\n", *comma ? "" : "no field of the program is read");
}

static void print_lines(FILE *out, const json_t *stage) {
  json_t *line;
  size_t i;
  json_array_foreach(json_object_get(stage, "lines"), i, line) {
    fprintf(out, "                 line %lld: %s", sluice_json_int(line, "line"),
            sluice_json_text(line, "text"));
    if (has(line, "value")) fprintf(out, "   -> %lld", sluice_json_int(line, "value"));
    if (has(line, "port")) fprintf(out, "   -> port %lld", sluice_json_int(line, "port"));
    if (has(line, "no_port")) fprintf(out, "   -> no port");
    if (has(line, "discard"))
      fprintf(out, "   -> %s",
              json_is_true(json_object_get(line, "discard")) ? "discarded" : "kept");
    fprintf(out, "\n");
  }
  if (has(stage, "action"))
    fprintf(out, "                 %s\n", sluice_json_text(stage, "action"));
}

static void print_row(FILE *out, const json_t *stage) {
  const long long row = sluice_json_int(stage, "row");
  if (row < 0) fprintf(out, "no row matches, nothing changes");
  else if (strcmp(sluice_json_text(stage, "by"), "ternary") == 0 ||
           strcmp(sluice_json_text(stage, "by"), "cuckoo") == 0)
    fprintf(out, "%s entry %lld, action row %lld", sluice_json_text(stage, "by"),
            sluice_json_int(stage, "entry"), row);
  else if (strcmp(sluice_json_text(stage, "by"), "default") == 0)
    fprintf(out, "no entry matches, the default action: row %lld", row);
  else fprintf(out, "match row %lld", row);
  if (has(stage, "key")) fprintf(out, ", key 0x%s", sluice_json_text(stage, "key"));
}

static void print_front(FILE *out, const json_t *story) {
  json_t *stage;
  size_t i;
  json_array_foreach(json_object_get(story, "front"), i, stage) {
    fprintf(out, "  front stage %lld  ", sluice_json_int(stage, "stage"));
    print_row(out, stage);
    fprintf(out, "\n");
    print_lines(out, stage);
  }
}

// Words of the array that were looked up.
static void print_keys(FILE *out, const json_t *story) {
  json_t *word;
  size_t i;
  json_array_foreach(json_object_get(story, "keys"), i, word) {
    fprintf(out, "  %-15sword %lld: key %lld, ", i ? "" : "array match",
            sluice_json_int(word, "word"), sluice_json_int(word, "key"));
    if (has(word, "entry")) fprintf(out, "entry %lld", sluice_json_int(word, "entry"));
    else fprintf(out, "no entry");
    if (sluice_json_int(word, "becomes") == sluice_json_int(word, "key")) fprintf(out, ", stays\n");
    else fprintf(out, " -> %lld\n", sluice_json_int(word, "becomes"));
  }
}

static void print_order(FILE *out, const json_t *story) {
  static const struct {
    const char *key, *says;
  } causes[] = {{"pacing", "pacing (its order queue is long)"},
                {"brake", "the brake (too many packets wait in the stages)"},
                {"order_queue", "a full order queue"},
                {"credit", "room in a pipeline"},
                {"window", "the window (too many packets inside)"}};
  const json_t *order = json_object_get(story, "order"), *held = json_object_get(order, "held");
  const long long arrival = sluice_json_int(json_object_get(story, "in"), "cycle");
  if (!order) return;
  fprintf(out,
          "  order point    cycle %lld, %lld after it arrived: ", sluice_json_int(order, "cycle"),
          sluice_json_int(order, "cycle") - arrival);
  if (has(order, "ticket")) fprintf(out, "ticket %lld", sluice_json_int(order, "ticket"));
  else fprintf(out, "no ticket");
  fprintf(out, "%s\n",
          json_is_true(json_object_get(order, "marked")) ? ", marked for congestion" : "");
  if (has(order, "wire_behind"))
    fprintf(
        out,
        "                 waited %lld cycle%s in its lane for packet %lld, before it on the wire\n",
        sluice_json_int(order, "wire"), plural(sluice_json_int(order, "wire")),
        sluice_json_int(order, "wire_behind"));
  if (has(order, "behind"))
    fprintf(out, "                 behind packet %lld of its lane up to cycle %lld\n",
            sluice_json_int(order, "behind"), sluice_json_int(order, "first_of_lane"));
  for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
    if (has(held, causes[i].key))
      fprintf(out, "                 then held %lld cycle%s by %s\n",
              sluice_json_int(held, causes[i].key), plural(sluice_json_int(held, causes[i].key)),
              causes[i].says);
}

static void print_place(FILE *out, const json_t *stage) {
  if (has(stage, "cycle"))
    fprintf(out, "cycle %lld, pipeline %lld, ", sluice_json_int(stage, "cycle"),
            sluice_json_int(stage, "pipeline"));
  print_row(out, stage);
  if (json_is_true(json_object_get(stage, "out_of_bounds")))
    fprintf(out, "; index %lld is not in the array: no access", sluice_json_int(stage, "index"));
  else if (has(stage, "resolved") && !has(stage, "before") && !has(stage, "cycle"))
    fprintf(out, "; an access to pipeline %lld was prepared and not used",
            sluice_json_int(stage, "resolved"));
  fprintf(out, "\n");
}

// An array of rows: "1 2 3 4 -> 2 4 6 8; the packet has 2 4 6 8".
static void print_row_state(FILE *out, const json_t *state) {
  const json_t *before = json_object_get(state, "before"), *after = json_object_get(state, "after");
  const bool stays = json_equal((json_t *)(uintptr_t)before, (json_t *)(uintptr_t)after);
  fprintf(out, stays ? " = " : ": ");
  print_words(out, before);
  if (stays) fprintf(out, ", stays");
  else fprintf(out, " -> "), print_words(out, after);
  fprintf(out, "; the packet has ");
  print_words(out, json_object_get(state, "packet"));
  fprintf(out, "\n");
}

static void print_states(FILE *out, const json_t *stage) {
  json_t *state;
  size_t i;
  const bool refused = json_is_true(json_object_get(stage, "refused"));
  json_array_foreach(json_object_get(stage, "state"), i, state) {
    if (!has(state, "before")) continue;
    fprintf(out, "                 ");
    if (has(stage, "text") && !i)
      fprintf(out, "line %lld: %s\n                 ", sluice_json_int(stage, "line"),
              sluice_json_text(stage, "text"));
    fprintf(out, "state %s", sluice_json_text(state, "name"));
    if (sluice_json_int(stage, "size") > 1 && has(state, "index"))
      fprintf(out, "[%lld]", sluice_json_int(state, "index"));
    if (refused) fprintf(out, ": refused, reads 0 and writes nothing\n");
    else if (json_is_array(json_object_get(state, "before"))) print_row_state(out, state);
    else if (sluice_json_int(state, "before") == sluice_json_int(state, "after"))
      fprintf(out, " = %lld, stays\n", sluice_json_int(state, "before"));
    else
      fprintf(out, ": %lld -> %lld\n", sluice_json_int(state, "before"),
              sluice_json_int(state, "after"));
  }
}

static void print_slot(FILE *out, const json_t *stage) {
  if (!has(stage, "slot") || json_is_true(json_object_get(stage, "refused"))) return;
  fprintf(out, "                 slot %lld of pipeline %lld, %s", sluice_json_int(stage, "slot"),
          sluice_json_int(stage, "pipeline"),
          json_is_true(json_object_get(stage, "pinned")) ? "pinned" : "sharded by index");
  if (has(stage, "home") && sluice_json_int(stage, "home") != sluice_json_int(stage, "slot"))
    fprintf(out, ", moved there for balance");
  fprintf(out, "\n");
}

// [before, after] of a register, if it changes.
static void print_register(FILE *out, const json_t *capsule, const char *key, const char *name) {
  const json_t *pair = json_object_get(capsule, key);
  const long long before = (long long)json_integer_value(json_array_get(pair, 0)),
                  after = (long long)json_integer_value(json_array_get(pair, 1));
  if (before != after) fprintf(out, ", %s %lld -> %lld", name, before, after);
}

static void print_capsule(FILE *out, const json_t *stage) {
  const json_t *capsule = json_object_get(stage, "capsule"),
               *memory = json_object_get(capsule, "memory");
  if (!capsule) return;
  fprintf(out, "                 capsule: %s", sluice_json_text(capsule, "instruction"));
  if (json_is_true(json_object_get(capsule, "skipped"))) fprintf(out, ", skipped");
  if (json_is_true(json_object_get(capsule, "fault")))
    fprintf(out, ", FAULT: no access to a word at MAR %lld",
            (long long)json_integer_value(json_array_get(json_object_get(capsule, "mar"), 0)));
  if (memory && sluice_json_int(memory, "before") == sluice_json_int(memory, "after"))
    fprintf(out, ", word %lld = %lld", sluice_json_int(memory, "word"),
            sluice_json_int(memory, "before"));
  else if (memory)
    fprintf(out, ", word %lld: %lld -> %lld", sluice_json_int(memory, "word"),
            sluice_json_int(memory, "before"), sluice_json_int(memory, "after"));
  print_register(out, capsule, "mar", "MAR");
  print_register(out, capsule, "mbr", "MBR");
  print_register(out, capsule, "mbr2", "MBR2");
  if (json_is_true(json_object_get(capsule, "jumps"))) fprintf(out, ", jumps");
  if (json_is_true(json_object_get(capsule, "complete"))) fprintf(out, ", the program ends");
  fprintf(out, "\n");
}

static void print_back(FILE *out, const json_t *story) {
  json_t *stage, *hop;
  size_t i, h;
  json_array_foreach(json_object_get(story, "back"), i, stage) {
    json_array_foreach(json_object_get(story, "hops"), h,
                       hop) if (has(hop, "stage") &&
                                sluice_json_int(hop, "stage") == sluice_json_int(stage, "stage"))
        fprintf(out, "  hop            from pipeline %lld to pipeline %lld\n",
                sluice_json_int(hop, "from"), sluice_json_int(hop, "to"));
    fprintf(out, "  back stage %lld   ", sluice_json_int(stage, "stage"));
    print_place(out, stage);
    print_states(out, stage);
    // The slot is that of the line in front of it.
    const bool reached = has(json_object_get(stage, "capsule"), "memory");
    if (!reached) print_slot(out, stage);
    print_capsule(out, stage);
    if (reached) print_slot(out, stage);
    print_lines(out, stage);
  }
  json_array_foreach(json_object_get(story, "hops"), h, hop) if (!has(hop, "stage"))
      fprintf(out, "  hop            home from pipeline %lld to lane %lld\n",
              sluice_json_int(hop, "from"), sluice_json_int(hop, "to"));
}

static void print_ports(FILE *out, const json_t *ports) {
  json_t *port;
  size_t i;
  json_array_foreach(ports, i, port)
      fprintf(out, "%s%lld", i ? ", " : "", (long long)json_integer_value(port));
}

// The entry of an egress stage: by the names of the source, or both words.
static void print_lane_state(FILE *out, const json_t *stage, long long lane) {
  const json_t *before = json_object_get(stage, "before"), *after = json_object_get(stage, "after");
  json_t *state;
  size_t i;
  if (!before) return;
  if (!json_is_true(json_object_get(stage, "refused")) &&
      json_array_size(json_object_get(stage, "state"))) {
    json_array_foreach(json_object_get(stage, "state"), i, state)
        fprintf(out, "                 %s[%lld] of lane %lld: %lld -> %lld\n",
                sluice_json_text(state, "name"), sluice_json_int(state, "index"), lane,
                sluice_json_int(state, "before"), sluice_json_int(state, "after"));
    return;
  }
  fprintf(out, "                 state");
  if (json_is_true(json_object_get(stage, "refused"))) {
    fprintf(out, ": refused, reads 0 and writes nothing\n");
    return;
  }
  fprintf(out, "[%lld] of lane %lld: ", sluice_json_int(stage, "index"), lane);
  print_words(out, before);
  fprintf(out, " -> ");
  print_words(out, after);
  fprintf(out, "\n");
}

static void print_egress(FILE *out, const json_t *story) {
  json_t *copy, *stage;
  size_t i, s;
  json_array_foreach(json_object_get(story, "egress"), i, copy) {
    const long long in = sluice_json_int(copy, "depth_in"),
                    now = sluice_json_int(copy, "depth_out");
    fprintf(out,
            "  egress         port %lld, copy %lld, cycle %lld: %lld cycle%s in the queue, behind "
            "%lld; %lld wait%s\n",
            sluice_json_int(copy, "port"), sluice_json_int(copy, "copy"),
            sluice_json_int(copy, "cycle"), sluice_json_int(copy, "delay"),
            plural(sluice_json_int(copy, "delay")), in, now, now == 1 ? "s" : "");
    json_array_foreach(json_object_get(copy, "stages"), s, stage) {
      fprintf(out, "  egress stage %lld ", sluice_json_int(stage, "stage"));
      print_row(out, stage);
      fprintf(out, "\n");
      print_lane_state(out, stage, sluice_json_int(copy, "lane"));
      print_lines(out, stage);
    }
    if (strcmp(sluice_json_text(copy, "verdict"), "EGRESS") == 0)
      fprintf(out, "                 cycle %lld: this copy is discarded, EGRESS\n",
              sluice_json_int(copy, "verdict_cycle"));
  }
}

static void print_exit(FILE *out, const json_t *story) {
  const json_t *exit = json_object_get(story, "exit");
  json_t *change, *copy;
  size_t i;
  if (!exit) return;
  const json_t *in = json_object_get(story, "in");
  const bool fast = has(in, "stream");
  fprintf(out,
          "  exit           cycle %lld, deparser of lane %lld%s: ", sluice_json_int(exit, "cycle"),
          sluice_json_int(in, "lane"), fast ? ", behind all earlier tickets" : "");
  if (strcmp(sluice_json_text(exit, "verdict"), "NONE") != 0)
    fprintf(out, "%s", sluice_json_text(exit, "verdict"));
  else if (json_array_size(json_object_get(exit, "ports"))) {
    fprintf(out, "into the queue of port ");
    print_ports(out, json_object_get(exit, "ports"));
  }
  if (json_array_size(json_object_get(exit, "full"))) {
    fprintf(out, "%sno room in the queue of port ",
            json_array_size(json_object_get(exit, "ports")) ? "; " : "");
    print_ports(out, json_object_get(exit, "full"));
  }
  if (has(exit, "again") || has(exit, "not_again"))
    fprintf(out, "%s%s through the chip again",
            json_array_size(json_object_get(exit, "ports")) ||
                    json_array_size(json_object_get(exit, "full"))
                ? "; "
                : "",
            has(exit, "again") ? "goes" : "does not go");
  if (has(exit, "not_again")) fprintf(out, ": %s", sluice_json_text(exit, "not_again"));
  if (json_is_true(json_object_get(json_object_get(story, "result"), "some_forbidden")))
    fprintf(out, "; no copy for ports that its module may not send to");
  fprintf(out, "\n");
  json_array_foreach(json_object_get(story, "changes"), i, change)
      fprintf(out, "                 bytes %lld..%lld: %s -> %s\n", sluice_json_int(change, "byte"),
              sluice_json_int(change, "byte") + sluice_json_int(change, "len") - 1,
              sluice_json_text(change, "before"), sluice_json_text(change, "after"));
  print_egress(out, story);
  json_array_foreach(json_object_get(story, "out"), i, copy) {
    fprintf(out, "  leaves         port %lld, ", sluice_json_int(copy, "port"));
    if (fast) fprintf(out, "from stream %lld on, ", sluice_json_int(copy, "stream"));
    fprintf(out, "cycle %lld to %lld: latency %s%lld cycles, %lld of them %s\n",
            sluice_json_int(copy, "first_cycle"), sluice_json_int(copy, "cycle"),
            has(story, "round") ? "of this pass " : "", sluice_json_int(copy, "latency"),
            sluice_json_int(copy, "first_cycle") - sluice_json_int(exit, "cycle"),
            fast || has(story, "egress") ? "behind the exit" : "in the queue");
  }
}

int story_compare(const json_t *a, const json_t *b) {
  const long long x = sluice_json_int(a, "packet"), y = sluice_json_int(b, "packet"),
                  r = sluice_json_int(a, "round"), s = sluice_json_int(b, "round");
  return x != y ? (x < y ? -1 : 1) : r < s ? -1 : r > s;
}

void story_print(FILE *out, const json_t *story) {
  print_in(out, story);
  print_filter(out, story);
  print_parser(out, story);
  print_front(out, story);
  print_keys(out, story);
  print_order(out, story);
  print_back(out, story);
  print_exit(out, story);
  if (has(story, "dropped"))
    fprintf(out, "  dropped        cycle %lld: %s\n", sluice_json_int(story, "dropped_cycle"),
            sluice_json_text(story, "dropped"));
  if (json_is_true(json_object_get(story, "lost")))
    fprintf(out, "  lost           the run ended while it was inside\n");
}
