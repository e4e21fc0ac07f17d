// SPDX-License-Identifier: Apache-2.0
#include "dialogue.h"

#include <string.h>

unsigned reaction_num_words(const struct sluice_reaction *r) {
  unsigned num = 0;
  for (unsigned i = 0; i < r->num_args; i++) num += r->args[i].num;
  return num;
}

enum sluice_status reaction_read(struct sluice_chip *chip, unsigned vid,
                                 const struct sluice_reaction *r, int32_t *words,
                                 struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  for (unsigned i = 0; !status && i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    status = sluice_chip_cut_read(chip, vid, a->name, a->first, a->num, (uint32_t *)words, error);
    words += a->num;
  }
  return status;
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
  const enum sluice_status status = reaction_values(image, plan, vid, values, error);
  if (status) return status;
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
