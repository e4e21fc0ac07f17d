// SPDX-License-Identifier: Apache-2.0
// The main of a program of unit tests that has none of its own.
#include "test.h"

int main(void) { return tests_run(); }
