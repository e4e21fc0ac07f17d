// SPDX-License-Identifier: Apache-2.0

/// The test of exit and traffic manager in a chip with capsules and two banks: half of the random
/// packets are capsules whose programs end in some way, and leave shorter. Arguments as in
/// tb_sluice_tm.
module tb_sluice_tm_capsules;
  tb_sluice_tm u_test ();
endmodule : tb_sluice_tm_capsules
