// SPDX-License-Identifier: Apache-2.0
// Cases in memory and on disk.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/capture.h"
#include "../driver/plan/plan.h"
#include "../driver/wire/wire.h"
#include "fuzz.h"

struct fuzz_block {
  struct fuzz_block *next;
  uint8_t bytes[];
};

struct fuzz_play fuzz_play_plain(void) {
  return (struct fuzz_play){.load = 1.0, .set = job_settings_fresh()};
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

static void set_segments(const struct fuzz_case *c, struct job *job) {
  struct seen seen[SLUICE_MAX_STAGES][ENTRIES];
  memset(seen, 0, sizeof seen);
  for (size_t i = 0; i < c->control.num; i++) look(c, &c->control.items[i], seen);
  for (size_t i = 0; i < c->updating.num; i++) look(c, &c->updating.items[i], seen);
  unsigned slots = sluice_config_slots(c->config);
  const unsigned before = c->config->BackStages + c->config->FrontStages;
  for (unsigned s = 0; s < before + c->config->EgressStages; s++)
    for (unsigned r = 0; r < c->config->Banks * c->config->NumModules; r++) {
      const struct seen *at = &seen[s][r];
      if ((s >= c->config->StateStages && s < before) || at->base >= slots) continue;
      unsigned room = (slots - at->base) *
                      (at->pinned || s >= before ? 1 : c->config->NumPipes / c->sets);
      unsigned range = at->range < room ? at->range : room;
      if (range && job->num_segments < JOB_MAX_SEGMENTS)
        job->segments[job->num_segments++] =
            (struct job_segment){.stage = s, .row = r, .range = range};
    }
}

static enum sluice_status save_frames(const struct fuzz_frames *frames, const char *dir,
                                      const char *name, struct sluice_error *error) {
  char path[4200];
  struct sluice_capture_writer *writer;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  SLUICE_TRY(sluice_capture_create(&writer, path, error));
  for (size_t i = 0; i < frames->num; i++)
    sluice_capture_write(writer, frames->items[i].bytes, frames->items[i].len,
                         frames->items[i].time_ns);
  return sluice_capture_finish(writer, error);
}

// The paths of a job, in its folder.
enum { PATHS = 8, PATH_ROOM = 4200 };
static const char *in(char paths[PATHS][PATH_ROOM], unsigned n, const char *dir, const char *name) {
  snprintf(paths[n], PATH_ROOM, "%s/%s", dir, name);
  return paths[n];
}

static enum sluice_status save_job(const struct fuzz_case *c, const char *dir,
                                   struct sluice_error *error) {
  static struct job job;
  static char paths[PATHS][PATH_ROOM];
  const struct fuzz_play *p = &c->play;
  struct job_told all = {1, 1000000};
  job = job_fresh();
  job.config = c->config->name;
  job.control = in(paths, 0, dir, "control.pcap");
  job.capture = in(paths, 1, dir, "capture.pcap");
  job.report = in(paths, 2, dir, "report.json");
  job.seed = c->seed;
  job.load = p->load;
  job.stall = p->stall;
  job.malformed = p->malformed;
  job.idle = p->idle;
  job.by_time = p->by_time;
  job.hash_lanes = p->hash_lanes;
  job.max_cycles = 3000000ull * c->times;
  job.set = p->set;
  if (c->sets > 1) job.set.sets = c->sets;
  job.num_class_ecn = p->num_class_ecn;
  memcpy(job.class_ecn, p->class_ecn, sizeof p->class_ecn);
  if (c->fault) job.fault_mask = UINT64_C(1) << sluice_value_find("FAULT", c->fault);
  set_segments(c, &job);
  job.updates = (struct job_update *)c->updates;
  job.num_updates = c->num_updates;
  if (c->num_updates) job.updates_capture = in(paths, 3, dir, "updates.pcap");
  job.cuts = (struct job_cut *)c->cuts;
  job.num_cuts = c->num_cuts;
  if (c->marking.num) job.marks_capture = in(paths, 4, dir, "marks.pcap");
  if (c->events) job.events = in(paths, 7, dir, "events.txt");
  if (c->stories) {
    job.stories = in(paths, 5, dir, "stories.json");
    job.out = in(paths, 6, dir, "out.pcap");
    job.told = &all;
    job.num_told = 1;
  }
  char path[PATH_ROOM];
  snprintf(path, sizeof path, "%s/job.json", dir);
  return job_save(&job, path, error);
}

enum sluice_status fuzz_save(const struct fuzz_case *c, const char *dir,
                             struct sluice_error *error) {
  enum sluice_status status = save_frames(&c->control, dir, "control.pcap", error);
  if (!status) status = save_frames(&c->packets, dir, "capture.pcap", error);
  if (!status && c->num_updates) status = save_frames(&c->updating, dir, "updates.pcap", error);
  if (!status && c->marking.num) status = save_frames(&c->marking, dir, "marks.pcap", error);
  return status ? status : save_job(c, dir, error);
}
