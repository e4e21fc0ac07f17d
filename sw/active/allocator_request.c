// SPDX-License-Identifier: Apache-2.0
#include "allocator_request.h"

const struct sluice_memory_shape sluice_memory_published_shape = {20, 10, 368, 256, 1};

enum sluice_status sluice_memory_check_shape(const struct sluice_memory_shape *s,
                                             struct sluice_error *error) {
  if (!s->stages || s->stages > SLUICE_MEMORY_STAGES)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u stages, 1 to %u are possible", s->stages,
                       SLUICE_MEMORY_STAGES);
  if (s->ingress >= s->stages)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%u of %u stages are ingress, so a further pass has none", s->ingress,
                       s->stages);
  if (!s->blocks || s->blocks > UINT16_MAX)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u blocks a stage, 1 to %u are possible",
                       s->blocks, UINT16_MAX);
  if (!s->block_words) return sluice_fail(error, SLUICE_ERR_RANGE, "a block has at least one word");
  if (!s->pipelines || s->pipelines > SLUICE_MEMORY_PIPELINES)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u pipelines, 1 to %u are possible", s->pipelines,
                       SLUICE_MEMORY_PIPELINES);
  return SLUICE_OK;
}

enum sluice_status sluice_memory_check_request(const struct sluice_memory_shape *shape,
                                               const struct sluice_memory_request *r,
                                               struct sluice_error *error) {
  if (!r->num || r->num > SLUICE_MEMORY_ACCESSES)
    return sluice_fail(error, SLUICE_ERR_RANGE, "program %u has %u accesses, 1 to %u are possible",
                       r->fid, r->num, SLUICE_MEMORY_ACCESSES);
  // A position is a byte of the request packet.
  if (r->length > 255)
    return sluice_fail(error, SLUICE_ERR_RANGE, "program %u has %u instructions, 255 are possible",
                       r->fid, r->length);
  for (unsigned i = 0; i < r->num; i++) {
    const struct sluice_memory_access *a = &r->access[i];
    const unsigned pools = a->sharded ? shape->pipelines : 1;
    if (a->position >= r->length)
      return sluice_fail(error, SLUICE_ERR_RANGE, "access %u of program %u is instruction %u of %u",
                         i, r->fid, a->position, r->length);
    if (i && a->position <= a[-1].position)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "access %u of program %u is not behind the one before it", i, r->fid);
    if (!a->demand || a->demand > shape->blocks * pools)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "access %u of program %u asks for %u blocks, 1 to %u are possible", i,
                         r->fid, a->demand, shape->blocks * pools);
  }
  return SLUICE_OK;
}
