// SPDX-License-Identifier: Apache-2.0

/// The test of the egress with beats of 16 bytes, one lane and two ports: several copies of a packet
/// leave the same queue. Arguments as in tb_sluice_egress.
module tb_sluice_egress_one;
  tb_sluice_egress u_test ();
endmodule : tb_sluice_egress_one
