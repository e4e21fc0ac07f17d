// SPDX-License-Identifier: Apache-2.0

/// Which of the mutants in a simulator is awake (tb/mutants/schema.awk): the number in the
/// environment, SLUICE_MUTANT; 0: none.
package sluice_mutant_pkg;
  import "DPI-C" function int sluice_mutant();
  int number = sluice_mutant();
endpackage
