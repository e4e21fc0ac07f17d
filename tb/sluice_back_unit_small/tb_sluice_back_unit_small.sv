// SPDX-License-Identifier: Apache-2.0

/// The test of the back unit (tb/sluice_back_unit) with state units that share their sums, a narrow
/// PHV and no faults. Plusargs and mutants are those of that test.
module tb_sluice_back_unit_small;
  tb_sluice_back_unit u_test ();
endmodule : tb_sluice_back_unit_small
