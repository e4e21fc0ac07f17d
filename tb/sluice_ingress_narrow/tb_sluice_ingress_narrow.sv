// SPDX-License-Identifier: Apache-2.0

/// The test of the ingress with beats of 16 bytes: short packets of several beats, headers read in
/// four steps, few slots and cells. Arguments as in tb_sluice_ingress.
module tb_sluice_ingress_narrow;
  tb_sluice_ingress u_test ();
endmodule : tb_sluice_ingress_narrow
