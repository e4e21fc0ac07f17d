// SPDX-License-Identifier: Apache-2.0

/// The test of the ingress with two banks, of which each module takes now this, now that one, changed in any cycle: every
/// packet must have the entries of the bank that stood in the cycle in which it arrived. Arguments as in tb_sluice_ingress.
module tb_sluice_ingress_banks;
  tb_sluice_ingress u_test ();
endmodule : tb_sluice_ingress_banks
