// SPDX-License-Identifier: Apache-2.0

/// The test of the array match (tb/sluice_array_match) with arrays of 16 words, 32 banks, and two
/// configuration banks. Plusargs and mutants are those of that test.
module tb_sluice_array_match_wide;
  tb_sluice_array_match u_test ();
endmodule : tb_sluice_array_match_wide
