// SPDX-License-Identifier: Apache-2.0
#include "param.h"

#include <stdio.h>
#include <string.h>

const char *const sluice_relocation_names[SLUICE_NUM_RELOCATIONS] = {
    [SLUICE_RELOCATE_UNSIGNED] = "unsigned", [SLUICE_RELOCATE_SIGNED] = "signed",
    [SLUICE_RELOCATE_WORD] = "word",         [SLUICE_RELOCATE_LOW] = "low",
    [SLUICE_RELOCATE_HIGH] = "high",         [SLUICE_RELOCATE_METADATA] = "metadata"};

static struct sluice_write *entry_of(const struct sluice_image *image,
                                     const struct sluice_relocation *r) {
  for (size_t i = 0; i < image->num_writes; i++) {
    struct sluice_write *w = &image->writes[i];
    if (w->table == r->table && w->stage == r->stage && w->index == r->index) return w;
  }
  return NULL;
}

void sluice_relocation_limits(enum sluice_relocation_kind kind, unsigned bits, int64_t *low,
                              int64_t *high) {
  *low = INT64_MIN;
  *high = INT64_MAX;
  if (kind == SLUICE_RELOCATE_UNSIGNED) {
    *low = 0;
    *high = (INT64_C(1) << bits) - 1;
  } else if (kind == SLUICE_RELOCATE_SIGNED) {
    *high = (INT64_C(1) << (bits - 1)) - 1;
    *low = -*high - 1;
  }
}

// x of a relocation when its malleable has a value.
static int64_t amount(const struct sluice_param *p, const struct sluice_relocation *r,
                      int32_t value) {
  const int64_t x = p->num_choices ? (int64_t)p->choice[value].offset : value;
  return (r->negated ? -x : x) + r->add;
}

bool sluice_relocation_check(const struct sluice_image *image, const struct sluice_relocation *r,
                             char *why, size_t len) {
  const struct sluice_param *p = &image->params[r->param];
  const bool choice = r->table == SLUICE_TABLE_PARSER || r->table == SLUICE_TABLE_DEPARSER;
  const unsigned bits = r->msb - r->lsb + 1;
  int64_t low, high;
  const char *wrong = NULL;
  if (!choice && r->table != SLUICE_TABLE_ACTION && r->table != SLUICE_TABLE_STATE_INSTR)
    wrong = "no malleable is in this table";
  else if (choice != (p->num_choices != 0))
    wrong = "choices are in parser and deparser, values elsewhere";
  else if (!entry_of(image, r)) wrong = "there is no such entry";
  else if (bits > 32) wrong = "more than 32 bits";
  else if (r->kind == SLUICE_RELOCATE_WORD && bits != 32) wrong = "a word has 32 bits";
  else if ((r->kind == SLUICE_RELOCATE_LOW || r->kind == SLUICE_RELOCATE_HIGH) && bits != 16)
    wrong = "a half has 16 bits";
  else if (r->kind == SLUICE_RELOCATE_METADATA && (!choice || bits != 1))
    wrong = "metadata is one bit of a choice";
  if (wrong) {
    snprintf(why, len, "malleable '%s': %s", p->name, wrong);
    return false;
  }
  sluice_relocation_limits(r->kind, bits, &low, &high);
  const int32_t all[2] = {p->low, p->high};
  const unsigned num = p->num_choices ? p->num_choices : 2;
  for (unsigned i = 0; i < num; i++) {
    const int32_t value = p->num_choices ? (int32_t)i : all[i];
    const int64_t x = amount(p, r, value);
    if (x >= low && x <= high) continue;
    snprintf(why, len, "malleable '%s': %d does not fit %u bits", p->name, value, bits);
    return false;
  }
  return true;
}

static uint64_t part_of(const struct sluice_param *p, const struct sluice_relocation *r) {
  const uint64_t x = (uint64_t)amount(p, r, p->value);
  const unsigned bits = r->msb - r->lsb + 1;
  switch (r->kind) {
    case SLUICE_RELOCATE_METADATA: return p->choice[p->value].metadata;
    case SLUICE_RELOCATE_HIGH: return x >> 16 & 0xffff;
    default: return x & ((UINT64_C(1) << bits) - 1);
  }
}

void sluice_image_bind(struct sluice_image *image) {
  for (size_t i = 0; i < image->num_relocations; i++) {
    const struct sluice_relocation *r = &image->relocations[i];
    sluice_entry_set(entry_of(image, r)->bytes, sluice_tables[r->table].bits, r->msb, r->lsb,
                     part_of(&image->params[r->param], r));
  }
}

struct sluice_param *sluice_image_param(const struct sluice_image *image, const char *name) {
  for (size_t i = 0; i < image->num_params; i++)
    if (strcmp(image->params[i].name, name) == 0) return &image->params[i];
  return NULL;
}

static enum sluice_status no_choice(const struct sluice_param *p, const char *choice,
                                    struct sluice_error *error) {
  char list[300] = "";
  for (unsigned i = 0; i < p->num_choices; i++) {
    const size_t len = strlen(list);
    snprintf(list + len, sizeof list - len, "%s%.60s", i ? ", " : "", p->choice[i].name);
  }
  return sluice_fail(error, SLUICE_ERR_RANGE, "'%.60s' is no choice of '%s'; these are: %s", choice,
                     p->name, list);
}

enum sluice_status sluice_param_set(struct sluice_param *p, const char *choice, int64_t value,
                                    struct sluice_error *error) {
  if (choice && !p->num_choices)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "malleable '%s' is a value: a number from %d to %d, not '%.60s'", p->name,
                       p->low, p->high, choice);
  for (unsigned i = 0; choice && i < p->num_choices; i++) {
    const char *dot = strchr(choice, '.');
    if (strcmp(p->choice[i].name, choice) != 0 && (!dot || strcmp(p->choice[i].name, dot + 1) != 0))
      continue;
    p->value = (int32_t)i;
    return SLUICE_OK;
  }
  if (choice) return no_choice(p, choice, error);
  if (value < p->low || value > p->high)
    return sluice_fail(error, SLUICE_ERR_RANGE, "malleable '%s': %lld, legal is %d..%d", p->name,
                       (long long)value, p->low, p->high);
  p->value = (int32_t)value;
  return SLUICE_OK;
}
