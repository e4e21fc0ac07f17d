// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// A clock that only runs forward, for time-outs and rates. Where it began says nothing.
double sluice_now(void);  // seconds
uint64_t sluice_now_us(void);
