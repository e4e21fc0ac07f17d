// SPDX-License-Identifier: Apache-2.0

/// The test of exit and traffic manager with classes in the output queues: the order is that of each source lane, class and
/// port, and a class holds at most as many places as are free. Arguments as in tb_sluice_tm.
module tb_sluice_tm_classes;
  tb_sluice_tm u_test ();
endmodule : tb_sluice_tm_classes
