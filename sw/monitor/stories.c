// SPDX-License-Identifier: Apache-2.0
#include "stories.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"

struct story {
  struct stories *all;
  struct story *next, **at;
  // Borrowed, in the root: the list of back stages, that of copies, and the one of which egress
  // stages are shown.
  json_t *root, *back, *copies, *copy;
};

// Before the first packet of the capture there is no cycle that a reader knows.
static json_t *cycle_json(const struct story *s, uint64_t cycle) {
  return json_integer((json_int_t)cycle - (json_int_t)s->all->start);
}

static json_t *hex_json(const uint8_t *bytes, size_t len) {
  char text[2 * SLUICE_MODEL_MAX_LEN + 1] = "";
  if (len > SLUICE_MODEL_MAX_LEN) len = SLUICE_MODEL_MAX_LEN;
  for (size_t i = 0; i < len; i++) snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  return json_string(text);
}

static json_t *ports_json(uint64_t ports) {
  json_t *list = json_array();
  for (unsigned p = 0; p < 64; p++)
    if (ports >> p & 1) sluice_json_add_int(list, p);
  return list;
}

static void *on_arrived(void *user, const struct sluice_checker_arrival *a) {
  struct stories *all = user;
  if (!a->round && !all->wanted(all->user, a->number)) return NULL;
  struct story *s = calloc(1, sizeof *s);
  if (!s) {
    all->failed = true;
    return NULL;
  }
  *s = (struct story){.all = all, .next = all->open, .at = &all->open, .root = json_object()};
  if (s->next) s->next->at = &s->next;
  all->open = s;
  json_t *in = json_object();
  sluice_json_set_int(s->root, "packet", a->number);
  if (a->round) sluice_json_set_int(s->root, "round", a->round);
  SLUICE_JSON_INTS(in, ("port", a->port), ("lane", a->lane));
  sluice_json_set(in, "first_cycle", cycle_json(s, a->first_cycle));
  sluice_json_set(in, "cycle", cycle_json(s, a->cycle));
  if (all->config->FastLanes) {
    sluice_json_set_int(in, "stream", a->stream);
    sluice_json_set(in, "entered", cycle_json(s, a->entered));
  }
  sluice_json_set_int(in, "len", a->len);
  sluice_json_set(
      in, "frame",
      hex_json(a->bytes,
               all->brief && a->len > SLUICE_MODEL_HEADER ? SLUICE_MODEL_HEADER : a->len));
  sluice_json_set(s->root, "in", in);
  return s;
}

static void on_lane(void *story, uint64_t cycle, unsigned reason,
                    const struct sluice_model_verdict *verdict) {
  struct story *s = story;
  json_t *lane = json_object(), *filter = json_object();
  sluice_json_set(lane, "cycle", cycle_json(s, cycle));
  sluice_json_set(lane, "verdict", json_string(sluice_value_name("DROP", reason)));
  sluice_json_set(filter, "verdict", json_string(sluice_value_name("DROP", verdict->reason)));
  if (verdict->known) sluice_json_set_int(filter, "row", verdict->row);
  if (verdict->known && s->all->config->Banks > 1)
    sluice_json_set_int(filter, "bank", verdict->bank);
  sluice_json_set(s->root, "lane", lane);
  sluice_json_set(s->root, "filter", filter);
}

static json_t *phv_json(const struct story *s, const struct sluice_model_phv *phv) {
  const struct sluice_config *c = s->all->config;
  json_t *b2 = json_array(), *b4 = json_array(), *b6 = json_array();
  for (unsigned i = 0; i < c->Num2B; i++) sluice_json_add_int(b2, phv->b2[i]);
  for (unsigned i = 0; i < c->Num4B; i++) sluice_json_add_int(b4, phv->b4[i]);
  for (unsigned i = 0; i < c->Num6B; i++) sluice_json_add_int(b6, phv->b6[i]);
  return json_pack("{s:o s:o s:o s:i s:b}", "2B", b2, "4B", b4, "6B", b6, "dest", (int)phv->dest,
                   "discard", (int)phv->discard);
}

static json_t *words_json(const uint32_t *words, unsigned num) {
  json_t *list = json_array();
  for (unsigned i = 0; i < num; i++) sluice_json_add_int(list, words[i]);
  return list;
}

// The row of words of an operation, and what the packet carries from then on.
static void add_row(json_t *to, const struct sluice_model_step *step, unsigned words) {
  json_t *row = json_object();
  sluice_json_set(row, "before", words_json(step->row_before, words));
  sluice_json_set(row, "after", words_json(step->row_behind, words));
  sluice_json_set(row, "packet", words_json(step->words, words));
  sluice_json_set(to, "words", row);
}

static void add_access(json_t *to, const struct sluice_model_step *step) {
  const struct sluice_model_access *a = step->access;
  if (a->capsule) sluice_json_set(to, "memory", json_true());
  if (a->resolved) sluice_json_set_int(to, "resolved", a->pipe);
  if (a->resolved || (a->executed && !a->refused)) {
    sluice_json_set(to, "pinned", json_boolean(a->pinned));
    if (!a->pinned || (a->executed && !a->refused)) {
      SLUICE_JSON_INTS(to, ("index", a->index), ("home", a->slot));
    }
  }
  if (a->out_of_bounds) {
    sluice_json_set(to, "out_of_bounds", json_true());
    sluice_json_set_int(to, "index", a->index);
  }
  if (!step->state) return;
  sluice_json_set(to, "refused", json_boolean(a->refused));
  sluice_json_set(to, "before",
                  json_pack("[I, I]", (json_int_t)step->before[0], (json_int_t)step->before[1]));
  sluice_json_set(to, "after",
                  json_pack("[I, I]", (json_int_t)step->behind[0], (json_int_t)step->behind[1]));
}

// Only what a row can differ in: nothing of it is left by the mask of a program that the compiler
// made.
static void set_key(json_t *to, const uint64_t *key) {
  char text[80] = "";
  size_t len = 0;
  for (unsigned word = SLUICE_KEY_BITS / 64 + 1; word-- > 0;) {
    const unsigned bits = SLUICE_KEY_BITS - 64 * word;
    const uint64_t value = bits < 64 ? key[word] & ((UINT64_C(1) << bits) - 1) : key[word];
    if (len)
      len += (size_t)snprintf(text + len, sizeof text - len, "%016llx", (unsigned long long)value);
    else if (value) len = (size_t)snprintf(text, sizeof text, "%llx", (unsigned long long)value);
  }
  if (len) sluice_json_set(to, "key", json_string(text));
}

// Registers as [before, after].
static void add_instruction(json_t *to, const struct sluice_model_instruction *i) {
  static const char *const names[] = {"mar", "mbr", "mbr2"};
  json_t *one = json_object();
  sluice_json_set_int(one, "bits", i->bits);
  for (unsigned r = 0; r < 3; r++)
    sluice_json_set(one, names[r],
                    json_pack("[I, I]", (json_int_t)i->before[r], (json_int_t)i->after[r]));
  if (i->skipped) sluice_json_set(one, "skipped", json_true());
  if (i->jumped) sluice_json_set(one, "jumps", json_true());
  if (i->fault) sluice_json_set(one, "fault", json_true());
  if (i->complete) sluice_json_set(one, "complete", json_true());
  sluice_json_set(to, "capsule", one);
}

static void set_engine(json_t *to, const struct sluice_model_step *step) {
  static const char *const names[SLUICE_MODEL_FOUND] = {
      [SLUICE_MODEL_EXACT] = "exact",
      [SLUICE_MODEL_TERNARY] = "ternary",
      [SLUICE_MODEL_CUCKOO] = "cuckoo",
      [SLUICE_MODEL_DEFAULT] = "default",
  };
  if (step->row < 0 || step->engine < 0) return;
  sluice_json_set(to, "by", json_string(names[step->engine]));
  sluice_json_set_int(to, "entry", step->entry);
}

// Words that were keys: what each found, and became.
static void add_keys(const struct story *s, const struct sluice_model_keys *keys) {
  json_t *list = json_array();
  for (unsigned i = 0; i < s->all->config->ArrayWords; i++) {
    if (!(keys->asked >> i & 1)) continue;
    json_t *word = json_object();
    SLUICE_JSON_INTS(word, ("word", i), ("key", keys->before[i]));
    if (keys->found >> i & 1) sluice_json_set_int(word, "entry", (uint64_t)keys->entry[i]);
    sluice_json_set_int(word, "becomes", keys->after[i]);
    sluice_json_add(list, word);
  }
  sluice_json_set(s->root, "keys", list);
}

static void on_step(void *story, const struct sluice_model_step *step) {
  struct story *s = story;
  if (step->kind == SLUICE_STEP_KEYS) {
    add_keys(s, step->keys);
    return;
  }
  json_t *phv = phv_json(s, step->after);
  if (step->kind == SLUICE_STEP_PARSER) {
    sluice_json_set(s->root, "parser", phv);
    sluice_json_set(s->root, "front", json_array());
    sluice_json_set(s->root, "back", json_array());
    s->back = json_object_get(s->root, "back");
    return;
  }
  if (step->kind == SLUICE_STEP_EGRESS_PARSER) {
    sluice_json_set(s->copy, "parser", phv);
    sluice_json_set(s->copy, "stages", json_array());
    return;
  }
  json_t *stage = json_object();
  SLUICE_JSON_INTS(stage, ("stage", step->stage), ("row", step->row));
  set_engine(stage, step);
  set_key(stage, step->key);
  sluice_json_set(stage, "phv", phv);
  if (step->access) add_access(stage, step);
  if (step->row_before) add_row(stage, step, s->all->config->ArrayWords);
  if (step->instruction) add_instruction(stage, step->instruction);
  json_t *list = step->kind == SLUICE_STEP_FRONT    ? json_object_get(s->root, "front")
                 : step->kind == SLUICE_STEP_EGRESS ? json_object_get(s->copy, "stages")
                                                    : s->back;
  sluice_json_add(list, stage);
}

// A copy leaves its queue for the egress stages: their steps come next.
static void on_copy(void *story, const struct sluice_model_copy *copy) {
  struct story *s = story;
  if (!s->copies) {
    s->copies = json_array();
    sluice_json_set(s->root, "egress", s->copies);
  }
  s->copy = json_object();
  SLUICE_JSON_INTS(s->copy, ("port", copy->port), ("lane", copy->lane), ("copy", copy->number));
  sluice_json_set(s->copy, "cycle", cycle_json(s, copy->cycle));
  SLUICE_JSON_INTS(s->copy, ("delay", copy->delay), ("depth_in", copy->depth_in),
                   ("depth_out", copy->depth_out));
  sluice_json_add(s->copies, s->copy);
}

static void on_copy_fate(void *story, uint64_t cycle, unsigned port, bool dropped,
                         const uint8_t *header, unsigned len) {
  struct story *s = story;
  size_t i;
  json_t *copy;
  json_array_foreach(s->copies, i, copy) {
    if ((unsigned)json_integer_value(json_object_get(copy, "port")) != port) continue;
    sluice_json_set(copy, "verdict", json_string(dropped ? "EGRESS" : "NONE"));
    sluice_json_set(copy, "verdict_cycle", cycle_json(s, cycle));
    if (!dropped) sluice_json_set(copy, "header", hex_json(header, len));
  }
}

static void on_order(void *story, uint64_t cycle, const struct sluice_checker_wait *wait) {
  static const char *const causes[SLUICE_CHECKER_CAUSES] = {"pacing", "brake", "order_queue",
                                                            "credit", "window"};
  struct story *s = story;
  json_t *order = json_object(), *held = json_object();
  sluice_json_set(order, "cycle", cycle_json(s, cycle));
  if (wait->behind) sluice_json_set_int(order, "behind", wait->behind);
  sluice_json_set(order, "first_of_lane", cycle_json(s, wait->first_of_lane));
  if (s->all->config->FastLanes) sluice_json_set_int(order, "wire", wait->wire);
  if (wait->wire) sluice_json_set_int(order, "wire_behind", wait->wire_behind);
  for (unsigned i = 0; i < SLUICE_CHECKER_CAUSES; i++)
    if (wait->held[i]) sluice_json_set_int(held, causes[i], wait->held[i]);
  sluice_json_set(order, "held", held);
  sluice_json_set(s->root, "order", order);
}

static void on_admitted(void *story, const struct sluice_checker_admitted *a) {
  struct story *s = story;
  json_t *order = json_object_get(s->root, "order"), *result = json_object();
  uint8_t leaves[SLUICE_MODEL_MAX_LEN];
  const unsigned len = sluice_model_leave(a->packet, a->result, leaves);
  sluice_json_set_int(order, "ticket", a->ticket);
  sluice_json_set(order, "marked", json_boolean(a->phv->mark));
  sluice_json_set(result, "reason", json_string(sluice_value_name("DROP", a->result->reason)));
  sluice_json_set(result, "ports", ports_json(a->result->ports));
  if (a->result->some_forbidden) sluice_json_set(result, "some_forbidden", json_true());
  if (a->result->again.continued) sluice_json_set(result, "continued", json_true());
  if (a->result->taken_out) sluice_json_set_int(result, "taken_out", a->result->taken_out);
  sluice_json_set(result, "header",
                  hex_json(leaves, len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER));
  sluice_json_set(s->root, "result", result);
}

static void on_state(void *story, uint64_t cycle, unsigned stage, unsigned pipe, unsigned slot,
                     bool refused) {
  struct story *s = story;
  size_t i;
  json_t *at;
  (void)refused;
  json_array_foreach(s->back, i, at) {
    if ((unsigned)json_integer_value(json_object_get(at, "stage")) != stage) continue;
    sluice_json_set(at, "cycle", cycle_json(s, cycle));
    SLUICE_JSON_INTS(at, ("pipeline", pipe), ("slot", slot));
  }
}

static void on_left(void *story, uint64_t cycle, unsigned reason, uint64_t accepted,
                    uint64_t refused, bool unpaid) {
  struct story *s = story;
  const struct sluice_config *c = s->all->config;
  const uint64_t again = c->Recirculation ? UINT64_C(1) << c->NumPorts : 0;
  json_t *exit = json_object();
  sluice_json_set(exit, "cycle", cycle_json(s, cycle));
  sluice_json_set(exit, "verdict", json_string(sluice_value_name("DROP", reason)));
  sluice_json_set(exit, "ports", ports_json(accepted & ~again));
  sluice_json_set(exit, "full", ports_json(refused & ~again));
  if (accepted & again) sluice_json_set(exit, "again", json_true());
  if (refused & again)
    sluice_json_set(exit, "not_again", json_string(unpaid ? "BUDGET" : "OUTPUT_FULL"));
  sluice_json_set(s->root, "exit", exit);
  sluice_json_set(s->root, "out", json_array());
}

static void on_sent(void *story, const struct sluice_checker_sent *sent) {
  struct story *s = story;
  json_t *copy = json_object();
  sluice_json_set_int(copy, "port", sent->port);
  if (s->all->config->FastLanes) sluice_json_set_int(copy, "stream", sent->stream);
  sluice_json_set(copy, "first_cycle", cycle_json(s, sent->first_cycle));
  sluice_json_set(copy, "cycle", cycle_json(s, sent->cycle));
  sluice_json_set_int(copy, "latency", sent->first_cycle - sent->arrival);
  if (!s->all->brief) sluice_json_set(copy, "frame", hex_json(sent->bytes, sent->len));
  sluice_json_add(json_object_get(s->root, "out"), copy);
}

static void on_dropped(void *story, const struct sluice_checker_dropped *d) {
  struct story *s = story;
  sluice_json_set(s->root, "dropped", json_string(sluice_value_name("DROP", d->reason)));
  sluice_json_set(s->root, "dropped_cycle", cycle_json(s, d->cycle));
  // Known behind the filter alone.
  if (d->reason == SLUICE_DROP_RATE)
    sluice_json_set(json_object_get(s->root, "filter"), "verdict", json_string("RATE"));
}

static void drop(struct story *s) {
  *s->at = s->next;
  if (s->next) s->next->at = s->at;
  json_decref(s->root);
  free(s);
}

static void on_ended(void *story, bool lost) {
  struct story *s = story;
  struct stories *all = s->all;
  if (lost) sluice_json_set(s->root, "lost", json_true());
  // One with a hole is none.
  char *text = sluice_json_complete() ? json_dumps(s->root, JSON_COMPACT) : NULL;
  if (text) all->take(all->user, text, strlen(text));
  else all->failed = true;
  free(text);
  drop(s);
}

void stories_drop(struct stories *all) {
  while (all->open) drop(all->open);
}

void stories_watch(struct stories *all, struct sluice_checker *checker) {
  stories_drop(all);
  const struct sluice_checker_watch watched = {.user = all,
                                               .arrived = on_arrived,
                                               .lane = on_lane,
                                               .step = on_step,
                                               .order = on_order,
                                               .admitted = on_admitted,
                                               .state = on_state,
                                               .left = on_left,
                                               .copy = on_copy,
                                               .copy_fate = on_copy_fate,
                                               .sent = on_sent,
                                               .dropped = on_dropped,
                                               .ended = on_ended};
  sluice_checker_watch(checker, &watched);
}
