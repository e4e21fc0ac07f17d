// SPDX-License-Identifier: Apache-2.0

/// The test of exit and traffic manager with beats of 16 bytes, one lane and two ports: several copies of a packet
/// leave the same queue. Arguments as in tb_sluice_tm.
module tb_sluice_tm_one;
  tb_sluice_tm u_test ();
endmodule : tb_sluice_tm_one
