// SPDX-License-Identifier: Apache-2.0

/// The test of the front stage (tb/sluice_front_stage) with a match engine of four cycles: everything behind the
/// hit comes three cycles later. Plusargs and mutants are those of that test.
module tb_sluice_front_stage_match4;
  tb_sluice_front_stage u_test ();
endmodule : tb_sluice_front_stage_match4
