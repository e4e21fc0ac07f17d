// SPDX-License-Identifier: Apache-2.0
#include "count.h"

uint64_t work_count;

// The name that gcc and clang call.
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { work_count++; }
