// SPDX-License-Identifier: Apache-2.0

/// The test of the relocation table (tb/sluice_relocations) in a chip with marks: where the index of a mark lives, and whether it
/// is moving. Plusargs and mutants are those of that test.
module tb_sluice_relocations_marks;
  tb_sluice_relocations u_test ();
endmodule : tb_sluice_relocations_marks
