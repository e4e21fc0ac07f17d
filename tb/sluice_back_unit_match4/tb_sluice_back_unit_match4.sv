// SPDX-License-Identifier: Apache-2.0

/// The test of the back unit (tb/sluice_back_unit) with a match engine of four cycles: everything behind the
/// hit comes three cycles later. Plusargs and mutants are those of that test.
module tb_sluice_back_unit_match4;
  tb_sluice_back_unit u_test ();
endmodule : tb_sluice_back_unit_match4
