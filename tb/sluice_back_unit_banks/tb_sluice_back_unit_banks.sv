// SPDX-License-Identifier: Apache-2.0

/// The test of the back unit (tb/sluice_back_unit) with two banks: packets of both, in any mix, each with its own entries in
/// every overlay table, and match rows for one of the banks, both, or none. Plusargs and mutants are those of that test.
module tb_sluice_back_unit_banks;
  tb_sluice_back_unit u_test ();
endmodule : tb_sluice_back_unit_banks
