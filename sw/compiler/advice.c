// SPDX-License-Identifier: Apache-2.0
// To which chip a program could go that does not fit the one it is for: the whole program is
// compiled for one shape to choose from after the other, the smallest first. (Those of tests are
// not named: a program that none takes would be compiled three times as often.) What a message says
// that one limit asks for is not enough: the shape that has more of it may lack something else.
#include <string.h>

#include "internal.h"

static const char see[] = "; see --chip";

// Stages of all pipelines: what most of a chip's area is.
static unsigned size_of(const struct sluice_config *chip) {
  return chip->NumPipes * (chip->FrontStages + chip->BackStages + chip->EgressStages);
}

// Whether two shapes differ only in what no program sees: how many pipelines there are, how deep
// queues are, how control changes state.
static bool look_alike(const struct sluice_config *a, const struct sluice_config *b) {
  struct sluice_config x = *a, y = *b;
  for (int i = 0; i < 2; i++) {
    struct sluice_config *chip = i ? &y : &x;
    chip->name = chip->doc = NULL;
    chip->NumPipes = chip->BankDepth = chip->PhantomDepth = chip->Banks = chip->Marks = 0;
    chip->FlipGuard = chip->OrderedMerge = chip->OutputClasses = 0;
    chip->BufferShares = chip->RateLimits = 0;
    chip->BeatBytes = chip->Window = chip->LaneDepth = chip->HeaderSlots = 0;
    chip->BodyCells = chip->OutputDepth = chip->TestFaults = chip->MatchCycles = 0;
  }
  return memcmp(&x, &y, sizeof x) == 0;
}

static bool takes(const struct sluice_program *program, const struct sluice_config *chip,
                  const struct sluice_compile_options *options) {
  struct sluice_compile_options quiet = *options;
  struct sluice_diags diags = {0};
  struct sluice_image image;
  quiet.dump = NULL;
  quiet.dot_to = NULL;
  quiet.usage = NULL;
  const bool good = sluice_compile(program, chip, &quiet, &image, &diags) == SLUICE_OK;
  if (good) sluice_image_release(&image);
  sluice_diags_release(&diags);
  return good;
}

// NULL: none does.
static const struct sluice_config *find(const struct sluice_program *program,
                                        const struct sluice_config *refused,
                                        const struct sluice_compile_options *options) {
  enum { MOST = 32 };
  const struct sluice_config *order[MOST];
  unsigned num = 0;
  for (unsigned i = 0; i < sluice_num_offered && num < MOST; i++) {
    unsigned at = num++;
    for (; at > 0 && size_of(order[at - 1]) > size_of(&sluice_configs[i]); at--)
      order[at] = order[at - 1];
    order[at] = &sluice_configs[i];
  }
  for (unsigned i = 0; i < num; i++) {
    bool tried = look_alike(order[i], refused);
    for (unsigned j = 0; j < i && !tried; j++) tried = look_alike(order[i], order[j]);
    if (!tried && takes(program, order[i], options)) return order[i];
  }
  return NULL;
}

void sluice_compile_advise(const struct sluice_program *program, const struct sluice_config *config,
                           const struct sluice_compile_options *options,
                           struct sluice_diags *diags) {
  static const struct sluice_compile_options defaults;
  const struct sluice_config *found = NULL;
  bool looked = false;
  for (size_t i = 0; i < diags->num; i++) {
    struct sluice_diag *d = &diags->list[i];
    char *at = d->severity == SLUICE_SEVERITY_WARNING ? NULL : strstr(d->text, see);
    if (!at || strlen(at) != strlen(see)) continue;
    if (!looked) found = find(program, config, options ? options : &defaults);
    looked = true;
    const size_t room = sizeof d->text - (size_t)(at - d->text);
    if (found) snprintf(at, room, "%s: '%s' takes the whole program", see, found->name);
    else snprintf(at, room, "; none of the shapes to choose from takes the whole program");
  }
}
