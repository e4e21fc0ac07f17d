// SPDX-License-Identifier: Apache-2.0
/// Writes Verilator's counters of lines and toggles at the end of a simulation, to
/// $SLUICE_COVERAGE.
///
/// Linked into simulators of `make coverage-rtl` alone, with --wrap=sluice_dpi_close: the last call
/// of the test bench, when the counters still live. Verilator's runtime is C++; its two functions
/// are called by the names that they have for the linker (verilated_cov.h, 5.006).
#include <stdio.h>
#include <stdlib.h>

extern void *thread_coverage(void) __asm__("_ZN12VerilatedCov10threadCovpEv");
extern void write_coverage(void *context,
                           const char *path) __asm__("_ZN19VerilatedCovContext5writeEPKc");

int __real_sluice_dpi_close(void);
int __wrap_sluice_dpi_close(void);
int __wrap_sluice_dpi_close(void) {
  const char *path = getenv("SLUICE_COVERAGE");
  if (path) write_coverage(thread_coverage(), path);
  return __real_sluice_dpi_close();
}
