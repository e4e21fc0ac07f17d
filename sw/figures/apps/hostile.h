// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runs.h"

/// Random tenants attack each other: each in turn sends random programs, with any addresses, and
/// then every word of every stage and pipeline that is not its own must be what it was. Tenants
/// come and go meanwhile, some with regions over all pipelines. Ids that nobody has attack, too.
///
///     const struct hostile hostile = {.rounds = 40, .programs = 50};
///     status = app_run_hostile(&run, &hostile, &result, &error);
///     ... result.differences is 0, result.words were compared ...
struct hostile {
  unsigned rounds, programs;  // a tenant's turn; programs in it
  bool widen;                 // a fault: regions reach one word further than they should
};
SLUICE_MUST_CHECK enum sluice_status app_run_hostile(const struct app_run *run,
                                                     const struct hostile *hostile,
                                                     struct app_result *result,
                                                     struct sluice_error *error);
