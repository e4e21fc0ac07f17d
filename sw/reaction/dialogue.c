// SPDX-License-Identifier: Apache-2.0
#include "dialogue.h"

#include <sluice/transaction.h>
#include <string.h>

#include "../driver/image/reaction.h"
#include "../base/status.h"
#include "tables.h"

unsigned reaction_num_words(const struct sluice_reaction *r) {
  unsigned num = 0;
  for (unsigned i = 0; i < r->num_args; i++) num += sluice_reaction_arg_words(&r->args[i]);
  return num;
}

static bool is_array(const struct sluice_reaction_arg *a) {
  return !a->is_register && !a->is_counters;
}

bool reaction_has_arrays(const struct sluice_reaction *r) {
  for (unsigned i = 0; i < r->num_args; i++)
    if (is_array(&r->args[i])) return true;
  return false;
}

static enum sluice_status read_registers(struct sluice_chip *chip,
                                         const struct sluice_reaction_arg *a, int32_t *words,
                                         struct sluice_error *error) {
  char block[SLUICE_NAME_LEN];
  const char *name = sluice_reaction_register(a->name, block);
  enum sluice_status status = SLUICE_OK;
  for (unsigned n = 0; !status && n < a->num; n++) {
    uint32_t addr;
    status = sluice_chip_register(chip, block, a->first + n, name, 0, &addr, error);
    if (!status) status = sluice_chip_read(chip, addr, (uint32_t *)&words[n], error);
  }
  return status;
}

// Registers first: they are behind the cut as little as can be.
static enum sluice_status read_args(struct sluice_chip *chip, unsigned vid,
                                    const struct sluice_reaction *r, bool unchanged, int32_t *words,
                                    struct sluice_error *error) {
  struct sluice_cut_part parts[SLUICE_MAX_REACTION_ARGS];
  unsigned num = 0;
  for (unsigned i = 0; i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    enum sluice_status status = SLUICE_OK;
    if (a->is_register && !unchanged) status = read_registers(chip, a, words, error);
    else if (is_array(a) && (a->unchanged || !unchanged))
      parts[num++] = (struct sluice_cut_part){a->name, a->first, a->num, (uint32_t *)words};
    if (status) return status;
    words += sluice_reaction_arg_words(a);
  }
  return num ? sluice_chip_cut_read_parts(chip, vid, parts, num, error) : SLUICE_OK;
}

bool reaction_has_unchanged(const struct sluice_reaction *r) {
  for (unsigned i = 0; i < r->num_args; i++)
    if (r->args[i].unchanged) return true;
  return false;
}

enum sluice_status reaction_guard(struct sluice_chip *chip, unsigned vid,
                                  const struct sluice_reaction *r, struct sluice_error *error) {
  struct sluice_cut_part parts[SLUICE_MAX_REACTION_ARGS];
  unsigned num = 0;
  for (unsigned i = 0; i < r->num_args; i++)
    if (r->args[i].unchanged)
      parts[num++] =
          (struct sluice_cut_part){r->args[i].name, r->args[i].first, r->args[i].num, NULL};
  return sluice_chip_watch(chip, vid, parts, num, error);
}

enum sluice_status reaction_read(struct sluice_chip *chip, unsigned vid,
                                 const struct sluice_reaction *r, int32_t *words,
                                 struct sluice_error *error) {
  return read_args(chip, vid, r, false, words, error);
}

enum sluice_status reaction_read_counts(struct sluice_chip *chip, unsigned vid,
                                        const struct sluice_image *image,
                                        const struct sluice_reaction *r,
                                        struct reaction_counted *counted, int32_t *words,
                                        struct sluice_error *error) {
  for (unsigned i = 0; i < r->num_args; i++) {
    if (r->args[i].is_counters)
      SLUICE_TRY(reaction_read_counters(chip, vid, image, r, i, counted, words, error));
    words += sluice_reaction_arg_words(&r->args[i]);
  }
  return SLUICE_OK;
}

enum sluice_status reaction_values(const struct sluice_image *image, const struct sluice_plan *plan,
                                   unsigned vid, int32_t values[REACTION_MAX_PARAMS],
                                   struct sluice_error *error) {
  struct sluice_param_info p;
  unsigned n = 0;
  for (; sluice_plan_param(plan, vid, n, &p); n++) {
    if (n >= image->num_params || n >= REACTION_MAX_PARAMS ||
        strcmp(image->params[n].name, p.name) != 0 || image->params[n].low != p.low ||
        image->params[n].high != p.high)
      break;
    values[n] = p.value;
  }
  if (n == image->num_params && !sluice_plan_param(plan, vid, n, &p)) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "the malleables of VLAN %u are not those of program '%s'", vid,
                     image->program);
}

enum sluice_status reaction_settings(const struct sluice_image *image,
                                     const struct sluice_plan *plan, unsigned vid,
                                     const struct reaction_effects *effects,
                                     struct sluice_setting settings[REACTION_MAX_PARAMS],
                                     unsigned *num, struct sluice_error *error) {
  int32_t values[REACTION_MAX_PARAMS];
  *num = 0;
  SLUICE_TRY(reaction_values(image, plan, vid, values, error));
  for (unsigned i = 0; i < effects->num; i++) {
    const struct reaction_effect *e = &effects->list[i];
    if (e->param >= image->num_params)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "there is no malleable %u", e->param);
    const struct sluice_param *p = &image->params[e->param];
    if (e->value < p->low || e->value > p->high)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "line %u sets '%s' to %lld, legal is %d..%d: nothing of this run is set",
                         e->line, p->name, (long long)e->value, p->low, p->high);
  }
  for (unsigned i = 0; i < effects->num; i++) {
    const struct reaction_effect *e = &effects->list[i];
    const struct sluice_param *p = &image->params[e->param];
    if (e->value == values[e->param]) continue;
    settings[(*num)++] =
        (struct sluice_setting){.vid = vid,
                                .name = p->name,
                                .choice = p->num_choices ? p->choice[e->value].name : NULL,
                                .value = e->value};
  }
  return SLUICE_OK;
}

enum sluice_status reaction_unchanged(struct sluice_chip *chip, unsigned vid,
                                      const struct sluice_reaction *r, const int32_t *words,
                                      int32_t *again, bool *unchanged, struct sluice_error *error) {
  const enum sluice_status status = read_args(chip, vid, r, true, again, error);
  *unchanged = status == SLUICE_OK;
  for (unsigned i = 0; i < r->num_args && *unchanged; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    *unchanged = !a->unchanged || memcmp(again, words, a->num * sizeof *words) == 0;
    words += sluice_reaction_arg_words(a);
    again += sluice_reaction_arg_words(a);
  }
  return status;
}

// ---- tables -------------------------------------------------------------------------------------

// Whether the table on the chip holds already what this change would make. Changes before it in the
// same run are not looked at.
static bool is_so(const struct sluice_plan *plan, const struct sluice_table_change *c) {
  struct sluice_table_change there = *c;
  if (c->op != SLUICE_TABLE_SET && c->op != SLUICE_TABLE_MODIFY) return false;
  return sluice_plan_table_get(plan, &there) && strcmp(there.action, c->action) == 0 &&
         memcmp(there.args, c->args, sizeof there.args) == 0;
}

enum sluice_status reaction_changes(const struct sluice_image *image,
                                    const struct sluice_plan *plan, unsigned vid,
                                    const struct reaction_effects *effects,
                                    struct sluice_table_change changes[REACTION_MAX_CHANGES],
                                    unsigned lines[REACTION_MAX_CHANGES], unsigned *num,
                                    struct sluice_error *error) {
  *num = 0;
  for (unsigned i = 0; i < effects->num_changes; i++) {
    const int64_t *words = effects->changes[i];
    const unsigned line = (unsigned)words[REACTION_WORD_LINE];
    if (i == REACTION_MAX_CHANGES)
      return sluice_fail(error, SLUICE_ERR_FULL,
                         "line %u changes tables once more than the %d times that a run may: "
                         "nothing of this run is set",
                         line, REACTION_MAX_CHANGES);
    struct sluice_table_change *c = &changes[*num];
    SLUICE_TRY(reaction_table_change(image, vid, words, c, error));
    lines[*num] = line;
    bool touched = false;
    for (unsigned k = 0; k < *num; k++) touched |= changes[k].table == c->table;
    *num += touched || !is_so(plan, c);
  }
  return SLUICE_OK;
}
