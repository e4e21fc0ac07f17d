// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "../../base/layouts.h"
#include "../../base/status.h"

/// The address of a register by a name as people write it, in any case: CHIP.IN_FLIGHT,
/// LANE[1].PACKETS (instance 1 of its block; without it 0), ORDER[0].DROP+12 (12 registers behind
/// it). SLUICE_ERR_RANGE: it is none; SLUICE_ERR_NOT_FOUND: there is no such one.
enum sluice_status sluice_register_parse(const struct sluice_config *config, const char *name,
                                         uint32_t *addr, struct sluice_error *error);
