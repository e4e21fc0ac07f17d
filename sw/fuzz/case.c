// SPDX-License-Identifier: Apache-2.0
// Cases in memory and on disk.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/text.h"
#include "../lib/capture.h"
#include "../driver/reconfig.h"
#include "fuzz.h"

struct fuzz_block {
  struct fuzz_block *next;
  uint8_t bytes[];
};

struct fuzz_play fuzz_play_plain(void) {
  return (struct fuzz_play){.load = 1.0,
                            .pace = -1,
                            .brake = -1,
                            .lane_limit = -1,
                            .output_limit = -1,
                            .mode = -1,
                            .ecn_queue = -1,
                            .ecn_lane = -1,
                            .move_period = -1,
                            .class_costs = -1,
                            .class_strict = -1,
                            .merge_lanes = -1,
                            .merge_key = -1,
                            .merge_idle = -1};
}

uint8_t *fuzz_bytes(struct fuzz_case *c, size_t len) {
  struct fuzz_block *block = calloc(1, sizeof *block + len);
  if (!block) {
    c->nomem = true;
    return NULL;
  }
  block->next = c->blocks;
  c->blocks = block;
  return block->bytes;
}

void fuzz_append(struct fuzz_case *c, struct fuzz_frames *to, const uint8_t *bytes, size_t len,
                 uint64_t time_ns) {
  if (to->num == to->room) {
    size_t room = to->room ? 2 * to->room : 64;
    struct fuzz_frame *items = realloc(to->items, room * sizeof *items);
    if (!items) {
      c->nomem = true;
      return;
    }
    to->items = items;
    to->room = room;
  }
  uint8_t *copy = fuzz_bytes(c, len);
  if (!copy) return;
  memcpy(copy, bytes, len);
  to->items[to->num++] = (struct fuzz_frame){time_ns, len, copy};
}

void fuzz_release(struct fuzz_case *c) {
  while (c->blocks) {
    struct fuzz_block *next = c->blocks->next;
    free(c->blocks);
    c->blocks = next;
  }
  free(c->control.items);
  free(c->packets.items);
  free(c->updating.items);
  free(c->marking.items);
  memset(c, 0, sizeof *c);
}

// What the last writes say of the segments: only what the chip will read back without a refusal.
enum { ENTRIES = 2 * SLUICE_MAX_ROWS };  // of an overlay table, at most
struct seen {
  unsigned base, range;
  bool pinned;
};

static void look(const struct fuzz_case *c, const struct fuzz_frame *frame,
                 struct seen seen[SLUICE_MAX_STAGES][ENTRIES]) {
  struct sluice_reconfig packet;
  if (sluice_reconfig_decode(&packet, frame->bytes, frame->len, NULL) ||
      packet.op != SLUICE_CHAIN_WRITE || packet.stage >= SLUICE_MAX_STAGES)
    return;
  for (unsigned i = 0; i < packet.num_entries; i++) {
    if (packet.index + i >= ENTRIES) return;
    struct seen *s = &seen[packet.stage][packet.index + i];
    const uint8_t *entry = sluice_reconfig_entry(&packet, i);
    unsigned granule = sluice_config_granule(c->config);
    if (packet.table == SLUICE_TABLE_SEGMENT) {
      s->base = (unsigned)SLUICE_GET(entry, SEGMENT, BASE);
      s->range = (unsigned)SLUICE_GET(entry, SEGMENT, RANGE);
    } else if (packet.table == SLUICE_TABLE_SEGMENT16) {
      s->base = (unsigned)SLUICE_GET(entry, SEGMENT16, BASE) * granule;
      s->range = (unsigned)SLUICE_GET(entry, SEGMENT16, RANGE) * granule;
    } else if (packet.table == SLUICE_TABLE_ACCESS) {
      s->pinned = SLUICE_GET(entry, ACCESS, PINNED);
    }
  }
}

static json_t *segments_json(const struct fuzz_case *c) {
  struct seen seen[SLUICE_MAX_STAGES][ENTRIES];
  memset(seen, 0, sizeof seen);
  for (size_t i = 0; i < c->control.num; i++) look(c, &c->control.items[i], seen);
  for (size_t i = 0; i < c->updating.num; i++) look(c, &c->updating.items[i], seen);
  json_t *list = json_array();
  unsigned slots = sluice_config_slots(c->config);
  const unsigned before = c->config->BackStages + c->config->FrontStages;
  for (unsigned s = 0; s < before + c->config->EgressStages; s++)
    for (unsigned r = 0; r < c->config->Banks * c->config->NumModules; r++) {
      const struct seen *at = &seen[s][r];
      if ((s >= c->config->StateStages && s < before) || at->base >= slots) continue;
      unsigned room = (slots - at->base) *
                      (at->pinned || s >= before ? 1 : c->config->NumPipes / c->sets);
      unsigned range = at->range < room ? at->range : room;
      if (range)
        sluice_json_add(
            list, json_pack("{s:i s:i s:i}", "stage", (int)s, "row", (int)r, "range", (int)range));
    }
  return list;
}

static enum sluice_status save_frames(const struct fuzz_frames *frames, const char *dir,
                                      const char *name, struct sluice_error *error) {
  char path[4200];
  struct sluice_capture_writer *writer;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  enum sluice_status status = sluice_capture_create(&writer, path, error);
  if (status) return status;
  for (size_t i = 0; i < frames->num; i++)
    sluice_capture_write(writer, frames->items[i].bytes, frames->items[i].len,
                         frames->items[i].time_ns);
  return sluice_capture_finish(writer, error);
}

static json_t *updates_json(const struct fuzz_case *c) {
  json_t *list = json_array();
  for (unsigned i = 0; i < c->num_updates; i++) {
    const struct fuzz_update *u = &c->updates[i];
    json_t *item = json_pack("{s:I s:I s:i s:i s:i s:i s:b}", "at", (json_int_t)u->at, "flip",
                             (json_int_t)u->flip, "bounces", (int)u->bounces, "before",
                             (int)u->before, "early", (int)u->early, "after", (int)u->after,
                             "hasty", u->hasty);
    sluice_json_add(list, item);
  }
  return list;
}

static json_t *cuts_json(const struct fuzz_case *c) {
  json_t *list = json_array();
  for (unsigned i = 0; i < c->num_cuts; i++) {
    const struct fuzz_cut *u = &c->cuts[i];
    sluice_json_add(list, json_pack("{s:I s:I s:b s:b s:b s:b}", "at", (json_int_t)u->at, "rows",
                                    (json_int_t)u->rows, "wait", u->wait, "home", u->home, "read",
                                    u->read, "fill", u->fill));
  }
  return list;
}

static json_t *job_json(const struct fuzz_case *c, const char *dir) {
  const struct fuzz_play *p = &c->play;
  json_t *job = json_object(), *settings = json_object();
  sluice_json_set(job, "sluice_job", json_integer(1));
  sluice_json_set(job, "config", json_string(c->config->name));
  sluice_json_set_path(job, "control", dir, "control.pcap");
  sluice_json_set_path(job, "capture", dir, "capture.pcap");
  sluice_json_set_path(job, "report", dir, "report.json");
  if (c->events) sluice_json_set_path(job, "events", dir, "events.txt");
  sluice_json_set_int(job, "seed", c->seed);
  sluice_json_set(job, "load", json_real(p->load));
  sluice_json_set(job, "stall", json_real(p->stall));
  sluice_json_set(job, "malformed", json_real(p->malformed));
  if (p->idle > 0) sluice_json_set(job, "idle", json_real(p->idle));
  if (p->num_class_ecn) {
    json_t *thresholds = json_array();
    for (unsigned i = 0; i < p->num_class_ecn; i++)
      sluice_json_add(thresholds, json_integer((json_int_t)p->class_ecn[i]));
    sluice_json_set(job, "class_ecn", thresholds);
  }
  sluice_json_set(job, "pace_by", json_string(p->by_time ? "time" : "line"));
  sluice_json_set(job, "ns_per_cycle", json_real(1.0));
  sluice_json_set(job, "lanes", json_string(p->hash_lanes ? "hash" : "spread"));
  sluice_json_set(job, "max_cycles", json_integer(3000000));
  const struct {
    const char *key;
    int value;
  } ints[] = {{"pace", p->pace},
              {"brake", p->brake},
              {"lane_limit", p->lane_limit},
              {"output_limit", p->output_limit},
              {"mode", p->mode},
              {"ecn_queue", p->ecn_queue},
              {"ecn_lane", p->ecn_lane},
              {"move_period", p->move_period},
              {"class_costs", p->class_costs},
              {"class_strict", p->class_strict},
              {"merge_lanes", p->merge_lanes},
              {"merge_key", p->merge_key},
              {"merge_idle", p->merge_idle}};
  for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++)
    if (ints[i].value >= 0) sluice_json_set(settings, ints[i].key, json_integer(ints[i].value));
  if (c->sets > 1) sluice_json_set_int(settings, "sets", c->sets);
  sluice_json_set(job, "settings", settings);
  if (c->fault) sluice_json_set(job, "faults", json_pack("[s]", c->fault));
  sluice_json_set(job, "segments", segments_json(c));
  if (c->num_updates) {
    sluice_json_set_path(job, "updates_capture", dir, "updates.pcap");
    sluice_json_set(job, "updates", updates_json(c));
  }
  if (c->num_cuts) sluice_json_set(job, "cuts", cuts_json(c));
  if (c->marking.num) sluice_json_set_path(job, "marks_capture", dir, "marks.pcap");
  if (c->stories) {
    sluice_json_set_path(job, "stories", dir, "stories.json");
    sluice_json_set_path(job, "out", dir, "out.pcap");
    sluice_json_set(job, "told", json_pack("[[i, i]]", 1, 1000000));
  }
  return job;
}

enum sluice_status fuzz_save(const struct fuzz_case *c, const char *dir,
                             struct sluice_error *error) {
  enum sluice_status status = save_frames(&c->control, dir, "control.pcap", error);
  if (!status) status = save_frames(&c->packets, dir, "capture.pcap", error);
  if (!status && c->num_updates) status = save_frames(&c->updating, dir, "updates.pcap", error);
  if (!status && c->marking.num) status = save_frames(&c->marking, dir, "marks.pcap", error);
  if (status) return status;
  char path[4200];
  snprintf(path, sizeof path, "%s/job.json", dir);
  json_t *job = job_json(c, dir);
  status = sluice_json_save(job, JSON_INDENT(2), path, error);
  json_decref(job);
  return status;
}
