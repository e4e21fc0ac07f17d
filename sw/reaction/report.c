// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <string.h>

#include "../base/json.h"
#include "../base/text.h"

static json_t *clean(const char *text) {
  char out[1600];
  sluice_text_clean(out, sizeof out, text, false);
  return json_string(out);
}

static const char *const states[] = {
    [REACTION_RUNS] = "runs", [REACTION_STOPPED] = "stopped", [REACTION_ENDED] = "ended"};

static double mean(uint64_t sum, uint64_t num) { return num ? (double)sum / (double)num : 0; }

static json_t *bus_json(const struct reaction_info *r) {
  const struct reaction_traffic *t = &r->traffic;
  return json_pack("{s:s,s:f,s:f,s:f,s:f}", "model", r->bus, "reads", mean(t->reads, r->runs),
                   "writes", mean(t->writes, r->runs), "transfers", mean(t->transfers, r->runs),
                   "answers", mean(t->answers, r->runs));
}

static json_t *one_json(const struct reaction_info *r) {
  const struct reaction_cycles *c = &r->sum;
  json_t *cycles = json_pack(
      "{s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:I,s:I,s:I}", "cut", mean(c->cut, r->runs), "read",
      mean(c->read, r->runs), "code", mean(c->code, r->runs), "write", mean(c->write, r->changes),
      "check", mean(c->check, r->changes), "flip", mean(c->flip, r->changes), "mirror",
      mean(c->mirror, r->changes), "reach", mean(r->reach, r->changes), "most", (json_int_t)r->most,
      "last_cut", (json_int_t)r->last_cut, "last_flip", (json_int_t)r->last_flip);
  json_t *one = json_pack(
      "{s:i,s:o,s:o,s:s,s:i,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:o}", "vid", (int)r->vid, "program",
      clean(r->program), "name", clean(r->name), "state", states[r->state], "words", (int)r->words,
      "runs", (json_int_t)r->runs, "changes", (json_int_t)r->changes, "errors",
      (json_int_t)r->errors, "refused", (json_int_t)r->refused, "guarded", (json_int_t)r->guarded,
      "entries", (json_int_t)r->entries, "seconds", r->seconds, "cycles", cycles);
  if (one && r->bus[0] && json_object_set_new(one, "bus", bus_json(r))) {
    json_decref(one);
    return NULL;
  }
  if (one && r->last_error[0] && json_object_set_new(one, "last_error", clean(r->last_error))) {
    json_decref(one);
    return NULL;
  }
  return one;
}

json_t *reaction_report(const struct reactions *rs, int vid, const char *name) {
  struct reaction_info info;
  json_t *list = json_array();
  for (unsigned n = 0; list && reactions_get(rs, n, &info); n++) {
    if ((vid >= 0 && info.vid != (unsigned)vid) || (name && strcmp(info.name, name) != 0)) continue;
    if (json_array_append_new(list, one_json(&info)) == 0) continue;
    json_decref(list);
    list = NULL;
  }
  return list;
}

void reaction_print(FILE *out, const json_t *list) {
  size_t n;
  json_t *one;
  json_array_foreach(list, n, one) {
    const json_t *c = json_object_get(one, "cycles");
    fprintf(
        out, "reaction %s (VLAN %lld): %s; %lld dialogues of %lld words, %lld changes, %lld errors",
        sluice_json_text(one, "name"), sluice_json_int(one, "vid"), sluice_json_text(one, "state"),
        sluice_json_int(one, "runs"), sluice_json_int(one, "words"),
        sluice_json_int(one, "changes"), sluice_json_int(one, "errors"));
    if (sluice_json_int(one, "entries"))
      fprintf(out, ", %lld entries of tables", sluice_json_int(one, "entries"));
    if (sluice_json_int(one, "guarded"))
      fprintf(out, ", %lld by guarded flips", sluice_json_int(one, "guarded"));
    if (sluice_json_int(one, "refused"))
      fprintf(out, ", %lld refused", sluice_json_int(one, "refused"));
    fprintf(out, "\n");
    if (sluice_json_int(one, "runs"))
      fprintf(out,
              "  cycles: cut %.0f, read %.0f, code %.0f, write %.0f, check %.0f, flip %.0f; mirror "
              "%.0f; from cut to flip %.0f, at most %lld\n",
              sluice_json_real(c, "cut"), sluice_json_real(c, "read"), sluice_json_real(c, "code"),
              sluice_json_real(c, "write"), sluice_json_real(c, "check"),
              sluice_json_real(c, "flip"), sluice_json_real(c, "mirror"),
              sluice_json_real(c, "reach"), sluice_json_int(c, "most"));
    const json_t *bus = json_object_get(one, "bus");
    if (bus)
      fprintf(out,
              "  bus %s: a dialogue reads %.0f registers, writes %.0f, waits for %.0f answers, and "
              "has %.0f transfers of frames\n",
              sluice_json_text(bus, "model"), sluice_json_real(bus, "reads"),
              sluice_json_real(bus, "writes"), sluice_json_real(bus, "answers"),
              sluice_json_real(bus, "transfers"));
    if (json_object_get(one, "last_error"))
      fprintf(out, "  last error: %s\n", sluice_json_text(one, "last_error"));
  }
}

bool reaction_failed(const struct reactions *rs) {
  struct reaction_info info;
  for (unsigned n = 0; reactions_get(rs, n, &info); n++)
    if (info.errors) return true;
  return false;
}
