// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "base/status.h"

/// Calls that must succeed, and calls that must fail with a status and a sentence that has a text
/// in it. Both take their sentence from `error`, which the call is given.
///
///     GOOD(sluice_chip_load(chip, image, 3, &error));
///     SAYS(SLUICE_ERR_FULL, "overlay row 3", sluice_chip_load(chip, other, 35, &error));
static struct sluice_error error;
#define GOOD(CALL)                                                           \
  do {                                                                       \
    enum sluice_status good_status = (CALL);                                 \
    if (good_status) fail_msg("%s: %d: %s", #CALL, good_status, error.text); \
  } while (0)
#define SAYS(STATUS, TEXT, CALL)                                                         \
  do {                                                                                   \
    assert_int_equal(CALL, STATUS);                                                      \
    if (!strstr(error.text, TEXT)) fail_msg("'%s' does not say '%s'", error.text, TEXT); \
  } while (0)
