// SPDX-License-Identifier: Apache-2.0
// The files of the two runs.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../driver/place.h"
#include "../lib/capture.h"
#include "isolate.h"

enum { PATH_ROOM = 4200, MAX_CYCLES = 3000000, RATE = (SLUICE_SHARE_RATE_MAX - 1) / 2 };

static bool is_of_a(const struct fuzz_frame *f) { return !(f->bytes[ISOLATE_NUMBER_AT] & 0x80); }

// What cannot be put into the job must not be left out of it: *bad says so.
static void set(json_t *job, const char *key, json_t *value, bool *bad) {
  if (json_object_set_new(job, key, value) != 0) *bad = true;
}

static void set_path(json_t *job, const char *key, const char *dir, const char *run,
                     const char *end, bool *bad) {
  char *text = sluice_path_encode(dir);
  set(job, key, text ? json_sprintf("%s/%s%s", text, run, end) : NULL, bad);
  free(text);
}

static json_t *module_json(const struct isolate_pair *pair, const char *dir, const char *image,
                           unsigned vid, bool share, bool *bad) {
  json_t *module = json_object();
  set_path(module, "image", dir, image, ".image", bad);
  set(module, "vid", json_integer((json_int_t)vid), bad);
  if (pair->ask.capsules) set(module, "active", json_true(), bad);
  if (share && !pair->ask.no_shares) {
    set(module, "rate", json_integer(RATE), bad);
    set(module, "burst", json_integer(SLUICE_SHARE_BURST), bad);
  }
  if (pair->ask.one_class && pair->config->OutputClasses)
    set(module, "class", json_integer(ISOLATE_A_VID % pair->config->OutputClasses), bad);
  // Where both come in at one lane B has half of it.
  if (share && pair->ask.shared_lanes && pair->config->RateLimits && vid == ISOLATE_B_VID) {
    set(module, "lane_packets", json_integer(ISOLATE_LANE_RATE), bad);
    set(module, "lane_packet_burst", json_integer(SLUICE_LANE_RATE_PACKETS), bad);
    set(module, "lane_beats", json_integer(ISOLATE_LANE_RATE), bad);
    set(module, "lane_beat_burst", json_integer(SLUICE_LANE_RATE_BEATS), bad);
  }
  return module;
}

static enum sluice_status save_job(const struct isolate_pair *pair, bool beside, const char *run,
                                   const char *dir, struct sluice_error *error) {
  char path[PATH_ROOM];
  bool bad = false;
  json_t *job = json_object(), *modules = json_array();
  set(job, "sluice_job", json_integer(1), &bad);
  set(job, "config", json_string(pair->config->name), &bad);
  set_path(job, "capture", dir, run, ".pcap", &bad);
  set_path(job, "schedule", dir, run, ".schedule", &bad);
  if (pair->ask.capsules) set_path(job, "control", dir, run, ".control.pcap", &bad);
  set_path(job, "out", dir, run, ".pcapng", &bad);
  set_path(job, "report", dir, run, ".json", &bad);
  set(job, "seed", json_integer((json_int_t)pair->seed), &bad);
  set(job, "max_cycles", json_integer(MAX_CYCLES), &bad);
  set(job, "state", json_true(), &bad);
  if (pair->packets.fault) set(job, "faults", json_pack("[s]", pair->packets.fault), &bad);
  if (json_array_append_new(modules, module_json(pair, dir, "a", ISOLATE_A_VID, beside, &bad)) != 0)
    bad = true;
  if (beside &&
      json_array_append_new(modules, module_json(pair, dir, "b", ISOLATE_B_VID, true, &bad)) != 0)
    bad = true;
  set(job, "modules", modules, &bad);
  json_t *settings = json_pack("{s:i}", "output_limit", (int)sluice_output_room(pair->config));
  if (pair->config->BufferShares && !pair->ask.no_shares)
    set(settings, "lane_limit", json_integer(0), &bad);
  set(job, "settings", settings, &bad);
  snprintf(path, sizeof path, "%s/%s.job", dir, run);
  enum sluice_status status = SLUICE_OK;
  if (bad) status = sluice_no_memory(error);
  else if (json_dump_file(job, path, JSON_INDENT(2)) != 0)
    status = sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
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
