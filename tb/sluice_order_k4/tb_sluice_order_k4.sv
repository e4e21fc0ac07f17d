// SPDX-License-Identifier: Apache-2.0

/// The test of the order point (tb/sluice_order) with four lanes: order across four masks at a
/// time.
/// Plusargs and mutants are those of that test; the file breaks lists those that four lanes matter
/// to.
module tb_sluice_order_k4;
  tb_sluice_order u_test ();
endmodule : tb_sluice_order_k4
