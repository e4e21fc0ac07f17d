// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

/// All of the library. docs/driver.md is its manual.
#include <sluice/active.h>
#include <sluice/chip.h>
#include <sluice/cut.h>
#include <sluice/event.h>
#include <sluice/image.h>
#include <sluice/param.h>
#include <sluice/plan.h>
#include <sluice/policy.h>
#include <sluice/status.h>
#include <sluice/switch.h>
#include <sluice/table.h>
#include <sluice/transaction.h>
#include <sluice/transport.h>
#include <sluice/version.h>

#endif
