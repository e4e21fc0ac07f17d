// SPDX-License-Identifier: Apache-2.0

/// The test of the egress with beats of 16 bytes: headers are read in four steps, and a lane gives a
/// packet to its deparser every four cycles at most. Arguments as in tb_sluice_egress.
module tb_sluice_egress_narrow;
  tb_sluice_egress u_test ();
endmodule : tb_sluice_egress_narrow
