// SPDX-License-Identifier: Apache-2.0

/// The test of exit and traffic manager with beats of 16 bytes: headers are read in four steps, and a lane gives a
/// packet to its deparser every four cycles at most. Arguments as in tb_sluice_tm.
module tb_sluice_tm_narrow;
  tb_sluice_tm u_test ();
endmodule : tb_sluice_tm_narrow
