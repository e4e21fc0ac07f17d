// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

const char *const plan_names[PLAN_FIELDS] = {
    [PLAN_ID] = "id",           [PLAN_FIGURE] = "figure",       [PLAN_SERIES] = "series",
    [PLAN_PATTERN] = "pattern", [PLAN_PARAMETER] = "parameter", [PLAN_PASSES] = "passes",
    [PLAN_VERB] = "verb",       [PLAN_CHIP] = "chip",           [PLAN_PROGRAM] = "program",
    [PLAN_FLOWS] = "flows",     [PLAN_PACKETS] = "packets",     [PLAN_OPTIONS] = "options"};

const char *plan_header(void) {
  return "id,figure,series,pattern,parameter,passes,verb,chip,program,flows,packets,options";
}

void plan_put(struct sheet *to, const struct plan_run *run) {
  for (int i = 0; i < PLAN_FIELDS; i++) sheet_put(to, "%s", run->field[i]);
}

// Stands in names of files, in tables and in pages as it is.
static bool plain(const char *text) {
  for (const char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("-_.+:", *c)) return false;
  return *text && *text != '.' && *text != '-';
}

static bool whole(const char *text) {
  return *text && strlen(text) < 10 && text[strspn(text, "0123456789")] == 0 && *text != '0';
}

static const struct {
  const char *verb;
  enum plan_field needs[3];  // PLAN_ID: nothing more
} verbs[] = {{"replay", {PLAN_CHIP, PLAN_FLOWS, PLAN_PACKETS}},
             {"recirculate", {PLAN_CHIP, PLAN_FLOWS, PLAN_PACKETS}},
             {"run", {PLAN_CHIP, PLAN_PROGRAM, PLAN_PACKETS}},
             {"study", {PLAN_ID, PLAN_FLOWS, PLAN_PACKETS}}};

static enum sluice_status check(const struct plan_run *run, const char *name, size_t row,
                                struct sluice_error *error) {
  const char *const *field = run->field;
  for (int i = PLAN_ID; i <= PLAN_PARAMETER; i++)
    if (!plain(field[i]))
      return sluice_fail(error, SLUICE_ERR_FORMAT,
                         "'%s', line %zu: %s '%s' is no word of letters, digits and -_.+:", name,
                         row + 2, plan_names[i], field[i]);
  if (!whole(field[PLAN_PASSES]))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s', line %zu: passes '%s' is no number", name,
                       row + 2, field[PLAN_PASSES]);
  for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
    if (strcmp(verbs[v].verb, field[PLAN_VERB]) != 0) continue;
    for (int i = 0; i < 3; i++)
      if (!*field[verbs[v].needs[i]])
        return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s', line %zu: '%s' needs %s", name, row + 2,
                           field[PLAN_VERB], plan_names[verbs[v].needs[i]]);
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_FORMAT,
                     "'%s', line %zu: verb '%s' is none of replay, recirculate, run, study", name,
                     row + 2, field[PLAN_VERB]);
}

static int by_id(const void *a, const void *b) {
  const struct plan_run *const *x = a, *const *y = b;
  return strcmp((*x)->field[PLAN_ID], (*y)->field[PLAN_ID]);
}

static enum sluice_status check_ids(const struct plan *plan, const char *name,
                                    struct sluice_error *error) {
  const struct plan_run **sorted = calloc(plan->count + 1, sizeof *sorted);
  if (!sorted) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for a plan");
  for (size_t i = 0; i < plan->count; i++) sorted[i] = &plan->runs[i];
  qsort(sorted, plan->count, sizeof *sorted, by_id);
  enum sluice_status status = SLUICE_OK;
  for (size_t i = 1; !status && i < plan->count; i++)
    if (by_id(&sorted[i - 1], &sorted[i]) == 0)
      status = sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': two runs have the id '%s'", name,
                           sorted[i]->field[PLAN_ID]);
  free(sorted);
  return status;
}

static enum sluice_status take(struct plan *plan, const char *name, struct sluice_error *error) {
  const struct sheet *s = &plan->sheet;
  for (unsigned i = 0; i < s->columns; i++) {
    bool known = false;
    for (int f = 0; f < PLAN_FIELDS; f++) known |= strcmp(s->cells[i], plan_names[f]) == 0;
    if (!known)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': there is no column '%s'; there are %s",
                         name, s->cells[i], plan_header());
    if (sheet_column(s, s->cells[i]) != (int)i)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': two columns are called '%s'", name,
                         s->cells[i]);
  }
  plan->count = sheet_rows(s);
  plan->runs = calloc(plan->count + 1, sizeof *plan->runs);
  if (!plan->runs) return sluice_fail(error, SLUICE_ERR_NOMEM, "no memory for a plan");
  for (size_t row = 0; row < plan->count; row++) {
    struct plan_run *run = &plan->runs[row];
    for (int f = 0; f < PLAN_FIELDS; f++) run->field[f] = sheet_at(s, row, plan_names[f]);
    if (!*run->field[PLAN_PASSES]) run->field[PLAN_PASSES] = "1";
    SLUICE_TRY(check(run, name, row, error));
  }
  return check_ids(plan, name, error);
}

enum sluice_status plan_take(struct plan *plan, struct sheet *sheet, const char *name,
                             struct sluice_error *error) {
  *plan = (struct plan){.sheet = *sheet};
  *sheet = (struct sheet){0};
  enum sluice_status status = sheet_check(&plan->sheet, error);
  if (!status) status = take(plan, name, error);
  if (status) plan_release(plan);
  return status;
}

void plan_release(struct plan *plan) {
  sheet_release(&plan->sheet);
  free(plan->runs);
  *plan = (struct plan){0};
}
