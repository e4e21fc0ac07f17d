// SPDX-License-Identifier: Apache-2.0
// The names of the source, put to what the simulator noted of a packet.
#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/number.h"
#include "../driver/image/disassemble.h"

/// What one story is told from.
struct telling {
  const struct sluice_plan *plan;
  const struct sluice_placed *placed;  // NULL: the packet has no module
  const struct sluice_image *image;    // of it
  const json_t *noted;
  json_t *story;
};

static void keep(json_t *to, const json_t *from, const char *key) {
  json_t *value = json_object_get(from, key);
  if (value) sluice_json_set(to, key, json_incref(value));
}
// The value of a container in a PHV of the simulator, NULL: there is none.
static json_t *container(const json_t *phv, int operand) {
  static const char *const types[] = {
      [SLUICE_TYPE_B2] = "2B", [SLUICE_TYPE_B4] = "4B", [SLUICE_TYPE_B6] = "6B"};
  const unsigned type = (unsigned)operand >> 3 & 3u;
  if (operand < 0 || type == SLUICE_TYPE_CONST) return NULL;
  return json_array_get(json_object_get(phv, types[type]), (size_t)operand & 7u);
}

// Words of the program are signed; header fields are not.
static json_t *word_json(const json_t *value, int operand) {
  const json_int_t number = json_integer_value(value);
  return json_integer(((unsigned)operand >> 3 & 3u) == SLUICE_TYPE_B4
                          ? (json_int_t)(int32_t)(uint32_t)number
                          : number);
}

// The words of the array that the packet brings, of a field "bytes 62..93, 8 words"; NULL: no such
// field. A word that is not all in the packet is 0.
static json_t *array_json(const struct telling *t, const struct sluice_field *field) {
  const json_t *in = json_object_get(t->noted, "in");
  const char *frame = json_string_value(json_object_get(in, "frame"));
  unsigned first, last, num;
  if (!frame || sscanf(field->home, "bytes %u..%u, %u words", &first, &last, &num) != 3)
    return NULL;
  json_t *words = json_array();
  for (unsigned i = 0; i < num; i++) {
    const size_t at = 2 * ((size_t)first + 4 * i);
    uint64_t word = 0;
    if (at + 8 <= strlen(frame) && !sluice_hex_digits(frame + at, 8, &word)) word = 0;
    sluice_json_add(words, json_integer((int32_t)(uint32_t)word));
  }
  return words;
}

static void tell_parser(struct telling *t) {
  const json_t *phv = json_object_get(t->noted, "parser");
  if (!phv) return;
  json_t *fields = json_object();
  for (size_t i = 0; t->image && i < t->image->num_fields; i++) {
    if (t->image->fields[i].egress) continue;
    json_t *value = container(phv, t->image->fields[i].in_operand);
    if (value) sluice_json_set(fields, t->image->fields[i].name, json_incref(value));
    json_t *words = array_json(t, &t->image->fields[i]);
    if (words) sluice_json_set(fields, t->image->fields[i].name, words);
  }
  sluice_json_set(t->story, "parser", json_pack("{s:o s:O}", "fields", fields, "containers", phv));
}

// The lines of the source that a stage has carried out, each with the value that it left.
static json_t *lines_json(const struct telling *t, unsigned number, const json_t *phv,
                          unsigned num_ports) {
  json_t *list = json_array();
  for (size_t i = 0; i < t->image->num_lines; i++) {
    const struct sluice_line *line = &t->image->lines[i];
    // The state unit is told apart; hash, multiplier and table by the operations that take their
    // results.
    if (line->stage != number || line->unit == SLUICE_LINE_STATE ||
        line->unit > SLUICE_LINE_DISCARD)
      continue;
    json_t *one = json_pack("{s:i s:s}", "line", (int)line->line, "text", line->text);
    json_t *value = container(phv, line->operand);
    if (value) sluice_json_set(one, "value", word_json(value, line->operand));
    if (line->unit == SLUICE_LINE_PORT) {
      const unsigned dest = (unsigned)sluice_json_int(phv, "dest");
      sluice_json_set(one, num_ports > 8 || dest ? "port" : "no_port",
                      json_integer(num_ports > 8 ? (json_int_t)dest
                                   : dest        ? __builtin_ctz(dest)
                                                 : 0));
    }
    if (line->unit == SLUICE_LINE_DISCARD)
      sluice_json_set(one, "discard", json_incref(json_object_get(phv, "discard")));
    // Two containers may get the same value for a line.
    if (json_equal(one, json_array_get(list, json_array_size(list) - 1))) json_decref(one);
    else sluice_json_add(list, one);
  }
  return list;
}

// What the row does, disassembled: of an image without lines.
static json_t *action_json(const struct telling *t, unsigned number, const json_t *noted) {
  char text[2000];
  struct say say = say_into(text, sizeof text);
  const unsigned row = (unsigned)sluice_json_int(noted, "row");
  const struct sluice_write *w = sluice_plan_entry(t->plan, SLUICE_TABLE_ACTION, number, row);
  if (w) sluice_say_action(&say, w->bytes);
  return json_string(w ? text : "nothing");
}

static json_t *pair_json(const char *name, const json_t *at, unsigned word) {
  json_t *state = json_object();
  json_t *before = json_array_get(json_object_get(at, "before"), word),
         *after = json_array_get(json_object_get(at, "after"), word);
  sluice_json_set(state, "name", json_string(name));
  keep(state, at, "index");
  if (before)
    sluice_json_set(state, "before", json_integer((int32_t)(uint32_t)json_integer_value(before)));
  if (after)
    sluice_json_set(state, "after", json_integer((int32_t)(uint32_t)json_integer_value(after)));
  return state;
}

static json_t *words_json(const json_t *noted, const char *key, unsigned num) {
  json_t *list = json_array();
  for (unsigned w = 0; w < num; w++)
    sluice_json_add(list, json_integer((int32_t)(uint32_t)json_integer_value(
                              json_array_get(json_object_get(noted, key), w))));
  return list;
}

// A row of words, and what the packet carries behind the stage; NULL: there was no operation on it.
static json_t *row_json(const struct sluice_segment *segment, const json_t *at) {
  const json_t *noted = json_object_get(at, "words");
  json_t *state = noted ? json_object() : NULL;
  if (!state) return NULL;
  sluice_json_set(state, "name", json_string(segment->rows));
  keep(state, at, "index");
  sluice_json_set(state, "before", words_json(noted, "before", segment->words));
  sluice_json_set(state, "after", words_json(noted, "after", segment->words));
  sluice_json_set(state, "packet", words_json(noted, "packet", segment->words));
  return state;
}

static const struct sluice_line *state_line(const struct sluice_image *image, unsigned stage) {
  for (size_t i = 0; i < image->num_lines; i++)
    if (image->lines[i].stage == stage && image->lines[i].unit == SLUICE_LINE_STATE)
      return &image->lines[i];
  return NULL;
}

static void tell_state(const struct telling *t, json_t *to, const json_t *at, unsigned stage) {
  static const char *const kept[] = {"resolved", "pinned", "index",    "home", "out_of_bounds",
                                     "refused",  "cycle",  "pipeline", "slot"};
  const bool memory = json_object_get(at, "memory") != NULL;  // of a capsule: it has no name
  const struct sluice_segment *segment = sluice_plan_segment(t->plan, t->placed->row, stage);
  const struct sluice_line *line = state_line(t->image, stage);
  json_t *states = json_array();
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) keep(to, at, kept[i]);
  for (unsigned word = 0; segment && word < 2; word++)
    if (segment->name[word][0]) sluice_json_add(states, pair_json(segment->name[word], at, word));
  json_t *row = segment && segment->words ? row_json(segment, at) : NULL;
  if (row) sluice_json_add(states, row);
  const bool some = json_object_get(at, "resolved") || json_object_get(at, "out_of_bounds") ||
                    json_object_get(at, "before");
  if (segment && some && !memory) {
    sluice_json_set(to, "size", json_integer(segment->range));
    if (line)
      sluice_json_set(to, "line", json_integer(line->line)),
          sluice_json_set(to, "text", json_string(line->text));
    sluice_json_set(to, "state", json_incref(states));
  }
  json_decref(states);
}

// The instruction of a capsule as text, beside its bits: `MEM_READ`, or `CJUMP,=05` if byte 0 is
// not 0. A memory instruction has the word that it reached in `memory`: its number in the region,
// before and after.
static void tell_capsule(json_t *to, const json_t *at) {
  const json_t *noted = json_object_get(at, "capsule");
  json_t *before = json_object_get(at, "before"), *after = json_object_get(at, "after");
  if (!noted) return;
  const unsigned bits = (unsigned)sluice_json_int(noted, "bits");
  const char *name = sluice_value_name("OPCODE", bits & 0xffu);
  json_t *told = json_deep_copy(noted);
  if (*name == '?') sluice_json_set(told, "instruction", json_sprintf("opcode %u", bits & 0xffu));
  else
    sluice_json_set(told, "instruction",
                    bits >> 8 ? json_sprintf("%s,=%02x", name, bits >> 8) : json_string(name));
  if (json_is_false(json_object_get(at, "refused")) && json_object_get(at, "memory"))
    sluice_json_set(told, "memory",
                    json_pack("{s:O s:O s:O}", "word", json_object_get(at, "index"), "before",
                              json_array_get(before, 0), "after", json_array_get(after, 0)));
  sluice_json_set(to, "capsule", told);
}

static void tell_stages(struct telling *t, const char *which, unsigned first) {
  const json_t *noted = json_object_get(t->noted, which);
  json_t *list = json_array(), *at;
  size_t i;
  if (!noted || !t->image) {
    json_decref(list);
    return;
  }
  json_array_foreach(noted, i, at) {
    const unsigned stage = (unsigned)sluice_json_int(at, "stage");
    json_t *told = json_object();
    keep(told, at, "stage");
    keep(told, at, "row");
    keep(told, at, "by");
    keep(told, at, "entry");
    keep(told, at, "key");
    if (json_integer_value(json_object_get(at, "row")) >= 0) {
      if (t->image->num_lines)
        sluice_json_set(
            told, "lines",
            lines_json(t, first + stage, json_object_get(at, "phv"), t->plan->config->NumPorts));
      else sluice_json_set(told, "action", action_json(t, first + stage, at));
    }
    if (!first) {
      tell_state(t, told, at, stage);
      tell_capsule(told, at);
    }
    keep(told, at, "phv");
    sluice_json_add(list, told);
  }
  sluice_json_set(t->story, which, list);
}

// A copy at an egress stage: what is noted, with the lines of the source and the names of its
// state.
static void tell_copy_stage(const struct telling *t, json_t *at) {
  const struct sluice_config *c = t->plan->config;
  const unsigned stage = c->BackStages + c->FrontStages + (unsigned)sluice_json_int(at, "stage");
  const struct sluice_segment *segment = sluice_plan_segment(t->plan, t->placed->row, stage);
  if (json_integer_value(json_object_get(at, "row")) >= 0) {
    if (t->image->num_lines)
      sluice_json_set(at, "lines", lines_json(t, stage, json_object_get(at, "phv"), c->NumPorts));
    else sluice_json_set(at, "action", action_json(t, stage, at));
  }
  if (!segment || !json_object_get(at, "before")) return;
  json_t *states = json_array();
  for (unsigned word = 0; word < 2; word++)
    if (segment->name[word][0]) sluice_json_add(states, pair_json(segment->name[word], at, word));
  sluice_json_set(at, "state", states);
}

// Copies at the egress, each with the fields that its parser brought.
static void tell_egress(struct telling *t) {
  const json_t *noted = json_object_get(t->noted, "egress");
  json_t *list = noted ? json_deep_copy(noted) : NULL, *copy, *at;
  size_t i, s;
  json_array_foreach(list, i, copy) {
    const json_t *phv = json_object_get(copy, "parser");
    json_t *fields = json_object();
    for (size_t n = 0; t->image && n < t->image->num_fields; n++) {
      const struct sluice_field *f = &t->image->fields[n];
      json_t *value = f->egress ? container(phv, f->in_operand) : NULL;
      if (value) sluice_json_set(fields, f->name, json_incref(value));
    }
    sluice_json_set(copy, "fields", fields);
    json_array_foreach(json_object_get(copy, "stages"), s, at) if (t->image) tell_copy_stage(t, at);
  }
  if (list) sluice_json_set(t->story, "egress", list);
}

// Where the packet was seen to change its pipeline: at state units, and on its way home to its
// lane.
static void tell_hops(struct telling *t) {
  json_t *hops = json_array(), *at;
  const json_int_t lane = (json_int_t)sluice_json_int(json_object_get(t->noted, "in"), "lane");
  json_int_t here = lane;
  size_t i;
  json_array_foreach(json_object_get(t->noted, "back"), i, at) {
    json_t *pipe = json_object_get(at, "pipeline");
    if (!pipe || json_integer_value(pipe) == here) continue;
    sluice_json_add(
        hops, json_pack("{s:I s:I s:O s:O}", "from", here, "to", json_integer_value(pipe), "stage",
                        json_object_get(at, "stage"), "cycle", json_object_get(at, "cycle")));
    here = json_integer_value(pipe);
  }
  if (here != lane && json_object_get(t->noted, "exit"))
    sluice_json_add(hops, json_pack("{s:I s:I s:O}", "from", here, "to", lane, "cycle",
                                    json_object_get(json_object_get(t->noted, "exit"), "cycle")));
  if (json_object_get(t->noted, "exit")) sluice_json_set(t->story, "hops", hops);
  else json_decref(hops);
}

// Byte i of a packet as it came, where `gone` bytes of a capsule were taken out; "" behind its end.
enum { TAKEN_AT = 44 };
static const char *came(const char *before, size_t i, size_t gone) {
  if (i >= TAKEN_AT) i += gone;
  return 2 * i < strlen(before) ? before + 2 * i : "";
}

// The fields that the deparser wrote, and other bytes that leave in another way than they came.
static void tell_changes(struct telling *t) {
  const json_t *result = json_object_get(t->noted, "result");
  const char *before = json_string_value(json_object_get(json_object_get(t->noted, "in"), "frame"));
  const char *after = json_string_value(json_object_get(result, "header"));
  const size_t gone = (size_t)json_integer_value(json_object_get(result, "taken_out"));
  json_t *list = json_array();
  for (size_t i = 0; before && after && after[2 * i] && *came(before, i, gone);) {
    size_t end = i;
    const char *was = came(before, i, gone);
    while (after[2 * end] && *came(before, end, gone) && (end == i || !gone || end != TAKEN_AT) &&
           strncmp(came(before, end, gone), after + 2 * end, 2) != 0)
      end++;
    if (end > i)
      sluice_json_add(list, json_pack("{s:I s:I s:s% s:s%}", "byte", (json_int_t)i, "len",
                                      (json_int_t)(end - i), "before", was, 2 * (end - i), "after",
                                      after + 2 * i, 2 * (end - i)));
    i = end > i ? end : i + 1;
  }
  if (after) sluice_json_set(t->story, "changes", list);
  else json_decref(list);
}

json_t *story_tell(const json_t *noted, story_image *image_of, void *user,
                   const struct sluice_plan *plan) {
  static const char *const kept_first[] = {"packet", "round", "in", "lane", "filter"};
  static const char *const kept_last[] = {"result",  "exit",          "out",
                                          "dropped", "dropped_cycle", "lost"};
  const json_t *row = json_object_get(json_object_get(noted, "filter"), "row");
  struct telling t = {.plan = plan, .noted = noted, .story = json_object()};
  if (row) t.placed = sluice_plan_in_row(plan, (unsigned)json_integer_value(row));
  if (t.placed) t.image = image_of(user, t.placed->vid);
  keep(t.story, noted, "packet");
  if (t.placed) {
    sluice_json_set(t.story, "module", json_string(t.placed->program));
    sluice_json_set(t.story, "vlan", json_integer(t.placed->vid));
  }
  for (size_t i = 1; i < sizeof kept_first / sizeof kept_first[0]; i++)
    keep(t.story, noted, kept_first[i]);
  tell_parser(&t);
  tell_stages(&t, "front", plan->config->BackStages);
  keep(t.story, noted, "keys");
  keep(t.story, noted, "order");
  tell_stages(&t, "back", 0);
  tell_hops(&t);
  tell_changes(&t);
  for (size_t i = 0; i < sizeof kept_last / sizeof kept_last[0]; i++)
    keep(t.story, noted, kept_last[i]);
  tell_egress(&t);
  if (sluice_json_complete()) return t.story;
  json_decref(t.story);
  return NULL;
}
