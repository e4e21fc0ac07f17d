// SPDX-License-Identifier: Apache-2.0
#include "asked.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/text.h"
#include "../reaction/reactions.h"

// ---- members of a request -----------------------------------------------------------------------

enum sluice_status asked_wants(struct asked *a, const char *name, const char *what) {
  return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "'%s' must be %s", name, what);
}

bool asked_has(const struct asked *a, const char *name) {
  return json_object_get(a->request, name) != NULL;
}

enum sluice_status asked_whole(struct asked *a, const char *name, json_int_t low, json_int_t high,
                               json_int_t *value) {
  const json_t *member = json_object_get(a->request, name);
  char what[80];
  *value = member ? json_integer_value(member) : 0;
  snprintf(what, sizeof what, "a whole number from %lld to %lld", (long long)low, (long long)high);
  return json_is_integer(member) && *value >= low && *value <= high ? SLUICE_OK
                                                                    : asked_wants(a, name, what);
}

enum sluice_status asked_number(struct asked *a, const char *name, unsigned most, unsigned *value) {
  json_int_t v;
  CHIP_TRY(asked_whole(a, name, 0, most, &v));
  *value = (unsigned)v;
  return SLUICE_OK;
}
enum sluice_status asked_number_or(struct asked *a, const char *name, unsigned most,
                                   unsigned otherwise, unsigned *value) {
  *value = otherwise;
  return asked_has(a, name) ? asked_number(a, name, most, value) : SLUICE_OK;
}

enum sluice_status asked_text(struct asked *a, const char *name, const char **value) {
  *value = json_string_value(json_object_get(a->request, name));
  return *value ? SLUICE_OK : asked_wants(a, name, "a text");
}

enum sluice_status asked_flag(struct asked *a, const char *name, bool *value) {
  const json_t *member = json_object_get(a->request, name);
  *value = json_is_true(member);
  return !member || json_is_boolean(member) ? SLUICE_OK : asked_wants(a, name, "true or false");
}

enum sluice_status asked_only(struct asked *a, const char *name, const json_t *object,
                              const char *members) {
  char why[300];
  if (sluice_json_only(object, members, why, sizeof why)) return SLUICE_OK;
  return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "an object in '%s': %s", name, why);
}

static bool hex_digit(char c, unsigned *value) {
  static const char digits[] = "0123456789abcdefABCDEF";
  const char *at = c ? strchr(digits, c) : NULL;
  if (at) *value = (unsigned)(at - digits) - (at - digits > 15 ? 6 : 0);
  return at != NULL;
}

// Bytes as hexadecimal digits, two each.
enum sluice_status asked_hex_bytes(struct asked *a, const char *name, const char *what,
                                   uint8_t *bytes, size_t room, size_t *len) {
  const char *hex;
  unsigned high, low;
  CHIP_TRY(asked_text(a, name, &hex));
  *len = strlen(hex) / 2;
  if (strlen(hex) % 2 || *len > room) return asked_wants(a, name, what);
  for (size_t i = 0; i < *len; i++) {
    if (!hex_digit(hex[2 * i], &high) || !hex_digit(hex[2 * i + 1], &low))
      return asked_wants(a, name, what);
    bytes[i] = (uint8_t)(high << 4 | low);
  }
  return SLUICE_OK;
}

// ---- what is made first -------------------------------------------------------------------------

bool asked_made(struct asked *a) {
  bool all = true;
  for (unsigned n = 0; n < a->num_making; n++)
    if (a->making[n].making) all &= reactions_made(a->making[n].making);
  return all;
}

void asked_watch_making(const struct asked *a, struct sluice_loop *loop) {
  bool all = true;
  for (unsigned n = 0; n < a->num_making; n++) {
    if (!a->making[n].making || reactions_made(a->making[n].making)) continue;
    reactions_make_watch(a->making[n].making, loop);
    all = false;
  }
  if (all) sluice_loop_until(loop, 0);
}

struct reaction_making *asked_take_making(struct asked *a, unsigned vid) {
  struct reaction_making *found = NULL;
  for (unsigned n = 0; n < a->num_making && !found; n++) {
    if (a->making[n].vid != vid) continue;
    found = a->making[n].making;
    a->making[n].making = NULL;
  }
  return found;
}

void asked_drop_making(struct asked *a) {
  for (unsigned n = 0; n < a->num_making; n++) reactions_make_drop(a->making[n].making);
  free(a->making);
  a->making = NULL;
  a->num_making = 0;
}

// ---- members of an answer -----------------------------------------------------------------------

// Memory ran out while the answer was made: it is not given then. (Texts are clean before they get
// here.)
bool answer_lost;
void answer_put(json_t *to, const char *name, json_t *value) {
  if (json_object_set_new(to, name, value)) answer_lost = true;
}
void answer_append(json_t *to, json_t *value) {
  if (json_array_append_new(to, value)) answer_lost = true;
}
void answer_whole(json_t *to, const char *name, uint64_t value) {
  answer_put(to, name, json_integer((json_int_t)value));
}
void answer_text(json_t *to, const char *name, const char *value) {
  char clean[800];
  sluice_text_clean(clean, sizeof clean, value, false);
  answer_put(to, name, json_string(clean));
}

void answer_drops(json_t *to, const char *name, const uint64_t *drops) {
  json_t *list = json_object();
  for (unsigned r = 0; r < SLUICE_NUM_DROPS; r++)
    if (drops[r]) answer_whole(list, sluice_drop_name(r), drops[r]);
  answer_put(to, name, list);
}

void answer_bank(const struct asked *a, json_t *to, unsigned vid) {
  unsigned bank;
  if (sluice_chip_bank(a->chip, vid, &bank)) answer_whole(to, "bank", bank);
}
