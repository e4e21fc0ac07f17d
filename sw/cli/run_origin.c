// SPDX-License-Identifier: Apache-2.0
// Where a report comes from: software, command line, and the hashes of what was read.
#include <stdlib.h>
#include <string.h>
#include <sluice/version.h>
#include <sys/stat.h>

#include "../base/json.h"
#include "../base/sha256.h"
#include "../base/text.h"
#include "../session/report.h"
#include "run.h"

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void add_file(json_t *list, const char *role, const char *path) {
  char hash[SLUICE_SHA256_TEXT];
  if (!path || !is_file(path) || !sluice_sha256_file(path, hash)) return;
  json_t *one = json_object();
  sluice_json_set(one, "role", json_string(role));
  sluice_json_set_text(one, "path", path);
  sluice_json_set(one, "sha256", json_string(hash));
  sluice_json_add(list, one);
}

// FILE:VID and more behind colons: the longest part that is a file.
static void add_program(json_t *list, const char *item) {
  char path[RUN_PATH];
  if ((size_t)snprintf(path, sizeof path, "%s", item) >= sizeof path) return;
  for (char *colon; !is_file(path) && (colon = strrchr(path, ':'));) *colon = 0;
  add_file(list, "program", path);
}

// What a program has become: its image, as `sluice compile` writes it.
static void add_image(json_t *list, const struct cli_module *m) {
  char *text = NULL, hash[SLUICE_SHA256_TEXT];
  size_t len = 0;
  FILE *memory = open_memstream(&text, &len);
  const bool printed = memory && sluice_image_print(&m->image, memory);
  if (memory && fclose(memory) == 0 && printed) {
    struct sluice_sha256 h;
    sluice_sha256_begin(&h);
    sluice_sha256_add(&h, text, len);
    sluice_sha256_text(&h, hash);
    json_t *one = json_object();
    sluice_json_set(one, "role", json_string("image"));
    sluice_json_set_int(one, "vid", m->vid);
    sluice_json_set(one, "sha256", json_string(hash));
    sluice_json_add(list, one);
  }
  free(text);
}

static void add_head(const struct run *run, json_t *head) {
  json_t *command = json_array(), *files = json_array();
  sluice_json_set_int(head, "report", REPORT_VERSION);
  sluice_json_set(head, "sluice", json_string(sluice_version()));
  sluice_json_add(command, json_string("sluice"));
  for (int n = 0; n < run->words.argc; n++) {
    char *word = sluice_path_encode(run->words.argv[n]);
    sluice_json_add(command, word ? json_string(word) : NULL);
    free(word);
  }
  sluice_json_set(head, "command", command);
  if (!run->report && !run->json) {  // nobody sees it
    json_decref(files);
    return;
  }
  for (unsigned n = 0; n < run->words.programs.count && !run->replays; n++)
    add_program(files, run->words.programs.items[n]);
  for (unsigned n = 0; n < run->words.with_vid.count; n++)
    add_program(files, run->words.with_vid.items[n]);
  for (unsigned i = 0; i < run->modules.count; i++) add_image(files, &run->modules.items[i]);
  add_file(files, "program", run->modules.system);
  add_file(files, "policy", run->modules.policy);
  for (unsigned n = 0; n < run->captures.count; n++)
    add_file(files, "capture", run_capture_path(run->captures.items[n], NULL));
  add_file(files, "control", run->control);
  sluice_json_set(head, "files", files);
}

void run_add_origin(const struct run *run, json_t *report) {
  json_t *head = json_object();
  add_head(run, head);
  // It stands first.
  if (json_object_update(head, report) || json_object_clear(report) ||
      json_object_update(report, head))
    sluice_json_add(NULL, NULL);  // out of memory: the report is not complete
  json_decref(head);
}
