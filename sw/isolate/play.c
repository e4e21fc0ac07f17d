// SPDX-License-Identifier: Apache-2.0
// The files of the two runs.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../driver/place.h"
#include "../lib/capture.h"
#include "isolate.h"

enum { PATH_ROOM = 4200, MAX_CYCLES = 3000000, RATE = (SLUICE_SHARE_RATE_MAX - 1) / 2 };

static bool is_of_a(const struct fuzz_frame *f) { return !(f->bytes[ISOLATE_NUMBER_AT] & 0x80); }

static void set_path(json_t *job, const char *key, const char *dir, const char *run,
                     const char *end) {
  char name[100];
  snprintf(name, sizeof name, "%s%s", run, end);
  sluice_json_set_path(job, key, dir, name);
}

static json_t *module_json(const struct isolate_pair *pair, const char *dir, const char *image,
                           unsigned vid, bool share) {
  json_t *module = json_object();
  set_path(module, "image", dir, image, ".image");
  sluice_json_set_int(module, "vid", vid);
  if (pair->ask.capsules) sluice_json_set(module, "active", json_true());
  if (share && !pair->ask.no_shares) {
    sluice_json_set(module, "rate", json_integer(RATE));
    sluice_json_set(module, "burst", json_integer(SLUICE_SHARE_BURST));
  }
  if (pair->ask.one_class && pair->config->OutputClasses)
    sluice_json_set(module, "class", json_integer(ISOLATE_A_VID % pair->config->OutputClasses));
  // Where both come in at one lane B has half of it.
  if (share && pair->ask.shared_lanes && pair->config->RateLimits && vid == ISOLATE_B_VID) {
    sluice_json_set(module, "lane_packets", json_integer(ISOLATE_LANE_RATE));
    sluice_json_set(module, "lane_packet_burst", json_integer(SLUICE_LANE_RATE_PACKETS));
    sluice_json_set(module, "lane_beats", json_integer(ISOLATE_LANE_RATE));
    sluice_json_set(module, "lane_beat_burst", json_integer(SLUICE_LANE_RATE_BEATS));
  }
  return module;
}

static enum sluice_status save_job(const struct isolate_pair *pair, bool beside, const char *run,
                                   const char *dir, struct sluice_error *error) {
  char path[PATH_ROOM];
  json_t *job = json_object(), *modules = json_array();
  sluice_json_set(job, "sluice_job", json_integer(1));
  sluice_json_set(job, "config", json_string(pair->config->name));
  set_path(job, "capture", dir, run, ".pcap");
  set_path(job, "schedule", dir, run, ".schedule");
  if (pair->ask.capsules) set_path(job, "control", dir, run, ".control.pcap");
  set_path(job, "out", dir, run, ".pcapng");
  set_path(job, "report", dir, run, ".json");
  sluice_json_set_int(job, "seed", pair->seed);
  sluice_json_set(job, "max_cycles", json_integer(MAX_CYCLES));
  sluice_json_set(job, "state", json_true());
  if (pair->packets.fault) sluice_json_set(job, "faults", json_pack("[s]", pair->packets.fault));
  sluice_json_add(modules, module_json(pair, dir, "a", ISOLATE_A_VID, beside));
  if (beside) sluice_json_add(modules, module_json(pair, dir, "b", ISOLATE_B_VID, true));
  sluice_json_set(job, "modules", modules);
  json_t *settings = json_pack("{s:i}", "output_limit", (int)sluice_output_room(pair->config));
  if (pair->config->BufferShares && !pair->ask.no_shares)
    sluice_json_set(settings, "lane_limit", json_integer(0));
  sluice_json_set(job, "settings", settings);
  snprintf(path, sizeof path, "%s/%s.job", dir, run);
  const enum sluice_status status = sluice_json_save(job, JSON_INDENT(2), path, error);
  json_decref(job);
  return status;
}

// Who may reach which words: of A alone, or of both.
static enum sluice_status save_tenants(const struct isolate_pair *pair, bool beside,
                                       const char *path, struct sluice_error *error) {
  const struct fuzz_frames *list = &pair->packets.control;
  const unsigned a = ISOLATE_A_VID % pair->config->NumModules;
  struct sluice_capture_writer *writer;
  const enum sluice_status status = sluice_capture_create(&writer, path, error);
  if (status) return status;
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
