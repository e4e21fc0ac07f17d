// SPDX-License-Identifier: Apache-2.0
// The files of the two runs.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../driver/plan/plan.h"
#include "../lib/capture.h"
#include "isolate.h"

enum { PATH_ROOM = 4200, MAX_CYCLES = 3000000, RATE = (SLUICE_SHARE_RATE_MAX - 1) / 2 };

static bool is_of_a(const struct fuzz_frame *f) { return !(f->bytes[ISOLATE_NUMBER_AT] & 0x80); }

static struct job_module module_of(const struct isolate_pair *pair, const char *image, unsigned vid,
                                   bool share) {
  struct job_module m = job_module_fresh();
  m.image = image;
  m.vid = vid;
  m.active = pair->ask.capsules;
  if (share && !pair->ask.no_shares) {
    m.rate = RATE;
    m.burst = SLUICE_SHARE_BURST;
  }
  if (pair->ask.one_class && pair->config->OutputClasses)
    m.class = ISOLATE_A_VID % (int)pair->config->OutputClasses;
  // Where both come in at one lane B has half of it.
  if (share && pair->ask.shared_lanes && pair->config->RateLimits && vid == ISOLATE_B_VID) {
    m.lane_packets = m.lane_beats = ISOLATE_LANE_RATE;
    m.lane_packet_burst = SLUICE_LANE_RATE_PACKETS;
    m.lane_beat_burst = SLUICE_LANE_RATE_BEATS;
  }
  return m;
}

// The paths of a job: DIR/RUN and an end.
enum { CAPTURE, SCHEDULE, CONTROL, OUT, REPORT, JOB, IMAGE_A, IMAGE_B, PATHS };
static void name_paths(char paths[PATHS][PATH_ROOM], const char *dir, const char *run) {
  static const char *const ends[PATHS] = {".pcap", ".schedule", ".control.pcap", ".pcapng",
                                          ".json", ".job",      ".image",        ".image"};
  for (unsigned n = 0; n < PATHS; n++)
    snprintf(paths[n], PATH_ROOM, "%s/%s%s", dir,
             n == IMAGE_A   ? "a"
             : n == IMAGE_B ? "b"
                            : run,
             ends[n]);
}

static enum sluice_status save_job(const struct isolate_pair *pair, bool beside, const char *run,
                                   const char *dir, struct sluice_error *error) {
  static struct job job;
  static char paths[PATHS][PATH_ROOM];
  name_paths(paths, dir, run);
  job = job_fresh();
  job.config = pair->config->name;
  job.capture = paths[CAPTURE];
  job.schedule = paths[SCHEDULE];
  if (pair->ask.capsules) job.control = paths[CONTROL];
  job.out = paths[OUT];
  job.report = paths[REPORT];
  job.seed = pair->seed;
  job.max_cycles = MAX_CYCLES;
  job.state = true;
  if (pair->packets.fault)
    job.fault_mask = UINT64_C(1) << sluice_value_find("FAULT", pair->packets.fault);
  job.modules[job.num_modules++] = module_of(pair, paths[IMAGE_A], ISOLATE_A_VID, beside);
  if (beside) job.modules[job.num_modules++] = module_of(pair, paths[IMAGE_B], ISOLATE_B_VID, true);
  job.set.output_limit = sluice_output_room(pair->config);
  if (pair->config->BufferShares && !pair->ask.no_shares) job.set.lane_limit = 0;
  return job_save(&job, paths[JOB], error);
}

// Who may reach which words: of A alone, or of both.
static enum sluice_status save_tenants(const struct isolate_pair *pair, bool beside,
                                       const char *path, struct sluice_error *error) {
  const struct fuzz_frames *list = &pair->packets.control;
  const unsigned a = ISOLATE_A_VID % pair->config->NumModules;
  struct sluice_capture_writer *writer;
  SLUICE_TRY(sluice_capture_create(&writer, path, error));
  for (size_t i = 0; i < list->num; i++)
    if (beside || list->items[i].time_ns == a)
      sluice_capture_write(writer, list->items[i].bytes, list->items[i].len, 0);
  return sluice_capture_finish(writer, error);
}

enum sluice_status isolate_save(const struct isolate_pair *pair, bool beside, const char *dir,
                                struct sluice_error *error) {
  const char *run = beside ? "beside" : "alone";
  const struct fuzz_frames *list = &pair->packets.packets;
  char path[PATH_ROOM];
  struct sluice_capture_writer *writer;
  snprintf(path, sizeof path, "%s/a.image", dir);
  enum sluice_status status = sluice_image_save(&pair->a, path, error);
  snprintf(path, sizeof path, "%s/b.image", dir);
  if (!status) status = sluice_image_save(&pair->b, path, error);
  snprintf(path, sizeof path, "%s/%s.schedule", dir, run);
  FILE *schedule = status ? NULL : fopen(path, "w");
  if (!status && !schedule)
    status = sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  if (!status) {
    char capture[PATH_ROOM];
    snprintf(capture, sizeof capture, "%s/%s.pcap", dir, run);
    status = sluice_capture_create(&writer, capture, error);
  }
  for (size_t i = 0; !status && i < list->num; i++) {
    const struct fuzz_frame *f = &list->items[i];
    if (!beside && !is_of_a(f)) continue;
    sluice_capture_write(writer, f->bytes, f->len, f->time_ns);
    fprintf(schedule, "%u %llu\n", f->bytes[ISOLATE_PORT_AT], (unsigned long long)f->time_ns);
  }
  if (!status) status = sluice_capture_finish(writer, error);
  if (schedule && (ferror(schedule) | fclose(schedule)) != 0 && !status)
    status = sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  snprintf(path, sizeof path, "%s/%s.control.pcap", dir, run);
  if (!status && pair->ask.capsules) status = save_tenants(pair, beside, path, error);
  return status ? status : save_job(pair, beside, run, dir, error);
}
