// SPDX-License-Identifier: Apache-2.0

/// The test of capsules in a back unit (tb/sluice_capsule_unit) in a chip of twenty stages, four
/// pipelines, entries of one word and 1,024 ids. Plusargs and mutants are those of that test.
module tb_sluice_capsule_unit_active;
  tb_sluice_capsule_unit u_test ();
endmodule : tb_sluice_capsule_unit_active
