// SPDX-License-Identifier: Apache-2.0
// For sluice_mutant_pkg.sv: the number of the mutant that is awake, from the environment.
#include <stdlib.h>

int sluice_mutant(void);
int sluice_mutant(void) {
  const char *number = getenv("SLUICE_MUTANT");
  return number ? atoi(number) : 0;
}
