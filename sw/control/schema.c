// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <stdio.h>
#include <string.h>

#include "../base/json.h"
#include "../base/nearest.h"

#define CONTROL_FORM(VERB, KEY, RUN, BEGIN, ANSWER) {.verb = #VERB, .key = KEY, .answer = ANSWER},
#define CONTROL_MEMBER(NAME, KIND, LOW, HIGH, NEEDED, WHAT, NOTE) \
  {.name = #NAME,                                                 \
   .kind = CONTROL_##KIND,                                        \
   .low = LOW,                                                    \
   .high = HIGH,                                                  \
   .needed = NEEDED,                                              \
   .what = WHAT,                                                  \
   .note = NOTE},
const struct control_row control_rows[] = {
#include "../control.def"
};
const unsigned control_num_rows = sizeof control_rows / sizeof control_rows[0];

const char control_verbs[] =
#define CONTROL_VERB(VERB, WATCHED, HELP) #VERB " "
#include "../control.def"
    ;
#define CONTROL_IF_true(TEXT) TEXT
#define CONTROL_IF_false(TEXT) ""
const char control_watched[] =
#define CONTROL_VERB(VERB, WATCHED, HELP) CONTROL_IF_##WATCHED(#VERB " ")
#include "../control.def"
    ;

bool control_is_watched(const char *verb) {
  const size_t len = strlen(verb);
  for (const char *at = control_watched; *at; at += strcspn(at, " ") + 1)
    if (strcspn(at, " ") == len && strncmp(at, verb, len) == 0) return true;
  return false;
}

// ---- words for statuses -------------------------------------------------------------------------

static const struct {
  enum sluice_status status;
  const char *word;
} words[] = {
#define CONTROL_STATUS(STATUS, WORD, NOTE) {SLUICE_ERR_##STATUS, #WORD},
#include "../control.def"
};
enum { NUM_WORDS = sizeof words / sizeof words[0] };

const char *control_status_word(enum sluice_status status) {
  for (unsigned n = 0; n < NUM_WORDS; n++)
    if (words[n].status == status) return words[n].word;
  return "io";
}

enum sluice_status control_status_of(const char *word) {
  for (unsigned n = 0; n < NUM_WORDS; n++)
    if (strcmp(words[n].word, word) == 0) return words[n].status;
  return SLUICE_ERR_IO;
}

static const char *const changes[] = {
    [SLUICE_TABLE_ADD] = "add",         [SLUICE_TABLE_MODIFY] = "mod",
    [SLUICE_TABLE_SET] = "set",         [SLUICE_TABLE_DELETE] = "del",
    [SLUICE_TABLE_DEFAULT] = "default", [SLUICE_TABLE_CLEAR] = "clear"};

const char *control_change_word(enum sluice_table_op op) { return changes[op]; }

bool control_change_of(const char *word, enum sluice_table_op *op) {
  for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; n++)
    if (strcmp(changes[n], word) == 0) {
      *op = (enum sluice_table_op)n;
      return true;
    }
  return false;
}

// ---- checking -----------------------------------------------------------------------------------

static enum sluice_status no_verb(const char *verb, struct sluice_error *error) {
  const char *near = NULL;
  unsigned best = SLUICE_NEAR;
  for (unsigned r = 0; r < control_num_rows; r++)
    if (control_rows[r].verb) sluice_nearer(verb, control_rows[r].verb, &near, &best);
  if (near)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "there is no verb '%.40s': did you mean '%s'?",
                       verb, near);
  return sluice_fail(error, SLUICE_ERR_FORMAT, "'%.40s' is none of %s", verb, control_verbs);
}

// A row of the table, and its number among the forms.
static enum sluice_status find_form(const json_t *request, const char *verb, unsigned *row,
                                    unsigned *form, struct sluice_error *error) {
  unsigned number = 0;
  for (unsigned r = 0; r < control_num_rows; r++) {
    const struct control_row *of = &control_rows[r];
    if (!of->verb) continue;
    if (strcmp(of->verb, verb) == 0 && (!*of->key || json_object_get(request, of->key))) {
      *row = r;
      *form = number;
      return SLUICE_OK;
    }
    number++;
  }
  return no_verb(verb, error);
}

static bool is_of_kind(const struct control_row *m, const json_t *value) {
  const json_int_t number = json_integer_value(value);
  switch (m->kind) {
    case CONTROL_WHOLE: return json_is_integer(value) && number >= m->low && number <= m->high;
    case CONTROL_TEXT:
      return json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value);
    case CONTROL_FLAG: return json_is_boolean(value);
    case CONTROL_OBJECT: return json_is_object(value);
    case CONTROL_LIST:
      return json_is_array(value) && (int64_t)json_array_size(value) >= m->low &&
             (int64_t)json_array_size(value) <= m->high;
  }
  return false;
}

static enum sluice_status must_be(const struct control_row *m, struct sluice_error *error) {
  static const char *const kinds[] = {"", "a text", "true or false", "an object", "a list"};
  char what[100];
  snprintf(what, sizeof what, "a whole number from %lld to %lld", (long long)m->low,
           (long long)m->high);
  return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s' must be %s", m->name,
                     *m->what                   ? m->what
                     : m->kind == CONTROL_WHOLE ? what
                                                : kinds[m->kind]);
}

enum sluice_status control_check(const json_t *request, unsigned *form,
                                 struct sluice_error *error) {
  char known[300] = "", why[400];
  unsigned row = 0;
  if (!json_is_object(request))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "a request is a JSON object, one a line");
  const char *verb = json_string_value(json_object_get(request, "do"));
  if (!verb) return sluice_fail(error, SLUICE_ERR_FORMAT, "'do' must be a text");
  SLUICE_TRY(find_form(request, verb, &row, form, error));
  for (unsigned r = row + 1; r < control_num_rows && control_rows[r].name; r++) {
    const size_t len = strlen(known);
    snprintf(known + len, sizeof known - len, "%s%s", len ? " " : "", control_rows[r].name);
  }
  json_t *members = json_copy((json_t *)(uintptr_t)request);
  if (!members) return sluice_no_memory(error);
  json_object_del(members, "do");
  json_object_del(members, "id");
  const bool good = sluice_json_only(members, known, why, sizeof why);
  json_decref(members);
  if (!good)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s'%s%s%s: %s", verb,
                       *control_rows[row].key ? " with '" : "", control_rows[row].key,
                       *control_rows[row].key ? "'" : "", why);
  for (unsigned r = row + 1; r < control_num_rows && control_rows[r].name; r++) {
    const struct control_row *m = &control_rows[r];
    const json_t *value = json_object_get(request, m->name);
    if (value ? !is_of_kind(m, value) : m->needed) return must_be(m, error);
  }
  return SLUICE_OK;
}
