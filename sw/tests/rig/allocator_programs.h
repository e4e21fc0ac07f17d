// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "active/allocator_request.h"

/// The programs of the ActiveRMT paper's evaluation, as its code asks for them: for tests and
/// experiments of the allocator. `fid` is 0.
struct evaluated_program {
  const char *name;
  struct sluice_memory_request request;
};
enum { EVALUATED_CACHE, EVALUATED_HEAVY_HITTER, EVALUATED_LOAD_BALANCER };
static const struct evaluated_program evaluated_programs[3] = {
    {"cache", {0, 13, 7, 3, {{0, 1, false}, {3, 1, false}, {7, 1, false}}}},
    {"heavy hitter",
     {0,
      29,
      SLUICE_NO_INGRESS_LIMIT,
      6,
      {{5, 16, false},
       {10, 16, false},
       {13, 16, false},
       {18, 16, false},
       {23, 16, false},
       {25, 16, false}}}},
    {"load balancer",
     {0, 28, 18, 4, {{4, 2, false}, {6, 2, false}, {15, 2, false}, {17, 2, false}}}},
};
