// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/files.h"
#include "../../base/status.h"
#include "../../active/assemble.h"

enum { TEXT = 20000 };

enum sluice_status app_load(struct app_program *p, const char *folder, const char *name,
                            enum app_form form, struct active_shape shape,
                            struct sluice_error *error) {
  char path[4096];
  struct sluice_file file;
  struct active_source source;
  const int path_len = snprintf(path, sizeof path, "%s/%s.ap4", folder, name);
  if (path_len < 0 || (size_t)path_len >= sizeof path)
    return sluice_fail(error, SLUICE_ERR_RANGE, "the name of the folder is too long");
  SLUICE_TRY(sluice_file_read(&file, path, TEXT, NULL, error));
  const bool good = active_assemble(file.bytes, file.len, form != APP_PUBLISHED, shape, &source);
  sluice_file_release(&file);
  if (!good)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%s:%u:%u: %s", path, source.notes[0].line,
                       source.notes[0].column, source.notes[0].text);
  p->program = source.program;
  p->preload = form == APP_PRELOADED || active_preload(&p->program, shape).preload;
  return SLUICE_OK;
}

enum sluice_status app_zipf_init(struct app_zipf *z, uint32_t num, double exponent, uint64_t seed,
                                 const char *name, struct sluice_error *error) {
  if (!num) return sluice_fail(error, SLUICE_ERR_RANGE, "there must be a key at least");
  sluice_rng_init(&z->rng, seed, name);
  z->num = num;
  z->sums = malloc(num * sizeof *z->sums);
  if (!z->sums) return sluice_no_memory(error);
  // Weights of 32 bits: the sums of 2^32 of them fit.
  uint64_t sum = 0;
  for (uint32_t n = 0; n < num; n++) z->sums[n] = sum += sluice_zipf_weight(n, exponent);
  return SLUICE_OK;
}

uint32_t app_zipf(struct app_zipf *z) { return sluice_draw(&z->rng, z->sums, z->num); }

void app_zipf_release(struct app_zipf *z) {
  free(z->sums);
  z->sums = NULL;
}
