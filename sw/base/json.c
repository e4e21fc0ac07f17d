// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "nearest.h"
#include "text.h"

// ---- building -----------------------------------------------------------------------------------

static bool missing;

void sluice_json_set(json_t *to, const char *name, json_t *value) {
  if (json_object_set_new(to, name, value)) missing = true;
}

void sluice_json_add(json_t *list, json_t *value) {
  if (json_array_append_new(list, value)) missing = true;
}

void sluice_json_set_int(json_t *to, const char *name, uint64_t value) {
  sluice_json_set(to, name, json_integer((json_int_t)value));
}

void sluice_json_add_int(json_t *list, uint64_t value) {
  sluice_json_add(list, json_integer((json_int_t)value));
}

void sluice_json_set_text(json_t *to, const char *name, const char *text) {
  const size_t room = 4 * strlen(text) + 1;
  char *clean = malloc(room);
  if (clean) sluice_text_clean(clean, room, text, false);
  sluice_json_set(to, name, clean ? json_string(clean) : NULL);
  free(clean);
}

void sluice_json_set_path(json_t *to, const char *key, const char *folder, const char *name) {
  char *in = folder ? sluice_path_encode(folder) : NULL, *file = sluice_path_encode(name);
  const bool good = file && (in || !folder);
  sluice_json_set(to, key, good ? json_sprintf("%s%s%s", in ? in : "", in ? "/" : "", file) : NULL);
  free(in);
  free(file);
}

bool sluice_json_complete(void) {
  const bool complete = !missing;
  missing = false;
  return complete;
}

enum sluice_status sluice_json_save(const json_t *tree, size_t flags, const char *path,
                                    struct sluice_error *error) {
  struct sluice_out out;
  if (!sluice_json_complete() || !tree)
    return sluice_fail(error, SLUICE_ERR_NOMEM,
                       "cannot write '%s': out of memory, or a name in it is not UTF-8", path);
  SLUICE_TRY(sluice_out_open(&out, path, error));
  const bool dumped = json_dumpf(tree, out.file, flags) == 0;
  if (!dumped) out.why = errno;
  if (dumped || ferror(out.file)) return sluice_out_close(&out, true, error);
  sluice_out_close(&out, false, error);
  return sluice_no_memory(error);
}

// ---- reading ------------------------------------------------------------------------------------

long long sluice_json_int(const json_t *from, const char *name) {
  return (long long)json_integer_value(json_object_get(from, name));
}

double sluice_json_real(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

const char *sluice_json_text(const json_t *from, const char *name) {
  const char *text = json_string_value(json_object_get(from, name));
  return text ? text : "";
}

// Whether one of the words is `name`; *near is the one that may have been meant.
static bool is_known(const char *name, const char *known, char *near, size_t size) {
  unsigned best = SLUICE_NEAR;
  *near = 0;
  for (const char *at = known; *at; at += strspn(at, " ")) {
    const size_t len = strcspn(at, " ");
    char word[64];
    const char *found = NULL;
    snprintf(word, sizeof word, "%.*s", (int)len, at);
    if (strcmp(word, name) == 0) return true;
    if (sluice_nearer(name, word, &found, &best)) snprintf(near, size, "%s", word);
    at += len;
  }
  return false;
}

bool sluice_json_only(const json_t *object, const char *known, char *why, size_t size) {
  for (void *at = json_object_iter((json_t *)(uintptr_t)object); at;
       at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
    char near[64], shown[64];
    const char *name = json_object_iter_key(at);
    if (is_known(name, known, near, sizeof near)) continue;
    sluice_text_clean(shown, sizeof shown, name, false);
    if (*near) snprintf(why, size, "no key '%s' is known: did you mean '%s'?", shown, near);
    else
      snprintf(why, size, "no key '%s' is known%s%s", shown, *known ? "; there are: " : "", known);
    return false;
  }
  return true;
}
