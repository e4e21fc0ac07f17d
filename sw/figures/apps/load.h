// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../../base/weights.h"
#include "../../active/client.h"

/// Programs from their files, and keys of which some come more often than others.

/// The program FOLDER/NAME.ap4 for a chip. Its first loads are taken out (active_preload), but for
/// one that was written for flag PRELOAD.
struct app_program {
  struct active_program program;
  bool preload;
};
enum app_form { APP_PUBLISHED, APP_EXPLICIT, APP_PRELOADED };  // the last one explicit, too
SLUICE_MUST_CHECK enum sluice_status app_load(struct app_program *p, const char *folder,
                                              const char *name, enum app_form form,
                                              struct active_shape shape,
                                              struct sluice_error *error);

/// Zipf: number n of `num` is drawn with a weight of 1 / (n + 1) ** exponent.
///
///     status = app_zipf_init(&z, 10000, 1.2, seed, "client 1", &error);
///     n = app_zipf(&z);
///     app_zipf_release(&z);
struct app_zipf {
  struct sluice_rng rng;
  uint64_t *sums;
  uint32_t num;
};
SLUICE_MUST_CHECK enum sluice_status app_zipf_init(struct app_zipf *z, uint32_t num,
                                                   double exponent, uint64_t seed, const char *name,
                                                   struct sluice_error *error);
uint32_t app_zipf(struct app_zipf *z);
void app_zipf_release(struct app_zipf *z);
