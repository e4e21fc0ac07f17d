// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../plan/plan.h"
#include "../wire/wire.h"

/// Makes the packets of a plan in the order to send them: tables, then fills, then the MODULE
/// entries. Entries with consecutive indices share a packet. `send` returns false to stop; then so
/// does this, and when out of memory.
typedef bool sluice_send(void *context, const struct sluice_frame *frame);
bool sluice_reconfig_plan(const struct sluice_plan *plan, sluice_send *send, void *context);
