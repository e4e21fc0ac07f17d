// SPDX-License-Identifier: Apache-2.0
// For tests of the allocator of packet programs: short calls, and what must hold of any state.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "active/allocator.h"
#include "tests/rig/allocator_programs.h"

static struct sluice_error rig_error;

static struct sluice_allocator *rig_new(const struct sluice_memory_shape *shape,
                                        enum sluice_allocator_rules rules, enum sluice_fit fit,
                                        bool least) {
  const struct sluice_allocator_options options = {
      .rules = rules, .fit = fit, .least_constrained = least};
  struct sluice_allocator *a = NULL;
  if (sluice_allocator_new(&a, shape ? shape : &sluice_memory_published_shape, &options, NULL,
                           &rig_error))
    fail_msg("%s", rig_error.text);
  return a;
}

// Makes a plan the state.
static void rig_keep(struct sluice_allocator *a) {
  if (sluice_allocator_apply(a, &rig_error) || sluice_allocator_commit(a, &rig_error))
    fail_msg("%s", rig_error.text);
}

// Admits a program of the evaluation. False: it does not fit.
static bool rig_admit(struct sluice_allocator *a, unsigned program, uint16_t fid) {
  struct sluice_memory_request request = evaluated_programs[program].request;
  const struct sluice_memory_plan *plan;
  request.fid = fid;
  const enum sluice_status status = sluice_allocator_admit(a, &request, &plan, &rig_error);
  if (status && status != SLUICE_ERR_FULL) fail_msg("%s", rig_error.text);
  if (!status) rig_keep(a);
  return !status;
}

static void rig_release(struct sluice_allocator *a, uint16_t fid) {
  const struct sluice_memory_plan *plan;
  if (sluice_allocator_release(a, fid, &plan, &rig_error)) fail_msg("%s", rig_error.text);
  rig_keep(a);
}
